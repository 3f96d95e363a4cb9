//! Node's path functions on POSIX, as far as contracts show their results.

/// An absolute path without `.`, `..`, doubled and trailing slashes; `base` is absolute.
pub(crate) fn resolve(base: &str, path: &str) -> String {
    let base = if path.starts_with('/') { "" } else { base };
    let mut out = String::with_capacity(base.len() + path.len() + 1);
    for part in [base, path].iter().flat_map(|path| path.split('/')) {
        match part {
            "" | "." => {}
            ".." => out.truncate(out.rfind('/').unwrap_or(0)),
            part => {
                out.push('/');
                out.push_str(part);
            }
        }
    }
    if out.is_empty() { "/".to_owned() } else { out }
}

/// The way from one absolute path to another; empty when they are the same.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let (from, to) = (resolve("/", from), resolve("/", to));
    let (mut from, mut to) = (names(&from).peekable(), names(&to).peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let mut out = String::new();
    for name in from.map(|_| "..").chain(to) {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(name);
    }
    out
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

/// Whether `path` is `dir` or lies below it; both absolute and resolved.
pub(crate) fn is_within(dir: &str, path: &str) -> bool {
    let way = relative(dir, path);
    way != ".." && !way.starts_with("../")
}

/// The last part of a path.
pub(crate) fn basename(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{basename, is_within, relative, resolve};

    #[test]
    fn paths_are_as_in_node() {
        assert_eq!(resolve("/a/b", "../c//./d/"), "/a/c/d");
        assert_eq!(resolve("/a/b", "/../x"), "/x");
        assert_eq!(resolve("/a/b", ""), "/a/b");
        assert_eq!(relative("/a/b", "/a/b"), "");
        assert_eq!(relative("/a/b", "/a/c/d"), "../c/d");
        assert_eq!(relative("/", "/a"), "a");
        assert!(is_within("/a", "/a/b") && !is_within("/a", "/ab") && is_within("/a", "/a/..b"));
        assert_eq!(basename("/a/b/"), "b");
    }
}
