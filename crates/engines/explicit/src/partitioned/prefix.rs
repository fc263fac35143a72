//! How states are packed in a search by several processes: in the bits that the values of its first
//! states need, which each process goes through by itself and finds to be the same.
//!
//! Who owns a state depends on how it is packed, so states cannot be packed anew while a search goes on, as
//! they are [on one machine](crate::store::adaptive_packing). A value that does not fit ends it, and it begins
//! again with room for that and for more.

use model::{Budget, Silent, UnknownReason};

use crate::engine::Engine;
use crate::partitioned::part::Part;
use crate::partitioned::team::Solo;
use crate::search::targets::Targets;
use crate::store::Store;
use crate::store::adaptive_packing::AdaptivePacking;
use crate::store::packing::{FieldOverflow, Packing};
use crate::{Storage, Technique};

/// First states that are looked at.
const FIRST: u32 = 1 << 13;
/// The same where these make texts or other values.
const MANY: u32 = 1 << 17;
/// How often a search begins again with other fields before states are packed by types.
const PATIENCE: u8 = 3;

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
    Some(part.into_store())
}

/// How states are to be packed, if not by types, when so often fields have been too small for these values.
pub(crate) fn fitted(
    engine: &Engine<'_>,
    overflow: &[FieldOverflow],
    again: u8,
) -> Option<Packing> {
    let tuning = engine.tuning();
    let is_used = tuning.number(Technique::AdaptivePacking) > 0;
    if !is_used || engine.symmetry.is_some() || again > PATIENCE {
        return None;
    }
    let store = first_states(engine, FIRST)?;
    AdaptivePacking::beforehand(overflow, again).fit(
        &engine.packing,
        (&engine.packing, &engine.layout),
        &store,
    )
}
