//! Notecards whose lines are known: what is read from them is what stands there.
//!
//! Without any, what a request for a line brings is a text from outside. Where the command line gives
//! notecards, these are all that the object has, and nobody changes them: a cut that is stated.

use model::{Binary, ExprId, Lifetime, Stmt, Type as ModelType, Value};

use super::Coder;
use crate::ast;
use crate::environment::Answer;
use crate::watch::Notecard;

/// The type of notecards in the inventory.
const INVENTORY_NOTECARD: i128 = 7;
impl Coder<'_> {
    /// What a request will be answered, and whether that is known; `None` if it is not.
    pub(crate) fn answer_of(
        &mut self,
        id: ast::ExprId,
        function: &str,
        args: &[ExprId],
    ) -> Option<(ExprId, ExprId)> {
        let end = self.build.text(Notecard::END);
        let (mut known, mut answer) = (self.build.bool(false), end);
        for card in self.input.bounds.notecards.clone() {
            let text = match function {
                "llGetNotecardLine" => self.line(&card, args[1]),
                "llGetNumberOfNotecardLines" => self.build.text(&card.lines.len().to_string()),
                _ => return None,
            };
            let name = self.build.text(&card.name);
            let this = self.same_name(id, args[0], name);
            known = self.build.or(known, this);
            answer = self.build.choose_by(this, text, answer);
        }
        if function == "llGetNotecardLine" {
            let zero = self.build.int(0);
            let there = self.build.program.exprs.binary(Binary::Le, zero, args[1]);
            known = self.build.and(known, there);
        }
        let never = self.build.program.exprs.constant(known) == Some(&Value::Bool(false));
        (!never).then_some((known, answer))
    }

    /// A line by its number, from 0; behind the last the end.
    fn line(&mut self, card: &Notecard, number: ExprId) -> ExprId {
        let mut found = self.build.text(Notecard::END);
        for (at, line) in card.lines.iter().enumerate().rev() {
            let at = self.build.int(i32::try_from(at).unwrap_or(i32::MAX));
            let this = self.build.equal(number, at);
            let line = self.build.text(line);
            found = self.build.choose_by(this, line, found);
        }
        found
    }

    /// `llGetNotecardLineSync`: the line, or `NAK` if the notecard is not in the region's memory.
    pub(crate) fn line_at_once(&mut self, id: ast::ExprId, args: &[ExprId]) -> Option<ExprId> {
        let (known, line) = self.answer_of(id, "llGetNotecardLine", args)?;
        let is_known = self.build.program.exprs.constant(known) == Some(&Value::Bool(true));
        if !is_known || !self.temporaries.allowed() {
            return None;
        }
        let what = "whether the notecard is in memory";
        let span = self.input.checked.ast.expr(id).span;
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let not_there = self.build.text(Notecard::NOT_THERE);
        let place = self.temporary(&ModelType::Rich);
        let members = vec![line, not_there];
        let choice = self.build.chosen(place.clone(), what, members, outside);
        self.emit(Stmt::Choose(choice));
        Some(self.build.program.exprs.load(place, ModelType::Rich))
    }

    /// The name of a notecard by its number, if calls that read the inventory ask for notecards.
    pub(crate) fn name_of_notecard(&mut self, args: &[ExprId]) -> Option<ExprId> {
        if !self.asks_for_notecards(args[0]) {
            return None;
        }
        let mut found = self.build.text("");
        let cards = &self.input.bounds.notecards;
        for (at, card) in cards.iter().enumerate().rev() {
            let at = self.build.int(i32::try_from(at).unwrap_or(i32::MAX));
            let this = self.build.equal(args[1], at);
            let name = self.build.text(&card.name);
            found = self.build.choose_by(this, name, found);
        }
        Some(found)
    }

    /// How many notecards there are, if that is asked.
    pub(crate) fn number_of_notecards(&mut self, kind: ExprId) -> Option<ExprId> {
        let count = i32::try_from(self.input.bounds.notecards.len()).unwrap_or(i32::MAX);
        self.asks_for_notecards(kind).then(|| self.build.int(count))
    }

    fn asks_for_notecards(&self, kind: ExprId) -> bool {
        let kind = self.build.program.exprs.constant(kind);
        !self.input.bounds.notecards.is_empty() && kind == Some(&Value::Int(INVENTORY_NOTECARD))
    }

    /// Remembers what a request will be answered, if that is known. If an answer is due to its key already,
    /// it is not known which comes first.
    pub(crate) fn expect(
        &mut self,
        answer: Answer,
        already: ExprId,
        expected: Option<(ExprId, ExprId)>,
    ) {
        let (known, text) = expected.unwrap_or_else(|| {
            let empty = self.build.text("");
            (self.build.bool(false), empty)
        });
        let alone = self.build.not(already);
        let known = self.build.and(alone, known);
        let set = self.build.set(answer.known, known);
        let keep = self.build.set(answer.text, text);
        self.emit(set);
        self.emit(keep);
    }
}
