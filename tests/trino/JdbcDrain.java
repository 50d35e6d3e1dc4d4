import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;

/**
 * Reads all rows of a statement with Trino's JDBC driver, every column of each as an object. Arguments: the URL, the user, a
 * token or an empty text, the statement, and connection properties as `name=value`. Standard output: rows and milliseconds.
 */
public final class JdbcDrain {
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", arguments[1]);
        if (!arguments[2].isEmpty()) {
            properties.setProperty("extraCredentials", "token:" + arguments[2]);
        }
        for (int index = 4; index < arguments.length; index++) {
            String[] property = arguments[index].split("=", 2);
            properties.setProperty(property[0], property[1]);
        }
        try (Connection connection = DriverManager.getConnection(arguments[0], properties);
                Statement statement = connection.createStatement()) {
            long begun = System.nanoTime();
            long count = 0;
            try (ResultSet rows = statement.executeQuery(arguments[3])) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int column = 1; column <= columns; column++) {
                        rows.getObject(column);
                    }
                    count++;
                }
            }
            System.out.println(count + " " + (System.nanoTime() - begun) / 1_000_000);
        }
    }

    private JdbcDrain() {}
}
