//! The instructions of a function, each with the operands that it takes and the types of what it
//! leaves.

use wasmparser::{FuncValidator, FunctionBody, Operator, ValType, WasmModuleResources};

use super::refusal::Refusal;

/// A function's body.
#[derive(Default)]
pub(crate) struct Body<'a> {
    /// The types of its locals, without parameters.
    pub(crate) locals: Vec<ValType>,
    /// Its instructions.
    pub(crate) code: Vec<Instr<'a>>,
    /// Where it begins in the file.
    pub(crate) offset: u64,
}

/// An instruction.
pub(crate) struct Instr<'a> {
    pub(crate) operator: Operator<'a>,
    /// Where it stands in the file.
    pub(crate) offset: u64,
    /// How many operands it takes; nothing is said for control instructions.
    pub(crate) pops: u32,
    /// The types of its results; nothing is said for control instructions.
    pub(crate) pushes: Box<[ValType]>,
}

/// The most locals that a function may have.
const MAX_LOCALS: usize = 10_000;

pub(super) fn read<'a, R: WasmModuleResources>(
    body: &FunctionBody<'a>,
    validator: &mut FuncValidator<R>,
) -> Result<Body<'a>, Refusal> {
    let mut reader = body.get_binary_reader();
    validator.read_locals(&mut reader)?;
    let mut locals = Vec::new();
    for declared in body.get_locals_reader()? {
        let (count, ty) = declared?;
        if locals.len() + count as usize > MAX_LOCALS {
            let what = format!("a function has more than {MAX_LOCALS} locals");
            return Err(Refusal::TooLarge(what));
        }
        locals.extend(std::iter::repeat_n(ty, count as usize));
    }
    let mut code = Vec::new();
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        source::limits::check();
        let (operator, offset) = operators.read_with_offset()?;
        let (pops, results) = operator.operator_arity(validator).unwrap_or((0, 0));
        validator.op(offset, &operator)?;
        let pushes = match is_control(&operator) {
            true => Box::default(),
            // Behind what never goes on, operands may have any type; nobody asks for them there.
            false => (0..results as usize)
                .rev()
                .map(|depth| validator.get_operand_type(depth).flatten())
                .map(|ty| ty.unwrap_or(ValType::I32))
                .collect(),
        };
        code.push(Instr {
            operator,
            offset,
            pops,
            pushes,
        });
    }
    operators.finish()?;
    Ok(Body {
        locals,
        code,
        offset: body.range().start,
    })
}

/// Whether an instruction says where to go on.
fn is_control(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Else
            | Operator::End
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::Return
            | Operator::Unreachable
    )
}
