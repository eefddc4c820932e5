//! What can be written on the command line. The texts here are what `--help` shows.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Answers questions about C programs and hands over the evidence.
#[derive(Parser)]
#[command(
    name = "quod",
    disable_version_flag = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Start with `quod run hello.c`. Each message has a code; `quod explain CODE` says more about it."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Print the version and nothing else
    #[arg(long, short = 'V')]
    pub(crate) version: bool,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a program and stop at the first undefined behaviour, with an explanation
    ///
    /// The program gets this command's standard input, and its exit code becomes this command's. Undefined behaviour ends
    /// the run with code 125 and a message that shows every place involved: where memory was allocated, where it was
    /// freed, where a variable was declared and never set.
    #[command(
        after_help = "Examples:\n  quod run hello.c\n  quod run sort.c -- 3 1 2 < numbers.txt\n  quod run --data-model ILP32 -I include prog.c\n  quod run --seed 7 -inputN=5 philosophers.cvl"
    )]
    Run(RunArguments),

    /// Can any execution of the program go wrong?
    ///
    /// Looks at all executions, for all inputs and all schedules, on symbolic values. A violation is replayed on concrete
    /// values before it is reported. The last line on standard output is the answer: `Result: TRUE`, `Result: FALSE(what)`
    /// or `Result: UNKNOWN (why)`.
    #[command(
        after_help = "Examples:\n  quod verify prog.c\n  quod verify --property unreach-call --data-model ILP32 task.i\n  quod verify --min -inputN=3 barrier.cvl"
    )]
    Verify(Box<VerifyArguments>),

    /// Is this evidence good?
    ///
    /// A violation witness is confirmed when an execution that it allows violates the property and can be replayed: `Result:
    /// FALSE(what)`. A correctness witness is confirmed when its invariants hold and carry the proof: `Result: TRUE`. The
    /// program is not verified from scratch: anything else is `Result: UNKNOWN (why)`.
    #[command(
        after_help = "Examples:\n  quod validate witness.yml prog.c\n  quod validate witness.graphml prog.i --property unreach-call --data-model ILP32"
    )]
    Validate(Box<ValidateArguments>),

    /// Do two programs give equal outputs for equal inputs?
    ///
    /// Searches both programs for all values of their `$input` variables, and holds the values of the `$output` variables of
    /// the one against those of the other. Several files a program: `--spec A B --impl C D`.
    #[command(
        after_help = "Examples:\n  quod compare spec.cvl impl.cvl\n  quod compare -inputN=3 --spec driver.cvl a.cvl --impl driver.cvl b.cvl"
    )]
    Compare(Box<CompareArguments>),

    /// Step through a saved counterexample
    ///
    /// Executes the program again on the values and in the order that `quod verify --save-trace` wrote down, and shows each
    /// step: source line, process, and the variables that changed.
    #[command(
        after_help = "Examples:\n  quod verify --save-trace trace.json barrier.cvl\n  quod replay trace.json\n  quod replay --states --from 10 --to 12 trace.json"
    )]
    Replay(ReplayArguments),

    /// Show a program as the tool sees it
    ///
    /// From text to what all engines read: the preprocessed text, the syntax tree, the model (functions as control-flow
    /// graphs in which every implicit check is a step of its own), or the layout of its types.
    #[command(
        after_help = "Examples:\n  quod show --model hello.c\n  quod show --preprocessed -DDEBUG prog.c\n  quod show --layout --data-model ILP32 types.h"
    )]
    Show(ShowArguments),

    /// Explain the code of a message, such as Q1003
    Explain(ExplainArguments),

    /// Answer an SMT-LIB script
    Smt(SmtArguments),

    /// Run verifiers on many programs under limits, and score, compare and report
    ///
    /// Reads benchmark definitions, task sets and tool descriptions in the formats of BenchExec and of the competition, runs
    /// them in control groups, and writes result files, tables and HTML reports.
    Bench(Box<quod_bench::command::BenchArgs>),

    /// Say what this installation can do and what would make it better
    Doctor(DoctorArguments),
}

