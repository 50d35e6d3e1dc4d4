//! Checks whether statements can run: it starts a worker and runs one.

use rowhouse_engine::EngineConfig;

use super::findings::Findings;

#[cfg(feature = "polars")]
pub(super) async fn check(findings: &mut Findings, config: &EngineConfig) {
    match rowhouse_engine::probe(config).await {
        Ok(took) => findings.good(
            "engine",
            format!("a worker started and ran a statement in {} ms", took.as_millis()),
        ),
        Err(error) => findings.bad(
            "engine",
            format!("a worker could not run a statement: {}", error.message),
            "see the lines above and the log; engine.memory_limit may be too small for a worker to start (64MiB is \
             little), or the system may allow no more processes",
        ),
    }
}

#[cfg(not(feature = "polars"))]
pub(super) async fn check(findings: &mut Findings, _config: &EngineConfig) {
    findings.doubtful(
        "engine",
        "this build has no embedded engine".to_owned(),
        "build it with the feature `polars`, or name a Trino cluster",
    );
}
