//! The game in a window.
//!
//! ```text
//! cargo run --release -p carom-play
//! cargo run --release -p carom-play -- shot out/play.png 4     plays a script for 4 s, takes a picture
//! ```

mod screen;

use carom::prelude::*;
use carom_play::{Game, Keys};
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

/// Where a picture goes, and after how many seconds.
fn picture() -> Option<(String, f32)> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next()?.as_str(), arguments.next(), arguments.next()) {
        ("shot", Some(path), Some(seconds)) => Some((path, seconds.parse().ok()?)),
        _ => None,
    }
}

async fn play() -> Result<(), Error> {
    let (mut game, mut clock, mut news) = (Game::new()?, FixedStep::hz(60.0), Vec::new());
    let picture = picture();
    let mut steps = 0_u32;
    loop {
        if mq::is_key_pressed(KeyCode::Escape) {
            return Ok(());
        }
        if mq::is_key_pressed(KeyCode::R) {
            game = Game::new()?;
        }
        for _ in 0..clock.advance(mq::get_frame_time()) {
            let keys = if picture.is_some() { carom_play::script(steps) } else { keys() };
            game.step(keys, &mut news)?;
            steps += 1;
        }
        for what in news.drain(..) {
            println!("{:6.2} s  {what:?}", steps as f32 * carom_play::DT);
        }
        screen::draw(&mut game, clock.alpha());
        if let Some((path, _)) = picture.as_ref().filter(|(_, at)| steps as f32 * carom_play::DT >= *at) {
            mq::get_screen_data().export_png(path);
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
