//! A violation witness written into the program: a counter of the waypoints that have been passed, a statement at each
//! place that the witness names, and a flag that is set where the target is executed after all of them. An execution of
//! the new program is one of the old program that the witness allows, or ends early.
//!
//! The YAML format means the strict reading: an execution that visits the place of the next waypoint without meeting its
//! condition is not one of the witness. In the eager reading such a visit is passed over and the first that fits counts, as
//! the automata of GraphML wait in their nodes.

use crate::data::*;
use crate::edit::{Edited, Edits};
use crate::error::WitnessError;
use crate::expression::clean;
use crate::locate::{Places, Range};
use crate::prelude::{
    ASSUME, ATOMIC_BEGIN, ATOMIC_END, IS_THREAD, NEW_THREAD, SEGMENT, TARGET, THREADS, declarations,
    thread_declarations,
};
use quod_diag::codes;
use std::collections::BTreeMap;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    Strict,
    Eager,
}

/// A program that follows a witness.
pub struct Followed {
    pub edited: Edited,
    /// Where the violation must happen, in the new text; nothing where the witness does not say.
    pub target: Option<Range>,
}

/// What is asked of one visit of a place.
struct Ask {
    segment: usize,
    action: Action,
    condition: String,
    thread: u32,
    /// The number of the thread that the call makes.
    makes: Option<u32>,
}

/// The places that are asked, each with what is asked there.
#[derive(Default)]
struct Sites {
    before: BTreeMap<Range, (bool, Vec<Ask>)>,
    after: BTreeMap<Range, (bool, Vec<Ask>)>,
    branches: BTreeMap<Range, (bool, Vec<Ask>)>,
    enters: BTreeMap<Range, (Option<Range>, Vec<Ask>)>,
    returns: BTreeMap<Range, Vec<Ask>>,
    /// Threads that were made so far.
    threads: u32,
}

const VALUE: &str = "__quod_value";

pub fn follow(
    segments: &[Segment],
    is_graph: bool,
    places: &Places<'_>,
    text: &str,
    reading: Reading,
) -> Result<Followed, WitnessError> {
    let mut sites = Sites::default();
    let mut target = None;
    let mut count = 0;
    let mut cycle = None;
    for segment in segments {
        let mut is_dropped = false;
        for waypoint in &segment.waypoints {
            let unsupported = |text: &str| WitnessError::new(codes::WITNESS_UNSUPPORTED, waypoint.place, text);
            if waypoint.action == Action::Cycle {
                cycle.get_or_insert(count);
            } else if cycle.is_some() && waypoint.action == Action::Follow {
                let text = "what is repeated for ever comes last";
                return Err(WitnessError::new(codes::WITNESS_WRONG, waypoint.place, text));
            }
            if waypoint.kind == WaypointKind::Target {
                if target.replace(waypoint).is_some() {
                    return Err(unsupported("witnesses of data races are not supported"));
                }
                continue;
            }
            match add(&mut sites, places, waypoint, count) {
                Ok(()) => {}
                // An automaton's edge that has no counterpart says nothing.
                Err(_) if is_graph => is_dropped = true,
                Err(error) => return Err(error),
            }
        }
        let is_target = segment.waypoints.iter().any(|waypoint| waypoint.kind == WaypointKind::Target);
        if !is_dropped && !is_target {
            count += 1;
        }
    }
    let mut edits = Edits::default();
    let mut prelude = declarations();
    let waypoints = || segments.iter().flat_map(|segment| &segment.waypoints);
    let is_threaded = waypoints().any(|waypoint| waypoint.thread > 0);
    if is_threaded {
        let most = waypoints().map(|waypoint| waypoint.thread).max().unwrap_or(0).max(sites.threads);
        if most > sites.threads {
            let text = format!("there is no thread {most}: the witness enters {} creating calls", sites.threads);
            let place = waypoints().find(|waypoint| waypoint.thread == most).map_or((0, 0), |waypoint| waypoint.place);
            return Err(WitnessError::new(codes::WITNESS_WRONG, place, text));
        }
        prelude.push_str(&thread_declarations(most as usize));
    }
    // A target that may be anywhere is reached with the last waypoint.
    let is_anywhere = target.is_none_or(|target| target.location.line == 0);
    let cycle = cycle.map(|first| (first, count));
    let writer = Writer { reading, last: is_anywhere.then_some(count), is_threaded, cycle };
    if cycle.is_some() {
        keep_to_cycle(places, &mut edits, &mut prelude);
    }
    writer.write_sites(&sites, places, &mut edits, &mut prelude);
    if is_anywhere && count == 0 {
        prelude.push_str(&format!("static int {TARGET} = 1; "));
    }
    let place = match target {
        Some(target) if !is_anywhere => {
            let thread = is_threaded.then_some(target.thread);
            Some(set_target(places, &target.location, thread, count, &mut edits)?)
        }
        _ => None,
    };
    prelude.push('\n');
    edits.insert(0, prelude);
    let edited = edits.apply(text);
    let target = place.map(|range| edited.range(range));
    Ok(Followed { edited, target })
}

