/* Shapes of requests, and which access pattern a request is. */
#include "catalogue/catalogue.h"
#include "unit.h"

#define T         "\"TableName\":\"T\""
#define PLACED(n) ",\"ExpressionAttributeNames\":{\"#n\":\"" n "\"}"
#define VALUES(v) ",\"ExpressionAttributeValues\":{" v "}"
#define KEY(e)    ",\"KeyConditionExpression\":\"" e "\""
#define FILTER(e) ",\"FilterExpression\":\"" e "\""

static const wire_node *parsed(const char *text)
{
    const wire_node *body;

    ck_assert(wire_parse(arena, span_of(arena_text(arena, span_of(text))), &body) == NULL);
    return body;
}

static struct catalogue_shape shape_of(const char *operation, const char *body)
{
    return catalogue_shape_of(arena, op_find(OP_DYNAMODB, span_of(operation)), parsed(body));
}

/* --- shapes ----------------------------------------------------------------------------------- */

static const struct {
    const char *operation, *body, *shape;
} shapes[] = {
    {"Query", "{" T KEY("a = :a AND begins_with(b, :b)") VALUES("\":a\":{\"S\":\"x\"}") "}",
     "Query T where a = ? AND begins_with(b, ?)"},
    {"Query", "{" T KEY("begins_with(b, :x) and :y = #n") PLACED("a") ",\"Limit\":1}",
     "Query T where a = ? AND begins_with(b, ?)"},
    {"Query", "{" T ",\"IndexName\":\"I\"" KEY("a = :a") FILTER("c IN (:c, :d) AND NOT d < :d") "}",
     "Query T.I where a = ? filter NOT d < ? AND c IN (?)"},
    {"Query", "{" T KEY("a = :a AND b BETWEEN :c AND :d") "}",
     "Query T where a = ? AND b BETWEEN ? AND ?"},
    {"Query",
     "{" T
     ",\"KeyConditions\":{\"b\":{\"ComparisonOperator\":\"BEGINS_WITH\",\"AttributeValueList\":"
     "[{\"S\":\"x\"}]},\"a\":{\"ComparisonOperator\":\"EQ\",\"AttributeValueList\":[{\"S\":\"x\"}]}"
     "}}",
     "Query T where a = ? AND begins_with(b, ?)"},
    {"Scan", "{" T FILTER("a = :a OR (b > :b AND :c < size(c))") "}",
     "Scan T filter (? < size(c) AND b > ?) OR a = ?"},
    {"Scan", "{" T FILTER("a =") "}", "Scan T"},
    {"Scan", "{" T ",\"ProjectionExpression\":\"b.c[2], #n\"" PLACED("a") "}",
     "Scan T show a, b.c[2]"},
    {"Scan", "{" T ",\"AttributesToGet\":[\"b\",\"a\"]}", "Scan T show a, b"},
    {"GetItem", "{" T ",\"Key\":{\"b\":{\"S\":\"x\"},\"a\":{\"S\":\"y\"}}}", "GetItem T"},
    {"UpdateItem",
     "{" T ",\"Key\":{\"a\":{\"S\":\"y\"}},\"UpdateExpression\":\"SET c = :c, b = b + :b REMOVE "
     "d\",\"ConditionExpression\":\"attribute_exists(a)\"}",
     "UpdateItem T do REMOVE d, SET b = b + ?, SET c = ? if attribute_exists(a)"},
    {"PutItem", "{" T ",\"Item\":{\"a\":{\"S\":\"y\"}}}", "PutItem T"},
    {"BatchGetItem",
     "{\"RequestItems\":{\"U\":{\"Keys\":[{\"a\":{\"S\":\"1\"}},{\"a\":{\"S\":\"2\"}}]},\"T\":{"
     "\"Keys\":[{\"a\":{\"S\":\"1\"}}],\"ProjectionExpression\":\"b\"}}}",
     "BatchGetItem key of T show b; key of U"},
    {"BatchWriteItem",
     "{\"RequestItems\":{\"T\":[{\"PutRequest\":{\"Item\":{\"a\":{\"S\":\"1\"}}}},{"
     "\"DeleteRequest\":{\"Key\":{\"a\":{\"S\":\"2\"}}}}]}}",
     "BatchWriteItem item of T; key of T"},
    {"TransactWriteItems",
     "{\"TransactItems\":[{\"Update\":{" T ",\"Key\":{\"a\":{\"S\":\"1\"}},\"UpdateExpression\":"
     "\"SET b = :b\"}},{\"Put\":{" T ",\"Item\":{\"a\":{\"S\":\"1\"}}}}]}",
     "TransactWriteItems Put T; Update T do SET b = ?"},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM \\\"T\\\" WHERE a = 'x' and b>?\"}",
     "ExecuteStatement select * from T where a = ? and b > ?"},
    {"ListTables", "{}", "ListTables"},
};

