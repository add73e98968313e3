//! A queue of requests with a fixed effort per tick.
//!
//! In: requests, as they come. Out: paths, as the budget allows. A budget counts expansions, not
//! time, so that every machine answers in the same tick. Requests are answered by priority, then by
//! time; the queue finishes a running request before it starts another. Requests with one goal
//! share a search, from the goal back. Answers do not depend on how the work is sliced into ticks.
//!
//! If the map changes where the running search has been, the search begins anew; a change elsewhere
//! does not matter. (A jump point search does not note where it has been: any change ends it, and
//! A* takes over the request.)

use crate::grid::search::{Progress, Search};
use crate::grid::{Ask, Bad, Cell, Found, Heuristic, Map, Method, Path, Rule, Unfit};
use crate::length::{Length, Scale};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

saved!(Queue as Queue);

/// The id of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    ticket: u64,
    ask: Ask,
    /// Whether a change of the map ended a jump point search for this request: A* then answers it.
    disturbed: bool,
}

#[derive(Clone, Debug)]
struct Answer {
    ticket: u64,
    found: Found,
    path: Path,
}

/// The running search: for one request, or for all requests with one goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Running {
    members: Vec<Request>,
    /// Index of the member that is being answered.
    now: usize,
    /// Expansions since it began.
    spent: u64,
    /// Prints of the view's chunks at the last check for changes.
    prints: Vec<u64>,
    land: Land,
}

/// Properties of a map on which every search depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Land {
    size: Cell,
    /// The least and the greatest cost, and whether all costs are 1.
    costs: [u8; 2],
    uniform: bool,
}

impl Land {
    fn of(view: &Map) -> Land {
        let costs = [view.least_cost(), view.greatest_cost()];
        Land { size: Cell::new(view.width(), view.height()), costs, uniform: view.is_uniform() }
    }
}

/// A queue of requests for paths.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::new(100, 100)?;
/// let mut queue = Queue::new(50); // expansions a tick
/// let ticket = queue.ask(Ask::new([0, 0], [99, 40]));
/// let mut ticks = 0;
/// let path = loop {
///     queue.work(&map);
///     ticks += 1;
///     if let Some((found, path)) = queue.take(ticket) {
///         assert!(found.is_way());
///         break path;
///     }
/// };
/// assert_eq!(path.cells().count(), 100);
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Queue {
    budget: u64,
    next: u64,
    waiting: Vec<Request>,
    running: Option<Running>,
    answers: Vec<Answer>,
    search: Search,
    /// Lists whose memory is reused.
    spare: Vec<Path>,
    members: Vec<Request>,
    prints: Vec<u64>,
}

impl Queue {
    /// A queue with this many expansions per tick.
    pub fn new(budget: u64) -> Queue {
        Queue { budget, ..Queue::default() }
    }

    /// The expansions allowed per tick.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Sets the expansions allowed per tick.
    pub fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// Adds a request for a path. Searches with a cost of turns ([`Ask::turn`]) cannot be sliced:
    /// the answer is [`Bad::Method`].
    pub fn ask(&mut self, ask: Ask) -> Ticket {
        let ticket = self.next;
        self.next += 1;
        self.waiting.push(Request { ticket, ask, disturbed: false });
        Ticket(ticket)
    }

