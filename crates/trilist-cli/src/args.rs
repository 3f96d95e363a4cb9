//! The command line's arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args as Group, Parser, Subcommand};
use trilist::{Kind, Mode, Sort, View};
use trilist_compat::Tool;
use trilist_mcp::schema::Dialect;

use crate::failure::Channel;
use crate::values::{
    COLOURS, Colour, DIALECTS, Items, KINDS, MODES, SORTS, ToolList, VIEWS, milliseconds, one_of,
    tool, whole, words,
};

const EXAMPLES: &str = "\
Examples:
  trilist                          this directory, two levels deep
  trilist -m files src             what a searcher sees below src
  trilist -m vcs --count           what git knows, with the exact number
  trilist --hidden -I -d 1         everything right here, dotfiles included
  trilist -t dir -d 3              directories only
  trilist -m files -g '*.rs' -1    paths of Rust files, one a line
  trilist --cursor c1.k8…          the next page, as the page before named it
  trilist --view overview          a whole repository in 4,000 bytes
  trilist -m vcs --json > before   an inventory, to be compared with: trilist --since before
  trilist -a -0 | xargs -0 ls -d   every path, safe for any name
  trilist --json | jq .complete    one JSON object, cut or complete
  trilist compare src              why the modes differ, path by path
  trilist explain src/a.log        in which modes it is listed, and exactly why not
  trilist compat roo --args JSON   what Roo Code's list_files answers to a call
  trilist mcp --root ~/project     serve the tools to an agent host (MCP)
  trilist config                   the configuration in force; ./config lists that directory

Notes:
  A reply that is cut says so in its first and last line and names the cursor of the next page.
  Data goes to standard output. With -1, -0 and --view entries, what there is to know about the
  listing (cut, left out, warnings) goes to standard error; a complete listing has nothing to say
  there. Errors go to standard error as `code: message`; with --json and --jsonl they are an object
  {\"error\": {code, message, hint}} on standard output instead.
  A name that cannot be shown as it is stands in double quotes with C escapes, and is understood
  as PATH in that spelling too. Nothing is ever written to disk, and no program is run.

Configuration:
  trilist/config.toml in the configuration directory (~/.config) sets limits, the ignore policy and
  the builtin list; .trilist.toml at the top of the listed root can only narrow. `trilist config`
  shows what is in force and where it comes from.

Exit status:
  0    the page is as asked; the paths are explained, listed or not
  1    listed with gaps (or cut, with --fail-on-truncation)
  2    invalid argument, cursor or offset
  3    outside the root, denied, or approval required
  4    not found, or not a directory
  5    permission denied
  6    input or output error
  7    timeout with nothing listed, or busy
  8    version control: no repository, refused, or invalid
  130  interrupted    141  closed pipe    143  terminated";

/// Lists a directory, and never lets you mistake a part for the whole.
///
/// What is on disk, what a searcher would see, or what version control knows: one mode each. The
/// order is the same every time (byte order of the path), a page that is cut says how to go on, and
/// what is left out is counted by reason.
#[derive(Debug, Parser)]
#[command(name = "trilist", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    /// The directory to list [default: the working directory]
    ///
    /// In mode vcs it may also be gone from disk, as long as tracked names lie below it.
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    #[command(flatten)]
    pub(crate) product: Product,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[command(flatten)]
    pub(crate) order: Order,
    #[command(flatten)]
    pub(crate) chat: ChatArgs,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) look: Look,
}

/// What there is to do but listing.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show the modes side by side: which lists a path, and why another does not
    Compare(CompareArgs),
    /// Show the configuration in force, and where each value comes from
    Config(ConfigArgs),
    /// Say of each path in which modes it is listed, and exactly why not
    #[command(mut_arg("mode", |mode| mode.help("Explain one mode only [default: all three]")))]
    Explain(Box<ExplainArgs>),
    /// Answer one call as another program's list tool does
    Compat(CompatArgs),
    /// Show what this system offers trilist, and what it would read of PATH
    Doctor(DoctorArgs),
    /// Serve the tools to an agent host, as an MCP server on standard input and output
    Mcp(McpArgs),
    /// Print how the tools are announced to a model, or the schema of another program's
    Schema(SchemaArgs),
}

