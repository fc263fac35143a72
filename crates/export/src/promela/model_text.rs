//! The model's text: header, declarations, one option a move, formulas.

use std::fmt::Write as _;

use model::interp::{Interp, State};
use model::{GlobalId, Value, VariableKind};

use super::Options;
use super::body::Code;
use super::expr::{Scope, all, any};
use super::header::header;
use super::layout::{Home, flat_values, leaves, local_of};
use super::moves::Moves;
use super::option::option;
use super::property::{Bit, Plan, bit_name};
use super::words::comment;
use super::writer::{NOTHING_ENABLED, Writer};

/// What the options have in common.
pub(super) struct Shared<'a> {
    pub(super) plan: &'a Plan,
    pub(super) publish: &'a str,
    pub(super) clear: &'a str,
    pub(super) options: &'a Options<'a>,
}

/// Writes the whole model.
pub(super) fn write(
    writer: &Writer<'_>,
    plan: &Plan,
    initial: &[State],
    options: &Options<'_>,
) -> String {
    let mut moves = writer.moves();
    let guards = writer.option_guards(&mut moves);
    let publish = publish(writer, plan, &moves);
    let clear = clear(plan);
    let shared = Shared {
        plan,
        publish: &publish,
        clear: &clear,
        options,
    };

    let mut process = Code::default();
    process.line("active proctype program()");
    process.line("{");
    process.depth = 1;
    if initial.len() > 1 {
        first_values(writer, initial, &publish, &mut process);
    }
    process.line("do");
    for (moving, guard) in moves.all.iter().zip(&guards) {
        if guard != "0" {
            option(writer, moving, guard, &shared, &mut process);
        }
    }
    let blocked = writer.blocked_atomics(&moves);
    for blocked in &blocked {
        process.line("/* Blocked inside: others may go on. */");
        process.line(format!(":: d_step {{ {blocked} ->"));
        process.depth += 2;
        process.line("inside = 0;");
        process.line_if(&publish, "publish();");
        process.depth -= 1;
        process.line("}");
        process.depth -= 1;
    }
    the_end(
        writer,
        &shared,
        &any(guards.into_iter().chain(blocked)),
        &mut process,
    );
    process.line("od");
    process.depth = 0;
    process.line("}");

    if writer.inside.get() {
        let first = if initial.len() > 1 { 254 } else { 0 };
        writer.layout.declare(
            "inside",
            "byte",
            first,
            "0: at rest; 255: assumed away; others: inside",
        );
    }
    declare_bits(writer, plan, initial);
    let formulas = formulas(writer, plan);

    let mut text = header(writer, plan, options);
    text.push('\n');
    channels(writer, &mut text);
    for (name, declared) in writer.layout.declared.borrow().iter() {
        let mut line = format!("{} {name}", declared.ty);
        if declared.is_array {
            let _ = write!(line, "[{}]", declared.first.len().max(1));
        } else if let Some(first) = declared.first.first().filter(|first| **first != 0) {
            let _ = write!(line, " = {first}");
        }
        let _ = writeln!(text, "{line}; /* {} */", comment(&declared.comment));
    }
    text.push('\n');
    for (name, condition) in &moves.macros {
        if name == NOTHING_ENABLED && !writer.asks_timeout.get() {
            continue;
        }
        let _ = writeln!(text, "#define {name} {condition}");
    }
    if !clear.is_empty() {
        let _ = writeln!(text, "\ninline clear()\n{{\n{clear}}}");
    }
    if !publish.is_empty() {
        let _ = writeln!(text, "\ninline publish()\n{{\n{publish}}}");
    }
    text.push('\n');
    text.push_str(&process.text);
    text.push('\n');
    text.push_str(&formulas);
    text
}

impl Code {
    /// A line where something else is wanted, too.
    pub(super) fn line_if(&mut self, wanted: &str, text: &str) {
        if !wanted.is_empty() {
            self.line(text);
        }
    }
}

