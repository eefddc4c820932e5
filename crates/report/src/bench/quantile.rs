//! Score-based quantile functions (the competition's plots): the left end is the sum of the negative points, then the
//! correct results by time, each moving right by its points; the right end is the total score.

use super::model::Cell;

#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Where it starts: the sum of negative points.
    pub start: f64,
    /// Score reached, time, and the task of each positive result, by time.
    pub points: Vec<(f64, f64, usize)>,
}

impl Curve {
    pub fn total(&self) -> f64 {
        self.points.last().map_or(self.start, |point| point.0)
    }
}

/// `weight` is one, or the normalisation of the task's category in a meta category.
pub fn curve<'a>(cells: impl Iterator<Item = (usize, &'a Cell, f64)>) -> Curve {
    let mut start = 0.0;
    let mut good: Vec<(f64, f64, usize)> = Vec::new();
    for (task, cell, weight) in cells {
        let points = cell.score * weight;
        if points < 0.0 {
            start += points;
        } else if points > 0.0 {
            good.push((cell.time().unwrap_or(0.0), points, task));
        }
    }
    good.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let mut score = start;
    let points = good.into_iter().map(|(time, points, task)| {
        score += points;
        (score, time, task)
    });
    let points = points.collect();
    Curve { start, points }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_total() {
        let cell = |score: f64, time: f64| Cell { score, cpu_time: Some(time), ..Cell::default() };
        let cells = [cell(2.0, 5.0), cell(-32.0, 1.0), cell(1.0, 0.5), cell(0.0, 900.0)];
        let curve = curve(cells.iter().enumerate().map(|(index, cell)| (index, cell, 1.0)));
        assert_eq!(curve, Curve { start: -32.0, points: vec![(-31.0, 0.5, 2), (-29.0, 5.0, 0)] });
        assert_eq!(curve.total(), -29.0);
    }
}
