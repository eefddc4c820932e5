//! Bytes to a syntax tree.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(mut input) = quod_fuzz::Input::new(bytes) else { return };
    let (_unit, diagnostics) = input.parse();
    input.check(&diagnostics);
});
