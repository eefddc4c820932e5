//! One run from the harness's side: starts the supervisor, reads the output, watches the limits, collects the figures.

use super::cgroup::{Cgroup, GroupLimits};
use super::isolation::{self, View};
use super::output::Log;
use super::supervisor::{self, Message, Namespaces, Setup};
use super::{Live, Machine, Outcome, Request, Termination, files, processes};
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Asked once: the answer takes several files to read.
fn online_cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The longest time between two looks at memory and interruption.
const TICK: Duration = Duration::from_millis(100);
static COUNTER: AtomicU32 = AtomicU32::new(0);

/// Runs one command to its end. The second part is its output, as far as it was kept.
pub fn run(machine: &Machine, request: &Request, live: &Live) -> (Outcome, Vec<u8>) {
    let begin = Instant::now();
    match attempt(machine, request, live) {
        Ok((mut outcome, output)) => {
            outcome.overhead = (begin.elapsed().as_secs_f64() - outcome.wall_time).max(0.0);
            (outcome, output)
        }
        Err(error) => {
            let outcome = Outcome { termination: Some(Termination::Failed), error: Some(error), ..Outcome::default() };
            (outcome, Vec::new())
        }
    }
}

fn attempt(machine: &Machine, request: &Request, live: &Live) -> Result<(Outcome, Vec<u8>), String> {
    let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    let shown = request.command.iter().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    let mut log = Log::create(request.log.as_deref(), &shown, request.output_bytes)
        .map_err(|error| format!("cannot write the log: {error}"))?;
    let group = if machine.cgroups.measures_cpu() || machine.cgroups.limits_memory() {
        let limits = GroupLimits {
            memory: request.memory,
            processes: request.processes,
            cores: &request.cores,
            nodes: &request.memory_nodes,
        };
        Some(machine.cgroups.create(&limits).map_err(|error| format!("cannot make a control group: {error}"))?)
    } else {
        None
    };
    let scratch = Scratch::create(&machine.scratch)?;
    let private = scratch.path.join("run");
    let view = machine.isolation.map(|isolation| {
        let bytes = request.files_bytes.or(request.memory);
        let mut needed = request.needed_paths.clone();
        needed.extend(request.directory.clone());
        needed.push(PathBuf::from(&request.command[0]));
        isolation::view(isolation.files, &scratch.path.join("mounts"), bytes, &private, &needed)
    });
    let directory = request.directory.clone().unwrap_or_else(|| private.clone());

    let (control_read, control_write) = pipe()?;
    let (result_read, result_write) = pipe()?;
    let (output_read, output_write) = pipe()?;
    let mut process = Process::start(
        machine,
        request,
        &Plumbing { group: group.as_ref(), view: view.as_ref(), directory: &directory, private: &private },
        (&control_read, &result_write, &output_write),
    )?;
    drop((control_read, result_write, output_write));
    process.control = Some(control_write);

    let mut watch = Watch {
        request,
        live,
        group: group.as_ref(),
        supervisor: process.pid,
        is_nested: machine.isolation.is_some(),
        log: &mut log,
        outcome: Outcome { started, ..Outcome::default() },
        start: None,
        status: None,
        peak: 0,
        cpu_seen: 0.0,
        finished: None,
        failure: None,
        soft_sent: false,
        files_at: machine.isolation.is_none().then(|| (private.clone(), Instant::now())),
        steps: view.as_ref().map_or(&[], |view| view.steps.as_slice()),
        cores: match request.cores.len() {
            0 => online_cores(),
            count => count,
        },
    };
    watch.until_finished(&result_read, &output_read, process.control.as_ref());
    let Watch { mut outcome, status, failure, finished, peak, cpu_seen, .. } = watch;
    log.finish();
    outcome.output_bytes = log.total;
    outcome.is_output_cut = log.total > request.output_bytes;

    let finished = finished.unwrap_or_default();
    outcome.left_over = finished.left_over;
    let rusage = finished.cpu as f64 / 1e9;
    outcome.cpu_time = match group.as_ref().and_then(Cgroup::cpu_time) {
        Some(time) => time,
        None => rusage.max(cpu_seen),
    };
    outcome.memory = match group.as_ref().and_then(Cgroup::memory_peak) {
        Some(bytes) => Some(bytes),
        None => Some(peak.max(finished.largest * 1024)).filter(|&bytes| bytes > 0),
    };
    if outcome.termination.is_none() && group.as_ref().is_some_and(Cgroup::ran_out_of_memory) {
        outcome.termination = Some(Termination::Memory);
    }
    match (failure, status) {
        (Some(failure), _) => {
            outcome.termination = Some(Termination::Failed);
            outcome.error = Some(failure);
        }
        (None, Some(status)) if libc::WIFSIGNALED(status) => outcome.signal = Some(libc::WTERMSIG(status)),
        (None, Some(status)) => outcome.exit_code = Some(libc::WEXITSTATUS(status)),
        // Killed together with its init: what the harness sent.
        (None, None) => outcome.signal = Some(libc::SIGKILL),
    }
    if outcome.termination.is_none() && request.cpu_time_hard.is_some_and(|limit| outcome.cpu_time > limit) {
        outcome.termination = Some(Termination::Cputime);
    }
    if let Some((patterns, target)) = &request.collect {
        let source = match &view {
            None => Some(directory.clone()).filter(|_| request.directory.is_none()),
            Some(view) => Some(written(view, &directory, process.pid)),
        };
        if let Some(source) = source {
            let limit = request.files_bytes.unwrap_or(1 << 30);
            if let Err(error) = files::collect(&source, patterns, target, limit) {
                outcome.error.get_or_insert(format!("cannot copy the result files: {error}"));
            }
        }
    }
    process.dismiss();
    drop(scratch);
    drop(group);
    Ok((outcome, std::mem::take(&mut log.text)))
}

