//! Control groups: the kernel's own accounting and limits for a set of processes. Version 2 where its controllers are
//! delegated to us, version 1 where a controller is mounted and writable. A group is made inside the group that we are
//! in ourselves, so that limits set from outside stay in force.

use super::processes;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where groups can be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgroups {
    cpuacct: Option<PathBuf>,
    memory_v1: Option<PathBuf>,
    freezer: Option<PathBuf>,
    cpuset_v1: Option<PathBuf>,
    pids_v1: Option<PathBuf>,
    /// A version 2 group with, at least, CPU accounting and `cgroup.kill`.
    unified: Option<PathBuf>,
    unified_memory: bool,
    unified_cpuset: bool,
    unified_pids: bool,
}

static COUNTER: AtomicU32 = AtomicU32::new(0);
const PREFIX: &str = "quod-bench-";

impl Cgroups {
    /// What this process may use. Leaves of dead harnesses are cleared on the way.
    pub fn probe() -> Self {
        let mut result = Self::default();
        let Ok(own) = fs::read_to_string("/proc/self/cgroup") else { return result };
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        for line in own.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(id), Some(names), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let path = path.trim_start_matches('/');
            if id == "0" && names.is_empty() {
                if let Some(mount) = mount_of(&mounts, "cgroup2", None) {
                    result.probe_unified(&mount.join(path));
                }
                continue;
            }
            for name in names.split(',') {
                let slot = match name {
                    "cpuacct" => &mut result.cpuacct,
                    "memory" => &mut result.memory_v1,
                    "freezer" => &mut result.freezer,
                    "cpuset" => &mut result.cpuset_v1,
                    "pids" => &mut result.pids_v1,
                    _ => continue,
                };
                *slot = mount_of(&mounts, "cgroup", Some(name))
                    .map(|mount| mount.join(path))
                    .filter(|base| is_usable(base));
            }
        }
        for base in result.bases() {
            clear_stale(base);
        }
        result
    }

    fn probe_unified(&mut self, base: &Path) {
        let base = match base.file_name() {
            Some(name) if name == "quod-bench-harness" => base.parent().unwrap_or(base).to_path_buf(),
            _ => base.to_path_buf(),
        };
        if !is_usable(&base) || !base.join("cgroup.procs").exists() {
            return;
        }
        let controllers = fs::read_to_string(base.join("cgroup.controllers")).unwrap_or_default();
        let wanted: Vec<&str> =
            controllers.split_whitespace().filter(|name| ["cpu", "memory", "pids", "cpuset"].contains(name)).collect();
        if !wanted.is_empty() && !enable(&base, &wanted) {
            return;
        }
        let enabled = fs::read_to_string(base.join("cgroup.subtree_control")).unwrap_or_default();
        let has = |name: &str| enabled.split_whitespace().any(|other| other == name);
        (self.unified_memory, self.unified_cpuset, self.unified_pids) = (has("memory"), has("cpuset"), has("pids"));
        self.unified = Some(base);
    }

    fn bases(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.cpuacct, &self.memory_v1, &self.freezer, &self.cpuset_v1, &self.pids_v1, &self.unified]
            .into_iter()
            .flatten()
    }

    /// CPU time of a group is exact with either version.
    pub fn measures_cpu(&self) -> bool {
        self.cpuacct.is_some() || self.unified.is_some()
    }
    pub fn limits_memory(&self) -> bool {
        self.memory_v1.is_some() || self.unified_memory
    }

    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        let of = |v1: bool, v2: bool| match (v1, v2) {
            (true, _) => Some("v1"),
            (_, true) => Some("v2"),
            _ => None,
        };
        for (name, version) in [
            ("CPU", of(self.cpuacct.is_some(), self.unified.is_some())),
            ("memory", of(self.memory_v1.is_some(), self.unified_memory)),
            ("kill", of(false, self.unified.is_some()).or(of(self.freezer.is_some(), false))),
            ("processes", of(self.pids_v1.is_some(), self.unified_pids)),
            ("cores", of(self.cpuset_v1.is_some(), self.unified_cpuset)),
        ] {
            parts.extend(version.map(|version| format!("{name} {version}")));
        }
        parts.join(", ")
    }

    /// A fresh group with the given limits.
    pub fn create(&self, limits: &GroupLimits<'_>) -> io::Result<Cgroup> {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let mut group = Cgroup::default();
        let make = |base: &Option<PathBuf>, group: &mut Cgroup| -> io::Result<Option<PathBuf>> {
            let Some(base) = base else { return Ok(None) };
            let path = base.join(&name);
            fs::create_dir(&path)?;
            group.directories.push(path.clone());
            Ok(Some(path))
        };
        let result = (|| -> io::Result<()> {
            group.cpuacct = make(&self.cpuacct, &mut group)?;
            group.memory_v1 = make(&self.memory_v1, &mut group)?;
            group.freezer = make(&self.freezer, &mut group)?;
            group.pids_v1 = make(&self.pids_v1, &mut group)?;
            group.unified = make(&self.unified, &mut group)?;
            group.unified_memory = self.unified_memory;
            if let Some(cpuset) = make(&self.cpuset_v1, &mut group)? {
                let base = self.cpuset_v1.as_deref().unwrap_or(Path::new(""));
                let inherit = |name: &str| fs::read_to_string(base.join(name)).unwrap_or_default();
                let cpus = if limits.cores.is_empty() { inherit("cpuset.cpus") } else { list(limits.cores) };
                let nodes = if limits.nodes.is_empty() { inherit("cpuset.mems") } else { list(limits.nodes) };
                fs::write(cpuset.join("cpuset.cpus"), cpus.trim())?;
                fs::write(cpuset.join("cpuset.mems"), nodes.trim())?;
            }
            if let (Some(unified), true) = (&group.unified, self.unified_cpuset) {
                if !limits.cores.is_empty() {
                    fs::write(unified.join("cpuset.cpus"), list(limits.cores))?;
                }
                if !limits.nodes.is_empty() {
                    fs::write(unified.join("cpuset.mems"), list(limits.nodes))?;
                }
            }
            if let Some(bytes) = limits.memory {
                if let Some(memory) = &group.memory_v1 {
                    fs::write(memory.join("memory.limit_in_bytes"), bytes.to_string())?;
                    // Without the second limit a run would swap instead of stopping; not every kernel has it.
                    let _ = fs::write(memory.join("memory.memsw.limit_in_bytes"), bytes.to_string());
                } else if let (Some(unified), true) = (&group.unified, self.unified_memory) {
                    fs::write(unified.join("memory.max"), bytes.to_string())?;
                    let _ = fs::write(unified.join("memory.swap.max"), "0");
                    let _ = fs::write(unified.join("memory.oom.group"), "1");
                }
            }
            if let Some(count) = limits.processes {
                if let Some(pids) = &group.pids_v1 {
                    fs::write(pids.join("pids.max"), count.to_string())?;
                } else if let (Some(unified), true) = (&group.unified, self.unified_pids) {
                    fs::write(unified.join("pids.max"), count.to_string())?;
                }
            }
            Ok(())
        })();
        result.map(|()| group)
    }
}

