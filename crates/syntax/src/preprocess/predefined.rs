//! The macros that are there before the first line: those of gcc on x86 Linux, and those of the command line.
//!
//! The facts are tables of integer types and floating formats; the text of the definitions is written from them once a
//! process and read like a file.

use super::{DataModel, Dialect, Preprocessor, Standard};
use quod_base::FileId;
use std::fmt::Write;
use std::sync::LazyLock;

static TEXT_LP64: LazyLock<String> = LazyLock::new(|| predefined_text(DataModel::Lp64));
static TEXT_ILP32: LazyLock<String> = LazyLock::new(|| predefined_text(DataModel::Ilp32));

impl Preprocessor<'_> {
    /// Defines the predefined macros, then obeys `-D` and `-U`.
    pub(super) fn install_predefined(&mut self, main: FileId) {
        let main_name = self.source_map.file(main).name.clone();
        let is_preprocessed = main_name.ends_with(".i");
        self.base_file = main_name;
        self.install_builtins();
        let text = match self.options.data_model {
            DataModel::Lp64 => &*TEXT_LP64,
            DataModel::Ilp32 => &*TEXT_ILP32,
        };
        self.run_internal("<built-in>", text);
        let mut text = String::new();
        if !is_preprocessed {
            // In preprocessed text these are names like others.
            text.push_str("#define linux 1\n#define unix 1\n");
            if self.options.data_model == DataModel::Ilp32 {
                text.push_str("#define i386 1\n");
            }
        }
        let version = match self.options.standard {
            Standard::C17 => "201710L",
            Standard::C23 => "202311L",
        };
        push_define(&mut text, "__STDC_VERSION__", version);
        if self.options.dialect == Dialect::Civl {
            push_define(&mut text, "_CIVL", "1");
            push_define(&mut text, "__CIVLC__", "1");
        }
        for define in &self.options.defines {
            match define.split_once('=') {
                Some((name, value)) => push_define(&mut text, name, value.lines().next().unwrap_or_default()),
                None => push_define(&mut text, define, "1"),
            }
        }
        for name in &self.options.undefines {
            let _ = writeln!(text, "#undef {name}");
        }
        self.run_internal("<command line>", &text);
        self.bytes_read = 0;
    }
}

fn push_define(text: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "#define {name} {value}");
}

