//! Rows for people: a table if it fits the terminal, else a block per row with a line per column.

use comfy_table::ContentArrangement;
use rowhouse_model::Column;
use serde_json::value::RawValue;

use super::super::listing::{align_right, grid};
use super::super::text::one_line;

/// With less width per column, cells would wrap every few letters.
const NARROWEST_COLUMN: usize = 12;

/// The table's text. `for_terminal`: it may be fitted to the terminal's width.
pub(super) fn render(columns: &[Column], rows: &[Vec<Box<RawValue>>], for_terminal: bool) -> String {
    let mut table = grid(columns.iter().map(|column| column.name.as_str()));
    if !for_terminal {
        table.set_content_arrangement(ContentArrangement::Disabled);
    }
    let width = table.width().filter(|_| for_terminal && table.is_tty()).map(usize::from);
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|value| cell(value)).collect()).collect();
    if width.is_some_and(|width| !fits(columns, &cells, width)) {
        return blocks(columns, &cells);
    }
    for row in cells {
        table.add_row(row);
    }
    for (index, column) in columns.iter().enumerate() {
        if is_numeric(&column.type_signature.raw_type) {
            align_right(&mut table, index);
        }
    }
    format!("{table}\n")
}

/// Whether the table needs no wrapping, or wraps at a readable width.
fn fits(columns: &[Column], rows: &[Vec<String>], width: usize) -> bool {
    let natural: usize = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.chars().count());
            // Two spaces and a border surround each cell.
            cells.chain([column.name.chars().count()]).max().unwrap_or_default() + 3
        })
        .sum();
    natural < width || columns.len() * NARROWEST_COLUMN < width
}

fn blocks(columns: &[Column], rows: &[Vec<String>]) -> String {
    let name_width = columns.iter().map(|column| column.name.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        text.push_str(&format!("─[ row {} ]─\n", number + 1));
        for (column, cell) in columns.iter().zip(row) {
            text.push_str(&format!("{:name_width$} │ {cell}\n", one_line(&column.name)));
        }
    }
    text
}

/// A string without its quotes, anything else as the server wrote it.
fn cell(value: &RawValue) -> String {
    match value.get() {
        "null" => "NULL".to_owned(),
        text if text.starts_with('"') => {
            let string: String = serde_json::from_str(text).unwrap_or_else(|_| text.to_owned());
            one_line(&string).into_owned()
        }
        text => one_line(text).into_owned(),
    }
}

fn is_numeric(raw_type: &str) -> bool {
    matches!(raw_type, "tinyint" | "smallint" | "integer" | "bigint" | "real" | "double" | "decimal")
}

#[cfg(test)]
mod tests {
    use rowhouse_model::Column;
    use serde_json::value::RawValue;

    use super::{blocks, cell, fits, render};

    fn values(row: &[&str]) -> Vec<Box<RawValue>> {
        row.iter().map(|text| RawValue::from_string((*text).to_owned()).expect("JSON")).collect()
    }

    fn columns() -> [Column; 2] {
        [Column::new("name", "varchar"), Column::new("price", "decimal(20,2)")]
    }

    #[test]
    fn numbers_are_right_aligned_and_keep_their_digits() {
        let rows = [values(&["\"a\\nb\"", "123456789012345678.90"]), values(&["null", "1.00"])];
        assert_eq!(
            render(&columns(), &rows, false),
            "\
┌──────┬───────────────────────┐
│ name ┆                 price │
╞══════╪═══════════════════════╡
│ a\\nb ┆ 123456789012345678.90 │
│ NULL ┆                  1.00 │
└──────┴───────────────────────┘
"
        );
    }

    #[test]
    fn values_cannot_control_the_terminal() {
        assert_eq!(cell(&values(&["\"\\u001b[2J\""])[0]), "\\u{1b}[2J");
        assert_eq!(cell(&values(&["[1, null]"])[0]), "[1, null]");
    }

    #[test]
    fn rows_that_do_not_fit_are_written_as_blocks() {
        let rows = [vec!["x".repeat(50), "1".to_owned()]];
        assert!(fits(&columns(), &rows, 70), "as it is");
        assert!(fits(&columns(), &rows, 40), "two columns can wrap");
        let wide = vec![Column::new("c", "varchar"); 16];
        assert!(!fits(&wide, &[vec!["y".repeat(9); 16]], 100));
        assert_eq!(
            blocks(&columns(), &[vec!["a".to_owned(), "1.00".to_owned()]]),
            "─[ row 1 ]─\nname  │ a\nprice │ 1.00\n"
        );
    }
}
