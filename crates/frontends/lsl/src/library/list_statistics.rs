//! Statistics of the numbers in a list; other elements are not looked at.

use model::{RichTable, Value};

use super::entry::Answer;
use super::values::{element_type, element_value, elements, integer, number, single};

/// The first argument is one of the `LIST_STAT_` constants.
pub(super) fn statistics(table: &RichTable, args: &[Value]) -> Answer {
    let numbers: Vec<f64> = elements(table, &args[1])?
        .iter()
        .filter(|element| element_type(table, element).is_number())
        .map(|element| number(table, &element_value(table, element)))
        .collect::<Answer<_>>()?;
    let result = if numbers.is_empty() {
        0.0
    } else {
        statistic(integer(&args[0]), numbers)
    };
    Ok(single(table, result))
}

/// A statistic of at least one number; 0 for an operation that does not exist.
fn statistic(operation: i32, mut numbers: Vec<f64>) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "lists are far shorter than 2^52"
    )]
    let count = numbers.len() as f64;
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = numbers.iter().sum();
    let mean = sum / count;
    match operation {
        0 => greatest - least,
        1 => least,
        2 => greatest,
        3 => mean,
        4 => {
            numbers.sort_by(f64::total_cmp);
            let middle = numbers.len() / 2;
            if numbers.len() % 2 == 1 {
                numbers[middle]
            } else {
                f64::midpoint(numbers[middle - 1], numbers[middle])
            }
        }
        // Of a sample: divided by one less than the count.
        5 if numbers.len() == 1 => 0.0,
        5 => {
            let squares: f64 = numbers.iter().map(|n| (n - mean) * (n - mean)).sum();
            (squares / (count - 1.0)).sqrt()
        }
        6 => sum,
        7 => numbers.iter().map(|n| n * n).sum(),
        8 => count,
        9 if least <= 0.0 => 0.0,
        9 => (numbers.iter().map(|n| n.ln()).sum::<f64>() / count).exp(),
        _ => 0.0,
    }
}
