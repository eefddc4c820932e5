/* limits.h: sizes of integer types (C11 5.2.4.2.1, POSIX) */
#ifndef _QUOD_LIMITS_H
#define _QUOD_LIMITS_H
#define CHAR_BIT __CHAR_BIT__
#define SCHAR_MIN (-SCHAR_MAX - 1)
#define SCHAR_MAX __SCHAR_MAX__
#define UCHAR_MAX (SCHAR_MAX * 2 + 1)
#ifdef __CHAR_UNSIGNED__
#define CHAR_MIN 0
#define CHAR_MAX UCHAR_MAX
#else
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#endif
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX __SHRT_MAX__
#define USHRT_MAX (SHRT_MAX * 2 + 1)
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX __INT_MAX__
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MIN (-LONG_MAX - 1L)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (LLONG_MAX * 2ULL + 1ULL)
#define MB_LEN_MAX 16
#ifdef __LP64__
#define SSIZE_MAX LONG_MAX
#else
#define SSIZE_MAX INT_MAX
#endif
#define NAME_MAX 255
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define NGROUPS_MAX 65536
#define MAX_CANON 255
#define MAX_INPUT 255
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define TTY_NAME_MAX 32
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_STACK_MIN 16384
#define SEM_VALUE_MAX 2147483647
#define RTSIG_MAX 32
#define XATTR_NAME_MAX 255
#define LINE_MAX 2048
#define RE_DUP_MAX 32767
#define BC_BASE_MAX 99
#define _POSIX_PATH_MAX 256
#define _POSIX_NAME_MAX 14
#define _POSIX_ARG_MAX 4096
#define _POSIX_OPEN_MAX 20
#define _POSIX_PIPE_BUF 512
#define _POSIX_HOST_NAME_MAX 255
#define _POSIX_LOGIN_NAME_MAX 9
#define _POSIX_SSIZE_MAX 32767
#if defined _GNU_SOURCE || __STDC_VERSION__ >= 202311L
#define WORD_BIT 32
#define LONG_BIT __LONG_WIDTH__
#endif
#if defined _GNU_SOURCE || __STDC_VERSION__ >= 202311L
#define LONG_LONG_MIN LLONG_MIN
#define LONG_LONG_MAX LLONG_MAX
#define ULONG_LONG_MAX ULLONG_MAX
#define CHAR_WIDTH 8
#define SCHAR_WIDTH 8
#define UCHAR_WIDTH 8
#define SHRT_WIDTH 16
#define USHRT_WIDTH 16
#define INT_WIDTH 32
#define UINT_WIDTH 32
#define LONG_WIDTH __LONG_WIDTH__
#define ULONG_WIDTH __LONG_WIDTH__
#define LLONG_WIDTH 64
#define ULLONG_WIDTH 64
#define BOOL_WIDTH 1
#define BOOL_MAX 1
#define ARG_MAX 131072
#define LINK_MAX 127
#define IOV_MAX 1024
#define NZERO 20
#define NL_ARGMAX 4096
#endif
#endif
