//! z3 over a pipe: one process for all formulas, reset between them.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(super) struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    pub(super) fn start(program: &str) -> Result<Self> {
        let mut child =
            Command::new(program).args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no pipe")?;
        let output = BufReader::new(child.stdout.take().context("no pipe")?);
        Ok(Self { child, input, output })
    }

    pub(super) fn check(&mut self, text: &str) -> Result<String> {
        write!(self.input, "(reset)\n(set-option :timeout 3000)\n{text}(check-sat)\n(echo \"end\")\n")?;
        self.input.flush()?;
        let mut answer = String::from("unknown");
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("z3 ended on\n{text}");
            }
            match line.trim() {
                "end" | "\"end\"" => return Ok(answer),
                word @ ("sat" | "unsat" | "unknown") => answer = word.into(),
                error if error.starts_with("(error") => bail!("z3: {error}\n{text}"),
                _ => {}
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