/// Options of every command that reads a program.
#[derive(Args, Clone)]
pub(crate) struct ProgramArguments {
    /// The program's files: C (.c, .i, .h) or CIVL-C (.cvl); `-` reads standard input; for `verify` also a task definition (.yml)
    #[arg(value_name = "PROGRAM", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIRECTORY", help_heading = "Preprocessor")]
    pub(crate) include_directories: Vec<String>,

    /// Define a macro; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessor")]
    pub(crate) define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    pub(crate) undefine: Vec<String>,

    /// Include this file before the program (also written -include)
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessor")]
    pub(crate) include: Vec<String>,

    /// The version of C (also written -std=): c89 … c23, gnu89 … gnu23
    #[arg(long = "std", value_name = "VERSION", default_value = "c17", value_parser = standard, help_heading = "Language")]
    pub(crate) standard: String,

    /// Signed overflow wraps around and is no error (also written -fwrapv)
    #[arg(long, help_heading = "Language")]
    pub(crate) wrapv: bool,

    /// The language [default: civl for .cvl, else c]
    #[arg(long, value_name = "LANGUAGE", help_heading = "Language")]
    pub(crate) dialect: Option<DialectName>,

    /// Sizes of the machine's types (also written -m32 and -m64) [default: what the task or witness says, else LP64]
    #[arg(long, value_name = "MODEL", ignore_case = true, help_heading = "Language")]
    pub(crate) data_model: Option<DataModelName>,

    /// Bit-precise integers and IEEE floats, or mathematical integers and reals [default: ideal for CIVL-C, else machine]
    #[arg(long, value_name = "ARITHMETIC", help_heading = "Language")]
    pub(crate) arith: Option<ArithName>,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// How messages are written.
#[derive(Args, Clone, Default)]
pub(crate) struct OutputArguments {
    /// How to write what was found
    #[arg(long, value_name = "FORMAT", default_value = "full", help_heading = "Output")]
    pub(crate) format: FormatName,

