//! YAML witnesses, versions 2.0 to 2.2: a list of entries, each with `entry_type`, `metadata` and `content`.

use crate::data::*;
use crate::error::WitnessError;
use quod_base::yaml::{self, Kind, Node};
use quod_diag::codes;

type Result<T> = std::result::Result<T, WitnessError>;

pub(crate) fn read(text: &str) -> Result<Witness> {
    let root = yaml::parse(text)
        .map_err(|error| WitnessError::new(codes::WITNESS_MALFORMED, (error.line, error.column), error.message))?
        .ok_or_else(|| WitnessError::new(codes::WITNESS_WRONG, (1, 1), "the witness is empty"))?;
    let Kind::List(entries) = &root.kind else {
        return Err(wrong(&root, "a witness is a list of entries, each with `entry_type`, `metadata` and `content`"));
    };
    let mut witness: Option<Witness> = None;
    for entry in entries {
        let kind = word(entry, "entry_type")?;
        let version = version(need(entry, "metadata")?)?;
        let metadata = metadata(need(entry, "metadata")?)?;
        let content = need(entry, "content")?;
        let content = match kind.as_str() {
            "violation_sequence" => Content::Violation(segments(content, version)?),
            "invariant_set" => Content::Correctness(invariants(content, version)?),
            "ghost_instrumentation" => Content::Correctness(vec![ghost(entry)]),
            other => {
                let known = "`violation_sequence` and `invariant_set`";
                let text = format!("unknown entry type `{other}`; known are {known}");
                return Err(wrong(entry.get("entry_type").unwrap_or(entry), text));
            }
        };
        match &mut witness {
            None => witness = Some(Witness { format: Format::Yaml(version), metadata, content }),
            Some(Witness { content: Content::Correctness(all), .. }) => match content {
                Content::Correctness(more) => all.extend(more),
                Content::Violation(_) => {
                    return Err(wrong(entry, "a witness is of one kind: violation or correctness"));
                }
            },
            Some(_) => return Err(wrong(entry, "a violation witness has one entry")),
        }
    }
    witness.ok_or_else(|| wrong(&root, "the witness has no entry"))
}

fn ghost(entry: &Node) -> Invariant {
    let place = at(entry);
    Invariant { kind: InvariantKind::Other, location: Location::default(), value: "1".into(), place }
}

fn at(node: &Node) -> (u32, u32) {
    (node.line, node.column)
}

fn wrong(node: &Node, message: impl Into<String>) -> WitnessError {
    WitnessError::new(codes::WITNESS_WRONG, at(node), message)
}

fn need<'n>(node: &'n Node, key: &str) -> Result<&'n Node> {
    node.get(key).ok_or_else(|| wrong(node, format!("`{key}` is missing")))
}

fn word(node: &Node, key: &str) -> Result<String> {
    let value = need(node, key)?;
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(value, format!("`{key}` must be a text")))
}

fn number(node: &Node, key: &str) -> Result<u32> {
    let value = need(node, key)?;
    let number = value.as_str().and_then(|text| text.trim().parse().ok());
    number.filter(|&number| number > 0).ok_or_else(|| wrong(value, format!("`{key}` must be a number from 1 on")))
}

fn version(metadata: &Node) -> Result<Version> {
    let text = word(metadata, "format_version")?;
    Ok(match text.as_str() {
        "2.0" => Version::V2_0,
        "2.1" => Version::V2_1,
        "2.2" => Version::V2_2,
        other => {
            let node = metadata.get("format_version").unwrap_or(metadata);
            return Err(wrong(node, format!("unknown format_version `{other}`; known are 2.0, 2.1 and 2.2")));
        }
    })
}

fn metadata(node: &Node) -> Result<Metadata> {
    let producer = need(node, "producer")?;
    let task = need(node, "task")?;
    let hashes = need(task, "input_file_hashes")?;
    let mut files = Vec::new();
    for file in need(task, "input_files")?.items() {
        let name = file.as_str().ok_or_else(|| wrong(file, "a file name is expected"))?;
        let Some(hash) = hashes.get(name) else {
            return Err(wrong(hashes, format!("`input_file_hashes` has no hash for `{name}`")));
        };
        let text = hash.as_str().unwrap_or_default().to_ascii_lowercase();
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong(hash, "a SHA-256 hash has 64 hexadecimal digits"));
        }
        files.push(InputFile { name: name.to_owned(), hash: text, place: at(hash) });
    }
    if files.is_empty() {
        return Err(wrong(task, "`input_files` names no file"));
    }
    let language = word(task, "language")?;
    if language != "C" {
        return Err(wrong(need(task, "language")?, format!("the language `{language}` is not supported, only C")));
    }
    let data_model = word(task, "data_model")?;
    if !["ILP32", "LP64"].contains(&data_model.as_str()) {
        let text = format!("the data model `{data_model}` is neither ILP32 nor LP64");
        return Err(wrong(need(task, "data_model")?, text));
    }
    Ok(Metadata {
        uuid: word(node, "uuid")?,
        creation_time: word(node, "creation_time")?,
        producer: word(producer, "name")?,
        producer_version: word(producer, "version")?,
        files,
        // Early witnesses leave it out; then it must be said on the command line.
        specification: task.get("specification").and_then(Node::as_str).unwrap_or_default().to_owned(),
        specification_place: at(task.get("specification").unwrap_or(task)),
        data_model,
        data_model_place: at(need(task, "data_model")?),
    })
}

