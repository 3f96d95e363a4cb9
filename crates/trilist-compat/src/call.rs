//! One call as it stands in a recorded case: the roots that it means are opened, then the tool is
//! asked. Hosts that keep a lister call the tools' modules instead.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use trilist::{
    Cancel, IgnorePolicy, ListError, Lister, OpenError, PathArg, Policy, git_excludes_file,
};

use crate::gemini::{self, Release};
use crate::{Options, Tool, aider, codex, gencode, lenient, node_path, opencode, roo, sii};

/// What a call takes from the process around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The user's configuration directory, where it is not the home's `.config`.
    pub config_dir: Option<PathBuf>,
}

/// Why there is no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// What is wrong with the arguments object.
    pub message: String,
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}

impl CallError {
    pub(crate) fn new(message: impl Into<String>) -> CallError {
        CallError { message: message.into() }
    }
}

/// Answers one call with an object that is keyed as the results of recorded cases are.
///
/// `args` is the `args` object of a case. Its `strict` field, if there is one, is taken out and
/// means [`Options::strict`].
///
/// # Errors
///
/// When `args` is no such object; wrong arguments of the tool itself are answered by the tool.
pub fn call(
    tool: Tool,
    args: &Value,
    around: &Surroundings,
    options: Options,
    cancel: &Cancel,
) -> Result<Value, CallError> {
    let Value::Object(args) = args else {
        return Err(CallError::new("the arguments are no JSON object"));
    };
    let (args, options) = without_strict(args, options)?;
    let reply = Calling { around, options, cancel, lister: None }.call(tool, &args)?;
    Ok(with_notices(reply, lenient::unknown(tool, &of_model(tool, &args))))
}

/// What is the model's in a call.
fn of_model(tool: Tool, call: &Map<String, Value>) -> Map<String, Value> {
    let object = |value: Option<&Value>| value.and_then(Value::as_object).cloned();
    let host: &[&str] = match tool {
        Tool::OpenCode | Tool::Gemini | Tool::Gemini01 | Tool::Sii => {
            return object(call.get("params")).unwrap_or_default();
        }
        Tool::Codex => match call.get("raw").and_then(Value::as_str) {
            Some(raw) => {
                return object(serde_json::from_str(raw).ok().as_ref()).unwrap_or_default();
            }
            None => &[],
        },
        Tool::Aider => &["git_root", "aiderignore", "subtree_only", "chat", "read_only"],
        Tool::Roo => &["workspace", "limit", "showRooIgnoredFiles"],
        Tool::GenCode => &[],
    };
    let model = call.iter().filter(|(name, _)| !host.contains(&name.as_str()));
    model.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A reply with more to say beside it.
fn with_notices(mut reply: Value, more: Vec<String>) -> Value {
    if let (Some(fields), false) = (reply.as_object_mut(), more.is_empty()) {
        let notice = fields.entry("notice").or_insert_with(|| json!([]));
        if let Value::Array(notice) = notice {
            notice.extend(more.into_iter().map(Value::String));
        }
    }
    reply
}

/// Answers one call of a model on a lister that the host keeps, whose first root is the project.
/// `args` are the model's alone; what the host knows is taken from the roots.
///
/// # Errors
///
/// When the first root's path is no text, or `args` make no call.
pub fn serve(
    tool: Tool,
    args: &Map<String, Value>,
    lister: &Lister,
    around: &Surroundings,
    cancel: &Cancel,
) -> Result<Value, CallError> {
    let roots: Vec<String> = lister
        .roots()
        .into_iter()
        .map(|root| root.path.into_os_string().into_string())
        .collect::<Result<_, _>>()
        .map_err(|_| CallError::new("a root's path is not UTF-8"))?;
    let Some((project, others)) = roots.split_first() else {
        return Err(CallError::new("there is no root"));
    };
    let mut call = with_host(tool, args, project, others);
    if tool == Tool::Aider {
        call.insert("aiderignore".to_owned(), json!(aiderignore(lister, project)));
    }
    let around = Surroundings { cwd: PathBuf::from(project), ..around.clone() };
    let options = Options::default();
    Calling { around: &around, options, cancel, lister: Some(lister) }.call(tool, &call)
}

/// The call with what its host knows.
fn with_host(
    tool: Tool,
    args: &Map<String, Value>,
    project: &str,
    others: &[String],
) -> Map<String, Value> {
    let object = |value: Value| value.as_object().cloned().unwrap_or_default();
    let mut call = match tool {
        Tool::Codex | Tool::GenCode => args.clone(),
        Tool::OpenCode => object(json!({ "params": args, "directory": project, "worktree": "/" })),
        Tool::Aider => object(json!({
            "git_root": project, "subtree_only": false, "chat": [], "read_only": [],
        })),
        // There is no such directory of the program's here, so a refusal names none.
        Tool::Gemini | Tool::Gemini01 => object(json!({
            "params": args,
            "target_dir": project,
            "extra_workspace_dirs": others,
            "project_temp_dir": null,
        })),
        Tool::Sii => object(json!({ "params": args, "target_dir": project })),
        Tool::Roo => {
            let mut call = args.clone();
            call.extend(object(json!({
                "workspace": project, "limit": 200, "showRooIgnoredFiles": false,
            })));
            call
        }
    };
    // Not for a model to decide.
    call.shift_remove("strict");
    call
}

/// The ignore file that Aider looks for by itself, and does without if there is none.
fn aiderignore(lister: &Lister, project: &str) -> Option<String> {
    let file = format!("{}/.aiderignore", project.trim_end_matches('/'));
    let is_absent =
        matches!(lister.look(&PathArg::from(file.as_str())), Err(ListError::NotFound { .. }));
    (!is_absent).then_some(file)
}

fn without_strict(
    args: &Map<String, Value>,
    options: Options,
) -> Result<(Map<String, Value>, Options), CallError> {
    let mut args = args.clone();
    match args.shift_remove("strict") {
        None => Ok((args, options)),
        Some(Value::Bool(strict)) => Ok((args, Options { strict })),
        Some(_) => Err(CallError::new("`strict` is neither true nor false")),
    }
}

/// One call under way.
pub(crate) struct Calling<'a> {
    pub(crate) around: &'a Surroundings,
    pub(crate) options: Options,
    pub(crate) cancel: &'a Cancel,
    /// The host's, if it keeps one.
    lister: Option<&'a Lister>,
}

