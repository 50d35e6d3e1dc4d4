//! Function calls: resolution of names, and the types of scalar functions.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    DuplicateTreatment, Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, ListAggOnOverflow, NullTreatment, ObjectName, ObjectNamePart,
    OrderByExpr, WindowType,
};

use super::call_sites::{label_star, misplaced_star};
use super::context::{Analyzer, Context, refuse_if, user_error};
use super::pattern_scope::Mode;
use super::place::{place_of, place_of_name};
use super::session_zone::{SessionZone, resolved_in};
use crate::error::{Result, not_supported, suggestion, syntax_error};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::{
    AggregateFunction, ArrayAggregate, RankingFunction, ResolveError, ScalarFunction, resolve_scalar,
};
use crate::keywords::TABLE_ARGUMENT;
use crate::types::{Type, UTC, Zone, Zones, can_cast, canonical_zone, offset_zone};

/// The parts of a call; clauses that no function supports have been refused.
#[derive(Debug)]
pub(super) struct Call<'c> {
    /// The function's name in lower case.
    pub(super) name: String,
    pub(super) place: Option<ErrorLocation>,
    pub(super) args: Vec<&'c AstExpr>,
    /// Whether it is `count(*)`.
    pub(super) is_star: bool,
    pub(super) is_distinct: bool,
    pub(super) order_by: Vec<&'c OrderByExpr>,
    pub(super) filter: Option<&'c AstExpr>,
    pub(super) ignore_nulls: bool,
    /// Whether it has IGNORE NULLS or RESPECT NULLS.
    pub(super) has_null_treatment: bool,
    pub(super) over: Option<&'c WindowType>,
    pub(super) on_overflow: Option<&'c ListAggOnOverflow>,
    /// `a` of `count(a.*)`.
    pub(super) label_star: Option<&'c ObjectName>,
    /// FINAL or RUNNING before it, in a row pattern.
    pub(super) mode: Option<Mode>,
}

