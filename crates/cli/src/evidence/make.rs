//! Witnesses from what an engine found: the values that the outside gave, in order, and the place of the violation; or the
//! invariants of a proof.

use crate::arguments::{DataModelName, ProgramArguments, WitnessFormatName};
use crate::disk;
use crate::front_end::FrontEnd;
use quod_base::{FileId, Id, SourceMap, Span};
use quod_exec::InputValue;
use quod_exec::machine::Observed;
use quod_exec::scalar::Scalar;
use quod_model::ir::Program;
use quod_verdict::CheckKind;
use quod_verify::Evidence;
use quod_witness::locate::{Places, Range};
use quod_witness::{
    Action, Content, Format, InputFile, Invariant, InvariantKind, Location, Metadata, Segment, Version, Waypoint,
    WaypointKind, Witness, sha256,
};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) struct Maker<'m> {
    pub(crate) program: &'m ProgramArguments,
    /// The property as `.prp` files write it.
    pub(crate) property: &'m str,
    pub(crate) format: WitnessFormatName,
}

/// A violation as the engine reports it.
pub(crate) struct Found<'f> {
    pub(crate) kind: CheckKind,
    pub(crate) span: Span,
    pub(crate) evidence: &'f Evidence,
    /// The function whose call is the violation.
    pub(crate) error_function: &'f str,
}

