//! Table functions in FROM: `TABLE(sequence(start, stop, step))` and `TABLE(exclude_columns(TABLE(t), DESCRIPTOR(c)))`.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    BinaryOperator, DataType, Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Ident, ObjectName, TableAlias,
};

use super::canonical_name::canonical;
use super::context::{Analyzer, Context, Relation, Source, user_error};
use super::place::{place_of, place_of_name};
use super::relation::aliased;
use super::sample::sample_of;
use super::scope::Scope;
use crate::error::{Result, location_of, not_supported, syntax_error, type_mismatch};
use crate::expr::{Expr, Value};
use crate::functions::ScalarFunction;
use crate::keywords::TABLE_ARGUMENT;
use crate::match_recognize::index_of;
use crate::plan::{Field, Plan};
use crate::types::Type;

/// Maximum length of one array of a sequence. A longer sequence is split into arrays, at most as many as one array has
/// numbers.
const NUMBERS_AT_ONCE: i128 = 10_000;

/// The parameters of `sequence`, in order.
const SEQUENCE: [&str; 3] = ["START", "STOP", "STEP"];

/// The parameters of `exclude_columns`.
const EXCLUDE_COLUMNS: [&str; 2] = ["INPUT", "COLUMNS"];

/// The kind of an argument, as error messages name it.
enum Argument<'a> {
    /// `TABLE(…)`: the table's name or the query, followed by the columns' names.
    Table(Vec<&'a AstExpr>),
    /// `DESCRIPTOR(a, b)`; `None` is `CAST(NULL AS DESCRIPTOR)`.
    Descriptor(Option<Vec<&'a AstExpr>>),
    Expression(&'a AstExpr),
}

impl Argument<'_> {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Table(_) => "table",
            Self::Descriptor(_) => "descriptor",
            Self::Expression(_) => "expression",
        }
    }
}

