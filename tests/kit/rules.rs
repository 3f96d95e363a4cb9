//! Random rule sets and paths near them, the same ones for the same seed.

use std::env;

/// How many rule files a differential test makes; `TRILIST_FUZZ_FILES` asks for
/// another number and `TRILIST_FUZZ_SEED` for other ones.
pub fn fuzz_files(default: usize) -> usize {
    number("TRILIST_FUZZ_FILES").map_or(default, |files| files as usize)
}

/// The seed of a differential test; see [`fuzz_files`].
pub fn fuzz_seed(default: u64) -> u64 {
    number("TRILIST_FUZZ_SEED").unwrap_or(0) * 0x9e37_79b9 + default
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// A reproducible random source (xorshift64*).
#[derive(Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`.
    ///
    /// # Panics
    ///
    /// Panics when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    /// True once in `n` times.
    ///
    /// # Panics
    ///
    /// Panics when `n` is 0.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// Panics when there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Pieces of patterns; joined at random they give every shape a dialect knows
/// and many that it does not.
const ATOMS: &[&str] = &[
    "a",
    "a",
    "b",
    "b",
    "ab",
    "c",
    "A",
    "B",
    "foo",
    ".",
    "-",
    " ",
    "\t",
    "*",
    "*",
    "*",
    "**",
    "***",
    "?",
    "/",
    "/",
    "/",
    "**/",
    "/**",
    "/**/",
    "[",
    "]",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[A-C]",
    "[]a]",
    "[!]]",
    "[a-]",
    "[-a]",
    "[c-a]",
    "[\\]a]",
    "[a\\-c]",
    "[a/b]",
    "[!/]",
    "[[:alpha:]]",
    "[[:upper:]]",
    "[[:lower:]b]",
    "[[:bad:]]",
    "[[:alpha]",
    "[[a]",
    "\\",
    "\\a",
    "\\A",
    "\\*",
    "\\/",
    "\\?",
    "\\[",
    "\\ ",
    "\\\\",
    "!",
    "#",
    "{a,b}",
    "é",
    "\u{feff}",
    "\r",
];

const STARTS: &[&str] = &["", "", "", "", "!", "!", "/", "/", "!/", "\\!", "\\#", "#", "**/", "*"];
const ENDS: &[&str] =
    &["", "", "", "", "", "/", "/", " ", "\\ ", "  ", "\r", "\t", "/ ", "/**", "*"];

/// One pattern, with at most three `**/`: more of them are exponential in the
/// programs that we compare with.
pub fn pattern(rng: &mut Rng) -> String {
    loop {
        let mut line = rng.pick(STARTS).to_string();
        for _ in 0..1 + rng.below(5) {
            line.push_str(rng.pick(ATOMS));
        }
        line.push_str(rng.pick(ENDS));
        if line.matches("**").count() <= 3 && !line.contains('\n') {
            return line;
        }
    }
}

const NAME_ATOMS: &[&str] = &[
    "a", "a", "b", "b", "ab", "c", "A", "B", "foo", ".x", "-", " ", "*", "?", "[", "]", "\\", "!",
    "#", "{a,b}", "é", "/", "/", "\t", "z", "\r",
];

/// A path, half of the time made from one of the patterns so that it is near it.
pub fn path(rng: &mut Rng, patterns: &[String]) -> String {
    loop {
        let path = if !patterns.is_empty() && rng.one_in(2) {
            near(rng, patterns)
        } else {
            (0..1 + rng.below(5)).map(|_| rng.pick(NAME_ATOMS)).collect()
        };
        if path.split('/').all(|name| !matches!(name, "" | "." | ".." | ".git")) {
            return path;
        }
    }
}

fn near(rng: &mut Rng, patterns: &[String]) -> String {
    let pattern = &patterns[rng.below(patterns.len())];
    let mut pattern = pattern.trim_start_matches('!').trim_matches(['/', ' ']).to_string();
    for stars in ["***", "**/", "**"] {
        let filling = rng.pick(&["", "a/", "b/a/", "a"]);
        pattern = pattern.replace(stars, filling);
    }
    let mut path = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '*' => path.push_str(rng.pick(&["", "a", "ab", ".x"])),
            '?' => path.push_str(rng.pick(&["a", "B", "é"])),
            '[' if !rng.one_in(8) => {
                let class: String = rest.by_ref().take_while(|&c| c != ']').collect();
                let last = class.chars().next_back().unwrap_or('b');
                path.push(rng.pick(&['a', 'B', last]));
            }
            '\\' => path.extend(rest.next()),
            c => path.push(c),
        }
    }
    if rng.one_in(4) {
        path.push_str(rng.pick(&["/a", "/x/y", "a"]));
    }
    if rng.one_in(6) {
        path.insert_str(0, rng.pick(&["a/", "b/a/"]));
    }
    path.trim_matches('/').replace("//", "/")
}
