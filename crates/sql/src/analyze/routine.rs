//! Functions defined in the statement (`WITH FUNCTION`): their types, and the programs of their bodies (D123).

use std::rc::Rc;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{DataType, Ident};

use super::context::{Analyzer, Context, user_error};
use super::known_routine::KnownRoutine;
use super::place::place_of;
use super::scope::{Scope, equal_names};
use super::session_zone::{SessionZone, cast_in};
use super::work::STEPS_OF_COLUMN;
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, Value};
use crate::plan::{ColumnId, Field};
use crate::routine::{Branch, Control, Declaration, Routine};
use crate::routine_program::{Program, Step};
use crate::types::{Type, Zones, can_coerce};

/// Maximum number of variables, and of steps, of one function.
const MAX_PARTS: usize = 2_000;

/// A loop to which LEAVE and ITERATE may refer.
struct Label {
    name: Option<Ident>,
    start: usize,
    /// The jumps out of the loop.
    leaves: Vec<usize>,
}

/// A body in the course of its translation to a program.
struct Build {
    returns: Type,
    /// Whether a RETURN has given its type the zone of a value.
    has_returned: bool,
    program: Program,
    values: Vec<Expr>,
    variables: Vec<(ColumnId, Type)>,
    /// The variables in scope, with their indexes among all variables.
    visible: Vec<(Field, usize)>,
    labels: Vec<Label>,
}

impl Build {
    fn next(&self) -> usize {
        self.program.0.len()
    }

    fn push(&mut self, step: Step) -> usize {
        self.program.0.push(step);
        self.next() - 1
    }

    fn value(&mut self, value: Expr) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    /// Sets the target of a jump to the next step.
    fn set_target(&mut self, jump: usize) {
        let here = self.next();
        match &mut self.program.0[jump] {
            Step::Unless { target, .. } | Step::Jump(target) => *target = here,
            Step::Set { .. } | Step::Return(_) => {}
        }
    }

    fn find(&self, name: &Ident) -> Option<&(Field, usize)> {
        self.visible.iter().find(|(known, _)| equal_names(&known.name, &name.value))
    }
}

