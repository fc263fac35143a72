//! `probity certify`: what was shown of a script, with what shows it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use certificate::keys::SecretKey;
use certificate::{Certificate, FORMAT, Level, Property, Shown, formula};
use model::{Program, PropertyId, Verdict};
use verify::{Engine, Outcome, Rechecked};

use crate::certified::{Subject, explored, read, recheck, strength, within};
use crate::check::{is_name, own_properties, show};
use crate::command_line::CertifyInvocation;
use crate::destinations::try_outputs;
use crate::fit::misplaced;
use crate::system::System;

/// How long checking one proof may take where the states are too many to be gone through.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a proof of one property is looked for, at most, where states were gone through.
const PROOF: Duration = Duration::from_secs(5);

/// Certifies, writes the certificate and returns the exit status.
pub(crate) fn run(invocation: &CertifyInvocation, system: &dyn System) -> u8 {
    let input = &invocation.input;
    if let Some(message) = misplaced(input, [invocation.path.as_path()]) {
        system.err(&format!("error[CLI0006]: {message}\n"));
        return 2;
    }
    let inputs = [vec![invocation.path.clone()], input.files()].concat();
    let inputs = [inputs, invocation.sign.iter().cloned().collect()].concat();
    let output = ("-o", invocation.output.as_deref(), false);
    if let Err(message) = try_outputs(&[output], &inputs, invocation.overwrite, system) {
        system.err(&format!("error: {message}\n"));
        return 2;
    }
    let key = match key(invocation, system) {
        Ok(key) => key,
        Err(message) => {
            system.err(&format!("error: {message}\n"));
            return 2;
        }
    };
    let (names, texts): (Vec<String>, Vec<String>) = invocation
        .properties
        .iter()
        .cloned()
        .partition(|given| is_name(given));
    let subject = match read(&invocation.path, input, &texts, system) {
        Ok(subject) => subject,
        Err(refused) => {
            show(&refused.diagnostics, &refused.sources, system);
            return 2;
        }
    };
    show(&subject.diagnostics, &subject.sources, system);
    let chosen = match chosen(&subject, &names, texts.len()) {
        Ok(chosen) => chosen,
        Err(message) => {
            system.err(&format!("error[CLI0003]: {message}\n"));
            return 2;
        }
    };
    let mut certificate = match certify(&subject, &chosen, invocation, system) {
        Ok(certificate) => certificate,
        Err(status) => return status,
    };
    if let Some(key) = key {
        key.sign(&mut certificate);
    }
    let json = certificate.to_json();
    let Some(path) = &invocation.output else {
        system.write_out(&json);
        return 0;
    };
    if let Err(error) = system.write(path, &json) {
        system.err(&format!("error: -o: write {}: {error}\n", path.display()));
        return 3;
    }
    system.out(&told(&certificate, path));
    0
}

/// The key to sign with, if that is asked for.
fn key(invocation: &CertifyInvocation, system: &dyn System) -> Result<Option<SecretKey>, String> {
    if let Some(path) = &invocation.sign {
        let name = path.display();
        let text = system
            .read(path)
            .map_err(|error| format!("--sign: cannot read {name}: {error}"))?;
        let key = SecretKey::from_text(&String::from_utf8_lossy(&text));
        return match key {
            Ok(key) => Ok(Some(key)),
            Err(why) => Err(format!("--sign: {name} is no secret key: {why}")),
        };
    }
    let Some(path) = &invocation.new_key else {
        return Ok(None);
    };
    let mut random = [0; 32];
    system
        .random(&mut random)
        .map_err(|error| format!("--new-key: no random numbers can be had: {error}"))?;
    let key = SecretKey::from_random(&random);
    let public = public_path(path);
    let written = |path: &Path, written: std::io::Result<()>| {
        let name = path.display().to_string();
        written.map_err(|error| format!("--new-key: cannot write {name}: {error}"))
    };
    written(path, system.write_secret(path, &key.to_text()))?;
    written(&public, system.write(&public, &key.public().to_text()))?;
    Ok(Some(key))
}

/// Where the public key is written that goes with a secret one.
fn public_path(secret: &Path) -> PathBuf {
    let mut name = secret.file_name().unwrap_or_default().to_owned();
    name.push(".pub");
    secret.with_file_name(name)
}

/// The properties that are asked for.
fn chosen(subject: &Subject, names: &[String], extra: usize) -> Result<Vec<PropertyId>, String> {
    let program = subject.program();
    let own = own_properties(program, extra);
    if let Some(unknown) = names.iter().find(|name| {
        let place = subject.property(name);
        place.is_none_or(|place| place.index() >= own)
    }) {
        return Err(format!("no property `{unknown}`"));
    }
    let all = names.is_empty() && extra == 0;
    let asked = |id: &PropertyId| {
        all || id.index() >= own || names.contains(&program.properties[id.index()].name)
    };
    let every = (0..program.properties.len()).map(PropertyId::new);
    Ok(every.filter(asked).collect())
}

