//! `probity audit`: whether what a certificate says of a script is so.
//!
//! Nothing in the certificate is believed. Digests and signatures tell what was changed since it was
//! made; that the properties hold is shown again, on the script as it is read now.

use std::path::Path;
use std::time::Instant;

use certificate::keys::{PublicKey, signer};
use certificate::{Certificate, Level, Property, Role, Shown};
use model::{Budget, PropertyId, UnknownReason};
use source::limits::Limit;
use verify::{Engine, Rechecked};

use crate::certified::{Subject, explored, read, recheck, strength, within};
use crate::certify::weakest;
use crate::check::show;
use crate::command_line::{AuditInvocation, Input};
use crate::languages::Languages;
use crate::system::System;
use crate::watch::in_words;

/// Why there is no acceptance: what is wrong, and the exit status.
struct Refused(String, u8);

impl Refused {
    /// The certificate says what is not so.
    fn not_so(what: impl Into<String>) -> Refused {
        Refused(what.into(), 1)
    }

    /// A limit was reached: whether it is so is not known.
    fn late(reason: &UnknownReason) -> Refused {
        let words = match reason {
            UnknownReason::Memory => in_words(Limit::Memory),
            UnknownReason::Interrupted => in_words(Limit::Interrupted),
            _ => in_words(Limit::Time),
        };
        Refused(words.to_owned(), 3)
    }

    /// Something cannot be read.
    fn unread(what: impl Into<String>) -> Refused {
        Refused(what.into(), 2)
    }
}

/// Audits, tells what was checked and returns the exit status.
pub(crate) fn run(invocation: &AuditInvocation, languages: Languages, system: &dyn System) -> u8 {
    let began = Instant::now();
    let name = invocation.certificate.display();
    match accepted(invocation, languages, system) {
        Ok((level, count)) => {
            let properties = if count == 1 {
                "property holds"
            } else {
                "properties hold"
            };
            system.out(&format!(
                "Accepted: {count} {properties}, level {}, in {:.2} s.\n",
                level.name(),
                began.elapsed().as_secs_f64()
            ));
            0
        }
        Err(Refused(why, status)) => {
            let word = if status == 1 { "refused" } else { "error" };
            system.err(&format!("{word}: {name}: {why}\n"));
            if status == 1 {
                system.out("Refused.\n");
            }
            status
        }
    }
}

/// Checks all that a certificate says; its level and how many properties it is about.
fn accepted(
    invocation: &AuditInvocation,
    languages: Languages,
    system: &dyn System,
) -> Result<(Level, usize), Refused> {
    let text = system
        .read(&invocation.certificate)
        .map_err(|error| Refused::unread(format!("cannot be read: {error}")))?;
    let certificate =
        Certificate::from_json(&text).map_err(|why| Refused::unread(why.to_string()))?;
    certificate
        .unchanged()
        .map_err(|changed| Refused::not_so(changed.to_string()))?;
    signed(&certificate, invocation.signed_by.as_deref(), system)?;
    let input = input(&certificate, languages)?;
    let extra: Vec<String> = certificate
        .properties
        .iter()
        .filter(|property| property.stated == certificate::Stated::Asked)
        .map(|property| property.text.clone())
        .collect();
    unchanged(&certificate, &invocation.script, system)?;
    let subject = read(&invocation.script, &input, &extra, system).map_err(|refused| {
        show(&refused.diagnostics, &refused.sources, system);
        Refused::unread("the script cannot be read as a program")
    })?;
    if subject.files != certificate.files {
        let mut pairs = subject.files.iter().zip(&certificate.files);
        let other = pairs.find(|(is, was)| (is.role, &is.sha256) != (was.role, &was.sha256));
        if let Some((is, _)) = other {
            return Err(Refused::not_so(format!("`{}` is not as it was", is.name)));
        }
        if subject.files.len() != certificate.files.len() {
            return Err(Refused::not_so("the script includes other files"));
        }
    }
    system.out("the script is the one that was certified\n");
    for option in &certificate.options {
        let value = if option.value.is_empty() { "" } else { " " };
        system.out(&format!(
            "read with --{}{value}{}\n",
            option.name, option.value
        ));
    }
    if certificate.properties.is_empty() {
        return Err(Refused::not_so("it says nothing"));
    }
    let mut ids = Vec::new();
    for property in &certificate.properties {
        ids.push(same(&subject, property)?);
    }
    let every = subject.program().properties.iter();
    let uncertified: Vec<&String> = every
        .enumerate()
        .filter(|(at, _)| !ids.contains(&PropertyId::new(*at)))
        .map(|(_, property)| &property.name)
        .collect();
    if !uncertified.iter().copied().eq(&certificate.uncertified) {
        return Err(Refused::not_so(
            "the script states other properties that are not certified than it says",
        ));
    }
    shown(&subject, &certificate, &ids, invocation, system)?;
    if certificate.level != weakest(&certificate.properties) {
        return Err(Refused::not_so(
            "its level is not that of its weakest property",
        ));
    }
    if certificate.level < invocation.level {
        let (is, wanted) = (certificate.level.name(), invocation.level.name());
        return Err(Refused::not_so(format!(
            "its level is {is}, and {wanted} is asked for"
        )));
    }
    for name in uncertified {
        system.out(&format!("not certified: {name}\n"));
    }
    Ok((certificate.level, certificate.properties.len()))
}

