//! The bus in Java and its tools, concretely: the tree of a script is walked as it stands, with values
//! that are drawn at random. It knows nothing of how Probity reads scripts.
//!
//! Tools are those of the bus's own adapter: an event is not sent again before it has been acknowledged,
//! one question is asked at a time, and what is answered may be anything.

use std::collections::BTreeSet;

use super::maker::{INTS, REALS, Random, TEXTS};
use super::rest::{First, Inside, Tests, firsts, insides};
use super::script::{Act, CALLED, Kind, Proc, Script, Term, kind};
use super::unfold::{Unfolded, unfold};
use super::value::{Env, Filled, Halt, Val, closed, fits, meet, real, takes, undefined, value};

/// Notes that wait for a process, at most.
const MOST_NOTES: usize = 3;

struct Instance {
    /// Which of the processes that are started with the bus it is.
    started: Option<usize>,
    rest: Proc,
    env: Env,
    /// Ticks since its last step.
    clock: u32,
    subscriptions: BTreeSet<&'static str>,
    notes: Vec<Val>,
}

struct Tool {
    name: Val,
    /// Whether the bus knows it.
    active: bool,
    /// Whether the bus has noticed that it has gone.
    lost: bool,
    /// Whether it has been told to go.
    ending: bool,
    /// Whether it has been asked something that it has not answered.
    busy: bool,
    answers: Vec<Val>,
    events: Vec<Val>,
    /// The words of events that have not been acknowledged.
    waiting: BTreeSet<String>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It could go on.
    Open,
    /// Every process has come to its end.
    Done,
    /// Nothing can happen any more.
    Stuck,
    /// An expression has no value.
    Halted,
    /// Everything has been shut down.
    Down,
}

/// What a run shows.
pub(crate) struct Run {
    pub(crate) labels: Vec<usize>,
    pub(crate) ending: Ending,
    /// The processes, by their numbers, that wait for ever, if nothing can happen any more.
    pub(crate) wedged: Vec<usize>,
    /// Whether a process has come to its end with a subscription left.
    pub(crate) subscribed: bool,
}

/// Something that can happen next.
enum Next {
    /// Of a process: the tests are asked, then it is done.
    Does(usize, First),
    Meets(usize, First, usize, First),
    Inside(usize, Inside),
    Answers(usize),
    Sends(usize, usize),
    Vanishes(usize),
    Ticks,
}

struct World<'s, 'r> {
    script: &'s Script,
    random: &'r mut Random,
    instances: Vec<Instance>,
    tools: Vec<Tool>,
    labels: Vec<usize>,
    /// What the script listens for: events, values.
    events: Vec<Term>,
    values: Vec<Term>,
    /// What is started later.
    called: Vec<Unfolded>,
    down: bool,
}

/// What tools may send that other machines play.
pub(crate) struct MadeUp {
    pub(crate) events: Vec<Val>,
    pub(crate) answers: Vec<Val>,
}

/// Values like those that a script listens for, and a few others.
pub(crate) fn made_up(script: &Script, random: &mut Random) -> MadeUp {
    let mut world = world(script, random);
    let (events, values) = (world.events.clone(), world.values.clone());
    let mut each = |all: &[Term]| -> Vec<Val> {
        let often = std::iter::repeat_n(all, 12).flatten();
        often.map(|pattern| world.made(pattern)).collect()
    };
    let events = each(&events);
    let mut answers = each(&values);
    if !script.polite {
        answers.push(Val::Word("odd".to_owned(), Vec::new()));
    }
    MadeUp { events, answers }
}

