//! How states are packed in a search by several processes: in the bits that the values of its first
//! states need, which each process goes through by itself and finds to be the same.
//!
//! Who owns a state depends on how it is packed, so states cannot be packed anew while a search goes on, as
//! they are [on one machine](crate::store::adaptive_packing). A value that does not fit ends it, and it begins
//! again with room for that and for more.

use model::{Budget, Silent};

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
/// How often a search begins again with other fields before states are packed by types.
const PATIENCE: u8 = 3;

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
    let nothing = Targets {
        bads: &[],
        states: Vec::new(),
        first_watched: 0,
        watched: 0,
        all: false,
    };
    let store = Store::new(&engine.packing.shape(), Storage::Plain, 1);
    let (store, mut inserters) = store;
    // No limits: all processes have to find the same.
    let budget = Budget::default();
    let part = (store, inserters.pop()?);
    let mut part = Part::new(engine, part, (&nothing, false), (0, 1), &budget).up_to(FIRST);
    let mut alone = Solo::default();
    part.search(&mut alone, &Silent).ok()?;
    let store = part.into_store();
    AdaptivePacking::beforehand(overflow, again).fit(
        &engine.packing,
        (&engine.packing, &engine.layout),
        &store,
    )
}
