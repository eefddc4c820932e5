use quod_bench::runner::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let wanted = match args[1].as_str() { "overlay" => machine::Wanted::Overlay, "ro" => machine::Wanted::ReadOnly, "auto" => machine::Wanted::Auto, _ => machine::Wanted::None };
    let m = Machine::probe(wanted, false, args[2] == "cg").unwrap();
    println!("{}", m.describe());
    for _ in 0..3 {
    let mut r = Request::new(args[3..].iter().map(|s| s.into()).collect());
    r.cpu_time_hard = Some(2.0); r.memory = Some(300_000_000); r.wall_time = Some(5.0); r.cores = vec![0];
    let (o, t) = run(&m, &r, &Live::default());
    println!("{o:?}\n{}", String::from_utf8_lossy(&t));
    }
}
