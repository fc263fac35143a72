//! The file that says which scripts a linkset has.

use serde::Deserialize;
use source::{Diagnostic, Diagnostics, SourceFile, Span};
use toml::Spanned;

use crate::codes::linkset as code;

/// What a linkset file says.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct LinksetFile {
    /// The prims of all objects; each object's root comes first.
    pub(crate) prims: Vec<Prim>,
    /// How many messages wait for a script at most.
    pub(crate) queue: Option<(u32, Span)>,
    /// Bounds for all scripts: `amount = 0..10`.
    pub(crate) bounds: Vec<(String, Span)>,
    /// Properties, with or without a name.
    pub(crate) properties: Vec<(String, Span)>,
    /// Annotations as in comments, without the `//@`.
    pub(crate) annotations: Option<(String, Span)>,
}

/// What is in a prim.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Prim {
    /// The number of its object.
    pub(crate) object: usize,
    /// Its name, if the file says.
    pub(crate) name: Option<String>,
    /// Its scripts, as their paths.
    pub(crate) scripts: Vec<(String, Span)>,
    /// Those that others may load into it, as their paths.
    pub(crate) loaded: Vec<(String, Span)>,
    /// Its notecards, as paths: `config.txt`, or `config=shop/config.txt`.
    pub(crate) notecards: Vec<(String, Span)>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    prim: Vec<WrittenPrim>,
    #[serde(default)]
    object: Vec<Spanned<WrittenObject>>,
    queue: Option<Spanned<u32>>,
    #[serde(default)]
    bounds: Vec<Spanned<String>>,
    #[serde(default)]
    properties: Vec<Spanned<String>>,
    annotations: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenObject {
    /// For people only: what an object says, it says under the name of its prim.
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(default)]
    prim: Vec<WrittenPrim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPrim {
    name: Option<String>,
    #[serde(default)]
    scripts: Vec<Spanned<String>>,
    #[serde(default)]
    loaded: Vec<Spanned<String>>,
    #[serde(default)]
    notecards: Vec<Spanned<String>>,
}

/// The capacity of a script's event queue.
pub(crate) const QUEUE: u32 = 64;

/// Whether a text looks like a linkset file.
pub(crate) fn is_linkset(text: &str) -> bool {
    let begins = |line: &str| {
        ["[[prim]]", "[[object]]"]
            .iter()
            .any(|at| line.starts_with(at))
    };
    text.lines().any(|line| begins(line.trim_start()))
}