/// Nothing has happened yet.
fn world<'s, 'r>(script: &'s Script, random: &'r mut Random) -> World<'s, 'r> {
    let acts = script.acts();
    let events = acts.iter().filter_map(|act| match act {
        Act::Event(_, what) => Some(what.clone()),
        _ => None,
    });
    let values = acts.iter().filter_map(|act| match act {
        Act::Value(_, what) => Some(what.clone()),
        _ => None,
    });
    let mut world = World {
        events: events.collect(),
        values: values.collect(),
        script,
        random,
        instances: Vec::new(),
        tools: Vec::new(),
        labels: Vec::new(),
        called: script
            .called
            .iter()
            .map(|body| unfold(script, body))
            .collect(),
        down: false,
    };
    for (number, body) in script.processes.iter().enumerate() {
        world.start(&unfold(script, body), Some(number), None);
    }
    world
}

/// A run of at most so many steps.
pub(crate) fn run(script: &Script, random: &mut Random, steps: usize) -> Run {
    let mut world = world(script, random);
    let ending = world.run(steps);
    let ends = |one: &Instance| firsts(&one.rest).is_empty();
    let started = world.instances.iter().filter(|one| !ends(one));
    Run {
        wedged: match ending {
            Ending::Stuck => started.filter_map(|one| one.started).collect(),
            _ => Vec::new(),
        },
        // When everything is shut down nobody minds.
        subscribed: ending != Ending::Down
            && world
                .instances
                .iter()
                .any(|one| ends(one) && !one.subscriptions.is_empty()),
        labels: world.labels,
        ending,
    }
}

impl World<'_, '_> {
    /// Another instance; its number.
    fn start(&mut self, what: &Unfolded, started: Option<usize>, given: Option<(usize, Val)>) {
        let mut env = vec![undefined(); what.variables];
        if let Some((parameter, value)) = given {
            env[parameter] = value;
        }
        self.instances.push(Instance {
            started,
            rest: what.body.clone(),
            env,
            clock: 0,
            subscriptions: BTreeSet::new(),
            notes: Vec::new(),
        });
    }

    fn run(&mut self, steps: usize) -> Ending {
        for _ in 0..steps {
            if self.down {
                return Ending::Down;
            }
            if self
                .instances
                .iter()
                .all(|one| firsts(&one.rest).is_empty())
            {
                return Ending::Done;
            }
            let (mut inner, outer) = match self.all_next() {
                Ok(all) => all,
                Err(Halt) => return Ending::Halted,
            };
            if inner.is_empty() && outer.is_empty() {
                return match self.may_go_on() {
                    true => Ending::Open,
                    false => Ending::Stuck,
                };
            }
            // Processes mostly go first, as long as they can.
            let pick_inner = !inner.is_empty() && (outer.is_empty() || self.random.chance(75));
            let mut from = match pick_inner {
                true => std::mem::take(&mut inner),
                false => outer,
            };
            let at = self.random.below(from.len());
            let next = from.swap_remove(at);
            if self.step(next).is_err() {
                return Ending::Halted;
            }
        }
        Ending::Open
    }

    fn tool(&self, env: &Env, var: usize) -> Option<usize> {
        let tools = self.tools.iter();
        tools
            .enumerate()
            .find(|(_, tool)| tool.active && tool.name == env[var])
            .map(|(at, _)| at)
    }

