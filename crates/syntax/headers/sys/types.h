/* sys/types.h: types of POSIX */
#ifndef _QUOD_SYS_TYPES_H
#define _QUOD_SYS_TYPES_H
#include <quod/types.h>
#include <quod/pthread_types.h>
#include <stddef.h>
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#ifndef ushort
typedef unsigned short ushort;
#endif
#ifndef uint
typedef unsigned int uint;
#endif
#ifndef ulong
typedef unsigned long ulong;
#endif
typedef __INT64_TYPE__ quad_t;
typedef __UINT64_TYPE__ u_quad_t;
typedef __int8_t int8_t;
typedef __int16_t int16_t;
typedef __int32_t int32_t;
typedef __int64_t int64_t;
typedef __uint8_t u_int8_t;
typedef __uint16_t u_int16_t;
typedef __uint32_t u_int32_t;
typedef __uint64_t u_int64_t;
typedef __INTPTR_TYPE__ register_t;
typedef __dev_t dev_t;
typedef __ino_t ino_t;
typedef __mode_t mode_t;
typedef __nlink_t nlink_t;
typedef __uid_t uid_t;
typedef __gid_t gid_t;
typedef __off_t off_t;
typedef __off64_t off64_t;
typedef __off64_t loff_t;
typedef __pid_t pid_t;
typedef __id_t id_t;
typedef __ssize_t ssize_t;
typedef __caddr_t caddr_t;
typedef int daddr_t;
typedef __key_t key_t;
typedef __clock_t clock_t;
typedef __time_t time_t;
typedef __clockid_t clockid_t;
typedef __timer_t timer_t;
typedef __useconds_t useconds_t;
typedef __suseconds_t suseconds_t;
typedef __blksize_t blksize_t;
typedef __blkcnt_t blkcnt_t;
typedef __fsblkcnt_t fsblkcnt_t;
typedef __fsblkcnt_t fsfilcnt_t;
typedef struct { int __val[2]; } fsid_t;
#include <sys/select.h>
#endif
