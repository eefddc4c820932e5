//! Text to model: declarations, functions, steps.

use super::lexer::Token;
use super::parse::{Cursor, Parsed};
use super::parse_expr::BodyParser;
use super::print::INT_WORDS;
use crate::ir::*;
use quod_base::{Id, IdVec, Span};
use quod_diag::Diagnostic;
use quod_diag::codes::Code;
use quod_verdict::CheckKind;

pub(super) fn program(cursor: &mut Cursor) -> Parsed<Program> {
    cursor.expect_word("model")?;
    let data_model = match cursor.word()?.as_str() {
        "ILP32" => DataModel::Ilp32,
        "LP64" => DataModel::Lp64,
        _ => return Err("ILP32 or LP64 is expected".into()),
    };
    let arithmetic = match cursor.word()?.as_str() {
        "machine" => Arithmetic::Machine,
        "ideal" => Arithmetic::Ideal,
        _ => return Err("`machine` or `ideal` is expected".into()),
    };
    let mut program = Program {
        arithmetic,
        is_civl: cursor.eat_word("civl"),
        types: TypeTable::new(data_model),
        globals: IdVec::new(),
        functions: IdVec::new(),
        strings: IdVec::new(),
        main: None,
        initialiser: FunctionId::from_index(0),
        invariants: Vec::new(),
    };
    while *cursor.peek() != Token::End {
        item(cursor, &mut program)?;
    }
    Ok(program)
}

fn item(cursor: &mut Cursor, program: &mut Program) -> Parsed<()> {
    let word = cursor.word()?;
    match word.as_str() {
        "struct" => record(cursor, program, RecordKind::Struct)?,
        "union" => record(cursor, program, RecordKind::Union)?,
        "enum" => enumeration(cursor, program)?,
        "string" => {
            in_order(cursor.id()?, program.strings.next_id())?;
            cursor.expect(":")?;
            let ty = cursor.ty(&mut program.types)?;
            cursor.expect("=")?;
            cursor.expect("[")?;
            let mut elements = Vec::new();
            while !cursor.is_punct("]") {
                elements.push(u32::try_from(cursor.natural()?).map_err(|_| "this element is too large".to_owned())?);
            }
            cursor.expect("]")?;
            program.strings.push(StringLiteral { elements, ty, span: Span::NONE });
        }
        "global" => global(cursor, program)?,
        "function" => return function(cursor, program),
        "main" => program.main = Some(cursor.id()?),
        "initialiser" => program.initialiser = cursor.id()?,
        "invariant" => {
            let id = cursor.id()?;
            program.invariants.push(id);
        }
        _ => return cursor.reject(format!("`{word}` does not begin a declaration")),
    }
    cursor.expect(";")
}

/// Ids count up from 0 in the text.
fn in_order<I: Id>(found: I, expected: I) -> Parsed<()> {
    if found == expected { Ok(()) } else { Err(format!("the id {} is expected", expected.index())) }
}

fn record(cursor: &mut Cursor, program: &mut Program, kind: RecordKind) -> Parsed<()> {
    in_order(cursor.id()?, program.types.records.next_id())?;
    let tag = cursor.optional_string();
    let id = program.types.add_record(tag, kind, Span::NONE);
    let is_packed = cursor.eat_word("packed");
    let is_transparent_union = cursor.eat_word("transparent");
    let alignment = cursor.attribute("aligned")?;
    let pack = cursor.attribute("pack")?;
    let mut fields = None;
    if cursor.eat("{") {
        let fields = fields.insert(Vec::new());
        while !cursor.eat("}") {
            let name = cursor.word()?;
            cursor.expect(":")?;
            let ty = cursor.qualified(&mut program.types)?;
            let bits = cursor.attribute("bits")?.map(|bits| bits as u32);
            let is_packed = cursor.eat_word("packed");
            let alignment = cursor.attribute("aligned")?;
            let typedef_alignment = cursor.attribute("typedef_aligned")?;
            cursor.expect(";")?;
            let name = (name != "_").then(|| name.as_str().into());
            fields.push(Field { name, ty, span: Span::NONE, bits, is_packed, alignment, typedef_alignment });
        }
    }
    let record = &mut program.types.records[id];
    (record.is_packed, record.is_transparent_union) = (is_packed, is_transparent_union);
    (record.alignment, record.pack, record.fields) = (alignment, pack, fields);
    Ok(())
}

