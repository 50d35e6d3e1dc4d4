//! Lists as JSON, written while they are read: memory does not grow with the number of elements, and a text of a
//! megabyte is in memory only while it is written.

use std::collections::VecDeque;
use std::fmt;

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use rowhouse_rows::{
    Budget, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Error as RowsError, Progress, Result as RowsResult,
};

/// Cost of an element besides one step for each of its bytes: the look-up in the store.
const STEPS_PER_ELEMENT: u64 = 10_000;

/// The elements of a list in order. They are read from storage: not for the reactor.
pub(crate) trait Elements: Send {
    /// Approximate memory that reading and writing the next element takes; none after the last.
    fn next_bytes(&mut self) -> Result<Option<usize>>;

    /// Appends the next element as JSON. If it was deleted meanwhile, nothing is appended and the answer is false.
    fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool>;
}

/// A list being written.
pub(crate) struct JsonList<E> {
    elements: E,
    /// Text before the first element, until it is written.
    prefix: String,
    /// Text after the last element.
    suffix: String,
    has_element: bool,
    has_ended: bool,
    /// The chunk being written.
    json: Vec<u8>,
    /// Written bytes that are not returned yet.
    rest: Bytes,
    /// Size of the buffer of `rest`.
    rest_bytes: usize,
    /// The announced size of the next chunk.
    told_bytes: usize,
}

impl<E: Elements> JsonList<E> {
    /// An array.
    pub(crate) fn new(elements: E) -> Self {
        Self::within("[", elements, "]")
    }

    /// An array with surrounding text, which includes its brackets.
    pub(crate) fn within(prefix: impl Into<String>, elements: E, suffix: impl Into<String>) -> Self {
        Self {
            elements,
            prefix: prefix.into(),
            suffix: suffix.into(),
            has_element: false,
            has_ended: false,
            json: Vec::new(),
            rest: Bytes::new(),
            rest_bytes: 0,
            told_bytes: CHUNK_MEMORY_BYTES,
        }
    }

    /// Writes elements until a chunk is full, the next one takes more memory than was announced, or there are no more;
    /// false if the budget is spent before.
    fn write(&mut self, budget: &mut Budget) -> Result<bool> {
        self.json.append(&mut std::mem::take(&mut self.prefix).into_bytes());
        while self.json.len() < CHUNK_BYTES {
            let Some(next_bytes) = self.elements.next_bytes()? else {
                self.has_ended = true;
                self.json.extend_from_slice(self.suffix.as_bytes());
                break;
            };
            if next_bytes > self.told_bytes {
                self.told_bytes = next_bytes;
                return Ok(true);
            }
            if budget.is_spent() {
                return Ok(false);
            }
            let before = self.json.len();
            if self.has_element {
                self.json.push(b',');
            }
            if self.elements.write_next(&mut self.json)? {
                self.has_element = true;
            } else {
                self.json.truncate(before);
            }
            budget.spend(STEPS_PER_ELEMENT + (self.json.len() - before) as u64);
        }
        self.told_bytes = CHUNK_MEMORY_BYTES;
        Ok(true)
    }
}

impl<E: Elements> ChunkSource for JsonList<E> {
    fn advance(&mut self, budget: &mut Budget) -> RowsResult<Progress<Option<Bytes>>> {
        if self.rest.is_empty() {
            if self.has_ended {
                return Ok(Progress::Done(None));
            }
            match self.write(budget) {
                Ok(true) => {}
                Ok(false) => return Ok(Progress::Paused),
                Err(error) => {
                    // Nothing is returned after an error.
                    self.has_ended = true;
                    return Err(RowsError::internal(format!("writing a list: {error}"), error));
                }
            }
            self.rest = std::mem::take(&mut self.json).into();
            self.rest_bytes = self.rest.len();
        }
        let chunk = self.rest.split_to(self.rest.len().min(CHUNK_BYTES));
        if self.rest.is_empty() {
            self.rest = Bytes::new();
            self.rest_bytes = 0;
        }
        Ok(Progress::Done(Some(chunk)))
    }

    fn next_chunk_bytes(&self) -> usize {
        if self.rest.is_empty() { self.told_bytes } else { CHUNK_MEMORY_BYTES }
    }

