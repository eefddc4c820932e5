//! A report with 20,000 rows: built in time and size, and used in a headless browser: sorted, filtered, scrolled, plots
//! opened and hovered. Screenshots stay below `target/bench-e2e/browser` for a person to look at.

use super::webdriver::Browser;
use super::{Place, install};
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const ROWS: usize = 20_000;

pub(super) fn run(place: &Place) -> Result<()> {
    install("chromedriver", &["chromium", "chromium-driver"])?;
    let folder = place.fresh("browser")?;
    for (tool, seed) in [("Alpha", 1), ("Beta", 2)] {
        std::fs::write(folder.join(format!("{tool}.2026-01-01_00-00-00.results.all.xml")), results(tool, seed, ROWS))?;
    }
    // Our own measurement tells the report's time from that of other work on the machine.
    let program = place.program.to_string_lossy().into_owned();
    let (here, log) = (folder.to_string_lossy().into_owned(), folder.join("report.log").to_string_lossy().into_owned());
    let words = ["exec", "--isolation", "none", "--directory", &here, "--output", &log, "--", &program, "report"];
    let mut words = words.to_vec();
    words.extend(["Alpha.2026-01-01_00-00-00.results.all.xml", "-o", "one.html"]);
    let text = String::from_utf8_lossy(&place.quod_bench(&folder, &words)?.stdout).into_owned();
    let value = |key: &str| -> Option<f64> {
        text.lines().find_map(|line| line.strip_prefix(key)?.trim_end_matches('s').parse().ok())
    };
    let seconds = value("cputime=").context("no CPU time")?;
    let wall = value("walltime=").context("no wall time")?;
    let size = std::fs::metadata(folder.join("one.html"))?.len();
    println!("{ROWS} results: report built in {seconds:.2} s of CPU time ({wall:.2} s), {:.1} MB", size as f64 / 1e6);
    if seconds > 2.0 || size > 10_000_000 {
        bail!("too slow or too large");
    }
    place.quod_bench(&folder, &["report", ".", "-o", "two.html"])?;
    println!("two tools: {:.1} MB", std::fs::metadata(folder.join("two.html"))?.len() as f64 / 1e6);
    visit(&folder)
}

fn visit(folder: &Path) -> Result<()> {
    let browser = Browser::start()?;
    let shoot =
        |name: &str| -> Result<()> { Ok(std::fs::write(folder.join(format!("{name}.png")), browser.screenshot()?)?) };
    let expect = |what: &str, script: &str, wanted: serde_json::Value| -> Result<()> {
        let found = browser.eval(script)?;
        if found != wanted {
            bail!("{what}: {found} instead of {wanted}");
        }
        println!("  {what}: {found}");
        Ok(())
    };
    let start = Instant::now();
    browser.open(&format!("file://{}", folder.join("two.html").display()))?;
    expect("rows in the report", "return quodReport.rows", ROWS.into())?;
    println!("  opened in {:.2} s", start.elapsed().as_secs_f64());
    shoot("summary")?;

    browser.click("#tab-table")?;
    let shown = browser.eval("return document.querySelectorAll('.row').length")?.as_u64().unwrap_or(0);
    println!("  rows in the page: {shown} of {ROWS}");
    if shown == 0 || shown > 200 {
        bail!("the table is not drawn piece by piece");
    }
    // Fluid: a jump through the whole table, redrawn each time.
    let script = "const grid = document.getElementById('grid'); const times = []; for (let i = 0; i < 60; i++) { const t = performance.now(); \
                  grid.scrollTop = i * 8000; grid.dispatchEvent(new Event('scroll')); grid.getBoundingClientRect(); times.push(performance.now() - t); } \
                  return Math.max(...times)";
    let slowest = browser.eval(script)?.as_f64().context("no time")?;
    println!("  slowest scroll step: {slowest:.1} ms");
    browser.eval("document.getElementById('grid').scrollTop = 0")?;
    let start = Instant::now();
    browser.click("#sort-cpu-0")?;
    browser.click("#sort-cpu-0")?;
    println!("  sorted twice in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let script = "const cells = [...document.querySelectorAll('.row')].sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).slice(0, 10)\
                  .map((row) => Number(row.children[4].textContent)); return cells.every((value, i) => !i || cells[i - 1] >= value) && cells[0] > 100";
    expect("sorted by CPU time, slowest first", script, true.into())?;
    shoot("table-sorted")?;
    browser.write("#search", "loops/t001")?;
    expect(
        "tasks left by the filter",
        "return quodReport.visible().every((name) => name.includes('loops/t001')) && quodReport.visible().length > 0",
        true.into(),
    )?;
    println!("  {}", browser.eval("return document.getElementById('count').textContent")?);
    shoot("table-filtered")?;
    browser.eval("quodReport.state.query = ''")?;

    browser.click("#tab-quantile")?;
    std::thread::sleep(Duration::from_millis(400));
    hover_until_tip(&browser)?;
    shoot("quantile")?;
    browser.click("#tab-scatter")?;
    std::thread::sleep(Duration::from_millis(400));
    hover_until_tip(&browser)?;
    shoot("scatter")?;
    browser.click("#tab-differences")?;
    expect(
        "differences listed",
        "return document.querySelectorAll('#differences tbody tr').length > 100",
        true.into(),
    )?;
    shoot("differences")?;
    browser.click("#tab-environment")?;
    shoot("environment")?;
    let errors = browser.errors()?;
    if !errors.is_empty() {
        bail!("errors on the page: {errors:?}");
    }
    let network = browser.eval("return performance.getEntriesByType('resource').length")?;
    println!("  things loaded from elsewhere: {network}");
    if network != 0 {
        bail!("the report loads something");
    }
    Ok(())
}

