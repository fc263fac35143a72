//! What is known of what definitions read, from what is known of the predicates that they define, for
//! the audit of sets of structures.
//!
//! A formula that is known to hold, or not to hold, is taken apart: of a conjunction that does not hold,
//! the only part of which that is not known does not, and so on. Of ways, that they are transitive, and
//! more where steps are those of a function.

use model::PredicateId;
use model::predicates::{Formula, Head, Kleene, PredicateProgram, Structure};

use crate::conclusions::{conclude, digits};
use crate::ways_after::closure;

/// Makes known what definitions say; `None`: no configuration is left.
pub(crate) fn apply(program: &PredicateProgram, structure: &mut Structure) -> Option<()> {
    for (predicate, arity, definition) in program.defined() {
        let size = structure.size();
        let mut assignment = vec![0; definition.slots().max(arity)];
        for number in 0..structure.values[predicate.index()].len() {
            let known = structure.values[predicate.index()][number];
            if known != Kleene::Unknown {
                digits(number, size, &mut assignment[..arity]);
                assert(
                    structure,
                    definition,
                    known == Kleene::True,
                    &mut assignment,
                )?;
            }
        }
        if let Some((step, reflexive)) = closure(definition, arity) {
            let function = program.predicate(step).unique;
            let way = Way {
                predicate,
                step,
                reflexive,
            };
            let mut three = [0; 3];
            for number in 0..size.pow(3) {
                digits(number, size, &mut three);
                way.along(structure, function, three)?;
            }
        }
    }
    Some(())
}

/// Makes known what follows if a formula has this value.
fn assert(
    structure: &mut Structure,
    formula: &Formula,
    positive: bool,
    assignment: &mut Vec<usize>,
) -> Option<()> {
    match formula {
        Formula::Holds(predicate, variables) => {
            let head = Head::Literal(*predicate, variables.clone(), positive);
            conclude(structure, &head, assignment)
        }
        Formula::Equal(a, b) if a != b => {
            conclude(structure, &Head::Equal(*a, *b, positive), assignment)
        }
        Formula::Not(inner) => assert(structure, inner, !positive, assignment),
        Formula::And(parts) | Formula::Or(parts) => {
            let all = matches!(formula, Formula::And(_)) == positive;
            // The only part that may be so is.
            let mut open = parts
                .iter()
                .filter(|part| all || structure.value(part, assignment) != Kleene::of(!positive));
            let open: Vec<&Formula> = match (all, open.next(), open.next()) {
                (true, ..) => parts.iter().collect(),
                (false, Some(one), None) => vec![one],
                _ => Vec::new(),
            };
            open.into_iter()
                .try_for_each(|part| assert(structure, part, positive, assignment))
        }
        Formula::Exists(bound, inner) | Formula::Forall(bound, inner) => {
            if matches!(formula, Formula::Forall(..)) != positive {
                return Some(());
            }
            let before = assignment[*bound];
            for one in 0..structure.size() {
                assignment[*bound] = one;
                assert(structure, inner, positive, assignment)?;
            }
            assignment[*bound] = before;
            Some(())
        }
        Formula::Value(_) | Formula::Equal(..) | Formula::If(_) | Formula::Closure { .. } => {
            Some(())
        }
    }
}

struct Way {
    predicate: PredicateId,
    step: PredicateId,
    reflexive: bool,
}

impl Way {
    /// What is so of three individuals, of which a variable each stands for one.
    fn along(&self, structure: &mut Structure, function: bool, three: [usize; 3]) -> Option<()> {
        let [a, b, c] = [0, 1, 2];
        let (way, step) = (self.predicate, self.step);
        let holds = |structure: &Structure, predicate, x: usize, y: usize, value| {
            structure.get(predicate, &[three[x], three[y]]) == Kleene::of(value)
        };
        let say = |structure: &mut Structure, predicate, x: usize, y: usize, value| {
            if holds(structure, predicate, x, y, value) {
                return Some(());
            }
            let head = Head::Literal(predicate, vec![x, y], value);
            conclude(structure, &head, &three)
        };
        if self.reflexive {
            say(structure, way, a, a, true)?;
        }
        if holds(structure, way, a, b, false) {
            say(structure, step, a, b, false)?;
        }
        if holds(structure, way, a, b, true) && holds(structure, way, b, c, true) {
            say(structure, way, a, c, true)?;
        }
        if holds(structure, way, a, c, false) {
            if holds(structure, way, a, b, true) {
                say(structure, way, b, c, false)?;
            }
            if holds(structure, way, b, c, true) {
                say(structure, way, a, b, false)?;
            }
        }
        if !function {
            return Some(());
        }
        let two = holds(structure, way, a, b, true) && holds(structure, way, a, c, true);
        if two && holds(structure, way, b, c, false) && (self.reflexive || three[b] != three[c]) {
            say(structure, way, c, b, true)?;
        }
        // From `a` to `c` it is further than one step that is to be passed over.
        let further = match self.reflexive {
            true => three[a] != three[c],
            false => three[b] != three[c],
        };
        if further && holds(structure, way, a, c, true) && holds(structure, step, a, b, true) {
            say(structure, way, b, c, true)?;
        }
        if further && holds(structure, way, b, c, false) {
            if holds(structure, step, a, b, true) {
                say(structure, way, a, c, false)?;
            }
            if holds(structure, way, a, c, true) {
                say(structure, step, a, b, false)?;
            }
        }
        Some(())
    }
}
