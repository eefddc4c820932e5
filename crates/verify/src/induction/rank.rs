//! Why a loop ends: a lexicographic order of measures. Each round keeps the first or makes it smaller, and where it keeps it
//! does the same with the next, down to the last, which it always makes smaller. Measures are linear sums of the numbers at the
//! head, distances, and conditions that stay false once they are; all of them have finitely many values, so none goes down for
//! ever. They are guessed from rounds that the solver shows and then asked for bit by bit, in a width in which no sum wraps.

use super::candidates::{Candidates, Column, bv, number};
use super::{Item, Prover, Stop, print};
use quod_exec::symbolic::Spot;
use quod_solver::{Answer, Model};
use quod_term::{Term, TermPool};
use rustc_hash::FxHashMap;

/// Something that has a number at each visit of the head.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    /// Columns with factors.
    Sum(Vec<(usize, i128)>),
    /// The sum without its sign.
    Distance(Vec<(usize, i128)>),
    /// The smaller of two columns.
    Least(usize, usize),
    /// One while a condition over the symbols of the head holds, then zero.
    Phase(Term),
}

/// A way around the loop.
struct Way {
    /// What is known on it, with what was found to be kept.
    path: Vec<Term>,
    /// The columns at its end.
    values: Vec<Term>,
    /// From the symbols of the head to what they are at its end.
    map: FxHashMap<Term, Term>,
}

/// Whether a measure gets larger: on which way, and for which values.
enum Grows {
    Never,
    On(usize, Box<Model>),
    Unknown,
}

/// A round in numbers.
struct Round {
    before: Vec<i128>,
    after: Vec<i128>,
    /// For each condition what it was and became.
    phases: Vec<(bool, bool)>,
}

/// Measures of one order, conditions among them, and questions about measures that turn out not to be kept.
const MOST_MEASURES: usize = 5;
const MOST_PHASES: usize = 12;
const MOST_REFUSED: usize = 40;
/// Changes from which factors are found, corrections of them, and how large they get.
const MOST_CHANGE: i128 = 1 << 20;
const MOST_CORRECTIONS: usize = 5_000;
const MOST_FACTOR: i128 = 1 << 10;
const MOST_GUESSES: usize = 12;
/// Columns of which pairs are made, and threes.
const MOST_PAIRED: usize = 10;
const MOST_IN_THREES: usize = 6;

