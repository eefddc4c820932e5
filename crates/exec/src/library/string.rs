//! `<string.h>` and `<strings.h>`.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction, ctype};
use crate::domain::{Domain, ObjectKind, Outcome};
use crate::fault::Fault;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "memcpy" => |context| copy(context, true),
        "memmove" => |context| copy(context, false),
        "bcopy" => |context| {
            let (from, to, size) = (context.value(0)?, context.value(1)?, context.size(2)?);
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Ok(Reply::Nothing)
        },
        "mempcpy" => |context| {
            copy(context, true)?;
            let (to, size) = (context.value(0)?, context.size(2)?);
            Ok(Reply::Value(context.offset(&to, size as i64)))
        },
        "memset" | "explicit_bzero" | "bzero" => memset,
        "memcmp" | "bcmp" => memcmp,
        "memchr" | "memrchr" | "rawmemchr" => memchr,
        "strlen" => |context| Ok(Reply::Int(context.string(0)?.len() as i128)),
        "strnlen" => |context| {
            let pointer = context.pointer(0)?;
            let limit = context.size(1)?;
            let text = bounded(context, &pointer, limit)?;
            Ok(Reply::Int(text.len() as i128))
        },
        "strcpy" | "stpcpy" => |context| {
            let (to, mut text) = (context.pointer(0)?, context.string(1)?);
            check_overlap(context, text.len() as u64 + 1)?;
            let length = text.len();
            text.push(0);
            context.write(&to, &text)?;
            let is_end = context.name.ends_with("stpcpy");
            Ok(Reply::Value(if is_end { context.offset(&to, length as i64) } else { to }))
        },
        "strncpy" | "stpncpy" => |context| {
            let (to, from, limit) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            let text = bounded(context, &from, limit)?;
            context.write(&to, &text)?;
            let rest = context.offset(&to, text.len() as i64);
            context.machine.domain.fill(&mut context.state.memory, &rest, 0, limit - text.len() as u64)?;
            let is_end = context.name.ends_with("stpncpy");
            Ok(Reply::Value(if is_end { rest } else { to }))
        },
        "strlcpy" => |context| {
            let (to, text, limit) = (context.pointer(0)?, context.string(1)?, context.size(2)?);
            if limit > 0 {
                let mut kept = text[..text.len().min(limit as usize - 1)].to_vec();
                kept.push(0);
                context.write(&to, &kept)?;
            }
            Ok(Reply::Int(text.len() as i128))
        },
        "strcat" | "strncat" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let old = context.read_string(&to)?;
            let limit = if context.name.ends_with("strncat") { context.size(2)? } else { u64::MAX };
            let mut text = bounded(context, &from, limit)?;
            text.push(0);
            let end = context.offset(&to, old.len() as i64);
            context.write(&end, &text)?;
            Ok(Reply::Value(to))
        },
        "strcmp" | "strcoll" => |context| {
            let (a, b) = (context.string(0)?, context.string(1)?);
            Ok(Reply::Int(compare(&a, &b)))
        },
        "strncmp" => |context| {
            let (a, b, limit) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            let (a, b) = (bounded(context, &a, limit)?, bounded(context, &b, limit)?);
            Ok(Reply::Int(compare(&a, &b)))
        },
        "strcasecmp" => |context| {
            let (a, b) = (context.string(0)?, context.string(1)?);
            Ok(Reply::Int(compare(&a.to_ascii_lowercase(), &b.to_ascii_lowercase())))
        },
        "strncasecmp" => |context| {
            let (a, b, limit) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            let (a, b) = (bounded(context, &a, limit)?, bounded(context, &b, limit)?);
            Ok(Reply::Int(compare(&a.to_ascii_lowercase(), &b.to_ascii_lowercase())))
        },
        "strchr" | "index" | "strchrnul" => |context| {
            let (text, byte) = (context.string(0)?, context.int(1)? as u8);
            let found = text.iter().chain(&[0]).position(|&other| other == byte);
            let found = if context.name.ends_with("strchrnul") { found.or(Some(text.len())) } else { found };
            position(context, found)
        },
        "strrchr" | "rindex" => |context| {
            let (mut text, byte) = (context.string(0)?, context.int(1)? as u8);
            text.push(0);
            position(context, text.iter().rposition(|&other| other == byte))
        },
        "strstr" | "strcasestr" => |context| {
            let (mut text, mut part) = (context.string(0)?, context.string(1)?);
            if context.name.ends_with("strcasestr") {
                text.make_ascii_lowercase();
                part.make_ascii_lowercase();
            }
            let found =
                if part.is_empty() { Some(0) } else { text.windows(part.len()).position(|window| window == part) };
            position(context, found)
        },
        "strspn" | "strcspn" => |context| {
            let (text, set) = (context.string(0)?, context.string(1)?);
            let wanted = !context.name.ends_with("strcspn");
            Ok(Reply::Int(text.iter().take_while(|byte| set.contains(byte) == wanted).count() as i128))
        },
        "strpbrk" => |context| {
            let (text, set) = (context.string(0)?, context.string(1)?);
            position(context, text.iter().position(|byte| set.contains(byte)))
        },
        "strtok" => |context| {
            let first = context.value(0)?;
            let start = if context.is_null(&first) { context.state.world.strtok.clone() } else { Some(first) };
            let (token, rest) = token(context, start)?;
            context.state.world.strtok = rest;
            Ok(Reply::Value(token))
        },
        "strtok_r" => |context| {
            let (first, slot) = (context.value(0)?, context.pointer(2)?);
            let start = if context.is_null(&first) { context.load_pointer(&slot)? } else { first };
            let start = (!context.is_null(&start)).then_some(start);
            let (token, rest) = token(context, start)?;
            let rest = match rest {
                Some(rest) => rest,
                None => context.null(),
            };
            context.store_pointer(&slot, &rest)?;
            Ok(Reply::Value(token))
        },
        "strsep" => strsep,
        "strdup" | "__strdup" => |context| {
            let mut text = context.string(0)?;
            text.push(0);
            duplicate(context, &text)
        },
        "strndup" | "__strndup" => |context| {
            let (from, limit) = (context.pointer(0)?, context.size(1)?);
            let mut text = bounded(context, &from, limit)?;
            text.push(0);
            duplicate(context, &text)
        },
        "strxfrm" => |context| {
            let (text, limit) = (context.string(1)?, context.size(2)?);
            if limit > 0 {
                let to = context.pointer(0)?;
                let mut kept = text[..text.len().min(limit as usize - 1)].to_vec();
                kept.push(0);
                context.write(&to, &kept)?;
            }
            Ok(Reply::Int(text.len() as i128))
        },
        "ffs" | "ffsl" | "ffsll" => |context| {
            let value = context.int(0)? as u128 as u64;
            Ok(Reply::Int(if value == 0 { 0 } else { i128::from(value.trailing_zeros()) + 1 }))
        },
        "memmem" => |context| {
            let (a, n) = (context.pointer(0)?, context.size(1)?);
            let (b, m) = (context.pointer(2)?, context.size(3)?);
            let (text, part) = (context.read(&a, n)?, context.read(&b, m)?);
            let found =
                if part.is_empty() { Some(0) } else { text.windows(part.len()).position(|window| window == part) };
            position(context, found)
        },
        _ => return None,
    })
}

