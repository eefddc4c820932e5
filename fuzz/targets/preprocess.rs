//! Bytes to tokens, and tokens back to text.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(mut input) = quod_fuzz::Input::new(bytes) else { return };
    let preprocessed = input.preprocess();
    input.check(&preprocessed.diagnostics);
    let _ = quod_syntax::print_preprocessed(&input.sources, &preprocessed.tokens);
});
