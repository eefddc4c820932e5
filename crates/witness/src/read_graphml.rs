//! GraphML witnesses, version 1.0: an automaton that watches executions. What it says is turned into the form of the YAML
//! witnesses: the shortest way from the entry to a violation becomes a sequence of waypoints, the invariants of loop heads
//! become loop invariants. What has no counterpart is left out; a validator then knows less, never something wrong.

use crate::data::*;
use crate::error::WitnessError;
use quod_diag::codes;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

type Result<T> = std::result::Result<T, WitnessError>;

/// Edges that are looked at; more is no witness for a reader.
const MOST_EDGES: usize = 1 << 20;

struct Edge {
    source: String,
    target: String,
    data: BTreeMap<String, String>,
    place: (u32, u32),
}

struct GraphNode {
    data: BTreeMap<String, String>,
    place: (u32, u32),
}

pub(crate) fn read(text: &str) -> Result<Witness> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: 8 << 20, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        WitnessError::new(codes::WITNESS_MALFORMED, (place.row, place.col), format!("malformed XML: {error}"))
    })?;
    let at = |node: Node<'_, '_>| {
        let place = document.text_pos_at(node.range().start);
        (place.row, place.col)
    };
    let root = document.root_element();
    let wrong = |node: Node<'_, '_>, message: String| WitnessError::new(codes::WITNESS_WRONG, at(node), message);
    if root.tag_name().name() != "graphml" {
        return Err(wrong(root, format!("<{}> is not <graphml>", root.tag_name().name())));
    }
    let graph = root
        .children()
        .find(|node| node.tag_name().name() == "graph")
        .ok_or_else(|| wrong(root, "there is no <graph>".into()))?;
    let data = data_of(graph);
    let need = |key: &str| {
        data.get(key).cloned().ok_or_else(|| wrong(graph, format!("the graph has no <data key=\"{key}\">")))
    };
    let metadata = metadata(&need, at(graph))?;
    let mut nodes = BTreeMap::new();
    let mut edges = Vec::new();
    for child in graph.children().filter(Node::is_element) {
        let attribute = |name: &str| {
            let value = child.attribute(name).map(str::to_owned);
            value.ok_or_else(|| wrong(child, format!("<{}> has no `{name}`", child.tag_name().name())))
        };
        match child.tag_name().name() {
            "node" => {
                nodes.insert(attribute("id")?, GraphNode { data: data_of(child), place: at(child) });
            }
            "edge" if edges.len() < MOST_EDGES => {
                let (source, target) = (attribute("source")?, attribute("target")?);
                edges.push(Edge { source, target, data: data_of(child), place: at(child) });
            }
            "edge" => return Err(wrong(child, "there are too many edges".into())),
            _ => {}
        }
    }
    if let Some(edge) = edges.iter().find(|edge| !nodes.contains_key(&edge.source) || !nodes.contains_key(&edge.target))
    {
        let text = "the edge names a node that does not exist";
        return Err(WitnessError::new(codes::WITNESS_WRONG, edge.place, text));
    }
    let file = metadata.files.first().map(|file| file.name.clone()).unwrap_or_default();
    let content = match need("witness-type")?.as_str() {
        "violation_witness" => Content::Violation(path(&nodes, &edges, &file).ok_or_else(|| {
            let text = "no way leads from an entry node to a violation node";
            wrong(graph, text.into())
        })?),
        "correctness_witness" => Content::Correctness(invariants(&nodes, &edges, &file)),
        other => return Err(wrong(graph, format!("the witness type `{other}` is not known"))),
    };
    Ok(Witness { format: Format::GraphMl, metadata, content })
}

fn data_of(node: Node<'_, '_>) -> BTreeMap<String, String> {
    let data = node.children().filter(|child| child.tag_name().name() == "data");
    data.filter_map(|child| Some((child.attribute("key")?.to_owned(), child.text().unwrap_or("").trim().to_owned())))
        .collect()
}

fn metadata(need: &dyn Fn(&str) -> Result<String>, place: (u32, u32)) -> Result<Metadata> {
    let hash = need("programhash")?.to_ascii_lowercase();
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(WitnessError::new(codes::WITNESS_WRONG, place, "`programhash` is no SHA-256 hash"));
    }
    let language = need("sourcecodelang")?;
    if language != "C" {
        let text = format!("the language `{language}` is not supported, only C");
        return Err(WitnessError::new(codes::WITNESS_WRONG, place, text));
    }
    let data_model = match need("architecture")?.as_str() {
        "32bit" => "ILP32",
        "64bit" => "LP64",
        other => {
            let text = format!("the architecture `{other}` is neither 32bit nor 64bit");
            return Err(WitnessError::new(codes::WITNESS_WRONG, place, text));
        }
    };
    Ok(Metadata {
        uuid: String::new(),
        creation_time: need("creationtime").unwrap_or_default(),
        producer: need("producer")?,
        producer_version: String::new(),
        files: vec![InputFile { name: need("programfile")?, hash, place }],
        specification: need("specification")?,
        specification_place: place,
        data_model: data_model.to_owned(),
        data_model_place: place,
    })
}

