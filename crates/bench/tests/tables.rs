//! The figures of the SV-COMP 2016 report: Overall follows from the scores of the base categories by the normalisation.
//! Scores are those of its Table 5; an empty cell counts as no points.
#![allow(clippy::disallowed_methods)]

use quod_bench::input::expected::Expected;
use quod_bench::results::{Category, Header, ResultSet, RunResult};
use quod_bench::score::ranking::{Row, rank, tables};
use quod_bench::score::structure::normalise;
use quod_bench::score::{Schema, Structure};
use std::path::Path;

/// Arrays, BitVectors, Heap, Floats, IntegersControlFlow, Termination, Concurrency, DeviceDriversLinux64.
const TASKS: [usize; 8] = [183, 60, 239, FLOATS, 2331, 631, 1016, 2120];
const ALL: usize = 6661;
/// The report does not print it; it follows by subtraction.
const FLOATS: usize = ALL - (183 + 60 + 239 + 2331 + 631 + 1016 + 2120);

/// Verifier, scores, and Overall as printed.
const TABLE_5: [(&str, [i32; 8], f64); 12] = [
    ("CBMC", [62, 46, 8, 134, -1239, 0, 882, 1972], 3386.0),
    ("CPA-BAM", [-57, 28, -80, 42, 1822, 0, 0, 2550], 1939.0),
    ("CPA-kInd", [3, 77, 161, 76, 2095, 0, 0, 2350], 4094.0),
    ("CPA-RefSel", [0, 0, 0, 35, 1539, 0, 0, 3177], 2157.0),
    ("CPA-Seq", [-61, 87, 234, 75, 2652, 0, 282, 2801], 4794.0),
    ("ESBMC", [190, 84, 163, -15, 1217, 0, 742, 1688], 4145.0),
    ("ESBMC+DepthK", [62, 47, 58, 7, 1111, 0, 877, 2009], 3110.0),
    ("SeaHorn", [-301, -131, -257, 0, 1572, 504, -24659, 1694], -22393.0),
    ("SMACK+Corral", [146, 44, 155, 0, 2013, 0, 999, 2206], 4223.0),
    ("Symbiotic", [101, -2, 105, -18, 633, 0, 0, 980], 1223.0),
    ("UAutomizer", [83, 69, 169, 2, 1865, 895, 0, 2686], 4843.0),
    ("UKojak", [60, 19, 31, 0, 1096, 0, 0, 937], 1407.0),
];

fn overall(scores: &[i32; 8]) -> f64 {
    let parts: Vec<(f64, usize)> = scores.iter().zip(TASKS).map(|(&score, tasks)| (f64::from(score), tasks)).collect();
    normalise(&parts)
}

#[test]
fn floats_has_81_tasks() {
    assert_eq!(FLOATS, 81);
    assert_eq!(TASKS.iter().sum::<usize>(), ALL);
    // The Falsification category has all tasks but those of Termination.
    assert_eq!(ALL - TASKS[5], 6030);
}

#[test]
fn overall_scores_as_printed() {
    // Scores are printed without decimals, so that each may be off by a half: that is the most it can make.
    let rounding: f64 = TASKS.iter().map(|&tasks| 0.5 / tasks as f64).sum::<f64>() * ALL as f64 / 8.0;
    let mut close = 0;
    for (name, scores, printed) in &TABLE_5 {
        let difference = (overall(scores) - printed).abs();
        assert!(difference < rounding && difference < 0.0025 * printed.abs(), "{name}: {difference}");
        close += usize::from(difference < 0.002 * printed.abs());
    }
    // CPA-BAM (0.23 %) and UKojak (0.203 %) have low scores, on which the rounding weighs more.
    assert_eq!(close, TABLE_5.len() - 2);
}

#[test]
fn the_same_top_three() {
    let mut rows: Vec<Row> = TABLE_5
        .iter()
        .map(|(tool, scores, _)| Row {
            tool: (*tool).to_string(),
            score: overall(scores),
            success_time: 0.0,
            solved: 0,
            unconfirmed: 0,
            false_alarms: 0,
            wrong_proofs: 0,
        })
        .collect();
    rank(&mut rows);
    let names: Vec<&str> = rows.iter().take(3).map(|row| row.tool.as_str()).collect();
    assert_eq!(names, ["UAutomizer", "CPA-Seq", "SMACK+Corral"]);
}

