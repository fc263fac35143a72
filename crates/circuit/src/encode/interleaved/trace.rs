//! Back from assignments: states of processes, and the moves of a run.

use model::interp::{Call, Instance, Queue, State};
use model::{Action, MacroStep, Mode, Move, Part, ProcedureId, Target, Trace, Value, ValueSet};

use super::super::Encoding;
use super::super::synchronous::first_set;
use crate::run::Run;
use crate::simulate::Values;
use crate::words::Word;

impl Encoding<'_> {
    fn index(&self, word: &Word, values: &Values<'_>) -> usize {
        let number = word.value(|lit| Some(values.holds(lit))).unwrap_or(0);
        usize::try_from(number).unwrap_or(0)
    }

    /// The instances, frames, channels and holder of a state.
    pub(in super::super) fn control_state(&self, values: &Values<'_>, state: &mut State) {
        let program = self.program;
        for (number, bits) in self.now.instances.iter().enumerate() {
            let control = &self.controls[number];
            let process = &program.processes[control.process.index()];
            let code = self.index(&bits.location, values);
            if code == control.gone() {
                state.instances.push(None);
                state.frames.push(None);
                continue;
            }
            let location = control.locations.get(code).copied();
            // The procedures that are open, the innermost first.
            let mut calls = Vec::new();
            let mut inner: Option<ProcedureId> = location.and_then(|l| control.procedure(l));
            while let Some(procedure) = inner {
                let call = &bits.calls[procedure.index()];
                let sites = &control.sites[procedure.index()];
                let Some(&site) = sites.get(self.index(&call.site, values)) else {
                    break;
                };
                let step = &process.steps[site.index()];
                let Target::Call { then, .. } = step.target else {
                    break;
                };
                calls.push(Call {
                    procedure,
                    locals: call
                        .locals
                        .iter()
                        .map(|bits| self.value(bits, values))
                        .collect(),
                    then,
                    caller_step: site.0,
                });
                inner = control.procedure(step.from);
            }
            calls.reverse();
            state.instances.push(Some(Instance {
                process: control.process,
                location,
                halted: code == control.halted(),
                frame: number,
                calls,
            }));
            let frame = bits.frame.iter().map(|bits| self.value(bits, values));
            state.frames.push(Some(frame.collect()));
        }
        while state.instances.last().is_some_and(Option::is_none) {
            state.instances.pop();
            state.frames.pop();
        }
        for (place, queue) in self.now.channels.iter().enumerate() {
            let id = self.references[place];
            let owner = program.channels[id.index()].owner;
            if owner.is_some_and(|owner| state.instance(owner).is_none()) {
                state.channels.push(None);
                continue;
            }
            let length = self.index(&queue.length, values);
            let messages = queue.messages.iter().take(length);
            let fields = |row: &Vec<super::super::Bits>| -> Vec<Value> {
                row.iter().map(|bits| self.value(bits, values)).collect()
            };
            state.channels.push(Some(Queue {
                channel: id,
                messages: messages.map(fields).collect(),
                owner,
            }));
        }
        while state.channels.last().is_some_and(Option::is_none) {
            state.channels.pop();
        }
        if !values.holds(self.stable) {
            let inside = |number: usize| {
                let control = &self.controls[number];
                let process = &program.processes[control.process.index()];
                let code = self.index(&self.now.instances[number].location, values);
                control.codes_of(process, &[Mode::Region]).contains(&code)
            };
            let holder = match self.has_holder {
                true => self.index(&self.now.holder, values).checked_sub(1),
                false => (0..self.controls.len()).find(|&number| inside(number)),
            };
            state.holder = holder.and_then(|holder| u32::try_from(holder).ok());
        }
    }

    /// The trace of a run of moves: macro steps end where the circuit is stable.
    pub(in super::super) fn trace_of_moves(&self, run: &Run, last_is_taken: bool) -> Trace {
        let mut steps = run.steps.clone();
        let mut states = vec![run.initial.clone()];
        let advance = |states: &mut Vec<Vec<bool>>, inputs: &[bool]| {
            let last = states.last().cloned().unwrap_or_default();
            states.push(self.circuit.evaluate(&last, inputs).next_state());
        };
        for inputs in &run.steps {
            advance(&mut states, inputs);
        }
        let is_stable = |latches: &[bool]| self.circuit.evaluate(latches, &[]).holds(self.stable);
        // A loop that begins within a macro step begins at the end of that one instead.
        let mut loop_start = run.loop_start.filter(|start| *start < run.steps.len());
        if let Some(start) = &mut loop_start {
            let length = run.steps.len() - *start;
            for _ in 0..length {
                if is_stable(&states[*start]) {
                    break;
                }
                let inputs = steps[*start].clone();
                advance(&mut states, &inputs);
                steps.push(inputs);
                *start += 1;
            }
        }
        let mut trace = Trace {
            initial: self.initial_choices(&states[0]),
            steps: Vec::new(),
            loop_start: None,
        };
        let mut current = MacroStep::default();
        for (position, inputs) in steps.iter().enumerate() {
            if loop_start == Some(position) {
                trace.loop_start = Some(trace.steps.len());
            }
            let values = self.circuit.evaluate(&states[position], inputs);
            let made = self.moves_made(&values, false);
            if made.is_empty() {
                // Nothing moves any more.
                trace.loop_start = loop_start.map(|_| trace.steps.len());
                return trace;
            }
            current.moves.extend(made);
            if is_stable(&states[position + 1]) {
                trace.steps.push(std::mem::take(&mut current));
            }
        }
        // A bad that is seen in a step that is taken.
        let values = self.circuit.evaluate(&states[steps.len()], &run.last);
        if loop_start.is_none() && last_is_taken {
            current.moves.extend(self.moves_made(&values, true));
        }
        if !current.moves.is_empty() {
            trace.steps.push(current);
        }
        trace
    }

    /// The moves that a step of the circuit makes; none where nothing moves any more.
    fn moves_made(&self, values: &Values<'_>, up_to_wrong: bool) -> Vec<Move> {
        let Some(moves) = &self.moves else {
            return Vec::new();
        };
        let taken = moves.taken.iter().find(|taken| {
            let begins = taken
                .made
                .first()
                .is_some_and(|made| values.holds(made.when));
            begins && (up_to_wrong || values.holds(taken.when))
        });
        let mut made = Vec::new();
        for one in taken.map_or(&[][..], |taken| &taken.made) {
            if !values.holds(one.when) {
                continue;
            }
            let parts = one.parts.iter().map(|part| Part {
                instance: u32::try_from(part.instance).unwrap_or(u32::MAX),
                action: part.step.map_or(Action::Leave, Action::Step),
            });
            let choices = one.choices.iter().filter(|(when, _)| values.holds(*when));
            made.push(Move {
                parts: parts.collect(),
                choices: choices.map(|(_, bits)| self.value(bits, values)).collect(),
            });
            if up_to_wrong && values.holds(one.wrong) {
                break;
            }
        }
        made
    }

    fn initial_choices(&self, latches: &[bool]) -> Vec<Value> {
        let values = self.circuit.evaluate(latches, &[]);
        let open = |set: &Option<ValueSet>| !matches!(set, None | Some(ValueSet::One(_)));
        let mut choices = Vec::new();
        for (variable, bits) in self.program.globals.iter().zip(&self.now.globals) {
            if open(&first_set(variable)) {
                choices.push(self.value(bits, &values));
            }
        }
        for (start, bits) in self.program.start.iter().zip(&self.now.instances) {
            let process = &self.program.processes[start.process.index()];
            for (index, variable) in process.locals.iter().enumerate() {
                if index >= process.parameters && open(&variable.init) {
                    choices.push(self.value(&bits.frame[index], &values));
                }
            }
        }
        choices
    }
}
