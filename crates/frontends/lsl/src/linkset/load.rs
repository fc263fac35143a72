//! From a linkset file to a program with its properties.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use model::{Claim, Program, Property, PropertyId, VariableKind};
use source::{Diagnostic, Diagnostics, FileId, Include, SourceMap, Span};

use super::claims::{self, Names};
use super::file::{self, LinksetFile};
use super::loads::{LOAD, SET_PIN, load as load_of, pins};
use super::member::{Linkset, MemberScript, PrimOf, renames, speaks};
use super::orders::{Suffers, orders};
use super::unasked::unasked;
use crate::ast::GlobalId;
use crate::check::Checked;
use crate::checks::{handles, put_in_words, say_of_all};
use crate::codes::checks::PAYS_MORE;
use crate::codes::{habits, linkset as code};
use crate::environment::{handled_events, owner_matters};
use crate::load::{self, Loaded, Options};
use crate::lower::assemble::{Common, Single, every_script_goes_on, lower_linkset};
use crate::lower::{Delivery, Input, Lowered, Survey};
use crate::property::Prepared;
use crate::watch::{Bounds, Notecard, Watch};

/// Reads the files of a linkset.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    /// The text of a file by its path.
    pub(crate) read: &'a dyn Fn(&Path) -> Result<String, String>,
    /// What scripts include.
    pub(crate) include: Include<'a>,
}

/// A script of the linkset.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) name: String,
    /// Its name in the inventory.
    pub(super) item: String,
    pub(super) prim: usize,
    /// Which of the texts that were read it is.
    pub(super) text: usize,
    /// Whether it is there at first, and whether it may be loaded.
    pub(super) is_there: bool,
    pub(super) may_be_loaded: bool,
    pub(super) bounds: Bounds,
}

/// Reads a linkset file and its scripts, lowers them into one program, and weaves the properties of
/// all into it.
pub(crate) fn load(path: &Path, text: &str, files: Files<'_>, options: &Options) -> Loaded {
    let name = path.to_string_lossy().into_owned();
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name.as_str(), text);
    let stated = file::parse(sources.file(file), &mut diagnostics);
    let Some((scripts, texts)) = read_scripts(
        path,
        &stated,
        files,
        options,
        &mut sources,
        &mut diagnostics,
    ) else {
        return Loaded::new(sources, diagnostics, None);
    };
    handled_by_others(&scripts, &texts, &mut diagnostics);
    let names = Names::new(scripts.iter().map(|script| {
        let checked = &texts[script.text].0;
        (script.name.as_str(), checked)
    }));
    let common = match claims::read(&stated, &names, options, &mut sources, &mut diagnostics) {
        Ok(common) => common,
        Err(()) => return Loaded::new(sources, diagnostics, None),
    };
    if options.checks
        && common.is_none()
        && texts.iter().all(|(_, own)| own.claims_nothing())
        && let Some(program) = unasked(
            (&name, &stated),
            (&scripts, &texts),
            &mut sources,
            &mut diagnostics,
        )
    {
        return Loaded::new(sources, diagnostics, Some(program));
    }
    let asked = Asked {
        common: common.as_ref(),
        used: common.as_ref().map(|_| names.used()).unwrap_or_default(),
        ..Asked::default()
    };
    let mut program = program(
        (&name, &stated),
        (&scripts, &texts),
        &asked,
        &mut diagnostics,
    );
    names.show(&mut program);
    Loaded::new(sources, diagnostics, Some(program))
}

/// So many messages wait for a script where nobody has asked and no other number is stated.
const FEW_MESSAGES: u32 = 2;

/// Scripts, each once.
pub(super) type Texts = Vec<(Checked, Prepared)>;

/// What is asked of a linkset.
#[derive(Default)]
pub(super) struct Asked<'a> {
    /// What its file states of all scripts.
    pub(super) common: Option<&'a (Checked, Prepared)>,
    /// The variables that the file names.
    pub(super) used: Vec<(usize, GlobalId)>,
    /// Whether the properties of the scripts are the checks that nobody asks for.
    pub(super) checks: bool,
    /// Whether only few messages wait for a script where no number is stated.
    pub(super) few_messages: bool,
}

