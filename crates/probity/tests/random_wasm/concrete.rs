//! Runs of a module on an interpreter, with a monitor in its imports.

use fastrand::Rng;
use wasmi::{Caller, Engine, Extern, Linker, Module, Store};

use super::RULES;

/// Exports that a run may call.
pub(crate) const EXPORTS: &[&str] = &["run0", "run1", "run2"];
/// How deep calls of exports nest in imports.
const MAX_DEPTH: usize = 2;

struct World {
    rng: Rng,
    violated: [bool; RULES],
    depth: usize,
}

/// Which rules some of so many runs violates.
pub(crate) fn violated(binary: &[u8], runs: usize, rng: &mut Rng) -> [bool; RULES] {
    let engine = Engine::default();
    let module = Module::new(&engine, binary).unwrap();
    let mut violated = [false; RULES];
    for _ in 0..runs {
        let world = World {
            rng: rng.fork(),
            violated: [false; RULES],
            depth: 0,
        };
        let mut store = Store::new(&engine, world);
        let mut linker = <Linker<World>>::new(&engine);
        linker.func_wrap("env", "connect", connect).unwrap();
        linker.func_wrap("env", "wipe", wipe).unwrap();
        linker.func_wrap("env", "ask", ask).unwrap();
        // Instantiation traps where the start function does.
        let Ok(instance) = linker.instantiate_and_start(&mut store, &module) else {
            violated = either(violated, store.data().violated);
            continue;
        };
        for _ in 0..6 {
            let name = *store.data_mut().rng.choice(EXPORTS).unwrap();
            let argument = number(&mut store.data_mut().rng);
            let function = instance.get_typed_func::<i32, ()>(&store, name).unwrap();
            // A trap is no end: the host goes on.
            let _ = function.call(&mut store, argument);
        }
        violated = either(violated, store.data().violated);
    }
    violated
}

fn either(a: [bool; RULES], b: [bool; RULES]) -> [bool; RULES] {
    std::array::from_fn(|at| a[at] || b[at])
}

/// Small numbers, those at which something changes, and any.
pub(crate) fn number(rng: &mut Rng) -> i32 {
    match rng.u8(0..4) {
        0 => rng.i32(0..8),
        1 => *rng
            .choice(&[-1, i32::MIN, i32::MAX, 16, 20, 25, 100])
            .unwrap(),
        2 => rng.i32(0..200),
        _ => rng.i32(..),
    }
}

/// The text at an address, up to a zero.
fn text(caller: &Caller<'_, World>, at: i32) -> Vec<u8> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        panic!("it is exported for the monitor");
    };
    let bytes = memory.data(caller);
    let from = usize::try_from(at as u32).unwrap().min(bytes.len());
    let rest = &bytes[from..];
    let end = rest.iter().position(|byte| *byte == 0);
    rest[..end.unwrap_or(rest.len())].to_vec()
}

fn connect(mut caller: Caller<'_, World>, at: i32) {
    let text = text(&caller, at);
    let world = caller.data_mut();
    world.violated[0] |= text == b"bad";
    world.violated[1] |= !(text == b"good" || text.starts_with(b"bad") || text == b"fine");
    call_back(&mut caller);
}

fn wipe(mut caller: Caller<'_, World>) {
    caller.data_mut().violated[2] = true;
    call_back(&mut caller);
}

fn ask(mut caller: Caller<'_, World>) -> i32 {
    call_back(&mut caller);
    number(&mut caller.data_mut().rng)
}

/// The host calls the module while it is called, now and then.
fn call_back(caller: &mut Caller<'_, World>) {
    let world = caller.data_mut();
    if world.depth >= MAX_DEPTH || world.rng.u8(0..4) != 0 {
        return;
    }
    let name = *world.rng.choice(EXPORTS).unwrap();
    let argument = number(&mut world.rng);
    world.depth += 1;
    if let Some(Extern::Func(function)) = caller.get_export(name) {
        let function = function.typed::<i32, ()>(&*caller).unwrap();
        let _ = function.call(&mut *caller, argument);
    }
    caller.data_mut().depth -= 1;
}
