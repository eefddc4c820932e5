//! Variables of a state as a person reads them: names and values in C's words. For replays and for showing states.

use crate::code::Code;
use crate::domain::{Domain, Question, Truth};
use crate::machine::{Callable, Machine};
use crate::scalar::{Cell, Scalar};
use crate::state::{ProcessId, State};
use quod_base::{Id, Span, Symbol};
use quod_model::ir::{ArrayLength, Program, RecordKind, Type, TypeId};
use std::rc::Rc;

/// `a[2].next` and `NULL`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The function whose local it is; nothing for a global variable.
    pub function: Option<Symbol>,
    pub name: String,
    pub value: String,
    pub ty: TypeId,
}

/// Elements of one array, and variables of one state, that are shown.
const MOST_ELEMENTS: u64 = 32;
const MOST_VARIABLES: usize = 2000;
/// Pointers that are followed one behind the other.
const MOST_POINTERS: u32 = 2;

/// The global variables of the program, but not those of headers.
pub fn globals<D: Domain>(machine: &mut Machine<'_, D>, state: &mut State<D>) -> Vec<Variable> {
    let program = machine.program;
    let mut viewer = Viewer { machine, state, found: Vec::new(), function: None };
    for (id, global) in program.globals.iter_enumerated() {
        if global.name.as_str().is_empty() {
            continue;
        }
        let Some(address) = viewer.machine.statics.globals.get(id.index()).cloned() else { continue };
        viewer.object(&address, global.ty, global.name.to_string(), 0);
    }
    viewer.found
}

/// The locals of a process, innermost call first.
pub fn locals<D: Domain>(machine: &mut Machine<'_, D>, state: &mut State<D>, process: ProcessId) -> Vec<Variable> {
    let frames: Vec<_> = state.processes[process.index()]
        .frames
        .iter()
        .rev()
        .filter(|frame| frame.native.is_none())
        .map(|frame| (frame.function, frame.base))
        .collect();
    let mut viewer = Viewer { machine, state, found: Vec::new(), function: None };
    for (function, base) in frames {
        let Some(Callable::Code(code)) = viewer.machine.callables[function.index()].get() else { continue };
        let code: Rc<Code<D>> = code.clone();
        let program = viewer.machine.program;
        let Some(body) = program.functions[function].body.as_ref() else { continue };
        viewer.function = Some(program.functions[function].name);
        for &(local, register, scalar) in &code.register_locals {
            let Some(name) = body.locals[local].name else { continue };
            let value = viewer.state.processes[process.index()].registers[(base + register) as usize].clone();
            if !viewer.machine.domain.is_unset(&value) {
                viewer.scalar(&value, scalar, body.locals[local].ty, name.to_string(), 0);
            }
        }
        for local in &code.memory_locals {
            let (Some(id), Some(name)) = (local.local, local.name) else { continue };
            let address = viewer.state.processes[process.index()].registers[(base + local.register) as usize].clone();
            if !viewer.machine.domain.is_unset(&address) {
                viewer.object(&address, body.locals[id].ty, name.to_string(), 0);
            }
        }
    }
    viewer.found
}

struct Viewer<'a, 'p, D: Domain> {
    machine: &'a mut Machine<'p, D>,
    state: &'a mut State<D>,
    found: Vec<Variable>,
    function: Option<Symbol>,
}

impl<D: Domain> Viewer<'_, '_, D> {
    fn object(&mut self, address: &D::Value, ty: TypeId, name: String, depth: u32) {
        if self.found.len() >= MOST_VARIABLES {
            return;
        }
        let program = self.machine.program;
        if let Some(scalar) = Scalar::of(&program.types, program.arithmetic, ty) {
            let size = program.types.size_of(ty).unwrap_or(1);
            let question = Question::Initialised { pointer: address.clone(), size };
            if !matches!(self.machine.domain.ask(&self.state.memory, &question), Truth::Known(true)) {
                return;
            }
            let cell = Cell { scalar, size: size.min(16) as u8 };
            if let Ok(value) = self.machine.domain.load(&mut self.state.memory, address, cell) {
                self.scalar(&value, scalar, ty, name, depth);
            }
            return;
        }
        match *program.types.get(ty) {
            Type::Array { element, length } => {
                let Some(each) = program.types.size_of(element.ty).filter(|&each| each > 0) else { return };
                let extent = self.machine.domain.extent(&self.state.memory, address).unwrap_or(0) / each;
                let count = match length {
                    ArrayLength::Fixed(count) => count.min(extent),
                    _ => extent,
                };
                for index in 0..count.min(MOST_ELEMENTS) {
                    let at = self.machine.domain.offset(address, (index * each) as i64);
                    self.object(&at, element.ty, format!("{name}[{index}]"), depth);
                }
            }
            Type::Record(id) => {
                let record = &program.types.records[id];
                let (Some(fields), Some(layout)) = (&record.fields, program.types.record_layout(id)) else { return };
                // Of a union the first member stands for all.
                let shown = if record.kind == RecordKind::Union { 1 } else { fields.len() };
                for (field, &position) in fields.iter().zip(layout.offsets.iter()).take(shown) {
                    if field.bits.is_none() {
                        let at = self.machine.domain.offset(address, (position / 8) as i64);
                        let part = field.name.map_or_else(|| name.clone(), |field| format!("{name}.{field}"));
                        self.object(&at, field.ty.ty, part, depth);
                    }
                }
            }
            _ => {}
        }
    }

