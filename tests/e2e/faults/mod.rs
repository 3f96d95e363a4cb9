//! Runs whose system calls fail: what is listed is true, and what is missing is told.

mod inject;
mod random;
mod sweep;
