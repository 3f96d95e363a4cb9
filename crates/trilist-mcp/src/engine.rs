//! What the tools of one server share.

use std::path::Path;

use serde_json::{Map, Value};
use trilist::{Cancel, ListError, Lister, OpenError, Policy};
use trilist_compat::{Surroundings, Tool as Contract};

use crate::server::Options;

/// The most bytes of a reply when neither the call nor the host's policy says so.
pub(crate) const MAX_BYTES: u32 = 65_536;

/// The engine behind the tools.
pub(crate) struct Engine {
    pub(crate) lister: Lister,
    /// The most bytes of a reply whose tool does not say otherwise.
    pub(crate) max_bytes: usize,
    /// The same roots under the policy of other programs, when their tools are served.
    contracts: Option<Lister>,
    around: Surroundings,
}

impl Engine {
    /// Opens the roots.
    ///
    /// # Errors
    ///
    /// As [`Lister::open`].
    pub(crate) fn open<P: AsRef<Path>>(
        roots: &[P],
        mut policy: Policy,
        options: &Options,
    ) -> Result<Engine, OpenError> {
        let around = options.around.clone();
        let contracts = match options.profiles.is_empty() {
            true => None,
            false => Some(Lister::open(roots, trilist_compat::policy(policy.clone(), &around))?),
        };
        let max_bytes = *policy.default_max_bytes.get_or_insert(MAX_BYTES) as usize;
        Ok(Engine { lister: Lister::open(roots, policy)?, max_bytes, contracts, around })
    }

    /// What another program's tool answers.
    ///
    /// # Errors
    ///
    /// When the call cannot be made here; what the tool itself refuses is an answer.
    pub(crate) fn contract(
        &self,
        contract: Contract,
        args: &Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Value, ListError> {
        let lister = self.contracts.as_ref().unwrap_or(&self.lister);
        trilist_compat::serve(contract, args, lister, &self.around, cancel).map_err(|error| {
            ListError::invalid("arguments", "not as they should be", error.message)
        })
    }
}