/// The body of `publish`: bits from the state as it is, then step variables back to their first
/// values, then what is asked of the stored state.
fn publish(writer: &Writer<'_>, plan: &Plan, moves: &Moves) -> String {
    let mut code = Code {
        depth: 1,
        ..Code::default()
    };
    for (index, bit) in plan.bits.iter().enumerate() {
        let name = bit_name(index);
        match bit {
            Bit::Holds(id) | Bit::Violates(id) => {
                let term = writer.expr(Scope::OUTSIDE, *id);
                let negated = matches!(bit, Bit::Violates(_));
                let holds = term.holds();
                let value = if negated { format!("!{holds}") } else { holds };
                code.line(format!("{name} = {value};"));
            }
            Bit::Taken(_) => {
                code.line(format!("{name} = taken_{index};"));
                code.line(format!("taken_{index} = 0;"));
            }
            Bit::Enabled(_) => {}
        }
    }
    for (index, variable) in writer.program.globals.iter().enumerate() {
        let home = Home::Global(GlobalId::new(index).0);
        if variable.kind != VariableKind::Step || !writer.layout.changes(home) {
            continue;
        }
        let first = writer.layout.first_value(home);
        set(writer, home, &first, &mut code);
    }
    for (index, bit) in plan.bits.iter().enumerate() {
        if let Bit::Enabled(steps) = bit {
            let enabled = writer.enabled(moves, steps);
            code.line(format!("{} = {enabled};", bit_name(index)));
        }
    }
    code.text
}

/// The body of `clear`: what was said of the macro step before.
fn clear(plan: &Plan) -> String {
    let mut text = String::new();
    for (_, flag) in &plan.checks {
        let _ = writeln!(text, "  {flag} = 0;");
    }
    for (_, flag) in &plan.faults {
        let _ = writeln!(text, "  {flag} = 0;");
    }
    text
}

/// The choice of a first state, where there are several.
fn first_values(writer: &Writer<'_>, initial: &[State], publish: &str, code: &mut Code) {
    code.line("/* First values. */");
    code.line("atomic {");
    code.depth += 1;
    code.line("if");
    let first = &initial[0];
    for state in initial {
        code.line(":: true ->");
        code.depth += 1;
        code.line("skip;");
        for index in 0..writer.program.globals.len() {
            let differs = initial
                .iter()
                .any(|other| other.globals[index] != first.globals[index]);
            if differs {
                let home = Home::Global(GlobalId::new(index).0);
                set(writer, home, &state.globals[index], code);
            }
        }
        for (slot, entry) in writer.layout.slots.iter().enumerate() {
            let process = &writer.program.processes[entry.process.index()];
            for local in 0..process.locals.len() {
                let value = local_of(state, entry.position, local);
                let differs = initial
                    .iter()
                    .any(|other| local_of(other, entry.position, local) != value);
                if let Some(value) = value.filter(|_| differs) {
                    let home = Home::Own(slot, u32::try_from(local).unwrap_or(u32::MAX));
                    set(writer, home, value, code);
                }
            }
        }
        code.depth -= 1;
    }
    code.line("fi;");
    code.line("d_step {");
    code.depth += 1;
    code.line("inside = 0;");
    code.line_if(publish, "publish();");
    code.depth -= 1;
    code.line("}");
    code.depth -= 1;
    code.line("}");
}

/// Gives a variable a value, part by part.
fn set(writer: &Writer<'_>, home: Home, value: &Value, code: &mut Code) {
    let ty = writer.layout.type_of(home);
    for leaf in leaves(writer.program, &ty) {
        let name = writer.layout.name(home, &leaf.fields);
        let mut values = Vec::new();
        flat_values(writer.program, &ty, value, &leaf.fields, &mut values);
        for (at, value) in values.iter().enumerate() {
            let value = writer.constant(value).text;
            if leaf.lengths.is_empty() {
                code.line(format!("{name} = {value};"));
            } else {
                code.line(format!("{name}[{at}] = {value};"));
            }
        }
    }
}

