//! Evaluates the path language of SQL/JSON like Trino: sequences of items, arrays unwrapped in `lax` mode, missing
//! members an error in `strict` mode. Steps are counted, because subscripts may multiply a sequence repeatedly.

use std::borrow::Cow;

use rowhouse_sql::json_path::{Accessor, JsonPath, Path, PathMethod};
use rowhouse_sql::types::Type;

use crate::datum::Datum;
use crate::json::{Item, text_steps};

mod number;
mod predicate;

pub(crate) use number::sql_value;

/// Maximum number of steps of one evaluation.
const MAX_STEPS: usize = 5_000_000;

/// An item of a sequence.
#[derive(Clone, Debug)]
pub(crate) enum Node<'j> {
    /// An item of the input or of a parameter.
    Json(&'j Item),
    /// An item that `keyvalue()` has created.
    Made(Item),
    /// An SQL value that is not NULL.
    Sql(Datum<'j>, Type),
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Variable<'j> {
    /// JSON; `None` is the empty sequence.
    Json(Option<&'j Item>),
    /// An SQL value; NULL is JSON's `null`.
    Sql(Datum<'j>, Type),
}

/// Why the evaluation fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A fault with Trino's message; `ON ERROR` applies to it.
    Path(String),
    /// The evaluation takes more than [`MAX_STEPS`].
    TooLong,
}

pub(super) type Result<T> = std::result::Result<T, Fault>;

type Sequence<'j> = Vec<Node<'j>>;

/// The evaluation for one input.
pub(super) struct Evaluator<'j, 'v> {
    input: &'j Item,
    variables: &'v [(&'j str, Variable<'j>)],
    is_lax: bool,
    steps: usize,
    objects: usize,
}

/// The values of `@` and `last`.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'n, 'j> {
    item: Option<&'n Node<'j>>,
    last: Option<usize>,
}

/// The item of a variable that is NULL.
static NULL: Item = Item::Null;

/// The items that a path selects.
///
/// # Errors
///
/// [`Fault::Path`] as in Trino, [`Fault::TooLong`] for more than [`MAX_STEPS`].
pub(crate) fn evaluate<'j>(
    path: &JsonPath,
    input: &'j Item,
    variables: &[(&'j str, Variable<'j>)],
) -> Result<Vec<Node<'j>>> {
    let mut evaluator = Evaluator { input, variables, is_lax: path.is_lax, steps: 0, objects: 0 };
    evaluator.path(&path.root, Context::default())
}

/// The message of [`Fault::TooLong`].
pub(crate) fn too_long() -> String {
    format!("the JSON path takes more than {MAX_STEPS} steps")
}

fn item_type(expected: &str, node: &Node<'_>) -> Fault {
    let actual = match node {
        Node::Json(item) => kind(item).to_owned(),
        Node::Made(item) => kind(item).to_owned(),
        Node::Sql(_, data_type) => data_type.to_string(),
    };
    Fault::Path(format!("invalid item type. Expected: {expected}, actual: {actual}"))
}

const fn kind(item: &Item) -> &'static str {
    match item {
        Item::Null => "NULL",
        Item::Missing => "MISSING",
        Item::Boolean(_) => "BOOLEAN",
        Item::Digits(_) | Item::Double(_) => "NUMBER",
        Item::Text(_) => "STRING",
        Item::Array(_) => "ARRAY",
        Item::Object(_) => "OBJECT",
    }
}

impl<'j> Node<'j> {
    /// The item, if it is JSON.
    pub(crate) const fn item(&self) -> Option<&Item> {
        match self {
            Self::Json(item) => Some(item),
            Self::Made(item) => Some(item),
            Self::Sql(..) => None,
        }
    }

    /// The number of steps of a copy, beyond the one that every item counts.
    fn size(&self) -> usize {
        match self {
            Self::Json(_) | Self::Sql(Datum::Text(Cow::Borrowed(_)), _) => 0,
            Self::Made(item) => item.size(),
            Self::Sql(Datum::Text(Cow::Owned(text)), _) => text_steps(text.len()),
            Self::Sql(..) => 0,
        }
    }

    /// The elements of an array; the error is the item itself if it is not an array.
    fn elements(self) -> std::result::Result<Vec<Self>, Self> {
        match self {
            Self::Json(Item::Array(elements)) => Ok(elements.iter().map(Node::Json).collect()),
            Self::Made(Item::Array(elements)) => Ok(elements.into_iter().map(Node::Made).collect()),
            other => Err(other),
        }
    }

