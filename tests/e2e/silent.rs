//! A file system that hangs.

use std::fs::{self, File};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

/// A mounted file system that answers nothing: whoever looks into it waits.
pub(crate) struct Silent {
    dir: PathBuf,
    /// Closing it makes every wait fail, so it must come first.
    answers: Option<File>,
}

impl Silent {
    /// Nothing where it may not be mounted.
    pub(crate) fn mounted(dir: PathBuf) -> Option<Silent> {
        fs::create_dir(&dir).unwrap();
        let answers = File::options().read(true).write(true).open("/dev/fuse").ok()?;
        let options = format!("fd={},rootmode=40000,user_id=0,group_id=0\0", answers.as_raw_fd());
        let options = std::ffi::CStr::from_bytes_with_nul(options.as_bytes()).unwrap();
        mount("silent", &dir, "fuse", MountFlags::empty(), options).ok()?;
        Some(Silent { dir, answers: Some(answers) })
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        self.answers = None;
        let _ = unmount(&self.dir, UnmountFlags::DETACH);
    }
}
