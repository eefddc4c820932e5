//! The headers that the programs of other tools are compiled with: their special functions, in our words.

use anyhow::Result;
use std::path::Path;

/// Included before every program of CBMC's: what its front end knows without a declaration.
const CPROVER: &str = "\
#define __CPROVER_bool _Bool
#define __CPROVER_size_t __SIZE_TYPE__
#define __CPROVER_ssize_t __PTRDIFF_TYPE__
#define __CPROVER_precondition __CPROVER_assert
#define __CPROVER_postcondition __CPROVER_assert
#define __CPROVER_isnanf(x) __builtin_isnan(x)
#define __CPROVER_isnand(x) __builtin_isnan(x)
#define __CPROVER_isinff(x) __builtin_isinf(x)
#define __CPROVER_isinfd(x) __builtin_isinf(x)
#define __CPROVER_isfinited(x) __builtin_isfinite(x)
#define __CPROVER_isnormald(x) __builtin_isnormal(x)
";

/// Where `malloc` may fail, as CBMC has it unless it is told otherwise.
const FAILING_MALLOC: &str = "\
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
static inline void *quod_malloc(__SIZE_TYPE__ size) { return __VERIFIER_nondet_bool() ? malloc(size) : (void *)0; }
static inline void *quod_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {
    return __VERIFIER_nondet_bool() ? calloc(count, size) : (void *)0;
}
#define malloc quod_malloc
#define calloc quod_calloc
";

/// SMACK's own header, as far as it means something to other tools.
const SMACK: &str = "\
#ifndef SMACK_H_
#define SMACK_H_
#include <limits.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define assume(e) do { if (!(e)) __VERIFIER_assume(0); } while (0)
extern void *__VERIFIER_nondet(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern signed char __VERIFIER_nondet_signed_char(void);
extern unsigned char __VERIFIER_nondet_unsigned_char(void), __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void), __VERIFIER_nondet_short_int(void);
extern short __VERIFIER_nondet_signed_short(void), __VERIFIER_nondet_signed_short_int(void);
extern unsigned short __VERIFIER_nondet_unsigned_short(void), __VERIFIER_nondet_unsigned_short_int(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void), __VERIFIER_nondet_signed_int(void);
extern unsigned __VERIFIER_nondet_unsigned(void), __VERIFIER_nondet_unsigned_int(void), __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void), __VERIFIER_nondet_long_int(void);
extern long __VERIFIER_nondet_signed_long(void), __VERIFIER_nondet_signed_long_int(void);
extern unsigned long __VERIFIER_nondet_unsigned_long(void), __VERIFIER_nondet_unsigned_long_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_long_long(void), __VERIFIER_nondet_long_long_int(void);
extern long long __VERIFIER_nondet_signed_long_long(void), __VERIFIER_nondet_signed_long_long_int(void);
extern unsigned long long __VERIFIER_nondet_unsigned_long_long(void), __VERIFIER_nondet_unsigned_long_long_int(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern long double __VERIFIER_nondet_long_double(void);
extern void *__VERIFIER_nondet_pointer(void);
#endif
";

/// The names of the headers' folders below the campaign's own.
pub(super) const CPROVER_FILE: &str = "cprover.h";
pub(super) const FAILING_MALLOC_FILE: &str = "malloc_may_fail.h";
pub(super) const SMACK_FOLDER: &str = "smack";

pub(super) fn write(scratch: &Path) -> Result<()> {
    std::fs::write(scratch.join(CPROVER_FILE), CPROVER)?;
    std::fs::write(scratch.join(FAILING_MALLOC_FILE), FAILING_MALLOC)?;
    let smack = scratch.join(SMACK_FOLDER);
    std::fs::create_dir_all(&smack)?;
    std::fs::write(smack.join("smack.h"), SMACK)?;
    Ok(())
}
