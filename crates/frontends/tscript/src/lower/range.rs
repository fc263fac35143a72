//! What tools send: for each variable that they fill in, the values that it may get.
//!
//! A value from outside may be anything of its type. Of those that the script cannot tell apart one is
//! enough: which it can tell, [`Facts`] say. So a range holds the literals with which a value is
//! compared, one number between any two of those that are compared by their order, and as many
//! *strangers*, values that stand nowhere in the script, as can be told from each other: one, or where
//! unknown values are compared with each other as many as there are places for them (Wolper, *Expressing
//! interesting properties of programs in propositional temporal logic*, POPL 1986; Lazić, *A semantic
//! study of data independence*, 1999). Where more is asked of values than that, or a bound says which
//! there are, the range is a part of what may be, and that is [recorded](model::Cut).

use std::collections::BTreeSet;

use model::{Choice, Cut, CutBy, Place, Value, ValueSet};
use source::Span;

use super::Lowering;
use super::facts::{Asked, Facts, Kinds};
use super::flow::origin;
use crate::ast::Word;
use crate::bounds::Bound;
use crate::term::{self, Pattern, VarId};
use crate::types::Type;

/// Strangers where nobody says how many, and more could be told from each other.
const STRANGERS: usize = 3;

/// Combinations of values at most.
const MOST_ROWS: usize = 1024;

/// Texts that texts are put together from, at most.
const MOST_PARTS: usize = 200;

