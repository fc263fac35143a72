//! The script's process: its states, handlers, functions, changes of state, and its end.
//!
//! For each LSL state there are two stable locations, "enter S" (only its `state_entry` can come
//! next, before any other event) and "wait S", and an inner one, "leave S", where every change of
//! state passes: `state_exit` runs, the queue is emptied, listens and sensors are dropped.

use model::{
    LocId, Mode, Place, Procedure, ProcedureId, Step, Stmt, Target, Variable, VariableKind,
};
use source::Span;

use super::build::{Build, model_type};
use super::code::{Coder, Unit};
use super::{Delivery, Input, MOST_CALLS, Next, effects, handled_key};
use crate::ast::{FunctionId, HandlerId, StateId, StmtKind};
use crate::environment::{Listen, is_rezzed_in_no_time};

/// Steps that run before anything else has this priority class.
const FIRST: u8 = 2;

/// Where the script can be.
struct Places {
    enter: Vec<LocId>,
    wait: Vec<LocId>,
    leave: Vec<LocId>,
    dead: LocId,
}

/// Lowers all handlers and functions.
pub(crate) fn lower_script(input: Input<'_>, build: &mut Build) {
    let places = declare_places(input, build);
    let procedures = declare_functions(input, build);
    let ast = &input.checked.ast;
    for state in ast.state_ids() {
        for &handler in &ast.state(state).handlers {
            lower_handler(input, build, &procedures, &places, state, handler);
        }
    }
    for id in ast.function_ids() {
        if let Some(procedure) = procedures[id.index()] {
            lower_function(input, build, &procedures, id, procedure);
        }
    }
    for state in ast.state_ids() {
        lower_leave(input, build, &procedures, &places, state);
    }
    lower_fault(input, build);
    if input
        .member
        .is_some_and(|member| member.suffers().anything())
    {
        let again = reset(input, build, &places);
        build.halt(input, places.dead, again);
    }
    build.find_unlinked(input);
}

fn declare_places(input: Input<'_>, build: &mut Build) -> Places {
    let ast = &input.checked.ast;
    let mut places = Places {
        enter: Vec::new(),
        wait: Vec::new(),
        leave: Vec::new(),
        dead: LocId(0),
    };
    for id in ast.state_ids() {
        let name = ast.name_text(ast.state(id).name);
        let span = ast.state(id).name.span;
        let mut add = |what: &str, mode| {
            build
                .script
                .add_location(format!("{what} {name}"), mode, span)
        };
        places.enter.push(add("enter", Mode::Open));
        places.wait.push(add("wait", Mode::Open));
        places.leave.push(add("leave", Mode::Region));
        let wait = places.wait[id.index()];
        build.script.locations[wait.index()].end = true;
    }
    places.dead = build
        .script
        .add_location("object gone", Mode::Open, Span::NONE);
    build.script.locations[places.dead.index()].end = true;
    if let Some(first) = input.checked.state_named("default") {
        build.script.entry = entry(input, &places, first);
        let is_there = input.member.is_none_or(|member| member.script().is_there);
        if let Some(dialog) = build.world.dialog
            && is_there
            && input.checked.handler_of(first, "money").is_some()
        {
            let open = build.bool(true);
            build.program.globals[dialog.index()].init = Some(model::ValueSet::One(open));
        }
    }
    places
}

/// Where the script is when it has come to a state.
fn entry(input: Input<'_>, places: &Places, state: StateId) -> LocId {
    match input.checked.handler_of(state, "state_entry") {
        Some(_) => places.enter[state.index()],
        None => places.wait[state.index()],
    }
}

