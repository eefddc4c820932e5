//! Checks: questions with their operands, and the message where the answer is no.

use super::View;
use crate::code::{Asking, Code, Operand, Register};
use crate::domain::{Answer, Domain, Outcome, Question, Truth};
use crate::fault::Fault;
use crate::machine::{Event, Machine};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_base::Id;
use quod_diag::Code as DiagnosticCode;
use quod_verdict::CheckKind;

/// The question with values in place of operands.
pub(crate) fn question<V: Clone>(asking: &Asking, get: impl Fn(Operand) -> V) -> Question<V> {
    match *asking {
        Asking::ValidAccess { pointer, size, access } => {
            Question::ValidAccess { pointer: get(pointer), size: get(size), access }
        }
        Asking::ValidFree { pointer } => Question::ValidFree { pointer: get(pointer) },
        Asking::ValidPointerAdd { pointer, index, scalar, element } => {
            Question::ValidPointerAdd { pointer: get(pointer), index: get(index), index_scalar: scalar, element }
        }
        Asking::SameObject { left, right } => Question::SameObject { left: get(left), right: get(right) },
        Asking::Initialised { pointer, size } => Question::Initialised { pointer: get(pointer), size },
        Asking::InitialisedRegister { flag } => Question::InitialisedRegister { flag: get(flag) },
        Asking::FitsBinary { op, scalar, left, right } => {
            Question::FitsBinary { op, scalar, left: get(left), right: get(right) }
        }
        Asking::FitsUnary { op, scalar, operand } => Question::FitsUnary { op, scalar, operand: get(operand) },
        Asking::ValidShift { op, scalar, left, right, count } => {
            Question::ValidShift { op, scalar, left: get(left), right: get(right), count }
        }
        Asking::FitsConversion { value, from, to } => Question::FitsConversion { value: get(value), from, to },
        Asking::Aligned { pointer, alignment } => Question::Aligned { pointer: get(pointer), alignment },
        Asking::Callable { pointer, .. } => Question::Callable { pointer: get(pointer) },
    }
}

/// A message with values in place of its conversions. Where there are fewer, the others stay as they are.
fn filled(message: &str, values: &[String]) -> String {
    let mut values = values.iter();
    let mut text = String::new();
    let mut rest = message;
    while let Some(at) = rest.find('%') {
        text += &rest[..at];
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("%%") {
            text.push('%');
            rest = behind;
            continue;
        }
        let end = rest[1..].find(|letter: char| letter.is_ascii_alphabetic() && !"lhjztLq".contains(letter));
        let Some(end) = end.map(|end| end + 2) else { break };
        match values.next().filter(|_| !rest[..end].contains('*')) {
            Some(value) => text += value,
            None => text += &rest[..end],
        }
        rest = &rest[end..];
    }
    text += rest;
    text.trim_end().to_owned()
}

impl<D: Domain> View<'_, D> {
    /// The frequent questions are put directly, so that the compiler sees which one it is.
    #[inline(always)]
    pub(crate) fn check(&mut self, index: u32) -> Answer<D> {
        match self.code.questions[index as usize] {
            Asking::FitsBinary { op, scalar, left, right } => {
                let (left, right) = (self.get(left).clone(), self.get(right).clone());
                self.domain.ask(self.memory, &Question::FitsBinary { op, scalar, left, right })
            }
            Asking::ValidAccess { pointer, size, access } => {
                let (pointer, size) = (self.get(pointer).clone(), self.get(size).clone());
                self.domain.ask(self.memory, &Question::ValidAccess { pointer, size, access })
            }
            Asking::ValidPointerAdd { pointer, index, scalar, element } => {
                let (pointer, index) = (self.get(pointer).clone(), self.get(index).clone());
                let question = Question::ValidPointerAdd { pointer, index, index_scalar: scalar, element };
                self.domain.ask(self.memory, &question)
            }
            Asking::InitialisedRegister { flag } => {
                let flag = self.get(flag).clone();
                self.domain.ask(self.memory, &Question::InitialisedRegister { flag })
            }
            _ => self.rare_check(index),
        }
    }

    fn rare_check(&mut self, index: u32) -> Answer<D> {
        let question = question(&self.code.questions[index as usize], |operand| self.get(operand).clone());
        self.domain.ask(self.memory, &question)
    }

    pub(crate) fn ask(&mut self, to: Register, index: u32) -> Outcome<D, ()> {
        let answer = self.check(index);
        let value = self.domain.truth_value(answer, self.int);
        self.set(to, value);
        Ok(())
    }
}

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn failed_check(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Code<D>,
        check: u32,
        truth: Truth<D::Condition>,
    ) -> Event<D> {
        let site = &code.checks[check as usize];
        let title = DiagnosticCode::entry(site.kind.code()).map_or("a check fails", |entry| entry.title);
        let mut fault = Fault::new(site.kind, title);
        let process = &state.processes[id.index()];
        let (base, pc) = process.frames.last().map_or((0, 0), |frame| (frame.base, frame.pc));
        if let Some(message) = site.message {
            let show = |&(operand, scalar): &(Operand, Scalar)| {
                self.domain.display(crate::machine::operand(process, base, code, operand), scalar)
            };
            fault = fault.note(filled(message.as_str(), &site.values.iter().map(show).collect::<Vec<_>>()));
        }
        if let Some(index) = site.question {
            let question = question(&code.questions[index as usize], |operand| {
                crate::machine::operand(process, base, code, operand).clone()
            });
            fault = self.domain.explain(&state.memory, &question, fault);
        }
        if let Some((left, right, scalar)) = site.shown {
            let show = |operand| self.domain.display(crate::machine::operand(process, base, code, operand), scalar);
            fault = fault.label(match site.kind {
                CheckKind::OutOfBounds => format!("index {} of an array of {} elements", show(left), show(right)),
                CheckKind::DivisionByZero => "the divisor is 0".into(),
                CheckKind::ArraySize => format!("the array would have {} elements", show(left)),
                CheckKind::Assertion => format!("the sides are {} and {}", show(left), show(right)),
                _ => String::new(),
            });
        }
        if let Some((span, text)) = site.place {
            fault = fault.place(span, text);
        }
        match truth {
            Truth::Unknown(condition) => {
                Event::Doubt { condition, fault: Box::new(fault), span: site.span, next: pc + 1 }
            }
            Truth::Known(_) => Event::Fault(Box::new(fault), site.span),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn messages_are_filled() {
        let values = ["3".to_owned(), "x".to_owned()];
        assert_eq!(super::filled("100%% of %-5.2ld and %s, %d\n", &values), "100% of 3 and x, %d");
        assert_eq!(super::filled("%", &values), "%");
    }
}
