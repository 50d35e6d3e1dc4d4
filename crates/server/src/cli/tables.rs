//! `rowhouse table …`

use clap::{Args, Subcommand, ValueEnum};
use rowhouse_model::{Table, TableFormat};

use super::connection::WorkspaceFlags;
use super::failure::Failure;
use super::listing::{ListFormat, ListOfWorkspace, Listed, print_all, print_one};

/// Commands for a workspace's tables.
#[derive(Debug, Subcommand)]
pub(super) enum TableCommand {
    /// Add a table: a name in SQL for files (admins)
    Add(Add),
    /// List tables
    List(ListOfWorkspace),
    /// Remove a table; its files stay (admins)
    Remove(Remove),
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Name in SQL: a-z, 0-9 and _
    name: String,
    /// File, glob or folder; a relative path is resolved in the server's working directory
    location: String,
    /// Format of the files [default: by their extension]
    #[arg(long, value_enum)]
    file_format: Option<FileFormat>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Name in SQL
    name: String,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FileFormat {
    Parquet,
    Csv,
    Ndjson,
    Arrow,
}

impl TableCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Add(Add { name, location, file_format, format, workspace }) => {
                let file_format = file_format.map(|format| match format {
                    FileFormat::Parquet => TableFormat::Parquet,
                    FileFormat::Csv => TableFormat::Csv,
                    FileFormat::Ndjson => TableFormat::Ndjson,
                    FileFormat::Arrow => TableFormat::Arrow,
                });
                let table = workspace.open().await?.create_table(&name, &location, file_format).await?;
                print_one(format, &table)
            }
            Self::List(ListOfWorkspace { format, workspace }) => {
                print_all(format, &workspace.open().await?.tables().await?)
            }
            Self::Remove(Remove { name, workspace }) => {
                workspace.open().await?.remove_table(&name).await?;
                Ok(())
            }
        }
    }
}

impl Listed for Table {
    const HEADERS: &'static [&'static str] = &["name", "rows", "columns", "format", "location"];

    fn cells(&self) -> Vec<String> {
        let Table { name, location, format, columns, row_count } = self;
        let format = match format {
            TableFormat::Parquet => "parquet",
            TableFormat::Csv => "csv",
            TableFormat::Ndjson => "ndjson",
            TableFormat::Arrow => "arrow",
        };
        let columns: Vec<String> =
            columns.iter().map(|column| format!("{} {}", column.name, column.type_name)).collect();
        let rows = row_count.map_or_else(String::new, |count| count.to_string());
        vec![name.clone(), rows, columns.join(", "), format.to_owned(), location.clone()]
    }
}
