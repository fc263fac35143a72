//! `probity simulate`: a run of the script, random, chosen or replayed, told as it happens.
//!
//! The run is made on the reference interpreter, so it is by definition one that the script has.

mod interactive;
mod kept_run;
mod logged;
mod saved;
mod words;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use language::{BOUND, DEFINE, SIMULATE};
use model::interp::{Interp, ReplayedStep, State, Successor, Violation};
use model::{Claim, MacroStep, Program, PropertyId, Value};
use report::{
    FailureOf, Narrator, Sequence, TextOptions, TraceFile, beginning_line, content_digest, shown,
    step_lines, waiting_lines,
};
use source::SourceMap;

use self::kept_run::{checked_anew, is_spin_trail};
use self::words::{deeds, events, reason};
use crate::check::{kept_property, read_file, show};
use crate::color::use_color;
use crate::command_line::{GivenLimits, Input, SimulateInvocation};
use crate::concrete;
use crate::config;
use crate::configurations::{Choice, Configurations};
use crate::destinations::try_outputs;
use crate::fit::misplaced;
use crate::system::{Stream, System};

/// Choices listed at once.
const MOST_CHOICES: usize = 40;
/// Steps of a run that is told by events, if nothing is said.
pub(crate) const SOME_EVENTS: usize = 20;
/// Steps of a run that is told by statements, if nothing is said.
const SOME_STATEMENTS: usize = 1000;