/// Moves over the plot until a point answers.
fn hover_until_tip(browser: &Browser) -> Result<()> {
    let find =
        "const r = document.getElementById('plot').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]";
    let place = browser.eval(find)?;
    let of = |index: usize| place[index].as_f64().unwrap_or(0.0);
    for step in 0..14 {
        let (x, y) = (of(0) + of(2) * 0.4, of(1) + of(3) * (0.95 - 0.065 * f64::from(step)));
        browser.hover(x as i64, y as i64)?;
        let tip =
            browser.eval("const tip = document.getElementById('tip'); return tip.hidden ? '' : tip.textContent")?;
        let tip = tip.as_str().unwrap_or("").to_string();
        if !tip.is_empty() {
            println!("  hovering shows: {}", tip.replace('\n', " | "));
            return Ok(());
        }
    }
    bail!("no point of the plot answered")
}

/// Results as a tool might have them: a few wrong answers, timeouts, and times over four orders of magnitude.
fn results(tool: &str, seed: u64, count: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<result benchmarkname=\"large\" date=\"2026-01-01 00:00:00 UTC\" generator=\"test\" name=\"all\" options=\"--best\" \
         starttime=\"2026-01-01T00:00:00+00:00\" timelimit=\"900s\" memlimit=\"15000000000B\" tool=\"{tool}\" toolmodule=\"x\" version=\"{seed}.0\">\n\
         <columns><column title=\"status\"/></columns>\n<systeminfo hostname=\"test\"><os name=\"Linux\"/><cpu cores=\"4\" model=\"some processor\"/>\
         <ram size=\"16000000000B\"/><environment/></systeminfo>\n"
    );
    let folders =
        ["loops", "arrays", "heap-manipulation", "bitvectors", "eca-rers2018", "pthread-ext", "termination-crafted"];
    let properties = ["unreach-call", "valid-memsafety", "no-overflow", "termination"];
    for number in 0..count {
        let (folder, property) = (folders[number % folders.len()], properties[number / 7 % properties.len()]);
        let holds = number % 3 != 0;
        let chance = random();
        let right = if holds { "true".to_string() } else { format!("false({property})") };
        let wrong = if holds { format!("false({property})") } else { "true".to_string() };
        let (status, category) = match chance {
            c if c < 0.62 => (right, "correct"),
            c if c < 0.622 => (wrong, "wrong"),
            c if c < 0.75 => ("unknown".to_string(), "unknown"),
            c if c < 0.95 => ("TIMEOUT".to_string(), "error"),
            _ => ("OUT OF MEMORY".to_string(), "error"),
        };
        let time = if status == "TIMEOUT" { 901.0 + random() } else { 10_f64.powf(random() * 4.4 - 1.5) };
        let _ = writeln!(
            out,
            "<run name=\"../sv-benchmarks/c/{folder}/t{number:05}-some-longer-name_of.a.task.yml\" files=\"[../sv-benchmarks/c/{folder}/t{number:05}.i]\" \
             properties=\"{property}\" propertyFile=\"../p/{property}.prp\" expectedVerdict=\"{}\" logfile=\"large.logfiles/all.t{number:05}-some-longer-name_of.a.task.yml.log\">\
             <column title=\"cputime\" value=\"{time:.6}s\"/><column title=\"walltime\" value=\"{:.6}s\"/><column title=\"memory\" value=\"{:.0}B\"/>\
             <column title=\"status\" value=\"{status}\"/><column title=\"category\" value=\"{category}\" hidden=\"true\"/></run>",
            if holds { "true".to_string() } else { "false".to_string() },
            time * (0.4 + random()),
            3e7 + random() * 4e9,
        );
    }
    out.push_str("</result>\n");
    out
}
