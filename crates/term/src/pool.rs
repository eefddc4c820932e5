//! The pool: hash-consed terms as `u32` handles.
//!
//! Equal terms have equal handles. Each term carries a 128-bit structural fingerprint made from operator, payload, sort
//! and the arguments' fingerprints; commutative arguments are ordered by it, so that nothing depends on which term was
//! made first or on which thread.
//!
//! **Sharing.** Every method takes `&self`. Reading (`op`, `args`, `sort`, `value`) takes no lock: terms are append-only
//! and never move (see `arena.rs`). Making a term takes one short, uncontended lock (about 15 ns) around the lookup in
//! the table. So one `TermPool` behind an `Arc` serves all threads of a task, and a single thread pays little for it.
//! Constructors (`build/*.rs`) rewrite before they intern, outside of the lock.
//!
//! A binary node takes 40 bytes here and 5 to 10 in the table.

use crate::arena::{Arena, ListRef, Lists};
use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use hashbrown::HashTable;
use quod_base::{Fingerprint, Id, Rational, Symbol};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

quod_base::define_id! {
    /// A term of a [`TermPool`].
    pub struct Term = "t";
}

/// What a term holds beside its operator and arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload {
    None,
    /// Of `Const`.
    Value(Value),
    /// Of `Symbol`.
    Name(Symbol),
    /// Of `Apply`.
    Function(Arc<Function>),
    /// Of indexed operators: `(_ extract 7 0)` holds 7 and 0.
    Indices(u32, u32),
    /// Of `Power`: not 0 and not 1.
    Exponent(i32),
    /// Of `Bound`: the level of its binder and the place among its variables.
    Variable {
        level: u32,
        place: u32,
    },
    /// Of binders: the level, and the sorts of the variables; for quantifiers how the patterns are grouped into triggers.
    Binder {
        level: u32,
        sorts: Arc<[Sort]>,
        triggers: Arc<[u32]>,
    },
}

/// The declaration of an uninterpreted function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    pub name: Symbol,
    pub domain: Vec<Sort>,
    pub range: Sort,
}

/// What division by zero means for the simplifier.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Division {
    /// `x / 0` is 0 (one of the interpretations that SMT-LIB allows); nothing is cancelled that could be zero.
    #[default]
    Total,
    /// Operations are partial, as in SARL: `x / x` becomes 1. For callers that check divisors apart.
    Partial,
}

#[derive(Copy, Clone)]
struct Node {
    fingerprint: [u64; 2],
    args: ListRef<Term>,
    count: u32,
    sort: Sort,
    payload: u32,
    op: Op,
    /// How deep binders nest inside, for `binder.rs`; `u16::MAX` stands for that many or more.
    binder_height: u16,
}

/// Owner of terms. See the head of this file.
pub struct TermPool {
    nodes: Arena<Node>,
    payloads: Arena<(Payload, Fingerprint)>,
    tables: Mutex<Tables>,
    division: Division,
    expansions: Mutex<crate::standard::expand::Expansions>,
    fresh: std::sync::atomic::AtomicU64,
    true_: Term,
    false_: Term,
    one_int: Term,
    one_real: Term,
}

struct Tables {
    nodes: HashTable<Term>,
    payloads: FxHashMap<Payload, u32>,
    lists: Lists<Term>,
}

