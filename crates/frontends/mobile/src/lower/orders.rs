//! What an agent may do in which order only: where it moves, and what it calls or reads before.
//!
//! For each order a truth value of the agent says whether what it speaks of has happened. It is
//! looked at in the step in which the agent moves into the location.

use model::{Binary, Check, Place, Stmt, Type};
use policy::{Before, Order};
use source::Span;

use super::Lowering;
use super::agent::Agent;
use super::build::Build;
use super::pointer::FIRST;
use super::value::Rvalue;

impl Lowering<'_> {
    /// A property for each order.
    pub(super) fn declare_orders(&mut self) {
        let policy = self.policy;
        for (at, order) in policy.orders.iter().enumerate() {
            let text = self.sources.snippet(order.span);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = format!("order-{}", at + 1);
            let check = self.program.add_check(Check {
                name: name.clone(),
                failure: format!("the policy denies this move: {text}"),
                span: order.span,
            });
            self.order_checks.push(check);
            self.rule_property(name, text, order.span, check);
        }
    }

    /// The truth values of an agent that begins.
    pub(super) fn begin_orders(&mut self, agent: &mut Agent) {
        let policy = self.policy;
        for order in &policy.orders {
            let place = self.temporary("what an order speaks of has happened", Type::Bool);
            if let model::Root::Own(local) = place.root {
                self.temporaries.remove(&local);
            }
            let begun = match &order.before {
                Before::Visited(location) => self.is_at_site(location, agent),
                Before::NotCalled(_) | Before::NothingRead => self.pool().bool(false),
            };
            self.assign(place.clone(), begun);
            agent.orders.push(place);
        }
    }

    /// The agent calls a function.
    pub(super) fn called_for_orders(&mut self, name: &str) {
        let policy = self.policy;
        let called = |order: &Order| match &order.before {
            Before::NotCalled(functions) => functions.iter().any(|of| of == name),
            _ => false,
        };
        for (at, _) in policy.orders.iter().enumerate().filter(|(_, o)| called(o)) {
            let place = self.agent.orders[at].clone();
            let yes = self.pool().bool(true);
            self.assign(place, yes);
        }
    }

    /// The agent reads an object, if this holds.
    pub(super) fn read_for_orders(&mut self, object: usize, cond: model::ExprId) {
        if !self.has_reading_orders() || !self.is_high(object) {
            return;
        }
        for place in self.reading_orders() {
            let before = self.pool().load(place.clone(), Type::Bool);
            let after = self.pool().two(Binary::Or, before, cond);
            self.assign(place, after);
        }
    }

    /// A function outside is given something: it may read what is secret where it can reach that.
    pub(super) fn given_for_orders(&mut self, arguments: &[Rvalue], span: Span) {
        if !self.has_reading_orders() {
            return;
        }
        let mut waiting: Vec<usize> = Vec::new();
        for argument in arguments {
            waiting.extend(argument.pts.iter());
            waiting.extend(argument.at.iter().flat_map(|at| at.pts.iter()));
        }
        let mut reached = std::collections::BTreeSet::new();
        while let Some(object) = waiting.pop() {
            if object >= FIRST && reached.insert(object) {
                waiting.extend(self.contents(object).iter());
            }
        }
        if reached.into_iter().any(|object| self.is_high(object)) {
            let fact = "whether a function outside reads what is secret";
            let read = self.any_truth(fact, span, false);
            for place in self.reading_orders() {
                let before = self.pool().load(place.clone(), Type::Bool);
                let after = self.pool().two(Binary::Or, before, read);
                self.assign(place, after);
            }
        }
    }

    /// What happens in the step in which the agent moves into a site.
    pub(super) fn entered(&mut self, site: &str, span: Span) -> Vec<Stmt> {
        let policy = self.policy;
        let mut body = Vec::new();
        for (at, order) in policy.orders.iter().enumerate() {
            let place = self.agent.orders[at].clone();
            if order.enters == site {
                let happened = self.pool().load(place.clone(), Type::Bool);
                let cond = match order.before {
                    Before::Visited(_) => happened,
                    Before::NotCalled(_) | Before::NothingRead => self.pool().not(happened),
                };
                let check = self.order_checks[at];
                body.push(Stmt::Assert { cond, check, span });
            }
            if order.before == Before::Visited(site.to_owned()) {
                let yes = self.pool().bool(true);
                body.push(Stmt::Assign(place, yes));
            }
        }
        body
    }

    fn has_reading_orders(&self) -> bool {
        let mut orders = self.policy.orders.iter();
        orders.any(|order| order.before == Before::NothingRead)
    }

    fn reading_orders(&self) -> Vec<Place> {
        let orders = self.policy.orders.iter().zip(&self.agent.orders);
        let reading = orders.filter(|(order, _)| order.before == Before::NothingRead);
        reading.map(|(_, place)| place.clone()).collect()
    }

    /// Whether an object is one of the variables that are secret.
    fn is_high(&self, object: usize) -> bool {
        let high = self.policy.high.iter();
        object >= FIRST
            && high
                .flat_map(|variable| self.objects_named(variable))
                .any(|named| named == object)
    }
}
