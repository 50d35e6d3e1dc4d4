//! Interface B: the rows of a view, filtered, ordered, paged, projected and counted (D46). The order of checks is D24's: token and
//! workspace, view, format and columns of the parameters, required filters, readiness.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use http::HeaderValue;
use http::header::{CACHE_CONTROL, ETAG, LAST_MODIFIED};
use rowhouse_engine::{Generation, Progress, RowOrder, RowSelection, RowShape, encode};
use rowhouse_filters::Filter;
use rowhouse_model::Timestamp;

use super::resolve::{filters, projection, readable_generation};
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::entity_tag::EntityTag;
use crate::error::Result;
use crate::response::{Answer, add_vary, not_modified};
use crate::routes::row_format::{self, Page};
use crate::stream::{self, RowsHead};

pub(crate) async fn answer(call: &Call, workspace: &str, view: &str) -> Result<Answer> {
    let principal = call.reader()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    let view = engine.views().read(&access, checked_id("view", view)?).await?;

    let names: Vec<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
    let page = row_format::page(call)?;
    let format = row_format::format(call)?;
    let shape = row_format::shape(call)?.unwrap_or(RowShape::Objects);
    let filters = filters(call, call.parameters.each("filters"), &view.token_filters, &names)?;
    let places = call.parameters.optional("columnNames")?;
    let places = places.map(|list| row_format::places(list, &names)).transpose()?;
    let order = call.parameters.optional("orderBy")?;
    let order = order.map(|text| row_format::order(text, &names)).transpose()?;
    let is_counted = call.parameters.choice("count", &[("exact", ())])?.is_some();
    let generation = readable_generation(&view, &filters, &names)?;

    let rows = (page.offset, page.limit, order, is_counted);
    let asked = (view.record.id.as_str(), &filters, &places, rows, format, shape);
    let entity_tag = EntityTag::new(generation.number(), asked);
    let refreshed_at = generation.refreshed_at();
    let coding = Coding::of(&call.headers);
    let (mut answer, coding) = match entity_tag.matched(&call.headers, coding) {
        Some(known) => (not_modified(), known),
        None => {
            let columns = projection(&generation, places, &names);
            let memory = call.app.answer_memory.clone();
            let head = RowsHead { content_type: row_format::content_type(format), coding, memory };
            let count = if is_counted { Some(count(call, &generation, &filters).await?) } else { None };
            let encoders = &call.app.encoders;
            let rows = generation.file().clone();
            let at_once = match coding {
                Coding::Identity => select_at_once(&generation, &filters, order, page)?,
                _ => None,
            };
            let mut answer = match at_once {
                Some(selection) => {
                    let source = encode(rows, &columns, selection, shape, format)?;
                    stream::rows_at_hand(encoders, || Share::of(&call.note), head, source)?
                }
                None => {
                    let mut search = generation.search(&filters, order, page.offset, page.limit)?;
                    let memory_bytes = search.memory_bytes();
                    let open = move |budget: &mut _| -> Result<_> {
                        let Progress::Done(selection) = search.advance(budget)? else {
                            return Ok(Progress::Paused);
                        };
                        let source = encode(Arc::clone(&rows), &columns, selection, shape, format)?;
                        Ok(Progress::Done(source))
                    };
                    stream::rows(encoders, Share::of(&call.note), head, memory_bytes, open).await?
                }
            };
            if let Some(count) = count {
                answer.headers_mut().insert(row_format::X_TOTAL_COUNT, HeaderValue::from(count));
            }
            let is_coded =
                coding != Coding::Identity && answer.headers().contains_key(http::header::CONTENT_ENCODING);
            (answer, if is_coded { coding } else { Coding::Identity })
        }
    };
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Some(tag) = entity_tag.header(coding) {
        headers.insert(ETAG, tag);
    }
    if let Some(date) = http_date(refreshed_at) {
        headers.insert(LAST_MODIFIED, date);
    }
    add_vary(&mut answer);
    Ok(answer)
}

fn select_at_once(
    generation: &Generation,
    filters: &[Filter],
    order: Option<RowOrder>,
    page: Page,
) -> Result<Option<RowSelection>> {
    Ok(match order {
        None => generation.select_at_once(filters, page.offset, page.limit)?,
        Some(order) => generation.select_ordered_at_once(filters, order, page.offset, page.limit)?,
    })
}

/// Number of rows that satisfy the filters, regardless of the page.
async fn count(call: &Call, generation: &Arc<Generation>, filters: &[Filter]) -> Result<u64> {
    if let Some(count) = generation.count_at_once(filters)? {
        return Ok(count);
    }
    let mut count = generation.begin_count(filters)?;
    let memory_bytes = count.memory_bytes();
    let work = move |budget: &mut _| Ok(count.advance(budget)?);
    call.app.encoders.submit(Share::of(&call.note), memory_bytes, work).await
}

/// HTTP counts whole seconds; none for a time before 1970, which no refresh has. Each thread keeps some dates: a view has
/// the same one until it is refreshed.
fn http_date(moment: Timestamp) -> Option<HeaderValue> {
    const KEPT: usize = 64;
    thread_local! {
        static DATES: RefCell<[Option<(u64, HeaderValue)>; KEPT]> = const { RefCell::new([const { None }; KEPT]) };
    }
    let second = u64::try_from(moment.as_millis()).ok()? / 1000;
    DATES.with_borrow_mut(|dates| {
        let kept = &mut dates[second as usize % KEPT];
        if let Some((_, date)) = kept.as_ref().filter(|(of, _)| *of == second) {
            return Some(date.clone());
        }
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(second))?;
        let date = HeaderValue::try_from(httpdate::fmt_http_date(time)).ok()?;
        Some(kept.insert((second, date)).1.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_their_seconds() {
        for _ in 0..2 {
            for second in [0, 1, 63, 64, 65, 1_709_251_199, 1_709_251_199 + 64, 253_402_300_799] {
                for millis in [0, 999] {
                    let expected = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
                    let found = http_date(Timestamp::from_millis(second as i64 * 1000 + millis));
                    assert_eq!(found.expect("a date"), expected.as_str());
                }
            }
        }
        assert!(http_date(Timestamp::from_millis(-1)).is_none());
    }
}
