//! `trilist config`: the configuration in force, and where each value comes from.

use std::path::Path;

use serde_json::json;
use trilist::{Item, Setting, SettingValue, Source, quote};

use crate::args::ConfigArgs;
use crate::configured::{self, Configured};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::stdout;
use crate::place::Place;

/// Shows the configuration.
///
/// # Errors
///
/// When a configuration cannot be used, or standard output cannot be written.
pub(crate) fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let Configured { mut config, user } = configured::read(args.no_config)?;
    let roots: Vec<_> = args.root.iter().cloned().collect();
    let place = Place::of(args.path.as_deref(), &roots)?;
    let root = place.roots.first().cloned().unwrap_or_default();
    let has_tree = !args.no_config
        && config.load_tree_of(&root).map_err(|error| Failure::from_root(&root, error))?;
    let tree = has_tree.then(|| root.join(".trilist.toml"));
    let (settings, notices) = (config.settings(), config.notices());
    let text = if args.json {
        let files = json!({ "user": shown(user.as_deref()), "tree": shown(tree.as_deref()) });
        let reply = json!({ "files": files, "settings": settings, "notices": notices });
        format!("{reply}\n")
    } else {
        let files = [("user", user.as_deref()), ("tree", tree.as_deref())];
        text(&files, notices, &settings)
    };
    stdout::write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::AsAsked)
}

fn shown(path: Option<&Path>) -> Option<String> {
    path.map(|path| quote::shown(path.as_os_str().as_encoded_bytes()).into_owned())
}

/// TOML with the source of each value beside it: as a file it would set the same.
fn text(files: &[(&str, Option<&Path>)], notices: &[String], settings: &[Setting]) -> String {
    let mut out = String::new();
    for (name, path) in files {
        let path = shown(*path).unwrap_or_else(|| "none".to_owned());
        out.push_str(&format!("# {name}: {path}\n"));
    }
    for notice in notices {
        out.push_str(&format!("# Notice: {}\n", quote::printable(notice)));
    }
    let mut section = "";
    for setting in settings {
        let (own, key) = setting.name.split_once('.').unwrap_or(("", setting.name));
        if own != section {
            out.push_str(&format!("\n[{own}]\n"));
            section = own;
        }
        match &setting.value {
            // No key of a file, but what the others make.
            SettingValue::List { value } if key == "names" => push_names(value, &mut out),
            value => push(key, value, &mut out),
        }
    }
    out
}

fn push_names(names: &[Item], out: &mut String) {
    out.push_str("# Together, the directories that are shown without being entered:\n");
    for name in names {
        line(&format!("# {}", toml(&name.value)), name.from, out);
    }
}

fn push(key: &str, value: &SettingValue, out: &mut String) {
    match value {
        SettingValue::One(Item { value, from }) if value.is_null() => {
            line(&format!("# {key} is not set"), *from, out);
        }
        SettingValue::One(Item { value, from }) => {
            line(&format!("{key} = {}", toml(value)), *from, out);
        }
        SettingValue::List { value } if value.is_empty() => {
            line(&format!("{key} = []"), Source::Default, out);
        }
        SettingValue::List { value } => {
            out.push_str(&format!("{key} = [\n"));
            for item in value {
                line(&format!("  {},", toml(&item.value)), item.from, out);
            }
            out.push_str("]\n");
        }
    }
}

fn line(text: &str, from: Source, out: &mut String) {
    out.push_str(&format!("{text:<32} # {}\n", from.name()));
}

/// A scalar as TOML writes it; what no terminal should see is escaped.
fn toml(value: &serde_json::Value) -> String {
    let Some(text) = value.as_str() else { return value.to_string() };
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if quote::printable(c.encode_utf8(&mut [0; 4])).chars().eq([c]) => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}
