//! What properties need to see of a script, and where the lowered program shows it.
//!
//! The properties of a file are read first; from them follows a [`Watch`]: which calls, which
//! changes of variables and which facts about the world have to be visible. Lowering builds the
//! program accordingly and answers with a [`Layout`], through which the properties are then
//! woven into the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::{EnumId, EventId, ExprId, GlobalId, ProcessId, StepId};
use source::Span;

use crate::ast;

/// What properties look at beyond the script's own variables.
///
/// Some micro events are there in any case, because a story needs them (payments, messages,
/// `llGiveMoney`, changes of state); the rest only where somebody asks.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Watch {
    /// Library and user functions whose calls must be micro events, with their arguments.
    pub calls: BTreeSet<String>,
    /// Script variables whose assignments must be micro events.
    pub changes: BTreeSet<ast::GlobalId>,
    /// LSL events (`money`, `timer`) of which it must be visible that they are being handled, and
    /// with which parameters.
    pub during: BTreeSet<String>,
    /// Those of which properties name parameters.
    pub brought: BTreeSet<String>,
    /// Facts about the world that are read although the script may not read them.
    pub facts: BTreeSet<Fact>,
    /// Names of inventory items that properties ask about as literal text.
    pub items: BTreeSet<String>,
    /// How many keys, or texts made of keys, ghost variables can hold at a time.
    pub ghost_keys: usize,
    /// In a linkset, whether `paid` and `discarded` are the payments to all scripts although this one
    /// takes money.
    pub all_payments: bool,
    /// Whether each statement that is executed is marked ([`Program::statements`](model::Program::statements)).
    pub statements: bool,
}

/// A fact about the world that is not one of the script's variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// Who owns the object.
    Owner,
    /// The permissions granted to the script.
    Granted,
    /// The same, so that it matters when they were granted, not only when the script hears of it.
    GrantedBetween,
    /// Whether a timer is set.
    Timer,
    /// What is in the object's inventory.
    Inventory,
}

/// Ranges that the file or the command line states, by name: `amount = 0..10`, `bidders = 5`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The ranges. A single number `n` is a range from `n` to `n`, except where lowering reads
    /// the upper end only (counts).
    pub ranges: BTreeMap<String, Bound>,
    /// The notecards of the object, by name in order; if none are stated, nothing is known of them.
    pub notecards: Vec<Notecard>,
}

/// A notecard whose lines are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notecard {
    /// Its name in the object's inventory.
    pub name: String,
    /// The file that it is read from.
    pub file: String,
    /// Its lines, as scripts read them.
    pub lines: Vec<String>,
}

impl Notecard {
    /// What is read behind the last line: `EOF`.
    pub(crate) const END: &str = "\n\n\n";
    /// What is read at once of a notecard that is not in memory: `NAK`.
    pub(crate) const NOT_THERE: &str = "\n\u{15}\n";
    /// So many bytes of a line are read at most.
    const LONGEST_LINE: usize = 1024;

    /// What a script may read from these.
    pub(crate) fn texts(notecards: &[Notecard]) -> impl Iterator<Item = String> {
        let lines = notecards.iter().flat_map(|card| card.lines.iter().cloned());
        let counts = notecards.iter().map(|card| card.lines.len().to_string());
        let ends = [Notecard::END, Notecard::NOT_THERE].map(str::to_owned);
        lines.chain(counts).chain(ends)
    }

    /// The name and the file of `[NAME=]FILE`: without a name it is that of the file without its ending.
    pub(crate) fn named(given: &str) -> (String, &str) {
        match given.split_once('=') {
            Some((name, file)) => (name.to_owned(), file),
            None => {
                let stem = Path::new(given).file_stem().unwrap_or_default();
                (stem.to_string_lossy().into_owned(), given)
            }
        }
    }

    /// A notecard with the lines of a text. A line break at its very end ends the last line.
    #[must_use]
    pub fn new(name: impl Into<String>, file: impl Into<String>, text: &str) -> Notecard {
        let short =
            |line: &str| line[..line.floor_char_boundary(Notecard::LONGEST_LINE)].to_owned();
        Notecard {
            name: name.into(),
            file: file.into(),
            lines: text.lines().map(short).collect(),
        }
    }
}

/// One stated range, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The least value.
    pub lo: i64,
    /// The greatest value.
    pub hi: i64,
    /// Where it is stated; [`Span::NONE`] for the command line.
    pub span: Span,
}

