//! The model's text: header, declarations, one option a move, formulas.

use std::fmt::Write as _;

use model::interp::{Interp, State};
use model::{Comm, GlobalId, Mode, Pattern, Target, Value, VariableKind};

use super::Options;
use super::body::{Code, type_bounds};
use super::expr::{Scope, all, any};
use super::layout::{Home, flat_values, leaves, local_of};
use super::moves::{Moves, Moving};
use super::property::{Bit, Plan, bit_name};
use super::words::{comment, place, printed};
use super::writer::Writer;

/// The value of `inside` while a move is being made that takes several steps of the model.
const BUSY: u32 = 253;

/// What the options have in common.
struct Shared<'a> {
    plan: &'a Plan,
    publish: &'a str,
    clear: &'a str,
    options: &'a Options<'a>,
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
    fn line_if(&mut self, wanted: &str, text: &str) {
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
        for leaf in leaves(writer.program, &variable.ty) {
            let name = writer.layout.name(home, &leaf.fields);
            let mut values = Vec::new();
            flat_values(
                writer.program,
                &variable.ty,
                &first,
                &leaf.fields,
                &mut values,
            );
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

/// One move.
fn option(
    writer: &Writer<'_>,
    moving: &Moving,
    guard: &str,
    shared: &Shared<'_>,
    process: &mut Code,
) {
    let mut code = Code {
        depth: process.depth + 2,
        label: writer.label(),
        ..Code::default()
    };
    let from_rest = writer.begins_inside(moving).is_none() || !writer.inside.get();
    let mut begin = Code {
        depth: process.depth + 2,
        ..Code::default()
    };
    for part in &moving.parts {
        let step = writer.step_of(part);
        let name = &writer.layout.slots[part.slot].name;
        let label = step.label.clone().unwrap_or_default();
        let mut line = format!("{name} {label}").trim().to_owned();
        if let Some(at) = place(shared.options.sources, step.span) {
            let _ = write!(line, ", {at}");
        }
        process.line(format!("/* {} */", comment(&line)));
        begin.line(format!("printf(\"{}\\n\");", printed(&comment(&line))));
    }
    if !shared.clear.is_empty() {
        if from_rest {
            begin.line("clear();");
        } else {
            begin.line("if");
            begin.line(":: (inside == 0) -> clear();");
            begin.line(":: else -> skip;");
            begin.line("fi;");
        }
    }
    for (index, bit) in shared.plan.bits.iter().enumerate() {
        if let Bit::Taken(steps) = bit {
            let takes = moving.parts.iter().any(|part| {
                let template = writer.layout.slots[part.slot].process;
                steps.contains(&(template, part.step))
            });
            if takes {
                begin.line(format!("taken_{index} = 1;"));
            }
        }
    }
    effects(writer, moving, &mut code);
    let open = code.is_choice;
    let word = if open { "atomic" } else { "d_step" };
    let first = if open { "d_step { " } else { "" };
    process.line(format!(":: {word} {{ {first}{guard} ->"));
    if open && writer.inside.get() {
        begin.line(format!("inside = {BUSY};"));
    }
    if begin.text.is_empty() {
        begin.line("skip;");
    }
    process.text.push_str(&begin.text);
    process.depth += 2;
    if open {
        process.line("}");
    }
    process.text.push_str(&code.text);
    let jumped = code.faults || code.cuts;
    if jumped {
        process.line(format!("out_{}: skip;", code.label));
    }
    let mut end = Code {
        depth: process.depth + usize::from(open) + usize::from(code.cuts),
        faults: code.faults,
        ..Code::default()
    };
    settle(writer, moving, from_rest, open, shared.publish, &mut end);
    if open && !end.text.is_empty() {
        process.line("d_step {");
        process.depth += 1;
    }
    if code.cuts {
        if end.text.is_empty() {
            end.line("skip;");
        }
        process.line("if");
        process.line(format!(":: (inside == {}) -> skip;", super::body::CUT));
        process.line(":: else ->");
    }
    process.text.push_str(&end.text);
    if code.cuts {
        process.line("fi;");
    }
    if open && !end.text.is_empty() {
        process.depth -= 1;
        process.line("}");
    }
    process.depth -= 1;
    process.line("}");
    process.depth -= 1;
}

/// What a move does, up to the end of its macro step.
fn effects(writer: &Writer<'_>, moving: &Moving, code: &mut Code) {
    if let Some(slot) = moving.leaves {
        writer.go_away(code, slot);
        return;
    }
    let scopes: Vec<Scope<'static>> = moving
        .parts
        .iter()
        .map(|part| writer.scope_of(part))
        .collect();
    for (part, &scope) in moving.parts.iter().zip(&scopes) {
        let step = writer.step_of(part);
        writer.span.set(step.span);
        for choice in &step.binds {
            match moving
                .fixed
                .as_ref()
                .and_then(|fixed| fixed.get(&choice.place))
            {
                Some(value) => {
                    let ty = writer.place_type(scope, &choice.place);
                    let number = writer.constant(value).text;
                    let bound = match value {
                        Value::Int(n) => *n,
                        _ => 0,
                    };
                    writer.store(
                        code,
                        scope,
                        &choice.place,
                        &[],
                        &ty,
                        &number,
                        (bound, bound),
                    );
                }
                None => writer.choose(code, scope, choice, false),
            }
        }
    }
    for (part, &scope) in moving.parts.iter().zip(&scopes) {
        for term in writer.guards(part, scope) {
            if !term.faults.is_empty() {
                writer.check_faults(code, scope, &term);
            }
        }
    }
    let term = writer.can_communicate(&moving.parts, &scopes);
    writer.check_faults(code, scopes[0], &term);
    communicate(writer, moving, &scopes, code);
    for (part, &scope) in moving.parts.iter().zip(&scopes) {
        let step = writer.step_of(part);
        writer.span.set(step.span);
        writer.body(code, scope, &step.body);
        writer.go(code, scope, part.step, &step.target);
    }
}

fn communicate(writer: &Writer<'_>, moving: &Moving, scopes: &[Scope<'_>], code: &mut Code) {
    let comms: Vec<&Comm> = moving
        .parts
        .iter()
        .filter_map(|part| writer.step_of(part).comm.as_ref())
        .collect();
    match comms.as_slice() {
        [
            Comm::Send {
                channel, message, ..
            },
            Comm::Receive { patterns, .. },
        ] => {
            let types = writer.field_types(*channel);
            let bound: Vec<usize> = (0..patterns.len())
                .filter(|&at| matches!(patterns[at], Pattern::Bind(_)))
                .collect();
            let mut values = Vec::new();
            for &at in &bound {
                let sent = writer.sent(scopes[0], message[at], types.get(at));
                let (lo, hi) = types
                    .get(at)
                    .map_or(writer.bounds(scopes[0], message[at]), type_bounds);
                let text = if bound.len() > 1 {
                    let name = writer.temporary(code);
                    code.line(format!("{name} = {};", sent.text));
                    name
                } else {
                    sent.text
                };
                values.push((text, (lo, hi)));
            }
            for (&at, (text, bounds)) in bound.iter().zip(&values) {
                if let Pattern::Bind(place) = &patterns[at] {
                    let ty = writer.place_type(scopes[1], place);
                    writer.store(code, scopes[1], place, &[], &ty, text, *bounds);
                }
            }
            if bound.len() > 1 {
                for (text, _) in &values {
                    code.line(format!("{text} = 0;"));
                }
            }
        }
        [
            Comm::Send {
                channel,
                message,
                sorted,
                lossy,
            },
        ] => {
            let types = writer.field_types(*channel);
            let mut fields = Vec::new();
            for (at, &field) in message.iter().enumerate() {
                let sent = writer.sent(scopes[0], field, types.get(at));
                writer.check_faults(code, scopes[0], &sent);
                fields.push(sent.text);
            }
            if fields.is_empty() {
                fields.push("0".into());
            }
            let operator = if *sorted { "!!" } else { "!" };
            writer.on_channel(code, scopes[0], *channel, |code, place| {
                let name = writer.channel_name(place);
                let send = format!("{name}{operator}{};", fields.join(", "));
                let id = writer.layout.channels[place];
                let capacity = writer.program.channels[id.index()].capacity.unwrap_or(0);
                if *lossy {
                    code.line("if");
                    code.line(format!(":: (len({name}) < {capacity}) -> {send}"));
                    code.line(":: else -> skip;");
                    code.line("fi;");
                } else {
                    code.line(send);
                }
            });
        }
        [
            Comm::Receive {
                channel,
                patterns,
                anywhere,
                keep,
            },
        ] => {
            let types = writer.field_types(*channel);
            let mut fields = Vec::new();
            let mut bound = Vec::new();
            for (at, pattern) in patterns.iter().enumerate() {
                fields.push(match pattern {
                    Pattern::Match(value) => {
                        format!("eval({})", writer.expr(scopes[0], *value).text)
                    }
                    Pattern::Any => "_".to_owned(),
                    Pattern::Bind(place) => {
                        let name = writer.temporary(code);
                        bound.push((place, name.clone(), at));
                        name
                    }
                });
            }
            if fields.is_empty() {
                fields.push("_".into());
            }
            let operator = if *anywhere { "??" } else { "?" };
            let fields = fields.join(", ");
            let fields = if *keep { format!("<{fields}>") } else { fields };
            writer.on_channel(code, scopes[0], *channel, |code, place| {
                code.line(format!("{}{operator}{fields};", writer.channel_name(place)));
            });
            for (place, name, at) in &bound {
                let ty = writer.place_type(scopes[0], place);
                let bounds = types
                    .get(*at)
                    .map_or((i128::from(i32::MIN), i128::from(i32::MAX)), type_bounds);
                writer.store(code, scopes[0], place, &[], &ty, name, bounds);
            }
            for (_, name, _) in &bound {
                code.line(format!("{name} = 0;"));
            }
        }
        _ => {}
    }
}

impl Writer<'_> {
    /// Does something with the channel that a reference names.
    fn on_channel(
        &self,
        code: &mut Code,
        scope: Scope<'_>,
        channel: model::ExprId,
        act: impl Fn(&mut Code, usize),
    ) {
        let reference = self.expr(scope, channel);
        if let Ok(number) = reference.text.parse::<usize>() {
            if (1..=self.layout.channels.len()).contains(&number) {
                act(code, number - 1);
            }
            return;
        }
        code.line("if");
        for place in 0..self.layout.channels.len() {
            code.line(format!(":: {} == {} ->", reference.text, place + 1));
            code.depth += 1;
            act(code, place);
            code.depth -= 1;
        }
        code.line("fi;");
    }
}