/// At most `limit` bytes of a string.
fn bounded<D: Domain>(context: &mut Context<'_, '_, D>, from: &D::Value, limit: u64) -> Outcome<D, Vec<u8>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    context.machine.domain.read_string(&mut context.state.memory, from, limit)
}

fn compare(a: &[u8], b: &[u8]) -> i128 {
    for index in 0..a.len().max(b.len()) {
        let (x, y) = (a.get(index).copied().unwrap_or(0), b.get(index).copied().unwrap_or(0));
        if x != y {
            return if x < y { -1 } else { 1 };
        }
    }
    0
}

/// A pointer into the first argument, or null.
fn position<D: Domain>(context: &mut Context<'_, '_, D>, found: Option<usize>) -> Answered<D> {
    Ok(Reply::Value(match found {
        Some(index) => {
            let start = context.value(0)?;
            context.offset(&start, index as i64)
        }
        None => context.null(),
    }))
}

fn check_overlap<D: Domain>(context: &mut Context<'_, '_, D>, size: u64) -> Outcome<D, ()> {
    if !context.machine.settings.checks.contains(CheckKind::Overlap) {
        return Ok(());
    }
    let (to, from) = (context.value(0)?, context.value(1)?);
    let (a, b) = (context.address(&to)?, context.address(&from)?);
    if a != b && a.abs_diff(b) < size {
        return Err(Fault::new(CheckKind::Overlap, format!("operands of `{}` overlap", context.name))
            .label(format!("{size} bytes are copied between places that are {} bytes apart", a.abs_diff(b)))
            .help("use `memmove`")
            .into());
    }
    Ok(())
}

