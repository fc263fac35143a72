//! Where coroutines come in a graph of Unity, and what they wait for there.
//!
//! An event runs as a coroutine or not. In a coroutine a unit may wait, and `Sequence` and the loops go on only when a
//! branch has come to its end, with all that it waits for (`Flow.InvokeCoroutine`). Where all lines into a branch
//! come from the unit that runs it, the ends of the branch are led back to that unit (`.Resumed`);
//! where that is not so, the unit may go on at any time (`.Waiting`). What waits outside of a coroutine throws an
//! exception: what that skips is left out.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::builder::Builder;
use super::super::json::Json;
use super::Unit;
use super::assets::Nested;
use super::units::{class, elements};
use crate::graph::{Assumed, Graph, NodeId};

/// What may enter a node.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Entered {
    pub(super) coroutine: bool,
    /// Something that is no coroutine.
    pub(super) plain: bool,
}

/// Outputs that fire by themselves, outside of any coroutine.
const LATENT: &[(&str, &[&str])] = &[
    ("Timer", &["tick", "completed"]),
    ("Cooldown", &["tick", "becameReady"]),
];

fn waits(class: &str) -> bool {
    class.contains("Wait")
}

fn is_event(unit: Json<'_>) -> bool {
    unit.get("coroutine").is_some()
}

fn is_coroutine(unit: Json<'_>) -> bool {
    unit.get("coroutine").and_then(Json::bool) == Some(true)
}

/// Whether the graph that a unit runs, or one within it, has a unit of this sort.
fn within<'a>(unit: Json<'a>, nested: &Nested<'a>, test: &dyn Fn(Json<'a>) -> bool) -> bool {
    let graphs = nested.graph_of(unit).map(|graph| nested.all_within(graph));
    graphs.into_iter().flatten().flat_map(elements).any(test)
}

/// Whether a unit runs a graph that is not known.
fn is_elsewhere<'a>(unit: Json<'a>, nested: &Nested<'a>) -> bool {
    class(unit) == "SubgraphUnit" && nested.graph_of(unit).is_none()
}

/// What may enter each node.
pub(super) fn contexts<'a>(
    graph: &Graph,
    units: &[Unit<'a>],
    inputs: Entered,
    nested: &Nested<'a>,
) -> Vec<Entered> {
    let mut entered = vec![Entered::default(); graph.nodes.len()];
    for coroutine in [true, false] {
        let comes = |json: Json<'a>| match is_event(json) {
            true => is_coroutine(json) == coroutine,
            false => coroutine && is_elsewhere(json, nested),
        };
        let mut open: Vec<(NodeId, Option<&str>)> = Vec::new();
        for unit in units {
            let starts = match unit.class {
                "GraphInput" if coroutine => inputs.coroutine,
                "GraphInput" => inputs.plain,
                "SubgraphUnit" => comes(unit.json) || within(unit.json, nested, &comes),
                _ => comes(unit.json),
            };
            if starts {
                open.push((unit.node, None));
            }
            let latent = LATENT
                .iter()
                .filter(|(class, _)| !coroutine && *class == unit.class);
            let outputs = latent.flat_map(|(_, outputs)| *outputs);
            open.extend(outputs.map(|output| (unit.node, Some(*output))));
        }
        let latent: HashMap<NodeId, &[&str]> = units
            .iter()
            .filter_map(|unit| {
                let (_, outputs) = LATENT.iter().find(|(class, _)| *class == unit.class)?;
                Some((unit.node, *outputs))
            })
            .collect();
        while let Some((node, output)) = open.pop() {
            for link in graph.signals.iter().filter(|link| link.from.node == node) {
                let name = &*graph.node(node).signals_out[link.from.pin.index()].name;
                let fires = match output {
                    Some(output) => name == output,
                    None => latent
                        .get(&node)
                        .is_none_or(|latent| !latent.contains(&name)),
                };
                let target = &mut entered[link.to.node.index()];
                let seen = match coroutine {
                    true => &mut target.coroutine,
                    false => &mut target.plain,
                };
                if fires && !std::mem::replace(seen, true) {
                    open.push((link.to.node, None));
                }
            }
        }
    }
    entered
}

