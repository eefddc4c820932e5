//! The standard form of integer and real terms, after section 2.2 of Siegel's paper on CIVL at VerifyThis 2016.
//!
//! - A *primitive* is a term that arithmetic does not look into: a symbol, a read, an application, an `ite`, an integer
//!   division, and also a sum (a *non-trivial polynomial*) that is used as a factor.
//! - A *primitive power* is a primitive or `Power(p, k)`, `k` at least 2; for Real also negative: a reciprocal. So the
//!   paper's rational expression, a monomial over a monic, is one monomial here.
//! - A *monic* is 1, a primitive power, or `Mul` of two or more with their primitives in order of fingerprints.
//! - A *monomial* is a constant, a monic, or `Mul(c, m)`.
//! - A *polynomial* is `Add` of two or more monomials with different monics, in the order of their fingerprints, the
//!   constant last. Its first coefficient is 1 (Real), or its coefficients have no common divisor and the first is
//!   positive (Int); what is taken out for that stands before it: `2x + y` over Real is `2 * (x + 1/2 y)`.
//! - *Comparisons* are `0 = p`, `0 <= m`, `0 < m` (Real only; for Int `0 < m` is `0 <= m - 1`) and negations of these.
//!   Even powers, positive factors and common factors are gone: `0 = x * y * y` is `0 = x or 0 = y`.
//!
//! Products of sums are expanded only on demand: when a comparison vanishes modulo a prime at a random point
//! ([`modular`], a pre-check that never proves anything), the difference is expanded exactly ([`expand`]).
//!
//! Two deviations from the paper. A primitive that divides every monomial of a sum is taken out where the sum becomes a
//! factor or is compared, and not at each addition, because then `xy + xz + w` would depend on the order in which it was
//! added. And sums are merged only up to [`EAGER`] monomials: beyond that the larger summand stays a primitive of its
//! own, so that a chain of a million additions does not copy itself at each step; comparisons look through it.

mod compare;
pub mod expand;
mod integer;
pub mod modular;
mod monic;
mod polynomial;

pub use polynomial::Polynomial;

use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;

/// The most monomials that an addition merges.
pub const EAGER: usize = 64;

/// The standard form of an arithmetic operator or of an equality of numbers; `None` for other applications.
pub(crate) fn normalise(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let args = it.args;
    match it.op {
        Op::Add => Some(polynomial::add(pool, args)),
        Op::Sub => {
            let (&first, rest) = args.split_first()?;
            let negated: Vec<Term> = rest.iter().map(|&arg| negate(pool, arg)).collect();
            Some(polynomial::add(pool, &[&[first], negated.as_slice()].concat()))
        }
        Op::Neg => Some(negate(pool, args[0])),
        Op::Mul => Some(monic::multiply(pool, args)),
        Op::Power => match it.payload {
            Payload::Exponent(exponent) => Some(monic::power(pool, args[0], *exponent)),
            _ => None,
        },
        Op::Div => {
            let (&first, rest) = args.split_first()?;
            Some(rest.iter().fold(first, |quotient, &arg| monic::divide(pool, quotient, arg)))
        }
        Op::Eq if args.len() == 2 && pool.sort(args[0]).is_arithmetic() => Some(compare::equal(pool, args[0], args[1])),
        Op::Le => Some(chain(pool, args, |a, b| compare::at_most(pool, a, b))),
        Op::Lt => Some(chain(pool, args, |a, b| compare::below(pool, a, b))),
        Op::Ge => Some(chain(pool, args, |a, b| compare::at_most(pool, b, a))),
        Op::Gt => Some(chain(pool, args, |a, b| compare::below(pool, b, a))),
        Op::IntDiv | Op::IntMod | Op::Abs | Op::ToReal | Op::ToInt | Op::IsInt | Op::Divisible => {
            integer::normalise(pool, it)
        }
        _ => None,
    }
}

fn chain(pool: &TermPool, args: &[Term], compare: impl Fn(Term, Term) -> Term) -> Term {
    if let [a, b] = *args {
        return compare(a, b);
    }
    let pairs: Vec<Term> = args.windows(2).map(|pair| compare(pair[0], pair[1])).collect();
    pool.and(&pairs)
}

fn negate(pool: &TermPool, term: Term) -> Term {
    polynomial::scale(pool, &Rational::MINUS_ONE, term)
}

/// The constant 1 of a sort: the monic of constants.
fn one(pool: &TermPool, sort: Sort) -> Term {
    pool.one(sort)
}
