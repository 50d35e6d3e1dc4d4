//! The one table of error codes (D3): name, Trino's number, Trino's kind of error.
//!
//! The server maps a code to the HTTP status of a refusal; this crate does not.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose fault an error is, in Trino's terms (D5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorType {
    /// The statement or the request is at fault.
    UserError,
    /// The server is at fault.
    InternalError,
    /// A limit of memory, time or queue length was reached.
    InsufficientResources,
    /// Something that the server depends on is at fault.
    External,
}

impl ErrorType {
    /// Upper snake case, as on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UserError => "USER_ERROR",
            Self::InternalError => "INTERNAL_ERROR",
            Self::InsufficientResources => "INSUFFICIENT_RESOURCES",
            Self::External => "EXTERNAL",
        }
    }
}

macro_rules! error_codes {
    ($($variant:ident = $name:literal, $number:literal, $kind:ident;)*) => {
        /// A code of an error body or of a query's `error` (D3, D5), in Trino's spelling where Trino has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = concat!("`", $name, "`, number ", $number, ".")] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Upper snake case, as in `code` and `errorName`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// `errorCode` of a query's error: Trino's number, or a number above 0x0700_0000 if Trino has no such
            /// error.
            pub const fn number(self) -> u32 {
                match self { $(Self::$variant => $number),* }
            }

            /// `errorType` of a query's error.
            pub const fn error_type(self) -> ErrorType {
                match self { $(Self::$variant => ErrorType::$kind),* }
            }
        }

        impl FromStr for ErrorCode {
            type Err = UnknownErrorCode;

            fn from_str(text: &str) -> Result<Self, UnknownErrorCode> {
                match text {
                    $($name => Ok(Self::$variant),)*
                    _ => Err(UnknownErrorCode(text.to_owned())),
                }
            }
        }
    };
}

