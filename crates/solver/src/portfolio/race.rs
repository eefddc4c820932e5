//! Asking several processes: one after the other, or all at once.

use super::process::{Bounds, Process, Reply};
use crate::sat::Cancel;
use std::sync::mpsc::channel;

/// How the members of a portfolio are asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// In order of preference: the same answers on every run.
    #[default]
    InOrder,
    /// All at once; the first definite answer ends the others.
    Raced,
}

/// One query for processes.
pub struct Question<'a> {
    pub script: &'a str,
    pub values: &'a [String],
    pub logic: &'a str,
    pub bounds: &'a Bounds,
}

fn is_definite(reply: &Reply) -> bool {
    matches!(reply, Reply::Sat(_) | Reply::Unsat)
}

/// The replies that came in, each with the number of its process; the last one is definite if any was.
pub fn ask(
    processes: &mut [&mut Process],
    question: &Question<'_>,
    mode: Mode,
    cancel: &Cancel,
) -> Vec<(usize, Reply)> {
    let Question { script, values, logic, bounds } = *question;
    if mode == Mode::InOrder || processes.len() < 2 {
        let mut replies = Vec::new();
        for (number, process) in processes.iter_mut().enumerate() {
            let reply = process.check(script, values, logic, bounds, cancel);
            let ends = is_definite(&reply) || reply == Reply::Cancelled;
            replies.push((number, reply));
            if ends {
                break;
            }
        }
        return replies;
    }
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let local = Cancel::default();
        let count = processes.len();
        for (number, process) in processes.iter_mut().enumerate() {
            let (sender, local) = (sender.clone(), local.clone());
            scope.spawn(move || {
                let reply = process.check(script, values, logic, bounds, &local);
                let _ = sender.send((number, reply));
            });
        }
        let mut replies = Vec::new();
        let mut winner = None;
        while replies.len() + usize::from(winner.is_some()) < count {
            match receiver.recv_timeout(std::time::Duration::from_millis(5)) {
                Ok((number, reply)) if winner.is_none() && is_definite(&reply) => {
                    winner = Some((number, reply));
                    local.cancel();
                }
                Ok(other) => replies.push(other),
                Err(_) if cancel.is_cancelled() => local.cancel(),
                Err(_) => {}
            }
        }
        replies.extend(winner);
        replies
    })
}
