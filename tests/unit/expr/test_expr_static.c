/* What is wrong with an expression before there is an item: words, functions, placeholders,
 * operands, paths, and which of several faults is reported. */
#include "unit_expr.h"

/* One value of each type, two strings and binaries in order, and two names. */
#define V                                                                                     \
    "{\":s\":{\"S\":\"b\"},\":s0\":{\"S\":\"a\"},\":n\":{\"N\":\"2\"},\":n0\":{\"N\":\"1\"}," \
    "\":b\":{\"B\":\"eg==\"},\":b0\":{\"B\":\"eQ==\"},\":bool\":{\"BOOL\":true},"             \
    "\":null\":{\"NULL\":true},\":l\":{\"L\":[]},\":m\":{\"M\":{}},\":ss\":{\"SS\":[\"a\"]}," \
    "\":ns\":{\"NS\":[\"1\"]},\":bs\":{\"BS\":[\"eg==\"]},\":type\":{\"S\":\"NS\"},"          \
    "\":word\":{\"S\":\"STRING\"},\"#a\":{\"S\":\"a\"},\"#word\":{\"S\":\"abort\"},"          \
    "\"#dots\":{\"S\":\"a.b\"},\"#hash\":{\"S\":\"#a\"}}"

#define RESERVED(word) "Attribute name is a reserved keyword; reserved keyword: " word
#define UNKNOWN(name)  "Invalid function name; function: " name
#define MISPLACED(name) \
    "The function is not allowed to be used this way in an expression; function: " name
#define IN_UPDATE(name)    "The function is not allowed in an update expression; function: " name
#define IN_CONDITION(name) "The function is not allowed in a condition expression; function: " name
#define OPERANDS(name, count)                                                            \
    "Incorrect number of operands for operator or function; operator or function: " name \
    ", number of operands: " count
#define NO_NAME(name) \
    "An expression attribute name used in the document path is not defined; attribute name: " name
#define NO_VALUE(name) \
    "An expression attribute value used in expression is not defined; attribute value: " name
#define NEEDS_PATH(name) \
    "Operator or function requires a document path; operator or function: " name
#define SAME(op, path)                                                                     \
    "The first operand must be distinct from the remaining operands for this operator or " \
    "function; operator: " op ", first operand: " path
#define TYPE(op, type)                                                           \
    "Incorrect operand type for operator or function; operator or function: " op \
    ", operand type: " type
#define ACTION_TYPE(action, type)                                                                \
    "Incorrect operand type for operator or function; operator: " action ", operand type: " type \
    ", typeSet: ALLOWED_FOR_ADD_OPERAND"
#define OVERLAP(one, two)                                                                          \
    "Two document paths overlap with each other; must remove or rewrite one of these paths; path " \
    "one: " one ", path two: " two
#define CONFLICT(one, two)                                                                     \
    "Two document paths conflict with each other; must remove or rewrite one of these paths; " \
    "path one: " one ", path two: " two
#define ONCE(section) "The \"" section "\" section can only be used once in an update expression;"
#define BOUND_TYPES(low, high)                                                              \
    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound " \
    "operand: AttributeValue: {" low "}, upper bound operand: AttributeValue: {" high "}"
#define BOUND_ORDER(low, high)                                                                     \
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower " \
    "bound operand: AttributeValue: {" low "}, upper bound operand: AttributeValue: {" high "}"
#define INDEX(digits) "List index is not within the allowable range; index: [" digits "]"

#define ALL_CODES                                                                                 \
    "{S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,DECIMAL,INT,DECIMALSET," \
    "INTSET}"

