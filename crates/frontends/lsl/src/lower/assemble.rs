//! The scripts of a linkset as one program.
//!
//! What each script has of its own (variables, events, the world around it) is declared first, then
//! they are lowered one after the other into the same program, because calls of one refer to places of
//! another. Of the world's facts two belong to all scripts: whether the object is still there, and the
//! time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::{
    Cut, CutBy, Event, Fairness, FairnessKind, GlobalId, Program, Start, Variable, Visibility,
};
use source::Span;

use super::company::Peer;
use super::flow::{Flow, Holder};
use super::meeting::Meeting;
use super::{Build, Delivery, Input, Lowered, Survey, call_key, change_key, for_each_operand};
use crate::ast::{self, ExprKind};
use crate::check::{Checked, Resolution};
use crate::environment;
use crate::facts;
use crate::library;
use crate::linkset::member::{Linkset, Member, speaks};
use crate::types::Type;
use crate::watch::{Bounds, Watch};

/// Events in which objects are detected, not only avatars.
const DETECTS_OBJECTS: [&str; 4] = ["collision", "collision_end", "collision_start", "sensor"];

/// A script of the linkset, or what its file states of all of them.
#[derive(Clone, Copy)]
pub(crate) struct Single<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) watch: &'a Watch,
    pub(crate) bounds: &'a Bounds,
}

/// What the file of a linkset states: it stands behind the scripts, and is none.
pub(crate) struct Common<'a> {
    pub(crate) stated: Single<'a>,
    /// For each of its variables whose it is.
    pub(crate) variables: Vec<(usize, ast::GlobalId)>,
}

