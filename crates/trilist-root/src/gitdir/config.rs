//! A reader for git's configuration format.

/// The settings of a git configuration file.
///
/// Sections and keys are compared without case, subsections exactly, and the last of several
/// values holds, as in git. Files named by `include` and `includeIf` are not read: they may
/// lie anywhere, and nothing that is asked here belongs there.
///
/// ```
/// use trilist_root::gitdir::GitConfig;
///
/// let config = GitConfig::parse(b"[core]\n\tbare = false\n[Remote \"Up\"]\n\turl = \"a b\" # c\n")?;
/// assert_eq!(config.flag("core", None, "bare"), Some(false));
/// assert_eq!(config.value("remote", Some(b"Up"), "URL"), Some(&b"a b"[..]));
/// # Ok::<(), trilist_root::gitdir::ConfigError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitConfig {
    headers: Vec<Header>,
    entries: Vec<Setting>,
}

/// A configuration file that git would not read either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the git configuration is no valid setting")]
pub struct ConfigError {
    /// Counted from 1.
    pub line: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Header {
    section: Vec<u8>,
    subsection: Option<Vec<u8>>,
}

/// Holds its header by number: a long header over many settings must not be copied for each.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting {
    header: usize,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl GitConfig {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// Names the first line that git would refuse.
    pub fn parse(bytes: &[u8]) -> Result<GitConfig, ConfigError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut parser = Parser { bytes, at: 0, line: 1 };
        let mut config = GitConfig::default();
        match parser.file(&mut config) {
            Some(()) => Ok(config),
            None => Err(ConfigError { line: parser.line }),
        }
    }

    /// The last value of a key; `true` for a key without `=`.
    pub fn value(&self, section: &str, subsection: Option<&[u8]>, key: &str) -> Option<&[u8]> {
        let found = self.entries.iter().rev().find(|setting| {
            let header = &self.headers[setting.header];
            setting.key.eq_ignore_ascii_case(key.as_bytes())
                && header.section.eq_ignore_ascii_case(section.as_bytes())
                && header.subsection.as_deref() == subsection
        });
        found.map(|setting| setting.value.as_slice())
    }

    /// The last value of a key as git's boolean; `None` if it is absent or no boolean.
    pub fn flag(&self, section: &str, subsection: Option<&[u8]>, key: &str) -> Option<bool> {
        boolean(self.value(section, subsection, key)?)
    }

    /// Whether a key is somewhere true in a section's subsections, as in one of all remotes.
    pub fn any_flag(&self, section: &str, key: &str) -> bool {
        self.entries.iter().any(|setting| {
            let header = &self.headers[setting.header];
            setting.key.eq_ignore_ascii_case(key.as_bytes())
                && header.section.eq_ignore_ascii_case(section.as_bytes())
                && header.subsection.is_some()
                && boolean(&setting.value) == Some(true)
        })
    }

    /// Every key and value of a section without subsection, in the order of the file; keys in
    /// lower case.
    pub fn section(&self, section: &str) -> impl Iterator<Item = (&[u8], &[u8])> {
        let wanted = move |setting: &&Setting| {
            let header = &self.headers[setting.header];
            header.subsection.is_none() && header.section.eq_ignore_ascii_case(section.as_bytes())
        };
        let found = self.entries.iter().filter(wanted);
        found.map(|setting| (setting.key.as_slice(), setting.value.as_slice()))
    }

    /// Whether each work tree has a configuration of its own besides: `config.worktree`.
    pub fn worktree_config(&self) -> bool {
        self.flag("extensions", None, "worktreeconfig") == Some(true)
    }

    /// Adds the settings of a file that is read after this one.
    pub fn append(&mut self, later: GitConfig) {
        let shift = self.headers.len();
        self.headers.extend(later.headers);
        let moved = later.entries.into_iter().map(|mut setting| {
            setting.header += shift;
            setting
        });
        self.entries.extend(moved);
    }
}

fn boolean(value: &[u8]) -> Option<bool> {
    let is = |words: &[&str]| {
        let same = |word: &&str| value.eq_ignore_ascii_case(word.as_bytes());
        words.iter().any(same)
    };
    if is(&["true", "yes", "on"]) {
        return Some(true);
    }
    if is(&["false", "no", "off", ""]) {
        return Some(false);
    }
    integer(value).map(|number| number != 0)
}

