//! Confirmed results: a correct answer counts in full only where a validator agreed with its witness, in the categories
//! that ask for one.

use super::schema::Schema;
use crate::results::category::{Category, Claim};
use crate::results::model::{ResultSet, RunResult};
use std::collections::BTreeMap;

/// Whether the answer of a run must be confirmed by its year's rules. `category` is the base category or task set.
pub fn is_required(schema: &Schema, category: &str, run: &RunResult) -> bool {
    let property = run.property.as_deref().unwrap_or("");
    let is_in = |names: &[&str]| names.iter().any(|name| category.contains(name));
    let is_concurrent = is_in(&["Concurrency", "NoDataRace"]);
    match run.claim() {
        Claim::Nothing => false,
        Claim::Violated if schema.year >= 2027 => match property {
            "valid-memcleanup" => false,
            "valid-memsafety" => !is_concurrent && run.status != "false(valid-memtrack)",
            _ => !is_in(&["Huawei"]),
        },
        Claim::Violated => true,
        Claim::Holds if !schema.confirms_true => false,
        Claim::Holds => match property {
            "valid-memsafety" | "valid-memcleanup" | "no-data-race" => false,
            "termination" => schema.year >= 2027,
            _ if is_concurrent => schema.year >= 2027,
            "unreach-call" => !is_in(&["Arrays", "Floats", "Heap"]),
            _ => !is_in(&["Huawei"]),
        },
    }
}

/// Joins validation results to verification results: whoever needs a confirmation and has none becomes unconfirmed.
/// A validator confirms by giving the same answer on the witness. Returns how many were confirmed.
pub fn join(verification: &mut ResultSet, validations: &[ResultSet], schema: &Schema) -> usize {
    let mut answers: BTreeMap<String, Vec<Claim>> = BTreeMap::new();
    for run in validations.iter().flat_map(|set| &set.runs) {
        answers.entry(validated_key(run)).or_default().push(run.claim());
    }
    let category = verification.header.block.clone().or(verification.header.name.clone()).unwrap_or_default();
    let mut confirmed = 0;
    for run in &mut verification.runs {
        if !matches!(run.category, Category::Correct | Category::CorrectUnconfirmed)
            || !is_required(schema, &category, run)
        {
            continue;
        }
        let claim = run.claim();
        let agrees = answers.get(&run.task_key()).is_some_and(|answers| answers.contains(&claim));
        run.category = if agrees { Category::Correct } else { Category::CorrectUnconfirmed };
        confirmed += usize::from(agrees);
    }
    confirmed
}

/// Validation runs are of the same task and property.
fn validated_key(run: &RunResult) -> String {
    run.task_key()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::expected::Expected;

    fn run(name: &str, property: &str, status: &str) -> RunResult {
        RunResult {
            name: name.into(),
            property: Some(property.into()),
            expected: Expected::parse(if status == "true" { "true" } else { "false" }),
            status: status.into(),
            category: Category::Correct,
            ..RunResult::default()
        }
    }

    #[test]
    fn witnesses_count_where_they_are_asked_for() {
        let mut set = ResultSet {
            runs: vec![
                run("a.yml", "unreach-call", "true"),
                run("b.yml", "unreach-call", "false(unreach-call)"),
                run("c.yml", "valid-memsafety", "true"),
                run("d.yml", "unreach-call", "true"),
            ],
            ..ResultSet::default()
        };
        set.header.block = Some("ReachSafety-Loops".into());
        let validation = ResultSet {
            runs: vec![run("a.yml", "unreach-call", "true"), run("b.yml", "unreach-call", "unknown")],
            ..ResultSet::default()
        };
        let schema = Schema::of_year(2025).unwrap();
        assert_eq!(join(&mut set, std::slice::from_ref(&validation), schema), 1);
        let categories: Vec<Category> = set.runs.iter().map(|run| run.category).collect();
        use Category::{Correct, CorrectUnconfirmed};
        assert_eq!(categories, [Correct, CorrectUnconfirmed, Correct, CorrectUnconfirmed]);
        let total: f64 = set.runs.iter().map(|run| schema.score(run)).sum();
        assert_eq!(total, 4.0);
        // In 2016 proofs needed no witness.
        assert!(!is_required(Schema::of_year(2016).unwrap(), "Loops", &set.runs[0]));
    }
}
