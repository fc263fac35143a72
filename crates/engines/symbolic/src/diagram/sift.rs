//! Moving variables to where the diagrams are small.
//!
//! Sifting after Rudell (1993): each variable in turn, those with most nodes first, is moved
//! through the whole order by exchanges with its neighbour, and left where there were fewest
//! nodes. What moves here is a block: the current and the next value of a bit stay beside each
//! other, as in Panda and Somenzi's group sifting (1995).
//!
//! An exchange changes nodes in place, so whoever holds a diagram holds the same function before
//! and after. References are counted for as long as this lasts, so that what an exchange makes
//! superfluous goes at once and sizes are true.

use super::manager::Manager;
use super::table::{NONE, Node};
use super::{Edge, Result};

/// How much a diagram may grow on a variable's way, in percent.
const GROWTH: usize = 120;

/// Nodes that may be looked at whatever else there was.
const GRANTED: u64 = 2_000_000;

impl Manager {
    /// Moves all blocks once, as far as there is time for it.
    pub(crate) fn sift(&mut self) -> Result<()> {
        self.collect();
        self.cache.clear();
        self.sifts += 1;
        let allowed = self.sift_steps + GRANTED.max(self.steps);
        let mut sifter = Sifter::new(self);
        let mut blocks: Vec<(usize, u32)> = sifter
            .m
            .blocks
            .iter()
            .map(|block| (sifter.block_size(block), block[0]))
            .collect();
        blocks.sort_by_key(|&(size, var)| (std::cmp::Reverse(size), var));
        let total = sifter.m.node_count();
        for (size, var) in blocks {
            // What has few nodes has little to give.
            if size * 500 < total || sifter.m.sift_steps > allowed {
                break;
            }
            sifter.place(var);
            sifter.m.check_time()?;
        }
        Ok(())
    }
}

struct Sifter<'m> {
    m: &'m mut Manager,
    together: Together,
    /// From nodes and from outside.
    references: Vec<u32>,
    list: Vec<u32>,
}

/// Which variables occur together in some function that is held. Those that do not can be
/// exchanged without a look at their nodes.
struct Together {
    words: usize,
    /// Nothing if it would be too large to know.
    rows: Vec<u64>,
}

/// Words that knowing what is together may take.
const ROOM: usize = 8 << 20;

impl Together {
    /// After a collection.
    fn new(m: &Manager) -> Together {
        let count = m.level.len();
        let words = count.div_ceil(64);
        if (m.nodes.len() + count) * words > ROOM {
            return Together {
                words,
                rows: Vec::new(),
            };
        }
        let mut together = Together {
            words,
            rows: vec![0; count * words],
        };
        // What each node depends on, from the bottom up.
        let mut supports = vec![0u64; m.nodes.len() * words];
        let mut list = Vec::new();
        for &var in m.at_level.iter().rev() {
            list.clear();
            m.tables[var as usize].list(&m.nodes, &mut list);
            for &node in &list {
                let node = node as usize;
                let (high, low) = (m.nodes[node].high.node(), m.nodes[node].low.node());
                for word in 0..words {
                    supports[node * words + word] =
                        supports[high * words + word] | supports[low * words + word];
                }
                supports[node * words + var as usize / 64] |= 1 << (var % 64);
            }
        }
        let holds = m.holds.borrow();
        for node in (0..holds.len()).filter(|&node| holds[node] > 0) {
            let support = &supports[node * words..(node + 1) * words];
            for var in (0..count).filter(|var| support[var / 64] >> (var % 64) & 1 == 1) {
                let row = &mut together.rows[var * words..(var + 1) * words];
                for (row, support) in row.iter_mut().zip(support) {
                    *row |= support;
                }
            }
        }
        together
    }

    fn are(&self, x: u32, y: u32) -> bool {
        self.rows.is_empty()
            || self.rows[x as usize * self.words + y as usize / 64] >> (y % 64) & 1 == 1
    }
}

