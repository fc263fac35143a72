//! Reading Markdown: headings, fenced blocks, and what a block expects.

use std::collections::BTreeSet;

/// A file that a snippet needs beside its own text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attached {
    /// Its name, as the fence gives it.
    pub name: String,
    /// Its language, the first word of the fence.
    pub language: String,
    /// Its text.
    pub text: String,
    /// The line of its fence in the Markdown file, from 1.
    pub(crate) line: usize,
}

/// A snippet and what is expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The name under which its text is read.
    pub name: String,
    /// Its text, markers included.
    pub text: String,
    /// The other files, in the order in which they stand before it.
    pub files: Vec<Attached>,
    words: Vec<String>,
    /// The line of its fence in the Markdown file, from 1.
    pub(crate) line: usize,
    pub(crate) expected: BTreeSet<Expected>,
}

/// A code that is expected, and where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Expected {
    /// The file; empty if the diagnostic has no place.
    pub(crate) file: String,
    /// The line, from 1; 0 if the diagnostic has no place.
    pub(crate) line: usize,
    pub(crate) code: String,
    /// What the message or its help must say; anything if empty.
    pub(crate) says: String,
}

/// A heading that begins with a code, and the snippets below it.
#[derive(Debug)]
pub(crate) struct Section {
    /// Empty for what stands before the first such heading.
    pub(crate) code: String,
    /// The line of the heading in the Markdown file, from 1.
    pub(crate) line: usize,
    pub(crate) blocks: Vec<Block>,
}

impl Block {
    /// Whether the fence has this word behind the language's name.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }

    /// The other files in a language.
    pub fn files_in(&self, language: &str) -> impl Iterator<Item = &Attached> {
        let files = self.files.iter();
        files.filter(move |file| file.language == language)
    }

    /// The text of the file with this name that stands before the snippet.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&str> {
        let file = self.files.iter().find(|file| file.name == name)?;
        Some(&file.text)
    }

    /// The line of the Markdown file where a line of the snippet or of another file of it stands; the
    /// fence for what has no place.
    pub(crate) fn line_in_document(&self, file: &str, line: usize) -> usize {
        let other = self.files.iter().find(|other| other.name == file);
        match other {
            Some(other) => other.line + line,
            None if file == self.name => self.line + line,
            None => self.line,
        }
    }
}

/// What snippets look like in a suite.
pub(crate) struct Form<'a> {
    pub(crate) language: &'a str,
    pub(crate) name: &'a str,
    pub(crate) marker: &'a str,
}

/// The sections of a Markdown file.
///
/// # Errors
/// The line and what is wrong with it: a fence that is not closed, a block in another language, a
/// file that no snippet follows, an expectation that cannot be read.
pub(crate) fn sections(text: &str, form: &Form<'_>) -> Result<Vec<Section>, (usize, String)> {
    let mut sections = vec![Section {
        code: String::new(),
        line: 1,
        blocks: Vec::new(),
    }];
    let mut files: Vec<Attached> = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if let Some(heading) = line.strip_prefix('#') {
            sections.extend(code_of_heading(heading).map(|code| Section {
                code,
                line: number,
                blocks: Vec::new(),
            }));
        }
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let fence = Fence::read(info);
        let text = body(&mut lines).ok_or((number, "the fence is not closed".to_owned()))?;
        if let Some(name) = fence.file {
            files.push(Attached {
                name,
                language: fence.language,
                text,
                line: number,
            });
            continue;
        }
        if fence.language != form.language {
            let message = format!("a block in `{}`, not `{}`", fence.language, form.language);
            return Err((number, message));
        }
        let block = block(fence, text, std::mem::take(&mut files), number, form)?;
        let section = sections.last_mut().expect("there is a first one");
        section.blocks.push(block);
    }
    match files.first() {
        Some(file) => Err((file.line, "no snippet follows this file".to_owned())),
        None => Ok(sections),
    }
}

