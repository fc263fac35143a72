//! A run that a user walked, kept as `check` keeps its runs.

use language::{BOUND, DEFINE, OptionSpec};
use model::{PropertyId, Trace};
use report::{TRACE_VERSION, TraceFile, TracedProperty};
use verify::confirm;

use super::{Course, Keeps, Run};
use crate::check::own_properties;

impl Run<'_> {
    /// Keeps a run, with the properties that it violates; gives a status if that fails.
    pub(super) fn save(&self, course: &Course, keeps: &Keeps<'_>) -> Option<u8> {
        let trace = Trace {
            initial: course.chosen.clone(),
            steps: course.steps.clone(),
            loop_start: None,
        };
        let own = own_properties(self.program, keeps.texts.len());
        let all = (0..self.program.properties.len()).map(PropertyId::new);
        let violated = all.filter(|&at| confirm(self.program, at, &trace).is_ok());
        let mut traces: Vec<TracedProperty> = violated
            .map(|at| {
                let name = &self.program.properties[at.index()].name;
                let text = at.index().checked_sub(own).map(|at| &keeps.texts[at]);
                TracedProperty::new(self.program, Some(name), &trace).with_text(text)
            })
            .collect();
        if traces.is_empty() {
            traces.push(TracedProperty::new(self.program, None, &trace));
        }
        let names: Vec<&str> = traces
            .iter()
            .filter_map(|traced| traced.property.as_deref())
            .collect();
        let of = match names.as_slice() {
            [] => "It violates nothing".to_owned(),
            names => format!("It violates {}", names.join(", ")),
        };
        let given = |option: &OptionSpec| {
            let values = keeps.input.settings.values(option.name);
            values.map(str::to_owned).collect()
        };
        let file = TraceFile {
            version: TRACE_VERSION,
            file: keeps.script.to_string_lossy().into_owned(),
            content: Some(keeps.digest.to_owned()),
            bounds: given(&BOUND),
            defines: given(&DEFINE),
            traces,
        };
        let out = keeps.out.display();
        match self.system.write(keeps.out, &file.to_json()) {
            Ok(()) => {
                self.say(&format!("The run is kept in {out}. {of}."));
                None
            }
            Err(error) => {
                self.system
                    .err(&format!("error: --save: write {out}: {error}\n"));
                Some(3)
            }
        }
    }
}