fn add(sites: &mut Sites, places: &Places<'_>, waypoint: &Waypoint, segment: usize) -> Result<(), WitnessError> {
    let location = &waypoint.location;
    let bad = |why: String| WitnessError::new(codes::WITNESS_CONDITION, waypoint.place, why);
    let ask =
        |condition: String| Ask { segment, action: waypoint.action, condition, thread: waypoint.thread, makes: None };
    match &waypoint.kind {
        WaypointKind::Assumption(condition) => {
            let statement = places.find(location, "statement", &places.statements, |it| &it.at)?;
            let ask = ask(clean(condition, None).map_err(bad)?);
            let entry = sites.before.entry(statement.range);
            entry.or_insert_with(|| (statement.is_in_block, Vec::new())).1.push(ask);
        }
        WaypointKind::After(condition) => {
            let statement = places.find(location, "statement", &places.statements, |it| &it.at)?;
            if statement.is_compound {
                return Err(WitnessError::new(codes::WITNESS_LOCATION, waypoint.place, "the statement has no end"));
            }
            let ask = ask(clean(condition, None).map_err(bad)?);
            let entry = sites.after.entry(statement.range);
            entry.or_insert_with(|| (statement.is_in_block, Vec::new())).1.push(ask);
        }
        WaypointKind::Branching(value) => {
            let branch =
                places.find(location, "controlling expression", &places.branches, |it| std::slice::from_ref(&it.at))?;
            let condition = match (value.as_str(), &branch.cases) {
                ("true", None) => VALUE.to_owned(),
                ("false", None) => format!("!{VALUE}"),
                ("default", Some(cases)) => {
                    let others: Vec<String> = cases.iter().map(|case| format!("{VALUE} != ({case})")).collect();
                    if others.is_empty() { "1".to_owned() } else { others.join(" && ") }
                }
                (number, Some(_)) => format!("{VALUE} == ({})", clean(number, None).map_err(bad)?),
                (other, None) => return Err(bad(format!("a branch goes `true` or `false`, not `{other}`"))),
            };
            let entry = sites.branches.entry(branch.condition);
            entry.or_insert_with(|| (branch.cases.is_some(), Vec::new())).1.push(ask(condition));
        }
        WaypointKind::FunctionEnter | WaypointKind::FunctionReturn(None) => {
            let call = places.find(location, "call", &places.calls, |it| std::slice::from_ref(&it.at))?;
            let mut ask = ask("1".into());
            let mut handle = None;
            if call.callee.as_deref().is_some_and(|name| ["pthread_create", "thrd_create"].contains(&name))
                && waypoint.kind == WaypointKind::FunctionEnter
                && waypoint.action == Action::Follow
            {
                sites.threads += 1;
                ask.makes = Some(sites.threads);
                handle = call.first_argument;
            }
            sites.enters.entry(call.range).or_insert_with(|| (handle, Vec::new())).1.push(ask);
        }
        WaypointKind::FunctionReturn(Some(condition)) => {
            let call = places.find(location, "call", &places.calls, |it| std::slice::from_ref(&it.at))?;
            let ask = ask(clean(condition, Some(VALUE)).map_err(bad)?);
            sites.returns.entry(call.range).or_default().push(ask);
        }
        WaypointKind::Target => {}
    }
    Ok(())
}

struct Writer {
    reading: Reading,
    /// The waypoint with which a target without a place is reached.
    last: Option<usize>,
    is_threaded: bool,
    /// The first waypoint of what is repeated for ever, and the number behind the last.
    cycle: Option<(usize, usize)>,
}

/// Rounds of loops outside the cycle after which an execution is not the witness's.
const ROUNDS: u32 = 1_000;
const TICKS: &str = "__quod_ticks";

impl Writer {
    /// At most one waypoint is passed in one visit.
    fn chain(&self, asks: &[Ask]) -> String {
        let mut out = String::new();
        let is_next = |ask: &Ask| match self.is_threaded {
            true => format!("{SEGMENT} == {} && {IS_THREAD}({})", ask.segment, ask.thread),
            false => format!("{SEGMENT} == {}", ask.segment),
        };
        for ask in asks.iter().filter(|ask| ask.action == Action::Avoid) {
            out.push_str(&format!("if ({}) {{ if ({}) {ASSUME}(0); }} ", is_next(ask), ask.condition));
        }
        let follows = asks.iter().filter(|ask| ask.action != Action::Avoid).map(|ask| {
            let (is_next, condition) = (is_next(ask), &ask.condition);
            let (next, again) = match self.cycle {
                Some((first, end)) if ask.segment + 1 == end => (first, format!(" {TICKS} = 0;")),
                _ => (ask.segment + 1, String::new()),
            };
            let arm = if self.last == Some(next) { format!(" {TARGET} = 1;") } else { String::new() };
            let make = match ask.makes {
                Some(number) if self.is_threaded => format!(" {NEW_THREAD} = {number};"),
                _ => String::new(),
            };
            let pass = format!("{{ {SEGMENT} = {next};{again}{arm}{make} }}");
            match self.reading {
                Reading::Strict => format!("if ({is_next}) {{ {ASSUME}(({condition}) ? 1 : 0); {pass} }} "),
                Reading::Eager => format!("if ({is_next}) {{ if ({condition}) {pass} }} "),
            }
        });
        out.push_str(&follows.collect::<Vec<_>>().join("else "));
        if self.is_threaded { format!("{ATOMIC_BEGIN}(); {out}{ATOMIC_END}(); ") } else { out }
    }

