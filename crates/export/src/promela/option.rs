//! One option of the model's loop: a move's guard, what it does, and who goes on after it.

use std::fmt::Write as _;

use model::{Mode, Target, Value};

use super::body::Code;
use super::expr::{Scope, any};
use super::message::communicate;
use super::model_text::Shared;
use super::moves::Moving;
use super::property::Bit;
use super::words::{comment, place, printed};
use super::writer::Writer;

/// The value of `inside` while a move is being made that takes several steps of the model.
const BUSY: u32 = 253;

/// One move.
pub(super) fn option(
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
