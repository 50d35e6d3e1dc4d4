//! Scalar functions, with Trino's names and semantics.

super::functions! {
    /// A function of the values of one row. The result is NULL if any argument is NULL, unless the line states otherwise; positions in arrays start at 1. Functions of URLs (RFC 2396, as in Java) give NULL for an invalid URL, and an empty text for a part that a URL lacks.
    ScalarFunction {
        /// The absolute value; an error if it overflows.
        Abs = ["abs"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// The value rounded up to an integer; a decimal gives `decimal(p,0)`.
        Ceil = ["ceil", "ceiling"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// The value rounded down to an integer; a decimal gives `decimal(p,0)`.
        Floor = ["floor"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// The value rounded half away from zero; the second argument is the number of decimal places and may be negative.
        Round = ["round"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double", "(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint", "(decimal, integer) decimal", "(real, integer) real", "(double, integer) double"];
        /// The value rounded toward zero; for decimals, the second argument is the number of decimal places and may be negative.
        Truncate = ["truncate"]: ["(decimal) decimal", "(real) real", "(double) double", "(decimal, integer) decimal"];
        /// The sign: -1, 0 or 1, in the argument's type (`decimal(1,0)` for a decimal).
        Sign = ["sign"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// The square root; NaN for a negative number.
        Sqrt = ["sqrt"]: ["(double) double"];
        /// The cube root.
        Cbrt = ["cbrt"]: ["(double) double"];
        /// The first argument raised to the power of the second.
        Power = ["power", "pow"]: ["(double, double) double"];
        /// e raised to the power of the argument.
        Exp = ["exp"]: ["(double) double"];
        /// The natural logarithm.
        Ln = ["ln"]: ["(double) double"];
        /// The logarithm of the second argument to the base of the first.
        Log = ["log"]: ["(double, double) double"];
        /// The logarithm to base 2.
        Log2 = ["log2"]: ["(double) double"];
        /// The logarithm to base 10.
        Log10 = ["log10"]: ["(double) double"];
        /// The sine of an angle in radians.
        Sin = ["sin"]: ["(double) double"];
        /// The cosine of an angle in radians.
        Cos = ["cos"]: ["(double) double"];
        /// The tangent of an angle in radians.
        Tan = ["tan"]: ["(double) double"];
        /// The arc sine, in radians.
        Asin = ["asin"]: ["(double) double"];
        /// The arc cosine, in radians.
        Acos = ["acos"]: ["(double) double"];
        /// The arc tangent, in radians.
        Atan = ["atan"]: ["(double) double"];
        /// The angle of the point with the coordinates y (first argument) and x (second), in radians.
        Atan2 = ["atan2"]: ["(double, double) double"];
        /// The hyperbolic sine.
        Sinh = ["sinh"]: ["(double) double"];
        /// The hyperbolic cosine.
        Cosh = ["cosh"]: ["(double) double"];
        /// The hyperbolic tangent.
        Tanh = ["tanh"]: ["(double) double"];
        /// Converts radians to degrees.
        Degrees = ["degrees"]: ["(double) double"];
        /// Converts degrees to radians.
        Radians = ["radians"]: ["(double) double"];
        /// The greatest argument; NULL if any argument is NULL.
        Greatest = ["greatest"]: ["(T, T...) T", "(T) T"];
        /// The least argument; NULL if any argument is NULL.
        Least = ["least"]: ["(T, T...) T", "(T) T"];
        /// A random double in [0, 1); with one bound, a random integer in [0, n); with two, in [low, high).
        Random = ["random", "rand"]: ["() double", "(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(tinyint, tinyint) tinyint", "(smallint, smallint) smallint", "(integer, integer) integer", "(bigint, bigint) bigint"];
        /// A random UUID (version 4).
        Uuid = ["uuid"]: ["() uuid"];
        /// Whether the value is NaN.
        IsNan = ["is_nan"]: ["(double) boolean", "(real) boolean"];
        /// Whether the value is neither NaN nor infinite.
        IsFinite = ["is_finite"]: ["(double) boolean"];
        /// Whether the value is positive or negative infinity.
        IsInfinite = ["is_infinite"]: ["(double) boolean"];
        /// The bucket of x among n equal buckets between low and high (0 below, n + 1 above), or among buckets whose bounds are an ascending array.
        WidthBucket = ["width_bucket"]: ["(double, double, double, bigint) bigint", "(double, [double]) bigint"];
        /// The bitwise AND of two's complement integers.
        BitwiseAnd = ["bitwise_and"]: ["(bigint, bigint) bigint"];
        /// The bitwise OR of two's complement integers.
        BitwiseOr = ["bitwise_or"]: ["(bigint, bigint) bigint"];
        /// The bitwise XOR of two's complement integers.
        BitwiseXor = ["bitwise_xor"]: ["(bigint, bigint) bigint"];
        /// The bitwise NOT of a two's complement integer.
        BitwiseNot = ["bitwise_not"]: ["(bigint) bigint"];
        /// The value shifted left by a number of bits; 0 if that is the type's width or more.
        BitwiseLeftShift = ["bitwise_left_shift"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// The value shifted right by a number of bits, with zeros shifted in.
        BitwiseRightShift = ["bitwise_right_shift"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// The value shifted right by a number of bits, with the sign bit shifted in.
        BitwiseRightShiftArithmetic = ["bitwise_right_shift_arithmetic"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// The number of one bits in the two's complement of the first argument; the second is the width in bits.
        BitCount = ["bit_count"]: ["(bigint, bigint) bigint"];
        /// The digits of a number in a base from 2 to 36.
        ToBase = ["to_base"]: ["(bigint, bigint) varchar(64)"];
        /// The number that the digits denote in a base from 2 to 36.
        FromBase = ["from_base"]: ["(varchar, bigint) bigint"];
        /// The normal distribution's cumulative probability: mean, standard deviation, value.
        NormalCdf = ["normal_cdf"]: ["(double, double, double) double"];
        /// The normal distribution's value at a cumulative probability: mean, standard deviation, probability.
        InverseNormalCdf = ["inverse_normal_cdf"]: ["(double, double, double) double"];
        /// The Beta distribution's cumulative probability: a, b, value.
        BetaCdf = ["beta_cdf"]: ["(double, double, double) double"];
        /// The Beta distribution's value at a cumulative probability: a, b, probability.
        InverseBetaCdf = ["inverse_beta_cdf"]: ["(double, double, double) double"];
        /// Student's t-distribution's cumulative probability: value, degrees of freedom.
        TCdf = ["t_cdf"]: ["(double, double) double"];
        /// Student's t-distribution's probability density: value, degrees of freedom.
        TPdf = ["t_pdf"]: ["(double, double) double"];
        /// The lower bound of Wilson's score interval: successes, trials, z-score.
        WilsonIntervalLower = ["wilson_interval_lower"]: ["(bigint, bigint, double) double"];
        /// The upper bound of Wilson's score interval: successes, trials, z-score.
        WilsonIntervalUpper = ["wilson_interval_upper"]: ["(bigint, bigint, double) double"];
        /// The dot product of two vectors of equal length.
        DotProduct = ["dot_product"]: ["([double], [double]) double"];
        /// The Euclidean distance between two vectors of equal length.
        EuclideanDistance = ["euclidean_distance"]: ["([double], [double]) double"];
        /// The cosine of the angle between two vectors of equal length, or two sparse vectors as maps; NULL if an element is NULL.
        CosineSimilarity = ["cosine_similarity"]: ["([double], [double]) double", "(map(varchar,double), map(varchar,double)) double"];
        /// 1 minus the cosine similarity of two vectors of equal length.
        CosineDistance = ["cosine_distance"]: ["([double], [double]) double"];
        // Text. Positions count characters from 1.
        /// The number of characters; of a varbinary, of bytes.
        Length = ["length", "char_length", "character_length"]: ["(varchar) bigint", "(varbinary) bigint"];
        /// The text in lower case.
        Lower = ["lower"]: ["(varchar(x)) varchar(x)"];
        /// The text in upper case.
        Upper = ["upper"]: ["(varchar(x)) varchar(x)"];
        /// The text without leading and trailing spaces, or without the characters of the second argument.
        Trim = ["trim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// The text without leading spaces, or without the leading characters of the second argument.
        Ltrim = ["ltrim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// The text without trailing spaces, or without the trailing characters of the second argument.
        Rtrim = ["rtrim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// The text from a position on (negative: counted from the end; 0: empty), optionally limited to a length; of a varbinary, in bytes.
        Substring = ["substring", "substr"]: ["(varchar(x), bigint) varchar(x)", "(varchar(x), bigint, bigint) varchar(x)", "(varbinary, bigint) varbinary", "(varbinary, bigint, bigint) varbinary"];
        /// The position of the second text in the first, 0 if absent; the third argument selects the n-th occurrence.
        Strpos = ["strpos"]: ["(varchar, varchar) bigint", "(varchar, varchar, bigint) bigint"];
        /// Replaces all occurrences of the second text with the third, or removes them if there is no third.
        Replace = ["replace"]: ["(varchar(x), varchar) varchar(x)", "(varchar, varchar, varchar) varchar"];
        /// The characters in reverse order; of an array, its elements; of a varbinary, its bytes.
        Reverse = ["reverse"]: ["(varchar(x)) varchar(x)", "([T]) [T]", "(varbinary) varbinary"];
        /// The arguments joined, as with `||`: texts, varbinaries, arrays, or an array and an element.
        Concat = ["concat"]: ["(varchar, varchar...) varchar", "([T], [T]...) [T]", "(varbinary, varbinary...) varbinary", "([T], T) [T]", "(T, [T]) [T]"];
        /// Texts joined by the separator in the first argument; NULL texts are skipped, a NULL separator gives NULL.
        ConcatWs = ["concat_ws"]: ["(varchar, [varchar]) varchar", "(varchar, varchar...) varchar"];
        /// The text padded on the left to a length with the third argument; a longer text is truncated.
        Lpad = ["lpad"]: ["(varchar, bigint, varchar) varchar", "(varbinary, bigint, varbinary) varbinary"];
        /// The text padded on the right to a length with the third argument; a longer text is truncated.
        Rpad = ["rpad"]: ["(varchar, bigint, varchar) varchar", "(varbinary, bigint, varbinary) varbinary"];
        /// The parts of a text between delimiters, as an array; the third argument limits their number, and the last part then holds the rest.
        Split = ["split"]: ["(varchar(x), varchar) [varchar(x)]", "(varchar(x), varchar, bigint) [varchar(x)]"];
        /// The n-th part of a text between delimiters, counted from 1; NULL past the last part.
        SplitPart = ["split_part"]: ["(varchar(x), varchar, bigint) varchar(x)"];
        /// Whether the first text starts with the second.
        StartsWith = ["starts_with"]: ["(varchar, varchar) boolean"];
        /// Whether the first text ends with the second.
        EndsWith = ["ends_with"]: ["(varchar, varchar) boolean"];
        /// The character of a Unicode code point.
        Chr = ["chr"]: ["(bigint) varchar"];
        /// The Unicode code point of a single character.
        Codepoint = ["codepoint"]: ["(varchar(1)) integer"];
        /// Replaces each character of the second text by the character at the same position of the third, or removes it if there is none.
        Translate = ["translate"]: ["(varchar, varchar, varchar) varchar"];
        /// An array that contains the element so many times.
        Repeat = ["repeat"]: ["(T, bigint) [T]"];
        /// The Levenshtein distance between two texts.
        LevenshteinDistance = ["levenshtein_distance"]: ["(varchar, varchar) bigint"];
        /// The number of positions at which two texts of equal length differ.
        HammingDistance = ["hamming_distance"]: ["(varchar, varchar) bigint"];
        /// The Soundex code of an English word: a letter and three digits.
        Soundex = ["soundex"]: ["(varchar) varchar(4)"];
        /// Whether a text of digits is valid according to the Luhn algorithm.
        LuhnCheck = ["luhn_check"]: ["(varchar) boolean"];
        /// The stem of a word in English, or in the language of a code: da, de, en, es, fi, fr, hu, it, nl, no, pt, ru, sv.
        WordStem = ["word_stem"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar(2)) varchar(x)"];
        /// Formats values with a pattern of Java's `Formatter` (`%s`, `%,.2f`, `%tF`).
        Format = ["format"]: ["(varchar, T...) varchar"];
        /// The number with three significant digits and a unit: K, M, B, T or Q.
        FormatNumber = ["format_number"]: ["(bigint) varchar", "(double) varchar"];
        /// A number of seconds in weeks, days, hours, minutes and seconds, rounded.
        HumanReadableSeconds = ["human_readable_seconds"]: ["(double) varchar"];
        /// The interval of a text such as `1.5h`, with the units ns, us, ms, s, m, h and d.
        ParseDuration = ["parse_duration"]: ["(varchar) interval day"];
        /// The number of bytes of a text such as `2.3MB`, with the units B, kB, MB, … YB; 1 kB is 1,024 bytes.
        ParseDataSize = ["parse_data_size", "parse_presto_data_size"]: ["(varchar) decimal(38,0)"];
        /// The text in Unicode normalization form NFC, or in the form that the second argument names.
        Normalize = ["normalize"]: ["(varchar) varchar", "(varchar, varchar) varchar"];
        /// Whether the regular expression matches a part of the text; patterns have Joni's syntax (D73).
        RegexpLike = ["regexp_like"]: ["(varchar, varchar) boolean"];
        /// The first match of a regular expression, or one of its groups; NULL if there is no match.
        RegexpExtract = ["regexp_extract"]: ["(varchar(x), varchar) varchar(x)", "(varchar(x), varchar, bigint) varchar(x)"];
        /// All matches of a regular expression, or one group of each.
        RegexpExtractAll = ["regexp_extract_all"]: ["(varchar(x), varchar) [varchar(x)]", "(varchar(x), varchar, bigint) [varchar(x)]"];
        /// Replaces all matches of a regular expression by a text with groups (`$1`, `${name}`), or by the result of a lambda expression over the array of groups; removes them if there is no third argument.
        RegexpReplace = ["regexp_replace"]: ["(varchar(x), varchar) varchar(x)", "(varchar, varchar, varchar) varchar", "(varchar, varchar, function([varchar],varchar(x))) varchar"];
        /// The number of matches of a regular expression.
        RegexpCount = ["regexp_count"]: ["(varchar, varchar) bigint"];
        /// The position of the first match of a regular expression from a start position on, or of the n-th match; -1 if there is none.
        RegexpPosition = ["regexp_position"]: ["(varchar, varchar) integer", "(varchar, varchar, integer) integer", "(varchar, varchar, integer, integer) integer"];
        /// The parts of a text between the matches of a regular expression.
        RegexpSplit = ["regexp_split"]: ["(varchar(x), varchar) [varchar(x)]"];
        /// The first argument that is not NULL; the ones after it are not evaluated.
        Coalesce = ["coalesce"]: ["(T, T...) T"];
        /// NULL if the two arguments are equal, otherwise the first.
        Nullif = ["nullif"]: ["(T, U) T"];
        /// The argument, or NULL if its evaluation fails.
        Try = ["try"]: ["(T) T"];
        /** Whether a call fails in a row, a part of TRY; internal, cannot be called in a statement. */ Fails = ["fails"]: [];
        /// Always fails, with the given message.
        Fail = ["fail"]: ["(varchar) unknown"];
        // Dates and times.
        /// The year of a date, timestamp or interval.
        Year = ["year"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval year) bigint"];
        /// The quarter of the year, 1 to 4.
        Quarter = ["quarter"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// The month of the year, 1 to 12.
        Month = ["month"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval year) bigint"];
        /// The ISO week of the year, 1 to 53.
        Week = ["week", "week_of_year"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// The day of the month, 1 to 31.
        Day = ["day", "day_of_month"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval day) bigint"];
        /// The ISO day of the week, 1 (Monday) to 7.
        DayOfWeek = ["day_of_week", "dow"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// The day of the year, 1 to 366.
        DayOfYear = ["day_of_year", "doy"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// The year of the ISO week.
        YearOfWeek = ["year_of_week", "yow"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// The hour of the day, 0 to 23.
        Hour = ["hour"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// The minute of the hour, 0 to 59.
        Minute = ["minute"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// The second of the minute, 0 to 59.
        Second = ["second"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// The millisecond of the second, 0 to 999.
        Millisecond = ["millisecond"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// The whole hours of the time zone's offset from UTC.
        TimezoneHour = ["timezone_hour"]: ["(timestamptz) bigint"];
        /// The minutes of the time zone's offset from UTC that remain after the whole hours.
        TimezoneMinute = ["timezone_minute"]: ["(timestamptz) bigint"];
        /// The value truncated to the start of a unit: unit, value.
        DateTrunc = ["date_trunc"]: ["(varchar, date) date", "(varchar, timestamp) timestamp", "(varchar, timestamptz) timestamptz", "(varchar, time) time"];
        /// Adds a number of units: unit, amount, value. Across a change of the clock, days and longer units keep the local time; hours and shorter units are elapsed time.
        DateAdd = ["date_add"]: ["(varchar, bigint, date) date", "(varchar, bigint, timestamp) timestamp", "(varchar, bigint, timestamptz) timestamptz", "(varchar, bigint, time) time"];
        /// The number of whole units between two values: unit, from, to. Days and longer units of zoned timestamps are counted in the first one's zone, with more than three digits of a second in UTC.
        DateDiff = ["date_diff"]: ["(varchar, date, date) bigint", "(varchar, timestamp, timestamp) bigint", "(varchar, timestamptz, timestamptz) bigint", "(varchar, time, time) bigint"];
        /// Formats a timestamp with MySQL's format specifiers.
        DateFormat = ["date_format"]: ["(timestamp, varchar) varchar", "(timestamptz, varchar) varchar"];
        /// The `timestamp(3)` of a text in a format of MySQL's specifiers.
        DateParse = ["date_parse"]: ["(varchar, varchar) timestamp"];
        /// Formats a timestamp with a pattern of Joda-Time.
        FormatDatetime = ["format_datetime"]: ["(timestamp, varchar) varchar", "(timestamptz, varchar) varchar"];
        /// The `timestamp(3) with time zone` of a text in a pattern of Joda-Time; in UTC if the text names no zone.
        ParseDatetime = ["parse_datetime"]: ["(varchar, varchar) timestamptz"];
        /// Formats a timestamp with Teradata's format: dd, mm, yy, yyyy, hh, hh24, mi, ss.
        ToChar = ["to_char"]: ["(timestamptz, varchar) varchar"];
        /// The date of a text in Teradata's format.
        ToDate = ["to_date"]: ["(varchar, varchar) date"];
        /// The `timestamp(3)` of a text in Teradata's format.
        ToTimestamp = ["to_timestamp"]: ["(varchar, varchar) timestamp"];
        /// The `timestamp(3) with time zone` of seconds since the epoch, in UTC, in a named zone (a constant), or at an offset of hours and minutes.
        FromUnixtime = ["from_unixtime"]: ["(double) timestamptz", "(double, varchar) timestamptz", "(double, bigint, bigint) timestamptz"];
        /// The `timestamp(9) with time zone` of nanoseconds since the epoch.
        FromUnixtimeNanos = ["from_unixtime_nanos"]: ["(bigint) timestamp(9) with time zone", "(decimal) timestamp(9) with time zone"];
        /// The seconds since the epoch.
        ToUnixtime = ["to_unixtime"]: ["(timestamptz) double"];
        /// The date of a text in ISO 8601 format.
        FromIso8601Date = ["from_iso8601_date"]: ["(varchar) date"];
        /// The `timestamp(3) with time zone` of a text in ISO 8601 format.
        FromIso8601Timestamp = ["from_iso8601_timestamp"]: ["(varchar) timestamptz"];
        /// The `timestamp(9) with time zone` of a text in ISO 8601 format with a `T` and at most nine digits of a second.
        FromIso8601TimestampNanos = ["from_iso8601_timestamp_nanos"]: ["(varchar) timestamp(9) with time zone"];
        /// The value as a text in ISO 8601 format.
        ToIso8601 = ["to_iso8601"]: ["(date) varchar", "(timestamp) varchar", "(timestamptz) varchar"];
        /// The last day of the month.
        LastDayOfMonth = ["last_day_of_month"]: ["(date) date", "(timestamp) date", "(timestamptz) date"];
        /// The same instant in another time zone, as with AT TIME ZONE; the zone is a constant.
        AtTimezone = ["at_timezone"]: ["(timestamptz, varchar) timestamptz"];
        /// The timestamp as local time in a time zone; the zone is a constant.
        WithTimezone = ["with_timezone"]: ["(timestamp, varchar) timestamptz"];
        /// The time zone's name.
        Timezone = ["timezone"]: ["(timestamptz) varchar"];
        /// The milliseconds of an interval.
        ToMilliseconds = ["to_milliseconds"]: ["(interval day) bigint"];
        // JSON.
        /// Parses a text as JSON, with the members of objects sorted by name; an error if the text is not JSON.
        JsonParse = ["json_parse"]: ["(varchar) json"];
        /// The JSON as a text.
        JsonFormat = ["json_format"]: ["(json) varchar"];
        /// The JSON at a JSONPath; NULL if there is none.
        JsonExtract = ["json_extract"]: ["(json, varchar) json", "(varchar, varchar) json"];
        /// The string, number or boolean at a JSONPath, as a text; NULL if there is none or it is not a scalar.
        JsonExtractScalar = ["json_extract_scalar"]: ["(json, varchar) varchar", "(varchar(x), varchar) varchar(x)"];
        /// The element at an index, counted from 0 or, if negative, from the end; a string is returned without its quotes, as in Trino.
        JsonArrayGet = ["json_array_get"]: ["(json, bigint) json", "(varchar, bigint) json"];
        /// Whether a JSON array contains a value; NULL if the text is not a JSON array.
        JsonArrayContains = ["json_array_contains"]: ["(json, bigint) boolean", "(json, boolean) boolean", "(json, double) boolean", "(json, varchar) boolean", "(varchar, bigint) boolean", "(varchar, boolean) boolean", "(varchar, double) boolean", "(varchar, varchar) boolean"];
        /// The number of elements of a JSON array; NULL if the text is not one.
        JsonArrayLength = ["json_array_length"]: ["(json) bigint", "(varchar) bigint"];
        /// Whether the JSON is a string, number, boolean or null; an error if the text is not JSON.
        IsJsonScalar = ["is_json_scalar"]: ["(json) boolean", "(varchar) boolean"];
        /// The number of members or elements of the JSON at a JSONPath; 0 for a scalar.
        JsonSize = ["json_size"]: ["(json, varchar) bigint", "(varchar, varchar) bigint"];
        /** An aggregate over the array of a group's values; internal, cannot be called in a statement. */ OfGroup = ["of_group"]: [];
        /** The timestamp that a zoned timestamp shows in the zone of its row, what `date_trunc`, `date_add` and `date_diff` give there, or a text unless it names another zone; internal, cannot be called in a statement. */ InRowZone = ["in_row_zone"]: [];
        /** A pattern of LIKE with `\` instead of another escape character; internal, cannot be called in a statement. */ LikePattern = ["like_pattern"]: [];
        /** A call of a function that the statement defines; internal, cannot be called in a statement. */ Routine = ["routine"]: [];
        /// `JSON_EXISTS(json, 'path' …)`: whether the path selects anything.
        JsonExists = ["json_exists"]: [];
        /// `JSON_VALUE(json, 'path' …)`: the scalar at a path, as a varchar unless RETURNING names another type.
        JsonValue = ["json_value"]: [];
        /// `JSON_QUERY(json, 'path' …)`: the JSON at a path, as a varchar unless RETURNING names another type.
        JsonQuery = ["json_query"]: [];
        /// `JSON_OBJECT('name' : value, …)`: a JSON object, as a varchar unless RETURNING names another type.
        JsonObject = ["json_object"]: [];
        /// `JSON_ARRAY(value, …)`: a JSON array, as a varchar unless RETURNING names another type.
        JsonArray = ["json_array"]: [];
        /** `JSON_TABLE(json, 'path' COLUMNS (…))` in FROM; internal, cannot be called in a statement. */ JsonTable = ["json_table"]: [];
        /// `ARRAY[…]`: an array of the arguments.
        ArrayConstructor = ["array"]: ["(T...) [T]", "() [unknown]"];
        /// `ROW(…)` or `(a, b)`: a row of the arguments.
        RowConstructor = ["row"]: ["(T...) row(T...)"];
        /// `a[i]`: the element of an array or the value of a map's key; an error if there is none.
        Subscript = ["subscript"]: ["([T], bigint) T", "(map(T,U), T) U"];
        /// The element of an array (a negative index counts from the end) or the value of a map's key; NULL if there is none.
        ElementAt = ["element_at"]: ["([T], bigint) T", "(map(T,U), T) U"];
        /// The number of elements of an array or entries of a map; of a HyperLogLog sketch, the approximate number of distinct values.
        Cardinality = ["cardinality"]: ["([T]) bigint", "(map(T,U)) bigint", "(HyperLogLog) bigint"];
        /// Whether the array contains the element; NULL if it does not and the array contains NULLs.
        Contains = ["contains"]: ["([T], T) boolean", "(varchar, ipaddress) boolean"];
        /// The position of the element's first occurrence in the array, 0 if absent.
        ArrayPosition = ["array_position"]: ["([T], T) bigint"];
        /// The distinct elements of the array.
        ArrayDistinct = ["array_distinct"]: ["([T]) [T]"];
        /// The array in ascending order with NULLs last, or ordered by a comparison function that returns -1, 0 or 1.
        ArraySort = ["array_sort"]: ["([T]) [T]", "([T], function(T,T,integer)) [T]"];
        /// The greatest element; NULL if the array is empty or contains NULLs.
        ArrayMax = ["array_max"]: ["([T]) T"];
        /// The least element; NULL if the array is empty or contains NULLs.
        ArrayMin = ["array_min"]: ["([T]) T"];
        /// The array without the elements that are equal to the second argument.
        ArrayRemove = ["array_remove"]: ["([T], T) [T]"];
        /// The elements as a text with a delimiter; NULLs are left out or replaced by the third argument.
        ArrayJoin = ["array_join"]: ["([T], varchar) varchar", "([T], varchar, varchar) varchar"];
        /// The distinct elements of both arrays.
        ArrayUnion = ["array_union"]: ["([T], [T]) [T]"];
        /// The distinct elements that are in both arrays.
        ArrayIntersect = ["array_intersect"]: ["([T], [T]) [T]"];
        /// The distinct elements of the first array that are not in the second; of an empty second array, all elements.
        ArrayExcept = ["array_except"]: ["([T], [T]) [T]"];
        /// Whether the arrays share an element that is not NULL; NULL if they share none and one contains NULLs.
        ArraysOverlap = ["arrays_overlap"]: ["([T], [T]) boolean"];
        /// The part of the array from a position on (negative: counted from the end) with a number of elements.
        Slice = ["slice"]: ["([T], bigint, bigint) [T]"];
        /// The values from start to stop, both included, with an optional step.
        Sequence = ["sequence"]: ["(bigint, bigint) [bigint]", "(bigint, bigint, bigint) [bigint]", "(date, date) [date]", "(date, date, interval day) [date]", "(date, date, interval year) [date]", "(timestamp, timestamp, interval day) [timestamp]", "(timestamp, timestamp, interval year) [timestamp]"];
        /// The elements of an array of arrays as one array.
        Flatten = ["flatten"]: ["([[T]]) [T]"];
        /// All combinations of n elements of the array.
        Combinations = ["combinations"]: ["([T], integer) [[T]]"];
        /// All sequences of n adjacent elements of the array.
        Ngrams = ["ngrams"]: ["([T], integer) [[T]]"];
        /// Whether the first array contains the elements of the second consecutively and in order.
        ContainsSequence = ["contains_sequence"]: ["([T], [T]) boolean"];
        /// The array without its last n elements.
        TrimArray = ["trim_array"]: ["([T], bigint) [T]"];
        /// An array of rows of the elements at the same position of 2 to 5 arrays; NULL where an array is shorter.
        Zip = ["zip"]: ["([T], [T]...) [row(T...)]"];
        /// The array in random order.
        Shuffle = ["shuffle"]: ["([T]) [T]"];
        /// The array of what the function returns for each element.
        Transform = ["transform"]: ["([T], function(T,U)) [U]"];
        /// The elements for which the function returns TRUE.
        Filter = ["filter"]: ["([T], function(T,boolean)) [T]"];
        /// Folds the array: initial state, function of state and element, function of the final state.
        Reduce = ["reduce"]: ["([T], S, function(S,T,S), function(S,R)) R"];
        /// Whether the function returns TRUE for any element; NULL if for none and NULL for some.
        AnyMatch = ["any_match"]: ["([T], function(T,boolean)) boolean"];
        /// Whether the function returns TRUE for all elements; NULL if FALSE for none and NULL for some.
        AllMatch = ["all_match"]: ["([T], function(T,boolean)) boolean"];
        /// Whether the function returns TRUE for no element; NULL if TRUE for none and NULL for some.
        NoneMatch = ["none_match"]: ["([T], function(T,boolean)) boolean"];
        /// The array of what the function returns for the elements at the same position; a shorter array is extended with NULLs.
        ZipWith = ["zip_with"]: ["([T], [U], function(T,U,R)) [R]"];
        /// A map of an array of keys and an array of values, or an empty map; a key must be neither NULL nor repeated.
        Map = ["map"]: ["() map(unknown,unknown)", "([T], [U]) map(T,U)"];
        /// The keys of the map, as an array.
        MapKeys = ["map_keys"]: ["(map(T,U)) [T]"];
        /// The values of the map, as an array in the order of the keys.
        MapValues = ["map_values"]: ["(map(T,U)) [U]"];
        /// The entries of the map, as an array of rows of key and value.
        MapEntries = ["map_entries"]: ["(map(T,U)) [row(T,U)]"];
        /// A map of an array of rows of key and value.
        MapFromEntries = ["map_from_entries"]: ["([row(T,U)]) map(T,U)"];
        /// A map of each key to the array of its values, of an array of rows of key and value.
        MultimapFromEntries = ["multimap_from_entries"]: ["([row(T,U)]) map(T,[U])"];
        /// The union of two or more maps; of a key in several, the last map's value.
        MapConcat = ["map_concat"]: ["(map(T,U), map(T,U)...) map(T,U)"];
        /// A map of each distinct element to its number of occurrences; NULLs are not counted.
        ArrayHistogram = ["array_histogram"]: ["([T]) map(T,bigint)"];
        /// A map of a text that is split by an entry delimiter and a key-value delimiter.
        SplitToMap = ["split_to_map"]: ["(varchar, varchar, varchar) map(varchar,varchar)"];
        /// A map of each key to the array of its values, of a text that is split by an entry delimiter and a key-value delimiter.
        SplitToMultimap = ["split_to_multimap"]: ["(varchar, varchar, varchar) map(varchar,[varchar])"];
        /// The entries for which the function returns TRUE.
        MapFilter = ["map_filter"]: ["(map(T,U), function(T,U,boolean)) map(T,U)"];
        /// The map with each key replaced by what the function returns for the entry.
        TransformKeys = ["transform_keys"]: ["(map(T,U), function(T,U,R)) map(R,U)"];
        /// The map with each value replaced by what the function returns for the entry.
        TransformValues = ["transform_values"]: ["(map(T,U), function(T,U,R)) map(T,R)"];
        /// A map of the keys of both maps to what the function returns for the key and its two values; NULL for the value of a map that lacks the key.
        MapZipWith = ["map_zip_with"]: ["(map(T,U), map(T,V), function(T,U,V,R)) map(T,R)"];
        /// An empty HyperLogLog sketch.
        EmptyApproxSet = ["empty_approx_set"]: ["() HyperLogLog"];
        /// The sketch's value at a quantile, 0 to 1.
        ValueAtQuantile = ["value_at_quantile"]: ["(qdigest(T), double) T", "(tdigest, double) double"];
        /// The sketch's values at several quantiles, 0 to 1; of a `tdigest`, in ascending order.
        ValuesAtQuantiles = ["values_at_quantiles"]: ["(qdigest(T), [double]) [T]", "(tdigest, [double]) [double]"];
        /// The quantile of a value in the sketch; NULL if it is outside of all values.
        QuantileAtValue = ["quantile_at_value"]: ["(qdigest(T), T) double"];
        /// The text encoded in UTF-8.
        ToUtf8 = ["to_utf8"]: ["(varchar) varbinary"];
        /// The text of UTF-8 bytes; invalid sequences are replaced by U+FFFD or by the second argument, a character, an empty text or a code point.
        FromUtf8 = ["from_utf8"]: ["(varbinary) varchar", "(varbinary, varchar) varchar", "(varbinary, bigint) varchar"];
        /// The bytes as hexadecimal digits in upper case.
        ToHex = ["to_hex"]: ["(varbinary) varchar"];
        /// The bytes that the hexadecimal digits denote.
        FromHex = ["from_hex"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// The bytes in Base64, with padding.
        ToBase64 = ["to_base64"]: ["(varbinary) varchar"];
        /// The bytes of a text in Base64, with or without padding.
        FromBase64 = ["from_base64"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// The bytes in the URL-safe alphabet of Base64, with padding.
        ToBase64url = ["to_base64url"]: ["(varbinary) varchar"];
        /// The bytes of a text in the URL-safe alphabet of Base64, with or without padding.
        FromBase64url = ["from_base64url"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// The bytes in Base32, with padding.
        ToBase32 = ["to_base32"]: ["(varbinary) varchar"];
        /// The bytes of a text in Base32 (upper case), with or without padding.
        FromBase32 = ["from_base32"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// The integer as 4 bytes in two's complement, most significant byte first.
        ToBigEndian32 = ["to_big_endian_32"]: ["(integer) varbinary"];
        /// The bigint as 8 bytes in two's complement, most significant byte first.
        ToBigEndian64 = ["to_big_endian_64"]: ["(bigint) varbinary"];
        /// The integer of exactly 4 bytes in two's complement, most significant byte first.
        FromBigEndian32 = ["from_big_endian_32"]: ["(varbinary) integer"];
        /// The bigint of exactly 8 bytes in two's complement, most significant byte first.
        FromBigEndian64 = ["from_big_endian_64"]: ["(varbinary) bigint"];
        /// The real as 4 bytes in IEEE 754 format, most significant byte first.
        ToIeee754Of32 = ["to_ieee754_32"]: ["(real) varbinary"];
        /// The double as 8 bytes in IEEE 754 format, most significant byte first.
        ToIeee754Of64 = ["to_ieee754_64"]: ["(double) varbinary"];
        /// The real of exactly 4 bytes in IEEE 754 format, most significant byte first.
        FromIeee754Of32 = ["from_ieee754_32"]: ["(varbinary) real"];
        /// The double of exactly 8 bytes in IEEE 754 format, most significant byte first.
        FromIeee754Of64 = ["from_ieee754_64"]: ["(varbinary) double"];
        /// The CRC-32 checksum, as in gzip and PNG.
        Crc32 = ["crc32"]: ["(varbinary) bigint"];
        /// The MD5 hash, 16 bytes.
        Md5 = ["md5"]: ["(varbinary) varbinary"];
        /// The SHA-1 hash, 20 bytes.
        Sha1 = ["sha1"]: ["(varbinary) varbinary"];
        /// The SHA-256 hash, 32 bytes.
        Sha256 = ["sha256"]: ["(varbinary) varbinary"];
        /// The SHA-512 hash, 64 bytes.
        Sha512 = ["sha512"]: ["(varbinary) varbinary"];
        /// The XXH64 hash with seed 0, 8 bytes.
        Xxhash64 = ["xxhash64"]: ["(varbinary) varbinary"];
        /// The 128-bit MurmurHash3 hash (x64 variant), 16 bytes.
        Murmur3 = ["murmur3"]: ["(varbinary) varbinary"];
        /// The 32-bit SpookyHash V2 hash, 4 bytes.
        SpookyHashV2Of32 = ["spooky_hash_v2_32"]: ["(varbinary) varbinary"];
        /// The 64-bit SpookyHash V2 hash, 8 bytes.
        SpookyHashV2Of64 = ["spooky_hash_v2_64"]: ["(varbinary) varbinary"];
        /// The HMAC with MD5 of the bytes with a key, 16 bytes.
        HmacMd5 = ["hmac_md5"]: ["(varbinary, varbinary) varbinary"];
        /// The HMAC with SHA-1 of the bytes with a key, 20 bytes.
        HmacSha1 = ["hmac_sha1"]: ["(varbinary, varbinary) varbinary"];
        /// The HMAC with SHA-256 of the bytes with a key, 32 bytes.
        HmacSha256 = ["hmac_sha256"]: ["(varbinary, varbinary) varbinary"];
        /// The HMAC with SHA-512 of the bytes with a key, 64 bytes.
        HmacSha512 = ["hmac_sha512"]: ["(varbinary, varbinary) varbinary"];
        /// The text encoded as a query parameter's value; a space becomes `+`.
        UrlEncode = ["url_encode"]: ["(varchar) varchar"];
        /// The decoded text of a query parameter's value.
        UrlDecode = ["url_decode"]: ["(varchar(x)) varchar(x)"];
        /// The scheme of a URL.
        UrlExtractProtocol = ["url_extract_protocol"]: ["(varchar(x)) varchar(x)"];
        /// The host of a URL; empty if it is not a valid Internet host.
        UrlExtractHost = ["url_extract_host"]: ["(varchar(x)) varchar(x)"];
        /// The port of a URL; NULL if it has none.
        UrlExtractPort = ["url_extract_port"]: ["(varchar) bigint"];
        /// The decoded path of a URL.
        UrlExtractPath = ["url_extract_path"]: ["(varchar(x)) varchar(x)"];
        /// The decoded query of a URL.
        UrlExtractQuery = ["url_extract_query"]: ["(varchar(x)) varchar(x)"];
        /// The decoded fragment of a URL.
        UrlExtractFragment = ["url_extract_fragment"]: ["(varchar(x)) varchar(x)"];
        /// The decoded value of the first query parameter with a name; NULL if there is none.
        UrlExtractParameter = ["url_extract_parameter"]: ["(varchar(x), varchar) varchar(x)"];
    }
}
