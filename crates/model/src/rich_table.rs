//! The hash-consed table of rich values.
//!
//! Each structure is *interned*: it is there once, and known by an id of 32 bits. Ids depend on the
//! order of interning and never decide anything: [`RichTable::compare`] orders by structure.
//!
//! A script that appends to a list in a loop makes a list of each length. So that their sizes do
//! not add up to the square of the last, a long term that begins like one in the table is kept as
//! what it begins like and the rest (a rope in the sense of Boehm, Atkinson and Plass, *Ropes: an
//! alternative to strings*, 1995, that only grows at its end).

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashTable;
use rapidhash::fast::RandomState;

use crate::value::{Rich, RichId, Value};

/// The hash-consed table of rich values. It only grows, and may be shared between threads.
#[derive(Default)]
pub struct RichTable {
    hasher: RandomState,
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    /// By hash.
    ids: HashTable<RichId>,
    items: Vec<Item>,
    bytes: usize,
}

/// A value with its hash, so that nothing is hashed again when the table grows.
struct Item {
    hash: u64,
    kept: Kept,
}

/// How a value is kept.
enum Kept {
    Whole(Arc<Rich>),
    /// A term with the functor and the arguments of another, and then these.
    Longer {
        start: RichId,
        rest: Box<[Value]>,
    },
}

impl Kept {
    /// An estimate of the memory that it takes, the table's for it included.
    fn bytes(&self) -> usize {
        let held = match self {
            Kept::Whole(whole) => match Borrowed::of(whole) {
                Borrowed::Text(text) => text.len(),
                Borrowed::Float(_) => 0,
                Borrowed::Term(functor, args) => functor.len() + size_of_val(args),
            },
            Kept::Longer { rest, .. } => size_of_val::<[Value]>(rest),
        };
        size_of::<Rich>() + 48 + held
    }
}

/// Terms of more arguments than this may be kept as a start and the rest.
const LONG: usize = 64;

/// The number of arguments that a start has is a multiple of this. So a list that grows one by one
/// takes at most so many values for each of its lengths, and is put together from one piece for each
/// so many of its items.
const PIECE: usize = 32;

/// A rich value that need not be built to be looked for.
#[derive(Clone, Copy, PartialEq, Hash)]
enum Borrowed<'v> {
    Text(&'v str),
    Float(u64),
    Term(&'v str, &'v [Value]),
}

impl<'v> Borrowed<'v> {
    fn of(rich: &'v Rich) -> Self {
        match rich {
            Rich::Text(text) => Borrowed::Text(text),
            Rich::Float(bits) => Borrowed::Float(*bits),
            Rich::Term { functor, args } => Borrowed::Term(functor, args),
        }
    }

    /// What a long term may begin like another with.
    fn start(&self) -> Option<Borrowed<'v>> {
        match self {
            Borrowed::Term(functor, args) if args.len() > LONG => Some(Borrowed::Term(
                functor,
                &args[..(args.len() - 1) / PIECE * PIECE],
            )),
            _ => None,
        }
    }
}

impl Inner {
    fn find(&self, hash: u64, rich: &Borrowed) -> Option<RichId> {
        let is_it = |id: &RichId| self.items[id.0 as usize].hash == hash && self.is(*id, rich);
        self.ids.find(hash, is_it).copied()
    }

    fn is(&self, mut id: RichId, rich: &Borrowed) -> bool {
        let mut rich = *rich;
        // Not by recursion: long terms have many pieces.
        loop {
            match (&self.items[id.0 as usize].kept, rich) {
                (Kept::Whole(whole), rich) => return Borrowed::of(whole) == rich,
                (Kept::Longer { start, rest }, Borrowed::Term(functor, args)) => {
                    let Some(first) = args.strip_suffix(&**rest) else {
                        return false;
                    };
                    (id, rich) = (*start, Borrowed::Term(functor, first));
                }
                (Kept::Longer { .. }, _) => return false,
            }
        }
    }