impl Maker<'_> {
    /// The format of a witness: of this violation, or of a proof. Unless one was asked for it is the oldest that has such
    /// witnesses.
    fn format(&self, found: Option<&Found<'_>>) -> Format {
        let is_threaded = found.is_some_and(|found| found.evidence.processes > 1 || found.kind == CheckKind::DataRace);
        let is_leak = found.is_some_and(|found| is_leak(found.kind));
        match self.format {
            WitnessFormatName::Auto if is_leak => Format::GraphMl,
            WitnessFormatName::Auto if is_threaded => Format::Yaml(Version::V2_2),
            WitnessFormatName::Auto if self.property.contains("F end") => Format::Yaml(Version::V2_1),
            WitnessFormatName::Auto | WitnessFormatName::Yaml20 => Format::Yaml(Version::V2_0),
            WitnessFormatName::Yaml21 => Format::Yaml(Version::V2_1),
            WitnessFormatName::Yaml22 => Format::Yaml(Version::V2_2),
            WitnessFormatName::GraphMl => Format::GraphMl,
        }
    }

    /// The witness of a violation, or why the format has none.
    pub(crate) fn violation(&self, found: &Found<'_>, model: &Program, sources: &SourceMap) -> Result<Witness, String> {
        let format = self.format(Some(found));
        if is_leak(found.kind) && format != Format::GraphMl {
            return Err("YAML has no violation witnesses for leaks; GraphML has (--witness-format graphml)".into());
        }
        let is_threaded = found.evidence.processes > 1;
        if is_threaded && matches!(format, Format::Yaml(Version::V2_0 | Version::V2_1)) {
            return Err("witnesses of programs with threads need the format yaml-2.2 or graphml".into());
        }
        let mut front_end = FrontEnd::load(self.program);
        let files = front_end.preprocess();
        let units = front_end.parse(&files);
        let (Some(file), Some(unit)) = (front_end.first_file(), units.first()) else {
            return Err("the program cannot be read again".into());
        };
        let places = Places::new(unit, &front_end.sources, file);
        let name = self.file_name();
        let mut segments = Vec::new();
        // The processes that entered creating calls made, in order: the k-th is thread k.
        let mut made: Vec<i128> = Vec::new();
        let thread = |made: &[i128], process: usize| {
            // Numbers are given out again: it is the last that got this one.
            made.iter().rposition(|&index| index == process as i128).map_or(0, |position| position as u32 + 1)
        };
        let stem = found.evidence.cycle.unwrap_or(usize::MAX);
        for (index, observed) in found.evidence.observed.iter().enumerate() {
            if let Some(mut waypoint) = returned(observed, &places, sources, file, &name) {
                if index >= stem {
                    waypoint.action = Action::Cycle;
                }
                if matches!(format, Format::Yaml(_)) {
                    waypoint.thread = thread(&made, observed.process.index());
                } else if waypoint.kind == WaypointKind::FunctionEnter {
                    continue;
                }
                if let (WaypointKind::FunctionEnter, InputValue::Int(index)) = (&waypoint.kind, observed.value) {
                    made.push(index);
                }
                segments.push(Segment::follow(waypoint));
            }
        }
        if found.kind == CheckKind::Termination {
            if matches!(format, Format::GraphMl | Format::Yaml(Version::V2_0)) {
                return Err("witnesses of executions without end need the format yaml-2.1 or yaml-2.2".into());
            }
            if segments.iter().flat_map(|segment| &segment.waypoints).any(|it| it.action == Action::Cycle) {
                return self.witness(format, Content::Violation(segments));
            }
            let at = range(sources, found.span, file).and_then(|range| endless(&places, range, &name));
            let (kind, location) = at.ok_or("the loop has no place in the program's own text")?;
            segments.push(Segment::follow(Waypoint { action: Action::Cycle, ..waypoint(kind, location) }));
            return self.witness(format, Content::Violation(segments));
        }
        let location = target(found, model, sources, file, &places, &name);
        let location = match location {
            Some(location) => location,
            None if format == Format::GraphMl => Location { file: name, ..Location::default() },
            None => return Err("the violation has no place in the program's own text".into()),
        };
        let mut target = waypoint(WaypointKind::Target, location);
        if matches!(format, Format::Yaml(_)) {
            target.thread = thread(&made, found.evidence.process);
        }
        let mut last = Segment::follow(target);
        // A data race has two targets without an order.
        if let (Some((process, backtrace)), Format::Yaml(Version::V2_2)) = (&found.evidence.other, format) {
            let spans = backtrace.iter().map(|(_, span)| *span);
            let other = place_of(spans, sources, file, &places, &self.file_name());
            let location = other.ok_or("the second access has no place in the program's own text")?;
            let mut second = waypoint(WaypointKind::Target, location);
            second.thread = thread(&made, *process);
            last.waypoints.push(second);
        }
        segments.push(last);
        self.witness(format, Content::Violation(segments))
    }

    /// The witness of a proof.
    pub(crate) fn correctness(&self, invariants: &[quod_verdict::Invariant]) -> Result<Witness, String> {
        let name = self.file_name();
        let format = self.format(None);
        let is_old = matches!(format, Format::GraphMl | Format::Yaml(Version::V2_0));
        if is_old && self.property.contains("F end") {
            return Err("correctness witnesses of termination need the format yaml-2.1 or yaml-2.2".into());
        }
        let invariants = invariants.iter().map(|invariant| {
            let place = &invariant.place;
            let location =
                Location { file: name.clone(), line: place.line, column: Some(place.column), ..Location::default() };
            let value = invariant.expression.clone();
            let is_relation = value.contains("\\at(");
            let kind = if is_relation { InvariantKind::LoopTransition } else { InvariantKind::Loop };
            Invariant { kind, location, value, place: (0, 0) }
        });
        self.witness(format, Content::Correctness(invariants.collect()))
    }

    fn file_name(&self) -> String {
        let name = self.program.files.first().and_then(|path| path.file_name());
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn witness(&self, format: Format, content: Content) -> Result<Witness, String> {
        let mut files = Vec::new();
        for path in &self.program.files {
            let bytes = disk::read(path).map_err(|_| format!("cannot read {} again", path.display()))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push(InputFile { name, hash: sha256(&bytes), place: (0, 0) });
        }
        let creation_time = now();
        let digest = sha256(format!("{files:?}{content:?}{creation_time}").as_bytes());
        let metadata = Metadata {
            uuid: uuid(&digest),
            creation_time,
            producer: "quod".into(),
            producer_version: env!("CARGO_PKG_VERSION").into(),
            files,
            specification: self.property.to_owned(),
            data_model: match self.program.data_model {
                Some(DataModelName::Ilp32) => "ILP32".into(),
                Some(DataModelName::Lp64) | None => "LP64".into(),
            },
            ..Metadata::default()
        };
        Ok(Witness { format, metadata, content })
    }
}

fn is_leak(kind: CheckKind) -> bool {
    matches!(kind, CheckKind::MemoryLeak | CheckKind::LostMemory)
}

fn waypoint(kind: WaypointKind, location: Location) -> Waypoint {
    Waypoint { kind, action: Action::Follow, location, thread: 0, callee: None, place: (0, 0) }
}

/// The range of a span in the main file, where it is used.
fn range(sources: &SourceMap, span: Span, file: FileId) -> Option<Range> {
    let span = sources.use_site(span);
    let start = sources.file(file).start;
    let is_here = !span.is_none() && sources.file_at(span.lo) == Some(file);
    is_here.then(|| Range { lo: span.lo - start, hi: span.hi - start })
}

fn location(places: &Places<'_>, position: u32, name: &str) -> Option<Location> {
    let (line, column) = places.line_column(position)?;
    let function = places.function_at(position).map(str::to_owned);
    Some(Location { file: name.to_owned(), line, column: Some(column), function, place: (0, 0) })
}

