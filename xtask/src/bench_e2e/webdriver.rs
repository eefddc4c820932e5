//! The few parts of the WebDriver protocol that the browser test needs: plain HTTP to a chromedriver on this machine.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    pub(super) fn start() -> Result<Self> {
        let port = 21_000 + (std::process::id() % 9000) as u16;
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut browser = Self { driver, port, session: String::new() };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(20) {
                bail!("chromedriver does not listen");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let options = json!({"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=1400,900", "--allow-file-access-from-files"]});
        let body = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}});
        let answer = browser.request("POST", "/session", Some(&body))?;
        browser.session = answer["sessionId"].as_str().context("no session")?.to_string();
        Ok(browser)
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let body = body.map_or(String::new(), Value::to_string);
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 || line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut content = vec![0; length];
        reader.read_exact(&mut content)?;
        let answer: Value = serde_json::from_slice(&content)?;
        match answer["value"]["error"].as_str() {
            Some(error) => bail!("{method} {path}: {error}: {}", answer["value"]["message"]),
            None => Ok(answer["value"].clone()),
        }
    }

    fn session(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        self.request(method, &format!("/session/{}{path}", self.session), body)
    }

    pub(super) fn open(&self, address: &str) -> Result<()> {
        self.session("POST", "/url", Some(&json!({"url": address}))).map(drop)
    }

    /// The value of a script.
    pub(super) fn eval(&self, script: &str) -> Result<Value> {
        self.session("POST", "/execute/sync", Some(&json!({"script": script, "args": []})))
    }

    fn element(&self, selector: &str) -> Result<String> {
        let found = self.session("POST", "/element", Some(&json!({"using": "css selector", "value": selector})))?;
        let id = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        Ok(id.with_context(|| format!("no element {selector}"))?.to_string())
    }

    pub(super) fn click(&self, selector: &str) -> Result<()> {
        let element = self.element(selector)?;
        self.session("POST", &format!("/element/{element}/click"), Some(&json!({}))).map(drop)
    }

    pub(super) fn write(&self, selector: &str, text: &str) -> Result<()> {
        let element = self.element(selector)?;
        self.session("POST", &format!("/element/{element}/value"), Some(&json!({"text": text}))).map(drop)
    }

    /// Moves the pointer to a place of the window.
    pub(super) fn hover(&self, x: i64, y: i64) -> Result<()> {
        let moves = json!([{"type": "pointerMove", "duration": 50, "x": x - 5, "y": y, "origin": "viewport"},
            {"type": "pointerMove", "duration": 50, "x": x, "y": y, "origin": "viewport"}]);
        let body = json!({"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}]});
        self.session("POST", "/actions", Some(&body)).map(drop)
    }

    pub(super) fn screenshot(&self) -> Result<Vec<u8>> {
        let text = self.session("GET", "/screenshot", None)?;
        decode(text.as_str().context("no screenshot")?)
    }

    /// Errors on the page's console.
    pub(super) fn errors(&self) -> Result<Vec<String>> {
        let log = self.session("POST", "/se/log", Some(&json!({"type": "browser"})))?;
        let entries = log.as_array().cloned().unwrap_or_default();
        let is_error = |entry: &&Value| entry["level"] == "SEVERE";
        Ok(entries.iter().filter(is_error).map(|entry| entry["message"].to_string()).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.session("DELETE", "", None);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Base64.
fn decode(text: &str) -> Result<Vec<u8>> {
    let mut result = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => bail!("not base64"),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            result.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Ok(result)
}
