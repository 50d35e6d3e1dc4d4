//! Who may enter what.
