//! Runs a statement from its text to its result file, or to its output columns.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use polars::prelude::{LazyFrame, col};
use rowhouse_model::{Column, OutputStage, QueryError, QueryStats};

use crate::attempt::{Attempt, is_light};
use crate::column::column_name;
use crate::expression::cast_value;
use crate::lower::{executes_parts, lower, row_counts};
use crate::measure::{Measurement, millis};
use crate::numeric::DecimalSums;
use crate::plan_cache;
use crate::scan::{TableScan, clear_column_cache};
use crate::sink::{self, Output};
use crate::spill::Spill;
use crate::tables::{Samples, Tables};
use crate::{data_type, failure};
use rowhouse_executor::columns::check_columns;
use rowhouse_executor::protocol::SampleTable;
use rowhouse_executor::{Execution, ExecutionEvent, OutputLimit, SpillLimits, Statement};
use rowhouse_rows::unique_names;
use rowhouse_sql::stages::{self, Written};
use rowhouse_sql::types::Type;
use rowhouse_sql::{self as sql, Analyzed, Session};

/// Time limit for counting the rows of plan nodes for EXPLAIN ANALYZE, as a multiple of the statement's run time.
const MAX_COUNTING_TIMES: u32 = 3;
/// The minimum of that time limit.
const MIN_COUNTING_TIME: Duration = Duration::from_secs(2);

/// Runs a statement to its end, writes its output file and reports its progress. With `spill`, rows that do not fit
/// into memory are written to disk beside the output file.
///
/// The statistics are measured: CPU time and peak memory are those of this process, processed rows and bytes are those
/// of the scanned tables, splits are their files.
///
/// # Errors
///
/// All errors of statements (D5); `EXCEEDED_MEMORY_LIMIT` if the statement must spill and has nothing to spill.
pub fn execute(
    statement: &Statement,
    spill: Option<SpillLimits>,
    events: &mut dyn FnMut(ExecutionEvent),
) -> Result<Execution, QueryError> {
    let options = ExecutionOptions {
        passes: &sql::PassSet::default(),
        attempts: &Attempt::ALL,
        spill,
        samples: Samples::Create,
        uses_plan_cache: true,
    };
    let execution = execute_in(&options, statement, events)?;
    sink::sync(&statement.output).map_err(|error| failure::query_error(&error))?;
    Ok(execution)
}

/// As [`execute()`] in a worker. It creates no file except a result that is not small, and leaves syncing to the
/// process that takes the file over. Missing files of the sample catalog are added to `missing`, and then nothing is
/// written.
pub(crate) fn execute_confined(
    statement: &Statement,
    spill: Option<SpillLimits>,
    missing: &Mutex<Vec<SampleTable>>,
    events: &mut dyn FnMut(ExecutionEvent),
) -> Result<Execution, QueryError> {
    let samples = Samples::Report(missing);
    let options = ExecutionOptions {
        passes: &sql::PassSet::default(),
        attempts: &Attempt::ALL,
        spill,
        samples,
        uses_plan_cache: true,
    };
    execute_with(&options, statement, events)
}

/// The options of an execution.
pub(crate) struct ExecutionOptions<'a> {
    pub(crate) passes: &'a sql::PassSet,
    pub(crate) attempts: &'a [Attempt],
    pub(crate) spill: Option<SpillLimits>,
    pub(crate) samples: Samples<'a>,
    /// Whether cached plans are used; they are all made by the default passes.
    pub(crate) uses_plan_cache: bool,
}

impl<'a> ExecutionOptions<'a> {
    fn attempts_for(&self, analyzed: &Analyzed) -> &'a [Attempt] {
        if self.attempts == Attempt::ALL && is_light(analyzed) { &Attempt::LIGHT } else { self.attempts }
    }
}

/// As [`execute`], with these options.
pub(crate) fn execute_in(
    options: &ExecutionOptions<'_>,
    statement: &Statement,
    events: &mut dyn FnMut(ExecutionEvent),
) -> Result<Execution, QueryError> {
    let mut execution = execute_with(options, statement, events)?;
    if let Some(file) = execution.file.take() {
        sink::put(&statement.output, &file).map_err(|error| failure::query_error(&error))?;
    }
    Ok(execution)
}

