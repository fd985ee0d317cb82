package io.github.mockddb;

/** A server that does not start or has ended, or a verb that it refuses. */
public class MockddbException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MockddbException(String message) {
        super(message);
    }
}