/// Results with given numbers of proofs, alarms and mistakes, in one base category.
fn results(tool: &str, block: &str, counts: [usize; 4], tasks: usize, seconds: f64) -> ResultSet {
    let mut runs = Vec::new();
    // Proofs, violations, wrong proofs, false alarms: what is expected, what was answered.
    let kinds = [("true", "true"), ("false", "false"), ("false", "true"), ("true", "false")];
    for (count, (expected, status)) in counts.into_iter().zip(kinds) {
        for _ in 0..count {
            runs.push((expected, status));
        }
    }
    let open = tasks - runs.len();
    runs.extend(std::iter::repeat_n(("true", "unknown"), open));
    let runs = runs.into_iter().enumerate().map(|(index, (expected, status))| {
        let expected = Expected::parse(expected);
        let category = quod_bench::results::category::categorize(status, true, expected.as_ref());
        RunResult {
            name: format!("t{index}.yml"),
            property: Some("p".into()),
            expected,
            status: status.into(),
            category,
            cpu_time: Some(seconds),
            // The larger of both counts.
            wall_time: Some(seconds * 2.0),
            ..RunResult::default()
        }
    });
    let header = Header { tool: tool.into(), block: Some(block.into()), ..Header::default() };
    ResultSet { header, runs: runs.collect(), ..ResultSet::default() }
}

#[test]
fn table_6_of_termination() {
    // AProVE found 409 proofs and 91 violations, UAutomizer 392 and 111; both without mistakes, of 631 tasks.
    let sets = [
        results("UAutomizer", "Termination", [392, 111, 0, 0], 631, 1.0),
        results("AProVE", "Termination", [409, 91, 0, 0], 631, 1.0),
        results("SeaHorn", "Termination", [200, 100, 2, 1], 631, 1.0),
    ];
    let tables = tables(&sets, None, Schema::of_year(2016).unwrap());
    let rows = &tables.categories[0].rows;
    let row = |index: usize| (rows[index].tool.as_str(), rows[index].score, rows[index].solved);
    assert_eq!([row(0), row(1)], [("AProVE", 909.0, 500), ("UAutomizer", 895.0, 503)]);
    assert_eq!((rows[2].score, rows[2].false_alarms, rows[2].wrong_proofs), (500.0 - 64.0 - 16.0, 1, 2));
    // The reported time is the wall time here, because it is larger.
    assert_eq!(rows[0].success_time, 1000.0);
    assert!(tables.best(3).contains("AProVE"), "{}", tables.best(3));
    assert!(tables.overview().starts_with("Verifier\tp.Termination"));
}

#[test]
fn falsification_ignores_proofs() {
    let text =
        "categories:\n  FalsificationOverall:\n    categories: [p.A, p.B]\n  Overall:\n    categories: [p.A, p.B]\n";
    let structure = Structure::parse(text, Path::new("s.yml")).unwrap();
    // 10 proofs, 5 alarms, 2 wrong proofs, 1 false alarm in A; 4 alarms of 10 tasks in B.
    let sets = [results("T", "A", [10, 5, 2, 1], 20, 1.0), results("T", "B", [0, 4, 0, 0], 10, 1.0)];
    let tables = tables(&sets, Some(&structure), Schema::of_year(2016).unwrap());
    let score = |name: &str| tables.categories.iter().find(|table| table.name == name).unwrap().rows[0].clone();
    // A: 5 - 16 = -11 of 20; B: 4 of 10; (-11/20 + 4/10) * 30 / 2.
    let falsification = score("FalsificationOverall");
    assert!((falsification.score - (-0.15 * 15.0)).abs() < 1e-9, "{falsification:?}");
    assert_eq!((falsification.solved, falsification.wrong_proofs, falsification.false_alarms), (9, 0, 1));
    // Overall: A: 20 + 5 - 64 - 16 = -55 of 20.
    assert!((score("Overall").score - (-55.0 / 20.0 + 0.4) * 15.0).abs() < 1e-9);
    assert_eq!(sets[0].count(Category::Wrong), 3);
}
