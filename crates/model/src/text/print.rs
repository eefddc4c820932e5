//! Model to text: declarations and steps. Expressions are in `print_expr`.

use super::print_expr::{ExprPrinter, Named, quoted};
use crate::ir::*;
use quod_base::{Id, Symbol};
use std::fmt::{self, Display, Write};

/// The whole program as text.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    write_program(program, &mut out).expect("writing to a string does not fail");
    out
}

fn write_program(program: &Program, out: &mut String) -> fmt::Result {
    let types = &program.types;
    let model = match types.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let arithmetic = match program.arithmetic {
        Arithmetic::Machine => "machine",
        Arithmetic::Ideal => "ideal",
    };
    writeln!(out, "model {model} {arithmetic}{}", if program.is_civl { " civl" } else { "" })?;
    for (id, record) in types.records.iter_enumerated() {
        write_record(program, id, record, out)?;
    }
    for (id, definition) in types.enums.iter_enumerated() {
        write!(out, "enum {}{}", id.index(), OptionalName(definition.tag))?;
        write!(out, " {}", int_word(definition.underlying))?;
        if definition.is_complete {
            let list: Vec<String> =
                definition.enumerators.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            write!(out, " {{ {} }}", list.join(", "))?;
        }
        writeln!(out, ";")?;
    }
    for (id, string) in program.strings.iter_enumerated() {
        let elements: Vec<String> = string.elements.iter().map(u32::to_string).collect();
        writeln!(out, "string {}: {} = [{}];", id.index(), TypeText(program, string.ty), elements.join(" "))?;
    }
    for (id, global) in program.globals.iter_enumerated() {
        write_global(program, id, global, out)?;
    }
    for (id, function) in program.functions.iter_enumerated() {
        write_function(program, id, function, out)?;
    }
    if let Some(main) = program.main {
        writeln!(out, "main {};", main.index())?;
    }
    writeln!(out, "initialiser {};", program.initialiser.index())?;
    for invariant in &program.invariants {
        writeln!(out, "invariant {};", invariant.index())?;
    }
    Ok(())
}

fn write_record(program: &Program, id: RecordId, record: &Record, out: &mut String) -> fmt::Result {
    let kind = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    write!(out, "{kind} {}{}", id.index(), OptionalName(record.tag))?;
    flag(out, record.is_packed, "packed")?;
    flag(out, record.is_transparent_union, "transparent")?;
    number(out, "aligned", record.alignment)?;
    number(out, "pack", record.pack)?;
    if let Some(fields) = &record.fields {
        writeln!(out, " {{")?;
        for field in fields {
            let name = field.name.map_or("_".into(), |name| name.to_string());
            write!(out, "  {name}: {}", QualText(program, field.ty))?;
            number(out, "bits", field.bits.map(u64::from))?;
            flag(out, field.is_packed, "packed")?;
            number(out, "aligned", field.alignment)?;
            number(out, "typedef_aligned", field.typedef_alignment)?;
            writeln!(out, ";")?;
        }
        write!(out, "}}")?;
    }
    writeln!(out, ";")
}

fn write_global(program: &Program, id: GlobalId, global: &Global, out: &mut String) -> fmt::Result {
    let storage = match global.storage {
        Storage::Static => "static",
        Storage::External => "external",
        Storage::ThreadLocal => "thread_local",
        Storage::Input => "input",
        Storage::Output => "output",
    };
    write!(out, "global {}: {} {storage}", Named(Some(global.name), id), TypeText(program, global.ty))?;
    flag(out, global.is_const, "const")?;
    flag(out, global.is_volatile, "volatile")?;
    flag(out, global.is_atomic, "atomic")?;
    number(out, "aligned", global.alignment)?;
    number(out, "of", global.function.map(|function| function.index() as u64))?;
    writeln!(out, ";")
}

