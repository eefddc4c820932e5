//! Names, qualified and indexed identifiers, and applications: which operator a head stands for at these arguments.

use super::command::{Meaning, Script};
use super::elaborate::parse_natural;
use super::sexpr::{Kind, Node, ParseError, Tree};
use crate::bitvector::BitVector;
use crate::op::{OPERATORS, Op};
use crate::pool::{Function, Term};
use crate::sort::{Sort, SortKind};
use crate::value::{FloatValue, RoundingMode, Value};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

type Result<T> = std::result::Result<T, ParseError>;

/// The first operator of each symbol; overloads are told apart by their arguments.
static BY_SYMBOL: LazyLock<FxHashMap<&'static str, Op>> = LazyLock::new(|| {
    let mut table = FxHashMap::default();
    for info in OPERATORS.iter().rev().filter(|info| !info.symbol.is_empty()) {
        table.insert(info.symbol, info.op);
    }
    // Names of older versions and of solvers.
    for (name, op) in [
        ("implies", Op::Implies),
        ("iff", Op::Eq),
        ("bv2nat", Op::UbvToInt),
        ("bv2int", Op::UbvToInt),
        ("int2bv", Op::IntToBv),
        ("nat2bv", Op::IntToBv),
        ("to_fp_bv", Op::FpToBits),
        ("to_ieee_bv", Op::FpToBits),
        ("seq.concat", Op::SeqConcat),
        ("union", Op::SetUnion),
        ("intersection", Op::SetIntersection),
        ("setminus", Op::SetMinus),
        ("member", Op::SetMember),
        ("subset", Op::SetSubset),
        ("singleton", Op::SetSingleton),
    ] {
        table.insert(name, op);
    }
    // Written in other ways.
    for special in ["const", "is", "forall", "exists", "lambda", "tuple.select", "tuple.update"] {
        table.remove(special);
    }
    table
});

