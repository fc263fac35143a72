//! The neutral graph: what every format of node scripts is read into, before anything is known
//! about what its nodes do.
//!
//! A [`Project`] is what is checked as one program: graphs that share flags and call one another.
//! A graph has nodes and two sorts of links: *signals* run from execution outputs to execution
//! inputs, *wires* carry values from data outputs to data inputs. A node's kind is a name
//! only; tables of node semantics give it a meaning. Names and titles are those that the designer sees,
//! because counterexamples speak in them.

use source::Span;

/// Which graph of a [`Project`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphId(pub u32);

/// Which node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// Which pin in one of a node's four lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PinId(pub u32);

/// Which flag of a [`Project`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlagId(pub u32);

/// Which event of a [`Project`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

macro_rules! index {
    ($($id:ident),*) => {
        $(impl $id {
            /// The id of what stands at this place.
            ///
            /// # Panics
            /// If there are more than 2^32 places, more than a readable text has bytes.
            #[must_use]
            pub fn new(index: usize) -> $id {
                $id(u32::try_from(index).expect("a text of that length is refused"))
            }

            /// The place, counted from 0.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

index!(GraphId, NodeId, PinId, FlagId, EventId);

/// The format that a graph was read from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// This project's own JSON.
    Own,
    /// O3DE Script Canvas.
    ScriptCanvas,
    /// glTF with KHR_interactivity.
    Interactivity,
    /// Unreal Blueprint, as it stands on the clipboard.
    Blueprint,
    /// behave-graph's JSON.
    Behave,
    /// Unity Visual Scripting.
    Unity,
    /// Orchestrator, for Godot.
    Orchestrator,
}

impl Origin {
    /// What stands in front of a kind of this format, as in `khr:flow/setDelay`: kinds of
    /// different engines that have one name differ in meaning. Kinds of our own format stand bare.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Origin::Own => "",
            Origin::ScriptCanvas => "canvas:",
            Origin::Interactivity => "khr:",
            Origin::Blueprint => "ue:",
            Origin::Behave => "behave:",
            Origin::Unity => "unity:",
            Origin::Orchestrator => "torch:",
        }
    }

    /// The format's name, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Origin::Own => "node graph",
            Origin::ScriptCanvas => "O3DE Script Canvas",
            Origin::Interactivity => "glTF KHR_interactivity",
            Origin::Blueprint => "Unreal Blueprint",
            Origin::Behave => "behave-graph",
            Origin::Unity => "Unity Visual Scripting",
            Origin::Orchestrator => "Godot Orchestrator",
        }
    }
}

/// A literal that stands in a file.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Number(f64),
    /// A text, or a name of an enumeration.
    Text(String),
}

impl Literal {
    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Literal::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Literal::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Literal::Text(value) => Some(value),
            _ => None,
        }
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Number(value) => write!(f, "{value}"),
            Literal::Text(value) => f.write_str(value),
        }
    }
}

/// The values of a flag, or of a data pin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// False or true.
    Bool,
    /// Whole numbers within bounds that the file states.
    Range(i64, i64),
    /// Whole numbers without bounds in the file. Whether they are followed is the lowering's
    /// decision; constants and comparisons in the graph may bound them.
    Int,
    /// Numbers that need not be whole: doubles.
    Real,
    /// One of these names.
    Enum(Vec<String>),
    /// Anything else, by its name in the file (`float3`, `EntityId`): not followed.
    Other(String),
}

/// A variable of the scripts.
#[derive(Clone, PartialEq, Debug)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: ValueType,
    /// The value at the start; none if the file states none (then any value, or the type's
    /// default where the format defines one: the importer fills it in).
    pub initial: Option<Literal>,
    /// Where it is declared.
    pub span: Span,
}

/// A named event or message by which one script starts another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Whether the world outside of the graphs may raise it as well.
    pub from_outside: bool,
    /// Where it is declared or first used.
    pub span: Span,
}

