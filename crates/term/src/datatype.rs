//! Algebraic datatypes: declared in groups that may refer to each other, interned by their declaration.
//!
//! Two declarations with the same names and field sorts are the same datatype, so that parsing a script twice gives the
//! same sorts. A field sort is written as a [`FieldSort`], in which a member of the group under declaration is named by
//! its place.

use crate::sort::Sort;
use quod_base::{Fingerprint, Symbol};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock, RwLock};

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct DatatypeId(&'static Entry);

/// One alternative of a datatype: `(cons (head Int) (tail List))`.
#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Symbol,
    pub fields: Vec<(Symbol, Sort)>,
}

/// The sort of a field before the group has sorts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldSort {
    Known(Sort),
    /// The datatype at this place of the group.
    Member(usize),
    Array(Box<FieldSort>, Box<FieldSort>),
    Seq(Box<FieldSort>),
    Set(Box<FieldSort>),
}

/// A datatype to declare.
#[derive(Clone, Debug)]
pub struct DatatypeSpec {
    pub name: Symbol,
    pub constructors: Vec<(Symbol, Vec<(Symbol, FieldSort)>)>,
}

struct Entry {
    name: Symbol,
    fingerprint: Fingerprint,
    constructors: OnceLock<Vec<Constructor>>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}
impl Eq for Entry {}
impl std::hash::Hash for Entry {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

static TABLE: LazyLock<RwLock<FxHashMap<Fingerprint, DatatypeId>>> = LazyLock::new(RwLock::default);

/// Declares a group of datatypes and returns their sorts in order.
pub fn declare(group: &[DatatypeSpec]) -> Vec<Sort> {
    let whole = group_fingerprint(group);
    let mut table = TABLE.write().expect("datatype table");
    let mut fresh = Vec::new();
    let ids: Vec<DatatypeId> = group
        .iter()
        .enumerate()
        .map(|(place, spec)| {
            let fingerprint = Fingerprint::of(&(whole, place));
            *table.entry(fingerprint).or_insert_with(|| {
                let entry = Box::leak(Box::new(Entry { name: spec.name, fingerprint, constructors: OnceLock::new() }));
                fresh.push(place);
                DatatypeId(entry)
            })
        })
        .collect();
    let sorts: Vec<Sort> = ids.iter().map(|&id| Sort::datatype(id)).collect();
    for place in fresh {
        let constructors = group[place].constructors.iter().map(|(name, fields)| Constructor {
            name: *name,
            fields: fields.iter().map(|(field, sort)| (*field, resolve(sort, &sorts))).collect(),
        });
        // The write lock is held: nobody else sets it.
        let _ = ids[place].0.constructors.set(constructors.collect());
    }
    sorts
}

fn group_fingerprint(group: &[DatatypeSpec]) -> Fingerprint {
    let mut text = String::new();
    for spec in group {
        text.push_str(&format!("{}\u{0}{{", spec.name.as_str()));
        for (name, fields) in &spec.constructors {
            text.push_str(&format!("{}\u{0}(", name.as_str()));
            for (field, sort) in fields {
                text.push_str(&format!("{}\u{0}{};", field.as_str(), field_text(sort)));
            }
            text.push(')');
        }
        text.push('}');
    }
    Fingerprint::of(&text)
}

fn field_text(sort: &FieldSort) -> String {
    match sort {
        FieldSort::Known(sort) => format!("{:?}", sort.fingerprint()),
        FieldSort::Member(place) => format!("#{place}"),
        FieldSort::Array(index, element) => format!("A({},{})", field_text(index), field_text(element)),
        FieldSort::Seq(element) => format!("Q({})", field_text(element)),
        FieldSort::Set(element) => format!("S({})", field_text(element)),
    }
}

fn resolve(sort: &FieldSort, group: &[Sort]) -> Sort {
    match sort {
        FieldSort::Known(sort) => *sort,
        FieldSort::Member(place) => group[*place],
        FieldSort::Array(index, element) => Sort::array(resolve(index, group), resolve(element, group)),
        FieldSort::Seq(element) => Sort::seq(resolve(element, group)),
        FieldSort::Set(element) => Sort::set(resolve(element, group)),
    }
}

impl DatatypeId {
    pub fn name(self) -> Symbol {
        self.0.name
    }
    pub fn fingerprint(self) -> Fingerprint {
        self.0.fingerprint
    }
    pub fn constructors(self) -> &'static [Constructor] {
        self.0.constructors.get().map_or(&[], Vec::as_slice)
    }
}

impl std::fmt::Debug for DatatypeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.name)
    }
}