fn write_function(program: &Program, id: FunctionId, function: &Function, out: &mut String) -> fmt::Result {
    write!(out, "function {}: {}", Named(Some(function.name), id), TypeText(program, function.ty))?;
    match function.kind {
        FunctionKind::C => {}
        FunctionKind::System(None) => write!(out, " system")?,
        FunctionKind::System(Some(library)) => write!(out, " system {}", quoted(library.as_str()))?,
        FunctionKind::Abstract => write!(out, " abstract")?,
        FunctionKind::Order => write!(out, " order")?,
    }
    flag(out, function.is_noreturn, "noreturn")?;
    flag(out, function.is_static, "static")?;
    flag(out, function.is_atomic, "atomic")?;
    flag(out, function.is_pure, "pure")?;
    if let Some((parent, scope)) = function.parent {
        write!(out, " parent({} {})", parent.index(), scope.index())?;
    }
    let Some(body) = &function.body else { return writeln!(out, ";") };
    writeln!(out, " {{")?;
    for (id, scope) in body.scopes.iter_enumerated() {
        write!(out, "  scope {}", id.index())?;
        number(out, "in", scope.parent.map(|parent| parent.index() as u64))?;
        flag(out, scope.is_captured, "captured")?;
        writeln!(out, ";")?;
    }
    for (id, local) in body.locals.iter_enumerated() {
        write!(out, "  local {}: {}", Named(local.name, id), TypeText(program, local.ty))?;
        write!(out, " in({})", local.scope.index())?;
        flag(out, local.is_parameter, "parameter")?;
        flag(out, local.is_address_taken, "addressed")?;
        flag(out, local.is_const, "const")?;
        flag(out, local.is_volatile, "volatile")?;
        flag(out, local.is_atomic, "atomic")?;
        number(out, "aligned", local.alignment)?;
        writeln!(out, ";")?;
    }
    for (id, location) in body.labels.iter_enumerated() {
        writeln!(out, "  label {} {location};", id.index())?;
    }
    let printer = ExprPrinter { program, body };
    for repeat in &body.loops {
        write!(out, "  loop {}", repeat.head)?;
        for &invariant in &repeat.invariants {
            write!(out, " invariant {}", printer.expr(invariant))?;
        }
        writeln!(out, ";")?;
    }
    for (id, location) in body.locations.iter_enumerated() {
        writeln!(out, "  {id}: {};", ControlText(&printer, &location.control))?;
    }
    writeln!(out, "}}")
}

struct ControlText<'p>(&'p ExprPrinter<'p>, &'p Control);

impl Display for ControlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ControlText(printer, control) = self;
        match control {
            Control::Step { step, next } => {
                write_step(printer, step, f)?;
                write!(f, " -> {next}")
            }
            Control::Goto(next) => write!(f, "goto {next}"),
            Control::Branch { condition, then, otherwise, .. } => {
                write!(f, "if {} then {then} else {otherwise}", printer.expr(*condition))
            }
            Control::Switch { value, cases, default, .. } => {
                write!(f, "switch {}", printer.expr(*value))?;
                for case in cases {
                    write!(f, " case {} .. {} -> {}", case.low, case.high, case.target)?;
                }
                write!(f, " default -> {default}")
            }
            Control::ComputedGoto(target) => write!(f, "jump {}", printer.expr(*target)),
            Control::When { guard, checks, next } => {
                write!(f, "when {}", printer.expr(*guard))?;
                for check in checks {
                    write!(f, " ")?;
                    write_check(printer, check, f)?;
                }
                write!(f, " -> {next}")
            }
            Control::Choose { alternatives, default } => {
                write!(f, "choose")?;
                for alternative in alternatives {
                    write!(f, " {alternative}")?;
                }
                default.map_or(Ok(()), |default| write!(f, " default {default}"))
            }
            Control::Return(None) => write!(f, "return"),
            Control::Return(Some(value)) => write!(f, "return {}", printer.expr(*value)),
            Control::Unreachable => write!(f, "unreachable"),
        }
    }
}