/// A pin of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Pin {
    /// Its name in the file; unique in its list.
    pub name: String,
    /// What the designer reads beside it, if that is something else.
    pub title: Option<String>,
    /// Of an execution output: whether the format itself marks it as one that fires later, not
    /// while its node is being entered.
    pub latent: bool,
    /// Of a data pin: its type, where the format says.
    pub values: Option<ValueType>,
    /// Of a data input that no wire reaches: the value that stands in it.
    pub literal: Option<Literal>,
    /// Of a data input: the flag that is read in place of a wire. Of a data output: the flag that
    /// is written when the node has run.
    pub flag: Option<FlagId>,
    /// Of a data input of [`Role::SetAll`]: the flag that is written with what it holds.
    pub sets: Option<FlagId>,
    /// Where it stands.
    pub span: Span,
}

impl Pin {
    /// A pin with this name and nothing else.
    #[must_use]
    pub fn new(name: impl Into<String>, span: Span) -> Pin {
        Pin {
            name: name.into(),
            title: None,
            latent: false,
            values: None,
            literal: None,
            flag: None,
            sets: None,
            span,
        }
    }

    /// What the designer reads beside it.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}

/// What a graph does with a node whatever its kind means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// It is run, as its kind says.
    #[default]
    Ordinary,
    /// A bend in a line: what comes in goes out. Removed by [`mod@crate::flatten`].
    Reroute,
    /// It stands for the whole graph (a function or a macro). Replaced by that graph's nodes by
    /// [`mod@crate::flatten`]; its pins are, by name, those of the graph's [`Role::Inputs`] and
    /// [`Role::Outputs`].
    Call(GraphId),
    /// Within a function or macro: where signals and values come in, as outputs of this node.
    Inputs,
    /// Within a function or macro: where they leave, as inputs of this node.
    Outputs,
    /// It raises the event, for all graphs of the project, and goes on.
    Raise(EventId),
    /// It is entered when the event is raised; an entry.
    Receive(EventId),
    /// It reads the flag: the first data output is its value.
    Get(FlagId),
    /// It writes the flag with the value of the first data input.
    Set(FlagId),
    /// It writes several flags at once: those that its data inputs name ([`Pin::sets`]).
    SetAll,
    /// A comment or a frame: nothing is run. Kept for the picture.
    Remark,
}

/// A named setting of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// Its name in the file.
    pub name: String,
    /// Its value.
    pub value: Literal,
    /// Where it stands.
    pub span: Span,
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its name: unique in its graph, stable, and usable in properties.
    pub name: String,
    /// What the designer reads on it; not unique.
    pub title: String,
    /// Its kind, with [`Origin::prefix`]. What stands behind a dot narrows it: a table that does
    /// not know `ue:CallFunction.PlaySound` is asked for [`Node::general_kind`].
    pub kind: String,
    /// Its part in the graph.
    pub role: Role,
    /// Settings that are no pins.
    pub settings: Vec<Setting>,
    /// Execution inputs.
    pub signals_in: Vec<Pin>,
    /// Execution outputs, in the order in which the format fires them.
    pub signals_out: Vec<Pin>,
    /// Data inputs.
    pub values_in: Vec<Pin>,
    /// Data outputs.
    pub values_out: Vec<Pin>,
    /// Top left corner in the editor, y downwards.
    pub position: Option<(f64, f64)>,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// A node without pins, settings and position.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: impl Into<String>, span: Span) -> Node {
        let name = name.into();
        Node {
            title: name.clone(),
            name,
            kind: kind.into(),
            role: Role::Ordinary,
            settings: Vec::new(),
            signals_in: Vec::new(),
            signals_out: Vec::new(),
            values_in: Vec::new(),
            values_out: Vec::new(),
            position: None,
            span,
        }
    }

    /// The kind without what narrows it, if something does.
    #[must_use]
    pub fn general_kind(&self) -> Option<&str> {
        Some(self.kind.split_once('.')?.0)
    }

    /// The setting's value; the first one if there are several of that name.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&Literal> {
        let found = self.settings.iter().find(|setting| setting.name == name)?;
        Some(&found.value)
    }

    /// The data input of that name.
    #[must_use]
    pub fn value_in(&self, name: &str) -> Option<PinId> {
        find(&self.values_in, name)
    }

    /// The data output of that name.
    #[must_use]
    pub fn value_out(&self, name: &str) -> Option<PinId> {
        find(&self.values_out, name)
    }

    /// The execution input of that name.
    #[must_use]
    pub fn signal_in(&self, name: &str) -> Option<PinId> {
        find(&self.signals_in, name)
    }

    /// The execution output of that name.
    #[must_use]
    pub fn signal_out(&self, name: &str) -> Option<PinId> {
        find(&self.signals_out, name)
    }
}

