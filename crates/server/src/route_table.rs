//! `routes!`: generates from the rows of one table the routes, their names in logs and metrics, the match of a path,
//! and the call of each endpoint.

/// The name of unknown paths in logs and metrics.
pub(crate) const UNKNOWN_ROUTE: &str = "unknown";

/// A row is `METHOD / "literal" / {parameter} => Route: answer;`. A parameter is a field of its route and a variable,
/// of type `String`, of its answer, which is of type `Result<Answer>` and may await. The rows of `elsewhere` are routes
/// that the router finds without the table; the table names and answers them.
macro_rules! routes {
    (
        $call:ident;
        elsewhere { $( $other:ident { $field:ident } $other_name:literal => $other_answer:expr; )* }
        $(
            $method:ident $( / $($literal:literal)? $({$parameter:ident})? )+ => $route:ident: $answer:expr;
        )*
    ) => {
        /// The route of a request.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Route {
            $( $other { $field: String }, )*
            $( $route { $( $($parameter: String,)? )+ }, )*
        }

        impl Route {
            /// The route's name in logs and metrics, without ids.
            pub(crate) const fn name(&self) -> &'static str {
                match self {
                    $( Self::$other { .. } => $other_name, )*
                    $(
                        Self::$route { .. } => concat!(
                            stringify!($method), " " $( , "/" $(, $literal)? $(, ":", stringify!($parameter))? )+
                        ),
                    )*
                }
            }
        }

        /// The route of a method and of a path's decoded segments.
        pub(crate) fn find(method: &http::Method, segments: &[&str]) -> Option<Route> {
            match segments {
                $(
                    [$( $($literal)? $($parameter)? ),+] if *method == http::Method::$method => {
                        Some(Route::$route { $( $($parameter: (*$parameter).to_owned(),)? )+ })
                    }
                )*
                _ => None,
            }
        }

        /// The methods of a path; none for an unknown path.
        pub(crate) fn methods_of(segments: &[&str]) -> Vec<http::Method> {
            let rows = [
                $( (http::Method::$method, matches!(segments, [$( $($literal)? $(routes!(@any $parameter))? ),+])), )*
            ];
            rows.into_iter().filter_map(|(method, matches)| matches.then_some(method)).collect()
        }

        /// Answers a request with a known route. The future of the endpoint is boxed, so that each request reserves
        /// and moves only the memory of its own endpoint, not that of the largest one.
        pub(crate) async fn dispatch($call: &mut Call, route: Route) -> Result<Answer> {
            match route {
                $( Route::$other { $field } => $other_answer, )*
                $( Route::$route { $( $($parameter,)? )+ } => Box::pin(async move { $answer }).await, )*
            }
        }
    };
    (@any $parameter:ident) => { _ };
}
