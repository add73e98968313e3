//! The command line.
//!
//! In: words. Out: a [`Command`], or a message that says what there is instead.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use testkit::scenes;

use crate::engines::Rival;
use crate::queries;
use crate::race::Race;
use crate::small;
use crate::wild;

pub(crate) const USAGE: &str = "\
usage: cargo run --release -p versus -- COMMAND [OPTIONS]

  scenes      the ten scenes      --scene NAME, --engine NAME (both as often as you like), --threads N, --repeat N,
                                  --steps N, --json FILE, --svg FILE (a chart), --pictures FOLDER (the last step);
                                  by name also sticks, hanging_chains, gravel
  parts       where the time of a step goes in each scene                         --scene, --engine, --steps as above,
                                  --model-threads N: carom alone, and what N threads would take (as often as you like;
                                  medians; --threads and --repeat are as above, then)
  broadphase  all pairs of 1,000 to 1,000,000 moving boxes                        --max BOXES
  queries     rays, casts, overlaps, nearest in worlds of 1,000 to 1,000,000      --count SHAPES (of three numbers without),
                                  --scene spread, clusters, moving or asleep (all four without),
                                  --question a part of its name, --rounds N, --by one (at a time; batches without)
  spawn       adding and removing 200,000 bodies                                  --count BODIES
  memory      bytes a body and a contact, of 1,000,000 bodies                     --count BODIES
  snapshot    size and time of saving and restoring 10,000 resting bodies         --count BODIES
  tiles       boxes on a level of 1,000,000 cells, and 10,000 cells that change   --count CELLS
  explode     an explosion among 10,000 boxes                                     --count BODIES
  outline     convex parts of 300 concave outlines of 100 corners                 --count OUTLINES
  small       worlds of 1 to 20 bodies, alone and among 100 equal ones            --scene, --engine as above, --count WORLDS (1 to 120)
  wild        scenes drawn from seeds                                             --seeds A..B or --seed N,
                                  --engine as above, --steps N, --repeat N (plays an engine), --out FILE (markdown),
                                  --pictures FOLDER (the last step), --profile: plays, and measures nothing
  ablate      what each guard of carom's step is worth (needs --features ablate)  --rule NAME (as often as you like),
                                  --out FILE (docs/mechanisms.md without)";

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Scenes {
        race: Race,
        files: Files,
    },
    Parts(Race),
    Broadphase {
        max: usize,
    },
    Queries(queries::Choice),
    Spawn {
        count: usize,
    },
    Memory {
        count: usize,
    },
    Snapshot {
        count: usize,
    },
    Tiles {
        count: usize,
    },
    Explode {
        count: usize,
    },
    Outline {
        count: usize,
    },
    Small(small::Choice),
    Wild(wild::Choice),
    #[cfg(feature = "ablate")]
    Ablate(crate::ablate::Choice),
}

/// Where to leave what, if anywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Files {
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    pub(crate) pictures: Option<PathBuf>,
}

/// # Errors
/// The first word that cannot be understood, and what could stand there.
pub(crate) fn parse(words: &[String]) -> Result<Command, String> {
    let Some((command, options)) = words.split_first() else { return Err(USAGE.into()) };
    let count = |option: &str, usual: usize| number_option(options, option, usual);
    match command.as_str() {
        "scenes" if options.iter().any(|word| word == "--model-threads") => {
            Err("--model-threads is an option of parts".into())
        }
        "scenes" => scenes(options),
        "parts" => match scenes(options)? {
            Command::Scenes { race, .. } => Ok(Command::Parts(race)),
            other => Ok(other),
        },
        "broadphase" => {
            let max = count("--max", 1_000_000)?;
            if max < 1_000 {
                return Err(format!("--max is 1000 at least, not {max}"));
            }
            Ok(Command::Broadphase { max })
        }
        "queries" => of_queries(options),
        "spawn" => Ok(Command::Spawn { count: count("--count", 200_000)? }),
        "memory" => Ok(Command::Memory { count: count("--count", 1_000_000)? }),
        "snapshot" => Ok(Command::Snapshot { count: count("--count", 10_000)? }),
        "tiles" => Ok(Command::Tiles { count: count("--count", 1_000_000)? }),
        "explode" => Ok(Command::Explode { count: count("--count", 10_000)? }),
        "outline" => Ok(Command::Outline { count: count("--count", 300)? }),
        "small" => of_small(options),
        "wild" => of_wild(options),
        #[cfg(feature = "ablate")]
        "ablate" => of_ablate(options),
        other => Err(format!("there is no command '{other}'\n\n{USAGE}")),
    }
}

