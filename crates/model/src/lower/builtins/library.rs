//! Types of library functions that programs use without declaring them, by name or as `__builtin_X`.

use super::Lowerer;
use crate::ir::*;
use crate::lower::calls::Destination;
use crate::lower::expressions::Operand;
use quod_base::{Span, Symbol};
use quod_syntax::ast;

/// Result and parameters, a letter each: `v` void, `i` int, `u` unsigned, `l` long, `L` long long, `z` size_t, `d` double,
/// `f` float, `D` long double, `p` void *, `q` const void *, `c` char *, `k` const char *, `V` va_list, `F` file,
/// `I` int *, `e` double *, `.` variable arguments.
fn signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "malloc" | "alloca" => "pz",
        "calloc" => "pzz",
        "realloc" => "ppz",
        "aligned_alloc" | "memalign" => "pzz",
        "free" => "vp",
        "abort" => "v",
        "exit" | "_exit" | "_Exit" => "vi",
        "abs" | "isalnum" | "isalpha" | "isblank" | "iscntrl" | "isdigit" | "isgraph" | "islower" | "isprint"
        | "ispunct" | "isspace" | "isupper" | "isxdigit" | "tolower" | "toupper" | "putchar" | "isascii"
        | "toascii" => "ii",
        "labs" => "ll",
        "llabs" | "imaxabs" => "LL",
        "memcpy" | "memmove" | "mempcpy" => "ppqz",
        "memset" => "ppiz",
        "memcmp" | "bcmp" => "iqqz",
        "memchr" => "pqiz",
        "bzero" => "vpz",
        "bcopy" => "vqpz",
        "strlen" => "zk",
        "strnlen" => "zkz",
        "strcpy" | "strcat" | "stpcpy" => "cck",
        "strncpy" | "strncat" | "stpncpy" => "cckz",
        "strcmp" | "strcasecmp" => "ikk",
        "strncmp" | "strncasecmp" => "ikkz",
        "strchr" | "strrchr" | "index" | "rindex" => "cki",
        "strstr" | "strpbrk" => "ckk",
        "strspn" | "strcspn" => "zkk",
        "strdup" => "ck",
        "strndup" => "ckz",
        "puts" => "ik",
        "printf" | "scanf" => "ik.",
        "sprintf" | "sscanf" => "ick.",
        "snprintf" => "iczk.",
        "vprintf" => "ikV",
        "vsprintf" => "ickV",
        "vsnprintf" => "iczkV",
        "fprintf" => "ipk.",
        "vfprintf" => "ipkV",
        "fputs" => "ikp",
        "fputc" | "putc" => "iip",
        "fwrite" => "zqzzp",
        "atoi" => "ik",
        "atol" => "lk",
        "rand" | "getchar" => "i",
        "srand" => "vu",
        "sqrt" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "exp2"
        | "expm1" | "log" | "log2" | "log10" | "log1p" | "fabs" | "floor" | "ceil" | "trunc" | "round" | "rint"
        | "nearbyint" | "cbrt" | "erf" | "erfc" | "tgamma" | "lgamma" | "logb" | "roundeven" | "significand"
        | "exp10" | "pow10" | "gamma" | "asinh" | "acosh" | "atanh" => "dd",
        "pow" | "fmod" | "atan2" | "hypot" | "fmin" | "fmax" | "fdim" | "copysign" | "nextafter" | "remainder"
        | "drem" => "ddd",
        "fma" => "dddd",
        "ldexp" | "scalbn" | "powi" => "ddi",
        "frexp" => "ddI",
        "modf" => "dde",
        "lround" | "lrint" => "ld",
        "llround" | "llrint" => "Ld",
        "iround" | "irint" | "ilogb" => "id",
        "sqrtf" | "sinf" | "cosf" | "tanf" | "expf" | "logf" | "log2f" | "log10f" | "fabsf" | "floorf" | "ceilf"
        | "truncf" | "roundf" | "rintf" | "nearbyintf" | "cbrtf" | "atanf" | "asinf" | "acosf" | "exp2f" => "ff",
        "powf" | "fmodf" | "atan2f" | "hypotf" | "fminf" | "fmaxf" | "copysignf" | "fdimf" | "nextafterf" => "fff",
        "sqrtl" | "sinl" | "cosl" | "tanl" | "expl" | "logl" | "fabsl" | "floorl" | "ceill" | "truncl" | "roundl"
        | "rintl" | "nearbyintl" => "DD",
        "powl" | "fmodl" | "atan2l" | "hypotl" | "fminl" | "fmaxl" | "copysignl" | "nextafterl" => "DDD",
        "fmaf" => "ffff",
        "fmal" => "DDDD",
        "lroundf" | "lrintf" => "lf",
        "ldexpf" | "scalbnf" | "powif" => "ffi",
        "ldexpl" | "scalbnl" | "powil" => "DDi",
        "ffs" => "ii",
        _ => return None,
    })
}