    /// Colours in messages
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: ColorName,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DialectName {
    C,
    /// CIVL-C as of 2016: who is blocked inside `$atomic` lets others in
    #[value(alias = "civl-2016")]
    Civl,
    /// CIVL-C as of today: who is blocked inside `$atomic` lets nobody in, unless it yields
    #[value(name = "civl-2026")]
    Civl2026,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DataModelName {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DeadlockName {
    /// No process can move
    Absolute,
    /// No process can move, where a message is sent only to who receives it at once
    Potential,
    /// Deadlocks are no errors
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArithName {
    Machine,
    Ideal,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum FormatName {
    /// For people: source lines, labels, notes
    #[default]
    Full,
    /// One line each: file:line:column: error[CODE]: message
    Short,
    /// One JSON document on standard output
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit XML, for build servers
    Junit,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ColorName {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Args)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,

    /// What is asked: a .prp file, one of the competition's words, or a kind of check [default: all checks]
    #[arg(long, value_name = "FILE|NAME", help_heading = "Question")]
    pub(crate) property: Option<String>,

    /// Give an $input variable its value (also written -inputNAME=VALUE)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Question")]
    pub(crate) input: Vec<String>,

    /// Look for this kind of fault, too: division-by-zero, memory-leak, … (may be repeated)
    #[arg(long, value_name = "KIND", value_parser = check_kind, help_heading = "Question")]
    pub(crate) check: Vec<quod_verdict::CheckKind>,

    /// Do not look for this kind of fault (may be repeated)
    #[arg(long, value_name = "KIND", value_parser = check_kind, help_heading = "Question")]
    pub(crate) no_check: Vec<quod_verdict::CheckKind>,

    /// What counts as a deadlock: nobody can move; nobody can move if messages are handed over, not kept; nothing
    #[arg(long, value_name = "WHICH", default_value = "absolute", help_heading = "Question")]
    pub(crate) deadlock: DeadlockName,

    /// Go on past errors until so many are found; each is reported with its shortest trace
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Search")]
    pub(crate) errors: usize,

    /// More processes than this are not looked at; the answer is then unknown
    #[arg(long, value_name = "NUMBER", help_heading = "Search")]
    pub(crate) max_processes: Option<usize>,

    /// Save the counterexample for `quod replay`
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(crate) save_trace: Option<PathBuf>,

    /// Write the evidence to this file, once `quod validate` confirms it
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(crate) witness: Option<PathBuf>,

    /// The format of the witness; `auto` is the oldest of YAML that has such witnesses, and GraphML where YAML has none
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = "Evidence")]
    pub(crate) witness_format: WitnessFormatName,

    /// Write a C test that makes the violation happen when it is compiled with the program
    #[arg(long, value_name = "FILE.c", help_heading = "Evidence")]
    pub(crate) harness: Option<PathBuf>,

    /// Which engine: abstract interpretation or induction (proofs only), the search, or one after the other
    #[arg(long, value_enum, default_value = "auto", help_heading = "Search")]
    pub(crate) engine: EngineArgument,

    /// Say which engine did what, and what it left open
    #[arg(long, help_heading = "Search")]
    pub(crate) explain_strategy: bool,

    /// Find a shortest counterexample
    #[arg(long, help_heading = "Search")]
    pub(crate) min: bool,

    /// Breadth first instead of depth first
    #[arg(long, help_heading = "Search")]
    pub(crate) breadth_first: bool,

    /// Stop after so many moves on each path; the answer is then unknown
    #[arg(long, value_name = "MOVES", help_heading = "Search")]
    pub(crate) max_depth: Option<u64>,

    /// Look at all orders of independent moves, for cross-checks
    #[arg(long, help_heading = "Search")]
    pub(crate) no_reduction: bool,

    /// Report executions that come back to a state and so never end
    #[arg(long, help_heading = "Question")]
    pub(crate) check_termination: bool,

    /// Match states only with those on the way to them: less memory, more time
    #[arg(long, help_heading = "Search")]
    pub(crate) no_save_states: bool,

    /// Keep states themselves, not only their hashes, and compare them
    #[arg(long, help_heading = "Search")]
    pub(crate) compare_states: bool,

    /// Switch away from a process that could go on at most so many times; the answer is then unknown
    #[arg(long, value_name = "NUMBER", help_heading = "Search")]
    pub(crate) preemption_bound: Option<u32>,

    /// Threads of a search that has grown large; as many as the machine has, and one with `--breadth-first`, unless this
    /// says otherwise. With one, each run finds the same trace
    #[arg(long, value_name = "NUMBER", help_heading = "Search", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,

    /// Let the other threads help after so many states, and take turns with them; for checks of the tool itself
    #[arg(long, value_name = "STATES", help_heading = "Search", hide = true)]
    pub(crate) share_after: Option<u64>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Search")]
    pub(crate) timeout: Option<f64>,

    /// Give up when the tool takes more than so many megabytes
    #[arg(long, value_name = "MEGABYTES", help_heading = "Search")]
    pub(crate) memory_limit: Option<u64>,

    /// Write every query to the solver to this file, as SMT-LIB
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub(crate) query_log: Option<String>,
}

#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineArgument {
    Auto,
    Abstract,
    Induction,
    Search,
}

#[derive(Args)]
pub(crate) struct CompareArguments {
    /// How many of the files are the specification's; `--spec` and `--impl` say it in words
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub(crate) spec_files: Option<usize>,

    #[command(flatten)]
    pub(crate) verify: VerifyArguments,
}

#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// What `quod verify --save-trace` wrote
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Show the whole state after each step
    #[arg(long, help_heading = "What to show")]
    pub(crate) states: bool,

    /// Show steps from this number on
    #[arg(long, value_name = "STEP", help_heading = "What to show")]
    pub(crate) from: Option<usize>,

    /// Show steps up to this number
    #[arg(long, value_name = "STEP", help_heading = "What to show")]
    pub(crate) to: Option<usize>,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args)]
pub(crate) struct ValidateArguments {
    /// The witness: YAML (2.0, 2.1, 2.2) or GraphML (1.0)
    #[arg(value_name = "WITNESS")]
    pub(crate) witness: PathBuf,

    #[command(flatten)]
    pub(crate) program: ProgramArguments,

    /// Judge the witness even if the program's hash is another: for witnesses of a program that was reformatted elsewhere
    #[arg(long, help_heading = "Question")]
    pub(crate) ignore_hashes: bool,

