//! From a verified program to its report: verdicts in words, assumptions numbered, runs told.

use model::interp::Replay;
use model::{
    Assumption, AssumptionId, Exploration, OutsideId, Program, Strength as ModelStrength, Trace,
    UnknownReason, VacuousReason, Verdict,
};
use source::{Diagnostic, Severity, SourceMap, render_all};
use verify::{Audited, Outcome, Reach, Sampled, Sizes, Unreached};

use crate::configurations;
use crate::ending::{ending, one_line};
use crate::graphs::beginnings;
use crate::reasons::{parts_left_out, would_do_on_disk};
use crate::story::{FailureOf, Narrator};
use crate::values::{
    AssumptionMade, DiagnosticReport, EvidenceReport, ExplorationReport, FileReport, Line,
    Measured, Origin, PassReport, PropertyReport, REPORT_VERSION, Report, Required, SizesReport,
    SourceText, StatisticsReport, Story, Strength, Summary, UnreachedReport, UnreachedStatement,
    VerdictWord,
};
use crate::ways;

impl Report {
    /// The report on some files.
    #[must_use]
    pub fn new(mut files: Vec<FileReport>, required: Required) -> Report {
        let mut summary = Summary::default();
        let all_read = files.iter().all(|file| file.unread.is_none());
        for file in &mut files {
            summary.refused_files += usize::from(file.refused);
            for property in &mut file.properties {
                summary.properties += 1;
                property.too_weak = property.verdict == VerdictWord::Holds
                    && required == Required::Proved
                    && property.strength != Some(Strength::Proved);
                let bounded_is_enough = required == Required::Bounded
                    && property.verdict == VerdictWord::NotKnown
                    && property.strength == Some(Strength::Bounded);
                match property.verdict {
                    VerdictWord::Holds if property.too_weak => summary.too_weak += 1,
                    VerdictWord::Holds => summary.hold += 1,
                    VerdictWord::NotKnown if bounded_is_enough => summary.hold += 1,
                    VerdictWord::Fails => summary.fail += 1,
                    VerdictWord::Vacuous => summary.vacuous += 1,
                    VerdictWord::Measured => summary.measured += 1,
                    VerdictWord::Possible => summary.possible += 1,
                    VerdictWord::NotKnown => summary.not_known += 1,
                }
            }
        }
        let status = if summary.refused_files > 0 {
            2
        } else if summary.fail > 0 {
            1
        } else if all_read
            && summary.hold + summary.measured == summary.properties
            && summary.properties > 0
        {
            0
        } else {
            3
        };
        Report {
            version: REPORT_VERSION,
            probity: env!("CARGO_PKG_VERSION").to_owned(),
            files,
            required,
            interrupted: false,
            summary,
            status,
        }
    }

    /// The same report, in which what may fail counts as a failure.
    #[must_use]
    pub fn strict(mut self) -> Report {
        if self.status != 2 && self.summary.possible > 0 {
            self.status = 1;
        }
        self
    }

    /// The same report, of a run that the user stopped early: whatever is known, the exit status
    /// says that it is not all.
    #[must_use]
    pub fn interrupted(mut self) -> Report {
        self.interrupted = true;
        self.status = self.status.max(3);
        self
    }
}

impl FileReport {
    /// The report on a file that was read as a program and verified. `diagnostics` are the
    /// warnings that reading it gave.
    #[must_use]
    pub fn checked(
        file: &str,
        sources: &SourceMap,
        program: &Program,
        outcomes: &[Outcome],
        diagnostics: &[Diagnostic],
    ) -> FileReport {
        let used = Assumptions::used(program, outcomes);
        FileReport {
            file: file.to_owned(),
            language: program.language.clone(),
            refused: false,
            unread: None,
            cached: false,
            diagnostics: findings(sources, diagnostics),
            world: world(program),
            assumptions: used
                .0
                .iter()
                .enumerate()
                .map(|(index, assumption)| AssumptionMade {
                    number: index + 1,
                    text: assumption.text.clone(),
                    origin: match assumption.origin {
                        model::Origin::Stated => Origin::Stated,
                        model::Origin::Bound => Origin::Bound,
                        model::Origin::Semantics => Origin::Semantics,
                        model::Origin::Sample => Origin::Sample,
                        model::Origin::Narrowed => Origin::LeftOut,
                        model::Origin::Cube => Origin::Cube,
                    },
                    line: Narrator::new(sources, program, FailureOf::None).line(assumption.span),
                })
                .collect(),
            properties: outcomes
                .iter()
                .map(|outcome| property_report(sources, asked(program, outcome), outcome, &used))
                .collect(),
            proposals: program.display.proposals.clone(),
            unreached: None,
            mutants: None,
            texts: match program.display.picture {
                Some(_) => Vec::new(),
                None => texts(sources),
            },
            picture: program.display.picture.clone(),
            beginnings: program.predicates.as_deref().map_or(Vec::new(), beginnings),
        }
    }

