//! How a glob's slashes are read.
//!
//! Paths have no empty component, no `.` and no `..`. A glob that spells one would match nothing,
//! and nobody would notice: so what means the same path is written the plain way before it is
//! compiled, and what means none is refused.

/// A glob in plain spelling: components apart by single slashes, none at either end.
pub(super) struct Shape {
    pub(super) body: String,
    /// Whether it is matched with whole paths, not with base names.
    pub(super) is_path: bool,
    pub(super) only_dir: bool,
}

/// Why a glob can match no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmatched {
    /// Nothing is left of it.
    Empty,
    /// It goes up.
    Parent,
    /// What its braces stand for is not in plain spelling.
    Alternative,
}

impl Shape {
    pub(super) fn of(glob: &str) -> Result<Shape, Unmatched> {
        let components = components(glob);
        let says_something = |component: &&str| !matches!(unescaped(component), Some("" | "."));
        let last = components.iter().rposition(says_something);
        let kept = &components[..last.ok_or(Unmatched::Empty)? + 1];
        let only_dir = kept.len() < components.len();
        let is_path = kept.len() > 1 || kept[0].contains('/');
        let kept: Vec<&str> = kept.iter().copied().filter(|one| says_something(one)).collect();
        if kept.iter().any(|component| unescaped(component) == Some("..")) {
            return Err(Unmatched::Parent);
        }
        Ok(Shape { body: kept.join("/"), is_path, only_dir })
    }

    /// Refuses a glob of which some choice of alternatives is not in plain spelling.
    pub(super) fn check_alternatives(&self) -> Result<(), Unmatched> {
        check_alternatives(&self.body)
    }
}

/// What a component says if it is a `.` or a `..` or nothing, however it is escaped.
fn unescaped(component: &str) -> Option<&'static str> {
    match component {
        "" => Some(""),
        "." | "\\." => Some("."),
        ".." | "\\.." | ".\\." | "\\.\\." => Some(".."),
        _ => None,
    }
}

/// The parts between slashes that stand in no class and no braces. An escaped slash is one too.
fn components(glob: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for token in Tokens::of(glob) {
        match token.says {
            Says::Open => depth += 1,
            Says::Close => depth = depth.saturating_sub(1),
            Says::Slash if depth == 0 => {
                parts.push(&glob[start..token.start]);
                start = token.end;
            }
            _ => {}
        }
    }
    parts.push(&glob[start..]);
    parts
}

/// How far a component is read; several may be possible behind braces.
mod read {
    pub(super) const START: u8 = 1;
    pub(super) const NOTHING: u8 = 2;
    pub(super) const DOT: u8 = 4;
    pub(super) const DOTS: u8 = 8;
    pub(super) const NAME: u8 = 16;
}

/// All choices are followed at once, so their number does not count.
fn check_alternatives(body: &str) -> Result<(), Unmatched> {
    let mut now = read::START;
    let mut open: Vec<(u8, u8)> = Vec::new();
    for token in Tokens::of(body) {
        now = match token.says {
            Says::Open => {
                open.push((now, 0));
                now
            }
            Says::Comma if !open.is_empty() => {
                let (start, ends) = open.last_mut().expect("it was just looked at");
                *ends |= now;
                *start
            }
            Says::Close => now | open.pop().map_or(0, |(_, ends)| ends),
            Says::Slash => {
                check_component(now, read::START)?;
                read::NOTHING
            }
            Says::Dot => dotted(now),
            Says::Comma | Says::Other => read::NAME,
        };
    }
    // An alternative may be empty as a whole: it matches nothing, and hides nothing.
    check_component(now & !read::START, 0)
}

fn check_component(read: u8, also: u8) -> Result<(), Unmatched> {
    match read {
        _ if read & read::DOTS != 0 => Err(Unmatched::Parent),
        _ if read & (read::NOTHING | read::DOT | also) != 0 => Err(Unmatched::Alternative),
        _ => Ok(()),
    }
}

fn dotted(read: u8) -> u8 {
    let mut next = 0;
    for (from, to) in [
        (read::START, read::DOT),
        (read::NOTHING, read::DOT),
        (read::DOT, read::DOTS),
        (read::DOTS, read::NAME),
        (read::NAME, read::NAME),
    ] {
        next |= if read & from != 0 { to } else { 0 };
    }
    next
}

/// What a piece of a glob is to its slashes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Slash,
    Dot,
    Open,
    Comma,
    Close,
    /// A letter, a wildcard or a class.
    Other,
}

struct Token {
    says: Says,
    start: usize,
    end: usize,
}

struct Tokens<'a> {
    glob: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn of(glob: &'a str) -> Self {
        Tokens { glob, at: 0 }
    }

    /// Where the class that opens at `start` ends; the rest of the glob if it does not.
    fn class_end(&self, start: usize) -> usize {
        let mut first = start + 1;
        if self.glob[first..].starts_with(['!', '^']) {
            first += 1;
        }
        // A bracket that comes first is a letter.
        let letters = self.glob[first..].char_indices().skip(1);
        let closing = letters.into_iter().find(|(_, c)| *c == ']');
        closing.map_or(self.glob.len(), |(at, _)| first + at + 1)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let mut chars = self.glob[start..].chars();
        let first = chars.next()?;
        let (says, end) = match first {
            '\\' => match chars.next() {
                Some('/') => (Says::Slash, start + 2),
                Some('.') => (Says::Dot, start + 2),
                escaped => (Says::Other, start + 1 + escaped.map_or(0, char::len_utf8)),
            },
            '[' => (Says::Other, self.class_end(start)),
            '/' => (Says::Slash, start + 1),
            '.' => (Says::Dot, start + 1),
            '{' => (Says::Open, start + 1),
            ',' => (Says::Comma, start + 1),
            '}' => (Says::Close, start + 1),
            other => (Says::Other, start + other.len_utf8()),
        };
        self.at = end;
        Some(Token { says, start, end })
    }
}
