//! Asks the system for large pages.
//!
//! The index is read all over the place. With pages of four kilobytes nearly every look at it
//! misses the buffers for address translation as well, and waits for a walk through the page
//! tables; with large ones it does not. On systems without them nothing happens.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "advice is given by address")
)]

use std::mem::MaybeUninit;

/// The size of a large page on the usual processors.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// Says that memory which nobody has touched yet had better lie in large pages.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_large<T>(memory: &mut [MaybeUninit<T>]) {
    advise(memory, nix::sys::mman::MmapAdvise::MADV_HUGEPAGE);
}

/// Gives memory back whose contents do not matter any more, and keeps the addresses.
#[cfg(target_os = "linux")]
pub(crate) fn give_back<T>(memory: &mut [MaybeUninit<T>]) {
    advise(memory, nix::sys::mman::MmapAdvise::MADV_DONTNEED);
}

/// Gives advice on the large pages that lie wholly inside memory.
#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut [MaybeUninit<T>], advice: nix::sys::mman::MmapAdvise) {
    let start = memory.as_mut_ptr().addr().next_multiple_of(PAGE);
    let end = (memory.as_mut_ptr_range().end.addr() / PAGE) * PAGE;
    if start >= end {
        return;
    }
    let address = memory.as_mut_ptr().map_addr(|_| start).cast();
    let Some(address) = std::ptr::NonNull::new(address) else {
        return;
    };
    // SAFETY: the range lies inside the memory, which is ours alone. Where it lies physically may
    // change, and what is in it, which is not initialized.
    let result = unsafe { nix::sys::mman::madvise(address, end - start, advice) };
    // A system that does not take the advice goes on as before.
    let _: nix::Result<()> = result;
}

/// Says that memory had better lie in large pages: not known how here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_large<T>(_memory: &mut [MaybeUninit<T>]) {}

/// Gives memory back: not known how here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn give_back<T>(_memory: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_ours_as_before() {
        for size in [0usize, 1, 1 << 16, 3 << 20] {
            let mut memory: Vec<u64> = vec![7; 10];
            memory.reserve_exact(size);
            prefer_large(memory.spare_capacity_mut());
            memory.resize(10 + size, 4);
            memory.truncate(10);
            give_back(memory.spare_capacity_mut());
            memory.resize(10 + size, 3);
            assert!(memory[..10].iter().all(|&n| n == 7));
            assert!(memory[10..].iter().all(|&n| n == 3));
        }
    }
}
