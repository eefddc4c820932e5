//! Axes: a linear one for scores; for times the competition's mixture, linear below one second and logarithmic above.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub is_time: bool,
}

impl Axis {
    pub fn linear(low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, is_time: false }
    }

    /// From 0 to at least 10 seconds.
    pub fn time(high: f64) -> Self {
        Self { low: 0.0, high: high.max(10.0), is_time: true }
    }

    fn stretch(value: f64) -> f64 {
        if value <= 1.0 { value.max(0.0) * 0.5 } else { 0.5 + value.log10() }
    }

    /// Between 0 and 1.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.is_time {
            Self::stretch(value) / Self::stretch(self.high)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }

    /// Where marks are, and what stands at them.
    pub fn marks(&self) -> Vec<(f64, String)> {
        if self.is_time {
            let mut marks = vec![(0.0, "0".to_string()), (0.5, "0.5".to_string())];
            let mut value = 1.0;
            while value <= self.high * 1.0001 {
                marks.push((value, format!("{value}")));
                value *= 10.0;
            }
            return marks;
        }
        let raw = (self.high - self.low) / 6.0;
        let power = 10_f64.powf(raw.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= raw).unwrap_or(raw);
        let mut marks = Vec::new();
        let mut number = (self.low / step).ceil();
        while number * step <= self.high && marks.len() < 50 {
            let value = number * step + 0.0; // no negative zero
            let digits = if step < 1.0 { (-step.log10()).ceil().max(0.0) as usize } else { 0 };
            marks.push((value, format!("{value:.digits$}")));
            number += 1.0;
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn places_and_marks() {
        let axis = Axis::time(1000.0);
        assert_eq!(axis.place(0.0), 0.0);
        assert_eq!(axis.place(1000.0), 1.0);
        assert!(axis.place(0.5) < axis.place(1.0) && axis.place(1.0) < axis.place(10.0));
        assert_eq!(axis.marks().last().unwrap().1, "1000");
        let axis = Axis::linear(-40.0, 100.0);
        assert_eq!(axis.marks().iter().map(|mark| mark.1.as_str()).collect::<Vec<_>>(), ["0", "50", "100"]);
    }
}
