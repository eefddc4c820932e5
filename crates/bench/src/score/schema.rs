//! The scoring schemas and limits of the competition from 2016 to 2027, as one table.
//!
//! What changed: from 2017 to 2020 a correct TRUE whose witness nobody confirmed still gave one point, since 2021 it
//! gives none; results on wrong witnesses counted twice in the validation track of 2023; cores and the time for
//! validating proofs became fewer.

use crate::results::category::{Category, Claim};
use crate::results::model::RunResult;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schema {
    pub year: u16,
    pub true_correct: f64,
    pub true_unconfirmed: f64,
    pub true_wrong: f64,
    pub false_correct: f64,
    pub false_unconfirmed: f64,
    pub false_wrong: f64,
    /// Factor for a validator's verdict on a witness that is wrong.
    pub wrong_witness: f64,
    /// Whether a TRUE needs a witness at all.
    pub confirms_true: bool,
    pub cores: u32,
    pub memory: u64,
    pub cpu_time: f64,
    pub validation_cores: u32,
    pub validation_memory: u64,
    pub violation_time: f64,
    pub correctness_time: f64,
}

const BASE: Schema = Schema {
    year: 2016,
    true_correct: 2.0,
    true_unconfirmed: 2.0,
    true_wrong: -32.0,
    false_correct: 1.0,
    false_unconfirmed: 0.0,
    false_wrong: -16.0,
    wrong_witness: 1.0,
    confirms_true: false,
    cores: 8,
    memory: 15_000_000_000,
    cpu_time: 900.0,
    validation_cores: 2,
    validation_memory: 7_000_000_000,
    violation_time: 90.0,
    correctness_time: 900.0,
};
const POINT: Schema = Schema { true_unconfirmed: 1.0, confirms_true: true, ..BASE };
const NOTHING: Schema = Schema { true_unconfirmed: 0.0, confirms_true: true, ..BASE };

pub const SCHEMAS: [Schema; 12] = [
    BASE,
    Schema { year: 2017, ..POINT },
    Schema { year: 2018, ..POINT },
    Schema { year: 2019, ..POINT },
    Schema { year: 2020, ..POINT },
    Schema { year: 2021, ..NOTHING },
    Schema { year: 2022, ..NOTHING },
    Schema { year: 2023, wrong_witness: 2.0, ..NOTHING },
    Schema { year: 2024, cores: 4, ..NOTHING },
    Schema { year: 2025, cores: 4, ..NOTHING },
    Schema { year: 2026, cores: 4, correctness_time: 300.0, ..NOTHING },
    Schema { year: 2027, cores: 4, correctness_time: 300.0, ..NOTHING },
];

/// The newest.
pub const LATEST: u16 = 2027;

/// Which answers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counting {
    #[default]
    All,
    /// The Falsification categories: answers TRUE are ignored, right or wrong.
    FalseOnly,
    TrueOnly,
}

impl Counting {
    pub fn ignores(self, claim: Claim) -> bool {
        matches!((self, claim), (Counting::FalseOnly, Claim::Holds) | (Counting::TrueOnly, Claim::Violated))
    }
}

impl Schema {
    pub fn of_year(year: u16) -> Option<&'static Schema> {
        SCHEMAS.iter().find(|schema| schema.year == year)
    }

    pub fn points(&self, category: Category, claim: Claim) -> f64 {
        match (category, claim) {
            (Category::Correct, Claim::Holds) => self.true_correct,
            (Category::Correct, Claim::Violated) => self.false_correct,
            (Category::CorrectUnconfirmed, Claim::Holds) => self.true_unconfirmed,
            (Category::CorrectUnconfirmed, Claim::Violated) => self.false_unconfirmed,
            (Category::Wrong, Claim::Holds) => self.true_wrong,
            (Category::Wrong, Claim::Violated) => self.false_wrong,
            _ => 0.0,
        }
    }

    pub fn score(&self, run: &RunResult) -> f64 {
        let points = self.points(run.category, run.claim());
        match run.witness_category.as_deref() {
            None | Some("correct") => points,
            Some("wrong") => points * self.wrong_witness,
            Some(_) => 0.0,
        }
    }

    pub fn most(&self, run: &RunResult) -> f64 {
        run.expected
            .as_ref()
            .map_or(0.0, |expected| if expected.holds { self.true_correct } else { self.false_correct })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years() {
        for (index, schema) in SCHEMAS.iter().enumerate() {
            assert_eq!(usize::from(schema.year), 2016 + index);
            assert_eq!(schema.points(Category::Wrong, Claim::Holds), -32.0);
            assert_eq!(schema.points(Category::Wrong, Claim::Violated), -16.0);
            assert_eq!(schema.points(Category::Error, Claim::Nothing), 0.0);
        }
        let unconfirmed = |year| Schema::of_year(year).unwrap().points(Category::CorrectUnconfirmed, Claim::Holds);
        assert_eq!([unconfirmed(2016), unconfirmed(2018), unconfirmed(2021), unconfirmed(2027)], [2.0, 1.0, 0.0, 0.0]);
        assert_eq!(Schema::of_year(2015), None);
    }
}
