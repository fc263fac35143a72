// ---- the script as a drawn graph -----------------------------------------------------------

/** The height of a pin's row in a box (see layout.rs). */
const ROW_HEIGHT = 20;
/** Texts are 13 units high, and never smaller than 11 pixels: beyond this many units a pixel they go. */
const SMALLEST = 13 / 11;

class Drawing {
  constructor(picture, run) {
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
    this.run = run;
    /** For each box that the run touches, the first step that does. */
    this.touched = new Map();
    for (let step = 0; run && step < run.shown; step += 1) for (const one of run.happenings(step)) for (const place of one.places) {
      const found = this.outputs.get(place) || this.inputs.get(place);
      if (found && !this.touched.has(found[0])) this.touched.set(found[0], step);
    }
    /** The pins where something is to be changed, as [box, pin, whether it is an input]. */
    this.culprits = (run ? run.story.culprit.pins : []).map((place) => {
      const [found, input] = this.outputs.has(place) ? [this.outputs.get(place), false] : [this.inputs.get(place), true];
      return [...found, input];
    });
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
    this.now = new Set();
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
    if (all.size <= MOST_DRAWN || !this.run) return all;
    const touched = this.touched;
    const near = new Set(touched.keys());
    for (const [from, , to] of this.picture.lines) {
      if (touched.has(from)) near.add(to);
      if (touched.has(to)) near.add(from);
    }
    return near;
  }
  /** A box as the designer reads it; of several that read alike, with the box's own name. */
  title(index) {
    const box = this.picture.boxes[index];
    const alike = this.titles.get(box.title) > 1 && box.title !== box.name;
    return box.title + (alike ? ` (${box.name})` : "");
  }
  label(place) {
    const [index, at] = this.outputs.get(place) || this.inputs.get(place) || [];
    if (index === undefined) return place;
    const box = this.picture.boxes[index];
    return `${this.title(index)} ▸ ${(this.outputs.has(place) ? box.outputs : box.inputs)[at].title}`;
  }
  pin(index, at, left) {
    const box = this.picture.boxes[index];
    return [left ? box.x : box.x + box.width, box.y + 46 + at * ROW_HEIGHT];
  }
  /** Draws what is not drawn yet, as far as it can be seen or is what the step touches; says whether there was anything. */
  drawWaiting() {
    const [x, y, width, height] = this.window;
    const near = (box) => box.x + box.width > x - width / 2 && box.x < x + width * 1.5 && box.y + box.height > y - height / 2 && box.y < y + height * 1.5;
    const before = this.waiting.size;
    for (const index of this.waiting) {
      const box = this.picture.boxes[index];
      if (this.asSeen && !near(box) && !this.now.has(index)) continue;
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
  /** Writes as much of a box's title as there is room for. */
  entitle(index, drawn) {
    const box = this.picture.boxes[index];
    const most = Math.floor((box.width - 16) / (this.far ? 7 * this.farScale : 8.3));
    const { title } = box;
    drawn.title.textContent = title.length <= most ? title : most < 4 ? "" : title.slice(0, most - 1) + "…";
  }
  drawBox(box, index) {
    const group = draw("g", { class: box.remark ? "box remark" : "box" }, draw("title", {}, `${box.name}: ${box.kind}`));
    const cut = (text, room) => { const most = Math.floor(room); return text.length > most ? text.slice(0, Math.max(1, most - 1)) + "…" : text; };
    const title = draw("text", { class: "title", x: box.x + 10, y: box.y + 19 });
    group.append(draw("rect", { class: "body", x: box.x, y: box.y, width: box.width, height: box.height, rx: 7 }),
      draw("rect", { class: "head", x: box.x + 2, y: box.y + 2, width: box.width - 4, height: 26, rx: 5 }), title);
    const pill = draw("rect", { class: "pill", x: box.x + 6, y: box.y + box.height - 22, width: box.width - 12, height: 18, rx: 8 });
    const state = draw("text", { class: "state", x: box.x + box.width / 2, y: box.y + box.height - 8, "text-anchor": "middle" });
    const pins = new Map();
    const room = (box.width - 34) / 7;
    const wide = Math.max(0, ...box.inputs.map((pin) => pin.title.length));
    [[box.inputs, true], [box.outputs, false]].forEach(([list, left]) => list.forEach((pin, at) => {
      const [x, y] = this.pin(index, at, left);
      const mark = pin.data ? draw("circle", { class: "pin-mark data", cx: x, cy: y, r: 4 })
        : draw("path", { class: "pin-mark", d: `M${x - 5},${y - 5} L${x + 5},${y} L${x - 5},${y + 5} Z` });
      if (this.joined.has(`${left ? "i" : "o"}${index} ${at}`)) mark.classList.add("joined");
      const text = draw("text", { class: "pin", x: left ? x + 10 : x - 10, y: y + 4, "text-anchor": left ? "start" : "end" },
        cut(pin.title, left ? room : Math.max(room - wide, room / 3)));
      if (this.culprits.some(([other, pin, input]) => other === index && pin === at && input === left)) {
        for (const part of [mark, text, group]) part.classList.add("culprit");
        group.append(draw("circle", { class: "ring", cx: x, cy: y, r: 9 }));
      }
      pins.set((left ? "i" : "o") + at, [mark, text]);
      group.append(mark, text);
    }));
    group.append(pill, state);
    const drawn = { group, state, pins, title, look: "", text: "" };
    this.boxes.set(index, drawn);
    this.entitle(index, drawn);
    this.root.append(group);
  }
  /** The pins of a step in order, each as [box, pin, whether it is an input]. */
  places(happenings, last) {
    const places = [];
    happenings.forEach((one, at) => {
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
    const places = frame && frame.step >= 0 ? this.places(this.run.happenings(frame.step), frame.happening) : [];
    const current = frame && frame.happening !== null && places.length > 0 ? [places[places.length - 1]] : places;
    const now = new Set(current.map(([box]) => box));
    this.now = now;
    this.bring([...now]);
    this.drawWaiting();
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
  /** All that the run touches, if texts can be read then; else where it is now, and where it goes wrong. */
  fit(run = true) {
    const size = this.svg.getBoundingClientRect();
    const scaleOf = (bounds) => Math.max((bounds[2] + 50) / Math.max(1, size.width), (bounds[3] + 60) / Math.max(1, size.height), 0.6);
    const touched = run && this.kept.size > 30 ? [...this.touched.keys()].filter((index) => this.kept.has(index)) : [];
    const wanted = touched.length ? touched : [...this.kept];
    let bounds = this.bounds(wanted);
    if (!bounds) return;
    if (run && scaleOf(bounds) > SMALLEST) {
      let near = [...this.now].filter((index) => this.kept.has(index));
      if (near.length === 0) near = touched.length ? touched.slice(0, 4) : wanted.slice(0, 4);
      const culprits = this.culprits.map(([index]) => index).filter((index) => near.includes(index));
      while (near.length > 1 && scaleOf(this.bounds(near)) > SMALLEST) {
        // What goes wrong is kept in sight, or the end of what happens.
        const out = near.findIndex((index) => !culprits.includes(index));
        if (out < 0) break;
        near.splice(out, 1);
      }
      // Then as many of the neighbours as there is room for.
      const beside = this.picture.lines.filter(([from, , to]) => near.includes(from) || near.includes(to)).flatMap(([from, , to]) => [from, to]);
      for (const index of beside) {
        if (this.kept.has(index) && !near.includes(index) && scaleOf(this.bounds([...near, index])) <= SMALLEST) near.push(index);
      }
      bounds = this.bounds(near);
      const scale = Math.min(SMALLEST, Math.max(1, scaleOf(bounds)));
      this.center(bounds, scale * size.width, scale * size.height);
      return;
    }
    const scale = scaleOf(bounds);
    this.center(bounds, scale * size.width, scale * size.height);
  }
  center(bounds, width, height) {
    this.set([bounds[0] + bounds[2] / 2 - width / 2, bounds[1] + bounds[3] / 2 - height / 2, width, height]);
  }
  /** Moves the window if what happens now is out of sight. */
  bring(indices) {
    const bounds = this.bounds(indices.filter((index) => this.kept.has(index)));
    if (!bounds) return;
    const [x, y, width, height] = this.window;
    const inside = bounds[0] >= x && bounds[1] >= y && bounds[0] + bounds[2] <= x + width && bounds[1] + bounds[3] <= y + height;
    if (!inside) this.fit(true);
  }
  zoom(by, at = [0.5, 0.5]) {
    const [x, y, width, height] = this.window;
    this.set([x + width * at[0] * (1 - by), y + height * at[1] * (1 - by), width * by, height * by]);
  }
  set(window) {
    this.window = window;
    this.svg.setAttribute("viewBox", window.join(" "));
    // Where texts would be too small to be read there are none but titles, as far as there is room.
    const width = this.svg.getBoundingClientRect().width;
    const scale = width > 0 ? window[2] / width : 1;
    const far = scale > SMALLEST * 1.01;
    this.svg.classList.toggle("far", far);
    this.svg.style.setProperty("--title", `${far ? 11 * scale : 13}px`);
    if (far !== this.far || far && Math.abs(scale - this.farScale) > 0.02) {
      this.far = far;
      this.farScale = scale;
      for (const [index, drawn] of this.boxes) this.entitle(index, drawn);
    }
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

