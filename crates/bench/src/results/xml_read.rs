//! Reads result files in BenchExec's XML, plain or compressed with bzip2: ours and those of others.

use super::category::{Category, categorize};
use super::model::{Header, ResultSet, RunResult, System};
use crate::input::error::{InputError, code};
use crate::input::expected::Expected;
use roxmltree::{Document, Node, ParsingOptions};
use std::io::Read;
use std::path::Path;

pub fn read(file: &Path) -> Result<ResultSet, InputError> {
    let bytes = std::fs::read(file).map_err(|error| InputError::unreadable(file, &error))?;
    let mut text = String::new();
    let result = if bytes.starts_with(b"BZh") {
        bzip2::read::MultiBzDecoder::new(bytes.as_slice()).read_to_string(&mut text).map(drop)
    } else {
        String::from_utf8(bytes).map(|read| text = read).map_err(std::io::Error::other)
    };
    result.map_err(|error| InputError::unreadable(file, &error))?;
    parse(&text, file)
}

pub fn parse(text: &str, file: &Path) -> Result<ResultSet, InputError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: u32::MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        InputError::new(code::MALFORMED_XML, file, place.row, place.col, format!("malformed XML: {error}"))
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "result" {
        let message = format!("the root element is <{}>, not <result>: not a result file", root.tag_name().name());
        return Err(InputError::new(code::BAD_RESULT, file, 1, 1, message));
    }
    let text = |node: Node<'_, '_>, name: &str| node.attribute(name).map(str::to_string);
    let required = |name: &str| text(root, name).unwrap_or_default();
    let mut result = ResultSet {
        header: Header {
            benchmark: required("benchmarkname"),
            name: text(root, "name"),
            block: text(root, "block"),
            display_name: text(root, "displayName"),
            tool: required("tool"),
            tool_module: required("toolmodule"),
            version: required("version"),
            options: required("options"),
            date: required("date"),
            start: required("starttime"),
            end: text(root, "endtime"),
            time_limit: text(root, "timelimit"),
            memory_limit: text(root, "memlimit"),
            cores: text(root, "cpuCores"),
            generator: required("generator"),
            description: None,
            error: text(root, "error"),
        },
        ..ResultSet::default()
    };
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "description" => result.header.description = node.text().map(str::to_string),
            "columns" => {
                let titles = node.children().filter(Node::is_element).filter_map(|column| text(column, "title"));
                result.columns = titles.collect();
            }
            "systeminfo" => result.systems.push(system(node)),
            "run" => {
                let run = run(node).map_err(|message| {
                    let place = document.text_pos_at(node.range().start);
                    InputError::new(code::BAD_RESULT, file, place.row, place.col, message)
                })?;
                result.runs.push(run);
            }
            _ => {}
        }
    }
    Ok(result)
}

fn system(node: Node<'_, '_>) -> System {
    let child = |name: &str| node.children().find(|child| child.tag_name().name() == name);
    let of = |name: &str, attribute: &str| child(name).and_then(|child| child.attribute(attribute)).map(str::to_string);
    System {
        host: node.attribute("hostname").unwrap_or_default().to_string(),
        os: of("os", "name").unwrap_or_default(),
        cpu: of("cpu", "model").unwrap_or_default(),
        cores: of("cpu", "cores").unwrap_or_default(),
        frequency: of("cpu", "frequency"),
        turbo: of("cpu", "turboboostActive").map(|active| active == "true"),
        memory: of("ram", "size").and_then(|size| bytes(&size)).unwrap_or(0),
        environment: Vec::new(),
    }
}

fn run(node: Node<'_, '_>) -> Result<RunResult, String> {
    let text = |name: &str| node.attribute(name).map(str::to_string);
    let name = text("name").ok_or("a <run> without a name")?;
    let expected = match node.attribute("expectedVerdict").filter(|verdict| !verdict.is_empty()) {
        None => None,
        Some(verdict) => {
            Some(Expected::parse(verdict).ok_or_else(|| format!("`{verdict}` is not an expected verdict"))?)
        }
    };
    let files = text("files").unwrap_or_default();
    let files = files.trim_start_matches('[').trim_end_matches(']');
    let mut result = RunResult {
        name,
        files: files.split(", ").filter(|file| !file.is_empty()).map(str::to_string).collect(),
        property: text("properties"),
        property_file: text("propertyFile"),
        expected,
        options: text("options"),
        log: text("logfile"),
        ..RunResult::default()
    };
    let mut category = None;
    for column in node.children().filter(|child| child.tag_name().name() == "column") {
        let (Some(title), Some(value)) = (column.attribute("title"), column.attribute("value")) else { continue };
        match title {
            "status" => result.status = value.to_string(),
            "category" => category = Category::parse(value),
            "cputime" => result.cpu_time = seconds(value),
            "walltime" => result.wall_time = seconds(value),
            "memory" | "memUsage" => result.memory = bytes(value),
            "witness-category" => result.witness_category = Some(value.to_string()),
            _ => {
                let is_hidden = column.attribute("hidden").is_some();
                result.values.push((title.to_string(), value.to_string(), is_hidden));
            }
        }
    }
    result.category =
        category.unwrap_or_else(|| categorize(&result.status, result.property.is_some(), result.expected.as_ref()));
    Ok(result)
}

fn seconds(text: &str) -> Option<f64> {
    text.trim_end_matches('s').trim().parse().ok()
}

fn bytes(text: &str) -> Option<u64> {
    text.trim_end_matches('B').trim().parse::<f64>().ok().map(|bytes| bytes as u64)
}
