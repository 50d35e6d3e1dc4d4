//! The forms of groups `(…)`.

use super::{Fault, Flags, Parser, Part};
use crate::expression::function::regexp::syntax::Node;

impl Parser<'_> {
    /// Parses a group after its `(`; `None` if it only sets flags.
    pub(super) fn group(&mut self) -> Result<Option<Part>, Fault> {
        if !self.take('?') {
            return self.capturing(None).map(Some);
        }
        let Some(kind) = self.peek() else { return Err("end pattern in group".to_owned()) };
        self.at += 1;
        let node = match kind {
            ':' => self.inside()?,
            '=' => self.look(false, false)?,
            '!' => self.look(false, true)?,
            '>' => Node::Atomic(Box::new(self.inside()?)),
            '<' if self.take('=') => self.look(true, false)?,
            '<' if self.take('!') => self.look(true, true)?,
            '<' => {
                let name = self.name('>')?;
                return self.capturing(Some(name)).map(Some);
            }
            '\'' => {
                let name = self.name('\'')?;
                return self.capturing(Some(name)).map(Some);
            }
            _ => {
                self.at -= 1;
                return self.options().map(Some);
            }
        };
        Ok(Some(Part::Node(node)))
    }

    fn capturing(&mut self, name: Option<String>) -> Result<Part, Fault> {
        self.groups += 1;
        let number = self.groups;
        if let Some(name) = name {
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(format!("multiplex defined name <{name}>"));
            }
            self.names.push((name, number));
        }
        Ok(Part::Node(Node::Group { number, node: Box::new(self.inside()?) }))
    }

    /// Parses the content of a group and its `)`; flags that are set in it end with it.
    fn inside(&mut self) -> Result<Node, Fault> {
        let flags = self.flags;
        let node = self.alternation()?;
        self.flags = flags;
        if !self.take(')') {
            return Err("end pattern with unmatched parenthesis".to_owned());
        }
        Ok(node)
    }

    fn look(&mut self, is_behind: bool, is_negative: bool) -> Result<Node, Fault> {
        let node = self.inside()?;
        let branches = if let Node::Alternation(branches) = &node {
            branches.as_slice()
        } else {
            std::slice::from_ref(&node)
        };
        if is_behind && branches.iter().any(|branch| branch.length().is_none()) {
            return Err("invalid pattern in look-behind".to_owned());
        }
        Ok(Node::Look { is_behind, is_negative, node: Box::new(node) })
    }

    fn name(&mut self, end: char) -> Result<String, Fault> {
        let rest = &self.characters[self.at..];
        let Some(length) = rest.iter().position(|character| *character == end || *character == ')') else {
            return Err("end pattern with unmatched parenthesis".to_owned());
        };
        let name: String = rest[..length].iter().collect();
        if name.is_empty() {
            return Err("group name is empty".to_owned());
        }
        if rest[length] == ')'
            || name.starts_with(|first: char| !first.is_alphanumeric() && first != '_' || first.is_numeric())
        {
            return Err(format!("invalid group name <{name}>"));
        }
        self.at += length + 1;
        Ok(name)
    }

    /// Parses `(?i-s:…)`, or `(?i)`, which applies to the rest of the group around it, including its other branches.
    fn options(&mut self) -> Result<Part, Fault> {
        let before = self.flags;
        let mut flags: Flags = before;
        let mut is_on = true;
        loop {
            let Some(letter) = self.peek() else { return Err("end pattern in group".to_owned()) };
            self.at += 1;
            match letter {
                '-' => is_on = false,
                'i' => flags.is_case_insensitive = is_on,
                'm' => flags.is_multi_line = is_on,
                's' => flags.dot_is_any = is_on,
                'x' => flags.is_extended = is_on,
                ')' if self.characters[self.at - 2] == '?' => return Err("undefined group option".to_owned()),
                ':' | ')' => {
                    self.flags = flags;
                    let node = if letter == ':' { self.inside()? } else { self.alternation()? };
                    self.flags = before;
                    return Ok(Part::Node(node));
                }
                _ => return Err("undefined group option".to_owned()),
            }
        }
    }
}
