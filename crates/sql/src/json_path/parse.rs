//! Parses tokens to a path. The contents of `( )` in a filter may be a condition or an expression: they are parsed
//! once, and the result determines which it is.

use super::lex::{Token, token};
use super::{
    Accessor, JsonPath, MAX_PATH_BYTES, MAX_PATH_DEPTH, Path, PathFault, PathFaultKind, PathMethod,
    PathOperator, Predicate,
};
use crate::error::shown;
use crate::expr::ComparisonOperator;
use crate::types::MAX_DECIMAL_PRECISION;

type Result<T> = std::result::Result<T, PathFault>;

pub(super) fn parse(text: &str) -> Result<JsonPath> {
    if text.len() > MAX_PATH_BYTES {
        let message = format!("a JSON path of more than {MAX_PATH_BYTES} bytes");
        return Err(PathFault { at: 0, kind: PathFaultKind::NotSupported, message });
    }
    let mut parser = Parser::new(text);
    let is_lax = match parser.token {
        Token::Word("lax") => true,
        Token::Word("strict") => false,
        _ => return Err(parser.expected("'lax', 'strict'")),
    };
    parser.advance();
    let root = parser.sum()?;
    match parser.token {
        Token::End => Ok(JsonPath { is_lax, root }),
        _ => Err(parser.expected("the end of the path")),
    }
}

struct Parser<'t> {
    text: &'t str,
    token: Token<'t>,
    /// The start and the end of the token.
    at: usize,
    end: usize,
    depth: usize,
}

