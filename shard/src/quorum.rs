//! Which hosts go on when some are silent.
//!
//! In: the hosts of an epoch, and the hosts that one of them still hears. Out: whether they go on as
//! the next epoch. More than half may go on; so may half of them with the lowest host. At most one
//! of several sides that hear nothing of each other goes on: no region has two owners after a
//! partition. A side that may not go on stops until it hears the others.

use crate::HostId;

/// The decision of the hosts of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All are there.
    Stay,
    /// They begin the next epoch without the others.
    GoOn,
    /// They wait: the others may go on.
    Stop,
}

/// Decides for the `heard` hosts of `members`. Hosts that are no members do not count.
#[must_use]
pub fn verdict(members: &[HostId], heard: &[HostId]) -> Verdict {
    let is_heard = |host: &&HostId| heard.contains(host);
    let count = members.iter().filter(is_heard).count();
    let has_lowest = members.iter().min().is_some_and(|lowest| heard.contains(lowest));
    if count == members.len() {
        Verdict::Stay
    } else if 2 * count > members.len() || (2 * count == members.len() && has_lowest) {
        Verdict::GoOn
    } else {
        Verdict::Stop
    }
}
