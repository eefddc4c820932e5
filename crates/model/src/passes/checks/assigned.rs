//! Definite assignment: for each location, which scalar locals certainly have a value there. A forward "must" analysis
//! over bit sets; locals whose address is taken are left to run-time checks.

use crate::ir::*;
use quod_base::{Id, IdVec};

/// For each location the set of locals that every path has assigned. Empty where the function is too large to look at.
pub(super) struct Assigned {
    /// Index of each tracked local in the sets.
    slots: IdVec<LocalId, Option<u32>>,
    sets: IdVec<LocationId, Option<Box<[u64]>>>,
}

/// Sets larger than this in all (in words) are not computed: the checks are then made at run time.
const WORD_LIMIT: usize = 16 << 20;

impl Assigned {
    pub(super) fn contains(&self, location: LocationId, local: LocalId) -> bool {
        let Some(slot) = self.slots[local] else { return false };
        match &self.sets[location] {
            Some(set) => set[slot as usize / 64] & (1 << (slot % 64)) != 0,
            None => false,
        }
    }
}

pub(super) fn definitely_assigned(body: &Body) -> Assigned {
    let mut count = 0u32;
    let parameters_end = body.locals.iter().filter(|local| local.is_parameter).count();
    let slots: IdVec<LocalId, Option<u32>> = body
        .locals
        .iter()
        .map(|local| {
            let is_tracked = !local.is_address_taken;
            is_tracked.then(|| {
                count += 1;
                count - 1
            })
        })
        .collect();
    let words = (count as usize).div_ceil(64);
    let mut assigned = Assigned { slots, sets: body.locations.iter().map(|_| None).collect() };
    if words.saturating_mul(body.locations.len()) > WORD_LIMIT || body.locations.is_empty() {
        return assigned;
    }
    let mut entry = vec![0u64; words].into_boxed_slice();
    for local in body.locals.ids().take(parameters_end) {
        set_bit(&mut entry, assigned.slots[local], true);
    }
    let first = LocationId::from_index(0);
    assigned.sets[first] = Some(entry);
    let mut worklist = vec![first];
    while let Some(location) = worklist.pop() {
        let mut set = assigned.sets[location].clone().expect("a location on the work list has a set");
        transfer(body, &body.locations[location].control, &assigned.slots, &mut set);
        body.locations[location].control.for_each_successor(&mut |next| {
            let is_changed = match &mut assigned.sets[next] {
                Some(old) => {
                    let mut is_changed = false;
                    for (old, new) in old.iter_mut().zip(&set) {
                        is_changed |= *old & !new != 0;
                        *old &= new;
                    }
                    is_changed
                }
                empty => {
                    *empty = Some(set.clone());
                    true
                }
            };
            if is_changed {
                worklist.push(next);
            }
        });
        // Labels whose address is taken can be reached from any computed goto.
        if let Control::ComputedGoto(_) = body.locations[location].control {
            for &label in body.labels.iter() {
                let empty = vec![0u64; words].into_boxed_slice();
                if assigned.sets[label].as_ref().is_none_or(|old| old.iter().any(|&word| word != 0)) {
                    assigned.sets[label] = Some(empty);
                    worklist.push(label);
                }
            }
        }
    }
    assigned
}

fn transfer(body: &Body, control: &Control, slots: &IdVec<LocalId, Option<u32>>, set: &mut [u64]) {
    let Control::Step { step, .. } = control else { return };
    let mut write = |place: PlaceId| {
        if let PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) = body.places[place].kind {
            set_bit(set, slots[local], true);
        }
    };
    match step {
        Step::Assign { place, .. } | Step::Zero(place) | Step::Havoc { place, .. } => write(*place),
        Step::Call(Call { result: Some(place), .. })
        | Step::Builtin { result: Some(place), .. }
        | Step::Spawn { result: Some(place), .. } => write(*place),
        Step::Assembly { outputs, .. } => outputs.iter().for_each(|&place| write(place)),
        Step::DomainNext { variables, has_next, .. } => {
            variables.iter().for_each(|&place| write(place));
            write(*has_next);
        }
        Step::Declare(local) => set_bit(set, slots[*local], false),
        _ => {}
    }
}

fn set_bit(set: &mut [u64], slot: Option<u32>, value: bool) {
    let Some(slot) = slot else { return };
    let (word, bit) = (slot as usize / 64, 1 << (slot % 64));
    if value {
        set[word] |= bit;
    } else {
        set[word] &= !bit;
    }
}
