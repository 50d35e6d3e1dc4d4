//! The output of EXPLAIN for an analyzed statement: one row with one text, as in Trino.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::explain::PlanFormat;
use crate::expr::{Expr, Value};
use crate::passes::row_estimates;
use crate::plan::{ColumnId, Field, Plan};
use crate::statement::{Analyzed, Inputs, TableRef, TableSchema};
use crate::types::Type;
use rowhouse_executor::catalog::{CatalogSnapshot, TPCH_CATALOG};

/// TYPE VALIDATE: a wrong statement fails with its error, as any other statement.
pub(super) fn valid() -> Analyzed {
    one_cell("Valid", Value::Boolean(true), Type::Boolean)
}

/// EXPLAIN: the plan after all passes.
pub(super) fn plan(analyzed: &Analyzed, format: PlanFormat) -> Analyzed {
    query_plan(match format {
        PlanFormat::Text => plan_text(analyzed, &[]),
        PlanFormat::Json => pretty(&plan_json(analyzed)),
        PlanFormat::Graphviz => plan_graph(analyzed),
    })
}

impl Analyzed {
    /// The output of EXPLAIN ANALYZE for a statement that has run: the measurements, and the plan. `counts` are the
    /// rows that each node returned, if known, in the order of [`row_estimates`].
    #[must_use]
    pub fn explain_analyzed(&self, measured: &str, counts: &[Vec<Option<u64>>]) -> Self {
        let text = format!("{measured}\n{}", plan_text(self, counts));
        one_cell("Query Plan", Value::Varchar(text), Type::VARCHAR)
    }
}

fn query_plan(text: String) -> Analyzed {
    let data_type = Type::of_text(&text);
    one_cell("Query Plan", Value::Varchar(text), data_type)
}

fn one_cell(name: &str, value: Value, data_type: Type) -> Analyzed {
    let field = Field::new(ColumnId(0), name, data_type.clone());
    Analyzed {
        plan: Plan::Values { fields: vec![field.clone()], rows: vec![vec![Expr::literal(value, data_type)]] },
        output: vec![field],
        shared: Vec::new(),
        tables: Vec::new(),
        statistics: Vec::new(),
        is_explain_analyze: false,
        inputs: Inputs { volatile: Some("the catalog"), date: false },
    }
}

fn pretty(json: &Json) -> String {
    // OK because only keys that are not strings fail, and JSON values have none.
    serde_json::to_string_pretty(json).expect("JSON is written")
}

/// Row estimates are omitted for statements with more plan nodes than this, because each estimate depends on all nodes
/// below.
const MAX_ESTIMATED_NODES: usize = 1_000;

/// Shared plans first, then the plan, as indented trees; each line has the estimated rows and the counted rows.
fn plan_text(analyzed: &Analyzed, counts: &[Vec<Option<u64>>]) -> String {
    let mut nodes = 0;
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |_| nodes += 1);
    }
    let estimates = if nodes <= MAX_ESTIMATED_NODES { row_estimates(analyzed) } else { Vec::new() };
    let mut text = String::new();
    for (index, plan) in analyzed.shared.iter().enumerate() {
        text.push_str(&format!("Shared {index}:\n"));
        let mut rows = rows_of(estimates.get(index), counts.get(index));
        write_tree(&mut text, plan, 0, &mut rows);
    }
    if !text.is_empty() {
        text.push_str("Plan:\n");
    }
    write_tree(&mut text, &analyzed.plan, 0, &mut rows_of(estimates.last(), counts.last()));
    let output: Vec<String> = analyzed
        .output
        .iter()
        .map(|field| format!("{}={} {}", field.name, field.id, field.data_type))
        .collect();
    text.push_str(&format!("Output [{}]", output.join(", ")));
    text
}

/// For each node, the estimated and the counted rows.
fn rows_of<'e>(
    estimates: Option<&'e Vec<f64>>,
    counts: Option<&'e Vec<Option<u64>>>,
) -> impl Iterator<Item = (f64, Option<u64>)> + use<'e> {
    let counts = counts.into_iter().flatten().copied().chain(std::iter::repeat(None));
    estimates.into_iter().flatten().copied().zip(counts)
}

fn write_tree(
    text: &mut String,
    plan: &Plan,
    depth: usize,
    rows: &mut impl Iterator<Item = (f64, Option<u64>)>,
) {
    let shown = match rows.next() {
        None => String::new(),
        Some((estimate, None)) => format!(" {{rows: {estimate:.0}}}"),
        Some((estimate, Some(count))) => format!(" {{rows: {count}, estimated: {estimate:.0}}}"),
    };
    text.push_str(&format!("{:indent$}{}{shown}\n", "", plan.node(), indent = depth * 2));
    for input in plan.inputs() {
        write_tree(text, input, depth + 1, rows);
    }
}

