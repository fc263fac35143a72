//! From current to next variables and back, and functions made smaller where they do not matter.

use super::cache::Operation;
use super::manager::{Bdd, Manager};
use super::table::NONE;
use super::{Edge, Result};

impl Manager {
    /// The same function of the partners of its variables. No variable and its partner both occur
    /// in it. Partners lie beside each other, so the order stays.
    pub(crate) fn shift(&mut self, f: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.shift_edge(f.edge()))
    }

    /// A function that equals `f` where `care` holds, and has no variables but those of `f`;
    /// often, not always, a smaller one (Coudert and Madre 1990).
    pub(crate) fn restrict(&mut self, f: &Bdd, care: &Bdd) -> Result<Bdd> {
        if care.is_zero() {
            return Ok(self.zero());
        }
        self.operation(|m| m.restrict_edge(f.edge(), care.edge()))
    }

    fn shift_edge(&mut self, f: Edge) -> Result<Edge> {
        if f.is_constant() {
            return Ok(f);
        }
        let negate = f.is_complement();
        let f = f.regular();
        if let Some(known) = self.remembered(Operation::Shift, f, Edge::ONE, Edge::ONE) {
            return Ok(known.negated_if(negate));
        }
        let node = self.nodes[f.node()];
        let high = self.shift_edge(node.high)?;
        let low = self.shift_edge(node.low)?;
        let result = self.node(self.partner[node.var as usize], high, low)?;
        let result = self.remember(Operation::Shift, f, Edge::ONE, Edge::ONE, result)?;
        Ok(result.negated_if(negate))
    }

    fn restrict_edge(&mut self, f: Edge, care: Edge) -> Result<Edge> {
        if care == Edge::ONE || f.is_constant() {
            return Ok(f);
        }
        if f == care {
            return Ok(Edge::ONE);
        }
        if f == !care {
            return Ok(Edge::ZERO);
        }
        let negate = f.is_complement();
        let f = f.regular();
        if let Some(known) = self.remembered(Operation::Restrict, f, care, Edge::ONE) {
            return Ok(known.negated_if(negate));
        }
        let level = self.level_of(f);
        let above = self.level_of(care);
        debug_assert!(level != NONE, "constants are done with");
        let result = if above < level {
            let (care1, care0) = self.cofactors(care, above);
            let either = self.or_edges(care1, care0)?;
            self.restrict_edge(f, either)?
        } else {
            let (f1, f0) = self.cofactors(f, level);
            let (care1, care0) = self.cofactors(care, level);
            if care1 == Edge::ZERO {
                self.restrict_edge(f0, care0)?
            } else if care0 == Edge::ZERO {
                self.restrict_edge(f1, care1)?
            } else {
                let high = self.restrict_edge(f1, care1)?;
                let low = self.restrict_edge(f0, care0)?;
                self.node(self.at_level[level as usize], high, low)?
            }
        };
        let result = self.remember(Operation::Restrict, f, care, Edge::ONE, result)?;
        Ok(result.negated_if(negate))
    }
}
