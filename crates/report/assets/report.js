// The report of a benchmark: tabs, a table of any length (only visible rows exist), filters, and plots on canvas.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (number) => data.strings[number] ?? "";
  const path = (pair) => (pair ? text(pair[0]) + pair[1] : null);
  const rows = data.names.length;
  const columns = data.columns;
  const ROW = 24;

  // ---- state, filters and order -------------------------------------------------------------------------------
  const state = { tab: "summary", query: "", property: "", group: "", category: columns.map(() => ""),
    onlyDifferent: false, sort: null, hidden: new Set(), x: 0, y: Math.min(1, columns.length - 1), left: 0,
    right: Math.min(1, columns.length - 1), correctOnly: false };
  let view = [];

  const has = (column, row) => columns[column].status[row] >= 0;
  const category = (column, row) => text(columns[column].category[row]);
  const status = (column, row) => (has(column, row) ? text(columns[column].status[row]) : "");
  const time = (column, row) => {
    const { cpu, wall } = columns[column];
    return Math.max(cpu[row] ?? 0, wall[row] ?? 0);
  };

  function update() {
    const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
    view = [];
    for (let row = 0; row < rows; row++) {
      if (state.property && text(data.property[row]) !== state.property) continue;
      if (state.group && text(data.group[row]) !== state.group) continue;
      if (words.length) {
        const name = data.names[row].toLowerCase();
        if (!words.every((word) => name.includes(word) || columns.some((_, c) => status(c, row).toLowerCase().includes(word)))) continue;
      }
      if (!columns.every((_, c) => !state.category[c] || (has(c, row) ? category(c, row) : "") === state.category[c])) continue;
      if (state.onlyDifferent && columns.every((_, c) => status(c, row) === status(0, row))) continue;
      view.push(row);
    }
    if (state.sort) {
      const { key, down } = state.sort;
      const value = keyOf(key);
      const keys = new Map(view.map((row) => [row, value(row)]));
      view.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        if (x === y) return a - b;
        if (x === null || x === undefined) return 1;
        if (y === null || y === undefined) return -1;
        return (x < y ? -1 : 1) * (down ? -1 : 1);
      });
    }
  }

  function keyOf(key) {
    const [name, column] = key.split(":");
    const c = Number(column);
    switch (name) {
      case "name": return (row) => data.names[row];
      case "property": return (row) => text(data.property[row]);
      case "expected": return (row) => text(data.expected[row]);
      case "status": return (row) => (has(c, row) ? status(c, row) : null);
      default: return (row) => columns[c][name][row];
    }
  }

  // ---- small helpers ------------------------------------------------------------------------------------------
  function make(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === "class") node.className = value;
      else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name in node && name !== "style") node[name] = value;
      else node.setAttribute(name, value);
    }
    for (const child of children) if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  const digits = (value, count = 3) => value === null || value === undefined ? "" : value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : String(Number(value.toPrecision(count)));
  const unique = (values) => [...new Set(values)].filter(Boolean).sort();
  const choose = (label, values, current, change, all = "all") => make("select", { "aria-label": label, onchange: (event) => change(event.target.value) },
    make("option", { value: "" }, `${label}: ${all}`), ...values.map((value) => make("option", { value, selected: value === current }, value)));

  const app = document.getElementById("app");
  app.textContent = "";
  const tabs = [["summary", "Summary"], ["table", "Table"], ["quantile", "Quantile plot"], ["scatter", "Scatter plot"],
    ["differences", "Differences"], ["environment", "Environment"]];
  const nav = make("nav", { role: "tablist" }, ...tabs.map(([id, name]) =>
    make("button", { id: `tab-${id}`, role: "tab", onclick: () => show(id) }, name)));
  const main = make("main");
  app.append(make("header", {}, make("h1", {}, data.title), make("div", { class: "subtitle" }, data.subtitle), nav), main);

  function show(id) {
    state.tab = tabs.some(([name]) => name === id) ? id : "summary";
    for (const [name] of tabs) document.getElementById(`tab-${name}`).setAttribute("aria-selected", String(name === state.tab));
    if (location.hash !== `#${state.tab}`) history.replaceState(null, "", `#${state.tab}`);
    main.textContent = "";
    main.className = ["table", "quantile", "scatter"].includes(state.tab) ? "filled" : "";
    ({ summary, table, quantile, scatter, differences, environment })[state.tab]();
  }

  function filters(redraw) {
    const count = make("span", { class: "count", id: "count" });
    const apply = () => { update(); count.textContent = `${view.length} of ${rows} tasks`; redraw(); };
    const set = (name) => (value) => { state[name] = value; apply(); };
    const categories = ["correct", "correct-unconfirmed", "wrong", "unknown", "error", "missing"];
    const bar = make("div", { class: "bar" },
      make("input", { type: "search", id: "search", placeholder: "task or status", value: state.query, "aria-label": "filter tasks",
        oninput: (event) => set("query")(event.target.value) }),
      choose("property", unique(data.property.map(text)), state.property, set("property")),
      unique(data.group.map(text)).length > 1 ? choose("category", unique(data.group.map(text)), state.group, set("group")) : null,
      ...columns.map((column, c) => choose(column.label, categories, state.category[c], (value) => { state.category[c] = value; apply(); }, "any result")),
      columns.length > 1 ? make("label", {}, make("input", { type: "checkbox", id: "different", checked: state.onlyDifferent,
        onchange: (event) => set("onlyDifferent")(event.target.checked) }), " only differences") : null,
      count);
    apply();
    return bar;
  }

  // ---- summary ------------------------------------------------------------------------------------------------
  function summary() {
    const names = ["correct", "correct-unconfirmed", "wrong", "unknown", "error", "missing"];
    const hasRunSets = columns.some((column) => column.runSet);
    const head = make("tr", {}, make("th", {}, "tool"), hasRunSets ? make("th", {}, "run set") : null, make("th", { class: "number" }, "tasks"),
      ...names.map((name) => make("th", { class: "number" }, name)), make("th", { class: "number" }, "score"),
      make("th", { class: "number" }, "CPU time (s)"), make("th", { class: "number" }, "wall time (s)"), make("th", { class: "number" }, "most memory (MB)"));
    const body = columns.map((column, c) => {
      const counts = Object.fromEntries(names.map((name) => [name, 0]));
      let [tasks, score, cpu, wall, memory] = [0, 0, 0, 0, 0];
      for (let row = 0; row < rows; row++) {
        if (!has(c, row)) continue;
        tasks++;
        counts[category(c, row)]++;
        score += column.score[row] ?? 0;
        cpu += column.cpu[row] ?? 0;
        wall += column.wall[row] ?? 0;
        memory = Math.max(memory, column.memory[row] ?? 0);
      }
      const cell = (value, name) => make("td", { class: `number ${name ?? ""}` }, value);
      return make("tr", {}, make("td", {}, column.label), hasRunSets ? make("td", {}, column.runSet) : null, cell(tasks),
        ...names.map((name) => make("td", { class: "number" }, make("a", { href: "#table", class: name,
          onclick: (event) => { event.preventDefault(); state.category = columns.map(() => ""); state.category[c] = name; show("table"); } }, counts[name]))),
        cell(digits(score, 6)), cell(digits(cpu)), cell(digits(wall)), cell(digits(memory)));
    });
    main.append(make("div", { class: "wrap" }, make("table", { class: "plain", id: "summary" }, make("thead", {}, head), make("tbody", {}, ...body))));
    for (const table of data.tables) {
      main.append(make("h2", {}, `${table.name} (${table.tasks} tasks, ${digits(table.most, 6)} points max.)`));
      const titles = ["rank", "verifier", "score", "time (h)", "solved", "unconfirmed", "false alarms", "wrong proofs"];
      const lines = table.rows.map(([tool, score, seconds, solved, unconfirmed, alarms, proofs], index) => make("tr", {},
        make("td", { class: "number" }, index + 1), make("td", {}, tool), make("td", { class: "number" }, Math.round(score)),
        make("td", { class: "number" }, digits(seconds / 3600, 2)), make("td", { class: "number" }, solved), make("td", { class: "number" }, unconfirmed || ""),
        make("td", { class: "number wrong" }, alarms || ""), make("td", { class: "number wrong" }, proofs || "")));
      main.append(make("div", { class: "wrap" }, make("table", { class: "plain" },
        make("thead", {}, make("tr", {}, ...titles.map((title, i) => make("th", { class: i === 1 ? "" : "number" }, title)))), make("tbody", {}, ...lines))));
    }
  }

  // ---- the table: only the rows in sight are in the page -----------------------------------------------------------
  function table() {
    // Widths in pixels, so that head and rows agree; the file's name takes what is left.
    const others = 140 + 110 + columns.length * (150 + 96 + 96 + 84 + 72 + 120);
    const layout = () => `${Math.max(300, main.clientWidth - others - 18)}px 140px 110px ${columns.map(() => "150px 96px 96px 84px 72px 120px").join(" ")}`;
    let template = layout();
    const head = make("div", { class: "grid-head", style: `grid-template-columns:${template}` });
    head.append(make("div", { class: "tool", style: "grid-column:1/span 3" }, "task"));
    columns.forEach((column, c) => head.append(make("div", { class: "tool", title: `${column.label} ${column.runSet}`, style: `grid-column:${4 + 6 * c}/span 6` }, `${column.label} ${column.runSet}`)));
    const titles = [["name", "file"], ["property", "property"], ["expected", "expected"],
      ...columns.flatMap((_, c) => [[`status:${c}`, "status"], [`cpu:${c}`, "CPU (s)"], [`wall:${c}`, "wall (s)"], [`memory:${c}`, "MB"], [`score:${c}`, "score"], [null, "files"]])];
    for (const [key, title] of titles) {
      const isNumber = key && /^(cpu|wall|memory|score)/.test(key);
      head.append(make("button", { class: isNumber ? "number" : "", id: key ? `sort-${key.replace(":", "-")}` : "", disabled: !key, onclick: () => {
        state.sort = state.sort?.key === key ? (state.sort.down ? null : { key, down: true }) : { key, down: false };
        mark(); update(); body.style.height = `${view.length * ROW}px`; grid.scrollTop = 0; draw(true);
      } }, title));
    }
    const body = make("div", { class: "grid-body" });
    const grid = make("div", { class: "grid", id: "grid", tabindex: 0, onscroll: () => requestAnimationFrame(() => draw(false)) }, head, body);
    const mark = () => head.querySelectorAll("button").forEach((button, i) => {
      button.dataset.sort = titles[i][0] && state.sort?.key === titles[i][0] ? (state.sort.down ? "down" : "up") : "";
    });
    let drawn = [-1, -1];
    const draw = (force) => {
      const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 10);
      const last = Math.min(view.length, first + Math.ceil(grid.clientHeight / ROW) + 24);
      if (!force && first === drawn[0] && last === drawn[1]) return;
      drawn = [first, last];
      const fresh = document.createDocumentFragment();
      for (let i = first; i < last; i++) fresh.append(line(view[i], i, template));
      body.replaceChildren(fresh);
    };
    main.append(filters(() => { body.style.height = `${view.length * ROW}px`; draw(true); }), grid);
    mark();
    draw(true);
    window.onresize = () => {
      if (state.tab !== "table") return;
      template = layout();
      head.style.gridTemplateColumns = template;
      draw(true);
    };
  }

  function line(row, index, template) {
    const link = path(data.links[row]);
    const name = data.names[row];
    const node = make("div", { class: "row", style: `top:${index * ROW}px;grid-template-columns:${template}`, "data-row": row },
      make("span", { title: name }, link ? make("a", { href: link }, name) : name),
      make("span", {}, text(data.property[row])), make("span", {}, text(data.expected[row])));
    columns.forEach((column, c) => {
      if (!has(c, row)) { for (let i = 0; i < 6; i++) node.append(make("span")); return; }
      const log = path(column.log[row]);
      const shown = status(c, row);
      node.append(make("span", { class: category(c, row), title: `${shown} (${category(c, row)})` }, log ? make("a", { href: log, class: category(c, row) }, shown) : shown),
        make("span", { class: "number" }, digits(column.cpu[row])), make("span", { class: "number" }, digits(column.wall[row])),
        make("span", { class: "number" }, digits(column.memory[row])), make("span", { class: "number" }, digits(column.score[row])),
        make("span", {}, ...(column.files[row] ?? []).flatMap(([name, href], i) => [i ? " " : "", make("a", { href }, name)])));
    });
    return node;
  }

  // ---- plots --------------------------------------------------------------------------------------------------
  // Times: linear below one second, logarithmic above, as the competition draws them.
  const stretch = (value) => (value <= 1 ? Math.max(value, 0) * 0.5 : 0.5 + Math.log10(value));
  const timeAxis = (high) => ({ place: (value) => Math.min(1, stretch(value) / stretch(high)), marks: [0, 0.5, 1, 10, 100, 1000, 10000].filter((mark) => mark <= high * 1.0001) });
  function linearAxis(low, high) {
    if (high <= low) high = low + 1;
    const raw = (high - low) / 8;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw);
    const marks = [];
    for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) marks.push(Number(value.toPrecision(12)));
    return { place: (value) => (value - low) / (high - low), marks };
  }
  const limit = () => Math.max(10, ...columns.map((column) => column.limit ?? 0), ...view.flatMap((row) => columns.map((_, c) => (has(c, row) && columns[c].score[row] > 0 ? time(c, row) : 0))).reduce((most, value) => (value > most[0] ? [value] : most), [0]));

  function canvas(draw, nearest, open) {
    const surface = make("canvas", { id: "plot" });
    const tip = make("div", { class: "tip", hidden: true, id: "tip" });
    const box = make("div", { class: "plot" }, surface, tip);
    const edges = { left: 64, right: 18, top: 14, bottom: 44 };
    const inside = () => ({ width: box.clientWidth - edges.left - edges.right, height: box.clientHeight - edges.top - edges.bottom });
    const at = (x, y) => { const { width, height } = inside(); return [edges.left + x * width, edges.top + (1 - y) * height]; };
    const redraw = () => {
      const ratio = window.devicePixelRatio || 1;
      surface.width = box.clientWidth * ratio;
      surface.height = box.clientHeight * ratio;
      const pen = surface.getContext("2d");
      pen.scale(ratio, ratio);
      pen.clearRect(0, 0, box.clientWidth, box.clientHeight);
      const style = getComputedStyle(document.body);
      const colour = (name) => style.getPropertyValue(name).trim();
      draw(pen, at, colour);
    };
    const frame = (pen, x, y, titles, colour) => {
      pen.font = "12px system-ui, sans-serif";
      pen.lineWidth = 1;
      pen.fillStyle = colour("--soft");
      pen.strokeStyle = colour("--line");
      pen.textAlign = "center";
      for (const mark of x.marks) { const [px, py] = at(x.place(mark), 0); line(pen, [[px, py], at(x.place(mark), 1)]); pen.fillText(String(mark), px, py + 16); }
      pen.textAlign = "right";
      for (const mark of y.marks) { const [px, py] = at(0, y.place(mark)); line(pen, [[px, py], at(1, y.place(mark))]); pen.fillText(String(mark), px - 6, py + 4); }
      pen.fillStyle = colour("--ink");
      pen.textAlign = "center";
      pen.fillText(titles[0], at(0.5, 0)[0], box.clientHeight - 8);
      pen.save(); pen.translate(14, at(0, 0.5)[1]); pen.rotate(-Math.PI / 2); pen.fillText(titles[1], 0, 0); pen.restore();
    };
    const line = (pen, points) => { pen.beginPath(); points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y))); pen.stroke(); };
    let found = null;
    surface.addEventListener("mousemove", (event) => {
      found = nearest(event.offsetX, event.offsetY, at);
      tip.hidden = !found;
      surface.style.cursor = found?.row !== undefined ? "pointer" : "default";
      if (!found) return;
      tip.textContent = found.text;
      const left = found.x > box.clientWidth / 2 ? found.x - tip.offsetWidth - 12 : found.x + 12;
      tip.style.left = `${Math.max(0, left)}px`;
      tip.style.top = `${Math.max(0, found.y - tip.offsetHeight - 8)}px`;
    });
    surface.addEventListener("mouseleave", () => { tip.hidden = true; });
    surface.addEventListener("click", () => found && open(found));
    new ResizeObserver(redraw).observe(box);
    return { box, redraw, frame, line };
  }
  const openLog = (found) => {
    const log = path(columns[found.column].log[found.row]);
    if (log) window.open(log, "_blank");
  };

  function curves() {
    return columns.map((column, c) => {
      let start = 0;
      const good = [];
      for (const row of view) {
        const score = has(c, row) ? column.score[row] : 0;
        if (score < 0) start += score;
        else if (score > 0) good.push([time(c, row), score, row]);
      }
      good.sort((a, b) => a[0] - b[0] || a[2] - b[2]);
      let sum = start;
      return { start, points: good.map(([seconds, score, row]) => ({ from: sum, to: (sum += score), seconds, row })), total: sum };
    });
  }

  function quantile() {
    let all = [];
    let [x, y] = [null, null];
    const plot = canvas((pen, at, colour) => {
      all = curves();
      const shown = all.filter((_, c) => !state.hidden.has(c));
      x = linearAxis(Math.min(0, ...shown.map((curve) => curve.start)), Math.max(1, ...shown.map((curve) => curve.total)));
      y = timeAxis(limit());
      plot.frame(pen, x, y, ["accumulated score", "time in s (linear below 1 s)"], colour);
      all.forEach((curve, c) => {
        if (state.hidden.has(c)) return;
        pen.strokeStyle = columns[c].colour === "#000000" ? colour("--ink") : columns[c].colour;
        pen.lineWidth = 2;
        pen.setLineDash(c < 8 ? [] : [6, 4]);
        plot.line(pen, curve.points.flatMap((point) => [at(x.place(point.from), y.place(point.seconds)), at(x.place(point.to), y.place(point.seconds))]));
        pen.setLineDash([]);
      });
      all.forEach((curve, c) => { legend.children[c].lastChild.textContent = ` ${columns[c].label} (${digits(curve.total, 6)})`; });
    }, (px, py, at) => {
      let best = null;
      all.forEach((curve, c) => {
        if (state.hidden.has(c)) return;
        for (const point of curve.points) {
          const [qx, qy] = at(x.place((point.from + point.to) / 2), y.place(point.seconds));
          const distance = (qx - px) ** 2 + (qy - py) ** 2;
          if (distance < 400 && (!best || distance < best.distance)) {
            best = { distance, x: qx, y: qy, row: point.row, column: c,
              text: `${columns[c].label}\n${data.names[point.row]}\n${status(c, point.row)}, ${digits(point.seconds)} s\nscore so far ${digits(point.to, 6)}` };
          }
        }
      });
      return best;
    }, openLog);
    const legend = make("div", { class: "legend" }, ...columns.map((column, c) => make("label", {},
      make("input", { type: "checkbox", checked: !state.hidden.has(c), onchange: (event) => { event.target.checked ? state.hidden.delete(c) : state.hidden.add(c); plot.redraw(); } }),
      make("i", { style: `background:${column.colour}` }), make("span", {}, column.label))));
    main.append(filters(() => plot.redraw()), plot.box, legend);
    plot.redraw();
  }

  function scatter() {
    let points = [];
    let axis = null;
    const plot = canvas((pen, at, colour) => {
      axis = timeAxis(limit());
      plot.frame(pen, axis, axis, [`${columns[state.x].label}: time in s`, `${columns[state.y].label}: time in s`], colour);
      pen.strokeStyle = colour("--soft");
      for (const factor of [0.1, 1, 10]) {
        pen.setLineDash(factor === 1 ? [] : [3, 4]);
        const steps = [...Array(121).keys()].map((i) => 10 ** (i / 24 - 2)).filter((value) => axis.place(value * factor) < 1 && axis.place(value) < 1);
        plot.line(pen, steps.map((value) => at(axis.place(value), axis.place(value * factor))));
      }
      pen.setLineDash([]);
      points = [];
      for (const row of view) {
        if (!has(state.x, row) || !has(state.y, row)) continue;
        const both = [category(state.x, row), category(state.y, row)];
        if (state.correctOnly && !both.every((name) => name.startsWith("correct"))) continue;
        const [px, py] = at(axis.place(time(state.x, row)), axis.place(time(state.y, row)));
        points.push({ x: px, y: py, row, column: state.x });
        pen.fillStyle = both.includes("wrong") ? "#c8102ecc" : both.every((name) => name === "correct") ? "#0072b299" : "#8a8a8a80";
        pen.beginPath(); pen.arc(px, py, 3, 0, 7); pen.fill();
      }
    }, (px, py) => {
      let best = null;
      for (const point of points) {
        const distance = (point.x - px) ** 2 + (point.y - py) ** 2;
        if (distance < 144 && (!best || distance < best.distance)) best = { ...point, distance };
      }
      if (best) {
        best.text = `${data.names[best.row]}\n${columns[state.x].label}: ${status(state.x, best.row)}, ${digits(time(state.x, best.row))} s\n${columns[state.y].label}: ${status(state.y, best.row)}, ${digits(time(state.y, best.row))} s`;
      }
      return best;
    }, openLog);
    const bar = filters(() => plot.redraw());
    const pick = (label, name) => make("label", {}, `${label} `, make("select", { "aria-label": label, onchange: (event) => { state[name] = Number(event.target.value); plot.redraw(); } },
      ...columns.map((column, c) => make("option", { value: c, selected: state[name] === c }, `${column.label} ${column.runSet}`))));
    bar.prepend(pick("x", "x"), pick("y", "y"), make("label", {}, make("input", { type: "checkbox", checked: state.correctOnly, onchange: (event) => { state.correctOnly = event.target.checked; plot.redraw(); } }), " correct only"));
    main.append(bar, plot.box);
    plot.redraw();
  }

  // ---- differences between two columns -------------------------------------------------------------------------
  function differences() {
    if (columns.length < 2) { main.append(make("p", {}, "There is only one result set; nothing to compare.")); return; }
    const pick = (label, name) => make("label", {}, `${label} `, make("select", { "aria-label": label, onchange: (event) => { state[name] = Number(event.target.value); show("differences"); } },
      ...columns.map((column, c) => make("option", { value: c, selected: state[name] === c }, `${column.label} ${column.runSet}`))));
    const { left, right } = state;
    const changed = [];
    let [both, faster, slower] = [0, 0, 0];
    for (let row = 0; row < rows; row++) {
      if (!has(left, row) && !has(right, row)) continue;
      if (status(left, row) !== status(right, row)) changed.push(row);
      else if (category(left, row) === "correct") {
        both++;
        const ratio = time(right, row) / Math.max(time(left, row), 1e-6);
        if (ratio < 0.8) faster++;
        if (ratio > 1.25) slower++;
      }
    }
    const rank = (row) => ({ wrong: 0, correct: 1 })[category(right, row)] ?? 2;
    changed.sort((a, b) => rank(a) - rank(b) || a - b);
    const list = changed.slice(0, 2000).map((row) => make("tr", {}, make("td", {}, data.names[row]), make("td", {}, text(data.property[row])), make("td", {}, text(data.expected[row])),
      ...[left, right].flatMap((c) => [make("td", { class: has(c, row) ? category(c, row) : "" }, status(c, row) || "not run"), make("td", { class: "number" }, has(c, row) ? digits(time(c, row)) : "")])));
    main.append(make("div", { class: "bar" }, pick("before", "left"), pick("after", "right"),
      make("span", { class: "count" }, `${changed.length} different answers; of ${both} that both solve, ${faster} are faster by a fifth, ${slower} slower by a quarter`)),
    make("div", { class: "wrap" }, make("table", { class: "plain", id: "differences" },
      make("thead", {}, make("tr", {}, ...["task", "property", "expected", columns[left].label, "time (s)", columns[right].label, "time (s)"].map((title) => make("th", {}, title)))),
      make("tbody", {}, ...list))), changed.length > list.length ? make("p", {}, `… and ${changed.length - list.length} more: use the table with “only differences”.`) : null);
  }

  function environment() {
    for (const column of columns) {
      main.append(make("h2", {}, `${column.label} ${column.runSet}`),
        make("dl", {}, ...column.facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
    }
  }

  update();
  window.addEventListener("hashchange", () => show(location.hash.slice(1)));
  show(location.hash.slice(1) || "summary");
  // For tests: what is shown now.
  window.quodReport = { state, visible: () => view.map((row) => data.names[row]), rows };
})();
