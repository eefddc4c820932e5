//! The keywords of C, GNU C, C23, CIVL-C and CUDA: the one table of their spellings.

/// When a spelling is a keyword.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeywordSet {
    /// In every dialect.
    C,
    /// Only when C23 is asked for: before it, programs use these as names (`typedef int bool;`).
    C23,
    /// Only in CIVL-C, which includes CUDA's words.
    Civl,
}

macro_rules! keywords {
    ($($set:ident { $($name:ident = $($text:literal)|+;)* })*) => {
        /// One variant a meaning; see the table for the spellings.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Keyword { $($($name,)*)* }

        impl Keyword {
            /// Every spelling, when it counts, and what it means.
            pub const TABLE: &'static [(&'static str, KeywordSet, Keyword)] =
                &[$($($((c23_or($text, KeywordSet::$set).0, c23_or($text, KeywordSet::$set).1, Keyword::$name),)+)*)*];

            /// The usual spelling.
            pub fn as_str(self) -> &'static str {
                match self { $($(Self::$name => first(&[$($text),+]),)*)* }
            }
        }
    };
}

const fn first(texts: &[&'static str]) -> &'static str {
    let text = texts[0];
    match text.as_bytes() {
        [b'?', ..] => text.split_at(1).1,
        _ => text,
    }
}

/// A spelling that is written `?word` in the table is a keyword only in C23.
const fn c23_or(text: &'static str, set: KeywordSet) -> (&'static str, KeywordSet) {
    match text.as_bytes() {
        [b'?', ..] => (text.split_at(1).1, KeywordSet::C23),
        _ => (text, set),
    }
}

keywords! {
    C {
        Auto = "auto";
        Break = "break";
        Case = "case";
        Char = "char";
        Const = "const" | "__const" | "__const__";
        Continue = "continue";
        Default = "default";
        Do = "do";
        Double = "double";
        Else = "else";
        Enum = "enum";
        Extern = "extern";
        Float = "float";
        For = "for";
        Goto = "goto";
        If = "if";
        Inline = "inline" | "__inline" | "__inline__";
        Int = "int";
        Long = "long";
        Register = "register";
        Restrict = "restrict" | "__restrict" | "__restrict__";
        Return = "return";
        Short = "short";
        Signed = "signed" | "__signed" | "__signed__";
        Sizeof = "sizeof";
        Static = "static";
        Struct = "struct";
        Switch = "switch";
        Typedef = "typedef";
        Union = "union";
        Unsigned = "unsigned";
        Void = "void";
        Volatile = "volatile" | "__volatile" | "__volatile__";
        While = "while";
        Alignas = "_Alignas" | "?alignas";
        Alignof = "_Alignof" | "__alignof" | "__alignof__" | "?alignof";
        Atomic = "_Atomic";
        Bool = "_Bool" | "?bool";
        Complex = "_Complex" | "__complex" | "__complex__";
        Imaginary = "_Imaginary";
        Generic = "_Generic";
        Noreturn = "_Noreturn";
        StaticAssert = "_Static_assert" | "?static_assert";
        ThreadLocal = "_Thread_local" | "__thread" | "?thread_local";
        BitInt = "_BitInt";
        Decimal32 = "_Decimal32";
        Decimal64 = "_Decimal64";
        Decimal128 = "_Decimal128";
        Constexpr = "?constexpr";
        Nullptr = "?nullptr";
        True = "?true";
        False = "?false";
        TypeofUnqual = "?typeof_unqual";
        Typeof = "typeof" | "__typeof" | "__typeof__";
        AutoType = "__auto_type";
        Asm = "asm" | "__asm" | "__asm__";
        Attribute = "__attribute" | "__attribute__";
        Extension = "__extension__";
        Label = "__label__";
        Real = "__real" | "__real__";
        Imag = "__imag" | "__imag__";
        Int128 = "__int128";
        Float16 = "_Float16";
        Float32 = "_Float32";
        Float64 = "_Float64";
        Float128 = "_Float128" | "__float128";
        Float32x = "_Float32x";
        Float64x = "_Float64x";
        Float80 = "__float80";
        FunctionName = "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__";
        BuiltinVaList = "__builtin_va_list";
        BuiltinVaArg = "__builtin_va_arg";
        BuiltinOffsetof = "__builtin_offsetof";
        BuiltinTypesCompatible = "__builtin_types_compatible_p";
        BuiltinChooseExpr = "__builtin_choose_expr";
        BuiltinComplex = "__builtin_complex";
        BuiltinConvertVector = "__builtin_convertvector";
        BuiltinTgmath = "__builtin_tgmath";
        BuiltinHasAttribute = "__builtin_has_attribute";
    }
    Civl {
        CivlAbstract = "$abstract";
        CivlAssigns = "$assigns";
        CivlAtom = "$atom";
        CivlAtomic = "$atomic";
        CivlAtomicFunction = "$atomic_f";
        CivlBigO = "$O";
        CivlCalls = "$calls";
        CivlCatch = "$catch";
        CivlChoose = "$choose";
        CivlCollective = "$collective";
        CivlContin = "$contin";
        CivlDepends = "$depends";
        CivlDerivative = "$D";
        CivlDifferentiable = "$differentiable";
        CivlDomain = "$domain";
        CivlEnsures = "$ensures";
        CivlExists = "$exists";
        CivlFor = "$for";
        CivlForall = "$forall";
        CivlGuard = "$guard";
        CivlHeap = "$heap";
        CivlHere = "$here";
        CivlInput = "$input";
        CivlInvariant = "$invariant";
        CivlLambda = "$lambda";
        CivlMem = "$mem";
        CivlOld = "$old";
        CivlOutput = "$output";
        CivlParfor = "$parfor";
        CivlProc = "$proc";
        CivlProcNull = "$proc_null";
        CivlPure = "$pure";
        CivlRange = "$range";
        CivlReads = "$reads";
        CivlReal = "$real";
        CivlRequires = "$requires";
        CivlResult = "$result";
        CivlRoot = "$root";
        CivlRun = "$run";
        CivlScope = "$scope";
        CivlScopeof = "$scopeof";
        CivlSelf = "$self";
        CivlSpawn = "$spawn";
        CivlState = "$state";
        CivlStateFunction = "$state_f";
        CivlSum = "$sum";
        CivlSystem = "$system";
        CivlUniform = "$uniform";
        CivlValueAt = "$value_at";
        CivlWhen = "$when";
        CivlWith = "$with";
        CudaDevice = "__device__";
        CudaGlobal = "__global__";
        CudaHost = "__host__";
        CudaShared = "__shared__";
        CudaConstant = "__constant__";
    }
}