fn declare_functions(input: Input<'_>, build: &mut Build) -> Vec<Option<ProcedureId>> {
    let ast = &input.checked.ast;
    build.script.max_frames = MOST_CALLS;
    ast.function_ids()
        .map(|id| {
            if !input.survey.functions.contains(&id) {
                return None;
            }
            let function = ast.function(id);
            let name = ast.name_text(function.name);
            let entry = build
                .script
                .add_location(name, Mode::Region, function.name.span);
            let locals: Vec<Variable> = function
                .parameters
                .iter()
                .map(|p| Variable {
                    span: p.name.span,
                    ..Variable::new(ast.name_text(p.name), model_type(p.ty))
                })
                .collect();
            Some(build.script.add_procedure(Procedure {
                name: name.to_owned(),
                parameters: locals.len(),
                locals,
                entry,
                span: function.span,
            }))
        })
        .collect()
}

fn lower_function(
    input: Input<'_>,
    build: &mut Build,
    procedures: &[Option<ProcedureId>],
    id: FunctionId,
    procedure: ProcedureId,
) {
    let function = input.checked.ast.function(id);
    let entry = build.script.procedures[procedure.index()].entry;
    let parameters = build.script.procedures[procedure.index()].locals.clone();
    let mut coder = Coder::new(
        input,
        build,
        procedures,
        Unit::Function {
            result: function.result,
        },
    );
    coder.enter_body(input.checked.function_body(id));
    coder.unit_number = Some(input.checked.ast.handlers.len() + id.index());
    for (index, parameter) in parameters.into_iter().enumerate() {
        let place =
            coder
                .temporaries
                .variable(&mut coder.build.program, &mut coder.build.slots, parameter);
        coder.parameter(index, place);
    }
    coder.begin_at(entry, None, function.name.span);
    coder.mark(function.span);
    coder.statement(function.body);
    coder.close(Target::Return(None));
    let locals = coder.temporaries.into_frame();
    build.script.procedures[procedure.index()].locals = locals;
}

fn lower_handler(
    input: Input<'_>,
    build: &mut Build,
    procedures: &[Option<ProcedureId>],
    places: &Places,
    state: StateId,
    id: HandlerId,
) {
    let handler = input.checked.ast.handler(id);
    let Some(event) = input.checked.event(id).map(|event| event.name) else {
        return;
    };
    let wait = places.wait[state.index()];
    let unit = Unit::Handler {
        state,
        detects: crate::facts::event(event).is_some_and(|event| event.detected),
        done: wait,
        leave: Some(places.leave[state.index()]),
    };
    let mut step = match event {
        "state_exit" => return,
        "state_entry" => {
            let mut step = Step::new(places.enter[state.index()], wait, handler.event.span);
            if input.delivery == Delivery::Lazy && input.member.is_none() {
                step.class = FIRST;
            }
            step
        }
        _ => {
            let mut step = Step::new(wait, wait, handler.event.span);
            step.comm = Some(build.receive(event));
            step
        }
    };
    step.guard = build.lives_on(input);
    step.label = Some(event.to_owned());
    let mut coder = Coder::new(input, build, procedures, unit);
    if input.survey.cut.contains(&id) {
        coder.may_be_cut();
    }
    coder.enter_body(input.checked.handler_body(id));
    coder.unit_number = Some(id.index());
    if event == "listen"
        && coder.build.company.hears
        && let Some(said) = coder.build.receive_message(event)
    {
        // What others of the linkset say waits with their messages; what the rest of the world says comes
        // when it is handled.
        let heard = coder.region("hears", handler.event.span);
        let mut other = step.clone();
        other.comm = Some(said);
        for mut step in [step, other] {
            step.target = Target::Goto(heard);
            coder.build.script.add_step(step);
        }
        coder.begin_at(heard, None, handler.event.span);
    } else {
        coder.begin(step);
    }
    coder.handler_body(id, event);
    coder.close(Target::Goto(wait));
}

