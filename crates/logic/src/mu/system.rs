//! Formulas without data, negations and regular formulas: what is left to be solved.

use std::collections::HashMap;

use crate::scc::each_component;

/// A formula of a [`System`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// A fixpoint of a [`System`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FixpointId(pub u32);

/// A set of labels of a [`System`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelSetId(pub u32);

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// The proposition of this number, or its negation.
    Literal(u32, bool),
    /// At least two operands.
    And(Box<[NodeId]>),
    /// At least two operands.
    Or(Box<[NodeId]>),
    /// Behind all transitions with such a label.
    Box(LabelSetId, NodeId),
    /// Behind some transition with such a label.
    Diamond(LabelSetId, NodeId),
    /// The fixpoint, and its variable.
    Fixpoint(FixpointId),
}

/// A fixpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixpoint {
    /// Whether it is the least one.
    pub least: bool,
    /// What it satisfies.
    pub body: NodeId,
    /// How many fixpoints of the formula are around it: what depends on two that depend on each other is
    /// decided by the outer one.
    pub depth: u32,
}

/// A set of labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LabelSet {
    /// Every label.
    All,
    /// For each label, whether it is in the set.
    These(Box<[bool]>),
}

/// Formulas, each stored once.
#[derive(Clone, Debug)]
pub struct System<A> {
    /// What the literals speak of.
    pub atoms: Vec<A>,
    pub(super) nodes: Vec<Node>,
    pub(super) fixpoints: Vec<Fixpoint>,
    pub(super) label_sets: Vec<LabelSet>,
    /// The formula itself.
    pub root: NodeId,
    numbers: HashMap<Node, NodeId>,
    set_numbers: HashMap<LabelSet, LabelSetId>,
}

impl LabelSet {
    /// Whether a label is in it.
    #[must_use]
    pub fn has(&self, label: u32) -> bool {
        match self {
            LabelSet::All => true,
            LabelSet::These(these) => these[label as usize],
        }
    }
}

impl Node {
    /// The direct subformulas; of a fixpoint none, its body stands with it.
    #[must_use]
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Node::True | Node::False | Node::Literal(..) | Node::Fixpoint(_) => &[],
            Node::And(ps) | Node::Or(ps) => ps,
            Node::Box(_, p) | Node::Diamond(_, p) => std::slice::from_ref(p),
        }
    }
}

impl<A> System<A> {
    pub(super) const TRUE: NodeId = NodeId(0);
    pub(super) const FALSE: NodeId = NodeId(1);

    pub(super) fn empty() -> Self {
        let mut system = System {
            atoms: Vec::new(),
            nodes: Vec::new(),
            fixpoints: Vec::new(),
            label_sets: Vec::new(),
            root: Self::TRUE,
            numbers: HashMap::new(),
            set_numbers: HashMap::new(),
        };
        system.intern(Node::True);
        system.intern(Node::False);
        system
    }

    /// How many formulas there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none; there always are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a formula is.
    #[must_use]
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// A fixpoint.
    #[must_use]
    pub fn fixpoint(&self, fixpoint: FixpointId) -> Fixpoint {
        self.fixpoints[fixpoint.0 as usize]
    }

    /// A set of labels.
    #[must_use]
    pub fn label_set(&self, set: LabelSetId) -> &LabelSet {
        &self.label_sets[set.0 as usize]
    }

    /// What the value of a formula depends on directly: its operands, or its body.
    #[must_use]
    pub fn needs(&self, node: NodeId) -> &[NodeId] {
        match self.node(node) {
            Node::Fixpoint(fixpoint) => {
                std::slice::from_ref(&self.fixpoints[fixpoint.0 as usize].body)
            }
            other => other.operands(),
        }
    }