    fn held_bytes(&self) -> usize {
        self.rest_bytes + self.json.capacity()
    }
}

/// Elements that are already in memory.
pub(crate) struct InMemory<I, W> {
    elements: std::vec::IntoIter<I>,
    /// Approximate memory for writing one.
    weigh: fn(&I) -> usize,
    write: W,
}

impl<I, W: FnMut(I, &mut Vec<u8>) -> Result<()> + Send> InMemory<I, W> {
    pub(crate) fn new(elements: Vec<I>, weigh: fn(&I) -> usize, write: W) -> Self {
        Self { elements: elements.into_iter(), weigh, write }
    }
}

impl<I: Send, W: FnMut(I, &mut Vec<u8>) -> Result<()> + Send> Elements for InMemory<I, W> {
    fn next_bytes(&mut self) -> Result<Option<usize>> {
        Ok(self.elements.as_slice().first().map(self.weigh))
    }

    fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool> {
        let Some(element) = self.elements.next() else { return Ok(false) };
        (self.write)(element, json).map(|()| true)
    }
}

/// A list of small elements.
pub fn json_list<T: Serialize + Send + 'static>(elements: Vec<T>) -> Box<dyn ChunkSource> {
    let elements =
        InMemory::new(elements, |_| CHUNK_MEMORY_BYTES, |element, json| write_json(&element, json));
    Box::new(JsonList::new(elements))
}

/// The members of a JSON object, each written from an element, with surrounding text that includes the braces. `weigh` is
/// the approximate memory for writing one.
pub fn json_members<T: Send + 'static>(
    prefix: impl Into<String>,
    elements: Vec<T>,
    weigh: fn(&T) -> usize,
    member: fn(T) -> (String, Value),
    suffix: impl Into<String>,
) -> Box<dyn ChunkSource> {
    let elements = InMemory::new(elements, weigh, move |element, json| {
        let (name, value) = member(element);
        write_json(&name, json)?;
        json.push(b':');
        write_json(&value, json)
    });
    Box::new(JsonList::within(prefix, elements, suffix))
}

/// Texts that are written one after the other.
pub fn one_after_the_other(parts: Vec<Box<dyn ChunkSource>>) -> Box<dyn ChunkSource> {
    Box::new(Sequence { parts: parts.into() })
}

/// Sources of which the first that is not at its end is read.
struct Sequence {
    parts: VecDeque<Box<dyn ChunkSource>>,
}

impl ChunkSource for Sequence {
    fn advance(&mut self, budget: &mut Budget) -> RowsResult<Progress<Option<Bytes>>> {
        while let Some(part) = self.parts.front_mut() {
            match part.advance(budget)? {
                Progress::Done(None) => drop(self.parts.pop_front()),
                other => return Ok(other),
            }
        }
        Ok(Progress::Done(None))
    }

    fn next_chunk_bytes(&self) -> usize {
        self.parts.front().map_or(CHUNK_MEMORY_BYTES, |part| part.next_chunk_bytes())
    }

    fn held_bytes(&self) -> usize {
        self.parts.front().map_or(0, |part| part.held_bytes())
    }
}

/// Appends a value as JSON.
pub(crate) fn write_json(value: &impl Serialize, json: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(json, value).map_err(|error| Error::internal("writing an element of a list", error))
}

impl<E> fmt::Debug for JsonList<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonList").field("has_ended", &self.has_ended).finish_non_exhaustive()
    }
}

