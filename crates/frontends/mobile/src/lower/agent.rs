//! Where code is, where it comes from, and the policy that depends on it: a reference monitor.
//!
//! Each thread has a location and a provenance. They are those of the location net; what a net does
//! not say is chosen once, where the thread begins. At every call the rules are evaluated in the
//! state of that moment, and each rule is a check of its own. So adding a rule adds a check, and
//! never takes a violation away.

use model::{
    Binary, Check, CheckId, Claim, Event, ExprId, ExprPool, Place, Property, Stmt, ValueSet,
    Visibility,
};
use source::Span;

use policy::{Arguments, Chooser, POSITION, Permission, Provenance, Standing};

use super::Lowering;
use super::build::Build;
use super::contents::How;
use super::value::{Lvalue, Rvalue};

/// Where a thread is and comes from.
#[derive(Clone)]
pub(super) struct Agent {
    standing: Standing,
    /// Where its site is kept, if the agent can move.
    moves: Option<Place>,
    /// For each order of the policy, whether what it speaks of has happened.
    pub(super) orders: Vec<Place>,
}

impl Agent {
    /// Of nobody, before a run begins.
    pub(super) fn nowhere(pool: &mut ExprPool) -> Agent {
        Agent {
            standing: Standing::nowhere(pool),
            moves: None,
            orders: Vec::new(),
        }
    }
}

/// What a net does not say about a thread that begins at a place of the text.
struct Begin<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    span: Span,
}

impl Chooser for Begin<'_, '_> {
    fn pool(&mut self) -> &mut ExprPool {
        self.lowering.pool()
    }

    fn position(&mut self, fact: &str, last: usize) -> ExprId {
        self.lowering.position(fact, last, self.span)
    }

    fn truth(&mut self, fact: &str) -> ExprId {
        self.lowering.unrelated_truth(fact, self.span)
    }
}