/// The pin of that name.
pub(crate) fn find(pins: &[Pin], name: &str) -> Option<PinId> {
    let index = pins.iter().position(|pin| pin.name == name)?;
    Some(PinId::new(index))
}

/// One end of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The node.
    pub node: NodeId,
    /// The pin, in the list that the link's sort and end name.
    pub pin: PinId,
}

/// A line between two pins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The output.
    pub from: End,
    /// The input.
    pub to: End,
    /// Where it stands.
    pub span: Span,
}

/// What sort of graph it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// It is started by its entries.
    Script,
    /// It runs where a node of [`Role::Call`] names it, one copy a call.
    Function,
    /// The same, but may hold latent nodes and several ways in and out.
    Macro,
}

/// A graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// Its name, unique in the project.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The format that it was read from.
    pub origin: Origin,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Links between execution pins. Those from one output are in the order in which the format follows them.
    pub signals: Vec<Link>,
    /// Links between data pins: at most one to an input.
    pub wires: Vec<Link>,
    /// Where it stands.
    pub span: Span,
}

impl Graph {
    /// A graph without nodes.
    #[must_use]
    pub fn new(name: impl Into<String>, origin: Origin, span: Span) -> Graph {
        Graph {
            name: name.into(),
            sort: Sort::Script,
            origin,
            nodes: Vec::new(),
            signals: Vec::new(),
            wires: Vec::new(),
            span,
        }
    }

    /// The node with this id.
    ///
    /// # Panics
    /// If the id is from another graph.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes with their ids.
    pub fn ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(index, node)| (NodeId::new(index), node))
    }
}

/// Something that the file does not say and that was settled by the importer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// A sentence without a full stop, for the verdicts that it touches.
    pub text: String,
    /// What it is about.
    pub span: Span,
}

/// Graphs that are checked as one program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Project {
    /// The graphs.
    pub graphs: Vec<Graph>,
    /// Variables, seen by all graphs. A variable of one graph only is named `graph.name` if another
    /// has the same name.
    pub flags: Vec<Flag>,
    /// Events by which graphs start one another.
    pub events: Vec<Event>,
    /// What importers settled.
    pub assumed: Vec<Assumed>,
    /// What is left out, so that nothing is known to hold: sentences of the same kind.
    pub cut: Vec<Assumed>,
}

impl Project {
    /// The graph with this id.
    ///
    /// # Panics
    /// If the id is from another project.
    #[must_use]
    pub fn graph(&self, id: GraphId) -> &Graph {
        &self.graphs[id.index()]
    }

    /// The flag of that name.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<FlagId> {
        let index = self.flags.iter().position(|flag| flag.name == name)?;
        Some(FlagId::new(index))
    }

    /// The event of that name, made if there is none.
    pub fn event(&mut self, name: &str, span: Span) -> EventId {
        let found = self.events.iter().position(|event| event.name == name);
        EventId::new(found.unwrap_or_else(|| {
            self.events.push(Event {
                name: name.to_owned(),
                from_outside: false,
                span,
            });
            self.events.len() - 1
        }))
    }
}
