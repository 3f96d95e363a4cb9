//! Unpacking zlib streams into buffers of known size.

use trilist_core::Cancel;

use super::ObjectError;
use super::input::Input;
use zlib_rs::{Inflate, InflateError, InflateFlush, Status};

/// The state of unpacking, made when it is first needed and kept to be used again.
#[derive(Default)]
pub(super) struct Inflater(Option<Box<Inflate>>);

/// The longest repetition, and some more.
const SLACK_BYTES: usize = 320;

/// Streams may look back as far as the format allows.
const WINDOW_BITS: u8 = 15;

/// How far a stream was unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// To its end; its checksum was right.
    Ended,
    /// Until the buffer was full.
    Full,
}

impl Inflater {
    /// Starts a stream.
    pub(super) fn start(&mut self) {
        match &mut self.0 {
            Some(inflate) => inflate.reset(true),
            None => self.0 = Some(Box::new(Inflate::new(true, WINDOW_BITS))),
        }
    }

    /// Goes on with a stream until it ends or `out` is full; `filled` says how much of it is.
    ///
    /// # Errors
    ///
    /// When the stream is damaged or ends early, or the caller has cancelled.
    pub(super) fn fill(
        &mut self,
        input: &mut Input<'_>,
        out: &mut [u8],
        filled: &mut usize,
        cancel: &Cancel,
    ) -> Result<Progress, ObjectError> {
        let inflate = self.0.as_mut().expect("a stream was started");
        loop {
            let (before, behind) = (inflate.total_in(), inflate.total_out());
            // As if this were all: then nothing is kept to look back at unless it has to be.
            let status =
                inflate.decompress(input.bytes(), &mut out[*filled..], InflateFlush::Finish);
            input.advance(usize::try_from(inflate.total_in() - before).unwrap_or(usize::MAX));
            *filled += usize::try_from(inflate.total_out() - behind).unwrap_or(usize::MAX);
            match status {
                Ok(Status::StreamEnd) => return Ok(Progress::Ended),
                Ok(Status::Ok | Status::BufError) if *filled == out.len() => {
                    return Ok(Progress::Full);
                }
                Ok(Status::Ok | Status::BufError) => {}
                Err(InflateError::MemError) => return Err(ObjectError::TooLarge),
                Err(_) if inflate.error_message() == Some("incorrect data check") => {
                    return Err(ObjectError::Damaged("its checksum is wrong"));
                }
                Err(_) => return Err(ObjectError::Damaged("it cannot be unpacked")),
            }
            cancel.check()?;
            if !input.more()? {
                return Err(ObjectError::Damaged("its packed bytes end early"));
            }
        }
    }

    /// Unpacks a whole stream of exactly `size` bytes.
    ///
    /// # Errors
    ///
    /// As [`Inflater::fill`], and when it is longer or shorter.
    pub(super) fn unpack(
        &mut self,
        input: &mut Input<'_>,
        size: usize,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, ObjectError> {
        self.start();
        // Room behind shows a stream that is too long, and lets the last bytes be unpacked as quickly
        // as the others.
        let mut out = vec![0; size + SLACK_BYTES];
        let mut filled = 0;
        let progress = self.fill(input, &mut out, &mut filled, cancel)?;
        if progress != Progress::Ended || filled != size {
            return Err(ObjectError::Damaged("it has another size than it says"));
        }
        out.truncate(size);
        Ok(out)
    }
}
