//! The properties of a script, judged on one concrete run.
//!
//! A finite run can break what must *always* be so: `always`, `never`, `when ... require`, and
//! claims put together of these. Whatever asks for something to happen at last is left alone. A run
//! that leaves what the file assumes counts for nothing, for the properties that the assumption is for.

use std::collections::HashSet;

use lsl::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StmtId, StmtKind};
use lsl::facts;
use lsl::property::syntax::{
    Argument, Assumption, AssumptionKind, Claim, EventKind, Formula, GhostType, Pattern,
};
use source::Span;

use crate::look::{Ghosts, Look, Scope, View};
use crate::operators::{binary, truth};
use crate::script::Script;
use crate::unasked::Unasked;
use crate::value::Value;

/// A moment within a handler, or in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment<'a> {
    /// The script calls a library or user function.
    Call(&'a str),
    /// A variable has another value; with the one before.
    Changes(GlobalId, &'a Value),
    Paid,
    Discarded,
    OwnerChanges,
    /// A handler begins.
    Handled(&'a str),
}

/// What somebody might have promised not to happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// A payment is lost.
    PaymentLost,
    /// The queue is full.
    Overflow,
    OwnerChanges,
    InventoryChanges,
    /// The owner does not grant these permissions.
    Refused(i32),
    /// A payment of nothing.
    ZeroPayment,
    /// More payments were lost at once than a bound says.
    TooManyLost,
    /// The object was sold or rezzed while the script slept, or the script handles something else
    /// before it hears of that.
    UnheardNews,
    /// Somebody pays an object that was rezzed before the script has handled `on_rez`.
    PaidTooEarly,
    /// The script asks for permissions before it has heard of an answer.
    AskedAgain,
}

/// Where a property stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// What broke it: the step of the run, from 0 for the initial state, and why.
    pub broken: Option<(usize, String)>,
    /// An assumption that is stated for it does not hold of the run from here on.
    pub cut: bool,
    /// How often what it speaks of was there to be judged.
    pub judged: u64,
    /// Finite runs do not break properties of this kind.
    pub beyond: bool,
}

/// The judge of one run.
pub(crate) struct Claims<'a> {
    script: &'a Script,
    ghosts: Ghosts,
    before: Ghosts,
    /// The patterns of formulas that have happened in the step at hand.
    happened: HashSet<Span>,
    /// What broke in the step at hand, if the run may go this way at all.
    pending: Vec<(usize, String)>,
    pub(crate) standings: Vec<Standing>,
    pub(crate) unasked: Unasked,
    /// The run has left what is assumed for all properties.
    left: bool,
    step: usize,
    /// State atoms speak of facts that the script is yet to hear of while something waits.
    reads_facts: bool,
}

