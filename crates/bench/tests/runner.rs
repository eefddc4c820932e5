//! Runs are measured, limited and contained: with control groups and without, isolated and not.
#![allow(clippy::disallowed_methods)]

mod common;

use common::processes_with;
use quod_bench::runner::machine::Wanted;
use quod_bench::runner::{Live, Machine, Outcome, Request, Termination, run};
use std::time::{Duration, Instant};

/// Ways of running that work on this machine: each kind of measurement and of isolation occurs.
fn machines() -> Vec<Machine> {
    let mut result = Vec::new();
    let ways = [(Wanted::None, true), (Wanted::None, false), (Wanted::Overlay, true), (Wanted::ReadOnly, false)];
    for (wanted, use_cgroups) in ways {
        result.extend(Machine::probe(wanted, false, use_cgroups));
    }
    assert!(!result.is_empty());
    result
}

fn shell(script: &str) -> Request {
    let mut request = Request::new(vec!["/bin/sh".into(), "-c".into(), script.into()]);
    request.wall_time = Some(20.0);
    request
}

fn go(machine: &Machine, request: &Request) -> (Outcome, String) {
    let (outcome, output) = run(machine, request, &Live::default());
    (outcome, String::from_utf8_lossy(&output).into_owned())
}

fn gone(mark: &str) {
    let start = Instant::now();
    while !processes_with(mark).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(5), "still there: {:?}", processes_with(mark));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn exit_codes_signals_and_output() {
    for machine in machines() {
        let (outcome, output) = go(&machine, &shell("echo hello; echo there >&2; exit 7"));
        assert_eq!(
            (outcome.exit_code, outcome.signal, outcome.termination),
            (Some(7), None, None),
            "{}",
            machine.describe()
        );
        assert_eq!(output, "hello\nthere\n");
        let (outcome, _) = go(&machine, &shell("kill -SEGV $$"));
        assert_eq!((outcome.exit_code, outcome.signal), (None, Some(11)), "{}", machine.describe());
        let (outcome, _) = go(&machine, &Request::new(vec!["/no/such/program".into()]));
        assert_eq!(outcome.termination, Some(Termination::Failed));
        assert!(outcome.error.unwrap().contains("/no/such/program"));
    }
}

#[test]
fn cpu_time_of_all_children_is_limited() {
    for machine in machines() {
        // The work is done by grandchildren, one of which has detached itself.
        let burn = "while :; do :; done";
        let mut request = shell(&format!("setsid sh -c '{burn}' & sh -c '{burn}'"));
        request.cpu_time_hard = Some(0.4);
        let (outcome, _) = go(&machine, &request);
        assert_eq!(outcome.termination, Some(Termination::Cputime), "{}: {outcome:?}", machine.describe());
        assert!(outcome.cpu_time >= 0.39 && outcome.cpu_time < 1.5, "{}: {outcome:?}", machine.describe());
    }
}

#[test]
fn sleepers_meet_the_wall_time() {
    for machine in machines() {
        let mut request = shell("sleep 98.7654");
        request.wall_time = Some(0.2);
        let (outcome, _) = go(&machine, &request);
        assert_eq!(outcome.termination, Some(Termination::Walltime), "{outcome:?}");
        assert!(outcome.wall_time >= 0.19 && outcome.wall_time < 3.0, "{outcome:?}");
        assert!(outcome.cpu_time < 0.1, "{outcome:?}");
    }
    gone("98.7654");
}

#[test]
fn double_forks_do_not_escape() {
    for machine in machines() {
        let (outcome, _) =
            go(&machine, &shell("(setsid sh -c 'sleep 97.6543 & sleep 97.6543' &) ; (sleep 97.6543 &); exit 3"));
        assert_eq!(outcome.exit_code, Some(3), "{}", machine.describe());
        assert!(outcome.wall_time < 5.0);
        gone("97.6543");
    }
}

#[test]
fn a_deaf_process_is_killed() {
    for machine in machines() {
        let mut request = shell("trap '' TERM INT HUP; while :; do :; done");
        request.cpu_time_soft = Some(0.15);
        request.cpu_time_hard = Some(0.4);
        let (outcome, _) = go(&machine, &request);
        assert_eq!(outcome.termination, Some(Termination::Cputime), "{}: {outcome:?}", machine.describe());
        // One that listens has its chance to say something before.
        let mut request = shell("trap 'echo bye; exit 4' TERM; while :; do :; done");
        request.cpu_time_soft = Some(0.15);
        request.cpu_time_hard = Some(5.0);
        let (outcome, output) = go(&machine, &request);
        assert_eq!(
            (outcome.termination, output.as_str()),
            (Some(Termination::CputimeSoft), "bye\n"),
            "{}: {outcome:?}",
            machine.describe()
        );
    }
}

