//! `quod bench DEFINITION` and the short form: plan, run or resume, write everything.

use super::Failure;
use super::args::{Cluster, RunArgs};
use super::compare::schema;
use super::outputs::{Wanted, summary, write_file, write_results, write_views};
use crate::collect::{self, Named};
use crate::execute::{self, Settings};
use crate::input::definition::{self, Definition, Limits, PropertyRef, RunDefinition, TaskSet};
use crate::input::error::{InputError, code};
use crate::input::pattern::Pattern;
use crate::input::plan::{self, Plan, Selection};
use crate::input::tool::{self, Tool};
use crate::input::{property, tool_locate};
use crate::journal::{self, Contents, Entry, Head, Journal, Record};
use crate::progress::Progress;
use crate::runner::{Machine, cores};
use crate::score::{Schema, Structure};
use crate::view::Source;
use crate::{clock, slurm, system};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// One benchmark that was carried out.
pub(super) struct Finished {
    pub(super) plan: Plan,
    pub(super) base: PathBuf,
    pub(super) records: BTreeMap<usize, Record>,
    pub(super) sets: Vec<Named>,
}

pub(super) fn run(args: &RunArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<i32, Failure> {
    let schema = schema(args.scoring.year)?;
    let structure = args.scoring.categories.as_deref().map(Structure::read).transpose()?;
    let mut definition = match (&args.definition, &args.tool) {
        (Some(file), _) => definition::read(file)?,
        (None, Some(_)) => short_form(args)?,
        (None, None) => {
            let message = "nothing to run: give a benchmark definition, or --tool and --tasks";
            return Err(InputError::option(code::BAD_VALUE, message).help("quod bench --help").into());
        }
    };
    if let (Some(_), Some(tool)) = (&args.definition, &args.tool) {
        definition.tool = tool.clone();
    }
    let validator = args
        .validate_with
        .as_deref()
        .map(|name| find_tool(name, args.validator_directory.as_deref(), (Path::new(""), 0)))
        .transpose()?;
    if validator.is_some() && !definition.result_files.is_empty() {
        definition.result_files.push("**/witness.*".to_string());
    }
    let asked_at = (definition.file.as_path(), definition.tool_line);
    let (mut tool, executable) = match find_tool(&definition.tool, args.tool_directory.as_deref(), asked_at) {
        Ok(found) => found,
        Err(error) => {
            // Faults of the definition are worth knowing as well: they are found without the tool.
            let mut errors = vec![error];
            if let Ok(tool) = tool::find(&definition.tool, asked_at)
                && let Err(more) = plan::make(&definition, &tool, Path::new("tool"), "", &selection(args, "")?)
            {
                errors.extend(more.0);
            }
            return Err(crate::input::InputErrors(errors).into());
        }
    };
    if validator.is_some() && tool.witness_files.is_empty() {
        tool.witness_files = vec!["**/witness.*".to_string()];
    }
    let mut selection = selection(args, "")?;
    if validator.is_some() {
        selection.extra_options.extend(tool.witness_options.iter().cloned());
    }
    let version = tool_locate::version(&tool, &executable);
    if args.dry_run {
        let plan = plan::make(&definition, &tool, &executable, &version, &selection)?;
        for run in &plan.runs {
            writeln!(out, "{} {}", plan.executable.display(), run.arguments.join(" "))?;
        }
        return Ok(0);
    }
    execute::catch_interrupts();
    let make = |date: &str| {
        let selection = Selection { date: date.to_string(), ..selection.clone() };
        plan::make(&definition, &tool, &executable, &version, &selection)
    };
    let finished = carry_out(args, &make, &tool, schema, false, err)?;
    let mut sets = finished.sets;
    if let Some((validator, validator_path)) = &validator {
        super::validate::validate(
            args,
            &finished.plan,
            &finished.base,
            &finished.records,
            (validator, validator_path),
            schema,
            &mut sets,
            err,
        )?;
        write_results(&finished.base, &sets, !args.no_compress)?;
    }
    publish(args, &finished.plan, &finished.base, &finished.records, &sets, structure.as_ref(), schema, out, err)?;
    mark_published(&finished.base)?;
    Ok(0)
}

/// From here on the same command starts a new benchmark.
fn mark_published(base: &Path) -> Result<(), Failure> {
    let path = PathBuf::from(format!("{}.journal.jsonl", base.display()));
    let contents = journal::read(&path)?;
    Journal::resume(&path, &contents)?.append(&Entry::Published { time: clock::now() })?;
    Ok(())
}

fn find_tool(name: &str, directory: Option<&Path>, asked_at: (&Path, u32)) -> Result<(Tool, PathBuf), InputError> {
    let tool = tool::find(name, asked_at)?;
    let executable = tool_locate::locate(&tool, directory, asked_at)?;
    Ok((tool, executable))
}

fn selection(args: &RunArgs, date: &str) -> Result<Selection, Failure> {
    let limits = &args.limits;
    Ok(Selection {
        run_definitions: args.run_definitions.clone(),
        task_sets: args.task_sets.clone(),
        limits: Limits {
            cpu_time: limits.timelimit,
            cpu_time_hard: limits.hardtimelimit,
            wall_time: limits.walltimelimit,
            memory: limits.memlimit,
            cores: limits.cores,
        },
        name: args.name.clone(),
        date: date.to_string(),
        log_folder: args.output.clone(),
        extra_options: args.options.clone(),
        allow_missing: args.allow_missing,
    })
}

/// `--tool T --tasks P… --property Q` as a definition.
fn short_form(args: &RunArgs) -> Result<Definition, Failure> {
    if args.tasks.is_empty() {
        return Err(InputError::option(code::BAD_VALUE, "--tool needs --tasks: which tasks are to be run?").into());
    }
    let pattern = |text: &str| Pattern { text: text.to_string(), line: 0, column: 0 };
    let mut set = TaskSet::default();
    for tasks in &args.tasks {
        let list = if tasks.ends_with(".set") { &mut set.include_files } else { &mut set.include };
        list.push(pattern(tasks));
    }
    let property = match args.property.as_deref() {
        None => None,
        Some(file) if file.ends_with(".prp") || file.contains('/') => {
            Some(PropertyRef { pattern: pattern(file), expected: None, by_name: None })
        }
        Some(name) => {
            let text = property::standard_text(name).ok_or_else(|| {
                InputError::option(code::BAD_VALUE, format!("no property is named `{name}`"))
                    .help("unreach-call, valid-memsafety, valid-memcleanup, no-overflow, no-data-race, termination, or a file")
            })?;
            // Inputs without a task definition need a file to point the tool to.
            let file = std::path::absolute(args.output.join("properties").join(format!("{name}.prp")))?;
            if !args.dry_run {
                write_file(&file, text.as_bytes())?;
            }
            Some(PropertyRef {
                pattern: pattern(&file.to_string_lossy()),
                expected: None,
                by_name: Some(name.to_string()),
            })
        }
    };
    let name = args
        .property
        .as_deref()
        .map(|name| name.rsplit('/').next().unwrap_or(name).trim_end_matches(".prp").to_string());
    let tool = args.tool.clone().unwrap_or_default();
    let stem = Path::new(&tool).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Definition {
        file: PathBuf::from(format!("{stem}.xml")),
        tool: if tool.ends_with(".toml") { std::path::absolute(&tool)?.to_string_lossy().into_owned() } else { tool },
        run_definitions: vec![RunDefinition {
            name,
            line: 0,
            options: Vec::new(),
            property,
            required_files: Vec::new(),
            task_sets: vec![set],
        }],
        ..Definition::default()
    })
}

