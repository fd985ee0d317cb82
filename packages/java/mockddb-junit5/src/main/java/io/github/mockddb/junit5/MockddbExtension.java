package io.github.mockddb.junit5;

import io.github.mockddb.Mockddb;
import io.github.mockddb.World;
import java.net.URI;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts mockddb once for all tests and gives each class, or each method, its world. {@link MockddbTest} has settings. */
@MockddbTest
public final class MockddbExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(MockddbExtension.class);

    /** Ends with JUnit's run: a server that ended badly fails it. */
    @SuppressWarnings("deprecation") // JUnit closes AutoCloseable from 5.13 on
    private static final class Running implements AutoCloseable, Store.CloseableResource {
        private final Mockddb server;

        Running(List<String> arguments) {
            String url = System.getenv("MOCKDDB_URL"); // as under mockddb run, whose server has its own arguments
            server = url == null || url.isEmpty()
                    ? Mockddb.start(arguments.toArray(new String[0]))
                    : Mockddb.at(url);
        }

        @Override
        public void close() {
            server.stop();
        }
    }

    /** Ends with its class or method. */
    @SuppressWarnings("deprecation")
    private static final class OwnWorld implements AutoCloseable, Store.CloseableResource {
        private final World world;

        OwnWorld(World world) {
            this.world = world;
        }

        @Override
        public void close() {
            world.drop();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (!settings(context).worldPerMethod()) {
            world(context); // before each of its methods, and of its nested classes, asks for it
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        MockddbTest settings = settings(context);
        World world = world(context);
        if (settings.reset() && !settings.worldPerMethod()) {
            world.reset();
        }
        if (!settings.frozenAt().isEmpty()) {
            try {
                world.clock().freeze(Instant.parse(settings.frozenAt()));
            } catch (DateTimeParseException e) {
                throw new ExtensionConfigurationException(
                        "@MockddbTest: frozenAt is not a time like 2026-01-01T00:00:00Z: " + settings.frozenAt());
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == World.class || type == Mockddb.class || type == URI.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == World.class) {
            return world(context);
        }
        Mockddb server = server(context);
        return type == URI.class ? server.endpoint() : server;
    }

    private static MockddbTest settings(ExtensionContext context) {
        for (Optional<ExtensionContext> at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
            Optional<MockddbTest> found = AnnotationSupport.findAnnotation(at.get().getTestClass(), MockddbTest.class);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return MockddbExtension.class.getAnnotation(MockddbTest.class); // the defaults
    }

    private static Mockddb server(ExtensionContext context) {
        MockddbTest settings = settings(context);
        List<String> arguments = new ArrayList<>();
        for (String fixture : settings.fixtures()) {
            arguments.addAll(List.of("--fixtures", fixture));
        }
        arguments.addAll(List.of(settings.arguments()));
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(arguments, Running::new, Running.class)
                .server;
    }

    /** The method's world or, by the stores of its parents, the class's or that of the class around it. */
    private static World world(ExtensionContext context) {
        String name = context.getRequiredTestClass().getSimpleName();
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(World.class, key -> new OwnWorld(server(context).newWorld(name)), OwnWorld.class)
                .world;
    }
}
