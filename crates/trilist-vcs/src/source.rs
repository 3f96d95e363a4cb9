//! Mode `vcs` as a source.

use std::sync::Arc;

use trilist_core::{
    Bound, Cancel, Digest, Events, Identity, Kind, ListError, ListSource, Mode, Query, RelPath,
    quote,
};
use trilist_root::gitdir::{self, GitDirError, Layout, Repository};
use trilist_root::{Dir, FileId, Root};

use crate::fault::Faults;
use crate::filter::Filter;
use crate::format::{self, Format};
use crate::head::{self, HeadStream, Region};
use crate::ignore_file::{self, Wanted};
use crate::index_file::{self, Extent, How, region};
use crate::index_side::IndexSide;
use crate::listing::Listing;
use crate::memory::{KnownIndex, Memory, StoreKey};
use crate::objects::{ObjectError, Objects};
use crate::parts::{HeadRoot, Parts};
use crate::probe;
use crate::union::{Item, Sides, Union};
use crate::work_tree::WorkTree;

/// What a repository knows: the union of HEAD's tree and the index.
///
/// Nothing of git is executed, and neither the environment nor the user's configuration has a
/// say. Each listing reads the repository anew but for what its [`Memory`] has from before. Which
/// stores the repository borrows objects from is found out once, when it is opened.
#[derive(Debug)]
pub struct VcsSource {
    root: Arc<Root>,
    repository: Repository,
    format: Format,
    objects: Objects,
    memory: Arc<Memory>,
}

/// What of a path HEAD or the index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracked {
    /// Neither it nor anything below.
    Nothing,
    /// It is a file, link or submodule.
    Itself,
    /// Something below it.
    Below,
}

/// Pages up to this size read HEAD's trees rather than look for the cached ones.
const PAGE: usize = 10_000;

impl VcsSource {
    /// Finds the repository around `base`, a path below the root that may be absent on disk.
    ///
    /// # Errors
    ///
    /// [`ListError::NotARepository`], or why the repository is not read.
    pub fn open(root: Arc<Root>, base: RelPath<'_>) -> Result<VcsSource, ListError> {
        VcsSource::open_among(root, &[], base, &Arc::default())
    }

    /// As [`VcsSource::open`], with further roots of the host in which a git directory, or an
    /// object store that the repository borrows from, may lie, and with what is remembered from
    /// other listings.
    ///
    /// # Errors
    ///
    /// As [`VcsSource::open`].
    pub fn open_among(
        root: Arc<Root>,
        others: &[&Root],
        base: RelPath<'_>,
        memory: &Arc<Memory>,
    ) -> Result<VcsSource, ListError> {
        let mut existing = base;
        while !matches!(root.kind_at(existing), Ok(Some(Kind::Dir))) && !existing.is_empty() {
            existing = existing.parent();
        }
        let found = gitdir::discover_among(&root, others, existing).map_err(refusal)?;
        let Some(mut repository) = found else {
            return Err(none(&root, base));
        };
        let format = format::check(&repository.config)?;
        let stores = std::mem::take(&mut repository.objects);
        let objects = known_objects(stores, format, memory);
        Ok(VcsSource { root, repository, format, objects, memory: Arc::clone(memory) })
    }

