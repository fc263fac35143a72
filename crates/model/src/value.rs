//! Values, and the table of rich ones.
//!
//! Rich data (text, floating point, lists, terms) is *interned*: a 32-bit id into a hash-consed
//! table, so that equality is one comparison and a state stays flat. Ids depend on the order of
//! interning and never decide anything: [`RichTable::compare`] orders by structure.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashTable;
use rapidhash::fast::RandomState;

use crate::ids::ProcedureId;

/// A value of some [`Type`](crate::Type).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number of any integer type, the position of an enumeration's member, a channel
    /// reference or an instance number.
    Int(i128),
    /// An interned value.
    Rich(RichId),
    /// A pointer.
    Pointer(Pointer),
    /// A procedure.
    Procedure(ProcedureId),
    /// The elements of an array or the fields of a record.
    Tuple(Box<[Value]>),
}

impl Value {
    /// Whether this is `true`.
    ///
    /// # Panics
    /// If it is not a truth value, which the types rule out.
    #[must_use]
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("internal error: {other:?} is not a truth value"),
        }
    }

    /// The number.
    ///
    /// # Panics
    /// If it is neither a number nor a truth value, which the types rule out.
    #[must_use]
    pub fn number(&self) -> i128 {
        match self {
            Value::Int(n) => *n,
            Value::Bool(b) => i128::from(*b),
            other => panic!("internal error: {other:?} is not a number"),
        }
    }

    /// The id of a rich value.
    ///
    /// # Panics
    /// If it is not one, which the types rule out.
    #[must_use]
    pub fn rich(&self) -> RichId {
        match self {
            Value::Rich(id) => *id,
            other => panic!("internal error: {other:?} is not a rich value"),
        }
    }
}

/// A pointer: nothing, something that is gone, or a cell of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pointer {
    /// Points nowhere.
    Null,
    /// Pointed to an object that has been freed.
    Dangling,
    /// A cell of a living object.
    Cell {
        /// The object's place in the heap.
        object: u32,
        /// The cell's offset; one past the end is a legal value, not a legal place.
        offset: u32,
    },
}

/// The id of an interned value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RichId(pub u32);

/// The structure of an interned value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rich {
    /// Text.
    Text(Box<str>),
    /// A double, by its bits, so that equality is identity (`-0.0` is not `0.0`; what a
    /// language's `==` says is that language's function).
    Float(u64),
    /// A functor and its arguments: lists, vectors, keys, and named unknowns are all terms.
    Term {
        /// What is built.
        functor: Box<str>,
        /// From what.
        args: Box<[Value]>,
    },
}

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
    rich: Arc<Rich>,
}

impl Inner {
    fn find(&self, hash: u64, rich: &Rich) -> Option<RichId> {
        let is_it = |id: &RichId| {
            let item = &self.items[id.0 as usize];
            item.hash == hash && *item.rich == *rich
        };
        self.ids.find(hash, is_it).copied()
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
        let hash = self.hasher.hash_one(&rich);
        if let Some(id) = self.read().find(hash, &rich) {
            return id;
        }
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = inner.find(hash, &rich) {
            return id;
        }
        let id = RichId(u32::try_from(inner.items.len()).expect("fewer than 2^32 rich values"));
        inner.bytes += size_of::<Rich>()
            + 48
            + match &rich {
                Rich::Text(text) => text.len(),
                Rich::Float(_) => 0,
                Rich::Term { functor, args } => functor.len() + size_of_val::<[Value]>(args),
            };
        let Inner { ids, items, .. } = &mut *inner;
        items.push(Item {
            hash,
            rich: Arc::new(rich),
        });
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
        Arc::clone(&self.read().items[id.0 as usize].rich)
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
