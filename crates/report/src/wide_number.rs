//! Numbers that a program holds in several variables: they are told as one.

use model::interp::State;
use model::{GlobalId, Number, Program};

/// What fits twice into 64 bits, and is printed as nine digits.
const BILLION: u64 = 1_000_000_000;

/// The number that a global variable is a part of.
pub(crate) fn number_of(program: &Program, global: GlobalId) -> Option<&Number> {
    let mut numbers = program.display.numbers.iter();
    numbers.find(|number| number.digits.contains(&global))
}

/// Whether a global variable has the same value in two states, together with those that are one number with it.
pub(crate) fn is_same(program: &Program, global: GlobalId, a: &State, b: &State) -> bool {
    let same = |global: &GlobalId| a.globals[global.index()] == b.globals[global.index()];
    match number_of(program, global) {
        Some(number) => number.digits.iter().all(same),
        None => same(&global),
    }
}

/// A number's value in a state.
pub(crate) fn number_text(program: &Program, number: &Number, state: &State) -> String {
    let digits = number.digits.iter().map(|digit| {
        let value = state.globals[digit.index()].number();
        u32::try_from(value).expect("digits have no sign and 32 bits")
    });
    let last = number
        .digits
        .last()
        .map(|digit| &program.globals[digit.index()].ty);
    let bits = match last {
        Some(model::Type::Int { bits, .. }) => u32::from(*bits),
        _ => 32,
    };
    decimal(digits.collect(), number.signed.then_some(bits))
}

/// A number in decimal, from its digits of 32 bits. If it has a sign, that is the highest of as many bits in the
/// last digit.
fn decimal(mut digits: Vec<u32>, sign: Option<u32>) -> String {
    let negative = match (digits.last_mut(), sign) {
        (Some(last), Some(bits)) if *last >> (bits - 1) & 1 == 1 => {
            *last |= u32::MAX.checked_shl(bits).unwrap_or(0);
            true
        }
        _ => false,
    };
    if negative {
        let mut carry = true;
        for digit in &mut digits {
            (*digit, carry) = (!*digit).overflowing_add(carry.into());
        }
    }
    let mut groups = Vec::new();
    while digits.iter().any(|digit| *digit != 0) {
        let mut rest = 0;
        for digit in digits.iter_mut().rev() {
            let here = rest << 32 | u64::from(*digit);
            *digit = u32::try_from(here / BILLION).expect("the rest was less than a billion");
            rest = here % BILLION;
        }
        groups.push(rest);
    }
    let mut text = if negative { "-" } else { "" }.to_owned();
    text += &groups.pop().unwrap_or(0).to_string();
    for group in groups.into_iter().rev() {
        text += &format!("{group:09}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn digits_of_32_bits_become_decimal() {
        let split = |n: u128| {
            (0..4)
                .map(|at| (n >> (32 * at)) as u32)
                .collect::<Vec<u32>>()
        };
        for n in [0, 7, 1_000_000_000, 1 << 64, (1 << 90) + 5, u128::MAX] {
            assert_eq!(decimal(split(n), None), n.to_string());
            assert_eq!(decimal(split(n), Some(32)), (n as i128).to_string());
        }
    }

    #[test]
    fn the_last_digit_may_have_fewer_bits() {
        // In 66 bits.
        assert_eq!(
            decimal(vec![0, 0, 2], Some(2)),
            (-(1i128 << 65)).to_string()
        );
        assert_eq!(decimal(vec![u32::MAX, u32::MAX, 3], Some(2)), "-1");
        assert_eq!(
            decimal(vec![5, 0, 1], Some(2)),
            ((1u128 << 64) + 5).to_string()
        );
    }
}
