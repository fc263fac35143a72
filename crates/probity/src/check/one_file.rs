//! One file is checked, and told.

use std::time::Instant;

use language::{BOUND, DEFINE, NoWhole, OptionSpec, Part};
use model::{Program, PropertyId, UnknownReason, Verdict};
use report::{FileReport, TRACE_VERSION, TraceFile, TracedProperty, content_digest, shell_command};
use source::SourceMap;
use source::limits::within;
use verify::{CheckpointError, CheckpointFile, Outcome, Reach, Storage};

use super::another::Notes;
use super::{Job, own_properties};
use crate::command_line::{CheckInvocation, Input};
use crate::corridor::{Loaded, Script, load, whole};
use crate::options::SHORT;
use crate::progress::Display;
use crate::readings;
use crate::saving::Saving;
use crate::side_by_side::Lane;
use crate::system::Files;
use crate::watch::Work;
use crate::whole::told_on_the_whole;

/// A file to be checked.
pub(super) struct Asked<'a> {
    /// Its position among the files.
    pub(super) at: usize,
    pub(super) script: Script<'a>,
    pub(super) loaded: &'a Loaded,
    pub(super) program: &'a Program,
    /// The names of the properties that are asked for; none: all.
    pub(super) only: &'a Option<Vec<String>>,
}

/// What came of checking a file.
pub(super) struct Checked {
    pub(super) report: FileReport,
    /// The runs that show failures, if they are to be kept.
    pub(super) traces: Option<TraceFile>,
    /// Whether the same would come of it with more time and memory.
    pub(super) is_final: bool,
}

/// A file that is being checked.
pub(super) struct Checking<'c, 'k> {
    pub(super) job: Job<'c, 'k>,
    pub(super) work: &'c Work<'c>,
    pub(super) lane: Lane<'c>,
    /// The name of the file.
    pub(super) name: &'c str,
    /// Where files are read that it needs.
    pub(super) files: &'c dyn Files,
}

