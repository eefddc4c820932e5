//! Side by side with BenchExec's `runexec` in one run. For CPU time and memory one and the same process is measured both
//! ways: `runexec` runs our harness, which runs the command, so that its group contains ours; what our harness used
//! itself is taken off. Reasons of termination are compared command by command.

use super::Place;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const HOG: &str =
    "import sys, time\nx = bytearray(int(sys.argv[1]))\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(0.3)\n";
const LOOP: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

/// Name, limits for `runexec`, the same for us, command.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], Vec<&'a str>);

fn values(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect()
}

fn number(values: &BTreeMap<String, String>, key: &str) -> Result<f64> {
    let text = values.get(key).with_context(|| format!("no {key} in {values:?}"))?;
    Ok(text.trim_end_matches(['s', 'B']).parse()?)
}

pub(super) fn run(place: &Place) -> Result<()> {
    let folder = place.fresh("runexec")?;
    std::fs::write(folder.join("hog.py"), HOG)?;
    let python = place.benchexec("python3")?.to_string_lossy().into_owned();
    let hog = folder.join("hog.py").to_string_lossy().into_owned();
    let shell = |script: String| vec!["/bin/sh".to_string(), "-c".to_string(), script];
    let commands: Vec<(&str, Vec<String>)> = vec![
        ("CPU-bound", shell(LOOP.to_string())),
        ("memory hog", vec![python.clone(), hog.clone(), "200000000".to_string()]),
        ("forking", shell(format!("for k in 1 2 3 4; do ({LOOP}) & done; wait"))),
        ("sleeping", shell("sleep 1".to_string())),
        ("double-forking", shell(format!("(setsid sh -c '{LOOP}' &); sleep 2"))),
    ];
    println!("{:<16} {:>12} {:>12} {:>10} {:>10} {:>10}", "command", "runexec CPU", "ours", "runexec MB", "ours", "");
    for (name, command) in &commands {
        both(place, &folder, name, command)?;
    }
    reasons(place, &folder, &python, &hog)?;
    overhead(place, &folder)
}

fn both(place: &Place, folder: &Path, name: &str, command: &[String]) -> Result<()> {
    let outer = folder.join("outer.log");
    let output = Command::new(place.benchexec("runexec")?)
        .args(["--no-container", "--quiet", "--output"])
        .arg(&outer)
        .args(["--walltimelimit", "60", "--"])
        .arg(&place.program)
        .args(["exec", "--isolation", "none", "--output"])
        .arg(folder.join("inner.log"))
        .arg("--")
        .args(command)
        .output()?;
    let theirs = values(&String::from_utf8_lossy(&output.stdout));
    let ours = values(&std::fs::read_to_string(&outer)?);
    let (their_cpu, our_cpu) =
        (number(&theirs, "cputime")? - number(&ours, "harnesscputime")?, number(&ours, "cputime")?);
    let (their_memory, our_memory) = (number(&theirs, "memory")? / 1e6, number(&ours, "memory")? / 1e6);
    println!("{name:<16} {their_cpu:>11.3}s {our_cpu:>11.3}s {their_memory:>10.1} {our_memory:>10.1}");
    if (their_cpu - our_cpu).abs() > (0.02 * their_cpu).max(0.010) {
        bail!("{name}: CPU times differ: {their_cpu} and {our_cpu}");
    }
    // Small processes are dominated by the pages of our own harness; the hog is what is to be measured.
    if our_memory > 50.0 && (their_memory - our_memory).abs() > 0.05 * their_memory {
        bail!("{name}: memory differs: {their_memory} and {our_memory} MB");
    }
    Ok(())
}

fn reasons(place: &Place, folder: &Path, python: &str, hog: &str) -> Result<()> {
    let cases: [Case<'_>; 5] = [
        ("CPU time", &["--timelimit", "1"], &["--timelimit", "1s"], vec!["/bin/sh", "-c", "while :; do :; done"]),
        ("wall time", &["--walltimelimit", "1"], &["--walltimelimit", "1s"], vec!["/bin/sleep", "30"]),
        ("memory", &["--memlimit", "50MB"], &["--memlimit", "50MB"], vec![python, hog, "200000000"]),
        ("exit code", &[], &[], vec!["/bin/sh", "-c", "exit 7"]),
        ("signal", &[], &[], vec!["/bin/sh", "-c", "kill -SEGV $$"]),
    ];
    for (name, their_limits, our_limits, command) in cases {
        let output = Command::new(place.benchexec("runexec")?)
            .args(["--no-container", "--quiet", "--output", "/dev/null"])
            .args(their_limits)
            .arg("--")
            .args(&command)
            .output()?;
        let theirs = values(&String::from_utf8_lossy(&output.stdout));
        let log = folder.join("own.log");
        let mut words = vec!["exec", "--output", log.to_str().unwrap_or("own.log")];
        words.extend(our_limits);
        words.push("--");
        words.extend(&command);
        let ours = values(&String::from_utf8_lossy(&place.quod_bench(folder, &words)?.stdout));
        let pick = |values: &BTreeMap<String, String>| {
            ["terminationreason", "returnvalue", "exitsignal"].map(|key| values.get(key).cloned().unwrap_or_default())
        };
        println!("{name:<16} runexec {:?}, ours {:?}", pick(&theirs), pick(&ours));
        if pick(&theirs) != pick(&ours) {
            bail!("{name}: the reasons of termination differ");
        }
    }
    Ok(())
}

/// What a run costs beyond the command: twenty times `true`, in one process each way.
fn overhead(place: &Place, folder: &Path) -> Result<()> {
    let script = "import time, logging, sys\nfrom benchexec.runexecutor import RunExecutor\nlogging.disable(logging.INFO)\n\
                  r = RunExecutor(use_namespaces=False)\nall = []\nfor i in range(20):\n    t = time.monotonic()\n    \
                  x = r.execute_run(['/bin/true'], '/dev/null')\n    all.append(time.monotonic() - t - float(x['walltime']))\n\
                  all.sort()\nprint(all[0], all[len(all) // 2])\n";
    let output = Command::new(place.benchexec("python3")?).args(["-c", script]).output()?;
    let theirs: Vec<f64> =
        String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if theirs.len() != 2 {
        bail!("BenchExec did not say its overhead: {}", String::from_utf8_lossy(&output.stderr));
    }
    for isolation in ["none", "overlay", "read-only"] {
        let log = folder.join("true.log");
        let words = [
            "exec",
            "--isolation",
            isolation,
            "--repeat",
            "20",
            "--output",
            log.to_str().unwrap_or("true.log"),
            "--",
            "/bin/true",
        ];
        let text = String::from_utf8_lossy(&place.quod_bench(folder, &words)?.stdout).into_owned();
        let mut all: Vec<f64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("overhead=")?.trim_end_matches('s').parse().ok())
            .collect();
        all.sort_by(f64::total_cmp);
        // The machine may be busy with other things, which slows both: the least is what the run itself costs, and on a
        // machine where BenchExec needs much longer than usual ours may, too.
        let (least, median) = (all[0], all[all.len() / 2]);
        println!(
            "overhead of a run, isolation {isolation}: least {:.1} ms, median {:.1} ms (BenchExec without container: least {:.1} ms, median {:.1} ms)",
            least * 1e3,
            median * 1e3,
            theirs[0] * 1e3,
            theirs[1] * 1e3
        );
        // Read-only is what is left where overlays do not work; it is shown, but not what runs normally cost.
        if isolation != "read-only" && least > f64::max(0.020, theirs[0] / 3.0) {
            bail!("the overhead is above 20 ms");
        }
    }
    Ok(())
}
