//! Tables of the words in declaration specifiers: which keyword is what, and which header declares a well-known type.

use crate::ast::*;
use crate::token::Keyword;

pub(super) fn storage_class(keyword: Keyword) -> Option<Storage> {
    Some(match keyword {
        Keyword::Typedef => Storage::TYPEDEF,
        Keyword::Extern => Storage::EXTERN,
        Keyword::Static => Storage::STATIC,
        Keyword::Auto => Storage::AUTO,
        Keyword::Register => Storage::REGISTER,
        Keyword::ThreadLocal => Storage::THREAD_LOCAL,
        Keyword::Constexpr => Storage::CONSTEXPR,
        Keyword::CivlInput => Storage::INPUT,
        Keyword::CivlOutput => Storage::OUTPUT,
        Keyword::CudaShared => Storage::SHARED,
        Keyword::CudaConstant => Storage::CONSTANT,
        _ => return None,
    })
}

pub(super) fn function_specifier(keyword: Keyword) -> Option<FunctionSpecifiers> {
    Some(match keyword {
        Keyword::Inline => FunctionSpecifiers::INLINE,
        Keyword::Noreturn => FunctionSpecifiers::NORETURN,
        Keyword::CivlAbstract => FunctionSpecifiers::ABSTRACT,
        Keyword::CivlAtomicFunction => FunctionSpecifiers::ATOMIC,
        Keyword::CivlSystem => FunctionSpecifiers::SYSTEM,
        Keyword::CivlPure => FunctionSpecifiers::PURE,
        Keyword::CivlStateFunction => FunctionSpecifiers::STATE,
        Keyword::CivlContin => FunctionSpecifiers::CONTINUOUS,
        Keyword::CivlDifferentiable => FunctionSpecifiers::DIFFERENTIABLE,
        Keyword::CudaGlobal => FunctionSpecifiers::GLOBAL,
        Keyword::CudaDevice => FunctionSpecifiers::DEVICE,
        Keyword::CudaHost => FunctionSpecifiers::HOST,
        _ => return None,
    })
}

/// Keywords that start a type name: types and qualifiers.
pub(super) fn is_type_keyword(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(
        keyword,
        Void | Bool
            | Char
            | Int
            | Long
            | Short
            | Signed
            | Unsigned
            | Float
            | Double
            | Complex
            | Imaginary
            | Int128
            | Float16
            | Float32
            | Float64
            | Float32x
            | Float64x
            | Float128
            | Float80
            | Decimal32
            | Decimal64
            | Decimal128
            | BitInt
            | Struct
            | Union
            | Enum
            | Typeof
            | TypeofUnqual
            | AutoType
            | Atomic
            | Const
            | Volatile
            | Restrict
            | BuiltinVaList
            | CivlReal
            | CivlProc
            | CivlScope
            | CivlRange
            | CivlDomain
            | CivlMem
            | CivlState
            | CivlHeap
            | CivlInput
            | CivlOutput
    )
}

/// Types of CIVL-C that its own headers declare as if they were a library's.
pub(super) fn is_library_type(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, CivlProc | CivlScope | CivlState | CivlHeap | CivlMem | CivlRange | CivlDomain)
}

/// Keywords that start a declaration and no type name.
pub(super) fn is_declaration_keyword(keyword: Keyword) -> bool {
    storage_class(keyword).is_some() || function_specifier(keyword).is_some() || keyword == Keyword::Alignas
}

/// The header that declares a well-known type.
pub(super) fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "size_t" | "ptrdiff_t" | "wchar_t" | "max_align_t" => "stddef.h",
        "FILE" | "fpos_t" => "stdio.h",
        "bool" => "stdbool.h",
        "va_list" => "stdarg.h",
        "time_t" | "clock_t" => "time.h",
        "jmp_buf" => "setjmp.h",
        "ssize_t" | "off_t" | "pid_t" => "sys/types.h",
        "sem_t" => "semaphore.h",
        "div_t" | "ldiv_t" => "stdlib.h",
        _ if name.starts_with("pthread_") && name.ends_with("_t") => "pthread.h",
        _ if name.starts_with("atomic_") => "stdatomic.h",
        _ if (name.starts_with("int") || name.starts_with("uint")) && name.ends_with("_t") => "stdint.h",
        _ => return None,
    })
}
