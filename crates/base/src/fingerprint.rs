//! 128-bit structural fingerprints: stable between runs and threads, so that orders and hashes made from them are, too.

use std::hash::{Hash, Hasher};

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    pub fn of(value: &impl Hash) -> Self {
        let mut hasher = FingerprintHasher::default();
        value.hash(&mut hasher);
        hasher.finish128()
    }
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Two 64-bit lanes, each a multiply-and-fold (as wyhash folds its 128-bit products), over 8-byte words.
#[derive(Clone)]
pub struct FingerprintHasher {
    left: u64,
    right: u64,
}

const LEFT: u64 = 0x9e37_79b9_7f4a_7c15;
const RIGHT: u64 = 0xd6e8_feb8_6659_fd93;

impl Default for FingerprintHasher {
    fn default() -> Self {
        Self { left: 0x243f_6a88_85a3_08d3, right: 0x1319_8a2e_0370_7344 }
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

impl FingerprintHasher {
    pub fn finish128(&self) -> Fingerprint {
        let left = fold(self.left ^ RIGHT, self.right ^ LEFT);
        let right = fold(self.right.rotate_left(29) ^ LEFT, self.left.rotate_left(31) ^ RIGHT);
        Fingerprint(u128::from(left) << 64 | u128::from(right))
    }
}

impl Hasher for FingerprintHasher {
    fn finish(&self) -> u64 {
        self.finish128().0 as u64
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.left = fold(self.left ^ value ^ LEFT, RIGHT | 1).wrapping_add(value.rotate_left(17));
        self.right = fold(self.right.wrapping_add(value) ^ RIGHT, LEFT | 1) ^ value.rotate_left(41);
    }
    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
