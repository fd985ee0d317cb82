package io.github.mockddb.junit5;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a world of its own on a server that all test classes share, which is reset before each test. Tests,
 * their lifecycle methods and constructors take parameters of the types World, Mockddb and URI (the endpoint).
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(MockddbExtension.class)
public @interface MockddbTest {
    /** What each world begins with: mockddb's option --fixtures. */
    String[] fixtures() default {};

    /** More arguments of the server. Classes with the same fixtures and arguments share a server. */
    String[] arguments() default {};

    /** The moment at which the clock is frozen before each test, such as 2026-01-01T00:00:00Z. */
    String frozenAt() default "";

    /** Whether the world is reset before each test; without it, tests see what others of the class have written. */
    boolean reset() default true;

    /** Whether each test method has a world of its own, so that the methods of a class can run at the same time. */
    boolean worldPerMethod() default false;
}
