//! What a worker gives up for good, where the kernel has Landlock: running programs, TCP, and making devices,
//! sockets, pipes and links. None of that depends on which files a job names, so a worker can take jobs of any
//! workspace afterwards; which files a job may read is decided where names are resolved.

/// Gives up; says so on standard error where the kernel cannot hold it to that.
#[cfg(target_os = "linux")]
pub(super) fn confine() {
    use landlock::{
        Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
        RulesetStatus,
    };

    let given_up: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::MakeFifo
        | AccessFs::MakeSym;
    let confined = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(given_up)
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(landlock::ABI::V4)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    match confined.map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) => {}
        Ok(RulesetStatus::PartiallyEnforced) => {
            eprintln!("rowhouse worker: this kernel's Landlock is older: TCP is not given up");
        }
        Ok(RulesetStatus::NotEnforced) => {
            eprintln!("rowhouse worker: this kernel has no Landlock: the worker is not confined");
        }
        Err(error) => eprintln!("rowhouse worker: Landlock failed, the worker is not confined: {error}"),
    }
}

/// There is no Landlock on this system.
#[cfg(not(target_os = "linux"))]
pub(super) const fn confine() {}
