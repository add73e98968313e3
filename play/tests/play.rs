//! The game, played without a window.

use carom_play::{Game, Keys, News, script};

#[test]
fn doing_nothing_changes_nothing() {
    let (mut game, mut news) = (Game::new().expect("a level"), Vec::new());
    for _ in 0..120 {
        game.step(Keys::default(), &mut news).expect("it steps");
    }
    let from = game.place();
    for _ in 0..600 {
        game.step(Keys::default(), &mut news).expect("it steps");
    }
    assert!((game.place() - from).length() < 1e-3, "{from} {}", game.place());
    assert_eq!(news, []);
}

#[test]
fn a_run_and_a_jump_take_the_first_coin() {
    let (mut game, mut news) = (Game::new().expect("a level"), Vec::new());
    for step in 0..200 {
        game.step(script(step), &mut news).expect("it steps");
    }
    assert_eq!((news, game.score), (vec![News::Coin], [1, 0]));
    // Two seconds at 5.5 m/s from x = -8, less what it takes to start and to stop.
    assert!((2.0..4.0).contains(&game.place().x), "{}", game.place());
}
