//! What nobody can be sure of: that a tool is ready, which number it or a process has, and what time it is.
//!
//! A tool does one thing after the other: as long as it is busy with what it has been told or asked, nothing
//! else can be sent to it. How long that is, is its own affair. So where something may have been sent to it
//! before, nobody can be sure that `snd-do` and `snd-eval` are possible, and nothing stands back for them.

use super::{Lowering, Unit};
use crate::ast::Word;
use crate::automaton::Condition;
use crate::load::Dialect;
use crate::term::{Pattern, VarId};
use crate::types::Type;

/// Takes back the preference for what tools may not be ready for.
pub(super) fn doubt_tools(units: &mut [Unit]) {
    let sends: Vec<bool> = units
        .iter()
        .map(|unit| unit.inlined.atoms.iter().any(|atom| is_sent(atom.word)))
        .collect();
    for (unit, this) in units.iter_mut().enumerate() {
        let mut others = sends.iter().enumerate();
        // Another instance of the same process may hold the same tool, too, if it is given to it.
        let given = this.inlined.variables[..this.inlined.parameters]
            .iter()
            .any(|parameter| matches!(parameter.ty, Type::Apply(..) | Type::Term));
        let shared = given || others.any(|(other, sends)| other != unit && *sends);
        doubt(this, shared);
    }
}

fn is_sent(word: Word) -> bool {
    matches!(word, Word::SndDo | Word::SndEval)
}

fn doubt(unit: &mut Unit, shared: bool) {
    let states = &mut unit.automaton.states;
    // Where something may have been told to a tool, and told or asked.
    let mut after = vec![(shared, shared); states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for state in 0..states.len() {
            for next in &states[state] {
                let word = unit.inlined.atoms[next.atom].word;
                let (told, sent) = after[state];
                let now = (told || word == Word::SndDo, sent || is_sent(word));
                let there = &mut after[next.to];
                let joined = (there.0 || now.0, there.1 || now.1);
                changed |= *there != joined;
                *there = joined;
            }
        }
    }
    for (moves, (told, sent)) in states.iter_mut().zip(after) {
        for next in moves {
            // A question that has been answered leaves the tool ready; ours keeps count of these.
            let busy = match unit.inlined.atoms[next.atom].word {
                Word::SndDo => sent,
                Word::SndEval => told,
                _ => false,
            };
            if busy {
                next.choice.best.clear();
            }
        }
    }
}

impl Lowering<'_> {
    /// The bus numbers tools as they come, all kinds together; here those of each kind have numbers of their
    /// own. That can be told by whoever compares a tool with a literal, or asks for its arguments.
    pub(super) fn doubt_numbers(&mut self) {
        let told = self.units.iter().enumerate().any(|(owner, unit)| {
            let variables = unit.inlined.variables.iter().enumerate();
            variables.into_iter().any(|(index, variable)| {
                let Type::Apply(name, _) = &variable.ty else {
                    return false;
                };
                let is_tool = self.tools.kinds.iter().any(|kind| kind.name == *name);
                let var = VarId(u32::try_from(index).expect("few variables"));
                let facts = self.flow.facts(owner, var);
                let is_literal = |term: &Pattern| {
                    matches!(term, Pattern::Apply(word, args)
                        if **word == **name && !args.is_empty())
                };
                is_tool && (facts.arguments || facts.terms.iter().any(is_literal))
            })
        });
        if told {
            self.sample(
                "tools of a kind are numbered from 1; the bus numbers all tools as they come"
                    .to_owned(),
            );
        }
        if self.reuses_numbers() && self.looks_at_numbers() {
            self.sample(
                "processes get the numbers of those that have ended; in the bus no number is given twice"
                    .to_owned(),
            );
        }
        if self.dialect == Dialect::C && self.computes("current-time") {
            self.sample("`current-time` is always the same".to_owned());
        }
    }

    /// Whether a process may get the number of one that has ended.
    fn reuses_numbers(&self) -> bool {
        let all = 0..self.units.len();
        let creates = all.clone().any(|unit| self.is_created(unit));
        creates
            && all
                .into_iter()
                .any(|unit| self.units[unit].automaton.ends())
    }

    /// Whether anything depends on the numbers of processes.
    fn looks_at_numbers(&self) -> bool {
        let created = self.units.iter().enumerate().any(|(owner, unit)| {
            let creations = unit.inlined.atoms.iter();
            let creations = creations.filter(|atom| atom.word == Word::Create);
            creations.into_iter().any(|atom| {
                let mut looked_at = false;
                for arg in &atom.args {
                    arg.variables(&mut |var, written| {
                        looked_at |= written && self.flow.facts(owner, var).of_all().looked_at;
                    });
                }
                looked_at
            })
        });
        created || self.computes(super::expression::PROCESS_ID)
    }

    /// Whether a function without arguments stands in an expression.
    fn computes(&self, name: &str) -> bool {
        fn has(term: &Pattern, name: &str) -> bool {
            match term {
                Pattern::Apply(word, args) => {
                    **word == *name && args.is_empty() || args.iter().any(|arg| has(arg, name))
                }
                Pattern::List(items) => items.iter().any(|item| has(item, name)),
                _ => false,
            }
        }
        self.units.iter().any(|unit| {
            let mut assigned = unit.inlined.atoms.iter();
            let mut conditions = unit
                .automaton
                .states
                .iter()
                .flatten()
                .flat_map(|next| &next.conditions);
            assigned.any(|atom| {
                atom.word == Word::Assign && atom.args.iter().any(|arg| has(arg, name))
            }) || conditions
                .any(|condition| matches!(condition, Condition::Holds(test) if has(&test.test, name)))
        })
    }
}
