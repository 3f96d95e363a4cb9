//! The least that a program can do: the floor under the start-up of every other.

#![allow(clippy::print_stdout, reason = "this is all it does")]

fn main() {
    println!("hello");
}
