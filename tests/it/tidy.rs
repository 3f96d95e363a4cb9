//! The house rules hold.
