//! FROM: tables, derived tables, common table expressions and the joins between them.

use sqlparser::ast::{
    FunctionArg, FunctionArgExpr, Join, TableAlias, TableFactor, TableFunctionArgs, TableWithJoins,
};

use super::alias::alias_parts;
use super::context::{Analyzer, Relation, Source, refuse_if, shown_name};
use super::json_table::json_table_call;
use super::place::{place_of, place_of_factor, place_of_name};
use super::scope::{Scope, ScopeField};
use super::table_names::NamedTable;
use super::unnest::UnnestItem;
use crate::error::{Result, located, not_supported};
use crate::plan::{Field, JoinKind, Plan};

/// An item of FROM.
#[derive(Debug)]
pub(super) enum Item {
    /// An item that does not refer to other items.
    Source(Source),
    /// UNNEST of arrays from the items before it.
    Unnest(UnnestItem),
    /// LATERAL: a query that names columns of the items before it.
    Lateral(Source),
}

impl Analyzer<'_> {
    /// The cross join of the items of FROM. Without FROM: one row without columns.
    pub(super) fn from(&mut self, items: &[TableWithJoins], parent: Option<&Scope<'_>>) -> Result<Source> {
        let mut source: Option<Source> = None;
        for item in items {
            if let Some(before) = &source {
                self.add_level(before.fields.len(), place_of_factor(&item.relation))?;
            }
            source = Some(self.item_with_joins(item, source, parent)?);
        }
        Ok(source.unwrap_or_else(Source::one_row))
    }

    fn item_with_joins(
        &mut self,
        item: &TableWithJoins,
        before: Option<Source>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        let TableWithJoins { relation, joins } = item;
        let first = match self.factor(relation, before.as_ref().map(|source| &*source.fields), parent)? {
            Item::Source(first) => first,
            Item::Unnest(unnest) => {
                let left = before.unwrap_or_else(Source::one_row);
                let mut source = self.unnest(left, unnest, false)?;
                for join in joins {
                    source = self.join_item(source, join, parent)?;
                }
                return Ok(source);
            }
            Item::Lateral(lateral) => {
                let left = before.unwrap_or_else(Source::one_row);
                let mut source = self.lateral(left, lateral, JoinKind::Inner, None, parent)?;
                for join in joins {
                    source = self.join_item(source, join, parent)?;
                }
                return Ok(source);
            }
        };
        let mut source = first;
        for join in joins {
            source = self.join_item(source, join, parent)?;
        }
        Ok(match before {
            None => source,
            Some(before) => cross(before, source),
        })
    }

    fn join_item(&mut self, left: Source, join: &Join, parent: Option<&Scope<'_>>) -> Result<Source> {
        let Join { relation, global, join_operator } = join;
        let place = place_of_factor(relation);
        refuse_if(*global, place, "GLOBAL JOIN")?;
        self.add_level(left.fields.len(), place)?;
        let right = self.factor(relation, Some(&left.fields), parent)?;
        located(self.join(left, right, join_operator, parent), place)
    }

    /// An item that does not refer to other items.
    pub(super) fn single_factor(
        &mut self,
        factor: &TableFactor,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        match self.factor(factor, None, parent)? {
            Item::Source(source) | Item::Lateral(source) => Ok(source),
            Item::Unnest(unnest) => self.unnest(Source::one_row(), unnest, false),
        }
    }

    /// One item; `before` has the columns that an UNNEST may refer to.
    fn factor(
        &mut self,
        factor: &TableFactor,
        before: Option<&[ScopeField]>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Item> {
        let source = match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_hints,
            } => {
                let place = place_of_name(name);
                refuse_if(!with_hints.is_empty(), place, "a table hint")?;
                refuse_if(version.is_some(), place, "a table version")?;
                refuse_if(!partitions.is_empty(), place, "PARTITION of a table")?;
                refuse_if(json_path.is_some(), place, "a JSON path of a table")?;
                refuse_if(!index_hints.is_empty(), place, "an index hint")?;
                if let Some(TableFunctionArgs { args, settings }) = args {
                    refuse_if(settings.is_some(), place, "SETTINGS")?;
                    if !name.to_string().eq_ignore_ascii_case("unnest") {
                        return Err(not_supported(place, format!("the table function {name}")));
                    }
                    // A sample names no columns of the items before it, as in Trino.
                    let before = before.filter(|_| sample.is_none());
                    let unnest =
                        self.unnest_item(args, *with_ordinality, alias.as_ref(), before, parent, place)?;
                    return self.sampled_unnest(unnest, sample.as_ref(), place);
                }
                refuse_if(*with_ordinality, place, "WITH ORDINALITY of a table")?;
                let source = named(self.table(name)?, alias.as_ref())?;
                self.sampled(source, sample.as_ref(), place)?
            }
            TableFactor::Derived { lateral, subquery, alias, sample } => {
                let place = super::place::place_of_query(subquery);
                let is_lateral = *lateral && sample.is_none();
                let around = is_lateral.then(|| Scope::new(before.unwrap_or_default().to_vec(), parent));
                let Relation { plan, fields } = self.query(subquery, around.as_ref().or(parent))?;
                let plan = self.exactly(plan, &fields);
                let fields = plan.fields();
                let source = aliased(Relation { plan, fields }, Vec::new(), alias.as_ref())?;
                let source = self.sampled(source, sample.as_ref(), place)?;
                if is_lateral {
                    return Ok(Item::Lateral(source));
                }
                source
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let source =
                    self.nested(None, |analyzer| analyzer.item_with_joins(table_with_joins, None, parent))?;
                match alias {
                    None => source,
                    Some(alias) => {
                        let fields = source
                            .fields
                            .iter()
                            .filter(|field| field.is_in_star())
                            .map(|field| field.field.clone())
                            .collect();
                        aliased(Relation { plan: source.plan, fields }, Vec::new(), Some(alias))?
                    }
                }
            }
            TableFactor::UNNEST { alias, array_exprs, with_offset, with_offset_alias, with_ordinality } => {
                let place = array_exprs.first().and_then(place_of);
                refuse_if(*with_offset || with_offset_alias.is_some(), place, "WITH OFFSET")?;
                let args: Vec<FunctionArg> = array_exprs
                    .iter()
                    .map(|expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr.clone())))
                    .collect();
                let unnest =
                    self.unnest_item(&args, *with_ordinality, alias.as_ref(), before, parent, place)?;
                return Ok(Item::Unnest(unnest));
            }
            TableFactor::Function { name, .. } => {
                return Err(not_supported(place_of_name(name), format!("the table function {name}")));
            }
            TableFactor::TableFunction { expr, alias } => match json_table_call(expr) {
                Some(call) => return self.json_table(call, alias.as_ref(), before, parent).map(Item::Unnest),
                None => self.table_function(expr, alias.as_ref(), parent)?,
            },
            TableFactor::JsonTable { json_expr: expr, .. }
            | TableFactor::OpenJsonTable { json_expr: expr, .. } => {
                return Err(not_supported(place_of(expr), "this form of JSON_TABLE"));
            }
            TableFactor::Pivot { .. } => return Err(not_supported(place_of_factor(factor), "PIVOT")),
            TableFactor::Unpivot { .. } | TableFactor::UnpivotExpr { .. } => {
                return Err(not_supported(place_of_factor(factor), "UNPIVOT"));
            }
            TableFactor::MatchRecognize { .. } => {
                return Err(not_supported(place_of_factor(factor), "MATCH_RECOGNIZE"));
            }
            TableFactor::XmlTable { .. } => {
                return Err(not_supported(place_of_factor(factor), "XMLTABLE"));
            }
            TableFactor::SemanticView { name, .. } => {
                return Err(not_supported(place_of_name(name), "SEMANTIC_VIEW"));
            }
        };
        Ok(Item::Source(source))
    }
}

