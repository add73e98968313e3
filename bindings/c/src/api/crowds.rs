//! Agents that walk with bodies of a world.

use carom::WorldPoint;
use carom_nav::crowd::{Agent, AgentId, CrowdDef, FlowOn, Wander};
use carom_nav::grid::Tiling;

use super::World;
use crate::failure::{Failure, Result};
use crate::handle::Handle;
use crate::types as c;
use crate::types::status;

/// Agents, and the list of their events.
#[derive(Debug)]
pub struct Crowd {
    crowd: carom_nav::crowd::Crowd,
    events: Vec<c::CrowdEvent>,
}

pub(crate) fn crowd_new(def: Option<&c::CrowdDef>) -> Result<Crowd> {
    let def = def.map_or_else(CrowdDef::default, CrowdDef::from);
    Ok(Crowd { crowd: carom_nav::crowd::Crowd::new(def)?, events: Vec::new() })
}

pub(crate) fn agent_body(
    world: &mut World,
    agent: &c::AgentDef,
    place: c::Point,
) -> Result<c::Body> {
    let body = Agent::try_from(agent)?.body(place);
    Ok(world.world.add(body)?.into())
}

pub(crate) fn crowd_add(
    crowd: &mut Crowd,
    world: &World,
    body: c::Body,
    def: &c::AgentDef,
) -> Result<c::Agent> {
    Ok(crowd.crowd.add(&world.world, body.id()?, def.try_into()?)?.into())
}

pub(crate) fn crowd_remove(crowd: &mut Crowd, agent: c::Agent) -> Result<bool> {
    Ok(crowd.crowd.remove(agent.into()))
}

pub(crate) fn crowd_count(crowd: &Crowd) -> Result<u64> {
    Ok(crowd.crowd.len() as u64)
}

pub(crate) fn crowd_body(crowd: &Crowd, agent: c::Agent) -> Result<Option<c::Body>> {
    Ok(crowd.crowd.body(agent.into()).map(c::Body::from))
}

pub(crate) fn crowd_go(crowd: &mut Crowd, agent: c::Agent, place: c::Point) -> Result<()> {
    Ok(crowd.crowd.go(agent.into(), place)?)
}

pub(crate) fn crowd_follow(crowd: &mut Crowd, agent: c::Agent, way: &[c::Point]) -> Result<()> {
    let way: Vec<WorldPoint> = way.iter().copied().map(WorldPoint::from).collect();
    Ok(crowd.crowd.follow(agent.into(), &way)?)
}

fn ids(agents: &[c::Agent]) -> Vec<AgentId> {
    agents.iter().copied().map(AgentId::from).collect()
}

pub(crate) fn crowd_gather(
    crowd: &mut Crowd,
    world: &World,
    agents: &[c::Agent],
    place: c::Point,
) -> Result<()> {
    Ok(crowd.crowd.gather(&world.world, &ids(agents), place)?)
}

pub(crate) fn crowd_flock(crowd: &mut Crowd, leader: c::Agent, members: &[c::Agent]) -> Result<()> {
    Ok(crowd.crowd.flock(leader.into(), &ids(members))?)
}

pub(crate) fn crowd_stand(crowd: &mut Crowd, world: &World, agent: c::Agent) -> Result<()> {
    Ok(crowd.crowd.stand(&world.world, agent.into())?)
}

pub(crate) fn crowd_steer(crowd: &mut Crowd, world: &mut World, dt: f32) -> Result<()> {
    Ok(crowd.crowd.steer(&mut world.world, dt)?)
}

pub(crate) fn crowd_events(crowd: &mut Crowd) -> Result<&[c::CrowdEvent]> {
    let Crowd { crowd, events } = crowd;
    events.clear();
    events.extend(crowd.events().iter().flat_map(c::CrowdEvent::try_from));
    Ok(events)
}

pub(crate) fn crowd_is_idle(crowd: &Crowd, agent: c::Agent) -> Result<bool> {
    Ok(crowd.crowd.is_idle(agent.into()))
}

pub(crate) fn crowd_is_stuck(crowd: &Crowd, agent: c::Agent) -> Result<bool> {
    Ok(crowd.crowd.is_stuck(agent.into()))
}

pub(crate) fn crowd_wander(crowd: &mut Crowd, agent: c::Agent, wander: &c::Wander) -> Result<()> {
    let leash = (wander.leashed != 0).then(|| (wander.middle.into(), wander.radius));
    let wander = Wander { seed: wander.seed, turn: wander.turn, leash };
    Ok(crowd.crowd.wander(agent.into(), wander)?)
}

pub(crate) fn crowd_stream(crowd: &mut Crowd, agent: c::Agent, field: u32) -> Result<()> {
    Ok(crowd.crowd.stream(agent.into(), field)?)
}

pub(crate) fn crowd_steer_by(
    crowd: &mut Crowd,
    world: &mut World,
    fields: &[c::FlowOn],
    dt: f32,
) -> Result<()> {
    let mut borrowed = Vec::with_capacity(fields.len());
    for field in fields {
        if !(field.side > 0.0 && field.side.is_finite()) {
            return Err(Failure::Rule(status::BAD_NUMBER, "the side of a cell is above 0"));
        }
        // SAFETY: rule 1 in the head of lib.rs, for both.
        let (flow, map) =
            unsafe { (Handle::shared(field.flow, "flow")?, Handle::shared(field.map, "map")?) };
        let size = [map.get().map.width() as usize, map.get().map.height() as usize];
        let tiling = Tiling { corner: field.origin.into(), cell: field.side, size };
        borrowed.push((flow, map, tiling));
    }
    let fields: Vec<FlowOn> = borrowed
        .iter()
        .map(|(flow, map, tiling)| FlowOn { flow: &flow.get().flow, map: &map.get().map, tiling })
        .collect();
    Ok(crowd.crowd.steer_by(&mut world.world, &fields[..], dt)?)
}
