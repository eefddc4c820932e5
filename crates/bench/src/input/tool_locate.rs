//! Where a tool is installed, and which version it is.

use super::error::{InputError, code};
use super::tool::Tool;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Looked for in `--tool-directory` and its `bin`, then on `PATH`, then in the current directory and its `bin`.
pub fn locate(tool: &Tool, directory: Option<&Path>, asked_at: (&Path, u32)) -> Result<PathBuf, InputError> {
    let mut places: Vec<PathBuf> = Vec::new();
    if let Some(directory) = directory {
        places.extend([directory.to_path_buf(), directory.join("bin")]);
    } else {
        places.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
        places.extend([PathBuf::from("."), PathBuf::from("bin")]);
    }
    for name in &tool.executable {
        if name.contains('/') && is_executable(Path::new(name)) {
            return absolute(Path::new(name));
        }
        for place in &places {
            let path = place.join(name);
            if is_executable(&path) {
                return absolute(&path);
            }
        }
    }
    let names = tool.executable.join("` or `");
    let message = format!("{} is not installed: no executable `{names}` was found", tool.name);
    let place = directory.map_or("PATH".to_string(), |directory| directory.display().to_string());
    let mut help = format!("looked in {place}; say where it is with `--tool-directory DIR`");
    if let Some(project) = &tool.project {
        help.push_str(&format!("; the project: {project}"));
    }
    Err(InputError::new(code::TOOL_NOT_INSTALLED, asked_at.0, asked_at.1, 1, message).help(help))
}

fn absolute(path: &Path) -> Result<PathBuf, InputError> {
    std::path::absolute(path).map_err(|error| InputError::unreadable(path, &error))
}

pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// What the tool says about its version, within ten seconds; empty when it does not say.
pub fn version(tool: &Tool, executable: &Path) -> String {
    if tool.version.arguments.is_empty() {
        return String::new();
    }
    let mut command = Command::new(executable);
    command.args(&tool.version.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return String::new() };
    let start = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if start.elapsed() > Duration::from_secs(10) {
            let _ = child.kill();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let Ok(output) = child.wait_with_output() else { return String::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let first_line = || text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_string();
    match tool.version.pattern.as_deref().and_then(|pattern| regex::Regex::new(pattern).ok()) {
        Some(regex) => regex.captures(&text).map_or_else(first_line, |captures| {
            captures.get(1).or_else(|| captures.get(0)).map_or(String::new(), |found| found.as_str().trim().to_string())
        }),
        None => first_line(),
    }
}
