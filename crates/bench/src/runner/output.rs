//! The log of a run: what the tool wrote, up to a limit. The first half of the limit is written as it comes, of the rest
//! the last half is kept; a run that never stops talking costs no disk.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub struct Log {
    file: Option<File>,
    /// Kept for the verdict: the same text that goes to the file.
    pub text: Vec<u8>,
    head: u64,
    tail: VecDeque<u8>,
    limit: u64,
    pub total: u64,
}

impl Log {
    /// The head has the six lines that BenchExec's logs have, so that its tools read ours.
    pub fn create(path: Option<&Path>, command: &str, limit: u64) -> io::Result<Self> {
        let file = match path {
            None => None,
            Some(path) => {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                let mut file = File::create(path)?;
                let line = "-".repeat(80);
                write!(file, "{}\n\n\n{line}\n\n\n", command.replace('\n', " "))?;
                Some(file)
            }
        };
        Ok(Self { file, text: Vec::new(), head: 0, tail: VecDeque::new(), limit: limit.max(2), total: 0 })
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.limit / 2).saturating_sub(self.head) as usize;
        let (now, later) = bytes.split_at(room.min(bytes.len()));
        if !now.is_empty() {
            self.head += now.len() as u64;
            self.put(now);
        }
        let half = (self.limit - self.limit / 2) as usize;
        let later = &later[later.len().saturating_sub(half)..];
        self.tail.extend(later);
        let surplus = self.tail.len().saturating_sub(half);
        self.tail.drain(..surplus);
    }

    fn put(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        if let Some(file) = &mut self.file {
            // A full disk must not end the benchmark; the verdict is read from memory.
            let _ = file.write_all(bytes);
        }
    }

    pub fn is_cut(&self) -> bool {
        self.total > self.head + self.tail.len() as u64
    }

    /// Writes what was kept of the end.
    pub fn finish(&mut self) {
        if self.is_cut() {
            let missing = self.total - self.head - self.tail.len() as u64;
            self.put(format!("\n[quod bench left out {missing} bytes of output here]\n").as_bytes());
        }
        let tail: Vec<u8> = self.tail.drain(..).collect();
        self.head = self.total;
        self.put(&tail);
    }
}

#[cfg(test)]
mod tests {
    use super::Log;

    #[test]
    fn keeps_both_ends() {
        let mut log = Log::create(None, "", 10).unwrap();
        for _ in 0..1000 {
            log.add(b"abc");
        }
        log.add(b"the end");
        assert!(log.is_cut());
        log.finish();
        let text = String::from_utf8(log.text).unwrap();
        assert!(text.starts_with("abcab\n[") && text.ends_with("e end"), "{text}");
        let mut short = Log::create(None, "", 10).unwrap();
        short.add(b"12345678");
        assert!(!short.is_cut());
        short.finish();
        assert_eq!(short.text, b"12345678");
    }
}