    /// Cancels a request, answered or not. Returns whether it was there.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let before = self.len();
        self.waiting.retain(|request| request.ticket != ticket.0);
        if let Some(at) = self.answers.iter().position(|answer| answer.ticket == ticket.0) {
            let answer = self.answers.remove(at);
            self.spare.push(answer.path);
        }
        // The running search ends; the other requests that share it wait again.
        let is_running =
            |running: &Running| running.members[running.now..].iter().any(|member| member.ticket == ticket.0);
        if self.running.as_ref().is_some_and(is_running) {
            self.wait_again();
            self.waiting.retain(|request| request.ticket != ticket.0);
        }
        self.len() < before
    }

    /// Number of requests that wait, are being searched, or are answered but not taken.
    pub fn len(&self) -> usize {
        let running = self.running.as_ref().map_or(0, |running| running.members.len() - running.now);
        self.waiting.len() + self.answers.len() + running
    }

    /// Whether the queue holds no request.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer to a request; `None` as long as the request waits.
    pub fn answer(&self, ticket: Ticket) -> Option<(Found, &Path)> {
        self.answers
            .iter()
            .find(|answer| answer.ticket == ticket.0)
            .map(|answer| (answer.found, &answer.path))
    }

    /// Takes the answer to a request out of the queue; `None` as long as the request waits.
    pub fn take(&mut self, ticket: Ticket) -> Option<(Found, Path)> {
        let at = self.answers.iter().position(|answer| answer.ticket == ticket.0)?;
        let Answer { found, path, .. } = self.answers.remove(at);
        Some((found, path))
    }

    /// Takes the oldest answer out of the queue.
    pub fn take_next(&mut self) -> Option<(Ticket, Found, Path)> {
        if self.answers.is_empty() {
            return None;
        }
        let Answer { ticket, found, path } = self.answers.remove(0);
        Some((Ticket(ticket), found, path))
    }

    /// Gives a path back, so that the queue reuses its memory.
    pub fn recycle(&mut self, path: Path) {
        self.spare.push(path);
    }

    /// Searches as far as the budget of this tick allows. Returns the number of expansions, never
    /// more than the budget.
    pub fn work(&mut self, map: &Map) -> u64 {
        let mut left = self.budget;
        self.check_changes(map);
        while left > 0 && (self.running.is_some() || self.start(map)) {
            left -= self.go_on(map, left, true);
        }
        self.budget - left
    }

    /// Puts the running requests back to wait if the map changed where the search has been.
    fn check_changes(&mut self, map: &Map) {
        let Some(running) = &mut self.running else { return };
        let Some(view) = map.view(running.members[0].ask.size) else { return self.wait_again() };
        let is_as_before = running.members[running.now..].iter().all(|member| member.ask.check(map).is_ok())
            && running.land == Land::of(view)
            && !self.search.saw_change(view, &running.prints);
        if is_as_before {
            running.prints.copy_from_slice(view.chunk_prints());
        } else {
            self.wait_again();
        }
    }

    fn wait_again(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let single = running.members.len() == 1;
        let rest = running.members.drain(running.now..);
        self.waiting.extend(rest.map(|member| Request { disturbed: member.disturbed || single, ..member }));
        self.reuse(running);
    }

    /// Keeps the memory of a finished search.
    fn reuse(&mut self, mut running: Running) {
        running.members.clear();
        (self.members, self.prints) = (running.members, running.prints);
    }

    /// Begins the search of the first request and of all requests that share its goal. Returns
    /// whether a request was waiting.
    fn start(&mut self, map: &Map) -> bool {
        while let Some(first) =
            self.waiting.iter().min_by_key(|request| (-i32::from(request.ask.priority), request.ticket))
        {
            let first = *first;
            let mut members = core::mem::take(&mut self.members);
            members.clear();
            let is_shared =
                |request: &Request| request.ticket == first.ticket || shares(&first.ask, &request.ask);
            members.extend(self.waiting.iter().filter(|request| is_shared(request)));
            self.waiting.retain(|request| !is_shared(request));
            members.sort_unstable_by_key(|member| (-i32::from(member.ask.priority), member.ticket));
            self.answer_at_once(map, &mut members);
            if !members.is_empty() {
                let view = map.view(members[0].ask.size).unwrap_or(map);
                let mut prints = core::mem::take(&mut self.prints);
                prints.clear();
                prints.extend_from_slice(view.chunk_prints());
                self.running = Some(Running { members, now: 0, spent: 0, prints, land: Land::of(view) });
                self.begin(view);
                return true;
            }
            self.members = members;
        }
        false
    }

    /// Answers requests that need no search: invalid ones, and requests whose ends are not
    /// connected.
    fn answer_at_once(&mut self, map: &Map, members: &mut Vec<Request>) {
        members.retain(|member| {
            let ask = member.ask;
            let found = match ask.check(map) {
                _ if ask.turn > 0 => Found::Bad(Bad::Method(Unfit::TurnsInQueue)),
                Err(bad) => Found::Bad(bad),
                Ok(view) if view.connected_by(ask.rule, ask.start, ask.goal) == Some(false) => Found::None,
                Ok(view) => match Search::unfit(view, &ask) {
                    Some(why) => Found::Bad(Bad::Method(why)),
                    None => return true,
                },
            };
            let mut path = self.spare.pop().unwrap_or_default();
            path.begin(map, ask.size);
            self.answers.push(Answer { ticket: member.ticket, found, path });
            false
        });
    }

    /// Begins the search of the running requests.
    fn begin(&mut self, view: &Map) {
        let Some(running) = &self.running else { return };
        let first = running.members[0];
        if running.members.len() > 1 {
            // A new start needs new estimates for all open cells, so with many starts no estimate
            // is used.
            let many = running.members.len() > MANY;
            let ask = if many { first.ask.heuristic(Heuristic::Zero) } else { first.ask };
            self.search.begin_back(view, ask);
            _ = self.search.aim_back(view, first.ask.start);
        } else {
            let needs_a_star = first.disturbed && first.ask.method == Method::Auto;
            let ask = if needs_a_star { first.ask.method(Method::AStar) } else { first.ask };
            // `answer_at_once` has checked the request.
            _ = self.search.begin(view, ask, &[ask.goal], true);
        }
    }

    /// Runs for at most `allowed` expansions, or until the search is done. Returns the number of
    /// expansions.
    fn go_on(&mut self, map: &Map, allowed: u64, keep: bool) -> u64 {
        let Some(mut running) = self.running.take() else { return 0 };
        let size = running.members[0].ask.size;
        let view = map.view(size).unwrap_or(map);
        let before = self.search.expansions();
        let mut left = allowed;
        while running.now < running.members.len() {
            let member = running.members[running.now];
            let spent = self.search.expansions();
            let progress = self.search.advance(view, left);
            left -= self.search.expansions() - spent;
            match progress {
                Progress::Going => break,
                Progress::At(cell) => self.add_answer(map, member, Some(cell), keep),
                Progress::Exhausted => self.add_answer(map, member, None, keep),
            }
            running.now += 1;
            // Answers further members whose path the search has already found.
            while let Some(&member) = running.members.get(running.now) {
                if !self.search.aim_back(view, member.ask.start) {
                    break;
                }
                self.add_answer(map, member, Some(member.ask.start), keep);
                running.now += 1;
            }
        }
        let spent = self.search.expansions() - before;
        running.spent += spent;
        if running.now < running.members.len() {
            self.running = Some(running);
        } else {
            self.reuse(running);
        }
        spent
    }

    fn add_answer(&mut self, map: &Map, member: Request, end: Option<Cell>, keep: bool) {
        if !keep {
            return;
        }
        let mut path = self.spare.pop().unwrap_or_default();
        // Later the path is compared with the map, not with the view for its size.
        path.begin(map, member.ask.size);
        let found = match end {
            Some(end) => self.search.way(map.view(member.ask.size).unwrap_or(map), end, &mut path),
            None => self.search.nothing(),
        };
        path.seal(map);
        self.answers.push(Answer { ticket: member.ticket, found, path });
    }

    /// Loads requests and answers. An image holds no search, only its progress: `load` repeats a
    /// running search up to that point. If the map changed where that search has been, the search
    /// begins anew, as it would have done without the image. A refused image changes nothing.
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, or inconsistent.
    pub fn load(&mut self, map: &Map, image: &[u8]) -> Result<(), LoadError> {
        let mut loaded = state::read(Kind::Queue, image, Queue::decode)?;
        if let Some(running) = loaded.running.clone() {
            let view = map.view(running.members[0].ask.size);
            let is_as_before = view.is_some_and(|view| view.chunk_prints() == running.prints);
            if !view.is_some_and(|view| loaded.replay(map, view, &running)) {
                if is_as_before {
                    return Err(LoadError::Broken("a search came as far as its expansions take it"));
                }
                loaded.running = Some(running);
                loaded.wait_again();
            }
        }
        core::mem::swap(&mut loaded.spare, &mut self.spare);
        *self = loaded;
        Ok(())
    }

    /// Repeats a search that was running when the image was saved. Returns whether it came to the
    /// same point, over unchanged land.
    fn replay(&mut self, map: &Map, view: &Map, from: &Running) -> bool {
        let is_sound = |member: &Request| member.ask.check(map).is_ok() && Search::can(view, &member.ask);
        let is_same_land = from.prints.len() == view.chunk_prints().len() && from.land == Land::of(view);
        if !is_same_land || !from.members.iter().all(is_sound) {
            return false;
        }
        self.running = Some(Running { now: 0, spent: 0, ..from.clone() });
        self.begin(view);
        while let Some(running) = self.running.as_ref().filter(|running| running.spent < from.spent) {
            if self.go_on(map, from.spent - running.spent, false) == 0 {
                return false;
            }
        }
        self.running.as_ref() == Some(from) && !self.search.saw_change(view, &from.prints)
    }

    fn encode(&self, to: &mut impl Sink) {
        to.long(self.budget);
        to.long(self.next);
        to.list(self.waiting.iter(), encode_request);
        to.list(self.answers.iter(), |to, Answer { ticket, found, path }| {
            to.long(*ticket);
            encode_found(*found, to);
            path.encode(to);
        });
        to.flag(self.running.is_some());
        if let Some(running) = &self.running {
            to.list(running.members.iter(), encode_request);
            to.word(running.now as u32);
            to.long(running.spent);
            to.cell(running.land.size);
            let [least, greatest] = running.land.costs;
            to.word(u32::from_le_bytes([least, greatest, u8::from(running.land.uniform), 0]));
            to.list(running.prints.iter(), |to, &print| to.long(print));
        }
    }

    fn decode(from: &mut Reader) -> Result<Queue, LoadError> {
        let (budget, next) = (from.long()?, from.counter()?);
        let waiting = from.list(REQUEST, |from| decode_request(from, next))?;
        let answers = from.list(10, |from| {
            let (ticket, found) = (decode_ticket(from, next)?, decode_found(from)?);
            Ok(Answer { ticket, found, path: Path::decode(from)? })
        })?;
        let mut loaded = Queue { budget, next, waiting, answers, ..Queue::default() };
        if from.flag()? {
            loaded.running = Some(decode_running(from, next)?);
        }
        Ok(loaded)
    }
}

