//! Physics: what bodies do. Each test is a picture, numbers and an expectation.
//!
//! SI units, gravity 9.81 down unless said, 60 Hz, 4 sub-steps, boxes by full width × height.
//!
//! ```text
//!   contacts.rs    friction, restitution, materials, hooks    stacks.rs      stacks and flush tiles
//!   impacts.rs     collisions and obstacles, by the textbook  friction.rs    slopes and belts
//!   motion.rs      free flight and gravity                    energy.rs      gases, bouncing balls
//!   continuous.rs  bullets and times of impact                tunnelling.rs  fast small bodies pass nothing
//!   slides.rs      sliding into contacts
//!   lines.rs       chains and segments                        heaps.rs       large heaps
//!   sensors.rs     what sensors tell                          sleep.rs       islands and sleep
//!   structural.rs  welds, one-way shapes, changes             games.rs       scenes of games
//!   joints/        every joint, by topic                      mover/         the kinematic character
//!   regressions.rs what once went wrong, a test each
//! ```
//!
//! A new test goes to the file of its topic: a promise of behaviour here, a function of the interface
//! (what is refused, what is read back) to `world`, the same bits to `determinism`.

mod contacts;
mod continuous;
mod energy;
mod friction;
mod games;
mod heaps;
mod impacts;
mod joints;
mod lines;
mod motion;
mod mover;
mod regressions;
mod sensors;
mod sleep;
mod slides;
mod stacks;
mod structural;
mod tunnelling;

#[global_allocator]
static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;
