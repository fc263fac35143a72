//! The faults that `cargo xtask mutate` plants.

mod at_rest;
mod contracted;
mod dependencies;
mod fitted;
mod footprints;
mod guard_tests;
mod in_depth;
mod loads;
mod lsl_world;
mod packed_anew;
mod parameters;
mod proofs;
mod receipts;
mod remembered;
mod structures;
mod together;
mod tscript;
mod tscript_states;

use std::path::{Path, PathBuf};

/// A fault.
pub(crate) struct Mutant {
    /// The package whose tests have to catch it.
    pub(crate) package: &'static str,
    /// Those of its test files that have to catch it, as patterns; all of its tests, if none is named.
    pub(crate) tests: &'static [&'static str],
    /// The folder of its sources.
    pub(crate) folder: &'static str,
    /// Text that stands in the sources exactly once.
    pub(crate) search: &'static str,
    /// What stands there instead.
    pub(crate) replacement: &'static str,
    /// What it breaks.
    pub(crate) breaks: &'static str,
}

/// The faults. Those of one package stand together.
pub(crate) fn all() -> impl Iterator<Item = &'static Mutant> {
    let others = proofs::MUTANTS.iter().chain(tscript::MUTANTS);
    let others = remembered::MUTANTS.iter().chain(others);
    let others = together::MUTANTS.iter().chain(others);
    let others = fitted::MUTANTS.iter().chain(others);
    let others = contracted::MUTANTS.iter().chain(others);
    let others = footprints::MUTANTS.iter().chain(others);
    let others = in_depth::MUTANTS.iter().chain(others);
    let others = lsl_world::MUTANTS.iter().chain(others);
    let others = structures::MUTANTS.iter().chain(others);
    let others = packed_anew::MUTANTS.iter().chain(others);
    let others = parameters::MUTANTS.iter().chain(others);
    let others = dependencies::MUTANTS.iter().chain(others);
    let others = guard_tests::MUTANTS.iter().chain(others);
    let others = at_rest::MUTANTS.iter().chain(others);
    let others = receipts::MUTANTS.iter().chain(others);
    let others = loads::MUTANTS.iter().chain(others);
    MUTANTS.iter().chain(others).chain(tscript_states::MUTANTS)
}

