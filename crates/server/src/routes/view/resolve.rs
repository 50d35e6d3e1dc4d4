//! What a read of a view names, checked in the order of D24: filters, required filters, the generation with the rows, and
//! columns. The endpoint and the tool of a view share it.

use std::sync::Arc;

use rowhouse_engine::{
    Error as EngineError, ErrorKind, Generation, ProjectedColumn, Projection, ViewSnapshot,
};
use rowhouse_filters::{Filter, resolve_column};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::parameters::shown;

/// Filters, within their limits (D27), on columns that exist (D23).
pub(in crate::routes) fn filters(
    call: &Call,
    texts: Vec<&str>,
    of_token: &[String],
    names: &[&str],
) -> Result<Vec<Filter>> {
    let config = call.app.config.get();
    let limits = &config.limits;
    if texts.len() > limits.filters {
        return Err(Error::invalid(format!(
            "parameter filters is given {} times, the most is {}",
            texts.len(),
            limits.filters
        )));
    }
    let read = |text: &str| {
        if text.len() > limits.filter_bytes {
            let message = format!(
                "parameter filters: {} has {} bytes, the most is {}",
                shown(text),
                text.len(),
                limits.filter_bytes
            );
            return Err(Error::invalid(message));
        }
        let filter = Filter::parse(text, names)?;
        resolve_column(names, filter.column())?;
        Ok(filter)
    };
    // A token's filters apply in addition to those of the request; one that no longer matches the view refuses the
    // read.
    of_token.iter().map(String::as_str).chain(texts).map(read).collect()
}

/// The rows that a read with these filters selects from, if the filters are those that the view requires. `names` are the
/// view's columns.
///
/// # Errors
/// `UnmetRequiredFilters`; `ViewNotReady`: it has no rows yet.
pub(in crate::routes) fn readable_generation(
    view: &ViewSnapshot,
    filters: &[Filter],
    names: &[&str],
) -> Result<Arc<Generation>> {
    if let Some(message) = view.required.unmet(filters, names) {
        return Err(Error::UnmetRequiredFilters(message));
    }
    view.generation.clone().ok_or_else(|| {
        let reason = view.not_ready_reason.as_deref().unwrap_or("the view has no rows yet");
        EngineError::new(ErrorKind::ViewNotReady, reason).into()
    })
}

/// The columns at these places among `names`, or all.
pub(in crate::routes) fn projection(
    generation: &Generation,
    places: Option<Vec<usize>>,
    names: &[&str],
) -> Projection {
    let Some(places) = places else { return generation.projection().clone() };
    let named = places.into_iter().map(|index| ProjectedColumn { name: names[index].to_owned(), index });
    Projection::new(named.collect())
}