impl<'a> Claims<'a> {
    pub(crate) fn new(script: &'a Script, view: &View<'_>) -> Claims<'a> {
        let mut claims = Claims {
            script,
            ghosts: Ghosts::new(),
            before: Ghosts::new(),
            happened: HashSet::new(),
            pending: Vec::new(),
            standings: Vec::new(),
            unasked: Unasked::default(),
            left: false,
            step: 0,
            reads_facts: script.properties_read_facts(),
        };
        for ghost in &script.annotations.ghosts {
            let first = ghost
                .value
                .map(|value| claims.look(view, &Vec::new()).value(value));
            let value = match (ghost.ty, first) {
                (GhostType::Integer, first) => {
                    Value::Number(first.map_or(0, |value| value.integer()).into())
                }
                (GhostType::Key, first) => {
                    Value::Key(first.map_or("".into(), |value| value.letters()))
                }
                (GhostType::String, first) => {
                    Value::Text(first.map_or("".into(), |value| value.letters()))
                }
            };
            claims.ghosts.insert(ghost.name.symbol, value);
        }
        claims.standings = script
            .annotations
            .properties
            .iter()
            .map(|property| Standing {
                beyond: match &property.claim {
                    Claim::Formula(formula) => !is_safety(formula),
                    Claim::When(..) => false,
                },
                ..Standing::default()
            })
            .collect();
        claims
    }

    fn look<'b>(&'b self, view: &'b View<'b>, scope: &'b Scope) -> Look<'b> {
        Look {
            script: self.script,
            view,
            ghosts: &self.ghosts,
            before: &self.before,
            scope,
            changed: None,
        }
    }

    /// Something happens.
    pub(crate) fn moment(&mut self, moment: Moment<'_>, args: &[Value], view: &View<'_>) {
        let script = self.script;
        self.unasked.moment(moment, args, view);
        self.before.clone_from(&self.ghosts);
        for update in &script.annotations.updates {
            if let Some(scope) = self.matched(&update.pattern, moment, args, view) {
                for &statement in &update.body {
                    self.update(statement, moment, &scope, view);
                }
            }
        }
        for (index, property) in script.annotations.properties.iter().enumerate() {
            match &property.claim {
                Claim::When(pattern, required) => {
                    let Some(scope) = self.matched(pattern, moment, args, view) else {
                        continue;
                    };
                    self.standings[index].judged += 1;
                    if !self.look_at(moment, view, &scope).holds(*required) {
                        let line = script.line(pattern.span);
                        self.pending
                            .push((index, format!("what line {line} requires is not so")));
                    }
                }
                Claim::Formula(formula) => {
                    let mut patterns = Vec::new();
                    patterns_of(formula, &mut patterns);
                    for pattern in patterns {
                        if self.matched(pattern, moment, args, view).is_some() {
                            self.happened.insert(pattern.span);
                        }
                    }
                }
            }
        }
        for assumption in &script.annotations.assumptions {
            if let AssumptionKind::When(pattern, required) = &assumption.kind
                && let Some(scope) = self.matched(pattern, moment, args, view)
                && !self.look_at(moment, view, &scope).holds(*required)
            {
                self.leaves(assumption);
            }
        }
    }

    /// Something that an assumption may rule out.
    pub(crate) fn cut(&mut self, cut: Cut) {
        let script = self.script;
        if matches!(
            cut,
            Cut::TooManyLost | Cut::UnheardNews | Cut::PaidTooEarly | Cut::AskedAgain
        ) {
            self.left = true;
            self.standings.iter_mut().for_each(|s| s.cut = true);
        }
        for assumption in &script.annotations.assumptions {
            let ruled_out = match (&assumption.kind, cut) {
                (AssumptionKind::OwnerGrants(name), Cut::Refused(mask)) => {
                    let name = script.checked.ast.name_text(*name);
                    matches!(facts::constant(name).map(|c| &c.value),
                        Some(facts::Value::Integer(wanted)) if wanted & mask != 0)
                }
                (AssumptionKind::QueueNeverOverflows, Cut::Overflow)
                | (AssumptionKind::NoPaymentLost, Cut::PaymentLost)
                | (AssumptionKind::OwnerStays, Cut::OwnerChanges)
                | (AssumptionKind::InventoryStays, Cut::InventoryChanges)
                | (AssumptionKind::PaymentsPositive, Cut::ZeroPayment) => true,
                _ => false,
            };
            if ruled_out {
                self.leaves(assumption);
            }
        }
    }

    /// Whether the file promises this for all properties, so that it need not be tried.
    pub(crate) fn promised(&self, kind: fn(&AssumptionKind) -> bool) -> bool {
        let mut all = self.script.annotations.assumptions.iter();
        all.any(|assumption| assumption.properties.is_none() && kind(&assumption.kind))
    }

    /// The run leaves what is assumed.
    fn leaves(&mut self, assumption: &Assumption) {
        self.left |= assumption.properties.is_none();
        let properties = &self.script.annotations.properties;
        for (property, standing) in properties.iter().zip(&mut self.standings) {
            let named = assumption.properties.as_ref();
            if named.is_none_or(|names| names.iter().any(|(name, _)| *name == property.name)) {
                standing.cut = true;
            }
        }
    }

    /// A handler has run to its end, or the world has done something; `waiting`: there are events
    /// in the queue.
    pub(crate) fn stable(&mut self, view: &View<'_>, waiting: bool) {
        let script = self.script;
        let readable = !(waiting && self.reads_facts);
        let nothing = Scope::new();
        if readable {
            for assumption in &script.annotations.assumptions {
                if let AssumptionKind::Always(formula) = &assumption.kind
                    && !self.present(formula, &self.look(view, &nothing))
                {
                    self.leaves(assumption);
                }
            }
            for (index, property) in script.annotations.properties.iter().enumerate() {
                let Claim::Formula(formula) = &property.claim else {
                    continue;
                };
                let mut judged = 0;
                let look = self.look(view, &nothing);
                let good = self.safe(formula, &look, self.step == 0, &mut judged);
                self.standings[index].judged += judged;
                if !good {
                    self.pending
                        .push((index, "it is not so between two events".to_owned()));
                }
            }
        }
        for (index, why) in std::mem::take(&mut self.pending) {
            let standing = &mut self.standings[index];
            if !standing.cut && standing.broken.is_none() {
                standing.broken = Some((self.step, why));
            }
        }
        self.unasked.stable(self.left);
        self.happened.clear();
        self.step += 1;
    }

    /// Whether all is cut, so that going on shows nothing.
    pub(crate) fn over(&self) -> bool {
        !self.standings.is_empty() && self.standings.iter().all(|s| s.cut || s.broken.is_some())
    }

    /// Whether a formula about safety is not broken by the state at hand.
    fn safe(&self, formula: &Formula, look: &Look<'_>, first: bool, judged: &mut u64) -> bool {
        match formula {
            Formula::Always(p) if p.is_present() => {
                *judged += match &**p {
                    Formula::Implies(premise, _) => u64::from(self.present(premise, look)),
                    _ => 1,
                };
                self.present(p, look)
            }
            Formula::Never(p) if p.is_present() => {
                *judged += 1;
                !self.present(p, look)
            }
            Formula::And(p, q) => {
                self.safe(p, look, first, judged) & self.safe(q, look, first, judged)
            }
            present if present.is_present() => {
                *judged += u64::from(first);
                !first || self.present(present, look)
            }
            _ => true,
        }
    }

    fn present(&self, formula: &Formula, look: &Look<'_>) -> bool {
        match formula {
            Formula::State(expr) => look.holds(*expr),
            Formula::Event(pattern) => self.happened.contains(&pattern.span),
            Formula::Not(p) => !self.present(p, look),
            Formula::And(p, q) => self.present(p, look) && self.present(q, look),
            Formula::Or(p, q) => self.present(p, look) || self.present(q, look),
            Formula::Implies(p, q) => !self.present(p, look) || self.present(q, look),
            Formula::Iff(p, q) => self.present(p, look) == self.present(q, look),
            // Not about the present: nobody asks.
            _ => true,
        }
    }

    fn look_at<'b>(&'b self, moment: Moment<'b>, view: &'b View<'b>, scope: &'b Scope) -> Look<'b> {
        Look {
            changed: match moment {
                Moment::Changes(global, before) => Some((global, before)),
                _ => None,
            },
            ..self.look(view, scope)
        }
    }

    /// The names that a pattern brings in, if it is about this moment.
    fn matched(
        &self,
        pattern: &Pattern,
        moment: Moment<'_>,
        args: &[Value],
        view: &View<'_>,
    ) -> Option<Scope> {
        let ast = &self.script.checked.ast;
        let fits = match (pattern.kind, moment) {
            (EventKind::Call(name), Moment::Call(function)) => ast.name_text(name) == function,
            (EventKind::Changes(name), Moment::Changes(global, _)) => {
                self.script.checked.global_named(ast.name_text(name)) == Some(global)
            }
            (EventKind::Handled(name), Moment::Handled(event)) => ast.name_text(name) == event,
            (EventKind::Paid(_), Moment::Paid)
            | (EventKind::Discarded(_), Moment::Discarded)
            | (EventKind::OwnerChanges(_), Moment::OwnerChanges) => true,
            _ => false,
        };
        if !fits {
            return None;
        }
        let mut scope = Scope::new();
        self.arguments(&pattern.arguments, args, moment, view, &mut scope)?;
        if let Some(during) = &pattern.during {
            let event = ast.name_text(during.event);
            let handling = view.handling.iter().find(|other| other.event == event)?;
            self.arguments(&during.arguments, &handling.args, moment, view, &mut scope)?;
        }
        let look = self.look_at(moment, view, &scope);
        let all = pattern
            .conditions
            .iter()
            .all(|&condition| look.holds(condition));
        all.then_some(scope)
    }

    fn arguments(
        &self,
        written: &[Argument],
        args: &[Value],
        moment: Moment<'_>,
        view: &View<'_>,
        scope: &mut Scope,
    ) -> Option<()> {
        for (argument, value) in written.iter().zip(args) {
            let look = self.look_at(moment, view, scope);
            let wanted = match argument {
                Argument::Any => continue,
                Argument::Name(name) if !look.knows(*name) => {
                    scope.push((name.symbol, value.clone()));
                    continue;
                }
                Argument::Name(name) => look.named(*name),
                Argument::Equal(expr) => look.value(*expr),
            };
            let equal = binary(BinaryOp::Equal, value, &wanted).ok()?;
            if !truth(&equal) {
                return None;
            }
        }
        Some(())
    }

    /// A statement of an `on` block.
    fn update(&mut self, id: StmtId, moment: Moment<'_>, scope: &Scope, view: &View<'_>) {
        let script = self.script;
        match &script.checked.ast.stmt(id).kind {
            StmtKind::Block(inner) => {
                for &statement in inner {
                    self.update(statement, moment, scope, view);
                }
            }
            StmtKind::If { arms, otherwise } => {
                for &(condition, then) in arms {
                    if self.look_at(moment, view, scope).holds(condition) {
                        return self.update(then, moment, scope, view);
                    }
                }
                if let Some(otherwise) = otherwise {
                    self.update(*otherwise, moment, scope, view);
                }
            }
            StmtKind::Expr(expr) => self.assign(*expr, moment, scope, view),
            _ => {}
        }
    }

    fn assign(&mut self, id: ExprId, moment: Moment<'_>, scope: &Scope, view: &View<'_>) {
        let ast = &self.script.checked.ast;
        let look = self.look_at(moment, view, scope);
        let (place, value) = match ast.expr(id).kind {
            ExprKind::Assign { op, place, value } => {
                let value = look.value(value);
                let value = match op {
                    None => value,
                    Some(op) => binary(op, &look.value(place), &value).unwrap_or(Value::Number(0)),
                };
                (place, value)
            }
            ExprKind::Step { place, by, .. } => {
                let sum = binary(BinaryOp::Add, &look.value(place), &Value::Integer(by));
                (place, sum.unwrap_or(Value::Number(0)))
            }
            _ => return,
        };
        let ExprKind::Name(name) = ast.expr(ast.without_parentheses(place)).kind else {
            return;
        };
        if let Some(ghost) = self.ghosts.get_mut(&name.symbol) {
            *ghost = match (&*ghost, value) {
                (Value::Number(_), Value::Integer(n)) => Value::Number(n.into()),
                (Value::Key(_), value) => Value::Key(value.letters()),
                (Value::Text(_), value) => Value::Text(value.letters()),
                (_, value) => value,
            };
        }
    }
}

/// Whether a finite run can break the formula, and [`Claims::safe`] would see it.
fn is_safety(formula: &Formula) -> bool {
    match formula {
        Formula::Always(p) | Formula::Never(p) => p.is_present(),
        Formula::And(p, q) => is_safety(p) && is_safety(q),
        other => other.is_present(),
    }
}

fn patterns_of<'f>(formula: &'f Formula, into: &mut Vec<&'f Pattern>) {
    match formula {
        Formula::Event(pattern) => into.push(pattern),
        other => other
            .operands()
            .into_iter()
            .for_each(|operand| patterns_of(operand, into)),
    }
}