START_TEST(a_shape_has_no_values_and_no_placeholders)
{
    struct catalogue_shape shape = shape_of(shapes[_i].operation, shapes[_i].body);

    ck_assert_str_eq(arena_text(arena, shape.text), shapes[_i].shape);
}
END_TEST

/* --- patterns --------------------------------------------------------------------------------- */

#define STEP(name, op, request)                                                 \
    "{\"name\":\"" name "\",\"question\":\"q\",\"steps\":[{\"operation\":\"" op \
    "\",\"request\":{" request "}}]}"
#define BEGINS_WITH(text)                  \
    T KEY("a = :a AND begins_with(b, :b)") \
        VALUES("\":a\":{\"S\":\"{who}\"},\":b\":{\"S\":\"" text "\"}")
#define BY_ID(filter) \
    T ",\"IndexName\":\"byId\"" KEY("id = :i") filter VALUES("\":i\":{\"S\":\"7\"}")
#define ITEM(sort) T ",\"Key\":{\"a\":{\"$from\":\"s\",\"at\":\"/x\"},\"b\":{\"S\":\"" sort "\"}}"

#define OPEN  STEP("open", "Query", BEGINS_WITH("OPEN#"))
#define DONE  STEP("done", "Query", BEGINS_WITH("DONE#"))
#define AGAIN STEP("again", "Query", BEGINS_WITH("DONE#"))
#define BYID  STEP("by-id", "Query", BY_ID(""))
#define ONE   STEP("one", "GetItem", ITEM("ROW#{who}"))
#define BLUE  STEP("blue", "Query", BY_ID(FILTER("colour = :c")))
#define OTHER STEP("other", "GetItem", ITEM("OTHER#{who}"))

static const char patterns[] = "{\"values\":{\"who\":\"x\"},\"patterns\":[" OPEN "," DONE "," AGAIN
                               "," BYID "," ONE "," BLUE "," OTHER "]}";

static const struct {
    const char *operation, *body;
    const char *is;     /* the patterns, each with a blank behind it */
    const char *answer; /* what would have answered it */
} requests[] = {
    {"Query",
     "{\"TableName\":\"p-T\"" KEY("#n = :z AND begins_with(b, :y)") PLACED("a")
         VALUES("\":z\":{\"S\":\"u\"},\":y\":{\"S\":\"OPEN#\"}") "}",
     "open ", NULL},
    {"Query",
     "{\"TableName\":\"p-T\"" KEY("begins_with(b, :y) AND a = :z")
         VALUES("\":z\":{\"S\":\"u\"},\":y\":{\"S\":\"DONE#\"}") "}",
     "done again ", NULL},
    {"Query",
     "{\"TableName\":\"p-T\"" KEY("a = :z AND begins_with(b, :y)")
         VALUES("\":z\":{\"S\":\"u\"},\":y\":{\"S\":\"NONE#\"}") "}",
     "open done again ", NULL},
    {"GetItem", "{\"TableName\":\"p-T\",\"Key\":{\"b\":{\"S\":\"ROW#9\"},\"a\":{\"S\":\"z\"}}}",
     "one ", NULL},
    {"Query", "{\"TableName\":\"T\"" KEY("a = :z AND begins_with(b, :y)") "}", "", NULL},
    {"Scan", "{\"TableName\":\"p-T\"" FILTER("id = :i") "}", "", "by-id"},
    {"Scan", "{\"TableName\":\"p-T\"" FILTER("id = :i AND x > :x") "}", "", "by-id"},
    {"Scan", "{\"TableName\":\"p-T\"" FILTER("id = :i OR x > :x") "}", "", NULL},
    {"Scan", "{\"TableName\":\"p-T\"" FILTER("id > :i") "}", "", NULL},
    {"Scan", "{\"TableName\":\"p-T\"" FILTER("a = :i AND b = :b") "}", "", "open"},
    {"Scan", "{\"TableName\":\"p-T\"}", "", NULL},
    {"Query", "{\"TableName\":\"p-T\",\"IndexName\":\"byId\"" KEY("id = :i") FILTER("x = :x") "}",
     "", NULL},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM \\\"p-T\\\" WHERE id = '1'\"}", "",
     "by-id"},
    {"ExecuteStatement",
     "{\"Statement\":\"SELECT * FROM \\\"p-T\\\".\\\"byId\\\" WHERE id = '1'\"}", "", NULL},
    {"PutItem", "{\"TableName\":\"p-T\",\"Item\":{\"id\":{\"S\":\"1\"}}}", "", NULL},
};

