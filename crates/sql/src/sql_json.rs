//! The clauses of JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY. A call has them as its first
//! arguments, which are constant texts.

/// Declares an enum of words.
macro_rules! words {
    ($(#[$doc:meta])* $enum:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $enum {
            /// As a call carries it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Of what a call carries.
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// How JSON is written.
    JsonFormat {
        /// No JSON: an SQL value.
        None = "NONE",
        /// In a text: `FORMAT JSON`.
        Text = "JSON",
        /// In bytes: `FORMAT JSON ENCODING UTF8`.
        Utf8 = "UTF8",
        /// In bytes.
        Utf16 = "UTF16",
        /// In bytes.
        Utf32 = "UTF32",
    }
}

words! {
    /// What `ON EMPTY` and `ON ERROR` give.
    Behavior {
        /// NULL.
        Null = "NULL",
        /// The statement fails.
        Error = "ERROR",
        /// `DEFAULT`: the value of an argument.
        Default = "DEFAULT",
        /// TRUE.
        True = "TRUE",
        /// FALSE.
        False = "FALSE",
        /// NULL, of JSON_EXISTS.
        Unknown = "UNKNOWN",
        /// `[]`
        EmptyArray = "EMPTY_ARRAY",
        /// `{}`
        EmptyObject = "EMPTY_OBJECT",
    }
}

words! {
    /// `WRAPPER`.
    Wrapper {
        /// Several items are an error.
        Without = "WITHOUT",
        /// An array of the items, but where they are one array or object.
        Conditional = "CONDITIONAL",
        /// An array of the items.
        Unconditional = "UNCONDITIONAL",
    }
}

words! {
    /// `QUOTES`.
    Quotes {
        /// Not said: kept.
        Unsaid = "UNSAID",
        /// A text is JSON.
        Keep = "KEEP",
        /// A text by itself has no quotes.
        Omit = "OMIT",
    }
}

/// The clauses of a call with a path. Its arguments are the path, these, the input, what DEFAULT gives ON EMPTY and ON
/// ERROR, and pairs of a parameter's name and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathClauses {
    /// How the input is written.
    pub input: JsonFormat,
    /// ON EMPTY.
    pub on_empty: Behavior,
    /// ON ERROR.
    pub on_error: Behavior,
    /// WRAPPER, of JSON_QUERY.
    pub wrapper: Wrapper,
    /// QUOTES, of JSON_QUERY.
    pub quotes: Quotes,
    /// How the result is written, of JSON_QUERY.
    pub output: JsonFormat,
}

impl PathClauses {
    /// Arguments before those of the PASSING clause.
    pub const ARGUMENTS: usize = 5;

    /// As a call carries it.
    pub fn to_text(self) -> String {
        let Self { input, on_empty, on_error, wrapper, quotes, output } = self;
        let words =
            [input.word(), on_empty.word(), on_error.word(), wrapper.word(), quotes.word(), output.word()];
        words.join(" ")
    }

    /// Of what a call carries.
    pub fn of(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [input, on_empty, on_error, wrapper, quotes, output] = words.as_slice() else { return None };
        Some(Self {
            input: JsonFormat::of(input)?,
            on_empty: Behavior::of(on_empty)?,
            on_error: Behavior::of(on_error)?,
            wrapper: Wrapper::of(wrapper)?,
            quotes: Quotes::of(quotes)?,
            output: JsonFormat::of(output)?,
        })
    }
}

/// The clauses of JSON_OBJECT and JSON_ARRAY. Their arguments are these and the members or elements, each behind the
/// word of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstructorClauses {
    /// `ABSENT ON NULL`: what is NULL is left out.
    pub absent_on_null: bool,
    /// `WITH UNIQUE KEYS`.
    pub has_unique_keys: bool,
    /// How the result is written.
    pub output: JsonFormat,
}

impl ConstructorClauses {
    /// As a call carries it.
    pub fn to_text(self) -> String {
        let Self { absent_on_null, has_unique_keys, output } = self;
        let nulls = if absent_on_null { "ABSENT" } else { "NULL" };
        let keys = if has_unique_keys { "UNIQUE" } else { "ANY" };
        format!("{nulls} {keys} {}", output.word())
    }

    /// Of what a call carries.
    pub fn of(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [nulls, keys, output] = words.as_slice() else { return None };
        Some(Self {
            absent_on_null: *nulls == "ABSENT",
            has_unique_keys: *keys == "UNIQUE",
            output: JsonFormat::of(output)?,
        })
    }
}