/// The certificate of these properties, or the exit status if there is none, which is said.
fn certify(
    subject: &Subject,
    chosen: &[PropertyId],
    invocation: &CertifyInvocation,
    system: &dyn System,
) -> Result<Certificate, u8> {
    let program = subject.program();
    if chosen.is_empty() {
        system.err("error: there are no properties that could be certified\n");
        return Err(3);
    }
    let (timeout, audit) = (invocation.limits.0, invocation.audit_time);
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let left = || deadline.map(|until| until.saturating_duration_since(Instant::now()));
    let names = |ids: &[PropertyId]| {
        let name = |id: &PropertyId| program.properties[id.index()].name.clone();
        ids.iter().map(name).collect::<Vec<_>>()
    };
    let options = verify::Options {
        only: Some(names(chosen)),
        timeout: left(),
        stop: system.stop(),
        ..verify::Options::default()
    };
    let outcomes = verify::check(program, &options, &model::Silent);
    if let Some(status) = refused(program, &outcomes, system) {
        return Err(status);
    }
    let mut shown = Vec::new();
    for outcome in &outcomes {
        let coarser = subject.coarser(outcome);
        let coarser = coarser.and_then(|at| Some((at, subject.alone(at)?)));
        let Some((coarser, alone)) = coarser else {
            let name = &program.properties[outcome.property.index()].name;
            system.err(&format!(
                "error: {name}: what it was shown of is not kept\n"
            ));
            return Err(3);
        };
        let proof = left().map_or(PROOF, |left| left.min(PROOF));
        shown.push((
            outcome,
            coarser,
            ways(&alone, outcome, (audit, proof), system),
        ));
    }
    let shown = best(shown, audit);
    let explored = by_engines(subject, &shown, left(), system);
    let mut properties = Vec::new();
    for ((outcome, coarser, found), explored) in shown.iter().zip(explored) {
        let id = outcome.property;
        let stated = &program.properties[id.index()];
        let found = match (found, explored) {
            (Some((shown, rechecked)), _) => Ok((shown.clone(), rechecked.clone())),
            (None, explored) => explored,
        };
        let (shown, rechecked) = found.map_err(|why| {
            let name = &stated.name;
            system.err(&format!(
                "error: {name} holds, but what shows it cannot be checked again: {why}\n"
            ));
            3
        })?;
        properties.push(Property {
            name: stated.name.clone(),
            text: stated.text.clone(),
            stated: subject.stated(id),
            strength: strength(&rechecked),
            assumptions: rechecked.assumptions,
            level: shown.level(),
            coarser: u32::try_from(*coarser).expect("there are few programs"),
            shown,
            digest: String::new(),
        });
    }
    let every: Vec<PropertyId> = (0..program.properties.len()).map(PropertyId::new).collect();
    let mut uncertified = names(&every);
    uncertified.retain(|name| properties.iter().all(|property| property.name != *name));
    let mut certificate = Certificate {
        format: FORMAT,
        probity: env!("CARGO_PKG_VERSION").to_owned(),
        language: subject.language.clone(),
        files: subject.files.clone(),
        options: subject.options.clone(),
        level: weakest(&properties),
        properties,
        uncertified,
        digest: String::new(),
        signature: None,
    };
    certificate.seal();
    Ok(certificate)
}

/// The weakest level of properties.
pub(crate) fn weakest(properties: &[Property]) -> Level {
    let levels = properties.iter().map(|property| property.level);
    levels.min().unwrap_or(Level::Explored)
}

/// The exit status if some property does not hold, which is said.
fn refused(program: &Program, outcomes: &[Outcome], system: &dyn System) -> Option<u8> {
    let mut status = None;
    for outcome in outcomes {
        let what = match &outcome.verdict {
            Verdict::Holds { .. } => continue,
            Verdict::Fails { .. } => "fails",
            Verdict::Vacuous { .. } => "is vacuous",
            Verdict::Measured { .. } => "is a question, and nothing that could hold",
            Verdict::Unknown { .. } => "is not known",
        };
        let name = &program.properties[outcome.property.index()].name;
        system.err(&format!("error: {name} {what}\n"));
        let fails = matches!(outcome.verdict, Verdict::Fails { .. });
        status = match (fails, status) {
            (true, _) | (_, Some(1)) => Some(1),
            _ => Some(3),
        };
    }
    if status.is_some() {
        system.err(
            "  = note: no certificate is written; `probity check` tells why, and --property \
             certifies other properties alone\n",
        );
    }
    status
}

/// What shows a property by itself, and what comes of checking it.
type Found = Option<(Shown, Rechecked)>;

/// A way to show a property by itself, what comes of checking it, and how long that takes.
struct Way {
    shown: Shown,
    rechecked: Rechecked,
    time: Duration,
}

