//! The tree drawn with lines, for people.
//!
//! It is the indented tree with another indentation: no name there starts with a blank, so a line
//! says how deep it stands.

/// Draws the lines of an indented tree.
pub(crate) fn draw(lines: &str, out: &mut String) {
    let rows: Vec<(usize, &str)> = lines.lines().map(split).collect();
    // Whether a later row stands at a level, before one further out ends it: from the last row up.
    let mut goes_on: Vec<bool> = Vec::new();
    let mut drawn: Vec<String> = Vec::with_capacity(rows.len());
    for (depth, row) in rows.iter().rev() {
        goes_on.resize(depth + 1, false);
        let mut line = String::new();
        for level in &goes_on[..*depth] {
            line.push_str(if *level { "│   " } else { "    " });
        }
        line.push_str(if goes_on[*depth] { "├── " } else { "└── " });
        line.push_str(row);
        goes_on[*depth] = true;
        drawn.push(line);
    }
    for line in drawn.iter().rev() {
        out.push_str(line);
        out.push('\n');
    }
}

fn split(line: &str) -> (usize, &str) {
    let row = line.trim_start_matches(' ');
    ((line.len() - row.len()) / 2, row)
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn lines_lead_from_each_directory_to_what_is_in_it() {
        let mut out = String::new();
        draw("a/\n  b/\n    c\n  d\ne/\n  f\n", &mut out);
        let right = "├── a/\n│   ├── b/\n│   │   └── c\n│   └── d\n└── e/\n    └── f\n";
        assert_eq!(out, right);
    }
}