/// `__X_chk` functions: which of their arguments (sizes and flags) `X` does not have.
fn checking_arguments(name: &str) -> Option<&'static [usize]> {
    Some(match name {
        "memcpy" | "memmove" | "mempcpy" | "memset" | "strncpy" | "strncat" | "stpncpy" => &[3],
        "strcpy" | "strcat" | "stpcpy" => &[2],
        "sprintf" | "vsprintf" => &[1, 2],
        "snprintf" | "vsnprintf" => &[2, 3],
        "printf" | "vprintf" => &[0],
        "fprintf" | "vfprintf" => &[1],
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// The type that a library function has, whatever the program declares.
    pub(crate) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let letters = signature(name)?;
        let mut types = Vec::with_capacity(letters.len());
        let mut is_variadic = false;
        for letter in letters.chars() {
            if letter == '.' {
                is_variadic = true;
            } else {
                types.push(self.letter_type(letter));
            }
        }
        let result = types.remove(0);
        Some(self.types().intern_function(FunctionType { result, parameters: types, is_variadic, has_prototype: true }))
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        match letter {
            'v' => self.known.void,
            'u' => self.known.unsigned,
            'l' => self.known.long,
            'L' => self.types().intern(Type::Int(IntKind::LongLong)),
            'z' => self.known.size,
            'd' => self.known.double,
            'f' => self.types().intern(Type::Float(FloatKind::Float)),
            'D' => self.types().intern(Type::Float(FloatKind::LongDouble)),
            'p' | 'F' => self.known.void_pointer,
            'q' => {
                let ty = self.known.void;
                self.types().intern(Type::Pointer(QualType { ty, qualifiers: constant }))
            }
            'c' => self.pointer_to(self.known.char),
            'k' => {
                let ty = self.known.char;
                self.types().intern(Type::Pointer(QualType { ty, qualifiers: constant }))
            }
            'V' => self.types().intern(Type::VaList),
            'I' => self.pointer_to(self.known.int),
            'e' => self.pointer_to(self.known.double),
            _ => self.known.int,
        }
    }

    /// `__builtin___memcpy_chk(d, s, n, size)` is `memcpy(d, s, n)`: our own checks look at the sizes.
    pub(super) fn checked_library_call(
        &mut self,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
        destination: Destination,
    ) -> Option<Operand> {
        let name = rest.trim_start_matches("__").trim_end_matches("_chk");
        let (Some(dropped), Some(function)) =
            (checking_arguments(name), self.library_builtin(Symbol::intern(&format!("__builtin_{name}")), span))
        else {
            return Some(self.unsupported_operand(&format!("`__builtin_{rest}`"), span));
        };
        let ty = self.function_type(self.program.functions[function].ty)?.clone();
        let Some(values) = self.builtin_arguments(arguments) else { return Some(self.error_operand(span)) };
        let mut kept = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            if dropped.contains(&index) {
                continue;
            }
            let value = match ty.parameters.get(kept.len()) {
                Some(&parameter) => self.convert(value, parameter, span),
                None => self.promote_argument(value, None),
            };
            kept.push(value);
        }
        let _ = destination;
        let callee = Callee::Direct(function);
        match self.emit_call(callee, kept, ty.result, span, span, Destination::Hidden) {
            crate::lower::calls::CallResult::Value(value) => Some(self.value_operand(value, span)),
            crate::lower::calls::CallResult::Written => Some(self.error_operand(span)),
        }
    }
}