/// The cross join of two sources; its conditions are in WHERE, where the passes find them.
pub(super) fn cross(left: Source, right: Source) -> Source {
    let mut fields = left.fields;
    fields.extend(right.fields);
    Source { plan: Plan::join(JoinKind::Inner, left.plan, right.plan, Vec::new(), None), fields }
}

/// A table under its alias or its own name. If the alias lists columns, columns outside of `*` are dropped.
fn named(table: NamedTable, alias: Option<&TableAlias>) -> Result<Source> {
    let NamedTable { relation, qualifier, hidden } = table;
    let mut source = aliased(relation, qualifier.clone(), alias)?;
    let qualifier = match alias {
        None => qualifier,
        Some(alias) if alias.columns.is_empty() => vec![shown_name(&alias.name)],
        Some(_) => return Ok(source),
    };
    let hidden = hidden.into_iter().map(|field| ScopeField::new(&qualifier, field).not_in_star());
    source.fields.extend(hidden);
    Ok(source)
}

/// A relation under its alias or its own name.
pub(super) fn aliased(
    relation: Relation,
    qualifier: Vec<String>,
    alias: Option<&TableAlias>,
) -> Result<Source> {
    let Relation { plan, fields } = relation;
    let (qualifier, fields): (Vec<String>, Vec<Field>) = match alias {
        None => (qualifier, fields),
        Some(alias) => alias_parts(alias, fields)?,
    };
    Ok(Source { plan, fields: fields.into_iter().map(|field| ScopeField::new(&qualifier, field)).collect() })
}
