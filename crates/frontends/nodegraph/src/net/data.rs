//! What data inputs hold: what a wire brings, a flag that is read in place of one, or what stands there.

use std::collections::HashMap;

use super::build::Builder;
use super::cases::{Cases, constant, of_var, unknown};
use super::expr::Scope;
use super::value::Real;
use super::{Value, VarId};
use crate::graph::{FlagId, Graph, GraphId, Link, Literal, Node, NodeId, Origin, PinId, Role};
use crate::table::{Expr, Kind, expression};

/// Data nodes behind one another.
const MAX_DEPTH: u32 = 64;

/// A literal as a value.
pub(super) fn of_literal(literal: &Literal) -> Value {
    match literal {
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(number) => Value::Int(*number),
        Literal::Text(name) => Value::Name(name.clone()),
        Literal::Number(number) => Value::Real(Real::new(*number)),
    }
}

/// The data input of a name. Some engines put the name of the signal in front, `Start: Delay`.
fn input(node: &Node, name: &str) -> Option<PinId> {
    node.value_in(name).or_else(|| {
        let ends = |pin: &str| {
            pin.strip_suffix(name)
                .is_some_and(|rest| rest.ends_with(": "))
        };
        let mut found = (0..node.values_in.len()).filter(|&at| ends(&node.values_in[at].name));
        let first = found.next()?;
        found.next().is_none().then(|| PinId::new(first))
    })
}

/// The wires that lead to a data input.
fn wires(graph: &Graph, to: NodeId, pin: Option<PinId>) -> impl Iterator<Item = &Link> {
    let wires = graph.wires.iter();
    wires.filter(move |wire| wire.to.node == to && Some(wire.to.pin) == pin)
}

/// Whether the file says what an input or a setting is.
pub(super) fn given(builder: &Builder<'_>, at: (GraphId, NodeId), name: &str) -> bool {
    let graph = builder.project.graph(at.0);
    let node = graph.node(at.1);
    let pin = input(node, name);
    let stands = |pin: PinId| {
        let pin = &node.values_in[pin.index()];
        pin.literal.is_some() || pin.flag.is_some()
    };
    node.setting(name).is_some()
        || pin.is_some_and(stands)
        || wires(graph, at.1, pin).next().is_some()
}

/// The settings of a node: those that stand in the file, else those of its kind.
pub(super) fn settings(
    builder: &mut Builder<'_>,
    at: (GraphId, NodeId),
    kind: &Kind,
) -> HashMap<String, Cases> {
    let mut settings = HashMap::new();
    for (name, default, most) in &kind.settings {
        let node = builder.project.graph(at.0).node(at.1);
        let value = match (node.setting(name), input(node, name)) {
            (Some(literal), _) => constant(of_literal(literal)),
            (None, Some(_)) => data(builder, at, name, 0),
            (None, None) => match default {
                Expr::Int(number) => constant(Value::Int(*number)),
                Expr::Bool(value) => constant(Value::Bool(*value)),
                Expr::Word(word) if word != "any" => constant(Value::Name(word.clone())),
                _ => unknown(),
            },
        };
        let value = match (value.as_slice(), most) {
            ([(_, Value::Int(number))], Some(most)) if number > most => {
                let text = format!("`{name}` is {most} at most, as its table says");
                let machine = builder.machines.get(&at).copied();
                builder.note(machine, text, super::NoteKind::Stated);
                constant(Value::Int(*most))
            }
            _ => value,
        };
        settings.insert(name.clone(), value);
    }
    settings
}

/// What a flag holds.
fn flag(builder: &Builder<'_>, flag: FlagId) -> Cases {
    let name = &builder.project.flags[flag.index()].name;
    match builder.flags.get(name) {
        Some(&var) => {
            if builder.net.ranges.contains(&var) {
                builder.bounded.borrow_mut().push(var);
            }
            of_var(&builder.net, var)
        }
        None => unknown(),
    }
}

/// What a data input holds.
pub(super) fn data(builder: &Builder<'_>, at: (GraphId, NodeId), pin: &str, depth: u32) -> Cases {
    if depth > MAX_DEPTH {
        return unknown();
    }
    if depth == 0 {
        builder.brought.borrow_mut().clear();
    }
    let graph = builder.project.graph(at.0);
    let node = graph.node(at.1);
    let index = input(node, pin);
    let mut wires = wires(graph, at.1, index);
    if let Some(wire) = wires.next() {
        // Which one of several counts depends on what has run: no table says how.
        return match wires.next() {
            None => brought(builder, at.0, wire, depth),
            Some(_) => unknown(),
        };
    }
    if let Some(index) = index {
        let pin = &node.values_in[index.index()];
        if let Some(id) = pin.flag {
            return flag(builder, id);
        }
        // A text that stands in a pin is a text, whatever flags are called.
        return pin
            .literal
            .as_ref()
            .map_or_else(unknown, |l| constant(of_literal(l)));
    }
    match node.setting(pin) {
        // A setting names a flag, or is an expression over flags.
        Some(Literal::Text(text)) if graph.origin == Origin::Own => match expression(text) {
            Some(expr) => with_flags(builder, &expr),
            None => constant(Value::Name(text.clone())),
        },
        Some(literal) => constant(of_literal(literal)),
        None => unknown(),
    }
}

