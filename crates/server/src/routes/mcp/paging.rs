//! Pages of lists, with cursors that are opaque to the client.

use rmcp::model::{ErrorData, PaginatedRequestParams};

/// Maximum number of elements of a page.
const PAGE_LENGTH: usize = 100;
/// Approximate maximum bytes of a page's elements as JSON: the first element is always returned.
const PAGE_BYTES: usize = 256 << 10;

/// A page of a list.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) elements: Vec<T>,
    /// None on the last page.
    pub(super) next_cursor: Option<String>,
}

/// A page of elements. A cursor is the key of the last element of the previous page, so that concurrent additions and
/// removals neither repeat nor hide other elements. `keys` are sorted and unique.
pub(super) fn page<K, T>(
    keys: impl IntoIterator<Item = K>,
    key: impl Fn(&K) -> &str,
    params: Option<&PaginatedRequestParams>,
    mut element: impl FnMut(K) -> Result<(T, usize), ErrorData>,
) -> Result<Page<T>, ErrorData> {
    let cursor = params.and_then(|params| params.cursor.as_deref()).map(decoded).transpose()?;
    let mut behind = keys
        .into_iter()
        .skip_while(|one| cursor.as_ref().is_some_and(|cursor| key(one) <= cursor.as_str()))
        .peekable();
    let (mut elements, mut bytes, mut last) = (Vec::new(), 0, None);
    while elements.len() < PAGE_LENGTH && (elements.is_empty() || bytes < PAGE_BYTES) {
        let Some(next) = behind.next() else { break };
        last = Some(encoded(key(&next)));
        let (made, length) = element(next)?;
        bytes += length;
        elements.push(made);
    }
    let next_cursor = last.filter(|_| behind.peek().is_some());
    Ok(Page { elements, next_cursor })
}

fn encoded(key: &str) -> String {
    key.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded(cursor: &str) -> Result<String, ErrorData> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = cursor.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    let text = bytes.collect::<Option<Vec<u8>>>().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| {
        let cursor = rowhouse_model::excerpt(cursor);
        ErrorData::invalid_params(format!("the cursor '{cursor}' is none that this server has given"), None)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_contain_each_element_once() {
        let names: Vec<String> = (0..250).map(|number| format!("tool_{number:03}_é")).collect();
        for size in [1, 10 << 10] {
            let (mut found, mut cursor, mut pages) = (Vec::new(), None, 0);
            loop {
                let params = PaginatedRequestParams::default().with_cursor(cursor.take());
                let page = page(names.iter(), |name| name, Some(&params), |name| Ok((name.clone(), size)))
                    .expect("a page");
                found.extend(page.elements);
                pages += 1;
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(found, names);
            assert_eq!(pages, if size == 1 { 3 } else { 10 });
        }
        let wrong = PaginatedRequestParams::default().with_cursor(Some("xyz".to_owned()));
        let refused = page(names.iter(), |name| name, Some(&wrong), |name| Ok((name.clone(), 1)));
        assert_eq!(refused.expect_err("a wrong cursor").code.0, -32602);
    }
}
