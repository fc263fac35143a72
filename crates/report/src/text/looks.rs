//! How the text looks: options, widths and styles.

use anstyle::{AnsiColor, Style};

/// How the text is to look.
#[derive(Clone, Copy, Default, Debug)]
pub struct TextOptions {
    /// Tells every step, not only what matters, and what proves a property.
    pub verbose: bool,
    /// Tells only what fails.
    pub quiet: bool,
    /// Uses colours.
    pub color: bool,
    /// Shows what the passes did.
    pub explain_passes: bool,
}

/// The width of the column of processes in a story told by them.
pub(super) const WHO_WIDTH: usize = 14;
/// The width of the column of places in such a story.
pub(super) const PLACE_WIDTH: usize = 16;
/// The column where the lines of the script stand in a story.
pub(super) const LINE_COLUMN: usize = 52;
/// Longer lines of prose are wrapped.
pub(super) const WIDEST_PROSE: usize = 100;
/// Longer statements, with what is said of them, are cut.
pub(super) const LONGEST_DEED: usize = 100;
/// Longer lines of the script are cut.
pub(super) const LONGEST_SOURCE: usize = 72;
/// More names than this are not aligned to the longest.
pub(super) const WIDEST_NAME: usize = 34;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();

/// Text in a style, where colours are wanted.
pub(super) fn styled(options: TextOptions, style: Style, text: &str) -> String {
    if options.color && !text.is_empty() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}