    /// The repository's top, relative to the root; the git directory of a bare one.
    pub fn top(&self) -> RelPath<'_> {
        self.repository.top.as_path()
    }

    /// Whether there is no work tree: also when a `.git` file leads to a bare repository.
    fn is_bare(&self) -> bool {
        match self.repository.layout {
            Layout::Bare => true,
            Layout::Plain => self.repository.config.flag("core", None, "bare") == Some(true),
            Layout::Linked | Layout::Submodule => false,
        }
    }

    /// What a reply should say about the repository as a whole.
    pub fn notice(&self) -> Option<String> {
        if self.is_bare() {
            return Some("A bare repository: what is listed is on no disk.".to_owned());
        }
        match self.commit() {
            Ok(None) => Some("There is no commit yet: only what is staged is listed.".to_owned()),
            _ => None,
        }
    }

    /// Whether HEAD or the index has something at or below `base`, a path below the root.
    ///
    /// # Errors
    ///
    /// As [`ListSource::open`].
    pub fn tracks(&self, base: RelPath<'_>) -> Result<Tracked, ListError> {
        let query = Query { want: Some(1), ..Query::new(base.to_buf()) };
        let cancel = Cancel::new();
        let mut begun = self.begin(&query, &cancel)?;
        loop {
            begun.union.advance()?;
            match begun.union.item() {
                Item::Leaf(..) | Item::Collapsed(_) => return Ok(Tracked::Below),
                Item::End if begun.exact().is_some() => return Ok(Tracked::Itself),
                Item::End => return Ok(Tracked::Nothing),
                Item::Fault(_) => {}
            }
        }
    }

    fn commit(&self) -> Result<Option<Vec<u8>>, ListError> {
        let Repository { git_dir, common_dir, .. } = &self.repository;
        let found = head::resolve(git_dir, common_dir, self.format.hash.len_in_bytes());
        found.map_err(|fault| ListError::VcsInvalid { reason: fault.to_string() })
    }

    /// The listed directory as a path of the repository.
    fn inner<'q>(&self, query: &'q Query) -> Result<RelPath<'q>, ListError> {
        let (base, top) = (query.base.as_path(), self.top());
        if !query.subtree || base == top {
            return Ok(RelPath::EMPTY);
        }
        base.below(top).ok_or_else(|| {
            let expected = format!("a path in the repository at `{top}` is right");
            ListError::invalid("path", base, expected)
        })
    }

    fn begin<'a>(&'a self, query: &'a Query, cancel: &'a Cancel) -> Result<Begun<'a>, ListError> {
        let inner = self.inner(query)?;
        let mut faults = Faults::default();
        let mut digest = Digest::new();
        let mut tool = Vec::new();
        let ignore = &query.ignore;
        let named = ignore.aiderignore.iter().map(|name| (name, Wanted::Named));
        let tools = ignore.tool_files.iter().map(|name| (name, Wanted::Tool));
        for (name, wanted) in named.chain(tools) {
            let (top, memory) = (self.top(), &self.memory);
            let file = ignore_file::read(&self.root, top, name, wanted, memory, &mut faults)?;
            tool.extend(file.inspect(|file| {
                digest.add(&file.bytes);
            }));
        }
        // Notes about ignore files stand before the first name, on the first page.
        if query.after.is_some() {
            faults = Faults::default();
        }
        let filter = Arc::new(Filter::new(query, tool, self.top().to_buf().join(inner))?);
        let head = self.head(cancel, &mut digest)?;
        let extent = match query.want {
            Some(want) if want <= PAGE => Extent::Page,
            _ if query.probe.is_some() => Extent::Page,
            _ => Extent::Whole,
        };
        let (mut sides, exact, known) =
            self.sides(head.as_ref(), inner, extent, cancel, &mut digest, faults)?;
        if query.identify {
            sides.index.note_ids();
        }
        sides.index.next(cancel, &mut sides.faults)?;
        let head = head.map(|head| HeadRoot { cached: sides.cached.clone(), ..head });
        let region = region(inner);
        let start = start(&region, query);
        let wanted = query.probe.as_ref().map(|probe| [&region, probe.as_bytes()].concat());
        let mut union =
            Union::start(sides, region, start, Arc::clone(&filter), cancel, query.scan_cap)?;
        union.want_only(wanted.unwrap_or_default());
        let identity = digest.identity();
        Ok(Begun { union, filter, head, head_exact: exact, known, identity })
    }

    fn head(&self, cancel: &Cancel, digest: &mut Digest) -> Result<Option<HeadRoot>, ListError> {
        let Some(commit) = self.commit()? else { return Ok(None) };
        digest.add(&commit);
        let mut objects = self.objects.another();
        let tree = objects.tree_of(&commit, cancel).map_err(|fault| match fault.error {
            ObjectError::Stopped(error) => error,
            _ => {
                ListError::VcsInvalid { reason: format!("HEAD's commit is not to be had: {fault}") }
            }
        })?;
        Ok(Some(HeadRoot { objects, tree, cached: None }))
    }

    fn sides(
        &self,
        head: Option<&HeadRoot>,
        inner: RelPath<'_>,
        extent: Extent,
        cancel: &Cancel,
        digest: &mut Digest,
        mut faults: Faults,
    ) -> Result<(Sides, Option<Kind>, KnownIndex), ListError> {
        let git_dir = &self.repository.git_dir;
        // A sparse index needs them even before the first commit of an orphan branch.
        let objects = Some(self.objects.another());
        let hash_len = self.format.hash.len_in_bytes();
        let tree = head.map(|head| head.tree.as_slice());
        let how = How { hash_len, extent, head: tree, memory: &self.memory };
        let mut opened = index_file::open(git_dir, how, objects, digest, &mut faults)?;
        if self.is_bare() && opened.side.is_absent() {
            // It has none, so nothing is staged: no removal either.
            opened.side = IndexSide::unknown();
        }
        let (mut stream, mut exact) = (None, None);
        if let Some(head) = head {
            let region = Region { dir: inner.as_bytes() };
            let (objects, cached) = (head.objects.another(), opened.cached.clone());
            let (opened, leaf) =
                HeadStream::open(objects, &head.tree, cached, region, cancel, &mut faults)?;
            (stream, exact) = (Some(opened), leaf);
        }
        let index_file::IndexFile { side, cached, identity } = opened;
        let known = KnownIndex::new(&self.memory, identity);
        Ok((Sides { index: side, head: stream, cached, faults }, exact, known))
    }

    fn work_tree(&self, query: &Query) -> Option<WorkTree<'_>> {
        let has_disk = query.metadata && !self.is_bare();
        has_disk.then(|| WorkTree::new(&self.root, self.top()))
    }

    /// Why nothing lies below a name that is no directory.
    fn not_a_directory(&self, query: &Query, kind: Kind) -> ListError {
        let base = query.base.as_path();
        let parent = quote::shown(&[self.root.path(), b"/", base.parent().as_bytes()].concat())
            .trim_end_matches('/')
            .to_owned();
        let asked = base.to_string();
        let kind = match kind {
            Kind::Submodule => "submodule that is not checked out",
            kind => kind.name(),
        };
        ListError::NotDirectory { asked, kind, parent }
    }
}

