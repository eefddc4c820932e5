//! The journal of a benchmark: one JSON line a finished run, written and synced before the next run starts. Whatever
//! happens to the harness, what had finished is there, and the same command goes on from it.

use crate::input::error::{InputError, code};
use crate::input::plan::Plan;
use crate::results::Category;
use crate::runner::Outcome;
use quod_base::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Entry {
    Header(Head),
    Run(Box<Record>),
    /// A further session of the same benchmark began here.
    Resumed {
        start: f64,
    },
    /// All runs are done.
    End {
        time: f64,
    },
    /// Results, validation and reports are written as well: the benchmark is over.
    Published {
        time: f64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub version: u32,
    /// Of the plan: only the same benchmark may go on.
    pub fingerprint: String,
    pub date: String,
    pub start: f64,
    pub runs: usize,
    pub machine: String,
}

/// One finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub index: usize,
    pub status: String,
    pub category: Category,
    pub outcome: Outcome,
    /// Columns that the definition asked for.
    pub values: Vec<(String, String)>,
    /// Result files, relative to the run's folder of files.
    pub files: Vec<String>,
    pub cores: Vec<u32>,
    pub host: String,
}

pub fn fingerprint(plan: &Plan) -> String {
    let text = serde_json::to_string(plan).unwrap_or_default();
    format!("{:?}", Fingerprint::of(&text))
}

/// What a journal holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub head: Option<Head>,
    pub records: BTreeMap<usize, Record>,
    pub end: Option<f64>,
    pub is_published: bool,
    /// Bytes up to the end of the last whole line: a line that was cut by a crash is not counted.
    pub whole_bytes: u64,
}

pub fn read(file: &Path) -> Result<Contents, InputError> {
    let opened = File::open(file).map_err(|error| InputError::unreadable(file, &error))?;
    let mut reader = BufReader::new(opened);
    let mut contents = Contents::default();
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let count = reader.read_until(b'\n', &mut line).map_err(|error| InputError::unreadable(file, &error))?;
        if count == 0 || line.last() != Some(&b'\n') {
            return Ok(contents);
        }
        number += 1;
        match serde_json::from_slice(&line) {
            Ok(Entry::Header(head)) if head.version == VERSION => contents.head = Some(head),
            Ok(Entry::Header(head)) => {
                let message = format!("a journal of version {}, this program writes version {VERSION}", head.version);
                return Err(InputError::new(code::BAD_JOURNAL, file, number, 1, message));
            }
            Ok(Entry::Run(record)) => drop(contents.records.insert(record.index, *record)),
            Ok(Entry::Resumed { .. }) => {}
            Ok(Entry::End { time }) => contents.end = Some(time),
            Ok(Entry::Published { .. }) => contents.is_published = true,
            Err(error) => {
                let message = format!("not a journal entry: {error}");
                return Err(InputError::new(code::BAD_JOURNAL, file, number, error.column() as u32, message));
            }
        }
        contents.whole_bytes += count as u64;
    }
}

/// The open journal of a running benchmark.
pub struct Journal {
    file: File,
    pub path: PathBuf,
    has_end: bool,
}

impl Journal {
    pub fn create(path: &Path, head: Head) -> io::Result<Self> {
        let file = File::options().create_new(true).append(true).open(path)?;
        let mut journal = Self { file, path: path.to_path_buf(), has_end: false };
        journal.append(&Entry::Header(head))?;
        // The name of a new file is safe only when its folder is.
        if let Some(folder) = path.parent() {
            File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync_all()?;
        }
        Ok(journal)
    }

    /// Goes on after the last whole line.
    pub fn resume(path: &Path, contents: &Contents) -> io::Result<Self> {
        let file = File::options().append(true).open(path)?;
        file.set_len(contents.whole_bytes)?;
        Ok(Self { file, path: path.to_path_buf(), has_end: contents.end.is_some() })
    }

    /// Says that all runs are done, once.
    pub fn end(&mut self) -> io::Result<()> {
        if self.has_end {
            return Ok(());
        }
        self.has_end = true;
        self.append(&Entry::End { time: crate::clock::now() })
    }

    pub fn append(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let head = Head {
            version: VERSION,
            fingerprint: "f".into(),
            date: "d".into(),
            start: 1.0,
            runs: 2,
            machine: "m".into(),
        };
        let record = Record {
            index: 1,
            status: "true".into(),
            category: Category::Correct,
            outcome: Outcome::default(),
            values: Vec::new(),
            files: Vec::new(),
            cores: vec![0],
            host: "h".into(),
        };
        let mut journal = Journal::create(&path, head.clone()).unwrap();
        journal.append(&Entry::Run(Box::new(record.clone()))).unwrap();
        drop(journal);
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"{\"kind\":\"run\",\"ind").unwrap();
        let contents = read(&path).unwrap();
        assert_eq!((contents.head, contents.records.len()), (Some(head), 1));
        let contents = read(&path).unwrap();
        let mut journal = Journal::resume(&path, &contents).unwrap();
        journal.append(&Entry::Run(Box::new(Record { index: 0, ..record }))).unwrap();
        assert_eq!(read(&path).unwrap().records.len(), 2);
        std::fs::write(&path, "nonsense\n").unwrap();
        assert_eq!(read(&path).unwrap_err().line, 1);
    }
}
