/* libintl.h: translated messages */
#ifndef _QUOD_LIBINTL_H
#define _QUOD_LIBINTL_H
extern char *gettext(const char *);
extern char *dgettext(const char *, const char *);
extern char *ngettext(const char *, const char *, unsigned long);
extern char *textdomain(const char *);
extern char *bindtextdomain(const char *, const char *);
#endif