impl Checking<'_, '_> {
    /// Checks one file.
    pub(super) fn check_file(
        mut self,
        asked: &Asked<'_>,
        part: Option<Box<dyn Part>>,
    ) -> Result<Checked, CheckpointError> {
        let Job {
            invocation,
            system,
            known,
            watch,
            ..
        } = self.job;
        let (work, files) = (self.work, self.files);
        let Asked {
            at,
            script,
            loaded,
            program,
            only,
        } = *asked;
        let texts = script.extra;
        let name = script.path.to_string_lossy();
        let saving = Saving::new(invocation, &loaded.sources, watch, system);
        let begin = Instant::now();
        let hears = |outcome: &Outcome| known.hears(at, outcome);
        let mut outcomes = self.outcomes(program, only.as_deref(), saving.as_ref(), &hears)?;
        self.again_alone(program, &mut outcomes, &hears);
        let took = begin.elapsed();
        let this = &self;
        let mut notes = Notes::new();
        if invocation.another && invocation.other_than.is_none() {
            work.phase(format!("looking for other runs of {name}"));
            notes = this.others_than_found(program, &mut outcomes);
        }
        work.phase(format!("telling what was found in {name}"));
        let fails = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Fails { .. });
        let mut is_final = !(invocation.unreached || invocation.mutants || invocation.another)
            && outcomes.iter().all(is_final);
        let whole = if outcomes.iter().any(fails) {
            let whole = within(work.limits(), || whole(part, &invocation.input));
            is_final &= whole.is_ok();
            whole.unwrap_or(Err(NoWhole::Same))
        } else {
            Err(NoWhole::Same)
        };
        told_on_the_whole(&whole, &mut outcomes, &|whole, property| {
            let program = whole.program();
            let name = program.properties[property.index()].name.clone();
            let options = this.options(Some(vec![name]));
            let display = this.display(&options);
            let found = verify::check(program, &options, &display);
            display.clear();
            found.into_iter().find(|found| found.property == property)
        });
        let program = whole.as_ref().map_or(program, |whole| whole.program());
        if let Some(kept) = self.job.kept {
            work.phase(format!("looking for other runs of {name}"));
            notes = this.others_than_kept(program, kept, texts, &mut outcomes);
        }
        let mut report = FileReport::checked(
            &name,
            &loaded.sources,
            program,
            &outcomes,
            &loaded.diagnostics,
        );
        if invocation.unreached {
            let input = Input {
                whole: true,
                unasked: false,
                statements: true,
                ..invocation.input.clone()
            };
            work.phase(format!("looking for what no run reaches in {name}"));
            let all = within(work.limits(), || load(script, &input, files).loaded.program);
            report = match all {
                Ok(all) => {
                    let all = all.as_ref().unwrap_or(program);
                    report.with_unreached(&loaded.sources, all, this.unreached(all))
                }
                Err(limit) => {
                    let reach = Reach {
                        open: Some(limit.into()),
                        ..Reach::default()
                    };
                    report.with_unreached(&loaded.sources, program, reach)
                }
            };
        }
        if invocation.mutants {
            report = report.with_mutants(this.mutants(asked, &outcomes, took));
        }
        let others = readings::others(script, &invocation.input);
        if saving.is_none() && !others.is_empty() {
            work.phase(format!("asking under other readings of {name}"));
            let means = (&this.options(None), begin.elapsed());
            readings::ask_again(script, others, means, &mut report, files);
        }
        let own = own_properties(program, texts.len());
        for (property, outcome) in report.properties.iter_mut().zip(&outcomes) {
            let extra = outcome.property.index().checked_sub(own);
            let asked = extra.map_or(&property.name, |index| &texts[index]);
            let mut again = command_for(&name, &invocation.input, asked);
            if invocation.all_errors && property.story.is_some() {
                again.push_str(" --all-errors");
            }
            if let Some(note) = notes.remove(&outcome.property) {
                property.another = property.story.is_some().then_some(note);
                again.push_str(&match &invocation.other_than {
                    None => " --another".to_owned(),
                    Some(kept) => {
                        let kept = kept.to_string_lossy();
                        format!(" {}", shell_command(&["--other-than", &kept]))
                    }
                });
            }
            property.again = Some(again);
        }
        let keeps = invocation.trace.is_some();
        let told = || (&*name, &loaded.sources);
        Ok(Checked {
            traces: keeps.then(|| {
                let mut found = kept(told(), invocation, program, &outcomes, texts);
                if let Some(before) = self.job.kept {
                    found.traces.retain(|new| !before.traces.contains(new));
                    found.traces.splice(0..0, before.traces.iter().cloned());
                }
                found
            }),
            report,
            is_final,
        })
    }

    /// Verifies the properties that are asked for.
    fn outcomes(
        &self,
        program: &Program,
        only: Option<&[String]>,
        saving: Option<&Saving<'_>>,
        hears: &(dyn Fn(&Outcome) + Sync),
    ) -> Result<Vec<Outcome>, CheckpointError> {
        if only.is_some_and(<[String]>::is_empty) {
            return Ok(Vec::new());
        }
        let options = verify::Options {
            cluster: self.job.invocation.team.clone(),
            ..self.options(only.map(<[String]>::to_vec))
        };
        let display = self.display(&options);
        let file = saving.map(|saving| saving as &dyn CheckpointFile);
        let outcomes = match &options.cluster {
            Some(_) => Ok(verify::check_together(program, &options, &display, hears)),
            None => verify::check_with(program, &options, &display, file, hears),
        };
        display.clear();
        outcomes
    }

    /// Verifies those properties again for which there was not enough memory beside other files, when no
    /// other is at work, and with all the time that a file has.
    fn again_alone(
        &mut self,
        program: &Program,
        outcomes: &mut [Outcome],
        hears: &(dyn Fn(&Outcome) + Sync),
    ) {
        let is_starved = |outcome: &&Outcome| {
            let reason = UnknownReason::Memory;
            matches!(&outcome.verdict, Verdict::Unknown { reason: why, .. } if *why == reason)
        };
        let starved = outcomes.iter().filter(is_starved);
        let name = |outcome: &Outcome| program.properties[outcome.property.index()].name.clone();
        let starved: Vec<String> = starved.map(name).collect();
        if starved.is_empty() || !self.lane.is_shared() || self.job.invocation.resume.is_some() {
            return;
        }
        self.work.begin(None, false);
        self.work.phase("waiting for memory");
        let _alone = self.lane.alone();
        self.work.begin(self.job.invocation.timeout, false);
        self.work.phase("checking again with more memory");
        let Ok(again) = self.outcomes(program, Some(&starved), None, hears) else {
            return;
        };
        // Both are in the program's order.
        let mut old = outcomes.iter_mut();
        for outcome in again {
            if let Some(old) = old.find(|old| old.property == outcome.property) {
                *old = outcome;
            }
        }
    }

    /// The statements that no run reaches.
    fn unreached(&self, program: &Program) -> Reach {
        let options = self.options(None);
        let display = self.display(&options);
        let statements = verify::unreached(program, &options, &display);
        display.clear();
        statements
    }

    /// What is asked for, as the verification takes it.
    pub(super) fn options(&self, only: Option<Vec<String>>) -> verify::Options {
        let Job {
            invocation,
            watch,
            system,
            ..
        } = self.job;
        verify::Options {
            only,
            timeout: self.work.left(),
            memory: watch.memory(),
            resident: watch.resident(),
            jobs: self.lane.threads(),
            engine: invocation.engine,
            storage: invocation.storage,
            disk: (invocation.storage == Storage::Disk)
                .then(|| system.disk(invocation.storage_dir.as_deref())),
            swarm: invocation.swarm,
            passes: invocation.passes.clone(),
            all_errors: invocation.all_errors,
            first_failure: invocation.first_failure,
            on_the_fly: invocation.on_the_fly,
            tuning: invocation.tuning,
            reduce: invocation.reduce,
            symmetry: invocation.symmetry,
            cluster: None,
            stop: system.stop(),
        }
    }

    pub(super) fn display(&self, options: &verify::Options) -> Display<'_> {
        let Job {
            invocation, system, ..
        } = self.job;
        let (timeout, memory) = (options.timeout, options.memory);
        Display::new(system, self.name, invocation.progress, timeout, memory)
    }
}