impl Bounds {
    /// The range of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Bound> {
        self.ranges.get(name).copied()
    }

    /// States a range, in place of an earlier one of that name.
    pub fn state(&mut self, name: impl Into<String>, lo: i64, hi: i64, span: Span) {
        self.ranges.insert(name.into(), Bound { lo, hi, span });
    }
}

/// Where the lowered program keeps what properties refer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The script's variables, by position of [`ast::GlobalId`]. Integers are 32-bit machine
    /// integers; all other types are rich values.
    pub globals: Vec<GlobalId>,
    /// The current LSL state, of type `Enum(states)`.
    pub state: GlobalId,
    /// Its enumeration: members are the LSL states by position of [`ast::StateId`].
    pub states: EnumId,
    /// Micro events of calls, by function name; the arguments are the call's. Raised when the
    /// arguments have been evaluated, before the call has any effect.
    pub calls: BTreeMap<String, EventId>,
    /// Micro events of assignments to script variables, raised just after *every* assignment,
    /// whether the value differs or not. Argument 0 is the value before.
    pub changes: BTreeMap<ast::GlobalId, EventId>,
    /// Micro events of LSL events being handled, by name, with the event's parameters: raised
    /// just before the first statement of the handler (`state_entry` included). Events that the
    /// current state does not handle raise nothing here.
    pub handled: BTreeMap<String, EventId>,
    /// LSL events being handled, for those of [`Watch::during`] that some state handles.
    pub during: BTreeMap<String, During>,
    /// What happens in the world.
    pub world: WorldEvents,
    /// Facts about the world that the program keeps.
    pub facts: Facts,
    /// Steps of the environment, by what they do: the sets that fairness is stated over. Named
    /// by LSL event (`timer`, `run_time_permissions`, `dataserver`, ...); an event that the
    /// script does not handle may be missing.
    pub steps: BTreeMap<String, Vec<(ProcessId, StepId)>>,
    /// The keys of the avatars that may act, strangers first.
    pub identities: Vec<ExprId>,
}

/// How to see that an LSL event is being handled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct During {
    /// A truth value of kind `Step`: the current macro step handles the event. The state change
    /// that a handler asks for belongs to it, the new state's `state_entry` does not.
    pub active: GlobalId,
    /// The values that the event came with, of kind `Step`, in order.
    pub parameters: Vec<GlobalId>,
}

/// Micro events of the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldEvents {
    /// `(id, amount)`: somebody has paid; the money is the owner's. Raised before the script
    /// hears of it, if it does.
    pub paid: EventId,
    /// `()`: a payment is going to be lost, just before it is chosen which: here the assumption
    /// that none is cuts the run.
    pub losing: EventId,
    /// `(id, amount)`: a payment, already [`paid`](Self::paid), has been discarded unseen.
    pub discarded: EventId,
    /// `()`: the queue of 64 events is full and another is going to be lost.
    pub overflow: EventId,
    /// `(owner)`: the object has a new owner.
    pub owner_changes: EventId,
    /// `(asked, granted)`: masks; a request for permissions is answered, before the script hears
    /// of it. `granted` is 0 if it is refused.
    pub answered: EventId,
    /// `()`: something is put into or taken out of the object's inventory.
    pub inventory_changes: EventId,
    /// `()`: the start parameter is lost: the object comes to another region, or its region restarts.
    pub start_lost: EventId,
    /// `(state)`: a `state` statement is reached; the handler ends here, and the queue is lost.
    pub leaves: EventId,
    /// `(state)`: the script is in another state, just before that is entered.
    pub state_changes: EventId,
    /// `()`: the script stops at a run-time error.
    pub stops: EventId,
}

/// Facts about the world. A fact that nobody reads is not kept.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The owner's key (rich).
    pub owner: Option<GlobalId>,
    /// The permissions granted, a mask (32-bit integer).
    pub granted: Option<GlobalId>,
    /// Whether a timer is set (truth value).
    pub armed: Option<GlobalId>,
    /// The inventory items that the script or a property can name.
    pub items: Vec<Item>,
}

/// An inventory item that may be there or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name, a rich value.
    pub name: ExprId,
    /// Its `INVENTORY_*` type; `None` if the script does not say.
    pub kind: Option<i32>,
    /// Whether it is there (truth value).
    pub present: GlobalId,
}
