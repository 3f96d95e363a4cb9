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
use crate::arguments::{self, Arguments, Fields};
use crate::engine::Engine;
use crate::schema::Definition;
use crate::server::{Options, SetupError};
use crate::workers::Weight;

/// Where a tool is announced.
pub(crate) struct Setting<'a> {
    /// The host's.
    pub(crate) policy: &'a Policy,
    /// Whether trilist's `list_dir` is announced too, so that it can be spoken of.
    pub(crate) has_list_dir: bool,
}

/// One tool.
pub(crate) trait Tool: Send + Sync {
    /// The name under which it is announced.
    fn name(&self) -> &'static str;

    /// What is announced there.
    fn definition(&self, setting: &Setting<'_>) -> Definition;

    /// Reads the arguments of a call. `fields` are those that were announced.
    fn read(&self, fields: &Fields, given: &Map<String, Value>) -> Arguments {
        arguments::read(fields, given)
    }

    /// What a call with these arguments takes.
    fn weight(&self, fields: &Map<String, Value>) -> Weight;

    /// Answers a call, with arguments as they were read. What there is to say of these is joined
    /// to the answer later.
    ///
    /// # Errors
    ///
    /// When the call fails as a whole; it is answered with the error.
    fn call(
        &self,
        engine: &Engine,
        fields: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError>;
}

/// Tools with their definitions.
pub(crate) type Tools = Vec<(Definition, Box<dyn Tool>)>;

/// trilist's own tools, in the order in which they are announced.
fn own() -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(list_dir::ListDir),
        Box::new(explain_path::ExplainPath),
        Box::new(compare_modes::CompareModes),
        Box::new(list_roots::ListRoots),
    ]
}

/// All of trilist's own tools.
pub(crate) fn native(policy: &Policy) -> Tools {
    defined(own(), &Setting { policy, has_list_dir: true })
}

fn defined(tools: Vec<Box<dyn Tool>>, setting: &Setting<'_>) -> Tools {
    tools.into_iter().map(|tool| (tool.definition(setting), tool)).collect()
}

/// Puts a tool in the place of the one with its name, or behind all.
fn replace(tools: &mut Vec<Box<dyn Tool>>, tool: Box<dyn Tool>) {
    match tools.iter().position(|other| other.name() == tool.name()) {
        Some(at) => tools[at] = tool,
        None => tools.push(tool),
    }
}

/// The tools that a host asked for.
///
/// # Errors
///
/// When it asked for one that is not there.
pub(crate) fn chosen(options: &Options, policy: &Policy) -> Result<Tools, SetupError> {
    let mut tools = own();
    for (at, contract) in options.profiles.iter().enumerate() {
        let name = profile::name(*contract);
        let mut before = options.profiles[..at].iter();
        match before.find(|other| **other != *contract && profile::name(**other) == name) {
            Some(other) => {
                let (first, second) = (other.name(), contract.name());
                return Err(SetupError::SameName { first, second, name });
            }
            None => replace(&mut tools, Box::new(profile::Profile(*contract))),
        }
    }
    let known = || tools.iter().map(|tool| tool.name().to_owned()).collect();
    for name in &options.tools {
        if !tools.iter().any(|tool| tool.name() == name) {
            return Err(SetupError::UnknownTool { name: name.clone(), known: known() });
        }
    }
    if !options.tools.is_empty() {
        tools.retain(|tool| options.tools.iter().any(|name| name == tool.name()));
    }
    let is_replaced = options.profiles.iter().any(|one| profile::name(*one) == list_dir::NAME);
    let has_list_dir = !is_replaced && tools.iter().any(|tool| tool.name() == list_dir::NAME);
    Ok(defined(tools, &Setting { policy, has_list_dir }))
}
