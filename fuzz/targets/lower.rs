//! Bytes to a model, which must be well formed where there are no errors, and survive the way through its text form.

#![no_main]

use quod_diag::Diagnostic;
use quod_verdict::KindSet;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(mut input) = quod_fuzz::Input::new(bytes) else { return };
    let (lowered, diagnostics) = input.lower();
    input.check(&diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    if let Err(fault) = quod_model::validate::validate(&lowered.program) {
        panic!("the model is not well formed: {fault}");
    }
    let mut program = lowered.program;
    quod_model::passes::checks::insert(&mut program, KindSet::all());
    if let Err(fault) = quod_model::validate::validate(&program) {
        panic!("the checks make the model not well formed: {fault}");
    }
    let text = quod_model::text::print(&program);
    match quod_model::text::parse(&text) {
        Ok(program) => assert_eq!(quod_model::text::print(&program), text, "the model changed on its way through text"),
        Err(error) => panic!("the model's text cannot be read: {error:?}\n{text}"),
    }
});
