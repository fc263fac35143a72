//! `probity diff-policy`: which calls an update gains and loses.
//!
//! For each function outside, and for each text that the two versions hold, a rule is added to the
//! policy that denies the call. Whether the rule fails says whether the call can happen; the engines
//! answer as they do for any rule.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use language::{FrontEnd, Interface, POLICY, Request};
use model::interp::Occurrence;
use model::{Claim, Program, Verdict};
use report::{CallChange, Can, FailureOf, Line, Narrator, POLICY_DIFF_VERSION, PolicyDiff};
use source::{Diagnostic, SourceMap};
use verify::Outcome;

use crate::check::show;
use crate::command_line::{DiffInvocation, Input};
use crate::corridor::{Loaded, Script, contents, request};
use crate::fit::misplaced;
use crate::progress::Display;
use crate::system::System;
use crate::watch::usual_memory;

/// The name under which the rules are read that are added.
const ADDED: &str = "calls.policy";
/// How long the questions about one version are worked on, if nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(10);
/// How many calls with a text are asked about.
const MAX_TEXTS: usize = 400;

/// A function that nobody has: a rule about it fails only where what a version does is not followed.
const NOT_FOLLOWED: &str = "calls that are not followed";

/// A call that may happen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    function: String,
    passes: Passed,
}

/// What is passed to the function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Passed {
    Anything,
    Text(String),
    /// None of the texts that are in the files.
    OtherThan(Vec<String>),
}

impl Call {
    /// The rule that denies it.
    fn denied(&self) -> String {
        let passes = match &self.passes {
            Passed::Anything => String::new(),
            Passed::Text(text) => format!(" \"{text}\""),
            Passed::OtherThan(texts) => {
                let texts = texts.iter().map(|text| format!(" \"{text}\""));
                format!(" except{}", texts.collect::<String>())
            }
        };
        let function = &self.function;
        format!("deny to public {{ permission function \"{function}\"{passes} }}\n")
    }
}

/// For each call whether it can happen, and where.
type Answers = BTreeMap<Call, (Can, Option<Line>)>;

/// One version.
struct Version<'i> {
    path: &'i Path,
    contents: Vec<u8>,
    front_end: &'static dyn FrontEnd,
    interface: Interface,
}

/// Compares, prints and returns the exit status.
pub(crate) fn run(invocation: &DiffInvocation, system: &dyn System) -> u8 {
    let paths = [invocation.old.as_path(), invocation.new.as_path()];
    if let Some(message) = misplaced(&invocation.input, paths) {
        system.err(&format!("error[CLI0006]: {message}\n"));
        return 2;
    }
    match compared(invocation, system) {
        Some(diff) => {
            match invocation.json {
                true => system.out(&diff.to_json()),
                false => system.out(&diff.to_text()),
            }
            diff.status
        }
        None => 2,
    }
}

/// The comparison; nothing if a version cannot be read, which is said.
fn compared(invocation: &DiffInvocation, system: &dyn System) -> Option<PolicyDiff> {
    let old = version(&invocation.old, &invocation.input, system)?;
    let new = version(&invocation.new, &invocation.input, system)?;
    let asks = Asks { invocation, system };
    let mut functions = &asks.called(&old)? | &asks.called(&new)?;
    functions.insert(NOT_FOLLOWED.to_owned());
    let anything = |function| Call {
        function,
        passes: Passed::Anything,
    };
    let calls: Vec<Call> = functions.into_iter().map(anything).collect();
    let before = asks.of(&old, &calls)?;
    let after = asks.of(&new, &calls)?;
    let (texts, left_out) = texts(&old, &new, &before.calls, &after.calls);
    let (texts_before, texts_after) = match texts.is_empty() {
        true => (Answers::new(), Answers::new()),
        false => (asks.of(&old, &texts)?.calls, asks.of(&new, &texts)?.calls),
    };
    let mut changes = changes(&before.calls, &after.calls);
    let told = self::changes(&texts_before, &texts_after);
    changes.extend(
        told.iter()
            .filter(|change| says_more(change, &changes, &told))
            .cloned()
            .collect::<Vec<_>>(),
    );
    changes.retain(|change| change.is_gained() || change.is_lost() || change.may_be_gained());
    let rules = before.rules.iter().zip(&after.rules);
    let rules = rules.map(|((name, (old, _)), (_, (new, line)))| CallChange {
        name: name.clone(),
        text: None,
        other_text: false,
        old: *old,
        new: *new,
        line: line.clone(),
    });
    let diff = PolicyDiff {
        version: POLICY_DIFF_VERSION,
        old: invocation.old.to_string_lossy().into_owned(),
        new: invocation.new.to_string_lossy().into_owned(),
        calls: changes,
        rules: rules.collect(),
        left_out,
        status: 0,
    };
    Some(diff.finished())
}

