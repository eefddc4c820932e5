//! What the outside world chooses: random numbers, the time. Any value that the function can give.

use super::terms::SymbolicDomain;
use super::value::Value;
use crate::domain::{Domain, ObjectKind};
use crate::fault::Trouble;
use crate::library::{Context, LibraryFunction, Reply};
use crate::scalar::Scalar;
use quod_base::Symbol;
use quod_model::ir::{BinaryOp, IntKind};
use quod_term::Term;
use quod_verdict::CheckKind;

type Call<'a, 'p, 'c> = &'c mut Context<'a, 'p, SymbolicDomain>;

/// `RAND_MAX`
const MOST: i128 = 0x7fff_ffff;

/// Limits of the members of a `struct tm`, in their order.
const CALENDAR: [(i128, i128); 9] =
    [(0, 60), (0, 59), (0, 23), (1, 31), (0, 11), (-1900, 100_000), (0, 6), (0, 365), (-1, 1)];

pub(super) fn find(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    Some(match name {
        "rand" | "random" | "lrand48" => |context| {
            let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
            Ok(Reply::Value(between(context, scalar, 0, MOST)?))
        },
        "rand_r" => |context| {
            let (seed, kind) = (context.pointer(0)?, context.int_kind(IntKind::UInt));
            context.load(&seed, kind)?;
            let changed = between(context, kind, 0, 0xffff_ffff)?;
            context.store(&seed, kind, &changed)?;
            let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
            Ok(Reply::Value(between(context, scalar, 0, MOST)?))
        },
        "srand" | "srandom" => |_| Ok(Reply::Nothing),
        "sqrt" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            root(context, value, scalar).map(|root| Reply::Value(Value::Number(root)))
        },
        "$pow" => power,
        "time" | "clock" => |context| {
            let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
            let value = between(context, scalar, 0, i128::from(i64::MAX))?;
            if context.name == "time" {
                let slot = context.value(0)?;
                if !context.is_null(&slot) {
                    let size = context.machine.program.types.data_model.pointer_size() as u8;
                    let cell = crate::scalar::Cell { scalar, size };
                    context.machine.domain.store(&mut context.state.memory, &slot, cell, &value)?;
                }
            }
            Ok(Reply::Value(value))
        },
        "gettimeofday" | "clock_gettime" => |context| {
            let slot = context.pointer(usize::from(context.name == "clock_gettime"))?;
            let size = context.machine.program.types.data_model.pointer_size();
            let (kind, limit) = if context.name == "gettimeofday" { (1, 999_999) } else { (1, 999_999_999) };
            let scalar = context.int_kind(IntKind::Long);
            let cell = crate::scalar::Cell { scalar, size: size as u8 };
            let seconds = between(context, scalar, 0, i128::from(i32::MAX))?;
            let parts = between(context, scalar, 0, limit)?;
            context.machine.domain.store(&mut context.state.memory, &slot, cell, &seconds)?;
            let second = context.offset(&slot, kind * size as i64);
            context.machine.domain.store(&mut context.state.memory, &second, cell, &parts)?;
            Ok(Reply::Int(0))
        },
        "localtime" | "gmtime" => |context| {
            if !context.machine.domain.is_ideal {
                return context.unsupported("a time that is not known");
            }
            let slot = context.pointer(0)?;
            let cell = crate::scalar::Cell { scalar: Scalar::Integer, size: 8 };
            context.machine.domain.load(&mut context.state.memory, &slot, cell)?;
            let object = match context.state.world.objects.get("tm") {
                Some(object) => object.clone(),
                None => {
                    let object = context.allocate(56, ObjectKind::Library, true, "tm")?;
                    context.state.world.objects.insert("tm", object.clone());
                    object
                }
            };
            for (index, &(low, high)) in CALENDAR.iter().enumerate() {
                let value = between(context, Scalar::Integer, low, high)?;
                let place = context.offset(&object, 4 * index as i64);
                let cell = crate::scalar::Cell { scalar: Scalar::Integer, size: 4 };
                context.machine.domain.store(&mut context.state.memory, &place, cell, &value)?;
            }
            Ok(Reply::Value(object))
        },
        "$is_concrete_int" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            Ok(Reply::Int(context.machine.domain.known_integer(&value, scalar).is_some().into()))
        },
        _ => return None,
    })
}

/// Any number of the kind between two limits.
fn between(context: Call<'_, '_, '_>, scalar: Scalar, low: i128, high: i128) -> Result<Value, Trouble<Term>> {
    let name = Symbol::intern(context.name);
    let domain = &mut context.machine.domain;
    let value = domain.unknown(&mut context.state.memory, scalar, Some(name))?;
    let Value::Number(term) = value else { return Ok(value) };
    for (op, limit) in [(BinaryOp::GreaterEqual, low), (BinaryOp::LessEqual, high)] {
        if scalar.int_format().is_none_or(|format| format.wrap(limit) == limit) {
            let limit = domain.integer_term(limit, scalar);
            let condition = domain.compare_term(op, scalar, term, limit);
            domain.assume(&mut context.state.memory, condition);
        }
    }
    Ok(value)
}

/// An ideal real to a power that is known: a product, or a root of it.
fn power(context: Call<'_, '_, '_>) -> Result<Reply<Value>, Trouble<Term>> {
    let (value, scalar) = (context.value(0)?, context.scalar(0));
    let twice = context.double(1)? * 2.0;
    if twice.fract() == 0.0 && twice % 2.0 != 0.0 && (0.0..=64.0).contains(&twice) {
        let root = root(context, value, scalar)?;
        let factors = vec![root; twice as usize];
        return Ok(Reply::Value(Value::Number(context.machine.domain.pool.mul(&factors))));
    }
    crate::library::power(context)
}

/// The root of an ideal real: the number that is not negative and whose square it is.
fn root(context: Call<'_, '_, '_>, value: Value, scalar: Scalar) -> Result<Term, Trouble<Term>> {
    let Value::Number(term) = value else { return context.unsupported("this argument") };
    if scalar != Scalar::Real {
        return context.unsupported("a root of machine numbers");
    }
    let pool = context.machine.domain.pool.clone();
    if let Some(quod_term::Value::Real(number)) = pool.value(term)
        && !number.is_negative()
    {
        let (above, below) = (number.numerator().sqrt(), number.denominator().sqrt());
        if &above * &above == number.numerator() && &below * &below == number.denominator() {
            let root = quod_base::Rational::from_big(above, below);
            return match root {
                Some(root) => Ok(pool.real(root)),
                None => context.unsupported("this number"),
            };
        }
    }
    let zero = context.machine.domain.zero_term(Scalar::Real);
    let is_negative = context.machine.domain.answer(pool.lt(term, zero));
    if context.decide(is_negative)? {
        return context.fault(CheckKind::Library, "a root of a negative number");
    }
    let real = quod_term::Sort::REAL;
    let function = quod_term::Function { name: "$root".into(), domain: [real].into(), range: real };
    let root = pool.apply(&std::sync::Arc::new(function), &[term]);
    let memory = &mut context.state.memory;
    context.machine.domain.assume(memory, pool.ge(root, zero));
    context.machine.domain.assume(memory, pool.eq(pool.mul(&[root, root]), term));
    Ok(root)
}
