//! Folders with small tasks and a tool that is a shell script, for tests that run the whole command.
#![allow(dead_code, unreachable_pub, clippy::disallowed_methods)] // each test file uses a part of it

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_quod-bench");
static COUNTER: AtomicU32 = AtomicU32::new(0);

pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new(name: &str) -> Self {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("quod-test-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self { path }
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// A tool whose inputs are shell scripts: each task says itself what it does.
    pub fn with_tool(self) -> Self {
        self.write(
            "fake.toml",
            r#"name = "Fake"
executable = ["fake.sh"]
version = { arguments = ["--version"], pattern = 'version (\S+)' }
arguments = ["{options}", ["--property", "{property}"], "{data_model}", "{inputs}"]
validation = ["--validate", "{witness}", "{inputs}"]
witness_files = ["**/witness.*"]
[data_model]
ILP32 = ["--32"]
LP64 = ["--64"]
[[verdict]]
pattern = '^Result: TRUE$'
status = "true"
[[verdict]]
pattern = '^Result: FALSE\((.*)\)$'
status = "false($1)"
[[verdict]]
pattern = '^Result: UNKNOWN'
status = "unknown"
[[verdict]]
status = "ERROR"
"#,
        );
        let script = "#!/bin/sh\ncase \"$1\" in --version) echo 'fake version 1.2'; exit 0;; --validate) cat \"$2\"; exit 0;; esac\n\
                      for last; do :; done\n. \"$last\"\n";
        let path = self.write("fake.sh", script);
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
        self.write("tasks/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        self
    }

    /// A task that runs `script` and is expected to be `verdict`.
    pub fn task(&self, name: &str, verdict: &str, script: &str) {
        self.write(&format!("tasks/{name}.c"), &format!("{script}\n"));
        self.write(
            &format!("tasks/{name}.yml"),
            &format!(
                "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
                 expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: LP64\n"
            ),
        );
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(&self.path);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    pub fn find(&self, folder: &str, end: &str) -> PathBuf {
        let mut found: Vec<PathBuf> = std::fs::read_dir(self.path.join(folder))
            .expect("a folder")
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with(end) && !path.to_string_lossy().contains(".validate-"))
            .collect();
        found.sort();
        found.pop().unwrap_or_else(|| panic!("no file *{end} in {folder}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Processes whose command line holds a mark.
pub fn processes_with(mark: &str) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let line = std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).unwrap_or_default();
        if pid != std::process::id() as i32 && String::from_utf8_lossy(&line).contains(mark) {
            found.push(pid);
        }
    }
    found
}
