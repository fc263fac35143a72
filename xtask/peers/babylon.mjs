// Runs KHR_interactivity in Babylon's flow graph, without a browser.

import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { PointerEventTypes } from '@babylonjs/core/Events/pointerEvents.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { GetKHRInteractivityImportResult } from '@babylonjs/loaders/glTF/2.0/Extensions/KHR_interactivity.js';
import { hurryTimers, pass, serve } from './serve.mjs';

hurryTimers();
Logger.LogLevels = Logger.NoneLogLevel;
const engine = new NullEngine();
/** How long it is looked whether anything still goes on, in frames of ten seconds. */
const DRAIN = 40;

/** Nodes that run in one step before a signal is said to go on for ever. */
const ENDLESS = 20_000;

/** A value as JSON has it; what JSON has no number for becomes a text. */
function plain(value) {
  if (typeof value === 'object' && value !== null && 'value' in value) return plain(value.value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value === 'object' ? null : value;
}

async function run(graph, { seed: _seed, steps }, log) {
  const scene = new Scene(engine);
  // Limits of this engine that no specification has end a run.
  Logger.Warn = (message) => {
    const text = String(message);
    if (text.includes('Max loop count') || text.includes('Too many executions')) log.stop(text);
  };
  try {
    new FreeCamera('camera', Vector3.Zero(), scene);
    const options = { gltf: { extensionOptions: { KHR_interactivity: { autoStart: false, strictValidation: false } } } };
    await ImportMeshAsync(`data:${JSON.stringify(graph)}`, scene, { pluginExtension: '.gltf', pluginOptions: options });
    const loaded = GetKHRInteractivityImportResult(scene).graphs[0];
    // This version demands a value `default` of a `flow/switch`, and has no place for it: the text has an output of
    // that name. And it knows no output of `variable/set` when it is strict. So what it finds out is looked at here.
    const demanded = 'Required input value socket "default" is missing.';
    const wrong = loaded.diagnostics.filter((one) => one.severity === 'error' && one.message !== demanded);
    if (wrong.length > 0 || !loaded.flowGraph) throw new Error(`rejected: ${wrong.map((one) => `${one.path}: ${one.message}`).join('; ')}`);
    const { coordinator, flowGraph } = loaded;
    const context = flowGraph.getContext(0) ?? flowGraph.createContext();
    const count = graph.extensions.KHR_interactivity.graphs[0].variables.length;
    const values = () => Array.from({ length: count }, (_, at) => plain(context.userVariables[`staticVariable_${at}`]));
    const set = context.setVariable.bind(context);
    context.setVariable = (name, value) => {
      set(name, value);
      log.values(values(), false);
    };
    let executed = 0;
    // A node runs when a signal comes to it; somebody who reads its values does not count.
    for (const block of flowGraph.getAllBlocks()) {
      const place = block.metadata?.khrInteractivity;
      if (!place || !block._execute) continue;
      const execute = block._execute.bind(block);
      block._execute = (...given) => {
        executed += 1;
        if (executed > ENDLESS) {
          log.stop('a signal goes on for ever');
          throw new Error('endless');
        }
        log.ran(place.nodeIndex);
        return execute(...given);
      };
    }
    const mesh = scene.meshes[0];
    const act = (step) => {
      executed = 0;
      if ('event' in step) {
        coordinator.notifyCustomEvent(step.event, step.values ?? {}, false);
      } else if ('select' in step) {
        const pickInfo = { pickedMesh: mesh, hit: true, pickedPoint: Vector3.Zero(), ray: { origin: Vector3.Zero() } };
        scene.onPointerObservable.notifyObservers({ type: PointerEventTypes.POINTERPICK, event: { pointerId: 0 }, pickInfo }, PointerEventTypes.POINTERPICK);
      } else if ('hover' in step) {
        const over = step.hover ? mesh : null;
        scene.onMeshUnderPointerUpdatedObservable.notifyObservers({ pointerId: 0, mesh: over }, PointerEventTypes.POINTERMOVE);
      } else if ('tick' in step) {
        pass(step.tick, () => {});
        scene.render();
      }
      log.values(values(), true);
    };
    log.values(values(), true);
    coordinator.start();
    for (const step of steps) {
      if (log.cut) break;
      // Before the scene is ready the script has not begun.
      if (step.ready) {
        await scene.whenReadyAsync();
        await new Promise((resolve) => setTimeout(resolve));
        log.values(values(), true);
      } else {
        act(step);
      }
    }
    let still = 0;
    for (let frame = 0; frame < DRAIN && !log.cut; frame++) {
      const before = log.activity;
      act({ tick: 10_000 });
      still = before === log.activity ? still + 1 : 0;
    }
    log.quiet = still > DRAIN / 2;
  } catch (error) {
    if (!log.cut) throw error;
  } finally {
    scene.dispose();
  }
}

await serve(run);