fn write_step(printer: &ExprPrinter<'_>, step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_atom_word = |is_atom: &bool| if *is_atom { "atom" } else { "atomic" };
    match step {
        Step::Assign { place, value } => write!(f, "{} = {}", printer.place(*place), printer.expr(*value)),
        Step::Zero(place) => write!(f, "zero {}", printer.place(*place)),
        Step::Call(call) => write_call(printer, "call", &call.callee, &call.arguments, call.result, f),
        Step::Spawn { callee, arguments, result } => write_call(printer, "spawn", callee, arguments, *result, f),
        Step::Enter(scope) => write!(f, "enter {}", scope.index()),
        Step::Leave(scope) => write!(f, "leave {}", scope.index()),
        Step::Declare(local) => write!(f, "declare {}", printer.local(*local)),
        Step::Check(check) => write_check(printer, check, f),
        Step::Assume(condition) => write!(f, "assume {}", printer.expr(*condition)),
        Step::Havoc { place, name } => {
            write!(f, "havoc {}", printer.place(*place))?;
            name.map_or(Ok(()), |name| write!(f, " {}", quoted(name.as_str())))
        }
        Step::Assembly { text, outputs, inputs, clobbers_memory } => {
            write!(f, "asm {} (", quoted(text.as_str()))?;
            separated(f, outputs, |f, &output| write!(f, "{}", printer.place(output)))?;
            write!(f, ") (")?;
            separated(f, inputs, |f, &input| write!(f, "{}", printer.expr(input)))?;
            write!(f, ")")?;
            if *clobbers_memory { write!(f, " memory") } else { Ok(()) }
        }
        Step::Builtin { name, arguments, types, result } => {
            write!(f, "builtin {} (", quoted(name.as_str()))?;
            separated(f, arguments, |f, &argument| write!(f, "{}", printer.expr(argument)))?;
            write!(f, ") (")?;
            separated(f, types, |f, &ty| write!(f, "{}", TypeText(printer.program, ty)))?;
            write!(f, ")")?;
            result.map_or(Ok(()), |place| write!(f, " to {}", printer.place(place)))
        }
        Step::AtomicBegin { is_atom } => write!(f, "{} begin", is_atom_word(is_atom)),
        Step::AtomicEnd { is_atom } => write!(f, "{} end", is_atom_word(is_atom)),
        Step::DomainNext { domain, cursor, variables, has_next } => {
            write!(f, "next {} {} {} (", printer.expr(*domain), printer.place(*cursor), printer.place(*has_next))?;
            separated(f, variables, |f, &variable| write!(f, "{}", printer.place(variable)))?;
            write!(f, ")")
        }
        Step::Unsupported(diagnostic) => {
            write!(f, "unsupported {} {}", diagnostic.code, quoted(&diagnostic.message))
        }
        Step::Nop => write!(f, "nop"),
    }
}

fn write_check(printer: &ExprPrinter<'_>, check: &Check, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "check {} {}", quoted(check.kind.word()), printer.expr(check.condition))?;
    let Some(message) = check.message else { return Ok(()) };
    write!(f, " {}", quoted(message.as_str()))?;
    if check.values.is_empty() {
        return Ok(());
    }
    write!(f, " (")?;
    separated(f, &check.values, |f, &value| write!(f, "{}", printer.expr(value)))?;
    write!(f, ")")
}

fn write_call(
    printer: &ExprPrinter<'_>,
    word: &str,
    callee: &Callee,
    arguments: &[ExprId],
    result: Option<PlaceId>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match callee {
        Callee::Direct(function) => write!(f, "{word} {}(", printer.function(*function))?,
        Callee::Indirect(pointer, ty) => {
            write!(f, "{word} ({} as {}) (", printer.expr(*pointer), TypeText(printer.program, *ty))?;
        }
    }
    separated(f, arguments, |f, &argument| write!(f, "{}", printer.expr(argument)))?;
    write!(f, ")")?;
    result.map_or(Ok(()), |place| write!(f, " to {}", printer.place(place)))
}

pub(super) fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut write_item: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write_item(f, item)?;
    }
    Ok(())
}

struct OptionalName(Option<Symbol>);

impl Display for OptionalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " {}", quoted(name.as_str())))
    }
}

fn flag(out: &mut String, is_set: bool, word: &str) -> fmt::Result {
    if is_set { write!(out, " {word}") } else { Ok(()) }
}

fn number(out: &mut String, word: &str, value: Option<u64>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, " {word}({value})"))
}

