//! A correctness witness written into the program: its invariants become things to show, and every loop is cut at its
//! head, so that the invariants (and nothing learnt by running it) carry the proof across it.
//!
//! At the head of a cut loop the invariant is to be shown; then everything that the loop changes becomes unknown, the
//! invariant is assumed, and one iteration is made; back at the head the invariant is to be shown again, and that is all.
//! A loop about which the witness says nothing is either cut with the invariant `1`, or unrolled a few times.

use crate::data::*;
use crate::edit::{Edited, Edits};
use crate::error::WitnessError;
use crate::expression::clean;
use crate::locate::{Loop, Places};
use crate::prelude::{ASSUME, BROKEN, HAVOC, declarations};
use quod_diag::codes;

/// What happens to loops without an invariant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Others {
    Cut,
    /// At most so many iterations; more is "not shown".
    Unroll(u32),
}

pub struct Annotated {
    pub edited: Edited,
    /// Loops that are cut, by number.
    pub cuts: Vec<usize>,
}

pub fn annotate(
    invariants: &[Invariant],
    is_graph: bool,
    places: &Places<'_>,
    text: &str,
    others: Others,
) -> Result<Annotated, WitnessError> {
    let mut edits = Edits::default();
    let mut conditions: Vec<Vec<String>> = vec![Vec::new(); places.loops.len()];
    for invariant in invariants {
        match place(invariant, places, &mut edits, &mut conditions) {
            Err(_) if is_graph => {}
            other => other?,
        }
    }
    let mut prelude = declarations();
    let mut cuts = Vec::new();
    for (number, it) in places.loops.iter().enumerate() {
        let condition = (!conditions[number].is_empty()).then(|| conditions[number].join(" && "));
        if !it.is_closed {
            // Entered in the middle: left as it is.
            continue;
        }
        let is_cut = condition.is_some() || others == Others::Cut;
        let seen = format!("__quod_seen_{number}");
        let head = match others {
            Others::Unroll(limit) if !is_cut => format!("if (++{seen} > {limit}) {BROKEN}();"),
            _ => {
                cuts.push(number);
                prelude.push_str(&format!("extern void {HAVOC}{number}(void); "));
                let condition = condition.unwrap_or_else(|| "1".into());
                format!(
                    "if (!({condition})) {BROKEN}(); if ({seen}) {ASSUME}(0); {seen} = 1; {HAVOC}{number}(); \
                     {ASSUME}(({condition}) ? 1 : 0);"
                )
            }
        };
        write_head(it, &head, &seen, &mut edits);
    }
    prelude.push('\n');
    edits.insert(0, prelude);
    Ok(Annotated { edited: edits.apply(text), cuts })
}

fn place(
    invariant: &Invariant,
    places: &Places<'_>,
    edits: &mut Edits,
    conditions: &mut [Vec<String>],
) -> Result<(), WitnessError> {
    let location = &invariant.location;
    let value = || {
        let bad = |why: String| WitnessError::new(codes::WITNESS_CONDITION, invariant.place, why);
        Ok(format!("({})", clean(&invariant.value, None).map_err(bad)?))
    };
    match invariant.kind {
        InvariantKind::Loop => {
            let numbered: Vec<(usize, &Loop)> = places.loops.iter().enumerate().collect();
            let (number, it) = *places.find(location, "loop", &numbered, |it| &it.1.at)?;
            if !it.is_closed {
                let text = "a loop that is entered in the middle is not supported";
                return Err(WitnessError::new(codes::WITNESS_UNSUPPORTED, location.place, text));
            }
            conditions[number].push(value()?);
        }
        InvariantKind::Location => {
            let statement = places.find(location, "statement", &places.statements, |it| &it.at)?;
            let hook = format!("if (!{}) {BROKEN}(); ", value()?);
            if statement.is_in_block {
                edits.insert(statement.range.lo, hook);
            } else {
                edits.wrap(statement.range, format!("{{ {hook}"), " }");
            }
        }
        InvariantKind::LoopTransition | InvariantKind::LocationTransition | InvariantKind::Other => {
            let text = format!("invariants of the type `{}` are not supported", invariant.kind.word());
            return Err(WitnessError::new(codes::WITNESS_UNSUPPORTED, invariant.place, text));
        }
    }
    Ok(())
}

fn write_head(it: &Loop, head: &str, seen: &str, edits: &mut Edits) {
    edits.wrap(it.range, format!("{{ int {seen} = 0; "), " }");
    match it.condition {
        Some(condition) => edits.wrap(condition, format!("({{ {head} 1; }}) && ("), ")"),
        None => edits.wrap(it.body, format!("{{ {head} "), " }"),
    }
}
