//! The game, played without a window.

use carom_play::{Game, GuardState, Keys, News, Tour};

fn play(game: &mut Game, keys: Keys, steps: u32) -> Vec<News> {
    let mut news = Vec::new();
    for _ in 0..steps {
        game.step(keys, &mut news).expect("it steps");
    }
    news
}

#[test]
fn doing_nothing_changes_nothing() {
    let mut game = Game::new().expect("a level");
    play(&mut game, Keys::default(), 120);
    let from = game.place();
    let news = play(&mut game, Keys::default(), 600);
    assert!((game.place() - from).length() < 1e-3, "{from} {}", game.place());
    assert_eq!(news, []);
}

/// Who runs to the right without a look ends in front of a guard, which patrols, sees, chases and
/// catches, and begins anew; and the guard goes back to its beat.
#[test]
fn guards_patrol_chase_and_catch() {
    let (mut game, mut news) = (Game::new().expect("a level"), Vec::new());
    let mut seen = Vec::new();
    for step in 0..3000 {
        // Jumps whenever it can: over crates, and out of the water.
        let keys = Keys { right: true, jump: step % 40 < 24, up: game.swims(), ..Keys::default() };
        let keys = if news.contains(&News::Caught) { Keys::default() } else { keys };
        game.step(keys, &mut news).expect("it steps");
        let first = game.guards().next().map(|(_, state)| state);
        if let Some(state) = first.filter(|state| seen.last() != Some(state)) {
            seen.push(state);
        }
    }
    use GuardState::{Catch, Chase, Patrol};
    assert_eq!(seen, [Patrol, Chase, Catch, Patrol], "{news:?}");
    assert_eq!(game.score[1], 1);
}

/// The whole level, all that is in it, from the start to the flag: ledges from below and down
/// through, crates, the rope, the water, guards.
#[test]
fn the_whole_level_can_be_played() {
    let (mut game, mut news, mut tour) = (Game::new().expect("a level"), Vec::new(), Tour::default());
    let (mut hung, mut dived, mut highest, mut steps) = (false, false, 0.0, 0);
    let mut leg = None;
    while tour.leg().is_some() && steps < 6000 {
        if tour.leg() != leg {
            leg = tour.leg();
            println!("step {steps}: {leg:?} at {} {news:?}", game.place());
        }
        let keys = tour.keys(&game);
        game.step(keys, &mut news).expect("it steps");
        steps += 1;
        hung |= game.hero.hangs();
        dived |= game.swims() && game.place().y < -2.0;
        highest = if game.place().y > highest { game.place().y } else { highest };
    }
    println!("step {steps}: {} {news:?}, {:?}", game.place(), game.score);
    assert!(game.won && hung && dived && highest > 3.5);
    assert_eq!(game.score[1], 0, "caught");
    assert_eq!((game.score[0], game.level.coins.len()), (7, 0), "coins");
    assert!(news.contains(&News::Squashed));
    game.level.world.validate().expect("the world is sound");
}