fn version<'i>(path: &'i Path, input: &Input, system: &dyn System) -> Option<Version<'i>> {
    let refuse = |diagnostics: &[Diagnostic], sources: &SourceMap| {
        show(diagnostics, sources, system);
    };
    let contents = contents(path, system)
        .map_err(|refused| refuse(&[*refused], &SourceMap::new()))
        .ok()?;
    let Some(front_end) = input.language_of(path) else {
        let name = path.to_string_lossy();
        let message = format!("the language of `{name}` is not known");
        refuse(&[Diagnostic::error("CLI0001", message)], &SourceMap::new());
        return None;
    };
    let script = Script {
        path,
        contents: &contents,
        extra: &[],
    };
    let read = |path: &Path| system.read(path);
    let entries = |path: &Path| system.folder(path);
    let Some(loaded) = front_end.interface(&request(script, input, &read, &entries)) else {
        let title = front_end.language().title;
        let message = format!("diff-policy means nothing for {title}");
        refuse(&[Diagnostic::error("CLI0006", message)], &SourceMap::new());
        return None;
    };
    let Some(interface) = loaded.program else {
        refuse(&loaded.diagnostics, &loaded.sources);
        return None;
    };
    Some(Version {
        path,
        contents,
        front_end,
        interface,
    })
}

/// The texts to ask about, for each function that one of the versions may call; and how many are
/// left out.
fn texts(
    old: &Version<'_>,
    new: &Version<'_>,
    before: &Answers,
    after: &Answers,
) -> (Vec<Call>, usize) {
    let all = old.interface.texts.iter().chain(&new.interface.texts);
    // A policy cannot name these.
    let plain = |text: &&String| !text.is_empty() && !text.contains(['"', '\n']);
    let texts: BTreeSet<&String> = all.filter(plain).collect();
    let called = |answers: &Answers| {
        let called = answers.iter().filter(|(_, (can, _))| *can != Can::Not);
        called
            .map(|(call, _)| call.function.clone())
            .collect::<BTreeSet<String>>()
    };
    let mut functions = &called(before) | &called(after);
    functions.remove(NOT_FOLLOWED);
    let all: Vec<String> = texts.iter().map(|text| (*text).clone()).collect();
    let mut calls: Vec<Call> = Vec::new();
    for function in functions.iter().filter(|_| !texts.is_empty()) {
        calls.push(Call {
            function: function.clone(),
            passes: Passed::OtherThan(all.clone()),
        });
    }
    for function in &functions {
        calls.extend(texts.iter().map(|text| Call {
            function: function.clone(),
            passes: Passed::Text((*text).clone()),
        }));
    }
    let left_out = calls.len().saturating_sub(MAX_TEXTS);
    calls.truncate(MAX_TEXTS);
    (calls, left_out)
}

fn changes(before: &Answers, after: &Answers) -> Vec<CallChange> {
    let calls: BTreeSet<&Call> = before.keys().chain(after.keys()).collect();
    let missing = (Can::Not, None);
    let changes = calls.into_iter().map(|call| {
        let (old, lost_at) = before.get(call).unwrap_or(&missing);
        let (new, line) = after.get(call).unwrap_or(&missing);
        CallChange {
            name: call.function.clone(),
            text: match &call.passes {
                Passed::Text(text) => Some(text.clone()),
                _ => None,
            },
            other_text: matches!(call.passes, Passed::OtherThan(_)),
            old: *old,
            new: *new,
            line: line.clone().or_else(|| lost_at.clone()),
        }
    });
    changes.collect()
}

/// Whether it says something beside the change of the function that a text is passed to it, or not any
/// more. It does not where any text may be passed.
fn says_more(change: &CallChange, functions: &[CallChange], texts: &[CallChange]) -> bool {
    let same = |other: &&CallChange| other.name == change.name;
    let Some(function) = functions.iter().find(same) else {
        return true;
    };
    let other = texts.iter().filter(same).find(|other| other.other_text);
    let passes = |can: fn(&CallChange) -> Can| other.is_some_and(|other| can(other) != Can::Not);
    match (function.old, function.new) {
        (Can::Not, _) => !passes(|other| other.new),
        (_, Can::Not) => !passes(|other| other.old),
        _ => true,
    }
}

/// What is found out of one version.
struct Found {
    calls: Answers,
    /// The rules of the policy that is given.
    rules: Vec<(String, (Can, Option<Line>))>,
}

