//! The clauses of JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY. They are the first arguments of a
//! call, as constant texts.

/// Declares an enum whose variants have a text form.
macro_rules! words {
    ($(#[$doc:meta])* $enum:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $enum {
            /// The text form in a call's argument.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Parses the text form.
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// The encoding of JSON in a value.
    JsonFormat {
        /// An SQL value that is not JSON.
        None = "NONE",
        /// Text: `FORMAT JSON`.
        Text = "JSON",
        /// Bytes in UTF-8: `FORMAT JSON ENCODING UTF8`.
        Utf8 = "UTF8",
        /// Bytes in UTF-16.
        Utf16 = "UTF16",
        /// Bytes in UTF-32.
        Utf32 = "UTF32",
    }
}

words! {
    /// The result of `ON EMPTY` and `ON ERROR`.
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
        /// NULL, as the result of JSON_EXISTS.
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
        /// An array of the items, unless the only item is an array or an object.
        Conditional = "CONDITIONAL",
        /// An array of the items.
        Unconditional = "UNCONDITIONAL",
    }
}

words! {
    /// `QUOTES`.
    Quotes {
        /// The clause is omitted; the same as `Keep`.
        Unsaid = "UNSAID",
        /// A scalar text is returned with quotes, as JSON.
        Keep = "KEEP",
        /// A scalar text is returned without quotes.
        Omit = "OMIT",
    }
}

/// The clauses of a call with a path. Its arguments are the path, these clauses, the input, the DEFAULT values ON EMPTY
/// and ON ERROR, and pairs of a parameter's name and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathClauses {
    /// The format of the input.
    pub input: JsonFormat,
    /// The result ON EMPTY.
    pub on_empty: Behavior,
    /// The result ON ERROR.
    pub on_error: Behavior,
    /// The WRAPPER clause of JSON_QUERY.
    pub wrapper: Wrapper,
    /// The QUOTES clause of JSON_QUERY.
    pub quotes: Quotes,
    /// The format of the result of JSON_QUERY.
    pub output: JsonFormat,
}

impl PathClauses {
    /// The number of arguments before those of the PASSING clause.
    pub const ARGUMENTS: usize = 5;

    /// The text form in a call's argument.
    pub fn to_text(self) -> String {
        let Self { input, on_empty, on_error, wrapper, quotes, output } = self;
        let words =
            [input.word(), on_empty.word(), on_error.word(), wrapper.word(), quotes.word(), output.word()];
        words.join(" ")
    }

    /// Parses the text form.
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

/// The clauses of JSON_OBJECT and JSON_ARRAY. The arguments are these clauses, and the members or elements, each
/// preceded by its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstructorClauses {
    /// `ABSENT ON NULL`: NULLs are omitted.
    pub absent_on_null: bool,
    /// `WITH UNIQUE KEYS`.
    pub has_unique_keys: bool,
    /// The format of the result.
    pub output: JsonFormat,
}

impl ConstructorClauses {
    /// The text form in a call's argument.
    pub fn to_text(self) -> String {
        let Self { absent_on_null, has_unique_keys, output } = self;
        let nulls = if absent_on_null { "ABSENT" } else { "NULL" };
        let keys = if has_unique_keys { "UNIQUE" } else { "ANY" };
        format!("{nulls} {keys} {}", output.word())
    }

    /// Parses the text form.
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
