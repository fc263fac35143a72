//! Runs told in the script's own terms.
//!
//! A [`Narrator`] turns a replayed macro step into a [`StoryStep`]: events by the templates that
//! the front end gave them, steps and faults with the line of the script, and the variables that
//! are different at the end. It leaves nothing out; what a short story does not tell is marked as
//! detail.

use std::cell::OnceCell;
use std::collections::HashSet;

use model::interp::{Interp, Occurrence, Replay, ReplayedStep, State};
use model::{
    Action, AssumptionId, CheckId, EnumId, EventId, GlobalId, OutsideId, Part, Program, Property,
    Type, Value, ValueSet, VariableKind,
};
use source::{SourceMap, Span};

use crate::channels::channel_name;
use crate::ending::subject;
use crate::html::sequence;
use crate::printed::{global_text, named_value_text, visible};
use crate::values::{Change, First, Happening, HappeningKind, Holder, Line, StoryStep};
use crate::wide_number::{number_of, number_text};

/// Element changes of one array that are told one by one.
const MOST_ELEMENTS: usize = 8;

/// Which failed checks belong to the story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureOf {
    /// Those of this check; others are another property's business.
    Check(CheckId),
    /// All.
    Any,
    /// None.
    None,
}

/// Tells the macro steps of a program.
pub struct Narrator<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) program: &'a Program,
    failures: FailureOf,
    /// The property whose run is told.
    about: Option<&'a Property>,
    /// The facts about the world that the short story tells: what the property is about.
    facts: OnceCell<Vec<GlobalId>>,
    /// Evaluates what a statement says, when that is needed.
    pub(crate) interp: OnceCell<Interp<'a>>,
    /// The pins of the picture.
    pins: OnceCell<HashSet<String>>,
}

impl<'a> Narrator<'a> {
    /// A narrator of runs of `program`, whose spans point into `sources`.
    #[must_use]
    pub fn new(sources: &'a SourceMap, program: &'a Program, failures: FailureOf) -> Self {
        Narrator {
            sources,
            program,
            failures,
            about: None,
            facts: OnceCell::new(),
            interp: OnceCell::new(),
            pins: OnceCell::new(),
        }
    }

    /// Makes those facts about the world that a property is about part of the short story. Others are left
    /// to the long one: what happens in the world is told by events.
    #[must_use]
    pub fn about(mut self, property: &'a Property) -> Self {
        self.about = Some(property);
        self
    }

    /// Whether the short story leaves a global variable out.
    fn is_detail(&self, index: usize) -> bool {
        let variable = &self.program.globals[index];
        is_internal(&variable.name)
            || variable.kind == VariableKind::World && !self.facts().contains(&GlobalId::new(index))
    }

    fn facts(&self) -> &[GlobalId] {
        // A property may read a large circuit: it is looked through only where a run is told.
        let found = || self.about.map(|one| subject(self.program, one));
        self.facts.get_or_init(|| found().unwrap_or_default())
    }

    /// Tells the macro steps of a run. For those that are [not kept](Replay::gap) stands one that says how
    /// many they are, and what they have changed.
    pub(crate) fn steps(&self, replay: &Replay) -> Vec<StoryStep> {
        let gap = replay.gap.as_ref();
        let mut told = Vec::new();
        for (index, step) in replay.steps.iter().enumerate() {
            let mut at = index;
            if let Some(gap) = gap.filter(|gap| gap.after <= index) {
                if gap.after == index {
                    let whole = ReplayedStep {
                        occurrences: Vec::new(),
                        state: gap.state.clone(),
                    };
                    let mut step = self.step(index + 1, replay.state(index), &whole);
                    step.happenings.insert(0, left_out(gap.steps));
                    told.push(step);
                }
                at += gap.steps;
            }
            told.push(self.step(at + 1, replay.state(at), step));
        }
        told
    }

    /// Tells the macro step with this number (from 1) that starts in the state `before`.
    #[must_use]
    pub fn step(&self, number: usize, before: &State, step: &ReplayedStep) -> StoryStep {
        source::limits::check();
        let mut happenings = Vec::new();
        for (index, occurrence) in step.occurrences.iter().enumerate() {
            let Some(mut happening) = self.happening(before, occurrence) else {
                continue;
            };
            if self.program.display.steps {
                happening.message = self.passed(before, &step.occurrences, index);
            }
            if self.program.display.steps
                && let Some(taken) = self.exchange(before, &step.occurrences, index)
            {
                happening.text = format!("{:<16} {taken}", happening.text);
            }
            if self.program.display.steps && self.is_lost(before, &step.occurrences, index) {
                happening.text = format!("{:<16} loses it: the channel is full", happening.text);
            }
            happenings.push(happening);
        }
        let mut changes = self.changes(before, &step.state);
        if self.program.display.steps {
            happenings.extend(self.started(before, &step.state));
            changes.extend(self.channel_changes(before, &step.state));
        }
        StoryStep {
            number,
            happenings,
            changes,
        }
    }

