//! Times as JavaScript's `toISOString` writes them.

use trilist::Modified;

/// UTC with milliseconds. Years outside 0 to 9,999 have a sign and six digits, as in JavaScript.
pub(crate) fn iso(time: Modified) -> String {
    let days = time.seconds.div_euclid(86_400);
    let second = time.seconds.rem_euclid(86_400);
    let (year, month, day) = date(days);
    let year = match year {
        0..=9_999 => format!("{year:04}"),
        year => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    format!(
        "{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60,
        time.nanoseconds / 1_000_000
    )
}

/// Year, month and day of so many days after 1970-01-01, in the Gregorian calendar. A year is
/// counted from March, so that the odd day comes last.
fn date(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let since = days + 719_468;
    let (era, of_era) = (since.div_euclid(ERA), since.rem_euclid(ERA));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::iso;
    use trilist::Modified;

    fn check(seconds: i64, nanoseconds: u32, right: &str) {
        assert_eq!(iso(Modified { seconds, nanoseconds }), right);
    }

    #[test]
    fn times_are_those_of_date_u() {
        check(0, 0, "1970-01-01T00:00:00.000Z");
        check(951_827_696, 789_999_999, "2000-02-29T12:34:56.789Z");
        check(1_705_316_406, 0, "2024-01-15T11:00:06.000Z");
        check(-1, 500_000_000, "1969-12-31T23:59:59.500Z");
        check(253_402_300_800, 0, "+010000-01-01T00:00:00.000Z");
    }
}
