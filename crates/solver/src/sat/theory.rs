//! What a theory gives to the search: it hears of its literals as they are assigned and answers with clauses.

use super::{Lit, Sat};

/// A theory under the search. All it says, it says in clauses given to [`Sat::add_clause`]: a conflict is a clause of
/// false literals, a propagation one with a single literal that is not false.
pub trait Theory {
    /// Whether the theory wants to hear of this variable at all is recorded in [`Sat::watch_theory`]. `position` is the
    /// place on the trail.
    fn assert_literal(&mut self, literal: Lit, position: usize);

    /// Forget all literals at `position` and after.
    fn backtrack(&mut self, position: usize);

    /// Cheap consistency check after Boolean propagation.
    fn propagate(&mut self, sat: &mut Sat);

    /// All relevant variables are assigned. No clause added means: this is a model. `false` means the theory gave up.
    fn final_check(&mut self, sat: &mut Sat) -> bool;
}

/// Pure propositional logic.
pub struct NoTheory;

impl Theory for NoTheory {
    fn assert_literal(&mut self, _: Lit, _: usize) {}
    fn backtrack(&mut self, _: usize) {}
    fn propagate(&mut self, _: &mut Sat) {}
    fn final_check(&mut self, _: &mut Sat) -> bool {
        true
    }
}
