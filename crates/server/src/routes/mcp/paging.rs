//! Pages of lists, by cursors that the client gives back as they are.

use rmcp::model::{ErrorData, PaginatedRequestParams};

/// Elements of a page.
const PAGE_LENGTH: usize = 100;
/// Bytes of a page's elements as JSON, about: the first is given at any rate.
const PAGE_BYTES: usize = 256 << 10;

/// A part of a list.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) elements: Vec<T>,
    /// None on the last page.
    pub(super) next_cursor: Option<String>,
}

/// The keys behind which the elements of a page stand: a cursor is the key of the last one of the page before it, so that
/// what comes and goes meanwhile neither repeats nor hides another one. `keys` are in order, and each but once.
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
    fn pages_are_the_whole_list_each_element_once() {
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
