import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A statement with Trino's JDBC driver that goes on when a line of standard input says so. Arguments: the URL, the user, a token,
 * what to do, and the statement. `cancel`: prints `running`, cancels it, and prints the milliseconds until it has ended, and its
 * error. `pause`: prints `paused` after ten rows, reads on, and prints the number of rows and a digest of all of them.
 */
public final class JdbcSteps {
    private static final int FIRST_ROWS = 10;

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", arguments[1]);
        properties.setProperty("extraCredentials", "token:" + arguments[2]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        try (Connection connection = DriverManager.getConnection(arguments[0], properties);
                Statement statement = connection.createStatement()) {
            if (arguments[3].equals("cancel")) {
                cancel(statement, arguments[4], input);
            }
            else {
                pause(statement, arguments[4], input);
            }
        }
    }

    private static void cancel(Statement statement, String sql, BufferedReader input) throws Exception {
        StringBuffer seen = new StringBuffer();
        Thread running = new Thread(() -> {
            try (ResultSet rows = statement.executeQuery(sql)) {
                seen.append("rows ").append(rows.next());
            }
            catch (SQLException error) {
                seen.append("error ").append(error.getErrorCode());
            }
        });
        running.start();
        System.out.println("running");
        input.readLine();
        long begun = System.nanoTime();
        statement.cancel();
        running.join();
        System.out.println((System.nanoTime() - begun) / 1_000_000 + " " + seen);
    }

    private static void pause(Statement statement, String sql, BufferedReader input) throws Exception {
        long count = 0;
        long digest = 0;
        try (ResultSet rows = statement.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int column = 1; column <= columns; column++) {
                    digest = digest * 31 + String.valueOf(rows.getString(column)).hashCode();
                }
                count++;
                if (count == FIRST_ROWS) {
                    System.out.println("paused");
                    input.readLine();
                }
            }
        }
        System.out.println(count + " " + digest);
    }

    private JdbcSteps() {}
}