impl Analyzer<'_> {
    /// `TABLE(function(…))`, the placeholder of a MATCH_RECOGNIZE, or a sample.
    pub(super) fn table_function(
        &mut self,
        call: &AstExpr,
        alias: Option<&TableAlias>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        if let Some(index) = index_of(call) {
            return self.match_recognize(index, alias, parent);
        }
        if let Some(sample) = sample_of(call) {
            if let Some(alias) = alias {
                let place = location_of(alias.name.span.start);
                return Err(syntax_error(place, "an alias precedes TABLESAMPLE"));
            }
            return self.sample(&sample, parent);
        }
        let AstExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) = call else {
            return Err(not_supported(place_of(call), "a table function of this form"));
        };
        let place = place_of_name(name);
        let name = name.to_string().to_lowercase();
        match name.strip_prefix("system.builtin.").unwrap_or(&name) {
            "sequence" => {
                let numbers = self.sequence_arguments(&list.args)?;
                let plan = self.sequence(numbers, place)?;
                let fields = plan.fields().pop().into_iter().collect();
                function_result(Relation { plan, fields }, alias)
            }
            "exclude_columns" => {
                let relation = self.without_columns(&list.args, place, parent)?;
                function_result(relation, alias)
            }
            other => {
                let message = format!("Table function '{other}' not registered");
                Err(user_error(ErrorCode::FunctionNotFound, place, message))
            }
        }
    }

    /// Start, stop and step, by name or by position.
    fn sequence_arguments(&mut self, args: &[FunctionArg]) -> Result<[i64; 3]> {
        let mut numbers: [Option<Option<i64>>; 3] = [None; 3];
        for (index, (value, place)) in by_parameter(&SEQUENCE, args)?.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let Argument::Expression(value) = argument_of(value) else {
                let (name, found) = (SEQUENCE[index], argument_of(value).kind());
                let message = format!("Invalid argument {name}. Expected expression, got {found}");
                return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
            };
            numbers[index] = Some(self.constant_number(value)?);
        }
        let [start, Some(stop), step] = numbers else {
            let place = args.first().and_then(|arg| argument(arg).ok());
            let place = place.and_then(|(name, value)| place_of_argument(name, value));
            return Err(user_error(ErrorCode::MissingArgument, place, "Missing argument: STOP"));
        };
        let known = |number: Option<i64>, name: &str| {
            number.ok_or_else(|| {
                user_error(ErrorCode::InvalidFunctionArgument, None, format!("{name} is null"))
            })
        };
        let (start, step) = (start.unwrap_or(Some(0)), step.unwrap_or(Some(1)));
        Ok([known(start, "Start")?, known(stop, "Stop")?, known(step, "Step")?])
    }

    /// `exclude_columns`: a table without the listed columns.
    fn without_columns(
        &mut self,
        args: &[FunctionArg],
        place: Option<ErrorLocation>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Relation> {
        let given = by_parameter(&EXCLUDE_COLUMNS, args)?;
        let place = given.iter().find_map(|(_, place)| *place).or(place);
        let [(input, input_place), (columns, columns_place)] = <[_; 2]>::try_from(given)
            .map_err(|_| user_error(ErrorCode::InvalidArguments, place, "Expected 2 arguments"))?;
        let missing =
            |name: &str| user_error(ErrorCode::MissingArgument, place, format!("Missing argument: {name}"));
        let unfit = |name: &str, expected: &str, found: &Argument<'_>, place| {
            let found = found.kind();
            let message = format!("Invalid argument {name}. Expected {expected}, got {found}");
            user_error(ErrorCode::InvalidFunctionArgument, place, message)
        };
        let input = argument_of(input.ok_or_else(|| missing("INPUT"))?);
        let Argument::Table(table) = input else {
            return Err(unfit("INPUT", "table", &input, input_place));
        };
        let columns = argument_of(columns.ok_or_else(|| missing("COLUMNS"))?);
        let Argument::Descriptor(columns) = columns else {
            return Err(unfit("COLUMNS", "descriptor", &columns, columns_place));
        };
        let invalid = |message: &str| Err(user_error(ErrorCode::InvalidFunctionArgument, None, message));
        let Some(columns) = columns else { return invalid("COLUMNS descriptor is null") };
        let Relation { plan, fields } = self.table_argument(&table, place, parent)?;
        let names = columns.iter().map(|column| match column {
            AstExpr::Identifier(name) => Ok(name.value.to_lowercase()),
            other => Err(not_supported(place_of(other), "this in a descriptor")),
        });
        let names = names.collect::<Result<Vec<String>>>()?;
        if names.is_empty() {
            let message = "Invalid descriptor argument COLUMNS. Descriptors should be formatted as \
                           'DESCRIPTOR(name [type], ...)'";
            return Err(user_error(ErrorCode::InvalidFunctionArgument, columns_place, message));
        }
        self.spend(names.len().saturating_mul(fields.len()), place)?;
        let has = |name: &String| fields.iter().any(|field| field.name.to_lowercase() == *name);
        let unknown: Vec<&str> = names.iter().filter(|name| !has(name)).map(String::as_str).collect();
        if !unknown.is_empty() {
            let unknown = unknown.join(", ");
            return invalid(&format!("Excluded columns: [{unknown}] not present in the table"));
        }
        let is_kept = |field: &Field| !names.contains(&field.name.to_lowercase());
        let fields: Vec<Field> = fields.into_iter().filter(is_kept).collect();
        if fields.is_empty() {
            return invalid("All columns are excluded");
        }
        Ok(Relation { plan, fields })
    }

    fn table_argument(
        &mut self,
        table: &[&AstExpr],
        place: Option<ErrorLocation>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Relation> {
        let (relation, names) = match table.split_first() {
            Some((AstExpr::Subquery(query), names)) => (self.query(query, parent)?, names),
            Some((AstExpr::CompoundIdentifier(parts), names)) => {
                (self.table(&ObjectName::from(parts.clone()))?.relation, names)
            }
            _ => return Err(not_supported(place, "this as a table")),
        };
        let Relation { plan, mut fields } = relation;
        if !names.is_empty() && names.len() != fields.len() {
            let (given, found) = (names.len(), fields.len());
            let message = format!("Column alias list has {given} entries but relation has {found} columns");
            return Err(user_error(ErrorCode::MismatchedColumnAliases, place, message));
        }
        for (field, name) in fields.iter_mut().zip(names) {
            if let AstExpr::Identifier(name) = name {
                field.name.clone_from(&name.value);
                field.is_anonymous = false;
            }
        }
        Ok(Relation { plan, fields })
    }

    /// An integer constant; `None` for NULL.
    fn constant_number(&mut self, value: &AstExpr) -> Result<Option<i64>> {
        let scope = Scope::new(Vec::new(), None);
        let mut context = Context::new(&scope, "table function");
        let number = self.expression(value, &mut context)?;
        let place = place_of(value);
        if !number.data_type.is_integer() && number.data_type != Type::Unknown {
            let message = format!("Cannot cast type {} to bigint", number.data_type);
            return Err(type_mismatch(place, message));
        }
        match number.as_literal() {
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(Value::Null) => Ok(None),
            _ => Err(not_supported(place, "an argument of a table function that is not a number")),
        }
    }

    /// A plan whose last column has the numbers.
    fn sequence(&mut self, [start, stop, step]: [i64; 3], place: Option<ErrorLocation>) -> Result<Plan> {
        let sign = match start.cmp(&stop) {
            std::cmp::Ordering::Less if step <= 0 => Some("positive"),
            std::cmp::Ordering::Greater if step >= 0 => Some("negative"),
            _ => None,
        };
        if let Some(sign) = sign {
            let message = format!("Step must be {sign} for sequence [{start}, {stop}]");
            return Err(user_error(ErrorCode::InvalidFunctionArgument, None, message));
        }
        let one_row = Plan::one_row();
        let distance = i128::from(stop) - i128::from(start);
        let count = if step == 0 { 1 } else { distance / i128::from(step) + 1 };
        let bigint = |number: i64| Expr::literal(Value::Integer(number), Type::BigInt);
        if count <= NUMBERS_AT_ONCE {
            // A step of 0 is only valid if start equals stop; it is replaced, because the function `sequence` refuses
            // 0.
            let step = if step == 0 { 1 } else { step };
            return self.unnested(one_row, [bigint(start), bigint(stop), bigint(step)]);
        }
        let arrays = (count + NUMBERS_AT_ONCE - 1) / NUMBERS_AT_ONCE;
        let of_array = NUMBERS_AT_ONCE * i128::from(step);
        let end = i64::try_from(i128::from(start) + arrays * of_array);
        let (Ok(of_array), Ok(_), true) = (i64::try_from(of_array), end, arrays <= NUMBERS_AT_ONCE) else {
            let most = NUMBERS_AT_ONCE * NUMBERS_AT_ONCE;
            return Err(not_supported(place, format!("a sequence of {count} numbers, more than {most},")));
        };
        let last = i64::try_from(arrays - 1).unwrap_or(0);
        let firsts = self.unnested(one_row, [bigint(0), bigint(last), bigint(1)])?;
        let Some(Field { id, data_type, .. }) = firsts.fields().pop() else { return Ok(firsts) };
        let offset = Expr::column(id, data_type);
        let offset = self.arithmetic(offset, &BinaryOperator::Multiply, bigint(of_array))?;
        let first = self.arithmetic(bigint(start), &BinaryOperator::Plus, offset)?;
        let whole = bigint(of_array - step);
        let end = self.arithmetic(first.clone(), &BinaryOperator::Plus, whole)?;
        let nearer = if step > 0 { ScalarFunction::Least } else { ScalarFunction::Greatest };
        let end = self.scalar_call(nearer, vec![end, bigint(stop)], place)?;
        self.unnested(firsts, [first, end, bigint(step)])
    }

    /// Unnests a sequence beside each row of a plan.
    fn unnested(&mut self, input: Plan, arguments: [Expr; 3]) -> Result<Plan> {
        let array = self.scalar_call(ScalarFunction::Sequence, arguments.to_vec(), None)?;
        let field = self.new_field("sequential_number", Type::BigInt);
        let arrays = vec![(array, vec![field])];
        Ok(Plan::Unnest { input: Box::new(input), arrays, ordinality: None, is_outer: false })
    }
}

