//! Options of `quod bench` and its subcommands.

use crate::input::units::{parse_memory, parse_time};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl BenchArgs {
    /// The limits that some words of a command line give: how workers on other machines learn them.
    pub fn limits_from(words: &[String]) -> Result<LimitArgs, String> {
        #[derive(clap::Parser)]
        struct Words {
            #[command(flatten)]
            limits: LimitArgs,
        }
        <Words as clap::Parser>::try_parse_from(words).map(|words| words.limits).map_err(|error| error.to_string())
    }
}

#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// List verdict changes and slow-downs between two benchmarks; exit 1 on a regression
    Compare(CompareArgs),
    /// Make the HTML report, SVG plots, CSV and JSON from result files
    Report(ReportArgs),
    /// Print score tables: every tool in every category, and the best of each
    Score(ReportArgs),
    /// Read benchmark definitions, category structures or result files and say what is wrong with them
    Check(CheckArgs),
    /// List the tool descriptions that ship with the program, or print one
    Tools(ToolsArgs),
    /// Run one command under limits and print what it used
    Exec(ExecArgs),
    /// Part of a cluster job
    #[command(hide = true)]
    Worker(WorkerArgs),
}

#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// A benchmark definition (XML, as BenchExec reads them)
    pub definition: Option<PathBuf>,
    /// Short form: the tool, by name or as a TOML description
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub tool: Option<String>,
    /// Where the tool is installed, if not on PATH
    #[arg(long, value_name = "DIR")]
    pub tool_directory: Option<PathBuf>,
    /// Short form: patterns of task files, or set files
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    pub tasks: Vec<String>,
    /// Short form: the property, by name or file
    #[arg(long, value_name = "NAME|FILE.prp")]
    pub property: Option<String>,
    /// Further options for the tool
    #[arg(long = "option", value_name = "ARG", allow_hyphen_values = true)]
    pub options: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Runs at the same time
    #[arg(short = 'j', long, alias = "numOfThreads", value_name = "N")]
    pub parallel: Option<u32>,
    /// Only run definitions with this name (wildcards allowed)
    #[arg(long = "run-definition", alias = "rundefinition", value_name = "NAME")]
    pub run_definitions: Vec<String>,
    /// Only task sets with this name (wildcards allowed)
    #[arg(long = "task-set", value_name = "NAME")]
    pub task_sets: Vec<String>,
    /// Name of the benchmark, for its files
    #[arg(long)]
    pub name: Option<String>,
    /// Folder for results
    #[arg(short, long, alias = "outputpath", default_value = "results")]
    pub output: PathBuf,
    /// Pass over lines of set files that match no file, as for a repository that is there only in part
    #[arg(long)]
    pub allow_missing: bool,
    /// Start anew although an unfinished benchmark could be resumed
    #[arg(long)]
    pub fresh: bool,
    /// Validate witnesses with this tool and count only confirmed results
    #[arg(long, value_name = "TOOL")]
    pub validate_with: Option<String>,
    /// Where the validator is installed, if not on PATH
    #[arg(long, value_name = "DIR")]
    pub validator_directory: Option<PathBuf>,
    #[command(flatten)]
    pub scoring: ScoringArgs,
    /// Run on a cluster
    #[arg(long, value_name = "CLUSTER")]
    pub on: Option<Cluster>,
    /// Further options for sbatch
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub slurm_option: Vec<String>,
    /// Runs in one job of the cluster
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub runs_per_job: usize,
    /// Only print the commands
    #[arg(long)]
    pub dry_run: bool,
    /// Leave result files uncompressed
    #[arg(long)]
    pub no_compress: bool,
    /// Make no HTML report
    #[arg(long)]
    pub no_report: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cluster {
    Slurm,
}

