//! The function registry: names, signatures and kinds. The analyzer resolves calls with it, the executor matches on its
//! enums exhaustively, `docs/sql.md` is checked against it.
//!
//! A signature is text: `(bigint, [T], varchar?) [T]`. `T` and `U` stand for any type, the same at each place; `[T]` is
//! an array of it; `decimal`, `timestamp`, `timestamptz` and `time` stand for any precision, and as a result for that
//! of the first such argument; `varchar` stands for any length, and as a result for no length; `varchar(x)` has the
//! same length at each place; `?` is optional; `...` is repeated, once or more.

mod aggregate;
mod array_aggregate;
mod map;
mod resolve;
mod scalar;
mod sketch;
mod window;

pub use aggregate::AggregateFunction;
pub use array_aggregate::{AGGREGATE_FORMS, ArrayAggregate};
pub use resolve::{Resolution, ResolveError, resolve_aggregate, resolve_scalar, resolve_window};
pub use scalar::ScalarFunction;
pub use window::{RankingFunction, WindowFunction};

/// Declares an enum of functions with their names (the first is the one shown) and signatures.
macro_rules! functions {
    ($(#[$doc:meta])* $enum:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = [$($name:literal),+]: [$($signature:literal),* $(,)?];)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[doc = $variant_doc])* $variant,)*
        }

        impl $enum {
            /// Every function, in the order of the registry.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its names, lower case; the first is the one shown.
            pub const fn names(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($name),+]),* }
            }

            /// Its signatures; the first that fits is taken.
            pub const fn signatures(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($signature),*]),* }
            }

            /// What it gives, in a sentence or two.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => concat!($($variant_doc),*)),* }
            }

            /// The name shown.
            pub const fn name(self) -> &'static str {
                self.names()[0]
            }

            /// The function of a lower-case name.
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|function| function.names().contains(&name))
            }
        }
    };
}
use functions;

impl ScalarFunction {
    /// Whether it may give another value the next time.
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Random | Self::Shuffle | Self::Uuid)
    }
}

#[cfg(test)]
mod tests;
