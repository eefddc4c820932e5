//! `<fcntl.h>`, `<unistd.h>` on files, names of temporary files. A descriptor is the index of a stream; programs that the
//! program wants to start are not found.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction, errno, stdio};
use crate::domain::{Domain, ObjectKind, Outcome};

const CREATE: i128 = 0o100;
const EXCLUSIVE: i128 = 0o200;
const TRUNCATE: i128 = 0o1000;
const APPEND: i128 = 0o2000;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "open" | "open64" => |context| {
            let name = file_name(context, 0)?;
            let flags = context.int(1)?;
            open(context, &name, flags)
        },
        "creat" | "creat64" => |context| {
            let name = file_name(context, 0)?;
            open(context, &name, 1 | CREATE | TRUNCATE)
        },
        "close" => |context| match descriptor(context)? {
            Some(index) => stdio::close(context, index),
            None => Ok(Reply::Int(-1)),
        },
        "write" => write,
        "read" => read,
        "access" => |context| {
            let name = file_name(context, 0)?;
            if stdio::contents(context, &name).is_some() {
                return Ok(Reply::Int(0));
            }
            fail(context, errno::ENOENT)
        },
        "stat" | "lstat" | "stat64" | "lstat64" => |context| {
            let name = file_name(context, 0)?;
            if stdio::contents(context, &name).is_some() {
                return context.unsupported("the properties of a file");
            }
            fail(context, errno::ENOENT)
        },
        "execl" | "execlp" | "execle" | "execv" | "execvp" | "execve" | "execvpe" => {
            |context| fail(context, errno::ENOENT)
        }
        "mktemp" => |context| {
            let template = context.pointer(0)?;
            temporary(context, &template)?;
            Ok(Reply::Value(template))
        },
        "mkstemp" | "mkstemp64" => |context| {
            let template = context.pointer(0)?;
            match temporary(context, &template)? {
                Some(name) => open(context, &name, 2 | CREATE | EXCLUSIVE),
                None => Ok(Reply::Int(-1)),
            }
        },
        "tmpnam" | "tmpnam_r" => |context| {
            let mut target = context.value(0)?;
            if context.is_null(&target) {
                if context.name == "tmpnam_r" {
                    return Ok(Reply::Value(target));
                }
                target = match context.state.world.objects.get("tmpnam") {
                    Some(buffer) => buffer.clone(),
                    None => {
                        let buffer = context.allocate(20, ObjectKind::Library, true, "tmpnam")?;
                        context.state.world.objects.insert("tmpnam", buffer.clone());
                        buffer
                    }
                };
            }
            context.write(&target, b"/tmp/fileXXXXXX\0")?;
            temporary(context, &target)?;
            Ok(Reply::Value(target))
        },
        _ => return None,
    })
}

fn fail<D: Domain>(context: &mut Context<'_, '_, D>, number: i128) -> Answered<D> {
    context.set_errno(number)?;
    Ok(Reply::Int(-1))
}

fn file_name<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, String> {
    Ok(String::from_utf8_lossy(&context.string(index)?).into_owned())
}

/// The open stream of the first argument.
fn descriptor<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Option<usize>> {
    stdio::standard(context);
    let number = usize::try_from(context.int(0)?).unwrap_or(usize::MAX);
    let streams = &context.state.world.streams.streams;
    if streams.get(number).is_some_and(|stream| stream.is_open) {
        return Ok(Some(number));
    }
    context.set_errno(errno::EBADF)?;
    Ok(None)
}

fn open<D: Domain>(context: &mut Context<'_, '_, D>, name: &str, flags: i128) -> Answered<D> {
    let exists = stdio::contents(context, name).is_some();
    if exists && flags & CREATE != 0 && flags & EXCLUSIVE != 0 {
        return fail(context, errno::EEXIST);
    }
    if !exists && flags & CREATE == 0 {
        return fail(context, errno::ENOENT);
    }
    let mode = match flags {
        _ if flags & APPEND != 0 => "a+",
        _ if !exists || flags & TRUNCATE != 0 => "w+",
        _ => "r+",
    };
    match stdio::open_stream(context, name, mode)? {
        Some(index) => {
            let stream = &mut context.state.world.streams.streams[index];
            stream.can_read = flags & 3 != 1;
            stream.can_write = flags & 3 != 0;
            Ok(Reply::Int(index as i128))
        }
        None => Ok(Reply::Int(-1)),
    }
}

fn write<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let size = context.size(2)?;
    let Some(index) = descriptor(context)? else { return Ok(Reply::Int(-1)) };
    if !context.state.world.streams.streams[index].can_write {
        return fail(context, errno::EBADF);
    }
    let from = context.value(1)?;
    let bytes = context.read(&from, size)?;
    stdio::put_bytes(context, index, &bytes)
}

fn read<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let size = context.size(2)?;
    let Some(index) = descriptor(context)? else { return Ok(Reply::Int(-1)) };
    if !context.state.world.streams.streams[index].can_read {
        return fail(context, errno::EBADF);
    }
    let to = context.value(1)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < size {
        match stdio::get_byte(context, index) {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    context.write(&to, &bytes)?;
    Ok(Reply::Int(bytes.len() as i128))
}

/// Puts letters for the `XXXXXX` at the end of a template, such that no file has the name.
fn temporary<D: Domain>(context: &mut Context<'_, '_, D>, template: &D::Value) -> Outcome<D, Option<String>> {
    let text = context.read_string(template)?;
    let Some(stem) = text.strip_suffix(b"XXXXXX") else {
        context.set_errno(errno::EINVAL)?;
        if context.name == "mktemp" {
            context.write(template, &[0])?;
        }
        return Ok(None);
    };
    let stem = String::from_utf8_lossy(stem).into_owned();
    // Two names that are asked for before a file is made differ.
    let first = context.random() % 1_000_000;
    for number in (first..1_000_000).chain(0..first) {
        let name = format!("{stem}{number:06}");
        if stdio::contents(context, &name).is_none() {
            let end = context.offset(template, text.len() as i64 - 6);
            context.write(&end, format!("{number:06}").as_bytes())?;
            return Ok(Some(name));
        }
    }
    context.set_errno(errno::EEXIST)?;
    Ok(None)
}
