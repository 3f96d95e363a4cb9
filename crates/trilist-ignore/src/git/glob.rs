//! Tokens against a name, segments against a path.
//!
//! Both levels are the same game: blocks of fixed length between stars, so that
//! taking each block at its leftmost place is never wrong. The first and the
//! last block are bound to the ends and go first, which rejects most names after
//! one byte. A star inside a name spans bytes, a `**/` spans segments.

use memchr::{memchr, memchr2, memrchr};

use super::class::ByteSet;
use crate::rules::Span;

/// One element of a name's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// This byte; lowered when case is folded, unless it was escaped.
    Byte(u8),
    /// Any byte (a name holds no slash).
    Any,
    /// Any run of bytes.
    Star,
    /// A byte of the class with this index.
    Class(u32),
}

/// One element of a path's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// One segment that matches these tokens.
    One(Span),
    /// Any number of segments: `**/`.
    Many,
}

pub(super) struct Globber<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) classes: &'a [ByteSet],
    pub(super) fold: bool,
}

impl Globber<'_> {
    pub(super) fn matches(&self, mut tokens: &[Token], mut name: &[u8]) -> bool {
        while let [first, rest @ ..] = tokens
            && *first != Token::Star
        {
            let Some((&byte, tail)) = name.split_first() else {
                return false;
            };
            if !self.accepts(*first, byte) {
                return false;
            }
            (tokens, name) = (rest, tail);
        }
        if tokens.is_empty() {
            return name.is_empty();
        }
        while let [rest @ .., last] = tokens
            && *last != Token::Star
        {
            let Some((&byte, head)) = name.split_last() else {
                return false;
            };
            if !self.accepts(*last, byte) {
                return false;
            }
            (tokens, name) = (rest, head);
        }
        let mut blocks = tokens.split(|token| *token == Token::Star);
        blocks.all(|block| match self.find(block, name) {
            Some(end) => {
                name = &name[end..];
                true
            }
            None => false,
        })
    }

    /// The end of the leftmost place where `block` fits.
    fn find(&self, block: &[Token], name: &[u8]) -> Option<usize> {
        let mut start = 0;
        while start + block.len() <= name.len() {
            start += self.skip(block, &name[start..])?;
            let place = name.get(start..start + block.len())?;
            if block.iter().zip(place).all(|(token, &byte)| self.accepts(*token, byte)) {
                return Some(start + block.len());
            }
            start += 1;
        }
        None
    }

    /// How far away the block's first token can be, at the least.
    fn skip(&self, block: &[Token], name: &[u8]) -> Option<usize> {
        match block.first() {
            Some(Token::Byte(byte)) if !self.fold => memchr(*byte, name),
            Some(Token::Byte(byte)) => memchr2(*byte, byte.to_ascii_uppercase(), name),
            _ => Some(0),
        }
    }

    #[inline]
    fn accepts(&self, token: Token, byte: u8) -> bool {
        match token {
            Token::Byte(wanted) if self.fold => wanted == byte.to_ascii_lowercase(),
            Token::Byte(wanted) => wanted == byte,
            Token::Class(index) => self.classes[index as usize].contains(byte),
            Token::Any | Token::Star => true,
        }
    }

    pub(super) fn matches_path(&self, mut pattern: &[Segment], path: &[u8]) -> bool {
        let mut rest = Some(path);
        while let [Segment::One(tokens), tail @ ..] = pattern {
            if !pop_first(&mut rest).is_some_and(|name| self.one(*tokens, name)) {
                return false;
            }
            pattern = tail;
        }
        if pattern.is_empty() {
            return rest.is_none();
        }
        while let [head @ .., Segment::One(tokens)] = pattern {
            if !pop_last(&mut rest).is_some_and(|name| self.one(*tokens, name)) {
                return false;
            }
            pattern = head;
        }
        let mut blocks = pattern.split(|segment| *segment == Segment::Many);
        blocks.all(|block| self.find_segments(block, &mut rest))
    }

    /// Moves `rest` behind the leftmost segments that match `block`.
    fn find_segments(&self, block: &[Segment], rest: &mut Option<&[u8]>) -> bool {
        loop {
            let mut probe = *rest;
            let fits = block.iter().all(|segment| match segment {
                Segment::One(tokens) => {
                    pop_first(&mut probe).is_some_and(|name| self.one(*tokens, name))
                }
                Segment::Many => true,
            });
            if fits {
                *rest = probe;
                return true;
            }
            if pop_first(rest).is_none() {
                return false;
            }
        }
    }

    fn one(&self, tokens: Span, name: &[u8]) -> bool {
        self.matches(tokens.of(self.tokens), name)
    }
}

/// Takes the first segment; `None` is a path without any, `Some(b"")` one that
/// is empty.
fn pop_first<'a>(rest: &mut Option<&'a [u8]>) -> Option<&'a [u8]> {
    let path = (*rest)?;
    let (first, tail) = match memchr(b'/', path) {
        Some(slash) => (&path[..slash], Some(&path[slash + 1..])),
        None => (path, None),
    };
    *rest = tail;
    Some(first)
}

fn pop_last<'a>(rest: &mut Option<&'a [u8]>) -> Option<&'a [u8]> {
    let path = (*rest)?;
    let (head, last) = match memrchr(b'/', path) {
        Some(slash) => (Some(&path[..slash]), &path[slash + 1..]),
        None => (None, path),
    };
    *rest = head;
    Some(last)
}
