//! How a program is shown to people. Nothing here is part of what a program means: passes may drop
//! it, engines never look at it.

use std::collections::HashMap;

use crate::ids::{ChannelId, EnumId, EventId, GlobalId, ProcessId, RecordId};
use crate::picture::Picture;

/// What a story about a program's runs should look like, and names for numbers: a variable whose
/// type is a machine integer may still hold constants that have names (Promela's `mtype`). The
/// members of the enumeration are the names of the numbers from 0 on.
#[derive(Clone, Default, Debug)]
pub struct Display {
    /// Every step is told, by process and statement; otherwise events are.
    pub steps: bool,
    /// Names for the values of global variables.
    pub globals: HashMap<GlobalId, EnumId>,
    /// Names for the values of parameters and locals, by their position.
    pub locals: HashMap<(ProcessId, usize), EnumId>,
    /// Names for the values of record fields, by their position.
    pub record_fields: HashMap<(RecordId, usize), EnumId>,
    /// Names for the values of the fields of messages, by their position.
    pub message_fields: HashMap<(ChannelId, usize), EnumId>,
    /// Names for the arguments of events, by their position.
    pub arguments: HashMap<(EventId, usize), EnumId>,
    /// Properties that the author of a script without any might want to state, as they would stand
    /// in it.
    pub proposals: Vec<String>,
    /// The script as its author drew it.
    pub picture: Option<Picture>,
}
