//! The order in which a solver decides: a binary heap of variables by activity.
//!
//! Variable state independent decaying sum (Moskewicz et al., *Chaff*, 2001), with the decay
//! turned round as in MiniSat: instead of shrinking all activities, the increment grows.

use crate::Var;

const NOWHERE: u32 = u32::MAX;

/// Variables waiting to be decided, the most active first.
#[derive(Clone, Default, Debug)]
pub(super) struct Order {
    heap: Vec<Var>,
    /// Where each variable stands in the heap.
    place: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub(super) fn new() -> Self {
        Order {
            increment: 1.0,
            ..Order::default()
        }
    }

    pub(super) fn add_var(&mut self) {
        self.place.push(NOWHERE);
        self.activity.push(0.0);
    }

    /// Empties the heap and fills it with these.
    pub(super) fn refill(&mut self, vars: impl Iterator<Item = Var>) {
        for var in self.heap.drain(..) {
            self.place[var.index()] = NOWHERE;
        }
        for var in vars {
            if self.place[var.index()] == NOWHERE {
                self.place[var.index()] = self.heap.len() as u32;
                self.heap.push(var);
            }
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.down(at);
        }
    }

    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == NOWHERE {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Var> {
        let first = *self.heap.first()?;
        self.place[first.index()] = NOWHERE;
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last.index()] = 0;
            self.down(0);
        }
        Some(first)
    }

    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        let place = self.place[var.index()];
        if place != NOWHERE {
            self.up(place as usize);
        }
    }

    pub(super) fn decay(&mut self) {
        self.increment /= 0.95;
    }

    fn above(&self, a: Var, b: Var) -> bool {
        self.activity[a.index()] > self.activity[b.index()]
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let other = self.heap[parent];
            if !self.above(var, other) {
                break;
            }
            self.heap[at] = other;
            self.place[other.index()] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.above(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            let other = self.heap[child];
            if !self.above(other, var) {
                break;
            }
            self.heap[at] = other;
            self.place[other.index()] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }
}
