//! Proofs for ever: induction over the rounds of loops, with invariants that are guessed and then checked bit by bit.
//!
//! A state that comes to the head of a loop is made generic: what a round changes becomes unknown, but for the candidates for
//! an invariant, which start as strong as the state that enters and are weakened, model by model, until one round keeps
//! them. What is changed is not asked of the program's text but of the states: a round is executed from the generic state, and
//! where it comes back with anything changed that is not unknown yet, that becomes unknown as well. Where something else than
//! numbers changes (an object that lives on, a pointer to another object, a file) nothing is proved.
//!
//! When all loops are done so, what is left are the checks on the ways between heads: each is a question to the solver, and
//! all must be impossible to fail. Only *holds* comes from here.

mod calls;
mod candidates;
mod facts;
mod heads;
mod horn;
mod hull;
mod print;
mod ranges;
mod rank;
mod run;
mod templates;
mod text;

use crate::abstraction::{LoopFact, Relations};
use crate::engine::Options;
use crate::limits;
use crate::limits::STEP_KINDS;
use crate::replay;
use quod_base::{Id, Span};
use quod_exec::machine::{Machine, Settings, Stops};
use quod_exec::state::State;
use quod_exec::symbolic::{Spot, SymbolicDomain};
use quod_model::ir::{Control, ExprKind, Program};
use quod_solver::portfolio::SolverKind;
use quod_solver::{Answer, Model, Solver};
use quod_term::{Term, TermPool};
use quod_verdict::{CheckKind, KindSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What came of it.
pub(crate) struct Report {
    /// Why nothing is proved, and where; nothing where all is.
    pub(crate) open: Option<(String, Span)>,
    /// The last try.
    pub(crate) level: String,
    pub(crate) facts: Vec<LoopFact>,
    pub(crate) steps: u64,
    pub(crate) queries: u64,
    pub(crate) solving: std::time::Duration,
    /// How each try that proved nothing ended.
    pub(crate) tries: Vec<String>,
    /// Conditions that Spacer found, and how long it took, where it was asked.
    pub(crate) horn: Option<(usize, std::time::Duration)>,
}

/// Why nothing can be said.
pub(crate) enum Stop {
    Spent,
    Open(String, Span),
}

/// A state on its way.
#[derive(Clone)]
struct Item {
    state: State<SymbolicDomain>,
    /// Values for which this path is taken, where they are known.
    model: Option<Rc<Model>>,
    /// Joining it with others has failed.
    is_apart: bool,
    /// What it rests on, where clauses are collected.
    origin: Rc<horn::Origin>,
}

/// A check on the way: the path to it and the condition under which it fails.
#[derive(Clone)]
struct Duty {
    path: Vec<Term>,
    failure: Term,
    kind: CheckKind,
    span: Span,
    /// A check of the program that was asked for: no execution goes on where it fails. All else that ends a path says
    /// how far we can follow it, not how far executions go.
    is_check: bool,
}

/// What goes through a piece of program leaves behind.
#[derive(Default)]
struct Pass {
    /// At the head again.
    back: Vec<Item>,
    /// Behind the loop.
    leaving: Vec<Item>,
    duties: Vec<Duty>,
    told: Vec<text::Told>,
    /// Calls further down of functions that are being summed up.
    entered: Vec<calls::Entered>,
    clauses: Vec<horn::Clause>,
}

struct Prover<'p, 'o> {
    machine: Machine<'p, SymbolicDomain>,
    solver: Solver,
    program: &'p Program,
    options: &'o Options,
    /// Numbers that the program names, and their neighbours, in order.
    constants: Vec<i128>,
    /// Conditions that were open on the way, in earlier tries as well.
    seen: Vec<Term>,
    level: Level,
    /// Why loops end as a witness says; nothing where that is to be found out.
    given: Option<&'o Relations>,
    /// What symbols in path conditions say of all elements of arrays.
    meanings: FxHashMap<Term, facts::Meaning>,
    /// Conditions about elements that were met, in earlier tries as well.
    templates: Vec<templates::Template>,
    /// What loops write, for those around them.
    written: Vec<facts::Written>,
    /// What was found for loops, by where they stand, when they were last met.
    known: FxHashMap<Vec<(usize, u32)>, Known>,
    /// The same for calls of recursive functions.
    known_calls: FxHashMap<Vec<(usize, u32)>, calls::KnownCalls>,
    /// Functions whose calls are being summed up, the first call first.
    active: Vec<calls::Active>,
    /// The predicates of a description that is being made.
    predicates: Option<Vec<horn::Predicate>>,
    /// What Spacer found.
    hints: Vec<horn::Hint>,
    /// What stands for the spots of heads and calls now.
    heads: FxHashMap<horn::Key, (Vec<Spot>, Vec<Term>)>,
    spacer: std::time::Duration,
    tries: Vec<String>,
    work: u64,
    asked: u64,
    queries: u64,
}

/// What was found for a loop.
struct Known {
    spots: Vec<Spot>,
    symbols: Vec<Term>,
    candidates: candidates::Candidates,
}

/// How hard a try is.
#[derive(Copy, Clone, Debug, Default)]
struct Level {
    /// The first round of each loop is made apart, and the invariant is for those after it.
    is_peeled: bool,
    /// Bounds of sums, and of differences far from nought.
    has_sums: bool,
    /// Candidates for cases, by the conditions that were seen, and those conditions themselves.
    has_cases: bool,
    /// Summaries of recursive calls value by value, where a call begins with few.
    has_values: bool,
    /// Conditions that were seen are tried for all elements of arrays.
    has_templates: bool,
    /// Rounds that are taken for granted, and made from the start of each loop, before the one that is looked at.
    rounds: usize,
}

const PLAIN: Level =
    Level { is_peeled: false, has_sums: false, has_cases: false, has_values: false, has_templates: false, rounds: 0 };
const LEVELS: &[Level] = &[
    PLAIN,
    Level { has_values: true, ..PLAIN },
    Level { has_templates: true, ..PLAIN },
    Level { is_peeled: true, ..PLAIN },
    Level { has_cases: true, ..PLAIN },
    Level { has_cases: true, has_sums: true, has_templates: true, ..PLAIN },
    Level { has_cases: true, rounds: 1, ..PLAIN },
    Level { has_cases: true, rounds: 2, ..PLAIN },
];

/// How many of them are tried before Spacer is asked.
const SIMPLE_LEVELS: usize = 4;
/// With what Spacer found.
const HINTED: &[Level] = &[PLAIN];

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rounds {
            0 => write!(f, "one round")?,
            rounds => write!(f, "{} rounds", rounds + 1)?,
        }
        let parts = [
            (self.is_peeled, "the first apart"),
            (self.has_sums, "sums"),
            (self.has_cases, "by cases"),
            (self.has_values, "by values"),
            (self.has_templates, "conditions for all elements"),
        ];
        for (_, part) in parts.iter().filter(|(is_on, _)| *is_on) {
            write!(f, ", {part}")?;
        }
        Ok(())
    }
}

