"use strict";
// The report as a page. All that is shown comes from the data as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const SIGN = { holds: "✓", fails: "✗", vacuous: "!", possible: "~", "not-known": "?" };
const WORD = { holds: "holds", fails: "fails", vacuous: "holds, but says nothing", possible: "may fail", "not-known": "not known" };
const SVG = "http://www.w3.org/2000/svg";
const MOST_DRAWN = 400;

function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  return fill(element, attributes, inside);
}
function draw(tag, attributes, ...inside) {
  return fill(document.createElementNS(SVG, tag), attributes, inside);
}
function fill(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...inside.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

// ---- what is shown -------------------------------------------------------------------------

const shown = { file: 0, property: 0, run: 0, frame: 0, signals: false, details: false };
let player = null;

function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (name, otherwise) => {
    const value = parseInt(given.get(name), 10);
    return Number.isNaN(value) ? otherwise : value;
  };
  const first = firstToShow();
  const wanted = {
    file: number("file", first[0]), property: number("property", first[1]), run: number("run", 0),
    signals: given.get("signals") === "1", details: given.get("details") === "1",
  };
  const file = data.files[wanted.file];
  if (!file || !file.properties[wanted.property]) [wanted.file, wanted.property] = first;
  Object.assign(shown, wanted);
  build();
  if (player) player.goToStep(number("step", 0));
}

function writeFragment() {
  const part = { file: shown.file, property: shown.property };
  if (shown.run) part.run = shown.run;
  if (shown.signals) part.signals = 1;
  if (shown.details) part.details = 1;
  if (player) part.step = player.step();
  history.replaceState(null, "", "#" + new URLSearchParams(part));
}

function firstToShow() {
  let best = [0, 0];
  let rank = 9;
  data.files.forEach((file, f) => file.properties.forEach((property, p) => {
    const order = ["fails", "possible", "vacuous", "not-known", "holds"].indexOf(property.verdict);
    if (order < rank) { rank = order; best = [f, p]; }
  }));
  return best;
}

// ---- the frame of the page -----------------------------------------------------------------

function build() {
  const s = data.summary;
  const counts = [[s.fail, "fails", "fail"], [s.vacuous, "is vacuous", "are vacuous"],
    [s.possible, "may fail", "may fail"], [s.not_known, "is not known", "are not known"], [s.hold, "holds", "hold"]]
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  const sum = s.properties === 0 ? "no properties" :
    `${s.properties} ${s.properties === 1 ? "property" : "properties"}: ${counts.join(", ")}`;
  const stopped = data.interrupted ? " (stopped early)" : "";
  document.querySelector("header").replaceChildren(
    make("h1", {}, "Probity"), make("span", { class: "sum" }, sum + stopped));
  const nav = document.querySelector("nav");
  nav.replaceChildren(...data.files.flatMap((file, f) => [
    make("h2", {}, file.file),
    ...file.diagnostics.map((found) => make("details", {},
      make("summary", {}, `${found.severity}: ${found.message}`), make("pre", {}, found.rendered))),
    ...file.properties.map((property, p) => make("button", {
      "aria-current": f === shown.file && p === shown.property ? "true" : "false",
      click: () => choose(f, p),
    }, make("span", { class: "sign " + property.verdict }, SIGN[property.verdict]),
    make("span", {}, property.name, make("small", {}, WORD[property.verdict])))),
  ]));
  const main = document.querySelector("main");
  const file = data.files[shown.file];
  const property = file && file.properties[shown.property];
  player = null;
  if (!property) {
    main.replaceChildren(make("div", { class: "about" }, make("h2", {}, "Nothing was checked"),
      file && file.refused ? make("p", {}, "The file could not be read; what is wrong stands beside it.") : null));
    return;
  }
  main.replaceChildren(about(file, property));
  const runs = [property.story, ...property.others].filter((story) => story);
  if (runs.length > 0) {
    player = new Player(file, runs[Math.min(shown.run, runs.length - 1)], runs.length);
    main.append(player.element);
    player.fitWhenReady();
  } else if (file.picture || file.beginning) {
    player = new Player(file, null, 0);
    main.append(player.element);
    player.fitWhenReady();
  }
}

function choose(file, property) {
  Object.assign(shown, { file, property, run: 0, frame: 0 });
  build();
  if (player) player.go(0);
  writeFragment();
}

