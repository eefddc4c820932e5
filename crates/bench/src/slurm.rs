//! Runs on a Slurm cluster: the runs become job arrays, each job writes its own journal beside the plan, and whoever
//! collects them merges the journals into the benchmark's own. Nothing depends on the submitting terminal: the same
//! command later goes on collecting.

use crate::command::BenchArgs;
use crate::execute::{Settings, is_interrupted, perform};
use crate::input::plan::Plan;
use crate::input::tool;
use crate::journal::{self, Entry, Head, Journal, Record};
use crate::runner::Live;
use crate::{clock, command};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Slurm limits the size of one array; 1001 is its default.
const ARRAY_SIZE: usize = 1000;

pub struct Job<'a> {
    pub plan: &'a Plan,
    pub settings: &'a Settings,
    pub args: &'a command::RunArgs,
    pub base: &'a Path,
}

/// What a worker reads: everything that the submitting process knew.
#[derive(Serialize, Deserialize)]
struct Ticket {
    plan: Plan,
    /// Which runs job number i carries out.
    parts: Vec<Vec<usize>>,
    directory: PathBuf,
    logs: PathBuf,
    files: PathBuf,
    output_bytes: u64,
    files_bytes: Option<u64>,
    processes: Option<u32>,
    is_validation: bool,
    isolation: String,
    has_network: bool,
    no_cgroups: bool,
    /// Slurm's numbers of the arrays, once submitted.
    arrays: Vec<String>,
}

fn run_command(name: &str, arguments: &[String]) -> Result<String, String> {
    let output = Command::new(name).args(arguments).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("`{name}` is not installed: `--on slurm` needs a Slurm client"),
        _ => format!("cannot run {name}: {error}"),
    })?;
    if !output.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn folder(base: &Path) -> PathBuf {
    let path = PathBuf::from(format!("{}.slurm", base.display()));
    std::path::absolute(&path).unwrap_or(path)
}

pub fn execute(
    job: &Job<'_>,
    mut journal: Journal,
    mut records: BTreeMap<usize, Record>,
    err: &mut dyn Write,
) -> Result<BTreeMap<usize, Record>, String> {
    let folder = folder(job.base);
    let ticket_file = folder.join("ticket.json");
    let mut say = |text: String| drop(writeln!(err, "{text}"));
    collect(&folder, &mut records, &mut journal)?;
    let mut ticket: Option<Ticket> =
        std::fs::read(&ticket_file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut is_waiting = ticket.as_ref().is_some_and(|ticket| !queued(&ticket.arrays).is_empty());
    if is_waiting {
        say("the jobs are still in the queue; collecting them".to_string());
    }
    let mut rounds = 0;
    while records.len() < job.plan.runs.len() {
        if !is_waiting {
            // Runs without a result whose jobs are gone: lost with their node, submitted again, but not for ever.
            rounds += 1;
            if rounds > 3 {
                let missing = job.plan.runs.len() - records.len();
                return Err(format!("{missing} runs came back without a result three times; see {}", folder.display()));
            }
            let missing: Vec<usize> = (0..job.plan.runs.len()).filter(|index| !records.contains_key(index)).collect();
            let new = submit(job, &folder, &missing)?;
            say(format!("submitted {} runs to Slurm as {}", missing.len(), new.arrays.join(", ")));
            ticket = Some(new);
        }
        std::thread::sleep(Duration::from_millis(500));
        let arrays = ticket.as_ref().map_or(&[][..], |ticket| &ticket.arrays);
        let still = queued(arrays);
        // First the queue, then the journals: a job that left the queue in between has written its result.
        let before = records.len();
        collect(&folder, &mut records, &mut journal)?;
        if records.len() > before {
            say(format!("[{}/{}] collected, {} in the queue", records.len(), job.plan.runs.len(), still.len()));
        }
        is_waiting = !still.is_empty();
        if is_interrupted() {
            say("the jobs stay in the queue; the same command goes on collecting".to_string());
            return Ok(records);
        }
    }
    journal.end().map_err(|error| error.to_string())?;
    Ok(records)
}

fn submit(job: &Job<'_>, folder: &Path, missing: &[usize]) -> Result<Ticket, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let limits = &job.args.limits;
    let mut ticket = Ticket {
        plan: job.plan.clone(),
        parts: missing.chunks(job.args.runs_per_job.max(1)).map(<[usize]>::to_vec).collect(),
        directory: std::env::current_dir().map_err(|error| error.to_string())?,
        logs: absolute(&job.settings.logs),
        files: absolute(&job.settings.files),
        output_bytes: job.settings.output_bytes,
        files_bytes: job.settings.files_bytes,
        processes: job.settings.processes,
        is_validation: job.settings.is_validation,
        isolation: format!("{:?}", limits.isolation).to_lowercase().replace("readonly", "read-only"),
        has_network: limits.network_access,
        no_cgroups: limits.no_cgroups,
        arrays: Vec::new(),
    };
    write_ticket(folder, &ticket)?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let is_quod = program.file_name().is_some_and(|name| name == "quod");
    let wall = job.plan.limits.wall_time.or(crate::execute::default_wall_time(job.plan.limits.cpu_time_hard));
    for (number, chunk) in ticket.parts.chunks(ARRAY_SIZE).enumerate() {
        let first = number * ARRAY_SIZE;
        let script = format!(
            "#!/bin/sh\n# One job of a benchmark: the runs that the ticket gives to this number.\nexec {}{} worker {} $(({first} + SLURM_ARRAY_TASK_ID))\n",
            quote(&program),
            if is_quod { " bench" } else { "" },
            quote(folder)
        );
        let file = folder.join(format!("job-{number}.sh"));
        std::fs::write(&file, script).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        let most = job.args.parallel.map(|count| format!("%{count}")).unwrap_or_default();
        let mut arguments = vec![
            "--parsable".to_string(),
            format!("--job-name={}", job.plan.name),
            format!("--array=0-{}{most}", chunk.len() - 1),
            "--ntasks=1".to_string(),
            format!("--cpus-per-task={}", job.plan.limits.cores.unwrap_or(1)),
            format!("--output={}", folder.join("job-%A-%a.out").display()),
            format!("--chdir={}", ticket.directory.display()),
            "--no-requeue".to_string(),
        ];
        if let Some(bytes) = job.plan.limits.memory {
            // The harness itself needs a little; the run's own limit is enforced by it.
            arguments.push(format!("--mem={}M", bytes / 1_000_000 + 100));
        }
        if let Some(seconds) = wall {
            let minutes = (seconds * chunk.iter().map(Vec::len).max().unwrap_or(1) as f64 / 60.0).ceil() as u64 + 2;
            arguments.push(format!("--time={minutes}"));
        }
        arguments.extend(job.args.slurm_option.iter().cloned());
        arguments.push(file.to_string_lossy().into_owned());
        let answer = run_command("sbatch", &arguments)?;
        let number = answer.trim().split(';').next().unwrap_or("").to_string();
        ticket.arrays.push(number);
        write_ticket(folder, &ticket)?;
    }
    Ok(ticket)
}

fn write_ticket(folder: &Path, ticket: &Ticket) -> Result<(), String> {
    let file = folder.join("ticket.json");
    let temporary = folder.join(".ticket.json");
    let bytes = serde_json::to_vec(ticket).map_err(|error| error.to_string())?;
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, &file))
        .map_err(|error| error.to_string())
}