/// A lister for one call, or the host's.
pub(crate) enum Opened<'a> {
    Own(Box<Lister>),
    Kept(&'a Lister),
}

impl Deref for Opened<'_> {
    type Target = Lister;

    fn deref(&self) -> &Lister {
        match self {
            Opened::Own(lister) => lister,
            Opened::Kept(lister) => lister,
        }
    }
}

impl<'a> Calling<'a> {
    fn call(&self, tool: Tool, args: &Map<String, Value>) -> Result<Value, CallError> {
        match tool {
            Tool::Codex => self.codex(args),
            Tool::OpenCode => self.opencode(args),
            Tool::Aider => self.aider(args),
            Tool::Gemini => self.gemini(Release::Current, args),
            Tool::Gemini01 => self.gemini(Release::Early, args),
            Tool::Sii => self.sii(args),
            Tool::GenCode => self.gencode(args),
            Tool::Roo => self.roo(args),
        }
    }

    fn codex(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let arguments = match args.get("raw") {
            Some(Value::String(raw)) => raw.clone(),
            Some(_) => return Err(CallError::new("`raw` is no text")),
            None => Value::Object(args.clone()).to_string(),
        };
        let reply = match codex::parse(&arguments) {
            Err(reply) => reply,
            Ok(args) => match self.lister(&[&args.dir_path]) {
                Ok(lister) => codex::list(&args, self.options, &lister, self.cancel),
                Err(error) => codex::unopened(&args, &error),
            },
        };
        Ok(value(&reply))
    }

    fn opencode(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let args = match opencode::parse(args) {
            Ok(args) => args,
            Err(reply) => return Ok(value(&*reply)),
        };
        let mut roots = vec![args.directory.clone()];
        if args.worktree != "/" {
            roots.push(args.worktree.clone());
        }
        if args.is_external() {
            roots.push(args.search_path());
        }
        let lister = self.lister(&outermost(roots)).map_err(cannot_open)?;
        Ok(value(&opencode::list(&args, self.options, &lister, self.cancel)))
    }