    /// The global variables whose first value was open, and what it is in a state.
    #[must_use]
    pub fn beginning(&self, initial: &State) -> Vec<First> {
        let globals = self.program.globals.iter().zip(initial.globals.iter());
        let mut told = HashSet::new();
        globals
            .enumerate()
            .filter(|(_, (variable, _))| {
                let open = match &variable.init {
                    Some(ValueSet::One(_)) => false,
                    Some(_) => true,
                    None => variable.kind == VariableKind::Input,
                };
                open && variable.kind != VariableKind::Step
            })
            .filter_map(|(index, (variable, value))| {
                let id = GlobalId::new(index);
                let (variable, value) = match number_of(self.program, id) {
                    Some(number) if !told.insert(&number.name) => return None,
                    Some(number) => (&number.name, number_text(self.program, number, initial)),
                    None => (&variable.name, global_text(self.program, id, value)),
                };
                Some(First {
                    variable: variable.clone(),
                    value,
                    detail: self.is_detail(index),
                })
            })
            .collect()
    }

    /// A value that the world decides, and where the script asks for it.
    #[must_use]
    pub fn outside(&self, id: OutsideId) -> String {
        let value = &self.program.outside[id.index()];
        match self.line(value.span) {
            Some(line) => format!("{} (line {})", visible(&value.fact), line.line),
            None => visible(&value.fact),
        }
    }

    /// What an assumption says, and the line that it is about.
    #[must_use]
    pub fn assumption(&self, id: AssumptionId) -> String {
        let assumption = &self.program.assumptions[id.index()];
        match self.line(assumption.span) {
            Some(line) => format!("{} (line {})", visible(&assumption.text), line.line),
            None => visible(&assumption.text),
        }
    }

