package io.github.mockddb.testcontainers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.mockddb.Mockddb;
import io.github.mockddb.MockddbException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.wait.strategy.LogMessageWaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** What the container asks an engine for. None is needed, and none is there: nothing is started. */
class MockddbContainerTest {
    /** A container that an engine has started, at a server of this test's. */
    private static final class Started extends MockddbContainer {
        private final int port;

        Started(int port) {
            super("mockddb");
            this.port = port;
        }

        @Override
        public String getHost() {
            return "127.0.0.1";
        }

        @Override
        public Integer getMappedPort(int original) {
            assertEquals(PORT, original);
            return port;
        }

        WaitStrategy strategy() {
            return getWaitStrategy();
        }
    }

    @Test
    void commandAndPorts() {
        MockddbContainer container = new MockddbContainer("mockddb:0.1.0");
        assertEquals(List.of(8000), container.getExposedPorts());
        assertArrayEquals(new String[] {"--worlds", "by-access-key"}, container.getCommandParts());
        container.withFixtures("ecommerce").withArguments("--transition-ms", "5");
        assertArrayEquals(
                new String[] {"--worlds", "by-access-key", "--fixtures", "ecommerce", "--transition-ms", "5"},
                container.getCommandParts());
    }

    @Test
    @SuppressWarnings("deprecation") // nothing else shows the files
    void fixturesOfTheMachineAreCopied() {
        MockddbContainer container = new MockddbContainer("mockddb").withFixtures(MountableFile.forHostPath("."));
        assertEquals(List.of("/fixtures/1"), List.copyOf(container.getCopyToFileContainerPathMap().values()));
        assertEquals("/fixtures/1", container.getCommandParts()[3]);
    }

    @Test
    void otherImagesAreRefused() {
        assertThrows(IllegalStateException.class, () -> new MockddbContainer("postgres:16"));
        DockerImageName mirrored =
                DockerImageName.parse("registry.example.com/tools/mockddb:0.1.0").asCompatibleSubstituteFor("mockddb");
        assertEquals(List.of(8000), new MockddbContainer(mirrored).getExposedPorts());
    }

    @Test
    void worldsAreThoseOfTheServer() {
        try (Mockddb server = Mockddb.start();
                Started container = new Started(server.port())) {
            assertEquals(server.url(), container.url());
            assertEquals(server.endpoint(), container.endpoint());
            assertEquals("orders", container.world("orders").accessKeyId());
            assertInstanceOf(LogMessageWaitStrategy.class, container.strategy());
            String log = "mockddb: a warning\nmockddb listening on " + server.url() + "\n";
            assertTrue(log.matches("(?s)" + MockddbContainer.READY)); // as the strategy compares it
        }
        try (Started container = new Started(1)) {
            assertThrows(MockddbException.class, container::server);
        }
    }
}
