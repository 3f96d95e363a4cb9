//! A row of a reply as renderers take it.

use trilist_core::{IgnoredBy, RelPathBuf, RuleRef, quote};

use super::reply::{Cell, ComparedPath, ComparedRef, Presence};

impl ComparedPath {
    /// Gives the row, borrowed, to `take`.
    pub fn with_ref<T>(&self, take: impl FnOnce(&ComparedRef<'_>) -> T) -> T {
        let path = RelPathBuf::new(self.bytes()).unwrap_or_default();
        let below = self.modes.map(|cell| cell.as_ref().and_then(Presence::below_path));
        let rules = self.modes.map(|cell| cell.as_ref().and_then(Presence::rule_texts));
        let cells = super::ByMode::of(|mode| {
            let presence = self.modes.mode(mode).as_ref()?;
            Some(presence.cell(self.kind, below.mode(mode).as_ref(), rules.mode(mode).as_ref()))
        });
        let (kind, folded, in_chat) = (self.kind, self.folded, self.in_chat);
        take(&ComparedRef { path: path.as_path(), kind, modes: cells, folded, in_chat })
    }
}

impl Presence {
    fn below_path(&self) -> Option<RelPathBuf> {
        RelPathBuf::new(bytes_of(self.below.as_ref()?)).ok()
    }

    /// The source and the pattern of its rule, unquoted: they are quoted where they are shown.
    fn rule_texts(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let IgnoredBy { source, pattern, .. } = self.rule.as_ref()?;
        Some((bytes_of(source), bytes_of(pattern)))
    }

    fn cell<'c>(
        &'c self,
        row: trilist_core::Kind,
        below: Option<&'c RelPathBuf>,
        texts: Option<&'c (Vec<u8>, Vec<u8>)>,
    ) -> Cell<'c> {
        let rule = self.rule.as_ref().zip(texts).map(|(rule, (source, pattern))| RuleRef {
            source,
            line: rule.line,
            pattern,
            // A cell does not tell the dialect, which a reply does not have.
            dialect: trilist_core::RuleDialect::Git,
        });
        match self.reason {
            Some(reason) => Cell::Absent { reason, rule, below: below.map(RelPathBuf::as_path) },
            None => Cell::Listed {
                kind: self.kind.unwrap_or(row),
                skipped: self.skipped,
                vcs: self.vcs,
                rule,
            },
        }
    }
}

/// What a text of a reply stands for.
fn bytes_of(shown: &str) -> Vec<u8> {
    quote::unquoted(shown.as_bytes()).unwrap_or_else(|| shown.into())
}
