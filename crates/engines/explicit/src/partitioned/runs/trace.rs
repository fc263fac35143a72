//! The run that processes have found together, as it is told: by each of them, from the nodes that all know.

use model::{Trace, UnknownReason};

use crate::engine::Engine;
use crate::evidence::trace::{Goal, Recovery};
use crate::liveness::acceptance::Plan;
use crate::partitioned::edges::Marks;
use crate::partitioned::runs::product::Product;
use crate::partitioned::runs::rounds::Run;

/// A node taken apart, and the marks of the edge that leads on, where they count.
struct Step {
    stored: Vec<u64>,
    automaton: u32,
    marks: Option<Marks>,
}

/// The trace of a run.
pub(crate) fn trace(
    engine: &Engine<'_>,
    product: &mut Product<'_>,
    plan: &Plan,
    run: &Run,
) -> Result<Trace, UnknownReason> {
    let step = |node: &[u64], marks| {
        let mut stored = Vec::new();
        let automaton = product.nodes.split(node, &mut stored);
        Step {
            stored,
            automaton,
            marks,
        }
    };
    let (begin, stem) = run.stem.split_last().ok_or_else(lost)?;
    let mut steps: Vec<Step> = stem.iter().map(|node| step(node, None)).collect();
    let loop_start = steps.len();
    let around = run.around.iter();
    steps.extend(around.map(|(node, marks)| step(node, Some(*marks))));
    steps.push(step(begin, None));
    let (mut goals, mut is_still) = (Vec::new(), false);
    let mut before_loop = 0;
    for (number, pair) in steps.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        if number == loop_start {
            before_loop = goals.len();
        }
        // Where nothing can happen the last state repeats: no macro step, and nothing else follows.
        if from.stored == to.stored && product.is_at_end(&from.stored)? {
            is_still |= number >= loop_start;
            continue;
        }
        let stored = to.stored.clone();
        goals.push(if product.is_by_state() {
            Goal::State(stored)
        } else {
            let (ends, marks) = ((&*to.stored, to.automaton), from.marks);
            let label = product.label_of((&from.stored, from.automaton), ends, marks)?;
            let label = label.ok_or_else(lost)?;
            Goal::Exactly {
                stored,
                letter: label.letter,
                letters: plan.letters,
                taken: label.taken,
            }
        });
    }
    if is_still {
        goals.truncate(before_loop);
    }
    let first = steps.first().ok_or_else(lost)?;
    let mut trace = Recovery::new(engine)?.run(&first.stored, goals)?;
    trace.loop_start = Some(before_loop);
    Ok(trace)
}

fn lost() -> UnknownReason {
    UnknownReason::NotReplayed("the engine did not find its own run again".to_owned())
}