/// Gives nodes their kinds in coroutines, and leads the ends of branches back. What comes back is what is left out.
pub(super) fn settle<'a>(
    builder: &mut Builder<'_>,
    units: &[Unit<'a>],
    entered: &[Entered],
    nested: &Nested<'a>,
) -> Vec<Assumed> {
    let mut cut = Vec::new();
    let mut kinds: Vec<(NodeId, &str)> = Vec::new();
    let mut lines: Vec<(PinOf, PinOf)> = Vec::new();
    let branches = Branches::new(&builder.graph, units, nested);
    for unit in units {
        let at = entered[unit.node.index()];
        let node = builder.graph.node(unit.node);
        let leave_out = |text: String| Assumed {
            text,
            span: node.span,
        };
        match unit.class {
            "WaitForFlow" => {
                if at.coroutine {
                    kinds.push((unit.node, ".Coroutine"));
                }
                if at.coroutine && at.plain {
                    let text = "comes to by coroutines and by others is left out";
                    cut.push(leave_out(format!("what `{}` {text}", node.name)));
                }
            }
            "Timer" | "Cooldown" if branches.leads(unit.node, "tick") => {
                kinds.push((unit.node, ".Ticking"));
            }
            "TryCatch" if at.coroutine => {
                let text = "throws in a coroutine: what that skips is left out";
                cut.push(leave_out(format!("`{}` {text}", node.name)));
            }
            class if waits(class) && at.plain => {
                let text = "throws where no coroutine comes to it: what that skips is left out";
                cut.push(leave_out(format!("`{}` {text}", node.name)));
            }
            "Sequence" | "For" | "ForEach" | "While" if at != Entered::default() => {
                let run = branches.run(unit);
                if !run.iter().any(|output| branches.waits(unit.node, output)) {
                    continue;
                }
                // What is no coroutine may not come back from a branch: an exception skips the rest.
                let back = branches.led_back(unit, &run).filter(|_| !at.plain);
                match back {
                    Some(back) => {
                        kinds.push((unit.node, ".Resumed"));
                        lines.extend(back);
                    }
                    None => kinds.push((unit.node, ".Waiting")),
                }
            }
            _ => {}
        }
    }
    for (node, suffix) in kinds {
        let node = builder.get_mut(node);
        let kind = node.kind.strip_suffix(".Broken").unwrap_or(&node.kind);
        node.kind = format!("{kind}{suffix}");
    }
    for ((from, output), (to, input)) in lines {
        let span = builder.graph.node(from).span;
        builder.signal((from, &output), (to, &input), span);
    }
    cut
}

/// A pin of a node, by its name.
type PinOf = (NodeId, String);

/// The ends of a branch.
type Ends = BTreeSet<PinOf>;

