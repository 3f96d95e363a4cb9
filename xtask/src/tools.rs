//! The programs that `setup` installs for the others, and where they are.

use std::path::PathBuf;

use anyhow::Result;

use crate::run::{command, printed, run};

/// A program built from the crate registry at one version.
pub(crate) struct CargoTool {
    /// The package's name.
    pub(crate) package: &'static str,
    /// The program's name.
    pub(crate) program: &'static str,
    /// Exactly this version.
    pub(crate) version: &'static str,
    /// Whether it has to be fast: it then takes several times as long to build.
    pub(crate) optimised: bool,
}

/// The oracle of mode `files`. Distributions ship older ones, which list differently.
pub(crate) const RIPGREP: CargoTool =
    CargoTool { package: "ripgrep", program: "rg", version: "15.2.0", optimised: true };

/// Holds the policy of dependencies.
pub(crate) const CARGO_DENY: CargoTool =
    CargoTool { package: "cargo-deny", program: "cargo-deny", version: "0.20.2", optimised: false };

/// Builds and runs the fuzz targets. Only `fuzz` needs it, so `setup` leaves it out.
pub(crate) const CARGO_FUZZ: CargoTool =
    CargoTool { package: "cargo-fuzz", program: "cargo-fuzz", version: "0.13.2", optimised: false };

/// The version of Python's pathspec that the recorded cases were made with.
pub(crate) const PATHSPEC_VERSION: &str = "1.0.4";

/// The version of the module that drives the browser for tests.
pub(crate) const PLAYWRIGHT_VERSION: &str = "1.65.1";

impl CargoTool {
    /// Where `setup` puts the program.
    pub(crate) fn path(&self) -> PathBuf {
        tools_dir().join("bin").join(self.program)
    }

    /// Whether the program is there in the right version.
    pub(crate) fn is_installed(&self) -> bool {
        let version = printed(&mut command(self.path(), &["--version"]));
        version.is_some_and(|text| text.split_whitespace().nth(1) == Some(self.version))
    }
}

/// The folder of all that is installed for this workspace alone.
pub(crate) fn tools_dir() -> PathBuf {
    crate::target_dir().join("tools")
}

/// The Python that has pathspec.
pub(crate) fn pathspec_python() -> PathBuf {
    tools_dir().join("py/bin/python3")
}

/// Whether that Python is there and has the right version.
pub(crate) fn has_pathspec() -> bool {
    let script = "import importlib.metadata as m; print(m.version('pathspec'))";
    printed(&mut command(pathspec_python(), &["-c", script])).as_deref() == Some(PATHSPEC_VERSION)
}

/// Whether the module that drives the browser is there in the right version.
pub(crate) fn has_playwright() -> bool {
    let manifest = tools_dir().join("js/node_modules/playwright-core/package.json");
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    manifest["version"].as_str() == Some(PLAYWRIGHT_VERSION)
}

/// Aider at one version, with the packages that its listing needs at the versions that it names.
const AIDER: &[&str] = &[
    "aider-chat==0.86.2",
    "gitpython==3.1.46",
    "gitdb==4.0.12",
    "smmap==5.0.2",
    "pathspec==1.0.4",
    "oslex==0.1.3",
    "mslex==1.3.0",
    "packaging==26.0",
    "rich==14.3.2",
    "markdown-it-py==4.0.0",
    "mdurl==0.1.2",
    "pygments==2.19.2",
];

/// The Python that has Aider's repository code; installed when it is first asked for, because only
/// a benchmark needs it.
///
/// # Errors
///
/// Fails when it cannot be installed.
pub(crate) fn aider_python() -> Result<PathBuf> {
    let dir = tools_dir().join("aider");
    let python = dir.join("bin/python3");
    let works = printed(&mut command(&python, &["-c", "import aider.repo; print('yes')"]));
    if works.as_deref() != Some("yes") {
        run(command("python3", &["-m", "venv", "--clear"]).arg(&dir))?;
        // Without what its other parts need, which is a hundred packages.
        let args = ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"];
        run(command(&python, &args).args(AIDER))?;
    }
    Ok(python)
}
