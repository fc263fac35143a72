//! What a rule says in a structure, for the audit of sets of structures.

use crate::crowd::Crowd;
use crate::planes::{Place, Planes};
use crate::rules::Said;
use crate::sharpening::Change;
use model::predicates::Kleene;

/// Makes known what a rule says, and says what changes by it; `Err`: it contradicts what is known.
pub(crate) fn conclude<C: Crowd>(
    structure: &mut Planes<C>,
    head: Said,
    of: &[usize],
) -> Result<Option<Change>, Contradiction> {
    match head {
        Said::Never => Err(Contradiction),
        Said::Value(predicate, place, variables, value) => {
            // What has no second one, or no one, has places that nobody looks at.
            let those = variables.map(|one| of.get(one).copied().unwrap_or(0));
            let said = Kleene::of(value);
            match structure.get(place, those) {
                Kleene::Unknown => {}
                known if known == said => return Ok(None),
                _ => return Err(Contradiction),
            }
            // What is said of an individual and itself is not said of two that one stands for.
            let repeated = matches!(place, Place::Two(_)) && variables[0] == variables[1];
            if repeated && structure.several.has(those[0]) {
                return Ok(None);
            }
            structure.set(place, those, said);
            Ok(Some(Change::Value(predicate, those)))
        }
        Said::Same([a, b], same) => {
            let (one, other) = (of[a], of[b]);
            if (one == other) != same {
                return Err(Contradiction);
            }
            if same && a != b && structure.several.has(one) {
                structure.several &= !C::one(one);
                return Ok(Some(Change::Identity([one, one])));
            }
            Ok(None)
        }
    }
}

/// A rule contradicts what is known: a structure stands for no configuration.
pub(crate) struct Contradiction;
