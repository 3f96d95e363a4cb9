//! Which paths a Rust source names: a reader just good enough for that.

use std::iter::Peekable;
use std::str::Chars;

/// A word or sign of the source, and its line, counted from 1.
type Token = (String, usize);

/// All paths of at least two parts that the code names, with groups of `use` spelled out, each with
/// its line. Comments, literals, and everything after the first `#[cfg(test)]` are passed over:
/// unit tests stand at the end of a file.
pub(super) fn mentions(text: &str) -> Vec<(String, usize)> {
    let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
    let tokens = tokens(shipped);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match is_word(&tokens, at) {
            true => path(&tokens, at, "", &mut found),
            false => at + 1,
        };
    }
    found.retain(|(path, _)| path.contains("::"));
    found
}

/// Reads a path that starts at `at`, and every path of a group that it ends in. Returns where the
/// reading goes on.
fn path(tokens: &[Token], at: usize, prefix: &str, found: &mut Vec<(String, usize)>) -> usize {
    let (word, line) = &tokens[at];
    let mut path = format!("{prefix}{word}");
    let mut at = at + 1;
    while is_sign(tokens, at, "::") {
        if is_word(tokens, at + 1) {
            path = format!("{path}::{}", tokens[at + 1].0);
            at += 2;
        } else if is_sign(tokens, at + 1, "{") {
            return group(tokens, at + 2, &format!("{path}::"), found);
        } else {
            break;
        }
    }
    found.push((path, *line));
    at
}

fn group(tokens: &[Token], at: usize, prefix: &str, found: &mut Vec<(String, usize)>) -> usize {
    let mut at = at;
    while at < tokens.len() && !is_sign(tokens, at, "}") {
        at = match is_word(tokens, at) {
            true => path(tokens, at, prefix, found),
            false => at + 1,
        };
    }
    at + 1
}

fn is_sign(tokens: &[Token], at: usize, sign: &str) -> bool {
    tokens.get(at).is_some_and(|(token, _)| token == sign)
}

fn is_word(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|(token, _)| token.starts_with(is_word_char))
}

fn is_word_char(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Reads characters and counts lines.
struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn take(&mut self) -> Option<char> {
        let sign = self.chars.next()?;
        self.line += usize::from(sign == '\n');
        Some(sign)
    }

    fn next_is(&mut self, wanted: char) -> bool {
        self.chars.peek() == Some(&wanted)
    }

    /// The character after the next.
    fn second(&self) -> Option<char> {
        self.chars.clone().nth(1)
    }

    fn skip_line(&mut self) {
        while self.chars.peek().is_some_and(|sign| *sign != '\n') {
            self.take();
        }
    }

    /// Passes over a block comment, whose inner ones may nest; the first slash is taken already.
    fn skip_block(&mut self) {
        self.take();
        let mut depth = 1;
        while depth > 0 {
            match self.take() {
                Some('*') if self.next_is('/') => depth -= 1,
                Some('/') if self.next_is('*') => depth += 1,
                Some(_) => continue,
                None => return,
            }
            self.take();
        }
    }

    /// Passes over a quoted literal; the first quote is taken already.
    fn skip_quoted(&mut self, quote: char) {
        while let Some(sign) = self.take() {
            match sign {
                '\\' => drop(self.take()),
                _ if sign == quote => return,
                _ => {}
            }
        }
    }

    /// Passes over a raw string after its `r`, if it is one.
    fn skip_raw(&mut self) {
        let mut hashes = 0;
        while self.next_is('#') {
            self.take();
            hashes += 1;
        }
        if !self.next_is('"') {
            return;
        }
        self.take();
        while let Some(sign) = self.take() {
            let ends = sign == '"'
                && self.chars.clone().take(hashes).filter(|s| *s == '#').count() == hashes;
            if ends {
                return;
            }
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(sign) = self.chars.next_if(|sign| is_word_char(*sign)) {
            word.push(sign);
        }
        word
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader { chars: text.chars().peekable(), line: 1 };
    let mut tokens = Vec::new();
    while let Some(sign) = reader.take() {
        let line = reader.line;
        match sign {
            '/' if reader.next_is('/') => reader.skip_line(),
            '/' if reader.next_is('*') => reader.skip_block(),
            '"' => reader.skip_quoted('"'),
            // A quote starts a character only if one closes it; otherwise it is a lifetime.
            '\'' if reader.next_is('\\') || reader.second() == Some('\'') => {
                reader.skip_quoted('\'');
            }
            ':' if reader.next_is(':') => {
                reader.take();
                tokens.push(("::".to_owned(), line));
            }
            _ if is_word_char(sign) => {
                let word = reader.word(sign);
                if matches!(word.as_str(), "r" | "br" | "cr") {
                    reader.skip_raw();
                }
                tokens.push((word, line));
            }
            _ if sign.is_whitespace() => {}
            _ => tokens.push((sign.to_string(), line)),
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::mentions;

    fn paths(text: &str) -> Vec<String> {
        mentions(text).into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn groups_are_spelled_out() {
        let text = "use std::{io, fs::{self, File as F}, env};";
        let found = ["std::io", "std::fs::self", "std::fs::File", "std::fs::as", "std::fs::F"];
        assert_eq!(paths(text)[..5], found);
        assert_eq!(paths(text).last().map(String::as_str), Some("std::env"));
    }

    #[test]
    fn paths_in_code_are_found() {
        assert_eq!(paths("let x: &'a str = ::std::fs::read(\"y\")?;"), ["std::fs::read"]);
        assert_eq!(paths("use std::fs::*;"), ["std::fs"]);
    }

    #[test]
    fn comments_and_literals_are_passed_over() {
        let text = "// std::fs\n/* a /* std::env */ std::net */ \"std::fs\" r#\"std::\"fs\"# '\\'' '\"' a::b";
        assert_eq!(paths(text), ["a::b"]);
    }

    #[test]
    fn unit_tests_are_passed_over() {
        assert_eq!(paths("a::b\n#[cfg(test)]\nmod tests { use std::fs; }"), ["a::b"]);
    }
}