pub struct GroupLimits<'a> {
    pub memory: Option<u64>,
    pub processes: Option<u32>,
    pub cores: &'a [u32],
    pub nodes: &'a [u32],
}

/// The group of one run. Dropping it removes its directories.
#[derive(Debug, Default)]
pub struct Cgroup {
    directories: Vec<PathBuf>,
    cpuacct: Option<PathBuf>,
    memory_v1: Option<PathBuf>,
    freezer: Option<PathBuf>,
    pids_v1: Option<PathBuf>,
    unified: Option<PathBuf>,
    unified_memory: bool,
}

impl Cgroup {
    /// The files of version 1 a process writes `0` into to join. Moving only the calling thread (`tasks`) needs no lock
    /// over all processors, which `cgroup.procs` takes.
    pub fn join_files(&self) -> Vec<PathBuf> {
        let is_first = |path: &&PathBuf| Some(*path) != self.unified.as_ref();
        self.directories.iter().filter(is_first).map(|path| path.join("tasks")).collect()
    }
    /// The group of version 2, into which a process can be born.
    pub fn birthplace(&self) -> Option<&Path> {
        self.unified.as_deref()
    }
    pub fn kill_file(&self) -> Option<PathBuf> {
        self.unified.as_ref().map(|path| path.join("cgroup.kill")).filter(|path| path.exists())
    }

    /// Seconds.
    pub fn cpu_time(&self) -> Option<f64> {
        if let Some(path) = &self.cpuacct {
            return read_number(&path.join("cpuacct.usage")).map(|nanoseconds| nanoseconds as f64 / 1e9);
        }
        let text = fs::read_to_string(self.unified.as_ref()?.join("cpu.stat")).ok()?;
        field(&text, "usage_usec").map(|microseconds| microseconds as f64 / 1e6)
    }

