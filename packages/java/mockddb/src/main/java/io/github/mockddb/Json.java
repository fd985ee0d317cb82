package io.github.mockddb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers, booleans and null: all that the verbs need, without a library. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            String before = "{";
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                out.append(before);
                writeText(String.valueOf(member.getKey()), out);
                out.append(':');
                write(member.getValue(), out);
                before = ",";
            }
            out.append(before.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String before = "[";
            for (Object element : (Iterable<?>) value) {
                out.append(before);
                write(element, out);
                before = ",";
            }
            out.append(before.equals("[") ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            writeText(value.toString(), out);
        }
    }

    private static void writeText(String value, StringBuilder out) {
        out.append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Reads an answer of the server. Its whole numbers are Long, others Double. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.skipSpace();
        if (reader.at != text.length()) {
            throw reader.mistake();
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> readObject(String text) {
        return (Map<String, Object>) read(text);
    }

    private Object value() {
        skipSpace();
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return list();
            case '"':
                return string();
            default:
                return word();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!ends('}', members.isEmpty())) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> list() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (!ends(']', elements.isEmpty())) {
            elements.add(value());
        }
        return elements;
    }

    /** Whether a list or an object ends here; if not, the comma before its next member has been read. */
    private boolean ends(char end, boolean first) {
        skipSpace();
        if (peek() == end) {
            at++;
            return true;
        }
        if (!first) {
            expect(',');
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c == '\\') {
                c = peek();
                at++;
                int escape = "bfnrt".indexOf(c);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                    at += 4;
                } else if (escape >= 0) {
                    c = "\b\f\n\r\t".charAt(escape);
                }
            }
            value.append(c);
        }
        at++;
        return value.toString();
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                return number(word);
        }
    }

    private Object number(String word) {
        try {
            if (word.matches("-?[0-9]{1,18}")) {
                return Long.valueOf(word);
            }
            return Double.valueOf(word);
        } catch (NumberFormatException e) {
            throw mistake();
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw mistake();
        }
        return text.charAt(at);
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw mistake();
        }
        at++;
    }

    private MockddbException mistake() {
        return new MockddbException("the server's answer is not JSON at character " + at + ": " + text);
    }
}
