//! Circuits: a graph of gates, latches that remember, and what may be assumed and asked.

use crate::aig::{Aig, InputId, LatchId, Lit, Node};

/// What a latch holds at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reset {
    /// False.
    Zero,
    /// True.
    One,
    /// Either, as far as [`Circuit::initial`] allows.
    Free,
}

/// A bit that is remembered from step to step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Latch {
    /// For people: what it holds.
    pub name: String,
    /// Its present value in the graph.
    pub lit: Lit,
    /// What it holds at the beginning.
    pub reset: Reset,
    /// What it holds after a step, over latches and inputs. Itself until it is set.
    pub next: Lit,
}

/// A bit that each step chooses anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// For people: what it chooses.
    pub name: String,
    /// Its value in the graph.
    pub lit: Lit,
}

/// Something that must not be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bad {
    /// For people: what it is.
    pub name: String,
    /// Where it is so: over latches, and over inputs where what is bad is seen in what is chosen.
    /// Latches must make a state, but inputs need not make a step: where it is the taking of a
    /// step that is bad, the literal says by itself that there is one.
    pub lit: Lit,
}

/// A transition system of bits.
///
/// A *state* is a value for each latch for which all of [`Circuit::state_constraints`] hold. It is
/// initial if each latch has its [`Reset`] value and [`Circuit::initial`] holds. From a state, with
/// a value for each input for which all of [`Circuit::step_constraints`] hold, there is a *step* to
/// the state that the latches' [`Latch::next`] say, if that is a state. A bad state is reached by
/// finitely many steps and needs no successor.
///
/// `justice` and `compassion` say which infinite runs count: each justice literal holds infinitely
/// often, and of each compassion pair, if the first holds infinitely often, so does the second.
#[derive(Clone, Default, Debug)]
pub struct Circuit {
    /// The gates.
    pub aig: Aig,
    /// What is remembered; the place is the [`LatchId`].
    pub latches: Vec<Latch>,
    /// What is chosen at each step; the place is the [`InputId`].
    pub inputs: Vec<Input>,
    /// Over latches: which states are initial, besides the resets. All of them hold.
    pub initial: Vec<Lit>,
    /// Over latches: what holds in every state.
    pub state_constraints: Vec<Lit>,
    /// Over latches and inputs: what holds for every step.
    pub step_constraints: Vec<Lit>,
    /// Over latches: what holds in every state that can be reached, by the way the circuit was
    /// made. Engines may use it; a checker of certificates proves it with the rest.
    pub invariants: Vec<Lit>,
    /// Over latches and inputs: where one of these holds the circuit is too small to follow what it
    /// stands for, and says nothing of what comes next. That something bad is never reached needs
    /// these not to be reached either: see [`Circuit::bad_or_limit`].
    pub limits: Vec<Lit>,
    /// What must not be reached.
    pub bads: Vec<Bad>,
    /// Over latches and inputs: what holds infinitely often in the runs that count.
    pub justice: Vec<Lit>,
    /// Over latches and inputs: infinitely often the first implies infinitely often the second.
    pub compassion: Vec<(Lit, Lit)>,
}

impl Circuit {
    /// A new input.
    pub fn input(&mut self, name: impl Into<String>) -> Lit {
        let (_, lit) = self.aig.add_input();
        self.inputs.push(Input {
            name: name.into(),
            lit,
        });
        lit
    }

    /// A new latch that keeps its value until [`Circuit::set_next`] says otherwise.
    pub fn latch(&mut self, name: impl Into<String>, reset: Reset) -> Lit {
        let (_, lit) = self.aig.add_latch();
        self.latches.push(Latch {
            name: name.into(),
            lit,
            reset,
            next: lit,
        });
        lit
    }

    /// Which latch a literal is, where it is one, not inverted.
    #[must_use]
    pub fn latch_of(&self, lit: Lit) -> Option<LatchId> {
        match self.aig.node(lit.node()) {
            Node::Latch(id) if !lit.is_inverted() => Some(id),
            _ => None,
        }
    }

    /// Which input a literal is, where it is one, not inverted.
    #[must_use]
    pub fn input_of(&self, lit: Lit) -> Option<InputId> {
        match self.aig.node(lit.node()) {
            Node::Input(id) if !lit.is_inverted() => Some(id),
            _ => None,
        }
    }

    /// Says what a latch holds after a step.
    ///
    /// # Panics
    /// If `latch` is not what [`Circuit::latch`] returned: a mistake of the caller.
    pub fn set_next(&mut self, latch: Lit, next: Lit) {
        let id = self
            .latch_of(latch)
            .expect("internal error: the next value of what is not a latch");
        self.latches[id.index()].next = next;
    }

    /// The literals that restrict or are asked, and all next values: everything that means
    /// something.
    #[must_use]
    pub fn roots(&self) -> Vec<Lit> {
        let mut roots = self.constraints();
        roots.extend(self.latches.iter().map(|latch| latch.next));
        roots.extend(&self.invariants);
        roots.extend(&self.limits);
        roots.extend(self.bads.iter().map(|bad| bad.lit));
        roots.extend(self.fairness());
        roots
    }

    /// Where something bad is, or what a limit of the circuit keeps from being known. If this is
    /// never reached, neither is the bad.
    pub fn bad_or_limit(&mut self, bad: usize) -> Lit {
        let mut all = self.limits.clone();
        all.push(self.bads[bad].lit);
        self.aig.any(&all)
    }

    /// All that restricts which states and steps there are.
    pub(crate) fn constraints(&self) -> Vec<Lit> {
        [
            &self.initial[..],
            &self.state_constraints,
            &self.step_constraints,
        ]
        .concat()
    }

    /// All that says which infinite runs count.
    pub(crate) fn fairness(&self) -> impl Iterator<Item = Lit> + '_ {
        self.justice
            .iter()
            .copied()
            .chain(self.compassion.iter().flat_map(|&(p, q)| [p, q]))
    }
}
