//! The one table of operators. Printer, parser, checker, rewriter and evaluator read it; nobody else lists operators.
//!
//! A row: the variant, its SMT-LIB symbol, how many arguments it takes, how many numerals its index takes
//! (`(_ extract 7 0)` takes two), and whether the arguments commute. Rows marked *derived* never occur in a pool: their
//! constructor rewrites them into others, but scripts may say them and the evaluator knows their meaning.

/// How many arguments an operator takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Arity {
    Exactly(u32),
    AtLeast(u32),
}

impl Arity {
    pub fn accepts(self, count: usize) -> bool {
        match self {
            Self::Exactly(n) => count == n as usize,
            Self::AtLeast(n) => count >= n as usize,
        }
    }
}

/// A theory, for statistics and for choosing a logic's name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theory {
    Core,
    Functions,
    Arithmetic,
    BitVectors,
    Arrays,
    Floats,
    FiniteArrays,
    Datatypes,
    Sequences,
    Sets,
    Bags,
    Maps,
    Binders,
}

/// What the table says of an operator.
#[derive(Copy, Clone, Debug)]
pub struct OpInfo {
    pub op: Op,
    /// The variant's name, for messages.
    pub name: &'static str,
    /// What SMT-LIB (or, where it has no word, z3 and cvc5, or we) call it.
    pub symbol: &'static str,
    pub arity: Arity,
    /// How many numerals its index takes.
    pub indices: u8,
    pub theory: Theory,
    /// Arguments may be put in any order; they are kept in the order of their fingerprints.
    pub is_commutative: bool,
    /// Never stored: its constructor rewrites it into other operators.
    pub is_derived: bool,
}

use Arity::{AtLeast, Exactly};

