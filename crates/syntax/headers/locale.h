/* locale.h: localisation (C11 7.11) */
#ifndef _QUOD_LOCALE_H
#define _QUOD_LOCALE_H
#define NULL ((void *) 0)
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#define LC_PAPER 7
#define LC_NAME 8
#define LC_ADDRESS 9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12
struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
  char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
  char p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
  char int_p_sign_posn, int_n_sign_posn;
};
typedef struct __locale_struct *locale_t;
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_ALL_MASK 8127
#define LC_GLOBAL_LOCALE ((locale_t) -1L)
extern char *setlocale(int, const char *);
extern struct lconv *localeconv(void);
extern locale_t newlocale(int, const char *, locale_t);
extern locale_t duplocale(locale_t);
extern void freelocale(locale_t);
extern locale_t uselocale(locale_t);
#endif