impl Coder<'_> {
    /// The beginning of a handler (what properties see of it, its parameters) and its body.
    fn handler_body(&mut self, id: HandlerId, event: &'static str) {
        let ast = &self.input.checked.ast;
        let handler = ast.handler(id);
        self.mark(handler.span);
        if let Some(&during) = self.build.world.during.get(event) {
            let set = self.build.set_flag(during, true);
            self.restored.extend(self.split.then(|| set.clone()));
            self.emit(set);
        }
        if let Some(rezzing) = self.build.world.rezzing
            && is_rezzed_in_no_time(self.input, id)
        {
            let set = self.build.set_flag(rezzing, true);
            self.emit(set);
        }
        if let Some(loaded) = self.build.company.halts.loaded
            && event == "state_entry"
        {
            let set = self.build.set_flag(loaded, false);
            self.emit(set);
        }
        let arguments = self
            .build
            .world
            .arguments
            .get(event)
            .cloned()
            .unwrap_or_default();
        if let Some(&handled) = self.build.events.get(&handled_key(event)) {
            let args = arguments.iter().map(|&g| self.build.read(g)).collect();
            self.emit(Stmt::Emit {
                event: handled,
                args,
                span: handler.event.span,
            });
        }
        for (index, (&argument, parameter)) in arguments.iter().zip(&handler.parameters).enumerate()
        {
            if !self.split && !self.input.survey.assigned_parameters.contains(&(id, index)) {
                self.parameter(index, Place::global(argument));
                continue;
            }
            // The event's own values stay as they are, for properties.
            let place = self.temporaries.variable(
                &mut self.build.program,
                &mut self.build.slots,
                Variable {
                    kind: VariableKind::Step,
                    span: parameter.name.span,
                    ..Variable::new(ast.name_text(parameter.name), model_type(parameter.ty))
                },
            );
            let value = self.build.read(argument);
            self.emit(Stmt::Assign(place.clone(), value));
            self.parameter(index, place);
        }
        self.keep_the_event(event, &arguments);
        self.statement(handler.body);
    }
}

/// Where handlers of a state may go to.
pub(super) fn goals(input: Input<'_>, state: StateId) -> Vec<Next> {
    let checked = input.checked;
    let ast = &checked.ast;
    let mut goals: Vec<Next> = Vec::new();
    let mut add = |goal: Next| {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    };
    let mut seen: Vec<FunctionId> = Vec::new();
    let mut bodies: Vec<crate::ast::StmtId> = ast
        .state(state)
        .handlers
        .iter()
        .map(|&id| ast.handler(id).body)
        .collect();
    while let Some(body) = bodies.pop() {
        let mut exprs = Vec::new();
        let mut stmts = vec![body];
        while let Some(stmt) = stmts.pop() {
            let kind = &ast.stmt(stmt).kind;
            if matches!(kind, StmtKind::State(_))
                && let Some(target) = checked.target_state(stmt)
            {
                add(Next::State(target));
            }
            super::parts::for_each_part(kind, |e| exprs.push(e), |s| stmts.push(s));
        }
        while let Some(expr) = exprs.pop() {
            super::parts::for_each_operand(ast, expr, |operand| exprs.push(operand));
            match checked.exprs.resolution(expr) {
                Some(crate::check::Resolution::Function(id)) if !seen.contains(&id) => {
                    seen.push(id);
                    bodies.push(ast.function(id).body);
                }
                Some(crate::check::Resolution::Library(function)) => match function.name {
                    "llResetScript" => add(Next::Reset),
                    "llDie" => add(Next::Die),
                    _ => {}
                },
                _ => {}
            }
        }
    }
    goals
}