/// What a table function returns, under its alias.
fn function_result(relation: Relation, alias: Option<&TableAlias>) -> Result<Source> {
    let mut source = aliased(relation, Vec::new(), alias)?;
    let names = alias.into_iter().flat_map(|alias| &alias.columns);
    for (field, column) in source.fields.iter_mut().zip(names) {
        field.field.name = canonical(&column.name);
    }
    Ok(source)
}

/// The name and the value of an argument.
fn argument(argument: &FunctionArg) -> Result<(Option<&Ident>, &AstExpr)> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => Ok((None, value)),
        FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => Ok((Some(name), value)),
        FunctionArg::ExprNamed {
            name: AstExpr::Identifier(name), arg: FunctionArgExpr::Expr(value), ..
        } => Ok((Some(name), value)),
        _ => Err(not_supported(None, "this argument of a table function")),
    }
}

fn place_of_argument(name: Option<&Ident>, value: &AstExpr) -> Option<ErrorLocation> {
    name.map_or_else(|| place_of(value), |name| location_of(name.span.start))
}

/// Determines the kind of an argument.
fn argument_of(value: &AstExpr) -> Argument<'_> {
    match value {
        AstExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) => {
            let parts = list.args.iter().filter_map(|arg| argument(arg).ok()).map(|(_, value)| value);
            let [part] = name.0.as_slice() else { return Argument::Expression(value) };
            let Some(ident) = part.as_ident().filter(|ident| ident.quote_style.is_none()) else {
                return Argument::Expression(value);
            };
            match ident.value.to_uppercase().as_str() {
                TABLE_ARGUMENT => Argument::Table(parts.collect()),
                "DESCRIPTOR" => Argument::Descriptor(Some(parts.collect())),
                _ => Argument::Expression(value),
            }
        }
        AstExpr::Cast { expr, data_type: DataType::Custom(name, _), .. }
            if matches!(&**expr, AstExpr::Value(null) if null.value == sqlparser::ast::Value::Null)
                && name.to_string().eq_ignore_ascii_case("descriptor") =>
        {
            Argument::Descriptor(None)
        }
        _ => Argument::Expression(value),
    }
}