fn enumeration(cursor: &mut Cursor, program: &mut Program) -> Parsed<()> {
    in_order(cursor.id()?, program.types.enums.next_id())?;
    let tag = cursor.optional_string();
    let word = cursor.word()?;
    let row = INT_WORDS.iter().find(|row| row.1 == word).ok_or("an integer type is expected")?;
    let mut enumerators = Vec::new();
    let is_complete = cursor.eat("{");
    if is_complete {
        while !cursor.is_punct("}") {
            let name = cursor.word()?;
            cursor.expect("=")?;
            enumerators.push((name.as_str().into(), cursor.number()?));
            if !cursor.eat(",") {
                break;
            }
        }
        cursor.expect("}")?;
    }
    program.types.enums.push(Enum { tag, span: Span::NONE, underlying: row.0, is_complete, enumerators });
    Ok(())
}

fn global(cursor: &mut Cursor, program: &mut Program) -> Parsed<()> {
    let (name, id) = cursor.named()?;
    in_order(id, program.globals.next_id())?;
    cursor.expect(":")?;
    let ty = cursor.ty(&mut program.types)?;
    let storage = match cursor.word()?.as_str() {
        "static" => Storage::Static,
        "external" => Storage::External,
        "thread_local" => Storage::ThreadLocal,
        "input" => Storage::Input,
        "output" => Storage::Output,
        _ => return Err("a storage class is expected".into()),
    };
    program.globals.push(Global {
        name: name.ok_or("a global has a name")?,
        ty,
        span: Span::NONE,
        storage,
        is_const: cursor.eat_word("const"),
        is_volatile: cursor.eat_word("volatile"),
        is_atomic: cursor.eat_word("atomic"),
        alignment: cursor.attribute("aligned")?,
        function: cursor.attribute("of")?.map(|index| FunctionId::from_index(index as usize)),
    });
    Ok(())
}

fn function(cursor: &mut Cursor, program: &mut Program) -> Parsed<()> {
    let (name, id) = cursor.named()?;
    in_order(id, program.functions.next_id())?;
    cursor.expect(":")?;
    let ty = cursor.ty(&mut program.types)?;
    let kind = if cursor.eat_word("system") {
        FunctionKind::System(cursor.optional_string())
    } else if cursor.eat_word("abstract") {
        FunctionKind::Abstract
    } else if cursor.eat_word("order") {
        FunctionKind::Order
    } else {
        FunctionKind::C
    };
    let mut function = Function {
        name: name.ok_or("a function has a name")?,
        ty,
        span: Span::NONE,
        kind,
        parent: None,
        is_noreturn: cursor.eat_word("noreturn"),
        is_static: cursor.eat_word("static"),
        is_atomic: cursor.eat_word("atomic"),
        is_pure: cursor.eat_word("pure"),
        annotations: Vec::new(),
        body: None,
    };
    if cursor.eat_word("parent") {
        cursor.expect("(")?;
        function.parent = Some((cursor.id()?, cursor.id()?));
        cursor.expect(")")?;
    }
    if cursor.eat("{") {
        let mut parser = BodyParser { program, body: Body::default() };
        while !cursor.eat("}") {
            body_item(cursor, &mut parser)?;
            cursor.expect(";")?;
        }
        function.body = Some(parser.body);
    } else {
        cursor.expect(";")?;
    }
    program.functions.push(function);
    Ok(())
}