fn decode_running(from: &mut Reader, next: u64) -> Result<Running, LoadError> {
    let members = from.list(REQUEST, |from| decode_request(from, next))?;
    let (now, spent) = (from.word()? as usize, from.counter()?);
    let size = from.cell()?;
    let [least, greatest, uniform, _] = from.word()?.to_le_bytes();
    let land = Land { size, costs: [least, greatest], uniform: uniform != 0 };
    let prints = from.list(2, Reader::long)?;
    let is_one = |first: &Request| {
        let others = &members[1..];
        first.ask.turn == 0 && others.iter().all(|member| shares(&first.ask, &member.ask))
    };
    if now < members.len() && members.first().is_some_and(is_one) {
        Ok(Running { members, now, spent, prints, land })
    } else {
        Err(LoadError::Broken("a search that runs is for those who share it"))
    }
}

/// Searches with more starts than this use no estimate, so they spread in all directions from the
/// shared goal.
const MANY: usize = 16;

/// Number of words of a request in an image.
const REQUEST: usize = 11;

/// Whether one search from the goal back can answer both requests.
fn shares(a: &Ask, b: &Ask) -> bool {
    let can = |ask: &Ask| {
        matches!(ask.method, Method::Auto | Method::AStar)
            && (ask.heuristic != Heuristic::Manhattan || ask.rule == Rule::Four)
            && ask.turn == 0
    };
    let key = |ask: &Ask| (ask.goal, ask.rule, ask.scale, ask.size, ask.heuristic);
    can(a) && can(b) && key(a) == key(b)
}