static const struct unit_fault words[] = {
    {"Condition", "abOrT = :s", V, RESERVED("abOrT")},
    {"Condition", "a.b.Data = :s", V, RESERVED("Data")},
    {"Filter", "status = :s", V, RESERVED("status")},
    {"KeyCondition", "name = :s", V, RESERVED("name")},
    {"Projection", "a, count", V, RESERVED("count")},
    {"Update", "SET a = items", V, RESERVED("items")},
    {"Update", "REMOVE a, items", V, RESERVED("items")},
    {"Condition", "size = :s", V, RESERVED("size")},
    {"Condition", "#word = :s", V, NULL},
    {"Condition", "aborted = :s", V, NULL},
    {"Projection", "#dots.#hash", V, NULL},
    /* functions */
    {"Condition", "foo(a)", V, UNKNOWN("foo")},
    {"Condition", "Attribute_Exists(a)", V, UNKNOWN("Attribute_Exists")},
    {"Condition", "a = SIZE(b)", V, UNKNOWN("SIZE")},
    {"Update", "SET a = List_append(b, :l)", V, UNKNOWN("List_append")},
    {"Condition", "size(contains(a, :s)) = :n", V, MISPLACED("contains")},
    {"Condition", "attribute_exists(a) = :s", V, MISPLACED("attribute_exists")},
    {"Condition", "a BETWEEN begins_with(b, :s) AND :n", V, MISPLACED("begins_with")},
    {"Condition", "size(a)", V, MISPLACED("size")},
    {"Condition", "NOT (size(a))", V, MISPLACED("size")},
    {"Condition", "a = :s AND size(b)", V, MISPLACED("size")},
    {"Update", "SET a = list_append(list_append(l, :l), :l)", V, MISPLACED("list_append")},
    {"Update", "SET a = if_not_exists(a, list_append(l, :l))", V, MISPLACED("list_append")},
    {"Update", "SET a = size(b)", V, IN_UPDATE("size")},
    {"Update", "SET a = list_append(l, contains(a, :s))", V, IN_UPDATE("contains")},
    {"Update", "SET a = attribute_not_exists(b)", V, IN_UPDATE("attribute_not_exists")},
    {"Condition", "a = if_not_exists(b, :s)", V, IN_CONDITION("if_not_exists")},
    {"Condition", "list_append(a, b)", V, IN_CONDITION("list_append")},
    {"Condition", "attribute_exists(a, b)", V, OPERANDS("attribute_exists", "2")},
    {"Condition", "attribute_not_exists(a, b, c)", V, OPERANDS("attribute_not_exists", "3")},
    {"Condition", "attribute_type(a)", V, OPERANDS("attribute_type", "1")},
    {"Condition", "begins_with(a)", V, OPERANDS("begins_with", "1")},
    {"Condition", "contains(a)", V, OPERANDS("contains", "1")},
    {"Condition", "a = size(b, :s)", V, OPERANDS("size", "2")},
    {"Update", "SET a = if_not_exists(b)", V, OPERANDS("if_not_exists", "1")},
    {"Update", "SET a = list_append(b, :l, :l)", V, OPERANDS("list_append", "3")},
    /* list indexes */
    {"Condition", "a[2147483648] = :s", V, INDEX("2147483648")},
    {"Update", "SET a = b[99999999999999999999]", V, INDEX("99999999999999999999")},
    {"Projection", "a[2147483647]", V, NULL},
};

static const struct unit_fault placeholders[] = {
    {"Condition", "#x = :s", V, NO_NAME("#x")},
    {"Condition", "a.#x[0] = :s", V, NO_NAME("#x")},
    {"Projection", "a, #A", V, NO_NAME("#A")},
    {"Update", "SET a = #x", V, NO_NAME("#x")},
    {"KeyCondition", "#x = :s", V, NO_NAME("#x")},
    {"Condition", "a = :x", V, NO_VALUE(":x")},
    {"Condition", "a IN (:s, :x)", V, NO_VALUE(":x")},
    {"Update", "ADD a :x", V, NO_VALUE(":x")},
    {"Update", "SET a = if_not_exists(b, :x)", V, NO_VALUE(":x")},
    {"Condition", "a = :s", NULL, NO_VALUE(":s")},
    {"Condition", "#a = a OR #a = :s OR #a = :s", V, SAME("=", "[a]")},
    {"Condition", "#a = b OR #a = :s OR #a = :s", V, NULL},
};

