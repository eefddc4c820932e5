//! Wide characters on streams, `swprintf` and its relatives. The locale is always "C": what is not ASCII leaves as `?`.

use super::context::{Context, Reply};
use super::printf::{self, Source};
use super::scanf::{self, Input};
use super::stdio::{self, Orientation};
use super::wchar::{narrow, put, wide};
use super::{Answered, LibraryFunction, errno};
use crate::domain::{Domain, Outcome};

const WEOF: i128 = 0xffff_ffff;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "wprintf" => |context| print(context, 1, 0, Source::Call(1)),
        "vwprintf" => |context| {
            let list = context.value(1)?;
            print(context, 1, 0, Source::List(list))
        },
        "fwprintf" => |context| {
            let stream = stdio::stream(context, 0)?;
            print(context, stream, 1, Source::Call(2))
        },
        "vfwprintf" => |context| {
            let stream = stdio::stream(context, 0)?;
            let list = context.value(2)?;
            print(context, stream, 1, Source::List(list))
        },
        "swprintf" => |context| print_string(context, Source::Call(3)),
        "vswprintf" => |context| {
            let list = context.value(3)?;
            print_string(context, Source::List(list))
        },
        "wscanf" => |context| scan_stream(context, 0, 0, Source::Call(1)),
        "vwscanf" => |context| {
            let list = context.value(1)?;
            scan_stream(context, 0, 0, Source::List(list))
        },
        "fwscanf" => |context| {
            let stream = stdio::stream(context, 0)?;
            scan_stream(context, stream, 1, Source::Call(2))
        },
        "vfwscanf" => |context| {
            let stream = stdio::stream(context, 0)?;
            let list = context.value(2)?;
            scan_stream(context, stream, 1, Source::List(list))
        },
        "swscanf" => |context| scan_string(context, Source::Call(2)),
        "vswscanf" => |context| {
            let list = context.value(2)?;
            scan_string(context, Source::List(list))
        },
        "fputws" | "fputws_unlocked" => |context| {
            let from = context.pointer(0)?;
            let stream = stdio::stream(context, 1)?;
            let text = wide(context, &from, usize::MAX)?;
            let was_written = write(context, stream, &text)?;
            Ok(Reply::Int(if was_written { 1 } else { -1 }))
        },
        "putwchar" | "putwchar_unlocked" => |context| put_one(context, 1),
        "fputwc" | "putwc" | "fputwc_unlocked" | "putwc_unlocked" => |context| {
            let stream = stdio::stream(context, 1)?;
            put_one(context, stream)
        },
        "getwchar" | "getwchar_unlocked" => |context| Ok(Reply::Int(next(context, 0)?.map_or(WEOF, i128::from))),
        "fgetwc" | "getwc" | "fgetwc_unlocked" | "getwc_unlocked" => |context| {
            let stream = stdio::stream(context, 0)?;
            Ok(Reply::Int(next(context, stream)?.map_or(WEOF, i128::from)))
        },
        "fgetws" | "fgetws_unlocked" => fgetws,
        "fwide" => |context| {
            let stream = stdio::stream(context, 0)?;
            let wanted = match context.int(1)? {
                0 => None,
                mode if mode < 0 => Some(Orientation::Byte),
                _ => Some(Orientation::Wide),
            };
            let stream = &mut context.state.world.streams.streams[stream];
            stream.orientation = stream.orientation.or(wanted);
            Ok(Reply::Int(match stream.orientation {
                None => 0,
                Some(Orientation::Byte) => -1,
                Some(Orientation::Wide) => 1,
            }))
        },
        _ => return None,
    })
}

/// The wide text that a wide format makes; nothing where a narrow argument has no meaning in the locale.
fn formatted<D: Domain>(
    context: &mut Context<'_, '_, D>,
    format: usize,
    source: Source<D::Value>,
) -> Outcome<D, Option<Vec<i32>>> {
    let format = context.pointer(format)?;
    let format = wide(context, &format, usize::MAX)?;
    let format: String = format.iter().map(|&value| char::from_u32(value as u32).unwrap_or('?')).collect();
    let text = printf::format_wide(context, format.as_bytes(), source)?;
    match String::from_utf8(text) {
        Ok(text) => Ok(Some(text.chars().map(|character| character as i32).collect())),
        Err(_) => {
            context.set_errno(errno::EILSEQ)?;
            Ok(None)
        }
    }
}