function about(file, property) {
  const strength = property.strength && property.verdict === "holds" ? ` (${property.strength})` : "";
  const rests = file.assumptions.filter((one) => property.assumptions.includes(one.number));
  const facts = property.evidence ? property.evidence.facts : [];
  return make("div", { class: "about" },
    make("h2", {}, make("span", { class: "sign " + property.verdict }, SIGN[property.verdict] + " "),
      property.name, make("span", { class: property.verdict }, " " + WORD[property.verdict] + strength)),
    property.text && property.text !== property.name ? make("p", { class: "text" }, property.text) : null,
    property.story && property.story.ending.text ? make("p", {}, sentence(property.story.ending.text)) : null,
    property.why ? make("p", {}, sentence(property.why)) : null,
    property.advice ? make("p", {}, sentence(property.advice)) : null,
    property.elsewhere ? make("p", {}, sentence(property.elsewhere)) : null,
    rests.length ? make("details", {}, make("summary", {}, `Assuming (${rests.length})`),
      make("ul", {}, rests.map((one) => make("li", {}, one.text)))) : null,
    facts.length ? make("details", {}, make("summary", {}, `What is always true and proves it (${facts.length})`),
      make("ul", {}, facts.map((one) => make("li", {}, one)))) : null);
}

function sentence(text) {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : first + ".";
}

// ---- a run, step by step -------------------------------------------------------------------

class Player {
  constructor(file, story, runs) {
    this.file = file;
    this.story = story;
    this.frames = frames(story);
    this.at = 0;
    this.track = new Track(story);
    this.items = new Map();
    this.states = new Set(file.picture ? file.picture.boxes.map((box) => box.name) : []);
    this.view = story && story.graphs ? new Shapes(file, story)
      : !story && file.beginning ? new Shapes(file, { graphs: file.beginning, steps: [], ending: {} }) : file.picture ? new Drawing(file.picture, story) : new Source(file, story);
    this.list = make("ol", { class: "steps" });
    this.values = make("div", { class: "values" });
    this.slider = make("input", { type: "range", min: 0, max: this.frames.length - 1, value: 0,
      "aria-label": "step of the run", input: () => this.go(Number(this.slider.value)) });
    this.output = make("output", { "aria-live": "polite", id: "where" });
    const button = (id, sign, label, to) => make("button", { id, title: label, "aria-label": label, click: () => this.go(to()) }, sign);
    this.buttons = [
      button("first", "«", "to the beginning (Home)", () => 0),
      button("back", "◀", "one back (left arrow)", () => this.at - 1),
      button("forward", "▶", "one forward (right arrow)", () => this.at + 1),
      button("last", "»", "to the end (End)", () => this.frames.length - 1),
    ];
    const box = (name, text) => make("label", {}, make("input", { type: "checkbox", id: name,
      checked: shown[name] ? "" : false, change: (event) => this.toggle(name, event.target.checked) }), text);
    const other = runs > 1 ? make("label", {}, "run ", make("select", { change: (event) => {
      shown.run = Number(event.target.value); build(); player.go(0); } },
    [...Array(runs).keys()].map((run) => make("option", { value: run, selected: run === shown.run ? "" : false }, String(run + 1))))) : null;
    const bar = story ? make("div", { class: "bar" }, this.buttons, this.slider, this.output,
      this.inner() ? box("signals", "signal by signal") : null, box("details", "details"), other,
      story.possible ? make("span", { class: "not-known" }, "possible run, not confirmed") : null) : make("div", { class: "bar" },
      make("span", { class: "sum" }, file.picture ? "The graph. There is no run to show: nothing fails."
        : "Where runs begin. There is no run to show."));
    this.element = make("section", { class: "player" }, bar, make("div", { class: "view" }, this.view.element),
      make("div", { class: "side" }, this.list, this.values));
    if (!story) this.element.lastChild.remove();
    this.fillList();
    this.go(0);
  }
  inner() {
    return this.story.steps.some((step) => step.happenings.filter((one) => one.places.length).length > 1);
  }
  toggle(name, value) {
    const step = this.step();
    shown[name] = value;
    this.frames = frames(this.story);
    this.slider.max = this.frames.length - 1;
    this.fillList();
    this.goToStep(step);
  }
  /** Whether a variable is what a box remembers beside its state: too much to be told at every step. */
  isMemory(name) {
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) if (this.states.has(name.slice(0, dot))) return true;
    return false;
  }
  /** The number of the step that is shown; 0 is the beginning. */
  step() { return this.frames[this.at].step + 1; }
  goToStep(number) {
    const last = this.frames.length - 1;
    const found = this.frames.findIndex((frame) => frame.step + 1 === number);
    this.go(found >= 0 ? found : number > 0 ? last : 0);
  }
  go(to) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    if (!this.story) { this.view.show(null, new Map(), new Map()); return; }
    const frame = this.frames[this.at];
    const changed = this.track.to(frame);
    const { values, known } = this.track;
    this.slider.value = this.at;
    this.buttons[0].disabled = this.buttons[1].disabled = this.at === 0;
    this.buttons[2].disabled = this.buttons[3].disabled = this.at === this.frames.length - 1;
    const count = this.story.steps.length;
    this.output.textContent = frame.step < 0 ? `beginning of ${count} ${count === 1 ? "step" : "steps"}` : `step ${frame.step + 1} of ${count}`;
    if (this.current) {
      this.current.removeAttribute("aria-current");
      for (const line of this.current.querySelectorAll("p.at")) line.classList.remove("at");
    }
    this.current = this.items.get(frame.step);
    if (this.current) {
      this.current.setAttribute("aria-current", "step");
      reveal(this.list, this.current);
      for (const line of this.current.querySelectorAll("p[data-at]")) line.classList.toggle("at", frame.happening !== null && Number(line.dataset.at) === frame.happening);
    }
    const rows = [...known].filter(([name, detail]) => !this.states.has(name) && (!detail && !this.isMemory(name) || shown.details || changed.has(name) && !detail)).map(([name]) => name);
    this.values.replaceChildren(make("h3", {}, this.file.picture ? "Flags" : "Variables that change"), make("table", {},
      rows.map((name) => make("tr", { class: changed.has(name) ? "changed" : null }, make("td", {}, name),
        make("td", {}, changed.has(name) ? `${changed.get(name)} → ${values.get(name)}` : values.get(name) ?? "")))));
    this.values.hidden = rows.length === 0;
    this.view.show(frame, values, changed);
    document.body.dataset.step = frame.step + 1;
    if (player === this) writeFragment();
  }
  fillList() {
    if (!this.story) return;
    const story = this.story;
    const items = [];
    const told = story.beginning.filter((one) => !one.detail || shown.details);
    items.push(make("li", { "data-step": -1, click: () => this.goToStep(0) }, make("span", { class: "no" }, "0"),
      make("p", {}, "The beginning"), told.map((one) => make("p", { class: "detail" }, `${one.variable} = ${one.value}`))));
    story.steps.forEach((step, index) => {
      if (story.repeats_from === index) items.push(make("li", { class: "loop" }, "⟲ from here on the run repeats for ever"));
      items.push(make("li", { "data-step": index, click: () => this.goToStep(index + 1) },
        make("span", { class: "no" }, String(step.number)), tellings(step, this.view)));
    });
    if (story.repeats_from === story.steps.length && story.steps.length > 0) items.push(make("li", { class: "loop" }, "⟲ nothing changes any more"));
    else if (story.repeats_from !== null && story.repeats_from < story.steps.length) items.push(make("li", { class: "loop" }, `⟲ back to step ${story.steps[story.repeats_from].number}`));
    const ending = [sentence(story.ending.text), ...story.ending.values.map((one) => `${one.name} = ${one.value}`)];
    items.push(make("li", { class: "end" }, ending.map((text) => make("p", {}, text))));
    this.list.replaceChildren(...items);
    this.items = new Map(items.filter((item) => item.dataset.step !== undefined).map((item) => [Number(item.dataset.step), item]));
    this.current = null;
  }
  fitWhenReady() { requestAnimationFrame(() => this.view.fit && this.view.fit()); }
}

