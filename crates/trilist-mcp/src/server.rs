//! A server's tools, put together from what its host asked for.

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value};
use trilist::{Cancel, OpenError, Policy};
use trilist_compat::{Surroundings, Tool as Contract};

use crate::answer::Answer;
use crate::arguments::{Arguments, Fields};
use crate::engine::Engine;
use crate::schema::Definition;
use crate::tools::{self, Tool};
use crate::workers::Weight;

/// Which tools a server announces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Only the tools of these names. Default: all.
    pub tools: Vec<String>,
    /// Other programs' tools, which are announced under their own names; one with the name of a
    /// tool of trilist takes its place. Default: none.
    pub profiles: Vec<Contract>,
    /// What other programs' tools take from the process around them: the home, whose global
    /// excludes of git they obey. The working directory is the first root. Default: nothing.
    pub around: Surroundings,
}

/// Why a server could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The roots cannot be opened.
    #[error(transparent)]
    Roots(#[from] OpenError),
    /// A tool that is not there was asked for.
    #[error("there is no tool `{name}`; there are {}", .known.join(", "))]
    UnknownTool {
        /// The name as given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Two profiles have a tool of one name.
    #[error("the profiles `{first}` and `{second}` both call their tool `{name}`; take one")]
    SameName {
        /// The profile that came first.
        first: &'static str,
        /// The other one.
        second: &'static str,
        /// The name of both tools.
        name: &'static str,
    },
}

/// The tools of one session, on their roots.
pub struct Server {
    engine: Engine,
    tools: Vec<Served>,
    /// Milliseconds of a call that asks for none, and the most that one may ask for.
    deadlines_ms: (u64, u64),
}

/// A tool as it is announced and called.
struct Served {
    definition: Definition,
    fields: Fields,
    tool: Box<dyn Tool>,
}

impl Server {
    /// Opens the roots and puts the tools together.
    ///
    /// # Errors
    ///
    /// See [`SetupError`].
    pub fn open<P: AsRef<Path>>(
        roots: &[P],
        policy: Policy,
        options: &Options,
    ) -> Result<Server, SetupError> {
        let tools = tools::chosen(options, &policy)?.into_iter().map(|(definition, tool)| {
            let fields = Fields::of(&definition.input);
            Served { definition, fields, tool }
        });
        let tools = tools.collect();
        let deadlines_ms = (policy.default_deadline_ms.into(), policy.max_deadline_ms.into());
        Ok(Server { engine: Engine::open(roots, policy, options)?, tools, deadlines_ms })
    }

    /// The tools' definitions, in the order in which they are announced.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.tools.iter().map(|served| &served.definition)
    }

    /// The arguments of a call of the tool at this place of [`Server::definitions`].
    pub(crate) fn read(&self, at: usize, given: &Map<String, Value>) -> Arguments {
        let Served { fields, tool, .. } = &self.tools[at];
        tool.read(fields, given)
    }

    /// What a call of the tool at this place takes, with arguments as [`Server::read`] gives them.
    pub(crate) fn weight(&self, at: usize, fields: &Map<String, Value>) -> Weight {
        self.tools[at].tool.weight(fields)
    }

    /// When a call with these arguments has to have ended.
    pub(crate) fn deadline(&self, fields: &Map<String, Value>) -> Duration {
        let (default, most) = self.deadlines_ms;
        let asked = fields.get("deadline_ms").and_then(Value::as_u64);
        Duration::from_millis(asked.unwrap_or(default).min(most))
    }

    /// Calls the tool at this place, with arguments as [`Server::read`] gives them.
    pub(crate) fn call(&self, at: usize, fields: Map<String, Value>, cancel: &Cancel) -> Answer {
        self.tools[at].tool.call(&self.engine, fields, cancel).unwrap_or_else(Answer::from)
    }
}