    /// The same where of some states not all is known that begins there: those of a new last atom,
    /// `None`. What holds then holds whatever begins there; if `hopeful`, what does not hold then
    /// does not, whatever begins there.
    #[must_use]
    pub fn with_open_states(self, hopeful: bool) -> System<Option<A>> {
        let open = u32::try_from(self.atoms.len()).expect("formulas are limited");
        let mut system = System {
            atoms: self.atoms.into_iter().map(Some).chain([None]).collect(),
            nodes: self.nodes,
            fixpoints: self.fixpoints,
            label_sets: self.label_sets,
            root: self.root,
            numbers: self.numbers,
            set_numbers: self.set_numbers,
        };
        let unknown = system.intern(Node::Literal(open, hopeful));
        for at in 0..system.nodes.len() {
            let depends = match &system.nodes[at] {
                Node::Literal(atom, _) => *atom != open,
                // Without transitions no diamond holds, and every box does.
                Node::Diamond(..) => hopeful,
                Node::Box(..) => !hopeful,
                _ => false,
            };
            if depends {
                let known =
                    NodeId(u32::try_from(system.nodes.len()).expect("formulas are limited"));
                system.nodes.push(system.nodes[at].clone());
                let both = [known, unknown].into();
                system.nodes[at] = if hopeful {
                    Node::Or(both)
                } else {
                    Node::And(both)
                };
            }
        }
        system
    }

    /// The formulas that the root depends on in groups that depend on each other, those first that
    /// others depend on.
    #[must_use]
    pub fn blocks(&self) -> Vec<Vec<NodeId>> {
        let need = |node: u32, at: usize| self.needs(NodeId(node)).get(at).map(|next| next.0);
        let mut blocks = Vec::new();
        each_component(self.nodes.len(), [self.root.0], need, |block| {
            blocks.push(block.iter().copied().map(NodeId).collect());
        });
        blocks
    }

    pub(super) fn intern(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("formulas are limited"));
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    pub(super) fn intern_set(&mut self, set: Vec<bool>) -> LabelSetId {
        let set = if set.iter().all(|has| *has) {
            LabelSet::All
        } else {
            LabelSet::These(set.into())
        };
        if let Some(&known) = self.set_numbers.get(&set) {
            return known;
        }
        let id = LabelSetId(u32::try_from(self.label_sets.len()).expect("formulas are limited"));
        self.label_sets.push(set.clone());
        self.set_numbers.insert(set, id);
        id
    }

    /// All of them, or one of them; both flattened, sorted and without what makes no difference.
    pub(super) fn junction(&mut self, all: bool, parts: Vec<NodeId>) -> NodeId {
        let (unit, zero) = if all {
            (Self::TRUE, Self::FALSE)
        } else {
            (Self::FALSE, Self::TRUE)
        };
        let mut flat: Vec<NodeId> = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if all => flat.extend_from_slice(inner),
                Node::Or(inner) if !all => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|part| *part != unit);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&zero) {
            return zero;
        }
        match flat.len() {
            0 => unit,
            1 => flat[0],
            _ if all => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    pub(super) fn modality(&mut self, all: bool, set: LabelSetId, p: NodeId) -> NodeId {
        match (all, p) {
            (true, Self::TRUE) => Self::TRUE,
            (false, Self::FALSE) => Self::FALSE,
            (true, _) => self.intern(Node::Box(set, p)),
            (false, _) => self.intern(Node::Diamond(set, p)),
        }
    }

    /// A fixpoint whose body is yet to be said.
    pub(super) fn begin_fixpoint(&mut self, least: bool, depth: u32) -> (FixpointId, NodeId) {
        let id = FixpointId(u32::try_from(self.fixpoints.len()).expect("formulas are limited"));
        self.fixpoints.push(Fixpoint {
            least,
            body: Self::FALSE,
            depth,
        });
        (id, self.intern(Node::Fixpoint(id)))
    }

    pub(super) fn end_fixpoint(&mut self, id: FixpointId, node: NodeId, body: NodeId) -> NodeId {
        let least = self.fixpoints[id.0 as usize].least;
        self.fixpoints[id.0 as usize].body = body;
        match self.node(body) {
            Node::True | Node::False | Node::Literal(..) => body,
            // `mu X. X` and `nu X. X`.
            _ if body == node => {
                if least {
                    Self::FALSE
                } else {
                    Self::TRUE
                }
            }
            _ => node,
        }
    }
}
