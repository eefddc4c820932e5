//! z3 over a pipe: one process for many formulas, each in a scope of its own (a `(reset)` costs z3 more than a small formula).

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(super) struct Peer {
    program: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
    ended_cpu: f64,
}

/// Formulas after which the process is started anew, so that it does not grow.
const RESTART: u64 = 2000;

impl Peer {
    pub(super) fn start(program: &str) -> Result<Self> {
        let mut child =
            Command::new(program).args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().context("no pipe")?;
        let output = BufReader::new(child.stdout.take().context("no pipe")?);
        writeln!(input, "(set-option :timeout 300)")?;
        Ok(Self { program: program.into(), child, input, output, asked: 0, ended_cpu: 0.0 })
    }

    /// One formula in a process of its own, without scopes and with more time: near its limit z3 has said `sat` to what
    /// is `unsat`.
    pub(super) fn ask_alone(program: &str, text: &str) -> Result<String> {
        let mut alone = Self::start(program)?;
        write!(alone.input, "(set-option :timeout 20000)\n{text}(check-sat)\n(echo \"end\")\n")?;
        alone.input.flush()?;
        alone.answer(text)
    }

    /// CPU seconds of all processes so far.
    pub(super) fn cpu(&self) -> f64 {
        self.ended_cpu + crate::shell::process_cpu(self.child.id())
    }

    /// Starts on some formulas; the answers are fetched by [`Self::answers`]. Meanwhile we work, too.
    pub(super) fn send(&mut self, logic: &str, texts: &[String]) -> Result<()> {
        self.asked += texts.len() as u64;
        if self.asked > RESTART {
            let ended_cpu = self.cpu();
            let mut fresh = Self::start(&self.program)?;
            fresh.ended_cpu = ended_cpu;
            *self = fresh;
        }
        // Logics that z3 decides better by a tactic of their own get that one.
        let check = match logic {
            "QF_FP" => "(check-sat-using (try-for qffp 1500))",
            "QF_NRA" => "(check-sat-using (try-for qfnra-nlsat 500))",
            _ => "(check-sat)",
        };
        for text in texts {
            write!(self.input, "(push)\n{text}{check}\n(pop)\n(echo \"end\")\n")?;
        }
        self.input.flush()?;
        Ok(())
    }

    /// `sat`, `unsat` or `unknown` for each formula that was sent.
    pub(super) fn answers(&mut self, texts: &[String]) -> Result<Vec<String>> {
        texts.iter().map(|text| self.answer(text)).collect()
    }

    fn answer(&mut self, text: &str) -> Result<String> {
        let mut answer = String::from("unknown");
        let mut error = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("z3 ended on\n{text}");
            }
            match line.trim() {
                "end" | "\"end\"" => break,
                word @ ("sat" | "unsat" | "unknown") => answer = word.into(),
                text if text.starts_with("(error") => error = Some(text.to_owned()),
                _ => {}
            }
        }
        match error {
            // How tactics say that they gave up.
            Some(text) if ["canceled", "timeout", "incomplete", "failed"].iter().any(|word| text.contains(word)) => {
                Ok("unknown".into())
            }
            Some(error) => bail!("z3: {error}\n{text}"),
            None => Ok(answer),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