    /// The line of the script where a span starts.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<Line> {
        let file = (!span.is_none()).then(|| self.sources.get(span.file))??;
        let place = file.line_col(span.start);
        let written = file.written(place.line);
        Some(Line {
            file: written.0.to_owned(),
            line: written.1,
            column: place.column,
            source: visible(file.line_text(place.line).trim()),
        })
    }

    fn happening(&self, before: &State, occurrence: &Occurrence) -> Option<Happening> {
        let by_process = self.program.display.steps;
        let mut who = None;
        let mut places = Vec::new();
        let mut message = None;
        let (kind, text, detail, span) = match occurrence {
            Occurrence::Step { part, span } if by_process => {
                return Some(self.deed(before, *part, *span));
            }
            Occurrence::Step { part, span } => (
                HappeningKind::Step,
                self.step_text(before, *part),
                true,
                span,
            ),
            Occurrence::Event { event, args, span } => {
                let declared = &self.program.events[event.index()];
                places = self.places(*event, args);
                let text = self.event_text(*event, args);
                if self.program.display.picture.is_none() && !declared.is_detail() {
                    message = sequence::message(self.program, *event, args, &text);
                }
                (HappeningKind::Event, text, declared.is_detail(), span)
            }
            Occurrence::Failed { check, span } => {
                let told = match self.failures {
                    FailureOf::Any => true,
                    FailureOf::Check(only) => only == *check,
                    FailureOf::None => false,
                };
                if !told {
                    return None;
                }
                let check = &self.program.checks[check.index()];
                (HappeningKind::Check, visible(&check.failure), true, span)
            }
            // The verdict names it.
            Occurrence::Chosen { .. } => return None,
            Occurrence::Fault {
                fault,
                span,
                instance,
            } => {
                if by_process {
                    who = Some(self.who(before, *instance));
                }
                let fault = &self.program.faults[fault.index()];
                (HappeningKind::Fault, visible(&fault.message), false, span)
            }
        };
        Some(Happening {
            kind,
            who,
            text,
            detail,
            // An event stands below the statement that it belongs to.
            line: match kind {
                HappeningKind::Event if by_process => None,
                _ => self.line(*span),
            },
            places,
            message,
        })
    }

    /// The pins of the picture that an event names.
    fn places(&self, event: EventId, args: &[Value]) -> Vec<String> {
        let Some(picture) = &self.program.display.picture else {
            return Vec::new();
        };
        let declared = &self.program.events[event.index()];
        let named = self.pins.get_or_init(|| {
            let boxes = picture.boxes.iter();
            boxes
                .flat_map(|drawn| {
                    let pins = drawn.inputs.iter().chain(&drawn.outputs);
                    pins.map(|pin| format!("{}.{}", drawn.name, pin.name))
                })
                .collect()
        });
        let args = declared.parameters.iter().zip(args);
        args.map(|((_, ty), value)| named_value_text(self.program, ty, None, value))
            .filter(|text| named.contains(text))
            .collect()
    }

    /// What a step is called. The state before tells whose step it is; an instance that started
    /// within the macro step has no name yet.
    fn step_text(&self, before: &State, part: Part) -> String {
        let Some(instance) = before.instance(part.instance) else {
            return String::new();
        };
        let process = &self.program.processes[instance.process.index()];
        match part.action {
            Action::Leave => format!("{} ends", process.name),
            Action::Step(step) => process
                .steps
                .get(step.index())
                .and_then(|step| step.label.as_deref())
                .map(visible)
                .unwrap_or_default(),
        }
    }

    pub(crate) fn event_text(&self, event: EventId, args: &[Value]) -> String {
        let declared = &self.program.events[event.index()];
        let print = |index: usize, form: &str| -> Option<String> {
            let value = args.get(index)?;
            let ty = declared.parameters.get(index).map(|(_, ty)| ty)?;
            match (form, value) {
                ("", _) => {
                    let shown = &self.program.display.arguments;
                    let names = shown.get(&(event, index)).copied();
                    Some(named_value_text(self.program, ty, names, value))
                }
                (form, Value::Int(number)) if self.program.display.constants.contains_key(form) => {
                    let constants = &self.program.display.constants[form];
                    Some(
                        constants
                            .name(*number)
                            .unwrap_or_else(|| number.to_string()),
                    )
                }
                ("x", Value::Int(number)) => Some(format!("{:x}", *number as u32)),
                ("o", Value::Int(number)) => Some(format!("{:o}", *number as u32)),
                ("c", Value::Int(number)) => {
                    let character = char::from(*number as u8);
                    Some(visible(&character.to_string()))
                }
                _ => None,
            }
        };
        match &declared.story {
            Some(template) => fill(template, print),
            None => {
                let args: Vec<String> = (0..args.len()).filter_map(|at| print(at, "")).collect();
                format!("{}({})", declared.name, args.join(", "))
            }
        }
    }

    /// The variables that differ between two states.
    fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut told = HashSet::new();
        for index in after.globals.changed(&before.globals) {
            let variable = &self.program.globals[index];
            let holder = match variable.kind {
                VariableKind::Step => continue,
                VariableKind::State | VariableKind::Input | VariableKind::Frozen => Holder::Script,
                VariableKind::World => Holder::World,
                VariableKind::Ghost => Holder::Ledger,
            };
            let (display, id) = (&self.program.display, GlobalId::new(index));
            if let Some(number) = number_of(self.program, id) {
                if told.insert(&number.name) {
                    changes.push(Change {
                        variable: number.name.clone(),
                        holder,
                        before: number_text(self.program, number, before),
                        after: number_text(self.program, number, after),
                        detail: self.is_detail(index),
                    });
                }
                continue;
            }
            let shown = Shown {
                holder,
                detail: self.is_detail(index),
                names: display.globals.get(&id).copied(),
                elements: display.elements.get(&id).map_or(&[], Vec::as_slice),
                after,
            };
            let values = (&before.globals[index], &after.globals[index]);
            self.compare(&variable.name, &variable.ty, values, &shown, &mut changes);
        }
        // Of very many instances few are others, or have other locals.
        let moved: HashSet<usize> = after.instances.changed(&before.instances).collect();
        let written: HashSet<usize> = after.frames.changed(&before.frames).collect();
        for (number, instance) in after.living() {
            if !moved.contains(&(number as usize)) && !written.contains(&instance.frame) {
                continue;
            }
            let Some(earlier) = before
                .instance(number)
                .filter(|earlier| earlier.process == instance.process)
            else {
                continue;
            };
            let process = &self.program.processes[instance.process.index()];
            let holder = if process.environment {
                Holder::World
            } else {
                Holder::Script
            };
            let frame = |state: &State, index: usize| state.frames.get(index).cloned().flatten();
            let (Some(old), Some(new)) =
                (frame(before, earlier.frame), frame(after, instance.frame))
            else {
                continue;
            };
            let locals = process.locals.iter().zip(old.iter().zip(&new));
            for (index, (variable, values)) in locals.enumerate() {
                let by_process = self.program.display.steps;
                let name = if by_process {
                    format!("{}[{number}]:{}", process.name, variable.name)
                } else {
                    format!("{}.{}", process.name, variable.name)
                };
                let place = (instance.process, index);
                let shown = Shown {
                    holder,
                    detail: !by_process,
                    names: self.program.display.locals.get(&place).copied(),
                    elements: &[],
                    after,
                };
                self.compare(&name, &variable.ty, values, &shown, &mut changes);
            }
        }
        changes
    }

    fn compare(
        &self,
        name: &str,
        ty: &Type,
        (old, new): (&Value, &Value),
        shown: &Shown<'_>,
        changes: &mut Vec<Change>,
    ) {
        if old == new {
            return;
        }
        if let (Type::Array(item, _), Value::Tuple(old), Value::Tuple(new)) = (ty, old, new) {
            let different: Vec<usize> = (0..old.len().min(new.len()))
                .filter(|&index| old[index] != new[index])
                .collect();
            if different.len() <= MOST_ELEMENTS {
                let of_element = Shown {
                    elements: &[],
                    ..*shown
                };
                for index in different {
                    let name = match shown.elements.get(index) {
                        Some(element) => format!("{name}[{element}]"),
                        None => format!("{name}[{index}]"),
                    };
                    let values = (&old[index], &new[index]);
                    self.compare(&name, item, values, &of_element, changes);
                }
                return;
            }
        }
        if let (Type::Record(id), Value::Tuple(old), Value::Tuple(new)) = (ty, old, new)
            && self.program.display.steps
        {
            let fields = &self.program.records[id.index()].fields;
            for (index, (field, ty)) in fields.iter().enumerate() {
                let shown = Shown {
                    names: self
                        .program
                        .display
                        .record_fields
                        .get(&(*id, index))
                        .copied(),
                    ..*shown
                };
                let values = (&old[index], &new[index]);
                self.compare(&format!("{name}.{field}"), ty, values, &shown, changes);
            }
            return;
        }
        let print = |value: &Value| match (ty, value) {
            (Type::Channel, Value::Int(reference)) if *reference != 0 => {
                channel_name(self.program, shown.after, *reference)
            }
            _ => named_value_text(self.program, ty, shown.names, value),
        };
        changes.push(Change {
            variable: name.to_owned(),
            holder: shown.holder,
            before: print(old),
            after: print(new),
            detail: shown.detail,
        });
    }
}

