//! `<math.h>`: functions of numbers are the domain's; here are those that also write through a pointer.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::Domain;
use crate::fault::Fault;
use crate::scalar::Scalar;
use quod_model::ir::IntKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "frexp" | "frexpf" | "frexpl" => frexp,
        "modf" | "modff" | "modfl" => modf,
        "remquo" | "remquof" => remquo,
        "sincos" | "sincosf" => sincos,
        "fesetround" | "feclearexcept" | "feraiseexcept" | "fetestexcept" | "fegetround" | "feenableexcept"
        | "fesetenv" | "fegetenv" | "feholdexcept" | "feupdateenv" => |_| Ok(Reply::Int(0)),
        "cabs" | "cabsf" | "cabsl" => |context| {
            let (real, imaginary) = complex(context, 0)?;
            Ok(Reply::Float(real.hypot(imaginary)))
        },
        "carg" | "cargf" => |context| {
            let (real, imaginary) = complex(context, 0)?;
            Ok(Reply::Float(imaginary.atan2(real)))
        },
        "creal" | "crealf" | "creall" => |context| Ok(Reply::Float(complex(context, 0)?.0)),
        "cimag" | "cimagf" | "cimagl" => |context| Ok(Reply::Float(complex(context, 0)?.1)),
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => classify,
        "__isnan" | "__isnanf" | "__isnanl" => |context| renamed(context, "isnan"),
        "__isinf" | "__isinff" | "__isinfl" => |context| renamed(context, "isinf_sign"),
        "__finite" | "__finitef" | "__finitel" => |context| renamed(context, "isfinite"),
        "__signbit" | "__signbitf" | "__signbitl" => |context| renamed(context, "signbit"),
        _ => return None,
    })
}

/// Functions that the domain computes.
pub(super) fn numeric<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let name = context.name.strip_prefix("__builtin_").unwrap_or(context.name).to_owned();
    renamed(context, &name)
}

fn renamed<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Answered<D> {
    let scalars: Vec<Scalar> = (0..context.arguments.len()).map(|index| context.scalar(index)).collect();
    let operands: Vec<D::Value> = context.arguments.iter().map(|argument| argument.value.clone()).collect();
    let Some(result) = context.result else { return Ok(Reply::Nothing) };
    match context.machine.domain.numeric(name, &scalars, &operands, result) {
        Some(value) => Ok(Reply::Value(value?)),
        None => Err(Fault::unsupported(format_args!("the function `{name}`")).into()),
    }
}

fn classify<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    renamed(context, "fpclassify")
}

/// A complex argument, which comes as the address of its two parts.
fn complex<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> crate::domain::Outcome<D, (f64, f64)> {
    let argument = context.argument(index)?.clone();
    let scalar = match *context.machine.program.types.get(argument.ty) {
        quod_model::ir::Type::Complex(kind) => Scalar::of_float(kind),
        _ => Scalar::F64,
    };
    let size = context.cell(scalar).size;
    let real = context.load(&argument.value, scalar)?;
    let second = context.offset(&argument.value, i64::from(size));
    let imaginary = context.load(&second, scalar)?;
    Ok((context.known_double(&real, scalar)?, context.known_double(&imaginary, scalar)?))
}

fn frexp<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (mantissa, exponent) = libm::frexp(context.double(0)?);
    let pointer = context.pointer(1)?;
    context.store_int(&pointer, IntKind::Int, exponent.into())?;
    Ok(Reply::Float(mantissa))
}

fn modf<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let value = context.double(0)?;
    let whole = value.trunc();
    let pointer = context.pointer(1)?;
    let scalar = context.scalar(0);
    let double = context.machine.domain.float(whole.to_bits().into(), "", Scalar::F64);
    let converted = context.machine.domain.convert(Scalar::F64, scalar, &double)?;
    context.store(&pointer, scalar, &converted)?;
    let fraction = if value.is_infinite() { 0f64 } else { value - whole };
    Ok(Reply::Float(fraction.copysign(value)))
}

fn remquo<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (remainder, quotient) = libm::remquo(context.double(0)?, context.double(1)?);
    let pointer = context.pointer(2)?;
    context.store_int(&pointer, IntKind::Int, quotient.into())?;
    Ok(Reply::Float(remainder))
}

fn sincos<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let value = context.double(0)?;
    let scalar = context.scalar(0);
    for (index, part) in [(1, value.sin()), (2, value.cos())] {
        let pointer = context.pointer(index)?;
        let double = context.machine.domain.float(part.to_bits().into(), "", Scalar::F64);
        let converted = context.machine.domain.convert(Scalar::F64, scalar, &double)?;
        context.store(&pointer, scalar, &converted)?;
    }
    Ok(Reply::Nothing)
}
