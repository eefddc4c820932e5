//! Memory of a symbolic state: objects with typed cells, all persistent, so that a fork costs nothing.

use super::value::Value;
use crate::domain::{Ending, ObjectKind};
use crate::scalar::Scalar;
use crate::shared::{Name, Outline};
use imbl::{HashMap, OrdMap, Vector};
use quod_base::{Span, Symbol, define_id};
use quod_term::Term;
use std::sync::{Arc, OnceLock};

define_id! {
    /// An object of one state.
    pub struct ObjectId = "o";
}

#[derive(Clone)]
pub struct Memory {
    pub(super) objects: Vector<Arc<Object>>,
    /// Those of them that are on the heap or static, in order.
    listed: Vector<ObjectId>,
    /// Conjuncts of the path condition, oldest first.
    pub(super) path: Vector<Term>,
    /// Terms that the path condition makes equal to a constant.
    pub(super) known: HashMap<Term, i64>,
    /// Conjuncts and their negations: questions that were answered on the way here.
    pub(super) decided: HashMap<Term, bool>,
    /// Values that were asked for by name (inputs, nondeterministic calls), in order: a counterexample gives them values.
    pub(super) inputs: Vector<Input>,
    /// Counts fresh symbols, so that equal paths make equal names.
    pub(super) fresh: u64,
    /// Numbers that can have so many values that nobody looks at them one by one.
    pub(super) open: imbl::HashSet<Term>,
}

#[derive(Clone, Debug)]
pub struct Input {
    pub name: Option<Symbol>,
    pub scalar: Scalar,
    pub term: Term,
    /// Asked for only in executions where this holds (joined states).
    pub guard: Option<Term>,
    /// The elements of an array of unknown length, one after the other.
    pub array: Option<ArrayInput>,
}

#[derive(Clone, Debug)]
pub struct ArrayInput {
    /// The element at an index.
    pub function: Arc<quod_term::Function>,
    /// In bytes, of all and of an element.
    pub size: Term,
    pub unit: u8,
}

#[derive(Clone, Debug)]
pub struct Object {
    /// In bytes; where there is a length, the largest that it can be.
    pub size: u64,
    /// The size where it is not known: a term of the width of a pointer, from zero to `size`.
    pub(super) length: Option<Term>,
    pub kind: ObjectKind,
    pub name: Option<Symbol>,
    pub span: Span,
    pub is_constant: bool,
    pub ending: Option<(Ending, Span)>,
    /// How long the rows of an array of arrays are, where that was computed.
    pub rows: Arc<[u64]>,
    pub(super) base: Base,
    pub(super) cells: OrdMap<u64, CellValue>,
    /// What it holds instead, where its size is no constant.
    pub(super) open: Option<Arc<super::open::Open>>,
    /// Computed when first asked for; whoever changes the object empties it.
    pub(super) hash: OnceLock<Digest>,
}

/// What is known of an object's content once it was looked at.
#[derive(Clone, Debug)]
pub(super) struct Digest {
    outline: Outline,
    fingerprint: OnceLock<quod_base::Fingerprint>,
    /// Small numbers that it holds, found out when someone asks for them.
    numbers: OnceLock<super::numbered::Numbers>,
}

/// What bytes hold that no cell covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Undefined,
    Zero,
    /// Arrays of the logic.
    Grid(Arc<super::grid::Grid>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellValue {
    pub(super) size: u8,
    pub(super) scalar: Scalar,
    /// `Unset` where the bytes are indeterminate.
    pub(super) value: Value,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            objects: Vector::new(),
            listed: Vector::new(),
            path: Vector::new(),
            known: HashMap::new(),
            decided: HashMap::new(),
            inputs: Vector::new(),
            fresh: 0,
            open: imbl::HashSet::new(),
        }
    }

    pub fn path_condition(&self) -> impl Iterator<Item = Term> + '_ {
        self.path.iter().copied()
    }
    /// What the path condition is known to say of a condition.
    pub fn decision(&self, condition: Term) -> Option<bool> {
        self.decided.get(&condition).copied()
    }
    /// The number can have so many values that nobody looks at them one by one.
    pub fn is_open(&self, number: Term) -> bool {
        self.open.contains(&number)
    }
    pub fn leave_open(&mut self, number: Term) {
        self.open.insert(number);
    }
    /// How many symbols were made on the way here.
    pub fn fresh_count(&self) -> u64 {
        self.fresh
    }
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter()
    }
    pub(super) fn shared(&self, id: ObjectId) -> Arc<Object> {
        self.objects[quod_base::Id::index(id)].clone()
    }
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[quod_base::Id::index(id)]
    }
    pub(super) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        let object = Arc::make_mut(&mut self.objects[quod_base::Id::index(id)]);
        object.hash = OnceLock::new();
        object
    }
    /// A new object.
    pub(super) fn push(&mut self, object: Object) -> ObjectId {
        let id = quod_base::Id::from_index(self.objects.len());
        if object.is_listed() {
            self.listed.push_back(id);
        }
        self.objects.push_back(Arc::new(object));
        id
    }
    /// Other objects in the place of all.
    pub(super) fn set_objects(&mut self, objects: Vector<Arc<Object>>) {
        let listed = objects.iter().enumerate().filter(|(_, object)| object.is_listed());
        self.listed = listed.map(|(index, _)| quod_base::Id::from_index(index)).collect();
        self.objects = objects;
    }
    /// All objects that are on the heap or static, in order.
    pub(super) fn each_listed(&self, mut visit: impl FnMut(ObjectId, &Object)) {
        // It is faster to look at all, unless most are others.
        if self.objects.len() < 4 * self.listed.len() {
            for (index, object) in self.objects.iter().enumerate().filter(|(_, object)| object.is_listed()) {
                visit(quod_base::Id::from_index(index), object);
            }
        } else {
            self.listed.iter().for_each(|&id| visit(id, self.object(id)));
        }
    }
    /// Puts a changed copy of an object in its place.
    pub(super) fn replace(&mut self, id: ObjectId, mut object: Object) {
        object.hash = OnceLock::new();
        self.objects[quod_base::Id::index(id)] = Arc::new(object);
    }
    /// How many objects were ever made; they are numbered in order.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().map(|object| &**object)
    }
}

