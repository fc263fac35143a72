//! From the expression of a process to a finite automaton.
//!
//! A state is what is left to be done; a move takes an action and leaves another rest (Antimirov,
//! *Partial derivatives of regular expressions and finite automaton constructions*, Theoretical
//! Computer Science 155, 1996): for sequences, choices and iterations that gives as many states as
//! there are actions, as first and follow sets do; parts that run side by side make the product.

use std::collections::HashMap;

use crate::ast::Word;
use crate::behaviour::{Atom, Core, CoreId, Inlined, Test};
use crate::term::{Pattern, VarId, some_differ};

/// More states than this are given up.
const MOST_STATES: usize = 100_000;

/// What has to be before an action, in this order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    Holds(Test),
    /// The variable is set.
    Set(VarId, Pattern),
    /// The tool of the variable vanishes now: it is this that happens.
    Vanishes(VarId),
    /// The tool of the variable has vanished.
    Vanished(VarId),
}

/// A move.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) conditions: Vec<Condition>,
    /// The action, by its position.
    pub(crate) atom: usize,
    /// The state it leads to.
    pub(crate) to: usize,
    pub(crate) choice: Biased,
    /// Whether it begins another round of a loop that is in no other.
    pub(crate) begins: bool,
}

/// The choices by `+>` in a state that an action is part of, by their numbers.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Biased {
    /// Those in which it is preferred.
    pub(crate) best: Vec<u16>,
    /// Those in which something else is.
    pub(crate) second_best: Vec<u16>,
}

impl Move {
    /// Whether it is taken only if the other, of the same state, cannot be.
    pub(crate) fn yields_to(&self, other: &Move) -> bool {
        let mut choices = self.choice.second_best.iter();
        choices.any(|choice| other.choice.best.contains(choice))
    }

    /// Whether it is the vanishing of a tool, or that this is heard of.
    pub(crate) fn is_of_the_tool(&self) -> bool {
        let of_the_tool = |condition: &Condition| {
            matches!(condition, Condition::Vanishes(_) | Condition::Vanished(_))
        };
        self.conditions.iter().any(of_the_tool)
    }
}

/// An automaton; the first state is the initial one.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) states: Vec<Vec<Move>>,
}

impl Automaton {
    /// Whether nothing is left to do in a state but `delta`: the process has ended.
    pub(crate) fn is_end(&self, state: usize) -> bool {
        self.states[state].is_empty()
    }

    /// Whether the process can end.
    pub(crate) fn ends(&self) -> bool {
        self.states.iter().any(Vec::is_empty)
    }
}

/// A move before its end is numbered.
struct Next {
    conditions: Vec<Condition>,
    atom: usize,
    rest: CoreId,
    choice: Biased,
    begins: bool,
}

/// The automaton of a process on the bus in C or on that in Java (`ng`), where parts that run side by side may
/// exchange messages; `None` if it is too large.
pub(crate) fn automaton(process: &mut Inlined, ng: bool, open: bool) -> Option<Automaton> {
    process.ng = ng;
    process.find_outermost(process.root);
    let mut numbers: HashMap<CoreId, usize> = HashMap::from([(process.root, 0)]);
    let mut rests = vec![process.root];
    let mut states = Vec::new();
    while states.len() < rests.len() {
        source::limits::check();
        let mut moves = Vec::new();
        process.choices = 0;
        for mut next in process.moves(rests[states.len()]) {
            let word = process.atoms[next.atom].word;
            if !is_sure(word, ng) || open && comes_from_outside(word) {
                next.choice.best.clear();
            }
            if ng && word == Word::RecMsg {
                next.choice.second_best.clear();
            }
            let fresh = rests.len();
            let to = *numbers.entry(next.rest).or_insert(fresh);
            if to == fresh {
                rests.push(next.rest);
            }
            moves.push(Move {
                conditions: next.conditions,
                atom: next.atom,
                to,
                choice: next.choice,
                begins: next.begins,
            });
        }
        states.push(moves);
        if rests.len() > MOST_STATES || process.cores.len() > 20 * MOST_STATES {
            return None;
        }
    }
    Some(Automaton { states })
}

/// Whether a process knows that it can take an action, so that it prefers it to others. What tools send comes
/// late or never; and in the bus in Java whoever waits for a message does nothing to get it, but takes it
/// when it comes, whatever else it would prefer.
fn is_sure(word: Word, ng: bool) -> bool {
    let comes = matches!(
        word,
        Word::RecEvent
            | Word::RecValue
            | Word::RecConnect
            | Word::RecDisconnect
            | Word::Read
            | Word::Outside
    );
    !(comes || ng && word == Word::RecMsg)
}

/// Whether another part of an open system may do what an action waits for.
fn comes_from_outside(word: Word) -> bool {
    matches!(word, Word::SndMsg | Word::RecMsg | Word::RecNote)
}

