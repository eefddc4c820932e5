//! The outside world of a program that `quod run` executes: this process's streams and files.

use quod_exec::io::Io;
use std::io::{ErrorKind, IsTerminal, Read, Write};

/// What a program that was killed by a closed pipe ends with, as shells see it.
const PIPE_CLOSED: i32 = 141;

/// Streams of this process. Output is collected and written in large pieces, by lines on a terminal, and before anything is
/// read or complained about, so that people see things in order.
pub(crate) struct Streams {
    output: Vec<u8>,
    is_terminal: bool,
    /// Keep everything for a document instead of writing it.
    is_captured: bool,
    captured_error: Vec<u8>,
}

const PIECE: usize = 1 << 16;

const LARGEST_FILE: u64 = 1 << 31;

impl Streams {
    pub(crate) fn new(is_captured: bool) -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        Self { output: Vec::new(), is_terminal, is_captured, captured_error: Vec::new() }
    }

    pub(crate) fn flush(&mut self) {
        if self.is_captured {
            return;
        }
        let mut stdout = std::io::stdout().lock();
        let result = stdout.write_all(&self.output).and_then(|()| stdout.flush());
        self.output.clear();
        if result.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            std::process::exit(PIPE_CLOSED);
        }
    }

    /// What the program wrote, for a document.
    pub(crate) fn captured(&self) -> (String, String) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&self.output), text(&self.captured_error))
    }
}

impl Io for Streams {
    fn read_input(&mut self, limit: usize) -> Vec<u8> {
        self.flush();
        let mut bytes = vec![0; limit.clamp(1, PIECE)];
        let count = loop {
            match std::io::stdin().lock().read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other.unwrap_or(0),
            }
        };
        bytes.truncate(count);
        bytes
    }

    fn write_output(&mut self, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
        let is_line = self.is_terminal && bytes.contains(&b'\n');
        if !self.is_captured && (is_line || self.output.len() >= PIECE) {
            self.flush();
        }
    }

    fn write_error(&mut self, bytes: &[u8]) {
        if self.is_captured {
            self.captured_error.extend_from_slice(bytes);
            return;
        }
        self.flush();
        let _ = std::io::stderr().lock().write_all(bytes);
    }

    fn read_file(&mut self, name: &str) -> Option<Vec<u8>> {
        let file = std::fs::File::open(name).ok()?;
        let kind = file.metadata().ok()?.file_type();
        // Devices such as /dev/zero have no end.
        let limit = if kind.is_file() { LARGEST_FILE } else { PIECE as u64 };
        let mut bytes = Vec::new();
        file.take(limit).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn write_file(&mut self, name: &str, contents: &[u8]) {
        // The program hears of failures from the library's own checks; a full disk is not simulated.
        let _ = std::fs::write(name, contents);
    }

    fn remove_file(&mut self, name: &str) {
        let _ = std::fs::remove_file(name);
    }

    fn now(&mut self) -> Option<(i64, u32)> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((i64::try_from(now.as_secs()).ok()?, now.subsec_nanos()))
    }
}
