package io.github.mockddb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");
    private static Mockddb server;

    @BeforeAll
    static void start() {
        server = Mockddb.start();
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    static String call(World world, String operation, Map<String, ?> body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(world.server().endpoint())
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "DynamoDB_20120810." + operation)
                .header("X-Amz-Date", "20240101T000000Z")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=" + world.accessKeyId()
                                + "/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static void createTable(World world, String name) throws Exception {
        Map<String, Object> table = Map.of(
                "TableName", name,
                "BillingMode", "PAY_PER_REQUEST",
                "AttributeDefinitions", List.of(Map.of("AttributeName", "id", "AttributeType", "S")),
                "KeySchema", List.of(Map.of("AttributeName", "id", "KeyType", "HASH")));
        String answer = call(world, "CreateTable", table);
        assertTrue(answer.contains("TableArn"), answer);
    }

    static String tables(World world) throws Exception {
        return call(world, "ListTables", Map.of());
    }

    /** It throws, with one line that has this text. */
    static void refuses(String why, Executable what) {
        String message = assertThrows(MockddbException.class, what).getMessage();
        assertTrue(message.contains(why) && !message.contains("\n"), message);
    }

    @Test
    void worldsDoNotMeet() throws Exception {
        World one = server.newWorld("a test's name/with: such");
        World two = server.newWorld("a test's name/with: such");
        World long1 = server.newWorld("x".repeat(100));
        assertEquals("t-a_test_s_name_with__such", one.name());
        assertEquals("t-a_test_s_name_with__such-2", two.name());
        assertEquals(56, long1.name().length());
        createTable(one, "Orders");
        assertEquals("{\"TableNames\":[\"Orders\"]}", tables(one));
        assertEquals("{\"TableNames\":[]}", tables(two));
        one.drop();
        assertEquals("{\"TableNames\":[]}", tables(server.world(one.name())));
    }

    @Test
    void snapshots() throws Exception {
        World world = server.world("snapshots");
        createTable(world, "Kept");
        world.snapshot("seeded");
        World fork = world.fork("fork");
        createTable(world, "Other");
        assertEquals("{\"TableNames\":[\"Kept\"]}", tables(fork));
        world.restore("seeded");
        assertEquals("{\"TableNames\":[\"Kept\"]}", tables(world));
        world.reset();
        assertEquals("{\"TableNames\":[]}", tables(world));
        assertEquals(server.url(), "http://127.0.0.1:" + server.port());
    }

    @Test
    void clock() {
        World.Clock clock = server.world("clock").clock();
        assertEquals(NEW_YEAR, clock.freeze(NEW_YEAR));
        assertEquals(NEW_YEAR.plus(Duration.ofHours(36)), clock.advance(Duration.ofHours(36)));
        assertEquals(NEW_YEAR.plus(Duration.ofHours(36)), clock.now());
        assertTrue(clock.set(NEW_YEAR).isBefore(NEW_YEAR.plus(Duration.ofHours(1))));
        clock.freeze(NEW_YEAR);
        clock.resume();
        assertTrue(clock.real().isAfter(NEW_YEAR.plus(Duration.ofDays(1))));
    }

    @Test
    void faultsAndJournal() throws Exception {
        World world = server.world("faults");
        world.faults()
                .add(
                        Map.of("operation", "ListTables", "times", 1, "error", "ThrottlingException"),
                        Map.of("operation", List.of("Scan", "Query"), "delay", "1ms"));
        assertTrue(tables(world).contains("ThrottlingException"));
        assertEquals("{\"TableNames\":[]}", tables(world));
        assertEquals(1L, world.faults().list().get(0).get("hits"));
        world.faults().remove(2);
        assertEquals(1, world.faults().list().size());
        world.faults().clear();
        assertEquals(List.of(), world.faults().list());
        List<Map<String, Object>> entries = world.journal().entries("operation=ListTables", "since=2026-01-01T00:00:00Z");
        assertEquals(2, entries.size());
        assertEquals("ThrottlingException", entries.get(0).get("error"));
        assertEquals(200L, entries.get(1).get("status"));
        world.assertThat(Map.of("no", "Scan"), Map.of("max_read_units", 1));
        AssertionError broken = assertThrows(
                AssertionError.class,
                () -> world.assertThat(Map.of("no", "Scan"), Map.of("no", List.of("ListTables"))));
        assertTrue(broken.getMessage().startsWith("broken: {\"assert\":{\"no\":[\"ListTables\"]}"), broken.getMessage());
        world.journal().clear();
        assertEquals(List.of(), world.journal().entries());
    }

    @Test
    void whatIsWrongIsOneLine(@TempDir Path folder) throws IOException {
        World world = server.world("wrong");
        refuses("has no snapshot missing", () -> world.restore("missing"));
        refuses("max_read_units takes", () -> world.assertThat(Map.of("max_read_units", "x")));
        refuses("Nonsense", () -> world.journal().entries("operation=Nonsense"));
        refuses("error", () -> world.faults().add(Map.of("operation", "PutItem", "error", "Nonsense")));
        refuses("mockddb ended with 2: mockddb: unknown option --no-such", () -> Mockddb.start("--no-such"));
        refuses("nowhere", () -> Mockddb.start("--fixtures", "nowhere"));
        Path template = Files.writeString(folder.resolve("broken.yaml"), "Resources:\n  Orders: {Type: [}\n");
        refuses(template + ":2:19: ", () -> Mockddb.start("--fixtures", template.toString()));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            refuses("port " + port, () -> Mockddb.start("--port", port));
        }
        refuses("no answer from http://127.0.0.1:1", () -> Mockddb.at("http://127.0.0.1:1/"));
    }

    @Test
    void serversThatRunElsewhere() throws Exception {
        World world = Mockddb.at(server.url() + "/").world("elsewhere");
        createTable(world, "Orders");
        assertEquals("{\"TableNames\":[\"Orders\"]}", tables(server.world("elsewhere")));
        world.server().stop(); // it is not this one's to end
        assertEquals("{\"TableNames\":[\"Orders\"]}", tables(world));
        try (Mockddb plain = Mockddb.start("--worlds", "by-header")) {
            refuses("needs the option --worlds by-access-key", () -> Mockddb.at(plain.url()));
        }
    }

    @Test
    void aServerThatEndsBadlyIsNamed() throws Exception {
        Mockddb watched = Mockddb.start("--fail-on", "no=ListTables");
        tables(watched.world("a"));
        refuses("mockddb ended with 3: broken  no=ListTables", watched::stop);
        refuses("mockddb ended with 3: ", () -> watched.world("b"));
    }

    @Test
    void platforms() {
        assertEquals("linux-x64", Program.platform("Linux", "amd64"));
        assertEquals("darwin-arm64", Program.platform("Mac OS X", "aarch64"));
        assertEquals("windows-x64", Program.platform("Windows 11", "amd64"));
        refuses("there is no mockddb for sunos-sparc: ", () -> Program.findElsewhere("SunOS", "sparc"));
    }

    @Test
    void json() {
        Map<String, Object> all = new HashMap<>();
        all.put("text", "a\"\\\n\u0001é😀/");
        all.put("numbers", List.of(-1L, 1.5, 123456789012345678L, 0L));
        all.put("others", Arrays.asList(true, false, null, List.of(), Map.of()));
        assertEquals(all, Json.read(" " + Json.write(all) + "\n"));
        assertEquals("é\b\t/", Json.read("\"\\u00e9\\b\\t\\/\""));
        assertEquals(1e300, Json.read("1e300"));
        for (String wrong : List.of("", "{", "[1", "[1 2]", "{\"a\"}", "{\"a\":}", "\"a", "nonsense", "1 2", "{1:2}")) {
            assertThrows(RuntimeException.class, () -> Json.read(wrong), wrong);
        }
        assertEquals(URI.create(server.url()), server.endpoint());
    }
}
