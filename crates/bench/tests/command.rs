//! The whole command: results in all forms, resuming after SIGKILL, faults before anything is run.
#![allow(clippy::disallowed_methods)]

mod common;

use common::{Folder, processes_with, text};
use quod_bench::results::{Category, xml_read};
use std::process::Stdio;
use std::time::{Duration, Instant};

const BASE: [&str; 12] = [
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
    "-o",
    "out",
];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    BASE.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn results_in_every_form() {
    let folder = Folder::new("forms").with_tool();
    folder.task("a", "true", "echo w > witness.yml; echo 'Result: TRUE' >> witness.yml; echo 'Result: TRUE'");
    folder.task("b", "false", "echo 'Result: FALSE(unreach-call)'");
    folder.task("c", "false", "echo 'Result: TRUE'");
    folder.task("d", "true", "exit 3");
    folder.task("e", "true", "echo 'Result: UNKNOWN (bound)'");
    let output = folder.run(&with(&["--memlimit", "500MB", "--cores", "1"]));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let set = xml_read::read(&folder.find("out", ".xml.bz2")).unwrap();
    let found: Vec<(&str, Category)> = set.runs.iter().map(|run| (run.status.as_str(), run.category)).collect();
    assert_eq!(
        found,
        [
            ("true", Category::Correct),
            ("false(unreach-call)", Category::Correct),
            ("true", Category::Wrong),
            ("ERROR (3)", Category::Error),
            ("unknown", Category::Unknown)
        ]
    );
    assert_eq!((set.header.tool.as_str(), set.header.version.as_str()), ("Fake", "1.2"));
    assert!(set.runs.iter().all(|run| run.cpu_time.is_some() && run.memory.is_some()));
    let csv = std::fs::read_to_string(folder.find("out", ".csv")).unwrap();
    assert!(csv.lines().nth(3).unwrap().starts_with("../tasks/a.yml\tunreach-call\ttrue\ttrue\tcorrect\t"), "{csv}");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.find("out", ".json")).unwrap()).unwrap();
    assert_eq!(json["schema_version"], 1);
    let html = std::fs::read_to_string(folder.find("out", ".html")).unwrap();
    assert!(html.contains("witness.yml") && !html.contains("https://cdn") && !html.contains("src=\"http"));
    // The summary: 2 correct (2 + 1), one wrong proof (-32).
    assert!(text(&output.stdout).contains("-29"), "{}", text(&output.stdout));
    let score = folder.run(&["score", "out"]);
    assert!(text(&score.stdout).contains("-29"), "{}", text(&score.stdout));

    // A second time with other answers, and the comparison.
    folder.task("a", "true", "echo 'Result: UNKNOWN (x)'");
    let again = folder.run(&[
        "--tool",
        "fake.toml",
        "--tool-directory",
        ".",
        "--tasks",
        "tasks/*.yml",
        "--property",
        "unreach-call",
        "-o",
        "new",
    ]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let compare = folder.run(&["compare", "out", "new"]);
    assert_eq!(compare.status.code(), Some(1));
    assert!(
        text(&compare.stdout).contains("worse   true -> unknown  tasks/a.yml unreach-call"),
        "{}",
        text(&compare.stdout)
    );
    assert_eq!(folder.run(&["compare", "new", "out"]).status.code(), Some(0));
    let report = folder.run(&["report", "out", "new", "-o", "both.html", "--svg", "plots", "--title", "Both"]);
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    let svg = std::fs::read_to_string(folder.path.join("plots/scatter-1-2.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.matches("<circle").count() == 5, "{svg}");
}

#[test]
fn witnesses_are_validated() {
    let folder = Folder::new("validate").with_tool();
    folder.task("a", "true", "echo 'Result: TRUE' | tee witness.yml");
    folder.task("b", "true", "echo 'Result: UNKNOWN' > witness.yml; echo 'Result: TRUE'");
    folder.task("c", "false", "echo 'Result: FALSE(unreach-call)' | tee witness.yml");
    folder.task("d", "false", "echo 'Result: FALSE(unreach-call)'");
    let output = folder.run(&with(&["--validate-with", "fake.toml", "--validator-directory", "."]));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let set = xml_read::read(&folder.find("out", ".xml.bz2")).unwrap();
    use Category::{Correct, CorrectUnconfirmed};
    let found: Vec<Category> = set.runs.iter().map(|run| run.category).collect();
    assert_eq!(found, [Correct, CorrectUnconfirmed, Correct, CorrectUnconfirmed], "{}", text(&output.stderr));
}

/// What must not differ between an interrupted and an uninterrupted benchmark: everything but times, memory, and which
/// of two parallel runs got which core.
fn essence(folder: &Folder) -> Vec<String> {
    let set = xml_read::read(&folder.find("out", ".xml.bz2")).unwrap();
    assert_eq!(set.header.error, None);
    assert!(set.header.end.is_some());
    set.runs
        .iter()
        .map(|run| {
            let values: Vec<String> = run
                .values
                .iter()
                .filter(|(title, ..)| title != "starttime" && title != "cores")
                .map(|(title, value, _)| format!("{title}={value}"))
                .collect();
            format!(
                "{} {:?} {} {} {:?} {:?}",
                run.name,
                run.expected,
                run.status,
                run.category.name(),
                run.files,
                values
            )
        })
        .collect()
}

#[test]
fn killed_at_any_moment_and_resumed() {
    let prepare = || {
        let folder = Folder::new("resume").with_tool();
        for number in 0..12 {
            let answer = if number % 3 == 0 { "FALSE(unreach-call)" } else { "TRUE" };
            let expected = if number % 3 == 0 { "false" } else { "true" };
            folder.task(
                &format!("t{number:02}"),
                expected,
                &format!("sleep 0.0{number}; echo 'Result: {answer}' | tee witness.yml"),
            );
        }
        folder.task("t99", "true", "sleep 0.2; exit 9");
        folder
    };
    let whole = prepare();
    let output = whole.run(&with(&["-j", "2"]));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let folder = prepare();
    let mut kills = 0;
    let mut before = 0;
    for round in 0_u64.. {
        assert!(round < 60, "never ended");
        let mut child =
            folder.command(&with(&["-j", "2"])).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Another moment each time; towards the end it is left alone.
        let wait = Duration::from_millis(60 + 37 * (round % 9));
        let start = Instant::now();
        let mut is_over = false;
        while start.elapsed() < wait || round > 12 {
            if child.try_wait().unwrap().is_some() {
                is_over = true;
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        if !is_over {
            child.kill().unwrap();
            kills += 1;
        }
        let _ = child.wait();
        // What had finished stays finished.
        let journal = std::fs::read_dir(folder.path.join("out"))
            .into_iter()
            .flatten()
            .flatten()
            .find(|entry| entry.path().to_string_lossy().ends_with(".jsonl"));
        if let Some(journal) = journal {
            let done = std::fs::read_to_string(journal.path()).unwrap().matches("\"kind\":\"run\"").count();
            assert!(done >= before, "lost results: {before} before, {done} now");
            before = done;
        }
        if is_over {
            break;
        }
    }
    assert!(kills >= 2, "it was never killed");
    assert_eq!(essence(&folder), essence(&whole));
    let start = Instant::now();
    while !processes_with(&folder.path.to_string_lossy()).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(5), "runs survived their harness");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn faults_are_found_before_anything_runs() {
    let folder = Folder::new("faults").with_tool();
    folder.task("a", "true", "touch ran; echo 'Result: TRUE'");
    let xml = |tool: &str, inside: &str| {
        format!("<benchmark tool=\"{tool}\">\n<rundefinition name=\"r\">\n{inside}\n</rundefinition>\n</benchmark>\n")
    };
    let good = "<tasks><include>tasks/a.yml</include><propertyfile>tasks/unreach-call.prp</propertyfile></tasks>";
    folder.write("good.set", "tasks/*.yml\n");
    folder.write("bad.set", "# tasks\ntasks/*.yml\ntasks/missing-*.yml\n");
    folder.write("broken/x.yml", "format_version: '2.0'\ninput_files: [\n");
    folder.write("broken/y.yml", "format_version: '2.0'\ninput_files: nowhere.c\n");
    let toml = folder.path.join("fake.toml").to_string_lossy().into_owned();
    for (name, content, expected) in [
        ("malformed.xml", "<benchmark tool='x'>\n <rundefinition>\n</benchmark>".to_string(), "malformed.xml:3:"),
        ("unknown.xml", xml(&toml, "<tusks/>"), "unknown.xml:3:"),
        ("missing.xml", xml(&toml, "<tasks><include>nothing/*.yml</include></tasks>"), "missing.xml:3:"),
        ("noset.xml", xml(&toml, "<tasks><includesfile>no.set</includesfile></tasks>"), "noset.xml:3:"),
        ("badset.xml", xml(&toml, "<tasks><includesfile>bad.set</includesfile></tasks>"), "bad.set:3:"),
        ("badyaml.xml", xml(&toml, "<tasks><include>broken/x.yml</include></tasks>"), "x.yml:"),
        ("badinput.xml", xml(&toml, "<tasks><include>broken/y.yml</include></tasks>"), "y.yml:2:"),
        (
            "noprop.xml",
            xml(&toml, "<tasks><include>tasks/a.yml</include><propertyfile>no.prp</propertyfile></tasks>"),
            "noprop.xml:3:",
        ),
        ("notool.xml", xml("klee", good), "notool.xml:1:"),
        ("nosuch.xml", xml("no-such-tool", good), "nosuch.xml:1:"),
    ] {
        folder.write(name, &content);
        let output = folder.run(&[name, "--tool-directory", ".", "-o", "out"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.contains(expected) && message.contains("error[Q6"), "{name}: {message}");
    }
    for (arguments, expected) in [
        (vec!["nowhere.xml"], "nowhere.xml"),
        (vec!["--tool", "fake.toml", "--tool-directory", ".", "--tasks", "nothing-*.yml"], "matches no file"),
        (vec!["--tool", "fake.toml", "--tool-directory", "tasks", "--tasks", "tasks/*.yml"], "not installed"),
        (vec!["--tool", "fake.toml", "--tasks", "tasks/*.yml", "--property", "nonsense"], "no property is named"),
        (vec!["--tool", "fake.toml", "--tasks", "tasks/*.yml", "--year", "2012"], "2016 to 2027"),
        (vec![], "nothing to run"),
        (vec!["compare", "tasks", "tasks"], "no result file"),
    ] {
        let output = folder.run(&arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    // What is there of a set can be run when asked for.
    let output = folder.run(&["badset.xml", "--tool-directory", ".", "--allow-missing", "--dry-run"]);
    assert_eq!((output.status.code(), text(&output.stdout).lines().count()), (Some(0), 1), "{}", text(&output.stderr));
    assert!(!folder.path.join("ran").exists() && !folder.path.join("tasks/ran").exists());
}

#[test]
fn definitions_with_blocks_and_filters() {
    let folder = Folder::new("blocks").with_tool();
    for (name, verdict) in [("a", "true"), ("b", "false"), ("c", "true")] {
        let answer = if verdict == "true" { "TRUE" } else { "FALSE(unreach-call)" };
        folder.task(name, verdict, &format!("echo 'Result: {answer}'; echo \"statistic: $# arguments\""));
    }
    folder.write("all.set", "tasks/*.yml\n");
    folder.write(
        "b.xml",
        &format!(
            "<?xml version=\"1.0\"?>\n<benchmark tool=\"{}\" displayName=\"The Fake\" timelimit=\"5 s\" hardtimelimit=\"6 s\" memlimit=\"200 MB\">\n\
             <resultfiles>**/witness.*</resultfiles><option name=\"--x\">${{rundefinition_name}}</option>\n\
             <rundefinition name=\"r\"><propertyfile>tasks/unreach-call.prp</propertyfile>\n\
             <tasks name=\"Safe\"><includesfile>all.set</includesfile><propertyfile expectedverdict=\"true\">tasks/unreach-call.prp</propertyfile></tasks>\n\
             <tasks name=\"Other\"><include>tasks/*.yml</include><exclude>tasks/c.yml</exclude><option name=\"-o\"/></tasks></rundefinition>\n\
             <rundefinition name=\"unused\"><tasks><include>tasks/a.yml</include></tasks></rundefinition>\n\
             <columns><column title=\"args\">statistic</column></columns></benchmark>\n",
            folder.path.join("fake.toml").display()
        ),
    );
    let dry = folder.run(&["b.xml", "--tool-directory", ".", "--rundefinition", "r", "--dry-run"]);
    let commands = text(&dry.stdout);
    assert_eq!(commands.lines().count(), 4, "{commands}{}", text(&dry.stderr));
    assert!(
        commands.lines().next().unwrap().contains("fake.sh --x r --property") && commands.contains("-o --property")
    );
    let output = folder.run(&["b.xml", "--tool-directory", ".", "--rundefinition", "r", "-o", "out", "--no-compress"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let block = xml_read::read(&folder.find("out", ".results.r.Safe.xml")).unwrap();
    assert_eq!(
        (block.runs.len(), block.header.block.as_deref(), block.label().as_str()),
        (2, Some("Safe"), "The Fake 1.2")
    );
    let whole = xml_read::read(&folder.find("out", ".results.r.xml")).unwrap();
    assert_eq!(whole.runs.len(), 4);
    assert!(block.runs[0].values.iter().any(|(title, value, _)| title == "args" && value.ends_with("arguments")));
    // Two runs of one task have two logs.
    let logs = std::fs::read_dir(folder.find("out", ".logfiles")).unwrap().count();
    assert_eq!(logs, 4);
}
