//! Snapshots, hash, rollback, recordings and predictions.

use carom::{Recorder, Recording, Start};

use super::{World, listed};
use crate::failure::Result;
use crate::raw::Fill;
use crate::types as c;

/// The last steps of a world.
#[derive(Debug)]
pub struct Ring {
    ring: carom::Ring,
    steps: Vec<u64>,
}

/// A recording that is played.
#[derive(Debug)]
pub struct Replay {
    replay: carom::Replay,
}

/// A prediction, and its lists.
#[derive(Debug, Default)]
pub struct Prediction {
    prediction: carom::Prediction,
    path: Vec<c::PathPoint>,
    meetings: Vec<c::Meeting>,
}

pub(crate) fn world_hash(world: &World) -> Result<u64> {
    Ok(world.world.hash())
}

pub(crate) fn world_save(world: &mut World, bytes: &mut Fill<u8>) -> Result<()> {
    world.world.save_into(&mut world.lists.bytes);
    bytes.extend(&world.lists.bytes);
    Ok(())
}

pub(crate) fn world_save_whole(world: &mut World, bytes: &mut Fill<u8>) -> Result<()> {
    world.world.save_whole_into(&mut world.lists.bytes);
    bytes.extend(&world.lists.bytes);
    Ok(())
}

pub(crate) fn world_load(world: &mut World, bytes: &[u8]) -> Result<()> {
    Ok(world.world.load(bytes)?)
}

pub(crate) fn world_difference(
    world: &World,
    other: &World,
    text: &mut Fill<u8>,
) -> Result<Option<()>> {
    let Some(difference) = world.world.first_difference(&other.world) else { return Ok(None) };
    text.extend(difference.to_string().as_bytes());
    Ok(Some(()))
}

pub(crate) fn ring_new(frames: usize) -> Result<Ring> {
    Ok(Ring { ring: carom::Ring::new(frames), steps: Vec::new() })
}

pub(crate) fn ring_save(ring: &mut Ring, world: &World) -> Result<()> {
    ring.ring.save(&world.world);
    Ok(())
}

pub(crate) fn ring_load(ring: &mut Ring, step: u64, world: &mut World) -> Result<()> {
    Ok(ring.ring.load(step, &mut world.world)?)
}

pub(crate) fn ring_steps(ring: &mut Ring) -> Result<&[u64]> {
    Ok(listed(&mut ring.steps, ring.ring.steps()))
}

pub(crate) fn ring_bytes(ring: &Ring) -> Result<u64> {
    Ok(ring.ring.bytes() as u64)
}

pub(crate) fn world_record(world: &mut World, key_every: u64, hashes: bool) -> Result<()> {
    world.world.record(Recorder { key_every, hashes });
    Ok(())
}

pub(crate) fn world_stop_recording(world: &mut World) -> Result<Option<&[u8]>> {
    let Some(recording) = world.world.stop_recording() else { return Ok(None) };
    world.lists.bytes = recording.to_bytes();
    Ok(Some(&world.lists.bytes))
}

pub(crate) fn world_is_recording(world: &World) -> Result<bool> {
    Ok(world.world.is_recording())
}

pub(crate) fn replay_open(bytes: &[u8]) -> Result<Replay> {
    Ok(Replay { replay: Recording::from_bytes(bytes)?.replay() })
}

pub(crate) fn replay_step(replay: &mut Replay) -> Result<bool> {
    Ok(replay.replay.step()?)
}

pub(crate) fn replay_seek(replay: &mut Replay, step: u64) -> Result<()> {
    Ok(replay.replay.seek(step)?)
}

pub(crate) fn replay_keep(replay: &mut Replay) -> Result<u64> {
    Ok(replay.replay.keep() as u64)
}

pub(crate) fn replay_steps(replay: &Replay) -> Result<(u64, u64)> {
    Ok(replay.replay.steps())
}

pub(crate) fn replay_world(replay: &Replay, world: &mut World) -> Result<()> {
    world.world.clone_from(replay.replay.world());
    Ok(())
}

pub(crate) fn replay_divergence(replay: &mut Replay) -> Result<Option<u64>> {
    Ok(replay.replay.first_divergence().map(|divergence| divergence.step))
}

pub(crate) fn prediction_new() -> Result<Prediction> {
    Ok(Prediction::default())
}

pub(crate) fn world_predict(
    world: &World,
    starts: &[c::Start],
    steps: u32,
    dt: f32,
    prediction: &mut Prediction,
) -> Result<()> {
    let starts = starts.iter().map(Start::try_from).collect::<Result<Vec<Start>>>()?;
    Ok(world.world.predict(&starts, steps, dt, &mut prediction.prediction)?)
}

pub(crate) fn prediction_path(
    prediction: &mut Prediction,
    body: c::Body,
) -> Result<&[c::PathPoint]> {
    Ok(listed(&mut prediction.path, prediction.prediction.path(body.id()?)))
}

pub(crate) fn prediction_meetings(prediction: &mut Prediction) -> Result<&[c::Meeting]> {
    Ok(listed(&mut prediction.meetings, prediction.prediction.meetings()))
}
