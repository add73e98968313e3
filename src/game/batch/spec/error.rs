//! The error of a [`Spec`](super::Spec) that does not fit the worlds of a batch.
//!
//! In: the item, its number, the field, and the rule that the field breaks. Out: an error of eight
//! bytes, so that results of calls of a world do not grow by it.

use core::fmt;

use crate::tuning::MAX_SIZE;

/// A field of a [`Spec`](crate::Spec) that is wrong, and the rule that it breaks.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Action, Spec};
///
/// let mut world = World::default();
/// let cart = world.add(BodyDef::dynamic().shape(Shape::rect(1.0, 0.5)))?;
/// let spec = Spec::new().action(Action::force(cart, [1.0, 0.0]).scale(f32::NAN));
/// let error = spec.check(&world).expect_err("the scale is no number");
/// assert_eq!((error.item(), error.index(), error.field()), ("action", 0, "scale"));
/// let text = "action 0 of the spec, `scale`: it must be finite, and at most 1e9";
/// assert_eq!(error.to_string(), text);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecError {
    item: Item,
    index: u32,
    field: Field,
    rule: Rule,
}

/// The lists of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Action,
    Observation,
    Variation,
    End,
    Spec,
}

/// The fields of all items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Body,
    Other,
    Joint,
    Axis,
    At,
    About,
    Frame,
    Scale,
    Offset,
    Speed,
    Range,
    Component,
    Count,
    Reach,
    Fan,
    Mask,
    Also,
    Except,
    Min,
    Max,
    Limit,
    StepLimit,
}

/// The rules that a field can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    NoSuchBody,
    NoSuchJoint,
    NotDynamic,
    SameBody,
    NoMotor,
    NoServo,
    NoShape,
    NotFinite,
    NoLength,
    NotPositive,
    Negative,
    AboveOne,
    LowAboveHigh,
    NoCount,
    NoAngle,
    Zero,
    Misfit,
}

impl SpecError {
    /// The item that is wrong: `"action"`, `"observation"`, `"variation"`, `"end"`, or `"spec"`.
    #[must_use]
    pub fn item(self) -> &'static str {
        match self.item {
            Item::Action => "action",
            Item::Observation => "observation",
            Item::Variation => "variation",
            Item::End => "end",
            Item::Spec => "spec",
        }
    }

    /// The place of the item in its list, from 0 on.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The field that is wrong, called as the method that sets it.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self.field {
            Field::Body => "body",
            Field::Other => "other",
            Field::Joint => "joint",
            Field::Axis => "axis",
            Field::At => "at",
            Field::About => "about",
            Field::Frame => "frame",
            Field::Scale => "scale",
            Field::Offset => "offset",
            Field::Speed => "speed",
            Field::Range => "range",
            Field::Component => "component",
            Field::Count => "count",
            Field::Reach => "reach",
            Field::Fan => "fan",
            Field::Mask => "mask",
            Field::Also => "also",
            Field::Except => "except",
            Field::Min => "min",
            Field::Max => "max",
            Field::Limit => "limit",
            Field::StepLimit => "step_limit",
        }
    }

    /// The rule that it breaks.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self.rule {
            Rule::NoSuchBody => "the body is not in the start world",
            Rule::NoSuchJoint => "the joint is not in the start world",
            Rule::NotDynamic => "the body must be dynamic",
            Rule::SameBody => "it must be another body",
            Rule::NoMotor => "the joint must have a motor: see `JointDef::motor`",
            Rule::NoServo => "the joint must have a servo: see `JointDef::servo`",
            Rule::NoShape => "the body must have a shape",
            Rule::NotFinite => "it must be finite, and at most 1e9",
            Rule::NoLength => "it must have a length",
            Rule::NotPositive => "it must be above 0",
            Rule::Negative => "it must be 0 or more",
            Rule::AboveOne => "it must be at most 1",
            Rule::LowAboveHigh => "the lower end must not be above the upper end",
            Rule::NoCount => "it must be 1 to 4096",
            Rule::NoAngle => "it must be above 0, and below pi",
            Rule::Zero => "it must be 1 or more",
            Rule::Misfit => "this kind of item does not have it",
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            Item::Spec => write!(f, "`{}` of the spec: {}", self.field(), self.rule()),
            _ => write!(f, "{} {} of the spec, `{}`: {}", self.item(), self.index, self.field(), self.rule()),
        }
    }
}

impl core::error::Error for SpecError {}

/// A field and the rule that it breaks, before its item is known.
pub(super) type Fault = (Field, Rule);

/// Adds the item to a fault.
pub(super) fn of_item(item: Item, index: usize, (field, rule): Fault) -> SpecError {
    SpecError { item, index: index as u32, field, rule }
}

/// Refuses numbers that are not finite or too large.
pub(super) fn finite(field: Field, values: &[f32]) -> Result<(), Fault> {
    let ok = values.iter().all(|value| value.abs() <= MAX_SIZE);
    if ok { Ok(()) } else { Err((field, Rule::NotFinite)) }
}

/// Refuses numbers that are not above 0 as well.
pub(super) fn positive(field: Field, value: f32) -> Result<(), Fault> {
    finite(field, &[value])?;
    if value > 0.0 { Ok(()) } else { Err((field, Rule::NotPositive)) }
}

/// Refuses an optional modifier that the kind of item does not have.
pub(super) fn fits(misfit: Option<Field>) -> Result<(), Fault> {
    misfit.map_or(Ok(()), |field| Err((field, Rule::Misfit)))
}