impl Analyzer<'_> {
    pub(super) fn call(&mut self, function: &Function, context: &mut Context<'_>) -> Result<Expr> {
        self.call_in_mode(function, None, context)
    }

    /// Analyzes a call, with the FINAL or RUNNING before it.
    pub(super) fn call_in_mode(
        &mut self,
        function: &Function,
        mode: Option<Mode>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        if let Some(value) = self.sql_json(function, context)? {
            return match mode {
                None => Ok(value),
                Some(mode) => Err(not_supported(mode.place, "this behind FINAL or RUNNING")),
            };
        }
        if is_table_argument(&function.name) {
            let place = place_of_name(&function.name);
            return Err(syntax_error(place, "mismatched input 'TABLE'. Expecting: an expression"));
        }
        let mut call = destructured(function, mode)?;
        if let Some((star, count)) = label_star(function) {
            if context.pattern.is_none() || call.name != "count" || count > 1 {
                return Err(misplaced_star(star));
            }
            call.label_star = Some(star);
        }
        call.refuse_in_lambda(context)?;
        if let Some(value) = self.pattern_call(&call, function, context)? {
            return Ok(value);
        }
        if let Some(value) = self.routine_call(&call, context)? {
            return Ok(value);
        }
        if let Some(value) = self.special_form(&call, context)? {
            return Ok(value);
        }
        if let Some(value) = self.map_aggregate(&call, function, context)? {
            return Ok(value);
        }
        if let Some(value) = self.group_array(&call, function, context)? {
            return Ok(value);
        }
        if let Some(ListAggOnOverflow::Truncate { .. }) = call.on_overflow {
            return Err(not_supported(call.place, format!("ON OVERFLOW TRUNCATE in {}", call.name)));
        }
        let name = call.name.as_str();
        call.check_null_treatment()?;
        if let Some(ranking) = RankingFunction::by_name(name) {
            return self.ranking_call(ranking, &call, context);
        }
        if let Some(aggregate) = AggregateFunction::by_name(name) {
            self.refuse_lambdas(aggregate.name(), aggregate.signatures(), &call, context)?;
            if context.pattern.is_some() {
                return self.pattern_aggregate(aggregate, &call, context);
            }
            return match call.over {
                Some(over) => self.aggregate_over_window(aggregate, &call, over, context),
                None => self.aggregate_call(aggregate, &call, context),
            };
        }
        if call.is_distinct {
            let message = "DISTINCT is not supported for non-aggregation functions";
            return Err(user_error(ErrorCode::FunctionNotAggregate, call.place, message));
        }
        let named = ScalarFunction::by_name(name).filter(|function| !function.is_internal());
        let Some(scalar) = named else {
            let known = ScalarFunction::ALL
                .iter()
                .filter(|function| !function.is_internal())
                .flat_map(|function| function.names())
                .chain(AggregateFunction::ALL.iter().flat_map(|function| function.names()))
                .chain(ArrayAggregate::ALL.iter().flat_map(|function| function.names()))
                .chain(RankingFunction::ALL.iter().flat_map(|function| function.names()))
                .copied();
            let message = format!("Function '{name}' not registered{}", suggestion(name, known));
            return Err(user_error(ErrorCode::FunctionNotFound, call.place, message));
        };
        if call.over.is_some() {
            let message = format!("Not a window function: {name}");
            return Err(user_error(ErrorCode::FunctionNotWindow, call.place, message));
        }
        refuse_if(call.is_star, call.place, &format!("'*' as an argument of {name}"))?;
        // Trino resolves the function before it looks at these clauses.
        let value = self.call_of_scalar(scalar, &call, context)?;
        call.plain()?;
        Ok(value)
    }

    fn call_of_scalar(
        &mut self,
        function: ScalarFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        if let Some(applied) = self.lambda_call(function, call, context)? {
            return Ok(applied);
        }
        let args = self.arguments(call, context)?;
        if let (ScalarFunction::Concat, [only]) = (function, args.as_slice())
            && matches!(only.data_type, Type::Array(_) | Type::Varbinary | Type::Varchar { .. })
        {
            return Ok(concat_of_one(only, call.place));
        }
        self.scalar_call(function, args, call.place)
    }

    pub(super) fn arguments(&mut self, call: &Call<'_>, context: &mut Context<'_>) -> Result<Vec<Expr>> {
        if let ("normalize", [text, form]) = (call.name.as_str(), call.args.as_slice()) {
            return Ok(vec![self.expression(text, context)?, normal_form(form)?]);
        }
        call.args.iter().map(|arg| self.expression(arg, context)).collect()
    }

    /// A call of a scalar function, with its arguments converted to the types that the function takes.
    pub(super) fn scalar_call(
        &mut self,
        function: ScalarFunction,
        args: Vec<Expr>,
        place: Option<ErrorLocation>,
    ) -> Result<Expr> {
        if let Some(value) = self.converted_call(function, &args, place)? {
            return Ok(value);
        }
        if let Some(value) = self.at_offset(function, &args, place)? {
            return Ok(value);
        }
        if let Some(value) = self.call_in_row_zone(function, &args, place)? {
            return Ok(value);
        }
        let types: Vec<Type> = args.iter().map(|arg| arg.data_type.clone()).collect();
        if let (ScalarFunction::ArrayJoin, Some(Type::Array(element))) = (function, types.first())
            && !can_cast(element, &Type::VARCHAR)
        {
            let message = format!("Cannot cast {element} to varchar");
            return Err(user_error(ErrorCode::OperatorNotFound, place, message));
        }
        let mut resolution = resolve_scalar(function, &types)
            .map_err(|failure| unexpected_parameters(function.name(), &types, &failure, place))?;
        resolved_in(SessionZone::of(self.session), function, &mut resolution, &types);
        if function.is_random() {
            self.inputs.volatile = Some(function.name());
        }
        let args = args
            .into_iter()
            .zip(&resolution.arguments)
            .map(|(arg, wanted)| self.coerced(arg, wanted))
            .collect();
        let result = result_type(function, &args, resolution.result);
        Ok(Expr::new(ExprKind::Call { function, args }, result).at(place))
    }
}

