/* dlfcn.h: dynamic linking */
#ifndef _QUOD_DLFCN_H
#define _QUOD_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#define RTLD_NEXT ((void *) -1l)
#define RTLD_DEFAULT ((void *) 0)
typedef struct { const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr; } Dl_info;
extern void *dlopen(const char *, int);
extern int dlclose(void *);
extern void *dlsym(void *__restrict, const char *__restrict);
extern void *dlvsym(void *__restrict, const char *__restrict, const char *__restrict);
extern char *dlerror(void);
extern int dladdr(const void *, Dl_info *);
#endif