pub(super) const INT_WORDS: &[(IntKind, &str)] = &[
    (IntKind::Char, "char"),
    (IntKind::SChar, "schar"),
    (IntKind::UChar, "uchar"),
    (IntKind::Short, "short"),
    (IntKind::UShort, "ushort"),
    (IntKind::Int, "int"),
    (IntKind::UInt, "uint"),
    (IntKind::Long, "long"),
    (IntKind::ULong, "ulong"),
    (IntKind::LongLong, "llong"),
    (IntKind::ULongLong, "ullong"),
    (IntKind::Int128, "int128"),
    (IntKind::UInt128, "uint128"),
];

pub(super) const FLOAT_WORDS: &[(FloatKind, &str)] = &[
    (FloatKind::Half, "half"),
    (FloatKind::Float, "float"),
    (FloatKind::Double, "double"),
    (FloatKind::LongDouble, "ldouble"),
    (FloatKind::Quad, "quad"),
];

fn int_word(kind: IntKind) -> &'static str {
    INT_WORDS.iter().find(|row| row.0 == kind).map_or("int", |row| row.1)
}
fn float_word(kind: FloatKind) -> &'static str {
    FLOAT_WORDS.iter().find(|row| row.0 == kind).map_or("double", |row| row.1)
}

/// A type in prefix form: `ptr const char`, `array(10) int`, `fn(int, ptr char, ...) int`.
pub(super) struct TypeText<'p>(pub &'p Program, pub TypeId);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TypeText(program, id) = *self;
        let types = &program.types;
        match &types[id] {
            Type::Void => f.write_str("void"),
            Type::Bool => f.write_str("bool"),
            Type::Int(kind) => f.write_str(int_word(*kind)),
            Type::Enum(id) => write!(f, "enum {}", id.index()),
            Type::Float(kind) => f.write_str(float_word(*kind)),
            Type::Complex(kind) => write!(f, "complex {}", float_word(*kind)),
            Type::ComplexInt(kind) => write!(f, "complex {}", int_word(*kind)),
            Type::Pointer(to) => write!(f, "ptr {}", QualText(program, *to)),
            Type::Array { element, length } => {
                match length {
                    ArrayLength::Fixed(length) => write!(f, "array({length})")?,
                    ArrayLength::Incomplete => write!(f, "array()")?,
                    ArrayLength::Unspecified => write!(f, "array(*)")?,
                    ArrayLength::Variable(LengthVariable::Global(global)) => {
                        write!(f, "array(global {})", global.index())?;
                    }
                    ArrayLength::Variable(LengthVariable::Local { function, local }) => {
                        write!(f, "array(local {} {})", function.index(), local.index())?;
                    }
                }
                write!(f, " {}", QualText(program, *element))
            }
            Type::Record(id) => write!(f, "record {}", id.index()),
            Type::Function(id) => {
                let function = &types.functions[*id];
                write!(f, "{}(", if function.has_prototype { "fn" } else { "oldfn" })?;
                separated(f, &function.parameters, |f, &parameter| write!(f, "{}", TypeText(program, parameter)))?;
                if function.is_variadic {
                    write!(f, "{}...", if function.parameters.is_empty() { "" } else { ", " })?;
                }
                write!(f, ") {}", TypeText(program, function.result))
            }
            Type::Vector { element, lanes } => write!(f, "vector({lanes}) {}", TypeText(program, *element)),
            Type::VaList => f.write_str("va_list"),
            Type::Real => f.write_str("real"),
            Type::Process => f.write_str("process"),
            Type::Scope => f.write_str("scope"),
            Type::Range => f.write_str("range"),
            Type::Domain(None) => f.write_str("domain()"),
            Type::Domain(Some(dimension)) => write!(f, "domain({dimension})"),
            Type::Memory => f.write_str("memory"),
            Type::Opaque(name) => write!(f, "opaque {}", quoted(name.as_str())),
            Type::Error => f.write_str("error"),
        }
    }
}

pub(super) struct QualText<'p>(pub &'p Program, pub QualType);

impl Display for QualText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let q = self.1.qualifiers;
        let words =
            [(q.is_const, "const"), (q.is_volatile, "volatile"), (q.is_restrict, "restrict"), (q.is_atomic, "atomic")];
        for (is_set, word) in words {
            if is_set {
                write!(f, "{word} ")?;
            }
        }
        write!(f, "{}", TypeText(self.0, self.1.ty))
    }
}
