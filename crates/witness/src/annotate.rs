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
use crate::prelude::{ANY, ASSUME, BROKEN, HAVOC, declarations};
use crate::transition::{copy, relation};
use quod_diag::codes;

/// What happens to loops without an invariant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Others {
    Cut,
    /// At most so many iterations; more is "not shown".
    Unroll(u32),
    /// For proofs of termination: a loop without a transition invariant makes at most so many iterations, whatever else is
    /// known about it.
    Bound(u32),
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
    let mut conditions: Vec<Conditions> = vec![Conditions::default(); places.loops.len()];
    for invariant in invariants {
        match place(invariant, places, &mut edits, &mut conditions, others) {
            Err(_) if is_graph => {}
            other => other?,
        }
    }
    let mut prelude = declarations();
    if others != Others::Cut {
        prelude.push_str(&format!("extern long long {ANY}(void); "));
    }
    let mut cuts = Vec::new();
    for (number, it) in places.loops.iter().enumerate() {
        let Conditions { invariants, relations, variables } = &conditions[number];
        let condition = (!invariants.is_empty()).then(|| invariants.join(" && "));
        if !it.is_closed {
            // Entered in the middle: left as it is.
            continue;
        }
        let is_cut = match others {
            Others::Cut => true,
            Others::Unroll(_) => condition.is_some(),
            Others::Bound(_) => !relations.is_empty(),
        };
        let mut declared = String::new();
        let seen = format!("__quod_seen_{number}");
        let head = match others {
            Others::Unroll(limit) | Others::Bound(limit) if !is_cut => format!("if (++{seen} > {limit}) {BROKEN}();"),
            _ => {
                cuts.push(number);
                prelude.push_str(&format!("extern void {HAVOC}{number}(void); "));
                let condition = condition.unwrap_or_else(|| "1".into());
                let mut end = format!("{ASSUME}(0);");
                let mut start = String::new();
                if !relations.is_empty() {
                    // From any earlier state in the relation, or this one, to the next one: in the relation again.
                    let relation = relations.join(" && ");
                    let copies = || variables.iter().enumerate().map(|(index, name)| (copy(number, index), name));
                    let same: Vec<String> =
                        copies().map(|(copy, name)| format!("(__typeof__({name})){copy} == {name}")).collect();
                    let same = same.join(" && ");
                    for (copy, name) in copies() {
                        // A copy holds every integer and pointer.
                        let is_odd =
                            format!("sizeof({name}) > 8 || _Generic(({name}), float: 1, double: 1, default: 0)");
                        start.push_str(&format!("if ({is_odd}) {BROKEN}(); {copy} = {ANY}(); "));
                    }
                    start.push_str(&format!("if (({same}) && ({relation})) {BROKEN}(); "));
                    start.push_str(&format!("{ASSUME}(({same}) || ({relation}) ? 1 : 0);"));
                    declared.extend(copies().map(|(copy, _)| format!("long long {copy} = 0; ")));
                    end = format!("{{ if (!({relation})) {BROKEN}(); {ASSUME}(0); }}");
                }
                format!(
                    "if (!({condition})) {BROKEN}(); if ({seen}) {end} {seen} = 1; {HAVOC}{number}(); \
                     {ASSUME}(({condition}) ? 1 : 0); {start}"
                )
            }
        };
        write_head(it, &head, &declared, &seen, &mut edits);
    }
    prelude.push('\n');
    edits.insert(0, prelude);
    Ok(Annotated { edited: edits.apply(text), cuts })
}

/// What a witness says about a loop.
#[derive(Clone, Debug, Default)]
struct Conditions {
    invariants: Vec<String>,
    /// Between any earlier visit of the head and the present one.
    relations: Vec<String>,
    /// Whose earlier values the relations look at.
    variables: Vec<String>,
}

fn place(
    invariant: &Invariant,
    places: &Places<'_>,
    edits: &mut Edits,
    conditions: &mut [Conditions],
    others: Others,
) -> Result<(), WitnessError> {
    let location = &invariant.location;
    let bad = |why: String| WitnessError::new(codes::WITNESS_CONDITION, invariant.place, why);
    let value = || -> Result<String, WitnessError> { Ok(format!("({})", clean(&invariant.value, None).map_err(bad)?)) };
    match invariant.kind {
        InvariantKind::Loop => {
            let numbered: Vec<(usize, &Loop)> = places.loops.iter().enumerate().collect();
            let (number, it) = *places.find(location, "loop", &numbered, |it| &it.1.at)?;
            if !it.is_closed {
                let text = "a loop that is entered in the middle is not supported";
                return Err(WitnessError::new(codes::WITNESS_UNSUPPORTED, location.place, text));
            }
            conditions[number].invariants.push(value()?);
        }
        InvariantKind::LoopTransition if matches!(others, Others::Bound(_)) => {
            let numbered: Vec<(usize, &Loop)> = places.loops.iter().enumerate().collect();
            let (number, it) = *places.find(location, "loop", &numbered, |it| &it.1.at)?;
            if !it.is_closed {
                let text = "a loop that is entered in the middle is not supported";
                return Err(WitnessError::new(codes::WITNESS_UNSUPPORTED, location.place, text));
            }
            let Conditions { relations, variables, .. } = &mut conditions[number];
            let unsupported = |why: String| WitnessError::new(codes::WITNESS_UNSUPPORTED, invariant.place, why);
            relations.push(relation(&invariant.value, number, variables).map_err(unsupported)?);
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

fn write_head(it: &Loop, head: &str, declared: &str, seen: &str, edits: &mut Edits) {
    edits.wrap(it.range, format!("{{ int {seen} = 0; {declared}"), " }");
    match it.condition {
        Some(condition) => edits.wrap(condition, format!("({{ {head} 1; }}) && ("), ")"),
        None => edits.wrap(it.body, format!("{{ {head} "), " }"),
    }
}