static const struct catalogue *open_catalogue(void)
{
    struct pattern_file *file = arena_alloc(arena, sizeof *file);
    struct catalogue *c;

    ck_assert_ptr_null(pattern_file_parse(arena, "f", SPAN_LIT(patterns), file));
    ck_assert_pstr_eq(catalogue_new(arena, file, 1, "p-", &c), NULL);
    return c;
}

static struct catalogue_match match_of(const struct catalogue *c, const char *operation,
                                       const char *body)
{
    static const struct error error = {.kind = ERROR_CONDITION_FAILED};
    const struct call_record record = {
        .op = op_find(OP_DYNAMODB, span_of(operation)), .body = parsed(body), .error = &error};
    struct catalogue_match m;

    catalogue_match(c, arena, &record, &m);
    return m;
}

static const char *names_of(const struct catalogue_match *m)
{
    struct buf names = buf_in(arena);

    for (size_t i = 0; i < m->count; i++)
        buf_printf(&names, "%s ", m->steps[i]->pattern->name);
    return buf_text(&names);
}

static void expect_row(const struct catalogue *c, int row)
{
    struct catalogue_match m = match_of(c, requests[row].operation, requests[row].body);

    ck_assert_str_eq(names_of(&m), requests[row].is);
    ck_assert_pstr_eq(m.answer ? m.answer->pattern->name : NULL, requests[row].answer);
}

START_TEST(a_request_is_the_patterns_of_its_shape)
{
    expect_row(open_catalogue(), _i);
}
END_TEST

/* Each row after each other one, and after itself. */
START_TEST(what_came_before_changes_nothing)
{
    const struct catalogue *c = open_catalogue();

    for (int i = 0; i < (int)COUNT(requests); i++) {
        expect_row(c, _i);
        expect_row(c, i);
    }
}
END_TEST

#define PT         "\"TableName\":\"p-T\""
#define AT(a, b)   ",\"Key\":{\"a\":{\"S\":\"" a "\"},\"b\":{\"S\":\"" b "\"}}"
#define BEGIN(b)   VALUES("\":a\":{\"S\":\"u\"},\":b\":{\"S\":\"" b "\"}")
#define BY_I       PT ",\"IndexName\":\"byId\""
#define IS_NULL(a) ",\"QueryFilter\":{\"" a "\":{\"ComparisonOperator\":\"NULL\"}}"