    /// The same report, with what is known of statements that no run reaches.
    #[must_use]
    pub fn with_unreached(
        mut self,
        sources: &SourceMap,
        program: &Program,
        reach: Reach,
    ) -> FileReport {
        let narrator = Narrator::new(sources, program, FailureOf::None);
        let why = reach.open.and_then(|reason| match reason {
            UnknownReason::Sampled => Some("the search left runs out".to_owned()),
            UnknownReason::LeftOut(assumptions) => Some(parts_left_out(&narrator, &assumptions)),
            reason => {
                let verdict = Verdict::Unknown {
                    reason,
                    possible: None,
                };
                in_words(&narrator, &verdict, &Sampled::default()).why
            }
        });
        let statements = reach.unreached.into_iter();
        let told = statements.map(|Unreached { process, span }| UnreachedStatement {
            process: program.processes[process.index()].name.clone(),
            text: narrator.statement(span),
            line: narrator.line(span),
        });
        self.unreached = Some(UnreachedReport {
            why,
            statements: told.collect(),
        });
        self
    }

    /// The report on a file that could not be read as a program.
    #[must_use]
    pub fn refused(file: &str, sources: &SourceMap, diagnostics: &[Diagnostic]) -> FileReport {
        FileReport {
            file: file.to_owned(),
            language: String::new(),
            refused: true,
            unread: None,
            cached: false,
            diagnostics: findings(sources, diagnostics),
            world: Vec::new(),
            assumptions: Vec::new(),
            properties: Vec::new(),
            proposals: Vec::new(),
            unreached: None,
            mutants: None,
            texts: Vec::new(),
            picture: None,
            beginnings: Vec::new(),
        }
    }

    /// The report on a file of which nothing is known, since a limit was reached before it was read or
    /// looked at: this one.
    #[must_use]
    pub fn unread(file: &str, why: &str) -> FileReport {
        FileReport {
            refused: false,
            unread: Some(why.to_owned()),
            ..FileReport::refused(file, &SourceMap::new(), &[])
        }
    }
}

/// Texts longer than this are not carried along.
const LONGEST_TEXT: usize = 2_000_000;

/// The texts of files; those of the command line are shown where they are spoken of.
fn texts(sources: &SourceMap) -> Vec<SourceText> {
    let files = sources.files();
    files
        .filter(|file| !file.name().starts_with("--") && file.text().len() <= LONGEST_TEXT)
        .map(|file| SourceText {
            name: file.name().to_owned(),
            text: file.text().to_owned(),
        })
        .collect()
}

/// What the environment may do: the names of its steps, each once.
fn world(program: &Program) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let environment = program
        .processes
        .iter()
        .filter(|process| process.environment);
    for label in
        environment.flat_map(|process| process.steps.iter().filter_map(|s| s.label.as_ref()))
    {
        if !found.contains(label) {
            found.push(label.clone());
        }
    }
    found
}

/// The assumptions that some verdict of a file rests on: those of the program in its order, then those
/// of coarser programs that answered in its place. Two of the same words are one.
struct Assumptions<'p>(Vec<&'p Assumption>);

impl<'p> Assumptions<'p> {
    fn used(program: &'p Program, outcomes: &'p [Outcome]) -> Self {
        let own = program.assumptions.iter();
        let all: Vec<&str> = own.map(|assumption| assumption.text.as_str()).collect();
        let mut used: Vec<&Assumption> = Vec::new();
        for outcome in outcomes {
            let program = asked(program, outcome);
            for id in assumptions_of(program, outcome) {
                let assumption = &program.assumptions[id.index()];
                if used.iter().all(|known| known.text != assumption.text) {
                    used.push(assumption);
                }
            }
        }
        used.sort_by_key(|used| {
            all.iter()
                .position(|text| *text == used.text)
                .unwrap_or(all.len())
        });
        Assumptions(used)
    }

