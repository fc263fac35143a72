//! What the processes of a list of hosts are told.

use std::path::Path;

use cluster::places;

use crate::system::System;

/// Where the secret of a cluster is.
const SECRET: &str = "PROBITY_CLUSTER_SECRET";

/// The secret, and the addresses of all processes, a line each.
///
/// # Errors
/// If the list cannot be read, or there is no secret.
pub(super) fn told(list: &Path, system: &dyn System) -> Result<String, String> {
    let name = list.display();
    let text = system.read(list);
    let text = text.map_err(|error| format!("read `{name}`: {error}"))?;
    let addresses = places(&String::from_utf8_lossy(&text));
    let addresses = addresses.map_err(|error| format!("`{name}`: {error}"))?;
    let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    let secret = system.variable(SECRET).ok_or_else(|| {
        format!("the environment variable {SECRET} has to hold the same secret for all processes")
    })?;
    if secret.contains('\n') {
        return Err(format!("{SECRET} is more than one line"));
    }
    Ok(format!("{secret}\n{}\n", addresses.join(" ")))
}