    fn get(&self, id: RichId) -> Arc<Rich> {
        let mut pieces: Vec<&[Value]> = Vec::new();
        let mut at = id;
        loop {
            match &self.items[at.0 as usize].kept {
                Kept::Longer { start, rest } => {
                    pieces.push(rest);
                    at = *start;
                }
                Kept::Whole(whole) if pieces.is_empty() => return Arc::clone(whole),
                Kept::Whole(whole) => {
                    let Borrowed::Term(functor, first) = Borrowed::of(whole) else {
                        unreachable!("only terms are longer than others")
                    };
                    pieces.push(first);
                    pieces.reverse();
                    return Arc::new(Rich::Term {
                        functor: functor.into(),
                        args: pieces.concat().into(),
                    });
                }
            }
        }
    }
}

/// A table of more values than this is freed by a thread of its own.
const MANY: usize = 50_000;

impl Drop for RichTable {
    /// Millions of values take seconds to free: nobody waits for that.
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if inner.items.len() > MANY {
            let inner = std::mem::take(inner);
            // Where there is no thread to be had, the closure is freed here.
            let _ = std::thread::Builder::new().spawn(move || drop(inner));
        }
    }
}

impl std::fmt::Debug for RichTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RichTable({} values)", self.len())
    }
}

impl RichTable {
    /// The id of `rich`, new or known.
    ///
    /// # Panics
    /// If the table holds 2^32 values.
    pub fn intern(&self, rich: Rich) -> RichId {
        let borrowed = Borrowed::of(&rich);
        let hash = self.hasher.hash_one(borrowed);
        if let Some(id) = self.read().find(hash, &borrowed) {
            return id;
        }
        let start = borrowed.start();
        let start = start.map(|start| (self.hasher.hash_one(start), start));
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = inner.find(hash, &borrowed) {
            return id;
        }
        let start = start.and_then(|(hash, start)| inner.find(hash, &start));
        let kept = match (start, rich) {
            (Some(start), Rich::Term { args, .. }) => Kept::Longer {
                start,
                rest: args[(args.len() - 1) / PIECE * PIECE..].into(),
            },
            (_, rich) => Kept::Whole(Arc::new(rich)),
        };
        let id = RichId(u32::try_from(inner.items.len()).expect("fewer than 2^32 rich values"));
        inner.bytes += kept.bytes();
        let Inner { ids, items, .. } = &mut *inner;
        items.push(Item { hash, kept });
        ids.insert_unique(hash, id, |id| items[id.0 as usize].hash);
        id
    }

    /// Text as a value.
    pub fn text(&self, text: &str) -> Value {
        Value::Rich(self.intern(Rich::Text(text.into())))
    }

    /// A double as a value.
    pub fn float(&self, float: f64) -> Value {
        Value::Rich(self.intern(Rich::Float(float.to_bits())))
    }

    /// A term as a value.
    pub fn term(&self, functor: &str, args: impl Into<Box<[Value]>>) -> Value {
        Value::Rich(self.intern(Rich::Term {
            functor: functor.into(),
            args: args.into(),
        }))
    }

    /// The structure behind an id.
    ///
    /// # Panics
    /// If the id comes from another table.
    #[must_use]
    pub fn get(&self, id: RichId) -> Arc<Rich> {
        self.read().get(id)
    }

    /// A value with others in the place of some: each of `from`, wherever it stands in it, is replaced
    /// by the one of `to` at its position.
    #[must_use]
    pub fn replaced(&self, value: &Value, from: &[Value], to: &[Value]) -> Value {
        if let Some(at) = from.iter().position(|other| other == value) {
            return to[at].clone();
        }
        let Value::Rich(id) = value else {
            return value.clone();
        };
        match &*self.get(*id) {
            Rich::Term { functor, args } => {
                let args: Vec<Value> = args
                    .iter()
                    .map(|arg| self.replaced(arg, from, to))
                    .collect();
                self.term(functor, args)
            }
            Rich::Text(_) | Rich::Float(_) => value.clone(),
        }
    }

