//! The types of places.

use crate::expr::{Place, Projection, Root};
use crate::ids::{ProcedureId, ProcessId};
use crate::program::Program;
use crate::types::Type;

impl Program {
    /// The type of what a place holds, seen from a process and a procedure of it.
    ///
    /// # Panics
    /// If the place does not fit the program, which front ends and passes rule out.
    #[must_use]
    pub fn place_type(
        &self,
        process: Option<ProcessId>,
        procedure: Option<ProcedureId>,
        place: &Place,
    ) -> Type {
        self.walk(process, procedure, place).0
    }

    /// For each projection of a place, how many parts there are to pick from.
    pub(crate) fn place_lengths(
        &self,
        process: Option<ProcessId>,
        procedure: Option<ProcedureId>,
        place: &Place,
    ) -> Vec<usize> {
        self.walk(process, procedure, place).1
    }

    fn walk(
        &self,
        process: Option<ProcessId>,
        procedure: Option<ProcedureId>,
        place: &Place,
    ) -> (Type, Vec<usize>) {
        let template = |process: ProcessId| &self.processes[process.index()];
        let mut ty = match place.root {
            Root::Global(id) => self.globals[id.index()].ty.clone(),
            Root::Own(local) => {
                let process = process.expect("a process's place is in a process");
                template(process).locals[local as usize].ty.clone()
            }
            Root::Frame(local) => {
                let process = process.expect("a procedure's place is in a process");
                let procedure = procedure.expect("a procedure's place is in a procedure");
                template(process).procedures[procedure.index()].locals[local as usize]
                    .ty
                    .clone()
            }
            Root::Remote { process, local, .. } => {
                template(process).locals[local as usize].ty.clone()
            }
            Root::Cell(pointer) => match self.exprs.ty(pointer) {
                Type::Pointer(object) => self.objects[object.index()].cell.clone(),
                other => panic!("internal error: {other:?} is no pointer type"),
            },
            Root::Argument(_) => panic!("internal error: an argument's type is its event's"),
        };
        let mut lengths = Vec::new();
        for projection in &place.path {
            ty = match (projection, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    let fields = &self.records[id.index()].fields;
                    lengths.push(fields.len());
                    fields[*field as usize].1.clone()
                }
                (Projection::Index(_), Type::Array(item, length)) => {
                    lengths.push(length as usize);
                    *item
                }
                (projection, ty) => panic!("internal error: {projection:?} into {ty:?}"),
            };
        }
        (ty, lengths)
    }
}
