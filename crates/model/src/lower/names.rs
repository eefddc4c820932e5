//! What names mean: a table of bindings with an undo log, so that entering, leaving and looking up cost no more than what
//! is declared.

use crate::ir::*;
use quod_base::{Span, Symbol, edit_distance};
use rustc_hash::FxHashMap;

/// What an ordinary identifier means.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Binding {
    Typedef {
        ty: QualType,
        alignment: Option<u64>,
    },
    Enumerator {
        value: i128,
        ty: TypeId,
    },
    Global(GlobalId),
    /// A local of the function whose builder has this index.
    Local {
        builder: usize,
        local: LocalId,
        qualifiers: Qualifiers,
    },
    Function(FunctionId),
    /// The declaration was wrong: uses are silent.
    Error,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// How much is known of an entity with static storage or a function.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Definedness {
    Declared(Span),
    /// `int x;` at file scope
    Tentative(Span),
    /// `inline` definitions may be replaced by real ones.
    Inline(Span),
    Defined(Span),
}

impl Definedness {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Declared(span) | Self::Tentative(span) | Self::Inline(span) | Self::Defined(span) => span,
        }
    }
}

#[derive(Copy, Clone)]
pub(crate) struct Bound<T> {
    pub value: T,
    pub depth: u32,
    pub span: Span,
}

/// One of the two name spaces.
pub(crate) struct Space<T> {
    bindings: FxHashMap<Symbol, Vec<Bound<T>>>,
}

impl<T> Default for Space<T> {
    fn default() -> Self {
        Self { bindings: FxHashMap::default() }
    }
}

#[derive(Default)]
pub(crate) struct Names {
    ordinary: Space<Binding>,
    tags: Space<Tag>,
    depth: u32,
    /// What to undo when a scope ends: the names declared in it.
    log: Vec<(Symbol, bool)>,
    marks: Vec<usize>,
}

impl Names {
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
        self.marks.push(self.log.len());
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
        let mark = self.marks.pop().unwrap_or(0);
        for (name, is_tag) in self.log.drain(mark..) {
            if is_tag {
                self.tags.bindings.get_mut(&name).map(Vec::pop);
            } else {
                self.ordinary.bindings.get_mut(&name).map(Vec::pop);
            }
        }
    }

    pub(crate) fn is_file_scope(&self) -> bool {
        self.depth == 0
    }

    pub(crate) fn get(&self, name: Symbol) -> Option<Bound<Binding>> {
        self.ordinary.bindings.get(&name)?.last().copied()
    }
    /// The binding of this very scope.
    pub(crate) fn get_here(&self, name: Symbol) -> Option<Bound<Binding>> {
        self.get(name).filter(|bound| bound.depth == self.depth)
    }
    pub(crate) fn tag(&self, name: Symbol) -> Option<Bound<Tag>> {
        self.tags.bindings.get(&name)?.last().copied()
    }
    pub(crate) fn tag_here(&self, name: Symbol) -> Option<Bound<Tag>> {
        self.tag(name).filter(|bound| bound.depth == self.depth)
    }

    /// Declares or redeclares a name in this scope.
    pub(crate) fn bind(&mut self, name: Symbol, value: Binding, span: Span) {
        let stack = self.ordinary.bindings.entry(name).or_default();
        match stack.last_mut().filter(|bound| bound.depth == self.depth) {
            Some(bound) => bound.value = value,
            None => {
                stack.push(Bound { value, depth: self.depth, span });
                self.log.push((name, false));
            }
        }
    }

    pub(crate) fn bind_tag(&mut self, name: Symbol, value: Tag, span: Span) {
        let stack = self.tags.bindings.entry(name).or_default();
        match stack.last_mut().filter(|bound| bound.depth == self.depth) {
            Some(bound) => bound.value = value,
            None => {
                stack.push(Bound { value, depth: self.depth, span });
                self.log.push((name, true));
            }
        }
    }

    /// The most similar name in scope, for "did you mean". The result does not depend on the table's order.
    #[allow(clippy::iter_over_hash_type)]
    pub(crate) fn similar(&self, name: Symbol) -> Option<Symbol> {
        let text = name.as_str();
        // A name of one or two letters is like every other one.
        if text.len() < 3 {
            return None;
        }
        let limit = (text.len() / 3).clamp(1, 3);
        let mut best: Option<(usize, &'static str)> = None;
        for (candidate, stack) in &self.ordinary.bindings {
            let other = candidate.as_str();
            if stack.is_empty() || other.len() < 2 || other.len().abs_diff(text.len()) > limit || other == text {
                continue;
            }
            let distance = edit_distance(text, other);
            if distance <= limit && best.is_none_or(|known| (distance, other) < known) {
                best = Some((distance, other));
            }
        }
        best.map(|(_, text)| Symbol::intern(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_undo() {
        let mut names = Names::default();
        let x = Symbol::intern("x");
        names.bind(x, Binding::Error, Span::NONE);
        names.enter();
        assert!(names.get_here(x).is_none());
        names.bind(x, Binding::Global(quod_base::Id::from_index(0)), Span::NONE);
        assert!(matches!(names.get(x), Some(Bound { value: Binding::Global(_), .. })));
        names.leave();
        assert!(matches!(names.get(x), Some(Bound { value: Binding::Error, .. })));
    }

    #[test]
    fn similar_names() {
        let mut names = Names::default();
        for name in ["count", "amount", "x"] {
            names.bind(Symbol::intern(name), Binding::Error, Span::NONE);
        }
        assert_eq!(names.similar(Symbol::intern("cuont")).map(Symbol::as_str), Some("count"));
        assert_eq!(names.similar(Symbol::intern("something")), None);
        assert_eq!(names.similar(Symbol::intern("y")), None);
    }
}
