//! Parses RFC 4180, with the one addition that an empty field without quotes is NULL.

/// Records of fields.
pub(super) fn read(text: &str) -> Vec<Vec<Option<String>>> {
    let mut records = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut record = Vec::new();
        loop {
            let (field, after) = field(rest);
            record.push(field);
            match after.strip_prefix(',') {
                Some(after) => rest = after,
                None => {
                    rest = after.strip_prefix("\r\n").expect("a record ends with CRLF");
                    break;
                }
            }
        }
        records.push(record);
    }
    records
}

fn field(text: &str) -> (Option<String>, &str) {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\r', '\n', '"']).expect("a field ends");
        return ((end > 0).then(|| text[..end].to_owned()), &text[end..]);
    };
    let mut field = String::new();
    loop {
        let end = rest.find('"').expect("a quoted field ends");
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => return (Some(field), rest),
        }
    }
}
