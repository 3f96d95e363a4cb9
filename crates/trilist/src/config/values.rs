//! What one file sets.

use std::collections::BTreeMap;

use trilist_core::Show;

use crate::Policy;
use crate::config::error::ConfigError;

/// A checked value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Flag(bool),
    Number(u64),
    Show(Show),
    List(Vec<String>),
}

/// Values by key.
#[derive(Debug, Clone, Default)]
pub(super) struct Values(BTreeMap<&'static str, Value>);

impl Values {
    pub(super) fn set(&mut self, key: &'static str, value: Value) {
        self.0.insert(key, value);
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key) {
            Some(Value::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    pub(super) fn list(&self, key: &str) -> &[String] {
        match self.get(key) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }

    /// Defaults lie within the bounds that stand beside them.
    pub(super) fn check_order(&self, base: &Policy) -> Result<(), ConfigError> {
        let pairs = [
            ("limits.limit", "limits.max_limit", base.max_limit),
            ("limits.deadline_ms", "limits.max_deadline_ms", base.max_deadline_ms),
        ];
        for (value, bound, default) in pairs {
            let most = self.number(bound).unwrap_or(default.into());
            if let Some(number) = self.number(value).filter(|number| *number > most) {
                let reason = format!("`{value}` is {number}, more than `{bound}`, which is {most}");
                return Err(ConfigError::of_file("", reason));
            }
        }
        Ok(())
    }
}
