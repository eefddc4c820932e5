//! Small scripts of every logic that the embedded deciders know: answers and models.

use quod_solver::script::{ScriptOptions, run};

fn answers(text: &str) -> String {
    let mut out = Vec::new();
    run(text, &ScriptOptions::default(), &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("text")
}

#[test]
fn floats() {
    let head = "(declare-const x (_ FloatingPoint 5 11))(declare-const y (_ FloatingPoint 5 11))(declare-const r RoundingMode)";
    let sat = [
        "(assert (fp.lt x y))(assert (fp.eq (fp.add RNE x y) (fp.mul RTZ x x)))",
        "(assert (not (= (fp.add r x y) (fp.add RNE x y))))",
        "(assert (and (fp.isSubnormal x) (fp.eq (fp.mul RNE y y) x)))",
        "(assert (fp.isNaN (fp.div r x y)))(assert (not (fp.isNaN x)))(assert (not (fp.isNaN y)))",
    ];
    for body in sat {
        let all = answers(&format!("{head}{body}(check-sat)(get-info :reason-unknown)"));
        assert!(all.starts_with("sat"), "{body}: {all}");
    }
    let unsat = ["(assert (fp.lt x y))(assert (fp.lt y x))", "(assert (fp.isNegative (fp.mul r x x)))"];
    for body in unsat {
        let all = answers(&format!("{head}{body}(check-sat)"));
        assert!(all.starts_with("unsat"), "{body}: {all}");
    }
}

#[test]
fn arrays_functions_and_numbers() {
    let cases = [
        (
            "(declare-const a (Array Int Int))(declare-const i Int)(declare-const j Int)
          (assert (not (= (select (store a i 1) j) (select a j))))(assert (not (= i j)))",
            "unsat",
        ),
        (
            "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
          (declare-const i (_ BitVec 8))(assert (= a (store b i #x01)))(assert (not (= (select a i) #x01)))",
            "unsat",
        ),
        // Arrays that are equal agree at the indices that nobody names, too.
        (
            "(declare-const c (Array (_ BitVec 2) (_ BitVec 2)))(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))
          (assert (= ((as const (Array (_ BitVec 2) (_ BitVec 2))) (select c x))
                     (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) y) x #b10)))",
            "sat",
        ),
        (
            "(declare-const x (_ BitVec 8))(declare-const y Int)(declare-const z Int)
          (assert (= ((as const (Array (_ BitVec 8) Int)) y) (store ((as const (Array (_ BitVec 8) Int)) z) x 5)))
          (assert (not (= z 5)))",
            "unsat",
        ),
        (
            "(declare-sort S 0)(declare-fun f (S) S)(declare-const x S)
          (assert (= (f (f (f x))) x))(assert (= (f (f (f (f (f x))))) x))(assert (not (= (f x) x)))",
            "unsat",
        ),
        ("(declare-sort S 0)(declare-fun f (S) S)(declare-const x S)(assert (not (= (f (f x)) x)))", "sat"),
        (
            "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)
          (assert (<= x y))(assert (<= y x))(assert (not (= (f x) (f y))))",
            "unsat",
        ),
        ("(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x) (* 4 y)) 7))", "unsat"),
        ("(declare-const x Int)(declare-const y Int)(assert (= (* x y) 35))(assert (> x 1))(assert (> y x))", "sat"),
        ("(declare-const x Real)(assert (< (* x x) 0.0))", "unsat"),
        ("(declare-const x Real)(declare-const y Real)(assert (< x y))(assert (< y (+ x 0.001)))", "sat"),
    ];
    for (body, expected) in cases {
        let all = answers(&format!("{body}(check-sat)(get-info :reason-unknown)"));
        assert!(all.starts_with(expected), "{body}: {all}");
    }
}
