//! Why a map was refused, and where.

use core::fmt;
use std::path::{Path, PathBuf};

use carom::Error;

/// Why a map was refused, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct MapError {
    /// The file.
    pub file: PathBuf,
    /// Where in it: a layer, a cell, an object; or a line, as its reader tells it.
    pub place: String,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be opened.
    File(String),
    /// It is not what the editor writes: damaged, or of a version that its reader does not know.
    Format(String),
    /// It says something that a map for carom cannot have; which.
    Unsupported(&'static str),
    /// A tile or value names a kind that there is not.
    UnknownKind(String),
    /// A tile or object names a material that is not among the options.
    UnknownMaterial(String),
    /// A property has a value of another type, or none that it may have.
    Property {
        /// Its name.
        name: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// A definition breaks a rule of carom.
    Body(Error),
}

impl MapError {
    pub(crate) fn new(file: impl AsRef<Path>, place: impl Into<String>, fault: Fault) -> MapError {
        MapError { file: file.as_ref().to_owned(), place: place.into(), fault }
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.as_os_str().is_empty() {
            write!(f, "{}: ", self.file.display())?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}", self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::File(error) => write!(f, "it cannot be read: {error}"),
            Fault::Format(error) => write!(f, "it is damaged, or not what the editor writes: {error}"),
            Fault::Unsupported(what) => write!(f, "{what}"),
            Fault::UnknownKind(name) => {
                write!(f, "{name:?} is no kind of tile: those are `solid`, `slope_up`, `one_way` and so on")
            }
            Fault::UnknownMaterial(name) => write!(f, "there is no material {name:?} among the options"),
            Fault::Property { name, wanted } => write!(f, "the property `{name}` must be {wanted}"),
            Fault::Body(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for MapError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.fault {
            Fault::Body(error) => Some(error),
            _ => None,
        }
    }
}
