//! The start-up time of a server with many views, and its memory afterwards: its own, and the pages of files that it
//! has mapped and read, which the system reclaims when others need memory.

use std::path::Path;

use anyhow::Result;

use super::server::Server;

pub(super) const VIEWS: usize = 200;

/// Creates the views, unless they exist.
pub(super) fn make_views(server: &Server) -> Result<()> {
    for number in 0..VIEWS {
        let sql = "-- Service API: required(\"l_orderkey\")\nSELECT * FROM tpch.tiny.lineitem";
        server.make_view(&format!("bench_{number}"), sql)?;
    }
    Ok(())
}

pub(super) fn run(data_dir: &Path) -> Result<()> {
    let server = Server::start(data_dir, &[])?;
    make_views(&server)?;
    drop(server);
    let server = Server::start(data_dir, &[])?;
    let mib = |figure: &str| {
        Ok::<_, anyhow::Error>(server.process.memory_bytes(figure)? as f64 / f64::from(1 << 20))
    };
    let (start, closed) = (server.process.start, mib("VmRSS")?);
    for number in 0..VIEWS {
        server.get(&format!("/v1/data/demo/materializedView/bench_{number}?filters=l_orderkey:EQ:1"))?;
    }
    println!(
        "{:<34} starts in {:.0} ms, {closed:.0} MiB; {:.0} MiB once each was read, {:.0} MiB of them mapped files",
        "200 views of 60,175 rows",
        start.as_secs_f64() * 1000.0,
        mib("VmRSS")?,
        mib("RssFile")?,
    );
    Ok(())
}
