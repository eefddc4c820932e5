//! `quod run`: execute a program on concrete values and stop at the first undefined behaviour.

use crate::arguments::RunArguments;
use crate::console::Console;
use crate::front_end::FrontEnd;

pub(crate) fn run(arguments: &RunArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut program = FrontEnd::load(&arguments.program);
    let Some(_model) = program.compile() else { return program.does_not_compile(&console, "run") };
    program.show_warnings(&console);
    0
}