/// The code at the beginning of a heading: capitals, then digits.
fn code_of_heading(heading: &str) -> Option<String> {
    let heading = heading.trim_start_matches('#').trim_start();
    let end = heading.find(|c: char| !c.is_ascii_alphanumeric());
    let word = &heading[..end.unwrap_or(heading.len())];
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let is_code = digits.len() < word.len() && digits.len() >= 3;
    (is_code && digits.bytes().all(|b| b.is_ascii_digit())).then(|| word.to_owned())
}

/// The lines up to the closing fence, if there is one.
fn body<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Option<String> {
    let mut text = String::new();
    for (_, line) in lines {
        if line.starts_with("```") {
            return Some(text);
        }
        text.push_str(line);
        text.push('\n');
    }
    None
}

/// What stands behind the three backquotes.
struct Fence {
    language: String,
    file: Option<String>,
    expect: Vec<String>,
    words: Vec<String>,
}

impl Fence {
    fn read(info: &str) -> Fence {
        let mut words = info.split_whitespace();
        let mut fence = Fence {
            language: words.next().unwrap_or_default().to_owned(),
            file: None,
            expect: Vec::new(),
            words: Vec::new(),
        };
        for word in words {
            if let Some(list) = word.strip_prefix("expect=") {
                fence.expect.extend(list.split(',').map(str::to_owned));
            } else if let Some(name) = word.strip_prefix("file=") {
                fence.file = Some(name.to_owned());
            } else {
                fence.words.push(word.to_owned());
            }
        }
        fence
    }
}

fn block(
    fence: Fence,
    text: String,
    files: Vec<Attached>,
    number: usize,
    form: &Form<'_>,
) -> Result<Block, (usize, String)> {
    let within = |fence: usize| move |(line, message): (usize, String)| (fence + line, message);
    let mut expected = markers(form.name, &text, form.marker).map_err(within(number))?;
    for file in &files {
        let more = markers(&file.name, &file.text, form.marker);
        expected.extend(more.map_err(within(file.line))?);
    }
    for item in &fence.expect {
        expected.push(at_fence(item, form.name).map_err(|message| (number, message))?);
    }
    let count = expected.len();
    let expected: BTreeSet<Expected> = expected.into_iter().collect();
    if expected.len() < count {
        return Err((number, "one code is expected twice at one line".to_owned()));
    }
    Ok(Block {
        name: form.name.to_owned(),
        text,
        files,
        words: fence.words,
        line: number,
        expected,
    })
}

/// A code of the fence: `CODE`, `CODE@LINE` or, in another file, `CODE@FILE:LINE`.
fn at_fence(item: &str, name: &str) -> Result<Expected, String> {
    let (code, place) = item.split_once('@').unwrap_or((item, ""));
    let (file, line) = place.rsplit_once(':').unwrap_or((name, place));
    let (file, line) = match line.parse() {
        Ok(line) if line > 0 => (file, line),
        _ if place.is_empty() && code == item => ("", 0),
        _ => return Err(format!("`{item}` has no line number")),
    };
    Ok(Expected {
        file: file.to_owned(),
        line,
        code: code.to_owned(),
        says: String::new(),
    })
}

/// The codes behind the markers of a text.
fn markers(file: &str, text: &str, marker: &str) -> Result<Vec<Expected>, (usize, String)> {
    let mut expected = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, rest)) = text.split_once(marker) else {
            continue;
        };
        let mut rest = rest.trim();
        while !rest.is_empty() {
            let end = rest.find(' ').unwrap_or(rest.len());
            let (code, behind) = rest.split_at(end);
            rest = behind.trim_start();
            let mut says = "";
            if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.split_once('"');
                let open = || (line, "what a message says has no closing `\"`".to_owned());
                (says, rest) = end.ok_or_else(open)?;
                rest = rest.trim_start();
            }
            expected.push(Expected {
                file: file.to_owned(),
                line,
                code: code.to_owned(),
                says: says.to_owned(),
            });
        }
    }
    Ok(expected)
}