function tellings(step, view) {
  const lines = [];
  step.happenings.forEach((one, index) => {
    if (one.detail && !shown.details && one.kind !== "fault") return;
    if (!one.text && !one.line) return;
    const where = one.line && (shown.details || !one.text) ? ` (line ${one.line.line})` : "";
    const who = one.who ? one.who + ": " : "";
    const text = one.places.reduce((text, place) => text.replace(place, () => view.label(place)), one.text);
    lines.push(make("p", { class: one.detail ? "detail" : null, "data-at": index, title: one.line ? `${one.line.file}:${one.line.line}: ${one.line.source}` : null }, who + (text || one.line.source) + where));
  });
  for (const change of step.changes) {
    if (change.detail && !shown.details) continue;
    lines.push(make("p", { class: "change" }, `${change.variable}: ${change.before} → ${change.after}`));
  }
  if (lines.length === 0) lines.push(make("p", { class: "detail" }, quiet(step)));
  return lines;
}

function quiet(step) {
  const first = step.happenings.find((one) => one.text || one.line);
  return first ? first.text || first.line.source : "nothing that is seen";
}

/** What the player shows one after another: the beginning, and each step as a whole or event by event. */
function frames(story) {
  const all = [{ step: -1, happening: null }];
  if (!story) return all;
  story.steps.forEach((step, index) => {
    if (shown.signals) step.happenings.forEach((one, at) => { if (one.places.length) all.push({ step: index, happening: at }); });
    if (!shown.signals || all[all.length - 1].step !== index) all.push({ step: index, happening: null });
  });
  return all;
}

/** Values behind the frame's step, and what the step changed. While a step goes on, nothing has changed yet. */
/** What variables are as the run goes forwards and back. While a step goes on, nothing has changed yet. */
class Track {
  constructor(story) {
    this.steps = story ? story.steps : [];
    this.values = new Map();
    this.known = new Map();
    this.step = -1;
    for (const one of story ? story.beginning : []) { this.values.set(one.variable, one.value); this.known.set(one.variable, one.detail); }
    for (const step of this.steps) for (const change of step.changes) {
      if (!this.values.has(change.variable)) this.values.set(change.variable, change.before);
      this.known.set(change.variable, change.detail);
    }
  }
  /** Goes to a frame; gives what its step changes, with what that was before. */
  to(frame) {
    for (; this.step < frame.step; this.step += 1) for (const change of this.steps[this.step + 1].changes) this.values.set(change.variable, change.after);
    for (; this.step > frame.step; this.step -= 1) for (const change of [...this.steps[this.step].changes].reverse()) this.values.set(change.variable, change.before);
    const changes = frame.step < 0 ? [] : this.steps[frame.step].changes;
    return new Map(changes.map((change) => [change.variable, change.before]));
  }
}

