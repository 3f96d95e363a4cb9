//! The current release's guard over names: paths that are none, and what stays hidden.

/// The longest path, and the longest name in one, in UTF-16 units.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;

/// Paths up to this length may hold quotes and dots in a row.
const SHORT_PATH: usize = 20;

/// What lines of test runners start with, which models take for paths.
const LOG_MARKS: &[&str] = &["AssertionError:", "FAIL ", "✓ ", "× ", "TestingLibraryElementError:"];

/// Why an absolute path is taken for no path at all, if it is.
pub(super) fn malformed(path: &str) -> Option<String> {
    let length = units(path);
    if path.contains(['\n', '\r', '\t', '\0']) {
        return Some("it holds a line break, a tab or a NUL".to_owned());
    }
    if names(path).any(|name| LOG_MARKS.iter().any(|mark| name.starts_with(mark))) {
        return Some("it looks like a line of a log".to_owned());
    }
    if length > SHORT_PATH && (path.contains('"') || path.contains("...")) {
        return Some("it holds a double quote or three dots and is no short name".to_owned());
    }
    if length > LONGEST_PATH {
        return Some(format!("it has {length} characters, at most {LONGEST_PATH} are allowed"));
    }
    let longest = names(path).map(units).max().unwrap_or(0);
    (longest > LONGEST_NAME)
        .then(|| format!("a name has {longest} characters, at most {LONGEST_NAME} are allowed"))
}

/// Whether a path from the workspace has a name that is hidden: secrets, and directories that are
/// too big to look into, however a file system of Windows may spell them.
pub(super) fn is_blocked(way: &str) -> bool {
    names(way).any(is_blocked_name)
}

fn is_blocked_name(name: &str) -> bool {
    // A stream of a file is named behind a colon, and dots and spaces at the end do not count.
    let name = name.split(':').next().unwrap_or(name).trim_end_matches([' ', '.']).to_lowercase();
    let is_credentials = name.starts_with("gha-creds-") && name.ends_with(".json");
    let of_credentials = [".json", ".jso"].iter().find_map(|end| name.strip_suffix(end));
    matches!(name.as_str(), ".env" | ".git" | "node_modules")
        || is_credentials
        || is_short_for(&name, "git", "gi")
        || is_short_for(&name, "env", "en")
        || is_short_for(&name, "node_m", "no")
        || of_credentials.is_some_and(|name| is_short_for(name, "gha-cr", "gh"))
}

/// Whether a name is an 8.3 name: `start`, or two letters and four digits of a hash, then a number.
fn is_short_for(name: &str, start: &str, letters: &str) -> bool {
    let Some((head, number)) = name.split_once('~') else { return false };
    let is_hex = |c: char| c.is_ascii_digit() || matches!(c, 'a'..='f');
    let is_hash = |hash: &str| hash.len() == 4 && hash.chars().all(is_hex);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && (head == start || head.strip_prefix(letters).is_some_and(is_hash))
}

/// Text with its percent signs decoded; none where one is malformed.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.as_bytes().split(|byte| *byte == b'%');
    out.extend_from_slice(parts.next().unwrap_or_default());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = digit(digits[0])? * 16 + digit(digits[1])?;
        out.push(u8::try_from(byte).ok()?);
        out.extend_from_slice(rest);
    }
    String::from_utf8(out).ok()
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\'])
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::{is_blocked, malformed, percent_decoded};

    #[test]
    fn names_are_blocked_in_every_spelling() {
        for name in [
            ".git",
            ".GIT",
            ".git. .",
            ".env:stream",
            "node_modules ",
            "gha-creds-1.json",
            "GIT~1",
            "gi0a1F~12",
            "env~1",
            "node_m~2",
            "no12ab~1",
            "gha-cr~1.jso",
            "gh12ab~1.json",
            "src\\.git\\config",
            "src/.env/x",
        ] {
            assert!(is_blocked(name), "{name}");
        }
        for name in
            [".gitignore", ".env.local", "git~", "git~x", "gi0a1~1", "node~1", "gha-creds-1", "a.."]
        {
            assert!(!is_blocked(name), "{name}");
        }
    }

    #[test]
    fn what_is_no_path_is_malformed() {
        let long = format!("/w/{}", "n".repeat(256));
        let deep = format!("/w{}", "/n".repeat(2_048));
        let quoted = "/workspace/of/me/\"a\"";
        for path in ["/a\n", "/a\tb", "/a\0", "/a/FAIL x", "/✓ ok", "/a\\× no", &long, &deep] {
            assert!(malformed(path).is_some(), "{path}");
        }
        assert_eq!(quoted.len(), 20);
        let longer = format!("{quoted}x");
        assert!(malformed(quoted).is_none() && malformed(&longer).is_some());
        assert!(malformed("/a/FAILURE").is_none() && malformed("/w/it's...").is_none());
        assert!(malformed(&long[..long.len() - 1]).is_none());
    }

    #[test]
    fn percent_signs_are_decoded_all_or_none() {
        assert_eq!(percent_decoded("/%2e%2E/a%20b").as_deref(), Some("/../a b"));
        assert_eq!(percent_decoded("/%C3%A9").as_deref(), Some("/é"));
        for malformed in ["/100%", "/%2", "/%zz%20", "/%ff"] {
            assert_eq!(percent_decoded(malformed), None, "{malformed}");
        }
    }
}
