//! What a read of a view names, checked in the order of D24: filters, required filters, the generation with the rows, and
//! columns. The endpoint and the tool of a view share it.

use std::sync::Arc;

use rowhouse_engine::{
    Error as EngineError, ErrorKind, Generation, ProjectedColumn, Projection, ViewSnapshot,
};
use rowhouse_filters::{ColumnNames, Filter};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::parameters::shown;

/// Filters, within their limits (D27), on columns that exist (D23).
pub(in crate::routes) fn filters<'t>(
    call: &Call,
    texts: impl Iterator<Item = Result<&'t str>> + Clone,
    of_token: &'t [String],
    names: &[&str],
) -> Result<Vec<Filter>> {
    let limits = &call.config.limits;
    let mut count = 0;
    for text in texts.clone() {
        text?;
        count += 1;
    }
    if count > limits.filters {
        return Err(Error::invalid(format!(
            "parameter filters is given {count} times, the most is {}",
            limits.filters
        )));
    }
    let columns = ColumnNames::new(names);
    let mut filters = Vec::with_capacity(of_token.len() + count);
    // A token's filters apply in addition to those of the request; one that no longer matches the view refuses the
    // read.
    for text in of_token.iter().map(|text| Ok(text.as_str())).chain(texts) {
        let text = text?;
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
        columns.resolve(filter.column())?;
        filters.push(filter);
    }
    Ok(filters)
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
