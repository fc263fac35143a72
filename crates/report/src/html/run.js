// ---- a run, as it is written -----------------------------------------------------------------

/**
 * A run: tables of texts, happenings and variables, and a list of numbers into them (see compact.rs).
 * Steps count from 0; the step -1 is the beginning. What a variable is at a step is looked up among
 * its own changes, so that any step is as near as the next.
 */
class Run {
  constructor(story) {
    this.story = story;
    this.count = story.count;
    this.loop = story.repeats_from;
    this.flat = story.steps;
    this.texts = story.texts;
    this.happeningTable = story.happenings.map((one) => ({ ...one, line: this.line(one.line), happens: !one.detail || one.line !== null }));
    this.offsets = new Int32Array(this.count + 1);
    this.names = new Map();
    this.variables = [];
    for (const [name, detail, holder] of story.variables) this.add(name, detail, holder);
    const changes = new Int32Array(this.variables.length);
    let at = 0;
    for (let step = 0; step < this.count; step += 1) {
      this.offsets[step] = at;
      at += 1 + this.flat[at];
      const many = this.flat[at];
      at += 1;
      for (let change = 0; change < many; change += 1, at += 3) changes[this.flat[at]] += 1;
    }
    this.offsets[this.count] = at;
    this.variables.forEach((variable, index) => { variable.steps = new Int32Array(changes[index]); variable.after = new Int32Array(changes[index]); });
    changes.fill(0);
    for (let step = 0; step < this.count; step += 1) this.eachChange(step, (index, before, after) => {
      const variable = this.variables[index];
      if (changes[index] === 0) variable.first = this.texts[before];
      variable.steps[changes[index]] = step;
      variable.after[changes[index]] = after;
      changes[index] += 1;
    });
    for (const one of story.beginning) {
      const index = this.names.has(one.variable) ? this.names.get(one.variable) : this.add(one.variable, one.detail, "script");
      this.variables[index].first = one.value;
    }
    /** How many steps there are up to the last in which something happens. */
    this.busy = this.count;
    while (this.busy > 0 && this.isIdle(this.busy - 1)) this.busy -= 1;
    /** How many steps are shown: those at the end in which nothing happens are one. */
    this.shown = this.loop !== null && this.busy < this.count ? this.busy + 1 : this.count;
  }
  add(name, detail, holder) {
    this.variables.push({ name, detail, holder, steps: new Int32Array(0), after: new Int32Array(0), first: "" });
    this.names.set(name, this.variables.length - 1);
    return this.variables.length - 1;
  }
  line(number) {
    if (number === null) return null;
    const [file, line, source] = this.story.lines[number];
    return { file: this.story.texts[file], line, source };
  }
  eachChange(step, visit) {
    let at = this.offsets[step];
    at += 1 + this.flat[at];
    for (let left = this.flat[at++]; left > 0; left -= 1, at += 3) visit(this.flat[at], this.flat[at + 1], this.flat[at + 2]);
  }
  happenings(step) {
    const at = this.offsets[step];
    const found = [];
    for (let index = 1; index <= this.flat[at]; index += 1) found.push(this.happeningTable[this.flat[at + index]]);
    return found;
  }
  changes(step) {
    const found = [];
    this.eachChange(step, (index, before, after) => found.push({ variable: this.variables[index], index, before: this.texts[before], after: this.texts[after] }));
    return found;
  }
  isIdle(step) {
    let changes = 0;
    this.eachChange(step, () => { changes += 1; });
    return changes === 0 && !this.happenings(step).some((one) => one.happens);
  }
  /** How many of a variable's changes come up to a step. */
  upTo(variable, step) {
    let low = 0, high = variable.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (variable.steps[middle] <= step) low = middle + 1; else high = middle;
    }
    return low;
  }
  value(index, step) {
    const variable = this.variables[index];
    const changes = this.upTo(variable, step);
    return changes === 0 ? variable.first : this.texts[variable.after[changes - 1]];
  }
  /** The nearest step behind (direction 1) or before (-1) a step in which one of the variables changes; null if none does. */
  nextChange(indices, step, direction) {
    let found = null;
    for (const index of indices) {
      const variable = this.variables[index];
      const at = direction > 0 ? this.upTo(variable, step) : this.upTo(variable, step - 1) - 1;
      const there = variable.steps[at];
      if (there !== undefined && (found === null || (there - found) * direction < 0)) found = there;
    }
    return found;
  }
  /** The steps in which one of the variables changes, in order. */
  changing(indices) {
    const steps = [];
    for (const index of indices) for (const step of this.variables[index].steps) steps.push(step);
    return Int32Array.from(new Set(Int32Array.from(steps).sort()));
  }
}

/** What is shown one after another: the beginning, and each step as a whole, or event by event, or only some steps. */
class Frames {
  constructor(run, only) {
    this.steps = null;
    this.happenings = null;
    if (only) {
      this.steps = new Int32Array(only.length + 1);
      this.steps[0] = -1;
      this.steps.set(only, 1);
    } else if (run && shown.signals) {
      const steps = [-1], happenings = [-1];
      for (let step = 0; step < run.shown; step += 1) {
        run.happenings(step).forEach((one, at) => { if (one.places.length) { steps.push(step); happenings.push(at); } });
        if (steps[steps.length - 1] !== step) { steps.push(step); happenings.push(-1); }
      }
      this.steps = Int32Array.from(steps);
      this.happenings = Int32Array.from(happenings);
    }
    this.count = this.steps ? this.steps.length : run ? run.shown + 1 : 1;
  }
  at(index) {
    const happening = this.happenings ? this.happenings[index] : -1;
    return { step: this.steps ? this.steps[index] : index - 1, happening: happening < 0 ? null : happening };
  }
  /** The first frame of a step, or of the next that is there, or the last. */
  find(step) {
    if (!this.steps) return Math.max(0, Math.min(this.count - 1, step + 1));
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle] < step) low = middle + 1; else high = middle;
    }
    return low;
  }
}