/// An expression over nothing but flags.
fn with_flags(builder: &Builder<'_>, expr: &Expr) -> Cases {
    let nothing = HashMap::new();
    let scope = Scope {
        net: &builder.net,
        own: &HashMap::new(),
        settings: &HashMap::new(),
        flags: &builder.flags,
        pin: &|_| unknown(),
        marks: &HashMap::new(),
        this: None,
        inputs: 0,
        outputs: 0,
        assigned: &nothing,
        strange: &builder.strange,
        bounded: &builder.bounded,
    };
    scope.value(expr)
}

/// What a wire brings. Each output is looked at once, however many wires lead from it; one that leads back to
/// itself brings what is not known.
fn brought(builder: &Builder<'_>, graph: GraphId, wire: &Link, depth: u32) -> Cases {
    let output = (graph, wire.from);
    let found = builder.brought.borrow().get(&output).cloned();
    if let Some(found) = found {
        return found.unwrap_or_else(unknown);
    }
    builder.brought.borrow_mut().insert(output, None);
    let value = computed(builder, graph, wire, depth);
    let found = Some(value.clone());
    builder.brought.borrow_mut().insert(output, found);
    value
}

/// The same, not looked up.
fn computed(builder: &Builder<'_>, graph_id: GraphId, wire: &Link, depth: u32) -> Cases {
    let graph = builder.project.graph(graph_id);
    let at = (graph_id, wire.from.node);
    let from = graph.node(wire.from.node);
    let output = &from.values_out[wire.from.pin.index()].name;
    let machine = builder.machines.get(&at);
    let own = machine.and_then(|machine| builder.own.get(machine));
    if let Some(&var) = own.and_then(|own| own.kept.get(output)) {
        return of_var(&builder.net, var);
    }
    match from.role {
        // It is read when it is asked for, if no signal says when.
        Role::Get(id) if machine.is_none() => return flag(builder, id),
        // The variable itself.
        Role::Set(id) if graph.origin.gives_the_variable() => return flag(builder, id),
        Role::Ordinary => {}
        _ => return unknown(),
    }
    let Some(kind) = builder.table.kind(&from.kind) else {
        return unknown();
    };
    if builder.nothing.contains_key(&at) {
        return unknown();
    }
    let Some((_, value)) = kind.values.iter().find(|(name, _)| name == output) else {
        return unknown();
    };
    // What runs on a signal and does not keep its outputs is not followed, unless they say what it remembers.
    let own_vars: HashMap<String, VarId> = own.map(|own| own.vars.clone()).unwrap_or_default();
    let reads = |part: &&Expr| matches!(part, Expr::Pin(_) | Expr::FlagOf(_));
    if machine.is_some_and(|id| !builder.net.machine(*id).inputs.is_empty())
        && value.parts().iter().any(reads)
    {
        return unknown();
    }
    let settings = match own {
        Some(own) => own.settings.clone(),
        None => literal_settings(from, kind),
    };
    let nothing = HashMap::new();
    let scope = Scope {
        net: &builder.net,
        own: &own_vars,
        settings: &settings,
        flags: &builder.flags,
        pin: &|pin| data(builder, at, pin, depth + 1),
        marks: &HashMap::new(),
        this: None,
        inputs: 0,
        outputs: 0,
        assigned: &nothing,
        strange: &builder.strange,
        bounded: &builder.bounded,
    };
    scope.value(value)
}

/// The settings of a node that never runs: those that stand there, else those of its kind.
fn literal_settings(node: &Node, kind: &Kind) -> HashMap<String, Cases> {
    let settings = kind.settings.iter().map(|(name, default, _)| {
        let value = match (node.setting(name), default) {
            (Some(literal), _) => of_literal(literal),
            (None, _) if input(node, name).is_some() => Value::Unknown,
            (None, Expr::Int(number)) => Value::Int(*number),
            (None, Expr::Bool(value)) => Value::Bool(*value),
            (None, Expr::Word(word)) if word != "any" => Value::Name(word.clone()),
            _ => Value::Unknown,
        };
        (name.clone(), constant(value))
    });
    settings.collect()
}