    pub fn memory_now(&self) -> Option<u64> {
        match (&self.memory_v1, &self.unified) {
            (Some(path), _) => read_number(&path.join("memory.usage_in_bytes")),
            (None, Some(path)) if self.unified_memory => read_number(&path.join("memory.current")),
            _ => None,
        }
    }

    pub fn memory_peak(&self) -> Option<u64> {
        match (&self.memory_v1, &self.unified) {
            (Some(path), _) => read_number(&path.join("memory.memsw.max_usage_in_bytes"))
                .or_else(|| read_number(&path.join("memory.max_usage_in_bytes"))),
            (None, Some(path)) if self.unified_memory => read_number(&path.join("memory.peak")),
            _ => None,
        }
    }

    /// Whether the kernel killed a process of the group because the group was full.
    pub fn ran_out_of_memory(&self) -> bool {
        let file = match (&self.memory_v1, &self.unified) {
            (Some(path), _) => path.join("memory.oom_control"),
            (None, Some(path)) if self.unified_memory => path.join("memory.events"),
            _ => return false,
        };
        fs::read_to_string(file).is_ok_and(|text| field(&text, "oom_kill").is_some_and(|count| count > 0))
    }

    /// Ends every process of the group, also those that are being born.
    pub fn kill(&self) {
        if let Some(file) = self.kill_file()
            && fs::write(file, "1").is_ok()
        {
            return;
        }
        let set_state = |state: &str| {
            if let Some(path) = &self.freezer {
                let _ = fs::write(path.join("freezer.state"), state);
            }
        };
        // Frozen processes cannot fork away; the signal takes effect when they thaw.
        set_state("FROZEN");
        for path in self.directories.iter().take(1) {
            for pid in fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default().split_whitespace() {
                if let Ok(pid) = pid.parse() {
                    processes::signal(pid, libc::SIGKILL);
                }
            }
        }
        set_state("THAWED");
    }

    pub fn has_processes(&self) -> bool {
        let files = self.directories.first().map(|path| path.join("cgroup.procs"));
        files.and_then(|file| fs::read_to_string(file).ok()).is_some_and(|text| !text.trim().is_empty())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        for path in &self.directories {
            // A process that was just killed may take a moment to leave.
            for _ in 0..200 {
                match fs::remove_dir(path) {
                    Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                    _ => break,
                }
            }
        }
    }
}

fn mount_of(mounts: &str, kind: &str, controller: Option<&str>) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let mut parts = line.split(' ').skip(1);
        let (path, of_kind, options) = (parts.next()?, parts.next()?, parts.next()?);
        let has = controller.is_none_or(|name| options.split(',').any(|option| option == name));
        (of_kind == kind && has).then(|| PathBuf::from(path))
    })
}

/// Whether a group can be made there: tried, because permission bits do not tell.
fn is_usable(base: &Path) -> bool {
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let path = base.join(format!("{PREFIX}{}-{number}", std::process::id()));
    fs::create_dir(&path).is_ok() && {
        let _ = fs::remove_dir(&path);
        true
    }
}

/// Version 2 gives controllers only to groups without processes of their own. Where we are the only one in ours, we move
/// into a leaf; where others are in it, too, moving them is not ours to do.
fn enable(base: &Path, controllers: &[&str]) -> bool {
    let text = controllers.iter().map(|name| format!("+{name}")).collect::<Vec<_>>().join(" ");
    let control = base.join("cgroup.subtree_control");
    if fs::write(&control, &text).is_ok() {
        return true;
    }
    let own = std::process::id().to_string();
    let members = fs::read_to_string(base.join("cgroup.procs")).unwrap_or_default();
    if members.split_whitespace().any(|pid| pid != own) {
        return false;
    }
    let leaf = base.join("quod-bench-harness");
    let _ = fs::create_dir(&leaf);
    fs::write(leaf.join("cgroup.procs"), &own).is_ok() && fs::write(&control, &text).is_ok()
}

fn clear_stale(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let Some(pid) = rest.split('-').next().and_then(|pid| pid.parse::<i32>().ok()) else { continue };
        if !Path::new(&format!("/proc/{pid}")).exists() {
            let _ = fs::write(entry.path().join("cgroup.kill"), "1");
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn read_number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}
