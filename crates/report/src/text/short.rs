//! Texts and names that are too long for a line.

use crate::values::Line;

/// Names of files that are longer are cut where lines are named beside sentences.
const LONGEST_NAME: usize = 40;
/// Texts that are longer are cut where a sentence quotes them.
const LONGEST_TEXT: usize = 60;

/// A text cut to so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most - 1).collect();
    cut.push('…');
    cut
}

/// A sentence in which long texts in quotes, such as addresses, are cut in the middle.
pub(super) fn with_short_texts(sentence: &str) -> String {
    if sentence.chars().count() <= LONGEST_TEXT {
        return sentence.to_owned();
    }
    let mut short = String::new();
    for (number, part) in sentence.split('"').enumerate() {
        if number > 0 {
            short.push('"');
        }
        let length = part.chars().count();
        if number % 2 == 0 || length <= LONGEST_TEXT {
            short.push_str(part);
            continue;
        }
        let (begin, end) = (LONGEST_TEXT * 2 / 3, LONGEST_TEXT / 3 - 1);
        short.extend(part.chars().take(begin));
        short.push('…');
        short.extend(part.chars().skip(length - end));
    }
    short
}

/// A line, by the name of its file without the folder; a long name is cut at its beginning.
pub(super) fn place(line: &Line) -> String {
    let name = file_name(&line.file);
    let length = name.chars().count();
    match length > LONGEST_NAME {
        true => {
            let end: String = name.chars().skip(length - LONGEST_NAME + 1).collect();
            format!("…{end}:{}", line.line)
        }
        false => format!("{name}:{}", line.line),
    }
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        let url = format!("https://example.org/{}/end", "a".repeat(80));
        let told = with_short_texts(&format!(
            "the script calls llHTTPRequest(\"{url}\", [], \"\")"
        ));
        assert!(
            told.starts_with("the script calls llHTTPRequest(\"https://example.org/aaa"),
            "{told}"
        );
        assert!(
            told.ends_with("aaa/end\", [], \"\")") && told.contains('…'),
            "{told}"
        );
        let short = "the script calls llSay(0, \"a \"quoted\" word\")";
        assert_eq!(with_short_texts(short), short);
    }
}
