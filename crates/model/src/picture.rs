//! What a program looks like to those who draw their scripts: boxes with pins, and lines between
//! pins. As the rest of [`Display`](crate::Display), it means nothing: it is where runs are shown.
//!
//! A run is brought to the picture by names. An event one of whose arguments prints as `box.pin`
//! is at that pin; a variable named as a box is the state of that box.

/// A drawn script.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Picture {
    /// The boxes.
    pub boxes: Vec<PictureBox>,
    /// The lines.
    pub lines: Vec<PictureLine>,
}

/// A box with pins.
#[derive(Clone, PartialEq, Debug)]
pub struct PictureBox {
    /// Its name in stories: unique.
    pub name: String,
    /// What is written on it.
    pub title: String,
    /// What sort of box it is, in small print.
    pub kind: String,
    /// The sheet that it is drawn on.
    pub sheet: String,
    /// Pins on its left.
    pub inputs: Vec<PicturePin>,
    /// Pins on its right.
    pub outputs: Vec<PicturePin>,
    /// Top left corner, y downwards; none if nobody has placed it.
    pub position: Option<(f64, f64)>,
    /// Whether it is a remark: it has no pins and nothing happens there.
    pub remark: bool,
    /// The variables that it writes.
    pub sets: Vec<String>,
}

/// A pin of a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PicturePin {
    /// Its name in stories: unique on its side of the box.
    pub name: String,
    /// What is written beside it.
    pub title: String,
    /// Whether values pass it; otherwise signals.
    pub data: bool,
}

/// A line from a pin on the right of a box to one on the left of a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PictureLine {
    /// The box that it leaves, by its position.
    pub from: usize,
    /// The pin that it leaves, by its position.
    pub output: usize,
    /// The box that it enters, by its position.
    pub to: usize,
    /// The pin that it enters, by its position.
    pub input: usize,
}
