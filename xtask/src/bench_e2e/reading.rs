//! BenchExec's `table-generator` reads our results, and we read its results; its own runs of a definition and ours give
//! the same answers. And BenchExec's test of tool-info modules accepts ours.

use super::{Place, SHORT_FORM, write_tasks};
use crate::shell;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn run(place: &Place) -> Result<()> {
    let folder = place.fresh("reading")?;
    write_tasks(&folder, 14)?;
    let mut words = SHORT_FORM.to_vec();
    words.extend(["-o", "ours"]);
    place.quod_bench(&folder, &words)?;
    let ours = result_files(&folder.join("ours"))?;
    let mut command = Command::new(place.benchexec("table-generator")?);
    shell::run(command.args(["--quiet", "--outputpath"]).arg(folder.join("tables")).args(&ours))?;
    let table = std::fs::read_dir(folder.join("tables"))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "csv"));
    let Some(table) = table else { bail!("table-generator wrote no table") };
    let text = std::fs::read_to_string(&table)?;
    println!("table-generator made a table with {} rows of our results", text.lines().count() - 3);
    if text.lines().count() != 3 + 14 {
        bail!("the table has the wrong number of rows:\n{text}");
    }

    // The other way: BenchExec runs a tool of its own on the same tasks, and we read what it wrote.
    std::fs::write(
        folder.join("dummy.xml"),
        "<benchmark tool=\"dummy\" timelimit=\"5 s\"><rundefinition name=\"r\"><tasks name=\"all\"><include>tasks/*.yml</include>\
         <propertyfile>tasks/unreach-call.prp</propertyfile></tasks></rundefinition></benchmark>",
    )?;
    let mut command = Command::new(place.benchexec("benchexec")?);
    shell::run(command.args(["--no-container", "dummy.xml", "--outputpath", "theirs/"]).current_dir(&folder))?;
    let output = place.quod_bench(&folder, &["report", "theirs", "ours", "-o", "both.html"])?;
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = summary.lines().take(3).collect();
    println!("{}", lines.join("\n"));
    if !lines.iter().skip(1).all(|line| line.contains(" 14 ")) {
        bail!("not all results of both were read");
    }
    Ok(())
}

fn result_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    Ok(files.filter(|path| path.to_string_lossy().ends_with(".xml.bz2")).collect())
}

/// With a stand-in for the program, because the module only needs its version here.
pub(super) fn tool_info(place: &Place) -> Result<()> {
    let folder = place.fresh("tool-info")?;
    std::fs::write(folder.join("quod"), "#!/bin/sh\necho quod 0.1.0\n")?;
    shell::run(Command::new("chmod").arg("+x").arg(folder.join("quod")))?;
    for (number, (output, expected)) in [
        ("Result: TRUE", "true"),
        ("Result: FALSE(valid-deref)", "false(valid-deref)"),
        ("Result: FALSE(no-data-race)", "false(no-data-race)"),
        ("Result: UNKNOWN (bound reached)", "unknown"),
        ("nothing", "ERROR"),
    ]
    .into_iter()
    .enumerate()
    {
        let log = folder.join(format!("log{number}"));
        std::fs::write(&log, format!("some text\n{output}\n"))?;
        let result = Command::new(place.benchexec("python3")?)
            .args(["-m", "benchexec.test_tool_info", "quod_info.quod", "--no-container", "--tool-directory"])
            .arg(&folder)
            .arg("--tool-output")
            .arg(&log)
            .env("PYTHONPATH", shell::root().join("contrib/benchexec"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(&folder)
            .output()?;
        let text = String::from_utf8_lossy(&result.stderr).into_owned() + &String::from_utf8_lossy(&result.stdout);
        if !result.status.success() || !text.contains(&format!("“{expected}”")) || text.contains("Traceback") {
            bail!("`{output}` was not read as {expected}:\n{text}");
        }
        if number == 0 && !text.contains("'--property', 'PROPERTY.PRP', '--data-model', 'ILP32'") {
            bail!("the command line of a task is wrong:\n{text}");
        }
    }
    println!("test_tool_info accepts the module");
    Ok(())
}
