//! The function registry: names, signatures and kinds. The analyzer resolves calls with it, the executor matches its
//! enums exhaustively, and a test checks `docs/sql.md` against it.
//!
//! A signature is text: `(bigint, [T], varchar?) [T]`. `T` and `U` stand for any type, the same at each occurrence;
//! `[T]` is an array of it. `decimal`, `timestamp`, `timestamptz` and `time` stand for any precision, and as a result
//! for that of the first such argument. `varchar` stands for any length, and as a result for no length; `varchar(x)`
//! has the same length at each occurrence. `?` marks an optional parameter, `...` one that is repeated, once or more.

mod aggregate;
mod array_aggregate;
mod date_part;
mod map;
mod resolve;
mod scalar;
mod sketch;
mod window;

pub use aggregate::AggregateFunction;
pub use array_aggregate::{AGGREGATE_FORMS, ArrayAggregate, STANDARD_ERRORS};
pub use resolve::{Resolution, ResolveError, resolve_aggregate, resolve_scalar, resolve_window};
pub use scalar::ScalarFunction;
pub use window::{RankingFunction, WindowFunction};

/// Declares an enum of functions with their names (the first is the displayed one) and signatures.
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

            /// The function's names in lower case; the first is the displayed one.
            pub const fn names(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($name),+]),* }
            }

            /// The function's signatures; the first that fits is used.
            pub const fn signatures(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($signature),*]),* }
            }

            /// A description of the result, in one or two sentences.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => concat!($($variant_doc),*)),* }
            }

            /// The displayed name.
            pub const fn name(self) -> &'static str {
                self.names()[0]
            }

            /// The function with a name in lower case.
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|function| function.names().contains(&name))
            }
        }
    };
}
use functions;

impl ScalarFunction {
    /// Whether its result may differ between calls with the same arguments.
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Random | Self::Shuffle | Self::Uuid)
    }

    /// Whether only the planner makes calls of it; no statement can name it.
    pub const fn is_internal(self) -> bool {
        use ScalarFunction::{Fails, InRowZone, JsonTable, LikePattern, OfGroup, Routine};
        matches!(self, Fails | InRowZone | JsonTable | LikePattern | OfGroup | Routine)
    }
}

#[cfg(test)]
mod tests;
