//! Interface B: the rows of a view, filtered, paged and projected. The order of checks is D24's: token and
//! workspace, view, format and columns of the parameters, required filters, readiness.

use std::time::{Duration, UNIX_EPOCH};

use http::header::{CACHE_CONTROL, ETAG, LAST_MODIFIED};
use http::{HeaderValue, StatusCode};
use rowhouse_engine::{Error as EngineError, ErrorKind, ProjectedColumn, RowShape, encode};
use rowhouse_filters::{Filter, resolve_column};
use rowhouse_model::Timestamp;

use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::entity_tag::EntityTag;
use crate::error::{Error, Result};
use crate::parameters::shown;
use crate::response::{Answer, AnswerBody, add_vary};
use crate::routes::row_format;
use crate::stream::{self, RowsHead};

pub(crate) async fn answer(call: &Call, workspace: &str, view: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    let view = engine.views().read(&access, checked_id("view", view)?).await?;

    let names: Vec<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
    let page = row_format::page(call)?;
    let format = row_format::format(call)?;
    let shape = row_format::shape(call)?.unwrap_or(RowShape::Objects);
    let filters = filters(call, &names)?;
    let columns = columns(call, &names)?;
    if let Some(message) = view.required.unmet(&filters, &names) {
        return Err(Error::UnmetRequiredFilters(message));
    }
    let Some(generation) = view.generation.clone() else {
        let reason = view.not_ready_reason.unwrap_or_else(|| "the view has no rows yet".to_owned());
        return Err(EngineError::new(ErrorKind::ViewNotReady, reason).into());
    };

    let filter_texts: Vec<String> = filters.iter().map(Filter::to_string).collect();
    let places: Vec<usize> = columns.iter().map(|column| column.index).collect();
    let asked = (view.record.id.as_str(), filter_texts, places, page.offset, page.limit, format, shape);
    let entity_tag = EntityTag::new(generation.number(), asked);
    let refreshed_at = generation.refreshed_at();
    let coding = Coding::of(&call.headers);
    let (mut answer, coding) = match entity_tag.matched(&call.headers, coding) {
        Some(known) => (not_modified(), known),
        None => {
            let head = RowsHead { content_type: row_format::content_type(format), coding };
            let encoders = &call.app.encoders;
            let rows = generation.file().clone();
            let at_once = match coding {
                Coding::Identity => generation.select_at_once(&filters, page.offset, page.limit)?,
                _ => None,
            };
            let answer = match at_once {
                Some(selection) => {
                    let source = encode(rows, &columns, selection, shape, format)?;
                    stream::rows_at_hand(encoders, head, source)?
                }
                None => {
                    let open = move || -> Result<_> {
                        let selection = generation.select(&filters, page.offset, page.limit)?;
                        Ok(encode(rows, &columns, selection, shape, format)?)
                    };
                    stream::rows(encoders, head, open).await?
                }
            };
            let is_coded = answer.headers().contains_key(http::header::CONTENT_ENCODING);
            (answer, if is_coded { coding } else { Coding::Identity })
        }
    };
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.extend(entity_tag.header(coding).map(|tag| (ETAG, tag)));
    headers.extend(http_date(refreshed_at).map(|date| (LAST_MODIFIED, date)));
    add_vary(&mut answer);
    Ok(answer)
}

/// `filters`, within their limits (D27), on columns that exist (D23).
fn filters(call: &Call, names: &[&str]) -> Result<Vec<Filter>> {
    let config = call.app.config.get();
    let limits = &config.limits;
    let texts = call.parameters.repeated("filters")?;
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
    texts.into_iter().map(read).collect()
}

/// `columnNames`, each column once, in the order of the request; all of them without it.
fn columns(call: &Call, names: &[&str]) -> Result<Vec<ProjectedColumn>> {
    let all = || (0..names.len()).collect();
    let places: Vec<usize> = match call.parameters.optional("columnNames")? {
        None => all(),
        Some(list) => {
            let mut places = Vec::new();
            for name in list.split(',') {
                if name.is_empty() {
                    return Err(Error::invalid(format!(
                        "parameter columnNames: {} holds an empty name",
                        shown(list)
                    )));
                }
                let place = resolve_column(names, name)?;
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            places
        }
    };
    Ok(places.into_iter().map(|index| ProjectedColumn { name: names[index].to_owned(), index }).collect())
}

fn not_modified() -> Answer {
    let mut answer = http::Response::new(AnswerBody::EMPTY);
    *answer.status_mut() = StatusCode::NOT_MODIFIED;
    answer
}

/// HTTP counts whole seconds; none for a time before 1970, which no refresh has.
fn http_date(moment: Timestamp) -> Option<HeaderValue> {
    let millis = u64::try_from(moment.as_millis()).ok()?;
    let time = UNIX_EPOCH.checked_add(Duration::from_millis(millis))?;
    HeaderValue::from_str(&httpdate::fmt_http_date(time)).ok()
}
