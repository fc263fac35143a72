// What both runners share: a clock that stands still unless it is told, random numbers with a seed, and
// the protocol. A line of JSON on standard input asks for runs of one graph:
//
//   {"graph": ..., "runs": [{"seed": 1, "steps": [{"tick": 500}, {"event": "ring", "values": {}}]}]}
//
// and a line on standard output answers, for each run: the values of all variables whenever one has changed or
// the engine has come to rest, which nodes ran before it came to rest, whether the run was cut short and why, and whether nothing
// went on at its end.

import { createInterface } from 'node:readline';

/** Milliseconds since 1970, as engines see them. */
let now = 1_000_000_000_000;
/** Timers of the engine that have not ended: moment, order and what to call. */
let timers = [];
let ordered = 0;

const realTimeout = globalThis.setTimeout;
Date.now = () => now;
performance.now = () => now - 999_999_000_000;

/** Lets time pass; whatever has been set for later is called in its order, `after` follows each call. */
export function pass(milliseconds, after) {
  const end = now + milliseconds;
  for (;;) {
    const due = timers.filter((timer) => timer.at <= end);
    if (due.length === 0) break;
    due.sort((a, b) => a.at - b.at || a.order - b.order);
    const [first] = due;
    timers = timers.filter((timer) => timer !== first);
    now = Math.max(now, first.at);
    first.call();
    after();
  }
  now = end;
}

/** Whether a timer is still to end. */
export function waiting() {
  return timers.length > 0;
}

/** From now on timers end when the clock says so. */
export function holdTimers() {
  globalThis.setTimeout = (call, delay = 0, ...rest) => {
    // As the platform has it: what is no number, or too large, is the shortest time.
    const known = delay >= 1 && delay <= 2_147_483_647 ? Math.trunc(delay) : 1;
    ordered += 1;
    timers.push({ at: now + known, order: ordered, call: () => call(...rest) });
    return ordered;
  };
  globalThis.clearTimeout = (order) => {
    timers = timers.filter((timer) => timer.order !== order);
  };
}

/** From now on timers end at once, in real time. */
export function hurryTimers() {
  globalThis.setTimeout = (call, _delay, ...rest) => realTimeout(call, 0, ...rest);
}

/** Forgets timers of the run before. */
export function forgetTimers() {
  timers = [];
}

/** Mulberry32. */
export function seed(number) {
  let state = number >>> 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is seen of one run. */
export class Log {
  constructor() {
    this.seen = [];
    this.nodes = new Set();
    // Those since the engine was last at rest.
    this.recent = new Set();
    this.cut = null;
    this.quiet = false;
    this.activity = 0;
  }

  /** The values of all variables, when one has changed (`rest` false) or the engine has come to rest. */
  values(values, rest) {
    if (this.cut) return;
    if (rest) {
      for (const node of this.recent) this.nodes.add(node);
      this.recent.clear();
    }
    const last = this.seen.at(-1);
    if (last !== undefined && JSON.stringify(last.values) === JSON.stringify(values)) last.rest ||= rest;
    else this.seen.push({ rest, values });
  }

  /** This node runs. */
  ran(node) {
    this.activity += 1;
    this.recent.add(node);
  }

  /** A limit of the engine's own was reached: nothing counts from when it was last at rest. */
  stop(why) {
    this.cut ??= why;
    while (this.seen.length > 0 && !this.seen.at(-1).rest) this.seen.pop();
  }

  answer() {
    return {
      seen: this.seen,
      nodes: [...this.nodes].sort((a, b) => a - b),
      cut: this.cut,
      quiet: this.quiet && !this.cut,
    };
  }
}

/** Answers requests with `run(graph, {seed, steps})`, one after the other. */
export async function serve(run) {
  const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const request = JSON.parse(line);
    try {
      const runs = [];
      for (const wanted of request.runs) {
        const log = new Log();
        seed(wanted.seed);
        await run(request.graph, wanted, log);
        runs.push(log.answer());
      }
      say({ runs });
    } catch (error) {
      say({ error: String(error?.stack ?? error) });
    }
  }
}
