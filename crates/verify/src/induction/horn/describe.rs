//! Loops as clauses.

use super::{Application, Kind};
use crate::induction::run::Around;
use crate::induction::{Item, Pass, Prover, Stop};
use quod_exec::symbolic::Spot;

/// Times that a loop is gone around until it is known what it changes.
const MOST_PASSES: usize = 20;

impl Prover<'_, '_> {
    /// The loop from a state at its head on: what enters, a round, and what leaves.
    pub(in crate::induction) fn described(&mut self, entry: &Item, around: Around) -> Result<Pass, Stop> {
        let place = self.key(entry);
        let mut spots: Vec<Spot> = self.known.get(&place).map_or_else(Vec::new, |known| known.spots.clone());
        let key = (Kind::Head, place);
        if self.machine.domain.spot_values(&entry.state, &spots).is_none() {
            spots.clear();
        }
        for _ in 0..MOST_PASSES {
            let Some(mut generic) = self.generic(entry, &spots) else {
                return Err(self.open(entry, "a state that cannot be made generic"));
            };
            let symbols = self.machine.domain.spot_symbols(&entry.state.memory, &spots);
            let predicate = self.predicate(key.clone(), &spots, &symbols, entry.state.memory.fresh_count());
            self.rest_on(&mut generic, predicate, &symbols);
            let mut pass = self.explore(vec![generic.clone()], Some(around))?;
            if self.add_spots(&generic, &pass.back, &mut spots)? {
                continue;
            }
            let back = std::mem::take(&mut pass.back);
            for item in [entry].into_iter().chain(&back) {
                let Some(values) = self.machine.domain.spot_values(&item.state, &spots) else {
                    return Err(self.open(item, "a value of another kind"));
                };
                pass.clauses.push(self.clause(item, None, Some(Application { predicate, values })));
            }
            return Ok(pass);
        }
        Err(self.open(entry, "a loop that changes more and more"))
    }
}