static const struct unit_fault operands[] = {
    /* paths where nothing else will do */
    {"Condition", "attribute_exists(:s)", V, NEEDS_PATH("attribute_exists")},
    {"Condition", "attribute_not_exists(size(a))", V, NEEDS_PATH("attribute_not_exists")},
    {"Condition", "attribute_type(:s, :type)", V, NULL},
    {"Condition", "attribute_type(size(a), :type)", V, NULL},
    {"Update", "SET a = if_not_exists(:s, b)", V, NEEDS_PATH("if_not_exists")},
    {"Update", "SET a = if_not_exists(if_not_exists(a, :s), :n)", V, NEEDS_PATH("if_not_exists")},
    /* the same path twice */
    {"Condition", "a = a", V, SAME("=", "[a]")},
    {"Condition", "a <> #a", V, SAME("<>", "[a]")},
    {"Condition", "a.b[1].c < a . b [ 1 ] . c", V, SAME("<", "[a, b, [1], c]")},
    {"Condition", "a <= a", V, SAME("<=", "[a]")},
    {"Condition", "a > a", V, SAME(">", "[a]")},
    {"KeyCondition", "a >= a", V, SAME(">=", "[a]")},
    {"Condition", "a BETWEEN :s AND a", V, SAME("BETWEEN", "[a]")},
    {"Condition", "a BETWEEN b AND b", V, NULL},
    {"Condition", "a IN (b, :s, a)", V, SAME("IN", "[a]")},
    {"Condition", "a IN (b, b)", V, NULL},
    {"Condition", "contains(a, a)", V, SAME("contains", "[a]")},
    {"Condition", "begins_with(#dots, #dots)", V, SAME("begins_with", "[a.b]")},
    {"Condition", "attribute_type(a, a)", V, SAME("attribute_type", "[a]")},
    {"Condition", ":n > :n", V, NULL},
    {"Condition", "size(a) = size(a)", V, NULL},
    {"Condition", "a[1] = a[10]", V, NULL},
    /* types */
    {"Condition", "a < :bool", V, TYPE("<", "BOOL")},
    {"Condition", ":null <= a", V, TYPE("<=", "NULL")},
    {"Condition", "a > :l", V, TYPE(">", "L")},
    {"Condition", "a >= :m", V, TYPE(">=", "M")},
    {"Condition", "a < :ss", V, TYPE("<", "SS")},
    {"Condition", "a < :ns", V, TYPE("<", "NS")},
    {"Condition", ":l < :m", V, TYPE("<", "L")},
    {"Condition", "a BETWEEN :bs AND :n", V, TYPE("BETWEEN", "BS")},
    {"Condition", ":m BETWEEN a AND b", V, TYPE("BETWEEN", "M")},
    {"Condition", "a < :s OR a < :n OR a < :b", V, NULL},
    {"Condition", "a = :m OR a <> :ss OR a IN (:l, :null, :bs)", V, NULL},
    {"Condition", "begins_with(a, :n)", V, TYPE("begins_with", "N")},
    {"Condition", "begins_with(:ss, a)", V, TYPE("begins_with", "SS")},
    {"Condition", "begins_with(a, size(b))", V, TYPE("begins_with", "N")},
    {"Condition", "begins_with(a, :b) AND begins_with(:s, a)", V, NULL},
    {"Condition", "contains(:n, a) AND contains(a, :m)", V, NULL},
    {"Condition", "size(:n) = a", V, TYPE("size", "N")},
    {"Condition", "size(:bool) = a", V, TYPE("size", "BOOL")},
    {"Condition", "size(:null) = a", V, TYPE("size", "NULL")},
    {"Condition", "size(size(a)) = b", V, TYPE("size", "N")},
    {"Condition", "size(:s) = size(:b) AND size(:ss) = size(:ns) AND size(:bs) = size(:l)", V,
     NULL},
    {"Condition", "size(:m) < size(a)", V, NULL},
    {"Condition", "attribute_not_exists(size(:n))", V, TYPE("size", "N")},
    {"Condition", "attribute_type(a, :n)", V, TYPE("attribute_type", "N")},
    {"Condition", "attribute_type(a, size(b))", V, TYPE("attribute_type", "N")},
    {"Condition", "attribute_type(a, b)", V, TYPE("attribute_type", ALL_CODES)},
    {"Condition", "attribute_type(a, :word)", V,
     "Invalid attribute type name found; type: STRING, valid types: "
     "{S,SS,N,NS,B,BS,BOOL,NULL,L,M}"},
    {"Condition", "attribute_type(a, :type)", V, NULL},
    {"Condition", "a = :s OR (b = :s AND a < :bool)", V, TYPE("<", "BOOL")},
    {"Update", "SET a = :s + :n", V, TYPE("+", "S")},
    {"Update", "SET a = b - :ss", V, TYPE("-", "SS")},
    {"Update", "SET a = if_not_exists(b, :s) + :n", V, NULL},
    {"Update", "SET a = list_append(:l, :m)", V, TYPE("list_append", "M")},
    {"Update", "SET a = list_append(:s, b)", V, TYPE("list_append", "S")},
    {"Update", "SET a = list_append(if_not_exists(b, :l), :l) + :l", V, TYPE("+", "L")},
    {"Update", "ADD a :s", V, ACTION_TYPE("ADD", "STRING")},
    {"Update", "ADD a :b", V, ACTION_TYPE("ADD", "BINARY")},
    {"Update", "ADD a :bool", V, ACTION_TYPE("ADD", "BOOLEAN")},
    {"Update", "ADD a :null", V, ACTION_TYPE("ADD", "NULL")},
    {"Update", "ADD a :l", V, ACTION_TYPE("ADD", "LIST")},
    {"Update", "ADD a :m", V, ACTION_TYPE("ADD", "MAP")},
    {"Update", "ADD a :n, b :ns, c :ss, d :bs DELETE e :ns, f :ss, g :bs", V, NULL},
    {"Update", "DELETE a :n", V, ACTION_TYPE("DELETE", "NUMBER")},
    {"Update", "DELETE a :l", V, ACTION_TYPE("DELETE", "LIST")},
    /* bounds of BETWEEN */
    {"Condition", "a BETWEEN :n AND :s0", V, BOUND_TYPES("N:2", "S:a")},
    {"Condition", "a BETWEEN :s AND :b", V, BOUND_TYPES("S:b", "B:eg==")},
    {"Condition", "a BETWEEN :s AND :s0", V, BOUND_ORDER("S:b", "S:a")},
    {"Condition", "a BETWEEN :n AND :n0", V, BOUND_ORDER("N:2", "N:1")},
    {"Condition", "a BETWEEN :b AND :b0", V, BOUND_ORDER("B:eg==", "B:eQ==")},
    {"KeyCondition", "a BETWEEN :s AND :s0", V, BOUND_ORDER("S:b", "S:a")},
    {"Condition", "a BETWEEN :n AND :n", V, NULL},
    {"Condition", "a BETWEEN :n AND size(b)", V, NULL},
    {"Condition", "a BETWEEN b AND :s", V, NULL},
};

