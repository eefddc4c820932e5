/* quod/types.h: types that several headers share, as the Linux ABI of x86 has them */
#ifndef _QUOD_QUOD_TYPES_H
#define _QUOD_QUOD_TYPES_H
typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short __int16_t;
typedef unsigned short __uint16_t;
typedef int __int32_t;
typedef unsigned int __uint32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;
#ifdef __LP64__
typedef unsigned long __dev_t;
typedef unsigned long __ino_t;
typedef unsigned long __nlink_t;
typedef long __off_t;
typedef long __off64_t;
typedef long __ssize_t;
typedef long __blkcnt_t;
typedef unsigned long __fsblkcnt_t;
#else
typedef unsigned long long __dev_t;
typedef unsigned int __nlink_t;
typedef long long __off64_t;
typedef int __ssize_t;
#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
typedef unsigned long long __ino_t;
typedef long long __off_t;
typedef long long __blkcnt_t;
typedef unsigned long long __fsblkcnt_t;
#else
typedef unsigned long __ino_t;
typedef long __off_t;
typedef long __blkcnt_t;
typedef unsigned long __fsblkcnt_t;
#endif
#endif
typedef unsigned int __mode_t;
typedef unsigned int __uid_t;
typedef unsigned int __gid_t;
typedef int __pid_t;
typedef unsigned int __id_t;
typedef long __clock_t;
typedef long __time_t;
typedef unsigned int __useconds_t;
typedef long __suseconds_t;
typedef int __clockid_t;
typedef void *__timer_t;
typedef long __blksize_t;
typedef int __key_t;
typedef unsigned int __socklen_t;
typedef char *__caddr_t;
typedef struct {
  int __count;
  union { unsigned int __wch; char __wchb[4]; } __value;
} __mbstate_t;
#endif