fn copy<D: Domain>(context: &mut Context<'_, '_, D>, is_disjoint: bool) -> Answered<D> {
    let size = context.size(2)?;
    if size == 0 {
        return Ok(Reply::Value(context.value(0)?));
    }
    let (to, from) = (context.pointer(0)?, context.pointer(1)?);
    if is_disjoint {
        check_overlap(context, size)?;
    }
    context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
    Ok(Reply::Value(to))
}

fn memset<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let is_zero = context.name.ends_with("bzero");
    let (byte, size) = if is_zero { (0, context.size(1)?) } else { (context.int(1)? as u8, context.size(2)?) };
    if size == 0 {
        return Ok(Reply::Value(context.value(0)?));
    }
    let to = context.pointer(0)?;
    context.machine.domain.fill(&mut context.state.memory, &to, byte, size)?;
    Ok(Reply::Value(to))
}

fn memcmp<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let size = context.size(2)?;
    if size == 0 {
        return Ok(Reply::Int(0));
    }
    let (a, b) = (context.pointer(0)?, context.pointer(1)?);
    let (a, b) = (context.read(&a, size)?, context.read(&b, size)?);
    Ok(Reply::Int(match a.cmp(&b) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }))
}

fn memchr<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let start = context.value(0)?;
    let byte = context.int(1)? as u8;
    let extent = context.machine.domain.extent(&context.state.memory, &start).unwrap_or(0);
    let size = if context.name.ends_with("rawmemchr") { extent } else { context.size(2)? };
    if size == 0 {
        return position(context, None);
    }
    // C lets the size be too large where the byte comes before the object's end.
    let bytes = context.read(&start, size.min(extent).max(1))?;
    let found = if context.name.ends_with("memrchr") {
        bytes.iter().rposition(|&other| other == byte)
    } else {
        bytes.iter().position(|&other| other == byte)
    };
    if found.is_none() && size > extent {
        context.read(&start, size)?;
    }
    position(context, found)
}

/// The next token from `start`, and where the search goes on.
fn token<D: Domain>(
    context: &mut Context<'_, '_, D>,
    start: Option<D::Value>,
) -> Outcome<D, (D::Value, Option<D::Value>)> {
    let Some(start) = start else { return Ok((context.null(), None)) };
    let text = context.read_string(&start)?;
    let separators = context.string(1)?;
    let skipped = text.iter().take_while(|byte| separators.contains(byte)).count();
    if skipped == text.len() {
        return Ok((context.null(), None));
    }
    let length = text[skipped..].iter().take_while(|byte| !separators.contains(byte)).count();
    let end = skipped + length;
    let rest = if end < text.len() {
        let place = context.offset(&start, end as i64);
        context.write(&place, &[0])?;
        context.offset(&start, end as i64 + 1)
    } else {
        context.offset(&start, end as i64)
    };
    Ok((context.offset(&start, skipped as i64), Some(rest)))
}

fn strsep<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let slot = context.pointer(0)?;
    let start = context.load_pointer(&slot)?;
    if context.is_null(&start) {
        return Ok(Reply::Value(start));
    }
    let text = context.read_string(&start)?;
    let separators = context.string(1)?;
    let rest = match text.iter().position(|byte| separators.contains(byte)) {
        Some(end) => {
            let place = context.offset(&start, end as i64);
            context.write(&place, &[0])?;
            context.offset(&start, end as i64 + 1)
        }
        None => context.null(),
    };
    context.store_pointer(&slot, &rest)?;
    Ok(Reply::Value(start))
}

fn duplicate<D: Domain>(context: &mut Context<'_, '_, D>, bytes: &[u8]) -> Answered<D> {
    let memory = context.allocate(bytes.len() as u64, ObjectKind::Heap, false, "")?;
    context.write(&memory, bytes)?;
    Ok(Reply::Value(memory))
}

/// White space at the start of a number.
pub(super) fn skip_space(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| ctype::is_space(byte)).count()
}
