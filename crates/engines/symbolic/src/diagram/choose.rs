//! Single assignments.

use super::manager::{Bdd, Manager};
use super::{Edge, Result, Var};

impl Manager {
    /// Values of the variables that a satisfying assignment needs; nothing if there is none.
    /// Prefers *false*, from the top of the order down.
    pub(crate) fn choose(&self, f: &Bdd) -> Option<Vec<(Var, bool)>> {
        let mut at = f.edge();
        if at == Edge::ZERO {
            return None;
        }
        let mut values = Vec::new();
        while !at.is_constant() {
            let (high, low) = self.cofactors(at, self.level_of(at));
            let value = low == Edge::ZERO;
            values.push((Var(self.nodes[at.node()].var), value));
            at = if value { high } else { low };
        }
        Some(values)
    }

    /// Whether an assignment satisfies a function.
    #[cfg(test)]
    pub(crate) fn holds(&self, f: &Bdd, value: &dyn Fn(Var) -> bool) -> bool {
        let mut at = f.edge();
        while !at.is_constant() {
            let (high, low) = self.cofactors(at, self.level_of(at));
            at = if value(Var(self.nodes[at.node()].var)) {
                high
            } else {
                low
            };
        }
        at == Edge::ONE
    }

    /// The function that holds for these values only.
    pub(crate) fn literals(&mut self, values: &[(Var, bool)]) -> Result<Bdd> {
        let mut values = values.to_vec();
        self.operation(|m| {
            values.sort_by_key(|&(var, _)| std::cmp::Reverse(m.level[var.index()]));
            let mut cube = Edge::ONE;
            for &(var, value) in &values {
                cube = if value {
                    m.node(var.0, cube, Edge::ZERO)?
                } else {
                    m.node(var.0, Edge::ZERO, cube)?
                };
            }
            Ok(cube)
        })
    }
}
