//! `<stdio.h>`: streams over the caller's `Io`; files are read whole and kept in memory until they are closed.

use super::context::{Context, Reply};
use super::printf::{self, Source};
use super::{Answered, LibraryFunction, errno, scanf};
use crate::domain::{Domain, ObjectKind, Outcome};
use quod_verdict::CheckKind;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    Input,
    Output,
    Error,
    File,
}

/// Whether a stream is used for bytes or for wide characters; the first use decides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Orientation {
    Byte,
    Wide,
}

#[derive(Clone, Debug)]
pub struct Stream {
    pub channel: Channel,
    pub orientation: Option<Orientation>,
    pub name: String,
    pub data: Vec<u8>,
    pub position: usize,
    pub pushed_back: Vec<u8>,
    pub can_read: bool,
    pub can_write: bool,
    pub appends: bool,
    pub at_end: bool,
    pub has_failed: bool,
    pub is_open: bool,
    pub is_changed: bool,
}

/// All streams of the program; a `FILE *` is an address that leads here.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    pub streams: Vec<Stream>,
    pub by_address: FxHashMap<u64, usize>,
    /// Files that the program wrote, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Files that the program removed; one that it did not write stays outside of the program.
    pub removed: BTreeSet<String>,
    pub input_ended: bool,
}

