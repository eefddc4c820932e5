//! `quod run`: execute a program on concrete values and stop at the first undefined behaviour.

use crate::arguments::RunArguments;
use crate::console::Console;
use crate::front_end::FrontEnd;
use quod_verdict::exit_code;

pub(crate) fn run(arguments: &RunArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut program = FrontEnd::load(&arguments.program);
    let _ = program.preprocess();
    console.messages(&program.sources, &program.diagnostics);
    if program.has_errors() {
        console.summary(&format!("{} does not compile", program.name), &program.diagnostics);
        return exit_code::DOES_NOT_COMPILE;
    }
    0
}
