//! What a tree's own file may do: narrow.

use crate::config::keys::{Key, Tree};
use crate::config::read;
use crate::config::values::Value;
use crate::config::{Config, TREE_FILE};

/// The most notices about one file; the file is untrusted, and every reply carries them.
const MAX_NOTICES: usize = 5;

/// Takes what narrows, and says what it leaves out. One file costs a bounded number of notices.
pub(super) fn read(config: &mut Config, bytes: &[u8]) {
    let settings = match read::settings(bytes) {
        Ok(settings) => settings,
        Err(error) => {
            let notice = match error.line() {
                Some(line) => format!("`{TREE_FILE}` is not in force: line {line} cannot be used"),
                None => format!("`{TREE_FILE}` is not in force"),
            };
            config.notices.push(notice);
            return;
        }
    };
    let mut left_out = Vec::new();
    for setting in settings {
        let (key, line) = (setting.key, setting.line);
        match setting.checked() {
            Ok(value) if narrows(config, key, &value) => {
                if key.name == "ignore.patterns" {
                    config.tree_pattern_lines = setting.item_lines;
                }
                config.tree.set(key.name, value);
            }
            Ok(_) if key.name.starts_with("policy.") => {
                left_out.push(format!("line {line}: `{}` is the host's to set", key.name));
            }
            Ok(_) => left_out.push(format!("line {line}: `{}` would widen the listing", key.name)),
            Err(_) => left_out.push(format!("line {line}: `{}` cannot be used", key.name)),
        }
    }
    let more = left_out.len().saturating_sub(MAX_NOTICES);
    left_out.truncate(MAX_NOTICES);
    if more > 0 {
        left_out.push(format!("{more} more line{}", if more == 1 { "" } else { "s" }));
    }
    let notices = left_out.into_iter().map(|what| format!("`{TREE_FILE}`, left out: {what}"));
    config.notices.extend(notices);
}

fn narrows(config: &Config, key: &Key, value: &Value) -> bool {
    match (key.tree, value) {
        (Tree::Never, _) => false,
        (Tree::Lower, Value::Number(number)) => {
            let default = match (key.default)(&config.base) {
                Some(Value::Number(default)) => Some(default),
                _ => None,
            };
            // Equal changes nothing, and is no fault.
            config.user.number(key.name).or(default).is_none_or(|now| *number <= now)
        }
        (Tree::On, Value::Flag(flag)) => *flag,
        (Tree::Adds, Value::List(_)) => true,
        _ => false,
    }
}