impl Stream {
    fn standard(channel: Channel) -> Self {
        Self {
            channel,
            orientation: None,
            name: String::new(),
            data: Vec::new(),
            position: 0,
            pushed_back: Vec::new(),
            can_read: channel == Channel::Input,
            can_write: channel != Channel::Input,
            appends: false,
            at_end: false,
            has_failed: false,
            is_open: true,
            is_changed: false,
        }
    }
}

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "printf" | "printf_unlocked" | "__printf_chk" => |context| {
            let at = usize::from(context.name.contains("_chk"));
            let text = formatted(context, at, Source::Call(at + 1))?;
            put(context, 1, &text)
        },
        "vprintf" => |context| {
            let list = context.value(1)?;
            let text = formatted(context, 0, Source::List(list))?;
            put(context, 1, &text)
        },
        "fprintf" | "fprintf_unlocked" | "__fprintf_chk" => |context| {
            let stream = stream(context, 0)?;
            let at = 1 + usize::from(context.name.contains("_chk"));
            let text = formatted(context, at, Source::Call(at + 1))?;
            put(context, stream, &text)
        },
        "vfprintf" => |context| {
            let stream = stream(context, 0)?;
            let list = context.value(2)?;
            let text = formatted(context, 1, Source::List(list))?;
            put(context, stream, &text)
        },
        "dprintf" => |context| {
            let descriptor = context.int(0)?.clamp(0, 2) as usize;
            let text = formatted(context, 1, Source::Call(2))?;
            put(context, descriptor, &text)
        },
        "sprintf" => |context| {
            let text = formatted(context, 1, Source::Call(2))?;
            put_string(context, &text, u64::MAX)
        },
        "vsprintf" => |context| {
            let list = context.value(2)?;
            let text = formatted(context, 1, Source::List(list))?;
            put_string(context, &text, u64::MAX)
        },
        "snprintf" => |context| {
            let limit = context.size(1)?;
            let text = formatted(context, 2, Source::Call(3))?;
            put_string(context, &text, limit)
        },
        "vsnprintf" => |context| {
            let limit = context.size(1)?;
            let list = context.value(3)?;
            let text = formatted(context, 2, Source::List(list))?;
            put_string(context, &text, limit)
        },
        // The fortified ones: sizes and flags stand before the format.
        "sprintf_chk" => |context| {
            let text = formatted(context, 3, Source::Call(4))?;
            put_string(context, &text, u64::MAX)
        },
        "snprintf_chk" => |context| {
            let limit = context.size(1)?;
            let text = formatted(context, 4, Source::Call(5))?;
            put_string(context, &text, limit)
        },
        "asprintf" => |context| {
            let text = formatted(context, 1, Source::Call(2))?;
            allocate_string(context, text)
        },
        "vasprintf" => |context| {
            let list = context.value(2)?;
            let text = formatted(context, 1, Source::List(list))?;
            allocate_string(context, text)
        },
        "puts" | "puts_unlocked" => |context| {
            let mut text = context.string(0)?;
            text.push(b'\n');
            put(context, 1, &text)
        },
        "fputs" | "fputs_unlocked" => |context| {
            let text = context.string(0)?;
            let stream = stream(context, 1)?;
            match put(context, stream, &text)? {
                Reply::Int(-1) => Ok(Reply::Int(-1)),
                _ => Ok(Reply::Int(1)),
            }
        },
        "putchar" | "putchar_unlocked" => |context| {
            let byte = context.int(0)? as u8;
            put(context, 1, &[byte])?;
            Ok(Reply::Int(byte.into()))
        },
        "fputc" | "putc" | "fputc_unlocked" | "putc_unlocked" | "_IO_putc" => |context| {
            let byte = context.int(0)? as u8;
            let stream = stream(context, 1)?;
            put(context, stream, &[byte])?;
            Ok(Reply::Int(byte.into()))
        },
        "fwrite" | "fwrite_unlocked" => fwrite,
        "fread" | "fread_unlocked" => fread,
        "getchar" | "getchar_unlocked" => |context| Ok(Reply::Int(get(context, 0).map_or(-1, i128::from))),
        "fgetc" | "getc" | "fgetc_unlocked" | "getc_unlocked" | "_IO_getc" => |context| {
            let stream = stream(context, 0)?;
            Ok(Reply::Int(get(context, stream).map_or(-1, i128::from)))
        },
        "ungetc" => |context| {
            let byte = context.int(0)?;
            let stream = stream(context, 1)?;
            if byte < 0 {
                return Ok(Reply::Int(-1));
            }
            let stream = &mut context.state.world.streams.streams[stream];
            stream.pushed_back.push(byte as u8);
            stream.at_end = false;
            Ok(Reply::Int(byte & 0xff))
        },
        "fgets" | "fgets_unlocked" => fgets,
        "gets" => gets,
        "getline" | "__getline" => |context| getline(context, b'\n', 2),
        "getdelim" | "__getdelim" => |context| {
            let delimiter = context.int(2)? as u8;
            getline(context, delimiter, 3)
        },
        "scanf" | "__isoc99_scanf" => |context| scanf::from_stream(context, 0, 0, Source::Call(1)),
        "fscanf" | "__isoc99_fscanf" => |context| {
            let stream = stream(context, 0)?;
            scanf::from_stream(context, stream, 1, Source::Call(2))
        },
        "sscanf" | "__isoc99_sscanf" => |context| scanf::from_string(context, 0, 1, Source::Call(2)),
        "vscanf" => |context| {
            let list = context.value(1)?;
            scanf::from_stream(context, 0, 0, Source::List(list))
        },
        "vfscanf" => |context| {
            let list = context.value(2)?;
            let stream = stream(context, 0)?;
            scanf::from_stream(context, stream, 1, Source::List(list))
        },
        "vsscanf" => |context| {
            let list = context.value(2)?;
            scanf::from_string(context, 0, 1, Source::List(list))
        },
        "fopen" | "fopen64" => fopen,
        "freopen" | "fdopen" | "popen" => |context| {
            let null = context.null();
            Ok(Reply::Value(null))
        },
        "tmpfile" => |context| open(context, "", "w+"),
        "fclose" | "pclose" => fclose,
        "fflush" | "fflush_unlocked" => |_| Ok(Reply::Int(0)),
        "setvbuf" => |_| Ok(Reply::Int(0)),
        "setbuf" | "setbuffer" | "setlinebuf" | "flockfile" | "funlockfile" => |_| Ok(Reply::Nothing),
        "feof" | "feof_unlocked" => |context| {
            let stream = stream(context, 0)?;
            Ok(Reply::Int(context.state.world.streams.streams[stream].at_end.into()))
        },
        "ferror" | "ferror_unlocked" => |context| {
            let stream = stream(context, 0)?;
            Ok(Reply::Int(context.state.world.streams.streams[stream].has_failed.into()))
        },
        "clearerr" => |context| {
            let stream = stream(context, 0)?;
            let stream = &mut context.state.world.streams.streams[stream];
            (stream.at_end, stream.has_failed) = (false, false);
            Ok(Reply::Nothing)
        },
        "fileno" | "fileno_unlocked" => |context| Ok(Reply::Int(stream(context, 0)? as i128)),
        "fseek" | "fseeko" => fseek,
        "ftell" | "ftello" => |context| {
            let stream = stream(context, 0)?;
            Ok(Reply::Int(context.state.world.streams.streams[stream].position as i128))
        },
        "rewind" => |context| {
            let stream = stream(context, 0)?;
            let stream = &mut context.state.world.streams.streams[stream];
            (stream.position, stream.at_end) = (0, false);
            Ok(Reply::Nothing)
        },
        "remove" | "unlink" => |context| {
            let name = String::from_utf8_lossy(&context.string(0)?).into_owned();
            match take_file(context, &name)? {
                Some(_) => Ok(Reply::Int(0)),
                None => Ok(Reply::Int(-1)),
            }
        },
        "rename" => |context| {
            let from = String::from_utf8_lossy(&context.string(0)?).into_owned();
            let to = String::from_utf8_lossy(&context.string(1)?).into_owned();
            let Some(data) = take_file(context, &from)? else { return Ok(Reply::Int(-1)) };
            keep_file(context, to, data);
            Ok(Reply::Int(0))
        },
        _ => return None,
    })
}

