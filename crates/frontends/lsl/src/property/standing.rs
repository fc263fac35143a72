//! Properties that a script has without being asked: no run-time error stops it, and it does not
//! stop while it holds money. Each is there only where the script's text makes it possible.
//!
//! A payment is *held* from the moment when its `money` handler begins. It is held no longer when
//! that handler, or the state change that it asks for, gives the payer an item, or money, as much
//! as was paid. What a later handler gives is not set against it.

use model::{
    Binary, CheckId, Claim, EventId, ExprId, GlobalId, Origin, Place, Program, PropertyId, Root,
    Stmt, Type as ModelType, Variable, VariableKind,
};
use source::Span;

use super::syntax::Annotations;
use super::weave::Weaver;
use crate::library::{MATH_ERROR, STACK_HEAP};
use crate::lower::Hazards;

/// Calls that give somebody something, with the positions of who gets it and of how much, if it is
/// money.
const GIFTS: [(&str, u32, Option<u32>); 4] = [
    ("llGiveMoney", 0, Some(1)),
    ("llTransferLindenDollars", 0, Some(1)),
    ("llGiveInventory", 0, None),
    ("llGiveInventoryList", 0, None),
];

/// The calls that must be visible for these properties.
pub(super) fn watched(hazards: Hazards) -> Vec<&'static str> {
    if !hazards.may_stop_with_money() {
        return Vec::new();
    }
    let gifts = GIFTS.iter().map(|(name, ..)| *name);
    gifts.chain(["llDie"]).collect()
}

/// Puts the properties of the command line last, where their askers look for them.
pub(super) fn in_order(program: &mut Program, annotations: &Annotations) {
    let written = annotations.properties.len();
    let own = written - annotations.asked;
    let mut standing = program.properties.split_off(written);
    let more = standing.len();
    let mut asked = program.properties.split_off(own);
    program.properties.append(&mut standing);
    program.properties.append(&mut asked);
    for assumption in &mut program.assumptions {
        for id in assumption.properties.iter_mut().flatten() {
            if id.index() >= own {
                *id = PropertyId::new(id.index() + more);
            }
        }
    }
}

