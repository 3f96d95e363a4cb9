//! Node's path functions on POSIX, as far as contracts show their results.

/// An absolute path without `.`, `..`, doubled and trailing slashes; `base` is absolute.
pub(crate) fn resolve(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let whole = if path.starts_with('/') { ["", path] } else { [base, path] };
    for part in whole.iter().flat_map(|path| path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The way from one absolute path to another; empty when they are the same.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let (from, to) = (resolve("/", from), resolve("/", to));
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (names(&from), names(&to));
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let ups = std::iter::repeat_n("..", from.len() - common);
    let downs = to[common..].iter().map(String::as_str);
    ups.chain(downs).collect::<Vec<_>>().join("/")
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