fn encode_request(to: &mut impl Sink, Request { ticket, ask, disturbed }: &Request) {
    to.long(*ticket);
    to.cell(ask.start);
    to.cell(ask.goal);
    to.rule(ask.rule);
    let method = METHODS.iter().position(|method| *method == ask.method).unwrap_or(0);
    let heuristic = HEURISTICS.iter().position(|heuristic| *heuristic == ask.heuristic).unwrap_or(0);
    let [priority] = ask.priority.to_le_bytes();
    to.word((method as u32) << 1 | (heuristic as u32) << 8 | u32::from(*disturbed));
    to.word(u32::from_le_bytes([ask.size, ask.turn, priority, 0]));
    // The scale may be invalid: the request is refused when its turn comes.
    to.flag(ask.scale.is_some());
    let Scale { straight, diagonal } = ask.scale.unwrap_or_default();
    to.word(u32::from(straight) | u32::from(diagonal) << 16);
}

const METHODS: [Method; 7] = [
    Method::Auto,
    Method::AStar,
    Method::Jump,
    Method::Dijkstra,
    Method::Greedy,
    Method::Breadth,
    Method::Depth,
];

const HEURISTICS: [Heuristic; 5] =
    [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Chebyshev, Heuristic::Euclid, Heuristic::Zero];