impl Lowering<'_> {
    /// The choices of what a tool fills in.
    pub(super) fn choices(&mut self, unit: usize, word: Word, patterns: &[Pattern]) -> Vec<Choice> {
        let origin = origin(word, patterns).to_owned();
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
                let outside = self.outside_of(word, &name, &ty);
                let values = match self.own_text(&ty, &origin) {
                    Some(text) => vec![text],
                    None => {
                        let values = self.range(unit, var, &origin);
                        values.into_iter().map(|value| self.rich(value)).collect()
                    }
                };
                let sets: Vec<ValueSet> = values.into_iter().map(ValueSet::One).collect();
                Choice {
                    place: self
                        .chosen_for(var)
                        .unwrap_or_else(|| Place::own(var.index())),
                    set: match <[ValueSet; 1]>::try_from(sets) {
                        Ok([only]) => only,
                        Err(sets) => ValueSet::Union(sets),
                    },
                    sample: None,
                    what: name,
                    outside,
                }
            })
            .collect()
    }

    /// The text of an event that happens so often only and has a text of its own each time.
    fn own_text(&mut self, ty: &Type, word: &str) -> Option<model::ExprId> {
        if *ty != Type::Str || !self.bounds.is_distinct(word) {
            return None;
        }
        let &(counter, most) = self.tools.counters.get(word)?;
        let counter_type = model::Type::Range { lo: 0, hi: most };
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
            let is = self.program.exprs.binary(model::Binary::Eq, now, before);
            let text = self.text(&format!("{word}-{number}"));
            value = self
                .program
                .exprs
                .add(model::Expr::Ite(is, text, value), model::Type::Rich);
        }
        Some(value)
    }

    /// What a tool may fill in for a variable; `word` says what brings it.
    pub(super) fn range(&mut self, unit: usize, var: VarId, word: &str) -> Vec<Value> {
        let ty = self.units[unit].inlined.variables[var.index()].ty.clone();
        let facts = self.flow.facts(unit, var).clone();
        self.values(&ty, &facts, word)
    }

    fn values(&mut self, ty: &Type, facts: &Facts, word: &str) -> Vec<Value> {
        match ty {
            Type::Bool => [false, true]
                .map(|truth| term::bool(&self.program.rich, truth))
                .to_vec(),
            Type::Int => {
                let numbers = self.numbers(facts, word);
                let rich = &self.program.rich;
                numbers.into_iter().map(|n| term::int(rich, n)).collect()
            }
            Type::Real => {
                let numbers = self.reals(facts, word);
                let rich = &self.program.rich;
                numbers.into_iter().map(|n| rich.float(n)).collect()
            }
            Type::Str | Type::Bstr => {
                let texts = self.texts(facts, word);
                let rich = &self.program.rich;
                texts.iter().map(|text| rich.text(text)).collect()
            }
            Type::Term => self.terms(facts, word),
            Type::List(item) => self.lists(item.as_deref(), facts, word),
            Type::Tuple(all) => {
                let rows = self.rows(all, facts, word);
                let rich = &self.program.rich;
                rows.into_iter().map(|row| term::list(rich, row)).collect()
            }
            Type::Apply(name, None) => self.applied(name, facts, word),
            Type::Apply(name, Some(args)) => {
                let rows = self.rows(args, facts, word);
                let rich = &self.program.rich;
                rows.into_iter()
                    .map(|row| term::apply(rich, name, &row))
                    .collect()
            }
        }
    }

    fn numbers(&mut self, facts: &Facts, word: &str) -> Vec<i64> {
        let asked = facts.of_ints();
        for name in [word, "int"] {
            let (lo, hi) = match self.bounds.get(name) {
                Some(Bound::Range(lo, hi)) => (lo, hi),
                Some(Bound::Count(n)) if name == "int" => (n, n),
                _ => continue,
            };
            if asked.looked_at {
                let what = match name {
                    "int" => "numbers that tools send are".to_owned(),
                    event => format!("numbers that come with `{event}` are"),
                };
                self.restrict(&format!("{what} {lo} to {hi}"), name);
            }
            return (lo..=hi).collect();
        }
        let literals: BTreeSet<i64> = facts
            .ints
            .iter()
            .copied()
            .filter(|number| i32::try_from(*number).is_ok())
            .collect();
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        if !asked.looked_at {
            return vec![1];
        }
        if asked.computed || asked.ordered && asked.compared {
            let mut tried = vec![1, 2];
            tried.extend(literals.iter().copied());
            tried.extend(literals.iter().map(|n| n + 1));
            tried.extend([least, most]);
            let mut seen = BTreeSet::new();
            tried.retain(|n| (least..=most).contains(n) && seen.insert(*n));
            tried.truncate(8);
            let shown: Vec<String> = tried.iter().map(i64::to_string).collect();
            let text = format!(
                "of the numbers that come with `{word}` only {} are tried \
                 (--bound int=1..2 says which there are)",
                shown.join(", ")
            );
            self.sample(text);
            return tried;
        }
        let mut values = literals.clone();
        if asked.ordered {
            // One number below, above and between those that it is compared with.
            let first = literals.iter().next().copied().unwrap_or(1);
            values.extend((first > least).then(|| first - 1));
            values.extend(literals.iter().map(|n| n + 1).filter(|n| *n <= most));
        } else {
            let strangers = self.strangers(facts, asked, "numbers", "int");
            values.extend((1..).filter(|n| !literals.contains(n)).take(strangers));
        }
        values.into_iter().collect()
    }

    fn reals(&mut self, facts: &Facts, word: &str) -> Vec<f64> {
        let asked = facts.of_reals();
        if !asked.looked_at {
            return vec![1.5];
        }
        let mut literals: Vec<f64> = facts.reals.iter().copied().map(f64::from_bits).collect();
        literals.sort_by(f64::total_cmp);
        let mut values = literals.clone();
        if asked.computed || asked.ordered && asked.compared {
            values.extend([1.5, 0.0, f64::INFINITY, f64::NAN]);
            let text = format!(
                "of the reals that come with `{word}` only literals of the script, 1.5, zero, \
                 infinity and what is no number are tried"
            );
            self.sample(text);
        } else if asked.ordered {
            let between = literals
                .windows(2)
                .map(|pair| pair[0] / 2.0 + pair[1] / 2.0);
            values.extend(between);
            values.extend([f64::NEG_INFINITY, f64::INFINITY, f64::NAN]);
        } else {
            let strangers = self.strangers(facts, asked, "reals", "real");
            let fresh = (0..100).map(|n| 1.5 + f64::from(n));
            values.extend(fresh.filter(|n| !literals.contains(n)).take(strangers));
        }
        let mut seen = BTreeSet::new();
        values.retain(|number| seen.insert(number.to_bits()));
        values
    }

    fn texts(&mut self, facts: &Facts, word: &str) -> Vec<String> {
        let asked = facts.of_texts();
        let mut values: BTreeSet<String> = BTreeSet::new();
        if asked.looked_at {
            values.extend(facts.texts.iter().map(|text| text.to_string()));
            if asked.joined {
                // What is put together may be a literal if the parts are parts of it.
                for text in &facts.texts {
                    values.extend(parts(text));
                }
                if values.len() > MOST_PARTS {
                    values = facts.texts.iter().map(|text| text.to_string()).collect();
                    self.sample(format!(
                        "of the texts that come with `{word}` only few are tried"
                    ));
                }
            }
        }
        if asked.looked_at
            && (asked.taken_apart || asked.computed || asked.joined && asked.compared)
        {
            self.sample(format!(
                "of the texts that come with `{word}` only those of the script and few others are \
                 tried, though more can be told of them than whether they are the same"
            ));
        }
        let strangers = match asked.looked_at {
            true => self.strangers(facts, asked, "texts", "str"),
            false => 1,
        };
        // No letter of a stranger stands in a literal: so none can be put together from others.
        let letters = ('a'..='z')
            .chain('A'..='Z')
            .chain('α'..='ω')
            .chain('一'..='丿');
        let fresh = letters.filter(|letter| !facts.texts.iter().any(|text| text.contains(*letter)));
        let mut all: Vec<String> = fresh.take(strangers).map(String::from).collect();
        all.extend(values);
        all
    }

    fn terms(&mut self, facts: &Facts, word: &str) -> Vec<Value> {
        let asked = facts.of_all();
        let stranger = |lowering: &Self, number: usize| {
            let name = match number {
                0 => "some".to_owned(),
                more => format!("some{}", more + 1),
            };
            term::apply(&lowering.program.rich, &name, &[])
        };
        if !asked.looked_at {
            return vec![stranger(self, 0)];
        }
        let whole = asked.taken_apart || asked.ordered || asked.computed || asked.joined;
        let strangers = self.strangers(facts, asked, "terms", "term");
        let mut values: Vec<Value> = (0..strangers).map(|n| stranger(self, n)).collect();
        let mut literals = facts.terms.clone();
        literals.extend(facts.ints.iter().map(|n| Pattern::Int(*n)));
        literals.extend(facts.reals.iter().map(|bits| Pattern::Real(*bits)));
        literals.extend(facts.texts.iter().map(|text| Pattern::Str(text.clone())));
        literals.extend([Pattern::Bool(false), Pattern::Bool(true)]);
        if whole {
            let some = Pattern::Apply("some".into(), Vec::new());
            literals.extend([
                Pattern::Int(1),
                Pattern::Str("a".into()),
                Pattern::Real(1.5_f64.to_bits()),
                Pattern::List(Vec::new()),
                Pattern::List(vec![some.clone()]),
                Pattern::Apply("some".into(), vec![some]),
                Pattern::Apply("undefined".into(), Vec::new()),
            ]);
            let text = format!("of the terms that come with `{word}` only few are tried");
            self.sample(text);
        }
        for literal in literals {
            let value = self.constant_of(&literal);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    fn lists(&mut self, item: Option<&Type>, facts: &Facts, word: &str) -> Vec<Value> {
        let asked = facts.of_all();
        let empty = term::list(&self.program.rich, vec![]);
        if !asked.looked_at {
            return vec![empty];
        }
        let text =
            format!("lists that come with `{word}` have two items at most, or stand in the script");
        self.sample(text);
        let items = self.values(item.unwrap_or(&Type::Term), facts, word);
        let mut values = vec![empty];
        let rich = &self.program.rich;
        values.extend(
            items
                .iter()
                .take(8)
                .map(|item| term::list(rich, vec![item.clone()])),
        );
        if let [first, rest @ ..] = items.as_slice() {
            let second = rest.first().unwrap_or(first);
            values.push(term::list(rich, vec![first.clone(), second.clone()]));
        }
        let ty = term::type_value(rich, &Type::List(item.cloned().map(Box::new)));
        for literal in &facts.terms {
            let value = self.constant_of(literal);
            if term::has_type(&self.program.rich, &value, &ty) && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Terms with a word, of any arguments.
    fn applied(&mut self, name: &str, facts: &Facts, word: &str) -> Vec<Value> {
        let asked = facts.of_all();
        let mut values = vec![term::apply(&self.program.rich, name, &[])];
        if !asked.looked_at {
            return values;
        }
        if asked.taken_apart || asked.compared {
            let text =
                format!("of the terms `{name}(...)` that come with `{word}` only few are tried");
            self.sample(text);
        }
        let stranger = term::apply(&self.program.rich, "some", &[]);
        values.push(term::apply(&self.program.rich, name, &[stranger]));
        let kind = self.tools.kinds.iter().position(|kind| kind.name == name);
        if let Some(kind) = kind {
            let (_, count) = self.tools.range(kind);
            values.extend((0..count).map(|number| self.tool_as_value(kind, number)));
        }
        for literal in &facts.terms {
            let value = self.constant_of(literal);
            if literal.word() == Some(name) && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Rows of values of some types: all combinations.
    fn rows(&mut self, types: &[Type], facts: &Facts, word: &str) -> Vec<Vec<Value>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.values(ty, facts, word);
            if rows.len() * values.len() > MOST_ROWS {
                self.sample(format!(
                    "of the combinations of values that come with `{word}` only {MOST_ROWS} are tried"
                ));
            }
            rows = rows
                .into_iter()
                .flat_map(|row: Vec<Value>| {
                    values.iter().map(move |value| {
                        let mut row = row.clone();
                        row.push(value.clone());
                        row
                    })
                })
                .take(MOST_ROWS)
                .collect();
        }
        rows
    }

    /// How many values that stand nowhere in the script can be told from each other.
    fn strangers(&mut self, facts: &Facts, asked: Asked, what: &str, bound: &str) -> usize {
        if !asked.compared {
            return 1;
        }
        let kinds = match bound {
            "int" => Kinds::INT,
            "real" => Kinds::REAL,
            "str" => Kinds::TEXT,
            _ => Kinds::ALL,
        };
        let needed = self.places(facts, asked, kinds);
        let stated = match bound {
            "str" => self.bounds.get(bound),
            _ => None,
        };
        let most = match stated {
            Some(Bound::Count(count)) => usize::try_from(count.clamp(1, 20)).unwrap_or(1),
            _ => STRANGERS,
        };
        if needed.is_some_and(|needed| needed <= most) {
            return needed.unwrap_or(most);
        }
        let text = format!("of {what} that do not stand in the script, tools send {most} at most");
        match stated {
            Some(Bound::Count(_)) => self.restrict(&text, bound),
            _ => self.sample(text),
        }
        most
    }

    /// How many values of some kinds in a class there may be at a time, the next one included; none if any number.
    fn places(&self, facts: &Facts, asked: Asked, kinds: Kinds) -> Option<usize> {
        let mut origins = facts.origins.iter().collect::<Vec<_>>();
        origins.retain(|((_, brings), _)| brings.meets(kinds));
        let counted = origins.into_iter().map(|((word, _), each)| {
            let &(_, most) = self.tools.counters.get(word)?;
            Some(usize::try_from(most).ok()? * each)
        });
        let counted: Option<usize> = counted.sum();
        let held: Option<usize> = facts
            .members
            .iter()
            .filter(|(owner, var)| {
                let unit = self.units.get(*owner);
                unit.is_none_or(|unit| {
                    Kinds::of(&unit.inlined.variables[var.index()].ty).meets(kinds)
                })
            })
            .map(|&(owner, var)| {
                let Some(unit) = self.units.get(owner) else {
                    // An observer, of which there is one.
                    return Some(1);
                };
                let started = self.started.iter().filter(|&&unit| unit == owner).count();
                let instances = match self.is_created(owner) {
                    true => usize::from(self.most_instances),
                    false => started,
                };
                Some(instances * leaves(&unit.inlined.variables[var.index()].ty)?)
            })
            .sum();
        let held = held.filter(|_| !facts.in_notes.meets(kinds));
        let held = held.map(|held| held + asked.formula_variables + 1);
        match (counted, held) {
            (Some(counted), Some(held)) => Some(counted.min(held).max(1)),
            (counted, held) => counted.or(held).map(|places| places.max(1)),
        }
    }

    /// A literal as a value.
    fn constant_of(&self, literal: &Pattern) -> Value {
        let rich = &self.program.rich;
        let all = |parts: &[Pattern]| -> Vec<Value> {
            parts.iter().map(|part| self.constant_of(part)).collect()
        };
        match literal {
            Pattern::Int(number) => term::int(rich, *number),
            Pattern::Real(bits) => rich.float(f64::from_bits(*bits)),
            Pattern::Str(text) => rich.text(text),
            Pattern::Bool(truth) => term::bool(rich, *truth),
            Pattern::Apply(name, args) => term::apply(rich, name, &all(args)),
            Pattern::List(items) => term::list(rich, all(items)),
            Pattern::Var(_) | Pattern::Result(_) | Pattern::Placeholder(_) => term::undefined(rich),
        }
    }

    /// A part of what may be, chosen here: what holds in it is not known to hold.
    pub(super) fn sample(&mut self, text: String) {
        self.cut_once(text, CutBy::Default, Span::NONE);
    }

    /// A part of what may be, chosen by a bound.
    pub(super) fn restrict(&mut self, text: &str, bound: &str) {
        let span = self.bounds.span(bound);
        let text = format!("{text} (bound `{bound}`)");
        self.cut_once(text, CutBy::Stated, span);
    }

    /// A part of what may be, chosen by a bound if one is stated.
    pub(super) fn cut(&mut self, text: String, bound: &str) -> model::AssumptionId {
        let by = match self.bounds.is_stated(bound) {
            true => CutBy::Stated,
            false => CutBy::Default,
        };
        let span = self.bounds.span(bound);
        self.cut_once(text, by, span)
    }

    fn cut_once(&mut self, text: String, by: CutBy, span: Span) -> model::AssumptionId {
        let known = self
            .program
            .assumptions
            .iter()
            .position(|known| known.text == text);
        match known {
            Some(known) => model::AssumptionId::new(known),
            None => self.program.cut(Cut {
                text,
                by,
                span,
                properties: None,
            }),
        }
    }
}

/// How many values may stand in one of a type; none if any number.
fn leaves(ty: &Type) -> Option<usize> {
    match ty {
        Type::Bool | Type::Int | Type::Real | Type::Str | Type::Bstr => Some(1),
        Type::Tuple(all) | Type::Apply(_, Some(all)) => all.iter().map(leaves).sum(),
        Type::Term | Type::List(_) | Type::Apply(_, None) => None,
    }
}

/// All that a text may be put together from.
fn parts(text: &str) -> BTreeSet<String> {
    let letters: Vec<char> = text.chars().take(MOST_PARTS).collect();
    let ends = |first: usize| first..=letters.len();
    (0..=letters.len())
        .flat_map(|first| ends(first).map(move |last| (first, last)))
        .map(|(first, last)| letters[first..last].iter().collect())
        .collect()
}