fn of_queries(options: &[String]) -> Result<Command, String> {
    let mut choice = queries::Choice::default();
    for pair in options.chunks(2) {
        match pair[0].as_str() {
            "--count" => choice.count = Some(value(pair)?),
            "--rounds" => choice.rounds = Some(value(pair)?),
            "--question" => choice.question = Some(word(pair)?.into()),
            "--by" if word(pair)? == "one" => choice.one_by_one = true,
            "--scene" => {
                let name = word(pair)?;
                let named = queries::Scene::ALL.into_iter().find(|scene| scene.name() == name);
                choice.scene = Some(named.ok_or_else(|| format!("there is no scene '{name}' of shapes"))?);
            }
            other => {
                let known = "--count, --scene, --question, --rounds and --by one";
                return Err(format!("there is no option '{other}' here; there are {known}"));
            }
        }
    }
    Ok(Command::Queries(choice))
}

fn of_small(options: &[String]) -> Result<Command, String> {
    let mut choice = small::Choice::default();
    for pair in options.chunks(2) {
        match pair[0].as_str() {
            "--scene" => choice.scenes.push(word(pair)?.into()),
            "--engine" => choice.rivals.push(rival(word(pair)?)?),
            "--count" => choice.count = value(pair)?,
            other => {
                return Err(format!(
                    "there is no option '{other}' here; there are --scene, --engine and --count"
                ));
            }
        }
    }
    if !(1..=small::MOST).contains(&choice.count) {
        return Err(format!("--count is 1 to {}: Box2D has room for no more", small::MOST));
    }
    Ok(Command::Small(choice))
}

fn of_wild(options: &[String]) -> Result<Command, String> {
    let mut choice = wild::Choice { seeds: 0..100, ..wild::Choice::default() };
    let (flags, options): (Vec<String>, Vec<String>) =
        options.iter().cloned().partition(|word| word == "--profile");
    choice.profile = !flags.is_empty();
    for pair in options.chunks(2) {
        match pair[0].as_str() {
            "--seeds" => choice.seeds = seeds(word(pair)?)?,
            "--seed" => {
                let seed = number(word(pair)?)?;
                choice.seeds = seed..seed + 1;
            }
            "--engine" => choice.rivals.push(rival(word(pair)?)?),
            "--steps" => choice.steps = Some(value(pair)?),
            "--repeat" => choice.repeat = Some(value(pair)?),
            "--pictures" => choice.pictures = Some(word(pair)?.into()),
            "--out" => choice.out = Some(word(pair)?.into()),
            other => {
                let known = "--seeds, --seed, --engine, --steps, --repeat, --pictures, --out and --profile";
                return Err(format!("there is no option '{other}' here; there are {known}"));
            }
        }
    }
    if choice.steps.is_some_and(|steps| steps < 2) {
        return Err("--steps is 2 at least: the first step is not timed".into());
    }
    Ok(Command::Wild(choice))
}

#[cfg(feature = "ablate")]
fn of_ablate(options: &[String]) -> Result<Command, String> {
    let mut choice = crate::ablate::Choice { rules: Vec::new(), out: "docs/mechanisms.md".into() };
    for pair in options.chunks(2) {
        match pair[0].as_str() {
            "--rule" => {
                let name = word(pair)?;
                let rule = carom::ablate::Rule::named(name);
                choice.rules.push(rule.ok_or_else(|| format!("there is no rule '{name}'"))?);
            }
            "--out" => choice.out = word(pair)?.into(),
            other => return Err(format!("there is no option '{other}' here; there are --rule and --out")),
        }
    }
    Ok(Command::Ablate(choice))
}

/// `3..8`, without the last.
fn seeds(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").ok_or(format!("--seeds needs two numbers, as 0..100, not '{text}'"))?;
    let seeds = number(ends.0)?..number(ends.1)?;
    if seeds.is_empty() { Err(format!("there is no seed in '{text}'")) } else { Ok(seeds) }
}

fn number(text: &str) -> Result<u64, String> {
    u64::from_str(text).map_err(|_| format!("a seed is a whole number, not '{text}'"))
}

/// For commands that know one option.
fn number_option(options: &[String], name: &str, usual: usize) -> Result<usize, String> {
    let mut number = usual;
    for pair in options.chunks(2) {
        if pair[0] != name {
            return Err(format!("there is no option '{}' here; there is {name}", pair[0]));
        }
        number = value(pair)?;
    }
    Ok(number)
}

fn scenes(options: &[String]) -> Result<Command, String> {
    let mut files = Files::default();
    let mut race = Race { threads: 1, repeat: 1, ..Race::default() };
    for pair in options.chunks(2) {
        match pair[0].as_str() {
            "--scene" => race.scenes.push(scenes::find(word(pair)?)?.name),
            "--engine" => race.rivals.push(rival(word(pair)?)?),
            "--threads" => race.threads = value(pair)?,
            "--repeat" => race.repeat = value(pair)?,
            "--steps" => race.steps = Some(value(pair)?),
            "--model-threads" => race.imagined.push(value(pair)?),
            "--json" => files.json = Some(word(pair)?.into()),
            "--svg" => files.svg = Some(word(pair)?.into()),
            "--pictures" => files.pictures = Some(word(pair)?.into()),
            other => return Err(format!("there is no option '{other}'\n\n{USAGE}")),
        }
    }
    if race.steps.is_some_and(|steps| steps < 2) {
        return Err("--steps is 2 at least: the first step is not timed".into());
    }
    if race.scenes.is_empty() {
        race.scenes = scenes::ALL.iter().map(|scene| scene.name).collect();
    }
    if race.rivals.is_empty() {
        race.rivals = Rival::ALL.to_vec();
    }
    Ok(Command::Scenes { race, files })
}