/// Reads all scripts, each text once.
fn read_scripts(
    path: &Path,
    stated: &LinksetFile,
    files: Files<'_>,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Vec<Script>, Texts)> {
    let (bounds, bound_spans) = claims::bounds(stated, options, diagnostics);
    let options = Options {
        bounds,
        bound_spans,
        extra_properties: Vec::new(),
        checks: false,
        ..options.clone()
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let text_of = |path: &Path, span: Span, diagnostics: &mut Diagnostics| {
        let text = (files.read)(path);
        let unread = |why| {
            let message = format!("cannot read `{}`: {why}", path.display());
            diagnostics.push(Diagnostic::error(code::SCRIPT, message).at(span));
        };
        text.map_err(unread).ok()
    };
    let mut known: Vec<PathBuf> = Vec::new();
    let mut texts: Texts = Vec::new();
    let mut scripts: Vec<Script> = Vec::new();
    for (number, prim) in stated.prims.iter().enumerate() {
        let mut notecards = options.notecards.clone();
        for (given, span) in &prim.notecards {
            let (name, file) = Notecard::named(given);
            let path = folder.join(file);
            if let Some(text) = text_of(&path, *span, diagnostics) {
                notecards.push(Notecard::new(name, path.to_string_lossy(), &text));
            }
        }
        notecards.sort_by(|one, other| one.name.cmp(&other.name));
        let there = prim.scripts.iter().map(|entry| (entry, true));
        let loaded = prim.loaded.iter().map(|entry| (entry, false));
        for ((entry, span), is_there) in there.chain(loaded) {
            let path = folder.join(entry);
            let at = match known.iter().position(|other| *other == path) {
                Some(at) => at,
                None => {
                    let Some(text) = text_of(&path, *span, diagnostics) else {
                        continue;
                    };
                    let name = path.to_string_lossy();
                    let given = (&options, files.include);
                    let Some(read) = load::read(&name, &text, given, sources, diagnostics) else {
                        continue;
                    };
                    texts.push(read);
                    known.push(path);
                    known.len() - 1
                }
            };
            let known = scripts.iter_mut().filter(|script| script.prim == number);
            let same = known.filter(|script| script.text == at).last();
            if let Some(same) = same.filter(|_| !is_there) {
                // It may take its own place.
                same.may_be_loaded = true;
                continue;
            }
            let mut bounds = texts[at].1.bounds.clone();
            bounds.notecards.clone_from(&notecards);
            scripts.push(Script {
                name: unused_name(entry, &scripts),
                item: item_name(entry),
                prim: number,
                text: at,
                is_there,
                may_be_loaded: !is_there,
                bounds,
            });
        }
    }
    (!diagnostics.has_errors()).then_some((scripts, texts))
}

/// Takes back that nothing handles a button, where another script listens.
fn handled_by_others(scripts: &[Script], texts: &Texts, diagnostics: &mut Diagnostics) {
    let listener = |file: FileId| {
        let mut others = scripts.iter().map(|script| &texts[script.text].0);
        others.any(|other| other.ast.file != file && handles(other, "listen"))
    };
    diagnostics
        .retain(|found| found.code != habits::UNHANDLED_BUTTON || !listener(found.span.file));
}

/// The name that a script has in the inventory: that of its file.
fn item_name(entry: &str) -> String {
    let stem = Path::new(entry).file_stem();
    stem.map_or_else(
        || entry.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// The name of a script: that of its file, with a number if there are several.
fn unused_name(entry: &str, scripts: &[Script]) -> String {
    let stem = item_name(entry);
    let taken = |name: &str| scripts.iter().any(|script| script.name == name);
    if !taken(&stem) {
        return stem;
    }
    let mut numbers = 2_usize..;
    loop {
        let name = format!("{stem}@{}", numbers.next().unwrap_or(usize::MAX));
        if !taken(&name) {
            return name;
        }
    }
}

/// The program of all scripts, with all properties.
pub(super) fn program(
    (name, stated): (&str, &LinksetFile),
    (scripts, texts): (&[Script], &Texts),
    asked: &Asked<'_>,
    diagnostics: &mut Diagnostics,
) -> Program {
    let (common, used) = (asked.common, &asked.used);
    let watches = watches(scripts, texts, common, used);
    let singles: Vec<Single<'_>> = scripts
        .iter()
        .zip(&watches)
        .map(|(script, watch)| Single {
            checked: &texts[script.text].0,
            watch,
            bounds: &script.bounds,
        })
        .collect();
    let common_part = common.map(|(checked, prepared)| Common {
        stated: Single {
            checked,
            watch: prepared.watch(),
            bounds: &prepared.bounds,
        },
        variables: used.clone(),
    });
    let mut linkset = linkset(stated, (scripts, texts), &singles, common_part.as_ref());
    if asked.few_messages && linkset.queue.is_none() {
        (linkset.queue, linkset.queue_is_chosen) = (Some(FEW_MESSAGES), true);
    }
    let (mut program, lowered) = lower_linkset(name, &singles, common_part.as_ref(), &linkset);
    let prepared = scripts
        .iter()
        .map(|script| (&texts[script.text], Some(script.name.as_str())))
        .chain(common.map(|common| (common, None)));
    for (mut lowered, ((checked, prepared), script)) in lowered.into_iter().zip(prepared) {
        program = weave(
            program,
            &mut lowered,
            (checked, prepared),
            (script, asked.checks),
        );
        diagnostics.extend(lowered.diagnostics);
    }
    finish(&mut program);
    program
}

/// What the scripts have to show: their own properties ask for it, or those of others.
fn watches(
    scripts: &[Script],
    texts: &Texts,
    common: Option<&(Checked, Prepared)>,
    used: &[(usize, GlobalId)],
) -> Vec<Watch> {
    let mut watches: Vec<Watch> = scripts
        .iter()
        .map(|script| texts[script.text].1.watch().clone())
        .collect();
    let mut asked: Vec<String> = watches
        .iter()
        .flat_map(|watch| watch.calls.iter().cloned())
        .collect();
    if let Some((_, prepared)) = common {
        let watch = prepared.watch();
        asked.extend(watch.calls.iter().cloned());
        for global in &watch.changes {
            if let Some(&(script, own)) = used.get(global.index()) {
                watches[script].changes.insert(own);
            }
        }
    }
    for (script, watch) in scripts.iter().zip(&mut watches) {
        let survey = Survey::of(&texts[script.text].0);
        let called = |name: &&String| survey.calls.contains_key(name.as_str());
        watch.calls.extend(asked.iter().filter(called).cloned());
    }
    watches
}

/// What the scripts have to know of each other.
fn linkset(
    stated: &LinksetFile,
    (scripts, texts): (&[Script], &Texts),
    singles: &[Single<'_>],
    common: Option<&Common<'_>>,
) -> Linkset {
    let mut members: Vec<MemberScript> = Vec::new();
    let mut is_owned = false;
    let mut is_renamed = false;
    let mut watched: BTreeSet<String> = BTreeSet::new();
    let all = singles
        .iter()
        .copied()
        .chain(common.map(|common| common.stated));
    for (index, single) in all.enumerate() {
        let survey = Survey::of(single.checked);
        let input = Input {
            checked: single.checked,
            watch: single.watch,
            bounds: single.bounds,
            survey: &survey,
            delivery: Delivery::Lazy,
            member: None,
        };
        is_owned |= owner_matters(input);
        let calls = || survey.calls.keys();
        let sites = |name: &str| survey.calls.get(name).map_or(&[][..], Vec::as_slice);
        is_renamed |= calls().any(|name| renames(name));
        let script = scripts.get(index);
        members.push(MemberScript {
            name: script.map_or_else(|| "linkset".to_owned(), |script| script.name.clone()),
            prim: script.map_or(0, |script| script.prim),
            object: script.map_or(0, |script| stated.prims[script.prim].object),
            speaks: calls().any(|name| speaks(name).is_some()),
            handled: handled_events(input),
            reads: calls()
                .filter_map(|name| crate::facts::role(name)?.fact())
                .collect(),
            requests: calls()
                .filter_map(|name| crate::facts::role(name)?.answer())
                .collect(),
            dies: survey.calls_any(&["llDie"]),
            item: script.map(|script| script.item.clone()),
            orders: orders(single.checked, &survey.calls),
            loads: sites(LOAD)
                .iter()
                .map(|&site| load_of(single.checked, site))
                .collect(),
            pins: pins(single.checked, sites(SET_PIN)),
            text: script.map_or(usize::MAX, |script| script.text),
            is_there: script.is_none_or(|script| script.is_there),
            may_be_loaded: script.is_some_and(|script| script.may_be_loaded),
            suffers: Suffers::default(),
        });
        // Properties about several scripts: the order of these calls among all scripts matters.
        let foreign = |name: &String| !survey.calls.contains_key(name.as_str());
        let (watch, takes_money) = match script {
            Some(script) => (
                texts[script.text].1.watch(),
                members[index].handled.contains("money"),
            ),
            None => (single.watch, false),
        };
        if !takes_money || watch.calls.iter().any(foreign) {
            watched.extend(watch.calls.iter().cloned());
        }
    }
    let prims = stated.prims.iter().map(|prim| PrimOf {
        object: prim.object,
        name: prim.name.clone().filter(|_| !is_renamed),
        label: prim.name.clone(),
    });
    let mut linkset = Linkset {
        scripts: members,
        prims: prims.collect(),
        queue: stated.queue.map(|(most, _)| most),
        queue_is_chosen: false,
        queue_span: stated.queue.map_or(Span::NONE, |(_, span)| span),
        owner_matters: is_owned,
        watched,
    };
    linkset.find_orders();
    linkset
}

/// Weaves the properties of one script into the program of all, behind those that are there.
fn weave(
    mut program: Program,
    lowered: &mut Lowered,
    (checked, prepared): (&Checked, &Prepared),
    (script, checks): (Option<&str>, bool),
) -> Program {
    let globals = program.globals.len();
    let mut before = std::mem::take(&mut program.properties);
    let mut constraints = std::mem::take(&mut program.state_constraint);
    let assumptions = program.assumptions.len();
    lowered.program = program;
    prepared.weave(lowered, checked);
    let mut program = std::mem::replace(&mut lowered.program, Program::new("", "LSL"));
    for constraint in std::mem::take(&mut program.state_constraint) {
        constraints.push(lowered.between_handlers(&mut program, constraint));
    }
    program.state_constraint = constraints;
    if let Some(script) = script.filter(|_| checks) {
        for global in &mut program.globals[globals..] {
            if global.kind == VariableKind::Ghost && !prepared.has_in_common(&global.name) {
                global.name = format!("{script}.{}", global.name);
            }
        }
    }
    // Where each property of the script stands among all.
    let mut places: Vec<PropertyId> = Vec::new();
    for mut property in std::mem::take(&mut program.properties) {
        if let Claim::Always(claim) = &mut property.claim {
            *claim = lowered.always(&mut program, *claim);
        }
        let is_taken = before
            .iter()
            .any(|other: &Property| other.name == property.name);
        let is_check = checks && put_in_words(&mut property, &mut program.checks);
        let adds_up = is_check && property.name == PAYS_MORE && prepared.adds_up();
        let mut others = before.iter().enumerate();
        let said = others.find(|(_, other)| adds_up && other.name == PAYS_MORE);
        if let Some((place, _)) = said {
            // Another script says the same of all.
            before[place].observers.extend(property.observers);
            places.push(PropertyId::new(place));
            continue;
        }
        places.push(PropertyId::new(before.len()));
        if adds_up {
            say_of_all(&mut property);
        } else if let Some(script) = script.filter(|_| is_taken || is_check) {
            property.name = format!("{script}.{}", property.name);
        }
        before.push(property);
    }
    for assumption in &mut program.assumptions[assumptions..] {
        for id in assumption.properties.iter_mut().flatten() {
            *id = places[id.index()];
        }
    }
    program.properties = before;
    program
}

/// Says of each property under which assumptions it is judged.
fn finish(program: &mut Program) {
    every_script_goes_on(program);
    only_once(program);
    for (index, property) in program.properties.iter_mut().enumerate() {
        let id = PropertyId::new(index);
        property.assumptions = program
            .assumptions
            .iter()
            .enumerate()
            .filter(|(_, assumption)| {
                let touched = assumption.properties.as_ref();
                touched.is_none_or(|touched| touched.contains(&id))
            })
            .map(|(id, _)| model::AssumptionId::new(id))
            .collect();
    }
}

/// A run-time error is one of whichever script: that there is none is claimed once.
fn only_once(program: &mut Program) {
    let claims: Vec<Property> = program.properties.clone();
    let whole = |property: &Property| property.name.ends_with("run-time-errors");
    let is_said = |index: usize, property: &Property| {
        let faults = matches!(property.claim, Claim::NoFault(_)) && property.span == Span::NONE;
        let again = claims[..index]
            .iter()
            .any(|other| other.claim == property.claim);
        faults && (again || (whole(property) && !claims.iter().all(whole)))
    };
    let kept: Vec<bool> = claims
        .iter()
        .enumerate()
        .map(|(index, property)| !is_said(index, property))
        .collect();
    let number = |index: usize| kept[..index].iter().filter(|kept| **kept).count();
    for assumption in &mut program.assumptions {
        if let Some(touched) = &mut assumption.properties {
            touched.retain(|id| kept[id.index()]);
            for id in touched {
                *id = PropertyId::new(number(id.index()));
            }
        }
    }
    let mut kept = kept.iter();
    program
        .properties
        .retain(|_| kept.next().is_some_and(|kept| *kept));
}

/// What is wrong with what the linkset file states, told at the file.
pub(super) fn refused(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(code::COMMON, message).at(span)
}
