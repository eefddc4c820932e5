//! `quod show`: the program as the tool sees it, from preprocessed text to the model.

mod layout;
mod states;

use crate::arguments::ShowArguments;
use crate::console::{self, Console};
use crate::front_end::FrontEnd;
use quod_diag::{Outcome, Status};
use quod_verdict::Specification;

pub(crate) fn run(arguments: &ShowArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut program = FrontEnd::load(&arguments.program);
    let Some(text) = text(arguments, &mut program) else { return program.does_not_compile(&console, "show") };
    program.show_warnings(&console);
    if console.is_document() {
        let outcome = Outcome { status: Status::Passed, text: "shown", exit_code: 0, seconds: None };
        let extra = [("text".to_owned(), text.into())].into_iter().collect();
        console.document(program.report("show", outcome), extra);
        return 0;
    }
    console::print(&text)
}

/// What was asked for, in the order of the program's way through the tool; nothing if it does not compile that far.
fn text(arguments: &ShowArguments, program: &mut FrontEnd) -> Option<String> {
    let mut text = String::new();
    let files = program.preprocess();
    if arguments.preprocessed {
        for file in &files {
            text.push_str(&quod_syntax::print_preprocessed(&program.sources, &file.tokens));
        }
    }
    let needs_model = arguments.model || arguments.layout || arguments.states.is_some();
    let needs_tree = arguments.ast || needs_model || !arguments.preprocessed;
    if !needs_tree || program.has_errors() {
        return (!program.has_errors()).then_some(text);
    }
    let units = program.parse(&files);
    if arguments.ast {
        for unit in &units {
            text.push_str(&quod_syntax::ast::dump(unit, &program.sources));
        }
    }
    let is_default = !arguments.ast && !arguments.preprocessed && !needs_model;
    if needs_model || is_default {
        let mut model = program.lower(&units)?;
        super::verify::give_inputs(&arguments.input, &mut model, &mut program.diagnostics);
        if arguments.layout {
            text.push_str(&layout::print(&model, |record| program.is_built_in(record.span)));
        }
        if arguments.model || is_default {
            program.insert_checks(&mut model, Specification::everything().kinds);
            text.push_str(&quod_model::text::print(&model));
        } else if arguments.states.is_some() {
            program.insert_checks(&mut model, Specification::everything().kinds);
        }
        if let Some(most) = arguments.states {
            text.push_str(&states::print(&model, &program.sources, most));
        }
    }
    (!program.has_errors()).then_some(text)
}
