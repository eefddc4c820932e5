//! The last stage: solver processes. A model must evaluate to true before it is believed; a solver whose model does not
//! is reported and never asked again.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model, Reason};
use crate::portfolio::process::{Bounds, Process, Reply};
use crate::portfolio::race::{Mode, Question, ask};
use crate::portfolio::reply::Sexpr;
use crate::portfolio::{Found, SolverKind, values};
use crate::sat::Cancel;
use quod_term::eval::FunctionTable;
use quod_term::smtlib::{Printer, declarations};
use quod_term::{Op, SortKind, Term, TermPool, Theory, Value};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Something that went wrong with a solver process, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    pub solver: SolverKind,
    pub what: String,
}

/// What went wrong so far, shared with the chain's owner.
pub type Incidents = Arc<Mutex<Vec<Incident>>>;

pub struct Portfolio {
    pool: Arc<TermPool>,
    processes: Vec<Process>,
    mode: Mode,
    bounds: Bounds,
    cancel: Cancel,
    incidents: Incidents,
    statistics: StageStatistics,
}

impl Portfolio {
    pub fn new(pool: Arc<TermPool>, found: &[Found], mode: Mode, bounds: Bounds, cancel: Cancel) -> Self {
        let processes = found
            .iter()
            .filter(|found| found.kind != SolverKind::Kissat)
            .map(|found| Process::new(found.clone(), &bounds))
            .collect();
        let statistics = StageStatistics { name: "portfolio", ..StageStatistics::default() };
        Self { pool, processes, mode, bounds, cancel, incidents: Incidents::default(), statistics }
    }

    pub fn incidents(&self) -> Incidents {
        self.incidents.clone()
    }

    fn report(&self, solver: SolverKind, what: impl Into<String>) {
        if let Ok(mut incidents) = self.incidents.lock() {
            incidents.push(Incident { solver, what: what.into() });
        }
    }

    /// Terms whose values make a model: symbols, applications and their arguments.
    fn observed(&self, terms: &[Term]) -> Vec<Term> {
        let mut list = self.pool.free_symbols(terms);
        for term in self.pool.subterms(terms) {
            if self.pool.op(term) == Op::Apply {
                list.extend_from_slice(self.pool.args(term));
                list.push(term);
            }
        }
        list
    }

    fn model(&self, terms: &[Term], replies: &[Sexpr], roots: &[Term]) -> Option<Model> {
        let mut numbers: FxHashMap<String, u64> = FxHashMap::default();
        let mut element = |name: &str| {
            let next = numbers.len() as u64;
            *numbers.entry(name.to_owned()).or_insert(next)
        };
        let mut known: FxHashMap<Term, Value> = FxHashMap::default();
        for (&term, reply) in terms.iter().zip(replies) {
            known.insert(term, values::parse(reply, self.pool.sort(term), &mut element)?);
        }
        let mut model = Model::default();
        for symbol in self.pool.free_symbols(roots) {
            model.set(symbol, known.get(&symbol)?.clone());
        }
        for term in self.pool.subterms(roots) {
            if self.pool.op(term) == Op::Apply {
                let key = self.pool.args(term).iter().map(|arg| known.get(arg).cloned()).collect::<Option<Vec<_>>>()?;
                let table: &mut FunctionTable = model.functions.entry(self.pool.function(term)?.clone()).or_default();
                table.entries.insert(key, known.get(&term)?.clone());
            }
        }
        Some(model)
    }

    /// Whether SMT-LIB leaves values open that our evaluator fixes: then another model is no lie.
    fn has_open_semantics(&self, terms: &[Term]) -> bool {
        self.pool.subterms(terms).into_iter().any(|term| match self.pool.op(term) {
            Op::IntDiv | Op::IntMod | Op::Div => !self.pool.is_constant(self.pool.arg(term, 1)),
            Op::Power | Op::FpToUbv | Op::FpToSbv | Op::FpToReal | Op::FpMin | Op::FpMax | Op::Selector => true,
            Op::FpToBits | Op::SeqNth => true,
            op => matches!(op.theory(), Theory::Binders | Theory::FiniteArrays),
        })
    }

