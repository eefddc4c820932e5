//! One solver process: started on demand in a process group of its own, bounded, killed with all its children, started
//! again after a crash.

use super::reply::{Garbage, Reader, Sexpr};
use super::{Found, SolverKind};
use crate::sat::Cancel;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// What a process answered to one query.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// With the values of the terms that were asked for, in order; `None` where it gave none.
    Sat(Option<Vec<Sexpr>>),
    Unsat,
    /// It gave up, for this reason.
    Unknown(String),
    /// It died, hung, closed its pipe or printed something that is no answer.
    Broken(String),
    TimedOut,
    Cancelled,
}

/// Bounds of one query.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub time: Duration,
    /// Address space of the process, in megabytes.
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: Duration::from_secs(20), memory: 4096 }
    }
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: Receiver<Result<Sexpr, Garbage>>,
    logic: String,
}

/// A solver that is started when it is needed.
pub struct Process {
    pub found: Found,
    running: Option<Running>,
    /// Set once its answer turned out to be wrong; it is never asked again.
    pub is_distrusted: bool,
    pub starts: u32,
    memory: u64,
}

impl Process {
    pub fn new(found: Found, bounds: &Bounds) -> Self {
        Self { found, running: None, is_distrusted: false, starts: 0, memory: bounds.memory }
    }

