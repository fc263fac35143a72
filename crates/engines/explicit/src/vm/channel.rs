//! Channels that keep messages: a number of messages, and the messages, oldest first.
//!
//! Places behind the last message hold zeros, so that equal channels are equal slot by slot.

use crate::ir::instruction::ChannelSite;
use crate::ir::number::as_i64;

/// Work on a channel.
pub(crate) fn work(memory: &mut [i64; 65536], site: &ChannelSite) {
    match site {
        ChannelSite::Put {
            len,
            messages,
            width,
            message,
            sorted,
        } => {
            let count = usize::try_from(memory[usize::from(*len)]).expect("a length");
            let first = usize::from(*messages);
            let message = usize::from(*message);
            let mut at = count;
            if *sorted {
                at = (0..count)
                    .find(|place| {
                        let other = first + place * width;
                        memory[message..message + width] < memory[other..other + width]
                    })
                    .unwrap_or(count);
            }
            let (from, end) = (first + at * width, first + count * width);
            memory.copy_within(from..end, from + width);
            memory.copy_within(message..message + width, from);
            memory[usize::from(*len)] += 1;
        }
        ChannelSite::Find {
            len,
            messages,
            width,
            wanted,
            anywhere,
            d,
        } => {
            let count = usize::try_from(memory[usize::from(*len)]).expect("a length");
            let candidates = if *anywhere { count } else { count.min(1) };
            let found = (0..candidates).find(|place| {
                let message = usize::from(*messages) + place * width;
                wanted
                    .iter()
                    .all(|(field, slot)| memory[message + field] == memory[usize::from(*slot)])
            });
            memory[usize::from(*d)] = found.map_or(-1, as_i64);
        }
        ChannelSite::Take {
            len,
            messages,
            width,
            at,
            keep,
            message,
            zeros,
        } => {
            let count = usize::try_from(memory[usize::from(*len)]).expect("a length");
            let at = usize::try_from(memory[usize::from(*at)]).expect("a message was found");
            let first = usize::from(*messages) + at * width;
            memory.copy_within(first..first + width, usize::from(*message));
            if !keep {
                let end = usize::from(*messages) + count * width;
                memory.copy_within(first + width..end, first);
                memory[end - width..end].copy_from_slice(zeros);
                memory[usize::from(*len)] -= 1;
            }
        }
    }
}
