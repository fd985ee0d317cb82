package io.github.mockddb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A mockddb server on a free port, which ends with this JVM, however that ends, or a server that runs elsewhere.
 * {@link #world} has the tables of one test.
 */
public final class Mockddb implements AutoCloseable {
    private static final String READY = "mockddb listening on ";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final Process process; // null: it runs elsewhere
    private final Thread log;
    private volatile String lastLine = "it wrote nothing to standard error";

    private Mockddb(String url) {
        this.url = url.replaceAll("/+$", "");
        process = null;
        log = null;
    }

    private Mockddb(List<String> command) {
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new MockddbException(command.get(0) + " cannot be started: " + e.getMessage());
        }
        log = read(process.getErrorStream(), line -> lastLine = line.isEmpty() ? lastLine : line);
        BufferedReader output = reader(process.getInputStream());
        String line = null;
        try {
            do {
                line = output.readLine();
            } while (line != null && !line.startsWith(READY));
        } catch (IOException e) {
            lastLine = e.getMessage();
        }
        if (line == null) {
            closeInput();
            throw howItEnded();
        }
        url = line.substring(READY.length());
        read(process.getInputStream(), ignored -> {});
    }

    /** Starts a server with these arguments of the command line (docs/serving.md). */
    public static Mockddb start(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Program.find(), "--port", "0", "--until-eof", "--worlds", "by-access-key"));
        command.addAll(List.of(arguments));
        return new Mockddb(command);
    }

    /** Uses a server that runs at this address, in a container or under mockddb run, with --worlds by-access-key. */
    public static Mockddb at(String url) {
        Mockddb server = new Mockddb(url);
        String probe = "probe-" + UUID.randomUUID();
        server.send(HttpRequest.newBuilder(server.endpoint())
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "DynamoDB_20120810.ListTables")
                .header("X-Amz-Date", "20240101T000000Z")
                .header("x-mockddb-aside", "true")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=" + probe
                                + "/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build());
        try {
            new World(server, probe).drop(); // the request has made it
        } catch (MockddbException e) {
            throw new MockddbException("the server at " + url + " needs the option --worlds by-access-key");
        }
        return server;
    }

    public String url() {
        return url;
    }

    /** The address as the SDK for Java 2 takes it: endpointOverride(server.endpoint()). */
    public URI endpoint() {
        return URI.create(url);
    }

    public int port() {
        return endpoint().getPort();
    }

    /** The world of this name, which is made if it does not exist: 1 to 64 of A-Z a-z 0-9 _ . -, no dot first. */
    public World world(String name) {
        makeWorld(name);
        return new World(this, name);
    }

    /** A new world for a test: its name is the test's in a valid form, with a number if that is taken. */
    public World newWorld(String test) {
        String valid = "t-" + test.replaceAll("[^A-Za-z0-9_.-]", "_");
        String name = valid = valid.substring(0, Math.min(valid.length(), 56));
        for (int number = 2; !makeWorld(name); number++) {
            name = valid + "-" + number;
        }
        return new World(this, name);
    }

    /** Whether it was made; else it exists. */
    private boolean makeWorld(String name) {
        try {
            verb("POST", "worlds/" + name, null, Map.of());
            return true;
        } catch (MockddbException e) {
            if (e.getMessage().endsWith("world " + name + " already exists")) {
                return false;
            }
            throw e;
        }
    }

    /** Ends a server that {@link #start} started. Throws if it ends badly, as with --fail-on where a rule is broken. */
    public void stop() {
        if (process == null) {
            return;
        }
        closeInput();
        if (waitFor() != 0) {
            throw howItEnded();
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Sends a verb (docs/admin-api.md) and returns its answer; 409 is an answer if the caller says so. */
    String verb(String method, String path, String world, Object body, boolean mayConflict) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/_mockddb/" + path))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(Json.write(body)));
        if (world != null) {
            request.header("x-mockddb-world", world);
        }
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() == 200 || (mayConflict && answer.statusCode() == 409 && answer.body().contains("report"))) {
            return answer.body();
        }
        String why = answer.body();
        if (why.startsWith("{\"message\"")) {
            why = String.valueOf(Json.readObject(why).get("message"));
        }
        throw new MockddbException(method + " " + path + ": " + why.strip());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw process != null && !process.isAlive()
                    ? howItEnded()
                    : new MockddbException("no answer from " + url + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MockddbException("interrupted while waiting for an answer from " + url);
        }
    }

    Map<String, Object> verb(String method, String path, String world, Object body) {
        return Json.readObject(verb(method, path, world, body, false));
    }

    private int waitFor() {
        try {
            int status = process.waitFor();
            log.join(TimeUnit.SECONDS.toMillis(10));
            return status;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    private MockddbException howItEnded() {
        return new MockddbException("mockddb ended with " + waitFor() + ": " + lastLine);
    }

    private void closeInput() {
        try {
            process.getOutputStream().close(); // it ends when its standard input does
        } catch (IOException e) {
            process.destroy();
        }
    }

    private static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    private static Thread read(InputStream stream, Consumer<String> take) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines = reader(stream)) {
                        lines.lines().forEach(take);
                    } catch (IOException | UncheckedIOException e) {
                        take.accept(e.getMessage());
                    }
                },
                "mockddb's output");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
