//! Where a secret may get to: an analysis of information flow on the finished control flow
//! (D. Denning, P. Denning: *Certification of programs for secure information flow*, 1977).
//!
//! A variable may carry a secret if it is assigned a value that depends on one, or if whether it is
//! assigned depends on one ([`control`](super::control)). Ways into what is not followed do not
//! count, as every rule is violated there. The order of steps is not looked at, so that what other
//! threads write is covered. What the world decides may depend on all that it was told before.
//!
//! A rule about what nothing secret may get to is not violated. Elsewhere, truth values beside the
//! variables tell what assignments carry ([`shadow`](super::shadow)).

use std::collections::{HashMap, HashSet};

use model::{
    Choice, Expr, ExprId, ExprPool, LocId, OutsideId, Place, Process, Program, Projection, Root,
    Stmt, Type,
};
use policy::Arguments;

use super::compose::{Asked, compose};
use super::control::Regions;
use super::shadow::Shadows;

/// Whether something may carry a secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// Never.
    Never,
    /// It does if what was assigned to it last did, so that it can be told at each point of a run.
    Assigned,
    /// It may.
    Unsure,
}

/// What something is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) exprs: Vec<ExprId>,
    /// Variables that may be reached from it.
    pub(super) roots: HashSet<Root>,
    /// Those of them that are, whatever pointers are to.
    pub(super) reached: HashSet<Root>,
    /// Whether something belongs to it that is not followed.
    pub(super) other: bool,
}

/// A question of the policy: whether arguments carry what some variables hold.
#[derive(Debug)]
pub(super) struct Question {
    /// The number of the rule, and what it denies.
    pub(super) asks: (usize, Arguments),
    /// Where the answer goes. The lowering chooses it.
    pub(super) answer: Root,
    /// What is secret.
    pub(super) secrets: HashSet<Root>,
    /// Whether something is secret that is not followed.
    pub(super) unfollowed: bool,
    /// The arguments.
    pub(super) arguments: Sources,
}

/// Something that a function outside is told.
#[derive(Debug)]
pub(super) struct Telling {
    /// Where.
    pub(super) at: LocId,
    pub(super) arguments: Sources,
    /// The rules that deny it whatever else holds, if it carries what they say: what follows then
    /// makes no difference to them.
    pub(super) denied_by: Vec<(usize, Arguments)>,
}

/// What is known of the choices of the world. Others may depend on anything.
#[derive(Debug, Default)]
pub(super) struct World {
    /// Choices that no secret decides.
    pub(super) unrelated: HashSet<OutsideId>,
    /// Choices that depend on these alone.
    pub(super) computed: HashMap<OutsideId, Vec<Sources>>,
    /// Choices that depend on all that functions outside were told before.
    pub(super) remembered: HashSet<OutsideId>,
    /// What functions outside were told.
    pub(super) told: Vec<Telling>,
    /// Whether steps of several threads may take turns.
    pub(super) threads: bool,
    /// Variables whose contents may be known.
    pub(super) declassified: HashSet<Root>,
}

/// Answers the questions whose answer can be told.
pub(super) fn answer(
    program: &mut Program,
    process: &mut Process,
    sink: Option<LocId>,
    questions: Vec<Question>,
    world: &World,
) {
    if questions.is_empty() {
        return;
    }
    let mut regions = Regions::new(process, sink);
    let mut groups: Vec<Vec<Question>> = Vec::new();
    for question in questions {
        match groups
            .iter_mut()
            .find(|group| group[0].asks == question.asks)
        {
            Some(group) => group.push(question),
            None => groups.push(vec![question]),
        }
    }
    let mut first_only = HashSet::new();
    let mut open = Vec::new();
    for questions in groups {
        let levels = Levels::found(program, process, &mut regions, world, &questions[0]);
        let (mut answers, mut unsure) = (HashMap::new(), HashMap::new());
        for question in questions {
            // A call that a secret decides tells it, whatever is passed.
            let call = levels.of(&question.answer);
            let level = levels.of_sources(&question.arguments, &program.exprs);
            let level = level.max(call);
            answers.insert(question.answer, (level, question.arguments.exprs.clone()));
            first_only.insert(question.answer);
            if level == Level::Unsure {
                unsure.insert(question.answer, question.arguments);
            }
        }
        let beside = Shadows::new(program, process, &levels, answers).insert();
        first_only.extend(beside);
        if !unsure.is_empty() {
            open.push((levels, unsure));
        }
    }
    // Two runs differ in one secret; those of several rules are not compared.
    if let [(levels, answers)] = open.as_slice()
        && !world.threads
    {
        let asked = Asked {
            answers: answers.clone(),
            first_only,
        };
        let of = (levels, world);
        compose(program, process, of, &regions, &asked);
    }
}

