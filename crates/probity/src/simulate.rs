//! `probity simulate`: a run of the script, random, chosen or replayed, told as it happens.
//!
//! The run is made on the reference interpreter, so it is by definition one that the script has.

use std::sync::atomic::Ordering;

use model::interp::{Interp, Replay, State, Stop, Successor, Violation};
use model::{CheckId, Claim, MacroStep, Program, PropertyId, Trace, Value};
use report::{FailureOf, Narrator, StoryStep, TextOptions, TraceFile, beginning_line, step_lines};
use source::SourceMap;

use crate::check::{read, show, use_color};
use crate::command_line::SimulateInvocation;
use crate::system::{Stream, System};

/// Choices listed at once.
const MOST_CHOICES: usize = 40;

/// Runs, tells and returns the exit status: 0, or 2 for bad input.
pub(crate) fn run(invocation: &SimulateInvocation, system: &dyn System) -> u8 {
    let mut input = invocation.input.clone();
    let mut file = None;
    if let Some(path) = &invocation.replay {
        let text = match system.read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                system.err(&format!(
                    "error: cannot read `{}`: {error}\n",
                    path.display()
                ));
                return 2;
            }
        };
        match TraceFile::from_json(&text) {
            Ok(read) => {
                // The run was made within these bounds; the command line may state others.
                let own = read.bounds.iter().filter_map(|bound| bound.split_once('='));
                let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
                input.bounds = own.chain(input.bounds).collect();
                file = Some(read);
            }
            Err(error) => {
                system.err(&format!("error: failed to {error}\n"));
                return 2;
            }
        }
    }
    let loaded = read(&invocation.path, &input, &[], system);
    show(&loaded.diagnostics, &loaded.sources, system);
    let Some(program) = &loaded.program else {
        return 2;
    };
    let options = TextOptions {
        verbose: invocation.verbose,
        color: use_color(invocation.color, Stream::Out, system),
        explain_passes: false,
    };
    let run = Run::new(&loaded.sources, program, options, system);
    match file {
        Some(file) => run.replay(&file, invocation.property.as_deref()),
        None if invocation.interactive => run.interactive(invocation.steps),
        None => run.random(invocation.seed, invocation.steps),
    }
}

/// A run under way.
struct Run<'a> {
    program: &'a Program,
    interp: Interp<'a>,
    narrator: Narrator<'a>,
    options: TextOptions,
    system: &'a dyn System,
}

impl<'a> Run<'a> {
    fn new(
        sources: &'a SourceMap,
        program: &'a Program,
        options: TextOptions,
        system: &'a dyn System,
    ) -> Self {
        Run {
            program,
            interp: Interp::new(program),
            narrator: Narrator::new(sources, program, FailureOf::Any),
            options,
            system,
        }
    }

    fn say(&self, line: &str) {
        self.system.out(&format!("{line}\n"));
    }

    /// The initial choices to start from, as `pick` picks from so many, or `None` if there are
    /// none.
    fn start(&self, pick: impl FnOnce(usize) -> usize) -> Option<Vec<Value>> {
        match self.interp.initial() {
            Ok(mut initial) if !initial.is_empty() => {
                let (choices, state) = initial.swap_remove(pick(initial.len()));
                self.begin(&state);
                Some(choices)
            }
            Ok(_) => {
                self.say("There is no initial state: the assumptions rule all of them out.");
                None
            }
            Err(stop) => {
                self.say(reason(stop));
                None
            }
        }
    }

    fn begin(&self, state: &State) {
        let first = self.narrator.beginning(state);
        if let Some(line) = beginning_line(&first, self.options) {
            self.say(&line);
        }
    }

    fn random(&self, seed: u64, steps: usize) -> u8 {
        self.say(&format!("A random run (seed {seed})"));
        let mut random = SplitMix(seed);
        let Some(initial) = self.start(|count| random.below(count)) else {
            return 0;
        };
        let mut made: Vec<MacroStep> = Vec::new();
        let mut violated = Vec::new();
        while made.len() < steps && !self.system.stop().load(Ordering::Relaxed) {
            let Some(mut next) = self.choices(&initial, &made) else {
                return 0;
            };
            made.push(next.swap_remove(random.below(next.len())).step);
            self.tell_last(&initial, &made, &mut violated);
        }
        self.say(&format!("Stopped after {} events.", made.len()));
        0
    }

