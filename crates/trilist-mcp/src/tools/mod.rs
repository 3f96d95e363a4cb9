//! The tools, a module each.

pub(crate) mod aliases;
mod compare_modes;
mod explain_path;
mod list_dir;
mod list_roots;
mod profile;

use serde_json::{Map, Value};
use trilist::{Cancel, ListError, Policy};

use crate::answer::Answer;
use crate::engine::Engine;
use crate::schema::Definition;
use crate::server::{Options, SetupError};

/// One tool.
pub(crate) trait Tool: Send + Sync {
    /// What is announced, for a host with this policy.
    fn definition(&self, policy: &Policy) -> Definition;

    /// Answers a call. `definition` is what was announced.
    ///
    /// # Errors
    ///
    /// When the call fails as a whole; it is answered with the error.
    fn call(
        &self,
        definition: &Definition,
        engine: &Engine,
        args: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError>;
}

/// Tools with their definitions.
pub(crate) type Tools = Vec<(Definition, Box<dyn Tool>)>;

/// trilist's own tools, in the order in which they are announced.
pub(crate) fn native(policy: &Policy) -> Tools {
    let all: Vec<Box<dyn Tool>> = vec![
        Box::new(list_dir::ListDir),
        Box::new(explain_path::ExplainPath),
        Box::new(compare_modes::CompareModes),
        Box::new(list_roots::ListRoots),
    ];
    all.into_iter().map(|tool| (tool.definition(policy), tool)).collect()
}

/// Puts a tool in the place of the one with its name, or behind all.
fn replace(tools: &mut Tools, tool: Box<dyn Tool>, policy: &Policy) {
    let definition = tool.definition(policy);
    match tools.iter().position(|(other, _)| other.name == definition.name) {
        Some(at) => tools[at] = (definition, tool),
        None => tools.push((definition, tool)),
    }
}

/// The tools that a host asked for.
///
/// # Errors
///
/// When it asked for one that is not there.
pub(crate) fn chosen(options: &Options, policy: &Policy) -> Result<Tools, SetupError> {
    let mut tools = native(policy);
    for (at, contract) in options.profiles.iter().enumerate() {
        let name = profile::name(*contract);
        let mut before = options.profiles[..at].iter();
        match before.find(|other| **other != *contract && profile::name(**other) == name) {
            Some(other) => {
                let (first, second) = (other.name(), contract.name());
                return Err(SetupError::SameName { first, second, name });
            }
            None => replace(&mut tools, Box::new(profile::Profile(*contract)), policy),
        }
    }
    let known = || tools.iter().map(|(definition, _)| definition.name.to_owned()).collect();
    for name in &options.tools {
        if !tools.iter().any(|(definition, _)| definition.name == name) {
            return Err(SetupError::UnknownTool { name: name.clone(), known: known() });
        }
    }
    if !options.tools.is_empty() {
        tools.retain(|(definition, _)| options.tools.iter().any(|name| name == definition.name));
    }
    Ok(tools)
}
