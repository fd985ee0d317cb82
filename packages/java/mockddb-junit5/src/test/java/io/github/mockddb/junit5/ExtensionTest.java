package io.github.mockddb.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.mockddb.Mockddb;
import io.github.mockddb.World;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the classes below as JUnit runs a user's. */
class ExtensionTest {
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    static EngineExecutionResults run(Class<?>... classes) {
        SEEN.clear();
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent");
        for (Class<?> one : classes) {
            kit.selectors(selectClass(one));
        }
        return kit.execute();
    }

    @Test
    void classesAndMethodsHaveTheirWorlds() {
        EngineExecutionResults results = run(Reset.class, Kept.class, PerMethod.class, Plain.class);
        assertEquals(List.of(), failures(results));
        results.testEvents()
                .assertStatistics(s -> s.started(21).succeeded(21));
        assertEquals(4, SEEN.size(), SEEN::toString);
    }

    @Test
    void aServerThatEndsBadlyFailsTheRun() {
        EngineExecutionResults results = run(Forbidden.class);
        results.testEvents().assertStatistics(s -> s.succeeded(1));
        List<String> failures = failures(results);
        assertTrue(failures.get(0).contains("mockddb ended with 3: "), failures.toString());
    }

    @Test
    void aServerThatDoesNotStartFailsItsClasses() {
        EngineExecutionResults results = run(Unknown.class);
        assertEquals(0, results.testEvents().succeeded().count());
        List<String> failures = failures(results);
        assertTrue(failures.get(0).contains("unknown option --no-such"), failures.toString());
    }

    @Test
    void aSettingThatIsNoTimeIsNamed() {
        List<String> failures = failures(run(Noon.class));
        assertEquals(1, failures.size());
        assertTrue(failures.get(0).contains("@MockddbTest: frozenAt is not a time like 2026-01-01T00:00:00Z: noon\n"), failures.get(0));
    }

    /** What failed, each with its causes, as a user sees it. */
    static List<String> failures(EngineExecutionResults results) {
        return results.allEvents()
                .failed()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> stackTrace(result.getThrowable().orElseThrow()))
                .collect(Collectors.toList());
    }

    static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    static void leaveTraces(World world) {
        assertEquals(0, world.faults().list().size());
        world.faults().add(Map.of("operation", "Scan", "delay", "1ms"));
    }

    @Execution(ExecutionMode.SAME_THREAD)
    @MockddbTest(frozenAt = "2026-01-01T00:00:00Z")
    static class Reset {
        private final World own;

        Reset(World own) {
            this.own = own;
        }

        @BeforeAll
        static void prepare(World world) {
            world.faults().add(Map.of("operation", "Query", "delay", "1ms"));
        }

        @RepeatedTest(3)
        void beginsAnew(World world, Mockddb server, URI endpoint) {
            leaveTraces(world);
            SEEN.add(world.name());
            assertEquals(Instant.parse("2026-01-01T00:00:00Z"), world.clock().now());
            world.clock().advance(Duration.ofDays(1));
            assertSame(server, world.server());
            assertEquals(server.endpoint(), endpoint);
            assertEquals(own.name(), world.name());
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class Inner {
            @Test
            void usesTheWorldOfTheClassAroundIt(World world) {
                leaveTraces(world);
                assertEquals(own.name(), world.name());
                assertEquals(Instant.parse("2026-01-01T00:00:00Z"), world.clock().now());
            }
        }
    }

    @MockddbTest(reset = false)
    static class Kept {
        @BeforeAll
        static void prepare(World world) {
            leaveTraces(world);
        }

        @RepeatedTest(3)
        void seesWhatWasPrepared(World world) {
            SEEN.add(world.name());
            assertEquals(1, world.faults().list().size());
        }
    }

    @MockddbTest(worldPerMethod = true)
    static class PerMethod {
        @RepeatedTest(12)
        void hasItsOwn(World world) {
            leaveTraces(world);
            assertTrue(SEEN.add(world.name()));
            SEEN.remove(world.name());
        }
    }

    @ExtendWith(MockddbExtension.class)
    static class Plain {
        static World last;

        @Test
        void needsNoSettings(World world) {
            last = world;
            SEEN.add(world.name());
        }

        @Test
        void takesNoParameters() {}

        @AfterAll
        static void ends(World world) {
            assertEquals(last.name(), world.name());
            SEEN.add(world.name() + " at the end");
        }
    }

    @MockddbTest(arguments = {"--fail-on", "no=Scan"})
    static class Forbidden {
        @Test
        void sendsNoRequest(World world) {
            assertFalse(world.name().isEmpty());
        }
    }

    @MockddbTest(frozenAt = "noon")
    static class Noon {
        @Test
        void isNotRun(World world) {
            assertNotEquals("", world.name());
        }
    }

    @MockddbTest(arguments = "--no-such")
    static class Unknown {
        @Test
        void isNotRun(World world) {
            assertNotEquals("", world.name());
        }
    }
}
