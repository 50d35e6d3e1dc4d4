//! `rowhouse doctor`: checks everything that `serve` needs, with the same flags, and gives advice. It changes nothing
//! and may run beside a server.

mod clusters;
mod engine;
mod findings;
mod machine;
mod storage;

use std::process::ExitCode;

use clap::Args;

use crate::config::{Config, ServeFlags, TlsFiles};
use crate::tls::{Expiry, Tls};
use findings::Findings;
use rowhouse_engine::{Clock as _, SystemClock};

/// `rowhouse doctor`
#[derive(Debug, Args)]
pub(super) struct DoctorCommand {
    #[command(flatten)]
    serve: ServeFlags,
    /// Read all results and views and verify their checksums
    #[arg(long)]
    verify: bool,
}

impl DoctorCommand {
    /// 0 if a server would run, with or without warnings; 1 if it would not, or not well; 2 for an invalid
    /// configuration.
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut findings = Findings::default();
        let config = match Config::load(&self.serve, &|name| std::env::var(name).ok()) {
            Ok(config) => config,
            Err(error) => {
                findings.bad("configuration", error.to_string(), "correct the setting that is named");
                return Ok(ExitCode::from(2));
            }
        };
        findings.good("configuration", "every setting can be used".to_owned());
        let is_serving = storage::check(&mut findings, &config.engine);
        if self.verify {
            storage::verify(&mut findings, &config.engine);
        }
        machine::check(&mut findings, &config, is_serving);
        if let Some(files) = &config.tls {
            match Tls::load(files) {
                Ok(tls) => check_certificate(&mut findings, files, &tls),
                Err(error) => findings.bad(
                    "tls",
                    format!("{error:#}"),
                    "name the whole chain in PEM and the key that it was made with, readable by the server's user",
                ),
            }
        } else if !config.listen.ip().is_loopback() {
            findings.doubtful(
                "tls",
                format!(
                    "{} is reachable from other machines, and tokens travel in plain text",
                    config.listen
                ),
                "set tls_certificate and tls_key, or let a proxy that speaks TLS stand in front",
            );
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            engine::check(&mut findings, &config.engine).await;
            clusters::check(&mut findings, &config.engine).await;
        });
        Ok(if findings.are_bad() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn check_certificate(findings: &mut Findings, files: &TlsFiles, tls: &Tls) {
    let certificate = files.certificate.display();
    let Some(not_after) = tls.not_after() else {
        return findings.good("tls", format!("{certificate} and its key can be used"));
    };
    let advice = "renew it; a server that runs takes the new files by itself";
    match Expiry::at(SystemClock::new().now(), not_after) {
        Expiry::Far => {
            findings.good("tls", format!("{certificate} and its key can be used until {not_after}"))
        }
        Expiry::Near { days } => {
            findings.doubtful("tls", format!("{certificate} expires in {days} days, at {not_after}"), advice);
        }
        Expiry::Past => findings.bad("tls", format!("{certificate} has expired at {not_after}"), advice),
    }
}