/// `concat(x)`: NULL if `x` is NULL, otherwise an error at run time.
fn concat_of_one(only: &Expr, place: Option<ErrorLocation>) -> Expr {
    let text = |text: &str| Expr::literal(Value::Varchar(text.to_owned()), Type::VARCHAR);
    let name = ErrorCode::InvalidFunctionArgument.as_str();
    let args = vec![text("There must be two or more concatenation arguments"), text(name)];
    let failure = ExprKind::Call { function: ScalarFunction::Fail, args };
    let failure = Expr::new(failure, only.data_type.clone()).at(place);
    let is_null = Expr::new(ExprKind::IsNull(Box::new(only.clone())), Type::Boolean);
    let is_known = Expr::new(ExprKind::Not(Box::new(is_null)), Type::Boolean);
    let kind = ExprKind::Case { branches: vec![(is_known, failure)], otherwise: None };
    Expr::new(kind, only.data_type.clone()).at(place)
}

/// The form argument of `normalize`: a keyword, not a column or a text.
fn normal_form(form: &AstExpr) -> Result<Expr> {
    let name = match form {
        AstExpr::Identifier(name) if name.quote_style.is_none() => name.value.to_uppercase(),
        _ => String::new(),
    };
    if !matches!(name.as_str(), "NFC" | "NFD" | "NFKC" | "NFKD") {
        let message = format!("mismatched input '{form}'. Expecting: 'NFC', 'NFD', 'NFKC', 'NFKD'");
        return Err(user_error(ErrorCode::SyntaxError, place_of(form), message));
    }
    let data_type = Type::of_text(&name);
    Ok(Expr::literal(Value::Varchar(name), data_type).at(place_of(form)))
}

/// The result type; it includes the zone of AT TIME ZONE and with_timezone.
fn result_type(function: ScalarFunction, args: &Vec<Expr>, resolved: Type) -> Type {
    if let (ScalarFunction::FromUnixtime, [_, zone @ ..]) = (function, args.as_slice()) {
        return match (zone_of_constants(zone), resolved) {
            (Some(zone), Type::TimestampWithTimeZone { precision, .. }) => {
                Type::TimestampWithTimeZone { precision, zone: Zone::new(zone) }
            }
            (_, resolved) => resolved,
        };
    }
    let of_text =
        matches!(function, ScalarFunction::FromIso8601Timestamp | ScalarFunction::FromIso8601TimestampNanos);
    if let (true, [text]) = (of_text, args.as_slice()) {
        let Type::TimestampWithTimeZone { precision, zone } = resolved else { return resolved };
        let zone = match text.as_literal() {
            Some(Value::Varchar(text)) => offset_of(text).and_then(canonical_zone).map_or(zone, Zone::new),
            Some(_) => zone,
            None => zone.and(Zones::OF_TEXTS),
        };
        return Type::TimestampWithTimeZone { precision, zone };
    }
    if let (ScalarFunction::ParseDatetime, [_, pattern]) = (function, args.as_slice()) {
        let Type::TimestampWithTimeZone { precision, zone } = resolved else { return resolved };
        let may_name_zone = match pattern.as_literal() {
            Some(Value::Varchar(pattern)) => pattern.contains(['z', 'Z']),
            _ => true,
        };
        let zone = if may_name_zone { zone.and(Zones::OF_TEXTS) } else { zone };
        return Type::TimestampWithTimeZone { precision, zone };
    }
    let zone = match (function, args.as_slice()) {
        (ScalarFunction::AtTimezone | ScalarFunction::WithTimezone, [_, zone]) => match zone.as_literal() {
            // An unknown zone is an error at run time.
            Some(Value::Varchar(zone)) => canonical_zone(zone).unwrap_or_else(|| UTC.to_owned()),
            _ => UTC.to_owned(),
        },
        _ => return resolved,
    };
    match (resolved, args.first().map(|arg| &arg.data_type)) {
        (_, Some(Type::Timestamp { precision } | Type::TimestampWithTimeZone { precision, .. })) => {
            Type::TimestampWithTimeZone { precision: *precision, zone: Zone::new(zone) }
        }
        (other, _) => other,
    }
}

