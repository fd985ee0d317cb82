#include "model/limits.h"
#include "ops/read/read_page.h"
#include "partiql/partiql.h"
#include "partiql/partiql_key.h"
#include "unit.h"

#define ILL  "Statement wasn't well formed, can't be processed: "
#define DEEP ILL "Nesting levels have exceeded supported limits"

static const struct attr some_parameters[] = {
    {.type = ATTR_S, .bytes = {"p", 1}},
    {.type = ATTR_N, .bytes = {"1", 1}},
};

static struct partiql_statement statement;

/* The statement's fault, or "" where it has none. */
static const char *fault_of(struct span text, size_t parameters)
{
    const struct error *e = partiql_read(arena, text, some_parameters, parameters, &statement);

    return e ? arena_text(arena, e->message) : "";
}

static size_t count_parameters(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '?';
    return count;
}

/* --- what is accepted ------------------------------------------------------------------------ */

static const char *const good[] = {
    "SELECT * FROM T",
    "select * from T;",
    "SELECT * FROM \"T\".\"i\" WHERE a = 1",
    "SELECT a, b.c, d[0].e, \"f\" FROM T",
    "SELECT * FROM T WHERE a = 1 AND (b <> 'x' OR NOT c < 2)",
    "SELECT * FROM T WHERE a != 1 AND b >= 2 AND 3 > c",
    "SELECT * FROM T WHERE a BETWEEN 1 AND 2 AND b IN [1, 'x'] AND c IN (1, 2) AND d IN (1)",
    "SELECT * FROM T WHERE a NOT IN [1] AND b NOT BETWEEN 1 AND 2",
    "SELECT * FROM T WHERE a IS MISSING AND b IS NOT NULL AND c IS STRING AND d IS BAG",
    "SELECT * FROM T WHERE a = MISSING OR MISSING <> b",
    "SELECT * FROM T WHERE begins_with(a, 'x') AND Contains(b, 1) AND attribute_type(c, 'N')",
    "SELECT * FROM T WHERE attribute_exists(a) = false AND attribute_not_exists(b) <> true",
    "SELECT * FROM T WHERE SIZE(a) > 1 AND size(b.c[1]) = ?",
    "SELECT * FROM T WHERE a = [1, 'x', {'y': null}] AND b = <<1, 2>> AND c = {} AND d = []",
    "SELECT * FROM T WHERE a = -1 AND b = +2 AND c = - -3 AND d = .5e1",
    "SELECT * FROM T WHERE a = 1 ORDER BY a, b DESC",
    "SELECT * FROM T WHERE a = ? AND b = ?",
    "SELECT * /* all */ FROM T -- of it",
    "INSERT INTO T VALUE {'a': 1, 'b': ?, 'c': {'d': [true]}}",
    "insert into \"T\" value {'a' : <<'x'>>};",
    "UPDATE T SET a = 1",
    "UPDATE T SET a = 1, b = b + 1 SET c.d = [] REMOVE e, f[1] WHERE p = 1",
    "UPDATE T SET a = list_append(a, [1]) WHERE p = 1 RETURNING ALL NEW *",
    "UPDATE T SET a = LIST_APPEND(list_append(a, [1]), b) WHERE p = 1 RETURNING MODIFIED OLD *",
    "UPDATE T SET a = set_add(a, <<1>>), b.c = set_delete(b.c, <<'x'>>)",
    "UPDATE T SET n = n-1",
    "FROM T WHERE p = 1 SET a = 1 REMOVE b RETURNING ALL OLD *",
    "DELETE FROM T WHERE p = 1 RETURNING ALL OLD *",
    "EXISTS(SELECT * FROM T WHERE p = 1 AND x = 2)",
    "exists (select * from T where p = 1)",
};

START_TEST(reads_every_statement)
{
    ck_assert_str_eq(fault_of(span_of(good[_i]), count_parameters(good[_i])), "");
}
END_TEST

/* --- what is not ----------------------------------------------------------------------------- */

