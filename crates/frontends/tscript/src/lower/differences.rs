//! Where the bus in Java does not do what the guide to the ToolBus says, and ours does: said with every verdict
//! on a script in which that can make a difference. `docs/tscript.md` has them all.

use model::Origin;

use super::{Lowering, Unit};
use crate::ast::Word;
use crate::automaton::Move;
use crate::behaviour::{Atom, Core, CoreId, Inlined};
use crate::load::Dialect;
use crate::term::{Pattern, some_differ};
use crate::types::Type;

impl Lowering<'_> {
    /// The differences that matter to the script, as assumptions.
    pub(super) fn say_differences(&mut self) {
        if self.dialect != Dialect::Ng {
            return;
        }
        let said = [
            (
                self.any_process(&asks_for_arguments),
                "of `f(...)` each argument has the type that a variable or `<f(int)>` asks for: the bus in Java does \
                 not look at the last one",
            ),
            (
                self.any_atom(&|atom| has_placeholder(atom, &takes)),
                "placeholders such as `<int>` match each value of their type: in the bus in Java they match none",
            ),
            (
                self.any_atom(&|atom| has_placeholder(atom, &lets_in_oddly)),
                "a subscription to `<bool>` lets truth values in, one to `<str>` only texts: in the bus in Java the \
                 first lets nothing in, the second words, too",
            ),
            (
                self.any_process(&tests_a_merge),
                "an `if` asks its test once, when its first action is taken: where it begins with `||`, the bus in \
                 Java asks again when the first action of the other part is",
            ),
            (
                self.any_process(&hears_of_a_type),
                "tools do not send `undefined`: the bus in Java takes it for a value of each type",
            ),
            (
                self.units.iter().any(may_answer_itself),
                "a process does not send a message to another alternative of its own: in the bus in Java it may, \
                 and goes on behind either",
            ),
            (
                self.any_process(&disrupts),
                "`>>` disrupts what is not at its end, all of it at once: in the bus in Java it may also come before the \
                 next action behind the end, and to each part of `||` by itself",
            ),
        ];
        for (matters, text) in said {
            if matters {
                self.assume(text, Origin::Semantics);
            }
        }
    }

    fn any_process(&self, matters: &dyn Fn(&Inlined) -> bool) -> bool {
        self.units.iter().any(|unit| matters(&unit.inlined))
    }

    fn any_atom(&self, matters: &dyn Fn(&Atom) -> bool) -> bool {
        self.any_process(&|process| process.atoms.iter().any(matters))
    }
}

/// Whether a type says what arguments a term has.
fn has_arguments(ty: &Type) -> bool {
    match ty {
        Type::Apply(_, Some(args)) => args.iter().any(|arg| *arg != Type::Term),
        Type::List(Some(item)) => has_arguments(item),
        Type::Tuple(all) => all.iter().any(has_arguments),
        _ => false,
    }
}

fn asks_for_arguments(process: &Inlined) -> bool {
    process.variables.iter().any(|var| has_arguments(&var.ty))
        || process
            .atoms
            .iter()
            .any(|atom| has_placeholder(atom, &|_, ty| has_arguments(ty)))
}

/// Whether a placeholder stands somewhere in the terms of an action.
fn has_placeholder(atom: &Atom, wanted: &dyn Fn(Word, &Type) -> bool) -> bool {
    fn within(term: &Pattern, wanted: &dyn Fn(&Type) -> bool) -> bool {
        match term {
            Pattern::Placeholder(ty) => wanted(ty),
            Pattern::Apply(_, parts) | Pattern::List(parts) => {
                parts.iter().any(|part| within(part, wanted))
            }
            _ => false,
        }
    }
    let wanted = |ty: &Type| wanted(atom.word, ty);
    atom.args.iter().any(|term| within(term, &wanted))
}

/// Whether a tool is asked for a value of some type.
fn hears_of_a_type(process: &Inlined) -> bool {
    process.atoms.iter().any(|atom| {
        let mut typed = false;
        if matches!(atom.word, Word::RecEvent | Word::RecValue) {
            for term in &atom.args[1..] {
                term.variables(&mut |var, written| {
                    typed |= written && process.variables[var.index()].ty != Type::Term;
                });
            }
        }
        typed
    })
}

fn takes(word: Word, _: &Type) -> bool {
    matches!(
        word,
        Word::RecMsg
            | Word::SndMsg
            | Word::Meet
            | Word::RecNote
            | Word::NoNote
            | Word::RecEvent
            | Word::RecValue
    )
}

fn lets_in_oddly(word: Word, ty: &Type) -> bool {
    word == Word::Subscribe && matches!(ty, Type::Bool | Type::Str | Type::Bstr)
}

/// Whether the first actions of a part are those of two that run side by side.
fn begins_with_merge(process: &Inlined, part: CoreId) -> bool {
    match process.cores.get(part) {
        Core::Merge(_) => true,
        Core::Done | Core::Atom(_) => false,
        Core::Sequence(first, _) => begins_with_merge(process, *first),
        Core::Choice(parts) => parts.iter().any(|part| begins_with_merge(process, *part)),
        Core::Biased {
            second_best: a,
            best: b,
        }
        | Core::Iteration(a, b)
        | Core::Disrupt(a, b) => [a, b].iter().any(|part| begins_with_merge(process, **part)),
        Core::If { then, .. } | Core::With { then, .. } => begins_with_merge(process, *then),
    }
}

/// Whether in some state both ends of a message are alternatives, not parts that run side by side.
fn may_answer_itself(unit: &Unit) -> bool {
    let process = &unit.inlined;
    let all = |moves: &[Move], word: Word| -> Vec<Atom> {
        let atoms = moves.iter().map(|next| &process.atoms[next.atom]);
        atoms.filter(|atom| atom.word == word).cloned().collect()
    };
    unit.automaton.states.iter().any(|moves| {
        let (sent, wanted) = (all(moves, Word::SndMsg), all(moves, Word::RecMsg));
        let met = all(moves, Word::Meet);
        sent.iter().any(|sent| {
            wanted.iter().any(|wanted| {
                let meet = |both: &Atom| {
                    let (first, second) = both.args.split_at(both.args.len() / 2);
                    first == sent.args && second == wanted.args
                };
                !some_differ(&sent.args, &wanted.args) && !met.iter().any(meet)
            })
        })
    })
}

fn tests_a_merge(process: &Inlined) -> bool {
    process.cores.iter().any(|part| match part {
        Core::If { then, .. } => begins_with_merge(process, *then),
        _ => false,
    })
}

fn disrupts(process: &Inlined) -> bool {
    let mut parts = process.cores.iter();
    parts.any(|part| matches!(part, Core::Disrupt(..)))
}
