//! What is shown can be read, and stands where it is looked for, on a screen and on a telephone.

use crate::browser::{browser, page, seen_in};

/// The smallest text that is drawn, in pixels, and whether picture and step are on one screen.
const READ: &str = "
    if (player.view.fit) player.view.fit();
    player.go(player.at);
    let least = 99, smallest = '';
    for (const one of document.querySelectorAll('body *')) {
      if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || one.closest('head, script, option, title, noscript')) continue;
      const style = getComputedStyle(one);
      if (style.display === 'none' || one.getClientRects().length === 0) continue;
      const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
      const size = parseFloat(style.fontSize) * scale;
      if (size < least) { least = size; smallest = one.textContent.slice(0, 20) + ' in ' + one.tagName + ' ' + one.getAttribute('class'); }
    }
    say(least >= 10.95 ? 'read' : least + ': ' + smallest);
    const seen = (one) => { const box = one.getBoundingClientRect(); return box.top >= -1 && box.top < innerHeight && Math.min(box.bottom, innerHeight) - box.top > Math.min(box.height, 60) - 1; };
    const view = document.querySelector('.view').getBoundingClientRect();
    say(view.top >= 0 && view.bottom <= innerHeight + 1);
    say(seen(document.querySelector('.steps [aria-current]')));
    say(seen(document.getElementById('headline')));
    const marked = document.querySelector('.ring, .source .culprit').getBoundingClientRect();
    say(marked.top >= view.top && marked.bottom <= view.bottom + 1 && marked.left >= view.left - 12 && marked.left < view.right);
    say(document.documentElement.scrollWidth <= innerWidth);";

#[test]
fn all_can_be_read_at_any_width() {
    let Some(browser) = browser() else { return };
    for (name, file) in [
        ("jar", "examples/lsl/tip-jar/tip-jar.lsl"),
        ("bug", "examples/nodegraph/event-mode/bug.json"),
        ("blueprint", "examples/nodegraph/event-mode/bug.t3d"),
        ("boss", "examples/nodegraph/boss-fight/boss-fight.json"),
        ("mutex", "examples/tvm/mutex/broken.tvm"),
        (
            "bit",
            "examples/promela/alternating-bit/any-acknowledgement.pml",
        ),
    ] {
        let page = page(&format!("read-{name}.html"), file, &[]);
        for size in ["1280,900", "400,800"] {
            let window = format!("--window-size={size}");
            let file = format!("read-{name}-{size}.html");
            let said = seen_in(browser, &file, &page, "", READ, &[&window]);
            let expected = ["read", "true", "true", "true", "true", "true"];
            assert_eq!(said, expected, "{name} at {size}");
        }
    }
}

#[test]
fn far_away_there_are_no_texts_too_small_to_be_read() {
    let Some(browser) = browser() else { return };
    let page = page(
        "far.html",
        "examples/nodegraph/boss-fight/boss-fight.json",
        &[],
    );
    let script = format!(
        "for (let i = 0; i < 6; i += 1) player.view.zoom(1.25); player.view.fit = null; {READ}"
    );
    let said = seen_in(
        browser,
        "far-seen.html",
        &page,
        "",
        &script,
        &["--window-size=1280,900"],
    );
    assert_eq!(said[0], "read");
}