    /// How many values are interned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().items.len()
    }

    /// Whether nothing has been interned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An estimate of the memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.read().bytes
    }

    /// Orders two values by structure: the same in every run, whatever was interned first.
    #[must_use]
    pub fn compare(&self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Rich(a), Value::Rich(b)) if a == b => Ordering::Equal,
            (Value::Rich(a), Value::Rich(b)) => match (&*self.get(*a), &*self.get(*b)) {
                (Rich::Text(a), Rich::Text(b)) => a.cmp(b),
                (Rich::Float(a), Rich::Float(b)) => {
                    f64::from_bits(*a).total_cmp(&f64::from_bits(*b))
                }
                (
                    Rich::Term { functor, args },
                    Rich::Term {
                        functor: other_functor,
                        args: other_args,
                    },
                ) => functor
                    .cmp(other_functor)
                    .then_with(|| self.compare_all(args, other_args)),
                (a, b) => rank(a).cmp(&rank(b)),
            },
            (Value::Tuple(a), Value::Tuple(b)) => self.compare_all(a, b),
            _ => a.cmp(b),
        }
    }

    fn compare_all(&self, a: &[Value], b: &[Value]) -> Ordering {
        a.iter()
            .zip(b)
            .map(|(a, b)| self.compare(a, b))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| a.len().cmp(&b.len()))
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn rank(rich: &Rich) -> u8 {
    match rich {
        Rich::Text(_) => 0,
        Rich::Float(_) => 1,
        Rich::Term { .. } => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_structure_is_one_id_and_order_is_structural() {
        let table = RichTable::default();
        let b = table.text("b");
        let a = table.text("a");
        assert_eq!(b, table.text("b"));
        assert_eq!(table.len(), 2);
        assert_eq!(table.compare(&a, &b), Ordering::Less, "ids say otherwise");
        let ab = table.term("list", vec![a.clone(), b]);
        let aa = table.term("list", vec![a.clone(), a]);
        assert_eq!(table.compare(&aa, &ab), Ordering::Less);
        assert!(table.bytes() > 0);
    }

    /// Lists of each length, as a loop that appends makes them, and one that is like no other.
    #[test]
    fn long_terms_that_begin_alike_share_what_they_begin_with() {
        let numbers = |n: usize| (0..n).map(|i| Value::Int(i as i128)).collect::<Vec<_>>();
        let (grown, whole) = (RichTable::default(), RichTable::default());
        let lists: Vec<Value> = (0..500).map(|n| grown.term("list", numbers(n))).collect();
        for (n, list) in lists.iter().enumerate() {
            assert_eq!(*list, grown.term("list", numbers(n)), "length {n}");
            let other = grown.term("pair", numbers(n));
            assert_ne!(*list, other, "length {n}");
            let expected = whole.get(whole.term("list", numbers(n)).rich());
            assert_eq!(grown.get(list.rich()), expected, "length {n}");
            let mut changed = numbers(n);
            if let Some(last) = changed.last_mut() {
                *last = Value::Int(-1);
                assert_ne!(*list, grown.term("list", changed), "length {n}");
            }
        }
        assert_eq!(grown.len(), 500 + 500 + 499);
        let all = |table: &RichTable| table.bytes();
        let squared = 2 * 500 * 500 / 2 * size_of::<Value>();
        assert!(all(&grown) < squared / 3, "{} of {squared}", all(&grown));
    }

    #[test]
    fn values_are_replaced_wherever_they_stand() {
        let table = RichTable::default();
        let name = |n: i64| table.term("tool", vec![Value::Int(n.into())]);
        let pair = |a: i64, b: i64| table.term("pair", vec![name(a), name(b), Value::Int(1)]);
        let (from, to) = ([name(1), name(2)], [name(2), name(1)]);
        assert_eq!(table.replaced(&pair(1, 2), &from, &to), pair(2, 1));
        assert_eq!(table.replaced(&pair(1, 3), &from, &to), pair(2, 3));
        assert_eq!(table.replaced(&Value::Int(1), &from, &to), Value::Int(1));
    }
}