/// What is asked of the branches of a graph.
struct Branches<'g, 'u> {
    graph: &'g Graph,
    units: HashMap<NodeId, &'u Unit<'u>>,
    nested: &'u Nested<'u>,
    /// Lines by the node that they leave, and by the one that they enter.
    leave: HashMap<NodeId, Vec<(&'g str, NodeId)>>,
    enter: HashMap<NodeId, Vec<(NodeId, &'g str)>>,
}

impl<'g, 'u> Branches<'g, 'u> {
    fn new(graph: &'g Graph, units: &'u [Unit<'u>], nested: &'u Nested<'u>) -> Branches<'g, 'u> {
        let mut leave: HashMap<NodeId, Vec<(&str, NodeId)>> = HashMap::new();
        let mut enter: HashMap<NodeId, Vec<(NodeId, &str)>> = HashMap::new();
        for link in &graph.signals {
            let (from, to) = (link.from.node, link.to.node);
            let output = &*graph.node(from).signals_out[link.from.pin.index()].name;
            // That line does not run in the coroutine.
            if output != "Broken" {
                leave.entry(from).or_default().push((output, to));
                enter.entry(to).or_default().push((from, output));
            }
        }
        Branches {
            graph,
            units: units.iter().map(|unit| (unit.node, unit)).collect(),
            nested,
            leave,
            enter,
        }
    }

    fn count(&self, unit: &Unit<'_>) -> usize {
        let stated = unit.json.get("outputCount").and_then(Json::index);
        stated.unwrap_or(2).clamp(1, 10)
    }

    /// The outputs behind which the unit goes on.
    fn run(&self, unit: &Unit<'_>) -> Vec<String> {
        match unit.class {
            "Sequence" => (0..self.count(unit) - 1).map(|at| at.to_string()).collect(),
            _ => vec!["body".to_owned()],
        }
    }

    fn targets(&self, node: NodeId, output: &str) -> Vec<NodeId> {
        let lines = self.leave.get(&node).into_iter().flatten();
        let targets = lines.filter(|(from, _)| *from == output);
        targets.map(|&(_, to)| to).collect()
    }

    fn leads(&self, node: NodeId, output: &str) -> bool {
        !self.targets(node, output).is_empty()
    }

    /// The nodes to which a branch comes.
    fn reached(&self, node: NodeId, output: &str) -> HashSet<NodeId> {
        let mut seen: HashSet<NodeId> = self.targets(node, output).into_iter().collect();
        let mut open: Vec<NodeId> = seen.iter().copied().collect();
        while let Some(at) = open.pop() {
            let lines = self.leave.get(&at).into_iter().flatten();
            open.extend(lines.map(|&(_, to)| to).filter(|to| seen.insert(*to)));
        }
        seen
    }

    fn waits(&self, node: NodeId, output: &str) -> bool {
        self.reached(node, output).iter().any(|at| {
            let unit = self.units.get(at);
            unit.is_none_or(|unit| {
                let may_wait = |one: Json<'u>| waits(class(one)) || is_elsewhere(one, self.nested);
                may_wait(unit.json) || within(unit.json, self.nested, &may_wait)
            })
        })
    }

    /// Lines from the ends of branches back to the unit; none if it is not certain where a branch ends.
    fn led_back(&self, unit: &Unit<'_>, run: &[String]) -> Option<Vec<(PinOf, PinOf)>> {
        let mut lines = Vec::new();
        for (number, output) in run.iter().enumerate() {
            let region = self.reached(unit.node, output);
            let own = |from: NodeId, through: &str| {
                region.contains(&from) || from == unit.node && through == output
            };
            let enclosed = region.iter().all(|at| {
                let mut lines = self.enter.get(at).into_iter().flatten();
                lines.all(|&(from, through)| own(from, through))
            });
            let class_of = |at: &NodeId| self.units.get(at).map(|unit| unit.class);
            let has = |class: &str| region.iter().any(|at| class_of(at) == Some(class));
            let breaks = has("Break") && (unit.class == "Sequence" || has("Sequence"));
            if !enclosed || region.contains(&unit.node) || breaks {
                return None;
            }
            let mut ends = Ends::new();
            self.ends(unit.node, output, &mut HashSet::new(), &mut ends)?;
            let back = match unit.class {
                "Sequence" => format!("resume {}", number + 1),
                _ => "resume".to_owned(),
            };
            let back = ends.into_iter().map(|end| (end, (unit.node, back.clone())));
            lines.extend(back);
        }
        Some(lines)
    }

    /// The outputs at which what leaves by this one ends; none if that is not certain. Each node is looked at once.
    fn ends(
        &self,
        node: NodeId,
        output: &str,
        seen: &mut HashSet<NodeId>,
        ends: &mut Ends,
    ) -> Option<()> {
        let mut open = vec![(node, output.to_owned())];
        while let Some((node, output)) = open.pop() {
            let targets = self.targets(node, &output);
            if targets.is_empty() {
                ends.insert((node, output));
            }
            for target in targets.into_iter().filter(|target| seen.insert(*target)) {
                let unit = self.units.get(&target)?;
                let outputs = self.last_outputs(unit)?;
                open.extend(outputs.into_iter().map(|output| (target, output)));
            }
        }
        Some(())
    }

    /// The outputs by one of which a signal leaves a unit for good; none if it may end there.
    fn last_outputs(&self, unit: &Unit<'_>) -> Option<Vec<String>> {
        let names: &[&str] = match unit.class {
            "If" => &["ifTrue", "ifFalse"],
            "NullCheck" => &["ifNull", "ifNotNull"],
            "SetVariable" | "SetMember" => &["assigned"],
            "InvokeMember"
            | "TriggerCustomEvent"
            | "SaveVariables"
            | "CreateStruct"
            | "AddListItem"
            | "ClearList"
            | "InsertListItem"
            | "RemoveListItem"
            | "RemoveListItemAt"
            | "SetListItem"
            | "AddDictionaryItem"
            | "ClearDictionary"
            | "RemoveDictionaryItem"
            | "SetDictionaryItem"
            | "Cache"
            | "SelectOnFlow"
            | "WaitForSecondsUnit"
            | "WaitForNextFrameUnit"
            | "WaitForEndOfFrameUnit"
            | "WaitUntilUnit"
            | "WaitWhileUnit"
            | "For"
            | "ForEach"
            | "While" => &["exit"],
            "SwitchOnInteger" | "SwitchOnString" => {
                let pins = self.graph.node(unit.node).signals_out.iter();
                let names = pins.map(|pin| pin.name.clone());
                let default = std::iter::once("default".to_owned());
                return Some(
                    names
                        .filter(|name| name != "default")
                        .chain(default)
                        .collect(),
                );
            }
            "Sequence" => return Some(vec![(self.count(unit) - 1).to_string()]),
            // It comes back to its loop.
            "Break" => &[],
            _ => return None,
        };
        Some(names.iter().map(|&name| name.to_owned()).collect())
    }
}
