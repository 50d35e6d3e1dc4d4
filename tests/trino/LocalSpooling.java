import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.Plugin;
import io.trino.spi.spool.SpooledLocation;
import io.trino.spi.spool.SpooledLocation.DirectLocation;
import io.trino.spi.spool.SpooledSegmentHandle;
import io.trino.spi.spool.SpoolingContext;
import io.trino.spi.spool.SpoolingManager;
import io.trino.spi.spool.SpoolingManagerContext;
import io.trino.spi.spool.SpoolingManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Spools segments into a folder: Trino's own spooling needs an object store, and its plug-in is not on Maven Central. */
public final class LocalSpooling implements Plugin {
    @Override
    public Iterable<SpoolingManagerFactory> getSpoolingManagerFactories() {
        return List.of(new Factory());
    }

    /** `spooling-manager.name=local` with the setting `folder`. */
    private static final class Factory implements SpoolingManagerFactory {
        @Override
        public String getName() {
            return "local";
        }

        @Override
        public SpoolingManager create(Map<String, String> settings, SpoolingManagerContext context) {
            return new Manager(Path.of(settings.get("folder")));
        }
    }

    private record Segment(String identifier, String encoding, Instant expirationTime) implements SpooledSegmentHandle {}

    private record Manager(Path folder) implements SpoolingManager {
        @Override
        public SpooledSegmentHandle create(SpoolingContext context) {
            return segment(UUID.randomUUID().toString(), context.encoding());
        }

        @Override
        public OutputStream createOutputStream(SpooledSegmentHandle segment) throws IOException {
            return Files.newOutputStream(folder.resolve(segment.identifier()));
        }

        @Override
        public InputStream openInputStream(SpooledSegmentHandle segment) throws IOException {
            return Files.newInputStream(folder.resolve(segment.identifier()));
        }

        @Override
        public void acknowledge(SpooledSegmentHandle segment) throws IOException {
            Files.delete(folder.resolve(segment.identifier()));
        }

        @Override
        public Optional<DirectLocation> directLocation(SpooledSegmentHandle segment) {
            return Optional.empty();
        }

        @Override
        public SpooledLocation location(SpooledSegmentHandle segment) {
            Slice name = Slices.utf8Slice(segment.identifier() + " " + segment.encoding());
            return SpooledLocation.coordinatorLocation(name, Map.of());
        }

        @Override
        public SpooledSegmentHandle handle(Slice name, Map<String, List<String>> headers) {
            String[] parts = name.toStringUtf8().split(" ");
            return segment(parts[0], parts[1]);
        }

        private static Segment segment(String identifier, String encoding) {
            return new Segment(identifier, encoding, Instant.now().plusSeconds(3600));
        }
    }
}
