//! Chromium without a window, and pages for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of this test's own.
pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The browser's program.
pub(crate) fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let mut version = Command::new(name);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        });
    if found.is_none() {
        eprintln!("skipped: there is no chromium (Debian: apt-get install chromium)");
    }
    found
}

/// The page for a file.
pub(crate) fn page(name: &str, file: &str, options: &[&str]) -> String {
    let out = folder().join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(root())
        .args(["check", file, "--html", out.to_str().unwrap()])
        .args(options)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code != 2), "{said}");
    std::fs::read_to_string(out).unwrap()
}

/// What the page says to a script that notes things with `say`, at a fragment.
pub(crate) fn seen(
    browser: &str,
    name: &str,
    page: &str,
    fragment: &str,
    script: &str,
) -> Vec<String> {
    seen_in(browser, name, page, fragment, script, &[])
}

/// Notes what goes wrong, before anything else runs.
const LISTENERS: &str = "<script>const wrong = [], refused = [];
     addEventListener('error', (event) => wrong.push(String(event.message)));
     addEventListener('unhandledrejection', (event) => wrong.push(String(event.reason)));
     addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
     for (const kind of ['error', 'warn']) console[kind] = (...told) => wrong.push(told.join(' '));</script>";

/// The same, with more arguments for the browser. Whatever the page does, nothing goes wrong in it
/// and it asks for nothing.
pub(crate) fn seen_in(
    browser: &str,
    name: &str,
    page: &str,
    fragment: &str,
    script: &str,
    arguments: &[&str],
) -> Vec<String> {
    let folder = folder();
    let path = folder.join(name);
    let script = format!(
        "<script>const said = [];\n\
         const say = (what) => said.push(String(what));\n\
         const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));\n\
         const where = () => document.getElementById('where').textContent;\n\
         const type = (id, text) => {{ const field = document.getElementById(id); field.value = text; field.dispatchEvent(new Event('input')); }};\n\
         try {{ {script} }} catch (error) {{ wrong.push(String(error)); }}\n\
         const asked = performance.getEntriesByType('resource').map((one) => one.name).filter((one) => !one.startsWith('data:'));\n\
         document.body.dataset.said = JSON.stringify([wrong, asked, said]);</script>"
    );
    let page = page.replacen("<title>", &format!("{LISTENERS}<title>"), 1);
    let end = page.rfind("</body>").unwrap();
    let page = format!("{}{script}{}", &page[..end], &page[end..]);
    std::fs::write(&path, page).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args(arguments)
        .arg(format!(
            "--user-data-dir={}",
            folder.join(format!("{name}.profile")).display()
        ))
        .arg("--dump-dom")
        .arg(format!("file://{}#{fragment}", path.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let start = dom.find("data-said=\"").expect("the script ran to its end") + "data-said=\"".len();
    let said = &dom[start..];
    let said = &said[..said.find('"').unwrap()];
    let said = said
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    let [wrong, asked, said]: [Vec<String>; 3] = serde_json::from_str(&said).unwrap();
    assert!(wrong.is_empty(), "{name}: {wrong:?}, after {said:?}");
    assert!(asked.is_empty(), "{name} asks for {asked:?}");
    said
}
