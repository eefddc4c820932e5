//! Terms as C expressions: arithmetic in unsigned types, as the terms mean it, and casts where signs matter.

use quod_term::{Op, Term, TermPool};
use rustc_hash::FxHashMap;

/// Deeper terms are not for reading.
const MOST_DEPTH: usize = 12;

/// A condition over the variables that `names` gives terms for; nothing where C has no such words for it.
pub(super) fn condition(pool: &TermPool, term: Term, names: &FxHashMap<Term, String>, depth: usize) -> Option<String> {
    if depth > MOST_DEPTH {
        return None;
    }
    let args = pool.args(term);
    let each = |joint: &str| -> Option<String> {
        let parts: Option<Vec<String>> = args.iter().map(|&arg| condition(pool, arg, names, depth + 1)).collect();
        Some(format!("({})", parts?.join(joint)))
    };
    let compared = |operator: &str, is_signed: bool| -> Option<String> {
        let [left, right] = args else { return None };
        let width = pool.sort(*left).width()?;
        let (a, b) = (number(pool, *left, names, depth + 1)?, number(pool, *right, names, depth + 1)?);
        let ty = type_name(width, is_signed)?;
        Some(format!("(({ty}){a} {operator} ({ty}){b})"))
    };
    match pool.op(term) {
        Op::Const if term == pool.true_() => Some("1".into()),
        Op::Const if term == pool.false_() => Some("0".into()),
        Op::Not => Some(format!("!{}", condition(pool, *args.first()?, names, depth + 1)?)),
        Op::And => each(" && "),
        Op::Or => each(" || "),
        Op::Eq if pool.sort(*args.first()?).is_bit_vec() => compared("==", false),
        Op::BvUlt => compared("<", false),
        Op::BvSlt => compared("<", true),
        _ => None,
    }
}

/// A number, of the unsigned type of its width.
fn number(pool: &TermPool, term: Term, names: &FxHashMap<Term, String>, depth: usize) -> Option<String> {
    if depth > MOST_DEPTH {
        return None;
    }
    let width = pool.sort(term).width()?;
    let ty = type_name(width, false)?;
    if let Some(name) = names.get(&term) {
        return Some(format!("({ty}){name}"));
    }
    let args = pool.args(term);
    let each = |joint: &str| -> Option<String> {
        let parts: Option<Vec<String>> = args.iter().map(|&arg| number(pool, arg, names, depth + 1)).collect();
        Some(format!("({ty})({})", parts?.join(joint)))
    };
    match pool.op(term) {
        Op::Const => {
            let value = pool.bv_constant(term)?.to_u64()?;
            Some(if width == 64 { format!("{value}ULL") } else { format!("({ty}){value}U") })
        }
        Op::BvAdd => each(" + "),
        // Narrow factors are promoted to `int`, whose products could overflow.
        Op::BvMul if width >= 32 => each(" * "),
        Op::BvAnd => each(" & "),
        Op::BvOr => each(" | "),
        Op::BvXor => each(" ^ "),
        Op::SignExtend => {
            let inner = *args.first()?;
            let narrow = type_name(pool.sort(inner).width()?, true)?;
            let wide = type_name(width, true)?;
            Some(format!("({ty})({wide})({narrow}){}", number(pool, inner, names, depth + 1)?))
        }
        Op::Concat => match args {
            // Zeros in front.
            [zeros, inner] if pool.bv_constant(*zeros).is_some_and(|value| value.is_zero()) => {
                Some(format!("({ty}){}", number(pool, *inner, names, depth + 1)?))
            }
            _ => None,
        },
        Op::Ite => {
            let [when, then, otherwise] = args else { return None };
            let when = condition(pool, *when, names, depth + 1)?;
            let (a, b) = (number(pool, *then, names, depth + 1)?, number(pool, *otherwise, names, depth + 1)?);
            Some(format!("({ty})({when} ? {a} : {b})"))
        }
        _ => None,
    }
}

fn type_name(width: u32, is_signed: bool) -> Option<&'static str> {
    Some(match (width, is_signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_term::Sort;

    #[test]
    fn a_comparison_of_sums() {
        let pool = TermPool::new();
        let x = pool.symbol("x", Sort::bit_vec(32));
        let y = pool.symbol("y", Sort::bit_vec(32));
        let names: FxHashMap<Term, String> = [(x, "a".to_string()), (y, "b".to_string())].into_iter().collect();
        let less = pool.bv_slt(x, y);
        assert_eq!(condition(&pool, less, &names, 0).as_deref(), Some("((int)(unsigned int)a < (int)(unsigned int)b)"));
        let stranger = pool.symbol("z", Sort::bit_vec(32));
        assert_eq!(condition(&pool, pool.bv_slt(x, stranger), &names, 0), None);
    }
}