impl Lowering<'_> {
    /// A property for each rule; one that claims nothing if there is none.
    pub(super) fn declare_rules(&mut self) {
        let rules = self.policy.rules.len();
        for at in 0..rules {
            let rule = &self.policy.rules[at];
            let span = rule.span;
            let text = self.sources.snippet(span);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = format!("rule-{}", at + 1);
            let check = self.program.add_check(Check {
                name: name.clone(),
                failure: format!("the policy denies this call: {text}"),
                span,
            });
            self.rule_checks.push(check);
            self.rule_property(name, text, span, check);
        }
        self.declare_orders();
        if rules == 0 && self.policy.orders.is_empty() {
            let check = self.program.add_check(Check {
                name: "policy".to_owned(),
                failure: "the policy denies nothing".to_owned(),
                span: Span::NONE,
            });
            let text = "the policy denies nothing".to_owned();
            self.rule_property("policy".to_owned(), text, Span::NONE, check);
        }
    }

    pub(super) fn rule_property(&mut self, name: String, text: String, span: Span, check: CheckId) {
        self.program.add_property(Property {
            name,
            text,
            span,
            claim: Claim::Check(check),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    /// A thread begins that runs a function.
    pub(super) fn new_agent(&mut self, function: &str, span: Span) -> Agent {
        let own = self.net.and_then(|net| {
            let mut lines = net.threads.iter();
            lines
                .find(|(name, _)| name == function)
                .map(|(_, line)| line)
        });
        let general = self.net.map(|net| &net.agent);
        let pick = |what: fn(&Provenance) -> Option<&Vec<String>>| {
            own.and_then(what)
                .or_else(|| general.and_then(what))
                .cloned()
        };
        let at = pick(|provenance| provenance.at.as_ref());
        let origin = pick(|provenance| provenance.origin.as_ref());
        let code_base = own
            .and_then(|own| own.code_base.clone())
            .or_else(|| general.and_then(|net| net.code_base.clone()));
        let provenance = Provenance {
            at,
            origin,
            code_base,
        };
        let names = self.names.clone();
        let has_net = self.net.is_some();
        let mut begin = Begin {
            lowering: self,
            span,
        };
        let mut standing = Standing::new(&names, &provenance, has_net, &mut begin);
        let place = self.temporary("site of the agent", POSITION);
        if let model::Root::Own(local) = place.root {
            // It changes with moves.
            self.temporaries.remove(&local);
        }
        self.assign(place.clone(), standing.site);
        let moves = (standing.inner.len() == 1).then(|| place.clone());
        // Where an agent is that never moves is known.
        if self.facts.moves {
            standing.site = self.pool().load(place, POSITION);
        }
        let mut agent = Agent {
            standing,
            moves,
            orders: Vec::new(),
        };
        self.begin_orders(&mut agent);
        agent
    }

    /// Whether an agent is within a site.
    pub(super) fn is_at_site(&mut self, site: &str, agent: &Agent) -> ExprId {
        let pool = &mut self.program.exprs;
        agent.standing.is_at_site(site, &self.names, pool)
    }

    /// A position that is chosen among those up to the last.
    fn position(&mut self, fact: &str, last: usize, span: Span) -> ExprId {
        let place = self.temporary(fact, POSITION);
        let outside = self.outside(fact, span, true);
        self.unrelated(outside);
        let first = self.pool().int(0, POSITION);
        let end = self.pool().int(last as i128, POSITION);
        let set = ValueSet::Between(first, end);
        self.choose(place.clone(), set, None, fact, outside);
        self.pool().load(place, POSITION)
    }

    /// Whether the code does not come from the site where it is.
    pub(super) fn is_remote(&mut self, agent: &Agent) -> ExprId {
        let pool = &mut self.program.exprs;
        agent.standing.is_remote(&self.names, pool)
    }

    /// The rules are evaluated for a call, which is told in the story.
    pub(super) fn monitor(&mut self, function: usize, arguments: &[Rvalue], span: Span) {
        if !self.is_live() {
            return;
        }
        let name = self.functions[function].name.clone();
        self.tell(&name, arguments, span);
        self.called_for_orders(&name);
        let policy = self.policy;
        let agent = self.agent.clone();
        self.denying.clear();
        for (at, rule) in policy.rules.iter().enumerate() {
            for permission in &rule.permissions {
                if !permission.functions.contains(&name) {
                    continue;
                }
                let pool = &mut self.program.exprs;
                let subject = agent.standing.is_subject(rule, &self.names, pool);
                if self.is_true(subject) && permission.denies_secrets() {
                    self.denying.push((at, permission.arguments.clone()));
                }
                let denied = self.is_denied(at, permission, arguments, span);
                let bad = self.pool().two(Binary::And, subject, denied);
                if self.is_false(bad) {
                    continue;
                }
                let cond = self.pool().not(bad);
                let check = self.rule_checks[at];
                self.emit(Stmt::Assert { cond, check, span });
            }
        }
        self.seal(span);
    }

    /// The rules about assignments are evaluated where a variable is written.
    pub(super) fn assigned(&mut self, to: &Lvalue, value: &Rvalue, span: Span) {
        if !self.is_live() {
            return;
        }
        let policy = self.policy;
        for (at, rule) in policy.rules.iter().enumerate() {
            for permission in rule.permissions.iter().filter(|one| one.assignment) {
                let secret = self.secret_objects(&permission.arguments);
                let mut open = self.pool().bool(false);
                for &object in to.pts.iter().filter(|object| !secret.contains(object)) {
                    let here = self.is_into(to.pointer, object);
                    open = self.pool().two(Binary::Or, open, here);
                }
                if self.is_false(open) {
                    continue;
                }
                let agent = self.agent.clone();
                let pool = &mut self.program.exprs;
                let subject = agent.standing.is_subject(rule, &self.names, pool);
                let carries = self.is_tainted(at, &permission.arguments, &[value], span);
                let mut bad = self.pool().two(Binary::And, subject, open);
                bad = self.pool().two(Binary::And, bad, carries);
                if self.is_false(bad) {
                    continue;
                }
                let cond = self.pool().not(bad);
                let check = self.rule_checks[at];
                self.emit(Stmt::Assert { cond, check, span });
            }
        }
    }

    fn is_denied(
        &mut self,
        rule: usize,
        permission: &Permission,
        arguments: &[Rvalue],
        span: Span,
    ) -> ExprId {
        let concerned: Vec<&Rvalue> = match permission.position {
            Some(position) => arguments.get(position - 1).into_iter().collect(),
            None => arguments.iter().collect(),
        };
        match &permission.arguments {
            Arguments::Any => return self.pool().bool(true),
            Arguments::Text(_) | Arguments::Prefix(_) | Arguments::Except(_) => {}
            // What a variable holds may reach an argument by any way.
            Arguments::High | Arguments::Of(_) => {
                return self.is_tainted(rule, &permission.arguments, &concerned, span);
            }
        }
        let mut any = self.pool().bool(false);
        for (text, prefix) in permission.arguments.texts() {
            let how = if prefix { How::Prefix } else { How::Whole };
            for argument in &concerned {
                let here = self.is_text(argument, text.as_bytes(), how, span);
                any = self.pool().two(Binary::Or, any, here);
            }
        }
        match permission.arguments {
            Arguments::Except(_) => self.pool().not(any),
            _ => any,
        }
    }

    /// Tells of a call.
    fn tell(&mut self, name: &str, arguments: &[Rvalue], span: Span) {
        let mut parameters = Vec::new();
        let mut shown = Vec::new();
        let mut words = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let text = self.shown_text(argument);
            let number = argument.expr.filter(|_| argument.ty.is_integer());
            match (text, number) {
                (Some(text), _) => {
                    words.push(format!("{{{}}}", shown.len()));
                    parameters.push((format!("a{at}"), super::pointer::POINTER));
                    shown.push((text, true));
                }
                (None, Some(number)) => {
                    words.push(format!("{{{}}}", shown.len()));
                    let ty = self.program.exprs.ty(number).clone();
                    parameters.push((format!("a{at}"), ty));
                    shown.push((number, false));
                }
                (None, None) => words.push("...".to_owned()),
            }
        }
        let event = self.program.add_event(Event {
            name: format!("call {name}"),
            parameters,
            story: Some(format!("calls {name}({})", words.join(", "))),
            visibility: Visibility::Told,
        });
        for (at, (_, is_text)) in shown.iter().enumerate() {
            if *is_text {
                self.program
                    .display
                    .arguments
                    .insert((event, at), self.text_names);
            }
        }
        let args = shown.into_iter().map(|(expr, _)| expr).collect();
        self.emit(Stmt::Emit { event, args, span });
    }

    /// The agent moves into a site beside it; it waits until that can be.
    pub(super) fn go_in(&mut self, location: &Rvalue, span: Span) {
        let outside = self.names.sites.len();
        let sites = 0..self.names.sites.len();
        self.go(
            location,
            sites.map(|site| (site, outside, site)).collect(),
            span,
        );
    }

    /// The agent moves out of the site around it.
    pub(super) fn go_out(&mut self, location: &Rvalue, span: Span) {
        let outside = self.names.sites.len();
        let sites = 0..self.names.sites.len();
        self.go(
            location,
            sites.map(|site| (site, site, outside)).collect(),
            span,
        );
    }

    /// Moves by name: the site that is named, where the agent must be, where it is afterwards.
    fn go(&mut self, location: &Rvalue, moves: Vec<(usize, usize, usize)>, span: Span) {
        self.facts.moves = true;
        let agent = self.agent.clone();
        let Some(place) = agent.moves else {
            self.sink("a move of what is no agent at a site", span);
            return;
        };
        let names = self.names.sites.clone();
        let mut steps = Vec::new();
        for (named, from, to) in moves {
            let is_named = self.is_text(location, names[named].as_bytes(), How::Whole, span);
            let from = self.pool().int(from as i128, POSITION);
            let is_there = self.pool().two(Binary::Eq, agent.standing.site, from);
            let cond = self.pool().two(Binary::And, is_named, is_there);
            steps.push((cond, to));
        }
        let Some(from) = self.seal(span) else {
            return;
        };
        let end = self.location(span);
        for (cond, to) in steps {
            if self.is_false(cond) {
                continue;
            }
            let mut body = match names.get(to) {
                Some(site) => self.entered(site, span),
                None => Vec::new(),
            };
            let to = self.pool().int(to as i128, POSITION);
            body.push(Stmt::Assign(place.clone(), to));
            let step = model::Step {
                guard: Some(cond),
                body,
                ..model::Step::new(from, end, span)
            };
            self.add(step);
        }
        self.here = None;
        if self.net.is_none() {
            // Another site may be named.
            let other = self.location(span);
            self.step(from, None, other, span);
            self.start(other);
            self.sink("a move in a net that is not given", span);
        }
        self.start(end);
    }
}
