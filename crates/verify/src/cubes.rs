//! Cubes: parts into which the search for a violation of what is always to hold is cut, so that each can be looked
//! at anywhere.
//!
//! Whether a state violates an invariant is one question; whether one in which `n` is even does, and one in which
//! it is odd, are two smaller ones, and nothing fails if neither does (Heule, Kullmann, Wieringa and Biere: *Cube
//! and conquer*, HVC 2011). The same goes for any formula `[] f`, and the states where `f` does not hold. What tells
//! cubes apart are low bits of the variables that the formula names, so that a cube needs nothing else to be
//! followed. A run that violates it in a cube violates it; a proof is one only with those for all other cubes.

use std::collections::BTreeSet;
use std::sync::Arc;

use logic::Ltl;
use model::{
    Assumption, AssumptionId, Binary, Claim, Expr, ExprId, GlobalId, Origin, Place, Program,
    PropertyId, Root, Type, VariableKind,
};

/// The most cubes of one property.
pub const MOST_CUBES: u32 = 1 << 12;
/// Bits of an integer without bounds that tell cubes apart.
const BITS: u32 = 16;

/// One of several parts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    /// Which it is, from 1,
    pub number: u32,
    /// of how many: a power of two.
    pub of: u32,
}

/// Into how many cubes, a power of two and so many at most, the search for a violation of a property can be
/// cut: one if it does not say what is always to hold, or names no variable.
#[must_use]
pub fn cubes_of(program: &Program, property: PropertyId, most: u32) -> u32 {
    let claim = &program.properties[property.index()].claim;
    let bits: u32 = named(program, claim).iter().map(|(_, bits)| bits).sum();
    let most = most.clamp(1, MOST_CUBES).ilog2();
    1 << bits.min(most)
}

/// Looks only in one cube for violations of each property. Those that cannot be cut into so many are cut into
/// as many as they can be, of which each is then one several times.
pub fn look_only_in(program: &mut Program, cube: Cube) {
    for index in 0..program.properties.len() {
        let property = PropertyId::new(index);
        let of = cubes_of(program, property, cube.of);
        if of == 1 {
            continue;
        }
        let number = (cube.number - 1) % of + 1;
        let claim = program.properties[index].claim.clone();
        let (inside, text) = cut(program, &claim, Cube { number, of });
        let outside = program.exprs.not(inside);
        let narrowed = match claim {
            Claim::Always(invariant) => Claim::Always(program.exprs.or(outside, invariant)),
            Claim::Ltl(Ltl::Always(formula)) => {
                let either = Ltl::or(Ltl::atom(outside), Arc::unwrap_or_clone(formula));
                Claim::Ltl(Ltl::always(either))
            }
            other => other,
        };
        let assumption = AssumptionId::new(program.assumptions.len());
        program.assumptions.push(Assumption {
            text: format!("violations are looked for only where {text}: cube {number} of {of}"),
            origin: Origin::Cube,
            properties: Some(vec![property]),
            span: program.properties[index].span,
        });
        let property = &mut program.properties[index];
        property.claim = narrowed;
        property.assumptions.push(assumption);
    }
}

/// The variables that a claim names which can be cut, and how many bits of each tell cubes apart.
fn named(program: &Program, claim: &Claim) -> Vec<(GlobalId, u32)> {
    let mut left = match claim {
        Claim::Always(invariant) => vec![*invariant],
        Claim::Ltl(formula @ Ltl::Always(_)) => formula.atoms().into_iter().copied().collect(),
        _ => Vec::new(),
    };
    let mut seen = BTreeSet::new();
    let mut variables = BTreeSet::new();
    while let Some(expr) = left.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Expr::Load(place) = program.exprs.get(expr)
            && let Root::Global(global) = place.root
            && place.path.is_empty()
        {
            variables.insert(global);
        }
        program.exprs.operands(expr, |operand| left.push(operand));
    }
    let bits = |&global: &GlobalId| {
        let variable = &program.globals[global.index()];
        // A step variable has no value in a state.
        (variable.kind != VariableKind::Step).then_some(())?;
        let bits = match variable.ty {
            Type::Bool => 1,
            Type::Int { bits, .. } => bits.into(),
            Type::Range { lo, hi } => hi.abs_diff(lo).checked_add(1).map_or(64, u64::ilog2),
            Type::Mathint => BITS,
            _ => 0,
        };
        Some((global, bits.min(BITS)))
    };
    variables.iter().filter_map(bits).collect()
}

/// The expression that holds in a cube, and how it is told.
fn cut(program: &mut Program, claim: &Claim, cube: Cube) -> (ExprId, String) {
    let variables = named(program, claim);
    // One bit of each in turn.
    let mut taken = vec![0; variables.len()];
    let mut missing = cube.of.ilog2();
    while missing > 0 {
        for ((_, bits), taken) in variables.iter().zip(&mut taken) {
            if missing > 0 && *taken < *bits {
                *taken += 1;
                missing -= 1;
            }
        }
    }
    let mut left = cube.number - 1;
    let mut inside = program.exprs.bool(true);
    let mut told = Vec::new();
    for (&(global, _), bits) in variables.iter().zip(taken) {
        if bits == 0 {
            continue;
        }
        let variable = &program.globals[global.index()];
        let (name, ty) = (variable.name.clone(), variable.ty.clone());
        let value = left & ((1 << bits) - 1);
        left >>= bits;
        let load = program.exprs.load(Place::global(global), ty.clone());
        let is_here = if ty == Type::Bool {
            told.push(format!("{name} is {}", value == 1));
            match value {
                0 => program.exprs.not(load),
                _ => load,
            }
        } else {
            let modulus = 1_i128 << bits;
            told.push(format!("{name} mod {modulus} = {value}"));
            remainder_is(program, load, modulus, value.into())
        };
        inside = program.exprs.and(inside, is_here);
    }
    (inside, told.join(" and "))
}

/// That a number, negative or not, has this remainder.
fn remainder_is(program: &mut Program, number: ExprId, modulus: i128, value: i128) -> ExprId {
    let exprs = &mut program.exprs;
    let modulus = exprs.int(modulus, Type::Mathint);
    let value = exprs.int(value, Type::Mathint);
    let remainder = exprs.add(Expr::Binary(Binary::Rem, number, modulus), Type::Mathint);
    let positive = exprs.binary(Binary::Add, remainder, modulus);
    let remainder = exprs.binary(Binary::Rem, positive, modulus);
    exprs.binary(Binary::Eq, remainder, value)
}