fn formatted<D: Domain>(
    context: &mut Context<'_, '_, D>,
    format: usize,
    source: Source<D::Value>,
) -> Outcome<D, Vec<u8>> {
    let format = context.string(format)?;
    printf::format(context, &format, source)
}

/// The standard streams exist when the first of them is used.
pub(super) fn standard<D: Domain>(context: &mut Context<'_, '_, D>) {
    let streams = &mut context.state.world.streams.streams;
    if streams.is_empty() {
        streams.extend([Channel::Input, Channel::Output, Channel::Error].map(Stream::standard));
    }
}

/// Makes `stdin`, `stdout` and `stderr` point to streams.
pub(super) fn make_standard<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, ()> {
    standard(context);
    let program = context.machine.program;
    for (index, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        let global = program
            .globals
            .iter_enumerated()
            .find(|(_, global)| global.name.as_str() == name && global.storage == quod_model::ir::Storage::External);
        let Some((id, _)) = global else { continue };
        let file = context.allocate(1, ObjectKind::Library, true, name)?;
        let address = context.address(&file)?;
        context.state.world.streams.by_address.insert(address, index);
        let variable = context.machine.statics.globals[quod_base::Id::index(id)].clone();
        context.store_pointer(&variable, &file)?;
    }
    Ok(())
}

/// Gives the stream an orientation if it has none: whether it has this one now.
pub(super) fn orient<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize, wanted: Orientation) -> bool {
    standard(context);
    *context.state.world.streams.streams[stream].orientation.get_or_insert(wanted) == wanted
}

pub(super) fn stream<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, usize> {
    standard(context);
    let pointer = context.pointer(index)?;
    let address = context.address(&pointer)?;
    match context.state.world.streams.by_address.get(&address) {
        Some(&stream) if context.state.world.streams.streams[stream].is_open => Ok(stream),
        Some(_) => context.fault(CheckKind::Library, "a stream is used after it was closed"),
        None => context.fault(CheckKind::Library, "this is no stream"),
    }
}

/// Bytes to a stream that is not one for wide characters.
pub(super) fn put<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize, bytes: &[u8]) -> Answered<D> {
    if !orient(context, stream, Orientation::Byte) {
        return Ok(Reply::Int(-1));
    }
    put_bytes(context, stream, bytes)
}

pub(super) fn put_bytes<D: Domain>(context: &mut Context<'_, '_, D>, stream: usize, bytes: &[u8]) -> Answered<D> {
    standard(context);
    let target = &mut context.state.world.streams.streams[stream];
    match target.channel {
        Channel::Output => context.machine.io.write_output(bytes),
        Channel::Error => context.machine.io.write_error(bytes),
        Channel::Input => {
            target.has_failed = true;
            return Ok(Reply::Int(-1));
        }
        Channel::File => {
            if !target.can_write {
                target.has_failed = true;
                return Ok(Reply::Int(-1));
            }
            if target.appends {
                target.position = target.data.len();
            }
            let end = target.position + bytes.len();
            if target.data.len() < end {
                target.data.resize(end, 0);
            }
            target.data[target.position..end].copy_from_slice(bytes);
            target.position = end;
            target.is_changed = true;
        }
    }
    Ok(Reply::Int(bytes.len() as i128))
}

fn put_string<D: Domain>(context: &mut Context<'_, '_, D>, text: &[u8], limit: u64) -> Answered<D> {
    if limit > 0 {
        let target = context.pointer(0)?;
        let kept = text.len().min(usize::try_from(limit - 1).unwrap_or(usize::MAX));
        let mut bytes = text[..kept].to_vec();
        bytes.push(0);
        context.write(&target, &bytes)?;
    }
    Ok(Reply::Int(text.len() as i128))
}