/// The level of each variable.
pub(super) struct Levels {
    secrets: HashSet<Root>,
    /// Whether something is secret that is not followed.
    unfollowed: bool,
    raised: HashMap<Root, Level>,
    /// Variables that are arrays.
    arrays: HashSet<Root>,
    /// Choices of the world that may carry a secret.
    carried: HashSet<OutsideId>,
}

impl Levels {
    fn found(
        program: &Program,
        process: &Process,
        regions: &mut Regions,
        world: &World,
        of: &Question,
    ) -> Levels {
        let mut analysis = Analysis {
            exprs: &program.exprs,
            world,
            asks: &of.asks,
            levels: Levels {
                secrets: of.secrets.clone(),
                unfollowed: of.unfollowed,
                raised: HashMap::new(),
                arrays: arrays(program, process),
                carried: HashSet::new(),
            },
            heard: vec![false; process.locations.len()],
            changed: true,
            decided: vec![false; process.steps.len()],
        };
        while std::mem::take(&mut analysis.changed) {
            source::limits::check();
            analysis.round(process, regions);
        }
        analysis.levels
    }

    fn has_secrets(&self) -> bool {
        self.unfollowed || !self.secrets.is_empty()
    }

    /// Whether what the world chooses may depend on a secret.
    pub(super) fn carries(&self, choice: &Choice) -> bool {
        match choice.outside {
            Some(outside) => self.carried.contains(&outside),
            None => self.has_secrets(),
        }
    }

    /// Whether this is one of the secrets.
    pub(super) fn is_secret(&self, root: &Root) -> bool {
        self.secrets.contains(root)
    }

    /// The level of a variable.
    pub(super) fn of(&self, root: &Root) -> Level {
        match root {
            _ if self.is_secret(root) => Level::Assigned,
            Root::Global(_) | Root::Own(_) => {
                self.raised.get(root).copied().unwrap_or(Level::Never)
            }
            _ => Level::Unsure,
        }
    }

    /// Whether a place is a scalar or an element of an array, so that a truth value can stand
    /// beside it.
    pub(super) fn is_single(&self, place: &Place) -> bool {
        match place.path.as_slice() {
            [] => !self.arrays.contains(&place.root),
            [Projection::Index(_)] => self.arrays.contains(&place.root),
            _ => false,
        }
    }

    /// The level of a value.
    pub(super) fn of_expr(&self, expr: ExprId, exprs: &ExprPool) -> Level {
        let mut level = Level::Never;
        reads(expr, exprs, &mut |place, direct| {
            let direct = direct && (self.is_single(place) || self.is_secret(&place.root));
            level = level.max(match (self.of(&place.root), direct) {
                (Level::Assigned, false) => Level::Unsure,
                (level, _) => level,
            });
        });
        level
    }

    fn of_sources(&self, sources: &Sources, exprs: &ExprPool) -> Level {
        let values = sources.exprs.iter();
        let values = values.map(|&expr| self.of_expr(expr, exprs));
        // What is reached through a pointer depends on where it points to.
        let reached = sources.roots.iter().map(|root| match self.of(root) {
            Level::Never => Level::Never,
            _ => Level::Unsure,
        });
        let other = match sources.other && self.has_secrets() {
            true => Level::Unsure,
            false => Level::Never,
        };
        values.chain(reached).fold(other, Level::max)
    }
}

/// The variables that are arrays.
fn arrays(program: &Program, process: &Process) -> HashSet<Root> {
    let is_array = |ty: &Type| matches!(ty, Type::Array(..));
    let globals = program.globals.iter().enumerate();
    let globals = globals.filter(|(_, variable)| is_array(&variable.ty));
    let globals = globals.map(|(number, _)| Place::global(model::GlobalId::new(number)).root);
    let locals = process.locals.iter().enumerate();
    let locals = locals.filter(|(_, variable)| is_array(&variable.ty));
    let locals = locals.map(|(number, _)| Place::own(number).root);
    globals.chain(locals).collect()
}

/// Calls a function on each place that an expression reads, and with whether the value is made of
/// what is read; otherwise that decides what the value is made of.
fn reads(expr: ExprId, exprs: &ExprPool, each: &mut impl FnMut(&Place, bool)) {
    let mut seen = HashSet::new();
    let mut waiting = vec![(expr, true)];
    while let Some((expr, direct)) = waiting.pop() {
        if !seen.insert((expr, direct)) {
            continue;
        }
        match exprs.get(expr) {
            Expr::Load(place) => {
                each(place, direct);
                place.operands(|operand| waiting.push((operand, false)));
            }
            Expr::Ite(cond, yes, no) => {
                waiting.extend([(*cond, false), (*yes, direct), (*no, direct)]);
            }
            other => other.operands(|operand| waiting.push((operand, direct))),
        }
    }
}

