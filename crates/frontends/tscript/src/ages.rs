//! How old the notes are that wait for a process: beside each queue of notes a list of who sent what,
//! and whether the sender has begun another round since.
//!
//! An entry is `[note, sender, age]`; they are sorted by notes, equal ones in the order of the queue. A note is *fresh* in the round in which
//! it was sent, *old* when its sender has begun another one, and *stale* when whoever is to read it has
//! heard of that other round: by a message of the sender's, or by a note that was sent in it. (What one
//! process knows of another is a matter of what has been received: Lamport, *Time, clocks, and the
//! ordering of events in a distributed system*, Communications of the ACM 21, 1978.)
//!
//! Of a process that reads no more notes it may still be asked whether some wait that are old. Then the
//! list stands in a term of its own, and has each sender and age once, without the notes.

use model::{FaultId, RichTable, Value};

use crate::term::{View, apply, int, list, matches, undefined, view};

const FRESH: i64 = 0;
const OLD: i64 = 1;
const STALE: i64 = 2;
/// The sender of notes whose sender has ended.
const NOBODY: i64 = -1;

/// The term of ages of notes that nobody will read.
const UNREAD: &str = "unread";

type Given = Result<Value, FaultId>;

struct Entry {
    note: Value,
    sender: i64,
    age: i64,
}

fn entries(table: &RichTable, ages: &Value) -> Vec<Entry> {
    let items = match view(table, ages) {
        View::List(items) => items,
        View::Apply(name, args) if *name == *UNREAD => {
            return args.iter().flat_map(|all| entries(table, all)).collect();
        }
        _ => return Vec::new(),
    };
    items
        .iter()
        .filter_map(|item| {
            let View::List(parts) = view(table, item) else {
                return None;
            };
            let [note, sender, age] = parts.as_slice() else {
                return None;
            };
            Some(Entry {
                note: note.clone(),
                sender: number(table, sender),
                age: number(table, age),
            })
        })
        .collect()
}

fn number(table: &RichTable, value: &Value) -> i64 {
    match view(table, value) {
        View::Int(number) => number,
        _ => NOBODY,
    }
}

/// The ages with other entries. What is no list stays: nobody asks any more.
fn written(table: &RichTable, ages: &Value, entries: Vec<Entry>) -> Given {
    Ok(match view(table, ages) {
        View::List(_) => listed(table, entries),
        View::Apply(name, _) if *name == *UNREAD => summary(table, entries),
        _ => ages.clone(),
    })
}

fn listed(table: &RichTable, entries: Vec<Entry>) -> Value {
    let items: Vec<Value> = entries
        .into_iter()
        .map(|entry| {
            let parts = vec![entry.note, int(table, entry.sender), int(table, entry.age)];
            list(table, parts)
        })
        .collect();
    list(table, items)
}

/// What is left of ages when nobody will read the notes: whose some are, and whether they are old.
fn summary(table: &RichTable, mut entries: Vec<Entry>) -> Value {
    for entry in &mut entries {
        entry.note = undefined(table);
        entry.age = entry.age.min(OLD);
    }
    entries.sort_by_key(|entry| (entry.sender, entry.age));
    entries.dedup_by_key(|entry| (entry.sender, entry.age));
    apply(table, UNREAD, &[listed(table, entries)])
}

/// Nobody will read any of the notes: the ages.
pub(crate) fn unread(table: &RichTable, args: &[Value]) -> Given {
    Ok(match view(table, &args[0]) {
        View::List(_) => summary(table, entries(table, &args[0])),
        _ => args[0].clone(),
    })
}

/// A note comes: the ages, the note, who sent it.
pub(crate) fn sent(table: &RichTable, args: &[Value]) -> Given {
    let mut all = entries(table, &args[0]);
    // Which of two different notes came first makes no difference.
    let at = all.partition_point(|entry| table.compare(&entry.note, &args[1]).is_le());
    all.insert(
        at,
        Entry {
            note: args[1].clone(),
            sender: number(table, &args[2]),
            age: FRESH,
        },
    );
    written(table, &args[0], all)
}

/// A process begins another round: the ages, who.
pub(crate) fn round(table: &RichTable, args: &[Value]) -> Given {
    grow_older(table, args, FRESH, OLD)
}

/// A message comes: the ages, who sent it.
pub(crate) fn heard(table: &RichTable, args: &[Value]) -> Given {
    grow_older(table, args, OLD, STALE)
}

fn grow_older(table: &RichTable, args: &[Value], from: i64, to: i64) -> Given {
    let who = number(table, &args[1]);
    let mut all = entries(table, &args[0]);
    for entry in &mut all {
        if entry.sender == who && entry.age == from {
            entry.age = to;
        }
    }
    written(table, &args[0], all)
}

