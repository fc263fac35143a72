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
        let of_none = self.values.iter().zip(other.values.iter()).zip(predicates);
        let mut of_none = of_none.filter(|(_, predicate)| predicate.arity == 0);
        let (sizes, several) = ((self.size(), other.size()), other.summary.iter());
        if sizes.0 > sizes.1 || !of_none.all(|((own, others), _)| own[0].covers(others[0])) {
            return false;
        }
        let images = several.enumerate().map(|(one, &several)| {
            let own = 0..self.size();
            let own = own.filter(|&image| {
                (self.summary[image] || !several) && self.alike(image, other, predicates, one)
            });
            own.collect()
        });
        let images: Vec<Vec<usize>> = images.collect();
        !images.iter().any(Vec::is_empty)
            && self.mapped(other, predicates, &images, &mut Vec::new())
    }

    /// Tries all images of the individuals that have none yet, of those that each may have.
    fn mapped(
        &self,
        other: &Structure,
        predicates: &[Predicate],
        possible: &[Vec<usize>],
        images: &mut Vec<usize>,
    ) -> bool {
        let Some(next) = possible.get(images.len()) else {
            return (0..self.size()).all(|one| images.contains(&one))
                && self.covered(other, predicates, images);
        };
        next.iter().any(|&image| {
            if !self.summary[image] && images.contains(&image) {
                return false;
            }
            images.push(image);
            let found = self.mapped(other, predicates, possible, images);
            images.pop();
            found
        })
    }

    /// Whether the values of predicates of one individual are covered.
    fn alike(&self, image: usize, other: &Structure, predicates: &[Predicate], one: usize) -> bool {
        let values = self.values.iter().zip(other.values.iter());
        let mut of_one = values.zip(predicates).filter(|(_, one)| one.arity == 1);
        of_one.all(|((own, others), _)| own[image].covers(others[one]))
    }

    /// Whether the values of predicates of several are.
    fn covered(&self, other: &Structure, predicates: &[Predicate], images: &[usize]) -> bool {
        predicates.iter().enumerate().all(|(index, predicate)| {
            let (own, values) = (&self.values[index], &other.values[index]);
            if predicate.arity == 2 {
                let mut rows = values.chunks(other.size().max(1)).zip(images);
                return rows.all(|(row, &first)| {
                    let own = &own[first * self.size()..];
                    let mut row = row.iter().zip(images);
                    row.all(|(&value, &second)| own[second].covers(value))
                });
            }
            let mut values = values.iter().enumerate();
            predicate.arity < 2
                || values.all(|(place, &value)| {
                    let mut arguments = other.arguments(place, predicate.arity);
                    arguments.iter_mut().for_each(|one| *one = images[*one]);
                    self.get(PredicateId::new(index), &arguments).covers(value)
                })
        })
    }
}
