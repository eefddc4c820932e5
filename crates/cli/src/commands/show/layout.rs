//! The layout of a program's structures and unions as text: offset, size, member; holes included.

use quod_model::ir::{Field, Program, Record, RecordId, RecordKind};
use quod_model::layout::RecordLayout;
use std::fmt::Write;

/// All complete structures and unions, those of the tool's own headers left out.
pub(crate) fn print(program: &Program, is_ours: impl Fn(&Record) -> bool) -> String {
    let mut out = String::new();
    for (id, record) in program.types.records.iter_enumerated() {
        if is_ours(record) {
            continue;
        }
        if let (Some(fields), Some(layout)) = (&record.fields, program.types.record_layout(id)) {
            if !out.is_empty() {
                out.push('\n');
            }
            write_record(program, id, fields, layout, &mut out);
        }
    }
    if out.is_empty() {
        out.push_str("the program declares no structures or unions\n");
    }
    out
}

fn write_record(program: &Program, id: RecordId, fields: &[Field], layout: &RecordLayout, out: &mut String) {
    let record = &program.types.records[id];
    let word = if record.kind == RecordKind::Union { "union" } else { "struct" };
    let tag = record.tag.map_or("<anonymous>", |tag| tag.as_str());
    let bytes = if layout.size == 1 { "byte" } else { "bytes" };
    let _ = writeln!(out, "{word} {tag}: {} {bytes}, aligned to {}", layout.size, layout.alignment);
    let _ = writeln!(out, "  {:>7}  {:>7}  member", "offset", "size");
    // Bits that are taken so far; what lies between two members is unused.
    let mut end = 0;
    for (index, field) in fields.iter().enumerate() {
        let start = layout.offsets[index];
        let size = match field.bits {
            Some(bits) => Some(u64::from(bits)),
            None => program.types.size_of(field.ty.ty).map(|bytes| bytes * 8),
        };
        if record.kind == RecordKind::Struct {
            write_hole(end, start, out);
        }
        let name = field.name.map_or("", |name| name.as_str());
        let declaration = program.types.c_declaration(field.ty, name);
        let width = field.bits.map(|bits| format!(" : {bits}")).unwrap_or_default();
        let size_text = match (field.bits, size) {
            (Some(1), _) => "1 bit".to_owned(),
            (Some(bits), _) => format!("{bits} bits"),
            (None, Some(size)) => size_words(size),
            (None, None) => "open".to_owned(),
        };
        let _ =
            writeln!(out, "  {:>7}  {size_text:>7}  {declaration}{width}", offset_words(start, field.bits.is_some()));
        end = if record.kind == RecordKind::Struct { start + size.unwrap_or(0) } else { end.max(size.unwrap_or(0)) };
    }
    write_hole(end, layout.size * 8, out);
}

fn write_hole(from: u64, to: u64, out: &mut String) {
    if from < to {
        let is_bits = !from.is_multiple_of(8) || !(to - from).is_multiple_of(8);
        let size = size_words(to - from);
        let _ = writeln!(out, "  {:>7}  {size:>7}  (unused)", offset_words(from, is_bits));
    }
}

/// `4`, or `4:3` for the third bit of byte 4.
fn offset_words(bits: u64, is_bit_field: bool) -> String {
    if is_bit_field { format!("{}:{}", bits / 8, bits % 8) } else { (bits / 8).to_string() }
}

fn size_words(bits: u64) -> String {
    match bits {
        1 => "1 bit".into(),
        _ if !bits.is_multiple_of(8) => format!("{bits} bits"),
        _ => (bits / 8).to_string(),
    }
}
