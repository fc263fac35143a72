//! Conjunction and exclusive or; the other connectives are these with negations.

use super::cache::Operation;
use super::manager::{Bdd, Manager};
use super::{Edge, Result};

impl Manager {
    pub(crate) fn and(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.and_edges(f.edge(), g.edge()))
    }

    pub(crate) fn or(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.operation(|m| Ok(!m.and_edges(!f.edge(), !g.edge())?))
    }

    /// `f` and not `g`.
    pub(crate) fn without(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.and_edges(f.edge(), !g.edge()))
    }

    pub(crate) fn xor(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.xor_edges(f.edge(), g.edge()))
    }

    pub(crate) fn iff(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        Ok(self.xor(f, g)?.not())
    }

    /// Whether the two have something in common.
    pub(crate) fn meet(&mut self, f: &Bdd, g: &Bdd) -> Result<bool> {
        Ok(!self.and(f, g)?.is_zero())
    }

    /// Whether `f` implies `g`.
    pub(crate) fn is_subset(&mut self, f: &Bdd, g: &Bdd) -> Result<bool> {
        Ok(self.without(f, g)?.is_zero())
    }

    pub(super) fn or_edges(&mut self, f: Edge, g: Edge) -> Result<Edge> {
        Ok(!self.and_edges(!f, !g)?)
    }

    pub(super) fn and_edges(&mut self, f: Edge, g: Edge) -> Result<Edge> {
        if f == g || g == Edge::ONE {
            return Ok(f);
        }
        if f == Edge::ONE {
            return Ok(g);
        }
        if f == Edge::ZERO || g == Edge::ZERO || f == !g {
            return Ok(Edge::ZERO);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.remembered(Operation::And, f, g, Edge::ONE) {
            return Ok(known);
        }
        let level = self.level_of(f).min(self.level_of(g));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let high = self.and_edges(f1, g1)?;
        let low = self.and_edges(f0, g0)?;
        let result = self.node(self.at_level[level as usize], high, low)?;
        self.remember(Operation::And, f, g, Edge::ONE, result)
    }

    pub(super) fn xor_edges(&mut self, f: Edge, g: Edge) -> Result<Edge> {
        let negate = f.is_complement() != g.is_complement();
        let (f, g) = (f.regular(), g.regular());
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if f == g {
            return Ok(Edge::ZERO.negated_if(negate));
        }
        if f == Edge::ONE {
            return Ok(!g.negated_if(negate));
        }
        if let Some(known) = self.remembered(Operation::Xor, f, g, Edge::ONE) {
            return Ok(known.negated_if(negate));
        }
        let level = self.level_of(f).min(self.level_of(g));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let high = self.xor_edges(f1, g1)?;
        let low = self.xor_edges(f0, g0)?;
        let result = self.node(self.at_level[level as usize], high, low)?;
        let result = self.remember(Operation::Xor, f, g, Edge::ONE, result)?;
        Ok(result.negated_if(negate))
    }
}
