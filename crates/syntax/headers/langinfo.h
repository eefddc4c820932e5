/* langinfo.h: facts of a language */
#ifndef _QUOD_LANGINFO_H
#define _QUOD_LANGINFO_H
typedef int nl_item;
#define CODESET 14
extern char *nl_langinfo(nl_item);
#endif
