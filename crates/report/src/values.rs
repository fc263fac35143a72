//! The report as a value: plain data with a stable JSON form.
//!
//! The JSON Schema in `docs/report.schema.json` is generated from these types, doc comments
//! included. A change that a reader of the JSON could notice raises [`REPORT_VERSION`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the report's JSON form.
pub const REPORT_VERSION: u32 = 7;

/// What Probity found out in one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// The version of Probity that wrote it.
    pub probity: String,
    /// The files, in the order given.
    pub files: Vec<FileReport>,
    /// How far *holds* has to reach for exit status 0.
    pub required: Required,
    /// Whether the user stopped it before it was done.
    pub interrupted: bool,
    /// Counts over all files.
    pub summary: Summary,
    /// The exit status: 0 every property holds and none is vacuous, 1 some property fails,
    /// 2 bad usage or bad input, 3 anything else.
    pub status: u8,
}

/// How far a *holds* has to reach to count.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Required {
    /// Runs up to some length are enough.
    Bounded,
    /// Every reachable state within stated bounds.
    Exhausted,
    /// All behaviours, by a proof that could not be checked anew.
    Unchecked,
    /// All behaviours.
    Proved,
}

/// Counts of verdicts.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// All properties.
    pub properties: usize,
    /// Those that hold.
    pub hold: usize,
    /// Those that fail.
    pub fail: usize,
    /// Those that hold without saying anything.
    pub vacuous: usize,
    /// Those whose answer is a number.
    pub measured: usize,
    /// Those that may fail.
    pub possible: usize,
    /// Those without an answer.
    pub not_known: usize,
    /// Those that hold, but not as far as required.
    pub too_weak: usize,
    /// Files that could not be read as a program.
    pub refused_files: usize,
}

/// What was found out about one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    /// The file, as given.
    pub file: String,
    /// Its language; empty if it could not be read.
    pub language: String,
    /// Whether it was refused: it has errors, and nothing was checked.
    pub refused: bool,
    /// Which limit was reached before it was read, if one was: nothing is known of it.
    pub unread: Option<String>,
    /// Whether all this was found out by an earlier check and kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What is wrong with its text.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What the world around the script may do, as far as it has names.
    pub world: Vec<String>,
    /// The assumptions that some property of the file rests on.
    pub assumptions: Vec<AssumptionMade>,
    /// Its properties.
    pub properties: Vec<PropertyReport>,
    /// Properties that its author might want to state, as they would stand in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<String>,
    /// Which statements no run reaches, if that was asked.
    pub unreached: Option<UnreachedReport>,
    /// Which small changes of the script no property notices, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<Mutants>,
    /// The texts that its lines are from, for outputs that show them whole; none if there is a
    /// picture.
    #[serde(skip)]
    pub texts: Vec<SourceText>,
    /// The script as its author drew it, for outputs that draw.
    #[serde(skip)]
    pub picture: Option<model::Picture>,
    /// The configurations in which runs begin, of a program over structures, for outputs that draw.
    #[serde(skip)]
    pub beginnings: Vec<ShapeGraph>,
}

/// A text that lines are from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// The file, as in [`Line::file`].
    pub name: String,
    /// All of it.
    pub text: String,
}

/// Which statements no run reaches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnreachedReport {
    /// Why it is not known of all others whether a run reaches them; none if one reaches each.
    pub why: Option<String>,
    /// The statements, by process and place. Those inside of one of them are left out.
    pub statements: Vec<UnreachedStatement>,
}

/// Which small changes of a script leave all properties as they are that hold.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Mutants {
    /// Why none was tried, as a sentence without its end; none if they were.
    pub why: Option<String>,
    /// How many changes made a property fail, or hold for no reason any more.
    pub noticed: usize,
    /// After how many it is not known whether all still holds.
    pub open: usize,
    /// For how many there was no time.
    pub untried: usize,
    /// Those after which all still holds, in the order of the script.
    pub unnoticed: Vec<MutantReport>,
}

/// A change of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutantReport {
    /// Where it is.
    pub line: Option<Line>,
    /// What stands there, on one line.
    pub old: String,
    /// What stood there instead; none if it was left out.
    pub new: Option<String>,
}

/// A statement that no run reaches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnreachedStatement {
    /// The process that it belongs to.
    pub process: String,
    /// The statement, on one line.
    pub text: String,
    /// Where it is.
    pub line: Option<Line>,
}

/// A finding about a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosticReport {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The stable code that `probity explain` knows.
    pub code: String,
    /// One line.
    pub message: String,
    /// Where, if it has a place.
    pub line: Option<Line>,
    /// Advice.
    pub help: Vec<String>,
    /// The whole finding laid out for a terminal, without colour. Empty if an earlier one says the same and
    /// lists the line.
    pub rendered: String,
}