    fn aider(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let args = aider::parse(args, self.cwd()?)?;
        let lister = self.lister(&[&args.git_root]).map_err(cannot_open)?;
        Ok(value(&aider::list(&args, self.options, &lister, self.cancel)))
    }

    fn gemini(&self, release: Release, args: &Map<String, Value>) -> Result<Value, CallError> {
        let args = match gemini::parse(release, args)? {
            Ok(args) => args,
            Err(reply) => return Ok(value(&reply)),
        };
        let mut roots = vec![args.target_dir.clone()];
        roots.extend(args.extra_workspace_dirs.iter().cloned());
        let lister = self.lister(&outermost(roots)).map_err(cannot_open)?;
        Ok(value(&gemini::list(&args, self.options, &lister, self.cancel)))
    }

    fn sii(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let args = match sii::parse(args)? {
            Ok(args) => args,
            Err(reply) => return Ok(value(&reply)),
        };
        let lister = self.lister(&[&args.target_dir]).map_err(cannot_open)?;
        Ok(value(&sii::list(&args, self.options, &lister, self.cancel)))
    }

    fn gencode(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let cwd = self.cwd()?;
        let lister = self.lister(&[cwd]).map_err(cannot_open)?;
        let args = gencode::parse(args, &node_path::resolve("/", cwd));
        let reply = args.and_then(|args| gencode::list(&args, self.options, &lister, self.cancel));
        Ok(match reply {
            Ok(reply) => value(&reply),
            Err(invalid) => gencode::invalid(&invalid),
        })
    }

    fn roo(&self, args: &Map<String, Value>) -> Result<Value, CallError> {
        let home = self.around.home.as_ref().and_then(|home| home.to_str());
        let args = match roo::parse(args, self.cwd()?, home)? {
            Ok(args) => args,
            Err(reply) => return Ok(value(&reply)),
        };
        let mut roots = vec![args.workspace.clone()];
        if args.is_external() && !args.is_special() {
            roots.push(args.dir());
        }
        let lister = self.lister(&outermost(roots)).map_err(cannot_open)?;
        Ok(value(&roo::list(&args, self.options, &lister, self.cancel)))
    }

    fn cwd(&self) -> Result<&str, CallError> {
        self.around.cwd.to_str().ok_or_else(|| CallError::new("the working directory is not UTF-8"))
    }

    /// A lister on these roots, with the policy of programs that know no protected directories.
    pub(crate) fn lister<P: AsRef<Path>>(&self, roots: &[P]) -> Result<Opened<'a>, OpenError> {
        match self.lister {
            Some(kept) => Ok(Opened::Kept(kept)),
            None => {
                let policy = policy(Policy::default(), self.around);
                Ok(Opened::Own(Box::new(Lister::open(roots, policy)?)))
            }
        }
    }
}

/// A host's policy as these programs would have it: they know no protected directories and no
/// configuration of trilist, and they obey the user's global excludes.
pub fn policy(host: Policy, around: &Surroundings) -> Policy {
    Policy {
        protected: Vec::new(),
        global_excludes: global_excludes(around),
        ignore: IgnorePolicy::default(),
        builtin: None,
        default_max_bytes: None,
        ..host
    }
}

fn global_excludes(around: &Surroundings) -> Option<PathBuf> {
    let home = around.home.as_ref()?;
    let config_dir = around.config_dir.clone().unwrap_or_else(|| home.join(".config"));
    git_excludes_file(home, &config_dir)
}

/// The roots that lie in no other: ignore files above the listed directory count as far as a root
/// reaches.
fn outermost(roots: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for root in &roots {
        let inside = |other: &String| other != root && node_path::is_within(other, root);
        if !roots.iter().any(inside) && !kept.contains(root) {
            kept.push(root.clone());
        }
    }
    kept
}

fn cannot_open(error: OpenError) -> CallError {
    let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
    CallError::new(format!("{error}{}", cause.unwrap_or_default()))
}

/// A reply as JSON.
pub(crate) fn value(reply: &impl Serialize) -> Value {
    serde_json::to_value(reply).expect("replies have only string keys")
}