/// Where the writes to a directory are found, seen through the supervisor's mounts.
fn written(view: &View, directory: &Path, supervisor: i32) -> PathBuf {
    let best = view
        .written
        .iter()
        .filter(|(mount, _)| directory.starts_with(mount))
        .max_by_key(|(mount, _)| mount.as_os_str().len());
    let Some((mount, layer)) = best else { return PathBuf::from("/nonexistent") };
    let inside = layer.join(directory.strip_prefix(mount).unwrap_or(Path::new("")));
    PathBuf::from(format!("/proc/{supervisor}/root")).join(inside.strip_prefix("/").unwrap_or(&inside))
}

const PREFIX: &str = "quod-bench-";

/// Removes what harnesses left that were killed over a day ago: a younger one may live in another container.
fn clear_stale(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split('-').next());
        let Some(owner) = owner.filter(|owner| owner.parse::<u32>().is_ok()) else { continue };
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        let is_old = age.is_some_and(|age| age > Duration::from_secs(24 * 60 * 60));
        if is_old && !Path::new("/proc").join(owner).exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The directories of one run outside its view; removed in the end.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn create(base: &Path) -> Result<Self, String> {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        if number == 0 {
            clear_stale(base);
        }
        let path = base.join(format!("{PREFIX}{}-{number}", std::process::id()));
        let result = Self { path };
        for name in ["run", "mounts"] {
            std::fs::create_dir_all(result.path.join(name))
                .map_err(|error| format!("cannot make {}: {error}", result.path.display()))?;
        }
        Ok(result)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

struct Plumbing<'a> {
    group: Option<&'a Cgroup>,
    view: Option<&'a View>,
    directory: &'a Path,
    private: &'a Path,
}

/// The supervisor's process, killed and waited for when dropped.
struct Process {
    pid: i32,
    control: Option<OwnedFd>,
    is_dismissed: bool,
}