impl Analyzer<'_> {
    /// Defines the functions; each may be called by those after it and by the query.
    pub(super) fn define_routines(&mut self, routines: Vec<Routine>) -> Result<()> {
        for routine in routines {
            let place = location_of(routine.place);
            self.add_level(self.routines.len(), place)?;
            let known = self.routine(&Rc::new(routine), None)?;
            self.routines.push(Rc::new(known));
        }
        Ok(())
    }

    /// The function for arguments with the zones that they have (D123): zones are parts of types (D92).
    pub(super) fn routine_in_zones(&mut self, at: usize, args: &[Expr]) -> Result<Rc<KnownRoutine>> {
        let known = Rc::clone(&self.routines[at]);
        let session = SessionZone::of(self.session);
        let in_zone = |(own, arg): (&Field, &Expr)| {
            let mut wanted = own.data_type.clone();
            cast_in(session, &arg.data_type, &mut wanted);
            wanted
        };
        let types: Vec<Type> = known.parameters.iter().zip(args).map(in_zone).collect();
        if known.parameters.iter().map(|own| &own.data_type).eq(&types) {
            return Ok(known);
        }
        let found = self.routines_in_zones.iter().find(|(place, known, _)| *place == at && *known == types);
        if let Some((.., found)) = found {
            return Ok(Rc::clone(found));
        }
        // It may call those before it.
        let later = self.routines.split_off(at);
        let found = self.routine(&known.source, Some(&types));
        self.routines.extend(later);
        let found = Rc::new(found?);
        self.routines_in_zones.push((at, types, Rc::clone(&found)));
        Ok(found)
    }

    fn routine(&mut self, routine: &Rc<Routine>, types: Option<&[Type]>) -> Result<KnownRoutine> {
        let outer = self.routine_in_work.replace(routine.name.value.to_lowercase());
        let known = self.routine_of(routine, types);
        self.routine_in_work = outer;
        known
    }

    /// `types` are those of the parameters, if they are not as declared.
    fn routine_of(&mut self, routine: &Rc<Routine>, types: Option<&[Type]>) -> Result<KnownRoutine> {
        let place = location_of(routine.place);
        if let Some(security) = routine.security {
            return Err(not_supported(location_of(security), "SECURITY of an inline function"));
        }
        let active = self.new_field("", Type::Boolean);
        let mut build = Build {
            returns: self.routine_type(&routine.returns, location_of(routine.returns_place))?,
            has_returned: false,
            program: Program::default(),
            values: Vec::new(),
            variables: vec![(active.id, Type::Boolean)],
            visible: Vec::new(),
            labels: Vec::new(),
        };
        for (parameter, (name, data_type)) in routine.parameters.iter().enumerate() {
            let place = location_of(name.span.start);
            if build.find(name).is_some() {
                let message = format!("Duplicate function parameter name: {}", name.value.to_lowercase());
                return Err(user_error(ErrorCode::InvalidArguments, place, message));
            }
            let declared = self.routine_type(data_type, place)?;
            let data_type = types.and_then(|types| types.get(parameter)).cloned().unwrap_or(declared);
            self.declare(&mut build, name, data_type)?;
        }
        let parameters: Vec<Field> = build.visible.iter().map(|(field, _)| field.clone()).collect();
        let ends = match &routine.body {
            Control::Return(_) => true,
            Control::Compound { body, .. } => matches!(body.last(), Some(Control::Return(_))),
            _ => {
                let message = "Function body must start with RETURN or BEGIN";
                return Err(user_error(ErrorCode::SyntaxError, location_of(routine.body_place), message));
            }
        };
        if !ends {
            let message = "Function must end in a RETURN statement";
            return Err(user_error(ErrorCode::MissingReturn, location_of(routine.body_place), message));
        }
        self.control(&routine.body, &mut build)?;
        let is_random = build.values.iter().any(Expr::is_random);
        if let Some(is_deterministic) = routine.is_deterministic
            && is_deterministic == is_random
        {
            let message = if is_random {
                "Non-deterministic function declared DETERMINISTIC"
            } else {
                "Deterministic function declared NOT DETERMINISTIC"
            };
            return Err(user_error(ErrorCode::InvalidArguments, place, message));
        }
        Ok(KnownRoutine {
            name: routine.name.value.to_lowercase(),
            source: Rc::clone(routine),
            parameters,
            returns: build.returns,
            is_strict: routine.is_strict,
            program: build.program,
            values: build.values,
            variables: build.variables,
        })
    }

    fn routine_type(&self, data_type: &DataType, place: Option<ErrorLocation>) -> Result<Type> {
        self.data_type(data_type, place).map_err(|mut failure| {
            if failure.error_name == "TYPE_NOT_FOUND" {
                failure = type_mismatch(place, format!("Unknown type: {data_type}"));
            }
            failure
        })
    }

    fn declare(&mut self, build: &mut Build, name: &Ident, data_type: Type) -> Result<usize> {
        let place = location_of(name.span.start);
        if build.find(name).is_some() {
            let message = format!("Variable already declared in this scope: {}", name.value.to_lowercase());
            return Err(user_error(ErrorCode::AlreadyExists, place, message));
        }
        let variable = self.new_variable(build, data_type.clone(), place)?;
        let field = Field::new(build.variables[variable].0, name.value.clone(), data_type);
        build.visible.push((field, variable));
        Ok(variable)
    }

    fn new_variable(
        &mut self,
        build: &mut Build,
        data_type: Type,
        place: Option<ErrorLocation>,
    ) -> Result<usize> {
        if build.variables.len() > MAX_PARTS {
            return Err(not_supported(place, format!("a function of more than {MAX_PARTS} variables")));
        }
        self.spend_on_type(&data_type, place)?;
        let id = self.new_field("", Type::Unknown).id;
        build.variables.push((id, data_type));
        Ok(build.variables.len() - 1)
    }

    /// Analyzes an expression of a body, over its variables.
    fn routine_value(&mut self, expr: &sqlparser::ast::Expr, build: &Build) -> Result<Expr> {
        let place = place_of(expr);
        if build.program.0.len() > MAX_PARTS {
            return Err(not_supported(place, format!("a function of more than {MAX_PARTS} steps")));
        }
        self.spend(build.visible.len().saturating_mul(STEPS_OF_COLUMN), place)?;
        let scope = Scope::default();
        let mut context = Context::new(&scope, "function");
        context.lambdas.push(build.visible.iter().map(|(field, _)| field.clone()).collect());
        let value = self.expression(expr, &mut context)?;
        if !context.pending.is_empty() || !context.pending_below.is_empty() {
            return Err(not_supported(place, "a query in a function"));
        }
        Ok(value)
    }

    /// As [`routine_value`](Self::routine_value), converted to a type.
    fn value_of_type(
        &mut self,
        expr: &sqlparser::ast::Expr,
        wanted: &Type,
        what: &str,
        build: &Build,
    ) -> Result<Expr> {
        let value = self.routine_value(expr, build)?;
        let place = place_of(expr);
        if !can_coerce(&value.data_type.without_zones(), &wanted.without_zones()) {
            let message = format!("{what} must evaluate to {wanted} (actual: {})", value.data_type);
            return Err(type_mismatch(place, message));
        }
        refuse_other_zone(&value.data_type, wanted, place)?;
        Ok(self.coerced(value, wanted))
    }

    /// The value of a RETURN. The first one that is not NULL gives the function's type its zone.
    fn returned(&mut self, expr: &sqlparser::ast::Expr, build: &mut Build) -> Result<Expr> {
        if !build.has_returned {
            let value = self.routine_value(expr, build)?;
            if value.as_literal() != Some(&Value::Null) {
                cast_in(SessionZone::of(self.session), &value.data_type, &mut build.returns);
                build.has_returned = true;
            }
        }
        let returns = build.returns.clone();
        self.value_of_type(expr, &returns, "Value of RETURN", build)
    }

    fn condition_of(&mut self, expr: &sqlparser::ast::Expr, what: &str, build: &mut Build) -> Result<usize> {
        let condition = self.value_of_type(expr, &Type::Boolean, &format!("Condition of {what}"), build)?;
        Ok(build.value(condition))
    }

    fn controls(&mut self, statements: &[Control], build: &mut Build) -> Result<()> {
        statements.iter().try_for_each(|statement| self.control(statement, build))
    }

    fn control(&mut self, statement: &Control, build: &mut Build) -> Result<()> {
        match statement {
            Control::Return(value) => {
                let value = self.returned(value, build)?;
                let value = build.value(value);
                build.push(Step::Return(value));
                Ok(())
            }
            Control::Set { name, value } => {
                let Some((field, variable)) = build.find(name).cloned() else {
                    let message = format!("Variable cannot be resolved: {}", name.value.to_lowercase());
                    return Err(user_error(ErrorCode::NotFound, location_of(name.span.start), message));
                };
                let what = format!("Value of SET '{}'", name.value.to_lowercase());
                let value = self.value_of_type(value, &field.data_type, &what, build)?;
                let value = build.value(value);
                build.push(Step::Set { variable, value });
                Ok(())
            }
            Control::If { branches, otherwise } => {
                self.branches(branches, otherwise, build, |analyzer, branch, build| {
                    analyzer.condition_of(&branch.condition, "IF statement", build)
                })
            }
            Control::Case { operand: None, branches, otherwise } => {
                self.branches(branches, otherwise, build, |analyzer, branch, build| {
                    analyzer.condition_of(&branch.condition, "WHEN clause", build)
                })
            }
            Control::Case { operand: Some(operand), branches, otherwise } => {
                self.simple_case(operand, branches, otherwise, build)
            }
            Control::Compound { declarations, body } => {
                let around = build.visible.len();
                for declaration in declarations {
                    self.declaration(declaration, build)?;
                }
                self.controls(body, build)?;
                build.visible.truncate(around);
                Ok(())
            }
            Control::Loop { label, body } => {
                self.repeated(label.as_ref(), build, |analyzer, build, start| {
                    analyzer.controls(body, build)?;
                    build.push(Step::Jump(start));
                    Ok(None)
                })
            }
            Control::While { label, condition, body } => {
                self.repeated(label.as_ref(), build, |analyzer, build, start| {
                    let condition = analyzer.condition_of(condition, "WHILE statement", build)?;
                    let exit = build.push(Step::Unless { condition, target: start });
                    analyzer.controls(body, build)?;
                    build.push(Step::Jump(start));
                    Ok(Some(exit))
                })
            }
            Control::Repeat { label, body, until } => {
                self.repeated(label.as_ref(), build, |analyzer, build, start| {
                    analyzer.controls(body, build)?;
                    let condition = analyzer.condition_of(until, "REPEAT statement", build)?;
                    build.push(Step::Unless { condition, target: start });
                    Ok(None)
                })
            }
            Control::Iterate(name) => {
                let start = build.labels[labelled(name, build)?].start;
                build.push(Step::Jump(start));
                Ok(())
            }
            Control::Leave(name) => {
                let label = labelled(name, build)?;
                let leave = build.push(Step::Jump(0));
                build.labels[label].leaves.push(leave);
                Ok(())
            }
        }
    }

    fn branches(
        &mut self,
        branches: &[Branch],
        otherwise: &[Control],
        build: &mut Build,
        condition: impl Fn(&mut Self, &Branch, &mut Build) -> Result<usize>,
    ) -> Result<()> {
        let mut ends = Vec::with_capacity(branches.len());
        for branch in branches {
            let condition = condition(self, branch, build)?;
            let over = build.push(Step::Unless { condition, target: 0 });
            self.controls(&branch.body, build)?;
            ends.push(build.push(Step::Jump(0)));
            build.set_target(over);
        }
        self.controls(otherwise, build)?;
        ends.into_iter().for_each(|end| build.set_target(end));
        Ok(())
    }

    /// CASE with an operand, which is computed once.
    fn simple_case(
        &mut self,
        operand: &sqlparser::ast::Expr,
        branches: &[Branch],
        otherwise: &[Control],
        build: &mut Build,
    ) -> Result<()> {
        let operand = self.routine_value(operand, build)?;
        let data_type = operand.data_type.clone();
        let variable = self.new_variable(build, data_type.clone(), operand.location)?;
        let column = Expr::column(build.variables[variable].0, data_type.clone());
        let value = build.value(operand);
        build.push(Step::Set { variable, value });
        self.branches(branches, otherwise, build, |analyzer, branch, build| {
            let value = analyzer.routine_value(&branch.condition, build)?;
            if !can_coerce(&value.data_type.without_zones(), &data_type.without_zones()) {
                let message = format!(
                    "WHEN clause value must evaluate to CASE value type {data_type} (actual: {})",
                    value.data_type
                );
                return Err(type_mismatch(place_of(&branch.condition), message));
            }
            let value = analyzer.coerced(value, &data_type);
            let is_equal = analyzer.equality(column.clone(), value, "CASE operand and WHEN clause")?;
            Ok(build.value(is_equal))
        })
    }

    fn declaration(&mut self, declaration: &Declaration, build: &mut Build) -> Result<()> {
        let Declaration { names, data_type, default } = declaration;
        let place = names.first().and_then(|name| location_of(name.span.start));
        let mut data_type = self.routine_type(data_type, place)?;
        let value = match default {
            Some(default) => {
                let value = self.routine_value(default, build)?;
                cast_in(SessionZone::of(self.session), &value.data_type, &mut data_type);
                self.value_of_type(default, &data_type, "Value of DEFAULT", build)?
            }
            None => Expr::literal(Value::Null, data_type.clone()),
        };
        let value = build.value(value);
        for name in names {
            let variable = self.declare(build, name, data_type.clone())?;
            build.push(Step::Set { variable, value });
        }
        Ok(())
    }

    /// A loop; `body` returns the step that jumps out of it.
    fn repeated(
        &mut self,
        name: Option<&Ident>,
        build: &mut Build,
        body: impl FnOnce(&mut Self, &mut Build, usize) -> Result<Option<usize>>,
    ) -> Result<()> {
        if let Some(name) = name
            && labelled(name, build).is_ok()
        {
            let message = format!("Label already declared in this scope: {}", name.value.to_lowercase());
            return Err(user_error(ErrorCode::AlreadyExists, location_of(name.span.start), message));
        }
        let start = build.next();
        build.labels.push(Label { name: name.cloned(), start, leaves: Vec::new() });
        let exit = body(self, build, start)?;
        let leaves = build.labels.pop().map(|label| label.leaves).unwrap_or_default();
        exit.into_iter().chain(leaves).for_each(|jump| build.set_target(jump));
        Ok(())
    }
}

