//! Unreal's text form of objects: blocks, properties, and values with parentheses and quotes.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use crate::codes::files as codes;

/// A value as it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    pub(super) raw: &'a str,
    pub(super) span: Span,
}

impl<'a> Value<'a> {
    /// The value as a text: without quotes; of a localised text, its last part. None if it has members.
    pub(super) fn text(&self) -> Option<&'a str> {
        let raw = self.raw.trim();
        let localised = raw.starts_with("NSLOCTEXT(") || raw.starts_with("LOCTEXT(");
        if localised || raw.starts_with("INVTEXT(") {
            let mut pieces = raw.rsplit('"');
            pieces.next();
            return pieces.next();
        }
        if raw.starts_with('(') {
            return None;
        }
        let inner = raw
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        Some(inner.unwrap_or(raw))
    }

    /// The members of a value in parentheses.
    pub(super) fn members(&self) -> Properties<'a> {
        let raw = self.raw.trim();
        let lead = self.raw.len() - self.raw.trim_start().len();
        let inner = raw
            .strip_prefix('(')
            .map(|rest| rest.strip_suffix(')').unwrap_or(rest));
        let Some(inner) = inner else {
            return Properties::none(self.span);
        };
        let start = self.span.start + offset(lead + 1);
        Properties::list(
            inner,
            Span::new(self.span.file, start, start + offset(inner.len())),
        )
    }
}

/// Named values.
#[derive(Clone, Debug)]
pub(super) struct Properties<'a> {
    list: Vec<(&'a str, Value<'a>)>,
    pub(super) span: Span,
}

impl<'a> Properties<'a> {
    fn none(span: Span) -> Properties<'a> {
        let list = Vec::new();
        Properties { list, span }
    }

    /// `A=1,B="x,y",C=(D=2),`
    fn list(text: &'a str, span: Span) -> Properties<'a> {
        let mut properties = Properties::none(span);
        for (start, piece) in pieces(text) {
            let Some((name, raw)) = piece.split_once('=') else {
                continue;
            };
            let at = span.start + offset(start + name.len() + 1);
            let span = Span::new(span.file, at, at + offset(raw.len()));
            properties.list.push((name.trim(), Value { raw, span }));
        }
        properties
    }

    /// The value of that name.
    pub(super) fn get(&self, name: &str) -> Option<Value<'a>> {
        let found = self.list.iter().find(|(other, _)| *other == name)?;
        Some(found.1)
    }

    /// The value of that name as a text.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.text()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.list.iter().copied()
    }
}

/// The parts of a list between commas that stand in no quotes and no parentheses, with their offsets.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quoted, mut escaped) = (0, 0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push((start, &text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < text.len() {
        found.push((start, &text[start..]));
    }
    found
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("texts of that length are refused")
}

/// An object of the text.
#[derive(Debug)]
pub(super) struct Object<'a> {
    /// Its class, without the path to it.
    pub(super) class: &'a str,
    pub(super) name: &'a str,
    /// The graph that it stands in; empty if the text does not say.
    pub(super) graph: &'a str,
    pub(super) properties: Properties<'a>,
    pub(super) pins: Vec<Properties<'a>>,
    /// Its name, in its first line.
    pub(super) span: Span,
}

/// All objects that stand in no other object, in the order of the text.
pub(super) fn objects<'a>(file: &'a SourceFile, diagnostics: &mut Diagnostics) -> Vec<Object<'a>> {
    let mut objects: Vec<Object<'a>> = Vec::new();
    let mut open: Option<Object<'a>> = None;
    let mut depth = 0_usize;
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        let trimmed = line.trim();
        let lead = line.len() - line.trim_start().len();
        let at = start + lead;
        start += line.len();
        let span = Span::new(file.id(), offset(at), offset(at + trimmed.len()));
        if let Some(header) = trimmed.strip_prefix("Begin Object") {
            depth += 1;
            if depth == 1 {
                let name = header
                    .find("Name=")
                    .map_or(0, |at| trimmed.len() - header.len() + at);
                let start = span.start + offset(name);
                let end = header.find(" ExportPath=").map_or(span.end, |at| {
                    span.start + offset(trimmed.len() - header.len() + at)
                });
                let named = Span::new(span.file, start, end.max(start));
                open = Some(begin(header, named));
            }
            continue;
        }
        if depth == 0 {
            continue;
        }
        if trimmed == "End Object" || trimmed.starts_with("End Object") {
            depth -= 1;
            if depth == 0
                && let Some(object) = open.take()
            {
                objects.push(object);
            }
            continue;
        }
        if depth > 1 {
            continue;
        }
        let Some(object) = &mut open else {
            continue;
        };
        if let Some(pin) = trimmed.strip_prefix("CustomProperties Pin ") {
            let raw = Value {
                raw: pin,
                span: Span::new(span.file, span.end - offset(pin.len()), span.end),
            };
            object.pins.push(raw.members());
        } else if let Some((name, raw)) = trimmed.split_once('=') {
            let span = Span::new(span.file, span.end - offset(raw.len()), span.end);
            object.properties.list.push((name, Value { raw, span }));
        }
    }
    if let Some(object) = open {
        diagnostics.push(
            Diagnostic::error(codes::SHAPE, "this object has no end")
                .at(object.span)
                .help("the text was cut off; copy it again"),
        );
    }
    objects
}

