//! Shifts and rotations by a symbolic amount: a row of multiplexers for each bit of the amount.

use super::{Builder, Word};
use crate::sat::Lit;

#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
}

impl Builder<'_> {
    /// Shifts by the value of `amount`; bits that come in are `fill`, and an amount of the width or more leaves nothing
    /// but `fill`.
    pub fn word_shift(&mut self, a: &[Lit], amount: &[Lit], direction: Direction, fill: Lit) -> Word {
        let width = a.len();
        let stages = (usize::BITS - width.saturating_sub(1).leading_zeros()) as usize;
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let distance = 1usize << stage;
            word = (0..width)
                .map(|at| {
                    let source = match direction {
                        Direction::Left => at.checked_sub(distance),
                        Direction::Right => Some(at + distance).filter(|&source| source < width),
                    };
                    let moved = source.map_or(fill, |source| word[source]);
                    self.ite(bit, moved, word[at])
                })
                .collect();
        }
        let too_far = self.or_all(amount.iter().skip(stages).copied());
        word.iter().map(|&bit| self.ite(too_far, fill, bit)).collect()
    }

    /// Shifts right and keeps whether any bit that fell out was set in the last bit.
    pub fn word_shift_right_sticky(&mut self, a: &[Lit], amount: &[Lit]) -> Word {
        let width = a.len();
        let zero = self.constant(false);
        let stages = (usize::BITS - width.saturating_sub(1).leading_zeros()) as usize;
        let mut word = a.to_vec();
        let mut sticky = zero;
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let distance = 1usize << stage;
            let lost = self.or_all(word[..distance.min(width)].iter().copied());
            let lost = self.and(lost, bit);
            sticky = self.or(sticky, lost);
            word = (0..width)
                .map(|at| {
                    let moved = if at + distance < width { word[at + distance] } else { zero };
                    self.ite(bit, moved, word[at])
                })
                .collect();
        }
        let too_far = self.or_all(amount.iter().skip(stages).copied());
        let any = self.or_all(a.iter().copied());
        let lost = self.and(too_far, any);
        let keep = !too_far;
        word = word.iter().map(|&bit| self.and(bit, keep)).collect();
        sticky = self.or(sticky, lost);
        if let Some(last) = word.first_mut() {
            *last = self.or(*last, sticky);
        }
        word
    }
}
