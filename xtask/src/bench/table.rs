//! The table of results.

use std::fmt::Write;

use crate::bench::measure::Row;

/// One line for each duel: medians of both sides, and the median of the ratios of the pairs.
pub(super) fn render(rows: &[Row]) -> String {
    let mut text = String::from(
        "| job | against | pairs | CPU ms | rival | ratio | wall ms | rival | ratio \
         | peak MiB | rival | bars |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
    );
    for row in rows {
        let (cpu, cpu_rival) = row.medians(|sample| sample.cpu_ms);
        let (wall, wall_rival) = row.medians(|sample| sample.wall_ms);
        let (peak, peak_rival) = row.medians(|sample| sample.peak_mib);
        let cpu_ratio = row.ratio(|sample| sample.cpu_ms);
        let wall_ratio = row.ratio(|sample| sample.wall_ms);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {cpu:.2} | {cpu_rival:.2} | {cpu_ratio:.3} \
             | {wall:.2} | {wall_rival:.2} | {wall_ratio:.3} | {peak:.1} | {peak_rival:.1} | {} |",
            row.title,
            row.rival,
            row.pairs.len(),
            verdict(row),
        );
    }
    text
}

fn verdict(row: &Row) -> String {
    let missed = row.missed();
    let mut verdict = match (row.bars.is_empty(), missed.is_empty()) {
        (true, _) => "none".to_owned(),
        (false, true) => "reached".to_owned(),
        (false, false) => format!("MISSED: {}", missed.join(", ")),
    };
    if row.is_cold() {
        verdict.push_str("; read the disk, run it again");
    }
    verdict
}