/// Beside steps that fail: memory that is left, for programs that allocate none; and termination, where every loop has a
/// measure that each round makes smaller.
const OTHERS: &[CheckKind] =
    &[CheckKind::MemoryLeak, CheckKind::LostMemory, CheckKind::Termination, CheckKind::Unsupported];

/// Work that a question to the solver counts as, in operations: itself, and each conjunct.
const QUESTION: u64 = 1_000;
const CONJUNCT: u64 = 5;
/// Conflicts of one question.
const CONFLICTS: u64 = 1_500;
/// What one question may do besides.
const SOLVER_WORK: u64 = 10_000_000;
/// Elements of an array up to which an unknown index is a choice.
const MOST_CHOICES: u64 = 16;
const MOST_CONSTANTS: usize = 64;

pub(crate) fn is_for(program: &Program, kinds: KindSet) -> bool {
    kinds.iter().all(|kind| STEP_KINDS.contains(&kind) || OTHERS.contains(&kind))
        && program.main.is_some()
        && program.invariants.is_empty()
        && !limits::uses_arguments(program)
}

/// Functions may call themselves: then summaries are worth more than unwinding.
pub(crate) fn is_recursive(program: &Program) -> bool {
    calls::recursive(program).contains(&true)
}

/// Tries to prove that no execution fails a check, within an amount of work.
pub(crate) fn prove(program: &Program, options: &Options, work: u64) -> Report {
    prove_given(program, options, work, None)
}