/// Nothing can move any more: what happened in the last step is over, and the last state repeats
/// for ever.
fn the_end(writer: &Writer<'_>, shared: &Shared<'_>, moves: &str, code: &mut Code) {
    code.line("/* Nothing moves any more: the last state repeats. */");
    code.line(format!(":: d_step {{ !{moves} ->"));
    code.depth += 2;
    if writer.inside.get() {
        code.line("if");
        code.line(":: (inside == 0) ->");
        code.depth += 1;
    }
    code.line("skip;");
    code.line_if(shared.clear, "clear();");
    if shared.plan.stuck {
        code.line(format!("stuck = !{};", valid_end(writer)));
    }
    code.line_if(shared.publish, "publish();");
    if writer.inside.get() {
        code.depth -= 1;
        code.line(":: else -> skip;");
        code.line("fi;");
    }
    code.depth -= 1;
    code.line("}");
    code.depth -= 1;
}

/// Whether every instance is where a run may end.
fn valid_end(writer: &Writer<'_>) -> String {
    let slots = 0..writer.layout.slots.len();
    all(slots.map(|slot| {
        let process = writer.layout.slots[slot].process.index();
        let locations = &writer.program.processes[process].locations;
        let reached = writer.layout.controls[process].reached.keys();
        let bad: Vec<String> = reached
            .filter(|location| !locations[location.index()].end)
            .map(|location| {
                writer.note_at(slot);
                format!("({} != {})", writer.layout.at(slot), location.0)
            })
            .collect();
        all(bad)
    }))
}

fn declare_bits(writer: &Writer<'_>, plan: &Plan, initial: &[State]) {
    let interp = Interp::new(writer.program);
    let first = &initial[0];
    let known = initial.len() == 1;
    for (index, bit) in plan.bits.iter().enumerate() {
        let (value, what) = match bit {
            Bit::Holds(id) => (interp.holds(first, *id).unwrap_or(false), "an atom"),
            Bit::Violates(id) => (!interp.holds(first, *id).unwrap_or(false), "a violation"),
            Bit::Taken(_) => (false, "a fair step was taken"),
            Bit::Enabled(steps) => (
                interp.any_enabled(&interp.stored(first), steps),
                "a fair step is enabled",
            ),
        };
        let mut what = what.to_owned();
        let name = bit_name(index);
        if let Some(planned) = plan
            .properties
            .iter()
            .find(|planned| planned.looks_at(&name))
        {
            let _ = write!(what, " of {}", planned.name);
        }
        let declare = |name: &str, first| writer.layout.declare(name, "bit", first, &what);
        declare(&bit_name(index), i128::from(value && known));
        if matches!(bit, Bit::Taken(_)) {
            declare(&format!("taken_{index}"), 0);
        }
    }
    for (_, flag) in &plan.checks {
        writer
            .layout
            .declare(flag, "bit", 0, "the check has failed in this step");
    }
    for (_, flag) in &plan.faults {
        writer
            .layout
            .declare(flag, "bit", 0, "the fault was raised in this step");
    }
    if plan.stuck {
        writer.layout.declare(
            "stuck",
            "bit",
            0,
            "nothing moves any more, and not where it may end",
        );
    }
}

fn channels(writer: &Writer<'_>, text: &mut String) {
    for &place in writer.channels_used.borrow().iter() {
        let id = writer.layout.channels[place];
        let declared = &writer.program.channels[id.index()];
        let mut fields: Vec<&str> = declared
            .fields
            .iter()
            .map(|ty| super::layout::stored_type(writer.program, ty))
            .collect();
        if fields.is_empty() {
            fields.push("bit");
        }
        let capacity = declared.capacity.unwrap_or(0);
        let name = writer.channel_name_of(place);
        let _ = writeln!(
            text,
            "chan {name} = [{capacity}] of {{ {} }};",
            fields.join(", ")
        );
    }
}

impl Writer<'_> {
    fn channel_name_of(&self, place: usize) -> String {
        let id = self.layout.channels[place];
        let name = super::layout::plain(&self.program.channels[id.index()].name);
        format!("q{}_{name}", place + 1)
    }
}

fn formulas(writer: &Writer<'_>, plan: &Plan) -> String {
    let mut text = String::new();
    for planned in &plan.properties {
        let property = &writer.program.properties[planned.property.index()];
        let _ = writeln!(
            text,
            "/* {}: {} */",
            comment(&property.name),
            comment(&property.text)
        );
        text.push_str(&planned.text());
    }
    text
}
