//! The values that a formula names.

use super::formula::{Action, Binder, Condition, Domain, Mu, Operand, Pattern, Regular};

impl<A, E, V: Clone> Mu<A, E, V> {
    /// Adds them, in order, as often as they stand there.
    pub(super) fn constants(&self, found: &mut Vec<V>) {
        match self {
            Mu::Data(condition) => condition.constants(found),
            Mu::Box(regular, _) | Mu::Diamond(regular, _) => regular.constants(found),
            Mu::Least(_, parameters, _) | Mu::Greatest(_, parameters, _) => {
                parameters.iter().for_each(|p| p.first.constants(found));
            }
            Mu::Variable(_, args) => args.iter().for_each(|arg| arg.constants(found)),
            Mu::ForAll(binder, _) | Mu::Exists(binder, _) => binder.constants(found),
            _ => {}
        }
        for part in self.operands() {
            part.constants(found);
        }
    }
}

impl<E, V: Clone> Regular<E, V> {
    fn constants(&self, found: &mut Vec<V>) {
        match self {
            Regular::Action(action) => action.constants(found),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| part.constants(found));
            }
            Regular::Star(part) | Regular::Plus(part) => part.constants(found),
        }
    }
}

impl<E, V: Clone> Action<E, V> {
    fn constants(&self, found: &mut Vec<V>) {
        match self {
            Action::Any | Action::None | Action::Silent => {}
            Action::Happens(_, patterns) => patterns.iter().for_each(|p| p.constants(found)),
            Action::Together(all) => {
                let patterns = all.iter().flat_map(|(_, patterns)| patterns.iter());
                patterns.for_each(|pattern| pattern.constants(found));
            }
            Action::Data(condition) => condition.constants(found),
            Action::Not(part) => part.constants(found),
            Action::And(parts) | Action::Or(parts) => {
                parts.iter().for_each(|part| part.constants(found));
            }
            Action::ForAll(binder, part) | Action::Exists(binder, part) => {
                binder.constants(found);
                part.constants(found);
            }
        }
    }
}

impl<V: Clone> Binder<V> {
    fn constants(&self, found: &mut Vec<V>) {
        if let Domain::Stated(values) = &self.domain {
            found.extend_from_slice(values);
        }
    }
}

impl<V: Clone> Pattern<V> {
    fn constants(&self, found: &mut Vec<V>) {
        match self {
            Pattern::Any | Pattern::Variable(_) => {}
            Pattern::Value(value) => found.push(value.clone()),
            Pattern::Term(_, parts) => parts.iter().for_each(|part| part.constants(found)),
            Pattern::Computed(operand) => operand.constants(found),
        }
    }
}

impl<V: Clone> Condition<V> {
    fn constants(&self, found: &mut Vec<V>) {
        match self {
            Condition::Constant(_) => {}
            Condition::Is(operand) => operand.constants(found),
            Condition::Compare(_, a, b) => {
                a.constants(found);
                b.constants(found);
            }
            Condition::Not(part) => part.constants(found),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.constants(found));
            }
        }
    }
}

impl<V: Clone> Operand<V> {
    fn constants(&self, found: &mut Vec<V>) {
        match self {
            Operand::Variable(_) => {}
            Operand::Value(value) => found.push(value.clone()),
            Operand::Apply(_, operands) => operands.iter().for_each(|o| o.constants(found)),
            Operand::Truth(condition) => condition.constants(found),
        }
    }
}