fn decode_ticket(reader: &mut Reader, next: u64) -> Result<u64, LoadError> {
    let ticket = reader.long()?;
    if ticket < next { Ok(ticket) } else { Err(LoadError::Broken("tickets are dealt before they are used")) }
}

fn decode_request(from: &mut Reader, next: u64) -> Result<Request, LoadError> {
    let strange = LoadError::Broken("a request is one that could be asked");
    let ticket = decode_ticket(from, next)?;
    let mut ask = Ask::new(from.cell()?, from.cell()?).rule(from.rule()?);
    let how = from.word()?;
    ask.method = *METHODS.get((how >> 1 & 127) as usize).ok_or(strange)?;
    ask.heuristic = *HEURISTICS.get((how >> 8) as usize).ok_or(strange)?;
    let [size, turn, priority, rest] = from.word()?.to_le_bytes();
    (ask.size, ask.turn, ask.priority) = (size, turn, i8::from_le_bytes([priority]));
    let (asked, scale) = (from.flag()?, from.word()?);
    let scale = Scale { straight: scale as u16, diagonal: (scale >> 16) as u16 };
    ask.scale = asked.then_some(scale);
    if rest == 0 { Ok(Request { ticket, ask, disturbed: how & 1 != 0 }) } else { Err(strange) }
}

/// Reasons that a queue gives, by their numbers in images.
const BADS: [Bad; 9] = [
    Bad::Start,
    Bad::Goal,
    Bad::Size,
    Bad::Scale,
    Bad::Layer,
    Bad::Method(Unfit::JumpRule),
    Bad::Method(Unfit::JumpCosts),
    Bad::Method(Unfit::JumpHeuristic),
    Bad::Method(Unfit::TurnsInQueue),
];

fn encode_found(found: Found, sink: &mut impl Sink) {
    let (kind, value, scale) = match found {
        Found::None => (0, 0, Scale::FINE),
        Found::TooFar => (1, 0, Scale::FINE),
        Found::Bad(bad) => (2, BADS.iter().position(|its| *its == bad).unwrap_or(0) as u32, Scale::FINE),
        Found::Way { cost } => (3, cost.units, cost.scale),
    };
    sink.word(kind);
    sink.word(value);
    sink.scale(Some(scale));
}

fn decode_found(reader: &mut Reader) -> Result<Found, LoadError> {
    let (kind, value, scale) = (reader.word()?, reader.word()?, reader.scale()?);
    let strange = LoadError::Broken("an answer is one that is given");
    match (kind, scale) {
        (0, _) => Ok(Found::None),
        (1, _) => Ok(Found::TooFar),
        (2, _) => BADS.get(value as usize).map(|bad| Found::Bad(*bad)).ok_or(strange),
        (3, Some(scale)) => Ok(Found::Way { cost: Length { units: value, scale } }),
        _ => Err(strange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Corners;
    use crate::state::refuses_damage;

    #[test]
    fn images_are_refused_when_damaged() {
        let map = Map::from_fn(40, 30, |cell| (cell.x * 7 + cell.y * 13) % 11 == 0).expect("a map");
        let mut queue = Queue::new(30);
        for k in 0..6 {
            _ = queue.ask(Ask::new([1, 1 + k % 2], [35, 20]).corners(Corners::OneFree));
            _ = queue.ask(Ask::new([1, 1], [35 - k, 2]).priority(1));
        }
        for _ in 0..3 {
            queue.work(&map);
            let mut image = Vec::new();
            queue.save_into(&mut image);
            let mut other = Queue::default();
            other.load(&map, &image).expect("an image");
            assert_eq!(other.hash(), queue.hash());
            refuses_damage(&image, |bytes| Queue::default().load(&map, bytes));
        }
    }
}
