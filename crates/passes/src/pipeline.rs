//! The passes in order, and what each of them achieved.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use model::{Composition, GlobalId, Mode, Program, PropertyId, Stmt, ValueSet, VariableKind};
use thiserror::Error;

use crate::observed::{Observed, QueryKind};
use crate::rewrite::is_disabled;
use crate::{bounds, dead, focus, fold, inline, merge, slice, write_only};

/// A pass that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pass {
    /// Observers where their events are emitted: [`inline`].
    Inline,
    /// Constants and algebra: [`fold`].
    Fold,
    /// The cone of influence: [`slice`](fn@slice).
    Slice,
    /// Variables that nothing reads: [`write_only`]. Part of slicing; of use without it.
    WriteOnly,
    /// Values that nothing reads any more: [`dead`].
    Dead,
    /// Private steps: [`merge`].
    Merge,
    /// Types no wider than their values: [`bounds`].
    Bounds,
}

impl Pass {
    /// All passes, in the order in which they run.
    pub const ALL: [Pass; 7] = [
        Pass::Inline,
        Pass::Fold,
        Pass::Slice,
        Pass::WriteOnly,
        Pass::Dead,
        Pass::Merge,
        Pass::Bounds,
    ];

    /// The name by which it is chosen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pass::Inline => "inline",
            Pass::Fold => "fold",
            Pass::Slice => "slice",
            Pass::WriteOnly => "write-only",
            Pass::Dead => "dead",
            Pass::Merge => "merge",
            Pass::Bounds => "bounds",
        }
    }

    /// Whether it preserves the answers to what is observed.
    #[must_use]
    pub fn preserves(self, observed: &Observed) -> bool {
        match self {
            Pass::Merge => observed.kind < QueryKind::Linear,
            Pass::Inline
            | Pass::Fold
            | Pass::Slice
            | Pass::WriteOnly
            | Pass::Dead
            | Pass::Bounds => true,
        }
    }
}

/// The passes to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection(Vec<Pass>);

impl Default for Selection {
    fn default() -> Self {
        Selection::all()
    }
}

impl Selection {
    /// Every pass.
    #[must_use]
    pub fn all() -> Self {
        Selection(Pass::ALL.to_vec())
    }

    /// No pass.
    #[must_use]
    pub fn none() -> Self {
        Selection(Vec::new())
    }

    /// These passes; they run in their own order.
    #[must_use]
    pub fn of(passes: &[Pass]) -> Self {
        Selection(passes.to_vec())
    }

    /// Whether the pass is among them.
    #[must_use]
    pub fn contains(&self, pass: Pass) -> bool {
        self.0.contains(&pass)
    }
}

/// A word that names no pass.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "know a pass named `{0}`; there are all, none, inline, fold, slice, write-only, dead, merge, bounds"
)]
pub struct UnknownPass(pub String);

impl FromStr for Selection {
    type Err = UnknownPass;

    /// `all`, `none`, or names with commas between them.
    fn from_str(text: &str) -> Result<Self, UnknownPass> {
        match text.trim() {
            "all" => return Ok(Selection::all()),
            "none" | "" => return Ok(Selection::none()),
            _ => {}
        }
        text.split(',')
            .map(|word| {
                Pass::ALL
                    .into_iter()
                    .find(|pass| pass.name() == word.trim())
                    .ok_or_else(|| UnknownPass(word.trim().to_owned()))
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Selection)
    }
}

/// How large a program is, in what passes make smaller.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sizes {
    /// Steps that can be taken.
    pub steps: usize,
    /// Statements, those of observers included.
    pub statements: usize,
    /// Choices: of arguments, in bodies, of first values.
    pub choices: usize,
    /// Variables that are written and stored.
    pub variables: usize,
    /// Locations where states are stored, if any step leaves them.
    pub locations: usize,
    /// Bits for the stored globals; 64 for what has no fixed size.
    pub bits: u64,
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} steps, {} statements, {} choices, {} variables, {} stable locations, {} bits",
            self.steps, self.statements, self.choices, self.variables, self.locations, self.bits
        )
    }
}

/// What a pass achieved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassReport {
    /// The pass; `None`: focusing on the properties, which is always done.
    pub pass: Option<Pass>,
    /// Sizes before it.
    pub before: Sizes,
    /// Sizes after it.
    pub after: Sizes,
}

/// A program made smaller for some properties.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The program [focused](focus) on the properties: what their verdicts are about.
    pub original: Program,
    /// What is left of it.
    pub program: Program,
    /// What was observed.
    pub observed: Observed,
    /// What each pass achieved, in order.
    pub report: Vec<PassReport>,
    /// Globals whose values in the reduced program need not be those in the original.
    pub(crate) inexact: HashSet<GlobalId>,
}

/// Focuses a program on properties and runs the selected passes that preserve them.
#[must_use]
pub fn pipeline(program: &Program, properties: &[PropertyId], selection: &Selection) -> Reduced {
    let original = focus(program, properties);
    let observed = Observed::of(&original, properties);
    let mut reduced = Reduced {
        report: vec![PassReport {
            pass: None,
            before: sizes(program),
            after: sizes(&original),
        }],
        program: original.clone(),
        original,
        observed,
        inexact: HashSet::new(),
    };
    let mut order = Vec::new();
    for pass in Pass::ALL {
        // Slicing does what the removal of write-only variables does; folding has more to do
        // after it.
        if pass == Pass::WriteOnly && selection.contains(Pass::Slice) {
            order.extend(selection.contains(Pass::Fold).then_some(Pass::Fold));
        } else if selection.contains(pass) {
            order.push(pass);
        }
    }
    for pass in order {
        if pass.preserves(&reduced.observed) {
            reduced.run(pass);
        }
    }
    reduced
}

