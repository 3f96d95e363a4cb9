//! Listings that are kept, what has changed since, and what a chat session says of them.

mod chat;
mod churn;
mod pinned;
mod reply;
mod since;
