//! Calls as futures: they never block, are bounded, and end when nobody waits for them.

use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Waker};
use std::time::Duration;

use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;
use trilist::{
    AsyncLister, Bucket, Cancel, ChatFiles, Decision, HostSide, ListError, ListRequest, Lister,
    Mode, Permission, Policy, Question, Workers,
};

const LONG: Duration = Duration::from_secs(60);

fn tree() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c", "d", "e"] {
        std::fs::write(dir.path().join(name), "").unwrap();
    }
    dir
}

fn lister(dir: &TempDir, most: usize, patience_ms: u32) -> AsyncLister {
    let lister = Lister::open(&[dir.path()], Policy::default()).unwrap();
    AsyncLister::new(lister, Workers { most: NonZeroUsize::new(most).unwrap(), patience_ms })
}

/// On one thread, so that a future that blocked would stop everything.
fn on_one_thread<F: Future>(future: F) -> F::Output {
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    output
}

/// Work that says that it runs, and waits until it is let go.
fn stuck() -> (impl FnOnce(&Lister, &Cancel) -> Result<bool, ListError>, Handles) {
    let (started, has_started) = mpsc::channel();
    let (let_go, go) = mpsc::channel();
    let (ended, has_ended) = mpsc::channel();
    let work = move |_: &Lister, cancel: &Cancel| {
        started.send(()).unwrap();
        // Either a word or the end of the test.
        let _ = go.recv();
        let _ = ended.send(cancel.is_cancelled());
        Ok(cancel.is_cancelled())
    };
    (work, Handles { has_started, let_go, has_ended })
}

struct Handles {
    has_started: mpsc::Receiver<()>,
    let_go: mpsc::Sender<()>,
    has_ended: mpsc::Receiver<bool>,
}

impl Handles {
    async fn started(&self) {
        while self.has_started.try_recv().is_err() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Lets the work end, and tells whether it was cancelled then.
    fn was_cancelled(&self) -> bool {
        self.let_go.send(()).unwrap();
        self.has_ended.recv_timeout(LONG).unwrap()
    }
}

#[test]
fn a_page_is_the_one_that_the_lister_gives() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    let request = ListRequest { limit: Some(3), ..ListRequest::new(Mode::Fs, ".") };
    let plain = lister.lister().list(&request, &Cancel::new()).unwrap();
    let page = on_one_thread(lister.list(request, CancellationToken::new())).unwrap();
    assert_eq!(page, plain);
    let wrong = ListRequest { limit: Some(0), ..ListRequest::new(Mode::Fs, ".") };
    let error = on_one_thread(lister.list(wrong, CancellationToken::new())).unwrap_err();
    assert_eq!(error.code(), "invalid_argument");
}

#[test]
fn what_only_a_host_gives_goes_with_a_call() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    let files = ChatFiles { in_chat: vec!["b".into()], ..ChatFiles::default() };
    let host = HostSide { chat: Some(Arc::new(files)), ..HostSide::default() };
    let call = lister.list_for(ListRequest::new(Mode::Fs, "."), host, CancellationToken::new());
    let page = on_one_thread(call).unwrap();
    let buckets: Vec<_> = page.entries.iter().map(|entry| entry.bucket.unwrap()).collect();
    assert_eq!(buckets[..2], [Bucket::Repo, Bucket::InChat]);
}

#[test]
fn other_calls_are_served_while_one_is_stuck() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    on_one_thread(async {
        let (work, handles) = stuck();
        let hung = lister.call(LONG, CancellationToken::new(), work);
        let others = async {
            handles.started().await;
            for _ in 0..20 {
                let request = ListRequest::new(Mode::Files, ".");
                let page = lister.list(request, CancellationToken::new()).await.unwrap();
                assert_eq!(page.returned, 5);
            }
            handles.let_go.send(()).unwrap();
        };
        let (hung, ()) = tokio::join!(hung, others);
        assert!(!hung.unwrap(), "nobody has cancelled it");
    });
}

#[test]
fn beyond_the_workers_a_call_is_busy_and_later_it_is_not() {
    let dir = tree();
    let lister = lister(&dir, 1, 10);
    let list = |lister: &AsyncLister| {
        let request = ListRequest::new(Mode::Fs, ".");
        let lister = lister.clone();
        async move { lister.list(request, CancellationToken::new()).await }
    };
    on_one_thread(async {
        let (work, handles) = stuck();
        let token = CancellationToken::new();
        let hung = lister.call(LONG, token.clone(), work);
        let others = async {
            handles.started().await;
            assert_eq!(list(&lister).await, Err(ListError::Busy));
            token.cancel();
        };
        let (hung, ()) = tokio::join!(hung, others);
        assert_eq!(hung, Err(ListError::Cancelled), "its caller waits no longer");
        assert_eq!(list(&lister).await, Err(ListError::Busy), "its worker is still taken");
        assert!(handles.was_cancelled());
        // The worker gives its turn back right after it has told its end.
        let mut page = list(&lister).await;
        while page == Err(ListError::Busy) {
            page = list(&lister).await;
        }
        assert_eq!(page.unwrap().returned, 5);
    });
}

#[test]
fn a_call_that_waits_for_its_turn_gets_it() {
    let dir = tree();
    let lister = lister(&dir, 1, 60_000);
    let calls = (0..32).map(|_| {
        let lister = lister.clone();
        async move { lister.list(ListRequest::new(Mode::Fs, "."), CancellationToken::new()).await }
    });
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let handles: Vec<_> = calls.map(|call| runtime.spawn(call)).collect();
    for handle in handles {
        assert_eq!(runtime.block_on(handle).unwrap().unwrap().returned, 5);
    }
}

