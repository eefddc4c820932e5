//! `cargo xtask bench-e2e`: tests of `quod bench` against the programs that it stands beside. They install what they
//! need (BenchExec into a virtual environment below `target`, Chromium and Slurm from Debian), so that they are no part
//! of the ordinary tests.
//!
//! `bench-e2e [runexec|reading|tool-info|browser|slurm]…`, all of them without arguments.

mod browser;
mod reading;
mod runexec;
mod slurm;
mod webdriver;

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A name and a test.
type Part = (&'static str, fn(&Place) -> Result<()>);

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let parts: &[Part] = &[
        ("reading", reading::run),
        ("tool-info", reading::tool_info),
        ("browser", browser::run),
        ("slurm", slurm::run),
        ("runexec", runexec::run),
    ];
    if let Some(unknown) = arguments.iter().find(|name| !parts.iter().any(|(part, _)| part == name)) {
        bail!("there is no part `{unknown}`");
    }
    let place = Place::prepare()?;
    for (name, part) in parts {
        if arguments.is_empty() || arguments.iter().any(|wanted| wanted == name) {
            println!("== {name}");
            part(&place).with_context(|| format!("bench-e2e {name}"))?;
        }
    }
    Ok(())
}

/// Where the tests work, and the program under test.
struct Place {
    folder: PathBuf,
    program: PathBuf,
}

impl Place {
    fn prepare() -> Result<Self> {
        let folder = shell::root().join("target/bench-e2e");
        std::fs::create_dir_all(&folder)?;
        // A program that is built already can be tested as it is.
        if let Some(program) = std::env::var_os("QUOD_BENCH_PROGRAM") {
            return Ok(Self { folder, program: std::path::absolute(program)? });
        }
        shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "quod-bench"]))?;
        Ok(Self { folder, program: shell::root().join("target/release/quod-bench") })
    }

    /// An empty folder.
    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A program of a virtual environment with BenchExec in it.
    fn benchexec(&self, name: &str) -> Result<PathBuf> {
        let venv = self.folder.join("venv");
        if !venv.join("bin/benchexec").exists() {
            let python = if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
            let made = Command::new(python).args(["-m", "venv"]).arg(&venv).status()?;
            if !made.success() {
                shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
            }
            shell::run(Command::new(venv.join("bin/pip")).args(["install", "--quiet", "benchexec==3.35"]))?;
        }
        Ok(venv.join("bin").join(name))
    }

    fn quod_bench(&self, folder: &Path, arguments: &[&str]) -> Result<Output> {
        let output = Command::new(&self.program).args(arguments).current_dir(folder).output()?;
        if !output.status.success() {
            bail!("quod-bench {} failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        Ok(output)
    }
}

/// Installs Debian packages unless the program that they bring is there.
fn install(program: &str, packages: &[&str]) -> Result<()> {
    let exists = |folder: &str| Path::new(folder).join(program).exists();
    if ["/usr/bin", "/usr/sbin", "/usr/local/bin"].iter().any(|folder| exists(folder)) {
        return Ok(());
    }
    shell::run(Command::new("apt-get").args(["install", "--yes", "--quiet"]).args(packages))
}

/// A tool whose inputs are shell scripts, with tasks that answer in different ways.
fn write_tasks(folder: &Path, count: usize) -> Result<()> {
    let tasks = folder.join("tasks");
    std::fs::create_dir_all(&tasks)?;
    std::fs::write(tasks.join("unreach-call.prp"), "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")?;
    std::fs::write(
        folder.join("fake.toml"),
        "name = \"Fake\"\nexecutable = [\"fake.sh\"]\nversion = { arguments = [\"--version\"] }\narguments = [\"{inputs}\"]\n\
         [[verdict]]\npattern = '^Result: TRUE$'\nstatus = \"true\"\n[[verdict]]\npattern = '^Result: FALSE\\((.*)\\)$'\n\
         status = \"false($1)\"\n",
    )?;
    let script = folder.join("fake.sh");
    std::fs::write(&script, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 1.0; exit 0; fi\n. \"$1\"\n")?;
    shell::run(Command::new("chmod").arg("+x").arg(&script))?;
    for number in 0..count {
        let (verdict, answer) = if number % 3 == 0 { ("false", "FALSE(unreach-call)") } else { ("true", "TRUE") };
        let work = match number % 7 {
            5 => "exit 3".to_string(),
            _ => format!("i=0; while [ $i -lt {} ]; do i=$((i+1)); done; echo 'Result: {answer}'", number * 500),
        };
        std::fs::write(tasks.join(format!("t{number:03}.c")), work + "\n")?;
        std::fs::write(
            tasks.join(format!("t{number:03}.yml")),
            format!(
                "format_version: '2.0'\ninput_files: 't{number:03}.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
                 expected_verdict: {verdict}\n"
            ),
        )?;
    }
    Ok(())
}

const SHORT_FORM: [&str; 10] = [
    "--tool",
    "fake.toml",
    "--tool-directory",
    ".",
    "--tasks",
    "tasks/*.yml",
    "--property",
    "unreach-call",
    "--timelimit",
    "5s",
];
