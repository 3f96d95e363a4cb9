//! A row of a reply as renderers take it.

use trilist_core::{IgnoredBy, RelPathBuf, RuleRef, quote};

use super::reply::{Cell, ComparedPath, ComparedRef, Presence};

impl ComparedPath {
    /// Gives the row, borrowed, to `take`.
    pub fn with_ref<T>(&self, take: impl FnOnce(&ComparedRef<'_>) -> T) -> T {
        let path = RelPathBuf::new(self.bytes()).unwrap_or_default();
        let below = self.modes.map(|cell| cell.as_ref().and_then(Presence::below_path));
        let cells = super::ByMode::of(|mode| {
            let presence = self.modes.mode(mode).as_ref()?;
            Some(presence.cell(self.kind, below.mode(mode).as_ref()))
        });
        let (kind, folded, in_chat) = (self.kind, self.folded, self.in_chat);
        take(&ComparedRef { path: path.as_path(), kind, modes: cells, folded, in_chat })
    }
}

impl Presence {
    fn below_path(&self) -> Option<RelPathBuf> {
        let shown = self.below.as_ref()?.as_bytes();
        RelPathBuf::new(quote::unquoted(shown).unwrap_or_else(|| shown.to_vec())).ok()
    }

    fn cell<'c>(&'c self, row: trilist_core::Kind, below: Option<&'c RelPathBuf>) -> Cell<'c> {
        let rule = self.rule.as_ref().map(rule_ref);
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

/// Its texts are as they are shown: quoted where they need it, which quoting again leaves alone.
fn rule_ref(rule: &IgnoredBy) -> RuleRef<'_> {
    let (source, pattern) = (rule.source.as_bytes(), rule.pattern.as_bytes());
    // A cell does not tell the dialect, which a reply does not have.
    RuleRef { source, line: rule.line, pattern, dialect: trilist_core::RuleDialect::Git }
}
