//! Difference logic: conjunctions of `x - y <= c` over the integers, decided by shortest paths.
//!
//! Each constraint is an edge from `y` to `x` of length `c`; a bound on one symbol is an edge from or to a node for zero.
//! A cycle of negative length is a contradiction, and its constraints are the core; otherwise the distances from a
//! source are a model (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)", 2006, use the
//! same graph incrementally). Conjuncts of any other form send the query on.

use super::linear::LinearForm;
use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_base::Rational;
use quod_term::{Op, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Difference {
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
}

struct Edge {
    from: usize,
    to: usize,
    length: i64,
    origin: Term,
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Term>,
    places: FxHashMap<Term, usize>,
    edges: Vec<Edge>,
}

/// Larger bounds go to exact arithmetic.
const MAX_BOUND: i64 = 1 << 40;

impl Graph {
    /// Node 0 is zero; symbols follow.
    fn node(&mut self, symbol: Term) -> usize {
        let next = self.nodes.len() + 1;
        *self.places.entry(symbol).or_insert_with(|| {
            self.nodes.push(symbol);
            next
        })
    }

    /// Adds `0 <= form`; `None` if it is no difference.
    fn add(&mut self, pool: &TermPool, form: &LinearForm, origin: Term) -> Option<()> {
        let length = form.constant.to_i64().filter(|length| length.abs() < MAX_BOUND)?;
        let mut place = |sign: &Rational| -> Option<usize> {
            let mut found = form.monomials.iter().filter(|(_, coefficient)| coefficient == sign);
            match (found.next(), found.next()) {
                (None, _) => Some(0),
                (Some((symbol, _)), None) if pool.op(*symbol) == Op::Symbol => Some(self.node(*symbol)),
                _ => None,
            }
        };
        let (plus, minus) = (place(&Rational::ONE)?, place(&Rational::MINUS_ONE)?);
        if usize::from(plus != 0) + usize::from(minus != 0) != form.monomials.len() {
            return None;
        }
        // plus - minus + length >= 0, that is minus - plus <= length.
        self.edges.push(Edge { from: plus, to: minus, length, origin });
        Some(())
    }

    /// Distances from a source that reaches every node at zero, or the edges of a negative cycle.
    fn shortest(&self) -> Result<Vec<i64>, Vec<usize>> {
        let count = self.nodes.len() + 1;
        let mut distance = vec![0i64; count];
        let mut through: Vec<Option<usize>> = vec![None; count];
        let mut last = None;
        for _ in 0..=count {
            last = None;
            for (number, edge) in self.edges.iter().enumerate() {
                let candidate = distance[edge.from] + edge.length;
                if candidate < distance[edge.to] {
                    distance[edge.to] = candidate;
                    through[edge.to] = Some(number);
                    last = Some(edge.to);
                }
            }
            if last.is_none() {
                return Ok(distance);
            }
        }
        // Going back as many steps as there are nodes ends on the cycle.
        let mut at = last.unwrap_or(0);
        for _ in 0..count {
            at = through[at].map_or(at, |number| self.edges[number].from);
        }
        let mut cycle = Vec::new();
        let start = at;
        while let Some(number) = through[at] {
            cycle.push(number);
            at = self.edges[number].from;
            if at == start {
                break;
            }
        }
        Err(cycle)
    }
}

impl Difference {
    pub fn new(pool: Arc<TermPool>, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "difference", ..StageStatistics::default() };
        Self { pool, inner, statistics }
    }

    /// The graph, if every conjunct is a difference constraint over integers.
    fn graph(&self, terms: &[Term]) -> Option<Graph> {
        let pool = &self.pool;
        let mut graph = Graph::default();
        for &term in terms {
            let (atom, holds) = match pool.op(term) {
                Op::Not => (pool.arg(term, 0), false),
                _ => (term, true),
            };
            let op = pool.op(atom);
            if !matches!(op, Op::Le | Op::Lt | Op::Eq)
                || pool.args(atom).len() != 2
                || pool.sort(pool.arg(atom, 0)) != Sort::INT
                || op == Op::Eq && !holds
            {
                return None;
            }
            let (a, b) = (LinearForm::of(pool, pool.arg(atom, 0)), LinearForm::of(pool, pool.arg(atom, 1)));
            // `0 <= b - a`, one less if strict; negated: `0 <= a - b`, one less if not.
            let (mut forward, backward) = (b.clone().minus(&a), a.minus(&b));
            match (op, holds) {
                (Op::Eq, _) => {
                    graph.add(pool, &forward, term)?;
                    graph.add(pool, &backward, term)?;
                    continue;
                }
                (Op::Lt, true) => forward.constant -= &Rational::ONE,
                (Op::Le, false) => {
                    forward = backward;
                    forward.constant -= &Rational::ONE;
                }
                (_, false) => forward = backward,
                _ => {}
            }
            graph.add(pool, &forward, term)?;
        }
        Some(graph)
    }
}

impl Stage for Difference {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        let Some(graph) = self.graph(query.terms) else { return self.inner.check(query) };
        let answer = match graph.shortest() {
            Err(cycle) => {
                let mut core: Vec<Term> = cycle.iter().map(|&number| graph.edges[number].origin).collect();
                core.sort_by_key(|&term| self.pool.fingerprint(term));
                core.dedup();
                Answer::Unsat(core)
            }
            Ok(distance) => {
                let mut model = Model::default();
                for (at, &symbol) in graph.nodes.iter().enumerate() {
                    model.set(symbol, Value::int(distance[at + 1] - distance[0]));
                }
                let holds =
                    |&term: &Term| matches!(quod_term::evaluate(&self.pool, term, &model), Some(Value::Bool(true)));
                if !query.terms.iter().all(holds) {
                    return self.inner.check(query);
                }
                Answer::Sat(model)
            }
        };
        self.statistics.answered += 1;
        answer
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
        self.inner.statistics(into);
    }
}
