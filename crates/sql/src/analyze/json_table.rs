//! JSON_TABLE in FROM: a call that returns an array of rows, which is unnested beside the row that its arguments are
//! taken from.

use rowhouse_model::ErrorLocation;
use sqlparser::ast::{Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, TableAlias};

use super::context::{Analyzer, Context};
use super::json_table_columns::{Columns, NestedPath};
use super::place::{place_of, place_of_name};
use super::scope::{Scope, ScopeField};
use super::sql_json::{
    Form, Role, argument, check_quotes, check_variables, constant_text, form_as, path_error, text,
};
use super::unnest::{UnnestItem, named_fields};
use crate::error::{Result, location_of, not_supported};
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::json_path::JsonPath;
use crate::json_table::{JsonTable, TableColumn, TablePath};
use crate::sql_json::{Behavior, JsonFormat, PathClauses, Quotes, Wrapper};
use crate::types::{RowField, Type};

/// The call that the parser generates for JSON_TABLE, if it is one.
pub(super) fn json_table_call(expr: &AstExpr) -> Option<&Function> {
    match expr {
        AstExpr::Function(call) => {
            Some(call).filter(|call| call.name.to_string().eq_ignore_ascii_case("json_table"))
        }
        _ => None,
    }
}

/// The values of a named part of the call.
fn part<'f>(args: &'f [FunctionArg], wanted: &'f str) -> impl Iterator<Item = &'f AstExpr> {
    args.iter().filter_map(move |arg| match arg {
        FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } if name.value == wanted => {
            Some(value)
        }
        _ => None,
    })
}

fn path_of(args: &[FunctionArg]) -> Option<&AstExpr> {
    args.iter().find_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(path)) => Some(path),
        _ => None,
    })
}

/// A path that is valid and names no parameter.
fn checked_path(path: &str, place: Option<ErrorLocation>) -> Result<String> {
    let read = JsonPath::parse(path).map_err(|fault| path_error(&fault, path, place))?;
    check_variables(&read, &[], place)?;
    Ok(path.to_owned())
}

