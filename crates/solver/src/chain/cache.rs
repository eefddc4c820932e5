//! Cache and counterexample cache, after KLEE: exact answers by the set of conjuncts; a subset that is unsatisfiable
//! settles its supersets, a model of a superset settles its subsets, and the models of recent queries are tried on new
//! ones.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_term::{Term, TermPool, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

#[derive(Clone)]
enum Entry {
    Sat(Arc<Model>),
    Unsat(Arc<[Term]>),
}

/// What a cache looks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The same set of conjuncts, or all but the last one.
    Exact,
    /// Also subsets, supersets and models of other queries.
    Related,
}

pub struct Cache {
    lookup: Lookup,
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
    exact: FxHashMap<Box<[Term]>, Entry>,
    /// Unsatisfiable cores by their first conjunct.
    cores: FxHashMap<Term, Vec<Arc<[Term]>>>,
    /// Satisfiable sets by each conjunct, the latest few.
    supersets: FxHashMap<Term, VecDeque<KnownSat>>,
    recent: VecDeque<Arc<Model>>,
    key: Vec<Term>,
}

/// A satisfiable set of conjuncts and its model.
type KnownSat = (Arc<FxHashSet<Term>>, Arc<Model>);

const RECENT_MODELS: usize = 4;
const SUPERSETS: usize = 8;
const MAX_ENTRIES: usize = 200_000;

impl Cache {
    pub fn new(pool: Arc<TermPool>, lookup: Lookup, inner: Box<dyn Stage>) -> Self {
        let name = if lookup == Lookup::Exact { "exact cache" } else { "counterexample cache" };
        Self {
            lookup,
            pool,
            inner,
            statistics: StageStatistics { name, ..StageStatistics::default() },
            exact: FxHashMap::default(),
            cores: FxHashMap::default(),
            supersets: FxHashMap::default(),
            recent: VecDeque::new(),
            key: Vec::new(),
        }
    }

    fn look_up(&mut self, terms: &[Term]) -> Option<Answer> {
        self.key.clear();
        self.key.extend_from_slice(terms);
        self.key.sort_unstable();
        match self.exact.get(self.key.as_slice()) {
            Some(Entry::Sat(model)) => return Some(Answer::Sat((**model).clone())),
            Some(Entry::Unsat(core)) => return Some(Answer::Unsat(core.to_vec())),
            None => {}
        }
        if self.lookup == Lookup::Exact {
            return self.extend_prefix(terms);
        }
        for term in &self.key {
            for core in self.cores.get(term).into_iter().flatten() {
                if core.iter().all(|member| self.key.binary_search(member).is_ok()) {
                    return Some(Answer::Unsat(core.to_vec()));
                }
            }
        }
        let rarest = self.key.first()?;
        for (set, model) in self.supersets.get(rarest).into_iter().flatten() {
            if self.key.iter().all(|term| set.contains(term)) {
                return Some(Answer::Sat((**model).clone()));
            }
        }
        for model in &self.recent {
            let holds = |&term: &Term| matches!(quod_term::evaluate(&self.pool, term, model), Some(Value::Bool(true)));
            if terms.len() <= 32 && terms.iter().all(holds) {
                return Some(Answer::Sat((**model).clone()));
            }
        }
        None
    }

    /// A path condition grew by one conjunct: the model of the path may satisfy that one, too; of a condition and its
    /// negation it satisfies one for certain.
    fn extend_prefix(&mut self, terms: &[Term]) -> Option<Answer> {
        let (&last, prefix) = terms.split_last()?;
        self.key.clear();
        self.key.extend_from_slice(prefix);
        self.key.sort_unstable();
        match self.exact.get(self.key.as_slice())? {
            Entry::Unsat(core) => Some(Answer::Unsat(core.to_vec())),
            Entry::Sat(model) => {
                let model = model.clone();
                if quod_term::evaluate(&self.pool, last, &model) != Some(Value::Bool(true)) {
                    return None;
                }
                self.key.push(last);
                self.key.sort_unstable();
                self.exact.insert(self.key.as_slice().into(), Entry::Sat(model.clone()));
                Some(Answer::Sat((*model).clone()))
            }
        }
    }

    fn remember(&mut self, terms: &[Term], answer: &Answer) {
        if self.exact.len() > MAX_ENTRIES {
            self.exact.clear();
            self.cores.clear();
            self.supersets.clear();
        }
        let mut key = terms.to_vec();
        key.sort_unstable();
        match answer {
            Answer::Sat(model) => {
                let model = Arc::new(model.clone());
                if self.lookup == Lookup::Exact {
                    self.exact.insert(key.into(), Entry::Sat(model));
                    return;
                }
                let set: Arc<FxHashSet<Term>> = Arc::new(terms.iter().copied().collect());
                for &term in terms {
                    let list = self.supersets.entry(term).or_default();
                    list.push_front((set.clone(), model.clone()));
                    list.truncate(SUPERSETS);
                }
                self.recent.push_front(model.clone());
                self.recent.truncate(RECENT_MODELS);
                self.exact.insert(key.into(), Entry::Sat(model));
            }
            Answer::Unsat(core) => {
                let core: Arc<[Term]> = if core.is_empty() { terms.into() } else { core.as_slice().into() };
                if let Some(&first) = core.first() {
                    self.cores.entry(first).or_default().push(core.clone());
                }
                self.exact.insert(key.into(), Entry::Unsat(core));
            }
            Answer::Unknown(_) => {}
        }
    }
}

impl Stage for Cache {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if let Some(answer) = self.look_up(query.terms) {
            self.statistics.answered += 1;
            return answer;
        }
        let answer = self.inner.check(query);
        self.remember(query.terms, &answer);
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