fn body_item(cursor: &mut Cursor, parser: &mut BodyParser<'_>) -> Parsed<()> {
    if cursor.eat_word("scope") {
        in_order(cursor.id()?, parser.body.scopes.next_id())?;
        let parent = cursor.attribute("in")?.map(|index| ScopeId::from_index(index as usize));
        let is_captured = cursor.eat_word("captured");
        parser.body.scopes.push(Scope { parent, span: Span::NONE, is_captured });
    } else if cursor.eat_word("local") {
        let (name, id) = cursor.named()?;
        in_order(id, parser.body.locals.next_id())?;
        cursor.expect(":")?;
        let ty = cursor.ty(&mut parser.program.types)?;
        let scope = cursor.attribute("in")?.ok_or("`in(scope)` is expected")?;
        parser.body.locals.push(Local {
            name,
            ty,
            scope: ScopeId::from_index(scope as usize),
            span: Span::NONE,
            is_parameter: cursor.eat_word("parameter"),
            is_address_taken: cursor.eat_word("addressed"),
            is_const: cursor.eat_word("const"),
            is_volatile: cursor.eat_word("volatile"),
            is_atomic: cursor.eat_word("atomic"),
            alignment: cursor.attribute("aligned")?,
        });
    } else if cursor.eat_word("label") {
        in_order(cursor.id()?, parser.body.labels.next_id())?;
        let location = cursor.location()?;
        parser.body.labels.push(location);
    } else if cursor.eat_word("loop") {
        let head = cursor.location()?;
        let mut invariants = Vec::new();
        while cursor.eat_word("invariant") {
            invariants.push(parser.expr(cursor)?);
        }
        parser.body.loops.push(Loop { keyword: Span::NONE, head, invariants, annotations: Vec::new() });
    } else {
        in_order(cursor.location()?, parser.body.locations.next_id())?;
        cursor.expect(":")?;
        let control = control(cursor, parser)?;
        parser.body.locations.push(Location { control, span: Span::NONE, statement: Span::NONE });
    }
    Ok(())
}

fn control(cursor: &mut Cursor, parser: &mut BodyParser<'_>) -> Parsed<Control> {
    // A step that assigns begins with a place, `name%3 = …`; all others begin with a word that is not a name.
    let word = match cursor.peek() {
        Token::Word(word) if !cursor.is_at_name() => word.clone(),
        _ => String::new(),
    };
    Ok(match word.as_str() {
        "goto" => {
            cursor.advance();
            Control::Goto(cursor.location()?)
        }
        "if" => {
            cursor.advance();
            let condition = parser.expr(cursor)?;
            cursor.expect_word("then")?;
            let then = cursor.location()?;
            cursor.expect_word("else")?;
            Control::Branch { condition, then, otherwise: cursor.location()?, keyword: Span::NONE }
        }
        "switch" => {
            cursor.advance();
            let value = parser.expr(cursor)?;
            let mut cases = Vec::new();
            while cursor.eat_word("case") {
                let low = cursor.number()?;
                cursor.expect("..")?;
                let high = cursor.number()?;
                cursor.expect("->")?;
                cases.push(SwitchCase { low, high, target: cursor.location()? });
            }
            cursor.expect_word("default")?;
            cursor.expect("->")?;
            Control::Switch { value, cases, default: cursor.location()?, keyword: Span::NONE }
        }
        "jump" => {
            cursor.advance();
            Control::ComputedGoto(parser.expr(cursor)?)
        }
        "when" => {
            cursor.advance();
            let guard = parser.expr(cursor)?;
            let mut checks = Vec::new();
            while cursor.eat_word("check") {
                checks.push(check(cursor, parser)?);
            }
            cursor.expect("->")?;
            Control::When { guard, checks, next: cursor.location()? }
        }
        "choose" => {
            cursor.advance();
            let mut alternatives = Vec::new();
            while matches!(cursor.peek(), Token::Word(word) if word != "default") {
                alternatives.push(cursor.location()?);
            }
            let default = if cursor.eat_word("default") { Some(cursor.location()?) } else { None };
            Control::Choose { alternatives, default }
        }
        "return" => {
            cursor.advance();
            Control::Return(if cursor.is_punct(";") { None } else { Some(parser.expr(cursor)?) })
        }
        "unreachable" => {
            cursor.advance();
            Control::Unreachable
        }
        _ => {
            let step = step(cursor, parser, &word)?;
            cursor.expect("->")?;
            Control::Step { step, next: cursor.location()? }
        }
    })
}

