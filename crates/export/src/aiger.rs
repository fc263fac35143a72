//! Programs as AIGER files: each claim that something never happens is a bad of the circuit.

use circuit::Aiger;
use model::{Program, PropertyId};
use passes::Selection;
use source::Diagnostic;

use crate::gates::{GateModel, exact, foreign, share};

/// A program as a circuit in AIGER's text format, for those of its properties that are invariants.
/// What is bad comes in the order of [`GateModel::claims`]. Where the circuit is too small to
/// follow the program (a sum that leaves 48 bits), that is bad, too.
///
/// # Errors
/// What of the program has no gates.
pub fn aiger(
    program: &Program,
    properties: &[PropertyId],
    passes: &Selection,
) -> Result<GateModel, Vec<Diagnostic>> {
    let mut shared = share(program, properties, passes);
    let mut encoding = exact(&shared.program)?;
    let mut bads = Vec::new();
    let mut claims = Vec::new();
    for &id in &shared.together {
        let property = &program.properties[id.index()];
        match encoding.bads.iter().position(|bad| *bad == id) {
            Some(bad) => {
                bads.push(encoding.circuit.bads[bad].clone());
                claims.push((id, property.name.clone()));
            }
            None => {
                let why = foreign(&property.claim).unwrap_or("it is no invariant");
                shared.left_out.push((id, why.to_owned()));
            }
        }
    }
    encoding.circuit.bads = bads;
    // Nothing here asks about infinite runs.
    encoding.circuit.justice.clear();
    encoding.circuit.compassion.clear();
    Ok(GateModel {
        text: Aiger::new(&encoding.circuit).ascii(),
        claims,
        left_out: shared.left_out,
    })
}