    /// Whether the tests hold.
    fn asks(&self, who: usize, tests: &Tests) -> Result<bool, Halt> {
        for (test, wanted) in tests {
            match value(test, &self.instances[who].env, number_of(who))? {
                Val::Bool(truth) if truth == *wanted => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether the time for an action has come, and has not gone.
    fn in_time(&self, who: usize, (delay, timeout): (Option<u32>, Option<u32>)) -> bool {
        let clock = self.instances[who].clock;
        // No time at all is no limit.
        let over = timeout.is_some_and(|timeout| timeout > 0 && clock > timeout);
        !self.script.ticks || delay.is_none_or(|delay| clock >= delay) && !over
    }

    /// Whether an action that is not preferred may be done: nothing better can.
    fn is_best(&self, who: usize, unless: &[(Tests, Act)]) -> Result<bool, Halt> {
        for (tests, act) in unless {
            if self.asks(who, tests)? && self.can(who, act) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action can be done, but for its tests.
    fn can(&self, who: usize, act: &Act) -> bool {
        let this = &self.instances[who];
        let with = |var: &usize| self.tool(&this.env, *var).map(|at| &self.tools[at]);
        let has = |all: &[Val], what: &Term| {
            all.iter()
                .any(|one| fits(what, &this.env, one, &mut Vec::new()))
        };
        match act {
            // No more notes wait than a bound says.
            Act::SndNote(_) => self
                .instances
                .iter()
                .all(|one| one.notes.len() < MOST_NOTES),
            Act::Say(_)
            | Act::Tau
            | Act::Create(..)
            | Act::Shutdown
            | Act::Assign(..)
            | Act::Subscribe(_)
            | Act::Unsubscribe(_)
            | Act::Execute(_) => true,
            Act::SndMsg(_) | Act::RecMsg(_) => false,
            Act::CreateNamed(of, _) => self.named(&this.env[*of]).is_some(),
            Act::Terminate(var) => with(var).is_some(),
            Act::RecNote(what) => has(&this.notes, what),
            Act::NoNote(what) => !has(&this.notes, what),
            // One comes, once.
            Act::Connect(_) => !self.tools.iter().any(is_caller),
            Act::Disconnect(var) => with(var).is_some_and(|tool| tool.lost),
            Act::Eval(var, _) | Act::Do(var, _) => {
                with(var).is_some_and(|tool| !tool.lost && !tool.busy)
            }
            Act::Ack(var, _) => with(var).is_some(),
            Act::Event(var, what) => with(var).is_some_and(|tool| has(&tool.events, what)),
            Act::Value(var, what) => with(var).is_some_and(|tool| {
                let lazily = self.script.polite && tool.busy && !tool.lost;
                lazily || has(&tool.answers, what)
            }),
        }
    }

    /// What processes can do next, and what tools can.
    fn all_next(&mut self) -> Result<(Vec<Next>, Vec<Next>), Halt> {
        let mut inner = Vec::new();
        let all: Vec<Vec<First>> = self.instances.iter().map(|one| firsts(&one.rest)).collect();
        for (who, ways) in all.iter().enumerate() {
            for first in ways {
                let env = &self.instances[who].env;
                if !self.in_time(who, first.time) || !self.is_best(who, &first.unless)? {
                    continue;
                }
                // The bus asks first, and then looks whether the action is possible; but of notes, whether
                // there are any, and of messages, when one comes.
                let waits = match first.act {
                    Act::RecMsg(_) => true,
                    Act::RecNote(_) => self.instances[who].notes.is_empty(),
                    _ => false,
                };
                if !waits && self.asks(who, &first.tests)? && self.can(who, &first.act) {
                    inner.push(Next::Does(who, first.clone()));
                }
                let Act::SndMsg(sent) = &first.act else {
                    continue;
                };
                for (other, theirs) in all.iter().enumerate().filter(|(other, _)| *other != who) {
                    for second in theirs {
                        let Act::RecMsg(wanted) = &second.act else {
                            continue;
                        };
                        let receiver = &self.instances[other].env;
                        let (mut back, mut there) = (Vec::new(), Vec::new());
                        if meet((sent, env), (wanted, receiver), (&mut back, &mut there))
                            && self.in_time(other, second.time)
                            && self.asks(who, &first.tests)?
                            && self.asks(other, &second.tests)?
                        {
                            let (first, second) = (first.clone(), second.clone());
                            inner.push(Next::Meets(who, first, other, second));
                        }
                    }
                }
            }
            for inside in insides(&self.instances[who].rest) {
                let env = &self.instances[who].env;
                let (mut back, mut there) = (Vec::new(), Vec::new());
                let ends = ((&inside.sent, env), (&inside.wanted, env));
                if meet(ends.0, ends.1, (&mut back, &mut there))
                    && inside.times.iter().all(|time| self.in_time(who, *time))
                    && self.is_best(who, &inside.unless)?
                    && self.asks(who, &inside.tests)?
                {
                    inner.push(Next::Inside(who, inside));
                }
            }
        }
        let mut outer = Vec::new();
        let waits = |first: &First| first.time != (None, None);
        if self.script.ticks && all.iter().flatten().any(waits) {
            outer.push(Next::Ticks);
        }
        for (at, tool) in self
            .tools
            .iter()
            .enumerate()
            .filter(|(_, tool)| tool.active)
        {
            if tool.lost {
                continue;
            }
            if tool.busy && !self.script.polite {
                outer.push(Next::Answers(at));
            }
            for (number, event) in self.events.iter().enumerate() {
                let free = match event {
                    Term::Word(word, _) => !tool.waiting.contains(*word),
                    _ => false,
                };
                if free && tool.events.len() < 4 {
                    outer.push(Next::Sends(at, number));
                }
            }
            if tool.ending || is_caller(tool) && self.random.chance(15) {
                outer.push(Next::Vanishes(at));
            }
        }
        Ok((inner, outer))
    }

    /// Whether the world could still do something, though nothing of it can be done now.
    fn may_go_on(&self) -> bool {
        // Where somebody could go on but for a bound, nobody counts as waiting for ever.
        let listens = self.instances.iter().any(|one| {
            let all = firsts(&one.rest);
            all.iter()
                .any(|first| matches!(first.act, Act::Connect(_) | Act::SndNote(_)))
        });
        listens
            || self.tools.iter().any(|tool| {
                tool.active
                    && !tool.lost
                    && (tool.busy
                        || is_caller(tool)
                        || !tool.answers.is_empty()
                        // It has sent what nobody reads, which is taken not to be.
                        || !tool.events.is_empty())
            })
    }

    fn goes(&mut self, who: usize, rest: Proc, filled: Filled) {
        let this = &mut self.instances[who];
        this.rest = rest;
        this.clock = 0;
        for (var, value) in filled {
            this.env[var] = value;
        }
    }

    fn step(&mut self, next: Next) -> Result<(), Halt> {
        match next {
            Next::Does(who, first) => self.does(who, &first.act, first.rest)?,
            Next::Meets(who, first, other, second) => {
                let (Act::SndMsg(sent), Act::RecMsg(wanted)) = (&first.act, &second.act) else {
                    return Ok(());
                };
                let (mut back, mut there) = (Vec::new(), Vec::new());
                let (sender, receiver) = (&self.instances[who].env, &self.instances[other].env);
                meet((sent, sender), (wanted, receiver), (&mut back, &mut there));
                self.goes(who, first.rest, back);
                self.goes(other, second.rest, there);
            }
            Next::Inside(who, inside) => {
                let (mut back, mut there) = (Vec::new(), Vec::new());
                let env = &self.instances[who].env;
                let ends = ((&inside.sent, env), (&inside.wanted, env));
                meet(ends.0, ends.1, (&mut back, &mut there));
                back.extend(there);
                self.goes(who, inside.rest, back);
            }
            Next::Answers(at) => {
                let pattern = match self.random.chance(75) && !self.values.is_empty() {
                    true => self.random.one(&self.values).clone(),
                    false => Term::Word("odd", Vec::new()),
                };
                let answer = self.made(&pattern);
                let tool = &mut self.tools[at];
                tool.busy = false;
                tool.answers.push(answer);
            }
            Next::Sends(at, number) => {
                let pattern = self.events[number].clone();
                let event = self.made(&pattern);
                let tool = &mut self.tools[at];
                if let Val::Word(word, _) = &event {
                    tool.waiting.insert(word.clone());
                }
                tool.events.push(event);
            }
            Next::Ticks => {
                for one in &mut self.instances {
                    one.clock += 1;
                }
            }
            Next::Vanishes(at) => {
                let tool = &mut self.tools[at];
                tool.lost = true;
                tool.events.clear();
                tool.answers.clear();
                tool.busy = false;
            }
        }
        Ok(())
    }

    fn does(&mut self, who: usize, act: &Act, rest: Proc) -> Result<(), Halt> {
        let mut filled: Filled = Vec::new();
        let env = self.instances[who].env.clone();
        match act {
            Act::Say(label) => self.labels.push(*label),
            Act::Tau => {}
            // When it goes is its own affair.
            Act::Terminate(var) => {
                if let Some(at) = self.tool(&env, *var) {
                    self.tools[at].ending = true;
                }
            }
            Act::Shutdown => self.down = true,
            Act::Assign(var, of) => filled.push((*var, value(of, &env, number_of(who))?)),
            Act::Create(called, arg, var) => {
                let given = arg.as_ref().and_then(|arg| closed(arg, &env));
                filled.push((*var, self.create(*called, given)));
            }
            Act::CreateNamed(of, var) => {
                if let Some(called) = self.named(&env[*of]) {
                    filled.push((*var, self.create(called, None)));
                }
            }
            Act::SndMsg(_) | Act::RecMsg(_) => {}
            Act::SndNote(what) => {
                if let Some(note) = closed(what, &env) {
                    for one in &mut self.instances {
                        // Subscriptions are to a word and a number.
                        let lets_in = matches!(&note, Val::Word(word, parts)
                            if one.subscriptions.contains(word.as_str())
                                && matches!(parts.as_slice(), [part] if takes(Kind::Int, part)));
                        if lets_in {
                            one.notes.push(note.clone());
                        }
                    }
                }
            }
            Act::RecNote(what) => {
                let this = &mut self.instances[who];
                take_first(&mut this.notes, what, &env, &mut filled);
            }
            Act::NoNote(_) => {}
            Act::Subscribe(note) => {
                self.instances[who].subscriptions.insert(note);
            }
            Act::Unsubscribe(note) => {
                self.instances[who].subscriptions.remove(note);
            }
            Act::Execute(var) | Act::Connect(var) => {
                let kind = match act {
                    Act::Execute(_) => "t",
                    _ => "c",
                };
                let number = i32::try_from(self.tools.len()).expect("few tools");
                let name = Val::Word(kind.to_owned(), vec![Val::Int(number)]);
                self.tools.push(Tool {
                    name: name.clone(),
                    active: true,
                    lost: false,
                    ending: false,
                    busy: false,
                    answers: Vec::new(),
                    events: Vec::new(),
                    waiting: BTreeSet::new(),
                });
                filled.push((*var, name));
            }
            Act::Disconnect(var) => {
                if let Some(at) = self.tool(&env, *var) {
                    self.tools[at].active = false;
                }
            }
            Act::Eval(var, _) => {
                if let Some(at) = self.tool(&env, *var) {
                    self.tools[at].busy = true;
                }
            }
            Act::Do(..) => {}
            Act::Ack(var, what) => {
                if let (Some(at), Term::Word(word, _)) = (self.tool(&env, *var), what) {
                    self.tools[at].waiting.remove(*word);
                }
            }
            Act::Event(var, what) => {
                if let Some(at) = self.tool(&env, *var) {
                    take_first(&mut self.tools[at].events, what, &env, &mut filled);
                }
            }
            Act::Value(var, what) => {
                if let Some(at) = self.tool(&env, *var) {
                    if self.script.polite {
                        let answer = self.answers_as_wanted(what, &env);
                        self.tools[at].busy = false;
                        fits(what, &env, &answer, &mut filled);
                    } else {
                        take_first(&mut self.tools[at].answers, what, &env, &mut filled);
                    }
                }
            }
        }
        self.goes(who, rest, filled);
        Ok(())
    }

    /// The process without parameters that has a name.
    fn named(&self, name: &Val) -> Option<usize> {
        let Val::Str(name) = name else {
            return None;
        };
        let mut all = CALLED.iter();
        all.position(|(known, parameter)| known == name && parameter.is_none())
    }

    /// Starts a process; its number.
    fn create(&mut self, called: usize, given: Option<Val>) -> Val {
        let number = number_of(self.instances.len());
        let what = std::mem::replace(
            &mut self.called[called],
            Unfolded {
                body: Proc::Delta,
                variables: 0,
            },
        );
        self.start(&what, None, CALLED[called].1.zip(given));
        self.called[called] = what;
        Val::Int(number)
    }

    /// A value that a pattern takes.
    fn answers_as_wanted(&mut self, pattern: &Term, env: &Env) -> Val {
        match pattern {
            Term::Word(word, parts) => {
                let parts = parts.iter().map(|part| self.answers_as_wanted(part, env));
                Val::Word((*word).to_owned(), parts.collect())
            }
            Term::Fill(var) => self.any(kind(*var)),
            _ => closed(pattern, env).unwrap_or_else(undefined),
        }
    }

    /// A term like a pattern, its gaps and variables filled at random.
    fn made(&mut self, pattern: &Term) -> Val {
        match pattern {
            Term::Word(word, parts) => {
                let parts = parts.iter().map(|part| self.made(part)).collect();
                Val::Word((*word).to_owned(), parts)
            }
            Term::Fill(var) | Term::Var(var) => self.any(kind(*var)),
            _ => closed(pattern, &Vec::new()).unwrap_or_else(undefined),
        }
    }

    /// Any value of a type; half of them stand in scripts.
    fn any(&mut self, kind: Kind) -> Val {
        let own = self.random.chance(50);
        match kind {
            Kind::Int if own => Val::Int(*self.random.one(&INTS)),
            Kind::Int => {
                let number = self.random.below(1 << 32);
                let small = i32::try_from(self.random.below(12)).unwrap_or(0) - 4;
                match self.random.chance(50) {
                    true => Val::Int(small),
                    false => Val::Int(u32::try_from(number).unwrap_or(0).cast_signed()),
                }
            }
            Kind::Str if own => Val::Str((*self.random.one(&TEXTS)).to_owned()),
            Kind::Str => {
                let letters = ["", "a", "o", "!", "op", "zap", "st"];
                let text = format!("{}{}", self.random.one(&letters), self.random.one(&letters));
                Val::Str(text)
            }
            Kind::Real if own => Val::Real(*self.random.one(&REALS)),
            Kind::Real => real(*self.random.one(&[-7.5, 0.5, 1.5, 2.0, 1e9, f64::NAN])),
            Kind::List => Val::List(vec![Val::Int(1); self.random.below(3)]),
            Kind::Bool => Val::Bool(own),
            Kind::Tool | Kind::Caller | Kind::Term => match self.random.below(7) {
                0 => Val::Int(7),
                1 => Val::Str("go".to_owned()),
                2 => Val::Word("w".to_owned(), Vec::new()),
                3 => Val::List(Vec::new()),
                4 => self.any(Kind::Int),
                5 => self.any(Kind::Str),
                _ => Val::Word("other".to_owned(), vec![Val::Int(1)]),
            },
        }
    }
}

/// The number of a process: they are counted from zero.
fn number_of(who: usize) -> i32 {
    i32::try_from(who).expect("few processes")
}

fn is_caller(tool: &Tool) -> bool {
    matches!(&tool.name, Val::Word(kind, _) if kind == "c")
}

/// Takes the first that fits.
fn take_first(all: &mut Vec<Val>, what: &Term, env: &Env, filled: &mut Filled) {
    let found = all
        .iter()
        .position(|one| fits(what, env, one, &mut Vec::new()));
    if let Some(at) = found {
        let one = all.remove(at);
        fits(what, env, &one, filled);
    }
}