/// The parallel shares of the machine, checked against what it has.
pub(super) fn shares(plan: &Plan, parallel: u32) -> Result<Vec<Option<cores::Share>>, Failure> {
    let parallel = parallel.max(1) as usize;
    if let Some(memory) = plan.limits.memory {
        let total = system::describe().memory;
        if total > 0 && memory.saturating_mul(parallel as u64) > total {
            return Err(Failure::Machine(format!(
                "{parallel} runs with {} each need more memory than the machine has ({})",
                crate::input::units::show_memory(memory),
                crate::input::units::show_memory(total)
            )));
        }
    }
    let units = cores::available();
    match plan.limits.cores {
        Some(count) => {
            let shares = cores::assign(&units, parallel, count as usize).map_err(Failure::Machine)?;
            Ok(shares.into_iter().map(Some).collect())
        }
        // Without a limit on cores parallel runs are still kept apart where there are enough.
        None => match cores::assign(&units, parallel, units.len() / parallel) {
            Ok(shares) if parallel > 1 && units.len() >= parallel => Ok(shares.into_iter().map(Some).collect()),
            _ => Ok(vec![None; parallel]),
        },
    }
}

/// Runs or resumes one plan; the journal decides which.
pub(super) fn carry_out(
    args: &RunArgs,
    make: &dyn Fn(&str) -> Result<Plan, crate::input::InputErrors>,
    tool: &Tool,
    schema: &Schema,
    is_validation: bool,
    err: &mut dyn Write,
) -> Result<Finished, Failure> {
    let trial = make("")?;
    std::fs::create_dir_all(&args.output)
        .map_err(|error| Failure::Machine(format!("cannot make {}: {error}", args.output.display())))?;
    let open = if args.fresh { None } else { unfinished(&args.output, &trial.name, make)? };
    let machine = super::exec::machine(&args.limits)?;
    let on_cluster = args.on == Some(Cluster::Slurm);
    let parallel = args.parallel.unwrap_or(1);
    let now = clock::now();
    let (plan, base, contents, journal) = match open {
        Some((plan, path, contents)) => {
            let base = PathBuf::from(path.to_string_lossy().trim_end_matches(".journal.jsonl"));
            let done = contents.records.len();
            writeln!(err, "resuming {}: {done} of {} runs are done", base.display(), plan.runs.len())?;
            let mut journal = Journal::resume(&path, &contents)?;
            if done < plan.runs.len() {
                journal.append(&Entry::Resumed { start: now })?;
            }
            (plan, base, contents, journal)
        }
        None => {
            let mut date = clock::stamp(now);
            let path_of = |date: &str| args.output.join(format!("{}.{date}.journal.jsonl", trial.name));
            let mut number = 2;
            while path_of(&date).exists() {
                date = format!("{}_{number}", clock::stamp(now));
                number += 1;
            }
            let plan = make(&date)?;
            let head = Head {
                version: journal::VERSION,
                fingerprint: journal::fingerprint(&plan),
                date: date.clone(),
                start: now,
                runs: plan.runs.len(),
                machine: if on_cluster { "Slurm".to_string() } else { machine.describe() },
            };
            let journal = Journal::create(&path_of(&date), head.clone())?;
            let base = args.output.join(format!("{}.{date}", plan.name));
            (plan, base, Contents { head: Some(head), ..Contents::default() }, journal)
        }
    };
    let head = contents.head.clone().ok_or_else(|| Failure::Machine("the journal has no header".to_string()))?;
    let folder = |kind: &str| PathBuf::from(format!("{}.{kind}", base.display()));
    let settings = Settings {
        shares: if on_cluster { Vec::new() } else { shares(&plan, parallel)? },
        logs: folder("logfiles"),
        files: folder("files"),
        output_bytes: args.limits.output_limit,
        files_bytes: args.limits.files_limit,
        processes: Some(args.limits.processes_limit),
        is_validation,
    };
    writeln!(err, "{}: {} runs of {} {}", plan.name, plan.runs.len(), plan.tool_name, plan.version)?;
    let is_terminal = std::io::stderr().is_terminal();
    let records = if on_cluster {
        let job = slurm::Job { plan: &plan, settings: &settings, args, base: &base };
        slurm::execute(&job, journal, contents.records, err).map_err(Failure::Machine)?
    } else {
        writeln!(err, "measured with {}", machine.describe())?;
        let mut progress = Progress::new(err, is_terminal);
        let session = execute::Session { plan: &plan, tool, machine: &machine, settings: &settings, schema };
        execute::execute(&session, journal, contents.records, &mut progress).map_err(Failure::Machine)?
    };
    let is_complete = records.len() == plan.runs.len();
    let end = if is_complete { journal::read(&folder("journal.jsonl"))?.end } else { None };
    let sets = collect::result_sets(&plan, &head, &records, end, &system::describe(), &args.output, &settings.logs);
    write_results(&base, &sets, !args.no_compress)?;
    if !is_complete {
        return Err(Failure::Interrupted);
    }
    Ok(Finished { plan, base, records, sets })
}

