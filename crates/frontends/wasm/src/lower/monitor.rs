//! The policy as a reference monitor: at every call of the host the rules are evaluated in the state
//! of that moment, and each rule is a check of its own.

use model::{Check, Claim, ExprId, ExprPool, Place, Property, Stmt, ValueSet};
use policy::{Arguments, Chooser, POSITION, Permission, Standing};
use source::{Diagnostic, Span};
use wasmparser::ValType;

use super::Lowering;
use super::texts::Given;
use super::values::Val;
use crate::codes;
use crate::decode::Parameter;
use crate::link::Host;
use crate::load::Texts;
use crate::wasi::documented;

/// What a net does not say about a module.
struct Begin<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
}

impl Chooser for Begin<'_, '_> {
    fn pool(&mut self) -> &mut ExprPool {
        self.lowering.pool()
    }

    fn position(&mut self, fact: &str, last: usize) -> ExprId {
        let place: Place = self.lowering.variable(fact, POSITION);
        let first = self.lowering.pool().int(0, POSITION);
        let end = self.lowering.pool().int(last as i128, POSITION);
        let set = ValueSet::Between(first, end);
        let choice = self.lowering.choice(place.clone(), set, fact, true);
        self.lowering.emit(choice);
        self.lowering.pool().load(place, POSITION)
    }

    fn truth(&mut self, fact: &str) -> ExprId {
        self.lowering.any_truth(fact, true)
    }
}

/// An argument that may be a text: its address, and how it is given.
type Argument = (ExprId, Given);

