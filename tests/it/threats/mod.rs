//! Attacks and faults on walks and ignore files. The numbers are those of the list of threats.

mod deep;
mod ignore_files;
mod kinds;
mod many;
mod mounts;
mod moving;
