//! Channels by the names that the script has for them, and what is in them.
//!
//! A channel is a reference, and several variables may hold it. It is called after the first of
//! these: a global variable, or a variable of the process with the least number.

use model::interp::{Queue, State};
use model::{ChannelId, Program, Type, Value};

use crate::printed::named_value_text;

/// What a channel is called in a state.
pub(crate) fn channel_name(program: &Program, state: &State, reference: i128) -> String {
    for (variable, value) in program.globals.iter().zip(state.globals.iter()) {
        if variable.name.starts_with('$') {
            continue;
        }
        if let Some(path) = path_to(program, &variable.ty, value, reference) {
            return format!("{}{path}", variable.name);
        }
    }
    for (number, instance) in state.living() {
        let process = &program.processes[instance.process.index()];
        let frame = state.frames.get(instance.frame).and_then(Option::as_ref);
        for (variable, value) in process.locals.iter().zip(frame.into_iter().flatten()) {
            if let Some(path) = path_to(program, &variable.ty, value, reference) {
                return format!("{}[{number}]:{}{path}", process.name, variable.name);
            }
        }
    }
    format!("channel {reference}")
}

/// Where in a value a channel is, as it is written behind the variable's name.
fn path_to(program: &Program, ty: &Type, value: &Value, reference: i128) -> Option<String> {
    match (ty, value) {
        (Type::Channel, Value::Int(number)) => (*number == reference).then(String::new),
        (Type::Array(item, _), Value::Tuple(items)) if holds_channels(program, item) => {
            items.iter().enumerate().find_map(|(index, part)| {
                let path = path_to(program, item, part, reference)?;
                Some(format!("[{index}]{path}"))
            })
        }
        (Type::Record(id), Value::Tuple(items)) => {
            let fields = &program.records[id.index()].fields;
            fields
                .iter()
                .zip(items.iter())
                .find_map(|((name, ty), part)| {
                    let path = path_to(program, ty, part, reference)?;
                    Some(format!(".{name}{path}"))
                })
        }
        _ => None,
    }
}

fn holds_channels(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Channel => true,
        Type::Array(item, _) => holds_channels(program, item),
        Type::Record(id) => {
            let fields = &program.records[id.index()].fields;
            fields.iter().any(|(_, ty)| holds_channels(program, ty))
        }
        _ => false,
    }
}

/// A message, its fields separated by commas.
pub(crate) fn message_text(
    program: &Program,
    state: &State,
    channel: ChannelId,
    message: &[Value],
) -> String {
    let types = &program.channels[channel.index()].fields;
    let fields: Vec<String> = message
        .iter()
        .zip(types)
        .enumerate()
        .map(|(index, (value, ty))| {
            if let (Type::Channel, Value::Int(reference)) = (ty, value)
                && *reference != 0
            {
                return channel_name(program, state, *reference);
            }
            let shown = &program.display.message_fields;
            let names = shown.get(&(channel, index)).copied();
            named_value_text(program, ty, names, value)
        })
        .collect();
    fields.join(",")
}

/// What is in a channel, oldest first.
pub(crate) fn contents(program: &Program, state: &State, queue: &Queue) -> String {
    if queue.messages.is_empty() {
        return "empty".to_owned();
    }
    let messages: Vec<String> = queue
        .messages
        .iter()
        .map(|message| format!("[{}]", message_text(program, state, queue.channel, message)))
        .collect();
    messages.join(" ")
}
