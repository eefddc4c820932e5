//! `quod show`: the program as the tool sees it, from preprocessed text to the model.

use crate::arguments::ShowArguments;
use crate::console::{self, Console};
use crate::front_end::FrontEnd;
use quod_verdict::exit_code;

pub(crate) fn run(arguments: &ShowArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut program = FrontEnd::load(&arguments.program);
    let preprocessed = program.preprocess();
    console.messages(&program.sources, &program.diagnostics);
    if program.has_errors() {
        console.summary(&format!("{} does not compile", program.name), &program.diagnostics);
        return exit_code::DOES_NOT_COMPILE;
    }
    let _ = preprocessed;
    console::print("")
}
