//! Whether a stream gets colours.

use crate::command_line::Color;
use crate::system::{Stream, System};

/// Whether what goes to a stream is coloured.
pub(crate) fn use_color(wanted: Color, stream: Stream, system: &dyn System) -> bool {
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = system.variable("NO_COLOR").is_some_and(|v| !v.is_empty());
            system.is_terminal(stream) && !refused
        }
    }
}