impl Process {
    fn start(
        machine: &Machine,
        request: &Request,
        plumbing: &Plumbing<'_>,
        (control, result, output): (&OwnedFd, &OwnedFd, &OwnedFd),
    ) -> Result<Self, String> {
        let arguments: Vec<CString> = request.command.iter().map(|part| c_text(part)).collect::<Result<_, _>>()?;
        let environment = environment(machine, request, plumbing.private)?;
        let pointers = |texts: &[CString]| {
            texts.iter().map(|text| text.as_ptr()).chain(std::iter::once(std::ptr::null())).collect::<Vec<_>>()
        };
        let open = |path: &Path| {
            File::options().write(true).open(path).map_err(|error| format!("cannot open {}: {error}", path.display()))
        };
        let null = File::options().read(true).write(true).open("/dev/null").map_err(|error| error.to_string())?;
        let join: Vec<File> = plumbing
            .group
            .map_or(Ok(Vec::new()), |group| group.join_files().iter().map(|path| open(path)).collect())?;
        let birthplace = plumbing.group.and_then(Cgroup::birthplace);
        let join_unified = birthplace.map(|path| open(&path.join("cgroup.procs"))).transpose()?;
        let birthplace = birthplace.map(File::open).transpose().map_err(|error| error.to_string())?;
        let kill = plumbing.group.and_then(Cgroup::kill_file).map(|path| open(&path)).transpose()?;
        let namespaces = machine.isolation.zip(plumbing.view).map(|(isolation, view)| Namespaces {
            flags: isolation.flags(),
            maps: user_maps(),
            steps: view.steps.clone(),
            root: c_path(&view.root),
            proc: c"/proc".into(),
        });
        let no_group = !machine.cgroups.measures_cpu();
        let setup = Setup {
            path: arguments.first().cloned().ok_or("an empty command")?,
            argv: pointers(&arguments),
            envp: pointers(&environment),
            directory: c_path(plumbing.directory),
            join: join.iter().map(AsRawFd::as_raw_fd).collect(),
            birthplace: birthplace.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            join_unified: join_unified.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            kill: kill.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            control: control.as_raw_fd(),
            result: result.as_raw_fd(),
            output: output.as_raw_fd(),
            null: null.as_raw_fd(),
            affinity: affinity(&request.cores),
            file_size: request.files_bytes,
            cpu_seconds: request.cpu_time_hard.filter(|_| no_group).map(|seconds| seconds.ceil() as u64 + 2),
            namespaces,
        };
        // SAFETY: the child only makes system calls on prepared data and never returns.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            // SAFETY: this is the child; all descriptors are open.
            unsafe { supervisor::supervise(&setup) }
        }
        if pid < 0 {
            return Err(format!("cannot fork: {}", std::io::Error::last_os_error()));
        }
        Ok(Self { pid, control: None, is_dismissed: false })
    }

    fn dismiss(&mut self) {
        if std::mem::replace(&mut self.is_dismissed, true) {
            return;
        }
        if let Some(control) = &self.control {
            order(control, b'D');
        }
        self.control = None;
        let mut status = 0;
        // SAFETY: waits for our own child.
        while unsafe { libc::waitpid(self.pid, &raw mut status, 0) } < 0
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.dismiss();
    }
}

fn order(control: &OwnedFd, byte: u8) {
    // SAFETY: writes one byte from a valid place.
    unsafe { libc::write(control.as_raw_fd(), (&raw const byte).cast(), 1) };
}

struct Watch<'a> {
    request: &'a Request,
    live: &'a Live,
    group: Option<&'a Cgroup>,
    supervisor: i32,
    is_nested: bool,
    log: &'a mut Log,
    outcome: Outcome,
    /// When the tool started, on the monotonic clock, and on ours.
    start: Option<(u64, Instant)>,
    status: Option<i32>,
    peak: u64,
    cpu_seen: f64,
    finished: Option<Message>,
    failure: Option<String>,
    soft_sent: bool,
    files_at: Option<(PathBuf, Instant)>,
    steps: &'a [isolation::Step],
    /// Processing units that can use up CPU time at once.
    cores: usize,
}

