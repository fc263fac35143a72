//! Symmetry between [names](model::Alike): one state for all that differ in who has which.
//!
//! Of the states that exchanges of names lead to, the one whose words are least is stored. Names are
//! few, so all their orders are tried: values are renamed (each once, then it is known), elements of
//! arrays that belong to names change places with them, and then the instances that are alike are
//! sorted, each by its location, its variables and its elements. Instances that are gone come last:
//! which of several free numbers is free makes no difference.

use std::sync::Arc;

use model::{Program, RichId, RichTable, Type, Value};

use crate::ir::layout::{GONE, Layout, Own, size};
use crate::store::hash::FACTOR;
use crate::store::packing::{Field, Packing};

/// The most orders of names that are tried.
const MOST: usize = 24;
/// A value that has not been renamed yet.
const UNKNOWN: i64 = i64::MIN;
/// Renamed words that are remembered for each word of a state (two to this power).
const WORDS: u32 = 8;

/// How names change places.
#[derive(Clone, Debug)]
pub(crate) struct Renaming {
    rich: Arc<RichTable>,
    orders: Vec<Order>,
    /// What holds rich values, by the words it stands in.
    renamed: Vec<Word>,
    /// Instances that are alike: location, variables, elements.
    instance_slots: Vec<Vec<Field>>,
    /// The state under one order, the least so far, and the instance slots' values.
    scratch: Vec<u64>,
    best: Vec<u64>,
    values: Vec<(bool, Vec<i64>)>,
}

/// The rich values in a word of the state.
#[derive(Clone, Debug)]
struct Word {
    at: usize,
    mask: u64,
    fields: Vec<Field>,
}

/// An order of the names.
#[derive(Clone, Debug)]
struct Order {
    from: Vec<Value>,
    to: Vec<Value>,
    /// Which fields get the values of which.
    moved: Vec<(Field, Field)>,
    /// What rich values become, by their ids.
    known: Vec<i64>,
    /// What words become, for each word of the state that holds rich values: some bits with what
    /// they become.
    words: Vec<Vec<(u64, u64)>>,
}

