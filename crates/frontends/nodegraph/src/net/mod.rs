//! The net: a project whose nodes have become machines.
//!
//! Each node has the rules of its kind, its settings and pins put in; conditions speak of
//! variables with finitely many values: the states of nodes, what they remember, and flags. What
//! cannot be followed (data without bounds, conditions from outside) has become a free choice. The
//! two timings, the translation, the slice and the checks all start from here.

mod build;
mod cases;
pub(crate) mod cone;
mod data;
pub(crate) mod difference;
mod engine;
mod events;
mod expr;
pub(crate) mod groups;
mod instance;
#[cfg(test)]
mod nested;
mod reached;
mod starts;
pub(crate) mod test;
mod value;

use source::Span;

pub(crate) use build::{build, numbers};
pub(crate) use test::Test;
pub(crate) use value::{Operation, Real, Value, equal, less};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $id(pub(crate) u32);

        impl $id {
            pub(crate) fn new(index: usize) -> $id {
                $id(u32::try_from(index).expect("a text of that length is refused"))
            }

            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A variable of a net.
    VarId;
    /// A value that is not followed.
    UnfollowedId;
    /// A machine of a net.
    MachineId;
}

/// Who a variable belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    Flag,
    /// It is the state of a machine,
    State(MachineId),
    /// or what else it remembers.
    Memory(MachineId),
}

/// A variable: one of few values.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// For a flag its name; for a state the node's name; else `node.variable`.
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    /// Positions of the first values that are possible.
    pub(crate) first: Vec<u16>,
    pub(crate) owner: Owner,
    pub(crate) span: Span,
}

impl Var {
    pub(crate) fn position(&self, value: &Value) -> Option<u16> {
        let at = self.values.iter().position(|other| other == value)?;
        u16::try_from(at).ok()
    }

    /// Its bounds, if its values are all the numbers between two.
    pub(crate) fn bounds(&self) -> Option<(i64, i64)> {
        let Some(Value::Int(low)) = self.values.first() else {
            return None;
        };
        let mut follow = (*low..).zip(&self.values);
        let all = follow.all(|(number, value)| *value == Value::Int(number));
        let last = low.checked_add(i64::try_from(self.values.len()).ok()?)?;
        all.then_some((*low, last - 1))
    }

    /// The value that stands for all that are not followed.
    pub(crate) fn anything(&self) -> Option<u16> {
        self.position(&Value::Unknown)
    }

    pub(crate) fn is_bool(&self) -> bool {
        self.values == [Value::Bool(false), Value::Bool(true)]
    }
}

/// A new value: that of the first case that applies, in terms of the old values. Without a case
/// that applies, and for `None`, any value.
pub(crate) type Update = Option<Vec<(Test, u16)>>;

/// One way of what happens: variables change at once, then outputs fire one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Effect {
    pub(crate) sets: Vec<(VarId, Update)>,
    /// Positions of outputs; each one's signal has travelled as far as it goes before the next.
    pub(crate) outs: Vec<u16>,
}

/// If the guard holds, one of the effects.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Rule {
    pub(crate) guard: Test,
    pub(crate) effects: Vec<Effect>,
    /// The value that decides which of the effects comes about, if it is not followed: in the engine
    /// some of them may be impossible. Without one, each of them is possible.
    pub(crate) rests_on: Option<UnfollowedId>,
}

impl Rule {
    /// One that rests on nothing that is not followed.
    pub(crate) fn new(guard: Test, effects: Vec<Effect>) -> Rule {
        Rule {
            guard,
            effects,
            rests_on: None,
        }
    }
}

/// A value that is not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unfollowed {
    /// Which value, for people: ``the value of `condition` of `branch` ``.
    pub(crate) fact: String,
    pub(crate) span: Span,
}

/// When a machine moves by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// When the script begins, once.
    Start,
    /// Whenever the world wants, before the script has begun.
    Early,
    /// Before anything else but the beginning.
    Soon,
    /// Whenever the world wants.
    Event,
    /// When time has passed.
    Later,
}

/// An execution input. The rules exclude one another where it is known which one applies; where
/// none does, the signal is lost.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) rules: Vec<Rule>,
}

/// An execution output.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) name: String,
    /// Machine and position of its input, in the order in which signals are sent.
    pub(crate) targets: Vec<(MachineId, u16)>,
    /// Not a pin that a designer sees: an event that is raised.
    pub(crate) hidden: bool,
    /// It leads round once more, and does so a number of times that is not known, but never for
    /// ever.
    pub(crate) counted: bool,
}

