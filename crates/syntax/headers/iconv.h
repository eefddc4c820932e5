/* iconv.h: conversion of texts */
#ifndef _QUOD_ICONV_H
#define _QUOD_ICONV_H
#include <stddef.h>
typedef void *iconv_t;
extern iconv_t iconv_open(const char *, const char *);
extern size_t iconv(iconv_t, char **__restrict, size_t *__restrict, char **__restrict, size_t *__restrict);
extern int iconv_close(iconv_t);
#endif