const MUTANTS: &[Mutant] = &[
    explicit(
        "Op::Le { d, a, b } => at!(d) = i64::from(at!(a) <= at!(b)),",
        "Op::Le { d, a, b } => at!(d) = i64::from(at!(a) < at!(b)),",
        "less-or-equal is less",
    ),
    explicit(
        "Op::Add32 { d, a, b } => at!(d) = sign32(at!(a).wrapping_add(at!(b))),",
        "Op::Add32 { d, a, b } => at!(d) = at!(a).wrapping_add(at!(b)),",
        "32-bit sums do not wrap around",
    ),
    explicit(
        "let a = self.fit(scope, &to, a, fits)?;",
        "let _ = fits;",
        "a stored value is not cut to its type",
    ),
    explicit(
        "let a = self.fitted(scope, value, field)?;",
        "let a = self.expr(scope, value)?;",
        "a message is not cut to its type",
    ),
    explicit(
        "Op::Rem { d, a, b } => at!(d) = at!(a).wrapping_rem(at!(b)),",
        "Op::Rem { d, a, b } => at!(d) = at!(a).rem_euclid(at!(b)),",
        "a remainder has the wrong sign",
    ),
    explicit(
        "self.violations.push((violation, self.log.head()));",
        "let _ = violation;",
        "violations are not reported",
    ),
    explicit(
        "Op::Return { stack } => {\n                    let stack = &mut self.stacks[usize::from(stack)];\n                    let site = stack.data[stack.frame - 1];",
        "Op::Return { stack } => {\n                    let stack = &mut self.stacks[usize::from(stack)];\n                    let site = stack.data[1];",
        "a return from a nested call goes to the outermost caller",
    ),
    explicit(
        "return Some(Exit::Repeats);",
        "return Some(Exit::Pruned);",
        "an endless loop inside a macro step is no divergence",
    ),
    explicit(
        "let candidates = if *anywhere { count } else { count.min(1) };",
        "let candidates = count;",
        "a receive takes a message from the middle of a channel",
    ),
    explicit(
        "self.outcome_mode != OutcomeMode::Never && self.transition_cache.is_observed(table);",
        "false;",
        "what moves led to is repeated though a property has to be looked at again",
    ),
    explicit(
        "            read.iter().for_each(|field| field.cover(&mut touched.read));",
        "            written.iter().for_each(|field| field.cover(&mut touched.read));",
        "what moves led to is repeated where they read something else",
    ),
    explicit(
        "if goes_on || self.mode(holder) == Some(Mode::Region) {",
        "if goes_on {",
        "a blocked region lets others go on",
    ),
    explicit(
        "moves.retain(|id| Some(class(id)) == highest);",
        "let _ = highest;",
        "priority classes are ignored",
    ),
    explicit(
        "each(id).all(|(instance, urgency)| urgency.is_none() || *urgency == best[instance])",
        "each(id).all(|(_, _)| true)",
        "else branches are taken although another is enabled",
    ),
    explicit(
        "// Choices that led nowhere have left their values.\n            self.machine.lasting_mut().copy_from_slice(&self.base);",
        "// Choices that led nowhere have left their values.",
        "a move that leads nowhere leaves its choices behind",
    ),
    explicit(
        ".all(|n| machine.code.instances[n].ends[machine.location(n)])",
        ".all(|n| machine.location(n) != usize::MAX)",
        "deadlocks are not reported",
    ),
    explicit(
        "(Bad::Fault(wanted), Violation::Fault(fault, _)) => wanted.contains(&fault),",
        "(Bad::Fault(_), Violation::Fault(..)) => true,",
        "any fault counts as the one that is asked about",
    ),
    explicit(
        "Op::StoreAt { base, .. } => touched.written.extend(all(base)),",
        "Op::StoreAt { .. } => {}",
        "stores into arrays are not packed",
    ),
    explicit(
        "observed.iter().any(unstored) || !observed.is_disjoint(&touched.written)",
        "observed.iter().any(unstored)",
        "what a move changes is taken for unchanged",
    ),
    explicit(
        "moves.retain(|id| Some(priority(id)) == highest);",
        "let _ = (highest, priority);",
        "priorities of processes are ignored",
    ),
    explicit(
        "memory[message..message + width] < memory[other..other + width]",
        "memory[message..message + width] > memory[other..other + width]",
        "a sorted send sorts the wrong way",
    ),
    explicit(
        ".find(|&number| !is_there(code, memory, number))",
        ".rfind(|&number| !is_there(code, memory, number))",
        "a new instance gets the last free number",
    ),
    explicit(
        "instance_slot.process == site.process && instance_slot.key.iter().eq(key.clone())",
        "instance_slot.process == site.process",
        "instances with other arguments are taken for the same",
    ),
    explicit(
        "self.clear(place.slots.clone())?;",
        "let _ = &place.slots;",
        "a channel that goes away leaves its messages behind",
    ),
    explicit(
        "if slots.owner != Some(number) || place.present.is_none() {",
        "if slots.owner.is_some() || place.present.is_none() {",
        "channels do not go away with their owner",
    ),
    explicit(
        "if self.number(receiver.instance) != self.number(part.instance) {",
        "if self.number(receiver.instance) == self.number(part.instance) {",
        "a rendezvous is with oneself",
    ),
    explicit(
        "let holder = if inner { Some(last) } else { in_region };",
        "let holder = in_region;",
        "a rendezvous does not hand control over",
    ),
    explicit(
        "self.timeout = Some(false);",
        "self.timeout = Some(true);",
        "a timeout waits for itself",
    ),
    explicit(
        "(precedence, u16::MAX - step.rank, step.class)",
        "(u16::MAX - precedence, u16::MAX - step.rank, step.class)",
        "the lesser precedence wins within macro steps",
    ),
    explicit(
        "self.branch(scope, provided, done, false)?;",
        "let _ = (scope, provided);",
        "an instance leaves although it may not move",
    ),
    explicit(
        "Ok(if in_region.is_none() && !goes_on {",
        "Ok(if in_region.is_none() {",
        "an atomic sequence is left at once",
    ),
    explicit(
        ".map(|(part, step)| Some((part.precedence, u16::MAX - step.rank)))",
        ".map(|(part, step)| Some((0 * part.precedence, u16::MAX - step.rank)))",
        "escapes do not take precedence",
    ),
    reduction(
        "if !view.opens_cycles() {",
        "if view != View::Deadlocks {",
        "a cycle of a reduced product puts others off for ever",
    ),
    reduction(
        "View::States => true,",
        "View::States => false,",
        "a reduced cycle puts others off for ever",
    ),
    reduction(
        "View::Deadlocks => grows(program),",
        "View::Deadlocks => false && grows(program),",
        "who makes room for others is put off for ever",
    ),
    reduction(
        "self.again.extend(self.doubts.drain(..));",
        "self.doubts.clear();",
        "a reduced expansion that leads back is not made again",
    ),
    reduction(
        "(Ready, other) | (other, Ready) => other == Test,",
        "(Ready, _) | (_, Ready) => false,",
        "who asks for a partner does not mind that one comes",
    ),
    reduction(
        "offer.accesses.add(&ready[entry.index()]);",
        "let _ = (&ready[entry.index()], &offer.accesses);",
        "a partner is not expected of those who are started",
    ),
    reduction(
        "access_sets.talk(talk, true, &mut AccessSet::default());",
        "let _ = talk;",
        "conflicts are looked for before all deeds are known",
    ),
    reduction(
        "if accesses.meets(&observed) {",
        "if accesses.meets(&observed) && offer.waits {",
        "steps that change what is observed commute",
    ),
    reduction(
        "now.visible |= accesses.iter()",
        "now.visible |= offer.waits && accesses.iter()",
        "a reduced set changes what a formula observes",
    ),
    reduction(
        "SharedObject::Channel(place) => self.rendezvous[place as usize],",
        "SharedObject::Channel(place) => self.rendezvous.len() < place as usize,",
        "a partner at a rendezvous does not join a stubborn set",
    ),
    reduction(
        "into.insert(self.accesses.id(SharedObject::Roster, AccessKind::Come));",
        "self.accesses.id(SharedObject::Roster, AccessKind::Come);",
        "starts of instances commute",
    ),
    reduction(
        "set.insert(access_sets.accesses.id(thing, other));",
        "access_sets.accesses.id(thing, other);",
        "who could fill an empty channel does not join a stubborn set",
    ),
    reduction(
        "accesses.add(&everything[process.index()]);",
        "let _ = &everything[process.index()];",
        "the reduction forgets what instances do that are yet to be started",
    ),
    reduction(
        "self.go_on(access_sets, first, &mut waiting);",
        "self.go_on(access_sets, first, &mut waiting);\n        waiting.clear();",
        "the reduction forgets what a move does after its first step",
    ),
    reduction(
        "bits |= 1u64.checked_shl(u32::try_from(guarded_move).ok()?)?;",
        "let _ = guarded_move;",
        "time-outs are explored one at a time",
    ),
    reduction(
        "attempt.reduce = false;\n                room = engine.into_room();",
        "attempt.reduce = false;\n                room = engine.into_room();\n                return Ok(None);",
        "a search for runs whose reduction is of no use finds nothing",
    ),
    explicit(
        "if !some && footprints.some_wait {\n                (some, enabled) =",
        "if false {\n                (some, enabled) =",
        "time-outs are never tried",
    ),
    reduction(
        "all.some_wait = waiting > 0 && waiting == asking;",
        "all.some_wait = waiting > 0 && asking > 0;",
        "a time-out is not tried beside a step that waits for one as well",
    ),
    explicit(
        "self.unless_silent((instance, location, step), no, yes, |_, _, _, _, _| Ok(()))?;",
        "let _ = no;",
        "a full channel does not keep an atomic sequence from going on with it",
    ),
    explicit(
        "let after = before | (u16::from(new) * BOTH);",
        "let after = before | u16::from(new);",
        "states of the automaton that come to a state do not wait there",
    ),
    explicit(
        "count.store(before.saturating_add(1), Ordering::Relaxed);",
        "count.store(before.wrapping_add(1), Ordering::Relaxed);",
        "a node to which many edges lead is taken for one without any",
    ),
    explicit(
        "            count.store(before - 1, Ordering::Relaxed);",
        "            count.store(before, Ordering::Relaxed);",
        "elimination forgets that an edge has gone",
    ),
    explicit(
        "        for to in 0..self.letters.len() {\n            self.send(to);\n        }\n",
        "",
        "short letters between threads are never sent",
    ),
    explicit(
        "self.parents.push(self.current);",
        "self.parents\n                .push(self.current.and(self.waiting.first().map(|first| first.at)));",
        "a dive tells a run that it did not make",
    ),
    reduction(
        "if segment.location.get(stored) == gone && !compacts {\n                    continue;\n                }\n                let from",
        "if segment.location.get(stored) == gone {\n                    continue;\n                }\n                let from",
        "those who have gone are sorted in and not out",
    ),
    reduction(
        "for (field, &value) in segment.fields.iter().zip(&values[1..]) {",
        "for (field, &value) in segment.fields.iter().zip(&values[1..]).skip(1) {",
        "variables stay behind when instances change places",
    ),
    reduction(
        "Goal::State(stored) => self.is(end.stored, stored),",
        "Goal::State(stored) => end.stored == stored,",
        "runs are told through the states that stand for others",
    ),
    exchange(
        "!own.me && !own.makes_channels",
        "!own.makes_channels",
        "instances that know their numbers are exchanged",
    ),
    exchange(
        "&& !looked_at(id)",
        "&& looked_at(id) == looked_at(id)",
        "instances that others look at are exchanged",
    ),
    exchange(
        "nobody_sees_who_is_gone || !ends(id)",
        "nobody_sees_who_is_gone || true",
        "who has ended counts as gone although somebody may see it",
    ),
    exchange(
        "cone.count || uses.asks_by_number",
        "uses.asks_by_number",
        "instances that are counted are exchanged",
    ),
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/verify/src",
        search: "let goes_on = !fails && last.is_none();",
        replacement: "let goes_on = last.is_none();",
        breaks: "a walk on the interpreter does not tell where a run ends",
    },
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/engines/explicit/src",
        search: "Violation::Check(check, site) => Place::Check(check, site),",
        replacement: "Violation::Check(check, _) => Place::Check(check, 0),",
        breaks: "all assertions are one failing place",
    },
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/engines/explicit/src",
        search: "Violation::Fault(fault, site) => Place::Fault(fault, site),",
        replacement: "Violation::Fault(fault, _) => Place::Fault(fault, 0),",
        breaks: "all faults of one kind are one failing place",
    },
    smv(
        "Ok(self.before(a, name, weak))",
        "Ok(self.before(a, name, !weak))",
        "there is a yesterday at the beginning",
    ),
    smv(
        "let held = self.and(a, before);",
        "let held = self.or(a, before);",
        "since holds without what must hold since",
    ),
    smv(
        "then = self.before(then, format!(\"{name} ({})\", back + 1), false);",
        "then = self.before(then, format!(\"{name} ({})\", back + 1), true);",
        "bounded operators look back behind the beginning",
    ),
    smv(
        "result = self.choose(runs.id, choices, result);",
        "let _ = runs;\n            result = choices;",
        "processes move although others run",
    ),
    smv(
        "Some(self.choices(&assignment.value, next)?)",
        "let _ = next;\n                Some(self.choices(&assignment.value, context)?)",
        "an assignment at all times gives next values by present ones",
    ),
    smv(
        "let outside = if signed && !left {",
        "let outside = if signed && left {",
        "a negative word shifted right by its width is zero",
    ),
    smv(
        "if signed && wanted < bits && wanted > 1 {",
        "if signed && wanted < bits && wanted > 16 {",
        "a signed word made narrower loses its sign",
    ),
    smv(
        "let search = self.search_under(*any, path, &|value| value == 0);",
        "let search = self.search_under(*any, path, &|value| value > 1);",
        "cases need not be exhaustive",
    ),
    smv(
        "Binary::Le => truth(x <= y),",
        "Binary::Le => truth(x < y),",
        "the static checks take at most for less",
    ),
    smv(
        "VariableSort::Frozen => VariableKind::Frozen,",
        "VariableSort::Frozen => VariableKind::State,",
        "frozen variables change",
    ),
    smv(
        "let entity = self.entity(value, inner);",
        "let entity = self.entity(value, scope);",
        "arguments are looked up inside of the module",
    ),
    smv(
        "Ok(Ltl::release(a, self.linear(b, scope)?))",
        "Ok(Ltl::until(a, self.linear(b, scope)?))",
        "releases is until",
    ),
    smv(
        "ConstraintSort::Invar => self.program.state_constraint.extend(conjuncts),",
        "ConstraintSort::Invar => self.program.initial.extend(conjuncts),",
        "invariants are about first states only",
    ),
    smv(
        "Mode::Every => BinaryOp::And,",
        "Mode::Every => BinaryOp::Or,",
        "one match of a sequence is enough",
    ),
    smv(
        "false => operands.iter().map(|&operand| self.not(operand)).collect(),",
        "false => operands.to_vec(),",
        "what one operand of an or decides is turned round",
    ),
    smv(
        "let others = (0..).zip(&open).filter(|(other, _)| *other != number);",
        "let others = (0..).zip(&open).filter(|(other, _)| *other < number);",
        "only operands before it decide that an index does not count",
    ),
    smv(
        "self.doubts.extend_from_slice(doubts);",
        "self.doubts.extend_from_slice(&doubts[1..]);",
        "what may go wrong in a definition is forgotten where it is used",
    ),
    smv(
        "id: self.if_then_else(is_zero, one, divisor.id, ty),",
        "id: self.if_then_else(is_zero, divisor.id, divisor.id, ty),",
        "what is divided by zero where that does not count has no value",
    ),
    smv(
        "} else if begun.insert(key) {",
        "} else if begun.insert(key) && begun.len() > 1_000_000 {",
        "what definitions need is lowered by recursion",
    ),
    smv(
        "all.push(self.subset(part, set, span)?);",
        "all = vec![self.subset(part, set, span)?];",
        "a set is part of another if its last value is",
    ),
    smv(
        "let overlapping = token.text.ends_with('_') || (strong && self.accept(\"_\"));",
        "let overlapping = strong && self.accept(\"_\");",
        "the overlapping operators of PSL do not overlap",
    ),
    games(
        "|| !was_derived && self.follows(*node, vertex, &part) == least",
        "",
        "what does not follow may be left out",
    ),
    games(
        "Ctl::Always(One, p) => {\n                let p = self.of(p)?;\n                self.greatest(|x| and(p, or(some(x), all(Mu::False))))",
        "Ctl::Always(One, p) => {\n                let p = self.of(p)?;\n                self.greatest(|x| and(p, some(x)))",
        "on a part of the graph, no run that ends stays for good",
    ),
    games(
        "let target = set.clone().and(&self.fair);",
        "let target = set.clone();",
        "a step may lead where no fair path begins",
    ),
    games(
        "if self.justice.iter().all(meets) {",
        "if self.justice.is_empty() || self.justice.iter().any(meets) {",
        "one fairness condition is enough",
    ),
    games(
        "if !alone || graph.successors(component[0]).contains(&component[0]) {",
        "if !alone {",
        "one cannot stay in a state for ever",
    ),
    Mutant {
        package: "games",
        tests: &[],
        folder: "crates/logic/src",
        search: "low[v] = low[v].min(order[to as usize]);",
        replacement: "low[v] = low[v].min(order[v]);",
        breaks: "components are cut",
    },
    games(
        "for _ in *lo..*hi {",
        "for _ in *lo..=*hi {",
        "a bounded until has a step too many",
    ),
    games(
        "let fails = self.until(&not_q, &neither);",
        "let fails = neither.clone();",
        "until fails at once or never",
    ),
    games(
        "both.or(&p.not().and(&q.not()))",
        "both",
        "equivalent are formulas that hold both",
    ),
    games(
        "if many == 0 && found[number].add(vertex) {",
        "if false && found[number].add(vertex) {",
        "a box needs a transition",
    ),
    games(
        "Node::And(_) if !least => Rule::Any,",
        "Node::And(_) if least => Rule::Any,",
        "one conjunct is enough",
    ),
    games(
        "                        if *left == 0 && found[p].add(from) {",
        "                        if found[p].add(from) {",
        "one of all steps is enough",
    ),
    games(
        "if (at % 2 == 1) != least {",
        "if (at % 2 == 1) == least {",
        "the priorities of fixpoints are exchanged",
    ),
    games(
        "|| decided.is_some_and(|decided| decided[number].has(vertex))",
        "",
        "what is decided for one is forced by the other",
    ),
    games(
        "let mut theirs = if player { minus(&rest, &holds) } else { holds };",
        "let mut theirs = holds;",
        "the other player wins what a player wins",
    ),
    games(
        "if self.follows(node, vertex, &part) != least {",
        "if false {",
        "derivations are not looked at",
    ),
    games(
        "if has_cycle(count, &bad, &top, &kept) {",
        "if false {",
        "plays that go round are not looked at",
    ),
    games(
        "labels.has(*label) && fails(part, *next)",
        "*label < u32::MAX && fails(part, *next)",
        "a run takes steps that the formula does not speak of",
    ),
    formulas(
        "let more = self.behind(part, node, all)?;",
        "let more = self.behind(part, p, all)?;",
        "a star is no more than once",
    ),
    formulas(
        "*has |= part,",
        "*has &= part,",
        "for some value is for each",
    ),
    formulas(
        "if known.negative != self.negative {",
        "if known.negative && !self.negative {",
        "fixpoints need not be monotone",
    ),
    graphs(
        "signature.push((FOR_EVER, own));",
        "let _ = FOR_EVER;",
        "divergence is forgotten",
    ),
    graphs(
        "if !silent[label as usize] || block[to] != own {",
        "if !silent[label as usize] {",
        "silent steps decide nothing",
    ),
    graphs(
        "if silent[label as usize] && seen.insert(to) {",
        "if silent[label as usize] && at == 0 && seen.insert(to) {",
        "silent steps are not taken along",
    ),
];

