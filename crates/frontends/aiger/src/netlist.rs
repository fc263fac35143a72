//! A circuit as a file states it.

/// A constant, an input, a latch or a gate, or its opposite, numbered as in the binary format: the
/// constant *false* is 0, then come inputs, latches and gates, two numbers each, the odd one for the
/// opposite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signal(pub u32);

impl Signal {
    /// The number of what it is, or is the opposite of.
    #[must_use]
    pub fn node(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether it is the opposite.
    #[must_use]
    pub fn is_inverted(self) -> bool {
        self.0 % 2 == 1
    }

    /// Its value, given [those of all nodes](Netlist::evaluate).
    #[must_use]
    pub fn holds(self, values: &[bool]) -> bool {
        values[self.node()] != self.is_inverted()
    }

    /// The same, or its opposite.
    #[must_use]
    pub fn invert_if(self, by: bool) -> Signal {
        Signal(self.0 ^ u32::from(by))
    }
}

/// What a latch holds at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reset {
    /// This.
    To(bool),
    /// Either.
    Free,
}

/// What the file gives a name, or could.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named<T> {
    /// The name; where the file gives none, a letter and the place: `i0`, `l0`, `b0`, ...
    pub name: String,
    /// The line that states it, from 1; 0 where none does.
    pub line: usize,
    /// What it is.
    pub what: T,
}

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// What it holds at the beginning.
    pub reset: Reset,
    /// What it holds a moment later.
    pub next: Signal,
}

/// A circuit.
#[derive(Clone, Default, Debug)]
pub struct Netlist {
    /// Chosen anew at each moment.
    pub inputs: Vec<Named<()>>,
    /// Remembered from moment to moment.
    pub latches: Vec<Named<Latch>>,
    /// Each the *and* of two signals that stand before it.
    pub gates: Vec<(Signal, Signal)>,
    /// What other circuits would see.
    pub outputs: Vec<Named<Signal>>,
    /// What must never be.
    pub bads: Vec<Named<Signal>>,
    /// What holds at every moment.
    pub constraints: Vec<Named<Signal>>,
    /// For each: not all of these may be again and again.
    pub justice: Vec<Named<Vec<Signal>>>,
    /// What is again and again, in the runs that count for `justice`.
    pub fairness: Vec<Named<Signal>>,
}

impl Netlist {
    /// The value of every node, from those of inputs and latches.
    ///
    /// # Panics
    /// If there is not one value for each input and each latch.
    #[must_use]
    pub fn evaluate(&self, inputs: &[bool], latches: &[bool]) -> Vec<bool> {
        assert_eq!(
            (inputs.len(), latches.len()),
            (self.inputs.len(), self.latches.len())
        );
        let mut values = vec![false];
        values.extend(inputs);
        values.extend(latches);
        for (a, b) in &self.gates {
            values.push(a.holds(&values) && b.holds(&values));
        }
        values
    }
}