    fn logic(&self, terms: &[Term]) -> &'static str {
        let subterms = self.pool.subterms(terms);
        let has = |test: &dyn Fn(SortKind) -> bool| subterms.iter().any(|&term| test(self.pool.sort(term).kind()));
        let numbers = has(&|sort| matches!(sort, SortKind::Int | SortKind::Real));
        let bits = has(&|sort| matches!(sort, SortKind::BitVec(_)));
        match (numbers, bits) {
            (true, false) => "QF_AUFNIRA",
            (false, true) => "QF_AUFBV",
            (false, false) => "QF_AUFBV",
            (true, true) => "ALL",
        }
    }

    fn can_read(&self, kind: SolverKind, terms: &[Term]) -> bool {
        let theories = self.pool.theories(terms);
        let only = |allowed: &[Theory]| theories.iter().all(|theory| allowed.contains(theory));
        use Theory::{Arithmetic, Arrays, BitVectors, Core, Floats, Functions};
        match kind {
            SolverKind::Z3 | SolverKind::Cvc5 => true,
            SolverKind::Yices => only(&[Core, Functions, Arithmetic, BitVectors, Arrays]),
            SolverKind::Bitwuzla => only(&[Core, Functions, BitVectors, Arrays, Floats]),
            SolverKind::Kissat => false,
        }
    }

    fn judge(&self, terms: &[Term], observed: &[Term], values: Option<Vec<Sexpr>>) -> Result<Model, String> {
        let replies = values.ok_or("it gave no model")?;
        let model = self.model(observed, &replies, terms).ok_or("its model could not be read")?;
        for &term in terms {
            match quod_term::evaluate(&self.pool, term, &model) {
                Some(Value::Bool(true)) => {}
                Some(_) => return Err("its model does not make the query true".into()),
                None => return Err("its model could not be evaluated".into()),
            }
        }
        Ok(model)
    }
}

impl Stage for Portfolio {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        let observed = self.observed(query.terms);
        let mut script = declarations(&self.pool, query.terms);
        let mut printer = Printer::new();
        let mut assertions = String::new();
        for &term in query.terms {
            let text = printer.term(&self.pool, term, &mut script);
            assertions.push_str(&format!("(assert {text})\n"));
        }
        let asked: Vec<String> = observed.iter().map(|&term| printer.term(&self.pool, term, &mut script)).collect();
        script.push_str(&assertions);
        let logic = self.logic(query.terms);
        let mut bounds = self.bounds.clone();
        if let Some(deadline) = query.limits.deadline {
            bounds.time = bounds.time.min(deadline.saturating_duration_since(Instant::now()));
        }
        let able: Vec<bool> = self
            .processes
            .iter()
            .map(|process| !process.is_distrusted && self.can_read(process.found.kind, query.terms))
            .collect();
        let mut numbers: Vec<usize> = (0..able.len()).filter(|&number| able[number]).collect();
        let mut last = Reason::NoSolver(format!("`{}` installs one", SolverKind::Z3.installation()));
        while !numbers.is_empty() {
            let mut members: Vec<&mut Process> = self
                .processes
                .iter_mut()
                .enumerate()
                .filter(|(number, _)| numbers.contains(number))
                .map(|(_, process)| process)
                .collect();
            let question = Question { script: &script, values: &asked, logic, bounds: &bounds };
            let replies = ask(&mut members, &question, self.mode, &self.cancel);
            drop(members);
            let mut asked_numbers = Vec::new();
            for (place, reply) in replies {
                let number = numbers[place];
                asked_numbers.push(number);
                let kind = self.processes[number].found.kind;
                match reply {
                    Reply::Unsat => {
                        self.statistics.answered += 1;
                        return Answer::Unsat(query.terms.to_vec());
                    }
                    Reply::Sat(values) => match self.judge(query.terms, &observed, values) {
                        Ok(model) => {
                            self.statistics.answered += 1;
                            return Answer::Sat(model);
                        }
                        Err(what) => {
                            let is_lie = what.contains("does not make") && !self.has_open_semantics(query.terms);
                            self.processes[number].is_distrusted |= is_lie;
                            self.report(kind, what.clone());
                            last = Reason::Incomplete(format!("{} says sat, but {what}", kind.program()));
                        }
                    },
                    Reply::Cancelled => {
                        if self.cancel.is_cancelled() {
                            return Answer::Unknown(Reason::Cancelled);
                        }
                    }
                    Reply::Unknown(what) => last = Reason::Incomplete(what),
                    Reply::TimedOut => last = Reason::Budget,
                    Reply::Broken(what) => {
                        self.report(kind, what.clone());
                        last = Reason::Incomplete(format!("{}: {what}", kind.program()));
                    }
                }
            }
            numbers.retain(|number| !asked_numbers.contains(number));
        }
        Answer::Unknown(last)
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
    }
}