/// A fault in the front end for SMV.
const fn smv(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "smv",
        tests: &[],
        folder: "crates/frontends/smv/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the decision of branching time.
const fn games(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "games",
        tests: &[],
        folder: "crates/engines/games/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in how formulas of the mu-calculus are read and instantiated.
const fn formulas(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "logic",
        tests: &[],
        folder: "crates/logic/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in how graphs are reduced.
const fn graphs(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "model",
        tests: &[],
        folder: "crates/model/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the explicit engine's reduction, which models written for it catch.
const fn reduction(
    search: &'static str,
    replacement: &'static str,
    breaks: &'static str,
) -> Mutant {
    Mutant {
        package: "verify",
        tests: &[],
        ..explicit(search, replacement, breaks)
    }
}

/// A fault in what decides which instances may be exchanged.
const fn exchange(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/passes/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the explicit engine.
const fn explicit(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "explicit",
        tests: &[],
        folder: "crates/engines/explicit/src",
        search,
        replacement,
        breaks,
    }
}

impl Mutant {
    /// The file in a copy of the workspace where the fault belongs, and its text.
    ///
    /// # Errors
    /// If the text to replace does not stand there exactly once.
    pub(crate) fn place(&self, workspace: &Path) -> Result<(PathBuf, String), String> {
        let mut places = Vec::new();
        let mut folders = vec![workspace.join(self.folder)];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder);
            let entries = entries.map_err(|error| format!("read {}: {error}", folder.display()))?;
            for entry in entries {
                let entry = entry.map_err(|error| format!("read {}: {error}", folder.display()))?;
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    for _ in text.matches(self.search) {
                        places.push((path.clone(), text.clone()));
                    }
                }
            }
        }
        match places.len() {
            1 => Ok(places.remove(0)),
            n => Err(format!(
                "plant \"{}\": the text to replace stands {n} times in {}",
                self.breaks, self.folder
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::root;

    #[test]
    fn every_fault_fits_its_file() {
        for mutant in all() {
            let (_, text) = mutant.place(&root()).unwrap();
            assert_ne!(text, text.replace(mutant.search, mutant.replacement));
        }
    }
}
