//! The effective configuration, value by value.

use serde::Serialize;

use crate::config::keys::{KEYS, Key};
use crate::config::values::Value;
use crate::config::{Config, of_source};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The host's own default.
    Default,
    /// The user's configuration file.
    User,
    /// The configuration of the listed tree.
    Tree,
}

impl Source {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Source::Default => "default",
            Source::User => "user",
            Source::Tree => "tree",
        }
    }
}

/// One key of the effective configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Section and key, as in the file.
    pub name: &'static str,
    /// Its value.
    #[serde(flatten)]
    pub value: SettingValue,
}

/// The value of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// A single value.
    One(Item),
    /// A list, each item with its source.
    List {
        /// The items, in force together.
        value: Vec<Item>,
    },
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The value; null where nothing is set, so that the mode decides.
    pub value: serde_json::Value,
    /// Its source.
    pub from: Source,
}

impl Config {
    /// Every key with its effective value, and `builtin.names`: the list that results.
    pub fn settings(&self) -> Vec<Setting> {
        let mut settings: Vec<Setting> = KEYS.iter().map(|key| self.setting(key)).collect();
        let names = self.builtin_names();
        let value = names.into_iter().map(|(name, from)| Item { value: name.into(), from });
        let value = SettingValue::List { value: value.collect() };
        settings.push(Setting { name: "builtin.names", value });
        settings
    }

    fn setting(&self, key: &'static Key) -> Setting {
        let name = key.name;
        let default = (key.default)(&self.base);
        let base = match &default {
            Some(Value::List(base)) => &base[..],
            _ => &[],
        };
        let is_list = |value: Option<&Value>| matches!(value, Some(Value::List(_)));
        if [default.as_ref(), self.user.get(name), self.tree.get(name)].into_iter().any(is_list) {
            let is_new = |text: &&String| !base.contains(text);
            let user: Vec<String> = self.user.list(name).iter().filter(is_new).cloned().collect();
            let sources = [
                of_source(base, Source::Default),
                of_source(&user, Source::User),
                of_source(self.tree.list(name), Source::Tree),
            ];
            let items = sources.into_iter().flatten();
            let value = items.map(|(text, from)| Item { value: text.into(), from }).collect();
            return Setting { name, value: SettingValue::List { value } };
        }
        let (value, from) = match (self.tree.get(name), self.user.get(name)) {
            (Some(value), _) => (Some(value.clone()), Source::Tree),
            (None, Some(value)) => (Some(value.clone()), Source::User),
            (None, None) => (default, Source::Default),
        };
        let value = value.map_or(serde_json::Value::Null, json);
        Setting { name, value: SettingValue::One(Item { value, from }) }
    }
}

fn json(value: Value) -> serde_json::Value {
    match value {
        Value::Flag(flag) => flag.into(),
        Value::Number(number) => number.into(),
        Value::Show(show) => serde_json::to_value(show).unwrap_or_default(),
        Value::List(list) => list.into(),
    }
}