#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// CPU time of a run, for instance `60s` or `15 min`
    #[arg(long, value_parser = parse_time, value_name = "TIME")]
    pub timelimit: Option<f64>,
    /// CPU time at which a run is killed, if that is not the time limit
    #[arg(long, value_parser = parse_time, value_name = "TIME")]
    pub hardtimelimit: Option<f64>,
    /// Wall time of a run; the CPU time limit and 30 s if not given
    #[arg(long, value_parser = parse_time, value_name = "TIME")]
    pub walltimelimit: Option<f64>,
    /// Memory of a run, for instance `7GB`
    #[arg(long, alias = "memorylimit", value_parser = parse_memory, value_name = "SIZE")]
    pub memlimit: Option<u64>,
    /// Processing units of a run
    #[arg(long, alias = "limitCores", value_name = "N")]
    pub cores: Option<u32>,
    /// Bytes of output that are kept
    #[arg(long, value_parser = parse_memory, default_value = "2MB", value_name = "SIZE")]
    pub output_limit: u64,
    /// Bytes that a run may write to files
    #[arg(long, value_parser = parse_memory, value_name = "SIZE")]
    pub files_limit: Option<u64>,
    /// Processes and threads that a run may have
    #[arg(long, default_value_t = 5000, value_name = "N")]
    pub processes_limit: u32,
    /// What a run sees of the file system
    #[arg(long, default_value = "auto")]
    pub isolation: IsolationArg,
    /// Let runs use the network
    #[arg(long)]
    pub network_access: bool,
    /// Measure with process groups and sampling even where control groups work
    #[arg(long)]
    pub no_cgroups: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IsolationArg {
    Auto,
    Overlay,
    ReadOnly,
    None,
}

#[derive(Args, Clone, Debug)]
pub struct ScoringArgs {
    /// The competition's year whose schema scores, from 2016
    #[arg(long, default_value_t = crate::score::schema::LATEST)]
    pub year: u16,
    /// A category-structure.yml; without it there are no meta categories
    #[arg(long, value_name = "FILE")]
    pub categories: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// Result files or folders of the older benchmark
    pub old: PathBuf,
    pub new: PathBuf,
    /// A run that takes this many times longer is a slow-down …
    #[arg(long, default_value_t = 1.5)]
    pub slowdown: f64,
    /// … if it also takes this much longer
    #[arg(long, value_parser = parse_time, default_value = "1s")]
    pub slowdown_min: f64,
    /// Slow-downs are listed, but are no regression
    #[arg(long)]
    pub ignore_time: bool,
    #[arg(long, default_value_t = crate::score::schema::LATEST)]
    pub year: u16,
}

#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// Result files, or folders with such
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
    /// Validation results to join
    #[arg(long, value_name = "FILE")]
    pub validation: Vec<PathBuf>,
    #[command(flatten)]
    pub scoring: ScoringArgs,
    /// The HTML file
    #[arg(short, long, default_value = "report.html")]
    pub output: PathBuf,
    /// Also write the plots as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    #[arg(long)]
    pub title: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only the files themselves: patterns and tools that they name are not looked for
    #[arg(long)]
    pub syntax: bool,
}

#[derive(Args, Clone, Debug)]
pub struct ToolsArgs {
    /// Print the description of this tool
    pub name: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct ExecArgs {
    #[command(flatten)]
    pub limits: LimitArgs,
    /// File for the output
    #[arg(long, default_value = "output.log")]
    pub output: PathBuf,
    /// The processing units to use, for instance `0-3`
    #[arg(long, value_name = "LIST")]
    pub on_cores: Option<String>,
    /// Working directory; a private one if not given
    #[arg(long)]
    pub directory: Option<PathBuf>,
    /// How often
    #[arg(long, default_value_t = 1)]
    pub repeat: u32,
    #[arg(required = true, last = true)]
    pub command: Vec<std::ffi::OsString>,
}

#[derive(Args, Clone, Debug)]
pub struct WorkerArgs {
    pub folder: PathBuf,
    pub index: usize,
}
