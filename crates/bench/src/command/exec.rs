//! `quod bench exec`: one command under limits, its figures as `key=value` lines.

use super::Failure;
use super::args::{ExecArgs, IsolationArg, LimitArgs};
use crate::runner::machine::Wanted;
use crate::runner::{Live, Machine, Request, cores};
use std::io::Write;
use std::path::Path;

pub(super) fn machine(limits: &LimitArgs) -> Result<Machine, Failure> {
    let wanted = match limits.isolation {
        IsolationArg::Auto => Wanted::Auto,
        IsolationArg::Overlay => Wanted::Overlay,
        IsolationArg::ReadOnly => Wanted::ReadOnly,
        IsolationArg::None => Wanted::None,
    };
    Machine::probe(wanted, limits.network_access, !limits.no_cgroups).map_err(Failure::Machine)
}

pub(super) fn run(args: &ExecArgs, out: &mut dyn Write) -> Result<i32, Failure> {
    let machine = machine(&args.limits)?;
    let mut command = args.command.clone();
    command[0] = find(&command[0]).into();
    let mut request = Request::new(command);
    let limits = &args.limits;
    request.cpu_time_hard = limits.hardtimelimit.or(limits.timelimit);
    request.cpu_time_soft = limits.timelimit.filter(|_| limits.hardtimelimit.is_some());
    request.wall_time = limits.walltimelimit;
    request.memory = limits.memlimit;
    request.output_bytes = limits.output_limit;
    request.files_bytes = limits.files_limit;
    request.processes = Some(limits.processes_limit);
    request.log = Some(args.output.clone());
    request.directory = args.directory.clone();
    if let Some(list) = &args.on_cores {
        request.cores = cores::parse_list(list);
    } else if let Some(count) = limits.cores {
        let share = cores::assign(&cores::available(), 1, count as usize).map_err(Failure::Machine)?.remove(0);
        (request.cores, request.memory_nodes) = (share.cpus, share.nodes);
    }
    writeln!(out, "machine={}", machine.describe())?;
    for _ in 0..args.repeat.max(1) {
        let (outcome, _) = crate::runner::run(&machine, &request, &Live::default());
        writeln!(out, "starttime={}", crate::clock::iso(outcome.started))?;
        if let Some(reason) = outcome.termination {
            writeln!(out, "terminationreason={}", reason.name())?;
        }
        if let Some(code) = outcome.exit_code {
            writeln!(out, "returnvalue={code}")?;
        }
        if let Some(signal) = outcome.signal {
            writeln!(out, "exitsignal={signal}")?;
        }
        writeln!(out, "walltime={:.9}s\ncputime={:.9}s", outcome.wall_time, outcome.cpu_time)?;
        if let Some(bytes) = outcome.memory {
            writeln!(out, "memory={bytes}B")?;
        }
        writeln!(out, "overhead={:.6}s", outcome.overhead)?;
        writeln!(out, "harnesscputime={:.6}s", own_cpu_time())?;
        if let Some(error) = outcome.error {
            writeln!(out, "error={error}")?;
        }
    }
    Ok(0)
}

/// What this process itself has used: whoever measures it from outside can take that off.
fn own_cpu_time() -> f64 {
    // SAFETY: the structure is plain data and written by the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// As a shell finds it.
fn find(name: &std::ffi::OsStr) -> std::path::PathBuf {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| crate::input::tool_locate::is_executable(path));
    found.unwrap_or_else(|| path.to_path_buf())
}
