//! Bracket expressions: `[a-z]`, `[!/]`, `[[:alpha:]]`.

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn remove(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] &= !(1 << (byte & 63));
    }

    /// Makes each capital stand for its small letter.
    fn fold(&mut self) {
        for capital in b'A'..=b'Z' {
            if self.contains(capital.to_ascii_lowercase()) {
                self.insert(capital);
            } else {
                self.remove(capital);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// Reads the class whose `[` stands just before `pattern[at]`; gives it and the
/// index behind its `]`.
pub(super) fn parse(
    pattern: &[u8],
    at: usize,
    fold: bool,
) -> Result<(ByteSet, usize), &'static str> {
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    let mut reader = Reader {
        pattern,
        at: at + usize::from(negated),
        fold,
        set: ByteSet::default(),
        previous: None,
    };
    // The first byte is an item even if it is `]`.
    loop {
        reader.item()?;
        match pattern.get(reader.at) {
            Some(b']') => break,
            Some(_) => {}
            None => return Err(UNCLOSED),
        }
    }
    let mut set = reader.set;
    if fold {
        set.fold();
    }
    if negated {
        set.0 = set.0.map(|word| !word);
    }
    // No class matches a slash, and no path holds a NUL.
    set.remove(b'/');
    set.remove(0);
    if set.is_empty() { Err("character class matches nothing") } else { Ok((set, reader.at + 1)) }
}

const UNCLOSED: &str = "unclosed character class";

struct Reader<'a> {
    pattern: &'a [u8],
    at: usize,
    fold: bool,
    /// What the class names. When case is folded the text is lowered before it
    /// is looked up, but the class is not: git's `[A]` then matches nothing.
    set: ByteSet,
    /// A byte that a following `-` makes the start of a range.
    previous: Option<u8>,
}

impl Reader<'_> {
    fn item(&mut self) -> Result<(), &'static str> {
        let byte = self.next()?;
        match (byte, self.previous) {
            (b'\\', _) => {
                let escaped = self.next()?;
                self.single(escaped);
            }
            (b'-', Some(first)) if self.range_follows() => self.range(first)?,
            (b'[', _) if self.pattern.get(self.at) == Some(&b':') => self.named()?,
            _ => self.single(byte),
        }
        Ok(())
    }

    fn next(&mut self) -> Result<u8, &'static str> {
        let byte = *self.pattern.get(self.at).ok_or(UNCLOSED)?;
        self.at += 1;
        Ok(byte)
    }

    fn single(&mut self, byte: u8) {
        self.set.insert(byte);
        self.previous = Some(byte);
    }

    fn range_follows(&self) -> bool {
        self.pattern.get(self.at).is_some_and(|&byte| byte != b']')
    }

    fn range(&mut self, first: u8) -> Result<(), &'static str> {
        let mut last = self.next()?;
        if last == b'\\' {
            last = self.next()?;
        }
        for byte in first..=last {
            self.set.insert(byte);
            if self.fold && byte.is_ascii_uppercase() {
                self.set.insert(byte.to_ascii_lowercase());
            }
        }
        self.previous = None;
        Ok(())
    }

    /// `[:name:]`, of which the `[` is read.
    fn named(&mut self) -> Result<(), &'static str> {
        let rest = &self.pattern[self.at + 1..];
        let end = rest.iter().position(|&byte| byte == b']').ok_or(UNCLOSED)?;
        let Some(name) = rest[..end].strip_suffix(b":") else {
            self.single(b'[');
            return Ok(());
        };
        let test = class_test(name).ok_or("unknown character class name")?;
        for byte in 0..=u8::MAX {
            if test(byte) || self.fold && name == b"upper" && byte.is_ascii_lowercase() {
                self.set.insert(byte);
            }
        }
        self.at += 1 + end + 1;
        self.previous = None;
        Ok(())
    }
}

/// Git's own character table: ASCII alone, and its `space` knows neither
/// vertical tab nor form feed.
fn class_test(name: &[u8]) -> Option<fn(u8) -> bool> {
    Some(match name {
        b"alnum" => |byte| byte.is_ascii_alphanumeric(),
        b"alpha" => |byte| byte.is_ascii_alphabetic(),
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => |byte| byte.is_ascii_control(),
        b"digit" => |byte| byte.is_ascii_digit(),
        b"graph" => |byte| byte.is_ascii_graphic(),
        b"lower" => |byte| byte.is_ascii_lowercase(),
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => |byte| byte.is_ascii_punctuation(),
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => |byte| byte.is_ascii_uppercase(),
        b"xdigit" => |byte| byte.is_ascii_hexdigit(),
        _ => return None,
    })
}
