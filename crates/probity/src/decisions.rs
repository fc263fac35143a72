//! What the world decides in a run that was kept.

use std::path::Path;

use language::Decision;
use model::Program;
use model::interp::{Interp, Occurrence};
use report::TraceFile;

use crate::command_line::Input;
use crate::corridor::{Script, load};
use crate::system::System;

/// The decisions of the first run of a file, or of the first one for one of these properties.
///
/// # Errors
/// If the file is none, or the script has no such run, says why.
pub(crate) fn decisions(
    path: &Path,
    properties: &[String],
    script: Script<'_>,
    input: &Input,
    system: &dyn System,
) -> Result<Vec<Decision>, String> {
    let bytes = system.read(path);
    let bytes = bytes.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let file = TraceFile::from_json(&String::from_utf8_lossy(&bytes));
    let file = file.map_err(|error| format!("failed to {error}"))?;
    let wanted = |property: Option<&String>| {
        properties.is_empty() || property.is_some_and(|property| properties.contains(property))
    };
    let mut runs = file.traces.iter();
    let run = runs.find(|run| wanted(run.property.as_ref()));
    let run = run.ok_or_else(|| format!("`{}` has no such run", path.display()))?;
    if !run.is_unbroken() {
        return Err("the run was changed since it was kept".to_owned());
    }
    let loaded = load(script, input, system).loaded;
    let program = loaded.program.ok_or("the script cannot be read")?;
    let trace = run.trace(&program);
    let trace = trace.map_err(|error| format!("failed to {error}"))?;
    let replay = Interp::new(&program).replay(&trace).map_err(|error| {
        format!("failed to {error}: the script has no such run (was it changed?)")
    })?;
    let occurrences = replay.steps.iter().flat_map(|step| &step.occurrences);
    let decision = |occurrence: &Occurrence| match occurrence {
        Occurrence::Chosen { outside, ty, value } => Some(Decision {
            fact: fact(&program, *outside),
            ty: ty.clone(),
            value: value.clone(),
        }),
        _ => None,
    };
    Ok(occurrences.filter_map(decision).collect())
}

fn fact(program: &Program, outside: model::OutsideId) -> String {
    program.outside[outside.index()].fact.clone()
}