impl Watch<'_> {
    fn until_finished(&mut self, result: &OwnedFd, output: &OwnedFd, control: Option<&OwnedFd>) {
        set_nonblocking(output.as_raw_fd());
        let mut output_file = File::from(output.try_clone().unwrap_or_else(|_| null_descriptor()));
        let mut result_file = File::from(result.try_clone().unwrap_or_else(|_| null_descriptor()));
        let mut buffer = vec![0_u8; 65_536];
        let mut is_output_open = true;
        let mut killed_at: Option<Instant> = None;
        while self.finished.is_none() {
            let timeout = self.timeout(killed_at.is_some());
            let mut polls = [
                libc::pollfd { fd: result.as_raw_fd(), events: libc::POLLIN, revents: 0 },
                libc::pollfd { fd: output.as_raw_fd(), events: libc::POLLIN, revents: 0 },
            ];
            let count = if is_output_open { 2 } else { 1 };
            let timeout =
                libc::timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: i64::from(timeout.subsec_nanos()) };
            // SAFETY: the array is valid for `count` entries.
            unsafe { libc::ppoll(polls.as_mut_ptr(), count, &raw const timeout, std::ptr::null()) };
            if is_output_open && polls[1].revents != 0 {
                is_output_open = self.read_output(&mut output_file, &mut buffer);
            }
            if polls[0].revents != 0 {
                match read_message(&mut result_file) {
                    Some(message) => self.take(message),
                    None => break,
                }
            }
            if self.status.is_some() || self.failure.is_some() {
                // The main process is gone: so must be the rest.
                if let Some(group) = self.group
                    && killed_at.is_none()
                {
                    group.kill();
                    killed_at = Some(Instant::now());
                }
                continue;
            }
            if let Some(reason) = self.reason_to_kill() {
                if self.outcome.termination.is_none() || reason != Termination::CputimeSoft {
                    self.outcome.termination = Some(reason);
                }
                if reason == Termination::CputimeSoft {
                    self.soft_sent = true;
                    self.signal_main(libc::SIGTERM);
                } else if killed_at.is_none_or(|time| time.elapsed() > Duration::from_millis(100)) {
                    killed_at = Some(Instant::now());
                    self.kill_everything(control);
                }
            }
        }
        // What is still in the pipe belongs to the log.
        if is_output_open {
            self.read_output(&mut output_file, &mut buffer);
        }
        if let (None, Some((_, start))) = (self.status, self.start) {
            self.outcome.wall_time = start.elapsed().as_secs_f64();
        }
    }

    fn kill_everything(&self, control: Option<&OwnedFd>) {
        match self.group {
            Some(group) => group.kill(),
            None if self.is_nested => {}
            None => processes::kill_descendants(self.supervisor),
        }
        if let Some(control) = control {
            order(control, b'K');
        }
    }

    /// How long nothing can go wrong: a CPU limit cannot be reached earlier than all cores together allow.
    fn timeout(&self, is_ending: bool) -> Duration {
        if is_ending {
            return Duration::from_millis(20);
        }
        let Some((_, start)) = self.start else { return TICK };
        let mut next = TICK;
        if let Some(limit) = self.request.wall_time {
            next = next.min(Duration::from_secs_f64((limit - start.elapsed().as_secs_f64()).max(0.0005)));
        }
        let cores = self.cores;
        let limits = [self.request.cpu_time_hard, self.request.cpu_time_soft.filter(|_| !self.soft_sent)];
        if let Some(limit) = limits.into_iter().flatten().reduce(f64::min) {
            next = next.min(Duration::from_secs_f64(((limit - self.cpu_seen) / cores as f64).max(0.0005)));
        }
        next
    }

    fn reason_to_kill(&mut self) -> Option<Termination> {
        let (_, start) = self.start?;
        let sampled = match self.group {
            Some(group) => (group.cpu_time().unwrap_or(0.0), group.memory_now().unwrap_or(0)),
            None => processes::usage(&processes::descendants(self.supervisor)),
        };
        // A process that ended between two looks must not make the sum go back.
        self.cpu_seen = self.cpu_seen.max(sampled.0);
        self.peak = self.peak.max(sampled.1);
        self.live.cpu_milliseconds.store((self.cpu_seen * 1000.0) as u64, Ordering::Relaxed);
        self.live.memory_bytes.store(sampled.1, Ordering::Relaxed);
        if self.live.stop.load(Ordering::Relaxed) {
            return Some(Termination::Killed);
        }
        let request = self.request;
        if request.cpu_time_hard.is_some_and(|limit| self.cpu_seen >= limit) {
            return Some(Termination::Cputime);
        }
        if request.wall_time.is_some_and(|limit| start.elapsed().as_secs_f64() >= limit) {
            return Some(Termination::Walltime);
        }
        match self.group {
            Some(group) if request.memory.is_some() && group.ran_out_of_memory() => return Some(Termination::Memory),
            None if request.memory.is_some_and(|limit| sampled.1 > limit) => return Some(Termination::Memory),
            _ => {}
        }
        if let (Some(limit), Some((folder, last))) = (request.files_bytes, &mut self.files_at)
            && last.elapsed() > Duration::from_millis(250)
        {
            *last = Instant::now();
            if files::size(folder) > limit {
                return Some(Termination::FilesSize);
            }
        }
        let soft = request.cpu_time_soft.filter(|_| !self.soft_sent);
        soft.filter(|&limit| self.cpu_seen >= limit).map(|_| Termination::CputimeSoft)
    }

    fn signal_main(&self, number: i32) {
        let parent = match self.is_nested {
            true => processes::children(self.supervisor).first().copied(),
            false => Some(self.supervisor),
        };
        if let Some(main) = parent.and_then(|parent| processes::children(parent).first().copied()) {
            processes::signal(main, number);
        }
    }

    fn take(&mut self, message: Message) {
        match message.kind {
            supervisor::STARTED => self.start = Some((message.time, Instant::now())),
            supervisor::ENDED => {
                self.status = Some(message.value);
                let start = self.start.map_or(message.time, |(time, _)| time);
                self.outcome.wall_time = message.time.saturating_sub(start) as f64 / 1e9;
            }
            supervisor::FINISHED => self.finished = Some(message),
            _ => {
                let error = std::io::Error::from_raw_os_error(message.value);
                let what = match message.step {
                    supervisor::STEP_UNSHARE => "make the namespaces".to_string(),
                    supervisor::STEP_FORK => "fork".to_string(),
                    supervisor::STEP_GROUP => "join the control group".to_string(),
                    supervisor::STEP_ROOT => "change the root directory".to_string(),
                    supervisor::STEP_DIRECTORY => "enter the working directory".to_string(),
                    supervisor::STEP_EXEC => format!("start {}", self.request.command[0].to_string_lossy()),
                    supervisor::STEP_MAPS => "map the user in the namespace".to_string(),
                    supervisor::STEP_PROC => "mount /proc".to_string(),
                    number => self.steps.get(number as usize).map_or(String::new(), isolation::Step::describe),
                };
                self.failure = Some(format!("cannot {what}: {error}"));
            }
        }
    }

    /// Whether more may come.
    fn read_output(&mut self, file: &mut File, buffer: &mut [u8]) -> bool {
        loop {
            match file.read(buffer) {
                Ok(0) => return false,
                Ok(count) => self.log.add(&buffer[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return true,
            }
        }
    }
}

fn read_message(file: &mut File) -> Option<Message> {
    let mut bytes = [0_u8; size_of::<Message>()];
    file.read_exact(&mut bytes).ok()?;
    // SAFETY: a message is plain data; every bit pattern is one.
    Some(unsafe { std::ptr::read_unaligned(bytes.as_ptr().cast()) })
}

fn pipe() -> Result<(OwnedFd, OwnedFd), String> {
    let mut ends = [0; 2];
    // SAFETY: the array holds two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(format!("cannot make a pipe: {}", std::io::Error::last_os_error()));
    }
    // SAFETY: both are open and ours.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

fn set_nonblocking(fd: RawFd) {
    // SAFETY: changes a flag of an open descriptor.
    unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_NONBLOCK) };
}

