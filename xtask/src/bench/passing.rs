//! How long a cache line takes from one processor to another.
//!
//! Two threads of a search pass on what they share, and so does each place in an index that one
//! wrote and the other looks at. Where both processors have a cache in common, that takes some forty
//! nanoseconds; where they have not, five times as long. Virtual processors are moved about
//! while they run, so the figure belongs beside each time that two threads took.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Passes there and back that are timed together, and how often that is done.
const TOGETHER: u32 = 1000;
const TIMES: u32 = 40;

/// A cache line, and the one beside it, which processors fetch along with it.
#[repr(align(128))]
struct Line(AtomicU32);

/// The least time of one pass, in nanoseconds.
pub(super) fn passing() -> f64 {
    let line = Line(AtomicU32::new(0));
    let wait_for = |value: u32| {
        while line.0.load(Ordering::Acquire) != value {
            spin_loop();
        }
    };
    let all = TOGETHER * TIMES;
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for pass in 0..all {
                wait_for(2 * pass + 1);
                line.0.store(2 * pass + 2, Ordering::Release);
            }
        });
        let mut least = f64::INFINITY;
        for time in 0..TIMES {
            let begin = Instant::now();
            for pass in time * TOGETHER..(time + 1) * TOGETHER {
                line.0.store(2 * pass + 1, Ordering::Release);
                wait_for(2 * pass + 2);
            }
            let each = begin.elapsed().as_secs_f64() / f64::from(2 * TOGETHER);
            least = least.min(each * 1e9);
        }
        least
    })
}
