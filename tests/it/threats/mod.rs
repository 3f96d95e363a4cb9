//! Attacks and faults on walks and ignore files. The numbers are those of the list of threats.

mod arguments;
mod cursors;
mod deep;
mod hung;
mod ignore_files;
mod kinds;
mod leaks;
mod many;
mod million;
mod mounts;
mod moving;
mod served;
mod swaps;
mod views;
mod visible;
