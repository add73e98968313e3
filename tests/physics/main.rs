//! Physics: what bodies do. Each test is a picture, numbers and an expectation.
//!
//! SI units, gravity 9.81 down unless said, 60 Hz, 4 sub-steps, boxes by full width × height.
//!
//! ```text
//!   audits.rs      all kinds of shapes on all kinds of ground
//!   bends.rs       sliding over faces at an angle
//!   contacts.rs    resting and sliding contacts, restitution
//!   stacks.rs      stacks and flush tiles
//!   impacts.rs     collisions and obstacles, by the textbook
//!   friction.rs    slopes, against Coulomb
//!   motion.rs      free flight and gravity
//!   energy.rs      gases, bouncing balls
//!   continuous.rs  bullets and times of impact
//!   tunnelling.rs  small fast bodies
//!   cost.rs        what a step costs where all is at one place
//!   ledges.rs      ends of ledges
//!   frames.rs      the same at rest, on platforms that move, mirrored and turned
//!   lines.rs       pressed and stirred at lines
//!   heaps.rs       heaps, a drum, a truckload
//!   chains.rs      bodies that land on chains
//!   hanging.rs     bodies that spin or are cut short do not hang
//!   corners.rs     inner corners and seams of fixed parts
//!   one_way.rs     one-way platforms
//!   slides.rs      sliding at speed
//!   sensors.rs     sensors, filters
//!   tiles.rs       tile maps
//!   structural.rs  adding, changing and removing bodies
//!   sleep.rs       islands and sleep
//!   games.rs       loops of frames and steps
//!   regressions.rs what once went wrong
//!   extremes.rs    smallest bodies, largest shapes, falls from high
//!   rooms.rs       rooms of random bodies come to rest
//!   columns.rs     tall columns, blows, lengths of steps
//!   overlaps.rs    bodies created in each other
//!   half_planes.rs thin sticks on half-planes, balls that slide
//!   loops.rs       joints in loops, trusses, nets
//!   ropes.rs       ropes, also contradicting ones
//!   towers.rs      towers of welds on the ground
//!   areas.rs       gravity, wind and water of sensors
//!   joints/        every joint, by topic
//!   joint_audit.rs joints of every kind in random worlds
//!   joint_energy.rs  their sums of energy, springs and motors counted
//!   joint_contacts.rs  the same in a pit, with contacts
//!   mover/         the kinematic character
//! ```
//!
//! A new test goes to the file of its topic: a promise of behaviour here, a function of the
//! interface (what is refused, what is read back) to `world`, the same bits to `determinism`.

mod areas;
mod audits;
mod bends;
mod chains;
mod columns;
mod contacts;
mod continuous;
mod corners;
mod cost;
mod energy;
mod extremes;
mod frames;
mod friction;
mod games;
mod half_planes;
mod hanging;
mod heaps;
mod impacts;
mod joint_audit;
mod joint_contacts;
mod joint_energy;
mod joints;
mod ledges;
mod lines;
mod loops;
mod motion;
mod mover;
mod one_way;
mod overlaps;
mod regressions;
mod rooms;
mod ropes;
mod sensors;
mod sleep;
mod slides;
mod stacks;
mod structural;
mod tiles;
mod towers;
mod tunnelling;

#[global_allocator]
static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;
