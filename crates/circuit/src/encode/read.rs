//! Back from assignments: states, and the choices of a run.

use model::interp::State;
use model::{
    Action, Claim, Composition, MacroStep, Move, Part, StepId, Trace, Type, Value, ValueSet,
    VariableKind,
};

use super::Encoding;
use super::bits::Bits;
use super::synchronous::{first_set, moves};
use crate::aig::Lit;
use crate::run::Run;
use crate::simulate::Values;

impl Encoding<'_> {
    /// A value under an assignment.
    #[must_use]
    pub fn value(&self, bits: &Bits, values: &Values<'_>) -> Value {
        let known = |lit: Lit| Some(values.holds(lit));
        let number = |word: &crate::Word| word.value(known).unwrap_or(0);
        match bits {
            Bits::Bool(lit) => Value::Bool(values.holds(*lit)),
            Bits::Word(word) => Value::Int(number(word)),
            Bits::Rich(word) => {
                let code = usize::try_from(number(word)).unwrap_or(usize::MAX);
                match self.rich.get(code) {
                    Some(id) => Value::Rich(*id),
                    None => self.program.zero(&Type::Rich),
                }
            }
            Bits::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.value(item, values)).collect())
            }
        }
    }

    /// The state of the program under an assignment to latches, and to inputs where the program's
    /// state has variables that are inputs here.
    #[must_use]
    pub fn state(&self, latches: &[bool], inputs: &[bool]) -> State {
        let values = self.circuit.evaluate(latches, inputs);
        let globals = self.now.globals.iter();
        let mut state = State {
            globals: globals.map(|bits| self.value(bits, &values)).collect(),
            ..State::default()
        };
        self.control_state(&values, &mut state);
        state
    }

    /// A run of the circuit as the choices of a run of the program. Where the inputs at its end
    /// show the taking of a step to be bad, that step is taken.
    #[must_use]
    pub fn trace(&self, run: &Run) -> Trace {
        self.trace_to(run, None)
    }

    /// A run that shows one of [`Encoding::bads`] at its end; `None`: any of them.
    #[must_use]
    pub fn trace_to(&self, run: &Run, bad: Option<usize>) -> Trace {
        let shows = |index: usize, values: &Values<'_>| {
            let claim = &self.program.properties[self.bads[index].index()].claim;
            matches!(claim, Claim::Check(_) | Claim::NoFault(_))
                && values.holds(self.circuit.bads[index].lit)
        };
        let mut latches = run.initial.clone();
        for inputs in &run.steps {
            latches = self.circuit.evaluate(&latches, inputs).next_state();
        }
        let values = self.circuit.evaluate(&latches, &run.last);
        let last_is_taken = match bad {
            Some(bad) => shows(bad, &values),
            None => (0..self.bads.len()).any(|index| shows(index, &values)),
        };
        let Composition::Synchronous(assigns) = &self.program.composition else {
            return self.trace_of_moves(run, last_is_taken);
        };
        let mut states = Vec::new();
        let mut latches = run.initial.clone();
        for inputs in &run.steps {
            states.push(self.state(&latches, inputs));
            latches = self.circuit.evaluate(&latches, inputs).next_state();
        }
        let last = match run.loop_start {
            Some(start) if start < run.steps.len() => &run.steps[start],
            _ => &run.last,
        };
        states.push(self.state(&latches, last));
        let globals = self.program.globals.iter();
        let initial = globals
            .zip(states[0].globals.iter())
            .filter(|(variable, _)| !matches!(first_set(variable), None | Some(ValueSet::One(_))))
            .map(|(_, value)| value.clone())
            .collect();
        let order = moves(self.program, assigns);
        let steps = states[1..].iter().map(|state| MacroStep {
            moves: vec![Move {
                parts: vec![Part {
                    instance: 0,
                    action: Action::Step(StepId(0)),
                }],
                choices: order
                    .iter()
                    .map(|(global, _)| state.globals[global.index()].clone())
                    .collect(),
            }],
        });
        Trace {
            initial,
            steps: steps.collect(),
            loop_start: run.loop_start,
        }
    }

    /// Whether a slot is part of the program's stored state.
    #[must_use]
    pub fn is_stored(&self, slot: usize) -> bool {
        self.slots[slot].kind != VariableKind::Step
    }
}
