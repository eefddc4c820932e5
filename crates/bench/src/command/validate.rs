//! `--validate-with`: runs a validator on the witnesses that a benchmark left, with the competition's limits, and joins
//! what it says.

use super::Failure;
use super::args::RunArgs;
use super::run::carry_out;
use crate::collect::Named;
use crate::execute::files_folder;
use crate::input::InputErrors;
use crate::input::definition::Limits;
use crate::input::error::{InputError, code};
use crate::input::plan::{Directory, Plan, Run, RunSet};
use crate::input::task::TaskOptions;
use crate::input::tool::{Tool, Values};
use crate::input::tool_locate;
use crate::journal::Record;
use crate::results::ResultSet;
use crate::results::category::{Claim, claim};
use crate::score::{Schema, confirm};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

#[expect(clippy::too_many_arguments, reason = "it continues a benchmark and needs all that it left")]
pub(super) fn validate(
    args: &RunArgs,
    plan: &Plan,
    base: &Path,
    records: &BTreeMap<usize, Record>,
    (validator, executable): (&Tool, &Path),
    schema: &Schema,
    sets: &mut [Named],
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let files = PathBuf::from(format!("{}.files", base.display()));
    let version = tool_locate::version(validator, executable);
    let mut results: Vec<ResultSet> = Vec::new();
    for (kind, wanted, time) in
        [("violation", Claim::Violated, schema.violation_time), ("correctness", Claim::Holds, schema.correctness_time)]
    {
        // A smaller benchmark has smaller limits for validation as well.
        let time = plan.limits.cpu_time.map_or(time, |limit| time.min(limit));
        let limits = Limits {
            cpu_time: Some(time),
            cpu_time_hard: Some(time * 16.0 / 15.0),
            wall_time: None,
            memory: Some(
                plan.limits.memory.map_or(schema.validation_memory, |limit| schema.validation_memory.min(limit)),
            ),
            cores: plan.limits.cores.map(|cores| cores.min(schema.validation_cores)),
        };
        let mut runs = Vec::new();
        for (index, record) in records {
            if claim(&record.status) != wanted {
                continue;
            }
            let run = &plan.runs[*index];
            let Some(witness) = witness(record) else { continue };
            let witness = std::path::absolute(files_folder(plan, run, &files).join(witness))?;
            runs.push(validation_run(run, &witness, validator, limits)?);
        }
        if runs.is_empty() {
            continue;
        }
        let name = format!(
            "{}.validate-{kind}",
            base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        );
        let template = Plan {
            name,
            tool_name: validator.name.clone(),
            tool_module: args.validate_with.clone().unwrap_or_default(),
            display_name: None,
            version: version.clone(),
            executable: executable.to_path_buf(),
            environment: validator.environment.clone(),
            limits,
            result_files: Vec::new(),
            columns: Vec::new(),
            run_sets: plan.run_sets.iter().map(|set| RunSet { options: Vec::new(), ..set.clone() }).collect(),
            runs,
        };
        let make = |_: &str| Ok::<Plan, InputErrors>(template.clone());
        let finished = carry_out(args, &make, validator, schema, true, err)?;
        results.extend(finished.sets.into_iter().filter(|named| named.is_block).map(|named| named.set));
    }
    for named in sets.iter_mut() {
        let confirmed = confirm::join(&mut named.set, &results, schema);
        if named.is_block {
            writeln!(err, "{}: {confirmed} results confirmed by {}", named.suffix, validator.name)?;
        }
    }
    Ok(())
}

fn witness(record: &Record) -> Option<&String> {
    let is_witness = |file: &&String| {
        let name = file.rsplit('/').next().unwrap_or(file);
        name.starts_with("witness") && [".yml", ".yaml", ".graphml"].iter().any(|end| name.ends_with(end))
    };
    // The newer format first.
    let mut all: Vec<&String> = record.files.iter().filter(is_witness).collect();
    all.sort_by_key(|file| file.ends_with(".graphml"));
    all.first().copied()
}

fn validation_run(run: &Run, witness: &Path, validator: &Tool, limits: Limits) -> Result<Run, Failure> {
    let task_options = TaskOptions { witness: Some(witness.to_path_buf()), ..run.task_options.clone() };
    let property = run.property.as_ref().and_then(|property| std::path::absolute(&property.file).ok());
    let values =
        Values { options: &[], inputs: &run.inputs, property: property.as_deref(), task: &task_options, limits };
    let arguments = validator
        .validation_command_line(&values)
        .map_err(|message| Failure::Input(InputError::option(code::BAD_TOOL, message).into()))?;
    Ok(Run {
        arguments,
        task_options,
        own_options: Vec::new(),
        working_directory: Directory::Start,
        required_files: vec![witness.to_path_buf()],
        ..run.clone()
    })
}
