//! The report as one page of HTML that needs nothing else: no server, no network.
//!
//! The page holds the report as JSON, and a small script (`page.js`) that shows it: verdicts, and
//! each run step by step, on the source lines or on the picture of the script. All texts reach
//! the page as text nodes, never as markup, and the data stands in a script element in which
//! `<` is written as an escape, so nothing in a script's names or strings can become part of the page.

mod compact;
mod graphs;
mod headline;
mod layout;
pub(crate) mod sequence;

use model::{Picture, PicturePin};
use serde_json::{Value, json};

pub use sequence::Sequence;

use crate::values::{FileReport, PropertyReport, Report};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One matter each, in an order in which what is used at once is there.
const SCRIPTS: &[&str] = &[
    include_str!("page.js"),
    include_str!("run.js"),
    include_str!("expression.js"),
    include_str!("player.js"),
    include_str!("source.js"),
    include_str!("shapes.js"),
    include_str!("drawing.js"),
    include_str!("chart.js"),
    include_str!("start.js"),
];

/// The report as a page.
#[must_use]
pub fn html(report: &Report) -> String {
    let files = report.files.iter().map(file);
    let data = json!({
        "interrupted": report.interrupted,
        "summary": report.summary,
        "files": files.collect::<Value>(),
    });
    let data = data.to_string().replace('<', "\\u003c");
    // The data comes last: nothing in it is taken for a place to fill.
    let page = PAGE
        .replace("@STYLE@", STYLE)
        .replace("@SCRIPT@", &SCRIPTS.concat());
    page.replacen("@DATA@", &data, 1)
}

/// What the page needs of a file.
fn file(file: &FileReport) -> Value {
    let texts = file.texts.iter();
    let texts = texts.map(|text| json!({"name": text.name, "text": text.text}));
    let properties = file.properties.iter();
    let properties = properties.map(|one| property(one, file.picture.as_ref()));
    json!({
        "file": file.file,
        "language": file.language,
        "refused": file.refused,
        "unread": file.unread,
        "diagnostics": file.diagnostics,
        "assumptions": file.assumptions,
        "proposals": file.proposals,
        "properties": properties.collect::<Value>(),
        "texts": texts.collect::<Value>(),
        "picture": file.picture.as_ref().map(picture),
        // One picture is enough for who wants to see what the individuals are.
        "beginning": file.beginnings.get(..1).map(graphs::placed),
    })
}

fn property(property: &PropertyReport, picture: Option<&Picture>) -> Value {
    let run = |story| compact::run(&property.text, story, picture);
    let others = property.others.iter();
    json!({
        "name": property.name,
        "text": property.text,
        "line": property.line,
        "verdict": property.verdict,
        "strength": property.strength,
        "why": property.why,
        "may_fail_at": property.may_fail_at,
        "advice": property.advice,
        "elsewhere": property.elsewhere,
        "another": property.another,
        "assumptions": property.assumptions,
        "measured": property.measured,
        "facts": property.evidence.as_ref().map_or(&[][..], |evidence| &evidence.facts),
        "story": property.story.as_ref().map(run),
        "others": others.map(run).collect::<Value>(),
    })
}

fn picture(picture: &Picture) -> Value {
    let placed = layout::place(picture);
    let pins = |pins: &[PicturePin]| -> Value {
        let pins = pins.iter();
        pins.map(|pin| json!({"name": pin.name, "title": pin.title, "data": pin.data}))
            .collect()
    };
    let boxes = picture.boxes.iter().zip(&placed.boxes).map(|(drawn, place)| {
        json!({
            "name": drawn.name, "title": drawn.title, "kind": drawn.kind, "remark": drawn.remark,
            "inputs": pins(&drawn.inputs), "outputs": pins(&drawn.outputs),
            "x": place.x.round(), "y": place.y.round(),
            "width": place.width.round(), "height": place.height.round(),
        })
    });
    let lines = picture.lines.iter().map(|line| {
        let data = picture.boxes[line.from].outputs[line.output].data;
        json!([line.from, line.output, line.to, line.input, data])
    });
    let sheets = placed.sheets.iter();
    let sheets = sheets.map(|(name, x, y)| json!({"name": name, "x": x.round(), "y": y.round()}));
    json!({
        "boxes": boxes.collect::<Value>(),
        "lines": lines.collect::<Value>(),
        "sheets": sheets.collect::<Value>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Required, SourceText};

    #[test]
    fn nothing_in_the_data_can_end_its_element() {
        let mut file = FileReport::refused("</script><b>.lsl", &source::SourceMap::new(), &[]);
        file.texts.push(SourceText {
            name: "@SCRIPT@".to_owned(),
            text: "<!--<script>@DATA@".to_owned(),
        });
        let page = html(&Report::new(vec![file], Required::Exhausted));
        let start = page.find("id=\"data\">").unwrap();
        let data = page[start..].strip_prefix("id=\"data\">").unwrap();
        let data = &data[..data.find("</script>").unwrap()];
        assert!(!data.contains('<'), "{data}");
        let read: Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["files"][0]["file"], "</script><b>.lsl");
        assert_eq!(read["files"][0]["texts"][0]["text"], "<!--<script>@DATA@");
        assert_eq!(
            page.matches("</script>").count(),
            2,
            "the data's and the script's"
        );
        // A fragment is a part of this page.
        let found = page.replace("http://www.w3.org/2000/svg", "");
        let found = found.replace("url(#", "");
        for outside in ["http://", "https://", "src=", "url(", "@import"] {
            assert!(!found.contains(outside), "the page asks for {outside}");
        }
    }
}
