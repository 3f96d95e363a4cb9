//! Faults that users of comparable tools have met, as cases. The numbers group variants.

mod config;
mod drift;
mod emptiness;
mod faults;
mod hidden;
mod ignoring;
mod links;
mod names;
mod pages;
mod places;
mod policy;
mod protected;
mod roots;
mod versioned;
