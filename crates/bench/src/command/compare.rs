//! `quod bench compare`: what changed between two benchmarks, and whether it got worse.

use super::Failure;
use super::args::CompareArgs;
use super::load::load;
use crate::input::error::{InputError, code};
use crate::results::category::Category;
use crate::results::{ResultSet, RunResult};
use crate::score::Schema;
use std::collections::BTreeMap;
use std::io::Write;

/// The comparison as data.
#[derive(Debug, Default, PartialEq)]
pub struct Comparison {
    /// Task, old status, new status, whether it is worse.
    pub changes: Vec<(String, String, String, Direction)>,
    /// Task, old time, new time.
    pub slower: Vec<(String, f64, f64)>,
    pub faster: Vec<(String, f64, f64)>,
    pub only_old: usize,
    pub only_new: usize,
    pub both: usize,
    pub score: (f64, f64),
    /// Geometric mean of new to old time over tasks that both solve, with its 95 % interval.
    pub ratio: Option<(f64, f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    Worse,
    Better,
    Neutral,
}

fn rank(category: Category) -> u8 {
    match category {
        Category::Wrong => 0,
        Category::Error | Category::Unknown | Category::Missing => 1,
        Category::CorrectUnconfirmed => 2,
        Category::Correct => 3,
    }
}

pub fn compare(old: &[ResultSet], new: &[ResultSet], schema: &Schema, slowdown: f64, slowdown_min: f64) -> Comparison {
    let index = |sets: &[ResultSet]| -> BTreeMap<String, RunResult> {
        sets.iter()
            .flat_map(|set| &set.runs)
            .filter(|run| !run.status.is_empty())
            .map(|run| (run.task_key(), run.clone()))
            .collect()
    };
    let (old, new) = (index(old), index(new));
    let mut result =
        Comparison { only_new: new.keys().filter(|key| !old.contains_key(*key)).count(), ..Comparison::default() };
    let mut logs = Vec::new();
    for (key, before) in &old {
        let Some(after) = new.get(key) else {
            result.only_old += 1;
            continue;
        };
        result.both += 1;
        result.score.0 += schema.score(before);
        result.score.1 += schema.score(after);
        let name = key.replace('|', " ");
        if before.status != after.status || before.category != after.category {
            let direction = match rank(after.category).cmp(&rank(before.category)) {
                std::cmp::Ordering::Less => Direction::Worse,
                std::cmp::Ordering::Greater => Direction::Better,
                std::cmp::Ordering::Equal => Direction::Neutral,
            };
            result.changes.push((name, before.status.clone(), after.status.clone(), direction));
        } else if before.category == Category::Correct
            && let (Some(t0), Some(t1)) = (before.reported_time(), after.reported_time())
        {
            // Below ten milliseconds the ratio is noise.
            logs.push((t1.max(0.01) / t0.max(0.01)).ln());
            if t1 > t0 * slowdown && t1 - t0 > slowdown_min {
                result.slower.push((name, t0, t1));
            } else if t0 > t1 * slowdown && t0 - t1 > slowdown_min {
                result.faster.push((name, t0, t1));
            }
        }
    }
    result.changes.sort_by(|a, b| (a.3, &a.0).cmp(&(b.3, &b.0)));
    if logs.len() > 1 {
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
        let half = 1.96 * deviation / count.sqrt();
        result.ratio = Some((mean.exp(), (mean - half).exp(), (mean + half).exp()));
    }
    result
}

impl Comparison {
    /// Worse answers, slower runs, or fewer points.
    pub fn is_regression(&self, ignore_time: bool) -> bool {
        let overall = self.ratio.is_some_and(|(mean, low, _)| low > 1.0 && mean > 1.1);
        self.changes.iter().any(|change| change.3 == Direction::Worse)
            || self.score.1 < self.score.0
            || (!ignore_time && (!self.slower.is_empty() || overall))
    }
}

pub(super) fn run(args: &CompareArgs, out: &mut dyn Write) -> Result<i32, Failure> {
    let schema = schema(args.year)?;
    let sets = |path| load(&[path]).map(|all| all.into_iter().map(|loaded| loaded.set).collect::<Vec<_>>());
    let (old, new) = (sets(args.old.clone())?, sets(args.new.clone())?);
    let result = compare(&old, &new, schema, args.slowdown, args.slowdown_min);
    for (name, before, after, direction) in &result.changes {
        let mark = match direction {
            Direction::Worse => "worse  ",
            Direction::Better => "better ",
            Direction::Neutral => "changed",
        };
        writeln!(out, "{mark} {before} -> {after}  {name}")?;
    }
    for (name, before, after) in &result.slower {
        writeln!(out, "slower  {before:.1} s -> {after:.1} s  {name}")?;
    }
    for (name, before, after) in &result.faster {
        writeln!(out, "faster  {before:.1} s -> {after:.1} s  {name}")?;
    }
    let count = |wanted| result.changes.iter().filter(|change| change.3 == wanted).count();
    writeln!(
        out,
        "{} tasks in both: {} worse, {} better, {} otherwise changed, {} slower, {} faster; score {} -> {}",
        result.both,
        count(Direction::Worse),
        count(Direction::Better),
        count(Direction::Neutral),
        result.slower.len(),
        result.faster.len(),
        result.score.0,
        result.score.1
    )?;
    if let Some((mean, low, high)) = result.ratio {
        writeln!(out, "time of what both solve: {mean:.3} times the old (95 % interval {low:.3} to {high:.3})")?;
    }
    if result.only_old + result.only_new > 0 {
        writeln!(out, "{} tasks only in the old, {} only in the new", result.only_old, result.only_new)?;
    }
    let is_worse = result.is_regression(args.ignore_time);
    writeln!(out, "{}", if is_worse { "regression" } else { "no regression" })?;
    Ok(i32::from(is_worse))
}

pub(super) fn schema(year: u16) -> Result<&'static Schema, Failure> {
    Schema::of_year(year).ok_or_else(|| {
        let latest = crate::score::schema::LATEST;
        let message = format!("no scoring schema of {year}: the years 2016 to {latest} are known");
        InputError::option(code::BAD_VALUE, message).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::expected::Expected;
    use std::slice::from_ref;

    fn set(runs: &[(&str, &str, Category, f64)]) -> ResultSet {
        let runs = runs.iter().map(|(name, status, category, time)| RunResult {
            name: (*name).into(),
            status: (*status).into(),
            category: *category,
            cpu_time: Some(*time),
            expected: Expected::parse("true"),
            ..RunResult::default()
        });
        ResultSet { runs: runs.collect(), ..ResultSet::default() }
    }

    #[test]
    fn changes_and_slow_downs() {
        use Category::{Correct, Error, Unknown, Wrong};
        let schema = Schema::of_year(2027).unwrap();
        let old = set(&[
            ("a", "true", Correct, 1.0),
            ("b", "unknown", Unknown, 1.0),
            ("c", "true", Correct, 10.0),
            ("d", "TIMEOUT", Error, 1.0),
        ]);
        let same = compare(from_ref(&old), from_ref(&old), schema, 1.5, 1.0);
        assert!(!same.is_regression(false) && same.changes.is_empty());
        let new = set(&[
            ("a", "unknown", Unknown, 1.0),
            ("b", "true", Correct, 1.0),
            ("c", "true", Correct, 20.0),
            ("e", "false", Wrong, 1.0),
        ]);
        let result = compare(from_ref(&old), &[new], schema, 1.5, 1.0);
        assert_eq!(
            result.changes.iter().map(|change| change.3).collect::<Vec<_>>(),
            [Direction::Worse, Direction::Better]
        );
        assert_eq!((result.slower.len(), result.only_old, result.only_new), (1, 1, 1));
        assert!(result.is_regression(true));
        let better = set(&[
            ("a", "true", Correct, 1.0),
            ("b", "true", Correct, 1.0),
            ("c", "true", Correct, 2.0),
            ("d", "TIMEOUT", Error, 1.0),
        ]);
        assert!(!compare(&[old], &[better], schema, 1.5, 1.0).is_regression(false));
    }
}