/// The way out of a state.
fn lower_leave(
    input: Input<'_>,
    build: &mut Build,
    procedures: &[Option<ProcedureId>],
    places: &Places,
    state: StateId,
) {
    let goals = goals(input, state);
    if goals.is_empty() {
        return;
    }
    let ast = &input.checked.ast;
    let name = ast.name_text(ast.state(state).name).to_owned();
    let span = ast.state(state).name.span;
    let leave = places.leave[state.index()];
    let next = build.next();
    let empty = build
        .script
        .add_location(format!("empty the queue of {name}"), Mode::Region, span);
    let emptied = build
        .script
        .add_location(format!("out of {name}"), Mode::Region, span);
    // A function may have asked for the state that the script is in: nothing changes.
    if goals.contains(&Next::State(state)) {
        let value = build.next_value(input.checked, Next::State(state));
        let mut step = Step::new(leave, places.wait[state.index()], span);
        step.guard = Some(build.equal(next, value));
        step.body.extend(build.forget_next(input));
        build.script.add_step(step);
    }
    let changes: Vec<StateId> = goals
        .iter()
        .filter_map(|goal| match goal {
            Next::State(other) if *other != state => Some(*other),
            _ => None,
        })
        .collect();
    for &goal in &goals {
        if goal == Next::State(state) {
            continue;
        }
        let value = build.next_value(input.checked, goal);
        let chosen = build.equal(next, value);
        if !matches!(goal, Next::State(_)) {
            let mut step = Step::new(leave, empty, span);
            step.guard = Some(chosen);
            build.script.add_step(step);
        }
        let (body, to) = match goal {
            Next::State(other) => (arrive(input, build, other), entry(input, places, other)),
            Next::Reset => reset(input, build, places),
            Next::Die => (vec![build.set_flag(build.world.dead, true)], places.dead),
        };
        let mut step = Step::new(emptied, to, span);
        step.guard = Some(chosen);
        step.body = body;
        step.body.extend(build.forget_next(input));
        build.script.add_step(step);
    }
    if !changes.is_empty() {
        let chosen: Vec<_> = changes
            .iter()
            .map(|&other| {
                let value = build.next_value(input.checked, Next::State(other));
                build.equal(next, value)
            })
            .collect();
        let change = build.any(&chosen);
        let unit = Unit::Handler {
            state,
            detects: false,
            done: empty,
            leave: None,
        };
        let mut coder = Coder::new(input, build, procedures, unit);
        coder.begin_at(leave, Some(change), span);
        if !input.survey.leaves.is_empty() {
            // Functions that `state_exit` calls return as usual.
            let leaving = coder.build.set_flag(coder.build.world.leaving, false);
            coder.emit(leaving);
        }
        if let Some(exit) = input.checked.handler_of(state, "state_exit") {
            coder.enter_body(input.checked.handler_body(exit));
            coder.unit_number = Some(exit.index());
            coder.handler_body(exit, "state_exit");
        }
        coder.close(Target::Goto(empty));
    }
    build.discard(input, empty, emptied, span);
}

/// What happens when a state is entered: listens and sensors are gone, and so is what they were
/// to report.
fn arrive(input: Input<'_>, build: &mut Build, state: StateId) -> Vec<Stmt> {
    let value = build.state_value(state);
    let mut body = drop_listens(build);
    for (index, switch) in effects::SWITCHES.iter().enumerate() {
        if switch.until_state_change
            && let Some(on) = build.world.switches[index]
        {
            body.push(build.set_flag(on, false));
            if let Some(again) = build.world.again[index] {
                body.push(build.set_flag(again, false));
            }
        }
    }
    if !build.world.inventory.matters_in(state) {
        for index in 0..build.world.items.len() {
            let present = build.world.items[index].present;
            body.push(build.set_flag(present, false));
        }
    }
    body.push(build.set(build.world.state, value));
    if let Some(dialog) = build.world.dialog {
        if input.checked.handler_of(state, "money").is_some() {
            body.push(build.set_flag(dialog, true));
        } else if build.world.rezzing.is_some() {
            let open = build.may_wait(dialog);
            body.push(build.set(dialog, open));
        }
    }
    body.push(Stmt::Emit {
        event: build.world.events.state_changes,
        args: vec![value],
        span: input.checked.ast.state(state).name.span,
    });
    body
}

fn drop_listens(build: &mut Build) -> Vec<Stmt> {
    let listens: Vec<Listen> = build.world.listens.values().cloned().collect();
    let mut body = Vec::new();
    for listen in listens {
        let (zero, empty) = (build.int(0), build.text(""));
        body.push(build.set_flag(listen.open, false));
        if let Some(muted) = listen.muted {
            body.push(build.set_flag(muted, false));
        }
        if let Some(handle) = listen.handle {
            body.push(build.set(handle, zero));
        }
        body.push(build.set(listen.channel, zero));
        body.push(build.set(listen.id, empty));
        body.push(build.set(listen.message, empty));
        if let Some(others) = listen.others {
            body.push(build.set_flag(others, false));
        }
        if let Some(name) = listen.name {
            body.push(build.set(name, empty));
        }
    }
    body
}

