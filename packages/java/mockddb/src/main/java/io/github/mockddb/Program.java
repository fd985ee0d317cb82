package io.github.mockddb;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/** Finds the server's program. */
final class Program {
    private static String unpacked;

    private Program() {}

    /** Returns what MOCKDDB_BINARY names, else the program in a jar of the class path, else mockddb on the PATH. */
    static synchronized String find() {
        String named = System.getenv("MOCKDDB_BINARY");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        if (unpacked == null) {
            unpacked = findElsewhere(System.getProperty("os.name"), System.getProperty("os.arch"));
        }
        return unpacked;
    }

    static String findElsewhere(String systemName, String processor) {
        String platform = platform(systemName, processor);
        try (InputStream program = Program.class.getResourceAsStream("programs/" + platform + "/mockddb")) {
            if (program != null) {
                return unpack(program.readAllBytes(), platform);
            }
        } catch (IOException e) {
            throw new MockddbException("mockddb's program cannot be unpacked: " + e);
        }
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            Path candidate = Path.of(folder, "mockddb");
            if (!folder.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        throw new MockddbException("there is no mockddb for " + platform
                + ": add mockddb-junit5 of a release that has it, put mockddb on the PATH, or its path into MOCKDDB_BINARY");
    }

    /** The names of platforms in released files. */
    static String platform(String systemName, String processor) {
        String system = systemName.toLowerCase(Locale.ROOT);
        String name = system.startsWith("mac") ? "darwin" : system.startsWith("windows") ? "windows" : system;
        boolean arm = processor.equals("aarch64") || processor.equals("arm64");
        boolean intel = processor.equals("amd64") || processor.equals("x86_64");
        return name + "-" + (arm ? "arm64" : intel ? "x64" : processor);
    }

    /** The folder in which users' programs keep what they can make again. */
    private static Path caches(String platform) {
        String home = System.getProperty("user.home");
        String named = System.getenv("XDG_CACHE_HOME");
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        return platform.startsWith("darwin") ? Path.of(home, "Library", "Caches") : Path.of(home, ".cache");
    }

    /** Returns the file with the program. JVMs that run at the same time see it as a whole or not at all. */
    private static String unpack(byte[] program, String platform) throws IOException {
        StringBuilder sum = new StringBuilder();
        for (byte part : Arrays.copyOf(sha256(program), 12)) {
            sum.append(String.format("%02x", part));
        }
        Path folder = Files.createDirectories(caches(platform).resolve("mockddb").resolve(sum.toString()));
        Path path = folder.resolve("mockddb");
        if (Files.isRegularFile(path) && Arrays.equals(Files.readAllBytes(path), program)) {
            return path.toString();
        }
        Path unfinished = Files.createTempFile(folder, "unfinished-", "");
        try {
            Files.write(unfinished, program);
            if (!unfinished.toFile().setExecutable(true)) {
                throw new IOException(unfinished + " cannot be made executable");
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        return path.toString();
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JVM has it
        }
    }
}
