//! Unpacking zlib streams into buffers of known size.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use trilist_core::Cancel;

use super::ObjectError;
use super::input::Input;

/// The state of unpacking, kept to be used again.
#[derive(Default)]
pub(super) struct Inflater(Box<DecompressorOxide>);

/// How far a stream was unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// To its end; its checksum was right.
    Ended,
    /// Until the buffer was full.
    Full,
}

const FLAGS: u32 = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
    | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32
    | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT
    | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;

impl Inflater {
    /// Starts a stream.
    pub(super) fn start(&mut self) {
        self.0.init();
    }

    /// Goes on with a stream until it ends or `out` is full; `filled` says how much of it is.
    /// What was unpacked before must still be there, in a buffer that may have grown.
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
        loop {
            let (status, used, written) =
                decompress(&mut self.0, input.bytes(), out, *filled, FLAGS);
            input.advance(used);
            *filled += written;
            match status {
                TINFLStatus::Done => return Ok(Progress::Ended),
                TINFLStatus::HasMoreOutput => return Ok(Progress::Full),
                TINFLStatus::NeedsMoreInput => {}
                TINFLStatus::Adler32Mismatch => {
                    return Err(ObjectError::Damaged("its checksum is wrong"));
                }
                _ => return Err(ObjectError::Damaged("it cannot be unpacked")),
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
        // The byte more shows a stream that is too long.
        let mut out = vec![0; size + 1];
        let mut filled = 0;
        let progress = self.fill(input, &mut out, &mut filled, cancel)?;
        if progress != Progress::Ended || filled != size {
            return Err(ObjectError::Damaged("it has another size than it says"));
        }
        out.truncate(size);
        Ok(out)
    }
}
