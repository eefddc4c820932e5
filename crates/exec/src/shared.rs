//! Parts of a state that its copies share until one of them changes them, with a hash that is kept as long as they do not.
//! Copies may be in different threads.

use quod_base::Fingerprint;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

/// Reading is free; the first change through a copy makes it a value of its own.
#[derive(Debug)]
pub struct Shared<T> {
    inner: Arc<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T> {
    value: T,
    /// Computed when first asked for; emptied by whoever may change the value.
    hash: OnceLock<Fingerprint>,
    outline: OnceLock<Outline>,
}

/// What a part of a state is but for its names, and the names in the order in which they stand in it.
#[derive(Clone, Debug)]
pub struct Outline {
    pub fingerprint: Fingerprint,
    pub names: Box<[Name]>,
    /// Small numbers that are in it, as a set of bits, found out when someone asks for them.
    pub numbers: OnceLock<u64>,
}

/// What may be called otherwise in another state that is the same, by the number that it has here.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Object(u32),
    Scope(u32),
    /// A term with symbols.
    Term(u32),
    /// Its number is in the outline; whether it has a scope is not.
    Function(u32),
    /// Something that cannot be called otherwise.
    Unknown,
}

impl<T: Clone> Clone for Inner<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), hash: OnceLock::new(), outline: OnceLock::new() }
    }
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Self { inner: Arc::new(Inner { value, hash: OnceLock::new(), outline: OnceLock::new() }) }
    }

    /// The hash of the value, by `compute` where it is not known yet.
    pub fn hash_by(&self, compute: impl FnOnce(&T) -> Fingerprint) -> Fingerprint {
        *self.inner.hash.get_or_init(|| compute(&self.inner.value))
    }

    /// The outline of the value, by `compute` where it is not known yet.
    pub(crate) fn outline_by(&self, compute: impl FnOnce(&T) -> Outline) -> &Outline {
        self.inner.outline.get_or_init(|| compute(&self.inner.value))
    }

    /// One and the same value, not only an equal one.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner.value
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let inner = Arc::make_mut(&mut self.inner);
        inner.hash = OnceLock::new();
        inner.outline = OnceLock::new();
        &mut inner.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_by_nobody_else() {
        let first = Shared::new(vec![1]);
        let mut second = first.clone();
        assert!(first.is_same(&second));
        second.push(2);
        assert_eq!((first.len(), second.len()), (1, 2));
    }

    #[test]
    fn a_change_forgets_the_hash() {
        let mut value = Shared::new(1u32);
        assert_eq!(value.hash_by(|_| Fingerprint(7)), Fingerprint(7));
        assert_eq!(value.hash_by(|_| Fingerprint(8)), Fingerprint(7));
        *value += 1;
        assert_eq!(value.hash_by(|_| Fingerprint(8)), Fingerprint(8));
    }
}
