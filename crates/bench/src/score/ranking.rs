//! Score tables as the competition prints them: every tool in every category (its Table 5), and the best of each
//! category with time, solved tasks and mistakes (its Table 6).

use super::schema::{Counting, Schema};
use super::structure::{Structure, counting};
use crate::results::category::{Category, Claim};
use crate::results::model::{ResultSet, RunResult};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    pub categories: Vec<CategoryTable>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CategoryTable {
    pub name: String,
    pub is_meta: bool,
    pub tasks: usize,
    pub most: f64,
    /// Best first: by score, then by the time of what was solved.
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub tool: String,
    pub score: f64,
    /// Seconds over correctly solved tasks.
    pub success_time: f64,
    pub solved: usize,
    pub unconfirmed: usize,
    pub false_alarms: usize,
    pub wrong_proofs: usize,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    score: f64,
    most: f64,
    time: f64,
    solved: usize,
    unconfirmed: usize,
    false_alarms: usize,
    wrong_proofs: usize,
}

impl Cell {
    fn of(runs: &[&RunResult], schema: &Schema, counting: Counting) -> Self {
        let mut cell = Cell::default();
        for run in runs {
            let most = schema.most(run);
            let is_true = run.expected.as_ref().is_some_and(|expected| expected.holds);
            if !counting.ignores(if is_true { Claim::Holds } else { Claim::Violated }) {
                cell.most += most;
            }
            if counting.ignores(run.claim()) {
                continue;
            }
            cell.score += schema.score(run);
            match (run.category, run.claim()) {
                (Category::Correct, _) => {
                    cell.solved += 1;
                    cell.time += run.reported_time().unwrap_or(0.0);
                }
                (Category::CorrectUnconfirmed, _) => cell.unconfirmed += 1,
                (Category::Wrong, Claim::Violated) => cell.false_alarms += 1,
                (Category::Wrong, _) => cell.wrong_proofs += 1,
                _ => {}
            }
        }
        cell
    }
}

/// The base category of a result set's run: `<property>.<task set>`.
fn base_name(set: &ResultSet, run: &RunResult) -> String {
    let block = set.header.block.as_deref().or(set.header.name.as_deref()).unwrap_or(&set.header.benchmark);
    match run.property.as_deref() {
        Some(property) if !block.starts_with(property) && !block.starts_with("C.") => format!("{property}.{block}"),
        _ => block.to_string(),
    }
}

fn is_category(wanted: &str, base: &str) -> bool {
    wanted == base || wanted.strip_prefix("C.") == Some(base)
}

/// Tables over all result sets; those with the same label belong to the same tool. Where results of a run definition are
/// there both as a whole and by block, give only the blocks.
pub fn tables(sets: &[ResultSet], structure: Option<&Structure>, schema: &Schema) -> Tables {
    // (base category, tool) -> runs; order of first appearance is kept.
    let mut bases: Vec<String> = Vec::new();
    let mut tools: Vec<String> = Vec::new();
    let mut runs: BTreeMap<(String, String), Vec<&RunResult>> = BTreeMap::new();
    for set in sets {
        let tool = set.label();
        if !tools.contains(&tool) {
            tools.push(tool.clone());
        }
        for run in &set.runs {
            let base = base_name(set, run);
            if !bases.contains(&base) {
                bases.push(base.clone());
            }
            runs.entry((base, tool.clone())).or_default().push(run);
        }
    }
    let size =
        |base: &str| tools.iter().filter_map(|tool| runs.get(&(base.to_string(), tool.clone()))).map(Vec::len).max();
    let mut result = Tables::default();
    for base in &bases {
        let cells = tools.iter().filter_map(|tool| {
            let cell = Cell::of(runs.get(&(base.clone(), tool.clone()))?, schema, Counting::All);
            Some((tool.clone(), cell))
        });
        result.categories.push(table(base, false, size(base).unwrap_or(0), cells.collect()));
    }
    for meta in structure.map_or(&[][..], |structure| &structure.metas) {
        let Some(structure) = structure else { continue };
        let counting = counting(&meta.name);
        let members = structure.bases(&meta.name);
        let find = |wanted: &str| bases.iter().find(|base| is_category(wanted, base));
        let present: Vec<&String> = members.iter().filter_map(|member| find(member)).collect();
        if present.is_empty() {
            continue;
        }
        let mut cells = Vec::new();
        for tool in &tools {
            let mine: Vec<(Cell, usize)> = present
                .iter()
                .filter_map(|base| {
                    let cell = Cell::of(runs.get(&((*base).clone(), tool.clone()))?, schema, counting);
                    Some((cell, size(base).unwrap_or(0)))
                })
                .collect();
            if mine.is_empty() {
                continue;
            }
            // A category that a tool did not enter counts with no points, as empty cells in the seed's Table 5 do.
            let score_of = |pick: &dyn Fn(&Cell) -> f64| {
                structure.score(&meta.name, &|name, counting| {
                    let base = find(name)?;
                    let cell = runs.get(&(base.clone(), tool.clone())).map(|runs| Cell::of(runs, schema, counting));
                    Some((cell.as_ref().map_or(0.0, pick), size(base).unwrap_or(0)))
                })
            };
            let mut sum = Cell::default();
            for (cell, _) in &mine {
                sum.time += cell.time;
                sum.solved += cell.solved;
                sum.unconfirmed += cell.unconfirmed;
                sum.false_alarms += cell.false_alarms;
                sum.wrong_proofs += cell.wrong_proofs;
            }
            sum.score = score_of(&|cell| cell.score).map_or(0.0, |(score, _)| score);
            sum.most = score_of(&|cell| cell.most).map_or(0.0, |(score, _)| score);
            cells.push((tool.clone(), sum));
        }
        let tasks = present.iter().map(|base| size(base).unwrap_or(0)).sum();
        result.categories.push(table(&meta.name, true, tasks, cells));
    }
    result
}

