//! Suspicions that the text of a script alone raises, about money above all (LSL07..).
//!
//! Each is a pattern that scripters know from what it has cost them. No world is built for them, and
//! none of them is a verdict: `docs/lsl-checks.md` lists them beside the checks that are.
//!
//! A comment `probity: allow LSL0701` on the line silences a finding there, this or another.

mod again;
mod answers;
mod apart;
mod changing;
mod dialogs;
mod elements;
mod elsewhere;
mod growth;
mod index;
mod listens;
mod look;
mod never;
mod operands;
mod owner;
mod payee;
mod price;
mod reach;
mod repeated;
mod replies;
mod seat;
mod shown;
mod side_by_side;
mod stale;
mod stuck;
mod ticks;

use source::{Diagnostics, SourceFile};

use crate::check::Checked;
use look::Look;

/// What is suspicious in a script that has no errors.
pub(crate) fn look(checked: &Checked) -> Diagnostics {
    let look = Look::of(checked);
    let mut found = Diagnostics::new();
    replies::unmatched(&look, &mut found);
    replies::never_kept(&look, &mut found);
    elsewhere::awaited(&look, &mut found);
    listens::open(&look, &mut found);
    listens::named(&look, &mut found);
    listens::leaked(&look, &mut found);
    listens::overwritten(&look, &mut found);
    shown::obeyed(&look, &mut found);
    dialogs::unhandled(&look, &mut found);
    dialogs::unheard(&look, &mut found);
    owner::kept(&look, &mut found);
    operands::constant(&look, &mut found);
    operands::flags(&look, &mut found);
    reach::states(&look, &mut found);
    reach::handlers(&look, &mut found);
    repeated::conditions(&look, &mut found);
    growth::lists(&look, &mut found);
    stale::payer(&look, &mut found);
    payee::told(&look, &mut found);
    stuck::states(&look, &mut found);
    again::paid(&look, &mut found);
    index::unfound(&look, &mut found);
    index::drawn(&look, &mut found);
    side_by_side::mixed(&look, &mut found);
    ticks::stopped(&look, &mut found);
    seat::restarted(&look, &mut found);
    changing::goods(&look, &mut found);
    answers::kept(&look, &mut found);
    never::taken(&look, &mut found);
    price::unasked(&look, &mut found);
    price::rest(&look, &mut found);
    elements::read_twice(&look, &mut found);
    elements::counted_as_others(&look, &mut found);
    found
}

/// Whether a comment on this line, from 1, silences a finding by its code or name.
pub(crate) fn is_allowed(source: &SourceFile, line: u32, name: &str) -> bool {
    let text = source.line_text(line);
    text.find("//").is_some_and(|at| allows(&text[at..], name))
}

/// Whether a comment anywhere in the script silences a check of this name.
pub(crate) fn is_allowed_anywhere(source: &SourceFile, name: &str) -> bool {
    (1..=source.line_count()).any(|line| is_allowed(source, line, name))
}

fn allows(comment: &str, name: &str) -> bool {
    let Some((_, names)) = comment.split_once("probity: allow ") else {
        return false;
    };
    let mut names = names.split([',', ' ']).filter(|name| !name.is_empty());
    names.any(|allowed| allowed == name)
}