impl Script<'_> {
    /// A name that stands alone.
    pub(super) fn named(&self, tree: &Tree<'_>, node: Node, name: &str) -> Result<Term> {
        match self.names.get(name) {
            Some(Meaning::Term(term)) => return Ok(*term),
            Some(Meaning::Constructor(sort, place)) => return self.construct(tree, node, *sort, *place, &[]),
            Some(_) => return tree.error(node, format!("function `{name}` without arguments")),
            None => {}
        }
        let mode = match name {
            "true" => return Ok(self.pool.true_()),
            "false" => return Ok(self.pool.false_()),
            "tuple.unit" => return Ok(self.pool.tuple(&[])),
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
            "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
            "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
            _ => return self.negative_literal(tree, node, name),
        };
        Ok(self.pool.rounding_mode(mode))
    }

    /// `-5` or `-2.5`: a symbol in SMT-LIB, a number for z3 and in many files, unless it is declared.
    fn negative_literal(&self, tree: &Tree<'_>, node: Node, name: &str) -> Result<Term> {
        let unknown = || tree.error(node, format!("unknown name `{name}`"));
        let Some(digits) = name.strip_prefix('-') else { return unknown() };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match digits.split_once('.') {
            None if is_number(digits) => Ok(self.pool.neg(self.pool.number(parse_natural(digits, 10), Sort::INT))),
            Some((whole, fraction)) if is_number(whole) && is_number(fraction) => {
                let Ok(places) = u32::try_from(fraction.len()) else { return unknown() };
                let number = parse_natural(&format!("{whole}{fraction}"), 10);
                let value = &number / &quod_base::Rational::from(10).pow(places);
                Ok(self.pool.neg(self.pool.number(value, Sort::REAL)))
            }
            _ => unknown(),
        }
    }

    fn construct(&self, tree: &Tree<'_>, node: Node, sort: Sort, place: u32, args: &[Term]) -> Result<Term> {
        let made = self.pool.make(Op::Construct, (place, 0), args, Some(sort));
        made.or_else(|error| tree.error(node, error.to_string()))
    }

    /// `(_ name indices)` or `(as name sort)` that stands alone.
    pub(super) fn constant(&self, tree: &Tree<'_>, node: Node, list: &[Node]) -> Result<Term> {
        if tree.is_word(list[0], "as") {
            let [_, name, sort] = *list else { return tree.error(node, "`as` takes a name and a sort") };
            let sort = self.sort(tree, sort)?;
            let text = tree.text(name);
            let is_empty = matches!(
                (text, sort.kind()),
                ("seq.empty", SortKind::Seq(_))
                    | ("set.empty" | "emptyset", SortKind::Set(_))
                    | ("bag.empty", SortKind::Bag(_))
                    | ("map.empty", SortKind::Map(..))
            );
            if is_empty && let Some(empty) = Value::default_of(sort) {
                return Ok(self.pool.constant(empty));
            }
            // An element of an uninterpreted sort in a solver's model.
            if let (SortKind::Uninterpreted(..), None, Some(number)) = (
                sort.kind(),
                self.names.get(text),
                text.rsplit(['!', '_']).next().and_then(|digits| digits.parse().ok()),
            ) {
                return Ok(self.pool.constant(Value::Element(crate::value::SortOrd(sort), number)));
            }
            let term = self.named(tree, name, text)?;
            if self.pool.sort(term) != sort {
                return tree.error(node, format!("`{text}` has sort {}, not {sort}", self.pool.sort(term)));
            }
            return Ok(term);
        }
        let Some(&name) = list.get(1) else { return tree.error(node, "expected a name") };
        let indices = self.indices(tree, &list[2..])?;
        let text = tree.text(name);
        if let (Some(digits), &[width]) = (text.strip_prefix("bv"), indices.as_slice())
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            if !(1..=crate::sort::MAX_WIDTH).contains(&width) {
                return tree.error(node, format!("no bit-vector of width {width}"));
            }
            let value = parse_natural(digits, 10).numerator();
            return Ok(self.pool.bv_value(BitVector::from_bigint(width, &value)));
        }
        if let &[exponent, significand] = indices.as_slice() {
            let sort = Sort::float(exponent, significand);
            if sort.float_format() != Some((exponent, significand)) {
                return tree.error(node, "no such floating-point format");
            }
            let float = match text {
                "NaN" => FloatValue::nan(exponent, significand),
                "+oo" => FloatValue::infinity(exponent, significand, false),
                "-oo" => FloatValue::infinity(exponent, significand, true),
                "+zero" => FloatValue::zero(exponent, significand, false),
                "-zero" => FloatValue::zero(exponent, significand, true),
                _ => return tree.error(node, format!("unknown constant `{text}`")),
            };
            return Ok(self.pool.constant(Value::Float(float)));
        }
        tree.error(node, format!("unknown constant `{text}`"))
    }

    fn indices(&self, tree: &Tree<'_>, nodes: &[Node]) -> Result<Vec<u32>> {
        nodes
            .iter()
            .map(|&node| match (tree.kind(node), tree.text(node).parse::<u32>()) {
                (Kind::Numeral, Ok(value)) => Ok(value),
                _ => tree.error(node, "expected an index below 2^32"),
            })
            .collect()
    }

    /// A head applied to arguments.
    pub(super) fn application(&self, tree: &Tree<'_>, head: Node, args: &[Term]) -> Result<Term> {
        if tree.is_list(head) {
            return self.qualified(tree, head, args);
        }
        let Some(name) = tree.symbol(head) else { return tree.error(head, "expected a function") };
        match self.names.get(name) {
            Some(Meaning::Function(function)) => return self.call(tree, head, function, args),
            Some(Meaning::Macro(defined)) => {
                if defined.parameters.len() != args.len() {
                    return tree.error(
                        head,
                        format!("`{name}` takes {} arguments, found {}", defined.parameters.len(), args.len()),
                    );
                }
                let mut bindings = Vec::new();
                for (&parameter, &arg) in defined.parameters.iter().zip(args) {
                    let sort = self.pool.sort(parameter);
                    let arg = self.coerce(arg, sort);
                    if self.pool.sort(arg) != sort {
                        return tree
                            .error(head, format!("`{name}` expects sort {sort}, found {}", self.pool.sort(arg)));
                    }
                    bindings.push((parameter, arg));
                }
                return Ok(self.pool.let_in(&bindings, defined.body));
            }
            Some(Meaning::Constructor(sort, place)) => return self.construct(tree, head, *sort, *place, args),
            Some(Meaning::Selector(sort, place, field)) => {
                if args.len() != 1 || self.pool.sort(args[0]) != *sort {
                    return tree.error(head, format!("`{name}` takes one argument of sort {sort}"));
                }
                return Ok(self.pool.selector(*place, *field, args[0]));
            }
            // A lambda or array that is applied, as SMT-LIB 2.7 allows.
            Some(Meaning::Term(term)) => {
                return self.operate(tree, head, Op::Select, (0, 0), &[&[*term], args].concat(), None);
            }
            None => {}
        }
        // `is-cons`, the older way to write `(_ is cons)`.
        if let Some(Meaning::Constructor(_, place)) = name.strip_prefix("is-").and_then(|rest| self.names.get(rest)) {
            return self.operate(tree, head, Op::Tester, (*place, 0), args, None);
        }
        match BY_SYMBOL.get(name) {
            Some(&op) if op.info().indices == 0 || op == Op::Construct => self.builtin(tree, head, op, args),
            Some(_) => tree.error(head, format!("`{name}` needs indices")),
            None => match self.solver_extension(name, args) {
                Some(term) => Ok(term),
                None => tree.error(head, format!("unknown function `{name}`")),
            },
        }
    }

    /// Operators of bit-vectors that solvers have beside the standard's, by definition.
    fn solver_extension(&self, name: &str, args: &[Term]) -> Option<Term> {
        let pool = self.pool;
        let widths: Vec<u32> = args.iter().map(|&arg| pool.sort(arg).width()).collect::<Option<_>>()?;
        let is_binary = args.len() == 2 && widths[0] == widths[1];
        let bit = |condition: Term| pool.ite(condition, pool.bv(1, 1), pool.bv(1, 0));
        Some(match name {
            "bvredor" if args.len() == 1 => bit(pool.not(pool.eq(args[0], pool.bv(widths[0], 0)))),
            "bvredand" if args.len() == 1 => bit(pool.eq(pool.bv_not(args[0]), pool.bv(widths[0], 0))),
            "bvredxor" if args.len() == 1 => (0..widths[0])
                .map(|place| pool.extract(place, place, args[0]))
                .reduce(|sum, next| pool.bv_xor(sum, next))?,
            "bvinc" if args.len() == 1 => pool.bv_add(args[0], pool.bv(widths[0], 1)),
            "bvdec" if args.len() == 1 => pool.bv_sub(args[0], pool.bv(widths[0], 1)),
            "bvite" if args.len() == 3 && widths[0] == 1 && widths[1] == widths[2] => {
                pool.ite(pool.eq(args[0], pool.bv(1, 1)), args[1], args[2])
            }
            "bvultbv" if is_binary => bit(pool.bv_ult(args[0], args[1])),
            "bvsltbv" if is_binary => bit(pool.bv_slt(args[0], args[1])),
            "bvumul_noovfl" if is_binary => pool.not(pool.bv_umul_overflow(args[0], args[1])),
            "bvsmul_noovfl" | "bvsmul_noudfl" if is_binary => {
                // An overflow upwards has a positive product, one downwards a negative one.
                let zero = pool.bv(widths[0], 0);
                let (a, b) = (pool.bv_slt(args[0], zero), pool.bv_slt(args[1], zero));
                let is_upward = pool.eq(a, b);
                let direction = if name == "bvsmul_noovfl" { is_upward } else { pool.not(is_upward) };
                pool.not(pool.and2(direction, pool.bv_smul_overflow(args[0], args[1])))
            }
            "ext_rotate_left" | "ext_rotate_right" if is_binary => {
                let width = pool.bv(widths[0], u64::from(widths[0]));
                let amount = if widths[0] == 1 { pool.bv(1, 0) } else { pool.bv_urem(args[1], width) };
                let rest = pool.bv_sub(width, amount);
                let (left, right) = if name == "ext_rotate_left" { (amount, rest) } else { (rest, amount) };
                pool.bv_or(pool.bv_shl(args[0], left), pool.bv_lshr(args[0], right))
            }
            _ => return None,
        })
    }

    fn call(&self, tree: &Tree<'_>, head: Node, function: &Arc<Function>, args: &[Term]) -> Result<Term> {
        let args: Vec<Term> = args
            .iter()
            .enumerate()
            .map(|(place, &arg)| function.domain.get(place).map_or(arg, |&sort| self.coerce(arg, sort)))
            .collect();
        let payload = crate::pool::Payload::Function(function.clone());
        crate::check::result_sort(self.pool, Op::Apply, &payload, &args, None)
            .map(|_| self.pool.apply(function, &args))
            .or_else(|error| tree.error(head, error.to_string()))
    }

    /// `((_ f i) …)` or `((as f S) …)`.
    fn qualified(&self, tree: &Tree<'_>, head: Node, args: &[Term]) -> Result<Term> {
        let list = tree.list(head);
        let (Some(&word), Some(&name)) = (list.first(), list.get(1)) else {
            return tree.error(head, "expected a function");
        };
        let text = tree.text(name);
        if tree.is_word(word, "as") {
            let Some(&sort) = list.get(2) else { return tree.error(head, "`as` takes a name and a sort") };
            let sort = self.sort(tree, sort)?;
            if text == "const" {
                let args: Vec<Term> = match (args, sort.array_parts()) {
                    (&[arg], Some((_, element))) => vec![self.coerce(arg, element)],
                    _ => args.to_vec(),
                };
                return self.operate(tree, head, Op::ConstArray, (0, 0), &args, Some(sort));
            }
            return self.application(tree, name, args);
        }
        if !tree.is_word(word, "_") {
            return tree.error(head, "expected a function");
        }
        if text == "is" {
            let constructor = list.get(2).and_then(|&node| tree.symbol(node)).and_then(|name| self.names.get(name));
            return match constructor {
                Some(Meaning::Constructor(_, place)) => self.operate(tree, head, Op::Tester, (*place, 0), args, None),
                _ => tree.error(head, "unknown constructor"),
            };
        }
        let indices = self.indices(tree, &list[2..])?;
        let index = |place: usize| indices.get(place).copied().unwrap_or(0);
        let op = match text {
            "to_fp" => self.conversion(args),
            "tuple.select" => Op::TupleGet,
            "tuple.update" => Op::TupleSet,
            _ => match BY_SYMBOL.get(text) {
                Some(&op) => op,
                None => return tree.error(name, format!("unknown function `{text}`")),
            },
        };
        if usize::from(op.info().indices) != indices.len() {
            return tree.error(head, format!("`{text}` takes {} indices, found {}", op.info().indices, indices.len()));
        }
        let mut args = args.to_vec();
        if op == Op::FpFromReal {
            args[1] = self.coerce(args[1], Sort::REAL);
        }
        self.operate(tree, head, op, (index(0), index(1)), &args, None)
    }

    /// Which of the operators called `to_fp` takes these arguments.
    fn conversion(&self, args: &[Term]) -> Op {
        match *args {
            [_, arg] => match self.pool.sort(arg).kind() {
                SortKind::Float(..) => Op::FpFromFp,
                SortKind::BitVec(_) => Op::FpFromSigned,
                _ => Op::FpFromReal,
            },
            _ => Op::FpFromBits,
        }
    }

    fn operate(
        &self,
        tree: &Tree<'_>,
        node: Node,
        op: Op,
        indices: (u32, u32),
        args: &[Term],
        sort: Option<Sort>,
    ) -> Result<Term> {
        self.pool.make(op, indices, args, sort).or_else(|error| tree.error(node, error.to_string()))
    }

    /// An operator of the table, with the coercions and overloads that scripts use.
    fn builtin(&self, tree: &Tree<'_>, head: Node, op: Op, args: &[Term]) -> Result<Term> {
        let pool = self.pool;
        let is_real = |&arg: &Term| pool.sort(arg) == Sort::REAL;
        let mixes = args.iter().any(is_real) && args.iter().any(|&arg| pool.sort(arg) == Sort::INT);
        let mut args: Vec<Term> = match op {
            Op::Div | Op::ToInt | Op::IsInt => args.iter().map(|&arg| self.coerce(arg, Sort::REAL)).collect(),
            Op::Add
            | Op::Sub
            | Op::Neg
            | Op::Mul
            | Op::Le
            | Op::Lt
            | Op::Ge
            | Op::Gt
            | Op::Eq
            | Op::Distinct
            | Op::Ite
                if mixes =>
            {
                args.iter().map(|&arg| self.coerce(arg, Sort::REAL)).collect()
            }
            _ => args.to_vec(),
        };
        match (op, args.len()) {
            (Op::Sub, 1) => return self.operate(tree, head, Op::Neg, (0, 0), &args, None),
            // `to_real` of a numeral that is Real already.
            (Op::ToReal, 1) if is_real(&args[0]) => return Ok(args[0]),
            (Op::Power, _) => return self.power(tree, head, &args),
            (Op::Store, 3) => {
                if let Some((index, element)) = pool.sort(args[0]).array_parts() {
                    args[1] = self.coerce(args[1], index);
                    args[2] = self.coerce(args[2], element);
                }
            }
            (Op::Select, 2) => {
                if let Some((index, _)) = pool.sort(args[0]).array_parts() {
                    args[1] = self.coerce(args[1], index);
                }
            }
            (Op::Div, 2..) => return self.division(tree, head, op, "/0", &args),
            (Op::IntDiv, 2..) => return self.division(tree, head, op, "div0", &args),
            (Op::IntMod, 2) => return self.division(tree, head, op, "mod0", &args),
            _ => {}
        }
        self.operate(tree, head, op, (0, 0), &args, None)
    }

    /// Division where zero as divisor gives an uninterpreted function of the dividend.
    fn division(&self, tree: &Tree<'_>, head: Node, op: Op, at_zero: &str, args: &[Term]) -> Result<Term> {
        let mut result = args[0];
        for &divisor in &args[1..] {
            let quotient = self.operate(tree, head, op, (0, 0), &[result, divisor], None)?;
            let sort = self.pool.sort(divisor);
            let zero = self.pool.number(quod_base::Rational::ZERO, sort);
            let is_zero = self.pool.eq(divisor, zero);
            result = if self.division_is_total || is_zero == self.pool.false_() {
                quotient
            } else {
                let function = Arc::new(Function { name: at_zero.into(), domain: vec![sort], range: sort });
                self.pool.ite(is_zero, self.pool.apply(&function, &[result]), quotient)
            };
        }
        Ok(result)
    }

    fn power(&self, tree: &Tree<'_>, head: Node, args: &[Term]) -> Result<Term> {
        let [base, exponent] = *args else { return tree.error(head, "`^` takes two arguments") };
        let exponent = self.pool.value(exponent).and_then(|value| value.as_rational()?.to_i64());
        match exponent.map(i32::try_from) {
            Some(Ok(exponent))
                if self.pool.sort(base) == Sort::REAL || (self.pool.sort(base) == Sort::INT && exponent >= 0) =>
            {
                Ok(self.pool.power(base, exponent))
            }
            _ => tree.error(head, "only powers with a small concrete exponent are supported"),
        }
    }
}