#define MANY \
    "m[0].a, m[0].b, m[0].c.z, m[1], m[2], m[3], x.a, x.b, x.d, x.e, x.f, x.g, x.h, x.i, x.j, "

static const struct unit_fault clashes[] = {
    {"Projection", "l, l[0]", V, OVERLAP("[l]", "[l, [0]]")},
    {"Projection", "a.b, a", V, OVERLAP("[a, b]", "[a]")},
    {"Projection", "a, b, #a", V, OVERLAP("[a]", "[a]")},
    {"Projection", "a.c, a[1]", V, CONFLICT("[a, c]", "[a, [1]]")},
    {"Projection", "a.b, a.c, l[0], l[1].x, l[1].y", V, NULL},
    {"Projection", "#dots, a.b", V, NULL},
    {"Update", "SET c[1].a = a, #c = :s", "{\"#c\":{\"S\":\"c\"},\":s\":{\"S\":\"\"}}",
     OVERLAP("[c, [1], a]", "[c]")},
    {"Update", "SET a = :s, a = :n", V, OVERLAP("[a]", "[a]")},
    {"Update", "SET a = :s, a.b = :n", V, OVERLAP("[a]", "[a, b]")},
    {"Update", "REMOVE a[0] SET a.b = :n", V, CONFLICT("[a, [0]]", "[a, b]")},
    {"Update", "ADD a :n DELETE a :ss", V, OVERLAP("[a]", "[a]")},
    {"Update", "SET a = a + :n", V, NULL},
    /* three paths: the first later one that clashes, with the earliest it clashes with */
    {"Projection", "b, a.x, a.y, b.c, a", V, OVERLAP("[b]", "[b, c]")},
    {"Projection", "a.x, a.y, a", V, OVERLAP("[a, x]", "[a]")},
    /* many paths */
    {"Projection", MANY "b.c, b.d", V, NULL},
    {"Projection", MANY "b.c, m[0].c.x, b", V, OVERLAP("[b, c]", "[b]")},
    {"Projection", MANY "b.c, m[0].c.x, m[0][2]", V, CONFLICT("[m, [0], a]", "[m, [0], [2]]")},
};

