//! Calls: functions of the program are analysed in the state of the call; functions of the library by what is known of
//! them. What is not known ends the analysis.

use super::analysis::{Analysis, Facts, Frame, Stop};
use super::evaluate::{Evaluated, Spot};
use super::heap;
use super::memory::{Object, Rest};
use super::number::{FAR, Number};
use super::state::State;
use super::transfer::evaluated;
use super::value::{Kind, ObjectKey, Pointer, Value};
use quod_base::{Id, Span};
use quod_model::ir::*;
use quod_model::library::{conversions, is_numeric};
use quod_verdict::CheckKind;
use std::sync::Arc;

/// Arguments whose truth a state was made for.
type Known = Vec<(ExprId, bool)>;

impl<'p> Analysis<'_, 'p> {
    pub(crate) fn call(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        call: &'p Call,
        state: State,
        facts: &mut Facts,
    ) -> Result<Vec<State>, Stop> {
        let span = frame.body.locations[location].span;
        let functions = match call.callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(pointer, _) => match self.evaluator(frame).eval(&state, pointer).value {
                Value::Pointer(pointer) if !pointer.is_unknown && pointer.targets.is_empty() => {
                    if pointer.may_be_null && self.asks(CheckKind::InvalidDeref) {
                        facts.fail("a call through a null pointer", span);
                    }
                    pointer.functions.clone()
                }
                _ => return Err(Stop::Unsupported("a call through an unknown pointer".into(), span)),
            },
        };
        let mut states = Vec::new();
        for function in functions {
            if self.world.program.functions[function].body.is_some() {
                for (state, known) in self.split(frame, call, state.clone()) {
                    states.extend(self.enter(frame, location, function, (call, &known), state, facts)?);
                }
            } else {
                states.extend(self.library(frame, location, function, call, state.clone(), facts)?);
            }
        }
        Ok(states)
    }

    /// An argument that is 0 or 1 by a condition: one state for each, so that what the callee does with it is known to
    /// follow from the condition.
    fn split(&self, frame: &Frame<'p>, call: &Call, state: State) -> Vec<(State, Known)> {
        let evaluator = self.evaluator(frame);
        let mut states = vec![(state, Known::new())];
        for &argument in call.arguments.iter().filter(|argument| evaluator.is_boolean(**argument)).take(2) {
            let mut parts = Vec::new();
            for (state, known) in states {
                for truth in [true, false] {
                    if let Some(state) = evaluator.assume(&state, argument, truth) {
                        let mut known = known.clone();
                        known.push((argument, truth));
                        parts.push((state, known));
                    }
                }
            }
            states = parts;
        }
        states
    }

    fn enter(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        function: FunctionId,
        (call, known): (&Call, &Known),
        mut state: State,
        facts: &mut Facts,
    ) -> Result<Vec<State>, Stop> {
        let span = frame.body.locations[location].span;
        let program = self.world.program;
        let Some(body) = &program.functions[function].body else { return Ok(Vec::new()) };
        if self.stack.contains(&function) {
            let name = program.functions[function].name;
            return Err(Stop::Unsupported(format!("recursion of `{name}`"), span));
        }
        let evaluator = self.evaluator(frame);
        let parameters: Vec<LocalId> = body.locals.ids().filter(|id| body.locals[*id].is_parameter).collect();
        for (&local, &argument) in parameters.iter().zip(&call.arguments) {
            let key = ObjectKey::Local(function, local);
            let spot = Spot { targets: vec![(key, Number::ZERO)], ..Spot::default() };
            let ty = body.locals[local].ty;
            let is_alive = match known.iter().find(|known| known.0 == argument) {
                Some(&(_, truth)) => {
                    let value = evaluated(Value::Number(Number::constant(truth.into())));
                    self.store(&evaluator, &mut state, &spot, ty, &value, span, facts)
                }
                None => self.assign(&evaluator, &mut state, &spot, ty, argument, span, facts),
            };
            if !is_alive {
                return Ok(Vec::new());
            }
        }
        let way = std::mem::take(&mut state.way);
        let site = (frame.function.index() as u32).wrapping_mul(65_537) ^ location.index() as u32;
        let (exits, found) = self.function(function, state, site)?;
        facts.append(found);
        let has_addresses = body.locals.iter().any(|local| self.may_be_pointed_to(local))
            || exits.values().any(|state| state.objects.keys().any(|key| matches!(key, ObjectKey::Stack(..))));
        let mut states = Vec::new();
        for mut state in exits.into_values() {
            state.way = way;
            if let Some(place) = call.result {
                let spot = evaluator.spot(&state, place);
                let ty = frame.body.places[place].ty;
                let result = Spot { targets: vec![(ObjectKey::Result(function), Number::ZERO)], ..Spot::default() };
                let is_alive = if evaluator.kind(ty).is_some() {
                    let value = if state.objects.contains_key(&ObjectKey::Result(function)) {
                        evaluator.read(&state, &result, ty)
                    } else {
                        evaluated(self.any(ty))
                    };
                    self.store(&evaluator, &mut state, &spot, ty, &value, span, facts)
                } else {
                    self.copy(&evaluator, &mut state, &spot, &result, ty, span, facts)
                };
                if !is_alive {
                    continue;
                }
            }
            let is_gone = |key: ObjectKey| match key {
                ObjectKey::Local(owner, _) | ObjectKey::Result(owner) | ObjectKey::Stack(owner, ..) => {
                    owner == function
                }
                _ => false,
            };
            self.world.end_objects(&mut state, &is_gone, has_addresses);
            states.push(state);
        }
        Ok(states)
    }

    /// An object of its own that pointers may lead to.
    pub(crate) fn may_be_pointed_to(&self, local: &Local) -> bool {
        local.is_address_taken || Kind::of(&self.world.program.types, local.ty).is_none()
    }

    /// The program ends in this state.
    pub(crate) fn end(&self, state: &State, span: Span, facts: &mut Facts) {
        if self.asks(CheckKind::LostMemory) && !heap::is_tracked(self.world.program, state) {
            facts.fail("memory may have been lost", span);
        }
        if self.asks(CheckKind::MemoryLeak) && !heap::is_clean(state) {
            facts.fail("memory may be left", span);
        }
    }

    fn set_result(
        &mut self,
        frame: &Frame<'p>,
        call: &Call,
        mut state: State,
        value: Evaluated,
        span: Span,
        facts: &mut Facts,
    ) -> Vec<State> {
        if let Some(place) = call.result {
            let evaluator = self.evaluator(frame);
            let spot = evaluator.spot(&state, place);
            let ty = frame.body.places[place].ty;
            if evaluator.kind(ty).is_none() {
                self.forget(&evaluator, &mut state, &spot, ty, span, facts);
            } else if !self.store(&evaluator, &mut state, &spot, ty, &value, span, facts) {
                return Vec::new();
            }
        }
        vec![state]
    }

    fn result_type(&self, function: FunctionId) -> Option<TypeId> {
        let program = self.world.program;
        match program.types[program.functions[function].ty] {
            Type::Function(ty) => Some(program.types.functions[ty].result),
            _ => None,
        }
    }

    fn library(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        function: FunctionId,
        call: &'p Call,
        mut state: State,
        facts: &mut Facts,
    ) -> Result<Vec<State>, Stop> {
        let span = frame.body.locations[location].span;
        let name = self.world.program.functions[function].name;
        let name = name.as_str();
        let evaluator = self.evaluator(frame);
        let short = name.strip_prefix("__builtin_").unwrap_or(name);
        let any = match self.result_type(function) {
            Some(ty) => evaluated(self.any(ty)),
            None => evaluated(Value::Any),
        };
        let arguments: Vec<Evaluated> =
            call.arguments.iter().map(|&argument| evaluator.eval(&state, argument)).collect();
        match short {
            "abort" | "exit" | "_exit" | "_Exit" | "__assert_fail" | "trap" | "__VERIFIER_error" | "reach_error" => {
                if self.asks(CheckKind::Assertion)
                    && matches!(short, "__assert_fail" | "reach_error" | "__VERIFIER_error")
                {
                    facts.fail("assertion", span);
                }
                // Without a body they are the error function, whatever the question calls it.
                if self.asks(CheckKind::Unreachable) && matches!(short, "reach_error" | "__VERIFIER_error") {
                    facts.fail("unreach-call", span);
                }
                self.end(&state, span, facts);
                Ok(Vec::new())
            }
            "unreachable" => {
                facts.fail("control may get where it must not", span);
                Ok(Vec::new())
            }
            "__VERIFIER_assume" if call.arguments.len() == 1 => {
                if self.asks(CheckKind::Termination) && evaluator.assume(&state, call.arguments[0], false).is_some() {
                    facts.fail("an assumption that may fail", span);
                }
                Ok(evaluator.assume(&state, call.arguments[0], true).into_iter().collect())
            }
            "__VERIFIER_nondet_memory" => Err(unknown(name, span)),
            _ if name.starts_with("__VERIFIER_nondet_") => Ok(self.set_result(frame, call, state, any, span, facts)),
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Ok(vec![state]),
            "malloc" | "__libc_malloc" | "valloc" if !arguments.is_empty() => {
                let size = &arguments[0];
                let pointer = self.allocate(frame, location, &mut state, size, Rest::Uninit);
                Ok(self.set_result(frame, call, state, pointer, span, facts))
            }
            "calloc" if arguments.len() == 2 => {
                let size = match (arguments[0].number(), arguments[1].number()) {
                    (Some(count), Some(size)) => count.multiply(size),
                    _ => None,
                };
                let mut bytes = evaluated(size.map_or(Value::Any, Value::Number));
                let factor = arguments[1].number().and_then(Number::as_constant);
                bytes.linear = arguments[0].linear.as_ref().and_then(|linear| linear.scale(factor?));
                let pointer = self.allocate(frame, location, &mut state, &bytes, Rest::Zero);
                Ok(self.set_result(frame, call, state, pointer, span, facts))
            }
            "alloca" if arguments.len() == 1 => {
                let pointer = self.on_stack(frame, location, &mut state, &arguments[0]);
                Ok(self.set_result(frame, call, state, pointer, span, facts))
            }
            "free" if arguments.len() == 1 => {
                // A null pointer frees nothing: what others point to stays.
                let mut states = Vec::new();
                states.extend(evaluator.assume(&state, call.arguments[0], false));
                if let Some(mut state) = evaluator.assume(&state, call.arguments[0], true) {
                    let value = evaluator.eval(&state, call.arguments[0]).value;
                    self.free(&mut state, &value, span, facts);
                    states.push(state);
                }
                Ok(states)
            }
            "memset" if arguments.len() == 3 => {
                self.touches(frame, &state, (&arguments[0], Access::Write), arguments[2].number(), span, facts);
                self.fill(&mut state, &arguments, span, facts);
                let pointer = evaluated(arguments[0].value.clone());
                Ok(self.set_result(frame, call, state, pointer, span, facts))
            }
            "memcpy" | "memmove" if arguments.len() == 3 => {
                self.touches(frame, &state, (&arguments[1], Access::Read), arguments[2].number(), span, facts);
                self.touches(frame, &state, (&arguments[0], Access::Write), arguments[2].number(), span, facts);
                self.overwrite(&mut state, &arguments[0], arguments[2].number(), span, facts);
                let pointer = evaluated(arguments[0].value.clone());
                Ok(self.set_result(frame, call, state, pointer, span, facts))
            }
            "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "perror" | "vprintf" | "fflush" => {
                // What is printed does not matter; the strings that are read must be the program's own text.
                let is_text = |argument: &Evaluated| match &argument.value {
                    Value::Pointer(pointer) => self.is_text(pointer),
                    _ => true,
                };
                let mut is_fine = short == "fflush" || arguments.iter().all(is_text);
                if short.ends_with("printf") {
                    let first = usize::from(short == "fprintf");
                    let Some(texts) = arguments.get(first).and_then(|format| self.printed_texts(format)) else {
                        return Err(unknown(name, span));
                    };
                    let is_pointer = |argument: &&Evaluated| matches!(argument.value, Value::Pointer(_));
                    is_fine &= arguments.iter().skip(first + 1).filter(is_pointer).count() >= texts;
                }
                if self.asks(CheckKind::InvalidDeref) && !is_fine {
                    facts.fail("a string that may not be one", span);
                }
                Ok(self.set_result(frame, call, state, any, span, facts))
            }
            "strlen" | "strcmp" | "strncmp" | "memcmp" | "atoi" | "atol" => {
                if self.asks(CheckKind::InvalidDeref) || self.asks(CheckKind::NullArgument) {
                    facts.fail("a string that may not be one", span);
                }
                Ok(self.set_result(frame, call, state, any, span, facts))
            }
            "rand" | "random" => {
                let value = match self.result_type(function).and_then(|ty| evaluator.kind(ty)) {
                    Some(Kind::Int(format)) => evaluated(Value::Number(Number::range(0, format.max()))),
                    _ => any,
                };
                Ok(self.set_result(frame, call, state, value, span, facts))
            }
            "isdigit" | "isalpha" | "isspace" | "isupper" | "islower" | "isalnum" | "tolower" | "toupper" | "srand"
            | "getchar" | "time" | "usleep" | "sleep" | "abs" | "labs" | "clock" => {
                let has_pointer = arguments.iter().any(|argument| may_point(&argument.value));
                let number = arguments.first().and_then(Evaluated::number);
                let any_number = any.number();
                let value = match (short, number) {
                    ("abs" | "labs", Some(number)) if number.low > -(1 << 31) => {
                        let high = number.low.abs().max(number.high.abs());
                        let low = if number.low <= 0 && number.high >= 0 {
                            0
                        } else {
                            number.low.abs().min(number.high.abs())
                        };
                        evaluated(Value::Number(Number::range(low, high)))
                    }
                    _ => any,
                };
                if has_pointer {
                    return Err(unknown(name, span));
                }
                if matches!(short, "abs" | "labs")
                    && self.asks(CheckKind::SignedOverflow)
                    && value.number() == any_number
                {
                    facts.fail("overflow", span);
                }
                if matches!(short, "getchar") && self.asks(CheckKind::Termination) {
                    facts.fail("waiting for input", span);
                }
                Ok(self.set_result(frame, call, state, value, span, facts))
            }
            _ if is_numeric(short) && !arguments.iter().any(|argument| matches!(argument.value, Value::Pointer(_))) => {
                let value = match (short, arguments.first().map(|argument| &argument.value)) {
                    ("fabs" | "fabsf", Some(Value::Float(float))) => {
                        evaluated(Value::Float(super::float::absolute(*float)))
                    }
                    _ => any,
                };
                Ok(self.set_result(frame, call, state, value, span, facts))
            }
            _ => Err(unknown(name, span)),
        }
    }

    /// A pointer to a place inside of the program's own text, which ends with a zero.
    fn is_text(&self, pointer: &Pointer) -> bool {
        let is_inside = |&(key, offset): &(ObjectKey, Number)| match key {
            ObjectKey::String(id) => {
                let length = self.world.program.strings[id].elements.len() as i128;
                0 <= offset.low && offset.high < length
            }
            _ => false,
        };
        !pointer.is_unknown
            && !pointer.may_be_null
            && pointer.functions.is_empty()
            && pointer.targets.iter().all(is_inside)
    }

    /// How many texts a format prints at most; none where it may not be the program's own text, or has `%n`, which writes.
    fn printed_texts(&self, format: &Evaluated) -> Option<usize> {
        let Value::Pointer(format) = &format.value else { return None };
        if format.is_unknown {
            return None;
        }
        let mut most = 0;
        for target in &format.targets {
            let ObjectKey::String(id) = target.0 else { return None };
            let mut texts = 0;
            for letter in conversions(&self.world.program.strings[id]) {
                match letter {
                    b'n' => return None,
                    b's' | b'S' => texts += 1,
                    _ => {}
                }
            }
            most = most.max(texts);
        }
        Some(most)
    }

    /// Built-ins with effects.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn builtin(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        name: &str,
        arguments: &[ExprId],
        result: Option<PlaceId>,
        mut state: State,
        facts: &mut Facts,
    ) -> Result<Vec<State>, Stop> {
        let span = frame.body.locations[location].span;
        let evaluator = self.evaluator(frame);
        let short = name.strip_prefix("__builtin_").unwrap_or(name);
        let value = match short {
            "alloca" | "alloca_with_align" => {
                let size = match arguments.first() {
                    Some(&argument) => evaluator.eval(&state, argument),
                    None => evaluated(Value::Any),
                };
                self.on_stack(frame, location, &mut state, &size)
            }
            "unreachable" => {
                facts.fail("control may get where it must not", span);
                return Ok(Vec::new());
            }
            "trap" | "abort" => {
                self.end(&state, span, facts);
                return Ok(Vec::new());
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" if arguments.len() == 3 => {
                // The wrapped result goes where the third argument points.
                let pointer = evaluator.eval(&state, arguments[2]);
                let size = match self.world.program.types[frame.body.exprs[arguments[2]].ty] {
                    Type::Pointer(to) => self.world.program.types.size_of(to.ty),
                    _ => None,
                };
                self.overwrite(&mut state, &pointer, size.map(|size| Number::constant(size.into())), span, facts);
                evaluated(Value::Number(Number::range(0, 1)))
            }
            _ => return Err(unknown(name, span)),
        };
        if let Some(place) = result {
            let spot = evaluator.spot(&state, place);
            if !self.store(&evaluator, &mut state, &spot, frame.body.places[place].ty, &value, span, facts) {
                return Ok(Vec::new());
            }
        }
        Ok(vec![state])
    }

    fn allocate(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        state: &mut State,
        size: &Evaluated,
        rest: Rest,
    ) -> Evaluated {
        self.make(ObjectKey::Heap(frame.function, location, frame.site), state, size, rest)
    }

    fn on_stack(&mut self, frame: &Frame<'p>, location: LocationId, state: &mut State, size: &Evaluated) -> Evaluated {
        self.make(ObjectKey::Stack(frame.function, location, frame.site), state, size, Rest::Uninit)
    }

    fn make(&mut self, key: ObjectKey, state: &mut State, bytes: &Evaluated, rest: Rest) -> Evaluated {
        let far = Number::range(0, 1 << 62);
        let exact = bytes.number().filter(|size| size.is_within(far));
        let size = bytes.number().and_then(|size| size.meet(far)).unwrap_or(far);
        let fresh = Object::new(size, rest);
        let object = match state.objects.get(&key) {
            Some(old) => {
                let mut all = old.join(&fresh);
                all.is_summary = true;
                all
            }
            None => fresh,
        };
        self.world.forget_cells(state, key, (-FAR, FAR), None);
        state.objects.insert(key, Arc::new(object));
        self.count_units(state, key, bytes.linear.clone().filter(|_| exact.is_some()));
        let mut pointer = evaluated(Value::pointer(Pointer::to(key)));
        pointer.linear = Some(super::linear::Linear::constant(0));
        pointer
    }

    fn free(&mut self, state: &mut State, value: &Value, span: Span, facts: &mut Facts) {
        let Value::Pointer(pointer) = value else {
            if *value != Value::Number(Number::ZERO) {
                facts.lose("a block that may not be one is freed", span);
            }
            return;
        };
        let is_start = |&(key, offset): &(ObjectKey, Number)| {
            let is_live = state.objects.get(&key).is_some_and(|object| !object.may_be_dead);
            matches!(key, ObjectKey::Heap(..)) && offset == Number::ZERO && is_live
        };
        if pointer.is_unknown || !pointer.functions.is_empty() || !pointer.targets.iter().all(is_start) {
            facts.lose("a block that may not be one is freed", span);
        }
        match &pointer.targets[..] {
            [(key, _)] if !state.objects.get(key).is_some_and(|object| object.is_summary) => {
                let key = *key;
                self.world.end_objects(state, &|other| other == key, true);
            }
            targets => {
                for (key, _) in targets {
                    if let Some(object) = state.objects.get(key) {
                        let mut object = (**object).clone();
                        object.may_be_dead = true;
                        state.objects.insert(*key, Arc::new(object));
                    }
                }
            }
        }
    }

    /// The bytes that a library function reads or writes are there.
    fn touches(
        &self,
        frame: &Frame<'p>,
        state: &State,
        (pointer, access): (&Evaluated, Access),
        size: Option<Number>,
        span: Span,
        facts: &mut Facts,
    ) {
        if !self.asks(CheckKind::InvalidDeref) {
            return;
        }
        let evaluator = self.evaluator(frame);
        let is_fine = match (&pointer.value, size) {
            (Value::Pointer(pointer), Some(size)) => evaluator.is_accessible(state, pointer, size.high, access),
            _ => false,
        };
        if !is_fine {
            facts.fail("pointer", span);
        }
    }

    fn overwrite(
        &mut self,
        state: &mut State,
        pointer: &Evaluated,
        size: Option<Number>,
        span: Span,
        facts: &mut Facts,
    ) {
        let Value::Pointer(pointer) = &pointer.value else {
            return facts.lose("a write that may go anywhere", span);
        };
        if pointer.may_be_null && self.asks(CheckKind::InvalidDeref) {
            facts.fail("pointer", span);
        }
        let targets = pointer.targets.iter().map(|&(key, offset)| (key, offset.scale(8).unwrap_or(offset))).collect();
        let spot = Spot { targets, is_unknown: pointer.is_unknown, ..Spot::default() };
        self.forget_bits(state, &spot, size.map(|size| size.high * 8), span, facts);
    }

    fn fill(&mut self, state: &mut State, arguments: &[Evaluated], span: Span, facts: &mut Facts) {
        let size = arguments[2].number();
        // All of an object set to zero, as most are.
        if let (Value::Pointer(pointer), Some(0), Some(size)) = (
            &arguments[0].value,
            arguments[1].number().and_then(Number::as_constant),
            size.and_then(Number::as_constant),
        ) && let Some((key, Number::ZERO)) = pointer.single()
        {
            let object = self.world.object(state, key);
            if object.size.as_constant() == Some(size) && !object.is_summary && !object.may_be_dead {
                self.world.forget_cells(state, key, (-FAR, FAR), None);
                state.objects.insert(key, Arc::new(Object::new(object.size, Rest::Zero)));
                return;
            }
        }
        self.overwrite(state, &arguments[0], size, span, facts);
    }
}

fn unknown(name: &str, span: Span) -> Stop {
    Stop::Unsupported(format!("a call of `{name}`"), span)
}

fn may_point(value: &Value) -> bool {
    match value {
        Value::Pointer(pointer) => **pointer != Pointer::null(),
        Value::Number(_) | Value::Float(_) => false,
        _ => true,
    }
}