function reveal(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
}

// ---- the script as text --------------------------------------------------------------------

class Source {
  constructor(file, story) {
    this.lines = new Map();
    const goal = story && story.ending.line;
    this.element = make("div", { class: "source" }, file.texts.flatMap((text) => [
      file.texts.length > 1 ? make("h3", {}, text.name) : null,
      make("ol", {}, text.text.split("\n").map((line, index) => {
        const item = make("li", {}, make("span", {}, String(index + 1)), line);
        if (goal && goal.file === text.name && goal.line === index + 1) item.classList.add("goal");
        this.lines.set(`${text.name}:${index + 1}`, item);
        return item;
      })),
    ]));
    this.story = story;
  }
  show(frame) {
    for (const item of this.element.querySelectorAll(".now")) item.classList.remove("now");
    if (!frame || frame.step < 0) return;
    let last = null;
    for (const one of this.story.steps[frame.step].happenings) {
      const item = one.line && this.lines.get(`${one.line.file}:${one.line.line}`);
      if (item) { item.classList.add("now"); last = last || item; }
    }
    if (last) {
      const top = last.offsetTop - this.element.offsetTop;
      const room = this.element.clientHeight;
      if (top < this.element.scrollTop + 20 || top > this.element.scrollTop + room - 40) this.element.scrollTop = top - room / 3;
    }
  }
}

// ---- configurations as drawn graphs ----------------------------------------------------------