/* Which of two faults is reported. */
static const struct unit_fault orders[] = {
    /* words and functions in written order, then the rest */
    {"Condition", "abort = foo(a)", V, RESERVED("abort")},
    {"Condition", "foo(abort)", V, UNKNOWN("foo")},
    {"Condition", "a = :s AND foo(a) AND b = abort", V, UNKNOWN("foo")},
    {"Condition", "a[2147483648] = abort", V, INDEX("2147483648")},
    {"Condition", "attribute_exists(a, b) AND abort = :s", V, OPERANDS("attribute_exists", "2")},
    {"Condition", "#x = :s AND abort = :s", V, RESERVED("abort")},
    {"Condition", "a < :bool AND size(b)", V, MISPLACED("size")},
    /* one clause after the other; in each: names, values, lengths, operands */
    {"Condition", "a = :x AND #x = :s", V, NO_VALUE(":x")},
    {"Condition", ":x = #x", V, NO_NAME("#x")},
    {"Condition", "a < :bool AND b = :x", V, TYPE("<", "BOOL")},
    {"Condition", "contains(:x, #x)", V, NO_NAME("#x")},
    {"Condition", "(a < :bool OR b = :s) AND #x = :s", V, TYPE("<", "BOOL")},
    {"KeyCondition", "a = :x AND #x = :s", V, NO_VALUE(":x")},
    {"KeyCondition", "a < :bool OR #x = :s", V, TYPE("<", "BOOL")},
    {"KeyCondition", "a = :s OR #x = :s", V, NO_NAME("#x")},
    {"Condition", "a BETWEEN a AND :bool", V, SAME("BETWEEN", "[a]")},
    {"Condition", "a BETWEEN :s AND :bool", V, TYPE("BETWEEN", "BOOL")},
    /* updates: sections, target names, clashes, operands' names and values, types */
    {"Update", "SET a = :s SET b = :s", V, ONCE("SET")},
    {"Update", "remove a ADD b :n remove c", V, ONCE("REMOVE")},
    {"Update", "add a :n add b :n delete c :ss delete d :ss", V, ONCE("ADD")},
    {"Update", "DELETE a :ss DELETE b :ss", V, ONCE("DELETE")},
    {"Update", "SET a = :s SET abort = :s", V, RESERVED("abort")},
    {"Update", "SET a = foo(b) SET b = :s", V, UNKNOWN("foo")},
    {"Update", "SET #x = :s SET b = :s", V, ONCE("SET")},
    {"Update", "SET a = :x, #x = :s", V, NO_NAME("#x")},
    {"Update", "SET a = #x, a = :x", V, OVERLAP("[a]", "[a]")},
    {"Update", "SET a = #x, #x1 = :x", V, NO_NAME("#x1")},
    {"Update", "SET a = :x, b = #x", V, NO_VALUE(":x")},
    {"Update", "SET a = list_append(:s, b), c = :x", V, NO_VALUE(":x")},
    {"Update", "SET a = if_not_exists(:s, b) ADD c :x", V, NO_VALUE(":x")},
    {"Update", "SET a = list_append(:s, b) ADD c :s", V, ACTION_TYPE("ADD", "STRING")},
    {"Update", "SET a = list_append(b), c = :s + :s", V, OPERANDS("list_append", "1")},
    {"Update", "DELETE a :n ADD b :s", V, ACTION_TYPE("DELETE", "NUMBER")},
    {"Projection", "#x, abort", V, RESERVED("abort")},
    {"Projection", "a, a, #x", V, NO_NAME("#x")},
};

START_TEST(knows_words_and_functions)
{
    unit_check_fault(&words[_i]);
}
END_TEST

START_TEST(misses_placeholders)
{
    unit_check_fault(&placeholders[_i]);
}
END_TEST

START_TEST(checks_operands)
{
    unit_check_fault(&operands[_i]);
}
END_TEST

START_TEST(names_the_first_pair_of_paths_that_clash)
{
    unit_check_fault(&clashes[_i]);
}
END_TEST

START_TEST(reports_faults_in_order)
{
    unit_check_fault(&orders[_i]);
}
END_TEST