fn allocate_string<D: Domain>(context: &mut Context<'_, '_, D>, mut text: Vec<u8>) -> Answered<D> {
    let target = context.pointer(0)?;
    text.push(0);
    let memory = context.allocate(text.len() as u64, ObjectKind::Heap, false, "")?;
    context.write(&memory, &text)?;
    context.store_pointer(&target, &memory)?;
    Ok(Reply::Int(text.len() as i128 - 1))
}

/// The next byte of a stream that is not one for wide characters.
pub(super) fn get<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Option<u8> {
    if !orient(context, index, Orientation::Byte) {
        return None;
    }
    get_byte(context, index)
}

pub(super) fn get_byte<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Option<u8> {
    standard(context);
    let stream = &mut context.state.world.streams.streams[index];
    if let Some(byte) = stream.pushed_back.pop() {
        return Some(byte);
    }
    if stream.channel == Channel::Input && stream.position >= stream.data.len() {
        stream.data = context.machine.io.read_input(1 << 16);
        stream.position = 0;
    }
    let stream = &mut context.state.world.streams.streams[index];
    if !stream.can_read {
        stream.has_failed = true;
        return None;
    }
    match stream.data.get(stream.position) {
        Some(&byte) => {
            stream.position += 1;
            Some(byte)
        }
        None => {
            stream.at_end = true;
            None
        }
    }
}

fn fwrite<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (size, count) = (context.size(1)?, context.size(2)?);
    let stream = stream(context, 3)?;
    if size == 0 || count == 0 {
        return Ok(Reply::Int(0));
    }
    let pointer = context.pointer(0)?;
    let bytes = context.read(&pointer, size.saturating_mul(count))?;
    match put(context, stream, &bytes)? {
        Reply::Int(-1) => Ok(Reply::Int(0)),
        _ => Ok(Reply::Int(count.into())),
    }
}

fn fread<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (size, count) = (context.size(1)?, context.size(2)?);
    let stream = stream(context, 3)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < size.saturating_mul(count) {
        match get(context, stream) {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    if !bytes.is_empty() {
        let pointer = context.pointer(0)?;
        context.write(&pointer, &bytes)?;
    }
    Ok(Reply::Int((bytes.len() as u64).checked_div(size).unwrap_or(0).into()))
}

fn fgets<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let target = context.pointer(0)?;
    let limit = context.int(1)?;
    let stream = stream(context, 2)?;
    let mut bytes = Vec::new();
    while (bytes.len() as i128) < limit - 1 {
        match get(context, stream) {
            Some(byte) => {
                bytes.push(byte);
                if byte == b'\n' {
                    break;
                }
            }
            None => break,
        }
    }
    if bytes.is_empty() {
        let null = context.null();
        return Ok(Reply::Value(null));
    }
    bytes.push(0);
    context.write(&target, &bytes)?;
    Ok(Reply::Value(target))
}

fn gets<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let target = context.pointer(0)?;
    let mut bytes = Vec::new();
    let mut ended = true;
    while let Some(byte) = get(context, 0) {
        ended = false;
        if byte == b'\n' {
            break;
        }
        bytes.push(byte);
    }
    if ended {
        let null = context.null();
        return Ok(Reply::Value(null));
    }
    bytes.push(0);
    context.write(&target, &bytes)?;
    Ok(Reply::Value(target))
}

fn getline<D: Domain>(context: &mut Context<'_, '_, D>, delimiter: u8, stream_index: usize) -> Answered<D> {
    let line_pointer = context.pointer(0)?;
    let size_pointer = context.pointer(1)?;
    let stream = stream(context, stream_index)?;
    let mut bytes = Vec::new();
    while let Some(byte) = get(context, stream) {
        bytes.push(byte);
        if byte == delimiter {
            break;
        }
    }
    if bytes.is_empty() {
        return Ok(Reply::Int(-1));
    }
    let length = bytes.len();
    bytes.push(0);
    let kind = context.model().size_kind();
    let old = context.load_pointer(&line_pointer)?;
    let capacity = context.load_int(&size_pointer, kind)?;
    let target = if context.is_null(&old) || capacity < bytes.len() as i128 {
        let size = (bytes.len() as u64).max(120);
        let memory = context.allocate(size, ObjectKind::Heap, false, "")?;
        if !context.is_null(&old) {
            let span = context.span;
            context.machine.domain.release(&mut context.state.memory, &old, crate::domain::Ending::Freed, span)?;
        }
        context.store_pointer(&line_pointer, &memory)?;
        context.store_int(&size_pointer, kind, size.into())?;
        memory
    } else {
        old
    };
    context.write(&target, &bytes)?;
    Ok(Reply::Int(length as i128))
}