/// As [`execute_in`]; a small file is returned in the execution, not written.
fn execute_with(
    options: &ExecutionOptions<'_>,
    statement: &Statement,
    events: &mut dyn FnMut(ExecutionEvent),
) -> Result<Execution, QueryError> {
    let measurement = Measurement::start();
    let mut tables = Tables::of(statement, options.samples);
    let (analyzed, scans) = planned(options, statement, &mut tables)?;
    let spill = options.spill.map(|limits| {
        clear_column_cache();
        Spill::new(folder_of(&statement.output), limits)
    });
    let columns = analyzed.columns();
    // Before they are lowered and sent: types can be exponential in the length of a statement.
    check_columns(&columns)?;
    let scanned = Scanned::of(&scans);
    let today = sql::types::local_day(time_zone_of(statement), statement.now.as_millis());
    let sources = tables.sources(analyzed.inputs, today);
    let stats = |planning_time: Duration, rows: u64, is_done: bool| {
        let elapsed = measurement.elapsed();
        QueryStats {
            nodes: 1,
            total_splits: scanned.files,
            running_splits: if is_done { 0 } else { scanned.files },
            completed_splits: if is_done { scanned.files } else { 0 },
            cpu_time_millis: millis(measurement.cpu_time()),
            wall_time_millis: millis(elapsed),
            processed_rows: if is_done { scanned.rows } else { scanned.rows.min(rows) },
            processed_bytes: if is_done { scanned.bytes } else { 0 },
            peak_memory_bytes: measurement.peak_memory_bytes(),
            spilled_bytes: spill.as_ref().map_or(0, |spill| spill.written_bytes()),
            planning_time_millis: millis(planning_time),
            execution_time_millis: millis(elapsed.saturating_sub(planning_time)),
            ..QueryStats::default()
        }
    };
    let mut planned = None;
    let mut run = |sums: DecimalSums| -> Result<(Duration, Output), QueryError> {
        let mut report_planned = || {
            *planned.get_or_insert_with(|| {
                let output_stage = stages::of_plan(&analyzed, "RUNNING", None);
                events(ExecutionEvent::Planned { columns: columns.clone(), output_stage });
                measurement.elapsed()
            })
        };
        if spill.is_some() || executes_parts(&analyzed) {
            // Lowering executes parts of the plan.
            report_planned();
        }
        let frame = lower(&analyzed, &scans, sums, spill.as_ref())?;
        if let Some(spill) = &spill
            && spill.written_bytes() == 0
        {
            return Err(spill.memory_limit_error());
        }
        let (frame, stored) = with_output_columns(frame, &analyzed);
        let planning_time = report_planned();
        let attempts = options.attempts_for(&analyzed);
        let written = sink::write(&frame, &stored, output_of(statement), attempts, &mut |rows| {
            events(ExecutionEvent::Progress(stats(planning_time, rows, false)));
        });
        Ok((planning_time, written.map_err(|error| failure::query_error(&error))?))
    };
    let ran = match run(DecimalSums::Quick) {
        Err(error) if failure::is_decimals_too_large(&error) => {
            sink::discard(&statement.output).map_err(|error| failure::query_error(&error))?;
            run(DecimalSums::Careful)
        }
        ran => ran,
    };
    let (planning_time, (mut written, mut file)) = ran?;
    if analyzed.is_explain_analyze {
        let measurements = measured(&stats(planning_time, written.rows, true), written);
        let most = MIN_COUNTING_TIME.max(measurement.elapsed() * MAX_COUNTING_TIMES);
        // Plans that did not fit into memory do not fit while rows are counted. Without counts, the plan is printed
        // with its estimates.
        let counts = if spill.is_none() { row_counts(&analyzed, &scans, most) } else { Vec::new() };
        let explained = analyzed.explain_analyzed(&measurements, &counts);
        (written, file) = rewritten(options, &explained, output_of(statement))?;
    }
    let output_stage: OutputStage = stages::of_plan(&analyzed, "FINISHED", Some(written));
    Ok(Execution {
        columns,
        row_count: written.rows,
        stats: stats(planning_time, written.rows, true),
        output_stage,
        sources: Some(Box::new(sources)),
        file,
    })
}

