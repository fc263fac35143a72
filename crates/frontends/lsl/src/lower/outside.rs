//! Values from outside: what the world may say where the script asks.
//!
//! Each is chosen where it is read, among the texts of its [class](super::flow), those who act, and
//! strangers. What an operation makes of a stranger stays a term until somebody has to know, that
//! is, in a comparison, a condition or a number; then it is chosen, too. `docs/world.md` argues
//! why that covers every world, and which of these choices every world allows.

use model::{Choice, ExprId, Lifetime, Outside, OutsideId, Place};
use source::Span;

use super::Build;
use crate::library;
use crate::types::Type;

/// The key that belongs to nobody.
pub(crate) const NULL_KEY: &str = "00000000-0000-0000-0000-000000000000";

impl Build {
    /// Names a value from outside.
    pub(crate) fn outside(
        &mut self,
        fact: impl Into<String>,
        span: Span,
        lifetime: Lifetime,
        exact: bool,
    ) -> OutsideId {
        let entry = Outside {
            fact: fact.into(),
            span,
            lifetime,
            exact,
        };
        let known = self
            .program
            .outside
            .iter()
            .position(|other| *other == entry);
        match known {
            Some(index) => OutsideId::new(index),
            None => self.program.add_outside(entry),
        }
    }

    /// The texts of a class. All of them are offered, however many there are: strangers are apart from them.
    fn texts_of(&mut self, class: Option<usize>) -> Vec<ExprId> {
        let texts: Vec<String> = match class {
            Some(class) => {
                let class = self.flow.get(class);
                let asked = class.literals.iter().filter(|_| class.asked);
                asked.cloned().collect()
            }
            None => Vec::new(),
        };
        texts.iter().map(|text| self.text(text)).collect()
    }

    /// What a text from outside may be, by the class of what reads it.
    pub(crate) fn range(&mut self, class: Option<usize>, what: &str) -> Vec<ExprId> {
        let mut members = self.texts_of(class);
        let texts: Vec<model::Value> = members
            .iter()
            .filter_map(|&text| self.program.exprs.constant(text).cloned())
            .collect();
        let (somebody, (strangers, apart)) = match class {
            Some(class) => {
                let class = self.flow.get(class);
                (class.somebody && class.asked, class.strangers())
            }
            None => (false, (1, false)),
        };
        if somebody {
            members.extend(self.world.identities.clone());
        }
        if let Some(class) = class {
            members.extend(self.echoes(class));
        }
        let shunned = library::none_of(&self.program.rich, &texts, somebody);
        for number in 1..=strangers {
            let value = if apart {
                let name = match number {
                    1 => "another text".to_owned(),
                    _ => format!("another text ({number})"),
                };
                library::stranger(&self.program.rich, &name, &shunned)
            } else {
                library::something(&self.program.rich, what, &shunned)
            };
            members.push(self.rich(value));
        }
        members
    }

    /// What others may say because the script has told them: values that it has made itself, as
    /// far as it still keeps them and so can find out.
    fn echoes(&mut self, class: usize) -> Vec<ExprId> {
        let known = self.flow.get(class);
        if !known.asked || !known.pairs || !(known.computed || known.own) {
            return Vec::new();
        }
        let places = self.places_of(Some(class), Vec::new());
        places
            .into_iter()
            .map(|place| self.program.exprs.load(place, model::Type::Rich))
            .collect()
    }

    /// Those who may be meant by a key from outside: those who act, and the UUIDs that the script
    /// compares it with.
    pub(crate) fn people(&mut self, class: Option<usize>, members: &[ExprId]) -> Vec<ExprId> {
        let mut people = members.to_vec();
        let uuids: Vec<String> = match class {
            Some(class) => {
                let class = self.flow.get(class);
                let asked = class.literals.iter().filter(|_| class.asked);
                // All of them: somebody is apart from every UUID that the script writes.
                let uuids = asked.filter(|text| library::is_identity(text));
                uuids.cloned().collect()
            }
            None => Vec::new(),
        };
        people.extend(uuids.iter().map(|uuid| self.text(uuid)));
        people
    }

    /// The values of a type other than text that the world may give where nothing is known: some
    /// that are easy to tell, and one that stands for all.
    pub(crate) fn anything(&mut self, ty: Type, what: &str) -> Vec<ExprId> {
        let (zero, one) = (self.float(0.0), self.float(1.0));
        let mut members = match ty {
            Type::Float => vec![zero, one],
            Type::Vector => {
                let entry = library::vector_literal();
                [[zero, zero, zero], [one, zero, zero]]
                    .map(|parts| self.apply(entry, &parts))
                    .to_vec()
            }
            Type::Rotation => {
                vec![self.apply(library::rotation_literal(), &[zero, zero, zero, one])]
            }
            Type::List => vec![self.apply(library::list_literal(), &[])],
            Type::Integer | Type::String | Type::Key => Vec::new(),
        };
        let shunned = library::none_of(&self.program.rich, &[], false);
        let value = library::something(&self.program.rich, what, &shunned);
        members.push(self.rich(value));
        members
    }

    /// Whether two texts are equal or may be: where that cannot be told, they may.
    pub(crate) fn may_equal(
        &mut self,
        class: Option<usize>,
        left: ExprId,
        right: ExprId,
    ) -> ExprId {
        let plain = class.is_none_or(|class| self.flow.is_plain(class));
        let entry = library::binary("==", Type::String, Type::String).filter(|_| !plain);
        let Some(entry) = entry else {
            return self.equal(left, right);
        };
        let equal = self.apply(entry, &[left, right]);
        let equal = self.as_bool(equal);
        let determined = self.determined(entry, &[left, right]);
        let open = self.not(determined);
        self.or(open, equal)
    }

    /// A choice of a value from outside.
    pub(crate) fn chosen(
        &mut self,
        place: Place,
        what: &str,
        members: Vec<ExprId>,
        outside: OutsideId,
    ) -> Choice {
        let mut choice = Build::one_of(place, what, members);
        choice.outside = Some(outside);
        choice
    }
}

/// Whether a parameter of type key is whatever somebody writes there.
pub(crate) fn is_any_text(event: &str) -> bool {
    matches!(event, "link_message" | "http_request" | "remote_data")
}
