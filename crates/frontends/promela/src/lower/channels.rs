//! Channels: made at the start, or with the process that declares them.
//!
//! Locals that hold new channels are given to an instance as parameters, by whoever starts it.

use model::{Channel, ChannelId, ChannelOwner, ExprId, GlobalId, Stmt, Type, Value, VariableKind};

use super::Lowering;

impl Lowering<'_> {
    fn declare_channel(
        &mut self,
        shape: usize,
        name: &str,
        from_start: bool,
        owner: Option<u32>,
    ) -> ChannelId {
        let shape = self.shapes[shape].clone();
        let fields = shape
            .fields
            .iter()
            .map(|&field| self.model_type(field, None))
            .collect();
        let id = self.program.add_channel(Channel {
            name: name.to_owned(),
            capacity: Some(shape.capacity),
            fields,
            from_start,
            owner,
        });
        for (field, names) in shape.names.iter().enumerate() {
            if let Some(names) = *names {
                let shown = &mut self.program.display.message_fields;
                shown.insert((id, field), names);
            }
        }
        id
    }

    /// A channel that exists from the start. All of these are declared before any other, so that
    /// their references are their positions. `owner` is the instance, by its position among those
    /// from the start, with which it goes away.
    pub(super) fn channel_from_start(
        &mut self,
        shape: usize,
        name: &str,
        owner: Option<u32>,
    ) -> ExprId {
        let id = self.declare_channel(shape, name, true, owner);
        let reference = Value::Int(i128::from(id.0) + 1);
        self.program.exprs.value(reference, Type::Channel)
    }

    /// The arguments beside the parameters for an instance that runs from the start.
    pub(super) fn given_at_start(&mut self, process: usize) -> Vec<ExprId> {
        let given = self.processes[process].given.clone();
        let owner = u32::try_from(self.program.start.len()).expect("few instances");
        let mut arguments = Vec::new();
        for local in given {
            let (variable, first) = self.given_first(process, local);
            let name = variable.name.to_string();
            let value = self.first_expr(
                &first,
                variable.ty,
                variable.length,
                &mut |lowering, shape| lowering.channel_from_start(shape, &name, Some(owner)),
            );
            arguments.push(value);
        }
        arguments
    }

    /// The same for an instance that is started at run time: statements that make the channels go
    /// before the one that starts it.
    pub(super) fn given_at_run(&mut self, process: usize, body: &mut Vec<Stmt>) -> Vec<ExprId> {
        let given = self.processes[process].given.clone();
        let mut arguments = Vec::new();
        for local in given {
            let (variable, first) = self.given_first(process, local);
            let name = variable.name.to_string();
            let mut element = 0;
            let value = self.first_expr(
                &first,
                variable.ty,
                variable.length,
                &mut |lowering, shape| {
                    let key = (process, local, element);
                    element += 1;
                    let (channel, place) = lowering.made_at_run(key, shape, &name);
                    let place = model::Place::global(place);
                    body.push(Stmt::NewChannel {
                        channel,
                        owner: ChannelOwner::Next,
                        result: place.clone(),
                    });
                    lowering.program.exprs.load(place, Type::Channel)
                },
            );
            arguments.push(value);
        }
        arguments
    }

    /// The channel, and a place for the reference to a new one, of an element of a local. They are
    /// the same wherever an instance is started: states may not differ in where that was.
    fn made_at_run(
        &mut self,
        key: (usize, usize, usize),
        shape: usize,
        name: &str,
    ) -> (ChannelId, GlobalId) {
        if let Some(&known) = self.channels_at_run.get(&key) {
            return known;
        }
        let channel = self.declare_channel(shape, name, false, None);
        let place = self.hidden_global(name, Type::Channel, VariableKind::Step);
        self.channels_at_run.insert(key, (channel, place));
        (channel, place)
    }
}