/// Runs, tells and returns the exit status: 0, or 2 for bad input; 1 for a kept run that still
/// violates its property.
pub(crate) fn run(invocation: &SimulateInvocation, system: &dyn System) -> u8 {
    if let Some(message) = misplaced(&invocation.input, [invocation.path.as_path()]) {
        system.err(&format!("error[CLI0006]: {message}\n"));
        return 2;
    }
    let stated = |input: &Input| config::input(input, &invocation.path, SIMULATE, system);
    if invocation.concrete {
        return match stated(&invocation.input) {
            Ok(input) => concrete::run(invocation, &input, system),
            Err(status) => status,
        };
    }
    let mut input = invocation.input.clone();
    input.whole = true;
    // A run that was kept may be one of a check that nobody wrote.
    input.unasked = invocation.replay.is_some();
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
        if is_spin_trail(&text) {
            system.err(&format!(
                "error: `{}` is a trail of SPIN's: it holds numbers of transitions of one \
                 particular generated verifier, which mean nothing elsewhere; let `probity check` \
                 find the run, and keep it with --trace\n",
                path.display()
            ));
            return 2;
        }
        match TraceFile::from_json(&text) {
            Ok(read) => {
                // The run was made within these bounds; the command line may state others.
                let pairs = |all: &[String]| -> Vec<String> {
                    let pairs = all.iter().filter(|pair| pair.contains('='));
                    pairs.cloned().collect()
                };
                for (option, own) in [(&BOUND, &read.bounds), (&DEFINE, &read.defines)] {
                    let own = pairs(own);
                    let own = own.iter().map(String::as_str);
                    input.settings.put_before(option.name, own);
                }
                file = Some(read);
            }
            Err(error) => {
                system.err(&format!("error: failed to {error}\n"));
                return 2;
            }
        }
    }
    let input = match stated(&input) {
        Ok(input) => input,
        Err(status) => return status,
    };
    let inputs = [vec![invocation.path.clone()], input.files()].concat();
    let inputs: Vec<PathBuf> = inputs
        .into_iter()
        .chain(invocation.replay.clone())
        .collect();
    let html = ("--html", invocation.html.as_deref(), false);
    let save = ("--save", invocation.save.as_deref(), false);
    if let Err(message) = try_outputs(&[html, save], &inputs, invocation.overwrite, system) {
        system.err(&format!("error: {message}\n"));
        return 2;
    }
    let mut texts: Vec<String> = Vec::new();
    let traces = file.iter().flat_map(|file| &file.traces);
    for text in traces.filter_map(|traced| traced.text.as_ref()) {
        if !texts.contains(text) {
            texts.push(text.clone());
        }
    }
    let (read, _) = read_file(&invocation.path, &input, &texts, system);
    let loaded = read.loaded;
    show(&loaded.diagnostics, &loaded.sources, system);
    let Some(program) = &loaded.program else {
        return 2;
    };
    let options = TextOptions {
        verbose: invocation.verbose,
        quiet: false,
        color: use_color(invocation.color, Stream::Out, system),
        explain_passes: false,
    };
    let digest = content_digest(&loaded.sources);
    let was = file.as_ref().and_then(|file| file.content.as_ref());
    let is_changed = was.is_some_and(|was| *was != digest);
    if let Some(file) = &file
        && is_changed
    {
        let name = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
        if name(Path::new(&file.file)) != name(&invocation.path) {
            system.err(&format!(
                "error: the run is one of {}, and {} is another script\n",
                file.file,
                invocation.path.display()
            ));
            return 2;
        }
        system.err(&format!(
            "warning: {} was changed since the run was kept\n",
            invocation.path.display()
        ));
    }
    if let Some(predicates) = &program.predicates {
        if invocation.save.is_some() {
            system.err("error: --save: runs of structures are not kept\n");
            return 2;
        }
        if invocation.sequence || invocation.html.is_some() {
            system.err("error: --sequence and --html draw messages, and this model has none\n");
            return 2;
        }
        let run = Configurations {
            program,
            predicates,
            narrator: Narrator::new(&loaded.sources, program, FailureOf::Any),
            options,
            system,
        };
        let choice = match invocation.interactive {
            true => Choice::User,
            false => Choice::Lot(SplitMix(invocation.seed)),
        };
        return match file {
            Some(file) => run.replay(&file, invocation.property.as_deref()),
            None => run.run(choice, invocation.steps.unwrap_or(SOME_EVENTS)),
        };
    }
    let program = match &file {
        Some(file) => level_of(file, invocation.property.as_deref(), program),
        None => program,
    };
    let keeps = invocation.save.as_deref().map(|out| Keeps {
        out,
        script: &invocation.path,
        input: &input,
        digest: &digest,
        texts: &texts,
    });
    let run = Run {
        keeps,
        ..Run::new(&loaded.sources, program, options, system)
    };
    let steps = invocation.steps.unwrap_or(if program.display.steps {
        SOME_STATEMENTS
    } else {
        SOME_EVENTS
    });
    let status = match file {
        Some(file) if invocation.interactive => {
            run.along(&file, invocation.property.as_deref(), steps)
        }
        Some(file) => {
            let changed = is_changed.then_some(invocation.limits);
            run.replay(&file, invocation.property.as_deref(), &texts, changed)
        }
        None if invocation.interactive => run.interactive(steps, None),
        None => match &invocation.log {
            Some(log) => run.of_log(log, invocation),
            None => run.random(invocation.seed, steps),
        },
    };
    run.draw(invocation).unwrap_or(status)
}

/// Of a program and its [coarser ones](Program::coarse) the first that has a kept run of the property.
fn level_of<'p>(file: &TraceFile, property: Option<&str>, program: &'p Program) -> &'p Program {
    let mut asked = file
        .traces
        .iter()
        .filter(|traced| property.is_none() || property == traced.property.as_deref());
    let Some(traced) = asked.next() else {
        return program;
    };
    let has_run = |program: &Program| {
        let trace = traced.trace(program);
        trace.is_ok_and(|trace| Interp::new(program).replay(&trace).is_ok())
    };
    std::iter::successors(Some(program), |program| program.coarse.as_deref())
        .find(|program| has_run(program))
        .unwrap_or(program)
}

/// Where a run is to be kept, and what is to be known of it.
struct Keeps<'k> {
    out: &'k Path,
    script: &'k Path,
    input: &'k Input,
    /// The digest of the script.
    digest: &'k str,
    /// The properties of the command line among those of the program.
    texts: &'k [String],
}

/// What a run has come to.
struct Course {
    /// What was chosen in the initial state, and in each step.
    chosen: Vec<Value>,
    steps: Vec<MacroStep>,
    initial: State,
    made: Vec<ReplayedStep>,
    violated: Vec<PropertyId>,
}

