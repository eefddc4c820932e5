//! Runs the binary under test: no colours, a quiet environment, a time limit, both streams captured.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_secs(60);

pub struct Output {
    pub stdout: String,
    pub stderr: String,
    /// The exit code; -1 for a process that was killed.
    pub exit: i32,
    status: ExitStatus,
}

impl Output {
    /// Ended by a signal, or by a panic of ours: never to be accepted as expected output.
    pub fn is_crash(&self) -> bool {
        self.exit == -1 || self.exit == 70
    }
    pub fn exit_text(&self) -> String {
        if self.exit == -1 { self.status.to_string() } else { self.exit.to_string() }
    }
}

pub fn run(binary: &Path, words: &[String], folder: &Path, stdin: &[u8]) -> Result<Output, String> {
    let mut child = Command::new(binary)
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", binary.display()))?;
    let mut input = child.stdin.take();
    let stdin = stdin.to_vec();
    let writer = std::thread::spawn(move || input.as_mut().map(|input| input.write_all(&stdin)));
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let deadline = Instant::now() + TIME_LIMIT;
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("no end after {} s", TIME_LIMIT.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let _ = writer.join();
    let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    Ok(Output { stdout: text(stdout), stderr: text(stderr), exit: status.code().unwrap_or(-1), status })
}

fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}