/* Each differs in one thing from another one. */
static const struct {
    const char *operation, *body, *is, *shape;
} neighbours[] = {
    {"GetItem", "{" PT AT("1", "ROW#1") "}", "one ", "GetItem p-T"},
    {"GetItem", "{" PT AT("1", "OTHER#1") "}", "other ", "GetItem p-T"},
    {"GetItem", "{" PT AT("1", "1") "}", "one other ", "GetItem p-T"},
    {"GetItem", "{" PT ",\"Key\":{\"b\":{\"S\":\"OTHER#1\"},\"a\":{\"N\":\"1\"}}}", "other ",
     "GetItem p-T"},
    {"GetItem", "{" PT ",\"Key\":{\"c\":{\"S\":\"OTHER#1\"},\"b\":{\"S\":\"1\"}}}", "other ",
     "GetItem p-T"},
    {"GetItem", "{" PT ",\"Key\":{\"b\":{\"S\":\"OTHER#1\"}}}", "one other ", "GetItem p-T"},
    {"GetItem", "{\"TableName\":\"p-U\"" AT("1", "ROW#1") "}", "", "GetItem p-U"},
    {"DeleteItem", "{" PT AT("1", "ROW#1") "}", "", "DeleteItem p-T"},
    {"Query", "{" PT KEY("a = :a AND begins_with(b, :b)") BEGIN("OPEN#") "}", "open ",
     "Query p-T where a = ? AND begins_with(b, ?)"},
    {"Query", "{" PT KEY("a = :a AND begins_with(b, :b)") BEGIN("DONE#") "}", "done again ",
     "Query p-T where a = ? AND begins_with(b, ?)"},
    {"Query", "{" PT KEY("a = :b AND begins_with(b, :a)") BEGIN("DONE#") "}", "open done again ",
     "Query p-T where a = ? AND begins_with(b, ?)"},
    {"Query", "{" BY_I KEY("id = :i") "}", "by-id ", "Query p-T.byId where id = ?"},
    {"Query", "{" PT ",\"IndexName\":null" KEY("id = :i") "}", "", "Query p-T where id = ?"},
    {"Query", "{" PT ",\"IndexName\\\"x\":\"byId\"" KEY("id = :i") "}", "",
     "Query p-T where id = ?"},
    {"Query", "{" BY_I KEY("#n = :i") PLACED("id") "}", "by-id ", "Query p-T.byId where id = ?"},
    {"Query", "{" BY_I KEY("#n = :i") PLACED("x") "}", "", "Query p-T.byId where x = ?"},
    {"Query", "{" BY_I KEY("id = :i") FILTER("colour = :i") "}", "blue ",
     "Query p-T.byId where id = ? filter colour = ?"},
    {"Query", "{" BY_I KEY("id = :i") IS_NULL("x") "}", "",
     "Query p-T.byId where id = ? filter attribute_not_exists(x)"},
    {"Query", "{" BY_I KEY("id = :i") IS_NULL("y") "}", "",
     "Query p-T.byId where id = ? filter attribute_not_exists(y)"},
};

START_TEST(what_is_written_otherwise_is_another_kind)
{
    const struct catalogue *c = open_catalogue();

    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < COUNT(neighbours); i++) {
            struct catalogue_match m = match_of(c, neighbours[i].operation, neighbours[i].body);

            ck_assert_str_eq(names_of(&m), neighbours[i].is);
            ck_assert_str_eq(arena_text(arena, m.shape), neighbours[i].shape);
        }
}
END_TEST

/* More kinds than are kept, some of them longer than any that is. */
START_TEST(kinds_that_are_forgotten_are_found_out_anew)
{
    const struct catalogue *c = open_catalogue();
    const char *more = arena_printf(arena, "%3000s", "");

    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++) {
            struct catalogue_match m = match_of(
                c, "Scan",
                arena_printf(arena, "{\"TableName\":\"p-T\"" FILTER("x%d%s = :x") "}", i,
                             i % 5 ? "" : more));

            ck_assert_str_eq(arena_text(arena, m.shape),
                             arena_printf(arena, "Scan p-T filter x%d = ?", i));
            if (i % 100 == 0)
                expect_row(c, i / 100);
        }
}
END_TEST

START_TEST(what_was_refused_at_the_door_is_not_looked_at)
{
    const struct error error = {.kind = ERROR_MISSING_TOKEN};
    const struct call_record record = {.op = op_find(OP_DYNAMODB, SPAN_LIT("Query")),
                                       .body = parsed("{" T KEY("a = :a") "}"),
                                       .error = &error};
    struct catalogue_match m;

    catalogue_match(open_catalogue(), arena, &record, &m);
    ck_assert(!m.shape.at);
}
END_TEST

START_TEST(a_hint_says_how_to_ask)
{
    const struct catalogue *c = open_catalogue();

    ck_assert_str_eq(catalogue_at(c, 3)->hint, "pattern 'by-id' answers this: Query byId by id");
    ck_assert_str_eq(catalogue_at(c, 4)->hint,
                     "pattern 'one' answers this: GetItem p-T by a and b");
    ck_assert(catalogue_has(c, SPAN_LIT("one")));
    ck_assert(!catalogue_has(c, SPAN_LIT("two")));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_shape_has_no_values_and_no_placeholders, 0, COUNT(shapes));
    tcase_add_loop_test(tc, a_request_is_the_patterns_of_its_shape, 0, COUNT(requests));
    tcase_add_loop_test(tc, what_came_before_changes_nothing, 0, COUNT(requests));
    tcase_add_test(tc, what_is_written_otherwise_is_another_kind);
    tcase_add_test(tc, kinds_that_are_forgotten_are_found_out_anew);
    tcase_add_test(tc, what_was_refused_at_the_door_is_not_looked_at);
    tcase_add_test(tc, a_hint_says_how_to_ask);
}

UNIT_TESTS(catalogue, add_tests)
