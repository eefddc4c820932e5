//! Terms and path conditions of a state, whatever their symbols are called.

use super::super::memory::Memory;
use super::super::places::Placed;
use super::{Sink, Walk};
use quod_base::Id;
use quod_base::fingerprint::FingerprintHasher;
use quod_term::{Op, Term};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Larger terms are not renamed, and their states not matched.
const MOST_TERMS: usize = 100_000;

impl<S: Sink> Walk<'_, S> {
    /// The term's structure, with symbols as they are counted: a hash, or the number of its definition.
    pub(super) fn term(&mut self, root: Term) -> Option<u128> {
        let pool = &self.domain.pool;
        if !S::IS_FULL && pool.is_constant(root) {
            return Some(pool.fingerprint(root).0);
        }
        let mut work = vec![(root, false)];
        while let Some((term, is_ready)) = work.pop() {
            if self.names.terms.contains_key(&term) {
                continue;
            }
            let op = pool.op(term);
            match op {
                Op::Const if S::IS_FULL => self.define(term, ("constant", term.index())),
                Op::Const => {
                    self.names.terms.insert(term, pool.fingerprint(term).0);
                }
                Op::Symbol => self.symbol(term),
                _ if op.is_binder() || op == Op::Bound || self.names.terms.len() > MOST_TERMS => return None,
                _ if !is_ready => {
                    work.push((term, true));
                    work.extend(pool.args(term).iter().rev().map(|&arg| (arg, false)));
                }
                _ => {
                    let args: Vec<Option<u128>> =
                        pool.args(term).iter().map(|arg| self.names.terms.get(arg).copied()).collect();
                    self.define(term, (op, pool.payload(term), pool.sort(term).fingerprint(), args));
                }
            }
        }
        self.names.terms.get(&root).copied()
    }

    fn symbol(&mut self, term: Term) {
        // An address is as good as a pointer.
        let Some(placed) = self.domain.placed(term) else {
            let next = self.names.symbols.len() as u32;
            let number = *self.names.symbols.entry(term).or_insert(next);
            return self.define(term, ("symbol", number, self.domain.pool.sort(term).fingerprint()));
        };
        self.names.symbols.entry(term).or_insert(u32::MAX);
        match placed {
            Placed::Address(object) => {
                let number = self.number(object);
                self.define(term, ("address", number));
            }
            Placed::Wild(id) => self.define(term, ("wild", id)),
            Placed::Code(index) => self.define(term, ("code", index)),
            Placed::Number(id) => self.define(term, ("number", id)),
            Placed::Same(a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                self.define(term, ("same", a.min(b), a.max(b)));
            }
        }
    }

    fn define(&mut self, term: Term, what: impl Hash) {
        let key = if S::IS_FULL {
            what.hash(&mut self.definitions);
            self.names.terms.len() as u128
        } else {
            let mut hasher = FingerprintHasher::default();
            what.hash(&mut hasher);
            hasher.finish128().0
        };
        self.names.terms.insert(term, key);
    }

    /// The conjuncts that matter to what the state holds: a hash that does not look at their order, or one after the other.
    pub(super) fn path(&mut self, memory: &Memory, symbols_of: &mut FxHashMap<Term, Box<[Term]>>) -> Option<Vec<u128>> {
        let pool = &self.domain.pool;
        let mut open: Vec<Term> = memory.path.iter().copied().collect();
        for &conjunct in &open {
            // What is said of a function is about all its arguments: it always counts, as what has no symbols does. And
            // whether what has a quantifier can be true is not known for certain: it is not left out.
            symbols_of.entry(conjunct).or_insert_with(|| {
                let is_whole = !pool.functions(&[conjunct]).is_empty()
                    || pool.subterms(&[conjunct]).iter().any(|&part| pool.op(part).is_binder());
                if is_whole { Box::default() } else { pool.free_symbols(&[conjunct]).into_boxed_slice() }
            });
        }
        let mut keys = Vec::new();
        loop {
            let before = open.len();
            let mut rest = Vec::new();
            for conjunct in open {
                let symbols = symbols_of.get(&conjunct)?;
                let is_held =
                    |symbol: &Term| self.names.symbols.contains_key(symbol) || self.domain.placed(*symbol).is_some();
                if symbols.is_empty() || symbols.iter().any(is_held) {
                    keys.push(self.term(conjunct)?);
                } else {
                    rest.push(conjunct);
                }
            }
            if rest.len() == before {
                break;
            }
            open = rest;
        }
        let sum = |keys: Vec<u128>| vec![keys.into_iter().fold(0, u128::wrapping_add)];
        Some(if S::IS_FULL { keys } else { sum(keys) })
    }
}