impl Weaver<'_> {
    /// Adds the properties, behind those that are written. `written` is whether there are any.
    pub(super) fn standing(&mut self, hazards: Hazards, written: bool) {
        if hazards.divides {
            let text = "never: division by zero, or a result that is no number";
            self.add_standing("math-error", text, Claim::NoFault(vec![MATH_ERROR]));
        }
        if hazards.recurs {
            let text = "never: more calls are open than there is room for";
            self.add_standing(
                "stack-heap-collision",
                text,
                Claim::NoFault(vec![STACK_HEAP]),
            );
        }
        if hazards.may_stop_with_money() {
            self.stops_with_money(hazards);
        }
        if !written && !hazards.may_fail() && !hazards.may_stop_with_money() {
            let text = "never: a run-time error; nothing in this script can raise one";
            let faults = vec![MATH_ERROR, STACK_HEAP];
            self.add_standing("run-time-errors", text, Claim::NoFault(faults));
        }
        self.say_what_is_assumed(hazards);
    }

    /// Adds a property; gives its place among all, for observers that work for it.
    fn add_standing(&mut self, name: &str, text: &str, claim: Claim) -> usize {
        let id = self.program().add_property(model::Property {
            name: name.to_owned(),
            text: text.to_owned(),
            span: Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        id.index()
    }

    fn stops_with_money(&mut self, hazards: Hazards) {
        let check = self.program().add_check(model::Check {
            name: "stops-with-money".to_owned(),
            failure: "the script stops here, and has kept a payment".to_owned(),
            span: Span::NONE,
        });
        let property = self.add_standing(
            "stops-with-money",
            "never: the script stops while it holds a payment for which it gave nothing",
            Claim::Check(check),
        );
        let layout = &self.exprs.names.layout;
        let world = layout.world.clone();
        let taken = layout.handled.get("money").copied();
        let during = layout.during.get("money").cloned();
        let calls = layout.calls.clone();
        let (Some(taken), Some(during)) = (taken, during) else {
            return;
        };
        let holds = self.flag("payment held", VariableKind::Ghost);
        let before = self.flag("payment held before", VariableKind::Step);
        let held = self.load(holds);

        // A payment comes: the script holds it from here on.
        let exprs = &mut self.program().exprs;
        let amount = exprs.load(Root::Argument(1).into(), ModelType::INT32);
        let zero = exprs.int(0, ModelType::INT32);
        let some = exprs.binary(Binary::Lt, zero, amount);
        let yes = exprs.bool(true);
        let body = vec![
            Stmt::Assign(Place::global(before), held),
            Stmt::Assign(Place::global(holds), yes),
        ];
        self.watch(taken, some, body, property);

        // Its payer gets something for it: what is held is what was held before.
        let [payer, paid] = during.parameters[..] else {
            unreachable!("money has two parameters");
        };
        for (name, who, how_much) in GIFTS {
            let Some(&call) = calls.get(name) else {
                continue;
            };
            let exprs = &mut self.exprs.lowered.program.exprs;
            let who = exprs.load(Root::Argument(who).into(), ModelType::Rich);
            let payer = exprs.load(Place::global(payer), ModelType::Rich);
            let mut settles = exprs.binary(Binary::Eq, who, payer);
            let active = exprs.load(Place::global(during.active), ModelType::Bool);
            settles = exprs.and(active, settles);
            if let Some(at) = how_much {
                let given = exprs.load(Root::Argument(at).into(), ModelType::INT32);
                let paid = exprs.load(Place::global(paid), ModelType::INT32);
                let enough = exprs.binary(Binary::Le, paid, given);
                settles = exprs.and(settles, enough);
            }
            let before = self.load(before);
            let body = vec![Stmt::Assign(Place::global(holds), before)];
            self.watch(call, settles, body, property);
        }

        // It stops.
        if hazards.may_fail() {
            self.must_not_hold(world.stops, holds, check, property);
        }
        if let Some(&dies) = calls.get("llDie").filter(|_| hazards.dies) {
            self.must_not_hold(dies, holds, check, property);
        }
    }

    fn must_not_hold(&mut self, event: EventId, holds: GlobalId, check: CheckId, property: usize) {
        let held = self.load(holds);
        let exprs = &mut self.program().exprs;
        let (cond, always) = (exprs.not(held), exprs.bool(true));
        let span = Span::NONE;
        let body = vec![Stmt::Assert { cond, check, span }];
        self.watch(event, always, body, property);
    }

    fn watch(&mut self, event: EventId, guard: ExprId, body: Vec<Stmt>, property: usize) {
        let name = "stops-with-money".to_owned();
        self.plan(2, name, event, guard, body, vec![property]);
    }

    fn flag(&mut self, name: &str, kind: VariableKind) -> GlobalId {
        let mut variable = Variable::new(name, ModelType::Bool);
        variable.kind = kind;
        self.program().add_global(variable)
    }

    fn load(&mut self, flag: GlobalId) -> ExprId {
        let exprs = &mut self.program().exprs;
        exprs.load(Place::global(flag), ModelType::Bool)
    }

    /// A property of the user may hold because the script has died, and memory is not counted.
    fn say_what_is_assumed(&mut self, hazards: Hazards) {
        let written = self.annotations.properties.len();
        if hazards.may_fail() && written > 0 {
            let which = match (hazards.divides, hazards.recurs) {
                (true, true) => "`math-error` and `stack-heap-collision` say",
                (true, false) => "`math-error` says",
                _ => "`stack-heap-collision` says",
            };
            self.program().add_assumption(model::Assumption {
                text: format!(
                    "a script that a run-time error has stopped does nothing more; {which} whether \
                     one can happen"
                ),
                origin: Origin::Semantics,
                properties: Some((0..written).map(PropertyId::new).collect()),
                span: Span::NONE,
            });
        }
        if hazards.grows {
            self.program().add_assumption(model::Assumption {
                text:
                    "what texts and lists take is not counted: nothing says when the script runs \
                       out of memory, and stops"
                        .to_owned(),
                origin: Origin::Semantics,
                properties: None,
                span: Span::NONE,
            });
        }
    }
}
