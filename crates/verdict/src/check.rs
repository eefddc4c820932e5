//! The closed list of what can go wrong in a program: one row a kind, with its word in `Result: FALSE(word)`, its
//! diagnostic code, and whether C calls it undefined behaviour.

use quod_diag::{Code, codes};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal $code:ident $nature:ident;)*) => {
        /// What a check looks at. `model` inserts step checks with their kind; searches evaluate state checks.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum CheckKind {
            $($(#[doc = $doc])+ $name,)*
        }

        impl CheckKind {
            pub const ALL: &[CheckKind] = &[$(CheckKind::$name),*];

            /// The lower-case word of the command line and of `Result: FALSE(word)`.
            pub fn word(self) -> &'static str {
                match self { $(CheckKind::$name => $word,)* }
            }
            pub fn code(self) -> Code {
                match self { $(CheckKind::$name => codes::$code,)* }
            }
            pub fn nature(self) -> Nature {
                match self { $(CheckKind::$name => Nature::$nature,)* }
            }
        }
    };
}

/// Where a kind comes from: what C leaves undefined, what the program asks for, what CIVL-C adds, what a state shows,
/// what the tool cannot do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Nature {
    /// A step check of behaviour that C leaves undefined.
    Undefined,
    /// A step check that the program itself states.
    Stated,
    /// A step check of a rule of CIVL-C.
    Civl,
    /// A predicate that a search evaluates on states.
    State,
    /// Not an error of the program: what follows is unknown.
    Tool,
}

kinds! {
    /// `assert(e)`, `$assert(e)`: the program's own claims.
    Assertion "assertion" ASSERTION Stated;
    /// A call of the error function, `reach_error()`, or the label `ERROR`.
    Unreachable "unreach-call" ERROR_CALL Stated;
    /// `x / 0`, `x % 0` on integers (on reals under ideal arithmetic).
    DivisionByZero "division-by-zero" DIVISION_BY_ZERO Undefined;
    /// A signed result that does not fit: `+ - * -x ++ --`, `INT_MIN / -1`, and `<<` of a signed value whose result does
    /// not fit.
    SignedOverflow "overflow" SIGNED_OVERFLOW Undefined;
    /// The amount is negative or not smaller than the width; a negative left operand of `<<`.
    Shift "shift" SHIFT Undefined;
    /// `a[i]` with `i` outside the array `a`, though perhaps inside a larger object.
    OutOfBounds "out-of-bounds" OUT_OF_BOUNDS Undefined;
    /// `*p` where `p` is null, dangling, or does not point to enough bytes of an object.
    InvalidDeref "pointer" INVALID_DEREF Undefined;
    /// `free(p)` where `p` is not what `malloc` returned, or was freed already.
    InvalidFree "invalid-free" INVALID_FREE Undefined;
    /// A value that was never set is used.
    Uninitialised "undefined-value" UNINITIALISED Undefined;
    /// A float outside the target integer's range; a pointer to a type that its object does not have.
    InvalidCast "invalid-cast" INVALID_CAST Undefined;
    /// `strlen(NULL)`.
    NullArgument "null-argument" NULL_ARGUMENT Undefined;
    /// `int a[n]` with `n <= 0`.
    ArraySize "array-size" ARRAY_SIZE Undefined;
    /// A union's member is read that was not the last one written (ideal arithmetic).
    UnionMember "union" UNION_MEMBER Civl;
    /// A write through a pointer to an object that is `const`, or to a string literal.
    ConstWrite "constant-write" CONST_WRITE Undefined;
    /// An `$input` variable is written.
    InputWrite "input-write" INPUT_WRITE Civl;
    /// An `$output` variable is read.
    OutputRead "output-read" OUTPUT_READ Civl;
    /// Allocated memory that was not freed when its heap's scope ends.
    MemoryLeak "memory-leak" MEMORY_LEAK State;
    /// Allocated memory that no pointer of the program leads to any more.
    LostMemory "lost-memory" LOST_MEMORY State;
    /// A scope ends before the processes that were spawned in it.
    ProcessLeak "process-leak" PROCESS_LEAK State;
    /// No process can make a step and not all have ended.
    Deadlock "deadlock" DEADLOCK State;
    /// Concurrent access, one of them a write, not both atomic.
    DataRace "data-race" DATA_RACE State;
    /// An infinite execution.
    Termination "termination" NON_TERMINATION State;
    /// `__builtin_unreachable()`, or the end of a `noreturn` function.
    UnreachableReached "unreachable" UNREACHABLE_REACHED Undefined;
    /// The value of a function that fell off its end.
    NoReturn "no-return-value" NO_RETURN_VALUE Undefined;
    /// `requires`, `ensures`, loop invariants.
    Contract "contract" CONTRACT Stated;
    /// Messages of CIVL-C and MPI.
    Communication "communication" COMMUNICATION Civl;
    /// Operations of `<seq.cvh>`.
    Sequence "sequence" SEQUENCE Civl;
    /// The size given to `malloc`.
    Malloc "malloc" MALLOC Undefined;
    /// A call through a pointer that is not a function of the right type.
    InvalidCall "invalid-call" INVALID_CALL Undefined;
    /// `p - q` or `p < q` of different objects; `p + i` outside the object.
    PointerArithmetic "pointer-arithmetic" POINTER_ARITHMETIC Undefined;
    /// `memcpy` and its relatives with overlapping operands.
    Overlap "overlap" OVERLAP Undefined;
    /// A library function is used against its rules.
    Library "library" LIBRARY Undefined;
    /// Two changes of an object without an order between them.
    Unsequenced "unsequenced" UNSEQUENCED Undefined;
    /// A process that does not exist is waited for.
    InvalidProcess "invalid-process" INVALID_PROCESS Civl;
    /// Two programs that should agree give different outputs for the same inputs.
    Equivalence "equivalence" EQUIVALENCE State;
    /// A construct that the tool does not support; always on, and never a violation.
    Unsupported "unsupported" UNSUPPORTED Tool;
}

impl CheckKind {
    /// The kind of a word of the command line.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }
}

impl std::fmt::Display for CheckKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// A set of kinds: which checks are switched on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct KindSet(u64);

impl KindSet {
    pub const EMPTY: KindSet = KindSet(0);

    pub fn of(kinds: &[CheckKind]) -> Self {
        kinds.iter().copied().collect()
    }
    pub fn all() -> Self {
        Self::of(CheckKind::ALL)
    }
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
    pub fn insert(&mut self, kind: CheckKind) {
        self.0 |= 1 << kind as u8;
    }
    pub fn remove(&mut self, kind: CheckKind) {
        self.0 &= !(1 << kind as u8);
    }
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.iter().copied().filter(move |&kind| self.contains(kind))
    }
}

impl FromIterator<CheckKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> Self {
        let mut set = Self::EMPTY;
        for kind in kinds {
            set.insert(kind);
        }
        set
    }
}

impl std::fmt::Debug for KindSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_codes_are_distinct() {
        assert!(CheckKind::ALL.len() <= 64);
        for (i, a) in CheckKind::ALL.iter().enumerate() {
            assert_eq!(CheckKind::from_word(a.word()), Some(*a));
            for b in &CheckKind::ALL[i + 1..] {
                assert_ne!(a.code(), b.code(), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_set_keeps_what_is_put_in() {
        let mut set = KindSet::of(&[CheckKind::Shift, CheckKind::Unsupported]);
        set.remove(CheckKind::Shift);
        assert_eq!(set.iter().collect::<Vec<_>>(), [CheckKind::Unsupported]);
        assert_eq!(KindSet::all().iter().count(), CheckKind::ALL.len());
    }
}
