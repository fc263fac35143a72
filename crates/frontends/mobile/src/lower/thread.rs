//! Threads, for any number of them.
//!
//! A thread that is created either runs to its end at once or does not begin yet; both can really
//! happen. What other threads may do meanwhile is *interference*: before each access to memory that
//! another thread may write, that memory may be changed to any value (thread-modular reasoning:
//! Flanagan and Qadeer, *Thread-modular model checking*, 2003, with the coarsest interference there
//! is). So each thread's behaviour is covered whatever the others do and however many there are. A
//! run with interference need not exist: what fails only there is *not known*.

use std::rc::Rc;

use model::{Binary, Choice, LocId, Stmt, Type, ValueSet};
use source::Span;

use crate::ctype::CType;

use super::build::Build;
use super::pointer::{FIRST, FUNCTION, Pts};
use super::value::Rvalue;
use super::{Lowering, Write};

impl Lowering<'_> {
    /// Notes that an object is written here.
    pub(super) fn wrote(&mut self, object: usize) {
        if let Some(at) = self.here {
            self.writes.push(Write {
                object,
                role: self.role,
                at,
                by_lock: self.locks.writing,
            });
        }
    }

    /// Whether another thread may write an object while this one runs.
    pub(super) fn is_shared(&self, object: usize) -> bool {
        if self.facts.volatile.contains(&object) {
            return true;
        }
        if object < FIRST || self.facts.creators.is_empty() {
            return false;
        }
        let Some(writers) = self.facts.writers.get(&object) else {
            return false;
        };
        // Of a thread's function there are several at once, each with variables of its own.
        let own = self.known(object).owner == Some(self.role);
        writers
            .iter()
            .any(|&writer| writer != self.role || writer != 0 && !own)
    }

    /// Before an access to what others may write: they may do so now. Says whether they can.
    pub(super) fn interference(&mut self, object: usize, span: Span) -> bool {
        if !self.is_shared(object) {
            return false;
        }
        let Some(from) = self.seal(span) else {
            return true;
        };
        let name = self.known(object).name.clone();
        let fact = match self.facts.volatile.contains(&object) {
            true => format!("what becomes of `{name}`, which is volatile"),
            false => format!("what other threads do to `{name}`"),
        };
        let outside = self.outside(&fact, span, false);
        self.decided_by_others(outside, object);
        let to = self.location(span);
        self.step(from, None, to, span);
        let mut body = Vec::new();
        let pts = self.contents(object);
        for (place, cell) in self.places(object) {
            let set = match (&cell, cell.model()) {
                (CType::Pointer(_), _) => self.all_pointers(&pts),
                (_, Some(ty)) => ValueSet::All(ty),
                _ => continue,
            };
            let ty = cell.model().unwrap_or(Type::Bool);
            let sample = match cell {
                CType::Pointer(_) => None,
                _ => Some(self.samples(&ty)),
            };
            body.push(Stmt::Choose(Choice {
                place,
                set,
                sample,
                what: fact.clone(),
                outside: Some(outside),
            }));
        }
        let step = model::Step {
            body: self.all_carried_over(body),
            ..model::Step::new(from, to, span)
        };
        self.add(step);
        self.changed_by_others(object, from);
        self.here = Some(to);
        true
    }

    /// The address of a variable of a thread's function is not given to others: when they follow it,
    /// the thread may still run.
    pub(super) fn escapes_to(&mut self, object: usize, pts: &Pts, span: Span) {
        let to = self.known(object).owner;
        for &target in pts.iter().filter(|&&target| target >= FIRST) {
            let known = self.known(target);
            let Some(owner) = known.owner else {
                continue;
            };
            // It may be gone while it is pointed to.
            self.facts.mortal.insert(target);
            if owner != 0 && to != Some(owner) {
                self.sink(
                    "the address of a variable of a thread that others see",
                    span,
                );
            }
        }
    }

    /// `pthread_create`.
    pub(super) fn create(&mut self, arguments: &[Rvalue], span: Span) -> Rvalue {
        let [handle, _, start, argument] = arguments else {
            self.sink("a thread that is not created as it should be", span);
            return self.zero(&CType::INT);
        };
        // The handle is a number that tells nothing.
        self.havoc_behind(handle, span);
        let Some(pointer) = start.expr else {
            return self.zero(&CType::INT);
        };
        let known = self.program_number(pointer);
        let first = super::pointer::base(FUNCTION);
        let function = known
            .and_then(|number| usize::try_from(number - first).ok())
            .filter(|at| *at < self.functions.len());
        let Some(function) = function else {
            self.sink("a thread whose function is not known by name", span);
            return self.zero(&CType::INT);
        };
        let failed = self.any_truth("whether a thread can be created", span, true);
        let at_once = self.unrelated_truth("whether a thread begins at once", span);
        let Some(from) = self.seal(span) else {
            return self.zero(&CType::INT);
        };
        if self.role == 0 {
            self.creates.push(from);
        }
        self.facts.creators.insert(function);
        let (now, later, end) = (
            self.location(span),
            self.location(span),
            self.location(span),
        );
        let succeeded = self.pool().not(failed);
        let waits = self.pool().not(at_once);
        let begins = self.pool().two(Binary::And, succeeded, at_once);
        let waits = self.pool().two(Binary::And, succeeded, waits);
        self.step(from, Some(failed), end, span);
        self.step(from, Some(begins), now, span);
        self.step(from, Some(waits), later, span);
        self.here = None;
        self.holds_nothing(now);
        self.start(now);
        self.run_thread(function, argument, span);
        self.jump(end, span);
        self.start(later);
        // Whoever waits for it waits until it has run.
        let skipped = self.skipped();
        let yes = self.pool().bool(true);
        self.assign(skipped, yes);
        self.jump(end, span);
        self.start(end);
        self.truth_as(failed, &CType::INT)
    }

    fn run_thread(&mut self, function: usize, argument: &Rvalue, span: Span) {
        let role = std::mem::replace(&mut self.role, function + 1);
        let path = self.path.clone();
        self.path = format!("{path}thread{role}@{}/", self.site);
        let name = self.functions[function].name.clone();
        let agent = self.new_agent(&name, span);
        let agent = std::mem::replace(&mut self.agent, agent);
        let ends = self.location(span);
        let outer_end = self.thread_end.replace(ends);
        let calling = self.calling.take();
        self.call_function(function, vec![argument.clone()], span);
        self.told(calling);
        self.jump(ends, span);
        self.start(ends);
        self.thread_end = outer_end;
        self.agent = agent;
        self.role = role;
        self.path = path;
    }

    /// Whether a thread has been created that has not begun.
    fn skipped(&mut self) -> model::Place {
        if let Some(place) = &self.skipped {
            return place.clone();
        }
        let place = self.temporary("a thread has not begun", Type::Bool);
        self.skipped = Some(place.clone());
        place
    }

    /// `pthread_join`: a thread that has run to its end does not hold up anybody.
    pub(super) fn join(&mut self, arguments: &[Rvalue], span: Span) {
        let skipped = self.skipped();
        let waiting = self.pool().load(skipped, Type::Bool);
        let (wait, done) = self.branch(waiting, span);
        // It may have been another thread that has not begun.
        self.start(wait);
        self.rests_on("whether the thread has ended", span);
        self.jump(done, span);
        self.start(done);
        if let Some(result) = arguments.get(1) {
            let outer = self.depends_on_anything();
            self.havoc_behind(result, span);
            self.told(outer);
        }
    }

    /// `pthread_mutex_lock`: waits until the mutex is free.
    pub(super) fn lock(&mut self, mutex: &Rvalue, span: Span) {
        let Some(at) = self.mutex(mutex) else {
            self.sink("a mutex that is not followed", span);
            return;
        };
        let value = self.load(&at, span);
        let locked = self.truth(&value, span);
        let (wait, free) = self.branch(locked, span);
        // Another thread may set it free.
        self.start(wait);
        self.rests_on("whether another thread unlocks the mutex", span);
        self.jump(free, span);
        self.start(free);
        self.mutex_taken(&at.pts, span);
        self.set_mutex(&at, true, span);
    }

    /// `pthread_mutex_unlock`.
    pub(super) fn unlock(&mut self, mutex: &Rvalue, span: Span) {
        if let Some(at) = self.mutex(mutex) {
            self.mutex_released(&at.pts, span);
            self.set_mutex(&at, false, span);
        }
    }

    fn set_mutex(&mut self, at: &super::value::Lvalue, locked: bool, span: Span) {
        let value = self.pool().int(locked.into(), Type::INT32);
        self.locks.writing = true;
        self.store(at, &Rvalue::number(CType::INT, value), span);
        self.locks.writing = false;
    }

    /// The number in a mutex that says whether it is locked.
    fn mutex(&mut self, mutex: &Rvalue) -> Option<super::value::Lvalue> {
        Some(super::value::Lvalue {
            pointer: mutex.expr?,
            pts: Rc::clone(&mutex.pts),
            ty: CType::INT,
        })
    }

    /// A thread or the program ends here.
    pub(super) fn end_thread(&mut self, span: Span) {
        match self.thread_end {
            Some(end) => self.jump(end, span),
            // The others go on.
            None => self.end(span),
        }
    }

    /// Which objects are written by whom while others run: what `main` writes before it creates a
    /// thread disturbs nobody.
    pub(super) fn find_writers(&mut self) {
        let mut after = vec![false; self.process.locations.len()];
        let mut waiting: Vec<LocId> = self.creates.clone();
        let mut steps: Vec<Vec<LocId>> = vec![Vec::new(); after.len()];
        for step in &self.process.steps {
            if let model::Target::Goto(to) = step.target {
                steps[step.from.index()].push(to);
            }
        }
        while let Some(at) = waiting.pop() {
            source::limits::check();
            if !std::mem::replace(&mut after[at.index()], true) {
                waiting.extend(&steps[at.index()]);
            }
        }
        self.spare_protected(&after);
        for write in std::mem::take(&mut self.writes) {
            if write.role != 0 || after[write.at.index()] {
                let writers = self.facts.writers.entry(write.object).or_default();
                writers.insert(write.role);
            }
        }
    }
}
