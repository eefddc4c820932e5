//! Bugs of ours: a panic becomes a message that asks for a report, and exit code 70.

use crate::console;
use quod_diag::codes;
use quod_verdict::exit_code;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a command; a panic in it is reported.
pub(crate) fn guard(command: impl FnOnce() -> i32) -> i32 {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        let backtrace = match std::env::var_os("RUST_BACKTRACE") {
            Some(_) => format!("\n{}", std::backtrace::Backtrace::force_capture()),
            None => String::new(),
        };
        MESSAGE.with_borrow_mut(|message| *message = format!("{text}{place}{backtrace}"));
    }));
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let message = MESSAGE.take();
        let words: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        console::complain(&format!(
            "error[{}]: internal error: {message}\n\
             \x20 = note: this is a bug in quod {}, not in your program; nothing was concluded about it\n\
             \x20 = note: the command was: {}\n\
             \x20 = help: please report it with the command, the input and this text",
            codes::INTERNAL_ERROR,
            env!("CARGO_PKG_VERSION"),
            words.join(" "),
        ));
        exit_code::INTERNAL_ERROR
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_gives_the_exit_code() {
        assert_eq!(super::guard(|| panic!("on purpose")), 70);
        assert_eq!(super::guard(|| 3), 3);
    }
}
