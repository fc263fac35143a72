//! Which structures a structure stands for.

use super::Predicate;
use super::structure::Structure;
use crate::ids::PredicateId;

impl Structure {
    /// Whether it stands for all that another one stands for: the other's individuals can be mapped
    /// onto its own so that each value is covered, and only a summary is reached from several, or
    /// from a summary (embedding, Sagiv, Reps and Wilhelm 2002, section 4.2).
    #[must_use]
    pub fn stands_for(&self, other: &Structure, predicates: &[Predicate]) -> bool {
        self.size() <= other.size() && self.mapped(other, predicates, &mut Vec::new())
    }

    /// Tries all images of the individuals that have none yet.
    fn mapped(&self, other: &Structure, predicates: &[Predicate], images: &mut Vec<usize>) -> bool {
        let next = images.len();
        if next == other.size() {
            return (0..self.size()).all(|one| images.contains(&one))
                && self.covered(other, predicates, images);
        }
        (0..self.size()).any(|image| {
            let several = images.contains(&image) || other.summary[next];
            if several && !self.summary[image] || !self.alike(image, other, predicates, next) {
                return false;
            }
            images.push(image);
            let found = self.mapped(other, predicates, images);
            images.pop();
            found
        })
    }

    /// Whether the values of predicates of one individual are covered.
    fn alike(&self, image: usize, other: &Structure, predicates: &[Predicate], one: usize) -> bool {
        predicates.iter().enumerate().all(|(index, predicate)| {
            predicate.arity != 1 || self.values[index][image].covers(other.values[index][one])
        })
    }

    fn covered(&self, other: &Structure, predicates: &[Predicate], images: &[usize]) -> bool {
        predicates.iter().enumerate().all(|(index, predicate)| {
            let mut values = other.values[index].iter().enumerate();
            values.all(|(place, &value)| {
                let arguments = other.arguments(place, predicate.arity);
                let arguments: Vec<usize> = arguments.into_iter().map(|one| images[one]).collect();
                self.get(PredicateId::new(index), &arguments).covers(value)
            })
        })
    }
}
