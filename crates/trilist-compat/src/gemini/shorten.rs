//! What the user sees of a path while the call runs.

use crate::node_path;

/// The longest description, in UTF-16 units.
const LONGEST: usize = 35;

/// The path from the workspace, shortened.
pub(super) fn description(path: &str, target_dir: &str) -> String {
    if !path.starts_with('/') {
        return shortened(path);
    }
    let way = node_path::relative(target_dir, path);
    shortened(if way.is_empty() { "." } else { &way })
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The first directory and as many of the last parts as there is room for.
fn shortened(path: &str) -> String {
    if units(path) <= LONGEST {
        return path.to_owned();
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return path.to_owned() };
    if parts.len() == 1 {
        return ends(path);
    }
    let mut tail = format!("/{last}");
    for part in parts[1..parts.len() - 1].iter().rev() {
        if units(&tail) + 1 + units(part) > LONGEST {
            break;
        }
        tail = format!("/{part}{tail}");
    }
    if units(&tail) > LONGEST {
        return tail;
    }
    let whole = format!("{first}/{}", tail.trim_start_matches('/'));
    let over = units(&whole).saturating_sub(LONGEST);
    if over == 0 { whole } else { format!("...{}", last_units(&whole, LONGEST + 3)) }
}

/// The beginning and the end of a single long name.
fn ends(name: &str) -> String {
    let kept = (LONGEST - 3) / 2;
    let start: String = name.chars().take(kept).collect();
    format!("{start}...{}", last_units(name, kept))
}

fn last_units(text: &str, count: usize) -> String {
    let skip = units(text).saturating_sub(count);
    let mut passed = 0;
    let chars = text.chars().skip_while(|c| {
        passed += c.len_utf16();
        passed <= skip
    });
    chars.collect()
}
