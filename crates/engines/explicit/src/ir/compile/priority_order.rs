//! Siblings: steps that an instance could take at one location, the more urgent first.
//!
//! An `else`, or a step that an escape covers, is enabled only if no more urgent sibling is. Where
//! none of them needs a partner, that is found out by trying the instance's own moves in order;
//! where one does, all moves of all instances have to be looked at first.

use model::{Comm, LocId};

use super::Compiler;
use crate::ir::instruction::PriorityList;

impl Compiler<'_> {
    /// The moves that begin at each location of an instance, most urgent first; nothing if their
    /// order cannot be decided by trying these moves alone.
    pub(super) fn priority_lists(
        &self,
        instance: usize,
        at: &[Vec<u32>],
    ) -> Option<Vec<PriorityList>> {
        at.iter()
            .enumerate()
            .map(|(location, moves)| {
                if location < self.template(instance).locations.len()
                    && !self.decides_alone(instance, LocId::new(location))
                {
                    return None;
                }
                let urgency = |id: &u32| self.moves[*id as usize].urgency[0];
                let mut sorted = moves.clone();
                sorted.sort_by_key(|id| std::cmp::Reverse(urgency(id)));
                let begins = |place: usize| {
                    place > 0 && urgency(&sorted[place]) != urgency(&sorted[place - 1])
                };
                let guarded_moves = (0..sorted.len()).map(|place| (sorted[place], begins(place)));
                Some(guarded_moves.collect())
            })
            .collect()
    }

    /// Whether what is offered at a location is equally urgent, or needs no partner.
    fn decides_alone(&self, instance: usize, location: LocId) -> bool {
        let process = self.layout.instances[instance].process;
        let steps = &self.template(instance).steps;
        let offered = &self.analysis.processes[process.index()].offered[location.index()];
        let urgency = |(step, precedence): &(model::StepId, u16)| {
            // Classes are tried one after the other, for everybody.
            (*precedence, steps[step.index()].rank)
        };
        if offered.windows(2).all(|o| urgency(&o[0]) == urgency(&o[1])) {
            return true;
        }
        let class = |(step, _): &(model::StepId, u16)| steps[step.index()].class;
        offered.windows(2).all(|o| class(&o[0]) == class(&o[1]))
            && offered
                .iter()
                .all(|(step, _)| match &steps[step.index()].comm {
                    None => true,
                    Some(Comm::Barrier(_)) => false,
                    Some(Comm::Send { channel, .. } | Comm::Receive { channel, .. }) => self
                        .possible_channels(Some(instance), *channel)
                        .iter()
                        .all(|&number| self.layout.channels[number].capacity > 0),
                })
    }
}
