//! Lets a run that has come to where a property of infinite runs is decided go on for ever.
//!
//! If [every run that comes so far](model::Program::prefixes_decide) violates the property, any way
//! to go on is as good as another: the interpreter takes the first move there is until a state comes
//! again, or nothing can happen any more. Whether the run is a counterexample is confirmed with all
//! the others.

use std::collections::HashMap;

use model::interp::{Interp, State};
use model::{Program, Trace};

/// Macro steps after which it is given up.
const MOST: usize = 10_000;

/// Makes a run that ends one that repeats, or says that this has not worked out.
pub(crate) fn goes_on(program: &Program, trace: &mut Trace) -> bool {
    let interp = Interp::new(program);
    let Ok(replay) = interp.replay(trace) else {
        return false;
    };
    if trace.loop_start.is_some() || !replay.complete {
        return false;
    }
    let mut state = interp.stored(replay.state(trace.steps.len()));
    drop(replay);
    let mut seen: HashMap<State, usize> = HashMap::new();
    for _ in 0..MOST {
        if let Some(&start) = seen.get(&state) {
            trace.loop_start = Some(start);
            return true;
        }
        seen.insert(state.clone(), trace.steps.len());
        let Ok(expansion) = interp.expand(&state) else {
            return false;
        };
        let Some(first) = expansion.successors.into_iter().next() else {
            if interp.moves(&state).is_empty() {
                trace.loop_start = Some(trace.steps.len());
                return true;
            }
            return false;
        };
        trace.steps.push(first.step);
        state = interp.stored(&first.state);
    }
    false
}
