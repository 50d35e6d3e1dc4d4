//! PLAN of JSON_TABLE: checks that it matches the nesting of the paths, and derives the order in which their rows are
//! joined.

use std::collections::{HashMap, HashSet};

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::canonical_name::canonical;
use super::context::user_error;
use super::json_table_columns::{Columns, NestedPath};
use super::place::place_of;
use crate::error::Result;
use crate::json_table::PlanStep;

/// A part of a plan.
enum Part<'p> {
    Leaf,
    /// OUTER or INNER, with the child.
    Parent(&'p AstExpr),
}

/// Sibling parts, by the names of their paths.
#[derive(Default)]
struct Siblings<'p> {
    names: Vec<String>,
    parts: HashMap<String, Part<'p>>,
}

fn call(plan: &AstExpr) -> Option<(String, Vec<&AstExpr>)> {
    let AstExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) = plan else {
        return None;
    };
    let args = list.args.iter().filter_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(part)) => Some(part),
        _ => None,
    });
    Some((name.to_string(), args.collect()))
}

fn siblings<'p>(plan: &'p AstExpr, found: &mut Siblings<'p>) -> Result<()> {
    let (name, part) = match (plan, call(plan)) {
        (AstExpr::Identifier(name), _) => (name, Part::Leaf),
        (_, Some((join, parts))) if join == "OUTER" || join == "INNER" => match parts.as_slice() {
            [AstExpr::Identifier(parent), child] => (parent, Part::Parent(child)),
            _ => return Ok(()),
        },
        (_, Some((_, parts))) => return parts.into_iter().try_for_each(|part| siblings(part, found)),
        _ => return Ok(()),
    };
    let name = canonical(name);
    let place = place_of(plan);
    if found.parts.insert(name.clone(), part).is_some() {
        let message = format!("Duplicate reference to JSON path name in sibling plan: {name}");
        return Err(user_error(ErrorCode::InvalidPlan, place, message));
    }
    found.names.push(name);
    Ok(())
}

fn unnamed(place: Option<ErrorLocation>) -> QueryError {
    let message = "All JSON paths must be named when specific plan is given";
    user_error(ErrorCode::MissingPathName, place, message)
}

impl Columns {
    /// `PLAN DEFAULT (…)`, or an omitted PLAN if both are empty: how all children and all siblings are joined.
    pub(super) fn default_plan(&self, children: &str, siblings: &str) -> Result<Vec<PlanStep>> {
        if !children.is_empty() {
            let mut nested = self.children.iter().flatten();
            if let Some(path) = nested.find(|path| path.name.is_none()) {
                let message = "All nested JSON paths must be named when default plan is given";
                return Err(user_error(ErrorCode::MissingPathName, path.place, message));
            }
        }
        let mut steps = Vec::with_capacity(2 * self.paths.len());
        self.default_steps(0, children != "INNER", siblings == "CROSS", &mut steps);
        Ok(steps)
    }

    fn default_steps(&self, path: usize, is_outer: bool, is_cross: bool, steps: &mut Vec<PlanStep>) {
        let children = &self.children[path];
        for child in children {
            self.default_steps(child.path, is_outer, is_cross, steps);
        }
        match children.len() {
            0 => return steps.push(PlanStep::Leaf(path)),
            1 => {}
            count if is_cross => steps.push(PlanStep::Cross(count)),
            count => steps.push(PlanStep::Union(count)),
        }
        steps.push(PlanStep::Parent { path, is_outer });
    }

    /// `PLAN (…)`; `start` is the place of JSON_TABLE's input.
    pub(super) fn specific_plan(
        &self,
        plan: &AstExpr,
        root: Option<&str>,
        start: Option<ErrorLocation>,
    ) -> Result<Vec<PlanStep>> {
        let place = place_of(plan);
        let Some(root) = root else { return Err(unnamed(start)) };
        let is_rooted = call(plan).is_none_or(|(join, _)| join == "OUTER" || join == "INNER");
        if !is_rooted {
            let message = "JSON_TABLE plan must either be a single path name or it must be rooted in \
                           parent-child relationship (OUTER or INNER)";
            return Err(user_error(ErrorCode::InvalidPlan, place, message));
        }
        let root = NestedPath { path: 0, name: Some(root.to_owned()), place: start };
        let (mut parts, root) = (Siblings::default(), std::slice::from_ref(&root));
        siblings(plan, &mut parts)?;
        self.check_names(root, &parts, place)?;
        let mut steps = Vec::with_capacity(2 * self.paths.len());
        self.steps(plan, &mut steps);
        Ok(steps)
    }

    fn check_names(
        &self,
        paths: &[NestedPath],
        parts: &Siblings<'_>,
        place: Option<ErrorLocation>,
    ) -> Result<()> {
        let mut names = Vec::with_capacity(paths.len());
        for path in paths {
            names.push(path.name.as_deref().ok_or_else(|| unnamed(path.place))?);
        }
        let invalid = |message: String| Err(user_error(ErrorCode::InvalidPlan, place, message));
        let missing: Vec<&str> =
            names.iter().copied().filter(|name| !parts.parts.contains_key(*name)).collect();
        if !missing.is_empty() {
            return invalid(format!(
                "JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: {}",
                missing.join(", ")
            ));
        }
        let names: HashSet<&str> = names.into_iter().collect();
        let planned = parts.names.iter().map(String::as_str);
        let unknown: Vec<&str> = planned.filter(|name| !names.contains(name)).collect();
        if !unknown.is_empty() {
            let unknown = unknown.join(", ");
            return invalid(format!("JSON_TABLE plan includes unavailable JSON path names: {unknown}"));
        }
        // Trino checks nested paths in the order of the paths, not of the plan.
        for path in paths {
            let planned = path.name.as_ref().and_then(|name| parts.parts.get(name));
            let mut below = Siblings::default();
            if let Some(Part::Parent(child)) = planned {
                siblings(child, &mut below)?;
            }
            self.check_names(&self.children[path.path], &below, place)?;
        }
        Ok(())
    }

    /// Generates the steps of a plan that was checked.
    fn steps(&self, plan: &AstExpr, steps: &mut Vec<PlanStep>) {
        let path_of = |name| self.named_paths.get(&canonical(name)).copied();
        match (plan, call(plan)) {
            (AstExpr::Identifier(name), _) => {
                steps.extend(path_of(name).map(PlanStep::Leaf));
            }
            (_, Some((join, parts))) if join == "OUTER" || join == "INNER" => {
                if let [AstExpr::Identifier(parent), child] = parts.as_slice()
                    && let Some(path) = path_of(parent)
                {
                    self.steps(child, steps);
                    steps.push(PlanStep::Parent { path, is_outer: join == "OUTER" });
                }
            }
            (_, Some((join, parts))) => {
                let count = parts.len();
                parts.into_iter().for_each(|part| self.steps(part, steps));
                steps.push(if join == "CROSS" { PlanStep::Cross(count) } else { PlanStep::Union(count) });
            }
            _ => {}
        }
    }
}
