//! Where code is, where it comes from, and the policy that depends on it: a reference monitor.
//!
//! Each thread has a location and a provenance. They are those of the location net; what a net does
//! not say is chosen once, where the thread begins. At every call the rules are evaluated in the
//! state of that moment, and each rule is a check of its own. So adding a rule adds a check, and
//! never takes a violation away.

use model::{
    Binary, Check, CheckId, Claim, Event, ExprId, ExprPool, Place, Property, Stmt, Type, ValueSet,
    Visibility,
};
use source::Span;

use crate::net::{Net, Provenance};
use crate::policy::{Arguments, Before, Origin, Permission, Policy, Rule, Subject};

use super::Lowering;
use super::build::Build;
use super::contents::How;
use super::value::Rvalue;

/// The type of positions in lists of names.
const POSITION: Type = Type::Int {
    bits: 16,
    signed: false,
};

/// Where a thread is and comes from.
#[derive(Clone)]
pub(super) struct Agent {
    /// The position of the location around it among the sites; their number is none of them, and
    /// one more is one that nobody names.
    site: ExprId,
    /// Where that is kept, if the agent can move.
    moves: Option<Place>,
    /// The names of what is inside of the site, down to the agent.
    inner: Vec<String>,
    /// The position of its origin among those that are told apart.
    origin: ExprId,
    /// The position of the address of the host that its code comes from.
    code_base: ExprId,
    /// Without a net, the site of its origin, whose path may begin outside of what a policy names.
    origin_site: Option<ExprId>,
    /// Whether its site and that of its origin are the same, if nobody names either.
    same: ExprId,
    /// For each order of the policy, whether what it speaks of has happened.
    pub(super) orders: Vec<Place>,
}

/// Names that are told apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// The sites.
    pub(crate) sites: Vec<String>,
    /// Where code may come from, as paths; what is in none of them is a site that nobody names.
    pub(crate) origins: Vec<Vec<String>>,
    /// Addresses of hosts.
    pub(crate) hosts: Vec<String>,
}

impl Agent {
    /// Of nobody, before a run begins.
    pub(super) fn nowhere(pool: &mut ExprPool) -> Agent {
        let none = pool.int(0, POSITION);
        Agent {
            site: none,
            moves: None,
            inner: Vec::new(),
            origin: none,
            code_base: none,
            origin_site: None,
            same: pool.bool(false),
            orders: Vec::new(),
        }
    }
}

impl Names {
    /// The names that a policy and a net use.
    pub(crate) fn new(policy: &Policy, net: Option<&Net>) -> Names {
        let mut names = Names::default();
        let all = |net: &Net| {
            let threads = net.threads.iter().map(|(_, provenance)| provenance.clone());
            threads.chain([net.agent.clone()]).collect::<Vec<_>>()
        };
        for provenance in net.map(all).unwrap_or_default() {
            names.origins.extend(provenance.origin);
            names.hosts.extend(provenance.code_base);
        }
        match net {
            Some(net) => names.sites.clone_from(&net.sites),
            None => {
                for order in &policy.orders {
                    names.sites.push(order.enters.clone());
                    if let Before::Visited(site) = &order.before {
                        names.sites.push(site.clone());
                    }
                }
                for rule in &policy.rules {
                    let to = rule.to.iter().map(|subject| subject.location.clone());
                    names.sites.extend(to);
                    for permission in &rule.permissions {
                        let texts = permission.arguments.texts();
                        names
                            .sites
                            .extend(texts.iter().map(|(text, _)| (*text).to_owned()));
                    }
                }
            }
        }
        for rule in &policy.rules {
            if let Some(Origin::Path(path)) = &rule.code_origin {
                if net.is_none() {
                    names.sites.push(path[0].clone());
                }
                names.origins.push(path.clone());
            }
            names.hosts.extend(rule.code_base.clone());
        }
        let sites = names.sites.iter().map(|site| vec![site.clone()]);
        names.origins.extend(sites.collect::<Vec<_>>());
        for list in [&mut names.sites, &mut names.hosts] {
            list.sort();
            list.dedup();
        }
        names.origins.sort();
        names.origins.dedup();
        names
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
        let names = self.names.clone();
        let site = at.as_ref().map(|path| {
            names
                .sites
                .iter()
                .position(|site| *site == path[0])
                .unwrap_or(names.sites.len())
        });
        let inner = match &at {
            Some(path) => path[1..].to_vec(),
            // An agent that is not said to be anywhere is somewhere, under a name of its own.
            None => vec![String::new()],
        };
        let place = self.temporary("site of the agent", POSITION);
        if let model::Root::Own(local) = place.root {
            // It changes with moves.
            self.temporaries.remove(&local);
        }
        let fact = "where the agent is";
        let value = self.position(site, names.sites.len() + 1, fact, span);
        self.assign(place.clone(), value);
        let moves = (inner.len() == 1).then(|| place.clone());
        // Where an agent is that never moves is known.
        let site = match self.facts.moves {
            false => value,
            true => self.pool().load(place, POSITION),
        };
        let origin = origin.map(|path| {
            let found = names.origins.iter().position(|known| *known == path);
            found.unwrap_or(names.origins.len())
        });
        let fact = "where the code comes from";
        let origin = self.position(origin, names.origins.len(), fact, span);
        let host = code_base.map(|host| {
            let found = names.hosts.iter().position(|known| *known == host);
            found.unwrap_or(names.hosts.len())
        });
        let fact = "the address of the host of the code";
        let code_base = self.position(host, names.hosts.len(), fact, span);
        let same = match self.net {
            Some(_) => self.pool().bool(false),
            None => self.same_site(span),
        };
        let origin_site = match self.net {
            Some(_) => None,
            None => {
                let fact = "the site where the code comes from";
                Some(self.position(None, names.sites.len() + 1, fact, span))
            }
        };
        let mut agent = Agent {
            site,
            moves,
            inner,
            origin,
            code_base,
            origin_site,
            same,
            orders: Vec::new(),
        };
        self.begin_orders(&mut agent);
        agent
    }