/// After a move: who goes on alone, or the macro step is over. `busy`: `inside` says that a move
/// is being made.
fn settle(
    writer: &Writer<'_>,
    moving: &Moving,
    from_rest: bool,
    busy: bool,
    publish: &str,
    code: &mut Code,
) {
    let inner = [Mode::Atomic, Mode::Region];
    let regions: Vec<usize> = (0..writer.layout.slots.len())
        .filter(|&slot| !writer.layout.locations_of(slot, &[Mode::Region]).is_empty())
        .collect();
    let last = moving.parts.last();
    let is_at = |slot: usize, modes: &[Mode]| {
        writer.note_at(slot);
        any(writer
            .layout
            .locations_of(slot, modes)
            .iter()
            .map(|location| format!("({} == {})", writer.layout.at(slot), location.0)))
    };
    // What is known of where the last part goes, if nothing faults.
    let known = last.filter(|_| !code.faults).and_then(|part| {
        let template = &writer.program.processes[writer.layout.slots[part.slot].process.index()];
        match &writer.step_of(part).target {
            Target::Goto(location) => Some(template.locations[location.index()].mode),
            Target::End => Some(Mode::Open),
            Target::Call { .. } | Target::Return(_) => None,
        }
    });
    let mut cases: Vec<(String, usize)> = Vec::new();
    if writer.inside.get() {
        match (last, known) {
            (Some(part), Some(Mode::Atomic | Mode::Region)) => {
                cases.push(("1".into(), part.slot));
            }
            (Some(part), None) => {
                let here = is_at(part.slot, &inner);
                if here != "0" {
                    cases.push((here, part.slot));
                }
            }
            _ => {}
        }
        for &slot in &regions {
            let is_last = last.is_some_and(|part| part.slot == slot);
            // From rest nobody else is in a region; partners of this move may be.
            let others = moving.parts.iter().any(|part| part.slot == slot);
            if !is_last && (!from_rest || others) {
                cases.push((is_at(slot, &[Mode::Region]), slot));
            }
        }
    }
    let at_rest = |code: &mut Code| {
        if writer.inside.get() && (!from_rest || busy) {
            code.line("inside = 0;");
        }
        code.line_if(publish, "publish();");
    };
    let mut depth = 0;
    let mut open = true;
    for (condition, slot) in cases {
        if condition == "1" {
            code.line(format!("inside = {};", slot + 1));
            open = false;
            break;
        }
        code.line("if");
        code.line(format!(":: {condition} -> inside = {};", slot + 1));
        code.line(":: else ->");
        code.depth += 1;
        depth += 1;
    }
    if open {
        let before = code.text.len();
        at_rest(code);
        if code.text.len() == before && depth > 0 {
            code.line("skip;");
        }
    }
    for _ in 0..depth {
        code.depth -= 1;
        code.line("fi;");
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

fn header(writer: &Writer<'_>, plan: &Plan, options: &Options<'_>) -> String {
    let mut text = String::from("/*\n");
    let file = comment(&options.file);
    let mut say = |line: &str| {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    };
    say(&format!("{file}, as a model for SPIN. Written by Probity."));
    say("");
    say("One process makes one move of the script and its world after another: each");
    say("option of its loop is a move, and the guard says when it can be made.");
    say("  at_...  where an instance is, by number");
    say("  v_...   a variable of the script or the world, whose own name stands beside it");
    say("  p_...   a bit that is published when a step of the script has ended");
    if writer.inside.get() {
        say("  inside  0 between the script's steps, else who is in the middle of one");
    }
    say("");
    let names: Vec<&str> = plan
        .properties
        .iter()
        .filter(|planned| planned.stated.is_ok())
        .map(|planned| planned.name.as_str())
        .collect();
    say("To verify a property (\"errors: 0\" means that it holds):");
    say("  spin -a MODEL.pml");
    say("  gcc -O2 -w -fwrapv -DNOREDUCE -DVECTORSZ=4096 -o pan pan.c");
    say("  ./pan -a -m1000000 -N PROPERTY");
    say(&format!("where PROPERTY is one of: {}", names.join(", ")));
    say("To see the run of a failure: spin -t MODEL.pml");
    say("A failed assertion marked \"room\" means that a number grew too large for the");
    say("model, and that the verdict is not known.");
    let rich = writer.rich.borrow();
    if !rich.is_empty() {
        let _ = writeln!(text, " *\n * Numbers that stand for texts, keys, lists:");
        for id in rich.iter() {
            let shown = (options.show)(writer.program, &Value::Rich(*id));
            let _ = writeln!(text, " *   {} {}", id.0, comment(&shown));
        }
    }
    if !writer.program.assumptions.is_empty() {
        let _ = writeln!(text, " *\n * Assuming that");
        for assumption in &writer.program.assumptions {
            let _ = writeln!(text, " * - {}", comment_long(&assumption.text));
        }
    }
    let _ = writeln!(text, " */");
    text
}

fn comment_long(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace('\\', "/")
}
