//! Lists and single objects on standard output: a table that fits the terminal, or JSON; and the flags of the commands
//! that list.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use super::connection::{ConnectionFlags, WorkspaceFlags};
use super::failure::Failure;
use super::text::one_line;

/// How a list is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// Table for people
    #[default]
    Table,
    /// JSON for programs, as the server returned it
    Json,
}

// Lists objects of the server. Not a doc comment, which would become the commands' help.
#[derive(Debug, Args)]
pub(super) struct ListOfServer {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ListFormat,
    #[command(flatten)]
    pub(super) connection: ConnectionFlags,
}

// Lists objects of a workspace; no doc comment, as above.
#[derive(Debug, Args)]
pub(super) struct ListOfWorkspace {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ListFormat,
    #[command(flatten)]
    pub(super) workspace: WorkspaceFlags,
}

/// An object that can be a row of a table.
pub(super) trait Listed: Serialize {
    /// The table's head.
    const HEADERS: &'static [&'static str];

    /// A row, a cell for each header.
    fn cells(&self) -> Vec<String>;
}

/// One thing: its JSON, or a table of one row.
pub(super) fn print_one<T: Listed>(format: ListFormat, item: &T) -> Result<(), Failure> {
    match format {
        ListFormat::Json => print_json(item),
        ListFormat::Table => print_table::<T>(std::slice::from_ref(item)),
    }
}

/// Several things: a JSON array, or a table.
pub(super) fn print_all<T: Listed>(format: ListFormat, items: &[T]) -> Result<(), Failure> {
    match format {
        ListFormat::Json => print_json(items),
        ListFormat::Table => print_table(items),
    }
}

/// Writes a text, and fails if its reader is gone.
pub(super) fn print_text(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// A table with this head; on a terminal its cells wrap so that it fits.
pub(super) fn grid<'h>(headers: impl IntoIterator<Item = &'h str>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    let is_terminal = table.is_tty();
    table.set_content_arrangement(match is_terminal {
        true => ContentArrangement::Dynamic,
        false => ContentArrangement::Disabled,
    });
    table.set_header(headers.into_iter().map(one_line));
    table
}

/// Right-aligns a column's cells, as numbers are.
pub(super) fn align_right(table: &mut Table, index: usize) {
    if let Some(column) = table.column_mut(index) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// A value as the server returned it.
pub(super) fn print_json<T: Serialize + ?Sized>(value: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::Refused(format!("the answer cannot be printed as JSON: {error}")))?;
    print_text(&(text + "\n"))
}

fn print_table<T: Listed>(items: &[T]) -> Result<(), Failure> {
    let mut table = grid(T::HEADERS.iter().copied());
    for item in items {
        table.add_row(item.cells().iter().map(|cell| one_line(cell).into_owned()));
    }
    print_text(&format!("{table}\n"))
}
