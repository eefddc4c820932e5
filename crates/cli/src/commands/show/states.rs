//! States of a search as text: where the processes stand, the variables, the path condition.

use crate::interrupt;
use quod_base::{SourceMap, Span};
use quod_exec::inspect::Variable;
use quod_model::ir::Program;
use quod_verdict::Specification;
use quod_verify::{Options, ShownState};
use std::fmt::Write as _;

pub(super) fn print(model: &Program, sources: &SourceMap, most: usize) -> String {
    let asked = Options::new(Specification::usual().kinds, interrupt::token());
    let options = Options { is_breadth_first: true, errors: usize::MAX, is_asked: false, ..asked };
    let (states, is_all) = quod_verify::states(model, &options, most);
    let mut text = String::new();
    for (number, state) in states.iter().enumerate() {
        one(&mut text, sources, number, state);
    }
    if !is_all {
        let _ = writeln!(text, "and more states: --states={} shows twice as many", most.saturating_mul(2));
    }
    text
}

fn one(text: &mut String, sources: &SourceMap, number: usize, state: &ShownState) {
    let _ = writeln!(text, "state {number}");
    for process in &state.processes {
        let place = if process.has_ended { "has ended".to_owned() } else { place(sources, process.span) };
        let _ = writeln!(text, "  process {} {place}", process.number);
        variables(text, "    ", &process.locals);
    }
    variables(text, "  ", &state.globals);
    for condition in &state.conditions {
        let _ = writeln!(text, "  where {condition}");
    }
}

fn variables(text: &mut String, indent: &str, variables: &[Variable]) {
    for variable in variables {
        let _ = writeln!(text, "{indent}{} = {}", variable.name, variable.value);
    }
}

fn place(sources: &SourceMap, span: Span) -> String {
    match crate::trace_file::place(sources, span) {
        Some(place) => format!("at {}:{}:{}", place.file, place.line, place.column),
        None => "has not begun".to_owned(),
    }
}