/// Lowers the scripts of a linkset. Gives the program, and what each script is in it; what the file
/// states comes last.
pub(crate) fn lower_linkset(
    name: &str,
    scripts: &[Single<'_>],
    common: Option<&Common<'_>>,
    linkset: &Linkset,
) -> (Program, Vec<Lowered>) {
    let all: Vec<Single<'_>> = scripts
        .iter()
        .copied()
        .chain(common.map(|common| common.stated))
        .collect();
    let members: Vec<Member<'_>> = (0..all.len())
        .map(|index| Member { linkset, index })
        .collect();
    let surveys = surveys(&all, &members);
    let inputs: Vec<Input<'_>> = all
        .iter()
        .zip(&surveys)
        .zip(&members)
        .map(|((single, survey), &member)| Input {
            checked: single.checked,
            watch: single.watch,
            bounds: single.bounds,
            survey,
            delivery: Delivery::Lazy,
            member: Some(member),
        })
        .collect();
    let flows = flows(&inputs, scripts.len(), common);

    let mut program = Program::new(name, "LSL");
    let mut builds: Vec<Build> = Vec::new();
    for (&input, flow) in inputs.iter().zip(flows) {
        let (globals, events) = (program.globals.len(), program.events.len());
        let mut build = environment::declare_in(program, input, Arc::new(flow));
        build.has_representatives = input.survey.has_representatives;
        build.declare_inbox(input, members[builds.len()]);
        let script = &linkset.scripts[builds.len()].name;
        name_variables(&mut build.program.globals[globals..], script);
        for event in &mut build.program.events[events..] {
            name_the_script(event, script);
        }
        program = std::mem::replace(&mut build.program, Program::new("", "LSL"));
        builds.push(build);
    }
    share(&mut builds, &inputs, &members);
    acquaint(&inputs, &mut builds, scripts.len(), &mut program);
    if let (Some(common), Some((own, others))) = (common, builds.split_last_mut()) {
        own.company.all_busy = others.iter().filter_map(Build::busy).collect();
        for (index, &(script, global)) in common.variables.iter().enumerate() {
            let theirs = &others[script];
            own.globals[index] = theirs.globals[global.index()];
            let id = ast::GlobalId::new(index);
            if let Some(&event) = theirs.events.get(&change_key(global)) {
                own.events.insert(change_key(id), event);
            }
        }
    }

    let mut builds = builds.into_iter();
    let Some(mut build) = builds.next() else {
        return (program, Vec::new());
    };
    build.program = program;
    environment::begin_world(&mut build);
    let mut lowered: Vec<Lowered> = Vec::new();
    loop {
        let index = lowered.len();
        let input = inputs[index];
        if index < scripts.len() {
            lower_one(input, &mut build);
        }
        let layout = environment::layout(input, &mut build);
        let next = builds.next();
        let is_last = next.is_none();
        let mut next = match next {
            Some(mut next) => {
                build.hand_over(&mut next);
                Some(next)
            }
            None => None,
        };
        lowered.push(Lowered {
            program: Program::new("", "LSL"),
            layout,
            diagnostics: std::mem::take(&mut build.diagnostics),
            build,
        });
        if is_last {
            break;
        }
        build = next.take().expect("there is another script");
    }
    let last = &mut lowered.last_mut().expect("there is a script").build;
    let mut program = std::mem::replace(&mut last.program, Program::new("", "LSL"));
    let world = std::mem::replace(&mut last.world_process, model::Process::new("world"));
    program.add_process(world);
    for (index, lowered) in lowered.iter_mut().enumerate().take(scripts.len()) {
        let empty = model::Process::new("script");
        let mut process = std::mem::replace(&mut lowered.build.script, empty);
        process.name.clone_from(&linkset.scripts[index].name);
        process.locals = std::mem::take(&mut lowered.build.slots.own);
        program.add_process(process);
    }
    program.start = (0..program.processes.len())
        .map(|index| Start {
            process: model::ProcessId::new(index),
            args: Vec::new(),
        })
        .collect();
    environment::add_faults(&mut program);
    store_lengths(&mut program, &mut lowered);
    super::linkset::assumptions(&mut program, members[0]);
    for (member, input) in members[..scripts.len()].iter().zip(&inputs) {
        let script = &member.script().name;
        if linkset.objects() > 1
            && DETECTS_OBJECTS
                .iter()
                .any(|event| member.script().handled.contains(event))
            && input
                .survey
                .calls
                .keys()
                .any(|name| name.starts_with("llDetected"))
        {
            program.cut(Cut {
                text: format!("{script} detects no other object of the file"),
                by: CutBy::Default,
                span: Span::NONE,
                properties: None,
            });
        }
        for event in member.foreign_answers() {
            program.cut(Cut {
                text: format!("{script} hears of no answers by `{event}` to requests of others"),
                by: CutBy::Default,
                span: Span::NONE,
                properties: None,
            });
        }
    }
    (program, lowered)
}

/// Stores the lengths of lists that scripts ask for.
fn store_lengths(program: &mut Program, lowered: &mut [Lowered]) {
    let Some(last) = lowered.last() else { return };
    let operations = last.build.lengths.operations.clone();
    for lowered in lowered {
        lowered.build.lengths.operations.clone_from(&operations);
        std::mem::swap(&mut lowered.program, program);
        lowered.store_lengths();
        std::mem::swap(&mut lowered.program, program);
    }
}

fn lower_one(input: Input<'_>, build: &mut Build) {
    let script = input.member.map(|member| member.script().name.clone());
    let script = script.unwrap_or_default();
    let globals = build.program.globals.len();
    super::script::lower_script(input, build);
    environment::steps(input, build);
    name_variables(&mut build.program.globals[globals..], &script);
    let assumptions = build.program.assumptions.len();
    environment::tell_assumptions(input, build);
    for assumption in &mut build.program.assumptions[assumptions..] {
        assumption.text = match assumption.text.contains("the script") {
            true => assumption.text.replace("the script", &script),
            false => format!("{script}: {}", assumption.text),
        };
    }
}

/// First looks over the scripts: all of them meet the numbers of all.
fn surveys(all: &[Single<'_>], members: &[Member<'_>]) -> Vec<Survey> {
    let mut surveys: Vec<Survey> = all
        .iter()
        .zip(members)
        .map(|(single, &member)| Survey::of_member(single.checked, Some(member)))
        .collect();
    let integers: BTreeSet<i32> = surveys
        .iter()
        .flat_map(|survey| survey.integers.iter().copied())
        .collect();
    let all_represented = surveys.iter().all(|survey| survey.has_representatives);
    let mut compared: BTreeSet<i32> = surveys
        .iter()
        .flat_map(|survey| survey.compared.iter().copied())
        .collect();
    if let Some(member) = members.first() {
        compared.extend(super::linkset::link_numbers(member.linkset));
    }
    if members.iter().any(|member| member.hears()) {
        // On which channel something is said is compared with where others listen.
        compared.extend(integers.iter().flat_map(|&n| [n, n.wrapping_neg()]));
    }
    let checked: Vec<&Checked> = all.iter().map(|single| single.checked).collect();
    let meeting = all_represented.then(|| Meeting::of(&checked));
    let has_receipts = checked.iter().any(|script| script.ast.receipts.is_some());
    for (index, survey) in surveys.iter_mut().enumerate() {
        survey.has_receipts = has_receipts;
        if let Some(meeting) = &meeting {
            survey.met_by_payments = meeting.of_payments();
            survey.met_by_undecided = meeting.of_undecided(index);
        }
        survey.integers.clone_from(&integers);
        survey.compared.clone_from(&compared);
        survey.has_representatives = all_represented;
        survey.unknown.extend([Type::String, Type::Key, Type::List]);
    }
    surveys
}

/// Which texts can meet, in each script. What a script sends or is sent may meet what another one
/// knows; so no two texts of such a class are taken to be different because their names are.
fn flows(inputs: &[Input<'_>], scripts: usize, common: Option<&Common<'_>>) -> Vec<Flow> {
    let mut flows: Vec<Flow> = inputs.iter().map(|&input| Flow::of(input)).collect();
    let uuids: BTreeSet<String> = flows
        .iter()
        .flat_map(|flow| flow.uuids.iter().cloned())
        .collect();
    for (&input, flow) in inputs.iter().zip(&mut flows) {
        flow.uuids.clone_from(&uuids);
        flow.decides_nothing();
        for parameter in [2, 3] {
            flow.meets_others(Holder::Parameter("link_message", parameter));
        }
        if input.member.is_some_and(Member::hears) {
            for parameter in [1, 2, 3] {
                flow.meets_others(Holder::Parameter("listen", parameter));
            }
        }
        let checked = input.checked;
        for (&function, sites) in &input.survey.calls {
            // What of a call others may get to know.
            let told = match function {
                "llMessageLinked" => 2,
                _ if speaks(function).is_none() => continue,
                _ if input
                    .member
                    .is_none_or(|member| member.hearers().next().is_none()) =>
                {
                    continue;
                }
                "llRegionSayTo" => 2,
                _ => 1,
            };
            for &site in sites {
                let ExprKind::Call { arguments, .. } = &checked.ast.expr(site).kind else {
                    continue;
                };
                let mut pending = arguments[told..].to_vec();
                while let Some(part) = pending.pop() {
                    let class = flow.class(Holder::Expr(part));
                    flow.meets_others(Holder::Expr(part));
                    if class.computed || is_made(checked, part) {
                        flow.all_meet_others();
                    }
                    for_each_operand(&checked.ast, part, |operand| pending.push(operand));
                }
            }
        }
    }
    if let Some(common) = common {
        flows[scripts].all_meet_others();
        for &(script, global) in &common.variables {
            flows[script].meets_others(Holder::Global(global));
            if flows[script].class(Holder::Global(global)).computed {
                flows[script].all_meet_others();
            }
        }
    }
    flows
}

/// Whether a text is put together where it stands, of something that is not written there.
fn is_made(checked: &Checked, id: ast::ExprId) -> bool {
    match &checked.ast.expr(id).kind {
        ExprKind::Binary { .. } => true,
        ExprKind::Cast { operand, .. } => {
            let from = checked.exprs.ty(*operand).value();
            from.is_none_or(|ty| !ty.is_text() && ty != Type::Integer)
        }
        ExprKind::Call { .. } => match checked.exprs.resolution(id) {
            Some(Resolution::Library(function)) => library::pure(function.name).is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// What belongs to all scripts of an object, whether it is there, and to all scripts, the time and which payment
/// is watched.
fn share(builds: &mut [Build], inputs: &[Input<'_>], members: &[Member<'_>]) {
    let clock: Option<GlobalId> = builds.iter().find_map(|build| build.world.clock);
    let mut dead: BTreeMap<usize, GlobalId> = BTreeMap::new();
    for (build, member) in builds.iter_mut().zip(members) {
        let object = member.script().object;
        build.world.dead = *dead.entry(object).or_insert(build.world.dead);
        if build.world.clock.is_some() {
            build.world.clock = clock;
        }
    }
    let mut watching: Option<GlobalId> = None;
    for (build, input) in builds.iter_mut().zip(inputs) {
        if let Some(kept) = input.checked.ast.receipts {
            let own = &mut build.globals[kept.watching.index()];
            *own = *watching.get_or_insert(*own);
        }
    }
}

/// Says to each script where the others are, and what their properties want to see.
fn acquaint(inputs: &[Input<'_>], builds: &mut [Build], scripts: usize, program: &mut Program) {
    let mut peers: Vec<Peer> = Vec::new();
    for (build, &input) in builds.iter_mut().zip(inputs).take(scripts) {
        std::mem::swap(&mut build.program, program);
        if let Some(member) = input.member {
            peers.push(build.peer(input, member));
        }
        std::mem::swap(&mut build.program, program);
    }
    let takes_money = |build: &Build| build.world.dialog.is_some();
    for index in 0..scripts {
        let mut company = std::mem::take(&mut builds[index].company);
        company.peers.clone_from(&peers);
        for (other, input) in inputs.iter().enumerate() {
            if other == index {
                continue;
            }
            let theirs = &builds[other];
            for function in &input.watch.calls {
                let key = call_key(function);
                if input.survey.calls.contains_key(function.as_str())
                    || facts::function(function).is_none()
                {
                    continue;
                }
                if let Some(&event) = theirs.events.get(&key) {
                    company.calls.entry(key).or_default().push(event);
                    quiet(&mut program.events[event.index()]);
                }
            }
            if !takes_money(theirs) || input.watch.all_payments {
                let events = &theirs.world.events;
                company.paid.push(events.paid);
                company.discarded.push(events.discarded);
                for event in [events.paid, events.discarded] {
                    quiet(&mut program.events[event.index()]);
                }
            }
            if index == 0 && other >= scripts {
                let event = theirs.world.events.owner_changes;
                company.owner_changes.push(event);
                quiet(&mut program.events[event.index()]);
            }
        }
        builds[index].company = company;
    }
}

/// What is told already is not told twice.
fn quiet(event: &mut Event) {
    event.story = None;
    event.visibility = Visibility::Detail;
}

/// Variables are those of a script. What is not shown has its name already.
fn name_variables(variables: &mut [Variable], script: &str) {
    for variable in variables {
        if !variable.name.starts_with('(') {
            variable.name = format!("{script}.{}", variable.name);
        }
    }
}

/// A story of several scripts says which.
fn name_the_script(event: &mut Event, script: &str) {
    if let Some(story) = &mut event.story {
        *story = match story.contains("the script") {
            true => story.replace("the script", script),
            false => format!("{script}: {story}"),
        };
    }
}

/// For claims about runs without end: a script that can go on by itself does so some time.
pub(crate) fn every_script_goes_on(program: &mut Program) {
    let mut endless = program.properties.iter();
    if !endless.any(|p| matches!(p.claim, model::Claim::Ltl(_) | model::Claim::Never(_))) {
        return;
    }
    let assumption = program.add_assumption(model::Assumption {
        text: "a script that can go on by itself does so some time".to_owned(),
        origin: model::Origin::Semantics,
        properties: None,
        span: Span::NONE,
    });
    for index in 1..program.processes.len() {
        let process = &program.processes[index];
        let goes_on = |step: &&model::Step| {
            let open = process.locations[step.from.index()].mode == model::Mode::Open;
            let waits = step.comm.as_ref().is_some_and(
                |comm| matches!(comm, model::Comm::Receive { patterns, .. } if patterns.is_empty()),
            );
            let loses = step.label.as_deref() == Some(super::company::LOST);
            open && !waits && !loses
        };
        let steps = process.steps.iter().enumerate();
        let own = steps.filter(|(_, step)| goes_on(step));
        let steps = own
            .map(|(step, _)| (model::ProcessId::new(index), model::StepId::new(step)))
            .collect();
        program.fairness.push(Fairness {
            name: format!("{} goes on", process.name),
            kind: FairnessKind::Weak(steps),
            assumption: Some(assumption),
        });
    }
}