/// A line of a script.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the place that is meant, in characters from 1.
    pub column: u32,
    /// The text of the line, without indentation, cut if it is long.
    pub source: String,
}

/// An assumption.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssumptionMade {
    /// Its number in this report, from 1.
    pub number: usize,
    /// Completes "assuming that".
    pub text: String,
    /// Who made it.
    pub origin: Origin,
    /// Where it is written, if it is.
    pub line: Option<Line>,
}

/// Who made an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The file or the command line, as a sentence about the world.
    Stated,
    /// The file or the command line, as a bound on numbers.
    Bound,
    /// The language's rules as Probity understands them.
    Semantics,
    /// Probity, to make the problem smaller: verdicts are weaker for it.
    Sample,
    /// Probity: it says what of the script is not followed. No verdict that it touches is *holds*.
    LeftOut,
    /// The command line: a part of the question is asked here, and the others elsewhere.
    Cube,
}

/// The answer for one property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// Its text, as written.
    pub text: String,
    /// Where it is written.
    pub line: Option<Line>,
    /// The answer.
    pub verdict: VerdictWord,
    /// How far the answer reaches, where the property was not violated.
    pub strength: Option<Strength>,
    /// The number that was asked for, for the answer `measured`.
    pub measured: Option<Measured>,
    /// The length of the runs that were looked at, for strength `bounded`.
    pub bound: Option<u32>,
    /// Whether it holds, but not as far as required.
    pub too_weak: bool,
    /// Why the answer is `vacuous`, `possible` or `not-known`.
    pub why: Option<String>,
    /// What to do about it.
    pub advice: Option<String>,
    /// Where it may fail, for the answer `possible`, if that is one place.
    pub may_fail_at: Option<Line>,
    /// The numbers of the assumptions that the answer rests on.
    pub assumptions: Vec<usize>,
    /// The engine that answered.
    pub engine: String,
    /// What it did.
    pub statistics: StatisticsReport,
    /// The inductive invariant that proves it, where the engine found one.
    pub evidence: Option<EvidenceReport>,
    /// What the passes did before.
    pub passes: Vec<PassReport>,
    /// The run that shows the failure, or a possible one.
    pub story: Option<Story>,
    /// Runs that show the failures in other places, if they were asked for.
    pub others: Vec<Story>,
    /// Whether it may fail in more places.
    pub others_cut: bool,
    /// Under which other readings of the language it fails as well, for those that have several.
    pub elsewhere: Option<String>,
    /// If another run was asked for than one that is known: whether the story is one, and if not, why.
    #[serde(default)]
    pub another: Option<String>,
    /// The command that shows this property alone.
    pub again: Option<String>,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    /// It holds.
    Holds,
    /// It fails; the story was replayed on the reference interpreter.
    Fails,
    /// It holds for a reason that should worry its author.
    Vacuous,
    /// What was asked for is a number: see `measured`.
    Measured,
    /// A failure is possible, but no run was found that is one: it rests on what is not followed.
    Possible,
    /// There is no answer.
    NotKnown,
}

/// A number that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// So many steps.
    Steps(u64),
    /// There is no way, or one that never ends.
    Infinite,
}

/// How far an answer reaches.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// Representatives of wide choices.
    Sampled,
    /// Runs up to some length.
    Bounded,
    /// Every reachable state within stated bounds.
    Exhausted,
    /// All behaviours, by a proof that could not be checked anew.
    Unchecked,
    /// All behaviours.
    Proved,
}

/// An inductive invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceReport {
    /// Whether it was checked on the script as it was before any pass, by code that shares
    /// nothing with the engine that found it.
    pub audited: bool,
    /// Why it was not, or what was wrong with it.
    pub why_not: Option<String>,
    /// What it says, as far as that can be said in the script's words.
    pub facts: Vec<String>,
}

/// What an engine did for a property.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StatisticsReport {
    /// Stored states.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// The longest distance from an initial state, in macro steps.
    pub depth: u64,
    /// Bytes of one stored state.
    pub state_bytes: u64,
    /// Memory for states, in bytes.
    pub memory_bytes: u64,
    /// The most bytes that were on disk at a time, where states were stored there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disk_bytes: u64,
    /// How states were stored: plain, compressed, hash-compact, bitstate or disk; empty if none were.
    pub storage: String,
    /// How many states have probably been taken for others and left out: an estimate, zero unless
    /// the storage is hash-compact or bitstate.
    pub omitted: f64,
    /// By what rule states were left out that make no difference: partial order; empty if none
    /// were.
    pub reduction: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The searches for states, one after the other, where they are told apart from checking what was
    /// found and looking for runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explorations: Vec<ExplorationReport>,
    /// How many properties shared the exploration, and so have the same figures.
    pub shared_by: usize,
    /// Whether states were left out in finding the run that is told, so that there may be a
    /// shorter one.
    pub may_be_shorter: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A search for states.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExplorationReport {
    /// How states are kept: structures are `joined` with others that have the same names, or kept `apart`.
    pub how: String,
    /// How many were found.
    pub states: u64,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// What a pass did to the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PassReport {
    /// The pass.
    pub pass: String,
    /// The program before.
    pub before: SizesReport,
    /// The program after.
    pub after: SizesReport,
}