/// A union placed at its first item.
struct Begun<'a> {
    union: Union<'a>,
    filter: Arc<Filter>,
    head: Option<HeadRoot>,
    head_exact: Option<Kind>,
    known: KnownIndex,
    identity: Identity,
}

impl Begun<'_> {
    /// What stands at the listed directory's own path.
    fn exact(&self) -> Option<Kind> {
        self.union.exact().or(self.head_exact)
    }
}

impl ListSource for VcsSource {
    fn mode(&self) -> Mode {
        Mode::Vcs
    }

    fn open<'a>(
        &'a self,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Box<dyn Events + Send + 'a>, ListError> {
        let mut begun = self.begin(query, cancel)?;
        let is_first = query.after.is_none() && query.probe.is_none();
        if query.probe.is_some() && begun.exact().is_some() {
            // Is it a directory too?
            self.open(&Query { probe: None, want: Some(1), ..query.clone() }, cancel)?;
        }
        if is_first {
            begun.union.advance()?;
            if matches!(begun.union.item(), Item::End)
                && let Some(kind) = begun.exact()
            {
                return Err(self.not_a_directory(query, kind));
            }
        }
        let parts = Parts {
            work_tree: self.work_tree(query),
            identity: begun.identity,
            base: begun.union.region().len(),
            head: begun.head,
            known: begun.known,
            cancel,
            begun: is_first,
        };
        Ok(Box::new(Listing::new(begun.union, begun.filter, parts, query)))
    }
}

/// Where the union starts: a path of the repository, empty for the beginning.
fn start(region: &[u8], query: &Query) -> (Vec<u8>, Bound) {
    match (&query.probe, &query.after) {
        (Some(probe), _) => (probe::first(region, probe.as_path()), Bound::At),
        (None, Some(after)) => ([region, after.as_bytes()].concat(), query.bound),
        (None, None) => (Vec::new(), Bound::After),
    }
}

/// The store as it is remembered; without knowing which directories these are, a new one.
fn known_objects(stores: Vec<Dir>, format: Format, memory: &Memory) -> Objects {
    let ids: Result<Vec<FileId>, _> = stores.iter().map(Dir::id).collect();
    let new = || Objects::new(stores, format.hash, format.partial);
    match ids {
        Ok(stores) => memory.objects(StoreKey { stores, format }, new),
        Err(_) => new(),
    }
}

fn refusal(error: GitDirError) -> ListError {
    match error {
        GitDirError::Refused { reason } => ListError::VcsRefused { reason },
        GitDirError::Invalid { reason } => ListError::VcsInvalid { reason },
        GitDirError::Io { what, error } => ListError::Io {
            what: format!("the repository cannot be read, {what}"),
            error: trilist_root::errno_name(&error),
        },
    }
}

fn none(root: &Root, base: RelPath<'_>) -> ListError {
    if root.inside_repository() {
        let reason = "its top lies above the root".to_owned();
        return ListError::VcsRefused { reason };
    }
    let asked = match base.is_empty() {
        true => quote::shown(root.path()).into_owned(),
        false => base.to_string(),
    };
    ListError::NotARepository { asked }
}