    fn interactive(&self, steps: usize) -> u8 {
        self.say("Each time: a number for what happens, b to go back, q to stop.");
        let Some(initial) = self.start(|_| 0) else {
            return 0;
        };
        let mut made: Vec<MacroStep> = Vec::new();
        let mut violated = Vec::new();
        while made.len() < steps && !self.system.stop().load(Ordering::Relaxed) {
            let Some(mut next) = self.choices(&initial, &made) else {
                return 0;
            };
            self.list(&initial, &made, &next);
            let Some(answer) = self.system.line() else {
                break;
            };
            match answer.trim() {
                "q" => break,
                "b" => {
                    made.pop();
                    self.say("Back.");
                }
                answer => match answer.parse::<usize>() {
                    Ok(number) if (1..=next.len()).contains(&number) => {
                        made.push(next.swap_remove(number - 1).step);
                        self.tell_last(&initial, &made, &mut violated);
                    }
                    _ => self.say(&format!(
                        "Please give a number from 1 to {}, b or q.",
                        next.len()
                    )),
                },
            }
        }
        self.say(&format!("Stopped after {} events.", made.len()));
        0
    }

    fn replay(&self, file: &TraceFile, property: Option<&str>) -> u8 {
        let mut told = false;
        for traced in &file.traces {
            if property.is_some() && property != traced.property.as_deref() {
                continue;
            }
            told = true;
            if let Some(name) = &traced.property {
                self.say(&format!("The run of {name}"));
            }
            let replayed = traced
                .trace(self.program)
                .map_err(|error| error.to_string())
                .and_then(|trace| {
                    self.interp
                        .replay(&trace)
                        .map_err(|error| error.to_string())
                });
            let replay = match replayed {
                Ok(replay) => replay,
                Err(error) => {
                    self.system.err(&format!(
                        "error: failed to {error}: the script has no such run (was it changed, \
                         or are the bounds others?)\n"
                    ));
                    return 2;
                }
            };
            self.begin(&replay.initial);
            let mut violated = Vec::new();
            for index in 0..replay.steps.len() {
                if traced.repeats_from == Some(index) {
                    self.say("  and then this repeats for ever:");
                }
                self.tell(&replay, index, &mut violated);
            }
            if traced.repeats_from == Some(replay.steps.len()) {
                self.say("  and then nothing more happens, for ever");
            }
        }
        if told {
            0
        } else {
            let which = property.map_or(String::new(), |name| format!(" of `{name}`"));
            self.system
                .err(&format!("error: the trace file has no run{which}\n"));
            2
        }
    }

    /// What can happen next, or `None` (and the reason is told) if nothing can.
    fn choices(&self, initial: &[Value], made: &[MacroStep]) -> Option<Vec<Successor>> {
        let replay = self.replayed(initial, made);
        match self.interp.expand(replay.state(made.len())) {
            Ok(expansion) => {
                if expansion.diverges.is_some() {
                    self.say("Something here could go on for ever without coming to an end.");
                }
                if expansion.successors.is_empty() {
                    self.say("Nothing more can happen.");
                    return None;
                }
                Some(expansion.successors)
            }
            Err(stop) => {
                self.say(reason(stop));
                None
            }
        }
    }

    fn replayed(&self, initial: &[Value], made: &[MacroStep]) -> Replay {
        let trace = Trace {
            initial: initial.to_vec(),
            steps: made.to_vec(),
            loop_start: None,
        };
        self.interp
            .replay(&trace)
            .expect("the interpreter accepts what it enumerated")
    }

    fn list(&self, initial: &[Value], made: &[MacroStep], next: &[Successor]) {
        for (index, successor) in next.iter().take(MOST_CHOICES).enumerate() {
            let mut steps = made.to_vec();
            steps.push(successor.step.clone());
            let replay = self.replayed(initial, &steps);
            let step = self.story_step(&replay, made.len());
            let told = step.happenings.iter().filter(|h| !h.detail);
            let mut sentences: Vec<&str> = told.map(|h| h.text.as_str()).collect();
            if sentences.is_empty() {
                sentences = step.happenings.iter().map(|h| h.text.as_str()).collect();
                sentences.retain(|text| !text.is_empty());
            }
            let text = if sentences.is_empty() {
                "nothing that is told".to_owned()
            } else {
                sentences.join("; ")
            };
            self.say(&format!("{:>6}) {text}", index + 1));
        }
        if next.len() > MOST_CHOICES {
            self.say(&format!(
                "        ... and more, up to {}; their numbers work too",
                next.len()
            ));
        }
    }

    fn story_step(&self, replay: &Replay, index: usize) -> StoryStep {
        self.narrator
            .step(index + 1, replay.state(index), &replay.steps[index])
    }

    fn tell_last(&self, initial: &[Value], made: &[MacroStep], violated: &mut Vec<PropertyId>) {
        self.tell(&self.replayed(initial, made), made.len() - 1, violated);
    }

