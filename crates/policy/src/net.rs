//! Location nets: the sites there are, where an agent is, and where its code came from.
//!
//! ```text
//! location net: (air0 [127.0.0.1 3000] airc [127.0.0.1 3333])
//! current execution location: airc:a0
//! codebase host: 127.0.0.1
//! code origin: airc
//! thread serve at air0 origin air0 codebase 127.0.0.1
//! ```
//!
//! The first four lines are those of Braghin, Sharygina and Barone-Adesi, and are about all code of
//! a program; a line `thread` is about the threads that run a function.

use source::{Diagnostic, SourceFile};

use crate::codes as code;
use crate::words::{Kind, Reader, Word};

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// A net.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// The names of the sites.
    pub sites: Vec<String>,
    /// Where all code is and comes from, unless a line says otherwise.
    pub agent: Provenance,
    /// Where the threads of a function are and come from.
    pub threads: Vec<(String, Provenance)>,
}

/// Where code is, and where it comes from; what is not said may be anything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Provenance {
    /// Where it is: a path from a site inwards.
    pub at: Option<Vec<String>>,
    /// The location that sent it, as such a path.
    pub origin: Option<Vec<String>>,
    /// The address of the host that it came from.
    pub code_base: Option<String>,
}

/// Reads a net.
///
/// # Errors
/// The first thing that is not understood.
pub fn parse(file: &SourceFile) -> Parsed<Net> {
    let mut reader = Reader::new(file);
    let mut net = Net::default();
    let mut begin = Vec::new();
    loop {
        let word = reader.next();
        match (word.kind, word.text.as_str()) {
            (Kind::End, _) => break,
            (Kind::Name, "location") => {
                heading(&mut reader, &["net"])?;
                sites(&mut reader, &mut net)?;
            }
            (Kind::Name, "current") => {
                heading(&mut reader, &["execution", "location"])?;
                net.agent.at = Some(path(&mut reader, &mut begin)?);
            }
            (Kind::Name, "codebase") => {
                heading(&mut reader, &["host"])?;
                net.agent.code_base = Some(name(&mut reader)?);
            }
            (Kind::Name, "code") => {
                heading(&mut reader, &["origin"])?;
                net.agent.origin = Some(path(&mut reader, &mut begin)?);
            }
            (Kind::Name, "thread") => thread(&mut reader, &mut net, &mut begin)?,
            _ => {
                let message = format!("a net has no line that begins with {}", word.shown());
                let first = ["location", "current", "codebase", "code", "thread"];
                let error = Diagnostic::error(code::NET, message).at(word.span);
                return Err(Box::new(error.did_you_mean(&word.text, first).help(
                    "the lines are `location net:`, `current execution location:`, `codebase \
                     host:`, `code origin:` and `thread FUNCTION at LOCATION ...`",
                )));
            }
        }
    }
    known_sites(&net, &begin)?;
    Ok(net)
}

fn thread(reader: &mut Reader, net: &mut Net, begin: &mut Vec<Word>) -> Parsed<()> {
    let function = name(reader)?;
    let mut provenance = Provenance::default();
    loop {
        if reader.takes_name("at") {
            provenance.at = Some(path(reader, begin)?);
        } else if reader.takes_name("origin") {
            provenance.origin = Some(path(reader, begin)?);
        } else if reader.takes_name("codebase") {
            provenance.code_base = Some(name(reader)?);
        } else {
            break;
        }
    }
    net.threads.push((function, provenance));
    Ok(())
}

/// `(air0 [127.0.0.1 3000] air1 ...)`; the addresses are not used.
fn sites(reader: &mut Reader, net: &mut Net) -> Parsed<()> {
    mark(reader, "(")?;
    while !reader.takes(")") {
        net.sites.push(name(reader)?);
        if reader.takes("[") {
            while !reader.takes("]") {
                name(reader)?;
            }
        }
    }
    Ok(())
}

/// Places begin at a site of the net: these do.
fn known_sites(net: &Net, begin: &[Word]) -> Parsed<()> {
    let unknown = begin.iter().find(|word| !net.sites.contains(&word.text));
    unknown.map_or(Ok(()), |word| {
        let message = format!("the net has no site `{}`", word.text);
        let error = Diagnostic::error(code::NET, message).at(word.span);
        let sites = net.sites.iter().map(String::as_str);
        Err(Box::new(error.did_you_mean(&word.text, sites)))
    })
}

/// A path from a site inwards; its first word goes to `begin`.
fn path(reader: &mut Reader, begin: &mut Vec<Word>) -> Parsed<Vec<String>> {
    begin.push(reader.peek().clone());
    let mut path = vec![name(reader)?];
    while reader.takes(":") {
        path.push(name(reader)?);
    }
    Ok(path)
}

fn heading(reader: &mut Reader, names: &[&str]) -> Parsed<()> {
    for name in names {
        if !reader.takes_name(name) {
            return unexpected(reader, &format!("`{name}`"));
        }
    }
    mark(reader, ":")
}

fn mark(reader: &mut Reader, mark: &str) -> Parsed<()> {
    match reader.takes(mark) {
        true => Ok(()),
        false => unexpected(reader, &format!("`{mark}`")),
    }
}

fn name(reader: &mut Reader) -> Parsed<String> {
    match reader.peek().kind {
        Kind::Name | Kind::Quoted => Ok(reader.next().text),
        _ => unexpected(reader, "a name"),
    }
}

fn unexpected<T>(reader: &Reader, expected: &str) -> Parsed<T> {
    let word = reader.peek();
    let message = format!("expected {expected}, found {}", word.shown());
    Err(Box::new(
        Diagnostic::error(code::NET, message).at(word.span),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Net, String> {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.locnet", text);
        parse(sources.file(file)).map_err(|error| error.message)
    }

    #[test]
    fn a_net_is_read() {
        let net = read(
            "location net: (air0 [127.0.0.1 3000] airc [127.0.0.1 3333])\n\
             current execution location: airc:a0\ncodebase host: 127.0.0.1\ncode origin: airc\n\
             thread serve at air0 origin air0\n",
        );
        let net = net.expect("it is one");
        assert_eq!(net.sites, ["air0", "airc"]);
        assert_eq!(
            net.agent.at.as_deref(),
            Some(&["airc".into(), "a0".into()][..])
        );
        assert_eq!(net.agent.code_base.as_deref(), Some("127.0.0.1"));
        assert_eq!(net.threads[0].0, "serve");
        assert_eq!(net.threads[0].1.code_base, None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(
            read("location net: (a"),
            Err("expected a name, found the end".into())
        );
        let unknown = read("location net: (a)\ncode origin: b");
        assert_eq!(unknown, Err("the net has no site `b`".into()));
        assert!(read("sites: a").is_err());
        let help = |text| {
            let mut sources = source::SourceMap::new();
            let file = sources.add("t.locnet", text);
            parse(sources.file(file))
                .expect_err("a slip")
                .help
                .join("\n")
        };
        let site = help("location net: (airport)\ncode origin: aiport");
        assert_eq!(site, "did you mean `airport`?");
        assert!(help("locaton net: (a)").starts_with("did you mean `location`?"));
    }
}
