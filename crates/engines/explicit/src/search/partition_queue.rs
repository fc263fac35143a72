//! Mail between threads of which each owns a part of a table.
//!
//! What only its owner changes needs no locked instructions, which wait for memory one after the
//! other where plain ones wait side by side. Whoever comes to an entry that is another's writes it
//! down, and sends many together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::search::crew::lock;

/// Messages that are sent together.
const TOGETHER: usize = 1 << 11;

/// The queues of some threads.
#[derive(Debug)]
pub(crate) struct PartitionQueues<T> {
    boxes: Vec<Mutex<Vec<Vec<T>>>>,
    /// Threads that are at their own work, and letters that nobody has dealt with to the end.
    open: AtomicUsize,
}

impl<T> PartitionQueues<T> {
    /// The queues of so many threads, all at their own work.
    pub(crate) fn new(threads: usize) -> Self {
        PartitionQueues {
            boxes: (0..threads).map(|_| Mutex::default()).collect(),
            open: AtomicUsize::new(threads),
        }
    }

    /// The ends of queues of a thread.
    pub(crate) fn ends_of_queues(&self, number: usize) -> QueueEnds<'_, T> {
        QueueEnds {
            queues: self,
            number,
            letters: self.boxes.iter().map(|_| Vec::new()).collect(),
        }
    }
}

/// Where a thread writes and reads.
#[derive(Debug)]
pub(crate) struct QueueEnds<'m, T> {
    queues: &'m PartitionQueues<T>,
    number: usize,
    /// To each thread what has not been sent yet.
    letters: Vec<Vec<T>>,
}

impl<T> QueueEnds<'_, T> {
    /// Writes to a thread.
    #[inline]
    pub(crate) fn write(&mut self, to: usize, message: T) {
        let letter = &mut self.letters[to];
        letter.push(message);
        if letter.len() == TOGETHER {
            self.send(to);
        }
    }

    fn send(&mut self, to: usize) {
        let letter = std::mem::take(&mut self.letters[to]);
        if !letter.is_empty() {
            self.queues.open.fetch_add(1, Ordering::Relaxed);
            lock(&self.queues.boxes[to]).push(letter);
        }
    }

    /// The next letter; [`QueueEnds::dealt`] is to be said when it has been dealt with.
    pub(crate) fn receive(&self) -> Option<Vec<T>> {
        lock(&self.queues.boxes[self.number]).pop()
    }

    /// A letter, or a thread's own work, has been dealt with: what follows from it is sent.
    pub(crate) fn dealt(&mut self) {
        for to in 0..self.letters.len() {
            self.send(to);
        }
        self.queues.open.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether nobody has anything to do any more.
    pub(crate) fn is_over(&self) -> bool {
        self.queues.open.load(Ordering::Acquire) == 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn all_is_dealt_with_before_it_is_over() {
        // Each number above zero is passed on twice, one less, to whoever comes next.
        const THREADS: usize = 3;
        let queues = PartitionQueues::new(THREADS);
        let dealt_with = AtomicU64::new(0);
        let work = |number: usize| {
            let mut ends_of_queues = queues.ends_of_queues(number);
            ends_of_queues.write((number + 1) % THREADS, 14u32);
            ends_of_queues.dealt();
            while !ends_of_queues.is_over() {
                let Some(letter) = ends_of_queues.receive() else {
                    std::thread::yield_now();
                    continue;
                };
                for message in letter {
                    dealt_with.fetch_add(1, Ordering::Relaxed);
                    for _ in 0..if message > 0 { 2 } else { 0 } {
                        ends_of_queues.write((number + 1) % THREADS, message - 1);
                    }
                }
                ends_of_queues.dealt();
            }
        };
        crate::search::crew::together(THREADS, work);
        assert_eq!(dealt_with.into_inner(), 3 * ((1 << 15) - 1));
    }
}
