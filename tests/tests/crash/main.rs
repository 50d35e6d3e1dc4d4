//! SIGKILL of the server at any moment under load, also on a disk that is sometimes full and under a clock that jumps:
//! nothing acknowledged is lost, no record stays non-final, and results read the same afterwards. `cargo xtask chaos`
//! does it some hundred times.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rowhouse_tests::{ClockShift, Server, SmallDisk};
use tempfile::TempDir;

mod acknowledged;
mod load;

use acknowledged::Acknowledged;
use load::{Client, Trouble};

/// Number of kills of each test, each after a different delay from the start of the load.
const KILLS: u64 = 5;
/// The variable that sets another number of kills.
const KILLS_VARIABLE: &str = "ROWHOUSE_CHAOS_KILLS";
/// Number of clients that submit, save, delete and read concurrently.
const CLIENTS: usize = 4;

const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;
const DAY: i64 = 24 * HOUR;
/// Shifts of the clock, milliseconds: ahead by more than results and records are kept, and back by less than results
/// are, because one that is created in the past would be expired in the present.
const SHIFTS: [i64; 7] = [0, 40 * DAY, -3 * DAY, 30 * SECOND, -30 * SECOND, 2 * HOUR, -HOUR];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_data_survives_repeated_kills() {
    let folder = TempDir::new().expect("a temporary folder");
    let start = || Server::builder().data_dir(folder.path().join("data")).start();
    chaos(Trouble::None, start, |_| {}, || {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_data_survives_kills_on_a_disk_that_is_sometimes_full() {
    let Some(disk) = SmallDisk::mount("256m") else { return };
    let start = || Server::builder().data_dir(disk.path().join("data")).start();
    let change = |step: u64| if step % 3 == 2 { disk.make_room() } else { disk.fill() };
    chaos(Trouble::FullDisk, start, change, || disk.make_room()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_data_survives_kills_under_a_clock_that_jumps() {
    let Some(clock) = ClockShift::new() else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let start = || {
        let mut builder = Server::builder().data_dir(folder.path().join("data"));
        for (name, value) in clock.environment() {
            builder = builder.environment(name, &value);
        }
        builder.start()
    };
    let change = |step: u64| clock.set(SHIFTS[step as usize % SHIFTS.len()]);
    chaos(Trouble::Clock, start, change, || clock.set(0)).await;
}

/// Kills a server repeatedly. While the load runs, `change` is called several times, each time with another number;
/// `calm` is called before what was acknowledged is checked.
async fn chaos(trouble: Trouble, start: impl Fn() -> Server, change: impl Fn(u64), calm: impl Fn()) {
    let kills = std::env::var(KILLS_VARIABLE).ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number of kills"));
    let acknowledged = Arc::new(Acknowledged::default());
    let mut longest_start = Duration::ZERO;
    let mut step = 0;
    for round in 0..=kills {
        // A server can be started under any fault but a full disk, which it reports without starting.
        if trouble == Trouble::FullDisk {
            calm();
        }
        let begun = Instant::now();
        let mut server = start();
        longest_start = longest_start.max(begun.elapsed());
        calm();
        let workspace = server.demo().await;
        acknowledged.check(&server, &workspace, trouble, round == kills).await;
        if round == kills {
            break;
        }
        let load: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let client = Client::new(&server, &workspace, round, number, trouble, &acknowledged);
                tokio::spawn(client.run_until_killed())
            })
            .collect();
        let life = Duration::from_millis(150 + 170 * (round % 6));
        for _ in 0..3 {
            tokio::time::sleep(life / 3).await;
            change(step);
            step += 1;
        }
        server.kill();
        for task in load {
            task.await.expect("a client ends with the server");
        }
    }
    println!("{trouble:?}: {kills} kills, {}; longest start {longest_start:?}", acknowledged.summary());
    acknowledged.assert_nothing_is_lost(kills);
}