struct Asks<'i> {
    invocation: &'i DiffInvocation,
    system: &'i dyn System,
}

impl Asks<'_> {
    /// Asks which of these calls can happen in a version.
    fn of(&self, version: &Version<'_>, calls: &[Call]) -> Option<Found> {
        let loaded = self.load(version, calls);
        let Some(program) = &loaded.program else {
            show(&loaded.diagnostics, &loaded.sources, self.system);
            return None;
        };
        let memory = self.invocation.limits.1;
        let options = verify::Options {
            timeout: Some(self.invocation.limits.0.unwrap_or(USUAL_TIME)),
            memory: Some(memory.unwrap_or_else(|| usual_memory(self.system))),
            stop: self.system.stop(),
            ..verify::Options::default()
        };
        let display = Display::new(
            self.system,
            "diff-policy",
            false,
            options.timeout,
            options.memory,
        );
        let outcomes = verify::check(program, &options, &display);
        let answers = outcomes.iter().map(|outcome| {
            let name = &program.properties[outcome.property.index()].name;
            let line = failed_at(program, &loaded.sources, outcome);
            (name.as_str(), (can(&outcome.verdict), line))
        });
        let answers: BTreeMap<&str, (Can, Option<Line>)> = answers.collect();
        let all = program
            .properties
            .iter()
            .map(|property| property.name.as_str());
        let rules: Vec<&str> = all.filter(|name| name.starts_with("rule-")).collect();
        let own = rules.len().saturating_sub(calls.len());
        let answer = |name: &str| answers.get(name).cloned().unwrap_or((Can::Maybe, None));
        let called = rules[own..].iter().zip(calls);
        Some(Found {
            calls: called
                .map(|(rule, call)| (call.clone(), answer(rule)))
                .collect(),
            rules: rules[..own]
                .iter()
                .map(|name| ((*name).to_owned(), answer(name)))
                .collect(),
        })
    }

    /// The functions outside that some step of a version calls.
    fn called(&self, version: &Version<'_>) -> Option<BTreeSet<String>> {
        let loaded = self.load(version, &[]);
        let Some(program) = &loaded.program else {
            show(&loaded.diagnostics, &loaded.sources, self.system);
            return None;
        };
        let events = program.events.iter();
        let called: BTreeSet<&str> = events
            .filter_map(|event| event.name.strip_prefix("call "))
            .collect();
        let functions = version.interface.functions.iter();
        let functions = functions.filter(|name| called.contains(name.as_str()));
        Some(functions.cloned().collect())
    }

    /// Reads a version with rules that deny these calls behind those of the policy.
    fn load(&self, version: &Version<'_>, calls: &[Call]) -> Loaded {
        let mut text = String::new();
        calls.iter().for_each(|call| text += &call.denied());
        let added = PathBuf::from(ADDED);
        let mut settings = self.invocation.input.settings.clone();
        settings.add(POLICY.name, added.clone());
        let read = |path: &Path| -> io::Result<Vec<u8>> {
            match path == added {
                true => Ok(text.clone().into_bytes()),
                false => self.system.read(path),
            }
        };
        let asked = Request {
            path: version.path,
            contents: &version.contents,
            settings: &settings,
            extra_properties: &[],
            whole: false,
            unasked: false,
            statements: false,
            decisions: None,
            read: &read,
            entries: &|path| self.system.folder(path),
        };
        version.front_end.load(&asked).loaded
    }
}

/// What the verdict of a rule that denies a call says about the call.
fn can(verdict: &Verdict) -> Can {
    match verdict {
        Verdict::Fails { .. } => Can::Happen,
        Verdict::Holds { strength, .. } if *strength >= model::Strength::Exhausted => Can::Not,
        Verdict::Vacuous { .. } => Can::Not,
        Verdict::Holds { .. } | Verdict::Unknown { .. } | Verdict::Measured { .. } => Can::Maybe,
    }
}

/// Where the rule of a property fails in the run that was found.
fn failed_at(program: &Program, sources: &SourceMap, outcome: &Outcome) -> Option<Line> {
    let Claim::Check(own) = program.properties[outcome.property.index()].claim else {
        return None;
    };
    let replay = outcome.replay.as_ref()?;
    let occurrences = replay.steps.iter().flat_map(|step| &step.occurrences);
    let span = occurrences.rev().find_map(|occurrence| match occurrence {
        Occurrence::Failed { check, span } if *check == own => Some(*span),
        _ => None,
    })?;
    Narrator::new(sources, program, FailureOf::None).line(span)
}
