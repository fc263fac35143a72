//! Programs as Promela models with the same verdicts.
//!
//! SPIN's processes interleave, and so do a program's instances; but what is indivisible, what
//! takes precedence over what, and when a property looks differ. So the model is one Promela
//! process that makes one move of the program after another. Each instance has a program counter
//! of its own (`at_...`); each option of the one loop is a move: an instance's step, or two at a
//! rendezvous. What the interpreter asks before a move stands in the option's guard; what happens
//! is one `d_step`, or an `atomic` if it leaves something open. SPIN's partial-order reduction has
//! nothing to do then; the passes have done its work before.

mod body;
mod expr;
mod header;
mod layout;
mod message;
mod model_text;
mod moves;
mod operators;
mod option;
mod place;
mod property;
mod range;
mod table;
mod values;
mod walk;
mod words;
mod writer;

use model::interp::Interp;
use model::{Composition, Mode, Program, PropertyId, Value};
use passes::Selection;
use source::{Diagnostic, SourceMap, Span};

use crate::codes;

/// More first states than this are too many to write down.
const MOST_INITIAL: usize = 4_096;

/// What the translation is told.
pub struct Options<'a> {
    /// The passes that make the program smaller first.
    pub passes: Selection,
    /// The texts that the program came from, for comments.
    pub sources: &'a SourceMap,
    /// How values are shown in comments.
    pub show: &'a dyn Fn(&Program, &Value) -> String,
    /// The file's name, for the header.
    pub file: String,
}

/// A Promela model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its text.
    pub text: String,
    /// The properties that it states, and the names of their claims.
    pub claims: Vec<(PropertyId, String)>,
    /// The properties that it does not state, and why.
    pub left_out: Vec<(PropertyId, String)>,
}

/// Translates a program for some of its properties.
///
/// # Errors
/// What of the program cannot be said in Promela.
pub fn promela(
    program: &Program,
    properties: &[PropertyId],
    options: &Options<'_>,
) -> Result<Model, Vec<Diagnostic>> {
    let refuse = |code, text: &str| Err(vec![Diagnostic::error(code, text).at(Span::NONE)]);
    if !matches!(program.composition, Composition::Interleaving { .. }) {
        return refuse(
            codes::CONSTRUCT,
            "cannot be said in Promela: all variables changing at once",
        );
    }
    if !program.state_constraint.is_empty() {
        return refuse(
            codes::CONSTRUCT,
            "cannot be said in Promela: states that do not exist",
        );
    }
    let mut separated = program.clone();
    property::separate_assumptions(&mut separated, properties);
    let reduced = passes::pipeline(&separated, properties, &options.passes).program;
    let initial = match Interp::new(&reduced).initial() {
        Ok(initial) if initial.len() > MOST_INITIAL => {
            return refuse(
                codes::INFINITE,
                "cannot be said in Promela: too many first states",
            );
        }
        Ok(initial) if initial.is_empty() => {
            return refuse(
                codes::CONSTRUCT,
                "cannot be said in Promela: a program without a first state",
            );
        }
        Ok(initial) => initial
            .into_iter()
            .map(|(_, state)| state)
            .collect::<Vec<_>>(),
        Err(_) => {
            return refuse(
                codes::INFINITE,
                "cannot be said in Promela: a first value beyond 128 bits",
            );
        }
    };
    let layout = layout::Layout::new(&reduced, &initial);
    let mut writer = writer::Writer::new(&reduced, layout);
    let late = initial.len() > 1;
    let inner = (0..writer.layout.slots.len()).any(|slot| {
        let modes = [Mode::Atomic, Mode::Region];
        !writer.layout.locations_of(slot, &modes).is_empty()
    });
    let inside = inner || late || walk::may_cut(&reduced);
    let plan = property::Plan::of(&reduced, properties, inside);
    writer.inside.set(inside || plan.has_claims());
    writer.check_flags = plan.checks.iter().cloned().collect();
    writer.fault_flags = plan.faults.iter().cloned().collect();
    let text = model_text::write(&writer, &plan, &initial, options);
    let refused = writer.refused.into_inner();
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut claims = Vec::new();
    let mut left_out = Vec::new();
    for planned in plan.properties {
        match planned.stated {
            Ok(_) => claims.push((planned.property, planned.name)),
            Err(why) => left_out.push((planned.property, why)),
        }
    }
    Ok(Model {
        text,
        claims,
        left_out,
    })
}
