//! Graphs of Unity that stand in assets of their own, and are called from others.
//!
//! A unit names such an asset by its place in the list `_objectReferences`, and that names it by a GUID. Which file
//! has it stands in the `.meta` beside that file. The files of the project are looked at until all that are asked for are found:
//! those beside the graph, then all below `Assets` and `Packages`, or below the folder of a package.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use source::{Diagnostics, FileId, SourceFile, SourceMap, Span};

use super::super::beside::{Beside, MOST_FILES, Walk};
use super::super::json::{Document, Json, Places};
use super::units::{class, elements, graph_in};
use super::{reads_alone, yaml};

/// So many assets are read.
const MOST_ASSETS: usize = 200;

/// The ending of the file that has the GUID of an asset.
const META: &str = ".asset.meta";

/// The text of a graph in the file of an asset, and what it refers to.
pub(crate) struct Asset {
    pub(super) file: FileId,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) places: Places,
    /// The GUIDs of what it refers to, by number.
    references: Vec<Option<String>>,
}

/// Why a graph that is called is not followed.
#[derive(Clone)]
enum Missing {
    NotFound,
    TooMany,
    NoGraph(String),
}

/// The assets that a graph calls, and those that they call.
#[derive(Default)]
pub(crate) struct Elsewhere {
    pub(super) assets: Vec<Asset>,
    /// By GUID: which of them it is.
    found: HashMap<String, Result<usize, Missing>>,
    /// What the graph itself refers to.
    references: Vec<Option<String>>,
}

impl Asset {
    fn of(file: &SourceFile) -> Option<Asset> {
        let text = file.text();
        let [at] = yaml::values_of(text, "_json")[..] else {
            return None;
        };
        let scalar = yaml::quoted(text, at)?;
        Some(Asset {
            file: file.id(),
            title: name(text),
            text: scalar.text,
            places: scalar.places,
            references: references(text),
        })
    }
}

/// What an asset is called.
pub(super) fn name(text: &str) -> String {
    let title = yaml::values_of(text, "m_Name").first().map(|&at| {
        let name = text[at..].lines().next().unwrap_or_default();
        name.trim().trim_matches(['\'', '"']).to_owned()
    });
    let title = title.filter(|title| !title.is_empty());
    title.unwrap_or_else(|| "graph".to_owned())
}

/// The GUIDs in `_objectReferences`, by number: a list of maps in braces.
fn references(text: &str) -> Vec<Option<String>> {
    let Some(&at) = yaml::values_of(text, "_objectReferences").first() else {
        return Vec::new();
    };
    let mut rest = &text[at..];
    let mut found = Vec::new();
    while let Some((inside, behind)) = rest
        .trim_start()
        .strip_prefix("- {")
        .and_then(|rest| rest.split_once('}'))
    {
        let mut fields = inside.split(',').filter_map(|field| field.split_once(':'));
        let guid = fields.find(|(name, _)| name.trim() == "guid");
        found.push(guid.map(|(_, guid)| guid.trim().to_owned()));
        rest = behind;
    }
    found
}

/// The number of the asset that a unit runs in its place.
fn called(unit: Json<'_>) -> Option<usize> {
    let is_subgraph = class(unit) == "SubgraphUnit";
    let nest = unit.get("nest").filter(|_| is_subgraph)?;
    match nest.path(&["embed", "elements"]) {
        Some(_) => None,
        None => nest.get("macro").and_then(Json::index),
    }
}

/// The numbers of the assets that units of a graph run, and graphs that are embedded in it.
fn all_called(graph: Json<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = vec![graph];
    while let Some(graph) = open.pop() {
        for unit in elements(graph) {
            found.extend(called(unit));
            open.extend(unit.path(&["nest", "embed"]));
        }
    }
    found
}