fn labelled(name: &Ident, build: &Build) -> Result<usize> {
    let is_so = |label: &Label| label.name.as_ref().is_some_and(|own| equal_names(&own.value, &name.value));
    build.labels.iter().rposition(is_so).ok_or_else(|| {
        let message = format!("Label not defined: {}", name.value.to_lowercase());
        user_error(ErrorCode::NotFound, location_of(name.span.start), message)
    })
}

/// Refuses values in another zone than the type has: zones are parts of types (D92).
pub(super) fn refuse_other_zone(from: &Type, to: &Type, place: Option<ErrorLocation>) -> Result<()> {
    let mut pairs = vec![(from, to)];
    while let Some(pair) = pairs.pop() {
        match pair {
            (Type::Array(from), Type::Array(to)) => pairs.push((from, to)),
            (Type::Map(key, value), Type::Map(to_key, to_value)) => {
                pairs.extend([(&**key, &**to_key), (&**value, &**to_value)]);
            }
            (Type::Row(from), Type::Row(to)) => {
                pairs.extend(from.iter().zip(to).map(|(from, to)| (&from.data_type, &to.data_type)));
            }
            (Type::TimestampWithTimeZone { zone, .. }, Type::TimestampWithTimeZone { zone: wanted, .. })
                if !wanted.takes(zone) || zone.zones().has(Zones::OF_SESSION.and(Zones::SEVERAL)) =>
            {
                return Err(not_supported(
                    place,
                    "values of several time zones in a function of the statement",
                ));
            }
            (Type::TimeWithTimeZone { offset, .. }, Type::TimeWithTimeZone { offset: wanted, .. })
                if !wanted.takes(*offset) || offset.zones().has(Zones::OF_SESSION.and(Zones::SEVERAL)) =>
            {
                return Err(not_supported(place, "values of several offsets in a function of the statement"));
            }
            _ => {}
        }
    }
    Ok(())
}