    /// Whether an agent is within a site.
    pub(super) fn is_at_site(&mut self, site: &str, agent: &Agent) -> ExprId {
        let at = self.names.sites.iter().position(|known| known == site);
        self.is_position(agent.site, at)
    }

    /// A position that is known, or is chosen among those up to the last.
    fn position(&mut self, known: Option<usize>, last: usize, fact: &str, span: Span) -> ExprId {
        if let Some(known) = known {
            return self.pool().int(known as i128, POSITION);
        }
        let place = self.temporary(fact, POSITION);
        let outside = self.outside(fact, span, true);
        self.unrelated(outside);
        let first = self.pool().int(0, POSITION);
        let end = self.pool().int(last as i128, POSITION);
        let set = ValueSet::Between(first, end);
        self.choose(place.clone(), set, None, fact, outside);
        self.pool().load(place, POSITION)
    }

    /// Whether the site where the code comes from is the one where it is; nothing says so.
    fn same_site(&mut self, span: Span) -> ExprId {
        let fact = "whether two sites are the same";
        let place = self.temporary(fact, Type::Bool);
        let outside = self.outside(fact, span, true);
        self.unrelated(outside);
        self.choose(
            place.clone(),
            ValueSet::All(Type::Bool),
            None,
            fact,
            outside,
        );
        self.pool().load(place, Type::Bool)
    }

    /// Whether the code does not come from the site where it is.
    pub(super) fn is_remote(&mut self, agent: &Agent) -> ExprId {
        match agent.origin_site {
            Some(from) => self.is_elsewhere(agent, from),
            None => self.is_from_elsewhere(agent),
        }
    }

    /// Whether the site of an origin, which may be any, is not that of the agent. Two sites that
    /// nobody names may be the same; the outermost location is none.
    fn is_elsewhere(&mut self, agent: &Agent, from: ExprId) -> ExprId {
        let outermost = self.names.sites.len();
        let (outermost, stranger) = (
            self.pool().int(outermost as i128, POSITION),
            self.pool().int(outermost as i128 + 1, POSITION),
        );
        let equal = self.pool().two(Binary::Eq, from, agent.site);
        let strange = self.pool().two(Binary::Eq, from, stranger);
        let differ = self.pool().not(agent.same);
        let differ = self.pool().two(Binary::And, strange, differ);
        let nowhere = self.pool().two(Binary::Eq, from, outermost);
        let unequal = self.pool().not(equal);
        let other = self.pool().two(Binary::Or, unequal, differ);
        self.pool().two(Binary::Or, other, nowhere)
    }

    /// The same in a given net.
    fn is_from_elsewhere(&mut self, agent: &Agent) -> ExprId {
        let origins = self.names.origins.clone();
        let sites = self.names.sites.clone();
        let mut local = self.pool().bool(false);
        for (at, path) in origins.iter().enumerate() {
            let Some(site) = sites.iter().position(|site| *site == path[0]) else {
                continue;
            };
            let from = self.is_position(agent.origin, Some(at));
            let here = self.is_position(agent.site, Some(site));
            let both = self.pool().two(Binary::And, from, here);
            local = self.pool().two(Binary::Or, local, both);
        }
        self.pool().not(local)
    }

    /// Whether the rule is about a thread, as it is now.
    fn is_subject(&mut self, rule: &Rule, agent: &Agent) -> ExprId {
        let mut holds = self.pool().bool(rule.to.is_empty());
        for subject in &rule.to {
            let here = self.is_at(subject, agent);
            holds = self.pool().two(Binary::Or, holds, here);
        }
        if let Some(host) = &rule.code_base {
            let at = self.names.hosts.iter().position(|known| known == host);
            let here = self.is_position(agent.code_base, at);
            holds = self.pool().two(Binary::And, holds, here);
        }
        match &rule.code_origin {
            None => {}
            Some(Origin::Remote) => {
                let remote = self.is_remote(agent);
                holds = self.pool().two(Binary::And, holds, remote);
            }
            Some(Origin::Path(path)) => {
                let origins = self.names.origins.clone();
                let mut any = self.pool().bool(false);
                for (at, known) in origins.iter().enumerate() {
                    if known.ends_with(path) {
                        let here = self.is_position(agent.origin, Some(at));
                        any = self.pool().two(Binary::Or, any, here);
                    }
                }
                holds = self.pool().two(Binary::And, holds, any);
            }
        }
        holds
    }

    fn is_position(&mut self, value: ExprId, at: Option<usize>) -> ExprId {
        match at {
            Some(at) => {
                let at = self.pool().int(at as i128, POSITION);
                self.pool().two(Binary::Eq, value, at)
            }
            None => self.pool().bool(false),
        }
    }

    /// Whether a thread is at a location: the location is the agent's own or right around it, or,
    /// with all inside of it, anywhere around it.
    fn is_at(&mut self, subject: &Subject, agent: &Agent) -> ExprId {
        let depth = agent.inner.len();
        let near = match subject.subtree {
            true => 0,
            false => depth.saturating_sub(2),
        };
        if agent.inner[near..].contains(&subject.location) {
            return self.pool().bool(true);
        }
        if subject.subtree || depth < 2 {
            let site = self
                .names
                .sites
                .iter()
                .position(|site| *site == subject.location);
            return self.is_position(agent.site, site);
        }
        self.pool().bool(false)
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
                let subject = self.is_subject(rule, &agent);
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
            let is_there = self.is_position(agent.site, Some(from));
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
