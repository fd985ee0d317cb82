package io.github.mockddb.testcontainers;

import io.github.mockddb.Mockddb;
import io.github.mockddb.World;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** mockddb in a container, with the worlds of {@link Mockddb}. It is ready when it has printed its address. */
public class MockddbContainer extends GenericContainer<MockddbContainer> {
    /** The port in the container. */
    public static final int PORT = 8000;

    static final String READY = ".*mockddb listening on http.*";

    private final List<String> arguments = new ArrayList<>(List.of("--worlds", "by-access-key"));
    private int fixtures;
    private Mockddb server;

    /** A container of this image, such as mockddb:0.1.0. */
    public MockddbContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** A container of this image: mockddb, or asCompatibleSubstituteFor("mockddb"). */
    public MockddbContainer(DockerImageName image) {
        super(image);
        image.assertCompatibleWith(DockerImageName.parse("mockddb"));
        addExposedPort(PORT);
        // The image has no shell, which Testcontainers' own check of the port needs.
        setWaitStrategy(Wait.forLogMessage(READY, 1));
        setCommand(arguments.toArray(new String[0]));
    }

    /** More arguments of the server. */
    public MockddbContainer withArguments(String... more) {
        arguments.addAll(Arrays.asList(more));
        setCommand(arguments.toArray(new String[0]));
        return this;
    }

    /** What each world begins with: the name of a fixture in the image, such as ecommerce. */
    public MockddbContainer withFixtures(String name) {
        return withArguments("--fixtures", name);
    }

    /** What each world begins with: a fixture of the machine, which is copied into the container. */
    public MockddbContainer withFixtures(MountableFile folder) {
        String place = "/fixtures/" + ++fixtures;
        return withCopyFileToContainer(folder, place).withArguments("--fixtures", place);
    }

    public String url() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
    }

    public URI endpoint() {
        return URI.create(url());
    }

    /** The server's verbs, once the container is started. */
    public synchronized Mockddb server() {
        if (server == null || !server.url().equals(url())) {
            server = Mockddb.at(url());
        }
        return server;
    }

    /** The world of this name, which is made if it does not exist. */
    public World world(String name) {
        return server().world(name);
    }
}
