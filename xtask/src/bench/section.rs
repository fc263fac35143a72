//! The pages of figures: each table is a section of `docs/benchmarks.md`, or of another page, of its own.

use crate::workspace::root;

/// Puts a section into the page of figures, in place of the one with the same title.
///
/// # Errors
/// If the page cannot be written.
pub(crate) fn put(title: &str, text: &str) -> Result<(), String> {
    put_into("docs/benchmarks.md", title, text)
}

/// Puts a section into a page of the project, in place of the one with the same title.
///
/// # Errors
/// If the page cannot be read or written.
pub(crate) fn put_into(page: &str, title: &str, text: &str) -> Result<(), String> {
    let path = root().join(page);
    let page = std::fs::read_to_string(&path)
        .map_err(|error| format!("read {}: {error}", path.display()))?;
    std::fs::write(&path, replaced(&page, title, text))
        .map_err(|error| format!("write {}: {error}", path.display()))
}

fn replaced(page: &str, title: &str, text: &str) -> String {
    let heading = format!("## {title}\n");
    let section = format!("{heading}\n{}\n", text.trim_end());
    let Some(begin) = page.find(&heading) else {
        return format!("{}\n\n{section}", page.trim_end());
    };
    let behind = begin + heading.len();
    let end = page[behind..]
        .find("\n## ")
        .map_or(page.len(), |at| behind + at + 1);
    let (before, after) = (&page[..begin], &page[end..]);
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{before}{section}{gap}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_takes_the_place_of_its_like() {
        let page = "# B\n\n## One\n\nold\n\n## Two\n\nkept\n";
        let new = replaced(page, "One", "new");
        assert_eq!(new, "# B\n\n## One\n\nnew\n\n## Two\n\nkept\n");
        let more = replaced(&new, "Three", "x");
        assert!(more.ends_with("kept\n\n## Three\n\nx\n"));
        assert_eq!(replaced(&more, "Three", "x"), more);
    }
}
