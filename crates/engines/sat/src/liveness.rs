//! From runs for ever to what is reached.
//!
//! Two reductions of "some literals hold infinitely often":
//!
//! - *Loops*: a state is saved at some moment, and what is bad is to come back to it after all of
//!   the literals held. A finite circuit has a run for ever of the kind asked for iff that can be
//!   reached (Biere, Artho, Schuppan: *Liveness checking as safety checking*, 2002).
//! - *Counting*: what is bad is that all of the literals held, in rounds, more than `k` times. If that
//!   cannot be reached, there is no run of the kind asked for; if there is none, some `k`
//!   shows it (Claessen, Sörensson: *A liveness checking algorithm that counts*, 2012).

use circuit::{Circuit, InputId, LatchId, Lit, Reset};

use crate::product::Product;

/// How a question about runs for ever became one about what is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// A state seen before is reached again, and all that is asked for held in between.
    Loops,
    /// All that is asked for has held more than so many times, in rounds.
    Counting(u32),
}

/// What a latch of a circuit with a reduction in it says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Watched {
    /// What this one says of the circuit that was asked about.
    Latch(LatchId),
    /// The first literal of the compassion at this position is guessed not to hold any more.
    Never(usize),
    /// The automaton is in this state.
    State(usize),
    /// What has to hold infinitely often, at this position, has held in this round.
    Seen(usize),
    /// More rounds than this have been completed.
    Count(usize),
    /// A state has been saved.
    Saved,
    /// What the other one said when the state was saved.
    Before(Box<Watched>),
    /// What has to hold infinitely often, at this position, has held since the state was saved.
    Since(usize),
}

/// What the latches that a reduction adds say, given what those of the product say.
pub(crate) fn watched(reduction: Reduction, product: &Product, own: Vec<Watched>) -> Vec<Watched> {
    let mut all = own.clone();
    let often = product.often.len();
    match reduction {
        Reduction::Loops => {
            all.push(Watched::Saved);
            all.extend(own.into_iter().map(|own| Watched::Before(Box::new(own))));
            all.extend((0..often).map(Watched::Since));
        }
        Reduction::Counting(count) => {
            if often > 1 {
                all.extend((0..often).map(Watched::Seen));
            }
            all.extend((0..=count as usize).map(Watched::Count));
        }
    }
    all
}

/// A circuit with what is bad in it. The product's latches and inputs come first.
pub(crate) struct Reduced {
    pub(crate) circuit: Circuit,
    pub(crate) bad: Lit,
    /// For loops: the latch that tells that a state has been saved.
    pub(crate) saved: Lit,
    /// For loops: the input that says that it is saved now.
    pub(crate) save: Option<InputId>,
}

impl Reduction {
    pub(crate) fn of(self, product: &Product) -> Reduced {
        match self {
            Reduction::Loops => loops(product),
            Reduction::Counting(count) => counting(product, count),
        }
    }
}

fn loops(product: &Product) -> Reduced {
    let mut circuit = product.circuit.clone();
    let originals = circuit.latches.clone();
    let save = circuit.input("loop.save");
    let saved = circuit.latch("loop.saved", Reset::Zero);
    let inside = circuit.aig.or(saved, save);
    circuit.set_next(saved, inside);
    let saves = circuit.aig.and(save, !saved);
    let mut all = vec![saved];
    for latch in &originals {
        let shadow = circuit.latch(format!("loop.{}", latch.name), Reset::Zero);
        let next = circuit.aig.mux(saves, latch.lit, shadow);
        circuit.set_next(shadow, next);
        all.push(circuit.aig.iff(latch.lit, shadow));
    }
    for (number, &lit) in product.often.iter().enumerate() {
        let seen = circuit.latch(format!("loop.seen{number}"), Reset::Zero);
        let now = circuit.aig.or(seen, lit);
        let next = circuit.aig.and(inside, now);
        circuit.set_next(seen, next);
        all.push(seen);
    }
    let bad = circuit.aig.all(&all);
    Reduced {
        save: circuit.input_of(save),
        circuit,
        bad,
        saved,
    }
}

fn counting(product: &Product, count: u32) -> Reduced {
    let mut circuit = product.circuit.clone();
    let round = match product.often[..] {
        // Every step is a round of nothing.
        [] => Lit::TRUE,
        [only] => only,
        ref several => {
            let seen: Vec<Lit> = (0..several.len())
                .map(|number| circuit.latch(format!("count.seen{number}"), Reset::Zero))
                .collect();
            let pairs = seen.iter().zip(several);
            let now: Vec<Lit> = pairs.map(|(&s, &lit)| circuit.aig.or(s, lit)).collect();
            let round = circuit.aig.all(&now);
            for (&seen, now) in seen.iter().zip(now) {
                let next = circuit.aig.and(now, !round);
                circuit.set_next(seen, next);
            }
            round
        }
    };
    let mut before = Lit::TRUE;
    for number in 0..=count {
        let reached = circuit.latch(format!("count.{number}"), Reset::Zero);
        let more = circuit.aig.and(before, round);
        let next = circuit.aig.or(reached, more);
        circuit.set_next(reached, next);
        before = reached;
    }
    Reduced {
        circuit,
        bad: before,
        saved: Lit::FALSE,
        save: None,
    }
}
