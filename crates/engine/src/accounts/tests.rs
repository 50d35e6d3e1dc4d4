//! Who may be whom.
