/* openacc.h: OpenACC */
#ifndef _QUOD_OPENACC_H
#define _QUOD_OPENACC_H
typedef enum { acc_device_none, acc_device_default, acc_device_host, acc_device_not_host, acc_device_nvidia } acc_device_t;
extern int acc_get_num_devices(acc_device_t);
extern void acc_set_device_type(acc_device_t);
extern acc_device_t acc_get_device_type(void);
extern void acc_init(acc_device_t);
extern void acc_shutdown(acc_device_t);
#endif