/// Reads the assets that a graph calls, and those that they call.
pub(crate) fn gather(file: FileId, sources: &mut SourceMap, beside: &Beside<'_>) -> Elsewhere {
    let mut elsewhere = Elsewhere::default();
    let Some(own) = Asset::of(sources.file(file)) else {
        return elsewhere;
    };
    let mut search = Search::new(beside);
    let mut wanted = wanted(&own);
    elsewhere.references = own.references;
    while let Some(guid) = wanted.pop() {
        if elsewhere.found.contains_key(&guid) {
            continue;
        }
        let answer = if elsewhere.assets.len() >= MOST_ASSETS {
            Err(Missing::TooMany)
        } else {
            search.asset(&guid, sources)
        };
        let answer = answer.map(|asset| {
            wanted.extend(self::wanted(&asset));
            elsewhere.assets.push(asset);
            elsewhere.assets.len() - 1
        });
        elsewhere.found.insert(guid, answer);
    }
    elsewhere
}

/// The GUIDs of the assets that a graph calls.
fn wanted(asset: &Asset) -> Vec<String> {
    let mut ignored = Diagnostics::new();
    let document =
        Document::parse_within(&asset.text, asset.file, asset.places.clone(), &mut ignored);
    let graph = document
        .as_ref()
        .and_then(|document| graph_in(document.root()));
    let called = graph.map(all_called).unwrap_or_default();
    let guids = called
        .into_iter()
        .filter_map(|at| asset.references.get(at)?.clone());
    guids.collect()
}

/// Looks through the project.
struct Search<'b, 'r> {
    beside: &'b Beside<'r>,
    walk: Option<Walk>,
    /// Files by GUID, as far as was looked.
    known: HashMap<String, PathBuf>,
}

impl<'b, 'r> Search<'b, 'r> {
    fn new(beside: &'b Beside<'r>) -> Self {
        Search {
            beside,
            walk: None,
            known: HashMap::new(),
        }
    }

    fn asset(&mut self, guid: &str, sources: &mut SourceMap) -> Result<Asset, Missing> {
        let path = self.find(guid)?;
        let name = path.display().to_string();
        let text = self.beside.text(&path).ok_or(Missing::NotFound)?;
        let file = sources.add(name.as_str(), text);
        let asset = Asset::of(sources.file(file));
        asset.filter(reads_alone).ok_or(Missing::NoGraph(name))
    }

    /// The file with a GUID.
    fn find(&mut self, guid: &str) -> Result<PathBuf, Missing> {
        let walk = self
            .walk
            .get_or_insert_with(|| self.beside.walk(META, root));
        loop {
            if let Some(path) = self.known.get(guid) {
                return Ok(path.clone());
            }
            let Some(meta) = walk.next(self.beside) else {
                return Err(match walk.is_cut_short() {
                    true => Missing::TooMany,
                    false => Missing::NotFound,
                });
            };
            let Some(text) = self.beside.text(&meta) else {
                continue;
            };
            if let Some(&at) = yaml::values_of(&text, "guid").first() {
                let own = text[at..].lines().next().unwrap_or_default().trim();
                self.known.insert(own.to_owned(), meta.with_extension(""));
            }
        }
    }
}

/// Where the files of a project are, if this is its root, or the folder `Assets` in that.
fn root(beside: &Beside<'_>, folder: &Path) -> Option<Vec<PathBuf>> {
    if folder.file_name().is_some_and(|name| name == "Assets") {
        return Some(vec![folder.to_owned(), folder.with_file_name("Packages")]);
    }
    let version = folder.join("ProjectSettings").join("ProjectVersion.txt");
    if beside.text(&version).is_some() {
        return Some(["Assets", "Packages"].map(|name| folder.join(name)).into());
    }
    let is_package = beside.text(&folder.join("package.json")).is_some();
    is_package.then(|| vec![folder.to_owned()])
}

/// The graphs that stand within others, embedded there or in assets of their own.
pub(super) struct Nested<'a> {
    elsewhere: &'a Elsewhere,
    /// The graph of each asset.
    graphs: Vec<Json<'a>>,
}

