//! Failures: a status for the program, and a text for its author, kept per thread.
//!
//! In: errors of carom and carom-nav, and of the border itself. Out: a status; the text is made
//! only when it is asked for, so that a refused call stays cheap.

use core::cell::{Cell, RefCell};
use core::fmt;
use std::ffi::CString;

use crate::types::{Status, status};

/// Why a call was refused.
#[derive(Clone, Debug)]
pub enum Failure {
    /// An argument that must not be NULL.
    Null(&'static str),
    /// An argument that is no value of its enumeration, and the enumeration.
    Enum(&'static str, u32),
    /// A rule of the border, or of functions without an error type of their own.
    Rule(Status, &'static str),
    /// A text that was made for this failure.
    Told(Status, String),
    /// The caller's memory is too small for so many values.
    Small(usize),
    /// Errors of a world.
    World(carom::Error),
    /// Errors of images.
    Load(carom::LoadError),
    /// Errors of images of navigation.
    NavLoad(carom_nav::LoadError),
    /// Errors of maps.
    Map(carom_nav::MapError),
    /// Errors of meshes.
    Mesh(carom_nav::mesh::MeshError),
    /// Errors of ways.
    Way(carom_nav::mesh::NoWay),
    /// Errors of crowds.
    Crowd(carom_nav::crowd::CrowdError),
}

/// The result of a safe function.
pub(crate) type Result<T> = core::result::Result<T, Failure>;

impl Failure {
    /// The status of the failure.
    fn status(&self) -> Status {
        match self {
            Failure::Null(_) => status::NULL,
            Failure::Enum(..) => status::BAD_ENUM,
            Failure::Rule(status, _) | Failure::Told(status, _) => *status,
            Failure::Small(_) => status::BUFFER_TOO_SMALL,
            Failure::World(error) => world_status(error),
            Failure::Load(error) => load_status(error),
            Failure::NavLoad(_) => status::BAD_BYTES,
            Failure::Map(_) => status::BAD_MAP,
            Failure::Mesh(_) => status::BAD_MESH,
            Failure::Way(carom_nav::mesh::NoWay::BadNumber) => status::BAD_NUMBER,
            Failure::Way(_) => status::NO_WAY,
            Failure::Crowd(error) => crowd_status(error),
        }
    }
}

fn world_status(error: &carom::Error) -> Status {
    use carom::Error;
    match error {
        Error::Shape(_) => status::BAD_SHAPE,
        Error::Material(_) => status::BAD_MATERIAL,
        Error::NoSuchBody(_) => status::NO_SUCH_BODY,
        Error::NoSuchShape(_) => status::NO_SUCH_SHAPE,
        Error::NoSuchJoint(_) => status::NO_SUCH_JOINT,
        Error::JointToItself(_) | Error::NotGearable(_) | Error::WrongKind(_) => status::BAD_JOINT,
        Error::DynamicChain | Error::NotSolid | Error::NotKinematic(_) => status::WRONG_KIND,
        Error::Full => status::FULL,
        // Other errors may come with later versions: their texts say more.
        _ => status::BAD_NUMBER,
    }
}

fn load_status(error: &carom::LoadError) -> Status {
    match error {
        carom::LoadError::NoSuchStep => status::NO_SUCH_STEP,
        carom::LoadError::MissingShape => status::MISSING_SHAPE,
        _ => status::BAD_BYTES,
    }
}

fn crowd_status(error: &carom_nav::crowd::CrowdError) -> Status {
    use carom_nav::crowd::CrowdError;
    match error {
        CrowdError::NoSuchBody => status::NO_SUCH_BODY,
        CrowdError::NotDynamic => status::WRONG_KIND,
        CrowdError::TakenBody => status::TAKEN_BODY,
        CrowdError::NoSuchAgent => status::NO_SUCH_AGENT,
        // Other errors may come with later versions: their texts say more.
        _ => status::BAD_NUMBER,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Null(name) => write!(f, "`{name}` must not be NULL"),
            Failure::Enum(name, value) => write!(f, "{value} is no {name}"),
            Failure::Rule(_, rule) => f.write_str(rule),
            Failure::Told(_, text) => f.write_str(text),
            Failure::Small(count) => write!(f, "the buffer is too small: {count} are needed"),
            Failure::World(error) => fmt::Display::fmt(error, f),
            Failure::Load(error) => fmt::Display::fmt(error, f),
            Failure::NavLoad(error) => fmt::Display::fmt(error, f),
            Failure::Map(error) => fmt::Display::fmt(error, f),
            Failure::Mesh(error) => fmt::Display::fmt(error, f),
            Failure::Way(error) => fmt::Display::fmt(error, f),
            Failure::Crowd(error) => fmt::Display::fmt(error, f),
        }
    }
}

macro_rules! from {
    ($($error:ty => $variant:ident,)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::$variant(error)
            }
        })*
    };
}

from! {
    carom::Error => World,
    carom::LoadError => Load,
    carom_nav::LoadError => NavLoad,
    carom_nav::MapError => Map,
    carom_nav::mesh::MeshError => Mesh,
    carom_nav::mesh::NoWay => Way,
    carom_nav::crowd::CrowdError => Crowd,
}

impl From<carom::ShapeError> for Failure {
    fn from(error: carom::ShapeError) -> Failure {
        Failure::World(error.into())
    }
}

impl From<carom::MaterialError> for Failure {
    fn from(error: carom::MaterialError) -> Failure {
        Failure::World(error.into())
    }
}

thread_local! {
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
    static TEXT: RefCell<CString> = RefCell::default();
    static STATUS: Cell<Status> = const { Cell::new(status::OK) };
}

/// Keeps a failure as the last one of the thread. Returns its status.
#[cold]
pub(crate) fn remember(failure: Failure) -> Status {
    let status = failure.status();
    // A thread that ends may have dropped its text already: then there is nobody to read it.
    _ = STATUS.try_with(|last| last.set(status));
    _ = LAST.try_with(|last| last.replace(Some(failure)));
    status
}

/// The status of the last failure of the thread.
pub(crate) fn last_status() -> Status {
    STATUS.get()
}

/// The same, and forgets it: for bindings that ask after each call.
pub fn take_last_status() -> Status {
    STATUS.replace(status::OK)
}

/// The text of the last failure of the thread. It lies still until the next call.
pub(crate) fn last_text() -> *const core::ffi::c_char {
    let text = LAST.with_borrow(|last| last.as_ref().map(Failure::to_string).unwrap_or_default());
    TEXT.with_borrow_mut(|kept| {
        *kept = CString::new(text.replace('\0', " ")).unwrap_or_default();
        kept.as_ptr()
    })
}