fn rival(name: &str) -> Result<Rival, String> {
    Rival::ALL.into_iter().find(|rival| rival.name() == name).ok_or_else(|| {
        let known = Rival::ALL.map(Rival::name).join(", ");
        format!(
            "there is no engine '{name}'; there are {known} (rapier2d or rapier-simd8, as versus was built)"
        )
    })
}

/// What follows an option.
fn word(pair: &[String]) -> Result<&str, String> {
    pair.get(1).map(String::as_str).ok_or_else(|| format!("{} needs a value", pair[0]))
}

fn value(pair: &[String]) -> Result<usize, String> {
    let text = word(pair)?;
    let number = usize::from_str(text).ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{} needs a number above 0, not '{text}'", pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        parse(&words)
    }

    fn error(line: &str) -> String {
        parsed(line).expect_err("a mistake")
    }

    #[test]
    fn without_options_all_scenes_are_raced_by_all_engines() {
        let Ok(Command::Scenes { race, files }) = parsed("scenes") else { panic!("not a race") };
        assert_eq!((race.scenes.len(), race.rivals.len()), (10, 3));
        assert_eq!((race.threads, race.repeat, race.steps), (1, 1, None));
        assert_eq!(files, Files::default());
    }

    #[test]
    fn wild_scenes_are_chosen_by_seed() {
        let Ok(Command::Wild(choice)) = parsed("wild --seed 0 --profile --engine carom --steps 9") else {
            panic!("no wild scenes")
        };
        assert_eq!((choice.seeds, choice.profile, choice.steps), (0..1, true, Some(9)));
        assert_eq!(choice.rivals, vec![Rival::Carom]);
        assert!(parsed("wild --seeds 3..8 --out a").is_ok());
        assert!(error("wild --seeds 8..8").contains("no seed"));
        assert!(error("wild --seed x").contains("whole number"));
        assert!(error("wild --bodies 3").contains("--seeds"));
    }

    #[test]
    fn options_choose() {
        let line = "scenes --scene rain --engine box2d --scene smash --threads 2 --repeat 3 --steps 9 --json a --svg b";
        let Ok(Command::Scenes { race, files }) = parsed(line) else { panic!("not a race") };
        assert_eq!((race.scenes, race.rivals), (vec!["rain", "smash"], vec![Rival::Box2d]));
        assert_eq!((race.threads, race.repeat, race.steps), (2, 3, Some(9)));
        assert_eq!((files.json, files.svg), (Some("a".into()), Some("b".into())));
        assert_eq!(parsed("spawn --count 7"), Ok(Command::Spawn { count: 7 }));
        let Ok(Command::Queries(choice)) =
            parsed("queries --count 5 --scene asleep --question cast --by one")
        else {
            panic!("not queries")
        };
        assert_eq!((choice.count, choice.scene), (Some(5), Some(queries::Scene::Asleep)));
        assert_eq!(
            (choice.question.as_deref(), choice.rounds, choice.one_by_one),
            (Some("cast"), None, true)
        );
        let Ok(Command::Parts(race)) = parsed("parts --model-threads 2 --threads 2 --model-threads 8") else {
            panic!("not parts")
        };
        assert_eq!((race.imagined, race.threads), (vec![2, 8], 2));
        assert_eq!(parsed("broadphase"), Ok(Command::Broadphase { max: 1_000_000 }));
    }

    #[test]
    fn an_unknown_scene_is_answered_with_the_known_ones() {
        let message = error("scenes --scene rian");
        assert!(message.contains("'rian'"), "{message}");
        for scene in scenes::ALL {
            assert!(message.contains(scene.name), "{} is missing: {message}", scene.name);
        }
    }

    #[test]
    fn other_mistakes_say_what_would_be_right() {
        assert!(error("").starts_with("usage"));
        assert!(error("scene").contains("no command 'scene'"));
        assert!(error("scenes --engine havok").contains("carom, box2d, rapier"));
        assert!(error("scenes --repeat").contains("--repeat needs a value"));
        assert!(error("scenes --repeat two").contains("a number above 0, not 'two'"));
        assert!(error("scenes --steps 1").contains("2 at least"));
        assert!(error("scenes --model-threads 8").contains("an option of parts"));
        assert!(error("scenes --fast yes").contains("no option '--fast'"));
        assert!(error("spawn --max 4").contains("there is --count"));
        assert!(error("broadphase --max 10").contains("1000 at least"));
    }
}
