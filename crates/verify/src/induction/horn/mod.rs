//! Horn clauses where guesses are not enough: the pieces of the program between heads of loops and beginnings of calls, as
//! implications between unknown predicates, are given to Spacer. What it finds are further candidates, no more: they are
//! weakened and checked like all others. A wrong translation costs strength only.
//!
//! The clauses are collected by the same executions: in a *description* no candidate is assumed and no states are joined;
//! each state carries the predicates that it rests on, and how much of its path was there before.

mod describe;
mod encode;
mod parse;

use super::{Item, Prover, Stop};
use encode::Encoder;
use parse::Argument;
use quod_exec::symbolic::{Place, Spot};
use quod_solver::horn::{HornAnswer, solve};
use quod_solver::portfolio::process::Bounds;
use quod_solver::portfolio::reply::Sexpr;
use quod_term::{Function, Sort, Term, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// What a predicate is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// States at the head of a loop.
    Head,
    /// States at the beginning of a call.
    Call,
    /// What a call begins with and what it leads to.
    Summary,
}

/// Where: the calls on the way, and the place.
pub(super) type Key = (Kind, Vec<(usize, u32)>);

#[derive(Clone, Debug)]
pub(super) struct Predicate {
    key: Key,
    /// Where the last of the symbols stand; the others are those of another predicate.
    spots: Vec<Spot>,
    symbols: Vec<Term>,
    /// Symbols that were made before it; later ones are not the same each time.
    fresh: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) predicate: usize,
    pub(super) values: Vec<Term>,
}

/// What a state rests on: predicates, and the path beyond its first conjuncts.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    pub(super) applications: Vec<Application>,
    pub(super) skipped: usize,
}

/// `applications and conditions => head`
#[derive(Clone, Debug)]
pub(super) struct Clause {
    body: Vec<Application>,
    conditions: Vec<Term>,
    head: Option<Application>,
}

/// A condition that Spacer found, with what its symbols stand for.
pub(super) struct Hint {
    key: Key,
    condition: Term,
    places: Vec<(Term, Key, Place)>,
}

/// Clauses and symbols beyond which Spacer is not asked.
const MOST_CLAUSES: usize = 400;
const MOST_ARGUMENTS: usize = 40;
/// Conditions of one predicate.
const MOST_HINTS: usize = 24;
/// How long Spacer may look, where little work is to be done and where much is; and the memory that it may take.
const TIMES: (Duration, Duration) = (Duration::from_millis(700), Duration::from_millis(3_000));
const MUCH_WORK: u64 = 1_000_000;
const MEMORY: u64 = 2_048;

impl Prover<'_, '_> {
    pub(super) fn is_describing(&self) -> bool {
        self.predicates.is_some()
    }

    /// A predicate for states in whose spots anything may be.
    pub(super) fn predicate(&mut self, key: Key, spots: &[Spot], symbols: &[Term], fresh: u64) -> usize {
        let Some(predicates) = &mut self.predicates else { return 0 };
        predicates.push(Predicate { key, spots: spots.to_vec(), symbols: symbols.to_vec(), fresh });
        predicates.len() - 1
    }

    /// The item rests on one predicate, and on its path from here on.
    pub(super) fn rest_on(&self, item: &mut Item, predicate: usize, values: &[Term]) {
        let applications = vec![Application { predicate, values: values.to_vec() }];
        item.origin = Rc::new(Origin { applications, skipped: item.state.memory.path_condition().count() });
    }

    /// What the item shows of a predicate, or, with a condition, of the checks of the program.
    pub(super) fn clause(&self, item: &Item, more: Option<Term>, head: Option<Application>) -> Clause {
        let mut conditions: Vec<Term> = item.state.memory.path_condition().skip(item.origin.skipped).collect();
        conditions.extend(more);
        Clause { body: item.origin.applications.clone(), conditions, head }
    }

