//! Declarations of an endpoint in line comments at the head of its SQL: parameters, cache, limits, columns that callers
//! may order by, and whether consumers may call it. Values and types stay text: the engine parses them.

mod comment;
mod cursor;
mod declaration;
mod label;

use std::time::Duration;

use crate::error::{Error, ErrorKind, Location};
use crate::sql_comments::{LineComment, Reading, line_comments};
use comment::Meaning;
use cursor::Fault;
use declaration::Declaration;
use label::Label;

/// Maximum number of parameters of an endpoint.
pub const MAX_ENDPOINT_PARAMETERS: usize = 50;

/// The declarations at the head of an endpoint's SQL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointDeclarations {
    /// In the order of the comments; no two have the same name.
    pub parameters: Vec<ParameterDeclaration>,
    /// `-- Cache: 60s stale 10m`
    pub cache: Option<CacheDeclaration>,
    /// `-- Limit: 10000 rows 5s`
    pub limit: Option<LimitDeclaration>,
    /// `-- Order by: day, amount`: columns that callers may order by; empty if none.
    pub order_by: Vec<OrderDeclaration>,
    /// `-- Shared: consumers`
    pub is_shared: bool,
}

/// `-- Parameter: region varchar in ('EU', 'US') default 'EU' "Where"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterDeclaration {
    /// The name in the SQL (`:name`) and in requests; letter case counts.
    pub name: String,
    /// Its type, as SQL spells it.
    pub type_name: String,
    /// Whether a request must supply it.
    pub is_required: bool,
    /// Allowed values; of an array, of its elements. Empty: any value.
    pub allowed: Vec<DeclaredValue>,
    /// Least and greatest value; of an array, of its elements.
    pub range: Option<(DeclaredValue, DeclaredValue)>,
    /// Its value where a request supplies none: NULL if nothing is declared.
    pub default: Option<DeclaredValue>,
    /// A description for people.
    pub description: Option<String>,
    /// Location of its name in the SQL.
    pub location: Location,
}

/// A constant of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredValue {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number as written.
    Number(String),
    /// `'text'`, without its quotes.
    Text(String),
    /// `ARRAY['a', 'b']`; its elements are not arrays.
    Array(Vec<DeclaredValue>),
}

/// How long a cached result may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheDeclaration {
    /// Maximum age of a result that answers.
    pub fresh: Duration,
    /// Further time in which it answers while one run renews it.
    pub stale: Option<Duration>,
    /// Whether the server calls it after refreshes of views, so that the next caller finds a cached result.
    pub is_warm: bool,
}

/// Limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitDeclaration {
    /// Maximum number of rows of one answer.
    pub rows: Option<u64>,
    /// Maximum time of one run.
    pub time: Option<Duration>,
}

/// A column that callers may order by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderDeclaration {
    /// Its name.
    pub column: String,
    /// Its location in the SQL.
    pub location: Location,
}

impl EndpointDeclarations {
    /// Parses the line comments before the first token of a statement. Comments that declare nothing are ignored.
    ///
    /// # Errors
    /// `MalformedComment` with its location: a declaration that is malformed, duplicate, after the statement's first
    /// token, or a near miss (`-- Paramter: …`); too many parameters; a comment that engines may parse in two ways.
    pub fn from_sql(sql: &str) -> Result<Self, Error> {
        let head_end = head_end(sql);
        let mut declarations = Self::default();
        let trino: Vec<LineComment<'_>> = line_comments(sql, Reading::Trino).collect();
        for comment in &trino {
            let meaning = comment::meaning(comment.text);
            let placed = |fault: Fault| fault.into_error(sql, comment.offset);
            if comment.offset > head_end {
                if let Meaning::Declares(label, _) = meaning {
                    let message = format!(
                        "`-- {}: …` declares nothing here: put it before the first word of the statement",
                        label.name()
                    );
                    return Err(placed(Fault::at(0, message)));
                }
                continue;
            }
            match meaning {
                Meaning::Nothing => {}
                Meaning::NearMiss(fault) => return Err(placed(fault)),
                Meaning::Declares(label, start) => {
                    let declaration = Declaration::parse(label, comment.text, start).map_err(placed)?;
                    let place = Location::of(sql, comment.offset + start);
                    declarations
                        .add(label, declaration, &|offset| Location::of(sql, comment.offset + offset))
                        .map_err(|message| Error::new(ErrorKind::MalformedComment, message).at(place))?;
                }
            }
        }
        // If one engine sees a comment where another sees text, a requirement may be hidden.
        let declares = |comment: &LineComment<'_>| {
            comment.offset <= head_end && matches!(comment::meaning(comment.text), Meaning::Declares(..))
        };
        let of_trino = trino.iter().filter(|comment| declares(comment)).map(|comment| comment.offset);
        let generic = line_comments(sql, Reading::Generic).filter(declares).map(|comment| comment.offset);
        if !of_trino.eq(generic) {
            let message = "SQL engines disagree on which comments stand at the head of this statement: put declarations \
                           first, without block comments before or between them";
            return Err(Error::new(ErrorKind::MalformedComment, message).at(Location::of(sql, 0)));
        }
        Ok(declarations)
    }

    fn add(
        &mut self,
        label: Label,
        declaration: Declaration,
        location: &dyn Fn(usize) -> Location,
    ) -> Result<(), String> {
        let twice = || format!("`-- {}: …` stands twice", label.name());
        match declaration {
            Declaration::Parameter { name, offset, rest } => {
                if self.parameters.iter().any(|parameter| parameter.name == name) {
                    return Err(format!("the parameter {name} is declared twice"));
                }
                if self.parameters.len() == MAX_ENDPOINT_PARAMETERS {
                    return Err(format!("an endpoint has at most {MAX_ENDPOINT_PARAMETERS} parameters"));
                }
                self.parameters.push(rest.declared(name, location(offset)));
            }
            Declaration::Cache(cache) if self.cache.is_none() => self.cache = Some(cache),
            Declaration::Limit(limit) if self.limit.is_none() => self.limit = Some(limit),
            Declaration::OrderBy(columns) if self.order_by.is_empty() => {
                let placed = columns
                    .into_iter()
                    .map(|(offset, column)| OrderDeclaration { column, location: location(offset) });
                self.order_by = placed.collect();
            }
            Declaration::Shared if !self.is_shared => self.is_shared = true,
            _ => return Err(twice()),
        }
        Ok(())
    }
}

/// Where the first token of a statement begins: after white space and comments.
fn head_end(sql: &str) -> usize {
    let mut offset = 0;
    loop {
        let rest = &sql[offset..];
        let trimmed = rest.trim_start();
        offset += rest.len() - trimmed.len();
        let length = if trimmed.starts_with("--") {
            trimmed.find(['\n', '\r']).unwrap_or(trimmed.len())
        } else if let Some(inside) = trimmed.strip_prefix("/*") {
            inside.find("*/").map_or(trimmed.len(), |end| end + "/**/".len())
        } else {
            return offset;
        };
        offset += length;
        if offset == sql.len() {
            return offset;
        }
    }
}

#[cfg(test)]
mod tests;