/// An argument and its place.
type Given<'a> = (Option<&'a AstExpr>, Option<ErrorLocation>);

/// The arguments in the order of the parameters, by name or by position.
fn by_parameter<'a>(parameters: &[&str], args: &'a [FunctionArg]) -> Result<Vec<Given<'a>>> {
    let args = args.iter().map(argument).collect::<Result<Vec<_>>>()?;
    let place = args.first().and_then(|(name, value)| place_of_argument(*name, value));
    let invalid = |message: String| Err(user_error(ErrorCode::InvalidArguments, place, message));
    if args.len() > parameters.len() {
        let (most, count) = (parameters.len(), args.len());
        return invalid(format!(
            "Too many arguments. Expected at most {most} arguments, got {count} arguments"
        ));
    }
    let named = args.iter().filter(|(name, _)| name.is_some()).count();
    if named > 0 && named < args.len() {
        let message = "All arguments must be passed by name or all must be passed positionally";
        return invalid(message.to_owned());
    }
    let mut given: Vec<Given<'a>> = vec![(None, None); parameters.len()];
    for (position, (name, value)) in args.into_iter().enumerate() {
        let place = place_of_argument(name, value);
        let unfit = |message: String| user_error(ErrorCode::InvalidFunctionArgument, place, message);
        let index = match name {
            None => position,
            Some(name) => {
                let upper = name.value.to_uppercase();
                let index = parameters.iter().position(|known| *known == upper);
                index.ok_or_else(|| unfit(format!("Unexpected argument name: {upper}")))?
            }
        };
        if given[index].0.is_some() {
            return Err(unfit(format!("Duplicate argument name: {}", parameters[index])));
        }
        given[index] = (Some(value), place);
    }
    Ok(given)
}
