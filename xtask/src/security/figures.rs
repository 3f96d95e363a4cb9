//! What long runs have measured.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::run::{command, printed};

/// The variable that names the file to which tests add a line for each figure: number, what was
/// done and what came of it, with tabs between.
pub(crate) const FIGURES: &str = "TRILIST_FIGURES";

/// One figure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Figure {
    /// The threat that it belongs to, as `T-13`, or a word for what has no number.
    pub(crate) threat: String,
    /// What was done. Together with the number it says which older figure it takes the place of.
    pub(crate) what: String,
    /// What came of it.
    pub(crate) value: String,
    /// The day on which it was measured.
    pub(crate) date: String,
}

/// The file that tests add to.
pub(crate) fn file(place: &Path) -> PathBuf {
    place.join("figures")
}

/// Adds a figure that no test tells.
pub(super) fn add(place: &Path, threat: &str, what: &str, value: &str) -> Result<()> {
    fs::create_dir_all(place).context("cannot make a folder for figures")?;
    let file = fs::OpenOptions::new().append(true).create(true).open(file(place));
    let mut file = file.context("cannot open the figures")?;
    writeln!(file, "{threat}\t{what}\t{value}").context("cannot write a figure")
}

/// The old figures, and in their place those that were measured since.
pub(super) fn merged(old: Vec<Figure>, place: &Path) -> Result<Vec<Figure>> {
    let Ok(text) = fs::read_to_string(file(place)) else { return Ok(old) };
    let today = printed(&mut command("date", &["-u", "+%F"])).context("there is no date")?;
    Ok(renewed(old, &text, &today))
}

fn renewed(mut all: Vec<Figure>, text: &str, today: &str) -> Vec<Figure> {
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        let (Some(threat), Some(what), Some(value)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let figure = Figure { threat, what, value, date: today.to_owned() };
        let known =
            all.iter_mut().find(|one| one.threat == figure.threat && one.what == figure.what);
        match known {
            Some(known) => *known = figure,
            None => all.push(figure),
        }
    }
    all.sort_by(|one, other| one.threat.cmp(&other.threat));
    all
}

#[cfg(test)]
mod tests {
    use super::{Figure, renewed};

    fn figure(threat: &str, what: &str, value: &str, date: &str) -> Figure {
        let [threat, what, value, date] = [threat, what, value, date].map(str::to_owned);
        Figure { threat, what, value, date }
    }

    #[test]
    fn a_new_figure_takes_the_place_of_the_old_one() {
        let old = vec![figure("T-13", "swaps", "7", "then"), figure("T-30", "page", "1 s", "then")];
        let new = renewed(old, "T-13\tswaps\t8\nT-14\tflips\t2\nno figure\n", "now");
        let right = [
            figure("T-13", "swaps", "8", "now"),
            figure("T-14", "flips", "2", "now"),
            figure("T-30", "page", "1 s", "then"),
        ];
        assert_eq!(new, right);
    }
}