    /// The numbers of the assumptions of one verdict, from 1.
    fn numbers(&self, program: &Program, outcome: &Outcome) -> Vec<usize> {
        let own: Vec<&str> = assumptions_of(program, outcome)
            .iter()
            .map(|id| program.assumptions[id.index()].text.as_str())
            .collect();
        (1..=self.0.len())
            .filter(|number| own.contains(&self.0[number - 1].text.as_str()))
            .collect()
    }
}

/// The program that an outcome is of.
fn asked<'p>(program: &'p Program, outcome: &'p Outcome) -> &'p Program {
    outcome.program.as_deref().unwrap_or(program)
}

/// The assumptions that a verdict rests on: those that the engine names, or all that apply to
/// the property.
fn assumptions_of(program: &Program, outcome: &Outcome) -> Vec<AssumptionId> {
    if let Verdict::Holds { assumptions, .. } = &outcome.verdict {
        return assumptions.clone();
    }
    let property = &program.properties[outcome.property.index()];
    (0..program.assumptions.len())
        .map(AssumptionId::new)
        .filter(|id| {
            property.assumptions.contains(id)
                || program.assumptions[id.index()]
                    .properties
                    .as_ref()
                    .is_none_or(|some| some.contains(&outcome.property))
        })
        .collect()
}

fn property_report(
    sources: &SourceMap,
    program: &Program,
    outcome: &Outcome,
    numbered: &Assumptions<'_>,
) -> PropertyReport {
    let property = &program.properties[outcome.property.index()];
    let failures = match property.claim {
        model::Claim::Check(check) => FailureOf::Check(check),
        _ => FailureOf::None,
    };
    let narrator = Narrator::new(sources, program, failures).about(property);
    let storage = outcome.statistics.storage;
    let is_lossy = ["hash-compact", "bitstate"].contains(&storage);
    let is_sampled = matches!(
        outcome.verdict,
        Verdict::Unknown {
            reason: UnknownReason::Sampled,
            possible: None
        }
    );
    let mut words = if is_lossy && is_sampled && outcome.sampled.choices.is_empty() {
        states_lost(storage)
    } else {
        in_words(&narrator, &outcome.verdict, &outcome.sampled)
    };
    if would_do_on_disk(&property.claim, outcome) {
        words.advice = Some(
            "give it more with --memory, keep states on disk with --storage disk, or state tighter \
             bounds with --bound"
                .to_owned(),
        );
    }
    let tell = |trace: &Trace, possible, replay: &Replay| Story {
        possible,
        beginning: narrator.beginning(&replay.initial),
        steps: narrator.steps(replay),
        repeats_from: trace.loop_start,
        ending: ending(&narrator, program, property, trace, replay),
        graphs: Vec::new(),
    };
    let others = outcome.others.iter();
    let run = match &outcome.verdict {
        Verdict::Fails { trace } => Some((trace, false)),
        Verdict::Unknown {
            possible: Some(trace),
            ..
        } => Some((trace, true)),
        _ => None,
    };
    let story = run
        .zip(outcome.replay.as_ref())
        .map(|((trace, possible), replay)| tell(trace, possible, replay));
    let story = match (&program.predicates, &property.claim, run) {
        (Some(predicates), model::Claim::Silent(message), Some((trace, _))) => {
            configurations::story(&narrator, predicates, trace, *message)
        }
        (Some(predicates), model::Claim::Configurations(automaton), Some((trace, _))) => {
            configurations::endless(&narrator, predicates, trace, automaton)
        }
        (Some(predicates), _, None) => outcome
            .way
            .as_ref()
            .map(|way| ways::story(&narrator, predicates, way)),
        _ => story,
    };
    let statistics = &outcome.statistics;
    PropertyReport {
        name: property.name.clone(),
        text: one_line(&property.text),
        line: narrator.line(property.span),
        verdict: words.verdict,
        strength: words.strength,
        measured: match outcome.verdict {
            Verdict::Measured { distance } => Some(match distance {
                model::Distance::Steps(steps) => Measured::Steps(steps),
                model::Distance::Infinite => Measured::Infinite,
            }),
            _ => None,
        },
        bound: words.bound,
        too_weak: false,
        why: words.why,
        may_fail_at: words.may_fail_at,
        advice: words.advice,
        assumptions: numbered.numbers(program, outcome),
        engine: outcome.engine.name().to_owned(),
        statistics: StatisticsReport {
            states: statistics.states,
            transitions: statistics.transitions,
            depth: statistics.depth,
            state_bytes: statistics.state_bytes,
            memory_bytes: statistics.memory,
            disk_bytes: statistics.disk,
            storage: statistics.storage.to_owned(),
            omitted: statistics.omitted,
            reduction: statistics.reduction.to_owned(),
            seconds: statistics.time.as_secs_f64(),
            explorations: explorations(&statistics.explorations),
            shared_by: outcome.shared_by,
            may_be_shorter: outcome.may_be_shorter,
        },
        evidence: match &outcome.audited {
            Audited::Nothing => None,
            Audited::Yes => Some(EvidenceReport {
                audited: true,
                why_not: None,
                facts: outcome.facts.clone(),
            }),
            Audited::Not(why) => Some(EvidenceReport {
                audited: false,
                why_not: Some(why.clone()),
                facts: outcome.facts.clone(),
            }),
        },
        passes: outcome
            .passes
            .iter()
            .map(|pass| PassReport {
                pass: pass.pass.to_owned(),
                before: sizes(pass.before),
                after: sizes(pass.after),
            })
            .collect(),
        story,
        others: others
            .map(|failure| tell(&failure.trace, false, &failure.replay))
            .collect(),
        others_cut: outcome.others_cut,
        elsewhere: None,
        another: None,
        again: None,
    }
}

