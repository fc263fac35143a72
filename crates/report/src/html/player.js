// ---- a run, step by step -------------------------------------------------------------------

/** How many steps the list holds at once, and how many come when it is scrolled to its end. */
const LISTED = 120;
const MORE_LISTED = 60;
const MOST_ROWS = 200;

class Player {
  constructor(file, story, runs) {
    this.file = file;
    this.run = story ? new Run(story) : null;
    this.at = 0;
    this.only = null;
    this.items = new Map();
    this.states = new Map(file.picture ? file.picture.boxes.map((box, index) => [box.name, index]) : []);
    this.view = story && story.graphs ? new Shapes(file, this.run)
      : !story && file.beginning && file.beginning.length ? new Shapes(file, null, file.beginning)
      : file.picture ? new Drawing(file.picture, this.run) : new Source(file, this.run);
    this.chart = this.run && Chart.of(this.run, (step) => this.goToStep(step));
    this.list = make("ol", { class: "steps", "aria-label": "steps" });
    this.list.addEventListener("scroll", () => this.more());
    this.slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "step of the run", input: () => this.go(Number(this.slider.value)) });
    this.output = make("output", { "aria-live": "polite", id: "where" });
    const panel = make("div", { class: "view" }, this.view.element);
    this.panel = panel;
    if (!story) {
      this.element = make("section", { class: "player alone" }, make("div", { class: "bar" }, make("span", { class: "sum" },
        file.picture ? "The graph. There is no run to show." : this.view instanceof Shapes ? "Where runs begin. There is no run to show." : "The script. There is no run to show.")), panel);
      this.frames = new Frames(null);
      this.view.show(null, new Map(), new Map());
      return;
    }
    const button = (id, sign, label, to) => make("button", { id, title: label, "aria-label": label, click: () => to() }, sign);
    this.buttons = [
      button("first", "«", "to the beginning (Home)", () => this.go(0)),
      button("back", "◀", "one back (left arrow)", () => this.go(this.at - 1)),
      button("forward", "▶", "one forward (right arrow)", () => this.go(this.at + 1)),
      button("last", "»", "to the end (End)", () => this.go(this.frames.count - 1)),
    ];
    const box = (name, text) => make("label", {}, make("input", { type: "checkbox", id: name,
      checked: shown[name] ? "" : false, change: (event) => this.toggle(name, event.target.checked) }), text);
    const other = runs > 1 ? make("label", {}, "run ", make("select", { id: "run", change: (event) => {
      shown.run = Number(event.target.value); build(); player.open(); } },
    [...Array(runs).keys()].map((run) => make("option", { value: run, selected: run === shown.run ? "" : false }, String(run + 1))))) : null;
    const turn = this.chart ? button("turn", "messages", "who says what to whom, or the script (c)", () => this.turn()) : null;
    this.turner = turn;
    this.help = make("details", { class: "keys" }, make("summary", { title: "keys (?)" }, "keys"), make("p", {},
      "← → one step · Page Up, Page Down ten · Home, End · o where the page opens · e an expression · n and p its next and last change · f only some steps · c messages · Esc out of a field"));
    const bar = make("div", { class: "bar" }, this.buttons, button("open", "✗", "where it goes wrong (o)", () => this.goToStep(story.opens_at)), this.slider, this.output,
      this.inner() ? box("signals", "signal by signal") : null, box("details", "details"), turn, other, this.help,
      story.possible ? make("span", { class: "not-known" }, "possible run, not confirmed") : null);
    this.watch = make("input", { id: "watch", type: "text", spellcheck: "false", autocomplete: "off", list: "names", placeholder: "an expression, such as " + this.example(), "aria-label": "expression that is evaluated at each step (e)", input: () => this.watched() });
    this.filter = make("input", { id: "filter", type: "text", spellcheck: "false", autocomplete: "off", list: "names", placeholder: "only steps that change …", "aria-label": "only steps that change variables with this in their name (f)", input: () => this.filtered() });
    for (const [input, enter] of [[this.watch, (back) => this.jump(back ? -1 : 1)], [this.filter, (back) => this.go(this.at + (back ? -1 : 1))]]) {
      input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); enter(event.shiftKey); } });
    }
    this.result = make("output", { id: "result", "aria-live": "polite" });
    this.names = make("datalist", { id: "names" });
    for (const variable of this.run.variables.slice(0, MOST_ROWS)) if (!variable.detail) this.names.append(make("option", { value: variable.name }));
    this.table = make("div", { class: "table" });
    this.values = make("div", { class: "values" }, make("div", { class: "ask" }, this.watch,
      button("before", "◂", "its last change (p)", () => this.jump(-1)), button("after", "▸", "its next change (n)", () => this.jump(1)), this.result),
    make("div", { class: "ask" }, this.filter), this.names, this.table);
    this.element = make("section", { class: "player" }, bar, panel, make("div", { class: "side" }, this.list, this.values));
    this.frames = new Frames(this.run);
    this.refresh();
    if (this.chart && shown.chart) this.turn();
  }
  inner() {
    for (let step = 0; step < Math.min(this.run.shown, 2000); step += 1) {
      if (this.run.happenings(step).filter((one) => one.places.length).length > 1) return true;
    }
    return false;
  }
  example() {
    const named = this.run.story.ending.values.map((one) => one.name).find((name) => this.run.names.has(name));
    const variable = named !== undefined ? this.run.variables[this.run.names.get(named)] : this.run.variables.find((one) => !one.detail);
    return variable ? `${variable.name} = ${this.run.value(this.run.names.get(variable.name), -1)}` : "n + 1";
  }
  toggle(name, value) {
    const step = this.step();
    shown[name] = value;
    this.frames = new Frames(this.run, this.only);
    this.refresh();
    this.goToStep(step);
  }
  /** Shows the messages in place of the script, or the other way round. */
  turn() {
    if (!this.chart) return;
    const chart = this.panel.firstChild !== this.chart.element;
    shown.chart = chart;
    this.panel.replaceChildren(chart ? this.chart.element : this.view.element);
    this.turner.textContent = chart ? "script" : "messages";
    this.go(this.at);
  }
  refresh() {
    this.slider.max = this.frames.count - 1;
    this.list.style.setProperty("--digits", String(this.run.count).length);
    this.list.replaceChildren();
    this.items.clear();
    this.from = this.to = 0;
  }
  /** Goes where the run goes wrong. */
  open() { if (this.run) this.goToStep(this.run.story.opens_at); else this.go(0); }
  /** The number of the step that is shown; 0 is the beginning. */
  step() { return this.run ? this.frames.at(this.at).step + 1 : 0; }
  goToStep(number) { if (this.run) this.go(this.frames.find(number - 1)); }
  /** How a variable is called: a box by its title, as in the drawing. */
  named(name) {
    if (this.states.has(name)) return this.view.title(this.states.get(name));
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
      if (this.states.has(name.slice(0, dot))) return `${this.view.title(this.states.get(name.slice(0, dot)))}: ${name.slice(dot + 1)}`;
    }
    return name;
  }
  go(to) {
    if (!this.run) return;
    this.at = Math.max(0, Math.min(this.frames.count - 1, to));
    const frame = this.frames.at(this.at);
    const { run } = this;
    // While a step goes on, nothing has changed yet.
    const changes = frame.step < 0 ? [] : run.changes(frame.step);
    const changed = new Map(changes.map((change) => [change.variable.name, change.before]));
    this.slider.value = this.at;
    this.buttons[0].disabled = this.buttons[1].disabled = this.at === 0;
    this.buttons[2].disabled = this.buttons[3].disabled = this.at === this.frames.count - 1;
    const count = run.count;
    const inLoop = run.loop !== null && frame.step >= run.loop && run.busy > run.loop;
    this.output.textContent = frame.step < 0 ? `beginning of ${count} ${count === 1 ? "step" : "steps"}`
      : `step ${frame.step + 1} of ${count}${inLoop ? ", in the loop" : ""}`;
    this.listed();
    if (this.current) {
      this.current.removeAttribute("aria-current");
      for (const line of this.current.querySelectorAll("p.at")) line.classList.remove("at");
    }
    this.current = this.items.get(this.at) || this.items.get(this.frames.find(frame.step));
    if (this.current) {
      this.current.setAttribute("aria-current", "step");
      reveal(this.list, this.current);
      for (const line of this.current.querySelectorAll("p[data-at]")) line.classList.toggle("at", frame.happening !== null && Number(line.dataset.at) === frame.happening);
    }
    this.showValues(frame, changed);
    if (shown.chart && this.chart) this.chart.show(frame);
    const states = new Map();
    for (const name of this.states.keys()) if (run.names.has(name)) states.set(name, run.value(run.names.get(name), frame.step));
    this.view.show(frame, states, changed);
    document.body.dataset.step = frame.step + 1;
    if (player === this) writeFragment();
  }
  /** Whether a variable is what a box remembers beside its state: too much to be told at every step. */
  isMemory(name) {
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) if (this.states.has(name.slice(0, dot))) return true;
    return false;
  }
  showValues(frame, changed) {
    const { run } = this;
    const wanted = this.filter.value.trim().toLowerCase();
    const told = [];
    let left = 0;
    run.variables.forEach(({ name, detail }, index) => {
      const isTold = wanted ? name.toLowerCase().includes(wanted)
        : !this.states.has(name) && (!detail && !this.isMemory(name) || shown.details || changed.has(name) && !detail);
      if (!isTold) return;
      if (told.length === MOST_ROWS) { left += 1; return; }
      told.push([name, index]);
    });
    const row = ([name, index]) => {
      const value = run.value(index, frame.step);
      return make("tr", { class: changed.has(name) ? "changed" : null },
        make("td", {}, make("button", { title: "watch this variable", click: () => { this.watch.value = quotedName(name); this.watched(); } }, this.named(name))),
        make("td", {}, changed.has(name) ? `${changed.get(name)} → ${value}` : value));
    };
    this.table.replaceChildren(make("h3", {}, this.file.picture ? "Flags" : "Variables"), make("table", {}, told.map(row)));
    if (left > 0) this.table.append(make("p", { class: "note" }, `and ${left} more: filter to see them`));
    this.table.hidden = told.length === 0;
    if (this.expression) this.result.textContent = `= ${valueAt(this.expression, run, frame.step)}`;
  }
  // -- an expression along the run
  watched() {
    const text = this.watch.value.trim();
    this.expression = null;
    this.result.textContent = "";
    this.result.className = "";
    if (text) {
      try {
        this.expression = new Expression(text, this.run.names);
      } catch (error) {
        this.result.textContent = error.message;
        this.result.className = "wrong";
      }
    }
    this.refresh();
    this.go(this.at);
  }
  /** Goes to the next step, or the last one, in which the expression has another value than before. */
  jump(direction) {
    if (!this.expression) { this.watch.focus(); return; }
    const { run, expression } = this;
    for (let step = run.nextChange(expression.reads, this.step() - 1, direction); step !== null; step = run.nextChange(expression.reads, step, direction)) {
      if (valueAt(expression, run, step) !== valueAt(expression, run, step - 1)) { this.goToStep(step + 1); return; }
    }
    this.result.textContent = `= ${valueAt(expression, run, this.step() - 1)}, and ${direction > 0 ? "stays so to the end" : "was so from the beginning"}`;
  }
  // -- only some steps
  filtered() {
    const wanted = this.filter.value.trim().toLowerCase();
    const step = this.step();
    const matching = wanted ? this.run.variables.map((_, index) => index).filter((index) => this.run.variables[index].name.toLowerCase().includes(wanted)) : null;
    this.only = matching && this.run.changing(matching);
    this.frames = new Frames(this.run, this.only);
    this.refresh();
    this.goToStep(step);
  }
  // -- the list of steps: only those near what is shown are there
  listed() {
    if (this.at >= this.from && this.at < this.to) return;
    this.from = Math.max(0, this.at - LISTED / 2);
    this.to = Math.min(this.frames.count, this.from + LISTED);
    this.items.clear();
    this.list.replaceChildren(...this.between(this.from, this.to));
    this.current = null;
  }
  more() {
    const { list } = this;
    if (list.scrollTop < 200 && this.from > 0) {
      const from = Math.max(0, this.from - MORE_LISTED);
      const height = list.scrollHeight;
      list.prepend(...this.between(from, this.from));
      list.scrollTop += list.scrollHeight - height;
      this.from = from;
    } else if (list.scrollTop + list.clientHeight > list.scrollHeight - 200 && this.to < this.frames.count) {
      const to = Math.min(this.frames.count, this.to + MORE_LISTED);
      list.append(...this.between(this.to, to));
      this.to = to;
    }
  }
  between(from, to) {
    const items = [];
    for (let at = from; at < to; at += 1) {
      const { step } = this.frames.at(at);
      // Of a step that is shown signal by signal there is one item.
      if (at > 0 && this.frames.at(at - 1).step === step) continue;
      items.push(...this.item(at, step));
    }
    if (to === this.frames.count) items.push(...this.ending());
    return items;
  }
  item(at, step) {
    const { run } = this;
    const { story } = run;
    const click = () => this.goToStep(step + 1);
    const items = [];
    let item;
    if (step < 0) {
      const told = story.beginning.filter((one) => !one.detail || shown.details).slice(0, MOST_ROWS);
      item = make("li", { "data-step": -1, click }, make("span", { class: "no" }, "0"), make("p", {}, "The beginning"),
        told.map((one) => make("p", { class: "detail" }, `${this.named(one.variable)} = ${one.value}`)));
    } else if (step >= run.busy && run.loop !== null) {
      const numbers = step + 1 === run.count ? `${run.count}` : `${step + 1}–${run.count}`;
      item = make("li", { "data-step": step, class: "looped", click }, make("span", { class: "no" }, numbers), make("p", { class: "loop" }, "⟲ nothing more happens, for ever"));
    } else {
      const inLoop = run.loop !== null && step >= run.loop;
      if (inLoop && step === run.loop) items.push(make("li", { class: "loop" }, run.loop + 1 === run.count ? "⟲ this step repeats for ever" : `⟲ from here on steps ${run.loop + 1} to ${run.count} repeat for ever`));
      const broken = step + 1 === story.opens_at;
      item = make("li", { "data-step": step, class: (inLoop ? "looped " : "") + (broken ? "broken" : ""), click },
        make("span", { class: "no" }, String(step + 1)), tellings(run.happenings(step), run.changes(step), this));
    }
    if (this.expression && step >= 0) {
      const [before, after] = [valueAt(this.expression, run, step - 1), valueAt(this.expression, run, step)];
      if (before !== after) item.append(make("p", { class: "watched" }, `${this.watch.value.trim()}: ${before} → ${after}`));
    }
    this.items.set(at, item);
    items.push(item);
    return items;
  }
  ending() {
    const { story, loop, busy, count } = this.run;
    const items = [];
    if (loop !== null && loop >= count && count > 0) items.push(make("li", { class: "loop" }, "⟲ nothing changes any more"));
    else if (loop !== null && busy > loop) items.push(make("li", { class: "loop" }, `⟲ back to step ${loop + 1}`));
    const waiting = (story.ending.waiting || []).map((one) => `${one.who} waits${one.statements.length ? ` at ${one.statements.slice(0, 4).join(" or ")}` : ""}${one.line ? ` (line ${one.line.line})` : ""}`);
    const values = story.ending.values.map((one) => `${this.named(one.name)} = ${one.value}`);
    items.push(make("li", { class: "end" }, [sentence(story.ending.text), ...values, ...waiting].map((text) => make("p", {}, marked(text)))));
    return items;
  }
  fitWhenReady() { requestAnimationFrame(() => { if (this.view.fit) this.view.fit(); if (this.run) this.go(this.at); }); }
}

/** A variable's name as it can be written in an expression: the longest name that stands there is meant. */
function quotedName(name) { return name; }

function tellings(happenings, changes, player) {
  const lines = [];
  happenings.forEach((one, index) => {
    if (one.detail && !shown.details && one.kind !== "fault") return;
    if (!one.text && !one.line) return;
    const where = one.line && (shown.details || !one.text) ? ` (line ${one.line.line})` : "";
    const who = one.who ? one.who + ": " : "";
    const text = one.places.reduce((text, place) => text.replace(place, () => player.view.label(place)), one.text);
    lines.push(make("p", { class: one.detail ? "detail" : null, "data-at": index, title: one.line ? `${one.line.file}:${one.line.line}: ${one.line.source}` : null }, who + (text || one.line.source) + where));
  });
  for (const change of changes) {
    if (change.variable.detail && !shown.details) continue;
    lines.push(make("p", { class: "change" }, `${player.named(change.variable.name)}: ${change.before} → ${change.after}`));
  }
  if (lines.length === 0) {
    const first = happenings.find((one) => one.text || one.line);
    lines.push(make("p", { class: "detail" }, first ? first.text || first.line.source : "nothing that is seen"));
  }
  return lines;
}

function reveal(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
}