/// The plan of a statement, which may be cached, and its tables in their present version.
fn planned(
    options: &ExecutionOptions<'_>,
    statement: &Statement,
    tables: &mut Tables<'_>,
) -> Result<(Arc<Analyzed>, Vec<TableScan>), QueryError> {
    let cached = if options.uses_plan_cache { plan_cache::find(statement) } else { None };
    if let Some(cached) = cached {
        let scans = tables.scans(&cached.analyzed.tables)?;
        if cached.is_of(tables.versions()) {
            return Ok((cached.analyzed, scans));
        }
    }
    let analyzed = Arc::new(plan(statement, options.passes, tables)?);
    let scans = tables.scans(&analyzed.tables)?;
    if options.uses_plan_cache {
        plan_cache::insert(statement, &analyzed, tables.versions());
    }
    Ok((analyzed, scans))
}

/// The measurements of EXPLAIN ANALYZE besides the plan.
fn measured(stats: &QueryStats, written: Written) -> String {
    format!(
        "Planning: {}ms, Execution: {}ms, CPU: {}ms, Peak Memory: {}B, Spilled: {}B\n\
         Input: {} rows ({}B), Output: {} rows ({}B)\n",
        stats.planning_time_millis,
        stats.execution_time_millis,
        stats.cpu_time_millis,
        stats.peak_memory_bytes,
        stats.spilled_bytes,
        stats.processed_rows,
        stats.processed_bytes,
        written.rows,
        written.bytes,
    )
}

/// Replaces the result by the rows of a statement of constants.
fn rewritten(
    options: &ExecutionOptions<'_>,
    constants: &Analyzed,
    output: (&Path, Option<&OutputLimit>),
) -> Result<Output, QueryError> {
    sink::discard(output.0).map_err(|error| failure::query_error(&error))?;
    let frame = lower(constants, &[], DecimalSums::Quick, None)?;
    let (frame, stored) = with_output_columns(frame, constants);
    sink::write(&frame, &stored, output, options.attempts, &mut |_| {})
        .map_err(|error| failure::query_error(&error))
}

fn output_of(statement: &Statement) -> (&Path, Option<&OutputLimit>) {
    (&statement.output, statement.output_limit.as_ref())
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Plans a statement without running it, and returns its output columns. Constants are not evaluated, which may take long: no
/// limit of a statement applies here.
///
/// # Errors
///
/// All errors of statements (D5).
pub fn analyze(statement: &Statement) -> Result<Vec<Column>, QueryError> {
    let passes = sql::PassSet::default().without(sql::Pass::EvaluateConstants);
    let columns = plan(statement, &passes, &mut Tables::of(statement, Samples::Create))?.columns();
    check_columns(&columns)?;
    Ok(columns)
}

pub(crate) fn plan(
    statement: &Statement,
    passes: &sql::PassSet,
    tables: &mut Tables<'_>,
) -> Result<Analyzed, QueryError> {
    let session = Session {
        user: statement.user.clone(),
        now: statement.now,
        time_zone: time_zone_of(statement).to_owned(),
        parameters: statement.parameters.clone(),
    };
    sql::analyze(&statement.sql, &statement.catalog, tables, &session, passes)
}

fn time_zone_of(statement: &Statement) -> &str {
    statement.session.time_zone.as_deref().unwrap_or(sql::types::UTC)
}

/// The output's columns in order, under names that are unique in the file; `columns` of the execution has the names of
/// the statement.
pub(crate) fn with_output_columns(frame: LazyFrame, analyzed: &Analyzed) -> (LazyFrame, Vec<(String, Type)>) {
    let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
    let mut columns = Vec::with_capacity(analyzed.output.len());
    let mut selected = Vec::with_capacity(analyzed.output.len());
    for (field, name) in analyzed.output.iter().zip(unique_names(&names)) {
        let stored = field.data_type.storable();
        let value = col(column_name(field.id));
        let value = if field.data_type == stored { value } else { value.cast(data_type::storage(&stored)) };
        let in_file = stored.in_files();
        let value =
            if in_file == stored { value } else { cast_value(value, &stored, &in_file, false, &None) };
        selected.push(value.alias(&*name));
        columns.push((name.into_owned(), in_file));
    }
    (frame.select(selected), columns)
}

/// Totals of the scanned tables.
struct Scanned {
    files: u64,
    rows: u64,
    bytes: u64,
}

impl Scanned {
    fn of(scans: &[TableScan]) -> Self {
        Self {
            files: scans.iter().map(|scan| scan.files.len() as u64).sum(),
            rows: scans.iter().filter_map(|scan| scan.row_count).sum(),
            bytes: scans.iter().map(|scan| scan.bytes).sum(),
        }
    }
}
