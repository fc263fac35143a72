//! Places: a variable's text, with the ways down into records and arrays, and what loads give.

use model::{Place, Projection, Root, Type, Value};

use super::expr::{Scope, Step, Term, under};
use super::layout::Home;
use super::writer::Writer;

impl Writer<'_> {
    /// A place and where evaluation of the way to it faults: the variable's text.
    pub(super) fn place(&self, scope: Scope<'_>, place: &Place, path: &[Step]) -> Term {
        let home = match place.root {
            Root::Global(id) => Home::Global(id.0),
            Root::Own(local) => match scope.slot {
                Some(slot) => Home::Own(slot, local),
                None => return self.refuse_term("a local outside of its process"),
            },
            Root::Frame(local) => match (scope.slot, scope.procedure) {
                (Some(slot), Some(procedure)) => Home::Frame(slot, procedure.0, local),
                _ => return self.refuse_term("a local outside of its procedure"),
            },
            Root::Cell(_) => return self.refuse_term("pointers"),
            Root::Remote { .. } | Root::Argument(_) => {
                return self.refuse_term("an assignment to what can only be read");
            }
        };
        self.place_of(scope, home, &place.path, path)
    }

    fn place_of(&self, scope: Scope<'_>, home: Home, way: &[Projection], path: &[Step]) -> Term {
        let mut fields = Vec::new();
        let mut index = String::new();
        let mut faults = Vec::new();
        let mut ty = self.layout.type_of(home);
        let add = |index: &mut String, at: String, length: u32| {
            *index = if index.is_empty() {
                at
            } else {
                format!("({index} * {length} + {at})")
            };
        };
        for projection in way {
            match (projection, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    fields.push(*field);
                    ty = self.program.records[id.index()].fields[*field as usize]
                        .1
                        .clone();
                }
                (Projection::Index(at), Type::Array(item, length)) => {
                    let term = self.expr(scope, *at);
                    faults.extend(term.faults);
                    let (lo, hi) = self.bounds(scope, *at);
                    if (lo < 0 || hi >= i128::from(length))
                        && let Some(fault) = self.program.index_fault
                    {
                        let outside = format!("({0} < 0 || {0} >= {length})", term.text);
                        match term.text.parse::<u32>() {
                            Ok(at) if at < length => {}
                            _ => faults.push((outside, fault)),
                        }
                    }
                    add(&mut index, term.text, length);
                    ty = *item;
                }
                _ => return self.refuse_term("a part of what has no parts"),
            }
        }
        for step in path {
            match (step, ty) {
                (Step::Field(field), Type::Record(id)) => {
                    fields.push(*field);
                    ty = self.program.records[id.index()].fields[*field as usize]
                        .1
                        .clone();
                }
                (Step::Index(at), Type::Array(item, length)) => {
                    add(&mut index, at.to_string(), length);
                    ty = *item;
                }
                _ => return self.refuse_term("a part of what has no parts"),
            }
        }
        if !matches!(
            ty,
            Type::Bool | Type::Int { .. } | Type::Range { .. } | Type::Mathint
        ) && !matches!(
            ty,
            Type::Enum(_) | Type::Rich | Type::Channel | Type::Instance
        ) {
            return self.refuse_term("pointers, procedures as values, or a whole record or array");
        }
        if let Type::Int { bits, signed } = ty
            && (bits > 32 || (bits == 32 && !signed))
        {
            return self.refuse_term("machine integers beyond 32 bits with sign");
        }
        // What never changes is written as what it is.
        if !self.layout.changes(home) && index.is_empty() && faults.is_empty() {
            let mut value = self.layout.first_value(home);
            for &field in &fields {
                if let Value::Tuple(items) = value {
                    value = items[field as usize].clone();
                }
            }
            return self.constant(&value);
        }
        let name = self.layout.name(home, &fields);
        Term {
            text: if index.is_empty() {
                name
            } else {
                format!("{name}[{index}]")
            },
            faults,
        }
    }

    pub(super) fn load(&self, scope: Scope<'_>, place: &Place, path: &[Step]) -> Term {
        if let Some(fixed) = scope.fixed
            && let Some(value) = fixed.get(place)
        {
            return self.constant(value);
        }
        match place.root {
            Root::Argument(index) => {
                let way: Option<Vec<Step>> = place
                    .path
                    .iter()
                    .map(|projection| match projection {
                        Projection::Field(field) => Some(Step::Field(*field)),
                        Projection::Index(at) => match self.program.exprs.constant(*at) {
                            Some(Value::Int(at)) => u32::try_from(*at).ok().map(Step::Index),
                            _ => None,
                        },
                    })
                    .chain(path.iter().map(|step| Some(*step)))
                    .collect();
                way.and_then(|way| scope.arguments.get(index as usize)?.get(&way).cloned())
                    .map_or_else(
                        || self.refuse_term("an element of an event's argument"),
                        Term::sure,
                    )
            }
            Root::Remote {
                instance,
                process,
                local,
            } => {
                let number = self.expr(scope, instance);
                let mut text = "0".to_owned();
                let mut faults = number.faults;
                for slot in self.slots_of(process).into_iter().rev() {
                    let position = self.layout.slots[slot].position;
                    let here =
                        self.both(&self.same_number(&number.text, position), &self.lives(slot));
                    let value = self.place_of(scope, Home::Own(slot, local), &place.path, path);
                    faults.extend(under(&here, value.faults));
                    text = match here.as_str() {
                        "0" => text,
                        "1" => value.text,
                        _ => format!("({here} -> {} : {text})", value.text),
                    };
                }
                Term { text, faults }
            }
            _ => self.place(scope, place, path),
        }
    }

    /// The ways to the scalars of a type.
    pub(super) fn paths(&self, ty: &Type) -> Vec<Vec<Step>> {
        match ty {
            Type::Array(item, length) => (0..*length)
                .flat_map(|at| {
                    self.paths(item).into_iter().map(move |mut path| {
                        path.insert(0, Step::Index(at));
                        path
                    })
                })
                .collect(),
            Type::Record(id) => (0u32..)
                .zip(&self.program.records[id.index()].fields)
                .flat_map(|(field, (_, ty))| {
                    self.paths(ty).into_iter().map(move |mut path| {
                        path.insert(0, Step::Field(field));
                        path
                    })
                })
                .collect(),
            _ => vec![Vec::new()],
        }
    }

    /// The scalar that a path leads to.
    pub(super) fn part_type(&self, ty: &Type, path: &[Step]) -> Type {
        match (ty, path.split_first()) {
            (Type::Array(item, _), Some((_, rest))) => self.part_type(item, rest),
            (Type::Record(id), Some((Step::Field(field), rest))) => {
                let (_, ty) = &self.program.records[id.index()].fields[*field as usize];
                self.part_type(ty, rest)
            }
            _ => ty.clone(),
        }
    }
}
