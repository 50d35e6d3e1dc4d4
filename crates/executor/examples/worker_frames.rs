//! Frames between a server and a worker process, here over a buffer instead of pipes:
//! `cargo run -p rowhouse-executor --example worker_frames`

use std::io;

use rowhouse_executor::protocol::{Job, PROTOCOL_VERSION, read_frame, write_frame};
use rowhouse_model::TableFormat;

fn main() -> io::Result<()> {
    let job = Job::Describe { location: "/data/orders/*.parquet".to_owned(), format: TableFormat::Parquet };
    let mut pipe = Vec::new();
    write_frame(&mut pipe, &job)?;
    println!(
        "version {PROTOCOL_VERSION}, a frame of {} bytes: {}",
        pipe.len(),
        String::from_utf8_lossy(&pipe[4..])
    );

    let mut input = pipe.as_slice();
    while let Some(job) = read_frame::<Job>(&mut input)? {
        println!("read as {job:?}");
    }
    Ok(())
}