/// The offset at the end of an ISO 8601 timestamp.
fn offset_of(text: &str) -> Option<&str> {
    let clock = text.find('T')?;
    let zone = text[clock..].find(['Z', '+', '-'])?;
    Some(&text[clock + zone..])
}

/// The zone of constant arguments: its name, or hours and minutes east of UTC.
pub(super) fn zone_of_constants(args: &[Expr]) -> Option<String> {
    let constant = |arg: &Expr| match arg.as_literal() {
        Some(Value::Integer(number)) => Some(*number),
        _ => None,
    };
    match args {
        [name] => match name.as_literal() {
            Some(Value::Varchar(zone)) => canonical_zone(zone),
            _ => None,
        },
        [hours, minutes] => {
            let offset = constant(hours)?.checked_mul(60)?.checked_add(constant(minutes)?)?;
            let offset = i32::try_from(offset).ok().filter(|offset| (-840..=840).contains(offset))?;
            Some(offset_zone(offset))
        }
        _ => None,
    }
}

/// The error of a call for which no signature fits.
pub(super) fn unexpected_parameters(
    name: &str,
    types: &[Type],
    failure: &ResolveError,
    place: Option<ErrorLocation>,
) -> rowhouse_model::QueryError {
    let types: Vec<String> = types.iter().map(ToString::to_string).collect();
    let message = format!(
        "Unexpected parameters ({}) for function {name}. Expected: {}",
        types.join(", "),
        failure.expected.join(", ")
    );
    user_error(ErrorCode::FunctionNotFound, place, message)
}

impl Call<'_> {
    /// Refuses IGNORE NULLS and RESPECT NULLS with OVER if the function has no null treatment.
    fn check_null_treatment(&self) -> Result<()> {
        let takes_it =
            matches!(self.name.as_str(), "lag" | "lead" | "first_value" | "last_value" | "nth_value");
        if self.over.is_none() || !self.has_null_treatment || takes_it {
            return Ok(());
        }
        let message = format!("Cannot specify null treatment clause for {} function", self.name);
        Err(user_error(ErrorCode::NullTreatmentNotAllowed, self.place, message))
    }

    /// Refuses clauses that only aggregates and window functions support.
    pub(super) fn plain(&self) -> Result<()> {
        let name = &self.name;
        refuse_if(self.is_star, self.place, &format!("'*' as an argument of {name}"))?;
        let not_aggregate = |message| Err(user_error(ErrorCode::FunctionNotAggregate, self.place, message));
        if self.is_distinct {
            return not_aggregate("DISTINCT is not supported for non-aggregation functions");
        }
        if !self.order_by.is_empty() {
            return not_aggregate("ORDER BY is only valid for aggregation functions");
        }
        if self.filter.is_some() {
            return not_aggregate("Filter is only valid for aggregation functions");
        }
        refuse_if(self.has_null_treatment, self.place, &format!("IGNORE NULLS with {name}"))
    }
}