fn print<D: Domain>(
    context: &mut Context<'_, '_, D>,
    stream: usize,
    format: usize,
    source: Source<D::Value>,
) -> Answered<D> {
    if !stdio::orient(context, stream, Orientation::Wide) {
        return Ok(Reply::Int(-1));
    }
    match formatted(context, format, source)? {
        Some(text) if write(context, stream, &text)? => Ok(Reply::Int(text.len() as i128)),
        _ => Ok(Reply::Int(-1)),
    }
}

/// The wide string of an argument, which must be ASCII.
fn ascii<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, Vec<u8>> {
    let from = context.pointer(index)?;
    let text = wide(context, &from, usize::MAX)?;
    match narrow(&text) {
        Some(bytes) => Ok(bytes),
        None => context.unsupported("characters outside of ASCII"),
    }
}

fn scan_stream<D: Domain>(
    context: &mut Context<'_, '_, D>,
    stream: usize,
    format: usize,
    source: Source<D::Value>,
) -> Answered<D> {
    if !stdio::orient(context, stream, Orientation::Wide) {
        return Ok(Reply::Int(-1));
    }
    let format = ascii(context, format)?;
    scanf::scan(context, Input::Stream(stream), &format, source)
}

fn scan_string<D: Domain>(context: &mut Context<'_, '_, D>, source: Source<D::Value>) -> Answered<D> {
    let (text, format) = (ascii(context, 0)?, ascii(context, 1)?);
    scanf::scan(context, Input::Text(text, 0), &format, source)
}

/// `swprintf`: a text that does not fit is cut, and the result is negative.
fn print_string<D: Domain>(context: &mut Context<'_, '_, D>, source: Source<D::Value>) -> Answered<D> {
    let limit = usize::try_from(context.size(1)?).unwrap_or(usize::MAX);
    let Some(mut text) = formatted(context, 2, source)? else { return Ok(Reply::Int(-1)) };
    if limit == 0 {
        return Ok(Reply::Int(-1));
    }
    let fits = text.len() < limit;
    text.truncate(limit - 1);
    let target = context.pointer(0)?;
    put(context, &target, &text, true)?;
    Ok(Reply::Int(if fits { text.len() as i128 } else { -1 }))
}

fn write<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize, text: &[i32]) -> Outcome<D, bool> {
    if !stdio::orient(context, stream, Orientation::Wide) {
        return Ok(false);
    }
    let bytes: Vec<u8> = text.iter().map(|&value| if (0..128).contains(&value) { value as u8 } else { b'?' }).collect();
    Ok(!matches!(stdio::put_bytes(context, stream, &bytes)?, Reply::Int(-1)))
}

fn put_one<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize) -> Answered<D> {
    let value = context.int(0)?;
    let was_written = write(context, stream, &[value as i32])?;
    Ok(Reply::Int(if was_written { value } else { WEOF }))
}

/// The next character; a byte that is not ASCII is none in this locale.
fn next<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize) -> Outcome<D, Option<u8>> {
    if !stdio::orient(context, stream, Orientation::Wide) {
        return Ok(None);
    }
    match stdio::get_byte(context, stream) {
        Some(byte) if byte >= 128 => {
            context.state.world.streams.streams[stream].has_failed = true;
            context.set_errno(errno::EILSEQ)?;
            Ok(None)
        }
        other => Ok(other),
    }
}

fn fgetws<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let target = context.pointer(0)?;
    let limit = context.int(1)?;
    let stream = stdio::stream(context, 2)?;
    let mut text = Vec::new();
    while (text.len() as i128) < limit - 1 {
        let Some(byte) = next(context, stream)? else { break };
        text.push(i32::from(byte));
        if byte == b'\n' {
            break;
        }
    }
    if text.is_empty() && limit != 1 {
        let null = context.null();
        return Ok(Reply::Value(null));
    }
    put(context, &target, &text, true)?;
    Ok(Reply::Value(target))
}
