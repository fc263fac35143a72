//! Which nodes a signal can come to, by the lines alone.

use super::{MachineId, Moment, Net};

impl Net {
    /// For each machine, whether lines lead to it from where signals begin.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let mut seen = vec![false; self.machines.len()];
        let begins = |moment: &Moment| !matches!(moment, Moment::Later | Moment::Soon);
        let mut open: Vec<MachineId> = self
            .ids()
            .filter(|(_, machine)| machine.own.iter().any(|(moment, _)| begins(moment)))
            .map(|(id, _)| id)
            .collect();
        for &id in &open {
            seen[id.index()] = true;
        }
        while let Some(id) = open.pop() {
            let outputs = self.machine(id).outputs.iter();
            for (to, _) in outputs.flat_map(|output| &output.targets) {
                if !std::mem::replace(&mut seen[to.index()], true) {
                    open.push(*to);
                }
            }
        }
        seen
    }
}