/// `\result == 5` at the closing parenthesis of the call.
fn returned(
    observed: &Observed,
    places: &Places<'_>,
    sources: &SourceMap,
    file: FileId,
    name: &str,
) -> Option<Waypoint> {
    let range = range(sources, observed.span, file)?;
    let callee = observed.function.as_str();
    let inside = places.calls.iter().filter(|call| call.callee.as_deref() == Some(callee));
    let call = inside.filter(|call| call.range.contains(range) || range.contains(call.range)).min_by_key(|call| {
        let (a, b) = (call.range, range);
        a.lo.abs_diff(b.lo) + a.hi.abs_diff(b.hi)
    })?;
    if ["pthread_create", "thrd_create"].contains(&callee) {
        return Some(waypoint(WaypointKind::FunctionEnter, location(places, call.at, name)?));
    }
    let value = constant(observed)?;
    let kind = WaypointKind::FunctionReturn(Some(format!("\\result == {value}")));
    let mut waypoint = waypoint(kind, location(places, call.at, name)?);
    waypoint.callee = Some(callee.to_owned());
    Some(waypoint)
}

/// A value as a C constant of its type.
pub(super) fn constant(observed: &Observed) -> Option<String> {
    Some(match observed.value {
        InputValue::Fraction(..) => return None,
        InputValue::Float(value) if !value.is_finite() => return None,
        InputValue::Float(value) if observed.scalar == Scalar::F32 => format!("{:?}f", value as f32),
        InputValue::Float(value) => format!("{value:?}"),
        InputValue::Int(_) if observed.scalar.is_pointer() => return None,
        // There is no constant for the least number of a type: `-9223372036854775808` is a minus before one too large.
        InputValue::Int(value) if value == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        InputValue::Int(value) if value == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
        InputValue::Int(value) if value > i128::from(u64::MAX) || value < i128::from(i64::MIN) => return None,
        InputValue::Int(value) if value > i128::from(i64::MAX) => format!("{value}ULL"),
        InputValue::Int(value) if value > i128::from(i32::MAX) || value < i128::from(i32::MIN) => {
            format!("{value}LL")
        }
        InputValue::Int(value) => value.to_string(),
    })
}

/// The statement or full expression whose evaluation violates the property.
fn target(
    found: &Found<'_>,
    model: &Program,
    sources: &SourceMap,
    file: FileId,
    places: &Places<'_>,
    name: &str,
) -> Option<Location> {
    let mut spans = Vec::new();
    if found.kind != CheckKind::Unreachable {
        spans.push(found.span);
    }
    for (function, span) in &found.evidence.backtrace {
        if model.functions[*function].name.as_str() != found.error_function {
            spans.push(*span);
        }
    }
    place_of(spans.into_iter(), sources, file, places, name)
}

/// The statement or full expression around the first span that lies in the program's own text.
fn place_of(
    mut spans: impl Iterator<Item = Span>,
    sources: &SourceMap,
    file: FileId,
    places: &Places<'_>,
    name: &str,
) -> Option<Location> {
    let range = spans.find_map(|span| range(sources, span, file))?;
    let statement = places.statement_around(range)?.range;
    let start = match places.expression_around(range) {
        Some(expression) if statement.contains(expression) && expression != statement => expression.lo,
        _ => statement.lo,
    };
    location(places, start, name)
}

/// What an endless execution comes by again and again: the head of the loop, or a statement.
fn endless(places: &Places<'_>, range: Range, name: &str) -> Option<(WaypointKind, Location)> {
    let around = places.loops.iter().filter(|it| it.range.contains(range));
    if let Some(it) = around.min_by_key(|it| it.range.hi - it.range.lo)
        && it.condition.is_some()
    {
        return Some((WaypointKind::Branching("true".into()), location(places, *it.at.first()?, name)?));
    }
    let statement = places.statement_around(range)?;
    Some((WaypointKind::Assumption("1".into()), location(places, statement.range.lo, name)?))
}

/// A name made of a hash. Version 5, the one of RFC 4122 for that: readers of witnesses need not know newer ones.
fn uuid(digest: &str) -> String {
    let at = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    format!("{}-{}-5{}-a{}-{}", at(0, 8), at(8, 12), at(13, 16), at(17, 20), at(20, 32))
}

/// The time in ISO 8601; `SOURCE_DATE_EPOCH` stands for it where results must be the same.
fn now() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    let seconds =
        fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()));
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil date from days, after Howard Hinnant.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}
