//! Quantification, and the relational product: conjunction and quantification in one.

use super::cache::Operation;
use super::manager::{Bdd, Manager};
use super::table::NONE;
use super::{Edge, Result, Var};

impl Manager {
    /// The conjunction of some variables: what [`Manager::exists`] takes.
    pub(crate) fn cube(&mut self, vars: impl IntoIterator<Item = Var>) -> Result<Bdd> {
        let mut vars: Vec<u32> = vars.into_iter().map(|var| var.0).collect();
        self.operation(|m| {
            vars.sort_by_key(|&var| std::cmp::Reverse(m.level[var as usize]));
            vars.dedup();
            let mut cube = Edge::ONE;
            for &var in &vars {
                cube = m.node(var, cube, Edge::ZERO)?;
            }
            Ok(cube)
        })
    }

    /// Whether there are values of the variables of a cube that make a function true.
    pub(crate) fn exists(&mut self, f: &Bdd, cube: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.exists_edges(f.edge(), cube.edge()))
    }

    /// Whether there are values of the variables of a cube that make both functions true.
    pub(crate) fn and_exists(&mut self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Result<Bdd> {
        self.operation(|m| m.and_exists_edges(f.edge(), g.edge(), cube.edge()))
    }

    /// The part of a cube from a level on.
    fn cube_from(&self, mut cube: Edge, level: u32) -> Edge {
        while self.level_of(cube) < level {
            cube = self.nodes[cube.node()].high;
        }
        cube
    }

    fn exists_edges(&mut self, f: Edge, cube: Edge) -> Result<Edge> {
        let level = self.level_of(f);
        let cube = self.cube_from(cube, level);
        if level == NONE || cube == Edge::ONE {
            return Ok(f);
        }
        if let Some(known) = self.remembered(Operation::Exists, f, cube, Edge::ONE) {
            return Ok(known);
        }
        let (f1, f0) = self.cofactors(f, level);
        let result = if self.level_of(cube) == level {
            let rest = self.nodes[cube.node()].high;
            let high = self.exists_edges(f1, rest)?;
            if high == Edge::ONE {
                high
            } else {
                let low = self.exists_edges(f0, rest)?;
                self.or_edges(high, low)?
            }
        } else {
            let high = self.exists_edges(f1, cube)?;
            let low = self.exists_edges(f0, cube)?;
            self.node(self.at_level[level as usize], high, low)?
        };
        self.remember(Operation::Exists, f, cube, Edge::ONE, result)
    }

    fn and_exists_edges(&mut self, f: Edge, g: Edge, cube: Edge) -> Result<Edge> {
        if f == Edge::ZERO || g == Edge::ZERO || f == !g {
            return Ok(Edge::ZERO);
        }
        if f == Edge::ONE || f == g {
            return self.exists_edges(g, cube);
        }
        if g == Edge::ONE {
            return self.exists_edges(f, cube);
        }
        let level = self.level_of(f).min(self.level_of(g));
        let cube = self.cube_from(cube, level);
        if cube == Edge::ONE {
            return self.and_edges(f, g);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.remembered(Operation::AndExists, f, g, cube) {
            return Ok(known);
        }
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let result = if self.level_of(cube) == level {
            let rest = self.nodes[cube.node()].high;
            let high = self.and_exists_edges(f1, g1, rest)?;
            if high == Edge::ONE || high == f0 || high == g0 {
                high
            } else {
                let low = self.and_exists_edges(f0, g0, rest)?;
                self.or_edges(high, low)?
            }
        } else {
            let high = self.and_exists_edges(f1, g1, cube)?;
            let low = self.and_exists_edges(f0, g0, cube)?;
            self.node(self.at_level[level as usize], high, low)?
        };
        self.remember(Operation::AndExists, f, g, cube, result)
    }
}
