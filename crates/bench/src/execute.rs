//! Carries out a plan: parallel runs on their own cores, each result journalled as it ends.

use crate::input::plan::{Directory, Plan, Run};
use crate::input::tool::Tool;
use crate::journal::{Entry, Journal, Record};
use crate::progress::{Progress, State};
use crate::results::category::{categorize, claim, status};
use crate::runner::cores::Share;
use crate::runner::isolation::Files;
use crate::runner::{Live, Machine, Request, run};
use crate::score::Schema;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Set by Ctrl-C: running commands are ended, finished ones are kept.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn interrupt(_: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// From here on Ctrl-C and SIGTERM end a benchmark in order.
pub fn catch_interrupts() {
    INTERRUPTED.store(false, Ordering::Relaxed);
    let handler = interrupt as extern "C" fn(libc::c_int);
    for number in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only stores to an atomic.
        unsafe { libc::signal(number, handler as libc::sighandler_t) };
    }
}

pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// How runs are carried out, beyond the plan.
#[derive(Clone, Debug)]
pub struct Settings {
    pub shares: Vec<Option<Share>>,
    pub logs: PathBuf,
    pub files: PathBuf,
    pub output_bytes: u64,
    pub files_bytes: Option<u64>,
    pub processes: Option<u32>,
    pub is_validation: bool,
}

/// Wall time that a run may take where nobody says: a run that sleeps must end, too.
pub fn default_wall_time(cpu_time_hard: Option<f64>) -> Option<f64> {
    cpu_time_hard.map(|time| time + 30.0)
}

/// The runner's request for one run of the plan.
pub fn request(plan: &Plan, run: &Run, machine: &Machine, settings: &Settings, share: Option<&Share>) -> Request {
    let mut command = vec![plan.executable.clone().into_os_string()];
    command.extend(run.arguments.iter().map(Into::into));
    let mut request = Request::new(command);
    request.environment = plan.environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let is_overlay = machine.isolation.is_some_and(|isolation| isolation.files == Files::Overlay);
    request.directory = match &run.working_directory {
        Directory::Start if is_overlay => std::env::current_dir().ok(),
        Directory::Start | Directory::Private => None,
        Directory::Fixed(path) => Some(path.clone()),
    };
    let limits = plan.limits;
    request.cpu_time_hard = limits.cpu_time_hard;
    request.cpu_time_soft = limits.cpu_time.filter(|soft| limits.cpu_time_hard.is_some_and(|hard| *soft < hard));
    request.wall_time = limits.wall_time.or(default_wall_time(limits.cpu_time_hard));
    request.memory = limits.memory;
    if let Some(share) = share {
        request.cores = share.cpus.clone();
        request.memory_nodes = share.nodes.clone();
    }
    request.output_bytes = settings.output_bytes;
    request.files_bytes = settings.files_bytes;
    request.processes = settings.processes;
    request.log = Some(settings.logs.join(&run.log_name));
    request.collect = Some((plan.result_files.clone(), files_folder(plan, run, &settings.files)));
    request.needed_paths = run.inputs.iter().chain(&run.required_files).cloned().collect();
    request.needed_paths.extend(run.property.as_ref().and_then(|property| std::path::absolute(&property.file).ok()));
    request.needed_paths.extend(run.task_options.witness.clone());
    request
}

/// `<files>/<run set>/<task>`, as BenchExec lays them out.
pub fn files_folder(plan: &Plan, run: &Run, files: &Path) -> PathBuf {
    let set = plan.run_sets[run.run_set].name.as_deref();
    let name = run.log_name.strip_suffix(".log").unwrap_or(&run.log_name);
    let name = set.and_then(|set| name.strip_prefix(set)?.strip_prefix('.')).unwrap_or(name);
    set.map_or(files.to_path_buf(), |set| files.join(set)).join(name)
}

/// One run, start to record.
pub fn perform(
    index: usize,
    plan: &Plan,
    tool: &Tool,
    machine: &Machine,
    settings: &Settings,
    share: Option<&Share>,
    live: &Live,
) -> Record {
    let planned = &plan.runs[index];
    let request = request(plan, planned, machine, settings, share);
    if let Some((_, folder)) = &request.collect {
        // Files of an attempt that was interrupted are not results.
        let _ = std::fs::remove_dir_all(folder);
    }
    let (outcome, output) = run(machine, &request, live);
    let output = String::from_utf8_lossy(&output);
    let answer = tool.answer(&output, outcome.exit_code, outcome.signal);
    let status = status(&answer, &outcome, plan.limits.cpu_time, request.wall_time);
    let has_property = planned.property.is_some();
    let mut category = categorize(&status, has_property, planned.expected.as_ref());
    if settings.is_validation
        && claim(&status) == crate::results::category::Claim::Nothing
        && category == crate::results::Category::Missing
    {
        category = crate::results::Category::Unknown;
    }
    let values = plan.columns.iter().map(|column| (column.title.clone(), value_from_output(&output, &column.pattern)));
    let files = request.collect.as_ref().map(|(_, folder)| list_files(folder)).unwrap_or_default();
    Record {
        index,
        status,
        category,
        values: values.collect(),
        outcome,
        files,
        cores: request.cores,
        host: std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_string(),
    }
}