/// A verdict as the report says it.
struct Words {
    verdict: VerdictWord,
    strength: Option<Strength>,
    bound: Option<u32>,
    why: Option<String>,
    advice: Option<String>,
    may_fail_at: Option<Line>,
}

fn in_words(narrator: &Narrator<'_>, verdict: &Verdict, of: &Sampled) -> Words {
    let words = |verdict, strength| Words {
        verdict,
        strength,
        bound: None,
        why: None,
        advice: None,
        may_fail_at: None,
    };
    match verdict {
        Verdict::Holds { strength, .. } => match strength {
            ModelStrength::Proved => words(VerdictWord::Holds, Some(Strength::Proved)),
            ModelStrength::Unchecked => words(VerdictWord::Holds, Some(Strength::Unchecked)),
            ModelStrength::Exhausted => words(VerdictWord::Holds, Some(Strength::Exhausted)),
            ModelStrength::Bounded(steps) => bounded(*steps),
            ModelStrength::Sampled => sampled(narrator, of),
        },
        Verdict::Vacuous { reason } => Words {
            why: Some(
                match reason {
                    VacuousReason::NeverTriggered => {
                        "it holds only because what it is about never happens"
                    }
                    VacuousReason::NoFairRun => {
                        "it holds only because no run meets the fairness that is assumed"
                    }
                }
                .to_owned(),
            ),
            advice: Some(
                match reason {
                    VacuousReason::NeverTriggered => {
                        "check the property's condition, and what the bounds and assumptions leave"
                    }
                    VacuousReason::NoFairRun => "check the assumptions: together they allow no run",
                }
                .to_owned(),
            ),
            ..words(VerdictWord::Vacuous, None)
        },
        Verdict::Fails { .. } => words(VerdictWord::Fails, None),
        Verdict::Measured { .. } => words(VerdictWord::Measured, None),
        Verdict::Unknown { reason, possible } => {
            let (why, advice) = match reason {
                UnknownReason::Sampled => return sampled(narrator, of),
                UnknownReason::LeftOut(assumptions) => return left_out(narrator, assumptions),
                UnknownReason::Bound(steps) => return bounded(*steps),
                UnknownReason::Undecided(values) => return undecided(narrator, values),
                UnknownReason::Time => (
                    "the time limit was reached".to_owned(),
                    "give it more with --timeout, or state tighter bounds with --bound",
                ),
                UnknownReason::Memory => (
                    "the memory limit was reached".to_owned(),
                    "give it more with --memory, or state tighter bounds with --bound",
                ),
                UnknownReason::Disk(what) => (
                    format!("states could not be kept on disk: {what}"),
                    "name a folder with more room with --storage-dir, or state tighter bounds with --bound",
                ),
                UnknownReason::Interrupted => (
                    "it was interrupted".to_owned(),
                    "run it again and let it finish",
                ),
                UnknownReason::StepBudget => (
                    "one event takes the script too many steps to follow".to_owned(),
                    "look for a loop that runs very long",
                ),
                UnknownReason::Overflow => (
                    "a ledger's number grew beyond every limit".to_owned(),
                    "state bounds with --bound so that it stays small",
                ),
                UnknownReason::Unsupported(what) => (
                    format!("the engine cannot do this yet: {what}"),
                    "try another engine with --engine",
                ),
                UnknownReason::Option(what) => (
                    format!("for such a model, {what}"),
                    "leave the option out",
                ),
                UnknownReason::Defect => (
                    "an internal error ended the work on it".to_owned(),
                    "this is a defect of Probity, not of your script: please report it",
                ),
                UnknownReason::NotAudited(what) => (
                    format!("a proof was found, but its invariant was not accepted: {what}"),
                    "this is a defect of Probity, not of your script: please report it",
                ),
                UnknownReason::Abstraction(what) => {
                    return may_fail(
                        what,
                        "add predicates that keep apart what the analysis mixes up, or look at the \
                         actions before the message",
                    );
                }
                UnknownReason::Unrepeatable => (
                    "a queue becomes as long as its bound lets it, but no run was found that can be \
                     repeated for ever"
                        .to_owned(),
                    "look at what is read and asked for meanwhile, or give it more with --bound",
                ),
                UnknownReason::Suspected(span) => {
                    return Words {
                        may_fail_at: narrator.line(*span),
                        ..may_fail(
                            "it rests on values that are not followed",
                            "look at the line; to have every value followed, state the property in \
                             the script",
                        )
                    };
                }
                UnknownReason::AnotherFailed => (
                    "another property failed, and no more was asked".to_owned(),
                    "leave --first-failure out to have every property answered",
                ),
                UnknownReason::Contradiction(what) => (
                    format!("two engines contradict each other: {what}"),
                    "this is a defect of Probity, not of your script: please report it",
                ),
                UnknownReason::NotReplayed(what) => (
                    format!("a failure was found but could not be replayed: {what}"),
                    "this is a defect of Probity, not of your script: please report it",
                ),
            };
            if possible.is_some() {
                return may_fail(&why, advice);
            }
            Words {
                why: Some(why),
                advice: Some(advice.to_owned()),
                ..words(VerdictWord::NotKnown, None)
            }
        }
    }
}

