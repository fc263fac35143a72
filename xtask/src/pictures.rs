//! `cargo xtask pictures`: the pictures of the documents, made anew from what they show.

use std::path::Path;
use std::process::Command;

use crate::workspace::{cargo, output_of, root};

/// A picture in `docs`, and the script whose report it shows.
const PICTURES: &[(&str, &str)] = &[("page.png", "examples/nodegraph/event-mode/bug.json")];

/// How large a page is drawn, in pixels.
const SIZE: &str = "1280,720";

/// Makes all pictures.
///
/// # Errors
/// If there is no Chromium, or a page cannot be made or drawn.
pub(crate) fn run() -> Result<bool, String> {
    let folder = root().join("target/pictures");
    std::fs::create_dir_all(&folder).map_err(|error| format!("make a folder: {error}"))?;
    for (picture, script) in PICTURES {
        let page = folder.join("page.html");
        let mut check = cargo(&[
            "run",
            "--release",
            "--quiet",
            "-p",
            "probity",
            "--",
            "check",
        ]);
        check.args([script, "--overwrite", "--html"]).arg(&page);
        // What fails is what is shown, so the status says nothing.
        let ran = check.output();
        ran.map_err(|error| format!("run {check:?}: {error}"))?;
        draw(&page, &root().join("docs").join(picture), &folder)?;
        println!("docs/{picture}");
    }
    Ok(true)
}

/// Draws a page with Chromium.
fn draw(page: &Path, picture: &Path, folder: &Path) -> Result<(), String> {
    let mut browser = Command::new("chromium");
    browser
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .args([
            "--hide-scrollbars",
            "--blink-settings=preferredColorScheme=1",
        ])
        .arg(format!("--window-size={SIZE}"))
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()));
    output_of(&mut browser).map(drop)
}