impl<'m> Sifter<'m> {
    /// After a collection.
    fn new(m: &'m mut Manager) -> Sifter<'m> {
        let mut references = m.holds.borrow().clone();
        references.resize(m.nodes.len(), 0);
        for node in m.nodes.iter().filter(|node| node.var != NONE) {
            references[node.high.node()] += 1;
            references[node.low.node()] += 1;
        }
        let together = Together::new(m);
        Sifter {
            m,
            together,
            references,
            list: Vec::new(),
        }
    }

    fn block_size(&self, block: &[u32]) -> usize {
        block
            .iter()
            .map(|&var| self.m.tables[var as usize].count)
            .sum()
    }

    /// Moves the block that begins with a variable to its best place.
    fn place(&mut self, var: u32) {
        let count = self.m.blocks.len();
        let Some(start) = self.m.blocks.iter().position(|block| block[0] == var) else {
            return;
        };
        let limit = self.m.node_count() * GROWTH / 100;
        let mut best = (self.m.node_count(), start);
        let mut at = start;
        // To the nearer end first.
        let down_first = start * 2 >= count;
        for down in [down_first, !down_first] {
            loop {
                let end = if down { at + 1 >= count } else { at == 0 };
                if end || self.m.node_count() > limit.max(best.0 * GROWTH / 100) {
                    break;
                }
                if down {
                    self.exchange_blocks(at);
                    at += 1;
                } else {
                    self.exchange_blocks(at - 1);
                    at -= 1;
                }
                if self.m.node_count() < best.0 {
                    best = (self.m.node_count(), at);
                }
            }
            // The way back to where the other direction begins.
            if down == down_first {
                while at < start {
                    self.exchange_blocks(at);
                    at += 1;
                }
                while at > start {
                    self.exchange_blocks(at - 1);
                    at -= 1;
                }
            }
        }
        while at < best.1 {
            self.exchange_blocks(at);
            at += 1;
        }
        while at > best.1 {
            self.exchange_blocks(at - 1);
            at -= 1;
        }
    }

    /// Exchanges a block with the one below.
    fn exchange_blocks(&mut self, upper: usize) {
        let above = self.m.blocks[upper].len();
        let below = self.m.blocks[upper + 1].len();
        let start = self.m.level[self.m.blocks[upper][0] as usize] as usize;
        for moved in 0..below {
            for level in (start + moved..start + above + moved).rev() {
                self.exchange(level);
            }
        }
        self.m.blocks.swap(upper, upper + 1);
    }

    /// Exchanges the variable of a level with the one below.
    fn exchange(&mut self, level: usize) {
        let x = self.m.at_level[level];
        let y = self.m.at_level[level + 1];
        self.m.at_level.swap(level, level + 1);
        self.m.level[x as usize] += 1;
        self.m.level[y as usize] -= 1;
        self.m.sift_steps += 1;
        if !self.together.are(x, y) {
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        self.m.tables[x as usize].list(&self.m.nodes, &mut list);
        self.m.sift_steps += list.len() as u64;
        list.retain(|&node| {
            let node = &self.m.nodes[node as usize];
            self.is_of(node.high, y) || self.is_of(node.low, y)
        });
        // All leave the table before one is looked up in it: they are about to change.
        for &node in &list {
            self.m.tables[x as usize].remove(&mut self.m.nodes, node as usize);
        }
        for &node in &list {
            self.rewrite(node as usize, x, y);
        }
        self.list = list;
    }

    fn is_of(&self, edge: Edge, var: u32) -> bool {
        self.m.nodes[edge.node()].var == var
    }

    fn parts(&self, edge: Edge, var: u32) -> (Edge, Edge) {
        let node = &self.m.nodes[edge.node()];
        if node.var != var {
            return (edge, edge);
        }
        let negate = edge.is_complement();
        (node.high.negated_if(negate), node.low.negated_if(negate))
    }

    /// Makes a node of `x` one of `y` that is the same function.
    fn rewrite(&mut self, node: usize, x: u32, y: u32) {
        let Node { high, low, .. } = self.m.nodes[node];
        let (f11, f10) = self.parts(high, y);
        let (f01, f00) = self.parts(low, y);
        let new_high = self.shared(x, f11, f01);
        let new_low = self.shared(x, f10, f00);
        debug_assert!(!new_high.is_complement(), "high edges never are");
        self.references[new_high.node()] += 1;
        self.references[new_low.node()] += 1;
        let entry = &mut self.m.nodes[node];
        entry.var = y;
        entry.high = new_high;
        entry.low = new_low;
        self.m.tables[y as usize].insert(&mut self.m.nodes, node);
        self.release(high);
        self.release(low);
    }

    /// The node of `x` with these children, new if need be; its children are referred to by it.
    fn shared(&mut self, x: u32, high: Edge, low: Edge) -> Edge {
        if high == low {
            return high;
        }
        let negate = high.is_complement();
        let (high, low) = (high.negated_if(negate), low.negated_if(negate));
        if let Some(node) = self.m.tables[x as usize].find(&self.m.nodes, high, low) {
            return Edge::new(node).negated_if(negate);
        }
        let node = self.m.new_node(x, high, low);
        if self.references.len() <= node {
            self.references.resize(node + 1, 0);
        }
        self.m.tables[x as usize].insert(&mut self.m.nodes, node);
        self.references[high.node()] += 1;
        self.references[low.node()] += 1;
        Edge::new(node).negated_if(negate)
    }

    /// One reference less. What is below stays: whoever takes the place of the node refers to it.
    fn release(&mut self, edge: Edge) {
        let node = edge.node();
        self.references[node] -= 1;
        if self.references[node] > 0 || node == 0 {
            return;
        }
        let Node { var, high, low, .. } = self.m.nodes[node];
        self.m.tables[var as usize].remove(&mut self.m.nodes, node);
        self.m.nodes[node].var = NONE;
        self.m.free.push(node as u32);
        self.release(high);
        self.release(low);
    }
}

#[cfg(test)]
mod tests {
    use super::super::manager::{Bdd, Limits};
    use super::*;
    use crate::diagram::Var;

    fn manager(blocks: &[usize]) -> (Manager, Vec<Var>) {
        let mut m = Manager::new(Limits {
            budget: model::Budget::default(),
            reorder: true,
            sift_from: 20_000,
        });
        let vars = blocks.iter().flat_map(|&size| m.add_block(size)).collect();
        (m, vars)
    }

    /// The truth table of a function of up to 6 variables.
    fn table(m: &Manager, f: &Bdd) -> u64 {
        (0..64u64).fold(0, |table, row| {
            let holds = m.holds(f, &|var| row >> var.0 & 1 == 1);
            table | u64::from(holds) << row
        })
    }

    #[test]
    fn operations_agree_with_truth_tables_whatever_the_order() {
        let columns: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let exists = |table: u64, var: usize| {
            let shift = 1 << var;
            let (high, low) = (table & columns[var], table & !columns[var]);
            high | high >> shift | low | low << shift
        };
        let (mut m, vars) = manager(&[2, 1, 2, 1]);
        let mut random = 0x1234_5678_9abc_def1u64;
        let mut next = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as usize % limit
        };
        let mut made: Vec<(Bdd, u64)> = vars
            .iter()
            .map(|&var| (m.variable(var).unwrap(), columns[var.index()]))
            .collect();
        for round in 0..3_000 {
            let (f, a) = made[next(made.len())].clone();
            let (g, b) = made[next(made.len())].clone();
            let (h, c) = made[next(made.len())].clone();
            let var = next(6);
            let cube = m.cube([vars[var]]).unwrap();
            let (result, expected) = match next(9) {
                0 => (m.and(&f, &g).unwrap(), a & b),
                1 => (m.or(&f, &g).unwrap(), a | b),
                2 => (m.xor(&f, &g).unwrap(), a ^ b),
                3 => {
                    let both = m.and(&f, &g).unwrap();
                    (m.or(&both, &h).unwrap(), a & b | c)
                }
                4 => (f.not(), !a),
                5 => (m.exists(&f, &cube).unwrap(), exists(a, var)),
                6 => (m.and_exists(&f, &g, &cube).unwrap(), exists(a & b, var)),
                7 => {
                    let two = [vars[var], vars[(var + 2) % 6]];
                    let cube = m.cube(two).unwrap();
                    let expected = exists(exists(a & b, var), (var + 2) % 6);
                    (m.and_exists(&f, &g, &cube).unwrap(), expected)
                }
                _ => {
                    if b == 0 {
                        continue;
                    }
                    let r = m.restrict(&f, &g).unwrap();
                    assert_eq!(table(&m, &r) & b, a & b);
                    continue;
                }
            };
            assert_eq!(table(&m, &result), expected);
            let ones = f64::from(expected.count_ones());
            assert_eq!(m.count(&result, 6).value(), ones);
            if made.len() < 40 {
                made.push((result, expected));
            } else {
                let at = 6 + next(34);
                made[at] = (result, expected);
            }
            match round % 50 {
                20 => m.collect(),
                49 => {
                    m.sift().unwrap();
                    for (f, table_before) in &made {
                        assert_eq!(table(&m, f), *table_before);
                    }
                    // Nothing is left that nobody holds, and each function is there once.
                    let left = m.node_count();
                    m.collect();
                    assert_eq!(m.node_count(), left);
                    for (i, (f, a)) in made.iter().enumerate() {
                        for (g, b) in &made[..i] {
                            assert_eq!(f == g, a == b);
                        }
                    }
                }
                _ => {}
            }
        }
        assert!(m.sifts >= 50);
    }

    #[test]
    fn partners_stay_together_and_shifting_goes_there_and_back() {
        let (mut m, vars) = manager(&[2, 2, 2]);
        let mut f = m.zero();
        for pair in [[0, 2], [2, 4], [4, 0]] {
            let [a, b] = pair.map(|i| m.variable(vars[i]).unwrap());
            let both = m.and(&a, &b).unwrap();
            f = m.xor(&f, &both).unwrap();
        }
        let shifted = m.shift(&f).unwrap();
        m.sift().unwrap();
        assert_eq!(m.support(&shifted), [vars[1], vars[3], vars[5]]);
        assert_eq!(m.shift(&shifted).unwrap(), f);
        for block in &m.blocks {
            let [a, b] = block[..] else { panic!() };
            assert_eq!(m.level[a as usize] + 1, m.level[b as usize]);
        }
    }

    /// `x0 & x8 | x1 & x9 | ...`: exponential in the order given, linear in a good one.
    #[test]
    fn a_bad_order_is_mended() {
        let (mut m, vars) = manager(&[1; 24]);
        let mut f = m.zero();
        for i in 0..12 {
            let a = m.variable(vars[i]).unwrap();
            let b = m.variable(vars[i + 12]).unwrap();
            let both = m.and(&a, &b).unwrap();
            f = m.or(&f, &both).unwrap();
        }
        assert!(m.size(&[&f]) > 8_000);
        m.sift().unwrap();
        assert_eq!(m.size(&[&f]), 24);
    }

    #[test]
    fn what_does_not_fit_is_a_value() {
        let (mut m, vars) = manager(&[1; 40]);
        m.limits.reorder = false;
        m.limits.budget.memory = Some(100_000);
        let mut f = m.zero();
        let mut end = Ok(());
        for i in 0..20 {
            let a = m.variable(vars[i]).unwrap();
            let b = m.variable(vars[i + 20]).unwrap();
            let both = m.and(&a, &b).unwrap();
            match m.or(&f, &both) {
                Ok(more) => f = more,
                Err(halt) => {
                    end = Err(halt);
                    break;
                }
            }
        }
        let memory = super::super::Halt::Limit(model::UnknownReason::Memory);
        assert_eq!(end, Err(memory));
    }
}
