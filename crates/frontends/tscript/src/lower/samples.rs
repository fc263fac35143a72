//! What tools send: samples of the types that the script reads, as bounds say.

use model::{Binary, Choice, ExprId, Origin, Place, Type, Value, ValueSet};

use super::Lowering;
use crate::bounds::Bound;
use crate::term::{self, Pattern, VarId};
use crate::types;

impl Lowering<'_> {
    /// The values that a tool fills in.
    pub(super) fn samples_for(
        &mut self,
        unit: usize,
        patterns: &[Pattern],
        word: &str,
    ) -> Vec<Choice> {
        let mut vars: Vec<VarId> = Vec::new();
        for pattern in patterns {
            pattern.variables(&mut |var, written| {
                if written && !vars.contains(&var) {
                    vars.push(var);
                }
            });
        }
        vars.into_iter()
            .map(|var| {
                let variable = &self.units[unit].inlined.variables[var.index()];
                let (name, ty) = (variable.name.clone(), variable.ty.clone());
                let values = self.samples(&ty, word);
                let sets: Vec<ValueSet> = values.into_iter().map(ValueSet::One).collect();
                Choice {
                    place: Place::own(var.index()),
                    set: match <[ValueSet; 1]>::try_from(sets) {
                        Ok([only]) => only,
                        Err(sets) => ValueSet::Union(sets),
                    },
                    sample: None,
                    what: name,
                    outside: None,
                }
            })
            .collect()
    }

    /// Values of a type that a tool may send.
    fn samples(&mut self, ty: &types::Type, word: &str) -> Vec<ExprId> {
        if *ty == types::Type::Str
            && let Some(&(counter, most)) = self.tools.counters.get(word)
        {
            // The texts of an event that happens so often only tell which time it is.
            let counter_type = Type::Range { lo: 0, hi: most };
            let now = self
                .program
                .exprs
                .load(Place::global(counter), counter_type.clone());
            let mut value = self.text(&format!("{word}-{most}"));
            for number in (1..most).rev() {
                let before = self
                    .program
                    .exprs
                    .int((number - 1).into(), counter_type.clone());
                let is = self.program.exprs.binary(Binary::Eq, now, before);
                let text = self.text(&format!("{word}-{number}"));
                value = self
                    .program
                    .exprs
                    .add(model::Expr::Ite(is, text, value), Type::Rich);
            }
            return vec![value];
        }
        self.sample_values(ty, word)
            .into_iter()
            .map(|value| self.rich(value))
            .collect()
    }

    /// The same as values.
    pub(super) fn sample_values(&mut self, ty: &types::Type, word: &str) -> Vec<Value> {
        let numbers = match (self.bounds.get(word), self.bounds.get("int")) {
            (Some(Bound::Range(lo, hi)), _) | (_, Some(Bound::Range(lo, hi))) => Some((lo, hi)),
            (_, Some(Bound::Count(n))) => Some((n, n)),
            _ => None,
        };
        let texts = self.bounds.count("str", 1);
        match ty {
            types::Type::Int => {
                if numbers.is_none() {
                    self.assume_once("tools send the numbers 1 and 2 only (--bound int=1..2)");
                }
                let (lo, hi) = numbers.unwrap_or((1, 2));
                let rich = &self.program.rich;
                (lo..=hi).map(|n| term::int(rich, n)).collect()
            }
            types::Type::Bool => {
                let rich = &self.program.rich;
                vec![term::bool(rich, false), term::bool(rich, true)]
            }
            types::Type::Str | types::Type::Bstr => {
                let rich = &self.program.rich;
                let count = texts.value.unwrap_or(1).max(1);
                (0..count)
                    .map(|n| rich.text(&char::from(b'a' + n % 26).to_string()))
                    .collect()
            }
            types::Type::Real => vec![self.program.rich.float(1.5)],
            types::Type::Term => {
                self.assume_once("where any term will do, tools send `some`");
                vec![term::apply(&self.program.rich, "some", &[])]
            }
            types::Type::List(None) => {
                self.assume_once("where any list will do, tools send `[]` and `[some]`");
                let rich = &self.program.rich;
                let some = term::apply(rich, "some", &[]);
                vec![term::list(rich, vec![]), term::list(rich, vec![some])]
            }
            types::Type::List(Some(item)) => {
                self.assume_once("lists that tools send have no or one item");
                let items = self.sample_values(item, word);
                let rich = &self.program.rich;
                let one = items
                    .first()
                    .map(|item| term::list(rich, vec![item.clone()]));
                std::iter::once(term::list(rich, vec![]))
                    .chain(one)
                    .collect()
            }
            types::Type::Tuple(all) => {
                let rows = self.rows(all, word);
                let rich = &self.program.rich;
                rows.into_iter().map(|row| term::list(rich, row)).collect()
            }
            types::Type::Apply(name, None) => {
                let rich = &self.program.rich;
                vec![term::apply(rich, name, &[])]
            }
            types::Type::Apply(name, Some(args)) => {
                let rows = self.rows(args, word);
                let rich = &self.program.rich;
                rows.into_iter()
                    .map(|row| term::apply(rich, name, &row))
                    .collect()
            }
        }
    }

    /// Rows of values of some types: all combinations, up to sixteen.
    fn rows(&mut self, types: &[types::Type], word: &str) -> Vec<Vec<Value>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.sample_values(ty, word);
            rows = rows
                .into_iter()
                .flat_map(|row: Vec<Value>| {
                    values.iter().map(move |value| {
                        let mut row = row.clone();
                        row.push(value.clone());
                        row
                    })
                })
                .take(16)
                .collect();
        }
        rows
    }

    /// A sample of our own choice.
    fn assume_once(&mut self, text: &str) {
        if !self
            .program
            .assumptions
            .iter()
            .any(|known| known.text == text)
        {
            self.assume(text, Origin::Narrowed);
        }
    }
}