/// Git's whole number: C's notation, with a unit behind it, within 31 bits. The sign does not
/// matter here and is left off.
fn integer(value: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(value).ok()?;
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (radix, text) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if text.starts_with('0') => (8, text),
        None => (10, text),
    };
    let end = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    let number = u32::from_str_radix(&text[..end], radix).ok()?;
    let unit = match &text[end..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit).filter(|number| i32::try_from(*number).is_ok())
}

/// Every step returns `None` where git would call the file bad.
struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl Parser<'_> {
    fn file(&mut self, config: &mut GitConfig) -> Option<()> {
        while let Some(byte) = self.next() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {}
                b'#' | b';' => self.comment(),
                b'[' => {
                    let header = self.header()?;
                    config.headers.push(header);
                }
                first if first.is_ascii_alphabetic() => {
                    let header = config.headers.len().checked_sub(1)?;
                    let (key, value) = self.setting(first)?;
                    config.entries.push(Setting { header, key, value });
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The next byte; a line may end in CR and LF.
    fn next(&mut self) -> Option<u8> {
        let mut byte = *self.bytes.get(self.at)?;
        self.at += 1;
        if byte == b'\r' && self.peek() == Some(b'\n') {
            self.at += 1;
            byte = b'\n';
        }
        if byte == b'\n' {
            self.line = self.line.saturating_add(1);
        }
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn comment(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// `[section]`, `[section "subsection"]`, or the old `[section.subsection]`.
    fn header(&mut self) -> Option<Header> {
        let mut section = Vec::new();
        loop {
            match self.next()? {
                b']' => break,
                b' ' | b'\t' => {
                    let subsection = Some(self.subsection()?);
                    return Some(Header { section, subsection });
                }
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    section.push(byte.to_ascii_lowercase());
                }
                _ => return None,
            }
        }
        let dot = section.iter().position(|byte| *byte == b'.');
        let subsection = dot.map(|dot| section.split_off(dot)[1..].to_vec());
        Some(Header { section, subsection })
    }

    fn subsection(&mut self) -> Option<Vec<u8>> {
        let mut name = Vec::new();
        loop {
            match self.next()? {
                b' ' | b'\t' => {}
                b'"' => break,
                _ => return None,
            }
        }
        loop {
            match self.next()? {
                b'"' => break,
                b'\n' => return None,
                b'\\' => match self.next()? {
                    b'\n' => return None,
                    byte => name.push(byte),
                },
                byte => name.push(byte),
            }
        }
        (self.next()? == b']').then_some(name)
    }

    fn setting(&mut self, first: u8) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut key = vec![first.to_ascii_lowercase()];
        while let Some(byte) = self.peek() {
            if !byte.is_ascii_alphanumeric() && byte != b'-' {
                break;
            }
            key.push(byte.to_ascii_lowercase());
            self.at += 1;
        }
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        match self.next() {
            None | Some(b'\n') => Some((key, b"true".to_vec())),
            Some(b'=') => Some((key, self.value()?)),
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let (mut value, mut quoted) = (Vec::new(), false);
        // What lies beyond is white space that counts only if something follows.
        let mut kept = 0;
        loop {
            match self.next() {
                None | Some(b'\n') if quoted => return None,
                None | Some(b'\n') => break,
                Some(b'#' | b';') if !quoted => {
                    self.comment();
                    break;
                }
                Some(b' ' | b'\t') if !quoted && value.is_empty() => continue,
                Some(byte @ (b' ' | b'\t')) if !quoted => {
                    value.push(byte);
                    continue;
                }
                Some(b'"') => quoted = !quoted,
                Some(b'\\') => match self.next()? {
                    b'\n' => continue,
                    byte => value.push(escape(byte)?),
                },
                Some(byte) => value.push(byte),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

fn escape(byte: u8) -> Option<u8> {
    Some(match byte {
        b't' => b'\t',
        b'n' => b'\n',
        b'b' => 8,
        b'\\' | b'"' => byte,
        _ => return None,
    })
}
