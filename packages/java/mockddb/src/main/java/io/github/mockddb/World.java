package io.github.mockddb;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A set of tables with its own clock, faults and journal, which requests with its access key use. */
public final class World {
    private final Mockddb server;
    private final String name;

    World(Mockddb server, String name) {
        this.server = server;
        this.name = name;
    }

    public Mockddb server() {
        return server;
    }

    public String name() {
        return name;
    }

    public String region() {
        return "us-east-1";
    }

    /** The world's name: a request that is signed with it uses this world. */
    public String accessKeyId() {
        return name;
    }

    /** Any does. */
    public String secretAccessKey() {
        return "any";
    }

    /** Restores the world's initial state. */
    public void reset() {
        verb("POST", "reset", Map.of());
    }

    /** Keeps the world's state under a name. */
    public void snapshot(String snapshot) {
        verb("POST", "snapshots/" + snapshot, Map.of());
    }

    /** Brings the world's state back to a snapshot. */
    public void restore(String snapshot) {
        verb("POST", "snapshots/" + snapshot + "/restore", Map.of());
    }

    /** Makes a copy of this world under another name. */
    public World fork(String other) {
        server.verb("POST", "worlds/" + other, null, Map.of("from", name));
        return new World(server, other);
    }

    /** Drops the world with its tables and snapshots. */
    public void drop() {
        server.verb("DELETE", "worlds/" + name, null, null);
    }

    /** Throws an AssertionError if the world's requests break an assertion, such as Map.of("no", "Scan"). */
    @SafeVarargs
    @SuppressWarnings({"unchecked", "varargs"})
    public final void assertThat(Map<String, ?>... assertions) {
        String answer = server.verb("POST", "assert", name, Map.of("assert", List.of(assertions)), true);
        String broken = ((List<Map<String, Object>>) Json.readObject(answer).get("report"))
                .stream()
                        .filter(line -> !Boolean.TRUE.equals(line.get("holds")))
                        .map(Json::write)
                        .collect(Collectors.joining("\n"));
        if (!broken.isEmpty()) {
            throw new AssertionError("broken: " + broken);
        }
    }

    public Clock clock() {
        return new Clock();
    }

    public Faults faults() {
        return new Faults();
    }

    public Journal journal() {
        return new Journal();
    }

    private Map<String, Object> verb(String method, String path, Object body) {
        return server.verb(method, path, name, body);
    }

    /** The world's time. */
    public final class Clock {
        private Clock() {}

        private Instant set(String member, Object value) {
            return time(verb("POST", "clock", Map.of(member, value)));
        }

        private Instant time(Map<String, Object> answer) {
            return Instant.ofEpochMilli((Long) answer.get("now_ms"));
        }

        public Instant now() {
            return time(verb("GET", "clock", null));
        }

        /** Stops the clock at a moment. */
        public Instant freeze(Instant moment) {
            return set("freeze", moment.toEpochMilli());
        }

        /** Lets time pass. What falls due on the way is done first: expiry, states of tables, and so on. */
        public Instant advance(Duration by) {
            return set("advance", by.toMillis());
        }

        /** Shows a moment, from which the clock continues. */
        public Instant set(Instant moment) {
            return set("set", moment.toEpochMilli());
        }

        /** Lets a frozen clock continue. */
        public Instant resume() {
            return set("resume", true);
        }

        /** Makes it the system's clock again. */
        public Instant real() {
            return set("real", true);
        }
    }

    /** The world's fault rules (docs/faults.md). */
    public final class Faults {
        private Faults() {}

        @SuppressWarnings("unchecked")
        private List<Map<String, Object>> rules(Map<String, Object> answer) {
            return (List<Map<String, Object>>) answer.get("rules");
        }

        /** Adds rules: Map.of("operation", "PutItem", "times", 1, "error", "ThrottlingException"). Returns all. */
        @SafeVarargs
        @SuppressWarnings("varargs")
        public final List<Map<String, Object>> add(Map<String, ?>... rules) {
            return rules(verb("POST", "faults", Map.of("rules", List.of(rules))));
        }

        /** Each rule with its id, the calls that it has seen, and its hits. */
        public List<Map<String, Object>> list() {
            return rules(verb("GET", "faults", null));
        }

        public void remove(long id) {
            verb("DELETE", "faults/" + id, null);
        }

        public void clear() {
            verb("DELETE", "faults", null);
        }
    }

    /** The world's newest requests (docs/journal.md). */
    public final class Journal {
        private Journal() {}

        private String encode(String value) {
            return URLEncoder.encode(value, StandardCharsets.UTF_8);
        }

        /** The requests that fit filters such as "operation=Scan" and "limit=10", the oldest first. */
        public List<Map<String, Object>> entries(String... filters) {
            String query = Stream.of(filters)
                    .map(filter -> filter.replaceFirst("=.*", "=") + encode(filter.replaceFirst("[^=]*=?", "")))
                    .collect(Collectors.joining("&", "?", ""));
            List<Map<String, Object>> entries = new ArrayList<>();
            for (String line : server.verb("GET", "journal" + (filters.length == 0 ? "" : query), name, null, false).split("\n")) {
                if (!line.isBlank()) {
                    entries.add(Json.readObject(line));
                }
            }
            return entries;
        }

        public void clear() {
            verb("DELETE", "journal", null);
        }
    }
}
