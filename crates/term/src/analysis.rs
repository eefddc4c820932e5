//! Free symbols and structural statistics, without recursion.

use crate::op::{Op, Theory};
use crate::pool::{Function, Term, TermPool};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a term is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Different subterms.
    pub nodes: usize,
    /// The longest path from the root, in nodes.
    pub depth: usize,
    /// Occurrences of subterms if nothing were shared, as far as it fits.
    pub tree_size: u64,
    pub symbols: usize,
    pub operators: BTreeMap<Op, usize>,
}

impl TermPool {
    /// The different subterms of some terms, arguments first.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut work: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, is_ready)) = work.pop() {
            if is_ready {
                order.push(term);
            } else if seen.insert(term) {
                work.push((term, true));
                work.extend(self.args(term).iter().rev().filter(|arg| !seen.contains(arg)).map(|&arg| (arg, false)));
            }
        }
        order
    }

    /// The free symbols of some terms, in order of their fingerprints.
    pub fn free_symbols(&self, roots: &[Term]) -> Vec<Term> {
        let mut symbols: Vec<Term> =
            self.subterms(roots).into_iter().filter(|&term| self.op(term) == Op::Symbol).collect();
        symbols.sort_by_key(|&symbol| self.fingerprint(symbol));
        symbols
    }

    /// The uninterpreted functions of some terms, by name.
    pub fn functions(&self, roots: &[Term]) -> Vec<Arc<Function>> {
        let terms = self.subterms(roots);
        let functions = terms.iter().filter_map(|&term| self.function(term).cloned());
        let mut functions: Vec<Arc<Function>> = functions.collect::<FxHashSet<_>>().into_iter().collect();
        functions.sort_by_key(|function| (function.name.as_str(), function.domain.len(), format!("{function:?}")));
        functions
    }

    /// The theories of the operators and sorts that occur.
    pub fn theories(&self, roots: &[Term]) -> BTreeSet<Theory> {
        self.subterms(roots).into_iter().map(|term| self.op(term).theory()).collect()
    }

    pub fn statistics(&self, root: Term) -> Statistics {
        let mut statistics = Statistics::default();
        let mut measures: rustc_hash::FxHashMap<Term, (usize, u64)> = rustc_hash::FxHashMap::default();
        for term in self.subterms(&[root]) {
            statistics.nodes += 1;
            *statistics.operators.entry(self.op(term)).or_default() += 1;
            statistics.symbols += usize::from(self.op(term) == Op::Symbol);
            let below = self.args(term).iter().map(|arg| measures[arg]);
            let (depth, size) =
                below.fold((0, 1u64), |(deep, size), (depth, tree)| (deep.max(depth), size.saturating_add(tree)));
            measures.insert(term, (depth + 1, size));
        }
        (statistics.depth, statistics.tree_size) = measures.get(&root).copied().unwrap_or_default();
        statistics
    }

    /// Copies some terms into a pool of their own: what is left behind dies with this pool. The new handles are in the
    /// order of `roots`.
    pub fn swept(&self, roots: &[Term]) -> (TermPool, Vec<Term>) {
        let pool = TermPool::with_division(self.division());
        let mut moved: rustc_hash::FxHashMap<Term, Term> = rustc_hash::FxHashMap::default();
        for term in self.subterms(roots) {
            let args: Vec<Term> = self.args(term).iter().map(|arg| moved[arg]).collect();
            let copy = pool.intern(self.op(term), self.payload(term).clone(), &args, self.sort(term));
            moved.insert(term, copy);
        }
        let roots = roots.iter().map(|root| moved[root]).collect();
        (pool, roots)
    }
}
