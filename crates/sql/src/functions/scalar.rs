//! Scalar functions, with Trino's names and semantics. The result is NULL if any argument is NULL, unless the line
//! states otherwise; positions in arrays start at 1.

super::functions! {
    /// A function of the values of one row.
    ScalarFunction {
        /// Overflow is an error.
        Abs = ["abs"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// Up. A decimal gives `decimal(p,0)`.
        Ceil = ["ceil", "ceiling"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// Down. A decimal gives `decimal(p,0)`.
        Floor = ["floor"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// Half away from zero; a second argument gives the digits (may be negative).
        Round = ["round"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double", "(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint", "(decimal, integer) decimal", "(real, integer) real", "(double, integer) double"];
        /// Toward zero; of a decimal also to digits (may be negative).
        Truncate = ["truncate"]: ["(decimal) decimal", "(real) real", "(double) double", "(decimal, integer) decimal"];
        /// -1, 0 or 1, of the argument's type (a decimal gives `decimal(1,0)`).
        Sign = ["sign"]: ["(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double"];
        /// NaN below zero.
        Sqrt = ["sqrt"]: ["(double) double"];
        /// Cube root.
        Cbrt = ["cbrt"]: ["(double) double"];
        /// Base, exponent.
        Power = ["power", "pow"]: ["(double, double) double"];
        /// e to the power.
        Exp = ["exp"]: ["(double) double"];
        /// Natural logarithm.
        Ln = ["ln"]: ["(double) double"];
        /// Base, number.
        Log = ["log"]: ["(double, double) double"];
        /// Base 2.
        Log2 = ["log2"]: ["(double) double"];
        /// Base 10.
        Log10 = ["log10"]: ["(double) double"];
        /// Radians.
        Sin = ["sin"]: ["(double) double"];
        /// Radians.
        Cos = ["cos"]: ["(double) double"];
        /// Radians.
        Tan = ["tan"]: ["(double) double"];
        /// Radians.
        Asin = ["asin"]: ["(double) double"];
        /// Radians.
        Acos = ["acos"]: ["(double) double"];
        /// Radians.
        Atan = ["atan"]: ["(double) double"];
        /// y, x.
        Atan2 = ["atan2"]: ["(double, double) double"];
        /// Hyperbolic sine.
        Sinh = ["sinh"]: ["(double) double"];
        /// Hyperbolic cosine.
        Cosh = ["cosh"]: ["(double) double"];
        /// Hyperbolic tangent.
        Tanh = ["tanh"]: ["(double) double"];
        /// Radians to degrees.
        Degrees = ["degrees"]: ["(double) double"];
        /// Degrees to radians.
        Radians = ["radians"]: ["(double) double"];
        /// NULL if any is NULL.
        Greatest = ["greatest"]: ["(T, T...) T", "(T) T"];
        /// NULL if any is NULL.
        Least = ["least"]: ["(T, T...) T", "(T) T"];
        /// Double in [0, 1); with bounds an integer in [low, high).
        Random = ["random", "rand"]: ["() double", "(tinyint) tinyint", "(smallint) smallint", "(integer) integer", "(bigint) bigint", "(tinyint, tinyint) tinyint", "(smallint, smallint) smallint", "(integer, integer) integer", "(bigint, bigint) bigint"];
        /// Random, of version 4.
        Uuid = ["uuid"]: ["() uuid"];
        /// Whether it is NaN.
        IsNan = ["is_nan"]: ["(double) boolean", "(real) boolean"];
        /// Neither NaN nor infinite.
        IsFinite = ["is_finite"]: ["(double) boolean"];
        /// Positive or negative infinity.
        IsInfinite = ["is_infinite"]: ["(double) boolean"];
        /// x, low, high, n: 0 below, n + 1 above. Or x and the bounds of buckets, ascending.
        WidthBucket = ["width_bucket"]: ["(double, double, double, bigint) bigint", "(double, [double]) bigint"];
        /// Bitwise.
        BitwiseAnd = ["bitwise_and"]: ["(bigint, bigint) bigint"];
        /// Bitwise.
        BitwiseOr = ["bitwise_or"]: ["(bigint, bigint) bigint"];
        /// Bitwise.
        BitwiseXor = ["bitwise_xor"]: ["(bigint, bigint) bigint"];
        /// Bitwise.
        BitwiseNot = ["bitwise_not"]: ["(bigint) bigint"];
        /// Value, bits; 0 for as many bits as the type has or more.
        BitwiseLeftShift = ["bitwise_left_shift"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// Value, bits; logical.
        BitwiseRightShift = ["bitwise_right_shift"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// Value, bits; keeps the sign.
        BitwiseRightShiftArithmetic = ["bitwise_right_shift_arithmetic"]: ["(tinyint, integer) tinyint", "(smallint, integer) smallint", "(integer, integer) integer", "(bigint, integer) bigint"];
        /// Bits that are set in two's complement of so many bits.
        BitCount = ["bit_count"]: ["(bigint, bigint) bigint"];
        /// Digits in a base of 2 to 36.
        ToBase = ["to_base"]: ["(bigint, bigint) varchar(64)"];
        /// From digits in a base of 2 to 36.
        FromBase = ["from_base"]: ["(varchar, bigint) bigint"];
        /// Mean, standard deviation, value.
        NormalCdf = ["normal_cdf"]: ["(double, double, double) double"];
        /// Mean, standard deviation, probability.
        InverseNormalCdf = ["inverse_normal_cdf"]: ["(double, double, double) double"];
        /// a, b, value.
        BetaCdf = ["beta_cdf"]: ["(double, double, double) double"];
        /// a, b, probability.
        InverseBetaCdf = ["inverse_beta_cdf"]: ["(double, double, double) double"];
        /// Of Student's distribution: value, degrees of freedom.
        TCdf = ["t_cdf"]: ["(double, double) double"];
        /// Of Student's distribution: value, degrees of freedom.
        TPdf = ["t_pdf"]: ["(double, double) double"];
        /// Successes, trials, z-score.
        WilsonIntervalLower = ["wilson_interval_lower"]: ["(bigint, bigint, double) double"];
        /// Successes, trials, z-score.
        WilsonIntervalUpper = ["wilson_interval_upper"]: ["(bigint, bigint, double) double"];
        /// Of vectors of one length.
        DotProduct = ["dot_product"]: ["([double], [double]) double"];
        /// Of vectors of one length.
        EuclideanDistance = ["euclidean_distance"]: ["([double], [double]) double"];
        /// Of vectors of one length; NULL where one has a NULL.
        CosineSimilarity = ["cosine_similarity"]: ["([double], [double]) double", "(map(varchar,double), map(varchar,double)) double"];
        /// 1 - `cosine_similarity`.
        CosineDistance = ["cosine_distance"]: ["([double], [double]) double"];
        // Text. Positions count characters from 1.
        /// Characters; of binary, bytes.
        Length = ["length", "char_length", "character_length"]: ["(varchar) bigint", "(varbinary) bigint"];
        /// Lower case.
        Lower = ["lower"]: ["(varchar(x)) varchar(x)"];
        /// Upper case.
        Upper = ["upper"]: ["(varchar(x)) varchar(x)"];
        /// Both ends; a second argument gives the characters.
        Trim = ["trim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// The start; a second argument gives the characters.
        Ltrim = ["ltrim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// The end; a second argument gives the characters.
        Rtrim = ["rtrim"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar) varchar(x)"];
        /// From a position (negative: from the end; 0: empty), so many characters; of binary, bytes.
        Substring = ["substring", "substr"]: ["(varchar(x), bigint) varchar(x)", "(varchar(x), bigint, bigint) varchar(x)", "(varbinary, bigint) varbinary", "(varbinary, bigint, bigint) varbinary"];
        /// Where the second is first found in the first; 0: not. A third argument asks for that occurrence.
        Strpos = ["strpos"]: ["(varchar, varchar) bigint", "(varchar, varchar, bigint) bigint"];
        /// All occurrences; without a third argument they are removed.
        Replace = ["replace"]: ["(varchar(x), varchar) varchar(x)", "(varchar, varchar, varchar) varchar"];
        /// By characters; of an array, by elements; of binary, by bytes.
        Reverse = ["reverse"]: ["(varchar(x)) varchar(x)", "([T]) [T]", "(varbinary) varbinary"];
        /// Also `||`; of arrays, their elements in one, or an array with one more.
        Concat = ["concat"]: ["(varchar, varchar...) varchar", "([T], [T]...) [T]", "(varbinary, varbinary...) varbinary", "([T], T) [T]", "(T, [T]) [T]"];
        /// Separator first; NULL parts are passed over, a NULL separator gives NULL.
        ConcatWs = ["concat_ws"]: ["(varchar, [varchar]) varchar", "(varchar, varchar...) varchar"];
        /// To a size, at the left; longer text is cut.
        Lpad = ["lpad"]: ["(varchar, bigint, varchar) varchar", "(varbinary, bigint, varbinary) varbinary"];
        /// To a size, at the right; longer text is cut.
        Rpad = ["rpad"]: ["(varchar, bigint, varchar) varchar", "(varbinary, bigint, varbinary) varbinary"];
        /// At a delimiter; a third argument limits the parts, the last holding the rest.
        Split = ["split"]: ["(varchar(x), varchar) [varchar(x)]", "(varchar(x), varchar, bigint) [varchar(x)]"];
        /// The part at a position from 1; NULL past the end.
        SplitPart = ["split_part"]: ["(varchar(x), varchar, bigint) varchar(x)"];
        /// Whether the first begins with the second.
        StartsWith = ["starts_with"]: ["(varchar, varchar) boolean"];
        /// Whether the first ends with the second.
        EndsWith = ["ends_with"]: ["(varchar, varchar) boolean"];
        /// The character of a code point.
        Chr = ["chr"]: ["(bigint) varchar"];
        /// The code point of the one character.
        Codepoint = ["codepoint"]: ["(varchar) integer"];
        /// Each character of the second by the one of the third at its place, or none.
        Translate = ["translate"]: ["(varchar, varchar, varchar) varchar"];
        /// Text so many times is not Trino's: an element so many times, as an array.
        Repeat = ["repeat"]: ["(T, bigint) [T]"];
        /// Edits between two texts.
        LevenshteinDistance = ["levenshtein_distance"]: ["(varchar, varchar) bigint"];
        /// Differing characters of texts of equal length.
        HammingDistance = ["hamming_distance"]: ["(varchar, varchar) bigint"];
        /// A letter and three digits of how an English name sounds.
        Soundex = ["soundex"]: ["(varchar) varchar(4)"];
        /// Whether the last digit is the check digit of those before it.
        LuhnCheck = ["luhn_check"]: ["(varchar) boolean"];
        /// The stem of a word, in English or the language of a code: da, de, en, es, fi, fr, hu, it, nl, no, pt, ru, sv.
        WordStem = ["word_stem"]: ["(varchar(x)) varchar(x)", "(varchar(x), varchar(2)) varchar(x)"];
        /// By a pattern of Java's `Formatter` (`%s`, `%,.2f`, `%tF`): values of any types, and NULLs.
        Format = ["format"]: ["(varchar, T...) varchar"];
        /// Three digits and K, M, B, T or Q.
        FormatNumber = ["format_number"]: ["(bigint) varchar", "(double) varchar"];
        /// In weeks to seconds, rounded.
        HumanReadableSeconds = ["human_readable_seconds"]: ["(double) varchar"];
        /// A number and ns, us, ms, s, m, h or d.
        ParseDuration = ["parse_duration"]: ["(varchar) interval day"];
        /// Bytes, of a number and B, kB, MB, … YB; a kB has 1024.
        ParseDataSize = ["parse_data_size", "parse_presto_data_size"]: ["(varchar) decimal(38,0)"];
        /// NFC unless the second argument names another form.
        Normalize = ["normalize"]: ["(varchar) varchar", "(varchar, varchar) varchar"];
        /// Whether the pattern is found; patterns have Joni's syntax (D73).
        RegexpLike = ["regexp_like"]: ["(varchar, varchar) boolean"];
        /// The first match, or a group of it; NULL where there is none.
        RegexpExtract = ["regexp_extract"]: ["(varchar(x), varchar) varchar(x)", "(varchar(x), varchar, bigint) varchar(x)"];
        /// All matches, or a group of each.
        RegexpExtractAll = ["regexp_extract_all"]: ["(varchar(x), varchar) [varchar(x)]", "(varchar(x), varchar, bigint) [varchar(x)]"];
        /// All matches; `$1` and `${name}` are groups; without a third argument they are removed.
        RegexpReplace = ["regexp_replace"]: ["(varchar(x), varchar) varchar(x)", "(varchar, varchar, varchar) varchar"];
        /// Matches.
        RegexpCount = ["regexp_count"]: ["(varchar, varchar) bigint"];
        /// Where the first match is, at a start position or after it, or the n-th one; -1: none.
        RegexpPosition = ["regexp_position"]: ["(varchar, varchar) integer", "(varchar, varchar, integer) integer", "(varchar, varchar, integer, integer) integer"];
        /// At matches.
        RegexpSplit = ["regexp_split"]: ["(varchar(x), varchar) [varchar(x)]"];
        /// The first that is not NULL; later ones are not evaluated.
        Coalesce = ["coalesce"]: ["(T, T...) T"];
        /// NULL if both are equal, else the first, of its own type.
        Nullif = ["nullif"]: ["(T, U) T"];
        /// NULL where the argument fails.
        Try = ["try"]: ["(T) T"];
        /// Always fails, with the message.
        Fail = ["fail"]: ["(varchar) unknown"];
        // Dates and times.
        /// Of a date, timestamp or interval.
        Year = ["year"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval year) bigint"];
        /// 1 to 4.
        Quarter = ["quarter"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// 1 to 12.
        Month = ["month"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval year) bigint"];
        /// ISO week.
        Week = ["week", "week_of_year"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// Of the month.
        Day = ["day", "day_of_month"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint", "(interval day) bigint"];
        /// 1 (Monday) to 7.
        DayOfWeek = ["day_of_week", "dow"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// 1 to 366.
        DayOfYear = ["day_of_year", "doy"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// Year of the ISO week.
        YearOfWeek = ["year_of_week", "yow"]: ["(date) bigint", "(timestamp) bigint", "(timestamptz) bigint"];
        /// 0 to 23.
        Hour = ["hour"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// 0 to 59.
        Minute = ["minute"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// 0 to 59.
        Second = ["second"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// 0 to 999.
        Millisecond = ["millisecond"]: ["(timestamp) bigint", "(timestamptz) bigint", "(time) bigint", "(interval day) bigint"];
        /// Whole hours of the zone's offset from UTC.
        TimezoneHour = ["timezone_hour"]: ["(timestamptz) bigint"];
        /// Minutes of the zone's offset from UTC beyond its hours.
        TimezoneMinute = ["timezone_minute"]: ["(timestamptz) bigint"];
        /// Unit, value: the start of the unit.
        DateTrunc = ["date_trunc"]: ["(varchar, date) date", "(varchar, timestamp) timestamp", "(varchar, timestamptz) timestamptz", "(varchar, time) time"];
        /// Unit, amount, value. Where a clock changes, days and longer units go by its time, hours and shorter ones do not.
        DateAdd = ["date_add"]: ["(varchar, bigint, date) date", "(varchar, bigint, timestamp) timestamp", "(varchar, bigint, timestamptz) timestamptz", "(varchar, bigint, time) time"];
        /// Unit, from, to: whole units; days and longer ones of zoned timestamps by the clock of the first one's zone.
        DateDiff = ["date_diff"]: ["(varchar, date, date) bigint", "(varchar, timestamp, timestamp) bigint", "(varchar, timestamptz, timestamptz) bigint", "(varchar, time, time) bigint"];
        /// MySQL's format letters.
        DateFormat = ["date_format"]: ["(timestamp, varchar) varchar", "(timestamptz, varchar) varchar"];
        /// MySQL's format letters; gives `timestamp(3)`.
        DateParse = ["date_parse"]: ["(varchar, varchar) timestamp"];
        /// Joda-Time's pattern letters.
        FormatDatetime = ["format_datetime"]: ["(timestamp, varchar) varchar", "(timestamptz, varchar) varchar"];
        /// Joda-Time's pattern letters; gives `timestamp(3) with time zone` in UTC.
        ParseDatetime = ["parse_datetime"]: ["(varchar, varchar) timestamptz"];
        /// Teradata's pattern words: dd, mm, yy, yyyy, hh, hh24, mi, ss.
        ToChar = ["to_char"]: ["(timestamptz, varchar) varchar"];
        /// Teradata's pattern words.
        ToDate = ["to_date"]: ["(varchar, varchar) date"];
        /// Teradata's pattern words; gives `timestamp(3)`.
        ToTimestamp = ["to_timestamp"]: ["(varchar, varchar) timestamp"];
        /// Seconds since the epoch; gives `timestamp(3) with time zone` in UTC, or in the zone that a constant names, or its hours and minutes.
        FromUnixtime = ["from_unixtime"]: ["(double) timestamptz", "(double, varchar) timestamptz", "(double, bigint, bigint) timestamptz"];
        /// Nanoseconds since the epoch.
        FromUnixtimeNanos = ["from_unixtime_nanos"]: ["(bigint) timestamp(9) with time zone", "(decimal) timestamp(9) with time zone"];
        /// Seconds since the epoch.
        ToUnixtime = ["to_unixtime"]: ["(timestamptz) double"];
        /// `YYYY-MM-DD`.
        FromIso8601Date = ["from_iso8601_date"]: ["(varchar) date"];
        /// Gives `timestamp(3) with time zone`.
        FromIso8601Timestamp = ["from_iso8601_timestamp"]: ["(varchar) timestamptz"];
        /// With a `T`, and up to nine digits of a second.
        FromIso8601TimestampNanos = ["from_iso8601_timestamp_nanos"]: ["(varchar) timestamp(9) with time zone"];
        /// ISO 8601 text.
        ToIso8601 = ["to_iso8601"]: ["(date) varchar", "(timestamp) varchar", "(timestamptz) varchar"];
        /// Last day of the month.
        LastDayOfMonth = ["last_day_of_month"]: ["(date) date", "(timestamp) date", "(timestamptz) date"];
        /// Also AT TIME ZONE: the same moment in another zone; the zone is a constant.
        AtTimezone = ["at_timezone"]: ["(timestamptz, varchar) timestamptz"];
        /// The wall clock's time in a zone; the zone is a constant.
        WithTimezone = ["with_timezone"]: ["(timestamp, varchar) timestamptz"];
        /// The zone's name.
        Timezone = ["timezone"]: ["(timestamptz) varchar"];
        /// Milliseconds of an interval.
        ToMilliseconds = ["to_milliseconds"]: ["(interval day) bigint"];
        // JSON.
        /// A text as JSON, members by name; an error where it is none.
        JsonParse = ["json_parse"]: ["(varchar) json"];
        /// The text.
        JsonFormat = ["json_format"]: ["(json) varchar"];
        /// The JSON at a path; NULL where there is none.
        JsonExtract = ["json_extract"]: ["(json, varchar) json", "(varchar, varchar) json"];
        /// The string, number or boolean at a path, as text; NULL where there is none or it is not a scalar.
        JsonExtractScalar = ["json_extract_scalar"]: ["(json, varchar) varchar", "(varchar(x), varchar) varchar(x)"];
        /// The element at a place from 0, or from the end below that; a text without its quotes, which is no JSON then.
        JsonArrayGet = ["json_array_get"]: ["(json, bigint) json", "(varchar, bigint) json"];
        /// Whether an array has the value; NULL where it is none.
        JsonArrayContains = ["json_array_contains"]: ["(json, bigint) boolean", "(json, boolean) boolean", "(json, double) boolean", "(json, varchar) boolean", "(varchar, bigint) boolean", "(varchar, boolean) boolean", "(varchar, double) boolean", "(varchar, varchar) boolean"];
        /// Elements of an array; NULL where it is none.
        JsonArrayLength = ["json_array_length"]: ["(json) bigint", "(varchar) bigint"];
        /// Whether it is a text, a number, a boolean or null; an error where it is no JSON.
        IsJsonScalar = ["is_json_scalar"]: ["(json) boolean", "(varchar) boolean"];
        /// Members of what is at a path; 0 for a scalar.
        JsonSize = ["json_size"]: ["(json, varchar) bigint", "(varchar, varchar) bigint"];
        /// What aggregates become that are computed of the array of a group's values; no function of a statement.
        OfGroup = ["of_group"]: [];
        /// What calls of functions become that a statement brings along; no function of a statement.
        Routine = ["routine"]: [];
        /// `JSON_EXISTS(json, 'path' …)`: whether the path leads to something.
        JsonExists = ["json_exists"]: [];
        /// `JSON_VALUE(json, 'path' …)`: the scalar at a path, a varchar if not said otherwise.
        JsonValue = ["json_value"]: [];
        /// `JSON_QUERY(json, 'path' …)`: the JSON at a path, a varchar if not said otherwise.
        JsonQuery = ["json_query"]: [];
        /// `JSON_OBJECT('name' : value, …)`: a varchar if not said otherwise.
        JsonObject = ["json_object"]: [];
        /// `JSON_ARRAY(value, …)`: a varchar if not said otherwise.
        JsonArray = ["json_array"]: [];
        /// What `JSON_TABLE(json, 'path' COLUMNS (…))` in FROM becomes; no function of a statement.
        JsonTable = ["json_table"]: [];
        /// `ARRAY[…]`.
        ArrayConstructor = ["array"]: ["(T...) [T]", "() [unknown]"];
        /// `ROW(…)` and `(a, b)`; the result's type has the fields.
        RowConstructor = ["row"]: ["(T...) row(T...)"];
        /// `a[i]`: an error outside the array, and where a map has no such key.
        Subscript = ["subscript"]: ["([T], bigint) T", "(map(T,U), T) U"];
        /// NULL outside the array, negative from the end; NULL where a map has no such key.
        ElementAt = ["element_at"]: ["([T], bigint) T", "(map(T,U), T) U"];
        /// Elements, entries, or about how many distinct values.
        Cardinality = ["cardinality"]: ["([T]) bigint", "(map(T,U)) bigint", "(HyperLogLog) bigint"];
        /// Whether it is in; NULL where it is not and there are NULLs.
        Contains = ["contains"]: ["([T], T) boolean", "(varchar, ipaddress) boolean"];
        /// The first position; 0: none.
        ArrayPosition = ["array_position"]: ["([T], T) bigint"];
        /// Each once.
        ArrayDistinct = ["array_distinct"]: ["([T]) [T]"];
        /// Ascending, NULLs last; or as a function says, that gives -1, 0 or 1 of two elements.
        ArraySort = ["array_sort"]: ["([T]) [T]", "([T], function(T,T,integer)) [T]"];
        /// NULL where it is empty or has NULLs.
        ArrayMax = ["array_max"]: ["([T]) T"];
        /// NULL where it is empty or has NULLs.
        ArrayMin = ["array_min"]: ["([T]) T"];
        /// Without the elements that are equal.
        ArrayRemove = ["array_remove"]: ["([T], T) [T]"];
        /// As text, with a delimiter; NULLs are left out, or replaced by the third argument.
        ArrayJoin = ["array_join"]: ["([T], varchar) varchar", "([T], varchar, varchar) varchar"];
        /// Of both, each once.
        ArrayUnion = ["array_union"]: ["([T], [T]) [T]"];
        /// In both, each once.
        ArrayIntersect = ["array_intersect"]: ["([T], [T]) [T]"];
        /// In the first and not in the second, each once.
        ArrayExcept = ["array_except"]: ["([T], [T]) [T]"];
        /// Whether they share an element that is not NULL.
        ArraysOverlap = ["arrays_overlap"]: ["([T], [T]) boolean"];
        /// From a position (negative: from the end), so many.
        Slice = ["slice"]: ["([T], bigint, bigint) [T]"];
        /// From, to, step; both ends are in.
        Sequence = ["sequence"]: ["(bigint, bigint) [bigint]", "(bigint, bigint, bigint) [bigint]", "(date, date) [date]", "(date, date, interval day) [date]", "(date, date, interval year) [date]", "(timestamp, timestamp, interval day) [timestamp]", "(timestamp, timestamp, interval year) [timestamp]"];
        /// Arrays in an array.
        Flatten = ["flatten"]: ["([[T]]) [T]"];
        /// Each choice of so many elements.
        Combinations = ["combinations"]: ["([T], integer) [[T]]"];
        /// So many neighbours each.
        Ngrams = ["ngrams"]: ["([T], integer) [[T]]"];
        /// Whether the second's elements follow each other in the first.
        ContainsSequence = ["contains_sequence"]: ["([T], [T]) boolean"];
        /// Without so many of the last elements.
        TrimArray = ["trim_array"]: ["([T], bigint) [T]"];
        /// Rows of the elements at one place, of 2 to 5 arrays of any types; NULL where one is shorter.
        Zip = ["zip"]: ["([T], [T]...) [row(T...)]"];
        /// In random order.
        Shuffle = ["shuffle"]: ["([T]) [T]"];
        /// What the function gives of each element.
        Transform = ["transform"]: ["([T], function(T,U)) [U]"];
        /// The elements of which it is TRUE.
        Filter = ["filter"]: ["([T], function(T,boolean)) [T]"];
        /// A state taken from element to element, and what the second function gives of the last one.
        Reduce = ["reduce"]: ["([T], S, function(S,T,S), function(S,R)) R"];
        /// Whether it is TRUE of an element; NULL where it is of none and NULL of one.
        AnyMatch = ["any_match"]: ["([T], function(T,boolean)) boolean"];
        /// Whether it is FALSE of none; NULL where it is of none and NULL of one.
        AllMatch = ["all_match"]: ["([T], function(T,boolean)) boolean"];
        /// The opposite of `any_match`.
        NoneMatch = ["none_match"]: ["([T], function(T,boolean)) boolean"];
        /// What it gives of the elements at one place; NULL for one where its array is shorter.
        ZipWith = ["zip_with"]: ["([T], [U], function(T,U,R)) [R]"];
        /// Of keys and values side by side, or empty; keys are neither NULL nor twice there.
        Map = ["map"]: ["() map(unknown,unknown)", "([T], [U]) map(T,U)"];
        /// The keys.
        MapKeys = ["map_keys"]: ["(map(T,U)) [T]"];
        /// The values, in the order of the keys.
        MapValues = ["map_values"]: ["(map(T,U)) [U]"];
        /// Rows of a key and its value.
        MapEntries = ["map_entries"]: ["(map(T,U)) [row(T,U)]"];
        /// The opposite of `map_entries`.
        MapFromEntries = ["map_from_entries"]: ["([row(T,U)]) map(T,U)"];
        /// All values of each key.
        MultimapFromEntries = ["multimap_from_entries"]: ["([row(T,U)]) map(T,[U])"];
        /// Of two or more maps; the last value of a key counts.
        MapConcat = ["map_concat"]: ["(map(T,U), map(T,U)...) map(T,U)"];
        /// How often each element is there; NULLs are not counted.
        ArrayHistogram = ["array_histogram"]: ["([T]) map(T,bigint)"];
        /// Of a text, a delimiter of entries and one of keys and values.
        SplitToMap = ["split_to_map"]: ["(varchar, varchar, varchar) map(varchar,varchar)"];
        /// The same, with all values of each key.
        SplitToMultimap = ["split_to_multimap"]: ["(varchar, varchar, varchar) map(varchar,[varchar])"];
        /// The entries of which it is TRUE.
        MapFilter = ["map_filter"]: ["(map(T,U), function(T,U,boolean)) map(T,U)"];
        /// Keys become what it gives of each entry.
        TransformKeys = ["transform_keys"]: ["(map(T,U), function(T,U,R)) map(R,U)"];
        /// Values become what it gives of each entry.
        TransformValues = ["transform_values"]: ["(map(T,U), function(T,U,R)) map(T,R)"];
        /// What it gives of each key and its values in both maps; NULL for one that lacks the key.
        MapZipWith = ["map_zip_with"]: ["(map(T,U), map(T,V), function(T,U,V,R)) map(T,R)"];
        /// The sketch of no value.
        EmptyApproxSet = ["empty_approx_set"]: ["() HyperLogLog"];
        /// The value before which a fraction of the weight lies, 0 to 1.
        ValueAtQuantile = ["value_at_quantile"]: ["(qdigest(T), double) T", "(tdigest, double) double"];
        /// The values before which fractions of the weight lie; of a `tdigest` they increase.
        ValuesAtQuantiles = ["values_at_quantiles"]: ["(qdigest(T), [double]) [T]", "(tdigest, [double]) [double]"];
        /// The fraction of the weight before a value; NULL outside of all values.
        QuantileAtValue = ["quantile_at_value"]: ["(qdigest(T), T) double"];
        /// UTF-8 bytes.
        ToUtf8 = ["to_utf8"]: ["(varchar) varbinary"];
        /// Invalid sequences become U+FFFD, or what a second argument names: a character, none, or a code point.
        FromUtf8 = ["from_utf8"]: ["(varbinary) varchar", "(varbinary, varchar) varchar", "(varbinary, bigint) varchar"];
        /// Upper case hexadecimal digits.
        ToHex = ["to_hex"]: ["(varbinary) varchar"];
        /// From hexadecimal digits.
        FromHex = ["from_hex"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// With padding.
        ToBase64 = ["to_base64"]: ["(varbinary) varchar"];
        /// With or without padding.
        FromBase64 = ["from_base64"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// With `-` and `_` for `+` and `/`, and padding.
        ToBase64url = ["to_base64url"]: ["(varbinary) varchar"];
        /// With `-` and `_` for `+` and `/`, with or without padding.
        FromBase64url = ["from_base64url"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// With padding.
        ToBase32 = ["to_base32"]: ["(varbinary) varchar"];
        /// With or without padding; upper case.
        FromBase32 = ["from_base32"]: ["(varchar) varbinary", "(varbinary) varbinary"];
        /// 4 bytes in two's complement, the highest first.
        ToBigEndian32 = ["to_big_endian_32"]: ["(integer) varbinary"];
        /// 8 bytes in two's complement, the highest first.
        ToBigEndian64 = ["to_big_endian_64"]: ["(bigint) varbinary"];
        /// Of exactly 4 bytes.
        FromBigEndian32 = ["from_big_endian_32"]: ["(varbinary) integer"];
        /// Of exactly 8 bytes.
        FromBigEndian64 = ["from_big_endian_64"]: ["(varbinary) bigint"];
        /// 4 bytes, that of the sign first.
        ToIeee754Of32 = ["to_ieee754_32"]: ["(real) varbinary"];
        /// 8 bytes, that of the sign first.
        ToIeee754Of64 = ["to_ieee754_64"]: ["(double) varbinary"];
        /// Of exactly 4 bytes.
        FromIeee754Of32 = ["from_ieee754_32"]: ["(varbinary) real"];
        /// Of exactly 8 bytes.
        FromIeee754Of64 = ["from_ieee754_64"]: ["(varbinary) double"];
        /// The checksum of gzip and PNG.
        Crc32 = ["crc32"]: ["(varbinary) bigint"];
        /// 16 bytes.
        Md5 = ["md5"]: ["(varbinary) varbinary"];
        /// 20 bytes.
        Sha1 = ["sha1"]: ["(varbinary) varbinary"];
        /// 32 bytes.
        Sha256 = ["sha256"]: ["(varbinary) varbinary"];
        /// 64 bytes.
        Sha512 = ["sha512"]: ["(varbinary) varbinary"];
        /// 8 bytes; the seed is 0.
        Xxhash64 = ["xxhash64"]: ["(varbinary) varbinary"];
        /// 16 bytes: MurmurHash3 of 128 bits for 64-bit machines.
        Murmur3 = ["murmur3"]: ["(varbinary) varbinary"];
        /// 4 bytes.
        SpookyHashV2Of32 = ["spooky_hash_v2_32"]: ["(varbinary) varbinary"];
        /// 8 bytes.
        SpookyHashV2Of64 = ["spooky_hash_v2_64"]: ["(varbinary) varbinary"];
        /// Of bytes and a key, 16 bytes.
        HmacMd5 = ["hmac_md5"]: ["(varbinary, varbinary) varbinary"];
        /// Of bytes and a key, 20 bytes.
        HmacSha1 = ["hmac_sha1"]: ["(varbinary, varbinary) varbinary"];
        /// Of bytes and a key, 32 bytes.
        HmacSha256 = ["hmac_sha256"]: ["(varbinary, varbinary) varbinary"];
        /// Of bytes and a key, 64 bytes.
        HmacSha512 = ["hmac_sha512"]: ["(varbinary, varbinary) varbinary"];
        // URLs (RFC 2396, as in Java). The result is NULL for invalid URLs, and empty for a part that a URL lacks.
        /// As the value of a parameter: a space becomes `+`.
        UrlEncode = ["url_encode"]: ["(varchar) varchar"];
        /// The value of a parameter.
        UrlDecode = ["url_decode"]: ["(varchar(x)) varchar(x)"];
        /// Before `:`.
        UrlExtractProtocol = ["url_extract_protocol"]: ["(varchar(x)) varchar(x)"];
        /// Empty where it is not one of Internet's.
        UrlExtractHost = ["url_extract_host"]: ["(varchar(x)) varchar(x)"];
        /// NULL where there is none.
        UrlExtractPort = ["url_extract_port"]: ["(varchar) bigint"];
        /// Decoded.
        UrlExtractPath = ["url_extract_path"]: ["(varchar(x)) varchar(x)"];
        /// Behind `?`, decoded.
        UrlExtractQuery = ["url_extract_query"]: ["(varchar(x)) varchar(x)"];
        /// Behind `#`, decoded.
        UrlExtractFragment = ["url_extract_fragment"]: ["(varchar(x)) varchar(x)"];
        /// The value of the first parameter of that name, decoded; NULL where there is none.
        UrlExtractParameter = ["url_extract_parameter"]: ["(varchar(x), varchar) varchar(x)"];
    }
}
