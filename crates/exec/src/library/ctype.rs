//! `<ctype.h>`, in the C locale.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind};
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "isalnum" | "isalpha" | "isblank" | "iscntrl" | "isdigit" | "isgraph" | "islower" | "isprint" | "ispunct"
        | "isspace" | "isupper" | "isxdigit" => classify,
        "isascii" => |context| Ok(Reply::Int(i128::from((0..128).contains(&context.int(0)?)))),
        "toascii" => |context| Ok(Reply::Int(context.int(0)? & 0x7f)),
        "tolower" | "_tolower" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (65..=90).contains(&value) { value + 32 } else { value }))
        },
        "toupper" | "_toupper" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (97..=122).contains(&value) { value - 32 } else { value }))
        },
        "__ctype_b_loc" => |context| table(context, "ctype", 2, |byte| i128::from(mask(byte))),
        "__ctype_tolower_loc" => |context| table(context, "tolower", 4, |byte| i128::from(byte.to_ascii_lowercase())),
        "__ctype_toupper_loc" => |context| table(context, "toupper", 4, |byte| i128::from(byte.to_ascii_uppercase())),
        _ => return None,
    })
}

/// glibc's bits.
pub(super) fn mask(byte: u8) -> u16 {
    let tests: [(bool, u16); 12] = [
        (byte.is_ascii_uppercase(), 256),
        (byte.is_ascii_lowercase(), 512),
        (byte.is_ascii_alphabetic(), 1024),
        (byte.is_ascii_digit(), 2048),
        (byte.is_ascii_hexdigit(), 4096),
        (is_space(byte), 8192),
        (byte == b' ' || byte.is_ascii_graphic(), 16384),
        (byte.is_ascii_graphic(), 32768),
        (byte == b' ' || byte == b'\t', 1),
        (byte.is_ascii_control(), 2),
        (byte.is_ascii_punctuation(), 4),
        (byte.is_ascii_alphanumeric(), 8),
    ];
    tests.iter().filter(|(holds, _)| *holds).map(|(_, bit)| bit).sum()
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

fn classify<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let value = context.int(0)?;
    if !(-1..=255).contains(&value) {
        return context.fault(CheckKind::Library, format!("{value} is no character"));
    }
    let bit = class(context.name.trim_start_matches("__builtin_"));
    let set = if value < 0 { 0 } else { mask(value as u8) & bit };
    Ok(Reply::Int(set.into()))
}

/// The bit of the class that a function tests.
pub(super) fn class(name: &str) -> u16 {
    match name {
        "isalnum" => 8,
        "isalpha" => 1024,
        "isblank" => 1,
        "iscntrl" => 2,
        "isdigit" => 2048,
        "isgraph" => 32768,
        "islower" => 512,
        "isprint" => 16384,
        "ispunct" => 4,
        "isspace" => 8192,
        "isupper" => 256,
        _ => 4096,
    }
}

/// The address of a pointer to the middle of a table for -128 to 255.
fn table<D: Domain>(
    context: &mut Context<'_, '_, D>,
    name: &'static str,
    width: u64,
    entry: fn(u8) -> i128,
) -> Answered<D> {
    if let Some(pointer) = context.state.world.objects.get(name) {
        return Ok(Reply::Value(pointer.clone()));
    }
    let array = context.allocate(384 * width, ObjectKind::Library, true, name)?;
    let kind = if width == 2 { IntKind::UShort } else { IntKind::Int };
    for index in 0..256u64 {
        let slot = context.offset(&array, ((index + 128) * width) as i64);
        context.store_int(&slot, kind, entry(index as u8))?;
    }
    let middle = context.offset(&array, (128 * width) as i64);
    let word = context.model().pointer_size();
    let pointer = context.allocate(word, ObjectKind::Library, true, name)?;
    context.store_pointer(&pointer, &middle)?;
    context.state.world.objects.insert(name, pointer.clone());
    Ok(Reply::Value(pointer))
}