/// Who signed it.
fn signed(
    certificate: &Certificate,
    by: Option<&Path>,
    system: &dyn System,
) -> Result<(), Refused> {
    let by = match by {
        None => None,
        Some(path) => {
            let name = path.display();
            let text = system
                .read(path)
                .map_err(|error| Refused::unread(format!("--signed-by: {name}: {error}")))?;
            let key = PublicKey::from_text(&String::from_utf8_lossy(&text));
            let no_key = |why| Refused::unread(format!("--signed-by: {name} is no key: {why}"));
            Some(key.map_err(no_key)?)
        }
    };
    if certificate.signature.is_none() && by.is_none() {
        return Ok(());
    }
    let key = signer(certificate, by).map_err(|why| Refused::not_so(why.to_string()))?;
    let known = match by {
        Some(_) => "",
        None => " (whose key this is has not been checked: --signed-by)",
    };
    system.out(&format!("signed by {}{known}\n", key.digits()));
    Ok(())
}

/// How the script was read.
fn input(certificate: &Certificate, languages: Languages) -> Result<Input, Refused> {
    if languages.named(&certificate.language).is_none() {
        let language = &certificate.language;
        return Err(Refused::unread(format!(
            "the language `{language}` is not known"
        )));
    }
    let mut input = Input {
        languages,
        language: Some(certificate.language.clone()),
        unasked: true,
        ..Input::default()
    };
    for given in &certificate.options {
        let mut specs = languages.options().into_iter();
        let unknown = || {
            let (name, value) = (&given.name, &given.value);
            Refused::unread(format!("the option --{name} {value} is not known"))
        };
        let spec = specs
            .find(|spec| spec.name == given.name)
            .ok_or_else(unknown)?;
        let value = &given.value;
        let fits = match spec.value {
            None => value.is_empty(),
            Some(_) if spec.names_files() => true,
            Some(_) => {
                (spec.choices.is_empty() || spec.choices.contains(&value.as_str()))
                    && (spec.normal)(value).is_ok_and(|normal| normal == *value)
            }
        };
        if !fits {
            return Err(unknown());
        }
        input.settings.add(spec.name, value.clone());
    }
    Ok(input)
}

/// Whether the script is the one that was certified, before it is read as a program.
fn unchanged(certificate: &Certificate, script: &Path, system: &dyn System) -> Result<(), Refused> {
    let contents = system.read(script).map_err(|error| {
        Refused::unread(format!("{} cannot be read: {error}", script.display()))
    })?;
    let mut files = certificate.files.iter();
    let own = files.find(|file| file.role == Role::Script);
    match own {
        Some(file) if file.sha256 == certificate::sha256(&contents) => Ok(()),
        Some(file) => Err(Refused::not_so(format!(
            "{} is not the script that was certified: its SHA-256 is not {}",
            script.display(),
            file.sha256
        ))),
        None => Err(Refused::not_so("it names no script")),
    }
}

/// The property of the script that a certificate speaks of.
fn same(subject: &Subject, property: &Property) -> Result<PropertyId, Refused> {
    let name = &property.name;
    let id = subject
        .property(name)
        .ok_or_else(|| Refused::not_so(format!("the script has no property `{name}`")))?;
    let stated = &subject.program().properties[id.index()];
    if stated.text != property.text {
        return Err(Refused::not_so(format!(
            "the property `{name}` is another one"
        )));
    }
    if subject.stated(id) != property.stated {
        return Err(Refused::not_so(format!("`{name}` is stated elsewhere")));
    }
    Ok(id)
}