    /// Tells a step, and which properties are violated for the first time.
    fn tell(&self, replay: &Replay, index: usize, violated: &mut Vec<PropertyId>) {
        for line in step_lines(&self.story_step(replay, index), self.options) {
            self.say(&line);
        }
        let step = &replay.steps[index];
        let failed: Vec<CheckId> = step
            .occurrences
            .iter()
            .filter_map(|occurrence| match occurrence.violation() {
                Some(Violation::Check(check)) => Some(check),
                _ => None,
            })
            .collect();
        for (number, property) in self.program.properties.iter().enumerate() {
            let id = PropertyId::new(number);
            let violates = match &property.claim {
                Claim::Check(check) => failed.contains(check),
                Claim::Always(condition) => {
                    matches!(self.interp.holds(&step.state, *condition), Ok(false))
                }
                _ => false,
            };
            if violates && !violated.contains(&id) {
                violated.push(id);
                self.say(&format!("  => {} is violated", property.name));
            }
        }
    }
}

fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Overflow => "A number grew beyond every limit.",
        Stop::StepBudget => "One event takes more steps than the simulator follows.",
    }
}

/// A small random number generator: Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("less than a usize")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;
    use model::{Binary, Event, Mode, Place, Process, Property, Start, Step, Stmt, Type, Variable};
    use source::Span;

    /// A counter that goes up to three or back to nought.
    fn counter() -> Program {
        let mut program = Program::new("counter", "t");
        let n = program.add_global(Variable::new("n", Type::INT32));
        let event = |name: &str| Event {
            name: name.into(),
            parameters: Vec::new(),
            story: Some(format!("it goes {name}")),
            detail: false,
        };
        let up = program.add_event(event("up"));
        let down = program.add_event(event("down"));
        let pool = &mut program.exprs;
        let now = pool.load(Place::global(n), Type::INT32);
        let (zero, one, three) = (
            pool.int(0, Type::INT32),
            pool.int(1, Type::INT32),
            pool.int(3, Type::INT32),
        );
        let more = pool.binary(Binary::Add, now, one);
        let low = pool.binary(Binary::Lt, now, three);
        let mut process = Process::new("p");
        let at = process.add_location("at", Mode::Open, Span::NONE);
        for (event, value) in [(up, more), (down, zero)] {
            let mut step = Step::new(at, at, Span::NONE);
            step.body = vec![
                Stmt::Emit {
                    event,
                    args: Vec::new(),
                    span: Span::NONE,
                },
                Stmt::Assign(Place::global(n), value),
            ];
            process.add_step(step);
        }
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        program.add_property(Property {
            name: "low".into(),
            text: "always n < 3".into(),
            span: Span::NONE,
            claim: Claim::Always(low),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        program
    }

    fn told(system: &InMemory, act: impl Fn(&Run<'_>) -> u8) -> (u8, String) {
        let (program, sources) = (counter(), SourceMap::new());
        let run = Run::new(&sources, &program, TextOptions::default(), system);
        let status = act(&run);
        (status, system.out())
    }

    #[test]
    fn a_random_run_depends_on_its_seed_alone() {
        let walk = |seed| told(&InMemory::default(), |run| run.random(seed, 30)).1;
        assert_eq!(walk(1), walk(1));
        assert_ne!(walk(1), walk(2));
        assert!(walk(1).contains("Stopped after 30 events."));
    }

    #[test]
    fn a_chosen_run_goes_where_it_is_told_and_back() {
        let system = InMemory::default().with_input(&["1", "1", "b", "nine", "1", "1", "q"]);
        let (status, text) = told(&system, |run| run.interactive(100));
        assert_eq!(status, 0);
        assert!(text.contains("1) it goes up"), "{text}");
        assert!(text.contains("Please give a number from 1 to 2"), "{text}");
        assert!(text.contains("n 2 -> 3\n  => low is violated\n"), "{text}");
        assert!(text.ends_with("Stopped after 3 events.\n"), "{text}");
    }

    #[test]
    fn a_trace_file_is_replayed_or_refused() {
        let program = counter();
        let interp = Interp::new(&program);
        let (_, state) = interp.initial().unwrap().remove(0);
        let step = interp.expand(&state).unwrap().successors.remove(0).step;
        let trace = Trace {
            initial: Vec::new(),
            steps: vec![step; 3],
            loop_start: None,
        };
        let mut file = TraceFile {
            version: report::TRACE_VERSION,
            file: "counter".into(),
            bounds: Vec::new(),
            traces: vec![report::TracedProperty::new(&program, Some("low"), &trace)],
        };
        let (status, text) = told(&InMemory::default(), |run| run.replay(&file, Some("low")));
        assert_eq!(status, 0, "{text}");
        assert!(
            text.starts_with("The run of low\n    1. it goes up\n"),
            "{text}"
        );
        assert!(text.ends_with("=> low is violated\n"), "{text}");
        let (status, _) = told(&InMemory::default(), |run| run.replay(&file, Some("other")));
        assert_eq!(status, 2);
        file.traces[0].steps[1].moves[0].parts[0].step = Some(9);
        let system = InMemory::default();
        let (status, _) = told(&system, |run| run.replay(&file, None));
        assert_eq!(status, 2);
        assert!(system.err().contains("the script has no such run"));
    }
}
