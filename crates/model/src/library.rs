//! What is known, by their names, of functions that a program only declares.

use crate::ir::StringLiteral;

/// Functions that make objects, or end them, without a name.
const ALLOCATING: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "alloca",
    "alloca_with_align",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "strdup",
    "strndup",
    "wcsdup",
    "getline",
    "getdelim",
    "asprintf",
    "vasprintf",
    "open_memstream",
    "getcwd",
    "realpath",
];

/// Functions from numbers to a number; those of `float` and `long double` end with a letter more.
const NUMERIC: &[&str] = &[
    "sqrt",
    "fabs",
    "floor",
    "ceil",
    "round",
    "trunc",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "pow",
    "fmod",
    "fmin",
    "fmax",
    "isnan",
    "isinf",
    "finite",
    "fpclassify",
    "isfinite",
    "signbit",
    "copysign",
    "rint",
    "nearbyint",
    "lround",
    "log10",
    "log2",
    "atan",
    "atan2",
    "asin",
    "acos",
    "fdim",
    "remainder",
];

pub fn is_allocating(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").or_else(|| name.strip_prefix("__libc_")).unwrap_or(name);
    ALLOCATING.contains(&name)
}

pub fn is_numeric(name: &str) -> bool {
    let name = name.strip_prefix("__").unwrap_or(name);
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    [name, base].iter().any(|name| NUMERIC.contains(name))
}

/// The letters of all conversions that a format may have, wherever `printf` begins to read it: `%%n` read from its second
/// character is `%n`.
pub fn conversions(format: &StringLiteral) -> impl Iterator<Item = u8> + '_ {
    const BETWEEN: &[u8] = b"-+ #'0123456789.*hlLqjzt$";
    let elements = &format.elements;
    let starts = (0..elements.len()).filter(|&at| elements[at] == u32::from(b'%'));
    starts.filter_map(|start| {
        let mut behind = elements[start + 1..].iter().map(|&element| u8::try_from(element).unwrap_or(b'?'));
        behind.find(|letter| !BETWEEN.contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_base::{Id, Span};

    #[test]
    fn formats_may_be_read_from_anywhere() {
        let letters = |text: &str| -> Vec<u8> {
            let elements = text.bytes().map(u32::from).chain([0]).collect();
            let ty = crate::ir::TypeId::from_index(0);
            conversions(&StringLiteral { elements, ty, span: Span::NONE }).collect()
        };
        assert_eq!(letters("a %-5.3ld, %s"), b"ds");
        assert_eq!(letters("%%n"), b"%n");
        assert_eq!(letters("100%"), b"\0");
        assert_eq!(letters(""), b"");
    }

    #[test]
    fn names_with_prefixes_and_suffixes() {
        assert!(is_numeric("sqrtf") && is_numeric("__isnanl") && is_numeric("floor") && !is_numeric("modf"));
        assert!(is_allocating("__builtin_alloca") && is_allocating("strdup") && !is_allocating("strcpy"));
    }
}