impl Course {
    fn new(chosen: Vec<Value>, initial: State) -> Course {
        Course {
            chosen,
            steps: Vec::new(),
            initial,
            made: Vec::new(),
            violated: Vec::new(),
        }
    }

    /// The state after so many steps.
    fn state(&self, position: usize) -> &State {
        match position {
            0 => &self.initial,
            n => &self.made[n - 1].state,
        }
    }

    fn now(&self) -> &State {
        self.state(self.made.len())
    }
}

/// A run under way.
struct Run<'a> {
    program: &'a Program,
    interp: Interp<'a>,
    narrator: Narrator<'a>,
    options: TextOptions,
    system: &'a dyn System,
    /// What has been told, and not taken back.
    told: RefCell<Vec<ReplayedStep>>,
    /// Whether it has been said that choices are sampled.
    sampled: Cell<bool>,
    /// Where what the user walks is kept.
    keeps: Option<Keeps<'a>>,
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
            interp: Interp::new(program).with_samples(),
            narrator: Narrator::new(sources, program, FailureOf::Any),
            options,
            system,
            told: RefCell::default(),
            sampled: Cell::default(),
            keeps: None,
        }
    }

    /// Draws the messages of the run, where that is asked for; gives a status if that fails.
    fn draw(&self, invocation: &SimulateInvocation) -> Option<u8> {
        let sequence = Sequence::of(self.program, &self.told.borrow());
        if invocation.sequence {
            self.say("");
            sequence.lines().iter().for_each(|line| self.say(line));
        }
        let out = invocation.html.as_ref()?;
        let title = invocation.path.to_string_lossy();
        match self.system.write(out, &sequence.page(&title)) {
            Ok(()) => None,
            Err(error) => {
                let out = out.display();
                self.system
                    .err(&format!("error: --html: write {out}: {error}\n"));
                Some(3)
            }
        }
    }

    fn say(&self, line: &str) {
        self.system.out(&format!("{line}\n"));
    }

    fn say_styled(&self, line: &str) {
        say_styled(self.system, self.options, line);
    }

    /// The initial state to start from, as `pick` picks from so many, or `None` if there are none.
    fn start(&self, pick: impl FnOnce(usize) -> usize) -> Option<Course> {
        match self.interp.initial() {
            Ok(mut initial) if !initial.is_empty() => {
                let (chosen, state) = initial.swap_remove(pick(initial.len()));
                self.begin(&state);
                Some(Course::new(chosen, state))
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
        let first = shown(&self.narrator.beginning(state));
        if let Some(line) = beginning_line(&first, self.options) {
            self.say_styled(&line);
        }
    }

    /// What a step of the run is called.
    fn unit(&self) -> &'static str {
        if self.program.display.steps {
            "steps"
        } else {
            "events"
        }
    }

    fn stopped(&self, course: &Course) -> u8 {
        self.say(&format!(
            "Stopped after {} {}.",
            course.made.len(),
            self.unit()
        ));
        match self.system.stop().load(Ordering::Relaxed) {
            true => 3,
            false => 0,
        }
    }

    fn random(&self, seed: u64, steps: usize) -> u8 {
        self.say(&format!("A random run (seed {seed})"));
        let mut random = SplitMix(seed);
        let Some(mut course) = self.start(|count| random.below(count)) else {
            return 0;
        };
        while course.made.len() < steps && !self.system.stop().load(Ordering::Relaxed) {
            let Some(mut next) = self.choices(&course) else {
                return 0;
            };
            let step = next.swap_remove(random.below(next.len())).step;
            self.go(&mut course, &step);
            if self.program.display.steps && !course.violated.is_empty() {
                break;
            }
        }
        self.stopped(&course)
    }

    /// Tells kept runs. `texts` are the properties of the command line among theirs. The exit status is 1
    /// if a run still violates its property, 0 if none does any more. A script that was `changed` may have
    /// the run no longer, or have it in other steps: then its property is checked anew, within these limits.
    fn replay(
        &self,
        file: &TraceFile,
        property: Option<&str>,
        texts: &[String],
        changed: Option<GivenLimits>,
    ) -> u8 {
        let (mut told, mut violated, mut open) = (false, false, false);
        for traced in &file.traces {
            if property.is_some() && property != traced.property.as_deref() {
                continue;
            }
            told = true;
            if !traced.is_unbroken() {
                let which = traced
                    .property
                    .as_deref()
                    .unwrap_or("nothing in particular");
                self.system.err(&format!(
                    "error: the run of `{which}` was changed since it was kept\n"
                ));
                return 2;
            }
            if let Some(name) = &traced.property {
                self.say(&format!("The run of {name}"));
            }
            let replayed = traced
                .trace(self.program)
                .map_err(|error| error.to_string())
                .and_then(|trace| {
                    let replay = self.interp.replay(&trace);
                    let replay = replay.map_err(|error| error.to_string())?;
                    Ok((trace, replay))
                });
            let (trace, replay) = match replayed {
                Ok(replayed) => replayed,
                Err(error) => {
                    if let Some(limits) = changed
                        && let Some(at) = kept_property(self.program, traced, texts)
                    {
                        self.say("  the script has no such run any more");
                        match checked_anew(self.program, at, limits, self.system) {
                            Some(violates) => violated |= violates,
                            None => open = true,
                        }
                        continue;
                    }
                    self.system.err(&format!(
                        "error: failed to {error}: the script has no such run (was it changed, \
                         or are the bounds or macros others?)\n"
                    ));
                    return 2;
                }
            };
            self.begin(&replay.initial);
            let count = replay.steps.len();
            let mut course = Course::new(trace.initial.clone(), replay.initial);
            for (index, step) in replay.steps.into_iter().enumerate() {
                if traced.repeats_from == Some(index) {
                    self.say("  and then this repeats for ever:");
                }
                course.made.push(step);
                self.tell_last(&mut course);
            }
            if traced.repeats_from == Some(count) {
                self.say("  and then nothing more happens, for ever");
            }
            let Some(name) = &traced.property else {
                continue;
            };
            let Some(at) = kept_property(self.program, traced, texts) else {
                self.system
                    .err(&format!("error: the script has no property `{name}`\n"));
                return 2;
            };
            match verify::confirm(self.program, at, &trace) {
                Ok(_) => {
                    violated = true;
                    // What the last step violates has been said.
                    if !course.violated.contains(&at) {
                        self.say(&format!("  => {name} is violated"));
                    }
                }
                Err(_) => self.say(&format!("  => {name} is not violated by this run")),
            }
        }
        if violated {
            1
        } else if told {
            if open { 3 } else { 0 }
        } else {
            let which = property.map_or(String::new(), |name| format!(" of `{name}`"));
            self.system
                .err(&format!("error: the trace file has no run{which}\n"));
            2
        }
    }

    /// What can happen next, or `None` (and the reason is told) if nothing can.
    fn choices(&self, course: &Course) -> Option<Vec<Successor>> {
        match self.interp.expand(course.now()) {
            Ok(expansion) => {
                if expansion.sampled && !self.sampled.replace(true) {
                    self.say("Of a wide choice, only some of its values are offered.");
                }
                if expansion.diverges.is_some() {
                    self.say("Something here could go on for ever without coming to an end.");
                }
                if expansion.successors.is_empty() {
                    self.say_end(course.now());
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

    /// Says why nothing more happens.
    fn say_end(&self, state: &State) {
        if !self.program.display.steps {
            self.say("Nothing more can happen.");
            return;
        }
        let waiting = self.narrator.waiting(state);
        if waiting.is_empty() {
            self.say("All processes have ended.");
            return;
        }
        let may_end = waiting.iter().all(|waiting| waiting.may_end);
        self.say(if may_end {
            "No process can move, and all that are left may end where they are:"
        } else {
            "No process can move:"
        });
        for line in waiting_lines(&shown(&waiting), self.options) {
            self.say_styled(&line);
        }
    }

    /// The step, replayed from where the run is.
    fn replayed(&self, course: &Course, step: &MacroStep) -> ReplayedStep {
        self.interp
            .replay_step(course.made.len(), course.now(), step)
            .expect("the interpreter accepts what it enumerated")
            .0
    }

    /// A step that may be made next, on one line.
    fn in_short(&self, course: &Course, step: &ReplayedStep) -> String {
        let step = self
            .narrator
            .step(course.made.len() + 1, course.now(), step);
        if self.program.display.steps {
            deeds(&step)
        } else {
            events(&step)
        }
    }

    fn list(&self, course: &Course, next: &[Successor]) {
        for (index, successor) in next.iter().take(MOST_CHOICES).enumerate() {
            let replayed = self.replayed(course, &successor.step);
            let text = self.in_short(course, &replayed);
            self.say(&format!("{:>6}) {text}", index + 1));
        }
        if next.len() > MOST_CHOICES {
            self.say(&format!(
                "        ... and more, up to {}; their numbers work too",
                next.len()
            ));
        }
    }

    /// Makes a step and tells it.
    fn go(&self, course: &mut Course, step: &MacroStep) {
        let made = self.replayed(course, step);
        course.made.push(made);
        course.steps.push(step.clone());
        self.tell_last(course);
    }

    /// Tells the last step, and which properties are violated for the first time.
    fn tell_last(&self, course: &mut Course) {
        let last = course.made.len();
        let step = &course.made[last - 1];
        self.told.borrow_mut().push(step.clone());
        let before = course.state(last - 1);
        let told = shown(&self.narrator.step(last, before, step));
        for line in step_lines(&told, self.options) {
            self.say_styled(&line);
        }
        let wrong: Vec<Violation> = step
            .occurrences
            .iter()
            .filter_map(model::interp::Occurrence::violation)
            .collect();
        for (number, property) in self.program.properties.iter().enumerate() {
            let id = PropertyId::new(number);
            let violates = match &property.claim {
                Claim::Check(check) => wrong.contains(&Violation::Check(*check)),
                Claim::NoFault(faults) => faults
                    .iter()
                    .any(|fault| wrong.contains(&Violation::Fault(*fault))),
                Claim::Always(condition) => {
                    matches!(self.interp.holds(&step.state, *condition), Ok(false))
                }
                _ => false,
            };
            if violates && !course.violated.contains(&id) {
                course.violated.push(id);
                self.say(&format!("  => {} is violated", property.name));
            }
        }
    }
}

/// Prints a line of which all but its own colours has been made fit for a terminal.
pub(crate) fn say_styled(system: &dyn System, options: TextOptions, line: &str) {
    let line = format!("{line}\n");
    if options.color {
        system.write_out(&line);
    } else {
        system.out(&line);
    }
}

/// A small random number generator: Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("less than a usize")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;
    use model::{
        Binary, Event, Mode, Place, Process, Property, Start, Step, Stmt, Trace, Type, Variable,
    };
    use source::Span;

    /// A counter that goes up to three or back to nought.
    fn counter() -> Program {
        let mut program = Program::new("counter", "t");
        let n = program.add_global(Variable::new("n", Type::INT32));
        let event = |name: &str| Event {
            name: name.into(),
            parameters: Vec::new(),
            story: Some(format!("it goes {name}")),
            visibility: model::Visibility::Told,
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
        let (status, text) = told(&system, |run| run.interactive(100, None));
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
            content: None,
            bounds: Vec::new(),
            defines: Vec::new(),
            traces: vec![report::TracedProperty::new(&program, Some("low"), &trace)],
        };
        let (status, text) = told(&InMemory::default(), |run| {
            run.replay(&file, Some("low"), &[], None)
        });
        assert_eq!(status, 1, "{text}");
        assert!(
            text.starts_with("The run of low\n    1. it goes up\n"),
            "{text}"
        );
        assert!(text.ends_with("=> low is violated\n"), "{text}");
        let (status, _) = told(&InMemory::default(), |run| {
            run.replay(&file, Some("other"), &[], None)
        });
        assert_eq!(status, 2);
        file.traces[0].steps[1].moves[0].parts[0].step = Some(9);
        let system = InMemory::default();
        let (status, _) = told(&system, |run| run.replay(&file, None, &[], None));
        assert_eq!(status, 2);
        assert!(system.err().contains("changed since it was kept"));
        file.traces[0].seal = None;
        let system = InMemory::default();
        let (status, _) = told(&system, |run| run.replay(&file, None, &[], None));
        assert_eq!(status, 2);
        assert!(system.err().contains("the script has no such run"));
    }
}