/// Says that states may have been taken for others.
fn states_lost(storage: &str) -> Words {
    Words {
        verdict: VerdictWord::NotKnown,
        strength: Some(Strength::Sampled),
        bound: None,
        why: Some(format!(
            "no failure was found, but states may have been taken for others (storage {storage})"
        )),
        advice: Some(
            "look elsewhere with other seeds (--swarm N, --seed N), or store whole states (--storage compressed)"
                .to_owned(),
        ),
        may_fail_at: None,
    }
}

/// Names what was sampled, and what to do about it.
fn sampled(narrator: &Narrator<'_>, of: &Sampled) -> Words {
    let named: Vec<String> = of
        .choices
        .iter()
        .take(MOST_CHOICES)
        .map(|(what, span)| match narrator.line(*span) {
            Some(line) => format!("{what} (line {})", line.line),
            None => what.clone(),
        })
        .collect();
    let mut of_what = match of.choices.len() {
        0 => "wide choices".to_owned(),
        count if count > MOST_CHOICES => {
            format!("{} and {} more", named.join(", "), count - MOST_CHOICES)
        }
        _ => listed(&named),
    };
    if of.cut_short {
        of_what.push_str(", and the time limit was reached before all values could be");
    }
    // A choice that a bound can narrow is called as the bound is.
    let bounds = of.choices.iter().map(|(what, _)| what.as_str());
    let bounds: Vec<String> = bounds
        .filter(|what| is_bound(what))
        .take(MOST_CHOICES)
        .map(|what| format!("--bound {what}=LOW..HIGH"))
        .collect();
    let mut advice = match bounds.as_slice() {
        [] if of.choices.is_empty() => {
            "state bounds, in the file or with --bound NAME=LOW..HIGH, to have every value looked at"
                .to_owned()
        }
        [] => "no bound narrows this: look at how the script uses it".to_owned(),
        some => format!(
            "state {}, or the same in the file, to have every value looked at",
            listed(some)
        ),
    };
    if of.cut_short {
        advice = format!("give it more with --timeout; or {advice}");
    }
    Words {
        verdict: VerdictWord::NotKnown,
        strength: Some(Strength::Sampled),
        bound: None,
        why: Some(format!(
            "no failure was found, but only samples were tried of {of_what}"
        )),
        advice: Some(advice),
        may_fail_at: None,
    }
}

