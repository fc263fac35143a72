//! Where a command is asked to write, tried before the work.

use std::path::{Path, PathBuf};

use crate::system::{Output, System};

/// An option, the file that it asks for, and whether that is written again and again.
pub(crate) type Destination<'a> = (&'static str, Option<&'a Path>, bool);

/// Tries outputs before the work that they are about.
///
/// # Errors
/// A sentence, if one of them could not be written.
pub(crate) fn try_outputs(
    destinations: &[Destination<'_>],
    inputs: &[PathBuf],
    overwrite: bool,
    system: &dyn System,
) -> Result<(), String> {
    let mut others: Vec<&Path> = Vec::new();
    for &(option, path, renewed) in destinations {
        let Some(path) = path else { continue };
        let output = Output {
            path,
            inputs,
            overwrite,
            renewed,
        };
        let name = path.display();
        system
            .try_output(&output)
            .map_err(|error| format!("{option}: cannot write {name}: {error}"))?;
        if others.contains(&path) {
            return Err(format!("{option}: {name} is asked for twice"));
        }
        others.push(path);
    }
    Ok(())
}
