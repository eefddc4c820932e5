//! Programs that hold, made wrong: what gcc's sanitizers report is not proved. A few mutants of a few programs; `cargo xtask
//! mutate` makes all of them.

#![allow(clippy::disallowed_methods)]

use quod_testkit::{mutation, oracle};
use std::process::Command;

/// One in so many mutants of each program.
const EVERY: usize = 9;

#[test]
fn faulty_mutants_are_not_proved() {
    if !oracle::is_there() {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("quod-mutation-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/verify");
    let mut faulty = 0;
    for (name, property) in
        [("holds_calendar", "assertion"), ("holds_search", "valid-memsafety"), ("holds_division", "division-by-zero")]
    {
        let text = std::fs::read_to_string(format!("{root}/{name}.c")).unwrap();
        let changed = scratch.join("mutant.c");
        for mutant in mutation::mutants(&text).into_iter().step_by(EVERY) {
            std::fs::write(&changed, &mutant.text).unwrap();
            let Some(fault) = oracle::fault(&changed, property, &scratch, 60) else { continue };
            faulty += 1;
            let quod = Command::new(env!("CARGO_BIN_EXE_quod"))
                .args(["verify", "--property", property, "--timeout", "5"])
                .arg(&changed)
                .output()
                .unwrap();
            assert_ne!(quod.status.code(), Some(0), "{name}: {} is proved, but {fault}", mutant.what);
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(faulty > 0, "no mutant is faulty");
}
