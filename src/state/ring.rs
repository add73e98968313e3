//! Images of the last steps, which share the pieces that did not change.
//!
//! In: images with the places where their pieces begin. Out: the image of a step, put together
//! again. A piece that equals the piece of the image before is kept once: if few bodies of a world
//! move, a frame takes only the memory of their pieces.

use std::collections::VecDeque;

use super::Writer;
use super::write::{HEADER, Mark};

/// Images by step, the oldest dropped first. New pieces use the memory of pieces that were freed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    frames: VecDeque<Frame>,
    pieces: Vec<Piece>,
    free: Vec<u32>,
    /// Frames that were dropped, for their memory.
    spare: Vec<Frame>,
    image: Vec<u8>,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug, Default)]
struct Frame {
    step: u64,
    /// Pieces in order, each with its column.
    pieces: Vec<(u32, u32)>,
}

/// Bytes of a piece, and the number of frames that contain it.
#[derive(Clone, Debug, Default)]
struct Piece {
    bytes: Vec<u8>,
    users: u32,
}

impl Pages {
    /// Writes the image of `step` by `tell` and keeps it, up to `most` images in all. Images of
    /// this and of later steps are dropped: they belong to another future.
    pub(crate) fn push(&mut self, (step, most): (u64, usize), tell: impl FnOnce(&mut Writer)) {
        while self.frames.back().is_some_and(|frame| frame.step >= step) {
            let last = self.frames.pop_back();
            self.drop_frame(last);
        }
        let mut writer = Writer::new(&mut self.image, Some(&mut self.marks), 0);
        tell(&mut writer);
        writer.close();
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.step = step;
        // Both lists are walked together, column by column.
        let mut before = 0;
        for index in 0..self.marks.len() {
            let Mark { column, at } = self.marks[index];
            let end = self.marks.get(index + 1).map_or(self.image.len(), |next| next.at);
            let old = self.frames.back().map_or(&[][..], |frame| &frame.pieces);
            before += old[before..].iter().take_while(|(other, _)| *other < column).count();
            let same = old.get(before).filter(|(other, _)| *other == column).map(|&(_, piece)| piece);
            before += usize::from(same.is_some());
            let bytes = &self.image[at..end];
            let kept = same.filter(|&piece| self.pieces[piece as usize].bytes == bytes);
            let piece = kept.unwrap_or_else(|| new_piece(&mut self.pieces, &mut self.free, bytes));
            self.pieces[piece as usize].users += 1;
            frame.pieces.push((column, piece));
        }
        self.frames.push_back(frame);
        while self.frames.len() > most.max(1) {
            let first = self.frames.pop_front();
            self.drop_frame(first);
        }
    }

    fn drop_frame(&mut self, frame: Option<Frame>) {
        let Some(mut frame) = frame else { return };
        for (_, piece) in frame.pieces.drain(..) {
            let users = &mut self.pieces[piece as usize].users;
            *users -= 1;
            if *users == 0 {
                self.free.push(piece);
            }
        }
        self.spare.push(frame);
    }

    /// Puts the image of a step together; `None` if it is not kept.
    pub(crate) fn image(&self, step: u64, out: &mut Vec<u8>) -> Option<()> {
        let index = self.frames.binary_search_by_key(&step, |frame| frame.step).ok()?;
        out.clear();
        out.resize(HEADER, 0);
        for &(_, piece) in &self.frames[index].pieces {
            out.extend_from_slice(&self.pieces[piece as usize].bytes);
        }
        Some(())
    }

    /// Returns the steps whose images are kept, the oldest first.
    pub(crate) fn steps(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.frames.iter().map(|frame| frame.step)
    }

    /// Returns the bytes of all images together, with each piece counted once.
    pub(crate) fn bytes(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.users > 0).map(|piece| piece.bytes.len()).sum()
    }
}

fn new_piece(pieces: &mut Vec<Piece>, free: &mut Vec<u32>, bytes: &[u8]) -> u32 {
    let index = free.pop().unwrap_or_else(|| {
        pieces.push(Piece::default());
        pieces.len() as u32 - 1
    });
    let piece = &mut pieces[index as usize].bytes;
    piece.clear();
    piece.extend_from_slice(bytes);
    index
}
