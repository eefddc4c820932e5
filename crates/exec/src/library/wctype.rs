//! `<wctype.h>`, in the C locale: only ASCII belongs to classes and has two cases.

use super::context::Reply;
use super::{LibraryFunction, ctype};
use crate::domain::Domain;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "iswalnum" | "iswalpha" | "iswblank" | "iswcntrl" | "iswdigit" | "iswgraph" | "iswlower" | "iswprint"
        | "iswpunct" | "iswspace" | "iswupper" | "iswxdigit" => |context| {
            let value = context.int(0)?;
            let class = ctype::class(&context.name.trim_start_matches("__builtin_").replacen("isw", "is", 1));
            let set = if (0..128).contains(&value) { ctype::mask(value as u8) & class } else { 0 };
            Ok(Reply::Int((set != 0).into()))
        },
        "towlower" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (65..=90).contains(&value) { value + 32 } else { value }))
        },
        "towupper" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (97..=122).contains(&value) { value - 32 } else { value }))
        },
        "btowc" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (0..128).contains(&value) { value } else { 0xffff_ffff }))
        },
        "wctob" => |context| {
            let value = context.int(0)?;
            Ok(Reply::Int(if (0..128).contains(&value) { value } else { -1 }))
        },
        _ => return None,
    })
}