struct Analysis<'a> {
    /// The rule that is asked about, and what it denies.
    asks: &'a (usize, Arguments),
    exprs: &'a ExprPool,
    world: &'a World,
    levels: Levels,
    /// By location: whether functions outside may have been told a secret before.
    heard: Vec<bool>,
    /// Whether anything was raised.
    changed: bool,
    /// By step: whether a secret may decide if it is taken.
    decided: Vec<bool>,
}

impl Analysis<'_> {
    fn round(&mut self, process: &Process, regions: &mut Regions) {
        self.listen(process, regions);
        for (number, step) in process.steps.iter().enumerate() {
            if let Some(guard) = step.guard.filter(|&guard| self.level(guard) > Level::Never) {
                for &decided in regions.behind(process, step.from) {
                    self.changed |= !std::mem::replace(&mut self.decided[decided], true);
                }
                self.restricts(guard);
            }
            let decided = self.decided[number];
            let heard = self.heard[step.from.index()];
            for choice in &step.binds {
                self.choose(choice, decided, heard);
            }
            self.body(&step.body, decided, heard);
        }
    }

    /// Finds where functions outside may have been told a secret. A call that a secret decides
    /// tells it, too.
    fn listen(&mut self, process: &Process, regions: &Regions) {
        let mut decided = vec![false; self.heard.len()];
        for (step, _) in process
            .steps
            .iter()
            .zip(&self.decided)
            .filter(|(_, of)| **of)
        {
            decided[step.from.index()] = true;
        }
        for telling in &self.world.told {
            let at = telling.at;
            if self.heard[at.index()] || telling.denied_by.contains(self.asks) {
                continue;
            }
            let secret = self.levels.of_sources(&telling.arguments, self.exprs) > Level::Never;
            if secret || decided[at.index()] {
                self.changed = true;
                match self.world.threads {
                    true => self.heard.fill(true),
                    false => regions.reach(at, &mut self.heard),
                }
            }
        }
    }

    fn body(&mut self, body: &[Stmt], decided: bool, heard: bool) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let mut level = self.level(*value);
                    let single = self.levels.is_single(place);
                    if decided || self.is_index_secret(place) || level == Level::Assigned && !single
                    {
                        level = Level::Unsure;
                    }
                    self.raise(&place.root, level);
                }
                Stmt::Choose(choice) => self.choose(choice, decided, heard),
                Stmt::If(cond, yes, no) => {
                    let decided = decided || self.level(*cond) > Level::Never;
                    self.body(yes, decided, heard);
                    self.body(no, decided, heard);
                }
                Stmt::Assume(cond) if self.level(*cond) > Level::Never => self.restricts(*cond),
                _ => {}
            }
        }
    }

    fn choose(&mut self, choice: &Choice, decided: bool, heard: bool) {
        let mut carries = decided || self.is_index_secret(&choice.place);
        choice
            .set
            .operands(&mut |bound| carries |= self.level(bound) > Level::Never);
        carries |= match choice.outside {
            Some(id) if self.world.unrelated.contains(&id) => false,
            Some(id) if self.world.remembered.contains(&id) => heard,
            Some(id) => match self.world.computed.get(&id) {
                Some(all) => all
                    .iter()
                    .any(|sources| self.levels.of_sources(sources, self.exprs) > Level::Never),
                None => self.levels.has_secrets(),
            },
            None => self.levels.has_secrets(),
        };
        if carries {
            self.levels.carried.extend(choice.outside);
            self.raise(&choice.place.root, Level::Unsure);
        }
    }

    /// Runs go on only where this holds, so that what was chosen before may tell a secret.
    fn restricts(&mut self, cond: ExprId) {
        let exprs = self.exprs;
        reads(cond, exprs, &mut |place, _| {
            self.raise(&place.root, Level::Unsure);
        });
    }

    fn raise(&mut self, root: &Root, level: Level) {
        if self.world.declassified.contains(root) {
            return;
        }
        let own = self.levels.raised.entry(*root).or_insert(Level::Never);
        if *own < level {
            *own = level;
            self.changed = true;
        }
    }

    fn level(&self, expr: ExprId) -> Level {
        self.levels.of_expr(expr, self.exprs)
    }

    fn is_index_secret(&self, place: &Place) -> bool {
        place.path.iter().any(|projection| match projection {
            Projection::Index(index) => self.level(*index) > Level::Never,
            Projection::Field(_) => false,
        })
    }
}
