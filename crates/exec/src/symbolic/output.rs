//! Output is not looked at: what is printed does not matter, only that it can be, and how many characters it was, which
//! is unknown.

use super::terms::SymbolicDomain;
use super::value::{Pointer, Target, Value};
use crate::domain::{Domain, Ending, ObjectKind};
use crate::fault::Fault;
use crate::library::{Context, LibraryFunction, Reply};
use quod_base::Symbol;
use quod_verdict::CheckKind;

type Call<'a, 'p, 'c> = &'c mut Context<'a, 'p, SymbolicDomain>;
type Trouble = crate::fault::Trouble<quod_term::Term>;

pub(super) fn find(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    Some(match name {
        "printf" => |context| formatted(context, 0),
        "fprintf" => |context| {
            stream(context, 0)?;
            formatted(context, 1)
        },
        "puts" | "perror" => |context| {
            text(context, 0)?;
            count(context)
        },
        "fputs" => |context| {
            text(context, 0)?;
            stream(context, 1)?;
            count(context)
        },
        "putchar" => count,
        "putc" | "fputc" => |context| {
            stream(context, 1)?;
            count(context)
        },
        "fflush" => |context| {
            let pointer = context.value(0)?;
            if !context.is_null(&pointer) {
                stream(context, 0)?;
            }
            count(context)
        },
        "fopen" => |context| {
            text(context, 0)?;
            let mode = context.string(1)?;
            // CIVL's files can always be opened. What is in them is not known: they are only written to.
            if !context.machine.domain.is_ideal || !matches!(mode[..], [b'w' | b'a'] | [b'w' | b'a', b'b']) {
                return context.unsupported("this way to open a file");
            }
            Ok(Reply::Value(context.allocate(8, ObjectKind::Library, true, "FILE")?))
        },
        "fclose" => |context| {
            let pointer = context.pointer(0)?;
            let is_open = context.machine.domain.extent(&context.state.memory, &pointer).is_some();
            if !is_open {
                return context.fault(CheckKind::Library, "the file is closed already");
            }
            stream(context, 0)?;
            let (domain, memory) = (&mut context.machine.domain, &mut context.state.memory);
            domain.release(memory, &pointer, Ending::Left, context.span)?;
            Ok(Reply::Int(0))
        },
        _ => return None,
    })
}

/// How many characters were written: anything.
fn count(context: Call<'_, '_, '_>) -> Result<Reply<Value>, Trouble> {
    let Some(scalar) = context.result.filter(|_| context.is_result_used) else { return Ok(Reply::Nothing) };
    let name = Symbol::intern(context.name);
    let value = context.machine.domain.unknown(&mut context.state.memory, scalar, Some(name))?;
    Ok(Reply::Value(value))
}

fn stream(context: Call<'_, '_, '_>, index: usize) -> Result<(), Trouble> {
    match context.pointer(index)? {
        Value::Pointer(Pointer { target: Target::Object(id), .. })
            if context.state.memory.object(id).kind == ObjectKind::Library =>
        {
            if !context.state.memory.object(id).is_live() {
                return context.fault(CheckKind::Library, "the file is closed already");
            }
            Ok(())
        }
        _ => context.unsupported("this stream"),
    }
}

/// A string that can be read to its end.
fn text(context: Call<'_, '_, '_>, index: usize) -> Result<(), Trouble> {
    let pointer = context.pointer(index)?;
    let Some(extent) = context.machine.domain.extent(&context.state.memory, &pointer) else {
        return context.unsupported("this argument");
    };
    let is_literal = match &pointer {
        Value::Pointer(Pointer { target: Target::Object(id), .. }) => {
            context.state.memory.object(*id).kind == ObjectKind::String
        }
        _ => false,
    };
    // Somewhere on the way a zero must be certain.
    let is_zero = |at: u64, context: Call<'_, '_, '_>| {
        let place = context.offset(&pointer, at as i64);
        context.read(&place, 1).is_ok_and(|bytes| bytes == [0])
    };
    if is_literal || (0..extent.min(1 << 12)).any(|at| is_zero(at, context)) {
        return Ok(());
    }
    context.unsupported("a text whose end is not certain")
}

fn formatted(context: Call<'_, '_, '_>, index: usize) -> Result<Reply<Value>, Trouble> {
    let format = context.string(index)?;
    let mut next = index + 1;
    for conversion in conversions(&format) {
        let conversion = match conversion {
            Ok(conversion) => conversion,
            Err(message) => {
                return Err(Fault::new(CheckKind::Library, message).label("this format is not valid").into());
            }
        };
        next += conversion.stars;
        if next >= context.arguments.len() {
            if !context.machine.domain.is_ideal {
                return context.fault(CheckKind::Library, "an argument of the format is missing");
            }
            // CIVL-C's users count loosely; what is not there is not looked at.
            continue;
        }
        match (conversion.letter, &context.arguments[next].value) {
            (b'n', _) => return context.unsupported("`%n`"),
            (b's', Value::Pointer(_)) => text(context, next)?,
            // CIVL-C's `%s` prints values of any type.
            (b's', Value::Number(_)) if context.machine.domain.is_ideal => {}
            (b's', _) => return context.unsupported("this argument"),
            (_, Value::Unset) => return context.unsupported("this argument"),
            _ => {}
        }
        next += 1;
    }
    count(context)
}

/// One `%…` of a format that takes an argument.
struct Conversion {
    letter: u8,
    stars: usize,
}

/// The conversions of a format, or what is wrong with one.
fn conversions(format: &[u8]) -> Vec<Result<Conversion, String>> {
    let mut found = Vec::new();
    let mut at = 0;
    let byte = |at: usize| format.get(at).copied().unwrap_or(0);
    while at < format.len() {
        if byte(at) != b'%' {
            at += 1;
            continue;
        }
        at += 1;
        if byte(at) == b'%' {
            at += 1;
            continue;
        }
        let (mut stars, mut has_precision) = (0, false);
        while matches!(byte(at), b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.' | b'*' | b'\'' | b'$') {
            stars += usize::from(byte(at) == b'*');
            has_precision |= byte(at) == b'.';
            at += 1;
        }
        while matches!(byte(at), b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q') {
            at += 1;
        }
        let letter = byte(at);
        at += 1;
        found.push(match letter {
            b'c' if has_precision => Err("a precision for a character".into()),
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' | b'c'
            | b's' | b'p' | b'n' | b'C' | b'S' | b'm' => Ok(Conversion { letter, stars }),
            0 => Err("the format ends within a conversion".into()),
            letter => Err(format!("`{}` is no conversion of a format", char::from(letter).escape_default())),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_checked() {
        let letters = |format: &str| -> Vec<Result<u8, ()>> {
            conversions(format.as_bytes()).into_iter().map(|found| found.map(|one| one.letter).map_err(drop)).collect()
        };
        assert_eq!(letters("100%% of %d and %-5.2lf %s"), [Ok(b'd'), Ok(b'f'), Ok(b's')]);
        assert_eq!(letters("%.2c %l"), [Err(()), Err(())]);
        assert_eq!(letters("%y"), [Err(())]);
    }
}