    fn scalar(&mut self, value: &D::Value, scalar: Scalar, ty: TypeId, name: String, depth: u32) {
        let program = self.machine.program;
        let (text, behind) = match *program.types.get(ty) {
            Type::Pointer(pointee) => self.pointer(value, pointee.ty),
            _ => (self.machine.domain.display(value, scalar), None),
        };
        let function = self.function;
        self.found.push(Variable { function, name: name.clone(), value: text, ty });
        // What only pointers lead to is shown where they do.
        if let Some(pointee) = behind.filter(|_| depth < MOST_POINTERS) {
            let is_record = matches!(program.types.get(pointee), Type::Record(_));
            let start = self.found.len();
            self.object(value, pointee, if is_record { name.clone() } else { format!("*{name}") }, depth + 1);
            if is_record {
                for found in &mut self.found[start..] {
                    if let Some(member) = found.name.strip_prefix(&format!("{name}.")) {
                        found.name = format!("{name}->{member}");
                    }
                }
            }
        }
    }

    /// A pointer in C's words, and the type of what it leads to where that has no name of its own.
    fn pointer(&mut self, value: &D::Value, pointee: TypeId) -> (String, Option<TypeId>) {
        let program = self.machine.program;
        let pointer = Scalar::pointer(program.types.data_model);
        if self.machine.domain.known_integer(value, pointer) == Some(0) {
            return ("NULL".into(), None);
        }
        let Some((name, span, offset)) = self.machine.domain.origin(&self.state.memory, value) else {
            return (self.machine.domain.display(value, pointer), None);
        };
        match name.filter(|name| !name.as_str().is_empty()) {
            Some(name) => {
                let path = declared(program, name, span).and_then(|ty| path(program, ty, offset, pointee));
                (path.map_or_else(|| format!("(char *)&{name} + {offset}"), |path| format!("&{name}{path}")), None)
            }
            None => {
                let text = format!("heap object + {offset}");
                (if offset == 0 { "heap object".into() } else { text }, Some(pointee))
            }
        }
    }
}

/// The type of the variable with this name and declaration.
fn declared(program: &Program, name: Symbol, span: Span) -> Option<TypeId> {
    let global = program.globals.iter().find(|global| global.name == name && global.span == span);
    global.map(|global| global.ty).or_else(|| {
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let mut locals = bodies.flat_map(|body| body.locals.iter());
        locals.find(|local| local.name == Some(name) && local.span == span).map(|local| local.ty)
    })
}

/// `[2].next`: the part of a type at an offset that has the wanted type.
fn path(program: &Program, mut ty: TypeId, mut offset: u64, wanted: TypeId) -> Option<String> {
    let types = &program.types;
    let mut path = String::new();
    loop {
        if offset == 0 && (ty == wanted || matches!(types.get(wanted), Type::Void)) {
            return Some(path);
        }
        match *types.get(ty) {
            Type::Array { element, .. } => {
                let each = types.size_of(element.ty).filter(|&each| each > 0)?;
                path += &format!("[{}]", offset / each);
                (ty, offset) = (element.ty, offset % each);
            }
            Type::Record(id) => {
                let fields = types.records[id].fields.as_ref()?;
                let layout = types.record_layout(id)?;
                let index = layout.offsets.iter().rposition(|start| start / 8 <= offset)?;
                path += &format!(".{}", fields[index].name?);
                (ty, offset) = (fields[index].ty.ty, offset - layout.offsets[index] / 8);
            }
            _ => return (offset == 0).then_some(path),
        }
    }
}
