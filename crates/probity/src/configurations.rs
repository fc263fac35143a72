//! `probity simulate` of programs over logical structures: configurations, one after the other, on
//! their interpreter.

use std::sync::atomic::Ordering;

use model::predicates::{
    Concrete, EndlessRun, Kleene, PredicateProgram, PredicateRun, Structure, Taken,
};
use model::{Claim, MessageId, Program};
use report::{
    Narrator, TextOptions, TraceFile, TracedProperty, beginning, beginning_line, shown, step_lines,
};

use crate::simulate::{SplitMix, say_styled};
use crate::system::System;

/// An individual that may stand for several stands for so many in a run.
const SEVERAL: usize = 2;
/// Choices listed at once.
const MOST_CHOICES: usize = 40;

/// How what happens is chosen.
pub(crate) enum Choice {
    /// By lot.
    Lot(SplitMix),
    /// The user says it.
    User,
}

/// Tells runs of one program.
pub(crate) struct Configurations<'a> {
    pub(crate) program: &'a Program,
    pub(crate) predicates: &'a PredicateProgram,
    pub(crate) narrator: Narrator<'a>,
    pub(crate) options: TextOptions,
    pub(crate) system: &'a dyn System,
}

impl Configurations<'_> {
    fn say(&self, line: &str) {
        self.system.out(&format!("{line}\n"));
    }

    fn say_styled(&self, line: &str) {
        say_styled(self.system, self.options, line);
    }

    fn begin(&self, names: &[String], initial: &Structure) {
        let first = shown(&beginning(self.predicates, names, initial));
        if let Some(line) = beginning_line(&first, self.options) {
            self.say_styled(&line);
        }
    }

    fn tell(&self, names: &[String], number: usize, before: &Structure, taken: &Taken) {
        let narrator = &self.narrator;
        let step = narrator.configuration_step(self.predicates, names, number, before, taken);
        for line in step_lines(&shown(&step), self.options) {
            self.say_styled(&line);
        }
    }

    /// Says what is reported where the run is, and has not been said.
    fn reports(&self, places: &[Structure], said: &mut Vec<MessageId>) {
        let concrete = Concrete::new(self.predicates);
        for property in &self.program.properties {
            let Claim::Silent(message) = property.claim else {
                continue;
            };
            let mut places = places.iter();
            let reported = places.any(|state| concrete.report(state, message).is_some());
            if !said.contains(&message) && reported {
                said.push(message);
                self.say(&format!("  => {} is violated", property.name));
            }
        }
    }

    /// Says what a step reports where it leads, and has not been said.
    fn reports_after(&self, taken: &Taken, said: &mut Vec<MessageId>) {
        for property in &self.program.properties {
            let Claim::Silent(message) = property.claim else {
                continue;
            };
            if !said.contains(&message) && taken.reported_after.contains(&message) {
                said.push(message);
                self.say(&format!("  => {} is violated", property.name));
            }
        }
    }

    /// A run, of which each step is chosen.
    pub(crate) fn run(&self, mut choice: Choice, steps: usize) -> u8 {
        self.say(&match &choice {
            Choice::Lot(random) => format!("A random run (seed {})", random.0),
            Choice::User => "Each time: a number for what happens, q to stop.".to_owned(),
        });
        let concrete = Concrete::new(self.predicates);
        let Some((mut names, mut places)) = self.first(&mut choice) else {
            return 0;
        };
        self.begin(&names, &places[0]);
        let mut said = Vec::new();
        self.reports(&places, &mut said);
        let mut made = 0;
        while made < steps && !self.system.stop().load(Ordering::Relaxed) {
            let mut all: Vec<(Taken, Vec<Structure>)> = Vec::new();
            for place in &places {
                let Some(some) = concrete.successors(place) else {
                    self.say("A choice is among more values than can be listed.");
                    return 0;
                };
                some.into_iter().for_each(|taken| self.add(&mut all, taken));
            }
            // What changes nothing tells nothing.
            let now = self.without_turn(&places[0]);
            all.retain(|(_, after)| self.without_turn(&after[0]) != now);
            if all.is_empty() {
                self.say("Nothing more can happen.");
                return 0;
            }
            let chosen = match &mut choice {
                Choice::Lot(random) => Some(random.below(all.len())),
                Choice::User => self.ask(&names, &places[0], &all),
            };
            let Some(chosen) = chosen else {
                break;
            };
            let (taken, after) = all.swap_remove(chosen);
            made += 1;
            self.tell(&names, made, &places[0], &taken);
            names = self.predicates.names_after(&names, &taken);
            places = after;
            self.reports_after(&taken, &mut said);
            self.reports(&places, &mut said);
        }
        self.say(&format!("Stopped after {made} steps."));
        0
    }

    /// Adds what can happen to what is like it, but for whose turn it is afterwards: that is not chosen
    /// until the next step is.
    fn add(&self, all: &mut Vec<(Taken, Vec<Structure>)>, taken: Taken) {
        let like = |other: &Taken| {
            other.action == taken.action
                && other.assignment == taken.assignment
                && self.without_turn(&other.state) == self.without_turn(&taken.state)
        };
        match all.iter_mut().find(|(other, _)| like(other)) {
            Some((_, places)) => {
                if !places.contains(&taken.state) {
                    places.push(taken.state);
                }
            }
            None => {
                let place = taken.state.clone();
                all.push((taken, vec![place]));
            }
        }
    }

    fn without_turn(&self, state: &Structure) -> Structure {
        let mut state = state.clone();
        if let Some(turn) = self.predicates.turn {
            state.values[turn.index()].fill(Kleene::False);
        }
        state
    }

    /// Where a run begins, and what its individuals are called.
    fn first(&self, choice: &mut Choice) -> Option<(Vec<String>, Vec<Structure>)> {
        let concrete = Concrete::new(self.predicates);
        let mut all: Vec<(Vec<String>, Vec<Structure>)> = Vec::new();
        for (number, structure) in self.predicates.initial.iter().enumerate() {
            let several = structure.summary.iter();
            let counts: Vec<usize> = several
                .map(|&several| if several { SEVERAL } else { 1 })
                .collect();
            let names = self.predicates.names(number, &counts);
            let Some(some) = concrete.concretisations(structure, &counts) else {
                self.say("There are more beginnings than can be listed.");
                continue;
            };
            let own = all.len();
            for (_, state) in some {
                let like = |(_, places): &&mut (Vec<String>, Vec<Structure>)| {
                    self.without_turn(&places[0]) == self.without_turn(&state)
                };
                match all[own..].iter_mut().find(like) {
                    Some((_, places)) => places.push(state),
                    None => all.push((names.clone(), vec![state])),
                }
            }
        }
        if all.is_empty() {
            self.say("There is no initial configuration: the rules exclude all of them.");
            return None;
        }
        let at = match choice {
            Choice::Lot(random) => random.below(all.len()),
            Choice::User => 0,
        };
        Some(all.swap_remove(at))
    }

    /// Lists what can happen and lets the user choose; `None`: to stop.
    fn ask(
        &self,
        names: &[String],
        state: &Structure,
        all: &[(Taken, Vec<Structure>)],
    ) -> Option<usize> {
        for (index, (taken, _)) in all.iter().take(MOST_CHOICES).enumerate() {
            let step =
                self.narrator
                    .configuration_step(self.predicates, names, index + 1, state, taken);
            let listed = step.happenings.iter().map(|happening| {
                let who = happening.who.as_deref().unwrap_or("anybody");
                format!("{who}  {}", happening.text)
            });
            let listed: Vec<String> = listed.collect();
            self.say(&format!("{:>6}) {}", index + 1, listed.join("; ")));
        }
        if all.len() > MOST_CHOICES {
            self.say(&format!(
                "        ... and more, up to {}; their numbers work too",
                all.len()
            ));
        }
        loop {
            let line = self.system.line()?;
            match (line.trim(), line.trim().parse::<usize>()) {
                ("q", _) => return None,
                (_, Ok(number)) if (1..=all.len()).contains(&number) => return Some(number - 1),
                _ => self.say(&format!(
                    "Please give a number from 1 to {}, or q.",
                    all.len()
                )),
            }
        }
    }

    /// Tells kept runs.
    pub(crate) fn replay(&self, file: &TraceFile, property: Option<&str>) -> u8 {
        let mut told = false;
        for traced in &file.traces {
            if property.is_some() && property != traced.property.as_deref() {
                continue;
            }
            told = true;
            if let Err(why) = self.kept(traced) {
                self.system.err(&format!("error: {why}\n"));
                return 2;
            }
        }
        if !told {
            let which = property.map_or(String::new(), |name| format!(" of `{name}`"));
            let message = format!("error: the trace file has no run{which}\n");
            self.system.err(&message);
            return 2;
        }
        1
    }

    fn kept(&self, traced: &TracedProperty) -> Result<(), String> {
        let name = traced.property.as_deref().unwrap_or_default();
        if !traced.is_unbroken() {
            return Err(format!("the run of `{name}` was changed since it was kept"));
        }
        let own = self.program.properties.iter().find(|own| own.name == name);
        let trace = traced.trace(self.program);
        let trace = trace.map_err(|error| format!("failed to {error}"))?;
        let run = match own.map(|own| &own.claim) {
            Some(Claim::Silent(message)) => PredicateRun::replay(self.predicates, &trace, *message)
                .map(|run| (run.initial, run.names, run.steps)),
            Some(Claim::Configurations(automaton)) => {
                EndlessRun::replay(self.predicates, &trace, automaton)
                    .map(|run| (run.initial, run.names, run.steps))
            }
            _ => return Err(format!("the model has no property `{name}`")),
        };
        let (initial, mut names, steps) = run.map_err(|error| {
            format!("the model has no such run of `{name}` (was it changed?): {error}")
        })?;
        self.say(&format!("The run of {name}"));
        self.begin(&names, &initial);
        let mut before = &initial;
        for (index, taken) in steps.iter().enumerate() {
            if trace.loop_start == Some(index) {
                self.say("  from here on the run repeats for ever:");
            }
            self.tell(&names, index + 1, before, taken);
            names = self.predicates.names_after(&names, taken);
            before = &taken.state;
        }
        self.say(&format!("  => {name} is violated"));
        Ok(())
    }
}
