// ---- who says what to whom -------------------------------------------------------------------

const LANE = 170;
const ROW = 30;
/** How many messages are drawn before and behind what is shown. */
const NEAR_ROWS = 60;

/** A message sequence chart (ITU-T Z.120): a lane for each who takes part, time going down. */
class Chart {
  /** The chart of a run in which messages pass; null if none do. */
  static of(run, go) {
    const lanes = new Map();
    for (const one of run.happeningTable) {
      if (one.message) for (const name of one.message.slice(0, 2)) if (!lanes.has(name)) lanes.set(name, lanes.size);
    }
    return lanes.size > 1 ? new Chart(run, lanes, go) : null;
  }
  constructor(run, lanes, go) {
    this.run = run;
    this.lanes = lanes;
    this.go = go;
    const steps = [], messages = [];
    for (let step = 0; step < run.shown; step += 1) {
      for (const one of run.happenings(step)) if (one.message) { steps.push(step); messages.push(one.message); }
    }
    this.steps = steps;
    this.messages = messages;
    this.svg = draw("svg", { role: "img", "aria-label": "messages" });
    this.heads = draw("svg", { role: "img", "aria-label": "who takes part", class: "heads" });
    this.element = make("div", { class: "chart" }, this.heads, this.svg);
    this.width = lanes.size * LANE + 140;
    this.heads.setAttribute("width", this.width);
    this.heads.setAttribute("height", 30);
    this.heads.append(...[...lanes].map(([name, lane]) => draw("text", { class: "lane-name", x: 40 + lane * LANE, y: 20, "text-anchor": lane ? "middle" : "start" }, name.length > 24 ? name.slice(0, 23) + "…" : name)));
  }
  show(frame) {
    // The messages of the step, or the first behind it.
    let low = 0, high = this.steps.length;
    while (low < high) { const middle = (low + high) >> 1; if (this.steps[middle] < frame.step) low = middle + 1; else high = middle; }
    const from = Math.max(0, low - NEAR_ROWS), to = Math.min(this.steps.length, low + NEAR_ROWS);
    const height = (to - from + 2) * ROW;
    const marker = draw("marker", { id: "head", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0,0 L10,5 L0,10 z", class: "head" }));
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", height);
    const x = (name) => 40 + this.lanes.get(name) * LANE;
    const parts = [draw("defs", {}, marker)];
    for (const name of this.lanes.keys()) parts.push(draw("line", { class: "lane", x1: x(name), x2: x(name), y1: 0, y2: height }));
    let current = null;
    for (let at = from; at < to; at += 1) {
      const [sender, receiver, text] = this.messages[at];
      const step = this.steps[at];
      const y = (at - from + 1) * ROW;
      const [a, b] = [x(sender), x(receiver)];
      const told = text.length > 60 ? text.slice(0, 59) + "…" : text;
      const group = draw("g", { class: step === frame.step ? "said now" : step > frame.step ? "said later" : "said", click: () => this.go(step + 1) }, draw("title", {}, `step ${step + 1}: ${sender} → ${receiver}: ${text}`));
      if (a === b) group.append(draw("circle", { cx: a, cy: y, r: 4 }), draw("text", { x: a + 9, y: y + 4 }, told));
      else group.append(draw("line", { x1: a, x2: b, y1: y, y2: y, "marker-end": "url(#head)" }), draw("text", { x: Math.min(a, b) + 9, y: y - 5 }, told));
      group.append(draw("text", { class: "no", x: 2, y: y + 4 }, String(step + 1)));
      if (at === from || this.steps[at - 1] !== step) { if (this.run.loop === step && this.run.busy > step) group.append(draw("line", { class: "loop-begins", x1: 0, x2: this.width, y1: y - ROW / 2 - 3, y2: y - ROW / 2 - 3 })); }
      if (step === frame.step && current === null) current = y;
      parts.push(group);
    }
    this.svg.replaceChildren(...parts);
    const wanted = current === null ? (low - from) * ROW : current;
    if (wanted < this.element.scrollTop + 40 || wanted > this.element.scrollTop + this.element.clientHeight - 60) this.element.scrollTop = Math.max(0, wanted - this.element.clientHeight / 2);
  }
}
