//! Ctrl-C: the work is asked to stop and to say what it knows; if it does not within a second, the process ends.

use quod_verdict::{CancelToken, exit_code};
use std::sync::LazyLock;
use std::time::Duration;

static TOKEN: LazyLock<CancelToken> = LazyLock::new(CancelToken::default);

/// Cancelled by Ctrl-C; give it to every budget.
pub(crate) fn token() -> CancelToken {
    TOKEN.clone()
}

pub(crate) fn listen() {
    // Without a handler Ctrl-C simply ends the process, which is good enough where none can be set.
    let _ = ctrlc::set_handler(|| {
        if TOKEN.is_cancelled() {
            std::process::exit(exit_code::INTERRUPTED);
        }
        TOKEN.cancel();
        std::thread::spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            std::process::exit(exit_code::INTERRUPTED);
        });
    });
}