    /// What the witness must be about: a .prp file or one of the competition's words [default: what the witness says]
    #[arg(long, value_name = "FILE|NAME", help_heading = "Question")]
    pub(crate) property: Option<String>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "90", help_heading = "Search")]
    pub(crate) timeout: f64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum WitnessFormatName {
    #[default]
    #[value(name = "auto")]
    Auto,
    #[value(name = "yaml-2.0", alias = "2.0", alias = "yaml")]
    Yaml20,
    #[value(name = "yaml-2.1", alias = "2.1")]
    Yaml21,
    #[value(name = "yaml-2.2", alias = "2.2")]
    Yaml22,
    #[value(name = "graphml")]
    GraphMl,
}

#[derive(Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,

    /// Choose schedules and unknown values at random, by this number; without it, the first process that can moves and
    /// unknown values are 0
    #[arg(long, value_name = "NUMBER", help_heading = "Execution")]
    pub(crate) seed: Option<u64>,

    /// Give an $input variable its value (also written -inputNAME=VALUE)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Execution")]
    pub(crate) input: Vec<String>,

    /// Stop after so many steps
    #[arg(long, value_name = "NUMBER", help_heading = "Execution")]
    pub(crate) max_steps: Option<u64>,

    /// Do not stop at this kind of undefined behaviour, but go on with the machine's result: overflow, shift, …
    #[arg(long, value_name = "KIND", value_parser = check_kind, help_heading = "Execution")]
    pub(crate) unchecked: Vec<quod_verdict::CheckKind>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

#[derive(Args)]
#[command(group = clap::ArgGroup::new("what").multiple(true))]
pub(crate) struct ShowArguments {
    /// The text after preprocessing
    #[arg(long, group = "what", help_heading = "What to show")]
    pub(crate) preprocessed: bool,

    /// The syntax tree
    #[arg(long, group = "what", help_heading = "What to show")]
    pub(crate) ast: bool,

    /// The model: control-flow graphs with every check explicit (the default)
    #[arg(long, group = "what", help_heading = "What to show")]
    pub(crate) model: bool,

    /// Sizes, alignments and offsets of the program's types
    #[arg(long, group = "what", help_heading = "What to show")]
    pub(crate) layout: bool,

    /// The first states that `quod verify` looks at, or so many
    #[arg(
        long,
        group = "what",
        value_name = "NUMBER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100",
        help_heading = "What to show"
    )]
    pub(crate) states: Option<usize>,

    /// Give an $input variable its value (also written -inputNAME=VALUE)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "What to show")]
    pub(crate) input: Vec<String>,

    #[command(flatten)]
    pub(crate) program: ProgramArguments,
}

#[derive(Args)]
pub(crate) struct ExplainArguments {
    /// A code (Q1003) or its name (division-by-zero); without one, all codes are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

#[derive(Args)]
pub(crate) struct SmtArguments {
    /// A script in SMT-LIB 2, `-` for standard input
    #[arg(value_name = "FILE.smt2")]
    pub(crate) file: String,
    /// Seconds for each check-sat
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// Ask no solver process, only what is built in
    #[arg(long)]
    pub(crate) embedded: bool,
    /// Ask this solver process only: a name or a path; may be repeated
    #[arg(long, value_name = "SOLVER")]
    pub(crate) solver: Vec<String>,
    /// Write every query that the chain decides to this file, as SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<String>,
}

#[derive(Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

fn standard(word: &str) -> Result<String, String> {
    let years = ["89", "90", "99", "9x", "11", "1x", "17", "18", "23", "2x"];
    let year = word.strip_prefix("gnu").or_else(|| word.strip_prefix('c'));
    let is_known = year.is_some_and(|year| years.contains(&year)) || word.starts_with("iso9899:");
    if is_known {
        Ok(word.to_owned())
    } else {
        Err("the versions are c89, c99, c11, c17, c23 and gnu89 … gnu23".into())
    }
}

fn check_kind(word: &str) -> Result<quod_verdict::CheckKind, String> {
    quod_verdict::CheckKind::from_word(word).ok_or_else(|| {
        let words: Vec<&str> = quod_verdict::CheckKind::ALL.iter().map(|kind| kind.word()).collect();
        format!("the kinds are {}", words.join(", "))
    })
}
