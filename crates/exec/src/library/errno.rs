//! `<errno.h>`: one `errno` for the program.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind, Outcome};
use quod_model::ir::IntKind;

pub(super) const EPERM: i128 = 1;
pub(super) const ENOENT: i128 = 2;
pub(super) const EBADF: i128 = 9;
pub(super) const EAGAIN: i128 = 11;
pub(super) const ENOMEM: i128 = 12;
pub(super) const EBUSY: i128 = 16;
pub(super) const EEXIST: i128 = 17;
pub(super) const EINVAL: i128 = 22;
pub(super) const ERANGE: i128 = 34;
pub(super) const EDEADLK: i128 = 35;
pub(super) const EILSEQ: i128 = 84;
pub(super) const ETIMEDOUT: i128 = 110;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "__errno_location" | "__error" | "_errno" => |context| Ok(Reply::Value(context.errno()?)),
        "perror" => perror,
        "strerror" | "strerror_l" => strerror,
        _ => return None,
    })
}

pub(super) fn message(number: i128) -> String {
    match number {
        0 => "Success",
        EPERM => "Operation not permitted",
        ENOENT => "No such file or directory",
        EBADF => "Bad file descriptor",
        EAGAIN => "Resource temporarily unavailable",
        ENOMEM => "Cannot allocate memory",
        13 => "Permission denied",
        EBUSY => "Device or resource busy",
        EEXIST => "File exists",
        EINVAL => "Invalid argument",
        33 => "Numerical argument out of domain",
        ERANGE => "Numerical result out of range",
        EDEADLK => "Resource deadlock avoided",
        EILSEQ => "Invalid or incomplete multibyte or wide character",
        ETIMEDOUT => "Connection timed out",
        _ => return format!("Unknown error {number}"),
    }
    .to_owned()
}

impl<D: Domain> Context<'_, '_, D> {
    /// The address of `errno`.
    pub(super) fn errno(&mut self) -> Outcome<D> {
        if let Some(address) = &self.state.world.errno {
            return Ok(address.clone());
        }
        let address = self.allocate(4, ObjectKind::Library, true, "errno")?;
        self.state.world.errno = Some(address.clone());
        Ok(address)
    }

    pub(super) fn set_errno(&mut self, number: i128) -> Outcome<D, ()> {
        let address = self.errno()?;
        self.store_int(&address, IntKind::Int, number)
    }

    pub(super) fn current_errno(&mut self) -> Outcome<D, i128> {
        let address = self.errno()?;
        self.load_int(&address, IntKind::Int)
    }

    /// A string that the library owns, made once for each name.
    pub(super) fn library_string(&mut self, text: &str) -> Outcome<D> {
        let key = quod_base::Symbol::intern(text).as_str();
        if let Some(pointer) = self.state.world.objects.get(key) {
            return Ok(pointer.clone());
        }
        let pointer = self.allocate(text.len() as u64 + 1, ObjectKind::Library, true, "")?;
        self.write(&pointer, text.as_bytes())?;
        self.state.world.objects.insert(key, pointer.clone());
        Ok(pointer)
    }
}

fn perror<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let pointer = context.value(0)?;
    let mut text = Vec::new();
    if !context.is_null(&pointer) {
        text = context.read_string(&pointer)?;
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(message(context.current_errno()?).as_bytes());
    text.push(b'\n');
    context.machine.io.write_error(&text);
    Ok(Reply::Nothing)
}

fn strerror<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let text = message(context.int(0)?);
    Ok(Reply::Value(context.library_string(&text)?))
}
