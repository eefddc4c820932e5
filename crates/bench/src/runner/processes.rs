//! What `/proc` says about processes: descendants, memory, CPU time. Used where no control group can be.

use std::fs;

pub fn signal(pid: i32, signal: i32) {
    if pid > 1 {
        // SAFETY: sending a signal touches no memory of ours.
        unsafe { libc::kill(pid, signal) };
    }
}

/// Children of a process, oldest first.
pub fn children(pid: i32) -> Vec<i32> {
    let Ok(text) = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")) else { return Vec::new() };
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// All descendants, by one pass over `/proc`: children of threads other than the first are found, too.
pub fn descendants(ancestor: i32) -> Vec<i32> {
    let mut parents: Vec<(i32, i32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok())
            && let Some(stat) = stat(pid)
        {
            parents.push((pid, stat.parent));
        }
    }
    let mut found = vec![ancestor];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.remove(0);
    found
}

pub struct Stat {
    pub parent: i32,
    /// Seconds of the process and of children that it has waited for.
    pub cpu_time: f64,
    pub resident_bytes: u64,
}

pub fn stat(pid: i32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and may hold anything.
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    // SAFETY: reads constants of the system.
    let (ticks, page) = unsafe { (libc::sysconf(libc::_SC_CLK_TCK), libc::sysconf(libc::_SC_PAGESIZE)) };
    let cpu = number(11)? + number(12)? + number(13)? + number(14)?;
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        cpu_time: cpu as f64 / ticks.max(1) as f64,
        resident_bytes: number(21)? * page.max(1) as u64,
    })
}

/// Sum over a set of processes. Shared pages are counted once each where the kernel tells (`Pss`), else for each.
pub fn usage(pids: &[i32]) -> (f64, u64) {
    let (mut cpu_time, mut memory) = (0.0, 0);
    for &pid in pids {
        if let Some(stat) = stat(pid) {
            cpu_time += stat.cpu_time;
            memory +=
                if pids.len() > 1 { proportional(pid).unwrap_or(stat.resident_bytes) } else { stat.resident_bytes };
        }
    }
    (cpu_time, memory)
}

fn proportional(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Kills all descendants, again and again until none is left: first stopped, so that they cannot fork meanwhile.
pub fn kill_descendants(ancestor: i32) {
    for _ in 0..100 {
        let all = descendants(ancestor);
        if all.is_empty() {
            return;
        }
        for &pid in &all {
            signal(pid, libc::SIGSTOP);
        }
        for &pid in &all {
            signal(pid, libc::SIGKILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