/// How a change is shown.
struct Shown<'s> {
    holder: Holder,
    detail: bool,
    names: Option<EnumId>,
    /// What elements are called, if they have names.
    elements: &'s [String],
    after: &'s State,
}

/// Whether a front end made a variable up: the names of such variables start with a character
/// Says that so many macro steps are not told one by one.
fn left_out(steps: usize) -> Happening {
    Happening {
        kind: HappeningKind::Step,
        who: None,
        text: format!("{steps} steps of this long run, all together"),
        detail: false,
        line: None,
        places: Vec::new(),
        message: None,
    }
}

/// that no language's names start with.
pub(crate) fn is_internal(name: &str) -> bool {
    name.starts_with(['$', '#', '.', '%', '('])
}

/// A template with `{0}`, or `{0:x}` with a form behind the number, replaced by what `print` gives;
/// a number that it does not know stays as it is.
fn fill(template: &str, print: impl Fn(usize, &str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let filled = after.split_once('}').and_then(|(inside, behind)| {
            let (number, form) = inside.split_once(':').unwrap_or((inside, ""));
            let printed = print(number.parse().ok()?, form)?;
            Some((printed, behind))
        });
        match filled {
            Some((printed, behind)) => {
                out.push_str(&printed);
                rest = behind;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let print = |index: usize, form: &str| Some(format!("{}{form}", ["Bob", "10"].get(index)?));
        assert_eq!(fill("{0} pays L${1}", print), "Bob pays L$10");
        assert_eq!(fill("a {2} b {x} {0", print), "a {2} b {x} {0");
        assert_eq!(fill("{1}{1}", print), "1010");
        assert_eq!(fill("{1:x}{1:}", print), "10x10");
    }
}
