//! Which processing units each of several parallel runs gets.
//!
//! Two runs never share a physical core, because hyper-threads of one core slow each other down; a run's cores come from
//! one NUMA node where they fit, and its memory from the nodes of its cores.

use std::collections::BTreeMap;
use std::fs;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub cpu: u32,
    pub core: u32,
    pub package: u32,
    pub node: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub cpus: Vec<u32>,
    pub nodes: Vec<u32>,
}

/// The units that this process may use.
pub fn available() -> Vec<Unit> {
    // SAFETY: the set is plain data of the size given.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        set
    };
    let nodes = nodes();
    let number = |path: String| fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<u32>().ok());
    // SAFETY: the index is below the size of the set.
    let is_allowed = |cpu: u32| unsafe { libc::CPU_ISSET(cpu as usize, &set) };
    (0..libc::CPU_SETSIZE as u32)
        .filter(|&cpu| is_allowed(cpu))
        .map(|cpu| {
            let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
            // The first sibling names the core: core ids repeat between packages.
            let siblings = fs::read_to_string(format!("{topology}/thread_siblings_list")).unwrap_or_default();
            let core = siblings.split(['-', ',']).next().and_then(|first| first.trim().parse().ok()).unwrap_or(cpu);
            let package = number(format!("{topology}/physical_package_id")).unwrap_or(0);
            Unit { cpu, core, package, node: nodes.get(&cpu).copied().unwrap_or(0) }
        })
        .collect()
}

fn nodes() -> BTreeMap<u32, u32> {
    let mut result = BTreeMap::new();
    for entry in fs::read_dir("/sys/devices/system/node").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(node) = name.to_str().and_then(|name| name.strip_prefix("node")?.parse().ok()) else { continue };
        for cpu in parse_list(&fs::read_to_string(entry.path().join("cpulist")).unwrap_or_default()) {
            result.insert(cpu, node);
        }
    }
    result
}

/// `0-3,8` as numbers.
pub fn parse_list(text: &str) -> Vec<u32> {
    let mut result = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(low), Ok(high)) = (low.trim().parse::<u32>(), high.trim().parse::<u32>()) {
            result.extend(low..=high.min(low.saturating_add(65_535)));
        }
    }
    result
}

/// One share for each parallel run, or why there are not enough units.
pub fn assign(units: &[Unit], runs: usize, per_run: usize) -> Result<Vec<Share>, String> {
    // Physical cores, by node, then package: neighbours stay together.
    let mut cores: BTreeMap<(u32, u32, u32), Vec<u32>> = BTreeMap::new();
    for unit in units {
        cores.entry((unit.node, unit.package, unit.core)).or_default().push(unit.cpu);
    }
    let mut free: BTreeMap<u32, Vec<Vec<u32>>> = BTreeMap::new();
    for ((node, _, _), cpus) in cores {
        free.entry(node).or_default().push(cpus);
    }
    let mut shares = Vec::new();
    for run in 0..runs {
        let need = |cores: &[Vec<u32>]| cores.iter().map(Vec::len).sum::<usize>() >= per_run;
        // The node with the most free units that alone is enough; else as many nodes as it takes.
        let best = free
            .iter()
            .filter(|(_, cores)| need(cores))
            .max_by_key(|(node, cores)| (cores.iter().map(Vec::len).sum::<usize>(), std::cmp::Reverse(**node)))
            .map(|(&node, _)| node);
        let order: Vec<u32> = best.map_or_else(|| free.keys().copied().collect(), |node| vec![node]);
        let mut share = Share { cpus: Vec::new(), nodes: Vec::new() };
        for node in order {
            let cores = free.entry(node).or_default();
            while share.cpus.len() < per_run && !cores.is_empty() {
                // The core is taken whole, even if not all of its threads are needed.
                let cpus = cores.remove(0);
                share.cpus.extend(cpus.into_iter().take(per_run - share.cpus.len()));
                if !share.nodes.contains(&node) {
                    share.nodes.push(node);
                }
            }
        }
        if share.cpus.len() < per_run {
            let physical = units.iter().map(|unit| unit.core).collect::<std::collections::BTreeSet<_>>().len();
            return Err(format!(
                "{runs} parallel runs with {per_run} processing units each do not fit: {} units on {physical} cores \
                 are free, and run {} finds too few without sharing a core",
                units.len(),
                run + 1
            ));
        }
        share.cpus.sort_unstable();
        shares.push(share);
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two packages, two nodes, four cores each, two threads a core; numbered as Linux does.
    fn server() -> Vec<Unit> {
        (0..16).map(|cpu| Unit { cpu, core: cpu % 8, package: cpu % 8 / 4, node: cpu % 8 / 4 }).collect()
    }

    #[test]
    fn no_core_is_shared_and_nodes_are_kept() {
        let shares = assign(&server(), 2, 4).unwrap();
        assert_eq!(shares[0], Share { cpus: vec![0, 1, 8, 9], nodes: vec![0] });
        assert_eq!(shares[1], Share { cpus: vec![4, 5, 12, 13], nodes: vec![1] });
        let shares = assign(&server(), 8, 1).unwrap();
        let mut cpus: Vec<u32> = shares.iter().flat_map(|share| share.cpus.clone()).collect();
        cpus.sort_unstable();
        assert_eq!(cpus, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(assign(&server(), 9, 1).unwrap_err().contains("sharing a core"));
        assert_eq!(assign(&server(), 1, 16).unwrap()[0].nodes, [0, 1]);
        assert!(assign(&server(), 3, 6).is_err());
        assert_eq!(parse_list("0-3,8"), [0, 1, 2, 3, 8]);
    }
}
