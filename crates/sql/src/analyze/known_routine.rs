//! A function defined in the statement (`WITH FUNCTION`), and the expression of its call.

use std::rc::Rc;

use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Field};
use crate::routine::Routine;
use crate::routine_program::Program;
use crate::types::{Type, can_coerce};

/// A function that can be called.
#[derive(Debug)]
pub(super) struct KnownRoutine {
    pub(super) name: String,
    pub(super) source: Rc<Routine>,
    pub(super) parameters: Vec<Field>,
    pub(super) returns: Type,
    pub(super) is_strict: bool,
    pub(super) program: Program,
    /// The arguments of the program's steps.
    pub(super) values: Vec<Expr>,
    /// The first variable marks that the row is computed at all; the parameters follow.
    pub(super) variables: Vec<(ColumnId, Type)>,
}

impl KnownRoutine {
    /// `f(bigint)`
    pub(super) fn signature(&self) -> String {
        let types: Vec<String> = self.parameters.iter().map(|field| field.data_type.to_string()).collect();
        format!("{}({})", self.name, types.join(", "))
    }

    /// Whether it takes the arguments, whatever their zones.
    pub(super) fn takes(&self, args: &[Expr]) -> bool {
        let fits = |(arg, own): (&Expr, &Field)| {
            can_coerce(&arg.data_type.without_zones(), &own.data_type.without_zones())
        };
        args.len() == self.parameters.len() && args.iter().zip(&self.parameters).all(fits)
    }

    /// The arguments of the call are TRUE, the program and the given arguments, followed by lambda expressions: one
    /// over all variables, then one for each value of the steps.
    pub(super) fn call(&self, given: &[Expr]) -> Expr {
        let program = self.program.to_string();
        let data_type = Type::of_text(&program);
        let mut args = vec![Expr::boolean(true), Expr::literal(Value::Varchar(program), data_type)];
        args.extend(given.iter().cloned());
        let lambda = |parameters: Vec<(ColumnId, Type)>, body: Expr| {
            let data_type = body.data_type.clone();
            Expr::new(ExprKind::Lambda { parameters, body: Box::new(body) }, data_type)
        };
        args.push(lambda(self.variables.clone(), Expr::boolean(true)));
        for value in &self.values {
            let named = value.columns();
            let used = self.variables.iter().enumerate();
            let used = used.filter(|(place, (id, _))| *place == 0 || named.contains(id));
            args.push(lambda(used.map(|(_, variable)| variable.clone()).collect(), value.clone()));
        }
        Expr::new(ExprKind::Call { function: ScalarFunction::Routine, args }, self.returns.clone())
    }
}