    fn write_sites(&self, sites: &Sites, places: &Places<'_>, edits: &mut Edits, prelude: &mut String) {
        for (&range, (is_in_block, asks)) in &sites.before {
            let hook = self.chain(asks);
            if *is_in_block {
                edits.insert(range.lo, hook);
            } else {
                edits.wrap(range, format!("{{ {hook}"), " }");
            }
        }
        for (&range, (is_in_block, asks)) in &sites.after {
            let hook = self.chain(asks);
            if *is_in_block {
                edits.insert(range.hi, format!(" {hook}"));
            } else {
                edits.wrap(range, "{ ", format!(" {hook}}}"));
            }
        }
        for (index, (&range, (is_switch, asks))) in sites.branches.iter().enumerate() {
            let hook = self.chain(asks);
            if *is_switch {
                let value = format!("({{ __typeof__({}) {VALUE} = ", places.text(range));
                edits.wrap(range, value, format!("; {hook} {VALUE}; }})"));
            } else {
                let name = format!("__quod_branch_{index}");
                prelude.push_str(&format!("static int {name}(int {VALUE}) {{ {hook}return {VALUE}; }} "));
                edits.wrap(range, format!("{name}(("), ") ? 1 : 0)");
            }
        }
        for (&range, (handle, asks)) in &sites.enters {
            let hook = self.chain(asks);
            match handle {
                Some(handle) if self.is_threaded => {
                    let before = format!(
                        "({{ {ATOMIC_BEGIN}(); {NEW_THREAD} = 0; {hook}__typeof__({}) {VALUE} = ",
                        places.text(range)
                    );
                    let after = format!(
                        "; if ({NEW_THREAD}) {THREADS}[{NEW_THREAD}] = *({}); {ATOMIC_END}(); {VALUE}; }})",
                        places.text(*handle)
                    );
                    edits.wrap(range, before, after);
                }
                _ => edits.wrap(range, format!("({{ {hook}"), "; })"),
            }
        }
        for (&range, asks) in &sites.returns {
            let hook = self.chain(asks);
            let value = format!("({{ __typeof__({}) {VALUE} = ", places.text(range));
            edits.wrap(range, value, format!("; {hook}{VALUE}; }})"));
        }
    }
}

/// Executions that go round other loops for ever are given up.
fn keep_to_cycle(places: &Places<'_>, edits: &mut Edits, prelude: &mut String) {
    prelude.push_str(&format!("static unsigned {TICKS}; "));
    let tick = format!("if (++{TICKS} > {ROUNDS}) {ASSUME}(0);");
    for it in &places.loops {
        match it.condition {
            Some(condition) => edits.wrap(condition, format!("({{ {tick} 1; }}) && ("), ")"),
            None => edits.wrap(it.body, format!("{{ {tick} "), " }"),
        }
    }
    // Where a `goto` can lead.
    for statement in places.statements.iter().filter(|statement| statement.at.len() > 1 && !statement.is_in_block) {
        edits.wrap(statement.range, format!("{{ {tick} "), " }");
    }
}

/// Sets the flag where the target is about to be executed; gives its range in the old text.
fn set_target(
    places: &Places<'_>,
    location: &Location,
    thread: Option<u32>,
    count: usize,
    edits: &mut Edits,
) -> Result<Range, WitnessError> {
    let set = match thread {
        Some(thread) => format!("{TARGET} = ({SEGMENT} == {count} && {IS_THREAD}({thread}))"),
        None => format!("{TARGET} = ({SEGMENT} == {count})"),
    };
    let starts: Vec<(Range, [u32; 1])> = places.expressions.iter().map(|&range| (range, [range.lo])).collect();
    let statement = places.find(location, "statement or full expression", &places.statements, |it| &it.at);
    let error = match statement {
        Ok(statement) => {
            if statement.is_in_block {
                edits.insert(statement.range.lo, format!("{set}; "));
            } else {
                edits.wrap(statement.range, format!("{{ {set}; "), " }");
            }
            return Ok(statement.range);
        }
        Err(error) => error,
    };
    if let Ok((range, _)) = places.find(location, "expression", &starts, |it| &it.1) {
        edits.wrap(*range, format!("({set}, "), ")");
        return Ok(*range);
    }
    Err(error)
}