fn destructured(function: &Function, mode: Option<Mode>) -> Result<Call<'_>> {
    let Function { name, uses_odbc_syntax, parameters, args, within_group, filter, null_treatment, over } =
        function;
    let place = place_of_name(name);
    refuse_if(*uses_odbc_syntax, place, "the ODBC form of a call")?;
    refuse_if(!matches!(parameters, FunctionArguments::None), place, "a call with two lists of arguments")?;
    let mut call = Call {
        name: function_name(name)?,
        place,
        args: Vec::new(),
        is_star: false,
        is_distinct: false,
        order_by: within_group.iter().collect(),
        filter: filter.as_deref(),
        ignore_nulls: matches!(null_treatment, Some(NullTreatment::IgnoreNulls)),
        has_null_treatment: null_treatment.is_some(),
        over: over.as_ref(),
        on_overflow: None,
        label_star: None,
        mode,
    };
    match args {
        FunctionArguments::None => {}
        FunctionArguments::Subquery(_) => {
            return Err(not_supported(
                place,
                "a query as a function's argument without parentheses of its own",
            ));
        }
        FunctionArguments::List(FunctionArgumentList { duplicate_treatment, args, clauses }) => {
            call.is_distinct = matches!(duplicate_treatment, Some(DuplicateTreatment::Distinct));
            for arg in args {
                match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => call.args.push(expr),
                    FunctionArg::Unnamed(FunctionArgExpr::Wildcard) if args.len() == 1 => call.is_star = true,
                    // The functions that take it have read it from the parser's tree.
                    FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(_)) => {}
                    FunctionArg::Unnamed(_) => return Err(not_supported(place, "this argument")),
                    FunctionArg::Named { .. } | FunctionArg::ExprNamed { .. } => {
                        return Err(not_supported(place, "an argument by name"));
                    }
                }
            }
            for clause in clauses {
                match clause {
                    FunctionArgumentClause::OrderBy(keys) => call.order_by.extend(keys),
                    FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                        call.ignore_nulls = *treatment == NullTreatment::IgnoreNulls;
                        call.has_null_treatment = true;
                    }
                    FunctionArgumentClause::OnOverflow(clause) => call.on_overflow = Some(clause),
                    FunctionArgumentClause::Where(expr) | FunctionArgumentClause::Limit(expr) => {
                        return Err(not_supported(place_of(expr), "this clause in a function's arguments"));
                    }
                    FunctionArgumentClause::Having(_)
                    | FunctionArgumentClause::Separator(_)
                    | FunctionArgumentClause::JsonNullClause(_)
                    | FunctionArgumentClause::JsonReturningClause(_) => {
                        return Err(not_supported(place, "this clause in a function's arguments"));
                    }
                }
            }
        }
    }
    Ok(call)
}

/// Whether it is `TABLE(…)`, which only table functions take.
fn is_table_argument(name: &ObjectName) -> bool {
    let [part] = name.0.as_slice() else { return false };
    let ident = part.as_ident().filter(|ident| ident.quote_style.is_none());
    ident.is_some_and(|ident| ident.value.eq_ignore_ascii_case(TABLE_ARGUMENT))
}

/// Forms that Trino has no function for, so that they have no qualified name.
const FORMS: [&str; 4] = ["coalesce", "if", "nullif", "try"];

/// The name in lower case, also of `system.builtin.name`.
fn function_name(name: &ObjectName) -> Result<String> {
    let is_named = |part: &ObjectNamePart, name: &str| {
        part.as_ident().is_some_and(|ident| ident.value.eq_ignore_ascii_case(name))
    };
    match name.0.as_slice() {
        [ObjectNamePart::Identifier(ident)] => Ok(ident.value.to_lowercase()),
        [catalog, schema, ObjectNamePart::Identifier(ident)]
            if is_named(catalog, "system")
                && is_named(schema, "builtin")
                && !FORMS.iter().any(|form| ident.value.eq_ignore_ascii_case(form)) =>
        {
            Ok(ident.value.to_lowercase())
        }
        _ => Err(user_error(
            ErrorCode::FunctionNotFound,
            place_of_name(name),
            format!("Function '{name}' not registered"),
        )),
    }
}