/// The operand of a condition: an expression or a condition.
enum Part {
    Path(Path),
    Predicate(Predicate),
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let (token, at, end) = token(text, 0);
        Self { text, token, at, end, depth: 0 }
    }

    fn advance(&mut self) -> Token<'t> {
        let (next, at, end) = token(self.text, self.end);
        (self.at, self.end) = (at, end);
        std::mem::replace(&mut self.token, next)
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token, Token::Symbol(found) if found == symbol)
    }

    /// Consumes the next token if it is this symbol.
    fn take(&mut self, symbol: &str) -> bool {
        let is_there = self.is(symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn require(&mut self, symbol: &'static str) -> Result<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(&format!("'{symbol}'"))) }
    }

    fn require_word(&mut self, word: &str) -> Result<()> {
        if self.token == Token::Word(word) {
            self.advance();
            return Ok(());
        }
        Err(self.expected(&format!("'{word}'")))
    }

    fn expected(&self, what: &str) -> PathFault {
        let found: String = match self.token {
            Token::End => "<EOF>".to_owned(),
            _ => shown(&self.text[self.at..self.end]),
        };
        let message = format!("mismatched input '{found}' in a JSON path. Expecting: {what}");
        PathFault { at: self.at, kind: PathFaultKind::Syntax, message }
    }

    /// Parses one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_PATH_DEPTH {
            let message = format!("a JSON path nested deeper than {MAX_PATH_DEPTH} levels");
            return Err(PathFault { at: self.at, kind: PathFaultKind::NotSupported, message });
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn sum(&mut self) -> Result<Path> {
        match self.sum_in(false)? {
            Part::Path(path) => Ok(path),
            // OK because a condition is only returned for parentheses where a condition is allowed.
            Part::Predicate(_) => Err(self.expected("an expression")),
        }
    }

    fn sum_in(&mut self, may_be_condition: bool) -> Result<Part> {
        self.chain(
            may_be_condition,
            &[("+", PathOperator::Add), ("-", PathOperator::Subtract)],
            Self::product,
        )
    }

    fn product(&mut self, may_be_condition: bool) -> Result<Part> {
        let operators =
            [("*", PathOperator::Multiply), ("/", PathOperator::Divide), ("%", PathOperator::Modulus)];
        self.chain(may_be_condition, &operators, Self::signed)
    }

    fn chain(
        &mut self,
        may_be_condition: bool,
        operators: &[(&str, PathOperator)],
        operand: fn(&mut Self, bool) -> Result<Part>,
    ) -> Result<Part> {
        let first = match operand(self, may_be_condition)? {
            Part::Path(first) => first,
            condition @ Part::Predicate(_) => return Ok(condition),
        };
        let mut rest = Vec::new();
        let mut left = known_type(&first);
        while let Some((_, operator)) = operators.iter().find(|(symbol, _)| self.is(symbol)) {
            let at = self.at;
            self.advance();
            let Part::Path(next) = operand(self, false)? else { return Err(self.expected("an expression")) };
            let right = known_type(&next);
            if let (Some(left), Some(right)) = (left, right)
                && [left, right] != [NUMBER; 2]
            {
                let message = format!(
                    "invalid operand types ({left} and {right}) in JSON path arithmetic binary expression"
                );
                return Err(PathFault { at, kind: PathFaultKind::Operand, message });
            }
            left = left.and(right);
            rest.push((*operator, next));
        }
        Ok(Part::Path(if rest.is_empty() { first } else { Path::Chain(Box::new(first), rest) }))
    }

    fn signed(&mut self, may_be_condition: bool) -> Result<Part> {
        if !self.is("-") && !self.is("+") {
            return self.accessed(may_be_condition);
        }
        let is_negative = self.is("-");
        self.advance();
        if let (true, Token::Number(digits)) = (is_negative, &self.token) {
            // The sign belongs to the number, even if accessors follow.
            let number = self.number(&format!("-{digits}"))?;
            self.advance();
            return self.accessors(number).map(Part::Path);
        }
        match self.nested(|parser| parser.signed(false))? {
            Part::Path(operand) => {
                self.numeric(&operand, "arithmetic unary expression")?;
                Ok(Part::Path(Path::Sign { is_negative, operand: Box::new(operand) }))
            }
            Part::Predicate(_) => Err(self.expected("an expression")),
        }
    }

    fn accessed(&mut self, may_be_condition: bool) -> Result<Part> {
        match self.primary(may_be_condition)? {
            Part::Path(base) => self.accessors(base).map(Part::Path),
            condition @ Part::Predicate(_) => Ok(condition),
        }
    }

    /// A path with the accessors that follow it.
    fn accessors(&mut self, base: Path) -> Result<Path> {
        let mut accessors = Vec::new();
        loop {
            accessors.push(if self.take("..") {
                Accessor::Descendants(self.name()?)
            } else if self.take(".") {
                let member = self.member()?;
                let method = match member {
                    Accessor::Method(PathMethod::Abs | PathMethod::Ceiling | PathMethod::Floor) => "method",
                    _ => "",
                };
                if !method.is_empty() && accessors.is_empty() {
                    self.numeric(&base, method)?;
                }
                member
            } else if self.take("[") {
                self.nested(Self::subscripts)?
            } else if self.take("?") {
                self.require("(")?;
                let predicate = self.nested(Self::predicate)?;
                self.require(")")?;
                Accessor::Filter(Box::new(predicate))
            } else {
                break;
            });
        }
        Ok(if accessors.is_empty() { base } else { Path::Accessors(Box::new(base), accessors) })
    }

    fn primary(&mut self, may_be_condition: bool) -> Result<Part> {
        let path = match &self.token {
            Token::Symbol("(") => {
                self.advance();
                let part = self.nested(|parser| match may_be_condition {
                    true => parser.disjunction(),
                    false => parser.sum_in(false),
                })?;
                self.require(")")?;
                return Ok(part);
            }
            Token::Symbol("$") => Path::Context,
            Token::Symbol("@") => Path::CurrentItem,
            Token::Variable(name) => Path::Variable((*name).to_owned()),
            Token::Number(digits) => self.number(digits)?,
            Token::Text(text) => Path::Text(text.clone()),
            Token::Word("last") => Path::Last,
            Token::Word("null") => Path::Null,
            Token::Word("true") => Path::Boolean(true),
            Token::Word("false") => Path::Boolean(false),
            _ => {
                return Err(self.expected(
                    "'+', '(', '$', '@', 'false', 'last', '-', 'null', 'true', a number, a text, a variable",
                ));
            }
        };
        self.advance();
        Ok(Part::Path(path))
    }

    /// A number that an SQL type can hold: a 64-bit integer, a decimal of 38 digits, or a double.
    fn number(&self, digits: &str) -> Result<Path> {
        let fault = |kind, message: &str| {
            Err(PathFault { at: self.at, kind, message: format!("{message}: {digits}") })
        };
        let is_double = digits.contains(['e', 'E']);
        if !digits.contains('.') && !is_double && digits.parse::<i64>().is_err() {
            return fault(PathFaultKind::Syntax, "Invalid numeric literal");
        }
        let count = digits.trim_start_matches(['-', '0']).bytes().filter(u8::is_ascii_digit).count();
        if !is_double && count > usize::from(MAX_DECIMAL_PRECISION) {
            return fault(PathFaultKind::Literal, "Invalid decimal literal");
        }
        Ok(Path::Number(digits.to_owned()))
    }

    /// Refuses an operand that is never a number, for any input.
    fn numeric(&self, operand: &Path, what: &str) -> Result<()> {
        let Some(found) = known_type(operand).filter(|found| *found != NUMBER) else { return Ok(()) };
        let message = format!("invalid operand type ({found}) in JSON path {what}");
        Err(PathFault { at: self.at, kind: PathFaultKind::Operand, message })
    }

    fn name(&mut self) -> Result<String> {
        let name = match &self.token {
            Token::Word(name) => (*name).to_owned(),
            Token::Text(name) => name.clone(),
            _ => return Err(self.expected("a name")),
        };
        self.advance();
        Ok(name)
    }

    /// The accessor after a point.
    fn member(&mut self) -> Result<Accessor> {
        if self.take("*") {
            return Ok(Accessor::AnyMember);
        }
        let is_word = matches!(self.token, Token::Word(_));
        let at = self.at;
        let name = self.name()?;
        if !is_word || !self.is("(") {
            return Ok(Accessor::Member(name));
        }
        if name == "datetime" {
            let message = "datetime method in JSON path is not yet supported".to_owned();
            return Err(PathFault { at, kind: PathFaultKind::NotSupported, message });
        }
        match PathMethod::ALL.iter().find(|(known, _)| *known == name) {
            Some((_, method)) => {
                self.advance();
                self.require(")")?;
                Ok(Accessor::Method(*method))
            }
            None => Err(self.expected("an accessor, an operator, the end of the path")),
        }
    }

    fn subscripts(&mut self) -> Result<Accessor> {
        if self.take("*") {
            self.require("]")?;
            return Ok(Accessor::AnyElement);
        }
        let mut subscripts = Vec::new();
        loop {
            let from = self.sum()?;
            let to = match self.token {
                Token::Word("to") => {
                    self.advance();
                    Some(self.sum()?)
                }
                _ => None,
            };
            subscripts.push((from, to));
            if !self.take(",") {
                self.require("]")?;
                return Ok(Accessor::Elements(subscripts));
            }
        }
    }

    fn predicate(&mut self) -> Result<Predicate> {
        let part = self.disjunction()?;
        self.condition(part)
    }

    fn condition(&self, part: Part) -> Result<Predicate> {
        match part {
            Part::Predicate(predicate) => Ok(predicate),
            Part::Path(_) => Err(self.expected("a comparison")),
        }
    }

    fn disjunction(&mut self) -> Result<Part> {
        self.connected("||", Self::conjunction, Predicate::Or)
    }

    fn conjunction(&mut self) -> Result<Part> {
        self.connected("&&", Self::unit, Predicate::And)
    }

    fn connected(
        &mut self,
        symbol: &str,
        part: fn(&mut Self) -> Result<Part>,
        connect: fn(Vec<Predicate>) -> Predicate,
    ) -> Result<Part> {
        let first = part(self)?;
        if !self.is(symbol) {
            return Ok(first);
        }
        let mut parts = vec![self.condition(first)?];
        while self.take(symbol) {
            let next = part(self)?;
            parts.push(self.condition(next)?);
        }
        Ok(Part::Predicate(connect(parts)))
    }

    /// A condition without connectives, or an expression.
    fn unit(&mut self) -> Result<Part> {
        if self.take("!") {
            let inner = match self.token {
                Token::Word("exists") => self.exists()?,
                _ => {
                    self.require("(")?;
                    let inner = self.nested(Self::predicate)?;
                    self.require(")")?;
                    inner
                }
            };
            return Ok(Part::Predicate(Predicate::Not(Box::new(inner))));
        }
        if self.token == Token::Word("exists") {
            return self.exists().map(Part::Predicate);
        }
        let left = match self.sum_in(true)? {
            Part::Path(left) => Box::new(left),
            Part::Predicate(inner) if self.token == Token::Word("is") => {
                self.advance();
                self.require_word("unknown")?;
                return Ok(Part::Predicate(Predicate::IsUnknown(Box::new(inner))));
            }
            condition @ Part::Predicate(_) => return Ok(condition),
        };
        if let Some(operator) = self.comparison() {
            self.advance();
            let right = Box::new(self.sum()?);
            return Ok(Part::Predicate(Predicate::Comparison(left, operator, right)));
        }
        match self.token {
            Token::Word("starts") => {
                self.advance();
                self.require_word("with")?;
                let prefix = match &self.token {
                    Token::Text(text) => Path::Text(text.clone()),
                    Token::Variable(name) => Path::Variable((*name).to_owned()),
                    _ => return Err(self.expected("a text, a variable")),
                };
                self.advance();
                Ok(Part::Predicate(Predicate::StartsWith(left, Box::new(prefix))))
            }
            Token::Word("like_regex") => {
                let message = "like_regex predicate in JSON path is not yet supported".to_owned();
                Err(PathFault { at: self.at, kind: PathFaultKind::NotSupported, message })
            }
            _ => Ok(Part::Path(*left)),
        }
    }

    fn exists(&mut self) -> Result<Predicate> {
        self.advance();
        self.require("(")?;
        let path = self.nested(Self::sum)?;
        self.require(")")?;
        Ok(Predicate::Exists(Box::new(path)))
    }

    const fn comparison(&self) -> Option<ComparisonOperator> {
        let Token::Symbol(symbol) = self.token else { return None };
        Some(match symbol.as_bytes() {
            b"==" => ComparisonOperator::Equal,
            b"<>" | b"!=" => ComparisonOperator::NotEqual,
            b"<" => ComparisonOperator::LessThan,
            b"<=" => ComparisonOperator::LessThanOrEqual,
            b">" => ComparisonOperator::GreaterThan,
            b">=" => ComparisonOperator::GreaterThanOrEqual,
            _ => return None,
        })
    }
}

/// The type of numbers of any kind.
const NUMBER: &str = "number";

/// The type of a path's items if it is the same for any input. As in Trino, an operation is refused only if the types of all
/// operands are known: others fail, or not, when they are evaluated.
fn known_type(path: &Path) -> Option<&'static str> {
    match path {
        Path::Number(_) | Path::Last => Some(NUMBER),
        Path::Boolean(_) => Some("boolean"),
        Path::Text(_) => Some("varchar"),
        Path::Sign { operand, .. } => known_type(operand),
        Path::Chain(first, rest) => {
            rest.iter().try_fold(known_type(first)?, |known, (_, next)| known_type(next).map(|_| known))
        }
        Path::Accessors(base, accessors) => {
            accessors.iter().fold(known_type(base), |known, next| match next {
                Accessor::Method(PathMethod::Type) => Some("varchar"),
                Accessor::Method(PathMethod::Size | PathMethod::Double) => Some(NUMBER),
                Accessor::Method(PathMethod::Abs | PathMethod::Ceiling | PathMethod::Floor)
                | Accessor::Filter(_) => known,
                _ => None,
            })
        }
        _ => None,
    }
}