/// Trees by number, 0 for the plan and the following numbers for shared plans, in the format of Trino's fragments.
fn plan_json(analyzed: &Analyzed) -> Json {
    let mut next = 0;
    let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
    let details = analyzed.output.iter().map(|field| format!("{} := {}", field.name, field.id)).collect();
    let head = Head {
        name: "Output",
        descriptor: json!({ "columnNames": format!("[{}]", names.join(", ")) }),
        details,
    };
    let id = number(&mut next);
    let children = vec![node_json(&analyzed.plan, &mut next)];
    let mut trees = serde_json::Map::new();
    trees.insert("0".to_owned(), head.json(id, &analyzed.output, children));
    for (index, plan) in analyzed.shared.iter().enumerate() {
        trees.insert((index + 1).to_string(), node_json(plan, &mut next));
    }
    Json::Object(trees)
}

struct Head<'a> {
    name: &'a str,
    descriptor: Json,
    details: Vec<String>,
}

impl Head<'_> {
    fn json(self, id: usize, outputs: &[Field], children: Vec<Json>) -> Json {
        let outputs: Vec<Json> = outputs
            .iter()
            .map(|field| json!({ "name": field.id.to_string(), "type": field.data_type.to_string() }))
            .collect();
        json!({
            "id": id.to_string(), "name": self.name, "descriptor": self.descriptor, "outputs": outputs,
            "details": self.details, "estimates": [], "children": children,
        })
    }
}

fn number(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

fn node_json(plan: &Plan, next: &mut usize) -> Json {
    let id = number(next);
    let children = plan.inputs().into_iter().map(|input| node_json(input, next)).collect();
    let shown = plan.node().to_string();
    let (name, details) = shown.split_once(' ').unwrap_or((&shown, ""));
    let details = if details.is_empty() { Vec::new() } else { vec![details.to_owned()] };
    Head { name, descriptor: json!({}), details }.json(id, &plan.fields(), children)
}

fn plan_graph(analyzed: &Analyzed) -> String {
    let mut graph = Graph::default();
    let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
    graph.tree(0, &analyzed.plan, Some(&format!("Output[{}]", names.join(", "))));
    for (index, plan) in analyzed.shared.iter().enumerate() {
        graph.tree(index + 1, plan, None);
    }
    format!("digraph distributed_plan {{\n{}{}}}\n", graph.nodes, graph.edges)
}

/// A graph in Graphviz's DOT language.
#[derive(Default)]
struct Graph {
    next: usize,
    nodes: String,
    edges: String,
}

impl Graph {
    fn tree(&mut self, index: usize, plan: &Plan, above: Option<&str>) {
        self.write(&format!("subgraph cluster_{index} {{\nlabel = \"SINGLE\"\n"));
        let root = above.map(|above| self.node(above));
        let first = self.plan(plan);
        if let Some(root) = root {
            self.edge(root, first);
        }
        self.write("}\n");
    }

    fn plan(&mut self, plan: &Plan) -> usize {
        let id = self.node(&plan.node().to_string());
        for input in plan.inputs() {
            let input = self.plan(input);
            self.edge(id, input);
        }
        id
    }

    fn node(&mut self, label: &str) -> usize {
        self.next += 1;
        let mut escaped = String::with_capacity(label.len());
        for character in label.chars() {
            if matches!(character, '"' | '\\' | '{' | '}' | '|' | '<' | '>') {
                escaped.push('\\');
            }
            escaped.push(if character == '\n' { ' ' } else { character });
        }
        self.write(&format!("plannode_{}[label=\"{{{escaped}}}\", shape=record];\n", self.next));
        self.next
    }

    fn edge(&mut self, from: usize, to: usize) {
        // OK because writing to a string cannot fail.
        writeln!(self.edges, "plannode_{from} -> plannode_{to};").expect("a string");
    }

    fn write(&mut self, text: &str) {
        self.nodes.push_str(text);
    }
}

/// TYPE IO: the tables that are read. Estimates that are unknown here are NaN, as Trino's are for tables without
/// statistics.
pub(super) fn inputs(
    analyzed: &Analyzed,
    catalog: &CatalogSnapshot,
    schemas: &HashMap<TableRef, TableSchema>,
) -> Analyzed {
    let unknown = "NaN";
    let estimate = |rows: Option<u64>| {
        let rows = rows.map_or(json!(unknown), |rows| json!(rows));
        json!({
            "outputRowCount": rows, "outputSizeInBytes": unknown, "cpuCost": unknown, "maxMemory": unknown,
            "networkCost": unknown,
        })
    };
    let tables: Vec<Json> = analyzed
        .tables
        .iter()
        .map(|table| {
            let (catalog, schema, name) = match table {
                TableRef::Entry(index) => {
                    let entry = &catalog.tables[*index];
                    (entry.catalog.as_str(), entry.schema.as_str(), entry.name.as_str())
                }
                TableRef::Tpch { schema, table } => (TPCH_CATALOG, schema.as_str(), table.as_str()),
            };
            json!({
                "table": { "catalog": catalog, "schemaTable": { "schema": schema, "table": name } },
                "constraint": { "none": false, "columnConstraints": [] },
                "estimate": estimate(schemas.get(table).and_then(|schema| schema.row_count)),
            })
        })
        .collect();
    query_plan(pretty(&json!({ "inputTableColumnInfos": tables, "estimate": estimate(None) })))
}