fn null_descriptor() -> OwnedFd {
    File::open("/dev/null").map(OwnedFd::from).unwrap_or_else(|error| panic!("/dev/null cannot be opened: {error}"))
}

fn c_text(text: &OsStr) -> Result<CString, String> {
    CString::new(text.as_bytes()).map_err(|_| "an argument holds a zero byte".to_string())
}

fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

fn affinity(cores: &[u32]) -> Option<libc::cpu_set_t> {
    if cores.is_empty() {
        return None;
    }
    // SAFETY: the set is plain data, and the numbers are below its size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &core in cores.iter().filter(|&&core| (core as usize) < libc::CPU_SETSIZE as usize) {
            libc::CPU_SET(core as usize, &mut set);
        }
        Some(set)
    }
}

fn user_maps() -> Vec<(CString, CString)> {
    if isolation::is_superuser() {
        return Vec::new();
    }
    // SAFETY: no arguments, no memory.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    [
        ("/proc/self/setgroups", "deny".to_string()),
        ("/proc/self/uid_map", format!("{user} {user} 1")),
        ("/proc/self/gid_map", format!("{group} {group} 1")),
    ]
    .into_iter()
    .filter_map(|(file, text)| Some((CString::new(file).ok()?, CString::new(text).ok()?)))
    .collect()
}

/// The harness's own environment, with what the request changes and a home that is the run's own.
fn environment(machine: &Machine, request: &Request, private: &Path) -> Result<Vec<CString>, String> {
    let mut all: std::collections::BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    if machine.isolation.is_none_or(|isolation| isolation.files == isolation::Files::ReadOnly) {
        all.insert("TMPDIR".into(), private.into());
    } else {
        all.remove(OsStr::new("TMPDIR"));
    }
    all.insert("HOME".into(), private.into());
    all.extend(request.environment.iter().cloned());
    all.into_iter()
        .map(|(name, value)| {
            let mut text = name;
            text.push("=");
            text.push(value);
            c_text(&text)
        })
        .collect()
}