/// Reads a list completely.
#[cfg(test)]
pub(crate) fn read_whole<T: serde::de::DeserializeOwned>(list: Result<Box<dyn ChunkSource>>) -> Result<T> {
    let mut list = list?;
    let mut json = Vec::new();
    while let Some(chunk) = list.next_chunk()? {
        json.extend_from_slice(&chunk);
    }
    Ok(serde_json::from_slice(&json).expect("a list is JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(mut list: impl ChunkSource) -> (String, Vec<usize>) {
        let (mut json, mut announced) = (Vec::new(), Vec::new());
        loop {
            announced.push(list.next_chunk_bytes());
            let Some(chunk) = list.next_chunk().expect("written") else { break };
            assert!(chunk.len() <= CHUNK_BYTES, "{}", chunk.len());
            json.extend_from_slice(&chunk);
        }
        assert!(list.next_chunk().expect("ended").is_none());
        (String::from_utf8(json).expect("UTF-8"), announced)
    }

    fn of(texts: Vec<String>) -> JsonList<impl Elements> {
        JsonList::new(InMemory::new(texts, String::len, |text, json| write_json(&text, json)))
    }

    #[test]
    fn elements_of_any_length_form_a_json_array() {
        let check = |lengths: &[usize]| {
            let texts: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
            let (json, announced) = drained(of(texts.clone()));
            assert!(json == serde_json::to_string(&texts).expect("JSON"), "{lengths:?}");
            let longest = lengths.iter().copied().max().unwrap_or_default();
            assert_eq!(announced.into_iter().max(), Some(longest.max(CHUNK_MEMORY_BYTES)), "{lengths:?}");
        };
        check(&[]);
        check(&[0]);
        check(&[5, 5]);
        check(&[CHUNK_BYTES - 3]);
        check(&[CHUNK_BYTES, 1]);
        check(&[1, 1 << 20, 1, 1 << 20, 1 << 20]);
        check(&vec![100; 10_000]);
    }

    #[test]
    fn the_json_is_the_same_for_any_budget_per_turn() {
        let texts: Vec<String> = [5, 0, CHUNK_BYTES, 1 << 20, 7, 7].map(|length| "x".repeat(length)).into();
        let mut list = of(texts.clone());
        let (mut json, mut pauses) = (Vec::new(), 0);
        loop {
            match list.advance(&mut Budget::new(1)).expect("written") {
                Progress::Done(Some(chunk)) => json.extend_from_slice(&chunk),
                Progress::Done(None) => break,
                Progress::Paused => pauses += 1,
            }
        }
        assert!(json == serde_json::to_vec(&texts).expect("JSON"));
        assert!(pauses >= 2, "{pauses}");
    }

    #[test]
    fn members_of_objects_follow_each_other() {
        let check = |first: &[u32], second: &[u32], expected: &str| {
            let members = |prefix: &str, numbers: &[u32], suffix: &str| {
                let member = |number: u32| (format!("\"{number}"), Value::from(number));
                json_members(prefix, numbers.to_vec(), |_| 1 << 20, member, suffix)
            };
            let parts = vec![members("{\"a\":{", first, "},"), members("\"b\":{", second, "}}")];
            let (json, announced) = drained(one_after_the_other(parts));
            assert_eq!(json, expected);
            let is_announced = announced.contains(&(1 << 20));
            assert_eq!(is_announced, !first.is_empty() || !second.is_empty());
        };
        check(&[], &[], r#"{"a":{},"b":{}}"#);
        check(&[1, 2], &[], r#"{"a":{"\"1":1,"\"2":2},"b":{}}"#);
        check(&[], &[3], r#"{"a":{},"b":{"\"3":3}}"#);
        check(&[1], &[2, 3], r#"{"a":{"\"1":1},"b":{"\"2":2,"\"3":3}}"#);
    }

    #[test]
    fn deleted_elements_leave_no_comma() {
        struct Every(u32);
        impl Elements for Every {
            fn next_bytes(&mut self) -> Result<Option<usize>> {
                Ok((self.0 < 7).then_some(1))
            }
            fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool> {
                self.0 += 1;
                write_json(&self.0, json)?;
                Ok(self.0 % 3 == 2)
            }
        }
        assert_eq!(drained(JsonList::within("{\"a\":[", Every(0), "]}")).0, "{\"a\":[2,5]}");
    }

    #[test]
    fn no_chunk_follows_an_error() {
        struct Faulty;
        impl Elements for Faulty {
            fn next_bytes(&mut self) -> Result<Option<usize>> {
                Ok(Some(1))
            }
            fn write_next(&mut self, _: &mut Vec<u8>) -> Result<bool> {
                Err(Error::internal("reading", "planned"))
            }
        }
        let mut list = JsonList::new(Faulty);
        assert!(list.next_chunk().is_err());
        assert!(list.next_chunk().expect("nothing").is_none());
    }
}