fn quote(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

/// Which of our jobs Slurm still knows.
fn queued(arrays: &[String]) -> Vec<String> {
    if arrays.is_empty() {
        return Vec::new();
    }
    let states = ["--noheader", "--array", "--format=%i %T", &format!("--jobs={}", arrays.join(","))].map(String::from);
    let text = run_command("squeue", &states).unwrap_or_default();
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// Takes new results from the workers' journals into the benchmark's.
fn collect(folder: &Path, records: &mut BTreeMap<usize, Record>, journal: &mut Journal) -> Result<(), String> {
    let mut parts: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    parts.sort();
    let known: BTreeSet<usize> = records.keys().copied().collect();
    for part in parts {
        // A worker may be writing its first line just now.
        let Ok(contents) = journal::read(&part) else { continue };
        for (index, record) in contents.records {
            if !known.contains(&index) && !records.contains_key(&index) {
                journal.append(&Entry::Run(Box::new(record.clone()))).map_err(|error| error.to_string())?;
                records.insert(index, record);
            }
        }
    }
    Ok(())
}

/// One job: carries out its runs, each result in a journal of its own.
pub fn worker(folder: &Path, number: usize) -> Result<(), String> {
    let bytes =
        std::fs::read(folder.join("ticket.json")).map_err(|error| format!("cannot read the ticket: {error}"))?;
    let ticket: Ticket = serde_json::from_slice(&bytes).map_err(|error| format!("the ticket is damaged: {error}"))?;
    let part = ticket.parts.get(number).ok_or_else(|| format!("the ticket has no part {number}"))?;
    std::env::set_current_dir(&ticket.directory)
        .map_err(|error| format!("cannot enter the working directory: {error}"))?;
    let tool = tool::find(&ticket.plan.tool_module, (Path::new(""), 0)).map_err(|error| error.to_string())?;
    let isolation = format!("--isolation={}", ticket.isolation);
    let mut words = vec!["bench".to_string(), isolation];
    words.extend(ticket.has_network.then(|| "--network-access".to_string()));
    words.extend(ticket.no_cgroups.then(|| "--no-cgroups".to_string()));
    let limits = BenchArgs::limits_from(&words)?;
    let machine = command::worker_machine(&limits)?;
    let settings = Settings {
        shares: vec![None],
        logs: ticket.logs,
        files: ticket.files,
        output_bytes: ticket.output_bytes,
        files_bytes: ticket.files_bytes,
        processes: ticket.processes,
        is_validation: ticket.is_validation,
    };
    let name = format!("part-{number}-{}-{}.jsonl", clock::stamp(clock::now()), std::process::id());
    let head = Head {
        version: journal::VERSION,
        fingerprint: journal::fingerprint(&ticket.plan),
        date: String::new(),
        start: clock::now(),
        runs: part.len(),
        machine: machine.describe(),
    };
    let mut journal = Journal::create(&folder.join(name), head).map_err(|error| error.to_string())?;
    for &index in part {
        let record = perform(index, &ticket.plan, &tool, &machine, &settings, None, &Live::default());
        journal.append(&Entry::Run(Box::new(record))).map_err(|error| error.to_string())?;
    }
    Ok(())
}