/// A node as a machine.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Its name, with that of its graph if there are several.
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) own: Vec<(Moment, Rule)>,
    /// The variable that is its state.
    pub(crate) state: Option<VarId>,
    /// Positions of the states that end.
    pub(crate) ending: Vec<u16>,
    /// What else it remembers.
    pub(crate) memory: Vec<VarId>,
    /// Those of its memory that mark inputs, each with its input.
    pub(crate) marks: Vec<(u16, VarId)>,
    /// Whether it changes nothing that can be seen.
    pub(crate) cosmetic: bool,
    /// Not a node: a queue of events, or the engine.
    pub(crate) hidden: bool,
    /// It waits, and the file says how long, which is not followed.
    pub(crate) timed: bool,
}

/// What sort of thing is said beside verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoteKind {
    /// The file leaves it open, and it was settled so.
    Assumed,
    /// What the language means by it.
    Meaning,
    /// Something is taken to be anything, because it is not followed. What holds, holds all the
    /// same; but that something can be may be wrong.
    NotFollowed,
    /// A bound that the file gives.
    Stated,
    /// The same, of a variable.
    Range(VarId),
    /// A bound that nobody gave.
    Cut,
}

/// Something to be said beside the verdicts that depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    /// The machine that it is about; none: all verdicts depend on it.
    pub(crate) machine: Option<MachineId>,
    /// A sentence that completes "assuming that".
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) what: NoteKind,
}

/// A project whose nodes are machines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net {
    pub(crate) vars: Vec<Var>,
    pub(crate) machines: Vec<Machine>,
    /// Flags to which the file gives bounds.
    pub(crate) ranges: Vec<VarId>,
    /// What is to be said beside verdicts.
    pub(crate) notes: Vec<Note>,
    /// Values that are not followed, on which rules rest.
    pub(crate) unfollowed: Vec<Unfollowed>,
    /// Variables that count the beginnings of scripts, and how many there are, where something may
    /// come before them.
    pub(crate) begun: Vec<(VarId, u16)>,
    /// The engine gives up a script that goes round for very long, and goes on with the next event.
    pub(crate) ends_loops: bool,
}

impl Net {
    pub(crate) fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub(crate) fn machine(&self, id: MachineId) -> &Machine {
        &self.machines[id.index()]
    }

    /// All machines with their ids.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (MachineId, &Machine)> {
        let machines = self.machines.iter().enumerate();
        machines.map(|(index, machine)| (MachineId::new(index), machine))
    }

    /// All variables with their ids.
    pub(crate) fn var_ids(&self) -> impl Iterator<Item = (VarId, &Var)> {
        let vars = self.vars.iter().enumerate();
        vars.map(|(index, var)| (VarId::new(index), var))
    }

    /// A value that is not followed.
    pub(crate) fn unfollowed(&mut self, fact: String, span: Span) -> UnfollowedId {
        let new = Unfollowed { fact, span };
        let at = self.unfollowed.iter().position(|known| *known == new);
        UnfollowedId::new(at.unwrap_or_else(|| {
            self.unfollowed.push(new);
            self.unfollowed.len() - 1
        }))
    }

    /// Whether the machine is in a state that ends.
    pub(crate) fn waiting(&self, id: MachineId) -> Test {
        let machine = self.machine(id);
        let Some(state) = machine.state else {
            return Test::Never;
        };
        let tests = machine.ending.iter().map(|&at| Test::Is(state, at));
        Test::any(tests.collect())
    }
}

impl Machine {
    /// Every rule that it has.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        let inputs = self.inputs.iter().flat_map(|input| &input.rules);
        inputs.chain(self.own.iter().map(|(_, rule)| rule))
    }

    /// Whether an effect of one of its own rules lets it wait on where it might have come to the end.
    /// A state that ends does not go on like that for ever.
    pub(crate) fn waits_on(&self, rule: &Rule, effect: &Effect) -> bool {
        let stays = |effect: &Effect| {
            let mut sets = effect.sets.iter();
            sets.all(|(var, _)| Some(*var) != self.state)
        };
        stays(effect) && !rule.effects.iter().all(stays)
    }

    pub(crate) fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == name)
    }

    pub(crate) fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|output| output.name == name)
    }
}
