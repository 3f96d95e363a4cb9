//! `trilist doctor`: what this system offers, and whether each mode can list a place.

use std::fmt::Write as _;

use serde_json::{Value, json};
use trilist::{Cancel, ListRequest, Lister, Mode, Page, quote};

use crate::args::{Access, DoctorArgs};
use crate::configured;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fence::{self, Fence};
use crate::output::stdout;
use crate::place::Place;

/// What was found, in the order in which it is shown.
struct Findings {
    fence: Fence,
    user_config: Option<String>,
    roots: Vec<(String, bool)>,
    outside: Vec<String>,
    modes: Vec<(Mode, Result<Page, trilist::ListError>)>,
}

/// Looks, and tells. The status is that of a listing which went as asked: what is wrong with a
/// mode stands in the text.
///
/// # Errors
///
/// When the configuration cannot be used, no root can be opened, or standard output cannot be
/// written.
pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let findings = look(args)?;
    let text = if args.json { format!("{}\n", object(&findings)) } else { text(&findings) };
    stdout::write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::AsAsked)
}

fn look(args: &DoctorArgs) -> Result<Findings, Failure> {
    let user = configured::read(false)?.user;
    let policy = configured::policy(false, false, &Access::default())?;
    let place = Place::of(args.path.as_deref(), &args.root)?;
    let lister = Lister::open(&place.roots, policy)?;
    let roots = lister.roots().into_iter().map(|root| (shown(&root.path), root.available));
    let request =
        |mode| ListRequest { limit: Some(1), ..ListRequest::new(mode, place.path.clone()) };
    let outside = lister.reads_outside(&request(Mode::Vcs));
    let fence = fence::close(place.roots.iter().chain(&outside));
    let modes = [Mode::Fs, Mode::Files, Mode::Vcs];
    let tried = modes.map(|mode| (mode, lister.list(&request(mode), &Cancel::new())));
    Ok(Findings {
        fence,
        user_config: user.as_deref().map(shown),
        roots: roots.collect(),
        outside: outside.iter().map(|path| shown(path)).collect(),
        modes: tried.into_iter().collect(),
    })
}

fn shown(path: &std::path::Path) -> String {
    quote::shown(path.as_os_str().as_encoded_bytes()).into_owned()
}

fn text(findings: &Findings) -> String {
    let mut out = format!("trilist {}\n", env!("CARGO_PKG_VERSION"));
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<14} {value}");
    };
    line("kernel fence", findings.fence.says());
    line("configuration", findings.user_config.as_deref().unwrap_or("none of the user's"));
    for (path, available) in &findings.roots {
        line("root", &format!("{path}{}", if *available { "" } else { " (missing)" }));
    }
    for path in &findings.outside {
        line("read outside", path);
    }
    for (mode, tried) in &findings.modes {
        let said = match tried {
            Ok(page) if page.gaps > 0 => {
                "lists, with gaps that the warnings of a listing name".into()
            }
            Ok(_) => "lists".into(),
            Err(error) => format!("{}: {error}", error.code()),
        };
        line(&format!("mode {}", mode.name()), &said);
    }
    out
}

fn object(findings: &Findings) -> Value {
    let roots = findings.roots.iter().map(|(path, is)| json!({ "path": path, "available": is }));
    let modes = findings.modes.iter().map(|(mode, tried)| {
        let said = match tried {
            Ok(page) => json!({ "lists": true, "gaps": page.gaps }),
            Err(error) => json!({ "lists": false, "error": error.reply() }),
        };
        (mode.name().to_owned(), said)
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "fence": findings.fence.name(),
        "user_config": findings.user_config,
        "roots": roots.collect::<Vec<_>>(),
        "read_outside": findings.outside,
        "modes": modes.collect::<serde_json::Map<_, _>>(),
    })
}
