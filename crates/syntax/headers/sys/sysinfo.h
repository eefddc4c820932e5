/* sys/sysinfo.h: facts of the system */
#ifndef _QUOD_SYS_SYSINFO_H
#define _QUOD_SYS_SYSINFO_H
struct sysinfo {
  long uptime;
  unsigned long loads[3];
  unsigned long totalram, freeram, sharedram, bufferram, totalswap, freeswap;
  unsigned short procs, pad;
  unsigned long totalhigh, freehigh;
  unsigned int mem_unit;
  char _f[20 - 2 * sizeof(unsigned long) - sizeof(unsigned int)];
};
extern int sysinfo(struct sysinfo *);
extern int get_nprocs(void);
extern int get_nprocs_conf(void);
#endif
