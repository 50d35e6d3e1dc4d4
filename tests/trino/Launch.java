/** Starts Trino's server; the distribution's own main class is not on Maven Central. */
public final class Launch {
    public static void main(String[] arguments) {
        new io.trino.server.Server().start(arguments[0]);
    }
}