    fn start(&mut self, logic: &str) -> std::io::Result<()> {
        self.stop();
        let mut command = Command::new(&self.found.path);
        command
            .args(self.found.kind.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        let bytes = self.memory.saturating_mul(1 << 20);
        // SAFETY: between fork and exec only async-signal-safe calls are made: setrlimit and prctl.
        unsafe {
            command.pre_exec(move || {
                let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                libc::setrlimit(libc::RLIMIT_AS, &limit);
                #[cfg(target_os = "linux")]
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        let mut child = command.spawn()?;
        self.starts += 1;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("no pipe"));
        };
        let (sender, receiver) = sync_channel(64);
        std::thread::spawn(move || {
            let mut reader = Reader::default();
            let mut buffer = [0u8; 8192];
            while let Ok(count) = output.read(&mut buffer) {
                if count == 0 {
                    return;
                }
                for character in String::from_utf8_lossy(&buffer[..count]).chars() {
                    let message = match reader.push(character) {
                        Ok(None) => continue,
                        Ok(Some(expression)) => Ok(expression),
                        Err(garbage) => Err(garbage),
                    };
                    let is_end = message.is_err();
                    if sender.send(message).is_err() || is_end {
                        return;
                    }
                }
            }
        });
        let mut running = Running { child, input, output: receiver, logic: logic.to_owned() };
        let options = match self.found.kind {
            SolverKind::Z3 => String::new(),
            _ => format!("(set-option :produce-models true)\n(set-logic {logic})\n"),
        };
        running.input.write_all(options.as_bytes())?;
        self.running = Some(running);
        Ok(())
    }

    /// Kills the process and all that it started.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let group = running.child.id() as i32;
            // SAFETY: the group was made for this child, which has not been waited for.
            unsafe {
                libc::kill(-group, libc::SIGKILL);
            }
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }

    /// Asks one query: `script` declares and asserts, `values` are terms to be valued in a model.
    pub fn check(&mut self, script: &str, values: &[String], logic: &str, bounds: &Bounds, cancel: &Cancel) -> Reply {
        let needs_start =
            self.running.as_ref().is_none_or(|running| self.found.kind != SolverKind::Z3 && running.logic != logic);
        if needs_start && let Err(error) = self.start(logic) {
            return Reply::Broken(format!("cannot start {}: {error}", self.found.path.display()));
        }
        let reply = self.converse(script, values, bounds, cancel);
        if matches!(reply, Reply::Broken(_) | Reply::TimedOut | Reply::Cancelled) {
            self.stop();
        }
        reply
    }

    /// One query to a process of its own, without scopes around it; a model comes back whole, as it is printed.
    pub fn solve_once(&mut self, script: &str, bounds: &Bounds, cancel: &Cancel) -> Reply {
        if let Err(error) = self.start("ALL") {
            return Reply::Broken(format!("cannot start {}: {error}", self.found.path.display()));
        }
        let deadline = Instant::now() + bounds.time;
        let Some(running) = &mut self.running else { return Reply::Broken("not running".into()) };
        if let Err(error) = running.send(&format!("{script}(check-sat)\n"), deadline) {
            return Reply::Broken(format!("it closed its pipe: {error}"));
        }
        let reply = match running.receive(deadline, cancel) {
            Err(reply) => reply,
            Ok(expression) => match expression.atom() {
                Some("sat") => {
                    let model = running
                        .send("(get-model)\n", deadline)
                        .ok()
                        .and_then(|()| running.receive(deadline, cancel).ok());
                    Reply::Sat(model.map(|model| vec![model]))
                }
                Some("unsat") => Reply::Unsat,
                Some("unknown") => Reply::Unknown("it gave up".into()),
                _ => Reply::Broken(format!("it printed {}", clip(&format!("{expression:?}")))),
            },
        };
        self.stop();
        reply
    }

    fn converse(&mut self, script: &str, values: &[String], bounds: &Bounds, cancel: &Cancel) -> Reply {
        let deadline = Instant::now() + bounds.time;
        let kind = self.found.kind;
        let Some(running) = &mut self.running else { return Reply::Broken("not running".into()) };
        if let Err(error) = running.send(&format!("(push 1)\n{script}(check-sat)\n"), deadline) {
            return Reply::Broken(format!("it closed its pipe: {error}"));
        }
        let answer = loop {
            match running.receive(deadline, cancel) {
                Err(reply) => return reply,
                Ok(expression) => match expression.atom() {
                    Some(word @ ("sat" | "unsat" | "unknown")) => break word.to_owned(),
                    Some("success" | "unsupported") => {}
                    Some(other) => return Reply::Broken(format!("it printed `{}`", clip(other))),
                    None => return Reply::Broken(format!("it printed {}", clip(&format!("{expression:?}")))),
                },
            }
        };
        let reply = match answer.as_str() {
            "unsat" => Reply::Unsat,
            "unknown" => Reply::Unknown(format!("{} gave up", kind.program())),
            _ if values.is_empty() => Reply::Sat(Some(Vec::new())),
            _ => {
                if running.send(&format!("(get-value ({}))\n", values.join(" ")), deadline).is_err() {
                    return Reply::Sat(None);
                }
                match running.receive(deadline, cancel) {
                    Err(Reply::Cancelled) => return Reply::Cancelled,
                    Err(_) => Reply::Sat(None),
                    Ok(expression) => Reply::Sat(pairs(&expression, values.len())),
                }
            }
        };
        if running.send("(pop 1)\n", deadline).is_err() {
            self.stop();
        }
        reply
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    /// Writes in a way that a process which does not read cannot block for ever.
    fn send(&mut self, text: &str, deadline: Instant) -> std::io::Result<()> {
        use std::os::fd::AsRawFd;
        let handle = self.input.as_raw_fd();
        let bytes = text.as_bytes();
        let mut sent = 0;
        while sent < bytes.len() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(std::io::Error::from(std::io::ErrorKind::TimedOut));
            }
            let mut poll = libc::pollfd { fd: handle, events: libc::POLLOUT, revents: 0 };
            // SAFETY: one valid descriptor, open as long as `self.input` lives.
            let ready = unsafe { libc::poll(&mut poll, 1, left.as_millis().min(100) as i32) };
            if ready > 0 {
                if poll.revents & (libc::POLLERR | libc::POLLHUP) != 0 {
                    return Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
                }
                // A pipe that is ready for writing takes this much without blocking.
                let end = bytes.len().min(sent + 4096);
                sent += self.input.write(&bytes[sent..end])?;
            }
        }
        self.input.flush()
    }

    fn receive(&mut self, deadline: Instant, cancel: &Cancel) -> Result<Sexpr, Reply> {
        loop {
            match self.output.recv_timeout(Duration::from_millis(5)) {
                Ok(Ok(expression)) => return Ok(expression),
                Ok(Err(Garbage(what))) => return Err(Reply::Broken(what)),
                Err(RecvTimeoutError::Disconnected) => return Err(Reply::Broken("it died or closed its pipe".into())),
                Err(RecvTimeoutError::Timeout) => {
                    if cancel.is_cancelled() {
                        return Err(Reply::Cancelled);
                    }
                    if Instant::now() >= deadline {
                        return Err(Reply::TimedOut);
                    }
                }
            }
        }
    }
}

/// The second parts of `((term value) …)`.
fn pairs(expression: &Sexpr, count: usize) -> Option<Vec<Sexpr>> {
    let items = expression.list()?;
    if items.len() != count {
        return None;
    }
    items.iter().map(|pair| pair.list().filter(|pair| pair.len() == 2).map(|pair| pair[1].clone())).collect()
}

fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}
