//! What tools are asked, and what they answer.
//!
//! The answer is chosen when it is read, among all that the reader accepts; with `answers = any` a tool
//! may also have answered something else, which nobody reads. Then every script fails that asks a tool for
//! more than a term. The bus in C asks nothing more before the answer has been read. That in Java asks again as
//! soon as there is an answer, read or not: where a script does that, so many may wait.

use model::{Binary, ExprId, LocId, Origin, Process, Step, Stmt, Type};
use source::Span;

use super::tools::Tools;
use super::{Lowering, Unit, held::Held};
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::bounds::Bound;
use crate::load::{Dialect, Schedule};
use crate::term::Pattern;
use crate::types;

/// How much may be asked of a tool of which nobody has read the answer.
const MOST_ASKED: i64 = 2;

/// Of each tool how many answers nobody has read.
pub(super) const ASKED: Type = Type::Range {
    lo: 0,
    hi: MOST_ASKED,
};

/// How tools of a kind may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answers {
    /// Whether they may answer what nobody expects.
    pub(super) odd: bool,
    /// How much may be asked before an answer is read.
    pub(super) most: i64,
}

/// Whether an action takes any answer at all.
pub(super) fn takes_anything(unit: usize, units: &[Unit], atom: &Atom) -> bool {
    let is_term = |ty: &types::Type| *ty == types::Type::Term;
    match &atom.args[1..] {
        [Pattern::Result(var)] => is_term(&units[unit].inlined.variables[var.index()].ty),
        [Pattern::Placeholder(ty)] => is_term(ty),
        _ => false,
    }
}

