//! The search against brute force on small random formulas, with assumptions, cores and reuse.

use quod_solver::sat::{Limits, Lit, NoTheory, Outcome, Sat, Var};

struct Random(u64);

impl Random {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

fn holds(clauses: &[Vec<Lit>], bits: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|l| (bits >> l.var().0 & 1 == 1) == l.is_positive()))
}

fn brute(clauses: &[Vec<Lit>], assumptions: &[Lit], variables: u32) -> bool {
    (0..1u32 << variables)
        .any(|bits| assumptions.iter().all(|l| (bits >> l.var().0 & 1 == 1) == l.is_positive()) && holds(clauses, bits))
}

#[test]
fn agrees_with_brute_force() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut sat_count, mut unsat_count) = (0, 0);
    for _ in 0..1500 {
        let variables = 3 + random.next(8) as u32;
        let mut sat = Sat::default();
        let vars: Vec<Var> = (0..variables).map(|_| sat.new_var()).collect();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..4 {
            for _ in 0..random.next(u64::from(variables) * 2) {
                let size = 1 + random.next(4);
                let clause: Vec<Lit> = (0..size.max(2))
                    .map(|_| Lit::new(vars[random.next(u64::from(variables)) as usize], random.next(2) == 1))
                    .collect();
                sat.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Lit> = (0..random.next(4))
                .map(|_| Lit::new(vars[random.next(u64::from(variables)) as usize], random.next(2) == 1))
                .collect();
            let outcome = sat.solve(
                &assumptions,
                &mut |add| vars.iter().for_each(|&v| add(v)),
                &mut NoTheory,
                &Limits::default(),
            );
            let expected = brute(&clauses, &assumptions, variables);
            assert_eq!(outcome == Outcome::Sat, expected, "{clauses:?} {assumptions:?}");
            if expected {
                sat_count += 1;
                let bits =
                    vars.iter().fold(0, |bits, &v| bits | u32::from(sat.model(Lit::new(v, true)) == Some(true)) << v.0);
                assert!(holds(&clauses, bits));
                assert!(assumptions.iter().all(|&l| sat.model(l) == Some(true)));
            } else {
                unsat_count += 1;
                let core = sat.failed_assumptions().to_vec();
                assert!(core.iter().all(|l| assumptions.contains(l)), "{core:?} of {assumptions:?}");
                assert!(!brute(&clauses, &core, variables));
            }
        }
    }
    assert!(sat_count > 500 && unsat_count > 500, "{sat_count} {unsat_count}");
}

#[test]
fn pigeons_do_not_fit() {
    let mut sat = Sat::default();
    let (pigeons, holes) = (7, 6);
    let grid: Vec<Vec<Var>> = (0..pigeons).map(|_| (0..holes).map(|_| sat.new_var()).collect()).collect();
    for row in &grid {
        let clause: Vec<Lit> = row.iter().map(|&v| Lit::new(v, true)).collect();
        sat.add_clause(&clause);
    }
    for (a, row) in grid.iter().enumerate() {
        for other in &grid[..a] {
            for (&x, &y) in row.iter().zip(other) {
                sat.add_clause(&[Lit::new(x, false), Lit::new(y, false)]);
            }
        }
    }
    let all: Vec<Var> = grid.concat();
    let mut relevant = |add: &mut dyn FnMut(Var)| all.iter().for_each(|&v| add(v));
    assert_eq!(sat.solve(&[], &mut relevant, &mut NoTheory, &Limits::conflicts(5)), Outcome::Unknown);
    assert_eq!(sat.solve(&[], &mut relevant, &mut NoTheory, &Limits::default()), Outcome::Unsat);
}

#[test]
fn random_three_sat_near_the_threshold() {
    let mut random = Random(99);
    for _ in 0..20 {
        let variables = 120;
        let mut sat = Sat::default();
        let vars: Vec<Var> = (0..variables).map(|_| sat.new_var()).collect();
        let mut clauses = Vec::new();
        for _ in 0..(variables * 426 / 100) {
            let clause: Vec<Lit> =
                (0..3).map(|_| Lit::new(vars[random.next(variables) as usize], random.next(2) == 1)).collect();
            sat.add_clause(&clause);
            clauses.push(clause);
        }
        let outcome = sat.solve(&[], &mut |add| vars.iter().for_each(|&v| add(v)), &mut NoTheory, &Limits::default());
        if outcome == Outcome::Sat {
            assert!(clauses.iter().all(|c| c.iter().any(|&l| sat.model(l) == Some(true))));
        }
    }
}
