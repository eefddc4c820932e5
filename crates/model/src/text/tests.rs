//! The text form goes there and back.

use super::{parse, print};
use quod_verdict::KindSet;

const SMALL: &str = r#"model LP64 machine
struct 0 "node" {
  value: int;
  flags: uint bits(3);
  next: ptr record 0;
};
enum 0 "color" uint { RED = 0, GREEN = 5 };
string 0: array(3) char = [104 105 0];
global counter%0: int static;
function initialiser%0: fn() void {
  scope 0;
  l0: @counter%0 = -1 -> l1;
  l1: return;
}
function main%1: fn(int, ptr ptr char) int {
  scope 0;
  scope 1 in(0);
  local argc%0: int in(0) parameter;
  local argv%1: ptr ptr char in(0) parameter;
  local n%2: record 0 in(1) addressed;
  local %3: ptr record 0 in(1);
  local %4: int in(1);
  loop l3;
  l0: enter 1 -> l1;
  l1: declare n%2 -> l2;
  l2: %3 = &n%2 -> l3;
  l3: if (argc%0 < (3 + *(%3).value%0)) then l4 else l6;
  l4: *(%3).value%0 = ((argc%0 / 2) << (convert(@counter%0) : uint)) -> l5;
  l5: call main%1(argc%0, argv%1) to argc%0 -> l3;
  l6: switch argc%0 case -3 .. 7 -> l7 default -> l8;
  l7: when (argc%0 && ((- @counter%0) ? 1 : 0)) -> l8;
  l8: check "assertion" (float(0x3ff0000000000000 "1.0") : double) "is \"one\"" -> l9;
  l9: return %4;
}
main 1;
initialiser 0;
"#;

#[test]
fn text_comes_back_the_same() {
    let program = parse(SMALL).expect("the text is a model");
    assert_eq!(print(&program), SMALL);
}

#[test]
fn checked_models_come_back_the_same() {
    let mut program = parse(SMALL).expect("the text is a model");
    crate::passes::checks::insert(&mut program, KindSet::all());
    crate::validate::validate(&program).expect("checks keep the model well formed");
    let text = print(&program);
    assert!(text.contains("valid_read") && text.contains("fits(") && text.contains("initialised("), "{text}");
    assert_eq!(print(&parse(&text).expect("the text is a model")), text);
}

#[test]
fn errors_name_their_place() {
    let error = parse("model LP64 machine\nglobal x%0: imt static;\n").expect_err("imt is no type");
    assert_eq!((error.line, error.column), (2, 13), "{error}");
}

#[test]
fn no_prefix_of_a_model_makes_it_panic() {
    for end in 0..SMALL.len() {
        let _ = parse(&SMALL[..end]);
    }
}