/// An integer type of gcc's table: its macro prefix, the type and its width in both models.
struct IntegerFact {
    /// `INT_FAST16` makes `__INT_FAST16_TYPE__`, `…_MAX__`, `…_WIDTH__`.
    name: &'static str,
    lp64: (&'static str, u32),
    ilp32: (&'static str, u32),
    is_unsigned: bool,
    /// Whether gcc also says the width.
    has_width: bool,
}

const fn integer(
    name: &'static str,
    lp64: (&'static str, u32),
    ilp32: (&'static str, u32),
    is_unsigned: bool,
    has_width: bool,
) -> IntegerFact {
    IntegerFact { name, lp64, ilp32, is_unsigned, has_width }
}

const CHAR: (&str, u32) = ("signed char", 8);
const UCHAR: (&str, u32) = ("unsigned char", 8);
const SHORT: (&str, u32) = ("short int", 16);
const USHORT: (&str, u32) = ("short unsigned int", 16);
const INT: (&str, u32) = ("int", 32);
const UINT: (&str, u32) = ("unsigned int", 32);
const LONG32: (&str, u32) = ("long int", 32);
const LONG: (&str, u32) = ("long int", 64);
const ULONG: (&str, u32) = ("long unsigned int", 64);
const LLONG: (&str, u32) = ("long long int", 64);
const ULLONG: (&str, u32) = ("long long unsigned int", 64);

const INTEGERS: &[IntegerFact] = &[
    integer("INT8", CHAR, CHAR, false, false),
    integer("INT16", SHORT, SHORT, false, false),
    integer("INT32", INT, INT, false, false),
    integer("INT64", LONG, LLONG, false, false),
    integer("UINT8", UCHAR, UCHAR, true, false),
    integer("UINT16", USHORT, USHORT, true, false),
    integer("UINT32", UINT, UINT, true, false),
    integer("UINT64", ULONG, ULLONG, true, false),
    integer("INT_LEAST8", CHAR, CHAR, false, true),
    integer("INT_LEAST16", SHORT, SHORT, false, true),
    integer("INT_LEAST32", INT, INT, false, true),
    integer("INT_LEAST64", LONG, LLONG, false, true),
    integer("UINT_LEAST8", UCHAR, UCHAR, true, false),
    integer("UINT_LEAST16", USHORT, USHORT, true, false),
    integer("UINT_LEAST32", UINT, UINT, true, false),
    integer("UINT_LEAST64", ULONG, ULLONG, true, false),
    integer("INT_FAST8", CHAR, CHAR, false, true),
    integer("INT_FAST16", LONG, INT, false, true),
    integer("INT_FAST32", LONG, INT, false, true),
    integer("INT_FAST64", LONG, LLONG, false, true),
    integer("UINT_FAST8", UCHAR, UCHAR, true, false),
    integer("UINT_FAST16", ULONG, UINT, true, false),
    integer("UINT_FAST32", ULONG, UINT, true, false),
    integer("UINT_FAST64", ULONG, ULLONG, true, false),
    integer("INTMAX", LONG, LLONG, false, true),
    integer("UINTMAX", ULONG, ULLONG, true, false),
    integer("INTPTR", LONG, INT, false, true),
    integer("UINTPTR", ULONG, UINT, true, false),
    integer("PTRDIFF", LONG, INT, false, true),
    integer("SIZE", ULONG, UINT, true, true),
    integer("WCHAR", INT, LONG32, false, true),
    integer("WINT", UINT, UINT, true, true),
    integer("SIG_ATOMIC", INT, INT, false, true),
];

/// A floating format: `__FLT_DIG__` and so on.
struct FloatFact {
    name: &'static str,
    suffix: &'static str,
    decimal_dig: u32,
    dig: u32,
    mant_dig: u32,
    max_exp: u32,
    max_10_exp: u32,
    min_exp: u32,
    min_10_exp: u32,
    max: &'static str,
    min: &'static str,
    epsilon: &'static str,
    denorm_min: &'static str,
}

const SINGLE: FloatFact = FloatFact {
    name: "FLT",
    suffix: "F",
    decimal_dig: 9,
    dig: 6,
    mant_dig: 24,
    max_exp: 128,
    max_10_exp: 38,
    min_exp: 125,
    min_10_exp: 37,
    max: "3.40282346638528859811704183484516925e+38",
    min: "1.17549435082228750796873653722224568e-38",
    epsilon: "1.19209289550781250000000000000000000e-7",
    denorm_min: "1.40129846432481707092372958328991613e-45",
};
const DOUBLE: FloatFact = FloatFact {
    name: "DBL",
    suffix: "L",
    decimal_dig: 17,
    dig: 15,
    mant_dig: 53,
    max_exp: 1024,
    max_10_exp: 308,
    min_exp: 1021,
    min_10_exp: 307,
    max: "1.79769313486231570814527423731704357e+308",
    min: "2.22507385850720138309023271733240406e-308",
    epsilon: "2.22044604925031308084726333618164062e-16",
    denorm_min: "4.94065645841246544176568792868221372e-324",
};
const EXTENDED: FloatFact = FloatFact {
    name: "LDBL",
    suffix: "L",
    decimal_dig: 21,
    dig: 18,
    mant_dig: 64,
    max_exp: 16384,
    max_10_exp: 4932,
    min_exp: 16381,
    min_10_exp: 4931,
    max: "1.18973149535723176502126385303097021e+4932",
    min: "3.36210314311209350626267781732175260e-4932",
    epsilon: "1.08420217248550443400745280086994171e-19",
    denorm_min: "3.64519953188247460252840593361941982e-4951",
};
const QUADRUPLE: FloatFact = FloatFact {
    name: "FLT128",
    suffix: "F128",
    decimal_dig: 36,
    dig: 33,
    mant_dig: 113,
    max_exp: 16384,
    max_10_exp: 4932,
    min_exp: 16381,
    min_10_exp: 4931,
    max: "1.18973149535723176508575932662800702e+4932",
    min: "3.36210314311209350626267781732175260e-4932",
    epsilon: "1.92592994438723585305597794258492732e-34",
    denorm_min: "6.47517511943802511092443895822764655e-4966",
};
const HALF: FloatFact = FloatFact {
    name: "FLT16",
    suffix: "F16",
    decimal_dig: 5,
    dig: 3,
    mant_dig: 11,
    max_exp: 16,
    max_10_exp: 4,
    min_exp: 13,
    min_10_exp: 4,
    max: "6.55040000000000000000000000000000000e+4",
    min: "6.10351562500000000000000000000000000e-5",
    epsilon: "9.76562500000000000000000000000000000e-4",
    denorm_min: "5.96046447753906250000000000000000000e-8",
};

/// The other facts of both models.
const COMMON: &str = "__STDC__ 1;__STDC_HOSTED__ 1;__STDC_UTF_16__ 1;__STDC_UTF_32__ 1;__STDC_IEC_559__ 1;\
__STDC_IEC_559_COMPLEX__ 1;__STDC_IEC_60559_BFP__ 201404L;__STDC_IEC_60559_COMPLEX__ 201404L;\
__STDC_ISO_10646__ 201706L;_STDC_PREDEF_H 1;__GNUC__ 12;__GNUC_MINOR__ 2;__GNUC_PATCHLEVEL__ 0;__VERSION__ \"12.2.0\";\
__GNUC_STDC_INLINE__ 1;__NO_INLINE__ 1;__GXX_ABI_VERSION 1017;__ATOMIC_RELAXED 0;__ATOMIC_CONSUME 1;\
__ATOMIC_ACQUIRE 2;__ATOMIC_RELEASE 3;__ATOMIC_ACQ_REL 4;__ATOMIC_SEQ_CST 5;__ATOMIC_HLE_ACQUIRE 65536;\
__ATOMIC_HLE_RELEASE 131072;__BIGGEST_ALIGNMENT__ 16;__ORDER_LITTLE_ENDIAN__ 1234;__ORDER_BIG_ENDIAN__ 4321;\
__ORDER_PDP_ENDIAN__ 3412;__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__;__FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__;\
__CHAR_BIT__ 8;__CHAR16_TYPE__ short unsigned int;__CHAR32_TYPE__ unsigned int;__SCHAR_MAX__ 0x7f;__SHRT_MAX__ 0x7fff;\
__INT_MAX__ 0x7fffffff;__LONG_LONG_MAX__ 0x7fffffffffffffffLL;__SCHAR_WIDTH__ 8;__SHRT_WIDTH__ 16;__INT_WIDTH__ 32;\
__LONG_LONG_WIDTH__ 64;__SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1);__WCHAR_MIN__ (-__WCHAR_MAX__ - 1);\
__WINT_MIN__ 0U;__INT8_C(c) c;__INT16_C(c) c;__INT32_C(c) c;__UINT8_C(c) c;__UINT16_C(c) c;__UINT32_C(c) c ## U;\
__FLT_RADIX__ 2;__DECIMAL_DIG__ 21;__FINITE_MATH_ONLY__ 0;__GCC_IEC_559 2;__GCC_IEC_559_COMPLEX 2;\
__DECIMAL_BID_FORMAT__ 1;__DEC_EVAL_METHOD__ 2;__SIZEOF_INT__ 4;__SIZEOF_SHORT__ 2;__SIZEOF_LONG_LONG__ 8;\
__SIZEOF_FLOAT__ 4;__SIZEOF_DOUBLE__ 8;__SIZEOF_FLOAT128__ 16;__SIZEOF_WCHAR_T__ 4;__SIZEOF_WINT_T__ 4;__ELF__ 1;\
__gnu_linux__ 1;__linux 1;__linux__ 1;__unix 1;__unix__ 1;__PIC__ 2;__pic__ 2;__PIE__ 2;__pie__ 2;\
__REGISTER_PREFIX__ ;__USER_LABEL_PREFIX__ ;__PRAGMA_REDEFINE_EXTNAME 1;__SEG_FS 1;__SEG_GS 1;\
__HAVE_SPECULATION_SAFE_VALUE 1;__GCC_ASM_FLAG_OUTPUTS__ 1;__GCC_HAVE_DWARF2_CFI_ASM 1;__GCC_CONSTRUCTIVE_SIZE 64;\
__GCC_DESTRUCTIVE_SIZE 64;__GNUC_EXECUTION_CHARSET_NAME \"UTF-8\";__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-32LE\";\
__GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1";

const ONLY_LP64: &str = "_LP64 1;__LP64__ 1;__FLT_EVAL_METHOD__ 0;__FLT_EVAL_METHOD_TS_18661_3__ 0;\
__INT64_C(c) c ## L;__UINT64_C(c) c ## UL;__INTMAX_C(c) c ## L;__UINTMAX_C(c) c ## UL;__LONG_WIDTH__ 64;\
__LONG_MAX__ 0x7fffffffffffffffL;__SIZEOF_LONG__ 8;__SIZEOF_POINTER__ 8;__SIZEOF_SIZE_T__ 8;__SIZEOF_PTRDIFF_T__ 8;\
__SIZEOF_INT128__ 16;__SIZEOF_LONG_DOUBLE__ 16;__SIZEOF_FLOAT80__ 16;__amd64 1;__amd64__ 1;__x86_64 1;__x86_64__ 1;\
__k8 1;__k8__ 1;__code_model_small__ 1;__FXSR__ 1;__MMX__ 1;__MMX_WITH_SSE__ 1;__SSE__ 1;__SSE2__ 1;__SSE_MATH__ 1;\
__SSE2_MATH__ 1";

const ONLY_ILP32: &str = "_ILP32 1;__ILP32__ 1;__FLT_EVAL_METHOD__ 2;__FLT_EVAL_METHOD_TS_18661_3__ 2;\
__INT64_C(c) c ## LL;__UINT64_C(c) c ## ULL;__INTMAX_C(c) c ## LL;__UINTMAX_C(c) c ## ULL;__LONG_WIDTH__ 32;\
__LONG_MAX__ 0x7fffffffL;__SIZEOF_LONG__ 4;__SIZEOF_POINTER__ 4;__SIZEOF_SIZE_T__ 4;__SIZEOF_PTRDIFF_T__ 4;\
__SIZEOF_LONG_DOUBLE__ 12;__SIZEOF_FLOAT80__ 12;__i386 1;__i386__ 1;__i686 1;__i686__ 1;__pentiumpro 1;\
__pentiumpro__ 1;__code_model_32__ 1;__LAHF_SAHF__ 1";

fn predefined_text(model: DataModel) -> String {
    let mut text = String::with_capacity(24_000);
    let only = match model {
        DataModel::Lp64 => ONLY_LP64,
        DataModel::Ilp32 => ONLY_ILP32,
    };
    for fact in COMMON.split(';').chain(only.split(';')) {
        push_define(&mut text, fact, "");
    }
    for fact in INTEGERS {
        push_integer(&mut text, fact, model);
    }
    for fact in [&SINGLE, &DOUBLE, &EXTENDED, &QUADRUPLE] {
        push_float(&mut text, fact, fact.name, fact.suffix);
    }
    push_float(&mut text, &SINGLE, "FLT32", "F32");
    push_float(&mut text, &DOUBLE, "FLT64", "F64");
    push_float(&mut text, &DOUBLE, "FLT32X", "F32x");
    push_float(&mut text, &EXTENDED, "FLT64X", "F64x");
    if model == DataModel::Lp64 {
        push_float(&mut text, &HALF, HALF.name, HALF.suffix);
    }
    for (name, suffix, digits, least, most) in
        [("DEC32", "DF", 7, 94, 97), ("DEC64", "DD", 16, 382, 385), ("DEC128", "DL", 34, 6142, 6145)]
    {
        let nines = "9".repeat(digits - 1);
        let zeros = "0".repeat(digits - 2);
        push_define(&mut text, &format!("__{name}_MANT_DIG__"), &digits.to_string());
        push_define(&mut text, &format!("__{name}_MIN_EXP__"), &format!("(-{least})"));
        push_define(&mut text, &format!("__{name}_MAX_EXP__"), &most.to_string());
        push_define(&mut text, &format!("__{name}_MIN__"), &format!("1E-{}{suffix}", least + 1));
        push_define(&mut text, &format!("__{name}_MAX__"), &format!("9.{nines}E{}{suffix}", most - 1));
        push_define(&mut text, &format!("__{name}_EPSILON__"), &format!("1E-{}{suffix}", digits - 1));
        let subnormal = format!("0.{zeros}1E-{}{suffix}", least + 1);
        push_define(&mut text, &format!("__{name}_SUBNORMAL_MIN__"), &subnormal);
    }
    for name in ["BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER"] {
        push_define(&mut text, &format!("__GCC_ATOMIC_{name}_LOCK_FREE"), "2");
    }
    for size in [1, 2, 4, 8] {
        push_define(&mut text, &format!("__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}"), "1");
    }
    text
}

fn push_integer(text: &mut String, fact: &IntegerFact, model: DataModel) {
    let (ty, width) = match model {
        DataModel::Lp64 => fact.lp64,
        DataModel::Ilp32 => fact.ilp32,
    };
    let max = if fact.is_unsigned { u64::MAX >> (64 - width) } else { u64::MAX >> (65 - width) };
    let unsigned = if fact.is_unsigned && width >= 32 { "U" } else { "" };
    let long = match ty {
        _ if ty.starts_with("long long") => "LL",
        _ if ty.starts_with("long") => "L",
        _ => "",
    };
    push_define(text, &format!("__{}_TYPE__", fact.name), ty);
    push_define(text, &format!("__{}_MAX__", fact.name), &format!("{max:#x}{unsigned}{long}"));
    if fact.has_width {
        push_define(text, &format!("__{}_WIDTH__", fact.name), &width.to_string());
    }
}

fn push_float(text: &mut String, fact: &FloatFact, name: &str, suffix: &str) {
    let mut define = |what: &str, value: String| push_define(text, &format!("__{name}_{what}__"), &value);
    // gcc writes constants of type double as cast ones of long double.
    let number = |value: &str| {
        if name == "DBL" { format!("((double){value}{suffix})") } else { format!("{value}{suffix}") }
    };
    define("MANT_DIG", fact.mant_dig.to_string());
    define("DIG", fact.dig.to_string());
    define("DECIMAL_DIG", fact.decimal_dig.to_string());
    define("MIN_EXP", format!("(-{})", fact.min_exp));
    define("MIN_10_EXP", format!("(-{})", fact.min_10_exp));
    define("MAX_EXP", fact.max_exp.to_string());
    define("MAX_10_EXP", fact.max_10_exp.to_string());
    define("MAX", number(fact.max));
    define("NORM_MAX", number(fact.max));
    define("MIN", number(fact.min));
    define("EPSILON", number(fact.epsilon));
    define("DENORM_MIN", number(fact.denorm_min));
    define("HAS_DENORM", "1".to_owned());
    define("HAS_INFINITY", "1".to_owned());
    define("HAS_QUIET_NAN", "1".to_owned());
    define("IS_IEC_60559", "2".to_owned());
}
