//! The game, played without a window.

use carom_play::{Game, Keys, News};

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
    let _ = News::Coin;
}