    /// The members of an object; the error is the item itself if it is not an object.
    fn members(self) -> std::result::Result<Vec<(Cow<'j, str>, Self)>, Self> {
        match self {
            Self::Json(Item::Object(members)) => {
                Ok(members.iter().map(|(name, value)| (name.as_str().into(), Node::Json(value))).collect())
            }
            Self::Made(Item::Object(members)) => {
                Ok(members.into_iter().map(|(name, value)| (name.into(), Node::Made(value))).collect())
            }
            other => Err(other),
        }
    }
}

impl<'j> Evaluator<'j, '_> {
    fn step(&mut self, steps: usize) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS { Err(Fault::TooLong) } else { Ok(()) }
    }

    pub(super) fn path(&mut self, path: &Path, here: Context<'_, 'j>) -> Result<Sequence<'j>> {
        self.step(1)?;
        let sql = |datum, data_type| Ok(vec![Node::Sql(datum, data_type)]);
        match path {
            Path::Context => Ok(vec![Node::Json(self.input)]),
            Path::CurrentItem => match here.item {
                Some(item) => {
                    self.step(item.size())?;
                    Ok(vec![item.clone()])
                }
                None => Err(Fault::Path("accessing current filter item with no enclosing filter".to_owned())),
            },
            Path::Last => match here.last {
                Some(last) => sql(Datum::Integer(i64::try_from(last).unwrap_or(i64::MAX)), Type::Integer),
                None => Err(Fault::Path("accessing the last array index with no enclosing array".to_owned())),
            },
            Path::Variable(name) => self.variable(name),
            Path::Null => Ok(vec![Node::Json(&NULL)]),
            Path::Boolean(value) => sql(Datum::Boolean(*value), Type::Boolean),
            Path::Text(text) => {
                self.step(text_steps(text.len()))?;
                sql(Datum::from_text(text.as_str()), Type::of_text(text))
            }
            Path::Number(digits) => {
                let (datum, data_type) = number::literal(digits)?;
                sql(datum, data_type)
            }
            Path::Accessors(base, accessors) => {
                let mut sequence = self.path(base, here)?;
                for accessor in accessors {
                    sequence = self.access(sequence, accessor, here)?;
                    self.step(sequence.len() + 1)?;
                }
                Ok(sequence)
            }
            Path::Sign { is_negative, operand } => {
                let sequence = self.path(operand, here)?;
                let sequence = self.unwrapped(sequence)?;
                let signed = sequence.iter().map(|node| number::signed(node, *is_negative));
                signed.collect()
            }
            Path::Chain(first, rest) => {
                let mut left = self.operand(first, here)?;
                for (operator, right) in rest {
                    let right = self.operand(right, here)?;
                    left = number::arithmetic(*operator, &left, &right)?;
                }
                Ok(vec![left])
            }
        }
    }

    fn variable(&self, name: &str) -> Result<Sequence<'j>> {
        let found = self.variables.iter().find(|(known, _)| *known == name);
        Ok(match found.map(|(_, variable)| variable) {
            None | Some(Variable::Json(None)) => Vec::new(),
            Some(Variable::Json(Some(item))) => vec![Node::Json(item)],
            Some(Variable::Sql(Datum::Null, _)) => vec![Node::Json(&NULL)],
            Some(Variable::Sql(datum, data_type)) => vec![Node::Sql(datum.clone(), data_type.clone())],
        })
    }

    /// Evaluates an operand, which must be a single item.
    fn operand(&mut self, path: &Path, here: Context<'_, 'j>) -> Result<Node<'j>> {
        let sequence = self.path(path, here)?;
        let mut sequence = self.unwrapped(sequence)?;
        match (sequence.pop(), sequence.is_empty()) {
            (Some(only), true) => Ok(only),
            _ => Err(Fault::Path("arithmetic binary expression requires singleton operands".to_owned())),
        }
    }

    /// The sequence with arrays replaced by their elements in `lax` mode.
    pub(super) fn unwrapped(&mut self, sequence: Sequence<'j>) -> Result<Sequence<'j>> {
        let is_array = |node: &Node<'_>| matches!(node.item(), Some(Item::Array(_)));
        if !self.is_lax || !sequence.iter().any(is_array) {
            return Ok(sequence);
        }
        let mut unwrapped = Vec::with_capacity(sequence.len());
        for node in sequence {
            match node.elements() {
                Ok(elements) => {
                    self.step(elements.len())?;
                    unwrapped.extend(elements);
                }
                Err(other) => unwrapped.push(other),
            }
        }
        Ok(unwrapped)
    }

    fn access(
        &mut self,
        sequence: Sequence<'j>,
        accessor: &Accessor,
        here: Context<'_, 'j>,
    ) -> Result<Sequence<'j>> {
        match accessor {
            Accessor::Member(name) => self.members(sequence, Some(name)),
            Accessor::AnyMember => self.members(sequence, None),
            Accessor::Descendants(name) => {
                let mut found = Vec::new();
                for node in sequence {
                    self.descendants(node, name, &mut found)?;
                }
                Ok(found)
            }
            Accessor::AnyElement => self.elements(sequence, &[], here),
            Accessor::Elements(subscripts) => self.elements(sequence, subscripts, here),
            Accessor::Filter(predicate) => {
                let mut kept = Vec::new();
                for node in self.unwrapped(sequence)? {
                    let inside = Context { item: Some(&node), ..here };
                    if self.predicate(predicate, inside)? == Some(true) {
                        kept.push(node);
                    }
                }
                Ok(kept)
            }
            Accessor::Method(method) => self.method(sequence, *method),
        }
    }

    fn members(&mut self, sequence: Sequence<'j>, wanted: Option<&String>) -> Result<Sequence<'j>> {
        let mut found = Vec::new();
        for node in self.unwrapped(sequence)? {
            // A single member is searched without a list of all members.
            if let (Node::Json(Item::Object(members)), Some(wanted)) = (&node, wanted) {
                self.step(members.len())?;
                match members.iter().find(|(name, _)| name == wanted) {
                    Some((_, value)) => found.push(Node::Json(value)),
                    None if self.is_lax => {}
                    None => return Err(missing(wanted)),
                }
                continue;
            }
            match (node.members(), wanted) {
                (Ok(members), None) => {
                    self.step(members.len())?;
                    found.extend(members.into_iter().map(|(_, value)| value));
                }
                (Ok(members), Some(wanted)) => {
                    self.step(members.len())?;
                    match members.into_iter().find(|(name, _)| name.as_ref() == wanted.as_str()) {
                        Some((_, value)) => found.push(value),
                        None if self.is_lax => {}
                        None => return Err(missing(wanted)),
                    }
                }
                (Err(_), _) if self.is_lax => {}
                (Err(other), _) => return Err(item_type("OBJECT", &other)),
            }
        }
        Ok(found)
    }

    /// Adds the members with a name in the item and its descendants; an object precedes its content.
    fn descendants(&mut self, node: Node<'j>, name: &str, found: &mut Sequence<'j>) -> Result<()> {
        self.step(1)?;
        let node = match node.members() {
            Ok(members) => {
                if let Some((_, value)) = members.iter().find(|(known, _)| known == name) {
                    self.step(value.size())?;
                    found.push(value.clone());
                }
                return members.into_iter().try_for_each(|(_, value)| self.descendants(value, name, found));
            }
            Err(node) => node,
        };
        match node.elements() {
            Ok(elements) => {
                elements.into_iter().try_for_each(|element| self.descendants(element, name, found))
            }
            Err(_) => Ok(()),
        }
    }

    /// The elements at the subscripts; all elements if there are none.
    fn elements(
        &mut self,
        sequence: Sequence<'j>,
        subscripts: &[(Path, Option<Path>)],
        here: Context<'_, 'j>,
    ) -> Result<Sequence<'j>> {
        let mut found = Vec::new();
        for node in sequence {
            let elements = match node.elements() {
                Ok(elements) => elements,
                Err(other) if self.is_lax => vec![other],
                Err(other) => return Err(item_type("ARRAY", &other)),
            };
            self.step(elements.len() + 1)?;
            if subscripts.is_empty() {
                found.extend(elements);
                continue;
            }
            let Some(last) = elements.len().checked_sub(1) else {
                if self.is_lax {
                    continue;
                }
                return Err(structural("invalid array subscript for empty array"));
            };
            let inside = Context { last: Some(last), ..here };
            for (from, to) in subscripts {
                let range = self.range(from, to.as_ref(), last, inside)?;
                for place in range {
                    self.step(elements[place].size() + 1)?;
                    found.push(elements[place].clone());
                }
            }
        }
        Ok(found)
    }

    fn range(
        &mut self,
        from: &Path,
        to: Option<&Path>,
        last: usize,
        inside: Context<'_, 'j>,
    ) -> Result<std::ops::RangeInclusive<usize>> {
        #[expect(clippy::reversed_empty_ranges, reason = "none")]
        const NONE: std::ops::RangeInclusive<usize> = 1..=0;
        let from = self.subscript(from, "from", inside)?;
        let to = match to {
            Some(to) => self.subscript(to, "to", inside)?,
            None => from,
        };
        let size = i64::try_from(last).unwrap_or(i64::MAX);
        if !self.is_lax && (from < 0 || from > size || to < 0 || to > size || from > to) {
            let size = last + 1;
            return Err(structural(&format!(
                "invalid array subscript: [{from}, {to}] for array of size {size}"
            )));
        }
        let (first, end) = (usize::try_from(from.max(0)), usize::try_from(to.min(size)));
        Ok(match (first, end) {
            (Ok(first), Ok(end)) if first <= end => first..=end,
            _ => NONE,
        })
    }

    fn subscript(&mut self, path: &Path, which: &str, inside: Context<'_, 'j>) -> Result<i64> {
        let sequence = self.path(path, inside)?;
        match sequence.as_slice() {
            [only] => number::subscript(only),
            _ => Err(Fault::Path(format!("array subscript '{which}' value must be singleton numeric"))),
        }
    }

    fn method(&mut self, sequence: Sequence<'j>, method: PathMethod) -> Result<Sequence<'j>> {
        let text = |word: &str| Node::Sql(Datum::from_text(word), Type::varchar(27));
        match method {
            PathMethod::Type => Ok(sequence.iter().map(|node| text(type_name(node))).collect()),
            PathMethod::Size => sequence
                .iter()
                .map(|node| {
                    let size = match node.item() {
                        Some(Item::Array(elements)) => elements.len(),
                        _ if self.is_lax => 1,
                        _ => return Err(item_type("ARRAY", node)),
                    };
                    let size = Datum::Integer(i64::try_from(size).unwrap_or(i64::MAX));
                    Ok(Node::Sql(size, Type::Integer))
                })
                .collect(),
            PathMethod::KeyValue => self.key_values(sequence),
            PathMethod::Abs | PathMethod::Ceiling | PathMethod::Double | PathMethod::Floor => {
                self.unwrapped(sequence)?.iter().map(|node| number::method(method, node)).collect()
            }
        }
    }

    fn key_values(&mut self, sequence: Sequence<'j>) -> Result<Sequence<'j>> {
        let mut found = Vec::new();
        for node in self.unwrapped(sequence)? {
            if let Some(item) = node.item() {
                self.step(item.size())?;
            }
            let members = match node {
                Node::Json(Item::Object(members)) => members.clone(),
                Node::Made(Item::Object(members)) => members,
                other => return Err(item_type("OBJECT", &other)),
            };
            let id = self.objects;
            self.objects += 1;
            found.extend(members.into_iter().map(|(name, value)| {
                let member = |key: &str, value| (key.to_owned(), value);
                Node::Made(Item::Object(vec![
                    member("name", Item::Text(name)),
                    member("value", value),
                    member("id", Item::Digits(id.to_string())),
                ]))
            }));
        }
        Ok(found)
    }
}

fn structural(message: &str) -> Fault {
    Fault::Path(format!("structural error: {message}"))
}

fn missing(name: &str) -> Fault {
    structural(&format!("missing member '{name}' in JSON object"))
}

fn type_name(node: &Node<'_>) -> &'static str {
    match node {
        Node::Sql(_, data_type) => match data_type {
            Type::Boolean => "boolean",
            Type::Varchar { .. } => "string",
            Type::Date => "date",
            Type::Time { .. } => "time without time zone",
            Type::Timestamp { .. } => "timestamp without time zone",
            Type::TimestampWithTimeZone { .. } => "timestamp with time zone",
            _ => "number",
        },
        Node::Json(item) => lower_kind(item),
        Node::Made(item) => lower_kind(item),
    }
}

const fn lower_kind(item: &Item) -> &'static str {
    match item {
        Item::Null | Item::Missing => "null",
        Item::Boolean(_) => "boolean",
        Item::Digits(_) | Item::Double(_) => "number",
        Item::Text(_) => "string",
        Item::Array(_) => "array",
        Item::Object(_) => "object",
    }
}
