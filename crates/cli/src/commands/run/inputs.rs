//! The values that the command line gives to `$input` variables.

use quod_base::Symbol;
use quod_diag::{Diagnostic, codes};
use quod_exec::{InputValue, Inputs};
use quod_model::ir::{Body, Control, PlaceKind, Program, Step, Storage, VariableRef};

/// The values of `--input NAME=VALUE`; what is wrong with them is a diagnostic.
pub(crate) fn bind(given: &[String], model: &mut Program, diagnostics: &mut Vec<Diagnostic>) -> Inputs {
    let mut inputs = Inputs::default();
    for text in given {
        let Some((name, value)) = text.split_once('=').and_then(|(name, value)| Some((name, parse_value(value)?)))
        else {
            let message = format!("`{text}` is not of the form NAME=VALUE with a number");
            diagnostics.push(Diagnostic::error(codes::USAGE, message).help("for example: --input N=5"));
            continue;
        };
        let mut known = model.globals.iter().filter(|global| global.storage == Storage::Input);
        if known.any(|global| global.name.as_str() == name) {
            let name = Symbol::intern(name);
            inputs.given.entry(name).or_default().push_back(value);
            replace_default(model, name);
            continue;
        }
        let known: Vec<&str> =
            model.globals.iter().filter(|one| one.storage == Storage::Input).map(|one| one.name.as_str()).collect();
        let help = match known.as_slice() {
            [] => "the program has no $input variables".to_owned(),
            known => format!("its $input variables are: {}", known.join(", ")),
        };
        let message = format!("the program has no $input variable `{name}`");
        diagnostics.push(Diagnostic::error(codes::USAGE, message).help(help));
    }
    inputs
}

/// `$input int N = 4;` has a default, which a given value replaces.
fn replace_default(model: &mut Program, name: Symbol) {
    let Program { functions, globals, initialiser, .. } = model;
    let Some(body) = &mut functions[*initialiser].body else { return };
    let Body { locations, places, .. } = body;
    for location in locations.iter_mut() {
        let Control::Step { step, .. } = &mut location.control else { continue };
        let Step::Assign { place, .. } = *step else { continue };
        if let PlaceKind::Variable(VariableRef::Global(global)) = places[place].kind
            && globals[global].name == name
            && globals[global].storage == Storage::Input
        {
            *step = Step::Havoc { place, name: Some(name) };
        }
    }
}

fn parse_value(text: &str) -> Option<InputValue> {
    match text {
        "true" | "$true" => return Some(InputValue::Int(1)),
        "false" | "$false" => return Some(InputValue::Int(0)),
        _ => {}
    }
    let integer = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    integer.map(InputValue::Int).or_else(|| text.parse().ok().map(InputValue::Float))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_inputs() {
        assert_eq!(parse_value("-3"), Some(InputValue::Int(-3)));
        assert_eq!(parse_value("0x10"), Some(InputValue::Int(16)));
        assert_eq!(parse_value("2.5"), Some(InputValue::Float(2.5)));
        assert_eq!(parse_value("$true"), Some(InputValue::Int(1)));
        assert_eq!(parse_value("five"), None);
    }
}
