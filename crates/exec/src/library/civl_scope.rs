//! `$scope` values: `$here`, `$scopeof`, the order of scopes, their parents and least common ancestors.
//!
//! A scope is named by 0, the outermost one, or by the number of its instance and one. Where the program tells scopes apart
//! (`quod_model::passes::scopes`), the number of an instance that has ended is not given out again while any value still
//! means it, so that a use of such a value is noticed: it is undefined, as in CIVL.

use super::context::{Context, Reply};
use crate::domain::{Domain, Outcome, Question, Truth};
use crate::fault::Fault;
use crate::state::{EnvironmentId, State};
use quod_base::Id;
use quod_verdict::CheckKind;

/// The outermost scope.
const ROOT: i128 = 0;
/// The parent of the outermost scope: no scope at all.
const NO_SCOPE: i128 = -1;

fn handle(environment: Option<EnvironmentId>) -> i128 {
    environment.map_or(ROOT, |environment| environment.index() as i128 + 1)
}

/// The instance that a value means; nothing for the outermost scope.
fn instance<D: Domain>(state: &State<D>, scope: i128) -> Option<Option<EnvironmentId>> {
    if scope == ROOT {
        return Some(None);
    }
    let index = usize::try_from(scope.checked_sub(1)?).ok()?;
    let found = state.environments.get(index)?;
    (!found.has_ended()).then(|| Some(EnvironmentId::from_index(index)))
}

/// An argument that is a scope which is still there.
fn argument<D: Domain>(context: &Context<'_, '_, D>, index: usize) -> Outcome<D, Option<EnvironmentId>> {
    let scope = context.int(index)?;
    match instance(context.state, scope) {
        Some(found) => Ok(found),
        None => {
            let what = if scope == NO_SCOPE { "the parent of the outermost scope" } else { "a scope that has ended" };
            Err(Fault::new(CheckKind::Uninitialised, format!("{what} is used")).label("undefined here").into())
        }
    }
}

/// The scope itself and all around it, innermost first; the outermost one is not listed.
fn outwards<D: Domain>(state: &State<D>, scope: Option<EnvironmentId>) -> Vec<EnvironmentId> {
    let parent = |id: &EnvironmentId| state.environments.get(id.index()).and_then(|found| found.parent);
    std::iter::successors(scope, parent).take(state.environments.len()).collect()
}

/// The first scope is the second, or lies inside of it.
fn is_within<D: Domain>(state: &State<D>, inner: Option<EnvironmentId>, outer: Option<EnvironmentId>) -> bool {
    outer.is_none_or(|outer| outwards(state, inner).contains(&outer))
}

pub(super) fn builtin<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Outcome<D, Option<Reply<D::Value>>> {
    let is_so = match name {
        "$here" => {
            let environment = context.current().frames.last().and_then(|frame| frame.environment);
            return Ok(Some(Reply::Int(handle(environment))));
        }
        "$scopeof" => return Ok(Some(Reply::Int(scope_of(context)?))),
        "$scope_join" => {
            let (left, right) = (argument(context, 0)?, argument(context, 1)?);
            let around = outwards(context.state, right);
            let common = outwards(context.state, left).into_iter().find(|scope| around.contains(scope));
            return Ok(Some(Reply::Int(handle(common))));
        }
        "$scope_equal" => argument(context, 0)? == argument(context, 1)?,
        "$scope_not_equal" => argument(context, 0)? != argument(context, 1)?,
        "$scope_less_equal" => {
            let (left, right) = (argument(context, 0)?, argument(context, 1)?);
            is_within(context.state, left, right)
        }
        "$scope_less" => {
            let (left, right) = (argument(context, 0)?, argument(context, 1)?);
            left != right && is_within(context.state, left, right)
        }
        _ => return Ok(None),
    };
    Ok(Some(Reply::Int(is_so.into())))
}

/// Where the object that the argument points to lives: memory that was allocated is where it was asked for.
fn scope_of<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, i128> {
    let pointer = context.value(0)?;
    if context.machine.domain.extent(&context.state.memory, &pointer).is_none() {
        return Err(Fault::new(CheckKind::InvalidDeref, "the scope of nothing is asked for")
            .label("this is no object, or one that has ended")
            .into());
    }
    for (index, environment) in context.state.environments.clone().iter().enumerate() {
        for (_, variable) in &environment.variables {
            if is_same(context, &pointer, variable) {
                return Ok(index as i128 + 1);
            }
        }
    }
    for (scope, object) in context.state.world.heap_scopes.clone() {
        if is_same(context, &pointer, &object) {
            return match instance(context.state, scope) {
                Some(_) => Ok(scope),
                None => context.unsupported("memory whose scope has ended"),
            };
        }
    }
    Ok(ROOT)
}

fn is_same<D: Domain>(context: &mut Context<'_, '_, D>, left: &D::Value, right: &D::Value) -> bool {
    let question = Question::SameObject { left: left.clone(), right: right.clone() };
    matches!(context.machine.domain.ask(&context.state.memory, &question), Truth::Known(true))
}

/// Keeps in which scope memory was asked for.
pub(super) fn keep_heap<D: Domain>(context: &mut Context<'_, '_, D>, object: &D::Value) -> Outcome<D, ()> {
    if !context.machine.tells_scopes {
        return Ok(());
    }
    let scope = handle(argument(context, 0)?);
    if scope != ROOT {
        // What has been freed is forgotten.
        let (domain, memory) = (&mut context.machine.domain, &context.state.memory);
        let known = &mut context.state.world.heap_scopes;
        known.retain(|(_, object)| domain.extent(memory, object).is_some());
        known.push((scope, object.clone()));
    }
    Ok(())
}

/// `$scope_parent`, `$scope_defined`
pub(super) fn parent<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Reply<D::Value>> {
    let parent = match argument(context, 0)? {
        None => NO_SCOPE,
        Some(scope) => handle(context.state.environments.get(scope.index()).and_then(|found| found.parent)),
    };
    Ok(Reply::Int(parent))
}

pub(super) fn is_defined<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Reply<D::Value>> {
    let scope = context.int(0)?;
    Ok(Reply::Int(instance(context.state, scope).is_some().into()))
}
