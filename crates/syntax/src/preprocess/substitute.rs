//! The text of one macro call: the body with its arguments, `#` and `##` done.

use super::arguments::Arguments;
use super::define::{MacroKind, Parameters};
use super::{MacroId, Preprocessor};
use crate::Punct;
use crate::lex::{PpFlags, PpKind, PpToken, known};
use quod_base::{ExpansionId, Span};

/// The state of one substitution.
struct Substitution {
    call: Span,
    expansion: ExpansionId,
    /// Where the result starts in the buffer.
    start: usize,
    /// `##` stands before what comes next.
    pasting: bool,
}

impl Preprocessor<'_> {
    /// Puts the expansion of the macro `id`, called by `name`, on the stack of contexts.
    pub(super) fn substitute(
        &mut self,
        id: MacroId,
        name: &PpToken,
        expansion: ExpansionId,
        arguments: Option<Arguments>,
    ) {
        let body = self.macros[id].body.clone();
        let parameters = match self.macros[id].kind {
            MacroKind::Function(parameters) => parameters,
            _ => Parameters { count: 0, is_variadic: false },
        };
        // Arguments are expanded before the result is written, since both use the buffer.
        let mut arguments = arguments;
        if let Some(arguments) = &mut arguments {
            self.expand_wanted(&body, parameters, arguments);
        }
        let mut state = Substitution { call: name.span, expansion, start: self.buffer.len(), pasting: false };
        let mut index = 0;
        while index < body.len() {
            let token = &body[index];
            match (&mut arguments, token.kind) {
                (Some(arguments), PpKind::Parameter) => {
                    self.substitute_parameter(&mut state, token, &body, index, parameters, arguments);
                }
                (Some(arguments), PpKind::VaOptStart) => {
                    index = self.substitute_va_opt(&mut state, &body, index, parameters, arguments);
                }
                _ => {
                    let token = Self::located(token, &state);
                    self.append(&mut state, &[token]);
                }
            }
            state.pasting = body[index].flags.has(PpFlags::PASTE_LEFT);
            index += 1;
        }
        self.finish_substitution(state.start, id, name);
    }

    fn finish_substitution(&mut self, start: usize, id: MacroId, name: &PpToken) {
        let mut kept = start;
        for index in start..self.buffer.len() {
            let token = self.buffer[index];
            if token.kind != PpKind::Placemarker {
                self.buffer[kept] = token;
                kept += 1;
            }
        }
        self.buffer.truncate(kept);
        if let Some(first) = self.buffer.get_mut(start) {
            first.flags = first.flags.spaced_as(name.flags);
        }
        self.push_buffered(start, Some(id));
    }

    /// Expands the arguments that the body uses as they are (not beside `#` or `##`).
    fn expand_wanted(&mut self, body: &[PpToken], parameters: Parameters, arguments: &mut Arguments) {
        for (index, token) in body.iter().enumerate() {
            let wants_variable = token.kind == PpKind::VaOptStart;
            if wants_variable {
                self.expanded_argument(arguments, parameters.count - 1);
            } else if token.kind == PpKind::Parameter
                && !token.flags.has(PpFlags::PASTE_LEFT)
                && !token.flags.has(PpFlags::STRINGIFY)
                && (index == 0 || !body[index - 1].flags.has(PpFlags::PASTE_LEFT))
            {
                self.expanded_argument(arguments, token.text.0 as usize);
            }
        }
    }

    /// A token of the body, as one of this expansion.
    fn located(token: &PpToken, state: &Substitution) -> PpToken {
        let span = Span { lo: token.span.lo, hi: token.span.hi, expansion: Some(state.expansion) };
        PpToken { span, flags: token.flags.without(PpFlags::PASTE_LEFT).without(PpFlags::LINE_START), ..*token }
    }

    /// Adds tokens to the result, the first pasted to what stands there if `##` says so.
    fn append(&mut self, state: &mut Substitution, tokens: &[PpToken]) {
        let mut tokens = tokens;
        if state.pasting
            && self.buffer.len() > state.start
            && let (Some(left), Some((first, rest))) = (self.buffer.last().copied(), tokens.split_first())
        {
            match self.paste(&left, first) {
                Some(pasted) => {
                    self.buffer.pop();
                    self.buffer.push(pasted);
                }
                None => self.buffer.push(*first),
            }
            tokens = rest;
        }
        self.buffer.extend_from_slice(tokens);
        state.pasting = false;
    }

    fn substitute_parameter(
        &mut self,
        state: &mut Substitution,
        token: &PpToken,
        body: &[PpToken],
        index: usize,
        parameters: Parameters,
        arguments: &mut Arguments,
    ) {
        let parameter = token.text.0 as usize;
        if token.flags.has(PpFlags::STRINGIFY) {
            let string = self.stringify(arguments.raw(parameter), &Self::located(token, state));
            self.append(state, &[string]);
            return;
        }
        let pastes = state.pasting || token.flags.has(PpFlags::PASTE_LEFT);
        let is_variable = parameters.is_variadic && parameter + 1 == parameters.count;
        if is_variable && state.pasting && index > 0 && body[index - 1].is_punct(Punct::Comma) {
            // GNU: `, ## __VA_ARGS__` drops the comma if the variable arguments are left away, and else pastes
            // nothing.
            state.pasting = false;
            if arguments.omits_variable {
                self.buffer.pop();
                self.push_placemarker(state, token);
                return;
            }
        }
        let first = self.buffer.len();
        let was_pasting = state.pasting;
        let tokens = if pastes { arguments.raw(parameter) } else { self.expanded_argument(arguments, parameter) };
        if tokens.is_empty() {
            if pastes {
                self.push_placemarker(state, token);
            }
            return;
        }
        if !self.spend(tokens.len() as u32, token.span) {
            return;
        }
        self.append(state, tokens);
        let first = if was_pasting { first.saturating_sub(1).max(state.start) } else { first };
        for (offset, token) in self.buffer[first..].iter_mut().enumerate() {
            // What was written beside the call is now seen through this expansion; what came out of calls inside the
            // argument keeps its own way.
            if token.span.expansion == state.call.expansion {
                token.span.expansion = Some(state.expansion);
            }
            if offset == 0 && !was_pasting {
                token.flags = token.flags.spaced_as(body[index].flags);
            }
            if token.flags.has(PpFlags::LINE_START) {
                token.flags = token.flags.without(PpFlags::LINE_START).with(PpFlags::SPACE_BEFORE);
            }
        }
    }

    fn push_placemarker(&mut self, state: &mut Substitution, token: &PpToken) {
        let mut placemarker = Self::located(token, state);
        placemarker.kind = PpKind::Placemarker;
        placemarker.text = known::EMPTY;
        self.append(state, &[placemarker]);
    }

    /// `__VA_OPT__ ( … )` at `index`; the index of its end.
    fn substitute_va_opt(
        &mut self,
        state: &mut Substitution,
        body: &[PpToken],
        index: usize,
        parameters: Parameters,
        arguments: &mut Arguments,
    ) -> usize {
        let end = (index..body.len()).find(|&i| body[i].kind == PpKind::VaOptEnd).unwrap_or(body.len() - 1);
        let start_token = &body[index];
        let is_empty = self.expanded_argument(arguments, parameters.count - 1).is_empty();
        let outer_pasting = state.pasting;
        let from = self.buffer.len();
        if start_token.flags.has(PpFlags::STRINGIFY) {
            state.pasting = false;
        }
        let mut did_write = false;
        if !is_empty {
            let mut inner = index + 1;
            while inner < end {
                let token = &body[inner];
                if token.kind == PpKind::Parameter {
                    self.substitute_parameter(state, token, body, inner, parameters, arguments);
                } else {
                    self.append(state, &[Self::located(token, state)]);
                }
                did_write = true;
                state.pasting = token.flags.has(PpFlags::PASTE_LEFT) && inner + 1 < end;
                inner += 1;
            }
        }
        if start_token.flags.has(PpFlags::STRINGIFY) {
            let operand: Vec<PpToken> = self.buffer.drain(from..).collect();
            let string = self.stringify(&operand, &Self::located(start_token, state));
            state.pasting = outer_pasting;
            self.append(state, &[string]);
        } else if !did_write {
            self.push_placemarker(state, start_token);
        } else if !outer_pasting && let Some(first) = self.buffer.get_mut(from) {
            first.flags = first.flags.spaced_as(start_token.flags);
        }
        end
    }
}