fn location(node: &Node) -> Result<Location> {
    let location = need(node, "location")?;
    let column = location.get("column").map(|_| number(location, "column")).transpose()?;
    let function = location.get("function").and_then(Node::as_str).map(str::to_owned);
    let file = word(location, "file_name")?;
    Ok(Location { file, line: number(location, "line")?, column, function, place: at(location) })
}

fn segments(content: &Node, version: Version) -> Result<Vec<Segment>> {
    let Kind::List(items) = &content.kind else {
        return Err(wrong(content, "`content` must be a list of segments"));
    };
    let mut segments = Vec::new();
    for item in items {
        let list = need(item, "segment")?;
        let Kind::List(list) = &list.kind else {
            return Err(wrong(list, "a segment is a list of waypoints"));
        };
        let mut segment = Segment::default();
        for item in list {
            segment.waypoints.push(waypoint(need(item, "waypoint")?, version)?);
        }
        let follows = segment.waypoints.iter().filter(|waypoint| waypoint.action != Action::Avoid).count();
        let last = segment.waypoints.last().is_some_and(|waypoint| waypoint.action != Action::Avoid);
        if !last || follows != 1 && version < Version::V2_2 {
            return Err(wrong(item, "a segment ends with exactly one waypoint to follow, after those to avoid"));
        }
        segments.push(segment);
    }
    let is_target = |waypoint: &Waypoint| waypoint.kind == WaypointKind::Target;
    let total = segments.iter().flat_map(|segment| &segment.waypoints).filter(|waypoint| is_target(waypoint)).count();
    let in_last =
        segments.last().map_or(0, |segment| segment.waypoints.iter().filter(|waypoint| is_target(waypoint)).count());
    let has_cycle = segments.iter().flat_map(|segment| &segment.waypoints).any(|it| it.action == Action::Cycle);
    let is_well_formed = match has_cycle {
        true => total == 0,
        false => total == in_last && (total == 1 || total == 2 && version >= Version::V2_2),
    };
    if !is_well_formed {
        return Err(wrong(content, "a violation sequence has exactly one target, in its last segment"));
    }
    Ok(segments)
}

fn waypoint(node: &Node, version: Version) -> Result<Waypoint> {
    let action = match word(node, "action")?.as_str() {
        "follow" => Action::Follow,
        "avoid" => Action::Avoid,
        "cycle" if version >= Version::V2_1 => Action::Cycle,
        other => {
            let text = format!("the action `{other}` is not known in format {}", version.text());
            return Err(wrong(node.get("action").unwrap_or(node), text));
        }
    };
    let value = match node.get("constraint") {
        None => None,
        Some(constraint) => {
            if let Some(format) = constraint.get("format") {
                let name = format.as_str().unwrap_or_default();
                if !["c_expression", "acsl_expression", "ext_c_expression"].contains(&name) {
                    return Err(wrong(format, format!("the format `{name}` of a constraint is not known")));
                }
            }
            Some(word(constraint, "value")?)
        }
    };
    let needed = || value.clone().ok_or_else(|| wrong(node, "`constraint` is missing"));
    let kind = match word(node, "type")?.as_str() {
        "assumption" => WaypointKind::Assumption(needed()?),
        "branching" => WaypointKind::Branching(needed()?),
        "function_enter" => WaypointKind::FunctionEnter,
        "function_return" => WaypointKind::FunctionReturn(value),
        "target" if action == Action::Avoid => return Err(wrong(node, "a target cannot be avoided")),
        "target" => WaypointKind::Target,
        other => {
            let known = "`assumption`, `branching`, `function_enter`, `function_return` and `target`";
            let text = format!("unknown waypoint type `{other}`; known are {known}");
            return Err(wrong(node.get("type").unwrap_or(node), text));
        }
    };
    let thread = match node.get("thread_id") {
        None => 0,
        Some(id) => id
            .as_str()
            .and_then(|text| text.parse().ok())
            .filter(|_| version >= Version::V2_2)
            .ok_or_else(|| wrong(id, "`thread_id` is a number, from format 2.2 on"))?,
    };
    Ok(Waypoint { kind, action, location: location(node)?, thread, callee: None, place: at(node) })
}

fn invariants(content: &Node, version: Version) -> Result<Vec<Invariant>> {
    let Kind::List(items) = &content.kind else {
        return if content.is_null() { Ok(Vec::new()) } else { Err(wrong(content, "`content` must be a list")) };
    };
    let mut invariants = Vec::new();
    for item in items {
        if item.get("contract").is_some() && version >= Version::V2_1 {
            invariants.push(ghost(item));
            continue;
        }
        let node = need(item, "invariant")?;
        let kind = match word(node, "type")?.as_str() {
            "loop_invariant" => InvariantKind::Loop,
            "location_invariant" => InvariantKind::Location,
            "loop_transition_invariant" if version >= Version::V2_1 => InvariantKind::LoopTransition,
            "location_transition_invariant" if version >= Version::V2_1 => InvariantKind::LocationTransition,
            other => {
                let text = format!("the invariant type `{other}` is not known in format {}", version.text());
                return Err(wrong(node.get("type").unwrap_or(node), text));
            }
        };
        let format = word(node, "format")?;
        if !["c_expression", "acsl_expression", "ext_c_expression"].contains(&format.as_str()) {
            let text = format!("the format `{format}` of an invariant is not known");
            return Err(wrong(node.get("format").unwrap_or(node), text));
        }
        let value = need(node, "value")?;
        let text = value.as_str().ok_or_else(|| wrong(value, "`value` must be a text"))?.to_owned();
        invariants.push(Invariant { kind, location: location(node)?, value: text, place: at(value) });
    }
    Ok(invariants)
}