impl Lowering<'_> {
    /// Where the module is and comes from; what the net does not say is chosen.
    pub(super) fn begin_standing(&mut self) {
        let known = self.input.net.map(|net| net.agent.clone());
        let has_net = known.is_some();
        let names = self.names.clone();
        let known = known.unwrap_or_default();
        self.standing = Standing::new(&names, &known, has_net, &mut Begin { lowering: self });
    }

    /// A property for each rule and each order; one that claims nothing if there is none.
    pub(super) fn declare_rules(&mut self) {
        let policy = self.input.policy;
        for (at, rule) in policy.rules.iter().enumerate() {
            let secret = rule.permissions.iter().any(|permission| {
                matches!(permission.arguments, Arguments::High | Arguments::Of(_))
            });
            if secret {
                self.not_answered("what variables hold", rule.span);
            }
            let text = self.words(rule.span);
            let failure = format!("the policy denies this call: {text}");
            let check = self.declare(format!("rule-{}", at + 1), text, failure, rule.span);
            self.rule_checks.push(check);
            let mut permissions = rule.permissions.iter();
            if permissions.any(|permission| permission.assignment) {
                let why = "assignments are about variables; modules have none with names";
                let property = self.program.properties.last_mut();
                property.expect("it was declared").claim = Claim::Open(why.to_owned());
            }
        }
        for (at, order) in policy.orders.iter().enumerate() {
            self.not_answered("moves", order.span);
            let text = self.words(order.span);
            self.program.add_property(Property {
                name: format!("order-{}", at + 1),
                text,
                span: order.span,
                claim: Claim::Open("orders are about code that moves; modules do not".to_owned()),
                trigger: None,
                observers: Vec::new(),
                assumptions: Vec::new(),
            });
        }
        if policy.rules.is_empty() && policy.orders.is_empty() {
            let text = "the policy denies nothing".to_owned();
            self.declare("policy".to_owned(), text.clone(), text, Span::NONE);
        }
    }

    fn declare(
        &mut self,
        name: String,
        text: String,
        failure: String,
        span: Span,
    ) -> model::CheckId {
        let check = self.program.add_check(Check {
            name: name.clone(),
            failure,
            span,
        });
        self.program.add_property(Property {
            name,
            text,
            span,
            claim: Claim::Check(check),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        check
    }

    fn words(&self, span: Span) -> String {
        let text = self.input.sources.snippet(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn not_answered(&mut self, what: &str, span: Span) {
        let message = format!("a module cannot be checked for {what}");
        self.diagnostics
            .push(Diagnostic::warning(codes::NOT_ANSWERED, message).at(span));
    }

    /// The rules are evaluated for a call of the host, which is told in the story.
    pub(super) fn monitor(&mut self, caller: usize, host: &Host, args: &[Val], span: Span) {
        if !self.is_live() {
            return;
        }
        let name = &host.names[0];
        let story = format!("calls {}", name.replace(['{', '}'], "'"));
        self.event(&format!("call {name}"), &story, args, span);
        let policy = self.input.policy;
        for (at, rule) in policy.rules.iter().enumerate() {
            for permission in &rule.permissions {
                let mut names = permission.functions.iter();
                if !names.any(|name| host.names.contains(name)) {
                    continue;
                }
                let pool = &mut self.program.exprs;
                let subject = self.standing.is_subject(rule, &self.names, pool);
                let denied = self.is_denied(caller, host, permission, args);
                let bad = self.pool().and(subject, denied);
                if self.is_false(bad) || self.is_false(denied) {
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
        caller: usize,
        host: &Host,
        permission: &Permission,
        args: &[Val],
    ) -> ExprId {
        let fact = match &permission.arguments {
            Arguments::Any => return self.pool().bool(true),
            Arguments::High | Arguments::Of(_) => Some("whether an argument carries a secret"),
            _ => None,
        };
        if let Some(fact) = fact {
            return self.any_truth(fact, false);
        }
        let memory = host.memory.or_else(|| {
            let memories = &self.store.instances[caller].memories;
            memories.first().copied().filter(|_| memories.len() == 1)
        });
        let (arguments, complete) = self.arguments(host, permission.position, args);
        let mut any = self.pool().bool(false);
        for (text, prefix) in permission.arguments.texts() {
            for &(at, given) in &arguments {
                let here = match memory {
                    Some(memory) => self.is_text(memory, at, given, text.as_bytes(), prefix),
                    // Who has no memory of its own gives no text, unless it has several.
                    None if self.store.instances[caller].memories.is_empty() => {
                        self.pool().bool(false)
                    }
                    None => self.any_truth("which text an argument is", false),
                };
                any = self.pool().or(any, here);
            }
            if !complete {
                let maybe = self.any_truth("which text an argument is", false);
                any = self.pool().or(any, maybe);
            }
        }
        match permission.arguments {
            Arguments::Except(_) => self.pool().not(any),
            _ => any,
        }
    }

    /// The arguments of a call that may be texts, or the one at a position, from 1; and whether
    /// these are all.
    fn arguments(
        &mut self,
        host: &Host,
        position: Option<usize>,
        args: &[Val],
    ) -> (Vec<Argument>, bool) {
        let texts: Vec<(usize, usize, bool)>;
        let mut complete = true;
        if let Some(parameters) = &host.parameters {
            let mut at = 0;
            let mut found = Vec::new();
            for (number, parameter) in parameters.known.iter().enumerate() {
                if *parameter == Parameter::Text {
                    found.push((number + 1, at, true));
                }
                at += parameter.values();
            }
            complete = !parameters.others
                || position.is_some_and(|position| position <= parameters.known.len());
            texts = found;
        } else if let Some(known) = documented(&host.names[0]) {
            let found = known.texts.iter().map(|&at| (at + 1, at, true));
            texts = found.collect();
        } else {
            let all = args.iter().enumerate();
            let numbers = all.filter(|(_, arg)| arg.ty == ValType::I32);
            texts = numbers.map(|(at, _)| (at + 1, at, false)).collect();
        }
        let wanted = texts
            .into_iter()
            .filter(|(number, ..)| position.is_none_or(|position| position == *number));
        let mut arguments = Vec::new();
        for (_, at, counted) in wanted {
            let Some(address) = args.get(at).and_then(|arg| arg.expr) else {
                complete = false;
                continue;
            };
            let length = args
                .get(at + 1)
                .filter(|next| next.ty == ValType::I32)
                .and_then(|next| next.expr);
            let given = match (length, self.input.texts) {
                (Some(length), _) if counted => Given::Counted(length),
                (Some(length), Texts::Counted) => Given::Counted(length),
                (Some(length), Texts::Any) => Given::Either(length),
                (None, Texts::Counted) => continue,
                (_, Texts::Terminated) | (None, Texts::Any) => Given::Terminated,
            };
            arguments.push((address, given));
        }
        (arguments, complete)
    }
}
