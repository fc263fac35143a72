//! Memory by the page: zeros from the system, in large pages where it has them.
//!
//! The index is read all over the place. With pages of four kilobytes nearly every look at it
//! misses the buffers for address translation as well, and waits for a walk through the page
//! tables; with large ones it does not. A page is found and zeroed when somebody first writes to
//! it, so threads that do so each to pages of their own do that side by side.

#![expect(unsafe_code, reason = "pages are given and taken by address")]

use std::alloc::{Layout, alloc_zeroed};
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

#[cfg(target_os = "linux")]
use nix::sys::mman::MmapAdvise;

/// The size of a large page on the usual processors.
pub(super) const PAGE: usize = 2 << 20;

/// Types of which all bits zero is a value.
///
/// # Safety
/// It has to be.
pub(crate) unsafe trait Zero {}

// SAFETY: numbers are zero then.
unsafe impl Zero for AtomicU8 {}
// SAFETY: the same.
unsafe impl Zero for AtomicU32 {}
// SAFETY: the same.
unsafe impl Zero for AtomicU64 {}
// SAFETY: each of them is.
unsafe impl<T: Zero, const N: usize> Zero for [T; N] {}

/// So many zeros, if there are addresses for them; memory is taken where they are first touched.
pub(crate) fn zeros<T: Zero>(count: usize) -> Option<Box<[T]>> {
    let layout = Layout::array::<T>(count).ok()?;
    if layout.size() == 0 {
        return Some(Box::new([]));
    }
    // SAFETY: the size is not zero.
    let start: *mut T = unsafe { alloc_zeroed(layout) }.cast();
    if start.is_null() {
        return None;
    }
    // SAFETY: there is room for so many here, and all bits zero is a value.
    let mut zeros = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(start, count)) };
    prefer_large(&mut zeros);
    Some(zeros)
}

/// What the system is told of memory.
#[derive(Clone, Copy)]
enum Advice {
    /// It had better lie in large pages.
    Large,
    /// What is there does not matter any more.
    Gone,
}

/// Says that memory which nobody has touched yet had better lie in large pages.
fn prefer_large<T>(memory: &mut [T]) {
    // SAFETY: where memory lies physically is nobody's business.
    unsafe { advise(memory, Advice::Large) }
}

/// Gives memory back and keeps the addresses: what is there from now on is what was, or zeros.
pub(crate) fn give_back<T: Zero>(memory: &mut [T]) {
    // SAFETY: zeros are values.
    unsafe { advise(memory, Advice::Gone) }
}

/// Gives advice on the large pages that lie wholly inside memory; not known how but on Linux.
///
/// # Safety
/// Whoever has the memory must be content with what the advice does to it.
unsafe fn advise<T>(memory: &mut [T], advice: Advice) {
    let start = memory.as_mut_ptr().addr().next_multiple_of(PAGE);
    let end = memory.as_mut_ptr_range().end.addr() / PAGE * PAGE;
    let address = memory.as_mut_ptr().map_addr(|_| start).cast();
    let Some(address) = ptr::NonNull::new(address).filter(|_| start < end) else {
        return;
    };
    #[cfg(target_os = "linux")]
    {
        let advice = match advice {
            Advice::Large => MmapAdvise::MADV_HUGEPAGE,
            Advice::Gone => MmapAdvise::MADV_DONTNEED,
        };
        // SAFETY: the range lies inside the memory; the rest is the caller's.
        let result = unsafe { nix::sys::mman::madvise(address, end - start, advice) };
        // A system that does not take the advice goes on as before.
        let _: nix::Result<()> = result;
    }
    #[cfg(not(target_os = "linux"))]
    let _: (ptr::NonNull<u8>, Advice) = (address, advice);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn zeros_are_ours_and_come_back() {
        for count in [0usize, 1, 1 << 14, 3 << 20] {
            let mut memory = zeros::<AtomicU32>(count).unwrap();
            assert_eq!(memory.len(), count);
            for cell in &memory {
                assert_eq!(cell.swap(7, Ordering::Relaxed), 0);
            }
            let kept = count / 10;
            give_back(&mut memory[kept..]);
            let (before, behind) = memory.split_at(kept);
            assert!(before.iter().all(|cell| cell.load(Ordering::Relaxed) == 7));
            for cell in behind {
                assert!([0, 7].contains(&cell.swap(3, Ordering::Relaxed)));
            }
            assert!(behind.iter().all(|cell| cell.load(Ordering::Relaxed) == 3));
        }
        assert!(zeros::<AtomicU64>(usize::MAX / 8).is_none());
    }
}
