//! The program of a function with statements, encoded as text in a plan. Its conditions and values are arguments of the
//! call: lambda expressions over the function's variables.

use std::fmt;
use std::str::FromStr;

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Assigns a value to a variable.
    Set {
        /// The variable's index.
        variable: usize,
        /// The index of the value's lambda expression.
        value: usize,
    },
    /// Jumps to a step, unless a condition is TRUE.
    Unless {
        /// The index of the condition's lambda expression.
        condition: usize,
        /// The index of the target step.
        target: usize,
    },
    /// Jumps to the step with an index.
    Jump(usize),
    /// Returns the value of the lambda expression with an index.
    Return(usize),
}

/// A program, which starts at the first step; the last step is a `Return`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program(pub Vec<Step>);

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("; ")?;
            }
            match step {
                Step::Set { variable, value } => write!(f, "set {variable} {value}")?,
                Step::Unless { condition, target } => write!(f, "unless {condition} {target}")?,
                Step::Jump(target) => write!(f, "jump {target}")?,
                Step::Return(value) => write!(f, "return {value}")?,
            }
        }
        Ok(())
    }
}

/// The error of a text that is not a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProgram;

impl FromStr for Program {
    type Err = NoProgram;

    fn from_str(text: &str) -> Result<Self, NoProgram> {
        let step = |text: &str| {
            let mut words = text.split_whitespace();
            let verb = words.next()?;
            let mut number = || words.next()?.parse().ok();
            Some(match verb {
                "set" => Step::Set { variable: number()?, value: number()? },
                "unless" => Step::Unless { condition: number()?, target: number()? },
                "jump" => Step::Jump(number()?),
                "return" => Step::Return(number()?),
                _ => return None,
            })
        };
        text.split("; ").map(step).collect::<Option<Vec<_>>>().map(Self).ok_or(NoProgram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_round_trip() {
        let program = Program(vec![
            Step::Set { variable: 2, value: 0 },
            Step::Unless { condition: 1, target: 4 },
            Step::Set { variable: 2, value: 2 },
            Step::Jump(1),
            Step::Return(3),
        ]);
        assert_eq!(program.to_string(), "set 2 0; unless 1 4; set 2 2; jump 1; return 3");
        assert_eq!(program.to_string().parse(), Ok(program));
        assert_eq!("leap 1".parse::<Program>(), Err(NoProgram));
        assert_eq!("set 1".parse::<Program>(), Err(NoProgram));
    }
}
