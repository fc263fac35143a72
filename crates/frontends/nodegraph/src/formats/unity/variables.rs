//! Variables of a graph of Unity, and those that do not belong to one.
//!
//! A variable has no type of its own: what it starts as tells one, and what is written to it must agree, or it is
//! not followed. One that nobody declares comes to be when it is written.

use std::collections::BTreeMap;

use super::super::builder::add_flag;
use super::super::json::Json;
use super::super::naming::{Names, identifier};
use super::units::{class, elements, value};
use crate::graph::{Flag, FlagId, Literal, Project, ValueType};
use source::Span;

/// Whose a variable is, and its name.
type Key<'a> = (&'a str, &'a str);

/// Variables by whose they are and name.
#[derive(Default)]
pub(super) struct Variables<'a> {
    found: BTreeMap<Key<'a>, Variable>,
}

struct Variable {
    initial: Option<Literal>,
    /// What values it has been seen to get; none: of another sort, or of several.
    values: Option<ValueType>,
    seen: bool,
    span: Span,
    flag: Option<FlagId>,
}

/// The name that stands in a unit for a variable.
pub(super) fn name(unit: Json<'_>) -> Option<&str> {
    let name = unit.path(&["defaultValues", "name"])?;
    let name = name.get("$content").unwrap_or(name).text()?;
    (!name.is_empty()).then_some(name)
}

fn type_of(literal: &Literal) -> Option<ValueType> {
    match literal {
        Literal::Bool(_) => Some(ValueType::Bool),
        Literal::Int(_) => Some(ValueType::Int),
        _ => None,
    }
}

impl Variable {
    fn new(span: Span) -> Variable {
        Variable {
            initial: None,
            values: None,
            seen: false,
            span,
            flag: None,
        }
    }

    /// It gets this value, or one of this type.
    fn gets(&mut self, values: Option<ValueType>) {
        self.values = match self.seen {
            true => self
                .values
                .take()
                .filter(|seen| Some(seen) == values.as_ref()),
            false => values,
        };
        self.seen = true;
    }
}

impl<'a> Variables<'a> {
    /// The variables of a graph: those that it declares, and those that it writes.
    pub(super) fn of_graph(graph: Json<'a>) -> Variables<'a> {
        let mut variables = Variables::default();
        let declared = graph.path(&["variables", "collection", "$content"]);
        for json in declared.into_iter().flat_map(Json::items) {
            let Some(name) = json.get("name").and_then(Json::text) else {
                continue;
            };
            let mut variable = Variable::new(json.span());
            variable.initial = json.get("value").and_then(value);
            variable.gets(variable.initial.as_ref().and_then(type_of));
            variables.found.entry(("Graph", name)).or_insert(variable);
        }
        variables.written(graph, &["Graph"]);
        variables
    }

    /// Variables of the object, the scene, the application and those that are saved that these graphs write.
    pub(super) fn outside(graphs: &[Json<'a>]) -> Variables<'a> {
        let mut variables = Variables::default();
        for graph in graphs {
            variables.written(*graph, &["Object", "Scene", "Application", "Saved"]);
        }
        variables
    }

    /// Notes what is written to variables of these kinds.
    fn written(&mut self, graph: Json<'a>, kinds: &[&str]) {
        let mut brought: BTreeMap<Key<'a>, Json<'a>> = BTreeMap::new();
        let mut units: BTreeMap<&str, Json<'a>> = BTreeMap::new();
        for element in elements(graph) {
            units.extend(
                element
                    .get("$id")
                    .and_then(Json::key)
                    .map(|id| (id, element)),
            );
        }
        for element in elements(graph) {
            let end = |unit, key| {
                let unit = element.path(&[unit, "$ref"])?.key()?;
                Some((unit, element.get(key)?.text()?))
            };
            let ends = end("sourceUnit", "sourceKey").zip(end("destinationUnit", "destinationKey"));
            if let Some(((from, _), to)) = ends {
                brought.extend(units.get(from).map(|&unit| (to, unit)));
            }
        }
        for unit in elements(graph).filter(|unit| class(*unit) == "SetVariable") {
            let kind = unit.get("kind").and_then(Json::text).unwrap_or_default();
            let (Some(name), true) = (name(unit), kinds.contains(&kind)) else {
                continue;
            };
            let id = unit.get("$id").and_then(Json::key).unwrap_or_default();
            let place = unit.get("$type").unwrap_or(unit).span();
            let variable = self.found.entry((kind, name));
            let variable = variable.or_insert_with(|| Variable::new(place));
            match brought.get(&(id, "input")) {
                Some(source) => {
                    if let Some(values) = brings(*source) {
                        variable.gets(values);
                    }
                }
                None => {
                    let literal = unit.path(&["defaultValues", "input"]).and_then(value);
                    variable.gets(literal.as_ref().and_then(type_of));
                }
            }
        }
    }

    /// Makes a flag of each; whether there are any.
    pub(super) fn declare(&mut self, project: &mut Project, names: &mut Names) -> bool {
        for (&(_, name), variable) in &mut self.found {
            let values = variable.values.clone();
            let values = values.unwrap_or_else(|| ValueType::Other("object".to_owned()));
            let flag = Flag {
                name: identifier(name),
                initial: variable.initial.clone(),
                values,
                span: variable.span,
            };
            variable.flag = Some(add_flag(project, names, flag));
        }
        !self.found.is_empty()
    }

    pub(super) fn flag(&self, kind: &str, name: &str) -> Option<FlagId> {
        self.found.get(&(kind, name))?.flag
    }

    /// Their names, for people; none if there are none.
    pub(super) fn names(&self) -> Option<String> {
        let names: Vec<String> = self
            .found
            .keys()
            .map(|(_, name)| format!("`{name}`"))
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// The type of what a unit of data brings; none if that is not known, and no type at all if it is of no followed one.
fn brings(unit: Json<'_>) -> Option<Option<ValueType>> {
    match class(unit) {
        "And" | "Or" | "ExclusiveOr" | "Negate" | "Equal" | "NotEqual" | "Less" | "LessOrEqual"
        | "Greater" | "GreaterOrEqual" => Some(Some(ValueType::Bool)),
        "Literal" => Some(unit.get("value").and_then(value).as_ref().and_then(type_of)),
        "ScalarSum" | "ScalarSubtract" => Some(Some(ValueType::Int)),
        _ => None,
    }
}