impl<'a> Nested<'a> {
    /// `documents` are those of the assets, in their order.
    pub(super) fn new(elsewhere: &'a Elsewhere, documents: &'a [Document<'a>]) -> Self {
        let graphs = documents.iter().filter_map(|one| graph_in(one.root()));
        Nested {
            elsewhere,
            graphs: graphs.collect(),
        }
    }

    /// The graph that a unit runs in its place; none if it is not known.
    pub(super) fn graph_of(&self, unit: Json<'a>) -> Option<Json<'a>> {
        let embed = unit.path(&["nest", "embed"]);
        let embed = embed.filter(|graph| graph.get("elements").is_some());
        embed.or_else(|| self.graphs.get(self.asset(unit)?.ok()?).copied())
    }

    /// The asset that a unit runs; none if it runs none.
    fn asset(&self, unit: Json<'a>) -> Option<Result<usize, Missing>> {
        let at = called(unit)?;
        let from = self.elsewhere.assets.iter();
        let mut from = from.filter(|asset| asset.file == unit.span().file);
        let references = from
            .next()
            .map_or(&self.elsewhere.references, |asset| &asset.references);
        let found = references.get(at).and_then(Option::as_ref);
        let found = found.and_then(|guid| self.elsewhere.found.get(guid));
        Some(found.cloned().unwrap_or(Err(Missing::NotFound)))
    }

    /// The name of the asset that a unit runs.
    pub(super) fn title_of(&self, unit: Json<'a>) -> Option<&'a str> {
        let asset = self.asset(unit)?.ok()?;
        Some(&self.elsewhere.assets[asset].title)
    }

    /// Why it is not known what a unit runs in its place, as the end of a sentence.
    pub(super) fn why_not(&self, unit: Json<'a>) -> String {
        match self.asset(unit) {
            Some(Err(Missing::TooMany)) => format!(
                "is not found: of a project, {MOST_FILES} assets are looked at, and {MOST_ASSETS} of them read"
            ),
            Some(Err(Missing::NoGraph(name))) => {
                format!("in `{name}` is no script graph that can be read")
            }
            _ => "is not found among the files of the project".to_owned(),
        }
    }

    /// All graphs within one, each once, and itself.
    pub(super) fn all_within(&self, graph: Json<'a>) -> Vec<Json<'a>> {
        let mut seen: HashSet<Span> = HashSet::new();
        let mut found = Vec::new();
        let mut open = vec![graph];
        while let Some(graph) = open.pop() {
            if seen.insert(graph.span()) {
                found.push(graph);
                open.extend(elements(graph).filter_map(|unit| self.graph_of(unit)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use language::Entry;

    use super::*;

    /// What is gathered for the first of these files: names of files that are read, and whether all is found.
    fn gathered(files: &[(&str, String)]) -> (Vec<String>, bool) {
        let below = |folder: &Path| {
            let mut entries: Vec<Entry> = Vec::new();
            for (name, _) in files {
                let Ok(rest) = Path::new(name).strip_prefix(folder) else {
                    continue;
                };
                let mut parts = rest.components();
                let Some(first) = parts.next() else { continue };
                let entry = Entry {
                    path: folder.join(first),
                    is_folder: parts.next().is_some(),
                };
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
            entries
        };
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            let (_, text) = file.ok_or(io::ErrorKind::NotFound)?;
            Ok(text.clone().into_bytes())
        };
        let (name, text) = &files[0];
        let beside = Beside {
            path: Path::new(name),
            read: &read,
            entries: &|folder| Ok(below(folder)),
        };
        let mut sources = SourceMap::new();
        let file = sources.add(*name, text.as_str());
        let elsewhere = gather(file, &mut sources, &beside);
        let names = elsewhere.assets.iter();
        let names = names.map(|asset| sources.file(asset.file).name().to_owned());
        (names.collect(), elsewhere.found.values().all(Result::is_ok))
    }

    /// A graph that runs those with these GUIDs.
    fn calling(guids: &[&str]) -> String {
        let unit = |number: usize| {
            format!(
                r#"{{"nest":{{"source":"Macro","macro":{number},"embed":null}},"$type":"Unity.VisualScripting.SubgraphUnit","$id":"{number}"}}"#
            )
        };
        let units: Vec<String> = (0..guids.len()).map(unit).collect();
        let mut text = format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n  _data:\n    _json: '{{\"graph\":{{\"elements\":[{}]}}}}'\n    _objectReferences:\n",
            units.join(",")
        );
        for guid in guids {
            text += &format!("    - {{fileID: 1, guid: {guid}, type: 2}}\n");
        }
        text
    }

    fn meta(guid: &str) -> String {
        format!("fileFormatVersion: 2\nguid: {guid}\n")
    }

    #[test]
    fn graphs_are_found_anywhere_in_the_project_and_those_that_they_run() {
        let graphs = [
            ("p/Assets/Graphs/main.asset", calling(&["a1", "b2"])),
            ("p/Assets/Graphs/main.asset.meta", meta("00")),
            ("p/Assets/Graphs/a.asset", calling(&["c3"])),
            ("p/Assets/Graphs/a.asset.meta", meta("a1")),
            // This one runs the first.
            ("p/Assets/Other/b.asset", calling(&["00"])),
            ("p/Assets/Other/b.asset.meta", meta("b2")),
            ("p/Packages/own/c.asset", calling(&[])),
            ("p/Packages/own/c.asset.meta", meta("c3")),
        ];
        let (mut names, all) = gathered(&graphs);
        names.sort();
        let found = [
            "Assets/Graphs/a.asset",
            "Assets/Graphs/main.asset",
            "Assets/Other/b.asset",
            "Packages/own/c.asset",
        ];
        let found = found.map(|name| format!("p/{name}"));
        assert_eq!((names, all), (found.to_vec(), true));
        // A file that the package has at its root.
        let package = [
            ("q/Runtime/x/main.asset", calling(&["d4"])),
            ("q/Samples/d.asset", calling(&[])),
            ("q/Samples/d.asset.meta", meta("d4")),
            ("q/package.json", "{}".to_owned()),
        ];
        let found = ["q/Samples/d.asset".to_owned()].to_vec();
        assert_eq!(gathered(&package), (found, true));
        assert_eq!(gathered(&package[..3]), (Vec::new(), false));
    }

    #[test]
    fn so_many_graphs_are_read() {
        let guids: Vec<String> = (0..MOST_ASSETS + 3).map(|n| format!("a{n:04}")).collect();
        let all: Vec<&str> = guids.iter().map(String::as_str).collect();
        let names: Vec<String> = guids.iter().map(|n| format!("Assets/{n}.asset")).collect();
        let metas: Vec<String> = names.iter().map(|name| format!("{name}.meta")).collect();
        let mut files = vec![("Assets/main.asset", calling(&all))];
        for ((name, meta_name), guid) in names.iter().zip(&metas).zip(&guids) {
            files.push((name, calling(&[])));
            files.push((meta_name, meta(guid)));
        }
        let (found, all) = gathered(&files);
        assert_eq!((found.len(), all), (MOST_ASSETS, false));
    }

    #[test]
    fn references_are_numbered_with_those_that_name_nothing() {
        let text = "_data:\n    _json: ''\n    _objectReferences:\n    - {fileID: 0}\n    \
                    - {fileID: 1, guid: ab12, type: 2}\n    - {fileID: 2,\n      guid: cd34, type: 3}\n  other: 1\n";
        let found = references(text);
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        assert_eq!(found, [None, Some("ab12"), Some("cd34")]);
        assert!(references("_objectReferences: []\n").is_empty());
    }
}