/// The newest journal of this benchmark that has no end and was written for the same plan.
fn unfinished(
    folder: &Path,
    name: &str,
    make: &dyn Fn(&str) -> Result<Plan, crate::input::InputErrors>,
) -> Result<Option<(Plan, PathBuf, Contents)>, Failure> {
    let mut journals: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            file.strip_prefix(name).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".journal.jsonl"))
        })
        .collect();
    journals.sort();
    for path in journals.into_iter().rev() {
        let contents = journal::read(&path)?;
        let Some(head) = &contents.head else { continue };
        if contents.is_published {
            continue;
        }
        let plan = make(&head.date)?;
        if journal::fingerprint(&plan) == head.fingerprint {
            return Ok(Some((plan, path, contents)));
        }
    }
    Ok(None)
}

#[expect(clippy::too_many_arguments, reason = "the last step takes what all others made")]
fn publish(
    args: &RunArgs,
    plan: &Plan,
    base: &Path,
    records: &BTreeMap<usize, Record>,
    sets: &[Named],
    structure: Option<&Structure>,
    schema: &Schema,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let path = |extension: &str| PathBuf::from(format!("{}.{extension}", base.display()));
    let files_folder = path("files");
    let sources: Vec<Source<'_>> = sets
        .iter()
        .filter(|named| named.is_block)
        .map(|named| {
            // Logs are unique, so that they name the run of the plan.
            let files = named.set.runs.iter().map(|result| {
                let log = result.log.as_deref().and_then(|log| log.rsplit('/').next()).unwrap_or("");
                let index = plan.runs.iter().position(|run| run.log_name == log);
                let Some(index) = index else { return Vec::new() };
                let folder = execute::files_folder(plan, &plan.runs[index], &files_folder);
                let relative = collect::relative_path(&folder, &args.output);
                records
                    .get(&index)
                    .map_or(Vec::new(), |record| record.files.iter().map(|file| relative.join(file)).collect())
            });
            let files = files.collect();
            Source { set: &named.set, folder: args.output.clone(), files }
        })
        .collect();
    let (html, csv, json) = (path("html"), path("csv"), path("json"));
    let wanted = Wanted {
        html: (!args.no_report).then_some(html.as_path()),
        svg: None,
        csv: Some(&csv),
        json: Some(&json),
        title: &format!("Benchmark {}", plan.name),
    };
    let report = write_views(&sources, structure, schema, &wanted)?;
    write!(out, "{}", summary(&report))?;
    if !args.no_report {
        writeln!(err, "report: {}", html.display())?;
    }
    Ok(())
}

/// What a worker on another machine needs of the machine here.
pub(crate) fn worker_machine(limits: &super::args::LimitArgs) -> Result<Machine, String> {
    super::exec::machine(limits).map_err(|failure| match failure {
        Failure::Machine(message) => message,
        _ => "the machine cannot be used".to_string(),
    })
}
