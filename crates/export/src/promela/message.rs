//! What sends and receives do, alone and at a rendezvous.

use model::{Comm, Pattern};

use super::body::{Code, type_bounds};
use super::expr::Scope;
use super::moves::Moving;
use super::writer::Writer;

/// Sends, receives, or both.
pub(super) fn communicate(
    writer: &Writer<'_>,
    moving: &Moving,
    scopes: &[Scope<'_>],
    code: &mut Code,
) {
    let comms: Vec<&Comm> = moving
        .parts
        .iter()
        .filter_map(|part| writer.step_of(part).comm.as_ref())
        .collect();
    match comms.as_slice() {
        [
            Comm::Send {
                channel, message, ..
            },
            Comm::Receive { patterns, .. },
        ] => {
            let types = writer.field_types(*channel);
            let bound: Vec<usize> = (0..patterns.len())
                .filter(|&at| matches!(patterns[at], Pattern::Bind(_)))
                .collect();
            let mut values = Vec::new();
            for &at in &bound {
                let sent = writer.sent(scopes[0], message[at], types.get(at));
                let (lo, hi) = types
                    .get(at)
                    .map_or(writer.bounds(scopes[0], message[at]), type_bounds);
                let text = if bound.len() > 1 {
                    let name = writer.temporary(code);
                    code.line(format!("{name} = {};", sent.text));
                    name
                } else {
                    sent.text
                };
                values.push((text, (lo, hi)));
            }
            for (&at, (text, bounds)) in bound.iter().zip(&values) {
                if let Pattern::Bind(place) = &patterns[at] {
                    let ty = writer.place_type(scopes[1], place);
                    writer.store(code, scopes[1], place, &[], &ty, text, *bounds);
                }
            }
            if bound.len() > 1 {
                for (text, _) in &values {
                    code.line(format!("{text} = 0;"));
                }
            }
        }
        [
            Comm::Send {
                channel,
                message,
                sorted,
                lossy,
            },
        ] => {
            let types = writer.field_types(*channel);
            let mut fields = Vec::new();
            for (at, &field) in message.iter().enumerate() {
                let sent = writer.sent(scopes[0], field, types.get(at));
                writer.check_faults(code, scopes[0], &sent);
                fields.push(sent.text);
            }
            if fields.is_empty() {
                fields.push("0".into());
            }
            let operator = if *sorted { "!!" } else { "!" };
            writer.on_channel(code, scopes[0], *channel, |code, place| {
                let name = writer.channel_name(place);
                let send = format!("{name}{operator}{};", fields.join(", "));
                let id = writer.layout.channels[place];
                let capacity = writer.program.channels[id.index()].capacity.unwrap_or(0);
                if *lossy {
                    code.line("if");
                    code.line(format!(":: (len({name}) < {capacity}) -> {send}"));
                    code.line(":: else -> skip;");
                    code.line("fi;");
                } else {
                    code.line(send);
                }
            });
        }
        [
            Comm::Receive {
                channel,
                patterns,
                anywhere,
                keep,
            },
        ] => {
            let types = writer.field_types(*channel);
            let mut fields = Vec::new();
            let mut bound = Vec::new();
            for (at, pattern) in patterns.iter().enumerate() {
                fields.push(match pattern {
                    Pattern::Match(value) => {
                        format!("eval({})", writer.expr(scopes[0], *value).text)
                    }
                    Pattern::Any => "_".to_owned(),
                    Pattern::Bind(place) => {
                        let name = writer.temporary(code);
                        bound.push((place, name.clone(), at));
                        name
                    }
                });
            }
            if fields.is_empty() {
                fields.push("_".into());
            }
            let operator = if *anywhere { "??" } else { "?" };
            let fields = fields.join(", ");
            let fields = if *keep { format!("<{fields}>") } else { fields };
            writer.on_channel(code, scopes[0], *channel, |code, place| {
                code.line(format!("{}{operator}{fields};", writer.channel_name(place)));
            });
            for (place, name, at) in &bound {
                let ty = writer.place_type(scopes[0], place);
                let bounds = types
                    .get(*at)
                    .map_or((i128::from(i32::MIN), i128::from(i32::MAX)), type_bounds);
                writer.store(code, scopes[0], place, &[], &ty, name, bounds);
            }
            for (_, name, _) in &bound {
                code.line(format!("{name} = 0;"));
            }
        }
        _ => {}
    }
}

impl Writer<'_> {
    /// Does something with the channel that a reference names.
    fn on_channel(
        &self,
        code: &mut Code,
        scope: Scope<'_>,
        channel: model::ExprId,
        act: impl Fn(&mut Code, usize),
    ) {
        let reference = self.expr(scope, channel);
        if let Ok(number) = reference.text.parse::<usize>() {
            if (1..=self.layout.channels.len()).contains(&number) {
                act(code, number - 1);
            }
            return;
        }
        code.line("if");
        for place in 0..self.layout.channels.len() {
            code.line(format!(":: {} == {} ->", reference.text, place + 1));
            code.depth += 1;
            act(code, place);
            code.depth -= 1;
        }
        code.line("fi;");
    }
}
