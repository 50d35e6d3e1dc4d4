//! The size of a value as JSON, which is not kept.

use std::io;

use serde::Serialize;

/// Bytes of a value as JSON; 0 if it has no such form.
pub fn json_bytes(value: &(impl Serialize + ?Sized)) -> usize {
    let mut counted = Counted(0);
    match serde_json::to_writer(&mut counted, value) {
        Ok(()) => counted.0,
        Err(_) => 0,
    }
}

/// Counts written bytes.
struct Counted(usize);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_that_of_the_written_text() {
        for text in ["", "a", "\"\n\u{1}ä"] {
            assert_eq!(
                json_bytes(text),
                serde_json::to_string(text).expect("it is written").len(),
                "{text:?}"
            );
        }
        assert_eq!(json_bytes(&[1, 22]), "[1,22]".len());
    }
}
