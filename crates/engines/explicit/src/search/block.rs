//! Blocks of states that workers take one by one.

use std::ops::Range;
use std::sync::Arc;

use crate::store::Store;

/// The most states of a block.
pub(crate) const MOST: u32 = 256;
/// States that one worker expands one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) ids: Range<u32>,
    /// The states, if the store does not keep them, and which of them is the first.
    pub(crate) states: Option<(Arc<Vec<u64>>, usize)>,
}

impl Block {
    pub(crate) fn new(ids: Range<u32>) -> Self {
        Block { ids, states: None }
    }

    pub(crate) fn len(&self) -> u32 {
        self.ids.end - self.ids.start
    }

    /// Some states of the block, by their places in it.
    pub(crate) fn part(&self, places: Range<u32>) -> Block {
        let states = self.states.as_ref().map(|(states, first)| {
            let skipped = usize::try_from(places.start).expect("a place in memory");
            (Arc::clone(states), first + skipped)
        });
        Block {
            ids: self.ids.start + places.start..self.ids.start + places.end,
            states,
        }
    }

    /// The states.
    pub(crate) fn read(&self, store: &Store, width: usize, states: &mut Vec<u64>) {
        states.clear();
        match &self.states {
            None => store.read_all(self.ids.clone(), states),
            Some((all, first)) => {
                states.extend_from_slice(&all[first * width..][..self.ids.len() * width]);
            }
        }
    }
}

/// How many states there are in blocks.
pub(crate) fn count(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| u64::from(block.len())).sum()
}

/// Cuts blocks so that each of so many workers gets several.
pub(crate) fn cut(blocks: Vec<Block>, workers: usize) -> Vec<Block> {
    let share = count(&blocks) / (workers as u64 * 8);
    let most = u32::try_from(share).unwrap_or(MOST).clamp(1, MOST);
    let most = if workers == 1 { MOST } else { most };
    let mut cut = Vec::new();
    for block in blocks {
        if block.len() <= most {
            cut.push(block);
            continue;
        }
        let mut start = 0;
        while start < block.len() {
            let end = (start + most).min(block.len());
            cut.push(block.part(start..end));
            start = end;
        }
    }
    cut
}

/// Divides blocks into so many parts that follow each other, with about as many states in each.
pub(crate) fn divide(blocks: &[Block], parts: usize) -> impl Iterator<Item = Range<usize>> {
    let all = count(blocks);
    let (mut end, mut states) = (0, 0);
    (1..=parts as u64).map(move |number| {
        let start = end;
        while let Some(block) = blocks.get(end)
            && states < all * number / parts as u64
        {
            states += u64::from(block.len());
            end += 1;
        }
        start..end
    })
}
