import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.CountDownLatch;

/**
 * What tools see through Trino's JDBC driver: all of DatabaseMetaData, every setter of PreparedStatement, every getter of
 * ResultSet, and Statement.cancel. Arguments: the URL, the user, a token or an empty text, the catalog and the schema to look
 * into, and a statement that runs long. Standard output: a line for each, the same for every server that speaks the protocol.
 */
public final class JdbcMetadata {
    private static final int MAX_ROWS = 2000;
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Properties properties = new Properties();
        properties.setProperty("user", arguments[1]);
        if (!arguments[2].isEmpty()) {
            properties.setProperty("extraCredentials", "token:" + arguments[2]);
        }
        try (Connection connection = DriverManager.getConnection(arguments[0] + "/" + arguments[3] + "/" + arguments[4], properties)) {
            tables(connection.getMetaData(), arguments[3], arguments[4]);
            for (Method method : sorted(DatabaseMetaData.class.getMethods())) {
                facts(connection.getMetaData(), method);
            }
            setters(connection);
            getters(connection);
            cancel(connection, arguments[5]);
        }
    }

    private static List<Method> sorted(Method[] methods) {
        List<Method> sorted = new ArrayList<>(Arrays.asList(methods));
        sorted.sort(Comparator.comparing(Method::getName).thenComparing(method -> Arrays.toString(method.getParameterTypes())));
        return sorted;
    }

    /** What has arguments that matter. */
    private static void tables(DatabaseMetaData data, String catalog, String schema) {
        for (String named : new String[] {catalog, "tpch"}) {
            String in = named.equals("tpch") ? "tiny" : schema;
            look(named + " schemas", () -> data.getSchemas(named, in));
            look(named + " tables", () -> data.getTables(named, in, null, null));
            look(named + " tables n%", () -> data.getTables(named, in, "n%", new String[] {"TABLE"}));
            look(named + " tables of no kind", () -> data.getTables(named, in, "%", new String[] {"SYNONYM"}));
            look(named + " columns", () -> data.getColumns(named, in, "n%", "%"));
            look(named + " columns n\\_n%", () -> data.getColumns(named, in, "n%", "n\\_n%"));
            look(named + " keys", () -> data.getPrimaryKeys(named, in, "nation"));
            look(named + " imported keys", () -> data.getImportedKeys(named, in, "nation"));
            look(named + " indexes", () -> data.getIndexInfo(named, in, "nation", true, true));
        }
        look("nothing", () -> data.getTables("nothing", "at", "all", null));
        look("views", () -> data.getTables("tpch", null, null, new String[] {"VIEW"}));
        look("system", () -> data.getTables("system", "jdbc", "%", null));
        look("columns of system.jdbc", () -> data.getColumns("system", "jdbc", "%", "%"));
        look("information_schema", () -> data.getTables("tpch", "information_schema", null, null));
        look("columns of information_schema", () -> data.getColumns("tpch", "information_schema", "%", "%"));
    }

    private interface Look {
        ResultSet rows() throws SQLException;
    }

    private static void look(String name, Look look) {
        try (ResultSet rows = look.rows()) {
            rows(name, rows);
        }
        catch (SQLException error) {
            OUT.println(name + " ! " + told(error));
        }
    }

    /** Every method by itself: a text is a pattern, a number a kind, all else nothing. */
    private static void facts(DatabaseMetaData data, Method method) throws Exception {
        if (List.of("getConnection", "isWrapperFor", "unwrap", "getTables", "getColumns", "getSchemas", "getCatalogs", "getURL").contains(method.getName())) {
            return;
        }
        Object[] values = Arrays.stream(method.getParameterTypes()).map(type -> {
            if (type == String.class) {
                return "nothing";
            }
            if (type == int.class) {
                return 1;
            }
            return type == boolean.class ? Boolean.TRUE : null;
        }).toArray();
        String name = method.getName() + Arrays.toString(method.getParameterTypes()).replace("class ", "").replace("java.lang.", "");
        try {
            Object value = method.invoke(data, values);
            if (value instanceof ResultSet rows) {
                rows(name, rows);
            }
            else {
                OUT.println(name + " = " + value);
            }
        }
        catch (InvocationTargetException error) {
            OUT.println(name + " ! " + error.getCause().getClass().getSimpleName());
        }
    }

    private static void rows(String name, ResultSet rows) throws SQLException {
        ResultSetMetaData metadata = rows.getMetaData();
        StringBuilder columns = new StringBuilder();
        for (int column = 1; column <= metadata.getColumnCount(); column++) {
            columns.append(' ').append(metadata.getColumnLabel(column)).append(':').append(metadata.getColumnTypeName(column));
        }
        OUT.println(name + " columns" + columns);
        List<String> shown = new ArrayList<>();
        while (rows.next() && shown.size() < MAX_ROWS) {
            StringBuilder row = new StringBuilder();
            for (int column = 1; column <= metadata.getColumnCount(); column++) {
                row.append(" | ").append(rows.getObject(column));
            }
            shown.add(name + row);
        }
        // The order of types is nobody's business.
        if (name.startsWith("getTypeInfo")) {
            shown.sort(Comparator.naturalOrder());
        }
        shown.forEach(OUT::println);
    }

    private interface Setting {
        void set(PreparedStatement statement) throws Exception;
    }

    private static void set(Connection connection, String name, Setting setting) {
        set(connection, name, "?", setting);
    }

    private static void set(Connection connection, String name, String expression, Setting setting) {
        String sql = "SELECT " + expression + ", typeof(" + expression + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setting.set(statement);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                OUT.println("set " + name + " = " + rows.getString(1) + " " + rows.getString(2));
            }
        }
        catch (Exception error) {
            OUT.println("set " + name + " ! " + told(error));
        }
    }

    private static String told(Exception error) {
        if (error instanceof SQLException failure) {
            return error.getClass().getSimpleName() + " " + failure.getErrorCode() + " " + failure.getSQLState();
        }
        return error.getClass().getSimpleName();
    }

    private static void setters(Connection connection) throws SQLException {
        Object[] values = {
            true, (byte) -8, (short) 12345, 12, Long.MAX_VALUE,
            1.5f, -2.5e300, new BigDecimal("12345678901234567890.123456789"), "it's ? ü",
            Date.valueOf("2024-02-29"), Time.valueOf("12:34:56"),
            Timestamp.valueOf("2024-02-29 12:34:56.789"), LocalDate.of(1582, 10, 4), LocalTime.of(1, 2, 3),
            LocalDateTime.of(2024, 2, 29, 1, 2, 3, 456789000), OffsetDateTime.parse("2024-02-29T12:34:56+05:30"),
            'x',
        };
        for (Object value : values) {
            String kind = value.getClass().getSimpleName();
            set(connection, "Object " + kind, statement -> twice(statement, index -> statement.setObject(index, value)));
            for (int type : new int[] {Types.BIGINT, Types.VARCHAR, Types.DOUBLE, Types.DECIMAL, Types.TIMESTAMP, Types.DATE, Types.BOOLEAN, Types.VARBINARY, Types.TIMESTAMP_WITH_TIMEZONE, Types.TIME}) {
                set(connection, "Object " + kind + " as " + type, statement -> twice(statement, index -> statement.setObject(index, value, type)));
            }
        }
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
        set(connection, "Null", statement -> twice(statement, index -> statement.setNull(index, Types.BIGINT)));
        set(connection, "Null of varchar", statement -> twice(statement, index -> statement.setNull(index, Types.VARCHAR)));
        set(connection, "Boolean", statement -> twice(statement, index -> statement.setBoolean(index, true)));
        set(connection, "Byte", statement -> twice(statement, index -> statement.setByte(index, (byte) -1)));
        set(connection, "Short", statement -> twice(statement, index -> statement.setShort(index, (short) -2)));
        set(connection, "Int", statement -> twice(statement, index -> statement.setInt(index, Integer.MIN_VALUE)));
        set(connection, "Long", statement -> twice(statement, index -> statement.setLong(index, Long.MIN_VALUE)));
        set(connection, "Float", statement -> twice(statement, index -> statement.setFloat(index, 0.1f)));
        set(connection, "Float NaN", statement -> twice(statement, index -> statement.setFloat(index, Float.NaN)));
        set(connection, "Double", statement -> twice(statement, index -> statement.setDouble(index, 0.1)));
        set(connection, "Double infinite", statement -> twice(statement, index -> statement.setDouble(index, Double.POSITIVE_INFINITY)));
        set(connection, "BigDecimal", statement -> twice(statement, index -> statement.setBigDecimal(index, new BigDecimal("-0.001"))));
        set(connection, "String", statement -> twice(statement, index -> statement.setString(index, "'; DROP TABLE t --")));
        set(connection, "NString", statement -> twice(statement, index -> statement.setNString(index, "x")));
        set(connection, "Bytes", statement -> twice(statement, index -> statement.setBytes(index, new byte[] {1, 2})));
        set(connection, "Date", statement -> twice(statement, index -> statement.setDate(index, Date.valueOf("0001-01-01"))));
        set(connection, "Date calendar", statement -> twice(statement, index -> statement.setDate(index, Date.valueOf("2024-02-29"), calendar)));
        set(connection, "Time", statement -> twice(statement, index -> statement.setTime(index, Time.valueOf("23:59:59"))));
        set(connection, "Time calendar", statement -> twice(statement, index -> statement.setTime(index, Time.valueOf("23:59:59"), calendar)));
        set(connection, "Timestamp", statement -> twice(statement, index -> statement.setTimestamp(index, Timestamp.valueOf("2024-02-29 00:00:00.000001"))));
        set(connection, "Timestamp calendar", statement -> twice(statement, index -> statement.setTimestamp(index, Timestamp.valueOf("2024-02-29 00:00:00"), calendar)));
        set(connection, "AsciiStream", statement -> twice(statement, index -> statement.setAsciiStream(index, new ByteArrayInputStream(new byte[] {65}))));
        set(connection, "BinaryStream", statement -> twice(statement, index -> statement.setBinaryStream(index, new ByteArrayInputStream(new byte[] {65}))));
        set(connection, "CharacterStream", statement -> twice(statement, index -> statement.setCharacterStream(index, new StringReader("A"))));
        set(connection, "too few", statement -> statement.setInt(1, 1));
        set(connection, "too many", statement -> {
            twice(statement, index -> statement.setInt(index, 1));
            statement.setInt(3, 1);
        });
        set(connection, "decimal cast", "CAST(? AS decimal(10, 2))", statement -> twice(statement, index -> statement.setString(index, "1.005")));
        try (PreparedStatement statement = connection.prepareStatement("SELECT name FROM (VALUES ('a', 1), ('b', 2)) AS t (name, id) WHERE id = ? AND name LIKE ?")) {
            ParameterMetaData parameters = statement.getParameterMetaData();
            for (int index = 1; index <= parameters.getParameterCount(); index++) {
                OUT.println("parameter " + index + " " + parameters.getParameterTypeName(index) + " " + parameters.getParameterType(index)
                        + " " + parameters.getParameterClassName(index) + " " + parameters.getPrecision(index) + " " + parameters.getScale(index));
            }
            ResultSetMetaData columns = statement.getMetaData();
            OUT.println("output " + columns.getColumnCount() + " " + columns.getColumnLabel(1) + " " + columns.getColumnTypeName(1));
            for (int id = 1; id <= 2; id++) {
                statement.setInt(1, id);
                statement.setString(2, "%");
                rows("prepared", statement.executeQuery());
            }
        }
        try (PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
            statement.setInt(1, 1);
            statement.addBatch();
            statement.executeBatch();
            OUT.println("batch done");
        }
        catch (SQLException error) {
            OUT.println("batch ! " + told(error));
        }
    }

    private interface Each {
        void set(int index) throws SQLException;
    }

    private static void twice(PreparedStatement statement, Each each) throws SQLException {
        each.set(1);
        each.set(2);
    }

    /** Every getter of a column on a value of every type. */
    private static void getters(Connection connection) throws SQLException {
        String sql = """
                SELECT true AS c_boolean, TINYINT '-8' AS c_tinyint, SMALLINT '12' AS c_smallint, 12 AS c_integer, BIGINT '9223372036854775807' AS c_bigint,
                REAL '1.5' AS c_real, -2.5e300 AS c_double, DECIMAL '12.30' AS c_decimal, DECIMAL '12345678901234567890.5' AS c_long_decimal,
                'ü 1' AS c_varchar, '17' AS c_number, X'00ff' AS c_varbinary, DATE '2024-02-29' AS c_date,
                TIME '01:02:03.456' AS c_time, TIMESTAMP '2024-02-29 01:02:03.456789' AS c_timestamp,
                TIMESTAMP '2024-02-29 01:02:03.456 UTC' AS c_zoned, INTERVAL '3' DAY AS c_interval, INTERVAL '14' MONTH AS c_months,
                ARRAY[1, NULL] AS c_array, CAST(ROW(1, 'x') AS row(a integer, b varchar)) AS c_row,
                JSON '{"a": 1}' AS c_json, NULL AS c_null, CAST(NULL AS bigint) AS c_null_bigint
                """;
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            ResultSetMetaData metadata = rows.getMetaData();
            for (Method method : sorted(ResultSetMetaData.class.getMethods())) {
                if (method.getParameterCount() != 1 || method.getParameterTypes()[0] != int.class) {
                    continue;
                }
                for (int column = 1; column <= metadata.getColumnCount(); column++) {
                    OUT.println("metadata " + metadata.getColumnLabel(column) + " " + method.getName() + " " + shown(method, metadata, column));
                }
            }
            for (Method method : sorted(ResultSet.class.getMethods())) {
                Class<?>[] kinds = method.getParameterTypes();
                if (!method.getName().startsWith("get") || kinds.length == 0 || kinds.length > 2 || kinds[0] == String.class) {
                    continue;
                }
                for (int column = 1; column <= metadata.getColumnCount(); column++) {
                    String name = "get " + metadata.getColumnLabel(column) + " " + method.getName();
                    if (kinds.length == 1) {
                        OUT.println(name + " " + shown(method, rows, column) + " " + rows.wasNull());
                    }
                    else if (kinds[1] == Class.class) {
                        for (Class<?> wanted : List.of(String.class, Long.class, BigDecimal.class, LocalDate.class, LocalDateTime.class, OffsetDateTime.class, Boolean.class, byte[].class)) {
                            OUT.println(name + " " + wanted.getSimpleName() + " " + shown(method, rows, column, wanted));
                        }
                    }
                    else if (kinds[1] == Calendar.class) {
                        OUT.println(name + " calendar " + shown(method, rows, column, Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"))));
                    }
                }
            }
            OUT.println("findColumn " + rows.findColumn("C_ROW") + " " + rows.getRow() + " " + rows.next());
        }
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(3);
            rows("max rows", statement.executeQuery("SELECT n FROM UNNEST(sequence(1, 10)) AS t (n)"));
        }
    }

    private static String shown(Method method, Object of, Object... arguments) {
        try {
            Object value = method.invoke(of, arguments);
            if (value instanceof byte[] bytes) {
                return Arrays.toString(bytes);
            }
            if (value instanceof java.sql.Array array) {
                return "array of " + array.getBaseTypeName() + " " + Arrays.toString((Object[]) array.getArray());
            }
            if (value instanceof java.io.InputStream stream) {
                return "stream " + Arrays.toString(stream.readAllBytes());
            }
            return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
        }
        catch (InvocationTargetException error) {
            return "! " + error.getCause().getClass().getSimpleName();
        }
        catch (Exception error) {
            return "! " + error.getClass().getSimpleName();
        }
    }

    /** Another statement of the connection runs, and is over within a second of its cancel. */
    private static void cancel(Connection connection, String slow) throws Exception {
        try (Statement statement = connection.createStatement()) {
            CountDownLatch begun = new CountDownLatch(1);
            List<String> seen = new ArrayList<>();
            Thread running = new Thread(() -> {
                begun.countDown();
                try (ResultSet rows = statement.executeQuery(slow)) {
                    seen.add("rows " + rows.next());
                }
                catch (SQLException error) {
                    seen.add(told(error));
                }
            });
            running.start();
            begun.await();
            Thread.sleep(3000);
            long canceled = System.nanoTime();
            statement.cancel();
            running.join(30_000);
            OUT.println("canceled " + seen + " within a second " + (System.nanoTime() - canceled < 1_000_000_000L));
        }
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(2);
            try (ResultSet rows = statement.executeQuery(slow)) {
                OUT.println("timeout rows " + rows.next());
            }
            catch (SQLException error) {
                OUT.println("timeout " + told(error));
            }
        }
    }
}