/// Says that nothing was found in what is followed of the script.
fn left_out(narrator: &Narrator<'_>, assumptions: &[AssumptionId]) -> Words {
    let parts = parts_left_out(narrator, assumptions);
    Words {
        verdict: VerdictWord::NotKnown,
        strength: None,
        bound: None,
        why: Some(format!("no failure was found, but {parts}")),
        advice: Some("whether it holds in what is not followed has to be seen by hand".to_owned()),
        may_fail_at: None,
    }
}

/// At most so many choices are named.
const MOST_CHOICES: usize = 3;

fn is_bound(what: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !what.is_empty() && what.chars().all(allowed)
}

fn listed(all: &[String]) -> String {
    match all.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Names the values on which a failure rests, and where the script asks for them.
fn undecided(narrator: &Narrator<'_>, values: &[OutsideId]) -> Words {
    let named: Vec<String> = values.iter().map(|id| narrator.outside(*id)).collect();
    may_fail(
        &format!("it depends on {}", named.join(" and ")),
        "follow the run below by hand: whether that value can be is not known here",
    )
}

/// A failure is possible, but no run was found that is one.
fn may_fail(why: &str, advice: &str) -> Words {
    Words {
        verdict: VerdictWord::Possible,
        strength: None,
        bound: None,
        why: Some(format!("a failure is possible, but not confirmed: {why}")),
        advice: Some(advice.to_owned()),
        may_fail_at: None,
    }
}

fn bounded(steps: u32) -> Words {
    Words {
        verdict: VerdictWord::NotKnown,
        strength: Some(Strength::Bounded),
        bound: Some(steps),
        why: Some(format!(
            "no failure within {steps} steps; longer runs were not looked at"
        )),
        advice: Some("use --require bounded if that is enough".to_owned()),
        may_fail_at: None,
    }
}

fn explorations(all: &[Exploration]) -> Vec<ExplorationReport> {
    let report = |one: &Exploration| ExplorationReport {
        how: one.how.to_owned(),
        states: one.states,
        seconds: one.time.as_secs_f64(),
    };
    all.iter().map(report).collect()
}

fn sizes(sizes: Sizes) -> SizesReport {
    SizesReport {
        variables: sizes.variables,
        bits: sizes.bits,
        steps: sizes.steps,
        statements: sizes.statements,
        choices: sizes.choices,
    }
}

fn findings(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<DiagnosticReport> {
    let program = Program::new("", "");
    let narrator = Narrator::new(sources, &program, FailureOf::None);
    diagnostics
        .iter()
        .zip(render_all(diagnostics, sources, false))
        .map(|(diagnostic, rendered)| DiagnosticReport {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            }
            .to_owned(),
            code: diagnostic.code.to_owned(),
            message: diagnostic.message.clone(),
            line: narrator.line(diagnostic.span),
            help: diagnostic.help.clone(),
            rendered,
        })
        .collect()
}

/// A command as it is typed into a shell.
#[must_use]
pub fn shell_command(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_and_quotes_are_quoted_for_a_shell() {
        assert_eq!(quoted("--bound"), "--bound");
        assert_eq!(quoted("amount=0..10"), "amount=0..10");
        assert_eq!(quoted("always a > 0"), "'always a > 0'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