#[test]
fn a_dropped_future_cancels_its_work() {
    let dir = tree();
    let lister = lister(&dir, 1, 10);
    on_one_thread(async {
        let (work, handles) = stuck();
        let hung = lister.call(LONG, CancellationToken::new(), work);
        tokio::select! {
            _ = hung => panic!("it cannot have ended"),
            () = handles.started() => {}
        }
        assert!(handles.was_cancelled());
    });
}

#[test]
fn a_call_that_does_not_stop_ends_for_its_caller() {
    let dir = tree();
    let lister = lister(&dir, 1, 10);
    on_one_thread(async {
        let (work, handles) = stuck();
        let answer = lister.call(Duration::from_millis(5), CancellationToken::new(), work).await;
        assert_eq!(answer, Err(ListError::Timeout));
        assert!(handles.was_cancelled());
    });
}

#[test]
fn a_cancelled_token_starts_nothing() {
    let dir = tree();
    let lister = lister(&dir, 1, 10);
    let token = CancellationToken::new();
    token.cancel();
    let page = on_one_thread(lister.list(ListRequest::new(Mode::Fs, "."), token));
    assert_eq!(page, Err(ListError::Cancelled));
}

#[test]
#[should_panic(expected = "the work's own")]
fn a_panic_of_the_work_goes_on_in_its_caller() {
    let dir = tree();
    let lister = lister(&dir, 1, 10);
    let work = |_: &Lister, _: &Cancel| -> Result<(), ListError> { panic!("the work's own") };
    let _ = on_one_thread(lister.call(LONG, CancellationToken::new(), work));
}

#[test]
fn pages_follow_each_other_to_the_end() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    on_one_thread(async {
        let request = ListRequest { limit: Some(2), ..ListRequest::new(Mode::Fs, ".") };
        let mut pages = lister.pages(request, CancellationToken::new());
        let mut names = Vec::new();
        let mut sizes = Vec::new();
        while let Some(page) = pages.next().await {
            let page = page.unwrap();
            sizes.push(page.returned);
            names.extend(page.entries.into_iter().map(|entry| entry.path));
        }
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
        assert_eq!(sizes, [2, 2, 1]);
        assert!(pages.next().await.is_none(), "and then nothing more");
    });
}

#[test]
fn a_page_that_was_not_waited_for_comes_again() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    on_one_thread(async {
        let request = ListRequest { limit: Some(2), ..ListRequest::new(Mode::Fs, ".") };
        let mut pages = lister.pages(request, CancellationToken::new());
        pages.next().await.unwrap().unwrap();
        let given_up = {
            let mut next = pin!(pages.next());
            next.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
        };
        let page = pages.next().await.unwrap().unwrap();
        assert_eq!(page.entries[0].path, if given_up { "c" } else { "e" });
    });
}

#[test]
fn an_error_ends_the_pages() {
    let dir = tree();
    let lister = lister(&dir, 2, 1_000);
    on_one_thread(async {
        let mut pages =
            lister.pages(ListRequest::new(Mode::Fs, "absent"), CancellationToken::new());
        assert_eq!(pages.next().await.unwrap().unwrap_err().code(), "not_found");
        assert!(pages.next().await.is_none());
    });
}

#[test]
fn what_the_host_closes_is_closed_here_too() {
    let dir = tree();
    std::fs::create_dir(dir.path().join("closed")).unwrap();
    std::fs::write(dir.path().join("closed/key"), "").unwrap();
    let policy = Policy { deny: vec!["closed".to_owned()], ..Policy::default() };
    let lister = Lister::open(&[dir.path()], policy).unwrap();
    let lister = AsyncLister::new(lister, Workers::default());
    on_one_thread(async {
        let token = CancellationToken::new();
        let page = lister.list(ListRequest::new(Mode::Fs, "."), token.clone()).await.unwrap();
        assert!(page.entries.iter().all(|entry| !entry.path.contains("key")));
        let mut pages = lister.pages(ListRequest::new(Mode::Fs, "closed"), token);
        let refused = pages.next().await.unwrap().unwrap_err();
        assert_eq!(refused.code(), "denied_by_policy");
        assert!(pages.next().await.is_none());
    });
}

#[test]
fn time_does_not_run_while_the_host_is_asked() {
    let dir = tree();
    let slow = |_: &Question, _: &Cancel| {
        std::thread::sleep(Duration::from_millis(1_500));
        Decision::AllowOnce
    };
    let policy = Policy { list: Permission::Ask, ..Policy::default() };
    let lister = Lister::open(&[dir.path()], policy).unwrap().with_approver(Arc::new(slow));
    let lister = AsyncLister::new(lister, Workers::default());
    let request = ListRequest { deadline_ms: Some(500), ..ListRequest::new(Mode::Fs, ".") };
    on_one_thread(async {
        let page = lister.list(request.clone(), CancellationToken::new()).await.unwrap();
        assert_eq!((page.returned, page.complete), (5, true));
        // Who cancels does not wait for an answer.
        let token = CancellationToken::new();
        let call = lister.list(request, token.clone());
        let cancelled = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            token.cancel();
        };
        let (answer, ()) = tokio::join!(call, cancelled);
        assert_eq!(answer.unwrap_err(), ListError::Cancelled);
    });
}