/// The size of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SizesReport {
    /// Variables that some statement writes.
    pub variables: usize,
    /// Bits of a stored state.
    pub bits: usize,
    /// Steps.
    pub steps: usize,
    /// Statements.
    pub statements: usize,
    /// Open choices.
    pub choices: usize,
}

/// A run, told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Story {
    /// Whether an abstraction found it and nothing has confirmed it.
    pub possible: bool,
    /// Variables whose first value was open, and what it is in this run.
    pub beginning: Vec<First>,
    /// Its macro steps. Of a run of very many, one stands for those in the middle: it says how many they
    /// are, and what they have changed.
    pub steps: Vec<StoryStep>,
    /// The run goes on for ever by repeating the steps from this position (from 0) on; if it is
    /// the number of steps, nothing changes any more.
    pub repeats_from: Option<usize>,
    /// Why it is a failure.
    pub ending: Ending,
    /// Of a run through configurations: each of them as a graph, for outputs that draw.
    #[serde(skip)]
    pub graphs: Vec<ShapeGraph>,
}

/// A configuration or a structure as a graph.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ShapeGraph {
    /// What holds of no individual, and what may.
    pub facts: Vec<(String, bool)>,
    /// The individuals.
    pub nodes: Vec<ShapeNode>,
    /// What holds of two.
    pub edges: Vec<ShapeEdge>,
}

/// An individual.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ShapeNode {
    /// What it is called; the same along a run.
    pub name: String,
    /// Predicates that hold, or, if `true`, may hold.
    pub facts: Vec<(String, bool)>,
    /// Whether it stands for several.
    pub summary: bool,
    /// Whether it is a thread.
    pub thread: bool,
}

/// What holds of two individuals.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ShapeEdge {
    /// The position of the first one.
    pub from: usize,
    /// The position of the second one.
    pub to: usize,
    /// The predicates.
    pub label: String,
    /// Whether they only may hold.
    pub unknown: bool,
}

/// The first value of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct First {
    /// The variable.
    pub variable: String,
    /// Its value, printed.
    pub value: String,
    /// Whether it is left out of the short story.
    pub detail: bool,
}

/// A macro step, told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StoryStep {
    /// Its number, from 1.
    pub number: usize,
    /// What happens, in order.
    pub happenings: Vec<Happening>,
    /// Which variables are different at its end.
    pub changes: Vec<Change>,
}

/// Something that happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Happening {
    /// What kind of thing.
    pub kind: HappeningKind,
    /// The process that does it, with its number, where stories are told by processes.
    pub who: Option<String>,
    /// A sentence without a full stop, or the statement, where stories are told by processes; may
    /// be empty for a step without a name.
    pub text: String,
    /// Whether it is left out of the short story.
    pub detail: bool,
    /// The line of the script where it happens.
    pub line: Option<Line>,
    /// Pins of the picture that it is at, each as `box.pin`.
    #[serde(skip)]
    pub places: Vec<String>,
    /// What it says to whom, for outputs that draw who speaks with whom.
    #[serde(skip)]
    pub message: Option<Message>,
}

/// Something that goes from one to another; or, if both are the same, that somebody does alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// Who it is from.
    pub from: String,
    /// Who it goes to.
    pub to: String,
    /// What is said.
    pub text: String,
}

/// A kind of happening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HappeningKind {
    /// An event.
    Event,
    /// A step of the program.
    Step,
    /// A check fails.
    Check,
    /// A fault.
    Fault,
}

/// A variable is different at the end of a macro step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The variable.
    pub variable: String,
    /// Who keeps it.
    pub holder: Holder,
    /// Its value before, printed.
    pub before: String,
    /// Its value after, printed.
    pub after: String,
    /// Whether it is left out of the short story.
    pub detail: bool,
}

/// Who keeps a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// The script.
    Script,
    /// The world.
    World,
    /// The ledger: a ghost variable, kept for verification only.
    Ledger,
}

/// Why a run is a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// A sentence without a full stop.
    pub text: String,
    /// Values that matter to it.
    pub values: Vec<Named>,
    /// Where what is violated is written.
    pub line: Option<Line>,
    /// Who waits for what, where nobody can move any more.
    pub waiting: Vec<Waiting>,
}

/// A process that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// The process, with its number.
    pub who: String,
    /// The statements that it waits to execute.
    pub statements: Vec<String>,
    /// Whether a run may end while it is here.
    pub may_end: bool,
    /// Where the first of the statements is.
    pub line: Option<Line>,
}

/// A value with a name, printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}