/// Ways to show a property by itself that can be checked again in time, the best one last: the
/// interpreter, and a proof, which is looked for if the engines have none.
fn ways(
    program: &Program,
    outcome: &Outcome,
    (audit, proof): (Duration, Duration),
    system: &dyn System,
) -> Vec<Way> {
    let property = outcome.property;
    let most = match outcome.engine {
        Engine::Sat => audit.max(PATIENCE),
        _ => audit,
    };
    let in_time = |shown: Shown, most: Duration| {
        let began = Instant::now();
        let rechecked = recheck(program, property, &shown, &within(Some(most), system));
        Some(Way {
            shown,
            rechecked: rechecked.ok()?,
            time: began.elapsed(),
        })
    };
    let of =
        |outcome: &Outcome| in_time(formula::written(program, outcome.evidence.as_ref()?)?, most);
    let walked = in_time(Shown::Interpretation { states: 0 }, audit).map(|way| Way {
        shown: Shown::Interpretation {
            states: way.rechecked.states,
        },
        ..way
    });
    let mut ways: Vec<Way> = walked.into_iter().collect();
    let proved = of(outcome).or_else(|| {
        if outcome.engine == Engine::Sat {
            return None;
        }
        let options = verify::Options {
            only: Some(vec![program.properties[property.index()].name.clone()]),
            engine: Some(Engine::Sat),
            timeout: Some(proof),
            stop: system.stop(),
            ..verify::Options::default()
        };
        let proved = verify::check(program, &options, &model::Silent);
        proved.iter().find_map(of)
    });
    ways.extend(proved);
    ways
}

/// Of the ways to show each property the best that there is time for: first some way for as many as
/// can be, then proofs, always those first that take the least.
fn best(all: Vec<(&Outcome, usize, Vec<Way>)>, audit: Duration) -> Vec<(&Outcome, usize, Found)> {
    let mut chosen: Vec<Option<usize>> = vec![None; all.len()];
    let mut spent = Duration::ZERO;
    for (chosen, (outcome, _, ways)) in chosen.iter_mut().zip(&all) {
        // Its states are too many: it is the proof or nothing.
        if outcome.engine == Engine::Sat && !ways.is_empty() {
            *chosen = Some(ways.len() - 1);
            spent += ways[ways.len() - 1].time;
        }
    }
    for is_proof in [false, true] {
        let mut more: Vec<(Duration, usize, usize)> = Vec::new();
        for (at, (.., ways)) in all.iter().enumerate() {
            if chosen[at].is_some_and(|way: usize| ways[way].shown.level() == Level::Proof) {
                continue;
            }
            let before = chosen[at].map_or(Duration::ZERO, |way: usize| ways[way].time);
            for (number, way) in ways.iter().enumerate() {
                let proves = way.shown.level() == Level::Proof;
                // Where there is only a proof, it comes with the first.
                if proves == is_proof || ways.len() == 1 && chosen[at].is_none() {
                    more.push((way.time.saturating_sub(before), at, number));
                }
            }
        }
        more.sort_unstable();
        for (time, at, number) in more {
            if spent + time <= audit {
                spent += time;
                chosen[at] = Some(number);
            }
        }
    }
    let chosen = all.into_iter().zip(chosen);
    chosen
        .map(|((outcome, coarser, mut ways), chosen)| {
            let way = chosen.map(|number| ways.swap_remove(number));
            (outcome, coarser, way.map(|way| (way.shown, way.rechecked)))
        })
        .collect()
}

/// What engines go through again, of properties that nothing else shows; for the others an error that
/// nobody asks about.
fn by_engines(
    subject: &Subject,
    shown: &[(&Outcome, usize, Found)],
    left: Option<Duration>,
    system: &dyn System,
) -> Vec<Result<(Shown, Rechecked), String>> {
    let mut results: Vec<Result<(Shown, Rechecked), String>> =
        vec![Err(String::new()); shown.len()];
    for coarser in 0..subject.programs.len() {
        let open: Vec<usize> = (0..shown.len())
            .filter(|&at| shown[at].1 == coarser && shown[at].2.is_none())
            .collect();
        let Some(program) = subject.alone(coarser).filter(|_| !open.is_empty()) else {
            continue;
        };
        let engine = |outcome: &Outcome| match outcome.engine {
            Engine::Sat => Engine::Explicit,
            engine => engine,
        };
        let asked: Vec<(PropertyId, Engine)> = open
            .iter()
            .map(|&at| (shown[at].0.property, engine(shown[at].0)))
            .collect();
        let found = explored(&program, &asked, &within(left, system));
        for ((at, (_, engine)), rechecked) in open.into_iter().zip(asked).zip(found) {
            results[at] = rechecked.map(|rechecked| {
                let shown = Shown::Exploration {
                    engine: engine.name().to_owned(),
                    states: rechecked.states,
                };
                (shown, rechecked)
            });
        }
    }
    results
}

/// What is said of a certificate that has been written.
fn told(certificate: &Certificate, path: &Path) -> String {
    let mut text = String::new();
    for property in &certificate.properties {
        text.push_str(&format!(
            "{:<11} {}\n",
            property.level.name(),
            property.name
        ));
    }
    let signed = match &certificate.signature {
        Some(signature) => format!(", signed by {}", signature.key),
        None => String::new(),
    };
    text.push_str(&format!(
        "Wrote {}: level {}{signed}.\n",
        path.display(),
        certificate.level.name()
    ));
    text
}
