//! Names of errors, for messages that people search for.

use std::io;

use rustix::io::Errno;

/// The name of a system error (`EACCES`), or the error's text when it has none.
///
/// ```
/// let denied = std::io::Error::from_raw_os_error(13);
/// assert_eq!(trilist_root::errno_name(&denied), "EACCES");
/// ```
pub fn errno_name(error: &io::Error) -> String {
    let known = Errno::from_io_error(error)
        .and_then(|errno| NAMES.iter().find(|(known, _)| *known == errno));
    match known {
        Some((_, name)) => (*name).to_owned(),
        None => error.to_string(),
    }
}

const NAMES: &[(Errno, &str)] = &[
    (Errno::PERM, "EPERM"),
    (Errno::NOENT, "ENOENT"),
    (Errno::INTR, "EINTR"),
    (Errno::IO, "EIO"),
    (Errno::NXIO, "ENXIO"),
    (Errno::BADF, "EBADF"),
    (Errno::AGAIN, "EAGAIN"),
    (Errno::NOMEM, "ENOMEM"),
    (Errno::ACCESS, "EACCES"),
    (Errno::FAULT, "EFAULT"),
    (Errno::BUSY, "EBUSY"),
    (Errno::XDEV, "EXDEV"),
    (Errno::NODEV, "ENODEV"),
    (Errno::NOTDIR, "ENOTDIR"),
    (Errno::ISDIR, "EISDIR"),
    (Errno::INVAL, "EINVAL"),
    (Errno::NFILE, "ENFILE"),
    (Errno::MFILE, "EMFILE"),
    (Errno::TXTBSY, "ETXTBSY"),
    (Errno::FBIG, "EFBIG"),
    (Errno::NOSPC, "ENOSPC"),
    (Errno::ROFS, "EROFS"),
    (Errno::MLINK, "EMLINK"),
    (Errno::PIPE, "EPIPE"),
    (Errno::RANGE, "ERANGE"),
    (Errno::DEADLK, "EDEADLK"),
    (Errno::NAMETOOLONG, "ENAMETOOLONG"),
    (Errno::NOLCK, "ENOLCK"),
    (Errno::NOSYS, "ENOSYS"),
    (Errno::NOTEMPTY, "ENOTEMPTY"),
    (Errno::LOOP, "ELOOP"),
    (Errno::OVERFLOW, "EOVERFLOW"),
    (Errno::NOTSUP, "ENOTSUP"),
    (Errno::NOTCONN, "ENOTCONN"),
    (Errno::CONNABORTED, "ECONNABORTED"),
    (Errno::CONNRESET, "ECONNRESET"),
    (Errno::CONNREFUSED, "ECONNREFUSED"),
    (Errno::TIMEDOUT, "ETIMEDOUT"),
    (Errno::HOSTDOWN, "EHOSTDOWN"),
    (Errno::HOSTUNREACH, "EHOSTUNREACH"),
    (Errno::STALE, "ESTALE"),
    (Errno::DQUOT, "EDQUOT"),
    (Errno::CANCELED, "ECANCELED"),
];