/// Whether each property is shown, and as far as is said.
fn shown(
    subject: &Subject,
    certificate: &Certificate,
    ids: &[PropertyId],
    invocation: &AuditInvocation,
    system: &dyn System,
) -> Result<(), Refused> {
    let budget = within(invocation.limits.0, system);
    let mut by_engines: Vec<(usize, PropertyId, Engine)> = Vec::new();
    for (at, (property, &id)) in certificate.properties.iter().zip(ids).enumerate() {
        if let Shown::Exploration { engine, .. } = &property.shown {
            let engine = engine.parse::<Engine>();
            let engine = engine.map_err(|_| {
                Refused::not_so(format!(
                    "`{}` was shown by no engine there is",
                    property.name
                ))
            })?;
            by_engines.push((at, id, engine));
            continue;
        }
        let began = Instant::now();
        let program = program(subject, property)?;
        let rechecked = recheck(&program, id, &property.shown, &budget);
        compared(property, in_time(rechecked, &budget)?)?;
        let time = began.elapsed().as_secs_f64();
        told(property, &format!(", {time:.2} s"), system);
    }
    let mut coarsers: Vec<u32> = by_engines
        .iter()
        .map(|(at, ..)| certificate.properties[*at].coarser)
        .collect();
    coarsers.sort_unstable();
    coarsers.dedup();
    for coarser in coarsers {
        let mine: Vec<_> = by_engines
            .iter()
            .filter(|(at, ..)| certificate.properties[*at].coarser == coarser)
            .collect();
        let asked: Vec<_> = mine.iter().map(|(_, id, engine)| (*id, *engine)).collect();
        let program = program(subject, &certificate.properties[mine[0].0])?;
        let found = explored(&program, &asked, &budget);
        for ((at, ..), rechecked) in mine.into_iter().zip(found) {
            let property = &certificate.properties[*at];
            compared(property, in_time(rechecked, &budget)?)?;
            told(property, "", system);
        }
    }
    Ok(())
}

/// What was found again. What is not shown when the budget is exhausted might be shown with more.
fn in_time(
    rechecked: Result<Rechecked, String>,
    budget: &Budget,
) -> Result<Result<Rechecked, String>, Refused> {
    match budget.exhausted(0) {
        Some(reason) if rechecked.is_err() => Err(Refused::late(&reason)),
        _ => Ok(rechecked),
    }
}

/// The program of which a property was shown.
fn program(subject: &Subject, property: &Property) -> Result<model::Program, Refused> {
    let name = &property.name;
    let program = subject.alone(property.coarser as usize);
    program.ok_or_else(|| Refused::not_so(format!("`{name}` was shown of no program there is")))
}

/// Whether what was found again is what the certificate says.
fn compared(property: &Property, rechecked: Result<Rechecked, String>) -> Result<(), Refused> {
    let name = &property.name;
    let rechecked =
        rechecked.map_err(|why| Refused::not_so(format!("`{name}` is not shown: {why}")))?;
    if strength(&rechecked) != property.strength {
        return Err(Refused::not_so(format!(
            "`{name}` holds, but not as far as it says"
        )));
    }
    if rechecked.assumptions != property.assumptions {
        return Err(Refused::not_so(format!(
            "`{name}` holds under other assumptions"
        )));
    }
    if property.level != property.shown.level() {
        return Err(Refused::not_so(format!(
            "the level of `{name}` is not what shows it"
        )));
    }
    match property.shown {
        Shown::Interpretation { states } | Shown::Exploration { states, .. }
            if states != rechecked.states =>
        {
            Err(Refused::not_so(format!(
                "`{name}` was shown by {states} states, and there are {}",
                rechecked.states
            )))
        }
        _ => Ok(()),
    }
}

/// Says how a property was checked.
fn told(property: &Property, time: &str, system: &dyn System) {
    let how = match &property.shown {
        Shown::Invariant { .. } => "its invariant is inductive and rules out a failure".to_owned(),
        Shown::InvariantOfRuns { .. } => {
            "the invariant of its runs is inductive and rules out a failure".to_owned()
        }
        Shown::AllRuns {} => "all runs end, and none fails".to_owned(),
        Shown::Interpretation { states } => {
            format!("{states} states gone through on the reference interpreter")
        }
        Shown::Exploration { engine, states } => {
            format!("{states} states gone through by the engine {engine}")
        }
    };
    let (level, name) = (property.level.name(), &property.name);
    system.out(&format!("{level:<11} {name}: {how}{time}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_in_time_is_not_known() {
        let exhausted = Budget {
            deadline: Some(Instant::now()),
            ..Budget::default()
        };
        let not_shown = || Err("the limit".to_owned());
        let late = in_time(not_shown(), &exhausted).err();
        let late = late.map(|Refused(why, status)| (why, status));
        assert_eq!(late, Some(("the time limit was reached".to_owned(), 3)));
        assert!(in_time(not_shown(), &Budget::default()).is_ok());
    }
}
