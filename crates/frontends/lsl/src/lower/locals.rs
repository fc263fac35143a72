//! Where parameters, local variables and temporaries live.
//!
//! A handler runs within one macro step and is never entered twice, so its variables are global
//! variables of kind `Step`: they take no room in stored states. A user function may be
//! recursive, so its variables are those of its frame. In a linkset, a handler may be cut where other
//! scripts can act: its variables are those of the process, and are stored.

use model::{GlobalId, Place, Program, Type as ModelType, Variable, VariableKind};

/// Temporaries of handlers, used again from one statement to the next.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    temporaries: Vec<(ModelType, GlobalId)>,
    /// Variables of the process itself, for handlers that are cut.
    pub(crate) own: Vec<Variable>,
    own_temporaries: Vec<(ModelType, Place)>,
}

impl Slots {
    fn own_place(&mut self, variable: Variable) -> Place {
        let place = Place::own(self.own.len());
        self.own.push(variable);
        place
    }
}

/// The variables that the code at hand may use.
#[derive(Debug)]
pub(crate) enum Home {
    /// A handler, or code of the script between handlers.
    Handler,
    /// A handler in the middle of which others may act: variables of the process.
    Own,
    /// A user function: the variables of its frame so far.
    Frame(Vec<Variable>),
    /// An expression that must not have effects: there is nowhere to put anything.
    Nowhere,
}

/// Hands out temporaries: within one statement each only once.
#[derive(Debug)]
pub(crate) struct Temporaries {
    home: Home,
    /// How many of each kind the statement at hand has taken, as positions in the table.
    taken: Vec<Place>,
    /// Frame temporaries so far.
    frame: Vec<(ModelType, Place)>,
}

impl Temporaries {
    pub(crate) fn new(home: Home) -> Temporaries {
        Temporaries {
            home,
            taken: Vec::new(),
            frame: Vec::new(),
        }
    }

    /// Whether the place is a temporary in use.
    pub(crate) fn holds(&self, place: &Place) -> bool {
        self.taken.contains(place)
    }

    /// Whether code may be emitted here at all.
    pub(crate) fn allowed(&self) -> bool {
        !matches!(self.home, Home::Nowhere)
    }

    /// The variables of the frame, when the code is complete.
    pub(crate) fn into_frame(self) -> Vec<Variable> {
        match self.home {
            Home::Frame(variables) => variables,
            Home::Handler | Home::Own | Home::Nowhere => Vec::new(),
        }
    }

    /// A new statement begins: temporaries can be used again. Gives what has been taken so far,
    /// for [`restore`](Self::restore) when the statement is part of another.
    pub(crate) fn mark(&self) -> usize {
        self.taken.len()
    }

    /// Gives back what has been taken since the mark.
    pub(crate) fn restore(&mut self, mark: usize) {
        self.taken.truncate(mark);
    }

    /// A temporary of a type.
    pub(crate) fn take(
        &mut self,
        program: &mut Program,
        slots: &mut Slots,
        ty: &ModelType,
    ) -> Place {
        let place = match &mut self.home {
            Home::Handler | Home::Nowhere => {
                let free = slots.temporaries.iter().find_map(|(other, id)| {
                    let place = Place::global(*id);
                    (other == ty && !self.taken.contains(&place)).then_some(place)
                });
                free.unwrap_or_else(|| {
                    let id = program.add_global(Variable {
                        kind: VariableKind::Step,
                        ..Variable::new(
                            format!("temporary {}", slots.temporaries.len()),
                            ty.clone(),
                        )
                    });
                    slots.temporaries.push((ty.clone(), id));
                    Place::global(id)
                })
            }
            Home::Own => {
                let taken = &self.taken;
                let free = slots
                    .own_temporaries
                    .iter()
                    .find(|(other, place)| other == ty && !taken.contains(place))
                    .map(|(_, place)| place.clone());
                free.unwrap_or_else(|| {
                    let name = format!("temporary {}", slots.own_temporaries.len());
                    let place = slots.own_place(Variable::new(name, ty.clone()));
                    slots.own_temporaries.push((ty.clone(), place.clone()));
                    place
                })
            }
            Home::Frame(variables) => {
                let free = self
                    .frame
                    .iter()
                    .find(|(other, place)| other == ty && !self.taken.contains(place))
                    .map(|(_, place)| place.clone());
                free.unwrap_or_else(|| {
                    let place = Place::frame(variables.len());
                    variables.push(Variable::new(
                        format!("temporary {}", self.frame.len()),
                        ty.clone(),
                    ));
                    self.frame.push((ty.clone(), place.clone()));
                    place
                })
            }
        };
        self.taken.push(place.clone());
        place
    }

    /// The temporaries of a type that are in use.
    pub(crate) fn in_use(&self, slots: &Slots, ty: &ModelType) -> Vec<Place> {
        let of_handlers = slots
            .temporaries
            .iter()
            .filter(|(other, _)| other == ty)
            .map(|(_, id)| Place::global(*id));
        let of_frame = self
            .frame
            .iter()
            .filter(|(other, _)| other == ty)
            .map(|(_, place)| place.clone());
        let own = slots
            .own_temporaries
            .iter()
            .filter(|(other, _)| other == ty)
            .map(|(_, place)| place.clone());
        of_handlers
            .chain(of_frame)
            .chain(own)
            .filter(|place| self.taken.contains(place))
            .collect()
    }

    /// A place for a variable of the script's.
    pub(crate) fn variable(
        &mut self,
        program: &mut Program,
        slots: &mut Slots,
        variable: Variable,
    ) -> Place {
        match &mut self.home {
            Home::Own => slots.own_place(variable),
            Home::Handler | Home::Nowhere => Place::global(program.add_global(Variable {
                kind: VariableKind::Step,
                ..variable
            })),
            Home::Frame(variables) => {
                variables.push(variable);
                Place::frame(variables.len() - 1)
            }
        }
    }
}