fn is_true(data: &BTreeMap<String, String>, key: &str) -> bool {
    data.get(key).is_some_and(|value| value == "true")
}

/// The waypoints of the shortest way to a violation; the target is anywhere.
fn path(nodes: &BTreeMap<String, GraphNode>, edges: &[Edge], file: &str) -> Option<Vec<Segment>> {
    let mut from: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        from.entry(&edge.source).or_default().push(index);
    }
    let entries = nodes.iter().filter(|(_, node)| is_true(&node.data, "entry")).map(|(id, _)| id.as_str());
    let mut queue: VecDeque<&str> = entries.collect();
    let mut seen: BTreeSet<&str> = queue.iter().copied().collect();
    let mut came: BTreeMap<&str, usize> = BTreeMap::new();
    let mut end = None;
    while let Some(node) = queue.pop_front() {
        if is_true(&nodes[node].data, "violation") {
            end = Some(node);
            break;
        }
        for &index in from.get(node).into_iter().flatten() {
            if seen.insert(&edges[index].target) {
                came.insert(&edges[index].target, index);
                queue.push_back(&edges[index].target);
            }
        }
    }
    let mut steps = Vec::new();
    let mut node = end?;
    while let Some(&index) = came.get(node) {
        steps.push(&edges[index]);
        node = &edges[index].source;
    }
    steps.reverse();
    let mut segments: Vec<Segment> = steps.iter().flat_map(|edge| waypoints(edge, file)).map(Segment::follow).collect();
    let location = Location { file: file.to_owned(), ..Location::default() };
    let place = nodes[end?].place;
    let kind = WaypointKind::Target;
    segments.push(Segment::follow(Waypoint { kind, action: Action::Follow, location, thread: 0, callee: None, place }));
    Some(segments)
}

fn waypoints(edge: &Edge, file: &str) -> Vec<Waypoint> {
    let Some(line) = edge.data.get("startline").and_then(|line| line.parse().ok()).filter(|&line| line > 0) else {
        return Vec::new();
    };
    let mut kinds = Vec::new();
    match edge.data.get("control").map(String::as_str) {
        Some("condition-true") => kinds.push(WaypointKind::Branching("true".into())),
        Some("condition-false") => kinds.push(WaypointKind::Branching("false".into())),
        _ => {}
    }
    if let Some(text) = edge.data.get("assumption") {
        let parts: Vec<String> =
            text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(|part| format!("({part})")).collect();
        let condition = parts.join(" && ");
        if condition.contains("\\result") {
            kinds.push(WaypointKind::FunctionReturn(Some(condition)));
        } else if !condition.is_empty() {
            kinds.push(WaypointKind::After(condition));
        }
    }
    let location = Location { file: file.to_owned(), line, column: None, function: None, place: edge.place };
    let waypoint = |kind| Waypoint {
        kind,
        action: Action::Follow,
        location: location.clone(),
        thread: 0,
        callee: None,
        place: edge.place,
    };
    kinds.into_iter().map(waypoint).collect()
}

/// The invariants of nodes that are entered at a loop's head.
fn invariants(nodes: &BTreeMap<String, GraphNode>, edges: &[Edge], file: &str) -> Vec<Invariant> {
    let mut invariants: Vec<Invariant> = Vec::new();
    for edge in edges.iter().filter(|edge| is_true(&edge.data, "enterLoopHead")) {
        let node = &nodes[&edge.target];
        let Some(value) = node.data.get("invariant").filter(|value| !value.is_empty()) else { continue };
        let Some(line) = edge.data.get("startline").and_then(|line| line.parse().ok()) else { continue };
        let function = node.data.get("invariant.scope").cloned();
        let location = Location { file: file.to_owned(), line, column: None, function, place: node.place };
        let invariant = Invariant { kind: InvariantKind::Loop, location, value: value.clone(), place: node.place };
        if !invariants.contains(&invariant) {
            invariants.push(invariant);
        }
    }
    invariants
}