/// ` Class=... Name="..." ExportPath=...`
fn begin<'a>(header: &'a str, span: Span) -> Object<'a> {
    let value = |name: &str| {
        let (_, rest) = header.split_once(&format!(" {name}="))?;
        let rest = match rest.strip_prefix('"') {
            Some(quoted) => &quoted[..quoted.find('"')?],
            None => rest.split(' ').next()?,
        };
        Some(rest)
    };
    let class = value("Class").unwrap_or_default();
    // Class'"/Game/Door.Door:EventGraph.K2Node_Event_0"': what stands between colon and last dot.
    let path = value("ExportPath").unwrap_or_default();
    let inner = path.rsplit_once(':').map_or("", |(_, inner)| inner);
    Object {
        class: class.rsplit(['.', '/']).next().unwrap_or(class),
        name: value("Name").unwrap_or_default(),
        graph: inner.rsplit_once('.').map_or("", |(graph, _)| graph),
        properties: Properties::none(span),
        pins: Vec::new(),
        span,
    }
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    #[test]
    fn values_are_split_outside_of_quotes_and_parentheses() {
        let texts =
            |text| -> Vec<&str> { pieces(text).into_iter().map(|(_, piece)| piece).collect() };
        assert_eq!(
            texts("A=1,B=\"x,(\\\"\",C=(D=1,E=2),"),
            ["A=1", "B=\"x,(\\\"\"", "C=(D=1,E=2)"]
        );
        assert_eq!(texts("A=)),B=("), ["A=))", "B=("]);
    }

    #[test]
    fn objects_have_names_graphs_and_pins_with_places() {
        let text = "page\n  Begin Object Class=/Script/BlueprintGraph.K2Node_Knot Name=\"K\" \
                    ExportPath=\"/Script/BlueprintGraph.K2Node_Knot'/Game/A.A:Open.K'\"\n    \
                    NodePosX=-4\n    CustomProperties Pin (PinId=0A,PinFriendlyName=NSLOCTEXT(\"n\", \"k\", \"Done\"),)\n    \
                    Begin Object Class=X Name=\"inner\"\n    End Object\n  End Object\n";
        let mut sources = SourceMap::new();
        let file = sources.add("t", text);
        let mut diagnostics = Diagnostics::new();
        let found = objects(sources.file(file), &mut diagnostics);
        assert_eq!(diagnostics, Diagnostics::new());
        let [object] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(
            (object.class, object.name, object.graph),
            ("K2Node_Knot", "K", "Open")
        );
        assert_eq!(object.properties.text("NodePosX"), Some("-4"));
        let pin = &object.pins[0];
        assert_eq!(pin.text("PinFriendlyName"), Some("Done"));
        assert_eq!(sources.snippet(pin.get("PinId").unwrap().span), "0A");
        assert!(sources.snippet(object.span).starts_with("Name="));
    }

    #[test]
    fn an_object_without_an_end_is_an_error() {
        let mut sources = SourceMap::new();
        let file = sources.add(
            "t",
            "Begin Object Class=K2Node_Knot Name=\"K\"\nNodePosX=1\n",
        );
        let mut diagnostics = Diagnostics::new();
        assert!(objects(sources.file(file), &mut diagnostics).is_empty());
        assert!(diagnostics.has_errors());
    }
}
