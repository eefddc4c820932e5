//! What is written is read again as the same data; what is wrong is an error with its place.

use quod_witness::*;

fn metadata() -> Metadata {
    Metadata {
        uuid: "5d6a2c1e-0b1c-4f0e-9d3a-3f6d0f6a7b11".into(),
        creation_time: "2026-11-16T00:00:00Z".into(),
        producer: "quod".into(),
        producer_version: "0.1.0".into(),
        files: vec![InputFile { name: "a \"b\".c".into(), hash: sha256(b""), place: (0, 0) }],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
        data_model: "ILP32".into(),
        ..Metadata::default()
    }
}

fn location(line: u32) -> Location {
    Location { file: "a.c".into(), line, column: Some(3), function: Some("main".into()), place: (0, 0) }
}

fn waypoint(kind: WaypointKind, action: Action, line: u32) -> Waypoint {
    Waypoint { kind, action, location: location(line), thread: 0, callee: None, place: (0, 0) }
}

fn violation(format: Format) -> Witness {
    let follow = |kind, line| Segment::follow(waypoint(kind, Action::Follow, line));
    let avoid = waypoint(WaypointKind::Branching("false".into()), Action::Avoid, 9);
    let segments = vec![
        follow(WaypointKind::FunctionReturn(Some("\\result == -1".into())), 4),
        follow(WaypointKind::FunctionEnter, 5),
        Segment { waypoints: vec![avoid, waypoint(WaypointKind::Assumption("x < 3 && y".into()), Action::Follow, 6)] },
        follow(WaypointKind::Branching("true".into()), 7),
        follow(WaypointKind::Target, 8),
    ];
    Witness { format, metadata: metadata(), content: Content::Violation(segments) }
}

/// Without the places in the witness, which only reading gives.
fn placeless(mut witness: Witness) -> Witness {
    witness.metadata.specification_place = (0, 0);
    witness.metadata.data_model_place = (0, 0);
    witness.metadata.files.iter_mut().for_each(|file| file.place = (0, 0));
    match &mut witness.content {
        Content::Violation(segments) => {
            for waypoint in segments.iter_mut().flat_map(|segment| &mut segment.waypoints) {
                waypoint.place = (0, 0);
                waypoint.location.place = (0, 0);
            }
        }
        Content::Correctness(invariants) => {
            for invariant in invariants {
                invariant.place = (0, 0);
                invariant.location.place = (0, 0);
            }
        }
    }
    witness
}

#[test]
fn yaml_comes_back() {
    for version in [Version::V2_0, Version::V2_1, Version::V2_2] {
        let witness = violation(Format::Yaml(version));
        assert_eq!(placeless(read(&write(&witness)).unwrap()), witness);
        let value = "i <= n && s == \"x\"[0]".to_owned();
        let invariant = Invariant { kind: InvariantKind::Loop, location: location(3), value, place: (0, 0) };
        for invariants in [vec![], vec![invariant]] {
            let content = Content::Correctness(invariants);
            let witness = Witness { format: Format::Yaml(version), metadata: metadata(), content };
            assert_eq!(placeless(read(&write(&witness)).unwrap()), witness);
        }
    }
}

#[test]
fn graphml_keeps_what_it_can_say() {
    let witness = read(&write(&violation(Format::GraphMl))).unwrap();
    let Content::Violation(segments) = &witness.content else { panic!("a violation") };
    let kinds: Vec<&WaypointKind> = segments.iter().map(|segment| &segment.waypoints[0].kind).collect();
    let expected = [
        &WaypointKind::FunctionReturn(Some("(\\result == -1)".into())),
        &WaypointKind::After("(x < 3 && y)".into()),
        &WaypointKind::Branching("true".into()),
        &WaypointKind::Target,
    ];
    assert_eq!(kinds, expected);
    assert_eq!(witness.metadata.data_model, "ILP32");
}

#[test]
fn faults_have_places() {
    let good = write(&violation(Format::Yaml(Version::V2_0)));
    for (from, to, line) in [
        ("action: avoid", "action: ignore", true),
        ("type: target", "type: goal", true),
        ("line: 8", "line: zero", true),
        ("data_model: ILP32", "data_model: ILP31", true),
        ("entry_type: violation_sequence", "entry_type: path", true),
        ("      language: C\n", "", false),
        (
            "            type: target\n            action: follow",
            "            type: target\n            action: avoid",
            false,
        ),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let error = read(&text).unwrap_err();
        let expected = 1 + good[..good.find(from).unwrap()].matches('\n').count() as u32;
        assert!(error.line > 0, "{error}");
        assert!(!line || error.line == expected, "{from}: {error}");
    }
    assert!(read("").is_err() && read("<graphml>").is_err() && read("<a/>").is_err());
}