    /// Describes the program and asks Spacer. True where it found anything.
    pub(super) fn ask_spacer(&mut self, start: Item) -> Result<bool, Stop> {
        self.predicates = Some(Vec::new());
        let described = self.explore(vec![start], None);
        let predicates = self.predicates.take().unwrap_or_default();
        let clauses = described?.clauses;
        self.hints.clear();
        if predicates.is_empty() || clauses.is_empty() || clauses.len() > MOST_CLAUSES {
            return Ok(false);
        }
        let pool = self.machine.domain.pool.clone();
        let system = System::new(&pool, &predicates, &clauses);
        let Some(system) = system else { return Ok(false) };
        let time = if self.work < MUCH_WORK { TIMES.0 } else { TIMES.1 };
        let bounds = Bounds { time, memory: MEMORY };
        let cancel = self.options.cancel.flag().into();
        let start = std::time::Instant::now();
        let answer = solve(&pool, &system.clauses, &self.options.solvers, &bounds, &cancel);
        self.spacer += start.elapsed();
        let HornAnswer::Solved(Some(model)) = answer else { return Ok(false) };
        self.hints = system.hints(&pool, &predicates, &model);
        Ok(!self.hints.is_empty())
    }

    /// What Spacer found, for a predicate whose symbols are these now.
    pub(super) fn hinted(&mut self, key: &Key, spots: &[Spot], symbols: &[Term]) -> Vec<Term> {
        self.heads.insert(key.clone(), (spots.to_vec(), symbols.to_vec()));
        let pool = self.machine.domain.pool.clone();
        let mut conditions = Vec::new();
        for hint in self.hints.iter().filter(|hint| hint.key == *key) {
            let now = |key: &Key, place: Place| {
                let (spots, symbols) = self.heads.get(key)?;
                let index = spots.iter().position(|spot| spot.place == place)?;
                symbols.get(index).copied()
            };
            let places = hint.places.iter().filter_map(|(symbol, key, place)| Some((*symbol, now(key, *place)?)));
            let map: FxHashMap<Term, Term> = places.collect();
            if map.len() < hint.places.len() || map.iter().any(|(a, b)| pool.sort(*a) != pool.sort(*b)) {
                continue;
            }
            let condition = pool.substitute(hint.condition, &map);
            if !pool.is_constant(condition) && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        conditions
    }
}

/// The clauses as Spacer gets them.
struct System {
    clauses: Vec<Term>,
    /// For each predicate what its arguments are.
    arguments: Vec<Vec<Argument>>,
}

fn name(predicate: usize) -> String {
    format!("p{predicate}")
}

impl System {
    fn new(pool: &TermPool, predicates: &[Predicate], clauses: &[Clause]) -> Option<Self> {
        let extra = extra(pool, predicates, clauses);
        let mut all: Vec<Term> = Vec::new();
        for clause in clauses {
            all.extend(&clause.conditions);
            all.extend(clause.body.iter().chain(&clause.head).flat_map(|application| &application.values));
        }
        let mut encoder = Encoder::new(pool, &all);
        let is_number = |term: Term| pool.sort(term).width().is_some_and(|width| (2..=64).contains(&width));
        let mut arguments = Vec::new();
        let mut functions = Vec::new();
        for (index, predicate) in predicates.iter().enumerate() {
            let terms = predicate.symbols.iter().filter(|&&symbol| is_number(symbol)).chain(&extra[index]);
            let found: Vec<Argument> =
                terms.map(|&term| Argument { term, is_unsigned: encoder.is_unsigned(term) }).collect();
            if found.len() > MOST_ARGUMENTS {
                return None;
            }
            let domain = vec![Sort::INT; found.len()];
            functions.push(Arc::new(Function { name: name(index).as_str().into(), domain, range: Sort::BOOL }));
            arguments.push(found);
        }
        let mut written = Vec::new();
        for clause in clauses {
            let apply = |encoder: &mut Encoder<'_>, application: &Application| {
                let predicate = &predicates[application.predicate];
                let pairs = predicate.symbols.iter().zip(&application.values);
                let values = pairs.filter(|(symbol, _)| is_number(**symbol)).map(|(_, value)| *value);
                let values: Vec<Term> = values.chain(extra[application.predicate].iter().copied()).collect();
                let args: Vec<Term> = values
                    .iter()
                    .zip(&arguments[application.predicate])
                    .map(|(&value, argument)| encoder.number(value, !argument.is_unsigned))
                    .collect();
                pool.apply(&functions[application.predicate], &args)
            };
            let mut body: Vec<Term> = clause.body.iter().map(|it| apply(&mut encoder, it)).collect();
            body.extend(clause.conditions.iter().map(|&condition| encoder.condition(condition)));
            let head = clause.head.as_ref().map_or(pool.false_(), |it| apply(&mut encoder, it));
            let mut parts = body.clone();
            parts.push(head);
            let ranges = encoder.ranges(&pool.free_symbols(&parts));
            body.extend(ranges);
            let whole = pool.implies(pool.and(&body), head);
            let variables: Vec<Term> =
                pool.free_symbols(&[whole]).into_iter().filter(|&it| !is_predicate(pool, it)).collect();
            let closed = pool.forall(&variables, whole, &[]);
            if closed != pool.true_() && !written.contains(&closed) {
                written.push(closed);
            }
        }
        Some(Self { clauses: written, arguments })
    }