/// A process ends: its rounds are over. The ages, who.
pub(crate) fn ended(table: &RichTable, args: &[Value]) -> Given {
    let who = number(table, &args[1]);
    let mut all = entries(table, &args[0]);
    for entry in &mut all {
        if entry.sender == who {
            entry.sender = NOBODY;
        }
    }
    written(table, &args[0], all)
}

/// A note is read: the ages, the note.
pub(crate) fn read(table: &RichTable, args: &[Value]) -> Given {
    let mut all = entries(table, &args[0]);
    if let Some(at) = all.iter().position(|entry| entry.note == args[1]) {
        let taken = all.remove(at);
        if taken.age == FRESH {
            for entry in &mut all {
                if entry.sender == taken.sender && entry.age == OLD {
                    entry.age = STALE;
                }
            }
        }
    }
    written(table, &args[0], all)
}

/// Notes that match a pattern are thrown away: the ages, the pattern.
pub(crate) fn purged(table: &RichTable, args: &[Value]) -> Given {
    let mut all = entries(table, &args[0]);
    all.retain(|entry| !matches(table, &entry.note, &args[1]));
    written(table, &args[0], all)
}

/// Whether what is read is stale, if it begins with a word: the ages, the note, the word.
pub(crate) fn is_stale(table: &RichTable, args: &[Value]) -> Given {
    let begins = match (view(table, &args[1]), view(table, &args[2])) {
        (View::Apply(name, _), View::Str(word)) => name == word,
        _ => false,
    };
    let all = entries(table, &args[0]);
    let taken = all.iter().find(|entry| entry.note == args[1]);
    Ok(Value::Bool(
        begins && taken.is_some_and(|entry| entry.age == STALE),
    ))
}

/// Whether a note waits of which its sender has begun another round: the ages, the sender.
pub(crate) fn has_old(table: &RichTable, args: &[Value]) -> Given {
    let who = number(table, &args[1]);
    let all = entries(table, &args[0]);
    let mut old = all.iter().filter(|entry| entry.sender == who);
    Ok(Value::Bool(old.any(|entry| entry.age != FRESH)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::apply;

    /// A note is stale for its reader only when both its sender has gone on and the reader knows.
    #[test]
    fn a_note_is_stale_when_its_reader_knows_of_a_later_round() {
        let t = RichTable::default();
        let (a, b) = (apply(&t, "a", &[]), apply(&t, "b", &[]));
        let (me, other) = (int(&t, 1), int(&t, 2));
        let word = t.text("a");
        let stale = |ages: &Value| {
            is_stale(&t, &[ages.clone(), a.clone(), word.clone()]) == Ok(Value::Bool(true))
        };
        let none = list(&t, vec![]);
        let sent_a = sent(&t, &[none, a.clone(), me.clone()]).unwrap();
        let known = heard(&t, &[sent_a.clone(), me.clone()]).unwrap();
        assert!(!stale(&known), "it is of this round");
        let later = round(&t, &[sent_a.clone(), me.clone()]).unwrap();
        assert!(!stale(&later), "its reader does not know");
        let old = |ages: &Value, who: &Value| {
            has_old(&t, &[ages.clone(), who.clone()]) == Ok(Value::Bool(true))
        };
        assert!(!old(&sent_a, &me) && old(&later, &me) && !old(&later, &other));
        assert!(!stale(&heard(&t, &[later.clone(), other.clone()]).unwrap()));
        assert!(stale(&heard(&t, &[later.clone(), me.clone()]).unwrap()));
        let both = sent(&t, &[later.clone(), b.clone(), me.clone()]).unwrap();
        assert!(stale(&read(&t, &[both, b.clone()]).unwrap()));
        let both = sent(&t, &[later.clone(), b.clone(), other]).unwrap();
        assert!(
            !stale(&read(&t, &[both, b.clone()]).unwrap()),
            "by somebody else"
        );
        let gone = ended(&t, &[later.clone(), me.clone()]).unwrap();
        assert!(!stale(&heard(&t, &[gone, me.clone()]).unwrap()));
        // Where nobody will read them, one says as much as many.
        let nobody_reads = unread(&t, std::slice::from_ref(&later)).unwrap();
        let more = sent(&t, &[nobody_reads, a.clone(), me.clone()]).unwrap();
        assert!(old(&more, &me) && !stale(&heard(&t, &[more.clone(), me.clone()]).unwrap()));
        let again = sent(&t, &[more.clone(), b, me.clone()]).unwrap();
        assert_eq!(again, more);
        let fresh = unread(&t, &[sent_a]).unwrap();
        assert!(!old(&fresh, &me) && old(&round(&t, &[fresh, me.clone()]).unwrap(), &me));
        let purged = purged(&t, &[later, a.clone()]).unwrap();
        assert!(!stale(&heard(&t, &[purged, me]).unwrap()));
    }
}
