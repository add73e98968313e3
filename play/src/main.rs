//! The game in a window.
//!
//! ```text
//! cargo run --release -p carom-play
//! cargo run --release -p carom-play -- shot out/play.png 4     plays by itself for 4 s, and takes a picture
//! cargo run --release -p carom-play -- tour out                plays all of it, with pictures every two seconds
//! ```

mod screen;

use carom::prelude::*;
use carom_play::{DT, Game, Keys, Tour};
use macroquad::prelude as mq;
use macroquad::prelude::KeyCode;

fn window() -> mq::Conf {
    mq::Conf {
        window_title: "carom".to_owned(),
        window_width: 1200,
        window_height: 675,
        high_dpi: true,
        ..mq::Conf::default()
    }
}

/// Keys that are down now.
fn keys() -> Keys {
    let any = |codes: &[KeyCode]| codes.iter().any(|&code| mq::is_key_down(code));
    Keys {
        left: any(&[KeyCode::Left, KeyCode::A]),
        right: any(&[KeyCode::Right, KeyCode::D]),
        up: any(&[KeyCode::Up, KeyCode::W]),
        down: any(&[KeyCode::Down, KeyCode::S]),
        jump: any(&[KeyCode::Space]),
    }
}

/// What is played by itself, for pictures.
enum Show {
    /// For so many seconds, and the picture is this file.
    Shot(String, f32),
    /// All of it; pictures go into this folder.
    Tour(String),
}

impl Show {
    fn asked() -> Option<Show> {
        let mut arguments = std::env::args().skip(1);
        match (arguments.next()?.as_str(), arguments.next(), arguments.next()) {
            ("shot", Some(path), Some(seconds)) => Some(Show::Shot(path, seconds.parse().ok()?)),
            ("tour", Some(folder), None) => Some(Show::Tour(folder)),
            _ => None,
        }
    }

    /// Takes the picture that is due, if one is; whether all is over.
    fn picture(&self, steps: u32, tour: &Tour) -> bool {
        let take = |path: &str| mq::get_screen_data().export_png(path);
        let seconds = steps as f32 * DT;
        match self {
            Show::Shot(path, at) if seconds >= *at => take(path),
            Show::Shot(..) => return false,
            Show::Tour(folder) => {
                if steps % 120 == 60 || tour.leg().is_none() {
                    take(&format!("{folder}/{seconds:04.0}-{}.png", tour.leg().unwrap_or("end")));
                }
                return tour.leg().is_none();
            }
        }
        true
    }
}

async fn play() -> Result<(), Error> {
    let (mut game, mut clock, mut news) = (Game::new()?, FixedStep::hz(60.0), Vec::new());
    let (show, mut tour) = (Show::asked(), Tour::default());
    let mut steps = 0_u32;
    loop {
        if mq::is_key_pressed(KeyCode::Escape) {
            return Ok(());
        }
        if mq::is_key_pressed(KeyCode::R) {
            game = Game::new()?;
        }
        // For pictures every frame is a step, however long it takes.
        let due = if show.is_some() { 1 } else { clock.advance(mq::get_frame_time()) };
        for _ in 0..due {
            let keys = if show.is_some() { tour.keys(&game) } else { keys() };
            game.step(keys, &mut news)?;
            steps += 1;
        }
        for what in news.drain(..) {
            println!("{:6.2} s  {what:?}", steps as f32 * DT);
        }
        screen::draw(&mut game, if show.is_some() { 1.0 } else { clock.alpha() });
        if show.as_ref().is_some_and(|show| show.picture(steps, &tour)) {
            return Ok(());
        }
        mq::next_frame().await;
    }
}

fn main() {
    macroquad::Window::from_config(window(), async {
        if let Err(error) = play().await {
            eprintln!("error: {error}");
        }
    });
}