    fn hints(&self, pool: &TermPool, predicates: &[Predicate], model: &Sexpr) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (index, (predicate, arguments)) in predicates.iter().zip(&self.arguments).enumerate() {
            let Some(found) = parse::interpretation(pool, model, &name(index), arguments) else { continue };
            for condition in conjuncts(pool, found).into_iter().take(MOST_HINTS) {
                let mut places = Vec::new();
                for symbol in pool.free_symbols(&[condition]) {
                    let own = [predicate].into_iter();
                    let holder = own.chain(predicates).find_map(|it| {
                        let index = it.symbols.iter().position(|&other| other == symbol)?;
                        let others = it.symbols.len() - it.spots.len();
                        Some((it.key.clone(), it.spots.get(index.checked_sub(others)?)?.place))
                    });
                    places.extend(holder.map(|(key, place)| (symbol, key, place)));
                }
                hints.push(Hint { key: predicate.key.clone(), condition, places });
            }
        }
        hints
    }
}

/// A predicate without arguments.
fn is_predicate(pool: &TermPool, symbol: Term) -> bool {
    let name = pool.symbol_name(symbol).map(|name| name.to_string()).unwrap_or_default();
    pool.sort(symbol) == Sort::BOOL && name.strip_prefix('p').is_some_and(|rest| rest.parse::<usize>().is_ok())
}

/// Symbols that stay what they are while a predicate is rested on, and that what follows speaks of.
fn extra(pool: &TermPool, predicates: &[Predicate], clauses: &[Clause]) -> Vec<Vec<Term>> {
    let mut extra: Vec<BTreeSet<(u64, Term)>> = vec![BTreeSet::new(); predicates.len()];
    let is_number = |term: Term| pool.sort(term).width().is_some_and(|width| (2..=64).contains(&width));
    let born = |symbol: Term| -> Option<u64> {
        let name = pool.symbol_name(symbol)?.to_string();
        name.rsplit_once('!')?.1.parse().ok()
    };
    loop {
        let mut is_changed = false;
        for clause in clauses {
            let is_rested_on = |it: &&Application| predicates[it.predicate].key.0 != Kind::Summary;
            let Some(first) = clause.body.iter().find(is_rested_on) else { continue };
            let mut roots = clause.conditions.clone();
            roots.extend(clause.body.iter().chain(&clause.head).flat_map(|it| it.values.iter().copied()));
            let mut used = pool.free_symbols(&roots);
            for application in clause.body.iter().chain(&clause.head) {
                used.extend(extra[application.predicate].iter().map(|(_, symbol)| *symbol));
            }
            let predicate = &predicates[first.predicate];
            for symbol in used {
                let Some(born) = born(symbol).filter(|_| is_number(symbol)) else { continue };
                if born <= predicate.fresh && !predicate.symbols.contains(&symbol) {
                    is_changed |= extra[first.predicate].insert((born, symbol));
                }
            }
        }
        if !is_changed {
            return extra.into_iter().map(|set| set.into_iter().map(|(_, symbol)| symbol).collect()).collect();
        }
    }
}

/// The parts of a conjunction.
fn conjuncts(pool: &TermPool, term: Term) -> Vec<Term> {
    use quod_term::Op;
    let mut found = Vec::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match pool.op(term) {
            Op::And => waiting.extend(pool.args(term)),
            Op::Not if pool.op(pool.args(term)[0]) == Op::Or => {
                waiting.extend(pool.args(pool.args(term)[0]).iter().map(|&part| pool.not(part)));
            }
            Op::Const => {}
            _ => found.push(term),
        }
    }
    found.reverse();
    found
}