/// Whether an answer would be the same with more time and memory, and is none about a defect of ours.
fn is_final(outcome: &Outcome) -> bool {
    use UnknownReason as Why;
    match &outcome.verdict {
        Verdict::Holds { .. }
        | Verdict::Fails { .. }
        | Verdict::Vacuous { .. }
        | Verdict::Measured { .. } => true,
        Verdict::Unknown { reason, .. } => match reason {
            Why::StepBudget
            | Why::Overflow
            | Why::Unsupported(_)
            | Why::Unrepeatable
            | Why::Abstraction(_)
            | Why::Option(_)
            | Why::Sampled
            | Why::LeftOut(_)
            | Why::Undecided(_)
            | Why::Suspected(_) => true,
            Why::Time
            | Why::Memory
            | Why::Disk(_)
            | Why::Interrupted
            | Why::NotReplayed(_)
            | Why::Contradiction(_)
            | Why::NotAudited(_)
            | Why::Defect
            | Why::AnotherFailed
            | Why::Bound(_) => false,
        },
    }
}

/// What there is to say of a file on which Probity itself went wrong.
pub(super) fn defective(program: &Program, only: Option<&[String]>) -> Vec<Outcome> {
    let all = (0..program.properties.len()).map(PropertyId::new);
    let wanted = all
        .filter(|id| only.is_none_or(|only| only.contains(&program.properties[id.index()].name)));
    wanted.map(Outcome::defective).collect()
}

/// The command that checks one property of a file again.
fn command_for(file: &str, input: &Input, property: &str) -> String {
    let mut words = vec!["probity".to_owned(), "check".to_owned(), file.to_owned()];
    for (option, value) in input.settings.iter() {
        let short = SHORT.iter().find(|(name, _)| *name == option);
        words.push(match short {
            Some((_, letter)) => format!("-{letter}"),
            None => format!("--{option}"),
        });
        if !value.is_empty() {
            words.push(value.to_string_lossy().into_owned());
        }
    }
    if let Some(language) = &input.language {
        words.extend(["--language".to_owned(), language.clone()]);
    }
    words.extend(["--property".to_owned(), property.to_owned()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    shell_command(&words)
}

/// The runs that show failures, as they are kept.
fn kept(
    (file, sources): (&str, &SourceMap),
    invocation: &CheckInvocation,
    program: &Program,
    outcomes: &[Outcome],
    texts: &[String],
) -> TraceFile {
    let own = own_properties(program, texts.len());
    let given = |option: &OptionSpec| {
        let values = invocation.input.settings.values(option.name);
        values.map(str::to_owned).collect()
    };
    TraceFile {
        version: TRACE_VERSION,
        file: file.to_owned(),
        content: Some(content_digest(sources)),
        bounds: given(&BOUND),
        defines: given(&DEFINE),
        traces: outcomes
            .iter()
            .flat_map(|outcome| {
                let program = outcome.program.as_deref().unwrap_or(program);
                let name = &program.properties[outcome.property.index()].name;
                let first = match &outcome.verdict {
                    Verdict::Fails { trace } => Some(&**trace),
                    _ => None,
                };
                let others = outcome.others.iter().map(|failure| &failure.trace);
                let traces = first.into_iter().chain(others);
                let text = outcome
                    .property
                    .index()
                    .checked_sub(own)
                    .map(|at| &texts[at]);
                traces.map(move |trace| {
                    TracedProperty::new(program, Some(name), trace).with_text(text)
                })
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_checked_again_by_one_command() {
        let mut input = Input::default();
        input.settings.add("bound", "amount=0..10");
        assert_eq!(
            command_for("a b.lsl", &input, "always a > 0"),
            "probity check 'a b.lsl' --bound amount=0..10 --property 'always a > 0'"
        );
    }
}