fn fopen<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let name = String::from_utf8_lossy(&context.string(0)?).into_owned();
    let mode = String::from_utf8_lossy(&context.string(1)?).into_owned();
    open(context, &name, &mode)
}

fn keep_file<D: Domain>(context: &mut Context<'_, '_, D>, name: String, data: Vec<u8>) {
    context.machine.io.write_file(&name, &data);
    context.state.world.streams.removed.remove(&name);
    context.state.world.streams.files.insert(name, data);
}

/// Removes a file: what it held.
fn take_file<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Outcome<D, Option<Vec<u8>>> {
    let data = contents(context, name);
    if data.is_none() {
        context.set_errno(errno::ENOENT)?;
        return Ok(None);
    }
    if context.state.world.streams.files.remove(name).is_some() {
        context.machine.io.remove_file(name);
    }
    context.state.world.streams.removed.insert(name.to_owned());
    Ok(data)
}

/// What a file holds, if there is one.
pub(super) fn contents<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Option<Vec<u8>> {
    match context.state.world.streams.files.get(name) {
        Some(data) => Some(data.clone()),
        None if name.is_empty() || context.state.world.streams.removed.contains(name) => None,
        None => context.machine.io.read_file(name),
    }
}

fn open<D: Domain>(context: &mut Context<'_, '_, D>, name: &str, mode: &str) -> Answered<D> {
    let Some(index) = open_stream(context, name, mode)? else {
        let null = context.null();
        return Ok(Reply::Value(null));
    };
    let file = context.allocate(1, ObjectKind::Library, true, "FILE")?;
    let address = context.address(&file)?;
    context.state.world.streams.by_address.insert(address, index);
    Ok(Reply::Value(file))
}

/// Makes a `FILE` stand for a stream of which nothing is known.
pub(super) fn register<D: Domain>(context: &mut Context<'_, '_, D>, file: &D::Value) -> Outcome<D, ()> {
    standard(context);
    let address = context.address(file)?;
    let streams = &mut context.state.world.streams;
    streams.streams.push(Stream::standard(Channel::Output));
    streams.by_address.insert(address, streams.streams.len() - 1);
    Ok(())
}

/// Opens a file in a mode of `fopen`: the index of its stream.
pub(super) fn open_stream<D: Domain>(
    context: &mut Context<'_, '_, D>,
    name: &str,
    mode: &str,
) -> Outcome<D, Option<usize>> {
    standard(context);
    let updates = mode.contains('+');
    let first = mode.bytes().next().unwrap_or(b'r');
    let existing = contents(context, name);
    let data = match (first, existing) {
        (b'r', None) => {
            context.set_errno(errno::ENOENT)?;
            return Ok(None);
        }
        (b'w', _) => Vec::new(),
        (_, existing) => existing.unwrap_or_default(),
    };
    let stream = Stream {
        channel: Channel::File,
        orientation: None,
        name: name.to_owned(),
        data,
        position: 0,
        pushed_back: Vec::new(),
        can_read: first == b'r' || updates,
        can_write: first != b'r' || updates,
        appends: first == b'a',
        at_end: false,
        has_failed: false,
        is_open: true,
        is_changed: first == b'w',
    };
    let streams = &mut context.state.world.streams.streams;
    streams.push(stream);
    Ok(Some(streams.len() - 1))
}

fn fclose<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let index = stream(context, 0)?;
    close(context, index)
}

pub(super) fn close<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Answered<D> {
    let stream = &mut context.state.world.streams.streams[index];
    stream.is_open = false;
    if stream.channel == Channel::File {
        let (name, data) = (stream.name.clone(), std::mem::take(&mut stream.data));
        if stream.is_changed && !name.is_empty() {
            keep_file(context, name, data);
        }
    }
    Ok(Reply::Int(0))
}

fn fseek<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let index = stream(context, 0)?;
    let (offset, origin) = (context.int(1)?, context.int(2)?);
    let stream = &mut context.state.world.streams.streams[index];
    let start = match origin {
        0 => 0,
        1 => stream.position as i128,
        _ => stream.data.len() as i128,
    };
    match usize::try_from(start + offset) {
        Ok(position) if stream.channel == Channel::File => {
            stream.position = position;
            stream.at_end = false;
            stream.pushed_back.clear();
            Ok(Reply::Int(0))
        }
        _ => Ok(Reply::Int(-1)),
    }
}