error_codes! {
    GenericUserError = "GENERIC_USER_ERROR", 0, UserError;
    SyntaxError = "SYNTAX_ERROR", 1, UserError;
    AbandonedQuery = "ABANDONED_QUERY", 2, UserError;
    UserCanceled = "USER_CANCELED", 3, UserError;
    PermissionDenied = "PERMISSION_DENIED", 4, UserError;
    NotFound = "NOT_FOUND", 5, UserError;
    FunctionNotFound = "FUNCTION_NOT_FOUND", 6, UserError;
    InvalidFunctionArgument = "INVALID_FUNCTION_ARGUMENT", 7, UserError;
    DivisionByZero = "DIVISION_BY_ZERO", 8, UserError;
    InvalidCastArgument = "INVALID_CAST_ARGUMENT", 9, UserError;
    OperatorNotFound = "OPERATOR_NOT_FOUND", 10, UserError;
    InvalidView = "INVALID_VIEW", 11, UserError;
    AlreadyExists = "ALREADY_EXISTS", 12, UserError;
    NotSupported = "NOT_SUPPORTED", 13, UserError;
    InvalidSessionProperty = "INVALID_SESSION_PROPERTY", 14, UserError;
    InvalidWindowFrame = "INVALID_WINDOW_FRAME", 15, UserError;
    ConstraintViolation = "CONSTRAINT_VIOLATION", 16, UserError;
    TransactionConflict = "TRANSACTION_CONFLICT", 17, UserError;
    InvalidTableProperty = "INVALID_TABLE_PROPERTY", 18, UserError;
    NumericValueOutOfRange = "NUMERIC_VALUE_OUT_OF_RANGE", 19, UserError;
    NotInTransaction = "NOT_IN_TRANSACTION", 21, UserError;
    ReadOnlyViolation = "READ_ONLY_VIOLATION", 23, UserError;
    IncompatibleClient = "INCOMPATIBLE_CLIENT", 27, UserError;
    SubqueryMultipleRows = "SUBQUERY_MULTIPLE_ROWS", 28, UserError;
    ProcedureNotFound = "PROCEDURE_NOT_FOUND", 29, UserError;
    InvalidProcedureArgument = "INVALID_PROCEDURE_ARGUMENT", 30, UserError;
    QueryRejected = "QUERY_REJECTED", 31, UserError;
    AmbiguousFunctionCall = "AMBIGUOUS_FUNCTION_CALL", 32, UserError;
    InvalidSchemaProperty = "INVALID_SCHEMA_PROPERTY", 33, UserError;
    SchemaNotEmpty = "SCHEMA_NOT_EMPTY", 34, UserError;
    QueryTextTooLarge = "QUERY_TEXT_TOO_LARGE", 35, UserError;
    UnsupportedSubquery = "UNSUPPORTED_SUBQUERY", 36, UserError;
    ExceededFunctionMemoryLimit = "EXCEEDED_FUNCTION_MEMORY_LIMIT", 37, UserError;
    AdministrativelyKilled = "ADMINISTRATIVELY_KILLED", 38, UserError;
    InvalidColumnProperty = "INVALID_COLUMN_PROPERTY", 39, UserError;
    QueryHasTooManyStages = "QUERY_HAS_TOO_MANY_STAGES", 40, UserError;
    TypeNotFound = "TYPE_NOT_FOUND", 43, UserError;
    CatalogNotFound = "CATALOG_NOT_FOUND", 44, UserError;
    SchemaNotFound = "SCHEMA_NOT_FOUND", 45, UserError;
    TableNotFound = "TABLE_NOT_FOUND", 46, UserError;
    ColumnNotFound = "COLUMN_NOT_FOUND", 47, UserError;
    RoleNotFound = "ROLE_NOT_FOUND", 48, UserError;
    SchemaAlreadyExists = "SCHEMA_ALREADY_EXISTS", 49, UserError;
    TableAlreadyExists = "TABLE_ALREADY_EXISTS", 50, UserError;
    ColumnAlreadyExists = "COLUMN_ALREADY_EXISTS", 51, UserError;
    RoleAlreadyExists = "ROLE_ALREADY_EXISTS", 52, UserError;
    DuplicateNamedQuery = "DUPLICATE_NAMED_QUERY", 53, UserError;
    DuplicateColumnName = "DUPLICATE_COLUMN_NAME", 54, UserError;
    MissingColumnName = "MISSING_COLUMN_NAME", 55, UserError;
    MissingCatalogName = "MISSING_CATALOG_NAME", 56, UserError;
    MissingSchemaName = "MISSING_SCHEMA_NAME", 57, UserError;
    TypeMismatch = "TYPE_MISMATCH", 58, UserError;
    InvalidLiteral = "INVALID_LITERAL", 59, UserError;
    ColumnTypeUnknown = "COLUMN_TYPE_UNKNOWN", 60, UserError;
    MismatchedColumnAliases = "MISMATCHED_COLUMN_ALIASES", 61, UserError;
    AmbiguousName = "AMBIGUOUS_NAME", 62, UserError;
    InvalidColumnReference = "INVALID_COLUMN_REFERENCE", 63, UserError;
    MissingGroupBy = "MISSING_GROUP_BY", 64, UserError;
    MissingOrderBy = "MISSING_ORDER_BY", 65, UserError;
    MissingOver = "MISSING_OVER", 66, UserError;
    NestedAggregation = "NESTED_AGGREGATION", 67, UserError;
    NestedWindow = "NESTED_WINDOW", 68, UserError;
    ExpressionNotInDistinct = "EXPRESSION_NOT_IN_DISTINCT", 69, UserError;
    TooManyGroupingSets = "TOO_MANY_GROUPING_SETS", 70, UserError;
    FunctionNotWindow = "FUNCTION_NOT_WINDOW", 71, UserError;
    FunctionNotAggregate = "FUNCTION_NOT_AGGREGATE", 72, UserError;
    ExpressionNotAggregate = "EXPRESSION_NOT_AGGREGATE", 73, UserError;
    ExpressionNotScalar = "EXPRESSION_NOT_SCALAR", 74, UserError;
    ExpressionNotConstant = "EXPRESSION_NOT_CONSTANT", 75, UserError;
    InvalidArguments = "INVALID_ARGUMENTS", 76, UserError;
    TooManyArguments = "TOO_MANY_ARGUMENTS", 77, UserError;
    InvalidPrivilege = "INVALID_PRIVILEGE", 78, UserError;
    DuplicateProperty = "DUPLICATE_PROPERTY", 79, UserError;
    InvalidParameterUsage = "INVALID_PARAMETER_USAGE", 80, UserError;
    ViewIsStale = "VIEW_IS_STALE", 81, UserError;
    ViewIsRecursive = "VIEW_IS_RECURSIVE", 82, UserError;
    NullTreatmentNotAllowed = "NULL_TREATMENT_NOT_ALLOWED", 83, UserError;
    MissingTable = "MISSING_TABLE", 86, UserError;
    InvalidRecursiveReference = "INVALID_RECURSIVE_REFERENCE", 87, UserError;
    MissingColumnAliases = "MISSING_COLUMN_ALIASES", 88, UserError;
    NestedRecursive = "NESTED_RECURSIVE", 89, UserError;
    InvalidLimitClause = "INVALID_LIMIT_CLAUSE", 90, UserError;
    InvalidOrderBy = "INVALID_ORDER_BY", 91, UserError;
    DuplicateWindowName = "DUPLICATE_WINDOW_NAME", 92, UserError;
    InvalidWindowReference = "INVALID_WINDOW_REFERENCE", 93, UserError;
    InvalidPartitionBy = "INVALID_PARTITION_BY", 94, UserError;
    InvalidLabel = "INVALID_LABEL", 96, UserError;
    InvalidProcessingMode = "INVALID_PROCESSING_MODE", 97, UserError;
    InvalidNavigationNesting = "INVALID_NAVIGATION_NESTING", 98, UserError;
    InvalidRowPattern = "INVALID_ROW_PATTERN", 99, UserError;
    NestedRowPatternRecognition = "NESTED_ROW_PATTERN_RECOGNITION", 100, UserError;
    TableHasNoColumns = "TABLE_HAS_NO_COLUMNS", 101, UserError;
    InvalidRange = "INVALID_RANGE", 102, UserError;
    InvalidPatternRecognitionFunction = "INVALID_PATTERN_RECOGNITION_FUNCTION", 103, UserError;
    MissingArgument = "MISSING_ARGUMENT", 111, UserError;
    DuplicateParameterName = "DUPLICATE_PARAMETER_NAME", 112, UserError;
    InvalidPath = "INVALID_PATH", 113, UserError;
    JsonInputConversionError = "JSON_INPUT_CONVERSION_ERROR", 114, UserError;
    JsonOutputConversionError = "JSON_OUTPUT_CONVERSION_ERROR", 115, UserError;
    PathEvaluationError = "PATH_EVALUATION_ERROR", 116, UserError;
    JsonValueResultError = "JSON_VALUE_RESULT_ERROR", 118, UserError;
    MissingReturn = "MISSING_RETURN", 126, UserError;
    DuplicateColumnOrPathName = "DUPLICATE_COLUMN_OR_PATH_NAME", 127, UserError;
    MissingPathName = "MISSING_PATH_NAME", 128, UserError;
    InvalidPlan = "INVALID_PLAN", 129, UserError;
    GenericInternalError = "GENERIC_INTERNAL_ERROR", 65_536, InternalError;
    ServerRestarted = "SERVER_SHUTTING_DOWN", 65_540, InternalError;
    GenericInsufficientResources = "GENERIC_INSUFFICIENT_RESOURCES", 131_072, InsufficientResources;
    QueryQueueFull = "QUERY_QUEUE_FULL", 131_074, InsufficientResources;
    ExceededTimeLimit = "EXCEEDED_TIME_LIMIT", 131_075, InsufficientResources;
    ExceededMemoryLimit = "EXCEEDED_MEMORY_LIMIT", 131_079, InsufficientResources;
    External = "GENERIC_EXTERNAL", 16_777_216, External;
    Unauthorized = "UNAUTHORIZED", 117_440_513, UserError;
    QueryNotFinished = "QUERY_NOT_FINISHED", 117_440_514, UserError;
    ResultExpired = "RESULT_EXPIRED", 117_440_515, UserError;
    ServiceDisabled = "SERVICE_DISABLED", 117_440_516, InsufficientResources;
    ViewNotReady = "VIEW_NOT_READY", 117_440_517, InsufficientResources;
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 117_440_518, UserError;
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", 117_440_519, UserError;
    TooManyRequests = "TOO_MANY_REQUESTS", 117_440_520, UserError;
    StoredRowsDamaged = "STORED_ROWS_DAMAGED", 117_440_521, InternalError;
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The text is the name of no [`ErrorCode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownErrorCode(String);

impl fmt::Display for UnknownErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not an error code", self.0)
    }
}

impl std::error::Error for UnknownErrorCode {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::ErrorCode;

    #[test]
    fn names_and_numbers_are_unique_and_names_round_trip() {
        let mut names = HashSet::new();
        let mut numbers = HashSet::new();
        for &code in ErrorCode::ALL {
            assert!(names.insert(code.as_str()), "{code} stands twice");
            assert!(numbers.insert(code.number()), "the number of {code} stands twice");
            assert_eq!(code.as_str().parse(), Ok(code));
            let text = serde_json::to_string(&code).expect("serialises");
            assert_eq!(serde_json::from_str::<ErrorCode>(&text).expect("reads back"), code);
        }
        assert!("NO_SUCH_CODE".parse::<ErrorCode>().is_err());
    }

    #[test]
    fn every_code_of_d3_is_in_the_table() {
        for name in [
            "GENERIC_USER_ERROR",
            "INVALID_ARGUMENTS",
            "NOT_FOUND",
            "UNAUTHORIZED",
            "SYNTAX_ERROR",
            "TABLE_NOT_FOUND",
            "COLUMN_NOT_FOUND",
            "NOT_SUPPORTED",
            "EXCEEDED_TIME_LIMIT",
            "EXCEEDED_MEMORY_LIMIT",
            "USER_CANCELED",
            "QUERY_NOT_FINISHED",
            "RESULT_EXPIRED",
            "SERVICE_DISABLED",
            "QUERY_QUEUE_FULL",
            "PERMISSION_DENIED",
            "VIEW_NOT_READY",
            "INVALID_CAST_ARGUMENT",
            "METHOD_NOT_ALLOWED",
            "PAYLOAD_TOO_LARGE",
            "GENERIC_INTERNAL_ERROR",
        ] {
            assert!(name.parse::<ErrorCode>().is_ok(), "{name}");
        }
        assert_eq!(ErrorCode::UserCanceled.number(), 3, "D10");
    }

    /// Trino's StandardErrorCode numbers each kind of error in a range of its own.
    #[test]
    fn numbers_are_in_the_range_of_their_kind() {
        use super::ErrorType::{External, InsufficientResources, InternalError, UserError};
        for &code in ErrorCode::ALL {
            let expected: &[_] = match code.number() {
                0..0x1_0000 => &[UserError],
                0x1_0000..0x2_0000 => &[InternalError],
                0x2_0000..0x100_0000 => &[InsufficientResources],
                0x100_0000..0x700_0000 => &[External],
                _ => &[UserError, InternalError, InsufficientResources],
            };
            assert!(expected.contains(&code.error_type()), "{code}");
        }
    }
}
