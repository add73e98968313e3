//! Numbers that may be infinite, as they are written down: formats such as JSON have no infinity.
//!
//! In: a number of a definition. Out: nothing in its place where it is infinite, and back. Used by
//! `serde(with = …)` at fields whose infinity means "no limit".

use serde::{Deserialize, Deserializer, Serializer, de, ser};

fn write<S: Serializer>(value: f32, infinite: f32, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_some(&value)
    } else if value == infinite {
        serializer.serialize_none()
    } else {
        Err(ser::Error::custom("a number of a definition is NaN, or infinite the wrong way"))
    }
}

fn read<'de, D: Deserializer<'de>>(infinite: f32, deserializer: D) -> Result<f32, D::Error> {
    let value = Option::<f32>::deserialize(deserializer)?.unwrap_or(infinite);
    if value.is_nan() { Err(de::Error::custom("a number of a definition is NaN")) } else { Ok(value) }
}

/// Where nothing stands for ∞.
pub(crate) mod above {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        super::write(*value, f32::INFINITY, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        super::read(f32::INFINITY, deserializer)
    }
}

/// Where nothing stands for -∞.
pub(crate) mod below {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        super::write(*value, f32::NEG_INFINITY, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        super::read(f32::NEG_INFINITY, deserializer)
    }
}
