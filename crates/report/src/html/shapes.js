// ---- configurations as drawn graphs ----------------------------------------------------------

/** Each configuration of a run as a graph, above the text. What differs from the one before is marked. */
class Shapes {
  constructor(file, run, graphs) {
    this.graphs = graphs || run.story.graphs;
    this.text = new Source(file, run);
    this.svg = draw("svg", { role: "img", "aria-label": "the configuration" });
    this.legend = make("p", { class: "legend" });
    this.left = this.top = Infinity;
    this.right = this.bottom = -Infinity;
    for (const graph of this.graphs) for (const node of graph.nodes) {
      this.left = Math.min(this.left, node.x - 60);
      this.top = Math.min(this.top, node.y - 60);
      this.right = Math.max(this.right, node.x + node.width + 60);
      this.bottom = Math.max(this.bottom, node.y + node.height + 40);
    }
    this.element = make("div", { class: "shapes" }, make("div", { class: "shape", tabindex: 0 }, this.legend, this.svg), this.text.element);
    this.fit();
  }
  label(place) { return place; }
  fit() {
    if (!Number.isFinite(this.left)) return;
    this.svg.setAttribute("viewBox", [this.left, this.top, this.right - this.left, this.bottom - this.top].join(" "));
    // As large as there is room, but small pictures are not blown up, and large ones stay so large
    // that their texts can be read: what has no room is scrolled to.
    const [width, height] = [this.right - this.left, this.bottom - this.top];
    const panel = this.svg.parentNode;
    const room = [panel.clientWidth - 26, panel.clientHeight - this.legend.offsetHeight - 16];
    const scale = panel.clientWidth > 0 ? Math.max(0.96, Math.min(1.3, room[0] / width, room[1] / height)) : 1;
    this.svg.style.width = `${Math.round(width * scale)}px`;
    this.svg.style.height = `${Math.round(height * scale)}px`;
    this.bring();
  }
  /** Scrolls to what the step changes. */
  bring() {
    const panel = this.svg.parentNode;
    const marked = this.svg.querySelector(".individual.changed, .fact.changed, .relation.changed");
    if (!panel || !marked) return;
    const [seen, aim] = [panel.getBoundingClientRect(), marked.getBoundingClientRect()];
    if (aim.bottom > seen.bottom) panel.scrollTop += Math.min(aim.bottom - seen.bottom + 8, aim.top - seen.top);
    if (aim.top < seen.top) panel.scrollTop -= seen.top - aim.top + 8;
    if (aim.right > seen.right) panel.scrollLeft += Math.min(aim.right - seen.right + 8, aim.left - seen.left);
    if (aim.left < seen.left) panel.scrollLeft -= seen.left - aim.left + 8;
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
    this.bring();
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

