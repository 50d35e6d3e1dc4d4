import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * What Trino's JDBC driver shows of statements: the same for every server that speaks its protocol. Arguments: the URL, the
 * user, a token or an empty text. Standard input: statements, each ended by a zero byte. Standard output: a transcript.
 */
public final class JdbcTranscript {
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", arguments[1]);
        if (!arguments[2].isEmpty()) {
            properties.setProperty("extraCredentials", "token:" + arguments[2]);
        }
        properties.setProperty("timezone", "UTC");
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        try (Connection connection = DriverManager.getConnection(arguments[0], properties)) {
            for (String sql : input.split("\0")) {
                System.out.println("> " + sql);
                show(connection, sql);
            }
        }
    }

    private static void show(Connection connection, String sql) {
        StringBuilder shown = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    show(rows, shown);
                }
            }
            else {
                shown.append("no rows\n");
            }
        }
        catch (SQLException error) {
            // Whether columns are told before a fault depends on when it is met.
            System.out.println("error " + error.getErrorCode() + " " + error.getSQLState());
            return;
        }
        System.out.print(shown);
    }

    private static void show(ResultSet rows, StringBuilder shown) throws SQLException {
        ResultSetMetaData metadata = rows.getMetaData();
        for (int column = 1; column <= metadata.getColumnCount(); column++) {
            shown.append("column ").append(metadata.getColumnLabel(column))
                    .append(' ').append(metadata.getColumnTypeName(column))
                    .append(' ').append(metadata.getColumnType(column))
                    .append(' ').append(metadata.getPrecision(column))
                    .append(' ').append(metadata.getScale(column))
                    .append(' ').append(metadata.getColumnDisplaySize(column))
                    .append(' ').append(metadata.getColumnClassName(column)).append('\n');
        }
        while (rows.next()) {
            shown.append("row");
            for (int column = 1; column <= metadata.getColumnCount(); column++) {
                Object value = rows.getObject(column);
                String kind = value == null ? "" : value.getClass().getSimpleName();
                shown.append(" | ").append(kind).append(' ').append(rows.getString(column));
            }
            shown.append('\n');
        }
    }
}