fn check(cursor: &mut Cursor, parser: &mut BodyParser<'_>) -> Parsed<Check> {
    let word = cursor.string()?;
    let kind = CheckKind::from_word(word.as_str()).ok_or_else(|| format!("`{word}` is not a kind of check"))?;
    let (condition, message) = (parser.expr(cursor)?, cursor.optional_string());
    let has_values = message.is_some() && cursor.is_punct("(");
    let values = if has_values { parser.list(cursor, BodyParser::expr)? } else { Vec::new() };
    Ok(Check { kind, condition, message, values })
}

fn step(cursor: &mut Cursor, parser: &mut BodyParser<'_>, word: &str) -> Parsed<Step> {
    const PLACE_WORDS: &[&str] = &["outer", "string", "real", "imaginary", "temporary"];
    if word.is_empty() || PLACE_WORDS.contains(&word) {
        let place = parser.place(cursor)?;
        cursor.expect("=")?;
        return Ok(Step::Assign { place, value: parser.expr(cursor)? });
    }
    cursor.advance();
    Ok(match word {
        "zero" => Step::Zero(parser.place(cursor)?),
        "call" => {
            let (callee, arguments, result) = call(cursor, parser)?;
            Step::Call(Call { callee, arguments, result, closing_parenthesis: Span::NONE })
        }
        "spawn" => {
            let (callee, arguments, result) = call(cursor, parser)?;
            Step::Spawn { callee, arguments, result }
        }
        "enter" => Step::Enter(cursor.id()?),
        "leave" => Step::Leave(cursor.id()?),
        "declare" => Step::Declare(cursor.named()?.1),
        "check" => Step::Check(check(cursor, parser)?),
        "assume" => Step::Assume(parser.expr(cursor)?),
        "havoc" => Step::Havoc { place: parser.place(cursor)?, name: cursor.optional_string() },
        "asm" => Step::Assembly {
            text: cursor.string()?,
            outputs: parser.list(cursor, BodyParser::place)?,
            inputs: parser.list(cursor, BodyParser::expr)?,
            clobbers_memory: cursor.eat_word("memory"),
        },
        "builtin" => Step::Builtin {
            name: cursor.string()?,
            arguments: parser.list(cursor, BodyParser::expr)?,
            types: parser.list(cursor, BodyParser::ty)?,
            result: result(cursor, parser)?,
        },
        "atomic" | "atom" => {
            let is_atom = word == "atom";
            if cursor.eat_word("begin") {
                Step::AtomicBegin { is_atom }
            } else {
                cursor.expect_word("end")?;
                Step::AtomicEnd { is_atom }
            }
        }
        "next" => Step::DomainNext {
            domain: parser.expr(cursor)?,
            cursor: parser.place(cursor)?,
            has_next: parser.place(cursor)?,
            variables: parser.list(cursor, BodyParser::place)?,
        },
        "unsupported" => {
            let entry = Code::find(&cursor.word()?).ok_or("a diagnostic code is expected")?;
            Step::Unsupported(Box::new(Diagnostic::error(entry.code, cursor.string()?.as_str())))
        }
        "nop" => Step::Nop,
        _ => return cursor.reject(format!("`{word}` is not a step")),
    })
}

fn call(cursor: &mut Cursor, parser: &mut BodyParser<'_>) -> Parsed<(Callee, Vec<ExprId>, Option<PlaceId>)> {
    let callee = if cursor.eat("(") {
        let pointer = parser.expr(cursor)?;
        cursor.expect_word("as")?;
        let ty = cursor.ty(&mut parser.program.types)?;
        cursor.expect(")")?;
        Callee::Indirect(pointer, ty)
    } else {
        Callee::Direct(cursor.named()?.1)
    };
    let arguments = parser.list(cursor, BodyParser::expr)?;
    Ok((callee, arguments, result(cursor, parser)?))
}

fn result(cursor: &mut Cursor, parser: &mut BodyParser<'_>) -> Parsed<Option<PlaceId>> {
    if cursor.eat_word("to") { parser.place(cursor).map(Some) } else { Ok(None) }
}