macro_rules! operators {
    ($( $theory:ident { $( $(#[$doc:meta])* $variant:ident $symbol:literal $arity:ident($count:literal) $([$indices:literal])? $($flag:ident)* ; )* } )*) => {
        /// An operator. The comment of each shows the SMT-LIB it stands for where that is not its symbol.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $( $( $(#[$doc])* $variant, )* )* }

        /// The table, in the order of the variants.
        pub static OPERATORS: &[OpInfo] = &[ $( $( OpInfo {
            op: Op::$variant,
            name: stringify!($variant),
            symbol: $symbol,
            arity: $arity($count),
            indices: 0 $(+ $indices)?,
            theory: Theory::$theory,
            is_commutative: false $(|| operators!(@commutative $flag))*,
            is_derived: false $(|| operators!(@derived $flag))*,
        }, )* )* ];
    };
    (@commutative commutative) => { true };
    (@commutative derived) => { false };
    (@derived derived) => { true };
    (@derived commutative) => { false };
}

operators! {
    Core {
        /// Any concrete value: `true`, `42`, `#x0f`, `(fp …)`. The value is the payload.
        Const "" Exactly(0);
        /// A free symbol: `(declare-const x Int)`.
        Symbol "" Exactly(0);
        /// A variable that a binder above it binds; see `binder.rs`.
        Bound "" Exactly(0);
        Not "not" Exactly(1);
        And "and" AtLeast(1) commutative;
        Or "or" AtLeast(1) commutative;
        Xor "xor" AtLeast(2) commutative derived;
        Implies "=>" AtLeast(2) derived;
        Ite "ite" Exactly(3);
        Eq "=" AtLeast(2) commutative;
        /// Stored for three and more arguments.
        Distinct "distinct" AtLeast(2) commutative;
    }
    Functions {
        /// An uninterpreted function applied: `(f x y)`. The payload is its declaration.
        Apply "" AtLeast(1);
    }
    Arithmetic {
        /// A polynomial: monomials in order of their monics; see `standard/`.
        Add "+" AtLeast(1) commutative;
        Sub "-" AtLeast(2) derived;
        Neg "-" Exactly(1) derived;
        /// A monomial (a constant, then its monic) or a monic (primitive powers in order).
        Mul "*" AtLeast(1) commutative;
        /// A primitive to a concrete power other than 0 and 1; negative powers are reciprocals.
        Power "^" Exactly(1);
        Div "/" AtLeast(2) derived;
        IntDiv "div" AtLeast(2);
        IntMod "mod" Exactly(2);
        Abs "abs" Exactly(1) derived;
        Le "<=" AtLeast(2);
        Lt "<" AtLeast(2);
        Ge ">=" AtLeast(2) derived;
        Gt ">" AtLeast(2) derived;
        ToReal "to_real" Exactly(1);
        ToInt "to_int" Exactly(1);
        IsInt "is_int" Exactly(1) derived;
        Divisible "divisible" Exactly(1) [1] derived;
    }
    BitVectors {
        Concat "concat" AtLeast(2);
        Extract "extract" Exactly(1) [2];
        BvNot "bvnot" Exactly(1);
        BvAnd "bvand" AtLeast(2) commutative;
        BvOr "bvor" AtLeast(2) commutative;
        BvXor "bvxor" AtLeast(2) commutative;
        BvNand "bvnand" Exactly(2) derived;
        BvNor "bvnor" Exactly(2) derived;
        BvXnor "bvxnor" Exactly(2) derived;
        BvComp "bvcomp" Exactly(2) commutative derived;
        /// A linear form modulo 2^width: monomials in order, the constant first.
        BvAdd "bvadd" AtLeast(2) commutative;
        /// A constant factor comes first.
        BvMul "bvmul" AtLeast(2) commutative;
        BvNeg "bvneg" Exactly(1) derived;
        BvSub "bvsub" AtLeast(2) derived;
        BvUdiv "bvudiv" Exactly(2);
        BvUrem "bvurem" Exactly(2);
        BvSdiv "bvsdiv" Exactly(2);
        BvSrem "bvsrem" Exactly(2);
        BvSmod "bvsmod" Exactly(2);
        BvShl "bvshl" Exactly(2);
        BvLshr "bvlshr" Exactly(2);
        BvAshr "bvashr" Exactly(2);
        Repeat "repeat" Exactly(1) [1] derived;
        ZeroExtend "zero_extend" Exactly(1) [1] derived;
        SignExtend "sign_extend" Exactly(1) [1];
        RotateLeft "rotate_left" Exactly(1) [1] derived;
        RotateRight "rotate_right" Exactly(1) [1] derived;
        BvUlt "bvult" Exactly(2);
        BvUle "bvule" Exactly(2) derived;
        BvUgt "bvugt" Exactly(2) derived;
        BvUge "bvuge" Exactly(2) derived;
        BvSlt "bvslt" Exactly(2);
        BvSle "bvsle" Exactly(2) derived;
        BvSgt "bvsgt" Exactly(2) derived;
        BvSge "bvsge" Exactly(2) derived;
        BvNegOverflow "bvnego" Exactly(1) derived;
        BvUaddOverflow "bvuaddo" Exactly(2) derived;
        BvSaddOverflow "bvsaddo" Exactly(2) derived;
        BvUmulOverflow "bvumulo" Exactly(2) derived;
        BvSmulOverflow "bvsmulo" Exactly(2) derived;
        BvUsubOverflow "bvusubo" Exactly(2) derived;
        BvSsubOverflow "bvssubo" Exactly(2) derived;
        BvSdivOverflow "bvsdivo" Exactly(2) derived;
        UbvToInt "ubv_to_int" Exactly(1);
        SbvToInt "sbv_to_int" Exactly(1) derived;
        IntToBv "int_to_bv" Exactly(1) [1];
    }
    Arrays {
        Select "select" Exactly(2);
        Store "store" Exactly(3);
        /// `((as const (Array I E)) e)`.
        ConstArray "const" Exactly(1);
    }
    Floats {
        /// `(fp sign exponent significand)` from three bit-vectors.
        Fp "fp" Exactly(3) derived;
        /// `((_ to_fp eb sb) bits)`: the bits of the interchange format.
        FpFromBits "to_fp" Exactly(1) [2];
        /// `((_ to_fp eb sb) rounding float)`.
        FpFromFp "to_fp" Exactly(2) [2];
        /// `((_ to_fp eb sb) rounding real)`.
        FpFromReal "to_fp" Exactly(2) [2];
        /// `((_ to_fp eb sb) rounding bits)`, the bits read as two's complement.
        FpFromSigned "to_fp" Exactly(2) [2];
        FpFromUnsigned "to_fp_unsigned" Exactly(2) [2];
        FpToUbv "fp.to_ubv" Exactly(2) [1];
        FpToSbv "fp.to_sbv" Exactly(2) [1];
        FpToReal "fp.to_real" Exactly(1);
        /// The bits of the interchange format, NaN as the positive quiet one (z3's `fp.to_ieee_bv`).
        FpToBits "fp.to_ieee_bv" Exactly(1);
        FpAbs "fp.abs" Exactly(1);
        FpNeg "fp.neg" Exactly(1);
        FpAdd "fp.add" Exactly(3);
        FpSub "fp.sub" Exactly(3) derived;
        FpMul "fp.mul" Exactly(3);
        FpDiv "fp.div" Exactly(3);
        FpFma "fp.fma" Exactly(4);
        FpSqrt "fp.sqrt" Exactly(2);
        FpRem "fp.rem" Exactly(2);
        FpRoundToIntegral "fp.roundToIntegral" Exactly(2);
        FpMin "fp.min" Exactly(2);
        FpMax "fp.max" Exactly(2);
        FpLe "fp.leq" AtLeast(2);
        FpLt "fp.lt" AtLeast(2);
        FpGe "fp.geq" AtLeast(2) derived;
        FpGt "fp.gt" AtLeast(2) derived;
        FpEq "fp.eq" AtLeast(2) commutative;
        FpIsNormal "fp.isNormal" Exactly(1);
        FpIsSubnormal "fp.isSubnormal" Exactly(1);
        FpIsZero "fp.isZero" Exactly(1);
        FpIsInfinite "fp.isInfinite" Exactly(1);
        FpIsNan "fp.isNaN" Exactly(1);
        FpIsNegative "fp.isNegative" Exactly(1);
        FpIsPositive "fp.isPositive" Exactly(1);
    }
    FiniteArrays {
        /// A finite array of a length whose cells are those of a total array over Int.
        FiniteMake "finite.make" Exactly(2);
        FiniteLength "finite.length" Exactly(1);
        /// Outside the bounds: the default value of the element sort.
        FiniteRead "finite.read" Exactly(2);
        /// Outside the bounds: unchanged.
        FiniteWrite "finite.write" Exactly(3);
    }
    Datatypes {
        MakeTuple "tuple" AtLeast(0);
        TupleGet "tuple.select" Exactly(1) [1];
        TupleSet "tuple.update" Exactly(2) [1];
        /// A constructor applied; the index is its place among the constructors.
        Construct "" AtLeast(0) [1];
        /// A field of a constructor; on a value of another constructor the default of the field's sort.
        Selector "" Exactly(1) [2];
        /// `((_ is cons) x)`.
        Tester "is" Exactly(1) [1];
    }
    Sequences {
        SeqUnit "seq.unit" Exactly(1);
        SeqConcat "seq.++" AtLeast(2);
        SeqLength "seq.len" Exactly(1);
        /// Outside the bounds: the default value of the element sort.
        SeqNth "seq.nth" Exactly(2);
        SeqAt "seq.at" Exactly(2);
        SeqExtract "seq.extract" Exactly(3);
        /// `(seq.update s i t)`: `t` written over `s` from `i`; outside the bounds unchanged.
        SeqUpdate "seq.update" Exactly(3);
        SeqContains "seq.contains" Exactly(2);
        SeqPrefixOf "seq.prefixof" Exactly(2);
        SeqSuffixOf "seq.suffixof" Exactly(2);
        SeqIndexOf "seq.indexof" Exactly(3);
        SeqReplace "seq.replace" Exactly(3);
    }
    Sets {
        SetSingleton "set.singleton" Exactly(1);
        SetUnion "set.union" Exactly(2) commutative;
        SetIntersection "set.inter" Exactly(2) commutative;
        SetMinus "set.minus" Exactly(2);
        SetMember "set.member" Exactly(2);
        SetSubset "set.subset" Exactly(2);
        SetCard "set.card" Exactly(1);
    }
    Bags {
        /// `(bag x n)`: `x`, `n` times; empty for `n` below 1.
        BagMake "bag" Exactly(2);
        BagUnionMax "bag.union_max" Exactly(2) commutative;
        BagUnionDisjoint "bag.union_disjoint" Exactly(2) commutative;
        BagIntersection "bag.inter_min" Exactly(2) commutative;
        BagMinus "bag.difference_subtract" Exactly(2);
        BagCount "bag.count" Exactly(2);
        BagSubset "bag.subbag" Exactly(2);
        BagCard "bag.card" Exactly(1);
    }
    Maps {
        MapPut "map.put" Exactly(3);
        MapRemove "map.remove" Exactly(2);
        /// Without that key: the default value of the value sort.
        MapGet "map.get" Exactly(2);
        MapHas "map.has" Exactly(2);
        MapKeys "map.keys" Exactly(1);
        MapSize "map.size" Exactly(1);
    }
    Binders {
        /// Body first, then the patterns of its triggers.
        Forall "forall" AtLeast(1);
        Exists "exists" AtLeast(1);
        /// An array given by its cells: `(lambda ((i Int)) (* i i))` has sort `(Array Int Int)`.
        Lambda "lambda" Exactly(1);
    }
}

impl Op {
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &OPERATORS[self as usize]
    }
    pub fn symbol(self) -> &'static str {
        self.info().symbol
    }
    pub fn theory(self) -> Theory {
        self.info().theory
    }
    #[inline]
    pub fn is_commutative(self) -> bool {
        self.info().is_commutative
    }
    pub fn is_binder(self) -> bool {
        self.theory() == Theory::Binders
    }
    pub fn all() -> impl Iterator<Item = Self> {
        OPERATORS.iter().map(|info| info.op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_variants() {
        for (place, info) in OPERATORS.iter().enumerate() {
            assert_eq!(info.op as usize, place, "{}", info.name);
        }
    }
}