static const struct {
    const char *parameter, *before, *element;
    size_t count;
    const char *after, *message;
} limits[] = {
    {"Condition", "a IN (:s", ",:s", 99, ")", NULL},
    {"Condition", "a IN (:s", ",:s", 100, ")",
     "The IN operator is provided with too many operands; number of operands: 101"},
    {"Condition", "a IN (:s", ",:s", 162, ")",
     "The IN operator is provided with too many operands; number of operands: 163"},
    {"Condition", "a", ".a", 31, " = :s", NULL},
    {"Condition", "a", ".a", 32, " = :s",
     "The document path has too many nesting levels; nesting levels: 33"},
    {"Update", "SET b = a", "[1]", 32, "",
     "The document path has too many nesting levels; nesting levels: 33"},
    {"Update", "REMOVE a", "[1]", 40, "",
     "The document path has too many nesting levels; nesting levels: 41"},
    {"Condition", "a = :s", " or a=:s", 149, "", NULL},
    {"Condition", "a = :s", " or a=:s", 150, "",
     "The expression contains too many operators; operator count: 301"},
    {"Condition", "abort = :s", " or a=:s", 150, "", RESERVED("abort")},
    {"Condition", "a IN (:s, :n)", " and attribute_exists(a)", 149, "", NULL},
    {"Condition", "a BETWEEN :n AND :n", " and attribute_exists(a)", 150, "",
     "The expression contains too many operators; operator count: 301"},
    {"Update", "SET a = ", "if_not_exists(a,", 200, ":s", NULL},
};

START_TEST(keeps_limits)
{
    const char *close = _i + 1 == COUNT(limits) ? ")" : "";
    struct unit_fault row = {limits[_i].parameter,
                             arena_printf(arena, "%s%s%s%s", limits[_i].before,
                                          unit_repeat(limits[_i].element, limits[_i].count),
                                          limits[_i].after, unit_repeat(close, limits[_i].count)),
                             V, limits[_i].message};

    unit_check_fault(&row);
}
END_TEST

START_TEST(counts_sums_but_not_assignments)
{
    struct buf text = buf_in(arena);
    struct unit_fault row = {"Update", NULL, V, NULL};

    buf_add_text(&text, "SET b=:s");
    for (int i = 0; i < 300; i++)
        buf_printf(&text, ",a%d=a+:n", i);
    row.text = buf_text(&text);
    unit_check_fault(&row);
    buf_add_text(&text, ",c=a+:n");
    row.text = buf_text(&text);
    row.message = "The expression contains too many operators; operator count: 301";
    unit_check_fault(&row);
}
END_TEST

START_TEST(finds_placeholders_among_many)
{
    struct expr_vars vars = {0};
    const struct error *e;

    vars.name_count = vars.value_count = 1000;
    vars.names = arena_array(arena, 1000, sizeof *vars.names);
    vars.values = arena_array(arena, 1000, sizeof *vars.values);
    for (size_t i = 0; i < 1000; i++) {
        vars.names[i].key = span_of(arena_printf(arena, "#%zu", i * 7 % 1000));
        vars.names[i].name = span_of("a");
        vars.values[i].key = span_of(arena_printf(arena, ":%zu", i * 3 % 1000));
        vars.values[i].value.type = ATTR_L;
    }
    ck_assert_ptr_null(unit_read("Condition", "#999 = :0 OR #7 = :999", &vars));
    ck_assert(vars.names[1].used && !vars.names[0].used);
    ck_assert(vars.values[0].used && !vars.values[1].used);
    e = unit_read("Condition", "#0 = :1000", &vars);
    ck_assert_ptr_nonnull(e);
    ck_assert_span_eq(e->message, "Invalid Condition: " NO_VALUE(":1000"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, knows_words_and_functions, 0, COUNT(words));
    tcase_add_loop_test(tc, misses_placeholders, 0, COUNT(placeholders));
    tcase_add_loop_test(tc, checks_operands, 0, COUNT(operands));
    tcase_add_loop_test(tc, names_the_first_pair_of_paths_that_clash, 0, COUNT(clashes));
    tcase_add_loop_test(tc, reports_faults_in_order, 0, COUNT(orders));
    tcase_add_loop_test(tc, keeps_limits, 0, COUNT(limits));
    tcase_add_test(tc, counts_sums_but_not_assignments);
    tcase_add_test(tc, finds_placeholders_among_many);
}

UNIT_TESTS(expr_static, add_tests)
