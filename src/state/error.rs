//! Why bytes were refused as a snapshot.

use core::fmt;

/// Why an image was not loaded. The world stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin as a snapshot does.
    NotASnapshot,
    /// The bytes have this other version of the format. carom reads version [`LoadError::VERSION`]
    /// of snapshots and [`Recording::VERSION`](crate::Recording::VERSION) of recordings.
    OtherVersion(u32),
    /// The bytes end before the snapshot does, or continue behind it.
    WrongLength,
    /// The bytes were changed since they were written: their hash is wrong.
    Damaged,
    /// The ring does not keep this step.
    NoSuchStep,
    /// The image only names a shape of a fixed body, and the world has no such shape: see
    /// [`World::save_whole_into`](crate::World::save_whole_into).
    MissingShape,
    /// The bytes contradict this rule of the format.
    Broken(&'static str),
}

impl LoadError {
    /// The version of the format of snapshots that carom writes and reads.
    pub const VERSION: u32 = 4;
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotASnapshot => write!(f, "these bytes are no snapshot of a world"),
            LoadError::OtherVersion(version) => {
                write!(f, "this version of carom cannot read version {version} of the format of these bytes")
            }
            LoadError::WrongLength => write!(f, "the snapshot has another length than it says"),
            LoadError::Damaged => write!(f, "the snapshot was changed since it was written"),
            LoadError::NoSuchStep => write!(f, "this step is not among those that are kept"),
            LoadError::MissingShape => {
                write!(f, "the snapshot names a shape of a fixed body that this world does not have")
            }
            LoadError::Broken(rule) => write!(f, "the snapshot breaks a rule: {rule}"),
        }
    }
}

impl core::error::Error for LoadError {}