impl Analyzer<'_> {
    /// JSON_TABLE; its arguments may name columns of the items before it.
    pub(super) fn json_table(
        &mut self,
        function: &Function,
        alias: Option<&TableAlias>,
        before: Option<&[ScopeField]>,
        parent: Option<&Scope<'_>>,
    ) -> Result<UnnestItem> {
        let place = place_of_name(&function.name);
        let Some(form) = form_as(function, ScalarFunction::JsonTable) else {
            return Err(not_supported(place, "this form of JSON_TABLE"));
        };
        let scope = Scope::new(before.unwrap_or_default().to_vec(), parent);
        let mut context = Context::new(&scope, "JSON_TABLE");
        let mut args = form.args.iter().filter_map(argument);
        let (Some((Role::Formatted(format), input)), Some((_, path))) = (args.next(), args.next()) else {
            return Err(not_supported(place, "this form of JSON_TABLE"));
        };
        let start = place_of(input);
        let input = self.expression(input, &mut context)?;
        let (input, input_format) = self.json_input(input, format)?;
        let (path_text, path_place) = (constant_text(path), place_of(path));
        let path = JsonPath::parse(path_text).map_err(|fault| path_error(&fault, path_text, path_place))?;
        let (passed, _) = self.path_arguments(&form, args, &Type::Unknown, &mut context)?;
        check_variables(&path, &passed, path_place)?;
        let mut columns = Columns {
            is_error_on_error: form.word(0) == "ERROR",
            arguments: JsonTable::ARGUMENTS + 2 * passed.len(),
            ..Columns::default()
        };
        let name = part(form.args, "NAME").find_map(|name| match name {
            AstExpr::Identifier(name) => Some(name),
            _ => None,
        });
        let name = name.map(|name| columns.name(name)).transpose()?;
        columns.named_paths.extend(name.clone().map(|name| (name, 0)));
        self.json_table_path(path_text.to_owned(), form.args, &mut columns, &mut context)?;
        let plan = match part(form.args, "PLAN").next() {
            Some(plan) => columns.specific_plan(plan, name.as_deref(), start)?,
            None => columns.default_plan(form.word(1), form.word(2))?,
        };
        let Columns { is_error_on_error, paths, fields, defaults, .. } = columns;
        let parameters = passed.len();
        let table = JsonTable { is_error_on_error, input: input_format, parameters, paths, plan };
        let mut args = vec![text(table.to_text()), input];
        args.extend(passed.into_iter().flat_map(|(name, value)| [text(name), value]));
        args.extend(defaults);
        let row = fields
            .iter()
            .map(|field| RowField { name: Some(field.name.clone()), data_type: field.data_type.clone() });
        let rows = Type::array(Type::Row(row.collect()));
        let call = Expr::new(ExprKind::Call { function: ScalarFunction::JsonTable, args }, rows).at(place);
        Ok(UnnestItem {
            name: "JSON_TABLE",
            arrays: vec![(call, fields.clone())],
            ordinality: None,
            fields: named_fields(fields, alias)?,
            pending: context.pending,
        })
    }

    /// Collects a path with its columns and nested paths; returns the path's index.
    fn json_table_path(
        &mut self,
        path: String,
        args: &[FunctionArg],
        columns: &mut Columns,
        context: &mut Context<'_>,
    ) -> Result<usize> {
        let index = columns.paths.len();
        columns.paths.push(TablePath { path, columns: Vec::new() });
        columns.children.push(Vec::new());
        for column in part(args, "COLUMN") {
            let AstExpr::Function(call) = column else { continue };
            let Some(name) = call.name.0.first().and_then(|part| part.as_ident()) else { continue };
            let place = location_of(name.span.start);
            let as_query = form_as(call, ScalarFunction::JsonQuery);
            let Some(form) = as_query else { return Err(not_supported(place, "this column")) };
            if form.word(0) == "NESTED" {
                let is_named = !name.value.is_empty();
                let name = if is_named { Some(columns.name(name)?) } else { None };
                let Some(path) = path_of(form.args) else { continue };
                let place = place_of(path);
                let path = checked_path(constant_text(path), place)?;
                let child = self
                    .nested(place, |analyzer| analyzer.json_table_path(path, form.args, columns, context))?;
                columns.named_paths.extend(name.clone().map(|name| (name, child)));
                columns.children[index].push(NestedPath { path: child, name, place });
                continue;
            }
            let name = columns.name(name)?;
            let (column, data_type) = self.json_table_column(form, &name, columns, context)?;
            columns.paths[index].columns.push((columns.fields.len(), column));
            let field = self.new_field(name, data_type);
            columns.fields.push(field);
        }
        Ok(index)
    }

    /// Collects a column that is not nested; returns its type.
    fn json_table_column(
        &mut self,
        mut form: Form<'_>,
        name: &str,
        columns: &mut Columns,
        context: &mut Context<'_>,
    ) -> Result<(TableColumn, Type)> {
        let kind = form.words.remove(0);
        if kind == "ORDINALITY" {
            return Ok((TableColumn::Ordinality, Type::BigInt));
        }
        let path = match path_of(form.args) {
            Some(path) => checked_path(constant_text(path), place_of(path))?,
            None => checked_path(&format!("lax $.\"{}\"", name.replace('"', "\"\"")), form.place)?,
        };
        let of_table = if columns.is_error_on_error { Behavior::Error } else { Behavior::Null };
        let mut clauses = PathClauses {
            input: JsonFormat::None,
            on_empty: Behavior::Null,
            on_error: of_table,
            wrapper: Wrapper::Without,
            quotes: Quotes::Unsaid,
            output: JsonFormat::None,
        };
        if kind == "QUERY" {
            let (data_type, output) = self.json_result(&form)?;
            clauses.output = output;
            clauses.wrapper = Wrapper::of(form.word(2)).unwrap_or(Wrapper::Without);
            clauses.quotes = Quotes::of(form.word(3)).unwrap_or(Quotes::Unsaid);
            clauses.on_empty = Behavior::of(form.word(4)).unwrap_or(Behavior::Null);
            clauses.on_error = Behavior::of(form.word(5)).unwrap_or(of_table);
            check_quotes(&form, clauses)?;
            return Ok((TableColumn::Query { path, clauses }, data_type));
        }
        form.function = ScalarFunction::JsonValue;
        clauses.on_empty = Behavior::of(form.word(2)).unwrap_or(Behavior::Null);
        clauses.on_error = Behavior::of(form.word(3)).unwrap_or(of_table);
        let (data_type, _) = self.json_result(&form)?;
        let args = form.args.iter().filter_map(argument);
        let (_, given) = self.path_arguments(&form, args, &data_type, context)?;
        let defaults =
            [clauses.on_empty, clauses.on_error].into_iter().zip(given).map(|(behavior, value)| {
                (behavior == Behavior::Default).then(|| {
                    columns.defaults.push(value);
                    columns.arguments + columns.defaults.len() - 1
                })
            });
        let defaults: Vec<Option<usize>> = defaults.collect();
        let defaults = [defaults.first().copied().flatten(), defaults.get(1).copied().flatten()];
        Ok((TableColumn::Value { path, clauses, defaults }, data_type))
    }
}
