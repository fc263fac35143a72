//! What certificates are about: a script as it is read, and how its properties are checked again.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use certificate::{Given, Hashed, Role, Shown, Stated, Strength, formula, sha256};
use model::{Budget, Program, PropertyId};
use source::{Diagnostic, SourceMap, Span};
use verify::{Engine, Outcome, Rechecked};

use crate::check::own_properties;
use crate::command_line::Input;
use crate::corridor::{Loaded, Script, contents, load};
use crate::system::System;

/// A script that was read as a program, and the files that it was read from.
pub(crate) struct Subject {
    pub(crate) language: String,
    pub(crate) files: Vec<Hashed>,
    pub(crate) options: Vec<Given>,
    pub(crate) sources: SourceMap,
    /// The program, and those with all of its runs and perhaps more.
    pub(crate) programs: Vec<Arc<Program>>,
    /// How many properties were asked for beside the script's own: the last ones.
    pub(crate) extra: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads a script.
///
/// # Errors
/// What is to be shown: it cannot be read, or is no program.
pub(crate) fn read(
    path: &Path,
    input: &Input,
    extra: &[String],
    system: &dyn System,
) -> Result<Subject, Box<Loaded>> {
    let contents = contents(path, system).map_err(|refused| Box::new(Loaded::refused(*refused)))?;
    let loaded = load(
        Script {
            path,
            contents: &contents,
            extra,
        },
        input,
        system,
    )
    .loaded;
    let Some(program) = loaded.program else {
        return Err(Box::new(loaded));
    };
    let name = path.file_name().unwrap_or_default();
    let mut files = vec![Hashed {
        name: name.to_string_lossy().into_owned(),
        role: Role::Script,
        sha256: sha256(&contents),
    }];
    // The first is the script, and texts of the command line are properties.
    let included = loaded.sources.files().skip(1);
    let included = included.filter(|file| !file.name().starts_with("--"));
    files.extend(included.map(|file| Hashed {
        name: file.name().to_owned(),
        role: Role::Included,
        sha256: sha256(file.text().as_bytes()),
    }));
    for path in input.files() {
        let contents = system.read(&path).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Box::new(Loaded::refused(Diagnostic::error("CLI0002", message)))
        })?;
        files.push(Hashed {
            name: path.to_string_lossy().into_owned(),
            role: Role::Option,
            sha256: sha256(&contents),
        });
    }
    let options = input.settings.iter().map(|(name, value)| Given {
        name: name.to_owned(),
        value: value.to_string_lossy().into_owned(),
    });
    let language = input.language_of(path).map(|one| one.language().name);
    let mut programs = vec![Arc::new(program)];
    while let Some(coarser) = programs.last().and_then(|last| last.coarse.clone()) {
        programs.push(coarser);
    }
    Ok(Subject {
        language: language.unwrap_or_default().to_owned(),
        files,
        options: options.collect(),
        sources: loaded.sources,
        programs,
        extra: extra.len(),
        diagnostics: loaded.diagnostics,
    })
}

impl Subject {
    /// The script's own program.
    pub(crate) fn program(&self) -> &Program {
        &self.programs[0]
    }

    /// The program whose properties and assumptions an outcome is about, by how much coarser it is.
    pub(crate) fn coarser(&self, outcome: &Outcome) -> Option<usize> {
        match &outcome.program {
            None => Some(0),
            Some(program) => {
                let mut programs = self.programs.iter();
                programs.position(|one| Arc::ptr_eq(one, program))
            }
        }
    }

    /// One of the programs, without those that are coarser.
    pub(crate) fn alone(&self, coarser: usize) -> Option<Program> {
        let program = self.programs.get(coarser)?;
        Some(Program {
            coarse: None,
            ..Program::clone(program)
        })
    }

    /// The property of a name.
    pub(crate) fn property(&self, name: &str) -> Option<PropertyId> {
        let mut properties = self.program().properties.iter();
        let place = properties.position(|property| property.name == name)?;
        Some(PropertyId::new(place))
    }

    /// Where a property is stated.
    pub(crate) fn stated(&self, property: PropertyId) -> Stated {
        let program = self.program();
        if property.index() >= own_properties(program, self.extra) {
            return Stated::Asked;
        }
        match program.properties[property.index()].span {
            Span::NONE => Stated::Language,
            span => Stated::Line(self.sources.file(span.file).line(span.start).into()),
        }
    }
}

/// Checks one property again by what shows it; how long that took. What engines go through again is
/// left to [`explored`].
///
/// # Errors
/// Why it is refused.
pub(crate) fn recheck(
    program: &Program,
    property: PropertyId,
    shown: &Shown,
    budget: &Budget,
) -> Result<Rechecked, String> {
    let again = || match shown {
        Shown::Interpretation { .. } => verify::interpreted(program, property, budget),
        Shown::Exploration { .. } => Err("it is not shown by itself".to_owned()),
        Shown::Invariant { .. } | Shown::InvariantOfRuns { .. } | Shown::AllRuns {} => {
            let evidence = formula::read(program, shown).map_err(|misfit| misfit.to_string())?;
            verify::recheck_proof(program, property, &evidence, budget)
        }
    };
    // What somebody wrote who wants it to be believed may be anything.
    unless_it_panics(again).unwrap_or_else(|| Err(DEFECT.to_owned()))
}

const DEFECT: &str = "it could not be checked: a defect of Probity's";

/// What comes of some work; nothing if it panics. A limit that is reached in it unwinds as well, but is no
/// defect: it goes on to whoever set the limit.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        // Only a panic says something.
        Err(payload) if payload.is::<&str>() || payload.is::<String>() => None,
        Err(limit) => resume_unwind(limit),
    }
}

/// Has engines go through the states again of these properties.
pub(crate) fn explored(
    program: &Program,
    properties: &[(PropertyId, Engine)],
    budget: &Budget,
) -> Vec<Result<Rechecked, String>> {
    let again = || verify::explored_again(program, properties, budget);
    unless_it_panics(again).unwrap_or_else(|| vec![Err(DEFECT.to_owned()); properties.len()])
}

/// How far a property holds, as certificates say it.
pub(crate) fn strength(rechecked: &Rechecked) -> Strength {
    match rechecked.strength {
        model::Strength::Proved => Strength::Proved,
        _ => Strength::Exhausted,
    }
}

/// Limits: so much time at most, of what there is.
pub(crate) fn within(time: Option<Duration>, system: &dyn System) -> Budget {
    Budget {
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        stop: system.stop(),
        ..Budget::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use source::limits::{self, Limit, Limits};

    use super::*;

    #[test]
    fn a_limit_that_is_reached_is_no_defect() {
        let limits = Limits::default();
        let stop = limits.stop.clone();
        let for_ever = || -> usize {
            stop.store(true, Ordering::Relaxed);
            loop {
                limits::check();
            }
        };
        let reached = limits::within(limits, || unless_it_panics(for_ever));
        assert_eq!(reached, Err(Limit::Interrupted));
        assert_eq!(unless_it_panics(|| 1), Some(1));
        let broken = || -> usize { panic!("{} is wrong", 1) };
        assert_eq!(unless_it_panics(broken), None);
        let broken = || -> usize { panic!("a literal") };
        assert_eq!(unless_it_panics(broken), None);
    }
}