/// `llResetScript`: everything as at the beginning, but not the world's own facts.
fn reset(input: Input<'_>, build: &mut Build, places: &Places) -> (Vec<Stmt>, LocId) {
    let Some(first) = input.checked.state_named("default") else {
        return (Vec::new(), places.dead);
    };
    let mut body = Vec::new();
    for index in 0..build.globals.len() {
        let (global, value) = (build.globals[index], build.first_values[index]);
        let id = crate::ast::GlobalId::new(index);
        let kept = input.checked.ast.receipts;
        if kept.is_some_and(|kept| kept.watching == id) {
            continue;
        }
        let event = build.events.get(&super::change_key(id)).copied();
        let before = build.read(global);
        if let Some(event) = event {
            let ty = build.program.globals[global.index()].ty.clone();
            let saved = build.variable(
                "value before the reset",
                ty,
                VariableKind::Step,
                None,
                Span::NONE,
            );
            body.push(build.set(saved, before));
            body.push(build.set(global, value));
            let args = vec![build.read(saved)];
            body.push(Stmt::Emit {
                event,
                args,
                span: input.checked.ast.global(id).name.span,
            });
        } else {
            body.push(build.set(global, value));
        }
    }
    let zero = build.int(0);
    body.push(build.set_flag(build.world.armed, false));
    body.push(build.set(build.world.granted, zero));
    body.push(build.set_flag(build.world.asking, false));
    body.push(build.set(build.world.asked, zero));
    body.push(build.set_flag(build.world.earlier, false));
    if let Some(settled) = build.world.settled {
        body.push(build.set_flag(settled, false));
    }
    let people = [build.world.agent, build.world.granter];
    for who in people.into_iter().flatten() {
        let nobody = build.text("");
        body.push(build.set(who, nobody));
    }
    if let Some((count, _)) = build.world.since_timer {
        let ty = build.program.globals[count.index()].ty.clone();
        let zero = build.program.exprs.int(0, ty);
        body.push(build.set(count, zero));
    }
    let switches = build.world.switches.iter().chain(&build.world.again);
    for on in switches.copied().flatten().collect::<Vec<_>>() {
        body.push(build.set_flag(on, false));
    }
    let targets = build.world.targets.values();
    for handle in targets
        .filter_map(|target| target.handle)
        .collect::<Vec<_>>()
    {
        body.push(build.set(handle, zero));
    }
    body.extend(build.forget_requests());
    if let Some(clock) = build.world.script_clock {
        let zero = build.float(0.0);
        body.push(build.set(clock, zero));
    }
    let handles_entry = input.checked.handler_of(first, "state_entry").is_some();
    body.extend(build.start_again(handles_entry));
    body.extend(arrive(input, build, first));
    (body, entry(input, places, first))
}

/// What follows a run-time error: the queue is lost, and nothing is handled any more.
fn lower_fault(input: Input<'_>, build: &mut Build) {
    let fault = build
        .script
        .add_location("run-time error", Mode::Region, Span::NONE);
    let empty = build
        .script
        .add_location("empty the queue", Mode::Region, Span::NONE);
    let stopped = build.script.add_location("stopped", Mode::Open, Span::NONE);
    build.script.locations[stopped.index()].end = true;
    let mut step = Step::new(fault, empty, Span::NONE);
    step.body = vec![
        build.set_flag(build.world.stopped, true),
        Stmt::Emit {
            event: build.world.events.stops,
            args: Vec::new(),
            span: Span::NONE,
        },
    ];
    build.script.add_step(step);
    build.discard(input, empty, stopped, Span::NONE);
    build.script.on_fault = Some(fault);
}
