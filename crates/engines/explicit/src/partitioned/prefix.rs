//! How states are packed at first in a search by several processes: in the bits that the values of its first
//! states need, which each process goes through by itself and finds to be the same. Who owns a state
//! depends on that. Where a value does not fit later, states are [packed anew](crate::partitioned::widening).

use model::{Budget, Silent, UnknownReason};

use crate::engine::Engine;
use crate::partitioned::part::Part;
use crate::partitioned::team::Solo;
use crate::search::targets::Targets;
use crate::store::Store;
use crate::store::adaptive_packing::{AdaptivePacking, widened};
use crate::store::packing::{FieldOverflow, Packing};
use crate::{Storage, Technique};

/// First states that are looked at.
const FIRST: u32 = 1 << 13;
/// The same where these make texts or other values.
const MANY: u32 = 1 << 17;

/// Why a search is given up in which processes make values that others have other numbers for.
pub(crate) fn made_values() -> UnknownReason {
    let what = "so many texts and other values that are made at run time, over a cluster";
    UnknownReason::Unsupported(what.to_owned())
}

/// Makes the texts and other values that come up in the first states. All processes go through these by themselves, in
/// the same order, so the values have the same numbers in all of them.
pub(crate) fn make_values(engine: &Engine<'_>) {
    for limit in [FIRST, MANY] {
        let before = engine.program.rich.len();
        if first_states(engine, limit).is_none() || engine.program.rich.len() == before {
            return;
        }
    }
}

/// The first states, as found without others.
fn first_states(engine: &Engine<'_>, limit: u32) -> Option<Store> {
    let nothing = Targets {
        bads: &[],
        states: Vec::new(),
        first_watched: 0,
        // What is asked for is evaluated, since that may make values too.
        watched: engine.outcomes(),
        all: false,
    };
    let (store, mut inserters) = Store::new(&engine.packing.shape(), Storage::Plain, 1);
    // No limits: all processes have to find the same.
    let budget = Budget::default();
    let part = (store, inserters.pop()?);
    let mut part = Part::new(engine, part, (&nothing, false), (0, 1), &budget).up_to(limit);
    let mut alone = Solo::default();
    part.search(&mut alone, &Silent).ok()?;
    Some(part.into_store().1)
}

/// How states are to be packed at first, if not by types; with room for values that have not fitted one time after the
/// other.
pub(crate) fn fitted(engine: &Engine<'_>, outgrown: &[Vec<FieldOverflow>]) -> Option<Packing> {
    let tuning = engine.tuning();
    let is_used = tuning.number(Technique::AdaptivePacking) > 0;
    if !is_used || engine.symmetry.is_some() {
        return None;
    }
    let store = first_states(engine, FIRST)?;
    let types = (&engine.packing, &engine.layout);
    let first = AdaptivePacking::beforehand().fit(&engine.packing, types, &store)?;
    let rounds = outgrown.iter().enumerate();
    Some(rounds.fold(first, |packing, (number, values)| {
        widened(&packing, values, types, number)
    }))
}
