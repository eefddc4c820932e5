//! Facts at loop heads as C expressions.

use super::LoopFact;
use super::state::{CellKey, State, World};
use super::value::{Kind, ObjectKey};
use quod_base::int::IntFormat;
use quod_model::ir::*;
use std::collections::BTreeMap;

const MOST_FACTS: usize = 200;

pub(crate) fn all(world: &World<'_>, heads: Vec<((FunctionId, LocationId), State)>) -> Vec<LoopFact> {
    let mut joined: BTreeMap<(FunctionId, LocationId), State> = BTreeMap::new();
    for (place, state) in heads {
        let state = match joined.get(&place) {
            Some(old) => world.join(old, &state),
            None => state,
        };
        joined.insert(place, state);
    }
    let mut facts = Vec::new();
    for ((function, head), state) in joined {
        for expression in expressions(world, function, &state).into_iter().take(MOST_FACTS) {
            facts.push(LoopFact { function, head, expression });
        }
    }
    facts
}

/// The name of a variable that means the same everywhere in the function.
pub(crate) fn name(world: &World<'_>, function: FunctionId, key: CellKey) -> Option<String> {
    let body = world.program.functions[function].body.as_ref()?;
    let is_named = |name: quod_base::Symbol| body.locals.iter().filter(|local| local.name == Some(name)).count();
    match key.object {
        _ if key.at != 0 || key.format == super::state::OFFSET => None,
        ObjectKey::Local(of, id) if of == function => {
            body.locals[id].name.filter(|&name| is_named(name) == 1).map(|name| name.to_string())
        }
        ObjectKey::Global(id) => {
            let global = &world.program.globals[id];
            (global.function.is_none() && is_named(global.name) == 0).then(|| global.name.to_string())
        }
        _ => None,
    }
}

/// What is known of the variables that have a name and can be seen in the function.
fn expressions(world: &World<'_>, function: FunctionId, state: &State) -> Vec<String> {
    let program = world.program;
    let mut variables: Vec<(String, CellKey)> = Vec::new();
    if let Some(body) = &program.functions[function].body {
        for (id, local) in body.locals.iter_enumerated() {
            if let (Some(name), Some(Kind::Int(format))) = (local.name, Kind::of(&program.types, local.ty)) {
                variables.push((name.to_string(), CellKey { object: ObjectKey::Local(function, id), at: 0, format }));
            }
        }
        // A name that two variables have says nothing outside of their scopes.
        let names: Vec<String> = variables.iter().map(|variable| variable.0.clone()).collect();
        variables.retain(|(name, _)| names.iter().filter(|other| *other == name).count() == 1);
        for (id, global) in program.globals.iter_enumerated() {
            if let Some(Kind::Int(format)) = Kind::of(&program.types, global.ty)
                && global.function.is_none()
                && !names.contains(&global.name.to_string())
            {
                let key = CellKey { object: ObjectKey::Global(id), at: 0, format };
                variables.push((global.name.to_string(), key));
            }
        }
    }
    let mut all = Vec::new();
    for (index, (name, key)) in variables.iter().enumerate() {
        if key.format.bits > 64 || !state.objects.contains_key(&key.object) {
            continue;
        }
        let variable = world.variable(*key);
        let Some(number) = world.tight_number(state, variable) else { continue };
        let IntFormat { .. } = key.format;
        let (least, most) = (key.format.min(), key.format.max());
        let literal = |value: i128| literal(value, key.format);
        if number.low == number.high {
            all.push(format!("{name} == {}", literal(number.low)));
            continue;
        }
        if number.low > least {
            all.push(format!("{} <= {name}", literal(number.low)));
        }
        if number.high < most {
            all.push(format!("{name} <= {}", literal(number.high)));
        }
        if number.modulus > 1 && number.low >= 0 {
            all.push(format!("{name} % {} == {}", literal(number.modulus), literal(number.residue)));
        }
        for (other, other_key) in &variables[index + 1..] {
            if other_key.format.bits > 32 || key.format.bits > 32 {
                continue;
            }
            let bounds = state.zones.direct(variable, world.variable(*other_key));
            if bounds.low == bounds.high {
                all.push(format!("(long long){name} - (long long){other} == {}", bounds.low));
                continue;
            }
            if bounds.low.abs() < 1 << 40 {
                all.push(format!("{} <= (long long){name} - (long long){other}", bounds.low));
            }
            if bounds.high.abs() < 1 << 40 {
                all.push(format!("(long long){name} - (long long){other} <= {}", bounds.high));
            }
        }
    }
    all
}

/// A constant that C reads back as this value.
fn literal(value: i128, format: IntFormat) -> String {
    let suffix = match (format.is_signed, format.bits) {
        (true, 64) => "LL",
        (true, _) => "",
        (false, 64) => "ULL",
        (false, _) => "U",
    };
    if value < 0 { format!("(-{}{suffix} - 1)", -(value + 1)) } else { format!("{value}{suffix}") }
}