impl Renaming {
    /// Nothing if nothing is alike, or not everything of it is where it can be exchanged.
    pub(crate) fn of(program: &Program, layout: &Layout, packing: &Packing) -> Option<Renaming> {
        let alike = program.alike.as_ref()?;
        let place = Places {
            program,
            layout,
            packing,
        };
        // Messages would have to be renamed, too.
        if layout.places.iter().any(|place| place.present.is_some())
            || layout
                .channels
                .iter()
                .any(|channel| channel.width > 0 && channel.capacity > 0)
        {
            return None;
        }
        let mut renamed = Vec::new();
        for (number, global) in program.globals.iter().enumerate() {
            place.rich_fields(layout.globals[number], &global.ty, &mut renamed)?;
        }
        for instance_slot in &layout.instances {
            let process = &program.processes[instance_slot.process.index()];
            for (own, local) in instance_slot.own.iter().zip(&process.locals) {
                match own {
                    Own::Slots(first) => place.rich_fields(*first, &local.ty, &mut renamed)?,
                    // The same for all states: it must not be a name.
                    Own::Always(values) => {
                        let names = alike.names.iter().flat_map(|names| &names.values);
                        let is_name = |value: &i64| {
                            let mut names = names.clone();
                            local.ty == Type::Rich
                                && names.any(|name| i64::from(name.rich().0) == *value)
                        };
                        if values.iter().any(is_name) {
                            return None;
                        }
                    }
                }
            }
        }
        // Instance slots that share their slots name them twice.
        renamed.sort_by_key(|field| field.slot);
        renamed.dedup_by_key(|field| field.slot);
        let instance_slots = match &alike.instances {
            Some((process, arrays)) => place.instance_slots(*process, arrays)?,
            None => Vec::new(),
        };
        let orders = place.orders(alike)?;
        if orders.len() < 2 && instance_slots.len() < 2 {
            return None;
        }
        let words = packing.words;
        Some(Renaming {
            rich: Arc::clone(&program.rich),
            orders,
            renamed: Word::all(&renamed, words),
            instance_slots,
            scratch: Vec::new(),
            best: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Puts the least state that exchanges lead to in the place of a state.
    pub(crate) fn least(&mut self, stored: &mut [u64]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.best.clear();
        for number in 0..self.orders.len() {
            scratch.clear();
            scratch.extend_from_slice(stored);
            if number > 0 {
                self.rename(number, stored, &mut scratch);
            }
            self.sort_instance_slots(&mut scratch);
            if self.best.is_empty() || scratch < self.best {
                self.best.clone_from(&scratch);
            }
        }
        stored.copy_from_slice(&self.best);
        self.scratch = scratch;
    }

    fn rename(&mut self, number: usize, stored: &[u64], to: &mut [u64]) {
        let order = &mut self.orders[number];
        for (from, into) in &order.moved {
            into.set(to, from.get(stored));
        }
        order.words.resize_with(self.renamed.len(), Vec::new);
        for (place, word) in self.renamed.iter().enumerate() {
            let bits = to[word.at] & word.mask;
            let known = order.words[place].get(Word::place(bits));
            if let Some(&(_, becomes)) = known.filter(|known| known.0 == bits) {
                to[word.at] = to[word.at] & !word.mask | becomes;
                continue;
            }
            for field in &word.fields {
                let value = field.get(to);
                field.set(to, order.of(value, &self.rich));
            }
            let becomes = to[word.at] & word.mask;
            let table = &mut order.words[place];
            if table.is_empty() {
                *table = vec![(bits, becomes); 1 << WORDS];
            }
            table[Word::place(bits)] = (bits, becomes);
        }
    }

    fn sort_instance_slots(&mut self, state: &mut [u64]) {
        if self.instance_slots.len() < 2 {
            return;
        }
        let gone = i64::try_from(GONE).expect("a small number");
        let sorted = self.instance_slots.is_sorted_by(|one, next| {
            let is_gone = |instance_slot: &[Field]| instance_slot[0].get(state) == gone;
            let mut pairs = one
                .iter()
                .zip(next)
                .map(|(a, b)| (a.get(state), b.get(state)));
            let mut of_values = || pairs.find(|(a, b)| a != b).is_none_or(|(a, b)| a < b);
            match (is_gone(one), is_gone(next)) {
                (false, true) => true,
                (true, false) => false,
                _ => of_values(),
            }
        });
        if sorted {
            return;
        }
        self.values
            .resize(self.instance_slots.len(), (false, Vec::new()));
        for (instance_slot, (is_gone, values)) in self.instance_slots.iter().zip(&mut self.values) {
            values.clear();
            values.extend(instance_slot.iter().map(|field| field.get(state)));
            *is_gone = values[0] == gone;
        }
        self.values.sort_unstable();
        for (instance_slot, (_, values)) in self.instance_slots.iter().zip(&self.values) {
            for (field, &value) in instance_slot.iter().zip(values) {
                field.set(state, value);
            }
        }
    }
}

impl Word {
    /// The words of a state with so many that fields stand in.
    fn all(fields: &[Field], words: usize) -> Vec<Word> {
        let word = |at: usize| {
            let mut masks = vec![0; words];
            let fields = fields.iter().filter(|field| field.word() == at).copied();
            let fields: Vec<Field> = fields.collect();
            fields.iter().for_each(|field| field.cover(&mut masks));
            Word {
                at,
                mask: masks[at],
                fields,
            }
        };
        let all = (0..words).map(word);
        all.filter(|word| word.mask != 0).collect()
    }

    /// The place of bits in the table of what they become.
    #[inline]
    fn place(bits: u64) -> usize {
        let mixed = (bits ^ bits >> 32).wrapping_mul(FACTOR);
        (mixed >> (64 - WORDS)) as usize
    }
}

impl Order {
    /// What a rich value becomes.
    fn of(&mut self, id: i64, rich: &RichTable) -> i64 {
        let place = usize::try_from(id).expect("ids are not negative");
        if place >= self.known.len() {
            self.known.resize(place + 1, UNKNOWN);
        }
        if self.known[place] == UNKNOWN {
            let number = u32::try_from(id).expect("ids have 32 bits");
            let value = rich.replaced(&Value::Rich(RichId(number)), &self.from, &self.to);
            self.known[place] = i64::from(value.rich().0);
        }
        self.known[place]
    }
}

struct Places<'p> {
    program: &'p Program,
    layout: &'p Layout,
    packing: &'p Packing,
}

impl Places<'_> {
    fn field(&self, slot: usize) -> Option<Field> {
        let mut fields = self.packing.fields().iter();
        fields
            .find(|field| usize::from(field.slot) == slot)
            .copied()
    }

    /// The stored fields of rich values in a variable; nothing if they stand where they cannot be found.
    fn rich_fields(&self, first: usize, ty: &Type, out: &mut Vec<Field>) -> Option<()> {
        match ty {
            Type::Rich => {
                out.extend(self.field(first));
                Some(())
            }
            Type::Array(item, length) => {
                let width = size(self.program, item).ok()?;
                (0..*length as usize)
                    .try_for_each(|at| self.rich_fields(first + at * width, item, out))
            }
            Type::Record(_) | Type::Instance => None,
            _ => Some(()),
        }
    }

    /// The fields of an element of an array; those that are not stored have their slots' first values.
    fn element(&self, array: model::GlobalId, at: usize) -> Option<Vec<Result<Field, i64>>> {
        let Type::Array(item, length) = &self.program.globals[array.index()].ty else {
            return None;
        };
        let width = size(self.program, item).ok()?;
        let first = self.layout.globals[array.index()] + at * width;
        (at < *length as usize).then(|| {
            (first..first + width)
                .map(|slot| self.field(slot).ok_or(self.packing.base[slot]))
                .collect()
        })
    }

    /// The instances that are alike.
    fn instance_slots(
        &self,
        process: model::ProcessId,
        arrays: &[model::GlobalId],
    ) -> Option<Vec<Vec<Field>>> {
        let all = &self.layout.instances;
        let mut instance_slots: Vec<Vec<Field>> = Vec::new();
        // What is not stored must be the same for all.
        let mut same: Option<Vec<Option<i64>>> = None;
        for instance_slot in all
            .iter()
            .filter(|instance_slot| instance_slot.process == process)
        {
            if self.program.start.len() > instance_slot.number
                || all
                    .iter()
                    .filter(|other| other.number == instance_slot.number)
                    .count()
                    > 1
            {
                return None;
            }
            let mut parts: Vec<Result<Field, i64>> = Vec::new();
            for (own, local) in instance_slot
                .own
                .iter()
                .zip(&self.program.processes[process.index()].locals)
            {
                match own {
                    Own::Slots(first) => {
                        let slots = *first..first + size(self.program, &local.ty).ok()?;
                        parts.extend(
                            slots.map(|slot| self.field(slot).ok_or(self.packing.base[slot])),
                        );
                    }
                    Own::Always(values) => parts.extend(values.iter().map(|value| Err(*value))),
                }
            }
            for &array in arrays {
                parts.extend(self.element(array, instance_slot.number)?);
            }
            let constants: Vec<Option<i64>> = parts.iter().map(|part| part.err()).collect();
            if *same.get_or_insert_with(|| constants.clone()) != constants {
                return None;
            }
            let mut fields = vec![self.field(instance_slot.location)?];
            fields.extend(parts.into_iter().filter_map(Result::ok));
            instance_slots.push(fields);
        }
        let alike = instance_slots.windows(2).all(|two| {
            let mut pairs = two[0].iter().zip(&two[1]);
            two[0].len() == two[1].len() && pairs.all(|(a, b)| a.is_like(*b))
        });
        // Codes of locations are the same only where nobody else has the number.
        let bases_alike = {
            let mut bases = all
                .iter()
                .filter(|instance_slot| instance_slot.process == process);
            let first = bases.next().map(|instance_slot| instance_slot.base);
            bases.all(|instance_slot| Some(instance_slot.base) == first)
        };
        (alike && bases_alike).then_some(instance_slots)
    }

    /// All orders of the names, as they are first.
    fn orders(&self, alike: &model::Alike) -> Option<Vec<Order>> {
        let mut orders = vec![Order {
            from: Vec::new(),
            to: Vec::new(),
            moved: Vec::new(),
            known: Vec::new(),
            words: Vec::new(),
        }];
        for names in &alike.names {
            let count = names.values.len();
            let elements: Option<Vec<Vec<Result<Field, i64>>>> = (0..count)
                .map(|name| {
                    let mut all = Vec::new();
                    for &(array, first) in &names.arrays {
                        all.extend(self.element(array, first as usize + name)?);
                    }
                    Some(all)
                })
                .collect();
            let elements = elements?;
            let alike = elements.windows(2).all(|two| {
                two[0].iter().zip(&two[1]).all(|pair| match pair {
                    (Ok(a), Ok(b)) => a.is_like(*b),
                    (Err(a), Err(b)) => a == b,
                    _ => false,
                })
            });
            if !alike {
                return None;
            }
            let mut more = Vec::new();
            for order in &orders {
                for places in permutations(count) {
                    let mut order = order.clone();
                    for (name, &place) in places.iter().enumerate() {
                        order.from.push(names.values[name].clone());
                        order.to.push(names.values[place].clone());
                        let pairs = elements[name].iter().zip(&elements[place]);
                        order.moved.extend(pairs.filter_map(|pair| match pair {
                            (Ok(from), Ok(to)) if name != place => Some((*from, *to)),
                            _ => None,
                        }));
                    }
                    more.push(order);
                }
            }
            if more.len() > MOST {
                return None;
            }
            orders = more;
        }
        Some(orders)
    }
}

/// All orders of so many things; as they are first.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations(count - 1) {
        for at in (0..count).rev() {
            let mut longer = shorter.clone();
            longer.insert(at, count - 1);
            all.push(longer);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::permutations;

    #[test]
    fn all_orders_and_the_given_one_first() {
        assert_eq!(permutations(0), [vec![]]);
        assert_eq!(permutations(2), [vec![0, 1], vec![1, 0]]);
        let mut three = permutations(3);
        assert_eq!(three[0], [0, 1, 2]);
        three.sort();
        three.dedup();
        assert_eq!(three.len(), 6);
    }
}