impl Prover<'_, '_> {
    /// An order that every way back to the head decreases; nothing where none is found. `skipped` conjuncts of the ways are known at
    /// the head.
    pub(super) fn rank(
        &mut self,
        candidates: &Candidates,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<Option<Vec<Measure>>, Stop> {
        let pool = self.machine.domain.pool.clone();
        let heads = candidates.values(symbols);
        let phases = self.phases(candidates, symbols);
        let mut ways = Vec::new();
        let mut rounds: Vec<Round> = Vec::new();
        for item in back {
            let Some(found) = self.machine.domain.spot_values(&item.state, spots) else { return Ok(None) };
            let way = Way {
                path: item.state.memory.path_condition().collect(),
                values: candidates.values(&found),
                map: symbols.iter().copied().zip(found).collect(),
            };
            match self.check(&way.path)? {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => rounds.extend(round(&pool, candidates, &heads, &phases, &way, &model)),
                Answer::Unknown(_) => {}
            }
            ways.push(way);
        }
        let measures = measures(&candidates.columns, &phases);
        let mut order = Vec::new();
        let mut refused = 0;
        while !ways.is_empty() {
            if order.len() >= MOST_MEASURES || rounds.is_empty() {
                return Ok(None);
            }
            let mut found = None;
            // Those that get smaller on every round that is known come first, then sums with other factors.
            let fixed = |is_strict: bool| measures.iter().cloned().map(move |measure| (measure, is_strict));
            let guesses = std::iter::repeat_n(Measure::Sum(Vec::new()), MOST_GUESSES).map(|it| (it, true));
            for (measure, is_strict) in fixed(true).chain(guesses).chain(fixed(false)) {
                let measure = match measure {
                    Measure::Sum(parts) if parts.is_empty() => match factors(&candidates.columns, &rounds) {
                        Some(measure) => measure,
                        None => continue,
                    },
                    measure => measure,
                };
                let changes = rounds.iter().map(|round| measure.change(round, &phases));
                let (is_kept, smaller) = changes.fold((true, 0), |(is_kept, smaller), change| {
                    (is_kept && change <= 0, smaller + usize::from(change < 0))
                });
                if !is_kept || smaller == 0 || is_strict && smaller < rounds.len() || order.contains(&measure) {
                    continue;
                }
                match self.grows(&measure, candidates, &heads, &ways)? {
                    Grows::Never => {
                        found = Some(measure);
                        break;
                    }
                    Grows::On(index, model) => {
                        let seen = round(&pool, candidates, &heads, &phases, &ways[index], &model);
                        rounds.extend(seen);
                    }
                    Grows::Unknown => {}
                }
                refused += 1;
                if refused > MOST_REFUSED {
                    return Ok(None);
                }
            }
            let Some(measure) = found else { return Ok(None) };
            // What is left are the rounds that keep it.
            rounds.clear();
            let mut left = Vec::new();
            for mut way in ways {
                let (before, after) = measure.terms(&pool, candidates, &heads, &way);
                way.path.push(pool.eq(before, after));
                match self.check(&way.path)? {
                    Answer::Unsat(_) => continue,
                    Answer::Sat(model) => rounds.extend(round(&pool, candidates, &heads, &phases, &way, &model)),
                    Answer::Unknown(_) => {}
                }
                left.push(way);
            }
            ways = left;
            order.push(measure);
        }
        Ok(Some(order))
    }

    /// Whether every way back to the head decreases an order.
    pub(super) fn is_order(
        &mut self,
        order: &[Measure],
        candidates: &Candidates,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<bool, Stop> {
        let pool = self.machine.domain.pool.clone();
        let heads = candidates.values(symbols);
        for item in back {
            let Some(found) = self.machine.domain.spot_values(&item.state, spots) else { return Ok(false) };
            let mut way = Way {
                path: item.state.memory.path_condition().collect(),
                values: candidates.values(&found),
                map: symbols.iter().copied().zip(found).collect(),
            };
            for measure in order {
                if !matches!(self.grows(measure, candidates, &heads, std::slice::from_ref(&way))?, Grows::Never) {
                    return Ok(false);
                }
                let (before, after) = measure.terms(&pool, candidates, &heads, &way);
                way.path.push(pool.eq(before, after));
            }
            if !matches!(self.check(&way.path)?, Answer::Unsat(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The order that the text of a relation says; nothing where it is none of these.
    pub(super) fn given_order(&self, text: &str, candidates: &Candidates, symbols: &[Term]) -> Option<Vec<Measure>> {
        let pool = &self.machine.domain.pool;
        let columns = &candidates.columns;
        let all = measures(columns, &self.phases(candidates, symbols));
        let mut order = Vec::new();
        for decreases in crate::abstraction::decreases(text)? {
            let is_it = |measure: &&Measure| decrease(pool, columns, measure).is_some_and(|it| it.0 == decreases);
            order.push(match all.iter().find(is_it) {
                Some(measure) => measure.clone(),
                None => Measure::Sum(parse_sum(decreases.rsplit(" > ").next()?, columns)?),
            });
        }
        (relation(pool, columns, &order)? == text).then_some(order)
    }

    /// Whether some way makes a measure larger.
    fn grows(
        &mut self,
        measure: &Measure,
        candidates: &Candidates,
        heads: &[Term],
        ways: &[Way],
    ) -> Result<Grows, Stop> {
        let pool = self.machine.domain.pool.clone();
        for (index, way) in ways.iter().enumerate() {
            let (before, after) = measure.terms(&pool, candidates, heads, way);
            let mut terms = way.path.clone();
            terms.push(pool.bv_slt(before, after));
            match self.check(&terms)? {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => return Ok(Grows::On(index, Box::new(model))),
                Answer::Unknown(_) => return Ok(Grows::Unknown),
            }
        }
        Ok(Grows::Never)
    }

    /// Conditions that were open on the way and are about the head.
    fn phases(&self, candidates: &Candidates, symbols: &[Term]) -> Vec<Term> {
        let pool = &self.machine.domain.pool;
        let known = |symbol: &Term| {
            symbols.contains(symbol)
                || candidates.columns.iter().any(|column| pool.free_symbols(&[column.head]).contains(symbol))
        };
        let is_said = |&condition: &Term| {
            let free = pool.free_symbols(&[condition]);
            free.iter().any(|symbol| symbols.contains(symbol)) && free.iter().all(known)
        };
        let mut said: Vec<Term> = self.seen.iter().copied().filter(is_said).collect();
        said.sort_by_key(|&condition| pool.subterms(&[condition]).len());
        said.truncate(MOST_PHASES / 2);
        said.into_iter().flat_map(|condition| [condition, pool.not(condition)]).collect()
    }
}

/// What a model says of a way; nothing where it does not say all.
fn round(
    pool: &TermPool,
    candidates: &Candidates,
    heads: &[Term],
    phases: &[Term],
    way: &Way,
    model: &Model,
) -> Option<Round> {
    let numbers = |terms: &[Term]| -> Option<Vec<i128>> {
        let columns = candidates.columns.iter().zip(terms);
        columns.map(|(column, &term)| number(pool, term, column.is_signed, model)).collect()
    };
    let truth = |term: Term| quod_term::evaluate(pool, term, model).and_then(|value| value.as_bool());
    let phases = phases.iter().map(|&phase| Some((truth(phase)?, truth(pool.substitute(phase, &way.map))?)));
    Some(Round { before: numbers(heads)?, after: numbers(&way.values)?, phases: phases.collect::<Option<_>>()? })
}

/// What is tried, the simple first.
fn measures(columns: &[Column], phases: &[Term]) -> Vec<Measure> {
    let changing: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].spot.is_some()).collect();
    let mut all = Vec::new();
    for &place in &changing {
        all.extend([Measure::Sum(vec![(place, 1)]), Measure::Sum(vec![(place, -1)])]);
    }
    let paired = &changing[..changing.len().min(MOST_PAIRED)];
    let mut pairs = |signs: &[(i128, i128)]| {
        for (index, &a) in paired.iter().enumerate() {
            for &b in &paired[index + 1..] {
                all.extend(signs.iter().map(|&(x, y)| Measure::Sum(vec![(a, x), (b, y)])));
            }
        }
    };
    pairs(&[(1, -1), (-1, 1), (1, 1), (-1, -1)]);
    pairs(&[(2, 1), (1, 2), (2, -1), (-1, 2), (-2, 1), (1, -2), (-2, -1), (-1, -2)]);
    all.extend(phases.iter().map(|&phase| Measure::Phase(phase)));
    for &a in paired {
        all.push(Measure::Distance(vec![(a, 1)]));
        let others = columns.iter().enumerate().filter(|&(b, column)| b != a && (column.spot.is_none() || b > a));
        all.extend(others.map(|(b, _)| Measure::Distance(vec![(a, 1), (b, -1)])));
    }
    for (index, &a) in paired.iter().enumerate() {
        let others = paired[index + 1..].iter().filter(|&&b| columns[a].is_signed == columns[b].is_signed);
        all.extend(others.map(|&b| Measure::Least(a, b)));
    }
    let few = &changing[..changing.len().min(MOST_IN_THREES)];
    for (index, &a) in few.iter().enumerate() {
        for (next, &b) in few.iter().enumerate().skip(index + 1) {
            for &c in &few[next + 1..] {
                for signs in 0..8 {
                    let sign = |bit: u32| if signs >> bit & 1 == 0 { 1 } else { -1 };
                    all.push(Measure::Sum(vec![(a, sign(0)), (b, sign(1)), (c, sign(2))]));
                }
            }
        }
    }
    all
}

impl Measure {
    /// How much it grows in a round.
    fn change(&self, round: &Round, phases: &[Term]) -> i128 {
        let sum = |parts: &[(usize, i128)], of: &[i128]| -> i128 {
            parts.iter().map(|&(place, factor)| of[place].saturating_mul(factor)).fold(0, i128::saturating_add)
        };
        match self {
            Measure::Sum(parts) => sum(parts, &round.after).saturating_sub(sum(parts, &round.before)),
            Measure::Distance(parts) => {
                sum(parts, &round.after).saturating_abs() - sum(parts, &round.before).saturating_abs()
            }
            Measure::Least(a, b) => round.after[*a].min(round.after[*b]) - round.before[*a].min(round.before[*b]),
            Measure::Phase(condition) => {
                let place = phases.iter().position(|phase| phase == condition);
                let (before, after) = place.map_or((false, true), |place| round.phases[place]);
                i128::from(after) - i128::from(before)
            }
        }
    }

    /// At the head, and at the end of a way.
    fn terms(&self, pool: &TermPool, candidates: &Candidates, heads: &[Term], way: &Way) -> (Term, Term) {
        match self {
            Measure::Sum(parts) => (sum(pool, candidates, parts, heads), sum(pool, candidates, parts, &way.values)),
            Measure::Distance(parts) => {
                let of = |values: &[Term]| {
                    let sum = sum(pool, candidates, parts, values);
                    let zero = pool.bv(pool.width(sum), 0);
                    pool.ite(pool.bv_slt(sum, zero), pool.bv_neg(sum), sum)
                };
                (of(heads), of(&way.values))
            }
            Measure::Least(a, b) => {
                let of = |values: &[Term]| {
                    let width = candidates.columns[*a].width.max(candidates.columns[*b].width) + 1;
                    let wide = |place: usize| extended(pool, &candidates.columns[place], width, values[place]);
                    let (a, b) = (wide(*a), wide(*b));
                    pool.ite(pool.bv_slt(a, b), a, b)
                };
                (of(heads), of(&way.values))
            }
            Measure::Phase(condition) => {
                let of = |condition: Term| pool.ite(condition, pool.bv(2, 1), pool.bv(2, 0));
                (of(*condition), of(pool.substitute(*condition, &way.map)))
            }
        }
    }

    /// Over the variables as they were at an earlier visit, or as they are.
    fn text(&self, pool: &TermPool, columns: &[Column], is_earlier: bool) -> Option<String> {
        let named = |name: &str| if is_earlier { format!("\\at({name}, AnyPrev)") } else { name.to_owned() };
        let sum = |parts: &[(usize, i128)]| -> Option<String> {
            if let [(place, 1)] = parts {
                return columns[*place].name.as_deref().map(named);
            }
            let is_small = parts.iter().all(|&(place, _)| columns[place].width <= 32);
            let ty = if is_small { "long long" } else { "__int128" };
            let mut text = String::from("(0");
            for &(place, factor) in parts {
                let name = named(columns[place].name.as_deref()?);
                let sign = if factor < 0 { '-' } else { '+' };
                match factor.abs() {
                    1 => text += &format!(" {sign} ({ty}){name}"),
                    times => text += &format!(" {sign} {times} * ({ty}){name}"),
                }
            }
            Some(text + ")")
        };
        match self {
            Measure::Sum(parts) => sum(parts),
            Measure::Distance(parts) => {
                // As a sum: without its sign the least number of a type has no room in it.
                let mut parts = parts.clone();
                if let [(place, 1)] = parts[..] {
                    let is_small = columns[place].width <= 32;
                    let ty = if is_small { "long long" } else { "__int128" };
                    let name = named(columns[place].name.as_deref()?);
                    return Some(format!("(({ty}){name} < 0 ? -({ty}){name} : ({ty}){name})"));
                }
                let plus = sum(&parts)?;
                parts.iter_mut().for_each(|part| part.1 = -part.1);
                Some(format!("({plus} < 0 ? {} : {plus})", sum(&parts)?))
            }
            Measure::Least(a, b) => {
                let (a, b) = (named(columns[*a].name.as_deref()?), named(columns[*b].name.as_deref()?));
                Some(format!("({a} < {b} ? {a} : {b})"))
            }
            Measure::Phase(condition) => {
                let names = columns.iter().filter_map(|column| Some((column.head, named(column.name.as_deref()?))));
                let names: FxHashMap<Term, String> = names.collect();
                Some(format!("({} ? 1 : 0)", print::condition(pool, *condition, &names, 0)?))
            }
        }
    }
}

/// How an earlier visit and the present one are related where a measure gets smaller, and where it gets no larger.
fn decrease(pool: &TermPool, columns: &[Column], measure: &Measure) -> Option<(String, String)> {
    // `-x` gets smaller where `x` grows.
    let (measure, strict, weak) = match measure {
        Measure::Sum(parts) if matches!(parts[..], [(_, -1)]) => (Measure::Sum(vec![(parts[0].0, 1)]), "<", "<="),
        _ => (measure.clone(), ">", ">="),
    };
    let (earlier, later) = (measure.text(pool, columns, true)?, measure.text(pool, columns, false)?);
    Some((format!("{earlier} {strict} {later}"), format!("{earlier} {weak} {later}")))
}

/// `(0 + 2 * (long long)x - (long long)y)` as factors of columns.
fn parse_sum(text: &str, columns: &[Column]) -> Option<Vec<(usize, i128)>> {
    let mut parts = Vec::new();
    let mut rest = text.strip_prefix("(0")?.strip_suffix(')')?;
    while !rest.is_empty() {
        let (sign, behind) =
            rest.strip_prefix(" + ").map(|it| (1, it)).or_else(|| rest.strip_prefix(" - ").map(|it| (-1, it)))?;
        let (factor, behind) = match behind.split_once(" * (") {
            Some((digits, _)) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                (digits.parse::<i128>().ok().filter(|&factor| factor < MOST_FACTOR)?, &behind[digits.len() + 3..])
            }
            _ => (1, behind),
        };
        let name = behind.split_once(')')?.1;
        let end = name.find(' ').unwrap_or(name.len());
        let place = columns.iter().position(|column| column.name.as_deref() == Some(&name[..end]))?;
        parts.push((place, sign * factor));
        rest = &name[end..];
    }
    Some(parts)
}

/// The order as a relation between earlier visits and the present one: `\at(x, AnyPrev) > x`. Nothing where something in it
/// has no name.
pub(super) fn relation(pool: &TermPool, columns: &[Column], order: &[Measure]) -> Option<String> {
    let mut alternatives = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for measure in order {
        let (decreases, keeps) = decrease(pool, columns, measure)?;
        alternatives.push(kept.iter().chain([&decreases]).cloned().collect::<Vec<_>>().join(" && "));
        kept.push(keeps);
    }
    (!alternatives.is_empty()).then(|| format!("({})", alternatives.join(") || (")))
}

fn sum(pool: &TermPool, candidates: &Candidates, parts: &[(usize, i128)], values: &[Term]) -> Term {
    let columns = &candidates.columns;
    // Room for the sum of all factors, a sign, and the sign that unsigned parts have not.
    let factors: i128 = parts.iter().map(|part| part.1.abs()).sum();
    let more = i128::BITS - factors.leading_zeros() + 1;
    let widest = parts.iter().map(|&(place, _)| columns[place].width).max().unwrap_or(32) + more;
    let mut sum = pool.bv(widest, 0);
    for &(place, factor) in parts {
        let value = extended(pool, &columns[place], widest, values[place]);
        sum = match factor {
            1 => pool.bv_add(sum, value),
            -1 => pool.bv_sub(sum, value),
            _ => pool.bv_add(sum, pool.bv_mul(bv(pool, widest, factor), value)),
        };
    }
    sum
}

fn extended(pool: &TermPool, column: &Column, width: u32, value: Term) -> Term {
    let more = width - column.width;
    if column.is_signed { pool.sign_extend(more, value) } else { pool.zero_extend(more, value) }
}

/// Factors with which a sum gets smaller on every round that is known, by correcting them where it does not.
fn factors(columns: &[Column], rounds: &[Round]) -> Option<Measure> {
    let changing: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].spot.is_some()).collect();
    let mut changes: Vec<Vec<i128>> = Vec::new();
    for round in rounds {
        let change: Vec<i128> = changing.iter().map(|&place| round.after[place] - round.before[place]).collect();
        let divisor = change.iter().fold(0, |divisor, &by| num_integer::gcd(divisor, by)).max(1);
        let change: Vec<i128> = change.iter().map(|by| by / divisor).collect();
        if change.iter().any(|by| by.abs() > MOST_CHANGE) {
            return None;
        }
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    let mut factors = vec![0i128; changing.len()];
    for _ in 0..MOST_CORRECTIONS {
        let grows =
            |change: &&Vec<i128>| change.iter().zip(&factors).map(|(by, factor)| by * factor).sum::<i128>() >= 0;
        let Some(wrong) = changes.iter().find(grows) else {
            let divisor = factors.iter().fold(0, |divisor, &factor| num_integer::gcd(divisor, factor)).max(1);
            let parts: Vec<(usize, i128)> = changing
                .iter()
                .zip(&factors)
                .filter(|(_, factor)| **factor != 0)
                .map(|(&place, factor)| (place, factor / divisor))
                .collect();
            let is_small = parts.iter().all(|part| part.1.abs() < MOST_FACTOR);
            return is_small.then_some(Measure::Sum(parts));
        };
        for (factor, by) in factors.iter_mut().zip(wrong.clone()) {
            *factor -= by;
        }
    }
    None
}
