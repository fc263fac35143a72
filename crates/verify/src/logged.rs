//! Whether a log can be one of the program, and of which run.
//!
//! A log is a sequence of events, each of which may stand for one of several kinds and arguments. A ghost counts
//! how many of its lines a run has come to; an event of a kind that occurs in the log, and is not the next line,
//! takes a run off it for good. That a run comes to the end of the log is asked as a property is, so every engine
//! and pass works on it, and the run is confirmed on the program itself (monitoring by reachability: A. Pnueli and
//! A. Zaks, *PSL model checking and run-time verification via testers*, 2006).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use model::interp::Interp;
use model::{
    AssumptionId, Binary, Claim, EventId, ExprId, Observer, Origin, Place, Program, Progress,
    Property, Root, Stmt, Strength, Trace, Type, UnknownReason, Value, Variable, VariableKind,
    Verdict,
};
use source::Span;

use crate::check::check;
use crate::options::Options;

/// The name of the property, which no script has.
const NAME: &str = "the log";

/// An event that a line of a log can be about: its kind and its arguments.
pub type Logged = (EventId, Vec<Value>);

/// What was found out about a log.
#[derive(Clone, Debug)]
pub enum Explained {
    /// A run with all of its lines, in this order, and no other events of their kinds between them.
    Whole(Box<Trace>),
    /// No run has more than so many of the first lines; a run that has them, and what is assumed.
    Broken(usize, Box<Trace>, Vec<AssumptionId>),
    /// A run has so many lines; whether one has more is not known.
    Open(usize, UnknownReason),
}

/// Whether a run has so many lines.
enum Asked {
    Run(Trace),
    /// None has, under these assumptions.
    NoRun(Vec<AssumptionId>),
}

/// Looks for a run whose events of the kinds that occur in a log are those of the log, up to its end; if it is
/// partial, others of them may come between.
///
/// # Errors
/// Why logs of this program are not looked for.
pub fn explain(
    program: &Program,
    lines: &[Vec<Logged>],
    is_partial: bool,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Explained, &'static str> {
    if program.predicates.is_some() {
        return Err("it is about structures, which have no log");
    }
    if lines.len() >= usize::from(u16::MAX) {
        return Err("it is too long");
    }
    let begin = Instant::now();
    let ask = |count: usize| -> Result<Asked, UnknownReason> {
        let monitored = monitored(program, &lines[..count], is_partial);
        let options = Options {
            only: Some(vec![NAME.to_owned()]),
            timeout: options
                .timeout
                .map(|all| all.saturating_sub(begin.elapsed())),
            all_errors: false,
            first_failure: false,
            ..options.clone()
        };
        let outcome = check(&monitored, &options, progress).pop();
        match outcome.map(|outcome| outcome.verdict) {
            Some(Verdict::Fails { trace }) => match Interp::new(program).replay(&trace) {
                Ok(_) => Ok(Asked::Run(Arc::unwrap_or_clone(trace))),
                Err(error) => Err(UnknownReason::NotReplayed(error.to_string())),
            },
            Some(Verdict::Holds {
                strength,
                assumptions,
            }) => match strength {
                Strength::Sampled => Err(UnknownReason::Sampled),
                Strength::Bounded(steps) => Err(UnknownReason::Bound(steps)),
                Strength::Exhausted | Strength::Unchecked | Strength::Proved => {
                    Ok(Asked::NoRun(assumptions))
                }
            },
            Some(Verdict::Unknown { reason, .. }) => Err(reason),
            // Nothing has to be triggered, and nothing is measured.
            Some(Verdict::Vacuous { .. } | Verdict::Measured { .. }) | None => {
                Err(UnknownReason::Defect)
            }
        }
    };
    // No run has `beyond` lines; the best one known has `reached`.
    let (mut reached, mut run) = (0, None);
    let mut assumed = Vec::new();
    let mut beyond = lines.len() + 1;
    let mut next = lines.len();
    while reached + 1 < beyond {
        match ask(next) {
            Ok(Asked::Run(trace)) => (reached, run) = (next, Some(trace)),
            Ok(Asked::NoRun(assumptions)) => (beyond, assumed) = (next, assumptions),
            Err(reason) => return Ok(Explained::Open(reached, reason)),
        }
        next = reached + (beyond - reached) / 2;
    }
    if run.is_none() {
        // Nothing is asked of a run without any line.
        match ask(0) {
            Ok(Asked::Run(trace)) => run = Some(trace),
            Ok(Asked::NoRun(_)) => {}
            Err(reason) => return Ok(Explained::Open(0, reason)),
        }
    }
    match run {
        Some(run) if reached == lines.len() => Ok(Explained::Whole(Box::new(run))),
        Some(run) => Ok(Explained::Broken(reached, Box::new(run), assumed)),
        None => Err("it has no run at all"),
    }
}