#[derive(Debug, Group)]
pub(crate) struct ExplainArgs {
    /// The paths to explain, at most 64; they need not exist
    ///
    /// A relative one starts at the working directory, whatever --in names; with --root, at the
    /// first root. Links on the way to them are not followed. A name that cannot be shown as it is
    /// may be given in the spelling in which a listing shows it.
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<OsString>,
    /// The directory whose listing is meant [default: the working directory; with --root, the first]
    ///
    /// A relative one starts at the working directory; with --root, at the first root.
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) listed: Option<OsString>,
    #[command(flatten)]
    pub(crate) product: Product,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Stop looking after this time: 500ms, 10s, 1m; at most 1m [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(crate) timeout: Option<u32>,
    /// One JSON object; of several paths, a list of them
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Group)]
pub(crate) struct CompatArgs {
    /// The tool
    #[arg(value_name = "TOOL", value_parser = tool())]
    pub(crate) tool: Tool,
    /// The call: what the model and the host give the tool, as one JSON object
    ///
    /// docs/contracts.md shows one for each tool. The working directory, HOME and git's global
    /// excludes are those of this process.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) args: String,
    /// Keep the faults of the recorded program too, where that is safe
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Which directories may be listed at all; added to the configuration's.
#[derive(Debug, Default, Group)]
#[command(next_help_heading = "Policy")]
pub(crate) struct Access {
    /// Never list directories that GLOB matches, nor what is below them; repeatable
    ///
    /// Without `/` it matches a name, with `/` at the start an absolute path, else a path below a
    /// root. No other option lifts it.
    #[arg(long, value_name = "GLOB")]
    pub(crate) deny: Vec<String>,
    /// List only directories that GLOB matches, and what is below them; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) allow: Vec<String>,
}

#[derive(Debug, Group)]
pub(crate) struct CompareArgs {
    /// The directory to compare [default: the working directory]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    /// Read only beneath DIR; repeatable [default: the repository around PATH, else PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Levels to compare, 1 to 4096 [default: all]
    #[arg(short, long, value_name = "N", visible_short_alias = 'L', allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u32>("from 1 to 4,096"))]
    pub(crate) depth: Option<u32>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Leave out names that start with `.`, in every mode
    #[arg(long)]
    pub(crate) no_hidden: bool,
    /// Leave out what GLOB matches, in every mode; repeatable
    #[arg(short = 'E', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Compare only what GLOB matches (without `/`: the base name); repeatable, one must match
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Mode vcs: leave out what FILE's rules match; repeatable, the last match decides
    #[arg(long, value_name = "FILE")]
    pub(crate) aiderignore: Vec<String>,
    /// Obey the user's global excludes in mode files (core.excludesFile)
    #[arg(long)]
    pub(crate) global_excludes: bool,
    /// Read neither the user's configuration nor the listed tree's
    #[arg(long)]
    pub(crate) no_config: bool,
    /// Do without the kernel's fence, which lets this process read below the roots and nothing else
    #[arg(long)]
    pub(crate) no_fence: bool,
    /// Show the paths too that every mode lists
    #[arg(long)]
    pub(crate) same: bool,
    /// Show each path below directories that one mode leaves out as a whole
    #[arg(long)]
    pub(crate) unfold: bool,
    /// Mark FILE as being in the chat; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) chat: Vec<OsString>,
    /// Rows to show, 1 to 1000; all are counted [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u32>("from 1 to 1,000"))]
    pub(crate) limit: Option<u32>,
    /// The first row to show, counted from 1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u64>("of at least 1"))]
    pub(crate) offset: Option<u64>,
    /// Stream every row: no limit, deadline or cap
    #[arg(short, long, conflicts_with_all = ["limit", "offset"])]
    pub(crate) all: bool,
    /// End after this time: 500ms, 10s, 1m; at most 1m [default: 10s, with --all none]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(crate) timeout: Option<u32>,
    /// Exit with 1 when rows are missing
    #[arg(long)]
    pub(crate) fail_on_truncation: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// One self-contained page for a browser, with every row unless -n is given
    #[arg(long, conflicts_with = "json")]
    pub(crate) html: bool,
}

#[derive(Debug, Group)]
pub(crate) struct McpArgs {
    /// Read only beneath DIR; repeatable [default: the working directory]
    ///
    /// Relative paths of calls start at the first one. Without it, the working directory must be
    /// neither the home nor the file system's root.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Announce only these tools; repeatable, or a list with commas
    #[arg(long, value_name = "NAME,…", value_parser = words)]
    pub(crate) tools: Vec<Items<String>>,
    /// Announce another program's list tool too, under its own name; repeatable, or a list with commas
    ///
    /// One that bears the name of a tool of trilist takes its place (codex: list_dir).
    #[arg(long, value_name = "TOOL,…", value_parser = ToolList)]
    pub(crate) profile: Vec<Items<Tool>>,
    /// Read neither the user's configuration nor the listed tree's
    #[arg(long)]
    pub(crate) no_config: bool,
}

#[derive(Debug, Group)]
pub(crate) struct SchemaArgs {
    /// How to spell trilist's own tools [default: mcp]
    #[arg(long, value_name = "NAME", value_parser = one_of(DIALECTS), conflicts_with = "tool")]
    pub(crate) dialect: Option<Dialect>,
    /// Another program's tool: the JSON Schema of its arguments
    #[arg(long, value_name = "NAME", value_parser = tool())]
    pub(crate) tool: Option<Tool>,
}

#[derive(Debug, Group)]
pub(crate) struct DoctorArgs {
    /// The directory that a listing would be asked for [default: the working directory]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    /// The root that is listed; repeatable [default: the repository around PATH, else PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Group)]
pub(crate) struct ConfigArgs {
    /// A directory of the tree whose configuration counts [default: the working directory]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    /// The root that is listed [default: the repository around PATH, else PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Show what holds without the user's and the tree's configuration
    #[arg(long)]
    pub(crate) no_config: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Group)]
#[command(next_help_heading = "Product")]
pub(crate) struct Product {
    /// Which product to list [default: fs]
    #[arg(short, long, value_name = "MODE", value_parser = one_of(MODES))]
    pub(crate) mode: Option<Mode>,
    /// Levels to show, 1 to 4096 [default: fs 2, files and vcs all]
    #[arg(short, long, value_name = "N", visible_short_alias = 'L', allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u32>("from 1 to 4,096"))]
    pub(crate) depth: Option<u32>,
    /// Read only beneath DIR; repeatable [default: the repository around PATH, else PATH]
    ///
    /// A relative PATH is then taken from the first root, and nothing outside the roots is listed,
    /// whether by `..` or through links.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Mode vcs: list the whole repository, relative to its top
    #[arg(long)]
    pub(crate) no_subtree: bool,
    /// Mode vcs: leave out what FILE's rules match; repeatable, the last match decides
    ///
    /// FILE is a path from the repository's top.
    #[arg(long, value_name = "FILE")]
    pub(crate) aiderignore: Vec<String>,
    /// Read neither the user's configuration nor the listed tree's
    #[arg(long)]
    pub(crate) no_config: bool,
    /// Do without the kernel's fence, which lets this process read below the roots and nothing else
    ///
    /// The listing is the same. `trilist doctor` says whether the kernel has the fence.
    #[arg(long)]
    pub(crate) no_fence: bool,
}

#[derive(Debug, Group)]
#[command(next_help_heading = "Selection")]
pub(crate) struct Selection {
    /// Show names that start with `.` [default in files and vcs]
    #[arg(long, overrides_with = "no_hidden")]
    pub(crate) hidden: bool,
    /// Leave out names that start with `.` [default in fs]
    #[arg(long, overrides_with = "hidden")]
    pub(crate) no_hidden: bool,
    /// Turn every ignore layer off; only protection of .git and --deny stay
    ///
    /// Layers that are named beside it (--gitignore, --dot-ignore, --ignore-file, -E) stay in force.
    #[arg(short = 'I', long)]
    pub(crate) no_ignore: bool,
    /// Enter node_modules and the like, which are otherwise one row
    #[arg(long)]
    pub(crate) no_builtin: bool,
    /// Obey git's ignore files [default in files]
    #[arg(long, overrides_with = "no_gitignore")]
    pub(crate) gitignore: bool,
    /// Do not read git's ignore files [default in fs]
    #[arg(long, overrides_with = "gitignore")]
    pub(crate) no_gitignore: bool,
    /// Obey .ignore and .rgignore [default in files]
    #[arg(long, overrides_with = "no_dot_ignore")]
    pub(crate) dot_ignore: bool,
    /// Do not read .ignore and .rgignore [default in fs]
    #[arg(long, overrides_with = "dot_ignore")]
    pub(crate) no_dot_ignore: bool,
    /// Obey the user's global excludes where git's other files count (core.excludesFile)
    #[arg(long)]
    pub(crate) global_excludes: bool,
    /// Obey a tool's ignore file NAME at the tops of roots and repositories; repeatable
    ///
    /// Its rules come before those of git and ripgrep. .aiderignore is read as pathspec reads it,
    /// every other file (.rooignore, .clineignore, .geminiignore, ...) as git would.
    #[arg(long, value_name = "NAME")]
    pub(crate) ignore_file: Vec<String>,
    /// Leave out what GLOB matches; repeatable
    #[arg(short = 'E', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Keep what GLOB matches against every ignore layer; hidden names need --hidden; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) keep: Vec<String>,
    /// Show what a rule ignores, marked with the rule; such directories are not entered
    #[arg(long)]
    pub(crate) mark_ignored: bool,
    /// Show only what GLOB matches (without `/`: the base name); repeatable, one must match
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Show only these kinds; repeatable, or a list with commas
    #[arg(short = 't', long = "type", value_name = "KIND", value_delimiter = ',')]
    #[arg(value_parser = one_of(KINDS))]
    pub(crate) kinds: Vec<Kind>,
    /// Enter links to directories, as long as they lead to places inside the root
    #[arg(long)]
    pub(crate) follow: bool,
    /// Show mount points without entering them
    #[arg(long)]
    pub(crate) one_file_system: bool,
}

#[derive(Debug, Group)]
#[command(next_help_heading = "Pages")]
pub(crate) struct Pages {
    /// Entries of a page, 1 to 1000 [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u32>("from 1 to 1,000"))]
    pub(crate) limit: Option<u32>,
    /// The first entry to show, counted from 1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u64>("of at least 1"))]
    pub(crate) offset: Option<u64>,
    /// Go on where the page before ended; alone it repeats that page's request
    ///
    /// It is read in the same root: give the same PATH or --root again, or stay in the same
    /// directory. Options given with it must agree with the page before; limits and views may
    /// change.
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// Count all entries, whatever it takes, for an exact total
    #[arg(long)]
    pub(crate) count: bool,
    /// Overview: read only the directories that are shown open, and count nothing
    #[arg(long, conflicts_with = "count")]
    pub(crate) no_count: bool,
    /// List only what has changed since an earlier reply, saved with --json or --jsonl
    ///
    /// It is compared with a new listing of the same PATH; other options are taken from the reply.
    /// With --metadata in it edits show too. Of a reply that was cut only the part that it has is
    /// compared.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "null"])]
    pub(crate) since: Option<PathBuf>,
    /// Stream everything: no limit, deadline or cap, and every level unless -d
    #[arg(short, long, conflicts_with_all = ["limit", "offset", "max_bytes"])]
    pub(crate) all: bool,
    /// End the page after this time: 500ms, 10s, 1m; at most 1m [default: 10s, with --all none]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(crate) timeout: Option<u32>,
    /// End the page before the reply is longer than N bytes, 1024 to 1048576 [default: no bound]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u32>("from 1,024 to 1,048,576"))]
    pub(crate) max_bytes: Option<u32>,
    /// Exit with 1 when the page is cut
    #[arg(long)]
    pub(crate) fail_on_truncation: bool,
}

#[derive(Debug, Group)]
#[command(next_help_heading = "Order")]
pub(crate) struct Order {
    /// The order of entries [default: path]
    #[arg(short, long, value_name = "ORDER", value_parser = one_of(SORTS))]
    pub(crate) sort: Option<Sort>,
    /// Turn the order round
    #[arg(short, long)]
    pub(crate) reverse: bool,
}

/// The files of a chat session.
#[derive(Debug, Group)]
#[command(next_help_heading = "Chat")]
pub(crate) struct ChatArgs {
    /// A file that is in the chat; repeatable
    ///
    /// Entries are marked, and the reply names the groups, with the files that the listing does not
    /// have and why.
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub(crate) chat: Vec<OsString>,
    /// A file that is in the chat to be read only; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub(crate) read_only: Vec<OsString>,
    /// Read both lists from a JSON file: {"in_chat": [...], "read_only": [...]}
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub(crate) session: Option<PathBuf>,
}

/// What is written; at most one of these, but for the overview, which has a JSON form.
#[derive(Debug, Group)]
#[command(next_help_heading = "Output")]
pub(crate) struct Format {
    /// How the text is laid out [default: tree; paths in other orders]
    #[arg(long, value_name = "VIEW", value_parser = one_of(VIEWS))]
    #[arg(conflicts_with_all = ["long", "drawn", "paths", "jsonl", "null"])]
    pub(crate) view: Option<View>,
    /// A table with size, time and permissions (--view table --metadata)
    #[arg(short = 'l', long, conflicts_with_all = ["drawn", "paths", "json", "jsonl", "null"])]
    pub(crate) long: bool,
    /// A tree drawn with lines (--view drawn)
    #[arg(long = "tree", conflicts_with_all = ["paths", "json", "jsonl", "null"])]
    pub(crate) drawn: bool,
    /// A path a line (--view paths)
    #[arg(short = '1', action = ArgAction::SetTrue, conflicts_with_all = ["json", "jsonl", "null"])]
    pub(crate) paths: bool,
    /// The whole reply as one JSON object
    #[arg(long, conflicts_with_all = ["jsonl", "null"])]
    pub(crate) json: bool,
    /// A JSON object for each entry, a line each, then one with the rest of the reply
    #[arg(long, conflicts_with = "null")]
    pub(crate) jsonl: bool,
    /// The exact bytes of each path, each followed by a NUL byte
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

#[derive(Debug, Group)]
#[command(next_help_heading = "Output")]
pub(crate) struct Look {
    /// Read size, time, permissions and link targets; shown in the tree and in JSON
    #[arg(long)]
    pub(crate) metadata: bool,
    /// When to colour names by kind, in tree and paths [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = one_of(COLOURS))]
    pub(crate) color: Option<Colour>,
}

impl Format {
    /// The view that is asked for, by its name or by a letter.
    pub(crate) fn view(&self) -> Option<View> {
        match (self.long, self.drawn) {
            (true, _) => Some(View::Table),
            (_, true) => Some(View::Drawn),
            _ => self.view,
        }
    }
}

impl Args {
    /// Where a failure is told.
    pub(crate) fn channel(&self) -> Channel {
        let is_json = match &self.verb {
            Some(Verb::Config(config)) => config.json,
            Some(Verb::Compare(compare)) => compare.json,
            Some(Verb::Explain(explain)) => explain.json,
            Some(Verb::Doctor(doctor)) => doctor.json,
            _ => self.format.json || self.format.jsonl,
        };
        if is_json { Channel::Json } else { Channel::Text }
    }
}
