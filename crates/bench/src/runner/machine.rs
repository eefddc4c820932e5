//! What this machine lets us do, found out once by trying.

use super::cgroup::Cgroups;
use super::isolation::{Files, Isolation};
use super::{Request, Termination};
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Machine {
    pub cgroups: Cgroups,
    pub isolation: Option<Isolation>,
    /// Folder for the directories of runs.
    pub scratch: PathBuf,
}

/// What the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wanted {
    /// The best that works.
    #[default]
    Auto,
    Overlay,
    ReadOnly,
    None,
}

impl Machine {
    /// Tries the kinds of isolation with a trivial command until one works.
    pub fn probe(wanted: Wanted, has_network: bool, use_cgroups: bool) -> Result<Self, String> {
        let cgroups = if use_cgroups { Cgroups::probe() } else { Cgroups::default() };
        let mut machine = Self { cgroups, isolation: None, scratch: std::env::temp_dir() };
        let kinds: &[Files] = match wanted {
            Wanted::None => return Ok(machine),
            Wanted::Auto => &[Files::Overlay, Files::ReadOnly],
            Wanted::Overlay => &[Files::Overlay],
            Wanted::ReadOnly => &[Files::ReadOnly],
        };
        let mut reason = String::new();
        for &files in kinds {
            machine.isolation = Some(Isolation { files, has_network });
            let outcome = super::run(&machine, &Request::new(vec!["/bin/true".into()]), &super::Live::default()).0;
            if outcome.termination != Some(Termination::Failed) && outcome.exit_code == Some(0) {
                return Ok(machine);
            }
            reason = outcome.error.unwrap_or_else(|| format!("the trial ended with {:?}", outcome.exit_code));
        }
        machine.isolation = None;
        match wanted {
            Wanted::Auto => Ok(machine),
            _ => Err(format!("this kind of isolation does not work here: {reason}")),
        }
    }

    /// For people and for the result file.
    pub fn describe(&self) -> String {
        let limits = if self.cgroups.measures_cpu() {
            format!("control groups ({})", self.cgroups.describe())
        } else {
            "process groups with rlimits, sampled memory".to_string()
        };
        let isolation = self.isolation.map_or("no isolation".to_string(), Isolation::describe);
        format!("{limits}; {isolation}")
    }
}
