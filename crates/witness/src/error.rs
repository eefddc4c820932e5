//! What is wrong with a witness, and where in its file.

use quod_diag::Code;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessError {
    pub code: Code,
    /// From one; zero where the fault is the whole file.
    pub line: u32,
    pub column: u32,
    pub message: String,
    pub help: Option<String>,
}

impl WitnessError {
    pub fn new(code: Code, place: (u32, u32), message: impl Into<String>) -> Self {
        Self { code, line: place.0, column: place.1, message: message.into(), help: None }
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl std::fmt::Display for WitnessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for WitnessError {}