/// Reads a linkset file; says what is wrong with it.
pub(crate) fn parse(file: &SourceFile, diagnostics: &mut Diagnostics) -> LinksetFile {
    let span = |range: std::ops::Range<usize>| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            file: file.id(),
            start: offset(range.start),
            end: offset(range.end),
        }
    };
    let written: Written = match toml::from_str(file.text()) {
        Ok(written) => written,
        Err(error) => {
            let at = error.span().map_or(file.span(), span);
            let message = error.message().lines().collect::<Vec<_>>().join(": ");
            diagnostics.push(Diagnostic::error(code::FILE, message).at(at));
            return LinksetFile::default();
        }
    };
    let place = |text: Spanned<String>| {
        let at = span(text.span());
        (text.into_inner(), at)
    };
    let places = |texts: Vec<Spanned<String>>| texts.into_iter().map(place).collect();
    if let Some(object) = written.object.first()
        && !written.prim.is_empty()
    {
        diagnostics.push(
            Diagnostic::error(code::FILE, "prims stand beside objects")
                .at(span(object.span()))
                .help("write `[[object]]`, and `[[object.prim]]` for each of its prims"),
        );
    }
    let objects = written
        .object
        .into_iter()
        .map(|object| object.into_inner().prim);
    let objects = std::iter::once(written.prim).chain(objects);
    let objects = objects.filter(|prims| !prims.is_empty()).enumerate();
    let prims = objects.flat_map(|(object, prims)| {
        let of_object = |prim: WrittenPrim| (object, prim);
        prims.into_iter().map(of_object).collect::<Vec<_>>()
    });
    let prims = prims.map(|(object, prim)| Prim {
        object,
        name: prim.name,
        scripts: places(prim.scripts),
        loaded: places(prim.loaded),
        notecards: places(prim.notecards),
    });
    let found = LinksetFile {
        prims: prims.collect(),
        queue: written
            .queue
            .map(|queue| (*queue.get_ref(), span(queue.span()))),
        bounds: places(written.bounds),
        properties: places(written.properties),
        annotations: written.annotations.map(place),
    };
    if let Some((most, at)) = found.queue
        && !(1..=QUEUE).contains(&most)
    {
        let message = format!("a queue holds 1 to {QUEUE} messages");
        diagnostics.push(Diagnostic::error(code::FILE, message).at(at));
    }
    if found.prims.iter().all(|prim| prim.scripts.is_empty()) {
        diagnostics.push(
            Diagnostic::error(code::FILE, "the linkset has no scripts")
                .at(file.span())
                .help(
                    "write `[[prim]]` and `scripts = [\"menu.lsl\"]` for each prim, the root first",
                ),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    fn read(text: &str) -> (LinksetFile, Vec<String>) {
        let mut sources = SourceMap::new();
        let file = sources.add("shop.toml", text);
        let mut diagnostics = Diagnostics::new();
        let found = parse(sources.file(file), &mut diagnostics);
        (
            found,
            diagnostics.iter().map(|d| d.message.clone()).collect(),
        )
    }

    #[test]
    fn a_file_says_which_scripts_there_are() {
        let text = "# a shop\nqueue = 3\nproperties = [\n  \"p: always menu.x == till.y\", # both\n  \
                    'always a.b',\n]\nannotations = \"\"\"\nghost integer g;\n\"\"\"\n\n[[prim]]\n\
                    name = \"shop\"\nscripts = [\"menu.lsl\", \"till.lsl\"]\n[[prim]]\n\
                    scripts = [\"sign.lsl\"]\nnotecards = [\"a=b.txt\"]\nloaded = [\"new.lsl\"]\n";
        let (found, errors) = read(text);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(found.queue.map(|(most, _)| most), Some(3));
        let names = |texts: &[(String, Span)]| -> Vec<String> {
            texts.iter().map(|(text, _)| text.clone()).collect()
        };
        assert_eq!(names(&found.prims[0].scripts), ["menu.lsl", "till.lsl"]);
        assert_eq!(names(&found.prims[1].scripts), ["sign.lsl"]);
        assert_eq!(names(&found.prims[1].notecards), ["a=b.txt"]);
        assert_eq!(names(&found.prims[1].loaded), ["new.lsl"]);
        assert_eq!(names(&found.prims[0].loaded), [""; 0]);
        assert_eq!(
            names(&found.properties),
            ["p: always menu.x == till.y", "always a.b"]
        );
        let (annotations, _) = found.annotations.unwrap();
        assert_eq!(annotations, "ghost integer g;\n");
        let (_, at) = &found.prims[1].scripts[0];
        assert_eq!(&text[at.start as usize..at.end as usize], "\"sign.lsl\"");
    }

    #[test]
    fn what_is_not_understood_is_told() {
        for (text, message) in [
            ("", "the linkset has no scripts"),
            ("[[prim]]\nname = \"x\"", "the linkset has no scripts"),
            ("[[objects]]\n", "unknown field `objects`"),
            ("[[object]]\n", "the linkset has no scripts"),
            (
                "[[prim]]\nscripts = [\"a\"]\n[[object]]\n[[object.prim]]\nscripts = [\"b\"]",
                "prims stand beside objects",
            ),
            ("[[prim]]\nscript = [\"a.lsl\"]", "unknown field `script`"),
            ("[[prim]]\nscripts = \"a.lsl\"", "expected a sequence"),
            ("queue = 0\n[[prim]]\nscripts = [\"a\"]", "a queue holds"),
            ("queue = 65\n[[prim]]\nscripts = [\"a\"]", "a queue holds"),
            ("queue = -1\n", "invalid value"),
            (
                "que = 1\n[[prim]]\nscripts = [\"a\"]",
                "unknown field `que`",
            ),
            ("[[prim]]\nscripts = [\"a.lsl", "unclosed array"),
        ] {
            let (_, errors) = read(text);
            assert!(
                errors.iter().any(|error| error.contains(message)),
                "{text}: {errors:?}"
            );
        }
    }
}
