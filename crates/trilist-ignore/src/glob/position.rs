//! Where a glob is wrong. The engine says only what is.

/// The place of the first fault in a glob's text, in characters counted from 0; `None` where no
/// single place is at fault. Brackets and braces that are not closed are named where they open.
pub(super) fn of_fault(glob: &str) -> Option<usize> {
    let chars: Vec<char> = glob.chars().collect();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        match c {
            '\\' if at + 1 == chars.len() => return Some(at),
            '\\' => at += 1,
            '[' => match class_end(&chars, at) {
                Ok(end) => at = end,
                Err(fault) => return Some(fault),
            },
            '{' => open.push(at),
            '}' if open.pop().is_none() => return Some(at),
            _ => {}
        }
        at += 1;
    }
    open.first().copied()
}

/// The bracket that closes the class opened at `open`, or where the class is wrong. Nothing is
/// escaped in a class, and a `]` that comes first is a letter.
fn class_end(chars: &[char], open: usize) -> Result<usize, usize> {
    let negated = matches!(chars.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    // Where the last range starts, which may be a single letter so far.
    let (mut start, mut in_range) = (first, false);
    for (at, &c) in chars.iter().enumerate().skip(first) {
        match c {
            ']' if at > first => return Ok(at),
            '-' if at > first && !in_range => in_range = true,
            _ if in_range && c < chars[start] => return Err(start),
            _ if in_range => in_range = false,
            _ => start = at,
        }
    }
    Err(open)
}
