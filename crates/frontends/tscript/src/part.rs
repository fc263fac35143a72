//! Scripts that seem to be parts of a system.
//!
//! A script may say so by what is missing in it: it starts nothing, it calls a process that no file defines,
//! or it sends a message whose word nobody receives, or the other way round. Where a name is near to one
//! that there is, it is taken for a slip, and the script for all that there is.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use crate::ast::{Script, Word};
use crate::behaviour::Inlined;
use crate::codes::suspicious;
use crate::term::Pattern;

/// Why a script seems to be a part of a system.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// It does not say which processes start; where the first is defined.
    StartsNothing(Span),
    /// It calls a process that is not defined.
    Calls(String, Span),
    /// It sends a message that nothing receives, or receives one that nothing sends.
    Message {
        word: String,
        sent: bool,
        span: Span,
    },
}

impl Part {
    /// Why a script seems to be a part, if it does: `calls_others` is a call of what is not defined.
    pub(crate) fn of(
        script: &Script,
        processes: &[Inlined],
        calls_others: Option<&(String, Span)>,
    ) -> Option<Part> {
        if let (true, Some(first)) = (script.started.is_empty(), script.processes.first()) {
            return Some(Part::StartsNothing(first.name_span));
        }
        if let Some((name, span)) = calls_others {
            return Some(Part::Calls(name.clone(), *span));
        }
        by_message(processes)
    }

    /// Says so.
    pub(crate) fn told(&self) -> Diagnostic {
        let (why, span) = match self {
            Part::StartsNothing(span) => ("it starts no process".to_owned(), *span),
            Part::Calls(name, span) => (format!("no process `{name}` is defined"), *span),
            Part::Message { word, sent, span } => match sent {
                true => (format!("nothing receives the message `{word}`"), *span),
                false => (format!("nothing sends the message `{word}`"), *span),
            },
        };
        Diagnostic::warning(
            suspicious::PART,
            format!("the script is taken for a part of a system: {why}"),
        )
        .at(span)
        .help("say `--closed` if it is all of one, and `--open` if this is meant")
    }
}

/// A message with a sender and no receiver, or the other way round.
fn by_message(processes: &[Inlined]) -> Option<Part> {
    let messages = |wanted: Word| {
        let atoms = processes.iter().flat_map(|process| &process.atoms);
        atoms
            .filter(move |atom| atom.word == wanted)
            .map(|atom| (atom.args.first().and_then(Pattern::word), atom.span))
    };
    for (word, other) in [(Word::SndMsg, Word::RecMsg), (Word::RecMsg, Word::SndMsg)] {
        // A message whose word a variable holds may be any.
        let Some(others) = messages(other)
            .map(|(word, _)| word)
            .collect::<Option<BTreeSet<&str>>>()
        else {
            continue;
        };
        for (name, span) in messages(word) {
            if let Some(name) = name
                && !others.contains(name)
                && source::suggest(name, others.iter().copied()).is_none()
            {
                return Some(Part::Message {
                    word: name.to_owned(),
                    sent: word == Word::SndMsg,
                    span,
                });
            }
        }
    }
    None
}
