/* crypt.h: hashes of passwords */
#ifndef _QUOD_CRYPT_H
#define _QUOD_CRYPT_H
extern char *crypt(const char *, const char *);
#endif
