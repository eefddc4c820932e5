//! The machine and its environment, as the result file records them.

use crate::results::System;
use std::fs;

pub fn describe() -> System {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let first = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_string()).unwrap_or_default()
    };
    let cpu = read("/proc/cpuinfo");
    let memory = first(&read("/proc/meminfo"), "MemTotal").trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024;
    let frequency = read("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").trim().parse::<u64>().ok();
    let turbo = match read("/sys/devices/system/cpu/cpufreq/boost").trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    };
    System {
        host: read("/proc/sys/kernel/hostname").trim().to_string(),
        os: format!("Linux-{}", read("/proc/sys/kernel/osrelease").trim()),
        cpu: first(&cpu, "model name"),
        cores: cpu.lines().filter(|line| line.starts_with("processor")).count().to_string(),
        frequency: frequency.map(|kilohertz| format!("{}Hz", kilohertz * 1000)),
        turbo,
        memory,
        environment: environment(),
    }
}

/// All variables but those whose names speak of secrets: result files are published.
fn environment() -> Vec<(String, String)> {
    const SECRETS: [&str; 6] = ["TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH"];
    let mut all: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, value)| {
            let upper = name.to_uppercase();
            !SECRETS.iter().any(|word| upper.contains(word)) && !value.contains("://")
        })
        .collect();
    all.sort();
    all
}