/// The program with a property that fails when a run has come to the end of the log.
fn monitored(program: &Program, lines: &[Vec<Logged>], is_partial: bool) -> Program {
    let mut monitored = program.clone();
    monitored.alike = None;
    monitored.coarse = None;
    let end = i64::try_from(lines.len()).expect("there are fewer than 65,535 lines");
    let ty = Type::Range { lo: 0, hi: end + 1 };
    let come_to = Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("lines of the log", ty.clone())
    };
    let come_to = Place::global(monitored.add_global(come_to));
    let mut monitor = Monitor {
        program: monitored,
        come_to,
        ty,
        is_partial,
    };
    let name = |event: EventId| &program.events[event.index()].name;
    let kinds: BTreeSet<&String> = lines
        .iter()
        .flatten()
        .map(|(event, _)| name(*event))
        .collect();
    let mut observers = Vec::new();
    for event in (0..program.events.len()).map(EventId::new) {
        if !kinds.contains(name(event)) {
            continue;
        }
        let here: Vec<(usize, &[Value])> = lines
            .iter()
            .enumerate()
            .flat_map(|(at, all)| all.iter().map(move |logged| (at, logged)))
            .filter(|(_, (kind, _))| *kind == event)
            .map(|(at, (_, args))| (at, args.as_slice()))
            .collect();
        let body = monitor.body(event, &here, lines.len());
        observers.push(monitor.program.add_observer(Observer {
            name: NAME.to_owned(),
            event,
            body,
        }));
    }
    let ended = monitor.is_at(lines.len());
    let goes_on = monitor.program.exprs.not(ended);
    monitor.program.add_property(Property {
        name: NAME.to_owned(),
        text: String::new(),
        span: Span::NONE,
        claim: Claim::Always(goes_on),
        trigger: None,
        observers,
        // Whatever narrows the program for some property narrows it for the log; what is only assumed for
        // one, as a sentence about the world, does not.
        assumptions: (0..program.assumptions.len())
            .map(AssumptionId::new)
            .filter(|id| program.assumptions[id.index()].origin != Origin::Stated)
            .collect(),
    });
    monitor.program
}

struct Monitor {
    program: Program,
    /// Where it stands how many lines a run has come to: one more than there are if it has left the log.
    come_to: Place,
    ty: Type,
    is_partial: bool,
}

impl Monitor {
    fn number(&mut self, number: usize) -> ExprId {
        let number = i128::try_from(number).expect("it fits");
        self.program.exprs.int(number, self.ty.clone())
    }

    fn now(&mut self) -> ExprId {
        self.program
            .exprs
            .load(self.come_to.clone(), self.ty.clone())
    }

    fn is_at(&mut self, line: usize) -> ExprId {
        let (now, line) = (self.now(), self.number(line));
        self.program.exprs.binary(Binary::Eq, now, line)
    }

    /// What an event does that can be each of these lines: it goes on by one, or leaves the log, unless that
    /// is over.
    fn body(&mut self, event: EventId, here: &[(usize, &[Value])], end: usize) -> Vec<Stmt> {
        let off = self.number(end + 1);
        // The first event that is the next line may as well be taken for it: whatever comes after a later one
        // comes after this one.
        let leaves = match self.is_partial {
            true => Vec::new(),
            false => vec![Stmt::Assign(self.come_to.clone(), off)],
        };
        let moves = self.split(event, here, &leaves);
        let (now, end) = (self.now(), self.number(end));
        let is_over = self.program.exprs.binary(Binary::Le, end, now);
        vec![Stmt::If(is_over, Vec::new(), moves)]
    }

    /// Half of the lines, and the other half: a long log takes few comparisons.
    fn split(&mut self, event: EventId, here: &[(usize, &[Value])], leaves: &[Stmt]) -> Vec<Stmt> {
        let (first, last) = match (here.first(), here.last()) {
            (Some((first, _)), Some((last, _))) => (*first, *last),
            _ => return leaves.to_vec(),
        };
        if first < last {
            let middle = first + (last - first).div_ceil(2);
            let (low, high) = here.split_at(here.partition_point(|(at, _)| *at < middle));
            let (now, middle) = (self.now(), self.number(middle));
            let is_low = self.program.exprs.binary(Binary::Lt, now, middle);
            let (low, high) = (
                self.split(event, low, leaves),
                self.split(event, high, leaves),
            );
            return vec![Stmt::If(is_low, low, high)];
        }
        let mut any = Vec::new();
        for (_, args) in here {
            let mut same = self.program.exprs.bool(true);
            for (index, value) in args.iter().enumerate() {
                let equal = self.has(event, index, value);
                same = self.program.exprs.and(same, equal);
            }
            any.push(same);
        }
        let (any, here) = (self.program.exprs.any(&any), self.is_at(first));
        let is_next = self.program.exprs.and(here, any);
        let next = self.number(first + 1);
        let go_on = vec![Stmt::Assign(self.come_to.clone(), next)];
        vec![Stmt::If(is_next, go_on, leaves.to_vec())]
    }

    /// That an argument of an event has a value.
    fn has(&mut self, event: EventId, index: usize, value: &Value) -> ExprId {
        let ty = self.program.events[event.index()].parameters[index]
            .1
            .clone();
        let argument = Root::Argument(u32::try_from(index).expect("few arguments"));
        let held = self.program.exprs.load(argument.into(), ty.clone());
        let value = self.program.exprs.value(value.clone(), ty);
        self.program.exprs.binary(Binary::Eq, held, value)
    }
}
