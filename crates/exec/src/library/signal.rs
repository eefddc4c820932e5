//! `<signal.h>`, for signals that the program raises itself.

use super::context::{Context, Reply};
use super::native::Native;
use super::{Answered, LibraryFunction};
use crate::domain::Domain;
use quod_model::ir::IntKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "signal" | "__sysv_signal" | "bsd_signal" => |context| {
            let (number, handler) = (context.int(0)?, context.value(1)?);
            let old = context.state.world.signals.insert(number, handler);
            let old = match old {
                Some(old) => old,
                None => context.null(),
            };
            Ok(Reply::Value(old))
        },
        "raise" => raise,
        "sigaction" | "sigemptyset" | "sigfillset" | "sigaddset" | "sigdelset" | "sigprocmask" | "pthread_sigmask"
        | "alarm" => |_| Ok(Reply::Int(0)),
        _ => return None,
    })
}

fn raise<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let number = context.int(0)?;
    if let Some(handler) = context.state.world.signals.get(&number).cloned() {
        let address = context.address(&handler)?;
        if address == 1 {
            return Ok(Reply::Int(0));
        }
        if let Some(function) = context.machine.domain.function_at(&context.state.memory, &handler) {
            let int = context.int_kind(IntKind::Int);
            let value = context.integer(number, int);
            let arguments = vec![context.passed(value, int)];
            return Ok(Reply::Call { function, arguments, native: Native::Signal });
        }
    }
    Ok(Reply::Exit(128 + number as i32))
}