#[test]
fn a_fork_bomb_is_contained() {
    for machine in machines().into_iter().filter(|machine| machine.cgroups.measures_cpu()) {
        let mut request = shell("# mark-2f9a\nbomb() { bomb | bomb & bomb; }; bomb");
        request.processes = Some(60);
        request.wall_time = Some(0.5);
        let start = Instant::now();
        let (outcome, _) = go(&machine, &request);
        assert!(start.elapsed() < Duration::from_secs(10), "{outcome:?}");
        gone("mark-2f9a");
    }
    // Without control groups nothing limits the number, but all of a bounded bomb goes.
    for machine in machines().into_iter().filter(|machine| !machine.cgroups.measures_cpu()) {
        let mut request = shell(
            "# mark-3f9a\ni=0; while [ $i -lt 40 ]; do (setsid sleep 96.5432 &); i=$((i+1)); done; sleep 96.5432",
        );
        request.wall_time = Some(0.5);
        go(&machine, &request);
        gone("96.5432");
    }
}

#[test]
fn memory_is_measured_and_limited() {
    // `tail` holds what it may have to print until its input ends.
    let hog = "(head -c 120000000 /dev/zero; sleep 0.4) | tail -c 120000000 | wc -c";
    for machine in machines() {
        let mut request = shell(hog);
        let (outcome, output) = go(&machine, &request);
        assert_eq!(output.trim(), "120000000", "{}: {outcome:?}", machine.describe());
        let memory = outcome.memory.unwrap();
        assert!((115_000_000..200_000_000).contains(&memory), "{}: {memory}", machine.describe());
        request.memory = Some(60_000_000);
        let (outcome, output) = go(&machine, &request);
        assert_eq!(outcome.termination, Some(Termination::Memory), "{}: {outcome:?}", machine.describe());
        assert_ne!(output.trim(), "120000000");
    }
}

#[test]
fn output_and_files_are_limited() {
    for machine in machines() {
        let mut request = shell(
            "i=0; while [ $i -lt 20000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done; echo end",
        );
        request.output_bytes = 10_000;
        let (outcome, output) = go(&machine, &request);
        assert!(outcome.is_output_cut && outcome.output_bytes > 800_000, "{outcome:?}");
        assert!(output.len() < 11_000 && output.ends_with("end\n"), "{}", output.len());
        // Many files that fill the disk, each of them small.
        let mut request = shell(
            "i=0; while [ $i -lt 400 ]; do head -c 1000000 /dev/zero > f$i || exit 9; i=$((i+1)); sleep 0.01; done; exit 0",
        );
        request.files_bytes = Some(20_000_000);
        let (outcome, _) = go(&machine, &request);
        let is_full = outcome.exit_code == Some(9) || outcome.termination == Some(Termination::FilesSize);
        assert!(is_full, "{}: {outcome:?}", machine.describe());
        // One large file.
        let mut request = shell("head -c 100000000 /dev/zero > big; exit $?");
        request.files_bytes = Some(20_000_000);
        let (outcome, _) = go(&machine, &request);
        assert!(outcome.exit_code != Some(0) || outcome.termination.is_some(), "{}: {outcome:?}", machine.describe());
    }
}

#[test]
fn closed_output_ends_nothing_early() {
    for machine in machines() {
        let (outcome, output) = go(&machine, &shell("exec >&- 2>&-; sleep 0.3; exit 5"));
        assert_eq!((outcome.exit_code, output.as_str()), (Some(5), ""), "{}", machine.describe());
        assert!(outcome.wall_time > 0.25, "{outcome:?}");
        // A survivor that keeps the output open does not keep the run open.
        let (outcome, _) = go(&machine, &shell("sleep 95.4321 & exit 6"));
        assert_eq!(outcome.exit_code, Some(6));
        assert!(outcome.wall_time < 3.0, "{outcome:?}");
    }
    gone("95.4321");
}

#[test]
fn isolated_runs_leave_nothing_behind() {
    let folder = common::Folder::new("isolated");
    folder.write("mine.txt", "before");
    for machine in machines().into_iter().filter(|machine| machine.isolation.is_some()) {
        let mut request = shell(
            "cat mine.txt; echo after > mine.txt; echo w > witness.yml; echo x > other; ls /sys/class/net; exit 0",
        );
        request.directory = Some(folder.path.clone());
        request.collect = Some((vec!["**/witness.*".into()], folder.path.join("collected")));
        let (outcome, output) = go(&machine, &request);
        assert_eq!(outcome.exit_code, Some(0), "{outcome:?}");
        assert!(output.starts_with("before"), "{output}");
        assert_eq!(std::fs::read_to_string(folder.path.join("mine.txt")).unwrap(), "before");
        let is_overlay = machine.isolation.unwrap().files == quod_bench::runner::isolation::Files::Overlay;
        assert_eq!(folder.path.join("collected/witness.yml").exists(), is_overlay, "{}", machine.describe());
        assert!(!folder.path.join("collected/other").exists());
        let _ = std::fs::remove_dir_all(folder.path.join("collected"));
        // No network: nothing but the loopback interface, and no way out of it.
        let (outcome, output) = go(&machine, &shell("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '"));
        assert_eq!((outcome.exit_code, output.as_str()), (Some(0), "lo\n"), "{}", machine.describe());
    }
}