impl Reduced {
    fn run(&mut self, pass: Pass) {
        let before = sizes(&self.program);
        let program = &self.program;
        let observed = &self.observed;
        let (after, inexact) = match pass {
            Pass::Inline => (inline(program), HashSet::new()),
            Pass::Fold => (fold(program), HashSet::new()),
            Pass::Slice => slice(program, observed),
            Pass::WriteOnly => write_only(program, observed),
            Pass::Dead => dead(program, observed),
            Pass::Merge => (merge(program, observed), HashSet::new()),
            Pass::Bounds => (bounds(program), HashSet::new()),
        };
        self.program = after;
        self.inexact.extend(inexact);
        self.report.push(PassReport {
            pass: Some(pass),
            before,
            after: sizes(&self.program),
        });
    }
}

/// Measures a program.
#[must_use]
pub fn sizes(program: &Program) -> Sizes {
    let mut sizes = Sizes::default();
    let mut written = HashSet::new();
    for observer in &program.observers {
        count(&observer.body, &mut sizes);
        crate::rewrite::stored_places(&observer.body, &mut |place| {
            written.insert(place.root);
        });
    }
    for (index, process) in program.processes.iter().enumerate() {
        let mut left = vec![false; process.locations.len()];
        let mut own = HashSet::new();
        for step in &process.steps {
            if is_disabled(program, step) {
                continue;
            }
            sizes.steps += 1;
            sizes.choices += step.binds.len();
            left[step.from.index()] = true;
            count(&step.body, &mut sizes);
            crate::rewrite::places_of_step(step, &mut |place| match place.root {
                model::Root::Own(local) => {
                    own.insert(local);
                }
                root => {
                    written.insert(root);
                }
            });
        }
        let instances = program
            .start
            .iter()
            .filter(|start| start.process.index() == index)
            .count();
        sizes.variables += own.len() * instances;
        let stored = process.locations.iter().zip(left);
        sizes.locations += stored
            .filter(|(location, left)| *left && location.mode != Mode::Region)
            .count();
    }
    if let Composition::Synchronous(assigns) = &program.composition {
        // One step moves all: those without an assignment to any value.
        sizes.steps = 1;
        let mut moved = vec![false; program.globals.len()];
        for assign in assigns {
            moved[assign.global.index()] = true;
            sizes.choices += usize::from(is_choice(&assign.next));
        }
        for (moved, variable) in moved.iter_mut().zip(&program.globals) {
            if !*moved && variable.kind != VariableKind::Frozen {
                *moved = true;
                sizes.choices += 1;
            }
        }
        for index in (0..moved.len()).filter(|&index| moved[index]) {
            sizes.statements += 1;
            written.insert(model::Root::Global(GlobalId::new(index)));
        }
    }
    for (index, variable) in program.globals.iter().enumerate() {
        sizes.choices += usize::from(matches!(
            variable.init,
            Some(ref set) if !matches!(set, ValueSet::One(_))
        ));
        let id = GlobalId::new(index);
        if written.contains(&model::Root::Global(id)) && variable.kind != VariableKind::Step {
            sizes.variables += 1;
            sizes.bits += type_bits(program, &variable.ty);
        }
    }
    sizes
}

/// Whether a set may have more than one value.
fn is_choice(set: &ValueSet) -> bool {
    match set {
        ValueSet::One(_) => false,
        ValueSet::Ite(_, then, otherwise) => is_choice(then) || is_choice(otherwise),
        ValueSet::Between(..) | ValueSet::Union(_) | ValueSet::All(_) => true,
    }
}

fn count(body: &[Stmt], sizes: &mut Sizes) {
    for stmt in body {
        sizes.statements += 1;
        match stmt {
            Stmt::Choose(_) => sizes.choices += 1,
            Stmt::If(_, then, otherwise) => {
                count(then, sizes);
                count(otherwise, sizes);
            }
            _ => {}
        }
    }
}

fn type_bits(program: &Program, ty: &model::Type) -> u64 {
    use model::Type;
    match ty {
        Type::Bool => 1,
        Type::Int { bits, .. } => u64::from(*bits),
        Type::Range { lo, hi } => {
            let count = i128::from(*hi) - i128::from(*lo);
            u64::from(i128::BITS - count.leading_zeros())
        }
        Type::Enum(id) => {
            let members = program.enums[id.index()].members.len().max(1);
            u64::from(usize::BITS - (members - 1).leading_zeros())
        }
        Type::Array(item, length) => type_bits(program, item).saturating_mul((*length).into()),
        Type::Record(id) => program.records[id.index()]
            .fields
            .iter()
            .map(|(_, ty)| type_bits(program, ty))
            .sum(),
        Type::Rich | Type::Channel | Type::Instance | Type::Procedure => 32,
        Type::Mathint | Type::Pointer(_) => 64,
    }
}
