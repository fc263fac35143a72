// ---- the script as text --------------------------------------------------------------------

class Source {
  constructor(file, run) {
    this.run = run;
    this.lines = new Map();
    this.marked = [];
    this.element = make("div", { class: "source", tabindex: 0 });
    for (const text of file.texts) {
      if (file.texts.length > 1) this.element.append(make("h3", {}, text.name));
      const list = make("ol", {});
      text.text.split("\n").forEach((line, index) => {
        const item = make("li", {}, make("span", {}, String(index + 1)), line);
        this.lines.set(`${text.name}:${index + 1}`, item);
        list.append(item);
      });
      this.element.append(list);
    }
    if (!run) return;
    this.mark(run.story.ending.line, "goal", "the property");
    this.mark(run.story.culprit.line, "culprit", "here it goes wrong");
  }
  mark(line, name, title) {
    const item = line && this.lines.get(`${line.file}:${line.line}`);
    if (!item) return;
    item.classList.add(name);
    item.title = title;
  }
  label(place) { return place; }
  show(frame) {
    for (const item of this.marked) item.classList.remove("now");
    this.marked = [];
    if (!frame || frame.step < 0) return;
    let first = null, told = null;
    for (const one of this.run.happenings(frame.step)) {
      const item = one.line && this.lines.get(`${one.line.file}:${one.line.line}`);
      if (!item) continue;
      item.classList.add("now");
      this.marked.push(item);
      first = first || item;
      if (!one.detail) told = item;
    }
    const aim = frame.step + 1 === this.run.story.opens_at && told || first;
    if (aim) {
      const top = aim.offsetTop - this.element.offsetTop;
      const room = this.element.clientHeight;
      if (top < this.element.scrollTop + 20 || top > this.element.scrollTop + room - 40) this.element.scrollTop = top - room / 3;
    }
  }
}