static const struct {
    const char *text, *fault;
} bad[] = {
    /* the parser's */
    {"SELECT * FROM T)", ILL "Unexpected token after expression"},
    {"SELECT * FROM T ORDER BY a WHERE a = 1", ILL "Unexpected token after expression"},
    {"DELETE FROM T WHERE a = 1 ORDER BY a", ILL "Unexpected token after expression"},
    {"INSERT INTO T t VALUE {'a': 1}", ILL "Unexpected token after expression"},
    {"FROM T SET a = 1 WHERE p = 1", ILL "Unexpected token after expression"},
    {"1 e5", ILL "Unexpected token after expression"},
    {"SELECT * FROM T WHERE a = 1 e5", ILL "Unexpected token after expression"},
    {"SELECT * FROM T; SELECT * FROM T",
     ILL "Unexpected token after semicolon. (Only one query is allowed.)"},
    {"SELECT * FROM T WHERE", ILL "Unexpected term"},
    {"SELECT * FROM T WHERE )", ILL "Unexpected term"},
    {"SELECT * FROM T WHERE a = ;", ILL "Unexpected term"},
    {"SELECT * FROM T WHERE (a = )", ILL "Unexpected term"},
    {"SELECT * FROM T WHERE * = 1", ILL "Unexpected term"},
    {"INSERT INTO T VALUE {'a': 1,}", ILL "Unexpected term"},
    {"", ILL "Unexpected term"},
    {"SELECT * FROM T WHERE order = 1", ILL "Unexpected keyword"},
    {"SELECT * FROM T WHERE size = 1", ILL "Unexpected keyword"},
    {"CREATE TABLE T", ILL "Unexpected keyword"},
    {"INSERT T VALUE {'a': 1}", ILL "Unexpected keyword"},
    {"SELECT * FROM T WHERE = 1", ILL "Unexpected operator"},
    {"SELECT * FROM T WHERE AND a = 1", ILL "Unexpected operator"},
    {"SELECT * FROM T WHERE a = < 1", ILL "Unexpected operator"},
    {"SELECT * FROM T WHERE a =", ILL "Missing right-hand side expression of infix operator"},
    {"SELECT * FROM T WHERE a = 1 AND", ILL "Missing right-hand side expression of infix operator"},
    {"SELECT * FROM T WHERE a IN", ILL "Missing right-hand side expression of infix operator"},
    {"UPDATE", ILL "Expected identifier for simple path"},
    {"UPDATE SET a = 1", ILL "Expected identifier for simple path"},
    {"DELETE FROM WHERE a = 1", ILL "Expected identifier for simple path"},
    {"SELECT * FROM 'T'", ILL "Expected identifier for simple path"},
    {"SELECT * FROM", ILL "Unexpected term"},
    {"SELECT * FROM ;", ILL "Unexpected term"},
    {"SELECT * FROM WHERE a = 1", ILL "Unexpected keyword"},
    {"SELECT * FROM = 1", ILL "Unexpected operator"},
    {"EXISTS(SELECT * FROM)", ILL "Unexpected term"},
    {"DELETE FROM", ILL "Expected identifier for simple path"},
    {"INSERT INTO", ILL "Expected identifier for simple path"},
    {"UPDATE T SET 'a' = 1", ILL "Expected identifier for simple path"},
    {"UPDATE T SET WHERE a = 1", ILL "Expected identifier for simple path"},
    {"UPDATE T REMOVE", ILL "Expected identifier for simple path"},
    {"SELECTT * FROMM \"T\"", ILL "Expected data manipulation"},
    {"MERGE INTO T", ILL "Expected data manipulation"},
    {"a = ", ILL "Expected data manipulation"},
    {"UPDATE T", ILL "Expected data manipulation"},
    {"UPDATE T-x SET a = 1", ILL "Expected data manipulation"},
    {"UPDATE T WHERE p = 1 SET a = 1", ILL "Expected data manipulation"},
    {"FROM T WHERE p = 1", ILL "Expected data manipulation"},
    {"DELETE T WHERE p = 1", ILL "Expected FROM after DELETE"},
    {"SELECT *", ILL "Expected FROM after SELECT list"},
    {"SELECT * WHERE a = 1", ILL "Expected FROM after SELECT list"},
    {"SELECT FROM T", ILL "Cannot have empty SELECT list"},
    {"SELECT *, a FROM T",
     ILL "Other expressions may not be present in the select list when '*' is "
         "used without dot notation."},
    {"SELECT a, * FROM T",
     ILL "Other expressions may not be present in the select list when '*' is "
         "used without dot notation."},
    {"SELECT a.* FROM T", ILL "Invalid use of * in select list"},
    {"SELECT a[*] FROM T", ILL "Invalid use of * in select list"},
    {"SELECT m.inner FROM T", ILL "Invalid path dot component"},
    {"SELECT * FROM T WHERE m.'x' = 1", ILL "Invalid path dot component"},
    {"UPDATE T SET m.inner = 1", ILL "Invalid path dot component"},
    {"UPDATE T SET m.inner = set_add(m.inner, <<1>>)", ILL "Invalid path dot component"},
    {"UPDATE T SET m.* = 1", ILL "Invalid path dot component for simple path"},
    {"UPDATE T REMOVE m.'x'", ILL "Invalid path dot component"},
    {"DELETE FROM T.1", ILL "Unexpected token after expression"},
    {"SELECT * FROM T.select", ILL "Invalid path dot component"},
    {"UPDATE T SET m['x'] = 1", ILL "Invalid path component for simple path"},
    {"UPDATE T REMOVE m[1.5]", ILL "Invalid path component for simple path"},
    {"UPDATE T SET a", ILL "Expected '='"},
    {"UPDATE T SET a > 1", ILL "Expected '='"},
    {"UPDATE T SET", ILL "Expected assignment for SET"},
    {"SELECT * FROM T WHERE a BETWEEN 1 AND", ILL "Expected expression after AND"},
    {"SELECT * FROM T WHERE a BETWEEN 1", ILL "Expected AND keyword"},
    {"SELECT * FROM T WHERE ()", ILL "Expression group cannot be empty"},
    {"SELECT * FROM T WHERE a IN ()", ILL "Expression group cannot be empty"},
    {"SELECT * FROM T WHERE a IS 5", ILL "Expected type name"},
    {"SELECT * FROM T WHERE a IS NOT nothing", ILL "Expected type name"},
    {"SELECT * FROM T WHERE a IS DOUBLE", ILL "Expected type name"},
    {"SELECT * FROM T WHERE a IS PRECISION", ILL "Expected type name"},
    {"SELECT * FROM T WHERE a IS VARYING", ILL "Expected type name"},
    {"SELECT * FROM T WHERE a IS DOUBLE \"precision\"", ILL "Expected type name"},
    {"SELECT * FROM T WHERE #a = 1", ILL},
    {"SELECT * FROM T /* open", ILL},
    {"SELECT * FROM T WHERE a = 1e2147483648", ILL},
    {"SELECT * FROM T WHERE a = 1.5e-2147483647", ILL},
    {"SELECT * FROM T WHERE a = .55e-2147483646", ILL},
    {"SELECT * FROM T WHERE a = [-1.5E-2147483647]", ILL},
    {"INSERT INTO T VALUE {'a': <<1.5e-2147483647>>}", ILL},
    {"SELECT * FROM T WHERE a = 'open", ILL},
    {"SELECT * FROM T WHERE (a = 1", ILL "Expected RIGHT_PAREN"},
    {"SELECT * FROM T WHERE a IN [1", ILL "Expected RIGHT_BRACKET"},
    {"INSERT INTO T VALUE {'a': 1", ILL "Expected RIGHT_CURLY"},
    {"INSERT INTO T VALUE {'a'}", ILL "Expected COLON"},
    {"SELECT * FROM T WHERE a = <<1", ILL "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
    {"SELECT * FROM T WHERE a = 1 ORDER a", ILL "Expected BY"},
    {"UPDATE T SET a = 1 RETURNING OLD *",
     ILL "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
    {"UPDATE T SET a = 1 RETURNING ALL *",
     ILL "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
    {"UPDATE T SET a = 1 RETURNING ALL OLD a", ILL "Unsupported syntax in RETURNING columns."},
    /* of statements and sources */
    {"SELECT * FROM T AS t", "Aliasing is not supported"},
    {"SELECT * FROM T t WHERE a = 1", "Aliasing is not supported"},
    {"SELECT a AS b FROM T", "Aliasing is not supported"},
    {"SELECT a b FROM T", "Aliasing is not supported"},
    {"UPDATE T t SET a = 1", "Aliasing is not supported"},
    {"DELETE FROM T AS t WHERE a = 1", "Aliasing is not supported"},
    {"SELECT * FROM T AS 1", ILL "Expected identifier for AS-alias"},
    {"SELECT * FROM \"\"", "Path component cannot be an empty string"},
    {"SELECT * FROM \"T\".\"\"", "Path component cannot be an empty string"},
    {"SELECT * FROM \"T\".\"i\".\"x\"",
     "A path may contain at most 2 components in the FROM clause"},
    {"INSERT INTO \"T\".\"i\" VALUE {'a': 1}",
     "FROM clause may only contain a single table name in data manipulation statements at 1:17:3"},
    {"UPDATE \"T\".\"i\" SET a = 1 WHERE a = 1", "This operation is not supported on an index"},
    {"DELETE FROM \"T\".\"i\" WHERE a = 1", "This operation is not supported on an index"},
    {"SELECT COUNT(*) FROM T", "Unexpected path component at 1:8:5"},
    {"SELECT a,\n size(b) FROM T", "Unexpected path component at 2:2:4"},
    {"SELECT 1 FROM T", "Unexpected path component at 1:8:1"},
    {"SELECT ? FROM T", "Unexpected path component at 1:8:1"},
    {"SELECT a['x'] FROM T", "Unexpected path component at 1:10:3"},
    {"SELECT * FROM T WHERE m.* = 1", "Unexpected path component at 1:25:1"},
    {"SELECT * FROM T LIMIT 5", "Unsupported clause: LIMIT at 1:23:1"},
    {"SELECT * FROM T GROUP BY a, b", "Unsupported clause: GROUP BY at 1:26:1"},
    {"x IS INT4", "Unsupported operation: IsType"},
    {"x IS DOUBLE PRECISION", "Unsupported operation: IsType"},
    {"x IS NOT Character\nVarying;", "Unsupported operation: IsType"},
    {"x IS CHARACTER", "Unsupported operation: IsType"},
    {"1 = 1", "Unsupported operation: ="},
    {"foo(1)", "Unsupported operation: foo"},
    {"EXISTS(a)", "EXISTS() must contain a single item read with additional condition"},
    {"SELECT * FROM T ORDER BY a",
     "Must have WHERE clause in the statement when using ORDER BY clause."},
    {"DELETE FROM T WHERE a = 1 RETURNING ALL NEW *",
     "Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE "
     "statements."},
    {"DELETE FROM T WHERE a = 1 RETURNING MODIFIED OLD *",
     "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in "
     "DELETE statements."},
    /* of conditions */
    {"SELECT * FROM T WHERE exists(a)", "Unrecognized function: exists at 1:23:6"},
    {"SELECT * FROM T WHERE UPPER(a) = 'X'", "Unrecognized function: upper at 1:23:5"},
    {"SELECT * FROM T WHERE Foo(a)", "Unrecognized function: foo at 1:23:3"},
    {"SELECT * FROM T WHERE set_add(a, <<1>>)", "Unrecognized function: set_add at 1:23:7"},
    {"SELECT * FROM T WHERE attribute_exists('a')",
     "Operator or function requires a document path; operator or function: attribute_exists"},
    {"SELECT * FROM T WHERE attribute_exists()",
     "Incorrect number of operands for operator or function; operator or function: "
     "attribute_exists, number of operands: 0"},
    {"SELECT * FROM T WHERE begins_with(a)",
     "Incorrect number of operands for operator or function; operator or function: begins_with, "
     "number of operands: 1"},
    {"SELECT * FROM T WHERE a < true",
     "Incorrect operand type for operator or function; operator or function: <, operand type: "
     "BOOL"},
    {"SELECT * FROM T WHERE a >= null",
     "Incorrect operand type for operator or function; operator or function: >=, operand type: "
     "NULL"},
    {"SELECT * FROM T WHERE a BETWEEN [] AND 1",
     "Incorrect operand type for operator or function; operator or function: BETWEEN, operand "
     "type: L"},
    {"SELECT * FROM T WHERE a > <<1>>",
     "Incorrect operand type for operator or function; operator or function: >, operand type: NS"},
    {"SELECT * FROM T WHERE a < MISSING",
     "Incorrect operand type for operator or function; operator or function: <, operand type: "
     "MISSING"},
    {"SELECT * FROM T WHERE attribute_type(a, 'X')",
     "Invalid attribute type name found; type: X, valid types: "
     "{N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
    {"SELECT * FROM T WHERE -a = 1", "Unsupported operator in Condition Expression. Operator: -"},
    {"SELECT * FROM T WHERE a = -?", "Unsupported operator in Condition Expression. Operator: -"},
    {"SELECT * FROM T WHERE a + 1 = 2",
     "Unsupported operator in Condition Expression. Operator: +"},
    {"SELECT * FROM T WHERE a LIKE 'x%'",
     "Unsupported operator in Condition Expression. Operator: like"},
    {"SELECT * FROM T WHERE a", "Unsupported operation: VariableReference"},
    {"SELECT * FROM T WHERE true", "Unsupported operation: Literal"},
    {"SELECT * FROM T WHERE a = 1 AND ?", "Unsupported operation: Parameter"},
    {"SELECT * FROM T WHERE a IS TIMESTAMP", "Unsupported operation: IsType"},
    {"SELECT * FROM T WHERE a IS DOUBLE PRECISION", "Unsupported operation: IsType"},
    {"SELECT * FROM T WHERE a = 1 AND b IS NOT character varying OR c = 2",
     "Unsupported operation: IsType"},
    {"SELECT * FROM T WHERE a[-1] = 1",
     "List index is not within the allowable range; index: [-1] at 1:26:1"},
    {"SELECT * FROM T WHERE a[2147483648] = 1",
     "List index is not within the allowable range; index: [2147483648] at 1:25:10"},
    {"UPDATE T REMOVE a[-10] WHERE p = 1",
     "List index is not within the allowable range; index: [-10] at 1:20:2"},
    /* of literals */
    {"SELECT * FROM T WHERE a = [?]",
     "Unsupported data type: Parameter under key root[0] at 1:28:1"},
    {"INSERT INTO T VALUE {'a': {'b': [1, ?]}}",
     "Unsupported data type: Parameter under key root.b[1] at 1:37:1"},
    {"SELECT * FROM T WHERE a = <<?>>",
     "Unsupported data type: Parameter under key root[0] at 1:29:1"},
    {"UPDATE T SET a = 1 + set_add(a, <<1>>)",
     "Unsupported data type: set_add under key root at 1:22:7"},
    {"INSERT INTO T VALUE {'a': Set_Add(a, <<1>>)}",
     "Unsupported data type: set_add under key root at 1:27:7"},
    {"INSERT INTO T VALUE {'a': b}",
     "Unsupported data type: VariableReference under key root at 1:27:1"},
    {"INSERT INTO T VALUE {\"a\": 1}",
     "Unsupported data type: VariableReference under key root at 1:22:3"},
    {"INSERT INTO T VALUE ?", "Unsupported data type: Parameter under key root at 1:21:1"},
    {"INSERT INTO T VALUE 'x'", "Unsupported data type: Literal under key root at 1:21:3"},
    {"INSERT INTO T VALUE {'a': MISSING}",
     "Unsupported data type: LiteralMissing under key root at 1:27:7"},
    {"INSERT INTO T VALUE {'': 1}", "Empty attribute name"},
    {"SELECT * FROM T WHERE a = <<1, 'x'>>",
     "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
    {"SELECT * FROM T WHERE a = <<true>>",
     "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
    {"SELECT * FROM T WHERE a = <<>>", "Empty bags are not supported"},
    {"SELECT * FROM T WHERE a = <<'x', 'x'>>",
     "One or more parameter values were invalid: Input collection [x, x] contains duplicates."},
    {"SELECT * FROM T WHERE a = <<1, 2, 1.0>>",
     "One or more parameter values were invalid: Input collection [1, 2, 1.0] contains duplicates! "
     "under root"},
    {"SELECT * FROM T WHERE a = 1e126",
     "Number overflow. Attempting to store a number with magnitude larger than supported range "
     "under root"},
    {"SELECT * FROM T WHERE a = -1e-131",
     "Number underflow. Attempting to store a number with magnitude smaller than supported range "
     "under root"},
    {"INSERT INTO T VALUE {'x': 123456789012345678901234567890123456789}",
     "Attempting to store more than 38 significant digits in a Number under root"},
    {"INSERT INTO T VALUE {'p': 1, 'm': {'x': 1e126}}",
     "Number overflow. Attempting to store a number with magnitude larger than supported range "
     "under root.x"},
    {"INSERT INTO T VALUE {'p': 1, 'l': [1, {'y': -1e126}]}",
     "Number overflow. Attempting to store a number with magnitude larger than supported range "
     "under root[1].y"},
    {"INSERT INTO T VALUE {'p': 1, 'm': {'n': {'x': MISSING}}}",
     "Unsupported data type: LiteralMissing under key root.n.x at 1:47:7"},
    {"INSERT INTO T VALUE {'m': {\"x\": 1}}",
     "Unsupported data type: VariableReference under key root at 1:28:3"},
    {"UPDATE T SET a = [1, 1e2147483647]",
     "Number overflow. Attempting to store a number with magnitude larger than supported range "
     "under root[1]"},
    /* of updates */
    {"UPDATE T SET a = set_add(b, <<1>>)",
     "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
    {"UPDATE T SET a = set_delete('a', <<1>>)",
     "The first argument to SET_DELETE must equal the assignment value at 1:18:10"},
    {"UPDATE T SET a = set_add(a, [1])",
     "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
    {"UPDATE T SET a = set_add(a, ?)",
     "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
    {"UPDATE T SET a = set_add(a)", "SET_ADD must have exactly two arguments at 1:18:7"},
    {"UPDATE T SET a = if_not_exists(a, 1)", "Unrecognized function: if_not_exists at 1:18:13"},
    {"UPDATE T SET a = size(b)", "Unrecognized function: size at 1:18:4"},
    {"UPDATE T SET a = b + 'x'",
     "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
    {"UPDATE T SET a = list_append(b, 1)",
     "Incorrect operand type for operator or function; operator or function: list_append, operand "
     "type: N"},
    {"UPDATE T SET a = list_append(b)",
     "Incorrect number of operands for operator or function; operator or function: list_append, "
     "number of operands: 1"},
    {"UPDATE T SET a = -b", "Unsupported data type: - under key root at 1:18:1"},
    {"UPDATE T SET a = 1, a.b = 2",
     "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
     "one: [a], path two: [a, b]"},
};

START_TEST(tells_what_is_wrong)
{
    ck_assert_str_eq(fault_of(span_of(bad[_i].text), count_parameters(bad[_i].text)),
                     bad[_i].fault);
}
END_TEST

START_TEST(wants_as_many_parameters_as_there_are_marks)
{
    const char *text = "SELECT * FROM T WHERE a = ?";

    ck_assert_str_eq(fault_of(span_of(text), 0),
                     "Number of parameters in request and statement don't match.");
    ck_assert_str_eq(fault_of(span_of(text), 1), "");
    ck_assert_str_eq(fault_of(span_of(text), 2),
                     "Number of parameters in request and statement don't match.");
}
END_TEST

/* --- nesting --------------------------------------------------------------------------------- */

static struct span repeated(const char *before, const char *what, size_t count, const char *middle,
                            const char *back, const char *after)
{
    struct buf text = buf_in(arena);

    buf_add_text(&text, before);
    for (size_t i = 0; i < count; i++)
        buf_add_text(&text, what);
    buf_add_text(&text, middle);
    for (size_t i = 0; i < count; i++)
        buf_add_text(&text, back);
    buf_add_text(&text, after);
    return buf_span(&text);
}

START_TEST(bounds_nesting)
{
    static const struct {
        const char *before, *what;
        size_t count;
        const char *middle, *back, *fault;
    } rows[] = {
        {"SELECT * FROM T WHERE ", "(", 100, "a = 1", ")", ""},
        {"SELECT * FROM T WHERE ", "(", 300, "a = 1", ")", DEEP},
        {"", "(", 8192, "", "", DEEP},
        {"SELECT * FROM T WHERE ", "NOT ", 100, "a = 1", "", ""},
        {"SELECT * FROM T WHERE ", "NOT ", 2000, "a = 1", "", DEEP},
        {"SELECT * FROM T WHERE a = ", "-", 100, "1", "",
         ILL "Missing right-hand side expression "
             "of infix operator"},
        {"SELECT * FROM T WHERE a = ", "- ", 2000, "1", "", DEEP},
        {"SELECT * FROM T WHERE a = ", "[", 8000, "", "", DEEP},
        {"SELECT * FROM T WHERE a = ", "{'a':", 1600, "", "", DEEP},
        {"SELECT * FROM T WHERE ", "size(", 1600, "", "", DEEP},
        {"SELECT * FROM T WHERE a", "[a", 1600, "", "", DEEP},
        {"SELECT * FROM T WHERE ", "a = 1 AND ", 800, "b = 1", "", ""},
        {"SELECT * FROM T WHERE ", "a = 1 OR ", 800, "b = 1", "", ""},
        {"SELECT * FROM T WHERE a ", "= a ", 1000, "", "", DEEP},
        {"UPDATE T SET a = 1 ", "+ 1 ", 1000, "", "", DEEP},
        {"", "EXISTS(SELECT * FROM T WHERE ", 250, "", "", DEEP},
        {"INSERT INTO T VALUE {'a':", "[", 31, "1", "]", ILL "Expected RIGHT_CURLY"},
    };

    ck_assert_str_eq(fault_of(repeated(rows[_i].before, rows[_i].what, rows[_i].count,
                                       rows[_i].middle, rows[_i].back, ""),
                              0),
                     rows[_i].fault);
}
END_TEST

START_TEST(bounds_literals)
{
    const char *fault;

    ck_assert_str_eq(fault_of(repeated("INSERT INTO T VALUE {'a':", "[", 31, "1", "]", "}"), 0),
                     "");
    fault = fault_of(repeated("INSERT INTO T VALUE {'a':", "[", 32, "1", "]", "}"), 0);
    ck_assert_msg(
        strncmp(fault, "Nesting Levels have exceeded supported limits under root[0][0]", 62) == 0,
        "%s", fault);
    ck_assert_str_eq(fault_of(repeated("UPDATE T SET a = ", "{'b':", 31, "1", "}", ""), 0), "");
    fault = fault_of(repeated("UPDATE T SET a = ", "{'b':", 32, "1", "}", ""), 0);
    ck_assert_msg(
        strncmp(fault, "Nesting Levels have exceeded supported limits under root.b.b", 60) == 0,
        "%s", fault);
}
END_TEST

/* --- what becomes of a statement ------------------------------------------------------------- */

START_TEST(names_columns_by_their_last_step)
{
    static const char *const names[] = {"a", "c", "d[0]", "f[1][2]", "g h"};

    ck_assert_str_eq(
        fault_of(span_of("SELECT a, b.c, d[0], e.f[1][2], \"g h\" FROM \"T\".\"i\""), 0), "");
    ck_assert_uint_eq(statement.columns.len, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_span_eq(statement.column_names[i], names[i]);
    ck_assert_span_eq(statement.table, "T");
    ck_assert_span_eq(statement.index, "i");
}
END_TEST

START_TEST(reads_an_item)
{
    ck_assert_str_eq(fault_of(span_of("INSERT INTO T VALUE {'s': 'it''s', 'n': -1.50, 'l': [true, "
                                      "null], 'm': {'x': {}}, 'ns': <<2, 10, 1>>, 'ss': <<'b', "
                                      "'a'>>, 'p': ?, 'n': 2}"),
                              1),
                     "");
    ck_assert_str_eq(unit_item_text(&statement.item),
                     "{\"s\":{\"S\":\"it's\"},\"n\":{\"N\":\"2\"},\"l\":{\"L\":[{\"BOOL\":true},{"
                     "\"NULL\":true}]},\"m\":{\"M\":{\"x\":{\"M\":{}}}},\"ns\":{\"NS\":[\"1\","
                     "\"2\",\"10\"]},\"ss\":{\"SS\":[\"a\",\"b\"]},\"p\":{\"S\":\"p\"}}");
}
END_TEST

/* The item that conditions run on. */
static const char condition_item[] =
    "{\"s\":{\"S\":\"abc\"},\"n\":{\"N\":\"5\"},\"t\":{\"BOOL\":true},\"z\":{\"NULL\":true},"
    "\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]},\"m\":{\"M\":{\"k\":{\"S\":\"v\"},\"j\":{\"N\":"
    "\"2\"}}},\"ss\":{\"SS\":[\"a\",\"b\"]},\"ns\":{\"NS\":[\"1\",\"2\"]}}";

static const struct {
    const char *condition;
    bool holds;
} conditions[] = {
    {"n = 5.0", true},
    {"n <> 5", false},
    {"n != 6", true},
    {"5 = n", true},
    {"4 < n", true},
    {"n BETWEEN 5 AND 6", true},
    {"n NOT BETWEEN 5 AND 6", false},
    {"n IN [1, 5]", true},
    {"n IN (1, 2)", false},
    {"n NOT IN [1, 2]", true},
    {"s = 5", false},
    {"n = s", false},
    {"gone = 1", false},
    {"gone <> 1", true},
    {"NOT gone = 1", true},
    {"NOT (gone = 1)", true},
    {"gone IS MISSING", true},
    {"gone IS NOT MISSING", false},
    {"gone IS NULL", false},
    {"gone IS NOT NULL", true},
    {"z IS NULL", true},
    {"z IS MISSING", false},
    {"gone = MISSING", true},
    {"s <> MISSING", true},
    {"z = null", true},
    {"t = true", true},
    {"s IS STRING", true},
    {"n IS DECIMAL", true},
    {"n IS NOT INT", false},
    {"ns IS BAG", true},
    {"m IS STRUCT", true},
    {"attribute_exists(s)", true},
    {"attribute_exists(gone) = false", true},
    {"attribute_exists(s) <> true", false},
    {"false = attribute_exists(gone)", true},
    {"attribute_exists(s) = 1", false},
    {"attribute_exists(s) <> 1", true},
    {"(n = 5) = true", true},
    {"attribute_not_exists(m.x)", true},
    {"attribute_type(l, 'L')", true},
    {"begins_with(s, 'ab')", true},
    {"contains(s, 'bc')", true},
    {"contains(ss, 'b')", true},
    {"contains(l, 'x')", true},
    {"contains(l, 'y')", false},
    {"size(s) = 3", true},
    {"size(l) > 2", false},
    {"m = {'j': 2, 'k': 'v'}", true},
    {"l = [1, 'x']", true},
    {"l = ['x', 1]", false},
    {"ss = <<'b', 'a'>>", true},
    {"l[1] = 'x' AND m.k = 'v'", true},
    {"n = 1 OR n = 5 AND s = 'no'", false},
    {"NOT n = 1 AND s = 'abc'", true},
    {"NOT (n = 1 OR s = 'abc')", false},
};

START_TEST(conditions_run)
{
    struct item it = unit_item(condition_item);
    const char *text = arena_printf(arena, "SELECT * FROM T WHERE %s", conditions[_i].condition);

    ck_assert_str_eq(fault_of(span_of(text), 0), "");
    ck_assert_int_eq(expr_matches(statement.where, &it), conditions[_i].holds);
}
END_TEST

/* --- keys ------------------------------------------------------------------------------------ */

/* Ranges as text: partition, then operator and bounds of the sort key, then ~ where loose, and +
 * where another attribute is compared beside them. */
static const char *ranges_text(const struct partiql_ranges *ranges)
{
    static const char *const ops[] = {
        [EXPR_EQ] = "=",  [EXPR_LT] = "<",       [EXPR_LE] = "<=",         [EXPR_GT] = ">",
        [EXPR_GE] = ">=", [EXPR_BETWEEN] = "..", [EXPR_BEGINS_WITH] = "^",
    };
    struct buf out = buf_in(arena);

    for (size_t i = 0; i < ranges->len; i++) {
        const struct expr_key *key = &ranges->at[i].key;

        buf_add_text(&out, i ? " " : "");
        buf_add_span(&out, key->at[0].low.bytes);
        if (key->len > 1) {
            buf_add_text(&out, ops[key->at[1].op]);
            buf_add_span(&out, key->at[1].low.bytes);
        }
        if (key->len > 1 && key->at[1].op == EXPR_BETWEEN)
            buf_add_span(&out, key->at[1].high.bytes);
        buf_add_text(&out, ranges->at[i].loose ? "~" : "");
        buf_add_text(&out, ranges->at[i].beside ? "+" : "");
    }
    return buf_text(&out);
}

static const struct {
    const char *condition, *ranges;
} keyed[] = {
    {"p = 'a'", "a"},
    {"'a' = p", "a"},
    {"p = 'a' AND x = 1", "a+"},
    {"p = 'a' AND 1 <> x", "a+"},
    {"p = 'a' AND x.y = 1", "a+"},
    {"p = 'a' AND x < 1", "a"},
    {"p = 'a' AND NOT x = 1", "a~"},
    {"p = 'a' AND size(x) = 1", "a"},
    {"p = 'a' AND x = y", "a"},
    {"p = 'a' AND s > 1 AND x <> 1", "a>1+"},
    {"p = 'a' AND x = 1 OR p = 'a' AND s = 2", "a+ a=2"},
    {"p = 'a' AND s = 1", "a=1"},
    {"s = 1 AND p = 'a'", "a=1"},
    {"p = 'a' AND 1 < s", "a>1"},
    {"p = 'a' AND s >= 1 AND s < 5", "a>=1"},
    {"p = 'a' AND s BETWEEN 1 AND 2", "a..12"},
    {"p = 'a' AND begins_with(s, 'x')", "a^x"},
    {"p IN ['a', 'b', 'a']", "a b"},
    {"p = 'a' OR p = 'b'", "a b"},
    {"p = 'a' AND s IN [1, 2]", "a=1 a=2"},
    {"p = 'a' AND (s = 1 OR s = 2)", "a=1 a=2"},
    {"p IN ['a', 'b'] AND s > 1", "a>1 b>1"},
    {"(p = 'a' AND s = 1) OR (p = 'b' AND s < 2)", "a=1 b<2"},
    {"p = 'a' AND (x = 1 OR s = 2)", "a"},
    {"p = 'a' AND s > 1 AND (x = 1 OR x = 2)", "a>1"},
    {"p = 'a' AND s > 1 AND (x <> 1 OR s = 2)", "a>1"},
    {"p = 'a' AND s > 1 AND (s < 3 OR s > 3)", "a>1~ a>1~"},
    {"p = 'a' AND s > 1 AND s < 3 OR p = 'a' AND s > 2 AND s < 5", "a>1 a>2"},
    {"p = 'a' AND s <> 1", "a~"},
    {"p = 'a' AND NOT s = 1", "a~"},
    {"p = 'a' AND p = 'b'", "a"},
    {"p = 'a' OR x = 1", ""},
    {"p > 'a'", ""},
    {"NOT p = 'a'", ""},
    {"p <> 'a'", ""},
    {"p = x", ""},
    {"p.x = 'a'", ""},
    {"p IN ['a', x]", ""},
    {"x = 1", ""},
    {"s = 1", ""},
};

START_TEST(finds_where_rows_can_be)
{
    const char *text = arena_printf(arena, "SELECT * FROM T WHERE %s", keyed[_i].condition);
    struct partiql_ranges ranges;

    ck_assert_str_eq(fault_of(span_of(text), 0), "");
    ranges = partiql_find_ranges(arena, statement.where, SPAN_LIT("p"), SPAN_LIT("s"));
    ck_assert_str_eq(ranges_text(&ranges), keyed[_i].ranges);
}
END_TEST

START_TEST(lets_the_sort_key_go_where_there_are_too_many_places)
{
    struct buf text = buf_in(arena);
    struct partiql_ranges ranges;

    buf_add_text(&text, "SELECT * FROM T WHERE s IN [0");
    for (int i = 1; i < 100; i++)
        buf_printf(&text, ", %d", i);
    buf_add_text(&text, "] AND p IN ['a', 'b', 'c']");
    ck_assert_str_eq(fault_of(buf_span(&text), 0), "");
    ranges = partiql_find_ranges(arena, statement.where, SPAN_LIT("p"), SPAN_LIT("s"));
    ck_assert_str_eq(ranges_text(&ranges), "a b c");
}
END_TEST

static const struct {
    const char *condition;
    const char *key; /* NULL: not a whole key */
    bool rest;
} whole_keys[] = {
    {"p = 'a' AND s = 1", "{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"1\"}}", false},
    {"(x = 1 AND s = 1) AND 'a' = p", "{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"1\"}}", true},
    {"p = 'a' AND s = 1 AND p = 'b'", "{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"1\"}}", true},
    {"p = 'a'", NULL, false},
    {"p = 'a' AND s > 1", NULL, false},
    {"p = 'a' AND s IN [1]", NULL, false},
    {"p = 'a' AND s = 1 OR x = 1", NULL, false},
};

START_TEST(takes_a_whole_key_out_of_a_condition)
{
    static const struct span names[] = {SPAN_LIT_INIT("p"), SPAN_LIT_INIT("s")};
    const char *text = arena_printf(arena, "SELECT * FROM T WHERE %s", whole_keys[_i].condition);
    struct item key;
    struct expr_cond *rest;

    ck_assert_str_eq(fault_of(span_of(text), 0), "");
    if (!whole_keys[_i].key) {
        ck_assert(!partiql_take_key(arena, statement.where, names, 2, &key, &rest));
        return;
    }
    ck_assert(partiql_take_key(arena, statement.where, names, 2, &key, &rest));
    ck_assert_str_eq(unit_item_text(&key), whole_keys[_i].key);
    ck_assert_int_eq(rest != NULL, whole_keys[_i].rest);
}
END_TEST

START_TEST(names_what_a_condition_needs_outside_of_or)
{
    struct span *names;
    size_t count;

    ck_assert_str_eq(fault_of(span_of("SELECT * FROM T WHERE a = 1 AND (b = 1 OR c = 2) AND NOT "
                                      "d.e = a AND size(f) > 1"),
                              0),
                     "");
    partiql_required_names(arena, statement.where, &names, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_span_eq(names[0], "a");
    ck_assert_span_eq(names[1], "d");
    ck_assert_span_eq(names[2], "f");
}
END_TEST

/* --- memory ----------------------------------------------------------------------------------- */

/* The longest statements of their kind: parts between a beginning and an end, where `behind` is set
 * with their number in front of that. */
static const struct {
    const char *begin, *part, *behind, *end;
} long_ones[] = {
    {"SELECT a", ".a", NULL, " FROM T"},
    {"SELECT a", "[0]", NULL, " FROM T"},
    {"SELECT a", ",a", NULL, " FROM T"},
    {"SELECT a FROM T WHERE a=1 ORDER BY a", ",a", NULL, ""},
    {"UPDATE T SET a=0", ",b[", "]=0", " WHERE p=1"},
    {"UPDATE T REMOVE a", ",b[", "]", " WHERE p=1"},
    {"INSERT INTO T VALUE {'a':0", ",'", "':0", "}"},
    {"INSERT INTO T VALUE {'a':[0", ",0", NULL, "]}"},
};

#define STATEMENT_MEMORY ((size_t)4 << 20)

START_TEST(a_long_statement_takes_memory_for_its_length)
{
    const struct arena_budget budget = {.bytes = STATEMENT_MEMORY, .steps = INT64_MAX};
    struct buf text = buf_in(arena);
    jmp_buf landing;

    buf_add_text(&text, long_ones[_i].begin);
    for (int i = 0; text.len < LIMIT_STATEMENT - 64; i++) {
        buf_add_text(&text, long_ones[_i].part);
        if (long_ones[_i].behind)
            buf_printf(&text, "%d%s", i, long_ones[_i].behind);
    }
    buf_add_text(&text, long_ones[_i].end);
    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        arena_limit(arena, &budget, &landing);
        ck_assert_str_eq(fault_of(buf_span(&text), 0), "");
    } else {
        ck_abort_msg("%s… takes more than 4 MB", long_ones[_i].begin);
    }
    arena_unlimit(arena);
}
END_TEST

/* An item, and a statement that shows all of it. */
START_TEST(a_wide_row_takes_memory_for_its_width)
{
    const struct arena_budget budget = {.bytes = STATEMENT_MEMORY, .steps = INT64_MAX};
    struct buf text = buf_in(arena);
    struct item it = {.at = arena_array(arena, 1500, sizeof *it.at)}, shown;
    jmp_buf landing;

    buf_add_text(&text, "SELECT ");
    for (; it.len < 1500; it.len++) {
        it.at[it.len] = (struct field){span_of(arena_printf(arena, "a%zu", it.len)),
                                       some_parameters[0]};
        buf_printf(&text, "%s%.*s", it.len ? "," : "", SPAN_ARG(it.at[it.len].name));
    }
    buf_add_text(&text, " FROM T");
    ck_assert_str_eq(fault_of(buf_span(&text), 0), "");
    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        arena_limit(arena, &budget, &landing);
        shown = read_page_columns(arena, &statement.columns, statement.column_names, &it);
        ck_assert_uint_eq(shown.len, it.len);
    } else {
        ck_abort_msg("a row takes more than 4 MB");
    }
    arena_unlimit(arena);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, reads_every_statement, 0, COUNT(good));
    tcase_add_loop_test(tc, tells_what_is_wrong, 0, COUNT(bad));
    tcase_add_test(tc, wants_as_many_parameters_as_there_are_marks);
    tcase_add_loop_test(tc, bounds_nesting, 0, 17);
    tcase_add_test(tc, bounds_literals);
    tcase_add_test(tc, names_columns_by_their_last_step);
    tcase_add_test(tc, reads_an_item);
    tcase_add_loop_test(tc, conditions_run, 0, COUNT(conditions));
    tcase_add_loop_test(tc, finds_where_rows_can_be, 0, COUNT(keyed));
    tcase_add_test(tc, lets_the_sort_key_go_where_there_are_too_many_places);
    tcase_add_loop_test(tc, takes_a_whole_key_out_of_a_condition, 0, COUNT(whole_keys));
    tcase_add_test(tc, names_what_a_condition_needs_outside_of_or);
    tcase_add_test(tc, a_wide_row_takes_memory_for_its_width);
    tcase_add_loop_test(tc, a_long_statement_takes_memory_for_its_length, 0, COUNT(long_ones));
}

UNIT_TESTS(partiql, add_tests)
