//! The C test of a violation.

use super::make::constant;
use crate::arguments::{DataModelName, ProgramArguments};
use quod_exec::machine::Observed;
use quod_exec::scalar::Scalar;
use quod_model::ir::Program;
use quod_verdict::CheckKind;
use quod_verify::Evidence;
use quod_witness::harness::{Harness, Outside, write};

/// What the program leaves to the outside, looked at before an engine changes it.
pub(crate) struct Open {
    functions: Vec<String>,
    has_error_function: bool,
    needs_assume: bool,
    /// `__VERIFIER_error` and its like.
    ends: Vec<String>,
}

/// Functions that the competition's programs end with, and leave to the outside.
const ENDS: &[&str] = &["__VERIFIER_error", "reach_error"];

impl Open {
    pub(crate) fn new(model: &Program, error_function: &str) -> Self {
        let missing = model.functions.iter().filter(|function| function.body.is_none());
        let names: Vec<String> = missing.map(|function| function.name.as_str().to_owned()).collect();
        let is_declared = model.functions.iter().any(|function| function.name.as_str() == error_function);
        Self {
            has_error_function: !is_declared || !names.iter().any(|name| name == error_function),
            ends: names.iter().filter(|name| ENDS.contains(&name.as_str())).cloned().collect(),
            needs_assume: names.iter().any(|name| name == "__VERIFIER_assume"),
            functions: names.into_iter().filter(|name| name.starts_with("__VERIFIER_nondet_")).collect(),
        }
    }
}

pub(crate) fn text(
    open: &Open,
    evidence: &Evidence,
    kind: CheckKind,
    what: &str,
    error_function: &str,
    program: &ProgramArguments,
) -> String {
    let outside: Vec<Outside> = open
        .functions
        .iter()
        .map(|name| {
            let given: Vec<&Observed> = evidence.observed.iter().filter(|it| it.function.as_str() == name).collect();
            let values = given.iter().map(|it| constant(it).unwrap_or_else(|| "0".into())).collect();
            let scalar = given.first().map(|observed| observed.scalar);
            Outside { name: name.clone(), ty: ty(name, scalar), values }
        })
        .collect();
    let files: Vec<String> = program.files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let options = options(kind, program);
    let is_call = kind == CheckKind::Unreachable;
    write(&Harness {
        what,
        program: &files.join(" "),
        error_function: is_call.then_some((error_function, open.has_error_function)),
        outside: &outside,
        needs_assume: open.needs_assume,
        ends: &open.ends.iter().filter(|name| !is_call || *name != error_function).cloned().collect::<Vec<_>>(),
        options: &options,
    })
}

/// What `gcc` needs to show such a violation.
fn options(kind: CheckKind, program: &ProgramArguments) -> String {
    let mut options = vec!["-g"];
    match kind {
        CheckKind::SignedOverflow => options.push("-fsanitize=signed-integer-overflow,shift -fno-sanitize-recover=all"),
        CheckKind::InvalidDeref | CheckKind::InvalidFree | CheckKind::OutOfBounds | CheckKind::NullArgument => {
            options.push("-fsanitize=address,undefined -fno-sanitize-recover=all");
        }
        CheckKind::MemoryLeak | CheckKind::LostMemory => options.push("-fsanitize=address"),
        CheckKind::DataRace => options.push("-fsanitize=thread -pthread"),
        CheckKind::DivisionByZero => options.push("-fsanitize=integer-divide-by-zero -fno-sanitize-recover=all"),
        _ => {}
    }
    if program.data_model == Some(DataModelName::Ilp32) {
        options.push("-m32");
    }
    options.join(" ")
}

/// The type that the function's name says, else the one of its values.
fn ty(name: &str, scalar: Option<Scalar>) -> String {
    let ty = match name.trim_start_matches("__VERIFIER_nondet_") {
        "bool" => "_Bool",
        "char" => "char",
        "uchar" | "unsigned_char" | "u8" => "unsigned char",
        "short" => "short",
        "ushort" | "u16" => "unsigned short",
        "int" => "int",
        "uint" | "unsigned" | "u32" | "unsigned_int" => "unsigned int",
        "long" => "long",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "size_t" => "size_t",
        "loff_t" => "long long",
        "sector_t" => "unsigned long",
        "float" => "float",
        "double" => "double",
        "int128" => "__int128",
        "uint128" => "unsigned __int128",
        "pointer" => "void *",
        "pchar" | "charp" => "char *",
        "const_char_pointer" => "const char *",
        _ => match scalar {
            Some(Scalar::F32) => "float",
            Some(Scalar::F64) => "double",
            Some(scalar) if scalar.is_pointer() => "void *",
            _ => "int",
        },
    };
    ty.to_owned()
}
