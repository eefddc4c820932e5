//! `--on slurm` against a real Slurm of one node: munge, controller and node are started here, with their files below
//! `target`, and ended in the end. The submitting process is killed once on the way; the same command goes on.

use super::{Place, SHORT_FORM, install, write_tasks};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Our own daemons, ended when dropped.
struct Daemons(Vec<Child>);

impl Drop for Daemons {
    fn drop(&mut self) {
        for child in self.0.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub(super) fn run(place: &Place) -> Result<()> {
    install("slurmctld", &["slurm-wlm", "munge"])?;
    // Sockets have short names, and munge wants folders that others cannot write.
    let state = PathBuf::from(format!("/run/quod-slurm-{}", std::process::id()));
    std::fs::create_dir_all(state.join("state"))?;
    std::fs::create_dir_all(state.join("spool"))?;
    let result = with_slurm(place, &state);
    let _ = std::fs::remove_dir_all(&state);
    result
}

fn with_slurm(place: &Place, state: &Path) -> Result<()> {
    let (configuration, mut daemons) = (state.join("slurm.conf"), Daemons(Vec::new()));
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname")?.trim().to_string();
    let units = std::thread::available_parallelism()?;
    let port = 20_000 + std::process::id() % 10_000 * 2;
    let at = state.display();
    std::fs::write(
        &configuration,
        format!(
            "ClusterName=quod\nSlurmctldHost={host}\nSlurmUser=root\nAuthType=auth/munge\nAuthInfo=socket={at}/munge.sock\n\
             StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\nSlurmctldPidFile={at}/ctld.pid\n\
             SlurmdPidFile={at}/slurmd.pid\nSlurmctldLogFile={at}/ctld.log\nSlurmdLogFile={at}/slurmd.log\n\
             SlurmctldPort={port}\nSlurmdPort={}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU_Memory\nMpiDefault=none\nReturnToService=2\n\
             NodeName={host} CPUs={units} RealMemory=4000 State=UNKNOWN\n\
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            port + 1
        ),
    )?;
    let key: Vec<u8> = std::fs::read("/proc/sys/kernel/random/uuid")?.repeat(30);
    std::fs::write(state.join("munge.key"), key)?;
    crate::shell::run(Command::new("chmod").arg("400").arg(state.join("munge.key")))?;
    let mut start = |program: &str, arguments: Vec<String>| -> Result<()> {
        let mut command = Command::new(program);
        command.args(arguments).env("SLURM_CONF", &configuration).stdout(Stdio::null()).stderr(Stdio::null());
        daemons.0.push(command.spawn().with_context(|| format!("cannot start {program}"))?);
        std::thread::sleep(Duration::from_millis(700));
        Ok(())
    };
    let file = |option: &str, name: &str| format!("--{option}={at}/{name}");
    start(
        "/usr/sbin/munged",
        vec![
            "--foreground".into(),
            "--force".into(),
            file("key-file", "munge.key"),
            file("socket", "munge.sock"),
            file("pid-file", "munge.pid"),
            file("log-file", "munge.log"),
            file("seed-file", "munge.seed"),
        ],
    )?;
    let conf = configuration.to_string_lossy().into_owned();
    start("/usr/sbin/slurmctld", vec!["-D".into(), "-c".into(), "-f".into(), conf.clone()])?;
    start("/usr/sbin/slurmd", vec!["-D".into(), "-f".into(), conf])?;
    wait_for_node(&configuration)?;
    benchmark(place, &configuration)
}

fn wait_for_node(configuration: &Path) -> Result<()> {
    let start = Instant::now();
    loop {
        let output =
            Command::new("sinfo").args(["--noheader", "--format=%T"]).env("SLURM_CONF", configuration).output()?;
        if String::from_utf8_lossy(&output.stdout).trim() == "idle" {
            return Ok(());
        }
        if start.elapsed() > Duration::from_secs(30) {
            bail!("Slurm's node did not come up: {}", String::from_utf8_lossy(&output.stdout));
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn benchmark(place: &Place, configuration: &Path) -> Result<()> {
    let folder = place.fresh("slurm")?;
    write_tasks(&folder, 10)?;
    let mut words = SHORT_FORM.to_vec();
    words.extend(["--memlimit", "200MB", "--cores", "1"]);
    let run = |more: &[&str]| {
        let mut command = Command::new(&place.program);
        command.args(&words).args(more).current_dir(&folder).env("SLURM_CONF", configuration);
        command
    };
    // The submitting process dies with jobs in the queue.
    let mut first = run(&["-o", "cluster", "--on", "slurm"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::sleep(Duration::from_millis(1500));
    first.kill()?;
    first.wait()?;
    let second = run(&["-o", "cluster", "--on", "slurm"]).output()?;
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    if !second.status.success() || !said.contains("resuming") {
        bail!("the benchmark was not continued:\n{said}");
    }
    let local = run(&["-o", "local"]).output()?;
    if !local.status.success() {
        bail!("the local benchmark failed:\n{}", String::from_utf8_lossy(&local.stderr));
    }
    let compare = place.quod_bench(&folder, &["compare", "local", "cluster", "--ignore-time"])?;
    let text = String::from_utf8_lossy(&compare.stdout).into_owned();
    println!("{}", text.trim());
    if !text.contains("10 tasks in both: 0 worse, 0 better, 0 otherwise changed") {
        bail!("the cluster's answers differ from the local ones");
    }
    println!("Slurm: submitted, the submitter killed, collected by the same command; same answers as locally");
    Ok(())
}
