//! `<wchar.h>`: strings of wide characters, 32 bits each.

use super::context::{Context, Reply};
use super::printf::{self, Source};
use super::{LibraryFunction, stdio};
use crate::domain::{Domain, Outcome};
use quod_model::ir::IntKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "wcslen" => |context| {
            let from = context.pointer(0)?;
            Ok(Reply::Int(wide(context, &from, usize::MAX)?.len() as i128))
        },
        "wcscpy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let text = wide(context, &from, usize::MAX)?;
            put(context, &to, &text, true)?;
            Ok(Reply::Value(to))
        },
        "wcsncpy" => |context| {
            let (to, from, limit) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            let mut text = wide(context, &from, limit as usize)?;
            text.resize(limit as usize, 0);
            put(context, &to, &text, false)?;
            Ok(Reply::Value(to))
        },
        "wcscat" | "wcsncat" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let limit = if context.name.ends_with("ncat") { context.size(2)? as usize } else { usize::MAX };
            let length = wide(context, &to, usize::MAX)?.len();
            let text = wide(context, &from, limit)?;
            let end = context.offset(&to, length as i64 * 4);
            put(context, &end, &text, true)?;
            Ok(Reply::Value(to))
        },
        "wcscmp" | "wcsncmp" => |context| {
            let (a, b) = (context.pointer(0)?, context.pointer(1)?);
            let limit = if context.name.ends_with("ncmp") { context.size(2)? as usize } else { usize::MAX };
            let (mut a, mut b) = (wide(context, &a, limit)?, wide(context, &b, limit)?);
            a.push(0);
            b.push(0);
            Ok(Reply::Int(a.cmp(&b) as i128))
        },
        "wcschr" => |context| {
            let (from, wanted) = (context.pointer(0)?, context.int(1)? as i32);
            let mut text = wide(context, &from, usize::MAX)?;
            text.push(0);
            Ok(Reply::Value(match text.iter().position(|&other| other == wanted) {
                Some(index) => context.offset(&from, index as i64 * 4),
                None => context.null(),
            }))
        },
        "wmemset" => |context| {
            let (to, value, count) = (context.pointer(0)?, context.int(1)? as i32, context.size(2)?);
            put(context, &to, &vec![value; count as usize], false)?;
            Ok(Reply::Value(to))
        },
        "wmemcpy" | "wmemmove" => |context| {
            let (to, from, count) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            context.machine.domain.copy(&mut context.state.memory, &to, &from, count.saturating_mul(4))?;
            Ok(Reply::Value(to))
        },
        "wprintf" => |context| {
            let text = formatted(context, 0, Source::Call(1))?;
            stdio::put(context, 1, &text)
        },
        "vwprintf" => |context| {
            let list = context.value(1)?;
            let text = formatted(context, 0, Source::List(list))?;
            stdio::put(context, 1, &text)
        },
        "fwprintf" => |context| {
            let stream = stdio::stream(context, 0)?;
            let text = formatted(context, 1, Source::Call(2))?;
            stdio::put(context, stream, &text)
        },
        "swprintf" | "_snwprintf" => |context| {
            let (to, limit) = (context.pointer(0)?, context.size(1)?);
            let text = formatted(context, 2, Source::Call(3))?;
            let wide: Vec<i32> = String::from_utf8_lossy(&text).chars().map(|c| c as i32).collect();
            if wide.len() as u64 >= limit {
                return Ok(Reply::Int(-1));
            }
            put(context, &to, &wide, true)?;
            Ok(Reply::Int(wide.len() as i128))
        },
        "putwchar" => |context| {
            let value = context.int(0)?;
            let text = char::from_u32(value as u32).unwrap_or('?').to_string();
            stdio::put(context, 1, text.as_bytes())?;
            Ok(Reply::Int(value))
        },
        "fgetws" => |context| {
            let (to, limit) = (context.pointer(0)?, context.int(1)?);
            let stream = stdio::stream(context, 2)?;
            let mut text = Vec::new();
            while (text.len() as i128) < limit - 1
                && let Some(byte) = stdio::get(context, stream)
            {
                text.push(i32::from(byte));
                if byte == b'\n' {
                    break;
                }
            }
            if text.is_empty() {
                let null = context.null();
                return Ok(Reply::Value(null));
            }
            put(context, &to, &text, true)?;
            Ok(Reply::Value(to))
        },
        "wcstol" | "wcstoul" | "_wtoi" | "wtoi" => |context| {
            let from = context.pointer(0)?;
            let text: Vec<u8> = wide(context, &from, usize::MAX)?.into_iter().map(|value| value as u8).collect();
            let base = if context.arguments.len() > 2 { context.int(2)? } else { 10 };
            Ok(Reply::Int(super::stdlib::integer(&text, base).0))
        },
        _ => return None,
    })
}

/// The text of a wide format, in UTF-8.
fn formatted<D: Domain>(
    context: &mut Context<'_, '_, D>,
    index: usize,
    source: Source<D::Value>,
) -> Outcome<D, Vec<u8>> {
    let from = context.pointer(index)?;
    let format: String = wide(context, &from, usize::MAX)?
        .into_iter()
        .map(|value| char::from_u32(value as u32).unwrap_or('?'))
        .collect();
    printf::format(context, format.as_bytes(), source)
}

fn wide<D: Domain>(context: &mut Context<'_, '_, D>, from: &D::Value, limit: usize) -> Outcome<D, Vec<i32>> {
    let mut text = Vec::new();
    while text.len() < limit {
        let slot = context.offset(from, text.len() as i64 * 4);
        match context.load_int(&slot, IntKind::Int)? as i32 {
            0 => break,
            value => text.push(value),
        }
    }
    Ok(text)
}

fn put<D: Domain>(context: &mut Context<'_, '_, D>, to: &D::Value, text: &[i32], terminates: bool) -> Outcome<D, ()> {
    let mut bytes: Vec<u8> = text.iter().flat_map(|value| value.to_le_bytes()).collect();
    if terminates {
        bytes.extend_from_slice(&[0; 4]);
    }
    context.write(to, &bytes)
}
