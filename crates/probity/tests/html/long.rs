//! Runs of hundreds of thousands of steps: they open, and any step is near.

use crate::browser::{browser, folder, page, seen};

#[test]
fn a_run_of_200_000_steps_opens_and_is_stepped_through() {
    let Some(browser) = browser() else { return };
    let model = "int n;\nactive proctype Up() {\n  do\n  :: n < 99999 -> n++\n  :: else -> assert(n < 5)\n  od\n}\n";
    let file = folder().join("count.pml");
    std::fs::write(&file, model).unwrap();
    let page = page("long.html", file.to_str().unwrap(), &[]);
    let said = seen(
        browser,
        "long-seen.html",
        &page,
        "",
        "document.body.offsetHeight; const opened = performance.now(); say(where());
         const time = (act) => { const start = performance.now(); act(); document.body.offsetHeight; return performance.now() - start; };
         let slowest = 0;
         for (let i = 0; i < 100; i += 1) slowest = Math.max(slowest, time(() => press('ArrowLeft')));
         say(where());
         const far = time(() => player.goToStep(100000)); say(where());
         type('watch', 'n > 70000'); const jump = time(() => press('n')); say(where());
         const filter = time(() => type('filter', 'n')); say(where());
         say(document.querySelectorAll('.steps li').length < 400);
         const list = document.querySelector('.steps'); list.scrollTop = 0; list.dispatchEvent(new Event('scroll')); say(list.scrollTop > 0);
         say(`opened after ${Math.round(opened)} ms; the slowest of 100 steps ${slowest.toFixed(1)} ms, to the middle ${far.toFixed(1)} ms, to a change of an expression ${jump.toFixed(1)} ms, filtering ${filter.toFixed(1)} ms`);",
    );
    assert_eq!(said[0], "step 200000 of 200000");
    assert_eq!(said[1], "step 199900 of 200000");
    assert_eq!(said[2], "step 100000 of 200000");
    // `n` is 70,001 after the step 140,002.
    assert_eq!(said[3], "step 140002 of 200000");
    assert_eq!(said[4], "step 140002 of 200000");
    assert_eq!(said[5..7], ["true", "true"]);
    eprintln!(
        "200,000 steps, a page of {} KiB: {}",
        page.len() / 1024,
        said[7]
    );
}
