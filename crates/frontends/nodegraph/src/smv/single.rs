//! Whether one signal at most is under way at a time, a node that waits counted as one.
//!
//! The paper's optimisations take out steps: a node without side effects, or the step between a
//! state and the output that it leads to. Where one signal is under way nobody can tell, but by counting
//! steps. Where there are several, they would meet elsewhere: a test would be passed before a flag is
//! set, a node would no longer be started while it waits. Verdicts would change, so nothing is
//! taken out there.

use crate::claim::Claimed;
use crate::net::{Effect, Machine, Moment, Net};

/// Whether the optimisations keep the verdicts of these claims.
pub(super) fn keeps_verdicts(net: &Net, claims: &[Claimed]) -> bool {
    single_signal(net) && !claims.iter().any(|claim| claim.what.counts_steps())
}

/// Whether one signal at most is under way.
pub(super) fn single_signal(net: &Net) -> bool {
    let mut begins = 0;
    for (_, machine) in net.ids() {
        for (moment, _) in &machine.own {
            match moment {
                Moment::Start => begins += 1,
                Moment::Later | Moment::Soon => {}
                Moment::Event | Moment::Early => return false,
            }
        }
        if !machine
            .rules()
            .flat_map(|rule| &rule.effects)
            .all(|effect| is_single(machine, effect))
        {
            return false;
        }
        // What waits on while a signal of its leaves are two.
        let later = machine
            .own
            .iter()
            .filter(|(moment, _)| *moment == Moment::Later);
        for (_, rule) in later {
            let goes_on = |effect: &Effect| {
                !effect.outs.is_empty()
                    && effect
                        .sets
                        .iter()
                        .all(|(var, _)| Some(*var) != machine.state)
            };
            if rule.effects.iter().any(goes_on) {
                return false;
            }
        }
    }
    begins <= 1
}

/// Whether an effect sends one signal at most, and none if it lets its machine wait.
fn is_single(machine: &Machine, effect: &Effect) -> bool {
    let outs = effect.outs.iter();
    let sent: usize = outs
        .map(|&out| machine.outputs[usize::from(out)].targets.len())
        .sum();
    let state = effect
        .sets
        .iter()
        .find(|(var, _)| Some(*var) == machine.state);
    let moves_by_itself = machine
        .own
        .iter()
        .any(|(moment, _)| *moment != Moment::Start);
    let waits = state.is_some_and(|(_, update)| {
        let first = |at: &u16| *at == 0;
        moves_by_itself
            && update
                .as_ref()
                .is_none_or(|cases| !cases.iter().all(|(_, at)| first(at)))
    });
    sent <= 1 && (sent == 0 || !waits)
}