/// As `prove`, where loops end for the reasons that are given or not at all.
pub(crate) fn prove_given(program: &Program, options: &Options, work: u64, given: Option<&Relations>) -> Report {
    let pool = Arc::new(TermPool::new());
    let mut domain = SymbolicDomain::new(pool.clone(), program.types.data_model, false);
    domain.has_lengths = true;
    domain.most_choices = MOST_CHOICES;
    domain.reads_wild = !options.kinds.contains(CheckKind::InvalidDeref);
    let settings =
        Settings { checks: options.kinds, is_driven: true, cancel: Some(options.cancel.flag()), ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, replay::silent());
    machine.stops = Stops::Joins;
    if options.sums_up {
        machine.entry_stops = calls::recursive(program);
    }
    quod_exec::begin(&mut machine, &mut state);
    let mut solver = options.solver(pool);
    solver.limits.conflicts = CONFLICTS;
    solver.limits.work = SOLVER_WORK;
    let mut prover = Prover {
        machine,
        solver,
        program,
        options,
        constants: constants(program),
        seen: Vec::new(),
        level: LEVELS[0],
        given,
        meanings: FxHashMap::default(),
        templates: Vec::new(),
        written: Vec::new(),
        known: FxHashMap::default(),
        known_calls: FxHashMap::default(),
        active: Vec::new(),
        predicates: None,
        hints: Vec::new(),
        heads: FxHashMap::default(),
        spacer: std::time::Duration::ZERO,
        tries: Vec::new(),
        work,
        asked: 0,
        queries: 0,
    };
    let model = Some(Rc::new(Model::default()));
    let start = Item { state, model, is_apart: false, origin: Rc::default() };
    let has_spacer = !options.kinds.contains(CheckKind::Termination)
        && options.solvers.iter().any(|solver| solver.kind == SolverKind::Z3);
    let (simple, hard) = LEVELS.split_at(SIMPLE_LEVELS);
    let (mut found, mut open) = prover.levels(simple, &start);
    if found.is_none() && !prover.is_spent() && has_spacer {
        prover.level = PLAIN;
        prover.active.clear();
        if prover.ask_spacer(start.clone()).is_ok_and(|is_found| is_found) {
            (found, open) = prover.levels(HINTED, &start);
        }
    }
    if found.is_none() && !prover.is_spent() {
        (found, open) = prover.levels(hard, &start);
    }
    let facts = found.unwrap_or_default();
    let level = prover.level.to_string();
    let (steps, queries, solving) = (prover.machine.steps, prover.queries, prover.solver.time() + prover.spacer);
    let horn = (prover.spacer > std::time::Duration::ZERO).then_some((prover.hints.len(), prover.spacer));
    Report { open, facts, level, steps, queries, solving, tries: prover.tries, horn }
}

impl Prover<'_, '_> {
    /// Tries one after the other.
    fn levels(&mut self, levels: &[Level], start: &Item) -> (Option<Vec<LoopFact>>, Option<(String, Span)>) {
        let mut open = None;
        let is_recursive = self.machine.entry_stops.contains(&true);
        for &level in levels.iter().filter(|level| is_recursive || !level.has_values) {
            if level.has_templates && !level.has_cases && self.templates.is_empty() {
                continue;
            }
            self.meanings.clear();
            self.written.clear();
            self.level = level;
            self.known.clear();
            self.known_calls.clear();
            self.active.clear();
            self.heads.clear();
            match self.whole(start.clone()) {
                Ok(facts) => return (Some(facts), None),
                Err(Stop::Spent) => {
                    self.tries.push(format!("{level}: the work that it may do ({} questions)", self.queries));
                    open = open.or_else(|| Some(("the work that it may do".into(), Span::NONE)));
                    break;
                }
                Err(Stop::Open(what, span)) => {
                    self.tries.push(format!("{level}: {what} ({} questions)", self.queries));
                    open = Some((what, span));
                }
            }
        }
        (None, open)
    }

    fn is_spent(&self) -> bool {
        self.spend().is_err()
    }

    fn whole(&mut self, start: Item) -> Result<Vec<LoopFact>, Stop> {
        let pass = self.explore(vec![start], None)?;
        for duty in &pass.duties {
            let mut terms = duty.path.clone();
            terms.push(duty.failure);
            if !matches!(self.check(&terms)?, Answer::Unsat(_)) {
                return Err(Stop::Open(format!("{} is possible", duty.kind), duty.span));
            }
        }
        Ok(self.agreed(&pass.told))
    }

    fn check(&mut self, terms: &[Term]) -> Result<Answer, Stop> {
        self.queries += 1;
        let terms = self.instantiated(terms);
        self.asked += QUESTION + CONJUNCT * terms.len() as u64;
        self.spend()?;
        Ok(self.solver.check(&terms))
    }

    /// Is there anything left to spend?
    fn spend(&self) -> Result<(), Stop> {
        let is_over = self.machine.steps + self.asked > self.work || self.options.cancel.is_cancelled();
        if is_over { Err(Stop::Spent) } else { Ok(()) }
    }

    fn asks(&self, kind: CheckKind) -> bool {
        self.options.kinds.contains(kind)
    }

    fn open(&self, item: &Item, what: impl Into<String>) -> Stop {
        let span = match item.state.processes.first() {
            Some(_) => self.machine.span(&item.state, Id::from_index(0)),
            None => Span::NONE,
        };
        Stop::Open(what.into(), span)
    }
}

/// The numbers that a program names, and their neighbours.
fn constants(program: &Program) -> Vec<i128> {
    let mut numbers = BTreeSet::from([0, 1, -1]);
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for expr in body.exprs.iter() {
            if let ExprKind::Int(value) = expr.kind
                && value.abs() < 1 << 62
            {
                numbers.extend([value - 1, value, value + 1, -value]);
            }
        }
        for location in body.locations.iter() {
            if let Control::Switch { cases, .. } = &location.control {
                numbers.extend(cases.iter().flat_map(|case| [case.low, case.high]).filter(|case| case.abs() < 1 << 62));
            }
        }
    }
    let all: Vec<i128> = numbers.into_iter().collect();
    let step = all.len().div_ceil(MOST_CONSTANTS).max(1);
    all.into_iter().step_by(step).collect()
}