impl Inlined {
    /// Notes the loops in a part that are in no other loop.
    fn find_outermost(&mut self, core: CoreId) {
        match self.cores.get(core).clone() {
            Core::Done | Core::Atom(_) => {}
            Core::Sequence(first, then) | Core::Disrupt(first, then) => {
                self.find_outermost(first);
                self.find_outermost(then);
            }
            Core::Biased { second_best, best } => {
                self.find_outermost(second_best);
                self.find_outermost(best);
            }
            Core::Choice(parts) | Core::Merge(parts) => {
                for part in parts {
                    self.find_outermost(part);
                }
            }
            Core::Iteration(_, exit) => {
                self.outermost.insert(core);
                self.find_outermost(exit);
            }
            Core::If { then, .. } | Core::With { then, .. } => self.find_outermost(then),
        }
    }

    /// The messages that parts which run side by side may exchange.
    fn meetings(&mut self, parts: &[CoreId]) -> Vec<Next> {
        let all: Vec<Vec<Next>> = parts.iter().map(|&part| self.moves(part)).collect();
        let mut found = Vec::new();
        for (sender, sends) in all.iter().enumerate() {
            for (receiver, takes) in all.iter().enumerate().filter(|(other, _)| *other != sender) {
                for (sent, taken) in sends.iter().flat_map(|s| takes.iter().map(move |t| (s, t))) {
                    let Some(atom) = self.meeting(sent.atom, taken.atom) else {
                        continue;
                    };
                    let mut rest = parts.to_vec();
                    rest[sender] = sent.rest;
                    rest[receiver] = taken.rest;
                    let conditions = sent.conditions.iter().chain(&taken.conditions);
                    found.push(Next {
                        conditions: conditions.cloned().collect(),
                        atom,
                        rest: self.cores.merge(rest),
                        // It is the sender who acts.
                        choice: sent.choice.clone(),
                        begins: sent.begins || taken.begins,
                    });
                }
            }
        }
        found
    }

    /// The action of two that are both ends of a message.
    fn meeting(&mut self, sent: usize, taken: usize) -> Option<usize> {
        let (sends, takes) = (&self.atoms[sent], &self.atoms[taken]);
        if sends.word != Word::SndMsg
            || takes.word != Word::RecMsg
            || some_differ(&sends.args, &takes.args)
        {
            return None;
        }
        let args: Vec<Pattern> = sends.args.iter().chain(&takes.args).cloned().collect();
        let known = self.atoms.iter().position(|atom| {
            atom.word == Word::Meet && atom.span == takes.span && atom.args == args
        });
        if known.is_some() {
            return known;
        }
        let atom = Atom {
            word: Word::Meet,
            args,
            delayed: sends.delayed || takes.delayed,
            delay: sends.delay.max(takes.delay),
            timeout: sends.timeout.into_iter().chain(takes.timeout).min(),
            ..takes.clone()
        };
        self.atoms.push(atom);
        Some(self.atoms.len() - 1)
    }

    fn moves(&mut self, core: CoreId) -> Vec<Next> {
        match self.cores.get(core).clone() {
            Core::Done => Vec::new(),
            Core::Atom(atom) => vec![Next {
                conditions: Vec::new(),
                atom,
                rest: self.cores.add(Core::Done),
                choice: Biased::default(),
                begins: false,
            }],
            Core::Sequence(first, then) => {
                let mut moves = self.moves(first);
                for next in &mut moves {
                    next.rest = self.cores.sequence(next.rest, then);
                }
                moves
            }
            Core::Choice(parts) => parts
                .into_iter()
                .flat_map(|part| self.moves(part))
                .collect(),
            Core::Biased { second_best, best } => {
                let choice = self.choices;
                self.choices = choice.saturating_add(1);
                let mut moves = self.moves(best);
                for next in &mut moves {
                    next.choice.best.push(choice);
                }
                let mut others = self.moves(second_best);
                for next in &mut others {
                    next.choice.second_best.push(choice);
                }
                moves.append(&mut others);
                moves
            }
            Core::Iteration(body, exit) => {
                let mut moves = self.moves(body);
                let outermost = self.outermost.contains(&core);
                for next in &mut moves {
                    next.rest = self.cores.sequence(next.rest, core);
                    next.begins = outermost;
                }
                moves.append(&mut self.moves(exit));
                moves
            }
            Core::Merge(parts) => {
                let mut all = Vec::new();
                for (at, &part) in parts.iter().enumerate() {
                    for mut next in self.moves(part) {
                        let mut rest = parts.clone();
                        rest[at] = next.rest;
                        next.rest = self.cores.merge(rest);
                        all.push(next);
                    }
                }
                if self.ng {
                    all.extend(self.meetings(&parts));
                }
                all
            }
            Core::Disrupt(first, then) => {
                let mut moves = self.moves(first);
                for next in &mut moves {
                    if *self.cores.get(next.rest) != Core::Done {
                        next.rest = self.cores.add(Core::Disrupt(next.rest, then));
                    }
                }
                moves.append(&mut self.moves(then));
                moves
            }
            Core::If { test, then } => {
                let mut moves = self.moves(then);
                for next in &mut moves {
                    next.conditions.insert(0, Condition::Holds(test.clone()));
                }
                moves
            }
            Core::With { var, value, then } => {
                let mut moves = self.moves(then);
                for next in &mut moves {
                    next.conditions
                        .insert(0, Condition::Set(var, value.clone()));
                }
                moves
            }
        }
    }
}