/// How much a pool holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PoolSize {
    pub terms: usize,
    /// Nodes, argument lists and tables.
    pub bytes: usize,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    pub fn new() -> Self {
        Self::with_division(Division::Total)
    }

    pub fn with_division(division: Division) -> Self {
        let tables = Tables { nodes: HashTable::new(), payloads: FxHashMap::default(), lists: Lists::new() };
        let placeholder = Term::from_index(0);
        let mut pool = Self {
            nodes: Arena::new(),
            payloads: Arena::new(),
            tables: Mutex::new(tables),
            division,
            expansions: Mutex::default(),
            fresh: 0.into(),
            true_: placeholder,
            false_: placeholder,
            one_int: placeholder,
            one_real: placeholder,
        };
        pool.payload_id(Payload::None);
        pool.true_ = pool.constant(Value::Bool(true));
        pool.false_ = pool.constant(Value::Bool(false));
        pool.one_int = pool.constant(Value::Int(Rational::ONE));
        pool.one_real = pool.constant(Value::Real(Rational::ONE));
        pool
    }

    pub(crate) fn expansions(&self) -> std::sync::MutexGuard<'_, crate::standard::expand::Expansions> {
        self.expansions.lock().expect("expansions")
    }

    pub fn division(&self) -> Division {
        self.division
    }

    #[inline]
    fn node(&self, term: Term) -> &Node {
        self.nodes.get(term.index() as u32)
    }
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }
    #[inline]
    pub fn args(&self, term: Term) -> &[Term] {
        let node = self.node(term);
        // SAFETY: `count` is what the list was made with, and the lists live in `self`.
        unsafe { node.args.get(node.count) }
    }
    /// The only argument of a unary term, or the first.
    #[inline]
    pub fn arg(&self, term: Term, place: usize) -> Term {
        self.args(term)[place]
    }
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }
    #[inline]
    pub fn fingerprint(&self, term: Term) -> Fingerprint {
        let [high, low] = self.node(term).fingerprint;
        Fingerprint(u128::from(high) << 64 | u128::from(low))
    }
    pub fn payload(&self, term: Term) -> &Payload {
        &self.payloads.get(self.node(term).payload).0
    }
    pub(crate) fn binder_height(&self, term: Term) -> u16 {
        self.node(term).binder_height
    }
    /// The width of a bit-vector term; 0 for others.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().unwrap_or(0)
    }
    /// The numerals of an indexed operator.
    pub fn indices(&self, term: Term) -> (u32, u32) {
        match self.payload(term) {
            Payload::Indices(a, b) => (*a, *b),
            _ => (0, 0),
        }
    }
    #[inline]
    pub fn is_constant(&self, term: Term) -> bool {
        self.op(term) == Op::Const
    }
    /// The value of a constant.
    #[inline]
    pub fn value(&self, term: Term) -> Option<&Value> {
        if self.op(term) != Op::Const {
            return None;
        }
        match self.payload(term) {
            Payload::Value(value) => Some(value),
            _ => None,
        }
    }
    /// The name of a free symbol.
    pub fn symbol_name(&self, term: Term) -> Option<Symbol> {
        match self.payload(term) {
            Payload::Name(name) => Some(*name),
            _ => None,
        }
    }
    /// The declaration of the function of an `Apply`.
    pub fn function(&self, term: Term) -> Option<&Arc<Function>> {
        match self.payload(term) {
            Payload::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn size(&self) -> PoolSize {
        let tables = self.tables.lock().expect("term tables");
        PoolSize {
            terms: self.nodes.len(),
            bytes: self.nodes.bytes()
                + self.payloads.bytes()
                + tables.payloads.capacity() * (size_of::<Payload>() + 8)
                + tables.lists.bytes()
                + tables.nodes.allocation_size(),
        }
    }
    /// All terms, arguments before the terms that use them. The order depends on creation: not for output.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = Term> + use<> {
        (0..self.nodes.len()).map(Term::from_index)
    }

    fn payload_id(&self, payload: Payload) -> u32 {
        if payload == Payload::None && self.payloads.len() > 0 {
            return 0;
        }
        let mut tables = self.tables.lock().expect("term tables");
        if let Some(&id) = tables.payloads.get(&payload) {
            return id;
        }
        let fingerprint = payload_fingerprint(&payload);
        // SAFETY: the lock on the tables is held.
        let id = unsafe { self.payloads.push((payload.clone(), fingerprint)) };
        tables.payloads.insert(payload, id);
        id
    }

    /// Interns a node as it is, without rewriting. The caller has put arguments and sort in order.
    pub(crate) fn intern(&self, op: Op, payload: Payload, args: &[Term], sort: Sort) -> Term {
        let payload = self.payload_id(payload);
        let mut hasher = quod_base::fingerprint::FingerprintHasher::default();
        use std::hash::Hasher;
        hasher.write_u64(op as u64 | (args.len() as u64) << 32);
        if payload != 0 {
            hasher.write_u128(self.payloads.get(payload).1.0);
        }
        let mut binder_height = 0;
        for &arg in args {
            let node = self.node(arg);
            hasher.write_u64(node.fingerprint[0]);
            hasher.write_u64(node.fingerprint[1]);
            binder_height = binder_height.max(node.binder_height);
        }
        if args.is_empty() {
            hasher.write_u128(sort.fingerprint().0);
        }
        if op.is_binder() {
            binder_height = binder_height.saturating_add(1);
        }
        let fingerprint = hasher.finish128().0;
        let fingerprint = [(fingerprint >> 64) as u64, fingerprint as u64];
        let mut tables = self.tables.lock().expect("term tables");
        let found = tables.nodes.find(fingerprint[1], |&term| {
            let node = self.node(term);
            node.fingerprint == fingerprint
                && node.op == op
                && node.payload == payload
                && node.sort == sort
                && self.args(term) == args
        });
        if let Some(&term) = found {
            return term;
        }
        let list = ListRef::new(args, &mut tables.lists);
        let node = Node { fingerprint, args: list, count: args.len() as u32, sort, payload, op, binder_height };
        // SAFETY: the lock on the tables is held.
        let term = Term::from_index(unsafe { self.nodes.push(node) } as usize);
        tables.nodes.insert_unique(fingerprint[1], term, |&term| self.node(term).fingerprint[1]);
        term
    }

    /// Sorts arguments by fingerprint.
    pub(crate) fn order(&self, args: &mut [Term]) {
        match args {
            [] | [_] => {}
            [a, b] => {
                if self.fingerprint(*b) < self.fingerprint(*a) {
                    std::mem::swap(a, b);
                }
            }
            _ => args.sort_by_cached_key(|&arg| self.fingerprint(arg)),
        }
    }

    pub fn constant(&self, value: Value) -> Term {
        let sort = value.sort();
        self.intern(Op::Const, Payload::Value(value), &[], sort)
    }
    pub fn true_(&self) -> Term {
        self.true_
    }
    pub fn false_(&self) -> Term {
        self.false_
    }
    /// The constant 1 of Int or Real.
    pub(crate) fn one(&self, sort: Sort) -> Term {
        if sort == Sort::INT { self.one_int } else { self.one_real }
    }
    pub fn bool(&self, value: bool) -> Term {
        if value { self.true_ } else { self.false_ }
    }
    /// A free symbol; the same name at two sorts gives two symbols.
    pub fn symbol(&self, name: impl Into<Symbol>, sort: Sort) -> Term {
        self.intern(Op::Symbol, Payload::Name(name.into()), &[], sort)
    }
    /// A symbol that no one else has: `prefix!0`, `prefix!1`, … in the order of the calls.
    pub fn fresh_symbol(&self, prefix: &str, sort: Sort) -> Term {
        let number = self.fresh.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.symbol(format!("{prefix}!{number}").as_str(), sort)
    }
    /// An uninterpreted function applied; without arguments a symbol.
    pub fn apply(&self, function: &Arc<Function>, args: &[Term]) -> Term {
        if args.is_empty() {
            return self.symbol(function.name, function.range);
        }
        self.intern(Op::Apply, Payload::Function(function.clone()), args, function.range)
    }
}

fn payload_fingerprint(payload: &Payload) -> Fingerprint {
    let sorts = |sorts: &[Sort]| sorts.iter().map(|sort| sort.fingerprint()).collect::<Vec<_>>();
    match payload {
        Payload::None => Fingerprint::default(),
        Payload::Value(value) => value.fingerprint(),
        Payload::Name(name) => Fingerprint::of(&(2, name.as_str())),
        Payload::Function(function) => {
            Fingerprint::of(&(3, function.name.as_str(), sorts(&function.domain), function.range.fingerprint()))
        }
        Payload::Indices(a, b) => Fingerprint::of(&(4, a, b)),
        Payload::Exponent(exponent) => Fingerprint::of(&(5, exponent)),
        Payload::Variable { level, place } => Fingerprint::of(&(6, level, place)),
        Payload::Binder { level, sorts: list, triggers } => Fingerprint::of(&(7, level, sorts(list), triggers)),
    }
}