fn table(name: &str, is_meta: bool, tasks: usize, cells: Vec<(String, Cell)>) -> CategoryTable {
    let most = cells.iter().map(|(_, cell)| cell.most).fold(0.0, f64::max);
    let mut rows: Vec<Row> = cells
        .into_iter()
        .map(|(tool, cell)| Row {
            tool,
            score: cell.score,
            success_time: cell.time,
            solved: cell.solved,
            unconfirmed: cell.unconfirmed,
            false_alarms: cell.false_alarms,
            wrong_proofs: cell.wrong_proofs,
        })
        .collect();
    rank(&mut rows);
    CategoryTable { name: name.to_string(), is_meta, tasks, most, rows }
}

/// By score, and where that is equal by the time of what was solved.
pub fn rank(rows: &mut [Row]) {
    rows.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.success_time.total_cmp(&b.success_time)));
}

/// Hours with two significant digits, as the competition prints them: `35`, `1.1`, `.61`.
pub fn hours(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    if hours == 0.0 {
        return "0".to_string();
    }
    let digits = (1 - hours.abs().log10().floor() as i32).max(0) as usize;
    let scale = 10_f64.powi(hours.abs().log10().floor() as i32 - 1);
    let rounded = (hours / scale).round() * scale;
    format!("{rounded:.digits$}").trim_start_matches('0').to_string()
}

impl Tables {
    /// The overview: tools by row, categories by column. Tab-separated.
    pub fn overview(&self) -> String {
        let mut tools: Vec<&str> =
            self.categories.iter().flat_map(|table| &table.rows).map(|row| row.tool.as_str()).collect();
        tools.sort_unstable();
        tools.dedup();
        let mut out = String::from("Verifier");
        for table in &self.categories {
            out.push_str(&format!("\t{} ({:.0} points max., {} tasks)", table.name, table.most, table.tasks));
        }
        out.push('\n');
        for tool in tools {
            out.push_str(tool);
            for table in &self.categories {
                let row = table.rows.iter().find(|row| row.tool == tool);
                out.push_str(&row.map_or("\t".to_string(), |row| format!("\t{:.0}", row.score)));
            }
            out.push('\n');
        }
        out
    }

    /// The best three of each category, as text.
    pub fn best(&self, count: usize) -> String {
        let mut out = String::new();
        for table in &self.categories {
            out.push_str(&format!("{} ({} tasks, {:.0} points max.)\n", table.name, table.tasks, table.most));
            let head = ["", "verifier", "score", "time (h)", "solved", "false alarms", "wrong proofs"];
            out.push_str(&format!(
                "  {:>2} {:<28} {:>9} {:>9} {:>8} {:>13} {:>13}\n",
                head[0], head[1], head[2], head[3], head[4], head[5], head[6]
            ));
            let count_or_blank = |count: usize| if count == 0 { String::new() } else { count.to_string() };
            for (index, row) in table.rows.iter().take(count).enumerate() {
                out.push_str(&format!(
                    "  {:>2} {:<28} {:>9.0} {:>9} {:>8} {:>13} {:>13}\n",
                    index + 1,
                    row.tool,
                    row.score,
                    hours(row.success_time),
                    row.solved,
                    count_or_blank(row.false_alarms),
                    count_or_blank(row.wrong_proofs)
                ));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_as_printed() {
        assert_eq!([hours(3600.0 * 35.2), hours(3600.0 * 0.61), hours(3600.0 * 1.13)], ["35", ".61", "1.1"]);
        assert_eq!(hours(3600.0 * 161.0), "160");
    }

    #[test]
    fn equal_scores_are_ranked_by_time() {
        let row = |tool: &str, score: f64, success_time: f64| Row {
            tool: tool.into(),
            score,
            success_time,
            solved: 0,
            unconfirmed: 0,
            false_alarms: 0,
            wrong_proofs: 0,
        };
        let mut rows = vec![row("CIVL", 1240.0, 7.8), row("MU-CSeq", 1240.0, 0.93), row("x", 3.0, 0.0)];
        rank(&mut rows);
        assert_eq!(rows[0].tool, "MU-CSeq");
    }
}
