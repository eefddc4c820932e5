//! Results as CSV: one row a task, for each result set status, category, times, memory and score. Separated by tabs with
//! three rows of heading, as `table-generator` writes them.

use super::model::ResultSet;
use super::xml_write::number;
use crate::score::Schema;
use std::collections::BTreeMap;

const COLUMNS: [&str; 6] = ["status", "category", "cputime (s)", "walltime (s)", "memory (B)", "score"];

pub fn write(sets: &[ResultSet], schema: &Schema) -> String {
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let heading = |first: &str, of: &dyn Fn(&ResultSet) -> String| {
        let mut row = format!("{first}\t\t");
        for set in sets {
            row.push('\t');
            row.push_str(&vec![clean(&of(set)); COLUMNS.len()].join("\t"));
        }
        row.push('\n');
        row
    };
    let mut out = heading("tool", &ResultSet::label);
    out.push_str(&heading("run set", &|set| set.header.name.clone().unwrap_or_default()));
    out.push_str("task\tproperty\texpected");
    for _ in sets {
        out.push('\t');
        out.push_str(&COLUMNS.join("\t"));
    }
    out.push('\n');
    let mut order: Vec<String> = Vec::new();
    let mut rows: BTreeMap<String, Vec<Option<usize>>> = BTreeMap::new();
    for (number, set) in sets.iter().enumerate() {
        for (index, run) in set.runs.iter().enumerate() {
            let cells = rows.entry(run.task_key()).or_insert_with(|| {
                order.push(run.task_key());
                vec![None; sets.len()]
            });
            cells[number] = Some(index);
        }
    }
    for key in order {
        let cells = &rows[&key];
        let first = cells.iter().enumerate().find_map(|(number, index)| index.map(|index| &sets[number].runs[index]));
        let Some(first) = first else { continue };
        let expected = first.expected.as_ref().map(ToString::to_string).unwrap_or_default();
        out.push_str(&format!("{}\t{}\t{expected}", clean(&first.name), first.property.as_deref().unwrap_or("")));
        for (number_of_set, index) in cells.iter().enumerate() {
            match index.map(|index| &sets[number_of_set].runs[index]) {
                None => out.push_str(&"\t".repeat(COLUMNS.len())),
                Some(run) => {
                    let time = |time: Option<f64>| time.map(number).unwrap_or_default();
                    let memory = run.memory.map(|bytes| bytes.to_string()).unwrap_or_default();
                    out.push_str(&format!(
                        "\t{}\t{}\t{}\t{}\t{memory}\t{}",
                        clean(&run.status),
                        run.category.name(),
                        time(run.cpu_time),
                        time(run.wall_time),
                        schema.score(run)
                    ));
                }
            }
        }
        out.push('\n');
    }
    out
}