/** Each configuration of a run as a graph, above the text. What differs from the one before is marked. */
class Shapes {
  constructor(file, story) {
    this.graphs = story.graphs;
    this.text = new Source(file, story);
    this.svg = draw("svg", { role: "img", "aria-label": "the configuration" });
    this.legend = make("p", { class: "legend" });
    const nodes = this.graphs.flatMap((graph) => graph.nodes);
    this.left = Math.min(...nodes.map((node) => node.x)) - 60;
    this.top = Math.min(...nodes.map((node) => node.y)) - 60;
    this.right = Math.max(...nodes.map((node) => node.x + node.width)) + 60;
    this.bottom = Math.max(...nodes.map((node) => node.y + node.height)) + 40;
    this.element = make("div", { class: "shapes" }, make("div", { class: "shape" }, this.legend, this.svg), this.text.element);
    this.fit();
  }
  label(place) { return place; }
  fit() {
    if (!Number.isFinite(this.left)) return;
    this.svg.setAttribute("viewBox", [this.left, this.top, this.right - this.left, this.bottom - this.top].join(" "));
    // Small pictures are not blown up.
    this.svg.style.maxWidth = `${(this.right - this.left) * 1.3}px`;
  }
  show(frame) {
    this.text.show(frame);
    const at = frame ? frame.step + 1 : 0;
    const graph = this.graphs[at];
    const before = at > 0 ? this.graphs[at - 1] : graph;
    const was = this.facts(before);
    const is = this.facts(graph);
    const isNew = (fact) => at > 0 && !was.has(fact);
    const gone = before.nodes.filter((node) => !graph.nodes.some((other) => other.name === node.name));
    const told = graph.facts.map(([name, unknown]) => [unknown ? `${name}() = 1/2` : `${name}()`, isNew(this.fact([name, unknown]))]);
    const ended = before.facts.filter((one) => !is.has(this.fact(one))).map(([name, unknown]) => unknown ? `${name}() = 1/2` : `${name}()`);
    this.legend.replaceChildren(
      ...told.map(([text, changed]) => make("span", { class: changed ? "fact changed" : "fact" }, text)),
      ...ended.map((text) => make("span", { class: "fact ended" }, text)),
      make("span", { class: "key" }, this.key()));
    const marker = draw("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      draw("path", { d: "M0,0 L10,5 L0,10 z", class: "arrow" }));
    this.svg.replaceChildren(draw("defs", {}, marker));
    // What is no more: behind all else.
    for (const edge of before.edges) {
      const [from, to, label] = edge;
      const ends = [before.nodes[from], before.nodes[to]];
      if (label.split(", ").every((name) => [...is].some((fact) => fact.startsWith(`${name}(${ends[0].name}, ${ends[1].name})`)))) continue;
      this.edge(ends, edge, "ended", []);
    }
    for (const node of gone) this.node(node, "ended", () => false);
    const drawn = new Map();
    for (const edge of graph.edges) {
      const [from, to, label, unknown] = edge;
      const ends = [graph.nodes[from], graph.nodes[to]];
      const changed = label.split(", ").some((name) => isNew(this.pair(name, ends, unknown)));
      const key = [ends[0].name, ends[1].name].sort().join(" ");
      const number = drawn.get(key) || 0;
      drawn.set(key, number + 1);
      this.edge(ends, edge, changed ? "changed" : "", number);
    }
    for (const node of graph.nodes) {
      const fresh = at > 0 && !before.nodes.some((other) => other.name === node.name);
      this.node(node, fresh ? "changed" : "", (fact) => isNew(`${node.name}: ${this.fact(fact)}`), was.has(`${node.name}: several`));
    }
  }
  /** What is drawn how, of what these pictures show. */
  key() {
    const nodes = this.graphs.flatMap((graph) => graph.nodes);
    const edges = this.graphs.flatMap((graph) => graph.edges);
    const dotted = this.graphs.some((graph) => graph.facts.some((fact) => fact[1])) || edges.some((edge) => edge[3]) || nodes.some((node) => node.facts.some((fact) => fact[1]));
    const parts = [
      nodes.some((node) => node.thread) ? "six corners: a thread" : "",
      nodes.some((node) => node.summary) ? "doubled: stands for several" : "",
      dotted ? "dotted, 1/2: may hold" : "",
      this.graphs.length > 1 ? "marked: changed by this step" : "",
    ];
    return parts.filter((one) => one).join(" · ");
  }
  fact([name, unknown]) { return unknown ? `${name} = 1/2` : name; }
  pair(name, ends, unknown) { return `${name}(${ends[0].name}, ${ends[1].name})${unknown ? " = 1/2" : ""}`; }
  /** All that holds or may, as texts. */
  facts(graph) {
    const all = new Set(graph.facts.map((one) => this.fact(one)));
    for (const node of graph.nodes) {
      for (const one of node.facts) all.add(`${node.name}: ${this.fact(one)}`);
      if (node.summary) all.add(`${node.name}: several`);
    }
    for (const [from, to, label, unknown] of graph.edges) for (const name of label.split(", ")) all.add(this.pair(name, [graph.nodes[from], graph.nodes[to]], unknown));
    return all;
  }
  node(node, look, changed) {
    const { x, y, width, height } = node;
    const outline = (gap) => {
      if (!node.thread) return draw("rect", { class: "body", x: x - gap, y: y - gap, width: width + 2 * gap, height: height + 2 * gap, rx: 7 });
      const [l, r, t, b, m, side] = [x - gap, x + width + gap, y - gap, y + height + gap, y + height / 2, 12];
      return draw("path", { class: "body", d: `M${l},${t} L${r},${t} L${r + side},${m} L${r},${b} L${l},${b} L${l - side},${m} Z` });
    };
    const group = draw("g", { class: `individual ${look}` }, node.summary ? outline(5) : null, outline(0),
      draw("text", { class: "name", x: x + width / 2, y: y + 19, "text-anchor": "middle" }, node.name));
    node.facts.forEach((fact, index) => {
      const line = draw("text", { class: fact[1] ? "fact unknown" : "fact", x: x + 12, y: y + 40 + index * 17 }, this.fact(fact));
      if (changed(fact)) {
        line.classList.add("changed");
        group.append(draw("rect", { class: "mark", x: x + 5, y: y + 28 + index * 17, width: width - 10, height: 16, rx: 4 }));
      }
      group.append(line);
    });
    this.svg.append(group);
  }
  edge([from, to], [, , label, unknown], look, number) {
    const middle = (node) => [node.x + node.width / 2, node.y + node.height / 2];
    const group = draw("g", { class: `relation ${look} ${unknown ? "unknown" : ""}` });
    const write = (x, y) => group.append(draw("text", { x, y, "text-anchor": "middle" }, label));
    if (from.name === to.name) {
      const x = from.x + from.width - 18, y = from.y;
      group.append(draw("path", { d: `M${x - 12},${y} C${x - 22},${y - 34} ${x + 26},${y - 34} ${x + 12},${y}`, "marker-end": "url(#arrow)" }));
      write(x, y - 30);
    } else {
      const [a, b] = [middle(from), middle(to)];
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const length = Math.hypot(dx, dy) || 1;
      // Several between two bend apart; opposite ones bend to opposite sides by themselves.
      const bend = 14 + 26 * number;
      const c = [(a[0] + b[0]) / 2 - dy / length * bend, (a[1] + b[1]) / 2 + dx / length * bend];
      const border = (node, [u, v], towards) => {
        const [du, dv] = [towards[0] - u, towards[1] - v];
        const extra = node.thread ? 12 : 0;
        const room = node.summary ? 5 : 0;
        const scale = Math.min((node.width / 2 + extra + room) / Math.max(1e-6, Math.abs(du)), (node.height / 2 + room) / Math.max(1e-6, Math.abs(dv)));
        return [u + du * scale, v + dv * scale];
      };
      const [p, q] = [border(from, a, c), border(to, b, c)];
      group.append(draw("path", { d: `M${p} Q${c} ${q}`, "marker-end": "url(#arrow)" }));
      write((p[0] + 2 * c[0] + q[0]) / 4, (p[1] + 2 * c[1] + q[1]) / 4 - 8);
    }
    this.svg.append(group);
  }
}

// ---- the script as a drawn graph -----------------------------------------------------------

class Drawing {
  constructor(picture, story) {
    this.picture = picture;
    this.inputs = new Map();
    this.outputs = new Map();
    picture.boxes.forEach((box, index) => {
      box.inputs.forEach((pin, at) => this.inputs.set(`${box.name}.${pin.name}`, [index, at]));
      box.outputs.forEach((pin, at) => this.outputs.set(`${box.name}.${pin.name}`, [index, at]));
    });
    // Lines by where they begin, pins that lines end at, and how often a title is used.
    this.leaving = new Map();
    this.joined = new Set();
    for (const [from, output, to, input] of picture.lines) {
      const pin = `${from} ${output}`;
      if (!this.leaving.has(pin)) this.leaving.set(pin, []);
      this.leaving.get(pin).push(`${to} ${input}`);
      this.joined.add("o" + pin).add(`i${to} ${input}`);
    }
    this.titles = new Map();
    for (const box of picture.boxes) this.titles.set(box.title, (this.titles.get(box.title) || 0) + 1);
    this.story = story;
    /** For each box that the run touches, the first step that does. */
    this.touched = new Map();
    (story ? story.steps : []).forEach((step, index) => step.happenings.forEach((one) => one.places.forEach((place) => {
      const found = this.outputs.get(place) || this.inputs.get(place);
      if (found && !this.touched.has(found[0])) this.touched.set(found[0], index);
    })));
    this.kept = this.choose();
    // Very many boxes are drawn as they come into sight.
    this.asSeen = this.kept.size > 3 * MOST_DRAWN;
    this.under = draw("g", {});
    this.root = draw("g", {});
    this.top = draw("g", {});
    this.svg = draw("svg", { role: "img", "aria-label": "the graph" }, this.under, this.root, this.top);
    this.boxes = new Map();
    this.lines = new Map();
    this.lit = [];
    for (const sheet of picture.sheets) if (picture.sheets.length > 1) this.root.append(draw("text", { class: "sheet-name", x: sheet.x, y: sheet.y }, sheet.name));
    this.waiting = new Set(this.kept);
    this.atBox = new Map();
    for (const line of picture.lines) if (this.kept.has(line[0]) && this.kept.has(line[2])) for (const box of new Set([line[0], line[2]])) {
      if (!this.atBox.has(box)) this.atBox.set(box, []);
      this.atBox.get(box).push(line);
    }
    this.shownLast = null;
    this.window = [0, 0, 800, 600];
    this.drawWaiting();
    const tool = (sign, label, act) => make("button", { title: label, "aria-label": label, click: act }, sign);
    const hidden = picture.boxes.length - this.kept.size;
    this.element = make("div", { style: "height:100%" }, this.svg, make("div", { class: "tools" },
      tool("+", "larger", () => this.zoom(0.8)), tool("−", "smaller", () => this.zoom(1.25)),
      tool("run", "show what the run touches", () => this.fit(true)), tool("all", "show all", () => this.fit(false))),
    hidden > 0 ? make("div", { class: "note" }, `${hidden} nodes that this run does not touch are left out`) : null);
    this.hold();
  }
  /** All boxes; of very many, those that the run touches and their neighbours. */
  choose() {
    const all = new Set(this.picture.boxes.keys());
    if (all.size <= MOST_DRAWN || !this.story) return all;
    const touched = this.touched;
    const near = new Set(touched.keys());
    for (const [from, , to] of this.picture.lines) {
      if (touched.has(from)) near.add(to);
      if (touched.has(to)) near.add(from);
    }
    return near;
  }
  /** A pin as the designer reads it; of several boxes that read alike, with the box's own name. */
  label(place) {
    const input = this.inputs.get(place);
    const [index, at] = this.outputs.get(place) || input || [];
    if (index === undefined) return place;
    const box = this.picture.boxes[index];
    const pin = (this.outputs.has(place) ? box.outputs : box.inputs)[at];
    const alike = this.titles.get(box.title) > 1 && box.title !== box.name;
    return `${box.title}${alike ? ` (${box.name})` : ""} ▸ ${pin.title}`;
  }
  pin(index, at, left) {
    const box = this.picture.boxes[index];
    return [left ? box.x : box.x + box.width, box.y + 44 + at * 18];
  }
  /** Draws what is not drawn yet, as far as it can be seen; says whether there was anything. */
  drawWaiting() {
    const [x, y, width, height] = this.window;
    const near = (box) => box.x + box.width > x - width / 2 && box.x < x + width * 1.5 && box.y + box.height > y - height / 2 && box.y < y + height * 1.5;
    const before = this.waiting.size;
    for (const index of this.waiting) {
      const box = this.picture.boxes[index];
      if (this.asSeen && !near(box)) continue;
      this.waiting.delete(index);
      this.drawBox(box, index);
      (this.atBox.get(index) || []).forEach((line) => this.drawLine(line));
    }
    return this.waiting.size < before;
  }
  drawLine(line) {
    const [from, output, to, input, data] = line;
    const begin = `${from} ${output}`;
    if (!this.lines.has(begin)) this.lines.set(begin, []);
    const beginning = this.lines.get(begin);
    if (beginning.some((other) => other.line === line)) return;
    const [x, y] = this.pin(from, output, false);
    const [u, v] = this.pin(to, input, true);
    const pull = Math.max(30, Math.min(160, Math.abs(u - x) / 2 + (u < x ? 60 : 0)));
    const path = draw("path", { class: data ? "line data" : "line", d: `M${x},${y} C${x + pull},${y} ${u - pull},${v} ${u},${v}` });
    beginning.push({ line, path, to, input });
    this.under.append(path);
  }
  drawBox(box, index) {
    const group = draw("g", { class: box.remark ? "box remark" : "box" }, draw("title", {}, `${box.name}: ${box.kind}`));
    const cut = (text, room) => { const most = Math.floor(room); return text.length > most ? text.slice(0, Math.max(1, most - 1)) + "…" : text; };
    group.append(draw("rect", { class: "body", x: box.x, y: box.y, width: box.width, height: box.height, rx: 7 }));
    group.append(draw("rect", { class: "head", x: box.x + 2, y: box.y + 2, width: box.width - 4, height: 24, rx: 5 }),
      draw("text", { class: "title", x: box.x + 10, y: box.y + 18 }, cut(box.title, (box.width - 16) / 7)));
    const pill = draw("rect", { class: "pill", x: box.x + 6, y: box.y + box.height - 20, width: box.width - 12, height: 16, rx: 8 });
    const state = draw("text", { class: "state", x: box.x + box.width / 2, y: box.y + box.height - 8, "text-anchor": "middle" });
    const pins = new Map();
    const room = (box.width - 34) / 6.2;
    const wide = Math.max(0, ...box.inputs.map((pin) => pin.title.length));
    [[box.inputs, true], [box.outputs, false]].forEach(([list, left]) => list.forEach((pin, at) => {
      const [x, y] = this.pin(index, at, left);
      const mark = pin.data ? draw("circle", { class: "pin-mark data", cx: x, cy: y, r: 4 })
        : draw("path", { class: "pin-mark", d: `M${x - 5},${y - 5} L${x + 5},${y} L${x - 5},${y + 5} Z` });
      if (this.joined.has(`${left ? "i" : "o"}${index} ${at}`)) mark.classList.add("joined");
      const text = draw("text", { class: "pin", x: left ? x + 10 : x - 10, y: y + 4, "text-anchor": left ? "start" : "end" },
        cut(pin.title, left ? room : Math.max(room - wide, room / 3)));
      pins.set((left ? "i" : "o") + at, [mark, text]);
      group.append(mark, text);
    }));
    group.append(pill, state);
    this.boxes.set(index, { group, state, pins, look: "", text: "" });
    this.root.append(group);
  }
  /** The pins of a step in order, each as [box, pin, whether it is an input]. */
  places(step, last) {
    const places = [];
    step.happenings.forEach((one, at) => {
      if (last !== null && at > last) return;
      for (const place of one.places) {
        const out = this.outputs.get(place);
        const into = this.inputs.get(place);
        const before = places[places.length - 1];
        const led = into && before && !before[2] && (this.leaving.get(`${before[0]} ${before[1]}`) || []).includes(`${into[0]} ${into[1]}`);
        if (into && (led || !out)) places.push([into[0], into[1], true]);
        else if (out) places.push([out[0], out[1], false]);
      }
    });
    return places;
  }
  show(frame, values, changed) {
    this.shownLast = null;
    this.step = frame ? frame.step : -1;
    const places = frame && frame.step >= 0 ? this.places(this.story.steps[frame.step], frame.happening) : [];
    const current = frame && frame.happening !== null && places.length > 0 ? [places[places.length - 1]] : places;
    const now = new Set(current.map(([box]) => box));
    this.bring([...now]);
    // Of very many boxes few look different: only those are touched.
    const passed = new Set(places.map(([box]) => box));
    for (const [index, drawn] of this.boxes) {
      const name = this.picture.boxes[index].name;
      const been = frame !== null && this.touched.get(index) < frame.step || passed.has(index);
      const look = (now.has(index) ? " now" : been ? " been" : "") + (changed.has(name) ? " changed" : "");
      if (drawn.look !== look) {
        for (const mark of ["now", "been", "changed"]) drawn.group.classList.toggle(mark, look.includes(" " + mark));
        drawn.look = look;
      }
      const state = values.get(name) ?? "";
      if (drawn.text !== state) { drawn.state.textContent = state; drawn.text = state; }
    }
    for (const part of this.lit) part.classList.remove("now");
    this.lit = [];
    const light = (part) => { part.classList.add("now"); this.lit.push(part); };
    for (const [box, pin, input] of places) {
      const drawn = this.boxes.get(box);
      if (drawn) (drawn.pins.get((input ? "i" : "o") + pin) || []).forEach(light);
    }
    places.forEach(([box, pin, input], at) => {
      if (input) return;
      const entered = places.slice(at + 1).filter((place) => place[2]).map(([other, into]) => `${other} ${into}`);
      for (const line of this.lines.get(`${box} ${pin}`) || []) {
        if (entered.length === 0 || entered.includes(`${line.to} ${line.input}`)) light(line.path);
      }
    });
    this.top.replaceChildren();
    const numbered = new Map();
    places.forEach(([box]) => { if (!numbered.has(box)) numbered.set(box, numbered.size + 1); });
    if (numbered.size > 1) for (const [index, number] of numbered) {
      const box = this.picture.boxes[index];
      if (this.boxes.has(index)) this.top.append(draw("circle", { class: "order", cx: box.x, cy: box.y, r: 9 }),
        draw("text", { class: "order-no", x: box.x, y: box.y + 3.5 }, String(number)));
    }
    this.shownLast = [frame, values, changed];
  }
  bounds(indices) {
    const boxes = indices.map((index) => this.picture.boxes[index]);
    if (boxes.length === 0) return null;
    const left = Math.min(...boxes.map((box) => box.x)), top = Math.min(...boxes.map((box) => box.y));
    return [left, top, Math.max(...boxes.map((box) => box.x + box.width)) - left, Math.max(...boxes.map((box) => box.y + box.height)) - top];
  }
  fit(run = true) {
    const size = this.svg.getBoundingClientRect();
    const scaleOf = (bounds) => Math.max((bounds[2] + 80) / Math.max(1, size.width), (bounds[3] + 90) / Math.max(1, size.height), 0.6);
    const touched = run && this.kept.size > 30 ? [...this.touched.keys()].filter((index) => this.kept.has(index)) : [];
    const wanted = touched.length ? touched : [...this.kept];
    let bounds = this.bounds(wanted);
    if (!bounds) return;
    // Of a long run no more than can be read: where it is now, or where it begins.
    if (run && scaleOf(bounds) > (touched.length ? 1.6 : 4)) {
      const soFar = touched.filter((index) => this.touched.get(index) <= this.step);
      bounds = this.bounds(soFar.length ? soFar.slice(-5) : wanted.slice(0, 5));
    }
    const scale = scaleOf(bounds);
    const width = scale * size.width, height = scale * size.height;
    this.set([bounds[0] + bounds[2] / 2 - width / 2, bounds[1] + bounds[3] / 2 - height / 2, width, height]);
  }
  /** Moves the window if what happens now is out of sight. */
  bring(indices) {
    const bounds = this.bounds(indices.filter((index) => this.kept.has(index)));
    if (!bounds) return;
    const [x, y, width, height] = this.window;
    const inside = bounds[0] >= x && bounds[1] >= y && bounds[0] + bounds[2] <= x + width && bounds[1] + bounds[3] <= y + height;
    if (!inside) {
      const scale = Math.max(1, (bounds[2] + 60) / width, (bounds[3] + 60) / height);
      const [w, h] = [width * scale, height * scale];
      this.set([bounds[0] + bounds[2] / 2 - w / 2, bounds[1] + bounds[3] / 2 - h / 2, w, h]);
    }
  }
  zoom(by, at = [0.5, 0.5]) {
    const [x, y, width, height] = this.window;
    this.set([x + width * at[0] * (1 - by), y + height * at[1] * (1 - by), width * by, height * by]);
  }
  set(window) {
    this.window = window;
    this.svg.setAttribute("viewBox", window.join(" "));
    if (this.drawWaiting() && this.shownLast) this.show(...this.shownLast);
  }
  hold() {
    let start = null;
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const size = this.svg.getBoundingClientRect();
      this.zoom(event.deltaY > 0 ? 1.15 : 0.87, [(event.clientX - size.left) / size.width, (event.clientY - size.top) / size.height]);
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => { start = [event.clientX, event.clientY, ...this.window]; this.svg.setPointerCapture(event.pointerId); this.svg.classList.add("held"); });
    this.svg.addEventListener("pointermove", (event) => {
      if (!start) return;
      const size = this.svg.getBoundingClientRect();
      this.set([start[2] - (event.clientX - start[0]) * start[4] / size.width, start[3] - (event.clientY - start[1]) * start[5] / size.height, start[4], start[5]]);
    });
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => { start = null; this.svg.classList.remove("held"); });
  }
}

// ---- keys ----------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (!player || !player.story || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof HTMLSelectElement || event.target === player.slider) return;
  const to = { ArrowRight: player.at + 1, ArrowLeft: player.at - 1, Home: 0, End: player.frames.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  player.go(to);
});
addEventListener("hashchange", readFragment);
readFragment();