impl Memory {
    /// Feeds all that distinguishes this memory from others into a hasher, terms by their fingerprints.
    pub fn hash_into(&self, pool: &quod_term::TermPool, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.fresh.hash(hasher);
        // The order of conjuncts does not matter.
        let path = self.path.iter().fold(0u128, |sum, &term| sum.wrapping_add(pool.fingerprint(term).0));
        path.hash(hasher);
        self.objects.len().hash(hasher);
        for object in self.objects.iter() {
            object.fingerprint(pool).hash(hasher);
        }
    }
}

impl Memory {
    /// As `hash_into`, in full: no part is replaced by its hash.
    pub fn record_into(&self, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.fresh.hash(hasher);
        let mut path: Vec<usize> = self.path.iter().map(|&term| quod_base::Id::index(term)).collect();
        path.sort_unstable();
        path.hash(hasher);
        self.objects.len().hash(hasher);
        for object in self.objects.iter() {
            object.feed(&super::value::Identity, hasher);
        }
    }
}

impl Object {
    fn feed(&self, keys: &impl super::value::TermKey, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        let lives = (self.ending.is_none(), self.kind as u8, self.base == Base::Zero);
        (self.size, self.is_constant, lives, &self.rows).hash(hasher);
        self.cells.len().hash(hasher);
        for (offset, cell) in &self.cells {
            (offset, cell.size, cell.scalar).hash(hasher);
            cell.value.hash_into(keys, hasher);
        }
        if let Some(open) = &self.open {
            open.feed(keys, hasher);
        }
        if let Base::Grid(grid) = &self.base {
            (grid.stride, grid.is_zero, grid.fields.len()).hash(hasher);
            for (residue, field) in &grid.fields {
                (residue, field.size, keys.key(field.array)).hash(hasher);
            }
        }
        self.length.map(|length| keys.key(length)).hash(hasher);
    }

    fn digest(&self, pool: &quod_term::TermPool) -> &Digest {
        self.hash.get_or_init(|| {
            let outline = super::canonical::outline_of(pool, self);
            Digest { outline, fingerprint: OnceLock::new(), numbers: OnceLock::new() }
        })
    }

    /// The small numbers that it holds.
    pub(super) fn numbers(&self, pool: &quod_term::TermPool) -> super::numbered::Numbers {
        *self.digest(pool).numbers.get_or_init(|| super::numbered::of_object(pool, self))
    }

    fn fingerprint(&self, pool: &quod_term::TermPool) -> quod_base::Fingerprint {
        *self.digest(pool).fingerprint.get_or_init(|| {
            let mut hasher = quod_base::fingerprint::FingerprintHasher::default();
            self.feed(pool, &mut hasher);
            hasher.finish128()
        })
    }

    /// What it is, but for the names in it.
    pub(super) fn outline(&self, pool: &quod_term::TermPool) -> &Outline {
        &self.digest(pool).outline
    }

    /// What bytes hold that no cell covers, as a number.
    pub(super) fn base_kind(&self) -> u8 {
        match self.base {
            Base::Undefined => 0,
            Base::Zero => 1,
            Base::Grid(_) => 2,
        }
    }

    /// Any process can name it.
    pub fn is_static(&self) -> bool {
        !matches!(self.kind, ObjectKind::Local | ObjectKind::Heap | ObjectKind::Stack | ObjectKind::Arguments)
    }

    fn is_listed(&self) -> bool {
        self.is_static() || self.kind == ObjectKind::Heap
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        let open = self.open.iter().flat_map(|open| open.values());
        self.cells.values().map(|cell| &cell.value).chain(open)
    }

    /// What its pointers lead to, where that is kept.
    fn kept_names(&self) -> Option<&[Name]> {
        let digest = self.hash.get().filter(|_| self.is_live() && self.open.is_none())?;
        Some(&digest.outline.names)
    }

    /// The functions that cells of this object point to.
    pub fn function_targets(&self) -> impl Iterator<Item = u32> + '_ {
        let names = self.kept_names();
        let kept = names.into_iter().flatten().filter_map(|name| match name {
            Name::Function(index) => Some(*index),
            _ => None,
        });
        let values = names.is_none().then(|| self.values()).into_iter().flatten();
        kept.chain(values.filter_map(|value| match value {
            Value::Pointer(super::value::Pointer { target: super::value::Target::Function(index), .. }) => Some(*index),
            _ => None,
        }))
    }

    /// The objects that cells of this one point to.
    pub fn targets(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let names = self.kept_names();
        let kept = names.into_iter().flatten().filter_map(|name| match name {
            Name::Object(index) => Some(quod_base::Id::from_index(*index as usize)),
            _ => None,
        });
        let values = names.is_none().then(|| self.values()).into_iter().flatten();
        kept.chain(values.filter_map(|value| match value {
            Value::Pointer(super::value::Pointer { target: super::value::Target::Object(id), .. }) => Some(*id),
            _ => None,
        }))
    }
    pub fn is_live(&self) -> bool {
        self.ending.is_none()
    }
    /// A value on its way, which is no variable; or a literal, which is one as long as somebody has its address.
    pub(super) fn is_passing(&self) -> bool {
        self.kind == ObjectKind::Local && self.name.is_none()
    }
}
