//! How long the lists are that pure operations give, as far as that is a matter of the lengths and
//! numbers that they are given.

use model::{RichTable, Value};

use super::entry::{PureEntry, entry};
use super::operators::list_sum;
use super::values::{count, elements, int};
use crate::Type;

/// The length of an operation's result. Numbers are positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// As many elements as there are arguments.
    Arguments,
    /// The lengths of two arguments together; an argument that is no list is one element.
    Sum {
        /// Whether the first argument is a list.
        left: bool,
        /// Whether the second is.
        right: bool,
    },
    /// That of the first argument.
    Same,
    /// The part of the first argument between two positions.
    Part,
    /// What is left of the first argument without that part.
    Rest,
    /// What is left of the first argument without the part between the third and fourth argument,
    /// and the second argument; that is left out where the part begins in front of the list.
    Replaced,
}

/// What a question about lengths asks of its arguments, which are lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The length.
    Length,
    /// Whether there is an element, 1 or 0.
    Truth,
    /// Whether two lists are equally long, 1 or 0: what `==` compares.
    Equal,
    /// How much longer the first is: what `!=` gives.
    Difference,
}

/// The length of what an operation gives; `None` if it depends on what is in its arguments.
#[must_use]
pub fn length_of(entry: &'static PureEntry) -> Option<Length> {
    if entry.result != Type::List {
        return None;
    }
    Some(match entry.name {
        "[]" => Length::Arguments,
        "+" => sum(entry)?,
        "llListSort" | "llListSortStrided" => Length::Same,
        "llList2List" => Length::Part,
        "llDeleteSubList" => Length::Rest,
        "llListInsertList" => Length::Sum {
            left: true,
            right: true,
        },
        "llListReplaceList" => Length::Replaced,
        "(list)" if super::cast(Type::List, Type::List).is_some_and(|e| is(e, entry)) => {
            Length::Same
        }
        "(list)" => Length::Arguments,
        _ => return None,
    })
}

/// Which operands of `+` are lists.
fn sum(entry: &'static PureEntry) -> Option<Length> {
    let is_sum = |left, right| list_sum(left, right).is_some_and(|known| is(known, entry));
    let element = |ty: &Type| *ty != Type::List;
    let elements = || Type::ALL.iter().copied().filter(element);
    if is_sum(Type::List, Type::List) {
        return Some(Length::Sum {
            left: true,
            right: true,
        });
    }
    if elements().any(|ty| is_sum(Type::List, ty)) {
        return Some(Length::Sum {
            left: true,
            right: false,
        });
    }
    elements()
        .any(|ty| is_sum(ty, Type::List))
        .then_some(Length::Sum {
            left: false,
            right: true,
        })
}

/// What an operation asks about the lengths of lists, if it asks nothing else.
#[must_use]
pub fn asks_length(entry: &'static PureEntry) -> Option<Asked> {
    let of_lists = |symbol| super::binary(symbol, Type::List, Type::List);
    if entry.name == "llGetListLength" {
        Some(Asked::Length)
    } else if is(super::truth(Type::List), entry) {
        Some(Asked::Truth)
    } else if of_lists("==").is_some_and(|known| is(known, entry)) {
        Some(Asked::Equal)
    } else if of_lists("!=").is_some_and(|known| is(known, entry)) {
        Some(Asked::Difference)
    } else {
        None
    }
}

/// The length of a list, or -1 if it is not known.
#[must_use]
pub fn known_length() -> &'static PureEntry {
    static LENGTH: PureEntry = entry!(
        "length of list",
        Integer,
        |table: &RichTable, args: &[Value]| {
            Ok(match elements(table, &args[0]) {
                Ok(all) => count(all.len()),
                Err(_) => int(-1),
            })
        }
    );
    &LENGTH
}

fn is(left: &'static PureEntry, right: &'static PureEntry) -> bool {
    std::ptr::eq(left, right)
}