fn list_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if let Ok(relative) = entry.path().strip_prefix(folder) {
                found.push(relative.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// The value of a column: the first group of the pattern as a regular expression, or what follows it and a colon.
fn value_from_output(output: &str, pattern: &str) -> String {
    if pattern.contains('(')
        && let Ok(regex) = regex::Regex::new(pattern)
    {
        let found =
            output.lines().find_map(|line| regex.captures(line)?.get(1).map(|found| found.as_str().to_string()));
        return found.unwrap_or_default();
    }
    let found = output.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(pattern)?.trim_start();
        rest.strip_prefix(':').or_else(|| rest.strip_prefix('=')).map(|value| value.trim().to_string())
    });
    found.unwrap_or_default()
}

enum Event {
    Started(usize, usize),
    Finished(usize, Box<Record>),
    Broken(String),
}

/// A benchmark that goes on.
pub struct Session<'a> {
    pub plan: &'a Plan,
    pub tool: &'a Tool,
    pub machine: &'a Machine,
    pub settings: &'a Settings,
    pub schema: &'a Schema,
}

/// Runs what is missing. Returns all records; fewer than runs when it was interrupted.
pub fn execute(
    session: &Session<'_>,
    journal: Journal,
    done: BTreeMap<usize, Record>,
    progress: &mut Progress<'_>,
) -> Result<BTreeMap<usize, Record>, String> {
    let Session { plan, tool, machine, settings, schema } = *session;
    let todo: Vec<usize> = (0..plan.runs.len()).filter(|index| !done.contains_key(index)).collect();
    let mut state = State { total: plan.runs.len(), ..State::default() };
    let points = |record: &Record| schema.points(record.category, claim(&record.status));
    for record in done.values() {
        state.count(record.category, points(record));
    }
    let mut records = done;
    let journal = Mutex::new(journal);
    let next = AtomicUsize::new(0);
    let lives: Vec<Arc<Live>> = settings.shares.iter().map(|_| Arc::default()).collect();
    let begin = Instant::now();
    let (sender, receiver) = channel();
    let mut broken = None;
    std::thread::scope(|scope| {
        for (slot, share) in settings.shares.iter().enumerate() {
            let (sender, live, todo, next, journal) = (sender.clone(), lives[slot].clone(), &todo, &next, &journal);
            scope.spawn(move || {
                while let Some(&index) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if is_interrupted() || live.stop.load(Ordering::Relaxed) {
                        return;
                    }
                    live.cpu_milliseconds.store(0, Ordering::Relaxed);
                    live.memory_bytes.store(0, Ordering::Relaxed);
                    let _ = sender.send(Event::Started(slot, index));
                    let record = perform(index, plan, tool, machine, settings, share.as_ref(), &live);
                    if is_interrupted() || live.stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let written =
                        journal.lock().map(|mut journal| journal.append(&Entry::Run(Box::new(record.clone()))));
                    match written {
                        Ok(Ok(())) => drop(sender.send(Event::Finished(slot, Box::new(record)))),
                        Ok(Err(error)) => {
                            return drop(sender.send(Event::Broken(format!("cannot write the journal: {error}"))));
                        }
                        Err(_) => return,
                    }
                }
            });
        }
        drop(sender);
        let mut running: BTreeMap<usize, (usize, Instant)> = BTreeMap::new();
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(Event::Started(slot, index)) => drop(running.insert(slot, (index, Instant::now()))),
                Ok(Event::Finished(slot, record)) => {
                    running.remove(&slot);
                    state.count(record.category, points(&record));
                    state.done_now += 1;
                    state.elapsed = begin.elapsed().as_secs_f64();
                    let run = &plan.runs[record.index];
                    let name = run.task.to_string_lossy();
                    progress.finished(
                        &state,
                        &name,
                        &record.status,
                        record.category,
                        record.outcome.wall_time,
                        record.outcome.memory,
                    );
                    if let Some(error) = &record.outcome.error {
                        progress.say(&format!("    {error}"));
                    }
                    records.insert(record.index, *record);
                }
                Ok(Event::Broken(message)) => {
                    broken = Some(message);
                    lives.iter().for_each(|live| live.stop.store(true, Ordering::Relaxed));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if is_interrupted() {
                lives.iter().for_each(|live| live.stop.store(true, Ordering::Relaxed));
            }
            state.elapsed = begin.elapsed().as_secs_f64();
            state.running = running
                .iter()
                .map(|(slot, (index, since))| {
                    let live = &lives[*slot];
                    (
                        plan.runs[*index].task.to_string_lossy().into_owned(),
                        since.elapsed().as_secs_f64(),
                        live.cpu_milliseconds.load(Ordering::Relaxed) as f64 / 1000.0,
                        live.memory_bytes.load(Ordering::Relaxed),
                    )
                })
                .collect();
            progress.tick(&state);
        }
        progress.close();
    });
    if let Some(message) = broken {
        return Err(message);
    }
    let all: BTreeSet<usize> = (0..plan.runs.len()).collect();
    if records.keys().copied().collect::<BTreeSet<_>>() == all
        && let Ok(mut journal) = journal.lock()
    {
        journal.end().map_err(|error| error.to_string())?;
    }
    Ok(records)
}