impl Lowering<'_> {
    /// How tools of a kind may answer.
    pub(super) fn answers_of(&mut self, kind: &str) -> Answers {
        let mut odd = false;
        let mut asks = Vec::new();
        for unit in 0..self.units.len() {
            for atom in &self.units[unit].inlined.atoms {
                let name = atom
                    .args
                    .first()
                    .and_then(|tool| self.kind_name(unit, tool));
                if name.is_some_and(|name| name != kind) {
                    continue;
                }
                match atom.word {
                    Word::RecValue => odd |= !takes_anything(unit, &self.units, atom),
                    Word::SndEval if !asks.contains(&unit) => asks.push(unit),
                    _ => {}
                }
            }
        }
        let any = !self.polite && self.bounds.get("answers") == Some(Bound::Any);
        odd &= any && !asks.is_empty();
        let mut most = 1;
        if self.dialect == Dialect::Ng && self.asks_again(kind, &asks) {
            most = MOST_ASKED;
            self.sample(format!(
                "no more than {most} answers of a tool `{kind}` wait to be read"
            ));
        }
        Answers { odd, most }
    }

    /// Whether a tool may be asked something before its last answer has been read.
    fn asks_again(&self, kind: &str, asks: &[usize]) -> bool {
        let shared = || !Held::of(&self.units, &self.started).is_owned(kind);
        let instances = |unit: usize| match self.is_created(unit) {
            true => 2,
            false => self.started.iter().filter(|&&other| other == unit).count(),
        };
        if asks.iter().map(|&unit| instances(unit)).sum::<usize>() > 1 && shared() {
            return true;
        }
        asks.iter().any(|&unit| {
            let this = &self.units[unit];
            let word = |atom: usize| this.inlined.atoms[atom].word;
            let ends = [
                Word::RecValue,
                Word::RecDisconnect,
                Word::RecConnect,
                Word::Execute,
                Word::SndTerminate,
                Word::SndKill,
            ];
            let moves = this.automaton.states.iter().flatten();
            let mut waiting: Vec<usize> = moves
                .filter(|next| word(next.atom) == Word::SndEval)
                .map(|next| next.to)
                .collect();
            let mut seen = vec![false; this.automaton.states.len()];
            while let Some(state) = waiting.pop() {
                if std::mem::replace(&mut seen[state], true) {
                    continue;
                }
                for next in &this.automaton.states[state] {
                    match word(next.atom) {
                        Word::SndEval => return true,
                        word if ends.contains(&word) => {}
                        _ => waiting.push(next.to),
                    }
                }
            }
            false
        })
    }

    /// Says how tools answer.
    pub(super) fn declare_answers(&mut self) {
        if self.bounds.get("answers") == Some(Bound::Polite) && self.has_word(Word::SndEval) {
            self.restrict("tools answer only what somebody reads", "answers");
        } else if self.tools.kinds.iter().any(|kind| kind.answers.odd) {
            self.assume(
                "tools may answer what nobody expects (bound `answers = any`)",
                Origin::Semantics,
            );
        } else if self.has_word(Word::SndEval) {
            self.assume(
                "tools answer only what somebody reads (bound `answers = any`: anything)",
                Origin::Semantics,
            );
        }
    }

    /// When a tool may be asked something, and counting it.
    pub(super) fn asks(&mut self, kind: Option<usize>, index: ExprId) -> (ExprId, Stmt) {
        let most = kind.map_or(1, |kind| self.tools.kinds[kind].answers.most);
        let (asked, place) = self.asked(index);
        let most = self.program.exprs.int(most.into(), ASKED);
        let may = self.program.exprs.binary(Binary::Lt, asked, most);
        let one = self.program.exprs.int(1, Type::Mathint);
        let more = model::Expr::Binary(Binary::Add, asked, one);
        let more = self.program.exprs.add(more, Type::Mathint);
        (may, Stmt::Assign(place, more))
    }

    /// When an answer that is accepted can be read, and that it has been.
    pub(super) fn reads_answer(&mut self, index: ExprId) -> (ExprId, Stmt) {
        let (asked, place) = self.asked(index);
        let zero = self.program.exprs.int(0, ASKED);
        let may = self.program.exprs.binary(Binary::Lt, zero, asked);
        let one = self.program.exprs.int(1, Type::Mathint);
        let less = model::Expr::Binary(Binary::Sub, asked, one);
        let less = self.program.exprs.add(less, Type::Mathint);
        (may, Stmt::Assign(place, less))
    }

    /// When an answer that few accept can be read, and that it has been.
    pub(super) fn reads_odd(&mut self, index: ExprId) -> Option<(ExprId, Stmt)> {
        let place = Self::tool_cell(Some(self.tools.odd?), index);
        let is = self.program.exprs.load(place.clone(), Type::Bool);
        let no = self.program.exprs.bool(false);
        Some((is, Stmt::Assign(place, no)))
    }

    fn asked(&mut self, index: ExprId) -> (ExprId, model::Place) {
        let place = Self::tool_cell(self.tools.asked, index);
        (self.program.exprs.load(place.clone(), ASKED), place)
    }

    /// Whether a tool has been asked something of which nobody has read the answer.
    pub(super) fn is_asked(&mut self, tool: usize) -> ExprId {
        let index = self.byte(tool);
        let (asked, _) = self.reads_answer(index);
        match self.reads_odd(index) {
            Some((odd, _)) => self.program.exprs.or(asked, odd),
            None => asked,
        }
    }

    /// What becomes of what a tool has been asked that is gone.
    pub(super) fn nothing_asked(&mut self, index: ExprId) -> Vec<Stmt> {
        let zero = self.program.exprs.int(0, ASKED);
        let place = Self::tool_cell(self.tools.asked, index);
        let mut body = vec![Stmt::Assign(place, zero)];
        body.extend(self.reads_odd(index).map(|(_, none)| none));
        body
    }

    /// The environment: tools that answer what nobody expects.
    pub(super) fn unexpected_answers(&mut self, process: &mut Process, here: LocId) {
        for kind in 0..self.tools.kinds.len() {
            if !self.tools.kinds[kind].answers.odd {
                continue;
            }
            let (first, count) = self.tools.range(kind);
            for number in 0..count {
                let index = self.byte(first + number);
                let connected = self.is_connected(first + number);
                let (asked, answered) = self.reads_answer(index);
                let Some((odd, _)) = self.reads_odd(index) else {
                    continue;
                };
                let none = self.program.exprs.not(odd);
                let mut step = Step::new(here, here, Span::NONE);
                let may = self.all_of([connected, asked, none]);
                step.guard = Some(self.unless_down(may));
                let tool = self.tool_value(kind, number);
                let told = self.tell("answers", &[], vec![tool], Span::NONE);
                let yes = self.program.exprs.bool(true);
                let odd = Stmt::Assign(Self::tool_cell(self.tools.odd, index), yes);
                step.body = vec![told, answered, odd];
                if self.schedule == Schedule::Prompt {
                    step.class = 0;
                }
                process.add_step(step);
            }
        }
    }

    /// How many tools of a kind processes may execute at most in a run; none if any number.
    pub(super) fn most_executed(&self, kind: &str) -> Option<usize> {
        let mut most = 0;
        for (unit, this) in self.units.iter().enumerate() {
            let executes = |atom: usize| {
                let atom = &this.inlined.atoms[atom];
                atom.word == Word::Execute
                    && self.kind_name(unit, &atom.args[0]).as_deref() == Some(kind)
            };
            let states = &this.automaton.states;
            // The longest way from each state; there is none where a loop executes.
            let mut ways = vec![0; states.len()];
            let mut changed = true;
            while changed {
                changed = false;
                for state in (0..states.len()).rev() {
                    let way = states[state]
                        .iter()
                        .map(|next| ways[next.to] + usize::from(executes(next.atom)))
                        .max()
                        .unwrap_or(0);
                    if way > Tools::MOST {
                        return None;
                    }
                    if way > ways[state] {
                        ways[state] = way;
                        changed = true;
                    }
                }
            }
            let way = ways.first().copied().unwrap_or(0);
            let instances = match self.is_created(unit) && way > 0 {
                true => return None,
                false => self.started.iter().filter(|&&other| other == unit).count(),
            };
            most += way * instances;
        }
        (most <= Tools::MOST).then_some(most)
    }
}
