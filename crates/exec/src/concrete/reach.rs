//! Which heap objects no variable leads to.

use super::memory::{Memory, Object};
use super::value::Value;
use crate::domain::ObjectKind;
use quod_base::Span;

impl Memory {
    /// A heap object that lives and to which neither the values nor anything that they lead to points: where it was made,
    /// and its size. Whatever looks like an address counts as one; so does the address behind an object.
    pub fn lost_object(&self, variables: &[Value]) -> Option<(Span, u64)> {
        let mut is_reached = vec![false; self.objects.len()];
        let mut work: Vec<usize> = Vec::new();
        // Without a name it is a value on its way, or a literal: a variable as long as somebody has its address.
        let is_passing = |object: &Object| object.kind == ObjectKind::Local && object.name.is_none();
        let is_root = |object: &Object| object.is_live() && object.kind != ObjectKind::Heap && !is_passing(object);
        work.extend((0..self.objects.len()).filter(|&index| is_root(&self.objects[index])));
        for value in variables {
            self.reach(value.low, &mut work);
        }
        let width = if self.is_wide() { 8 } else { 4 };
        while let Some(index) = work.pop() {
            if std::mem::replace(&mut is_reached[index], true) {
                continue;
            }
            for bytes in self.objects[index].bytes.windows(width) {
                let mut address = [0u8; 8];
                address[..width].copy_from_slice(bytes);
                self.reach(u64::from_le_bytes(address), &mut work);
            }
        }
        let is_lost = |&index: &usize| {
            let object = &self.objects[index];
            object.is_live() && object.kind == ObjectKind::Heap && !is_reached[index]
        };
        (0..self.objects.len()).find(is_lost).map(|index| (self.objects[index].span, self.objects[index].size))
    }

    /// A pointer to an object, or behind its end; one that went further does not lead to it any more.
    fn reach(&self, address: u64, work: &mut Vec<usize>) {
        let is_there = |&index: &usize| {
            let object = &self.objects[index];
            address >= object.base && address - object.base <= object.size
        };
        if address != 0 {
            work.extend(self.find(&Value::small(address)).filter(is_there));
            work.extend(self.find(&Value::small(address - 1)).filter(is_there));
        }
    }
}
