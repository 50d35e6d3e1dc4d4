//! Table functions in FROM: `TABLE(sequence(start, stop, step))`.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    BinaryOperator, Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    TableAlias,
};

use super::context::{Analyzer, Context, Relation, Source, user_error};
use super::place::{place_of, place_of_name};
use super::relation::aliased;
use super::scope::Scope;
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, Value};
use crate::functions::ScalarFunction;
use crate::plan::{Field, Plan};
use crate::types::Type;

/// Numbers of one array of a sequence; a longer sequence is one of arrays, as many of them at most.
const NUMBERS_AT_ONCE: i128 = 10_000;

/// Parameters of `sequence`, in their order.
const PARAMETERS: [&str; 3] = ["START", "STOP", "STEP"];

impl Analyzer<'_> {
    /// `TABLE(function(…))`.
    pub(super) fn table_function(&mut self, call: &AstExpr, alias: Option<&TableAlias>) -> Result<Source> {
        let AstExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) = call else {
            return Err(not_supported(place_of(call), "a table function of this form"));
        };
        let place = place_of_name(name);
        match name.to_string().to_lowercase().as_str() {
            "sequence" => {
                let numbers = self.sequence_arguments(&list.args)?;
                let plan = self.sequence(numbers, place)?;
                let fields = plan.fields().pop().into_iter().collect();
                aliased(Relation { plan, fields }, Vec::new(), alias)
            }
            "exclude_columns" => Err(not_supported(place, "the table function exclude_columns")),
            other => {
                let message = format!("Table function '{other}' not registered");
                Err(user_error(ErrorCode::FunctionNotFound, place, message))
            }
        }
    }

    /// Start, stop and step, by name or by place.
    fn sequence_arguments(&mut self, args: &[FunctionArg]) -> Result<[i64; 3]> {
        let args = args.iter().map(argument).collect::<Result<Vec<_>>>()?;
        let place = args.first().and_then(|(name, value)| place_of_argument(*name, value));
        let invalid = |message: String| Err(user_error(ErrorCode::InvalidArguments, place, message));
        if args.len() > PARAMETERS.len() {
            let count = args.len();
            return invalid(format!(
                "Too many arguments. Expected at most 3 arguments, got {count} arguments"
            ));
        }
        let named = args.iter().filter(|(name, _)| name.is_some()).count();
        if named > 0 && named < args.len() {
            let message = "All arguments must be passed by name or all must be passed positionally";
            return invalid(message.to_owned());
        }
        let mut numbers: [Option<Option<i64>>; 3] = [None; 3];
        for (position, (name, value)) in args.into_iter().enumerate() {
            let parameter = match name {
                None => position,
                Some(name) => parameter(name)?,
            };
            if numbers[parameter].is_some() {
                let message = format!("Duplicate argument name: {}", PARAMETERS[parameter]);
                let place = place_of_argument(name, value);
                return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
            }
            numbers[parameter] = Some(self.constant_number(value)?);
        }
        let [start, Some(stop), step] = numbers else { return invalid("Missing argument: STOP".to_owned()) };
        let known = |number: Option<i64>, name: &str| {
            number.ok_or_else(|| {
                user_error(ErrorCode::InvalidFunctionArgument, None, format!("{name} is null"))
            })
        };
        let (start, step) = (start.unwrap_or(Some(0)), step.unwrap_or(Some(1)));
        Ok([known(start, "Start")?, known(stop, "Stop")?, known(step, "Step")?])
    }

    /// An integer that is written out; none for NULL.
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

    /// The numbers as rows of one column, the last one of the plan.
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
        let one_row = Plan::Values { fields: Vec::new(), rows: vec![Vec::new()] };
        let distance = i128::from(stop) - i128::from(start);
        let count = if step == 0 { 1 } else { distance / i128::from(step) + 1 };
        let bigint = |number: i64| Expr::literal(Value::Integer(number), Type::BigInt);
        if count <= NUMBERS_AT_ONCE {
            // A step of 0 is none: start is stop.
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

    /// The rows of a plan with the numbers of a sequence beside them.
    fn unnested(&mut self, input: Plan, arguments: [Expr; 3]) -> Result<Plan> {
        let array = self.scalar_call(ScalarFunction::Sequence, arguments.to_vec(), None)?;
        let field = self.new_field("sequential_number", Type::BigInt);
        let arrays = vec![(array, vec![field])];
        Ok(Plan::Unnest { input: Box::new(input), arrays, ordinality: None, is_outer: false })
    }
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

fn parameter(name: &Ident) -> Result<usize> {
    let upper = name.value.to_uppercase();
    PARAMETERS.iter().position(|known| *known == upper).ok_or_else(|| {
        let message = format!("Unexpected argument name: {upper}");
        user_error(ErrorCode::InvalidFunctionArgument, location_of(name.span.start), message)
    })
}
