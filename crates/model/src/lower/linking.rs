//! What is left to do when all units are read: externals, constructors and destructors, `main`.

use super::names::Definedness;
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Span, Symbol};

impl Lowerer<'_> {
    /// What is left to do when all units are read.
    pub(crate) fn link(&mut self) {
        for global in self.program.globals.ids() {
            if matches!(self.defined_globals[global], Definedness::Declared(_))
                && self.program.globals[global].storage == Storage::Static
            {
                self.program.globals[global].storage = Storage::External;
            }
        }
        self.link_aliases();
        self.active = 0;
        self.register_destructors();
        self.constructors.sort_by_key(|&(_, priority)| priority);
        for (function, _) in std::mem::take(&mut self.constructors) {
            if self.program.functions[function].body.is_none() {
                continue;
            }
            let span = self.program.functions[function].span;
            let call = Call {
                callee: Callee::Direct(function),
                arguments: Vec::new(),
                result: None,
                closing_parenthesis: span,
            };
            self.b().emit(Step::Call(call), span);
        }
        let main = self.externals.get(&Symbol::intern("main")).copied();
        if let Some(Entity::Function(main)) = main
            && self.program.functions[main].body.is_some()
        {
            self.program.main = Some(main);
        }
    }

    /// Destructors run when the program ends, after what it registers itself: `atexit` before anything else.
    fn register_destructors(&mut self) {
        self.destructors.sort_by_key(|&(_, priority)| priority);
        for (function, _) in std::mem::take(&mut self.destructors) {
            if self.program.functions[function].body.is_none() {
                continue;
            }
            let span = self.program.functions[function].span;
            let pointer = self.pointer_to(self.program.functions[function].ty);
            let name = Symbol::intern("atexit");
            let register = match self.externals.get(&name) {
                Some(&Entity::Function(known)) => known,
                _ => {
                    let (result, parameters) = (self.known.int, vec![pointer]);
                    let ty = FunctionType { result, parameters, is_variadic: false, has_prototype: true };
                    let ty = self.types().intern_function(ty);
                    let new = self.new_function(name, ty, Span::NONE, false);
                    self.externals.insert(name, Entity::Function(new));
                    new
                }
            };
            let argument = self.b().expr(ExprKind::Function(function), pointer, span);
            let callee = Callee::Direct(register);
            let call = Call { callee, arguments: vec![argument], result: None, closing_parenthesis: span };
            self.b().emit(Step::Call(call), span);
        }
    }
}
