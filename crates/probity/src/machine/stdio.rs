//! Whether the program was started without a standard output.
//!
//! Before `main`, the standard library opens `/dev/null` in place of standard streams that are
//! closed, so that no file that is opened later takes their place. What is written there is lost
//! without an error, so it has to be seen even earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the program was started.
pub(super) fn was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "nothing of the standard library runs before `main`"
)]
mod early {
    use super::{CLOSED, Ordering};

    unsafe extern "C" {
        fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    }

    /// `F_GETFD`: the flags of a descriptor, or an error if it is closed.
    const GET_FLAGS: i32 = 1;

    extern "C" fn look() {
        // SAFETY: asks the system about a number, whatever it stands for.
        let flags = unsafe { fcntl(1, GET_FLAGS) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the linker's table of functions to be called before `main`; this one needs nothing
    // that is only there later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}
