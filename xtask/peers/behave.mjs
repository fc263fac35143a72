// Runs graphs of behave-graph in its own engine.

import * as core from '@behave-graph/core';
import { forgetTimers, holdTimers, pass, serve, waiting } from './serve.mjs';

const { Engine, ManualLifecycleEventEmitter, Registry, readGraphFromJSON, registerCoreProfile, validateGraph } = core;
holdTimers();
/** Steps of a signal before it is said to go on for ever. */
const ENDLESS = 3_000;

/** A value as JSON has it; what JSON has no number for becomes a text. */
function plain(value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value ?? null;
}

async function run(json, { seed: _seed, steps }, log) {
  forgetTimers();
  const lifecycle = new ManualLifecycleEventEmitter();
  const registry = new Registry();
  const silent = { verbose() {}, info() {}, warn() {}, error() {} };
  registerCoreProfile(registry, silent, lifecycle);
  const graph = readGraphFromJSON(json, registry);
  const wrong = validateGraph(graph);
  if (wrong.length > 0) throw new Error(`rejected: ${wrong.join('; ')}`);
  const engine = new Engine(graph);
  const variables = Object.values(graph.variables);
  const values = () => variables.map((variable) => plain(variable.get()));
  for (const variable of variables) variable.onChanged.addListener(() => log.values(values(), false));
  engine.onNodeExecutionStart.addListener((node) => log.ran(Number(node.id)));
  const events = Object.values(graph.customEvents);
  const settle = () => {
    try {
      if (engine.executeAllSync(1_000_000, ENDLESS) >= ENDLESS) log.stop('a signal goes on for ever');
    } catch (error) {
      log.stop(`the engine stops: ${error.message}`);
    }
    log.values(values(), true);
  };
  // Nothing but an event node runs when the engine is made: what has run so far is no signal.
  log.recent.clear();
  log.values(values(), true);
  for (const step of steps) {
    if (log.cut) break;
    if (step.ready) lifecycle.startEvent.emit();
    else if (step.end) lifecycle.endEvent.emit();
    else if ('event' in step) {
      const event = events.find((one) => one.name === step.event);
      const given = {};
      for (const parameter of event.parameters) {
        const value = step.values?.[parameter.name] ?? parameter.value;
        given[parameter.name] = parameter.valueTypeName === 'integer' ? BigInt(value) : value;
      }
      event.eventEmitter.emit(given);
    } else if ('tick' in step) {
      // The host may run what a timer has started at once, or with its next frame.
      pass(step.tick, step.late ? () => {} : settle);
      lifecycle.tickEvent.emit();
    }
    settle();
  }
  for (let round = 0; round < 40 && waiting() && !log.cut; round++) pass(10_000, settle);
  log.quiet = !waiting();
  engine.dispose();
}

await serve(run);
