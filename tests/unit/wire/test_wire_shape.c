#include "unit.h"

#include "base/utf8.h"
#include "model/limits.h"
#include "wire/wire_attr.h"
#include "wire/wire_shape.h"

/* One request with every kind of member and every quirk. */
static const struct wire_shape count = {.type = WIRE_INTEGER, WIRE_BOUNDS(1, 9)};
static const struct wire_shape units = {.type = WIRE_LONG, WIRE_AT_LEAST(1)};
static const struct wire_shape factor = {.type = WIRE_DOUBLE};
static const struct wire_shape moment = {.type = WIRE_TIMESTAMP};
static const struct wire_shape blob = {.type = WIRE_BLOB};
static const struct wire_shape color = {
    .type = WIRE_STRING, .values = NAMES("RED", "GREEN"), .new_values = NAMES("RED", "GREY")};
static const struct wire_shape short_text = {.type = WIRE_STRING, WIRE_BOUNDS(2, 4)};
static const struct wire_shape at_most = {.type = WIRE_STRING, WIRE_AT_MOST(3)};
static const struct wire_shape texts = {.type = WIRE_LIST, .element = &short_text, WIRE_AT_MOST(3)};
static const struct wire_shape labels = {.type = WIRE_MAP, .element = &at_most};
static const struct wire_shape colors = {.type = WIRE_LIST, .element = &color};
static const struct wire_shape counts = {.type = WIRE_LIST, .element = &count};
static const struct wire_member point_members[] = {
    {"X", &units, WIRE_REQUIRED},
    {"URL", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape point = {
    .type = WIRE_STRUCT, .name = "Point", .members = point_members, .printed_more = ", z=0"};
static const struct wire_shape points = {.type = WIRE_LIST, .element = &point, WIRE_AT_MOST(2)};
static const struct wire_member outer_members[] = {
    {"Inner", &point, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape outer = WIRE_STRUCT_FROM("Outer", outer_members);
static const struct wire_shape outers = {.type = WIRE_LIST, .element = &outer};
static const struct wire_shape needed = {.type = WIRE_STRING, .optional_with = "Instead"};
static const struct wire_shape point_map = {.type = WIRE_MAP, .element = &point};
static const struct wire_shape lists = {
    .type = WIRE_MAP, .element = &points, .key = &wire_table_name, .map_values_named = true};
static const struct wire_shape as_json = {
    .type = WIRE_MAP, .element = &wire_attr, WIRE_AT_MOST(1), .printed_as_json = true};

static const struct wire_member members[] = {
    {"Count", &count, WIRE_NEW_LENGTH},
    {"Name", &short_text, WIRE_NEW_LENGTH},
    {"Color", &color, WIRE_NEW_ENUM},
    {"Loud", &color, WIRE_NEW_ENUM | WIRE_ALONE},
    {"Bare", &color, WIRE_NEW_ENUM | WIRE_ALONE | WIRE_BARE},
    {"Plain", &color, 0},
    {"Units", &units, 0},
    {"Factor", &factor, 0},
    {"Moment", &moment, 0},
    {"Blob", &blob, 0},
    {"Flag", &wire_boolean, 0},
    {"Texts", &texts, 0},
    {"Labels", &labels, 0},
    {"Colors", &colors, 0},
    {"Counts", &counts, 0},
    {"Point", &point, 0},
    {"Points", &points, 0},
    {"PointMap", &point_map, 0},
    {"Lists", &lists, WIRE_LAST},
    {"Json", &as_json, 0},
    {"Own", &short_text, WIRE_UNCHECKED | WIRE_REQUIRED},
    {"Item", &wire_attr_map, WIRE_CLASSIC_DEEP},
    {"Outer", &outer, 0},
    {"Outers", &outers, 0},
    {NULL, NULL, 0},
};

static const wire_node *parse(const char *text)
{
    const wire_node *tree = NULL;
    const struct error *e = wire_parse(arena, span_of(text), &tree);

    ck_assert_msg(!e, "refused: %s", text);
    return tree;
}

#define ONE      "1 validation error detected: "
#define FAILED   " failed to satisfy constraint: Member must "
#define SET      "satisfy enum value set: "
#define AT_LEAST "have length greater than or equal to "
#define AT_MOST  "have length less than or equal to "

static const struct {
    const char *body;
    const char *message; /* NULL: fine */
} requests[] = {
    {"{}", NULL},
    {"{\"Count\":1,\"Name\":\"ab\",\"Color\":\"RED\",\"Plain\":\"GREEN\",\"Units\":1,\"Flag\":true,"
     "\"Texts\":[\"ab\"],\"Labels\":{\"a\":\"b\"},\"Colors\":[\"RED\"],\"Counts\":[1,9],"
     "\"Points\":[{\"X\":1}],\"PointMap\":{\"p\":{\"X\":2}},\"Lists\":{\"abc\":[{\"X\":1}]},"
     "\"Json\":{\"a\":{}},\"Own\":\"x\",\"Item\":{}}",
     NULL},
    {"{\"Count\":0,\"Units\":0}", ONE "Value at 'Count' failed to satisfy constraint: Member must "
                                      "have value greater than or equal to 1"},
    {"{\"Count\":10}", ONE "Value at 'Count' failed to satisfy constraint: Member must have value "
                           "less than or equal to 9"},
    {"{\"Name\":\"a\",\"Units\":0}",
     ONE "Value at 'Name' failed to satisfy constraint: Member must " AT_LEAST "2"},
    {"{\"Name\":\"abcde\"}", ONE "Value 'abcde' at 'name'" FAILED AT_MOST "4"},
    {"{\"Name\":\"\\ud83d\\ude00\\ud83d\\ude00\"}", NULL}, /* four UTF-16 units */
    {"{\"Name\":\"\\ud83d\\ude00\\ud83d\\ude00a\"}", ONE "Value '\xF0\x9F\x98\x80\xF0\x9F\x98\x80"
                                                         "a' at 'name'" FAILED AT_MOST "4"},
    {"{\"Name\":\"\xC3\xA9\"}", /* one unit in two bytes */
     ONE "Value at 'Name' failed to satisfy constraint: Member must " AT_LEAST "2"},
    {"{\"Color\":\"BLUE\",\"Plain\":\"BLUE\"}",
     "2 validation errors detected: Failed to satisfy constraint: Member must " SET
     "[RED, GREY]; Value 'BLUE' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Loud\":\"BLUE\",\"Plain\":\"BLUE\"}",
     ONE "Failed to satisfy constraint: Member must " SET "[RED, GREY]"},
    {"{\"Bare\":\"BLUE\",\"Plain\":\"BLUE\"}",
     "Failed to satisfy constraint: Member must " SET "[RED, GREY]"},
    {"{\"Plain\":\"\"}", ONE "Value '' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Plain\":\"RE\"}", ONE "Value 'RE' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Plain\":\"RED, GREEN\"}", ONE "Value 'RED, GREEN' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Plain\":\"]\"}", ONE "Value ']' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Units\":-5.5}",
     ONE "Value '-6' at 'units'" FAILED "have value greater than or equal to 1"},
    {"{\"Texts\":[\"ab\",\"a\"]}",
     ONE "Value '[ab, a]' at 'texts'" FAILED "satisfy constraint: [Member must " AT_MOST
         "4, Member must " AT_LEAST "2]"},
    {"{\"Texts\":[\"ab\",\"bc\",\"cd\",\"de\"]}",
     ONE "Value '[ab, bc, cd, de]' at 'texts'" FAILED AT_MOST "3"},
    {"{\"Labels\":{\"k\":\"long\"}}",
     ONE "Value '{k=long}' at 'labels' failed to satisfy constraint: Map value must satisfy "
         "constraint: [Member must " AT_MOST "3, Member must " AT_LEAST "0]"},
    {"{\"Colors\":[\"BLUE\"]}", ONE "Value '[BLUE]' at 'colors'" FAILED
                                    "satisfy constraint: [Member must " SET "[RED, GREEN]]"},
    {"{\"Counts\":[5,10]}",
     ONE "Value '[5, 10]' at 'counts'" FAILED "satisfy constraint: [Member must have value less "
         "than or equal to 9, Member must have value greater than or equal to 1]"},
    {"{\"Counts\":[null]}",
     ONE "Value '[null]' at 'counts'" FAILED "satisfy constraint: [Member must have value less "
         "than or equal to 9, Member must have value greater than or equal to 1]"},
    {"{\"Point\":{}}", ONE "Value null at 'point.x'" FAILED "not be null"},
    {"{\"Points\":[{\"X\":1},{\"X\":0},null]}",
     "3 validation errors detected: Value '[Point(x=1, uRL=null, z=0), Point(x=0, uRL=null, z=0), "
     "null]' at 'points'" FAILED AT_MOST "2; Value '0' at 'points.2.member.x'" FAILED
     "have value greater than or equal to 1; Value null at 'points.3.member'" FAILED "not be null"},
    {"{\"PointMap\":{\"a.b\":{\"URL\":\"u\"}}}",
     ONE "Value null at 'pointMap.a.b.member.x'" FAILED "not be null"},
    {"{\"Lists\":{\"a!c\":[{\"X\":1,\"URL\":\"u'\"}]}}",
     ONE "Value '{a!c=[Point(x=1, uRL=u', z=0)]}' at 'lists' failed to satisfy constraint: Map "
         "keys must satisfy constraint: [Member must " AT_MOST "255, Member must " AT_LEAST
         "3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"},
    {"{\"Lists\":{\"abc\":[{\"X\":1},{\"X\":2},{}]}}",
     "2 validation errors detected: Value '{abc=[Point(x=1, uRL=null, z=0), Point(x=2, uRL=null, "
     "z=0), Point(x=null, uRL=null, z=0)]}' at 'lists' failed to satisfy constraint: Map value "
     "must satisfy constraint: [Member must " AT_MOST "2, Member must " AT_LEAST
     "0]; Value null at "
     "'lists.abc.member.3.member.x'" FAILED "not be null"},
    {"{\"Plain\":\"BLUE\",\"Lists\":{\"a!c\":[]}}",
     ONE "Value 'BLUE' at 'plain'" FAILED SET "[RED, GREEN]"},
    {"{\"Json\":{\"a\":{\"N\":\"1\"},\"b\":{\"L\":[{\"BOOL\":true},{\"NULL\":null},{\"X\":1.50}]}}"
     "}",
     ONE
     "Value '{\"a\":{\"N\":\"1\"},\"b\":{\"L\":[{\"BOOL\":true},{\"NULL\":null},{\"X\":1.50}]}}'"
     " at 'json'" FAILED AT_MOST "1"},
    {"{\"Own\":\"much too long\"}", NULL},
    {"{\"Outer\":{\"Inner\":{\"X\":1}}}", NULL},
    {"{\"Outers\":[{\"Inner\":{}}]}",
     ONE "Value null at 'outers.1.member.inner.x'" FAILED "not be null"},
};

static const struct wire_member alternatives[] = {
    {"Needed", &needed, WIRE_REQUIRED},
    {"Instead", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct {
    const char *body;
    bool fine;
} alternative_requests[] = {
    {"{}", false},
    {"{\"Needed\":\"\"}", true},
    {"{\"Instead\":\"\"}", true},
    {"{\"Instead\":null}", false},
    {"{\"Needed\":\"\",\"Instead\":\"\"}", true},
};

START_TEST(requires_a_member_or_what_takes_its_place)
{
    const wire_node *body = parse(alternative_requests[_i].body);

    ck_assert_int_eq(!wire_check_members(arena, alternatives, body), alternative_requests[_i].fine);
}
END_TEST

START_TEST(checks_constraints)
{
    const wire_node *body = parse(requests[_i].body);
    const struct error *e;

    ck_assert_ptr_null(wire_check_types(arena, members, body));
    e = wire_check_members(arena, members, body);
    ck_assert_msg(!e == !requests[_i].message, "%s: %.*s", requests[_i].body,
                  e ? (int)e->message.len : 0, e ? e->message.at : "");
    if (!e)
        return;
    ck_assert_int_eq(e->kind, ERROR_VALIDATION);
    ck_assert_span_eq(e->message, requests[_i].message);
}
END_TEST

#define PACKAGE "com.amazonaws.dynamodb.v20120810."

static const struct {
    const char *body;
    const char *message; /* NULL: fine */
} mismatches[] = {
    {"{\"Count\":2.5,\"Factor\":1,\"Moment\":1.5,\"Flag\":\"No\",\"Blob\":\"AQ==\"}", NULL},
    {"{\"Plain\":null,\"Points\":[null],\"PointMap\":{\"a\":null}}", NULL},
    {"{\"Factor\":\"1\"}", "STRING_VALUE cannot be converted to Double"},
    {"{\"Factor\":true}", "TRUE_VALUE cannot be converted to Double"},
    {"{\"Moment\":\"now\"}", "STRING_VALUE cannot be converted to Date"},
    {"{\"Moment\":{}}", "Start of structure or map found where not expected"},
    {"{\"Count\":false}", "FALSE_VALUE cannot be converted to Integer"},
    {"{\"Plain\":1.0}", "DECIMAL_VALUE cannot be converted to String"},
    {"{\"Point\":[]}", "Unrecognized collection type class " PACKAGE "Point"},
    {"{\"PointMap\":[]}",
     "Unrecognized collection type java.util.Map<java.lang.String, " PACKAGE "Point>"},
    {"{\"Lists\":[]}", "Unrecognized collection type java.util.Map<java.lang.String, "
                       "java.util.List<" PACKAGE "Point>>"},
    {"{\"Labels\":[]}",
     "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
    {"{\"Labels\":{\"a\":{}}}", "Start of structure or map found where not expected"},
    {"{\"Own\":1}", "NUMBER_VALUE cannot be converted to String"},
    {"{\"Own\":1,\"Plain\":true}", "TRUE_VALUE cannot be converted to String"}, /* table order */
    {"{\"Plain\":1,\"Plain\":\"x\"}", NULL}, /* the last one counts */
    {"{\"Plain\":\"x\",\"Plain\":1}", "NUMBER_VALUE cannot be converted to String"},
    {"{\"Plain\":true,\"Own\":1,\"Plain\":\"x\"}", "NUMBER_VALUE cannot be converted to String"},
    {"{\"Labels\":{\"a\":1,\"b\":\"c\",\"a\":\"b\"}}", NULL},
    {"{\"Labels\":{\"a\":\"b\",\"a\":1}}", "NUMBER_VALUE cannot be converted to String"},
    {"{\"Item\":{\"a\":{\"S\":1,\"S\":\"x\"},\"b\":{\"N\":1},\"b\":{\"N\":\"1\"}}}", NULL},
    {"{\"Item\":{\"a\":{\"L\":[{\"S\":1}],\"L\":[1]}}}", "Unexpected value type in payload"},
    {"{\"Item\":{\"a\":{\"SS\":[1],\"S\":2.5}}}", "DECIMAL_VALUE cannot be converted to String"},
    {"{\"Blob\":\"AQI\"}", "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
    {"{\"Blob\":\"AR==\"}", "Invalid last non-pad Base64 character dectected"},
};

START_TEST(checks_json_types)
{
    const struct error *e = wire_check_types(arena, members, parse(mismatches[_i].body));

    ck_assert_int_eq(!e, !mismatches[_i].message);
    if (!e)
        return;
    ck_assert_int_eq(e->kind, ERROR_SERIALIZATION);
    ck_assert_span_eq(e->message, mismatches[_i].message);
}
END_TEST

START_TEST(lists_ten_errors_at_most)
{
    struct buf body = buf_in(arena);
    const struct error *e;
    size_t entries = 1;

    buf_add_text(&body, "{\"PointMap\":{");
    for (int i = 0; i < 30; i++)
        buf_printf(&body, "%s\"k%d\":{}", i ? "," : "", i);
    buf_add_text(&body, "}}");
    e = wire_check_members(arena, members, parse(buf_text(&body)));
    ck_assert_ptr_nonnull(e);
    ck_assert(span_starts_with(e->message, SPAN_LIT("10 validation errors detected: Value null")));
    for (size_t i = 0; i < e->message.len; i++)
        entries += e->message.at[i] == ';';
    ck_assert_uint_eq(entries, 10);
}
END_TEST

/* PREFIX, many times PART, SUFFIX. */
static const struct {
    const char *prefix, *part, *suffix, *end; /* `end` of the message */
} echoes[] = {
    {"{\"Texts\":[\"\"", ",\"abcdefgh\"", "]}", "]' at 'texts'" FAILED AT_MOST "3"},
    {"{\"Json\":{\"a\":{},\"b\":{\"L\":[1", ",{\"x\":\"\\u0001\"}", "]}}}",
     "' at 'json'" FAILED AT_MOST "1"},
    {"{\"Name\":\"", "\xF0\x9F\x98\x80", "\"}", "' at 'name'" FAILED AT_MOST "4"},
    {"{\"Json\":{\"a\":{},\"", "\xF0\x9F\x98\x80", "\":{}}}", "' at 'json'" FAILED AT_MOST "1"},
};

START_TEST(echoes_are_cut)
{
    struct buf body = buf_in(arena), tail = buf_in(arena);
    const struct error *e;

    buf_add_text(&body, echoes[_i].prefix);
    for (int i = 0; i < 100000; i++)
        buf_add_text(&body, echoes[_i].part);
    buf_add_text(&body, echoes[_i].suffix);
    ck_assert_ptr_nonnull(e = wire_check_members(arena, members, parse(buf_text(&body))));
    ck_assert_uint_ge(e->message.len, LIMIT_ECHO);
    ck_assert_uint_lt(e->message.len, LIMIT_ECHO + 1000);
    ck_assert(utf8_valid(e->message));
    buf_add_span(&tail, span_from(e->message, e->message.len - 300));
    ck_assert_ptr_nonnull(strstr(buf_text(&tail), echoes[_i].end));
}
END_TEST

/* HEAD, a megabyte of PART, TAIL; %d is another number in each. */
static const struct {
    const char *head, *part, *tail;
} large[] = {
    {"{\"Unknown\":[0", ",1", "]}"},
    {"{\"Unknown\":[[]", ",[]", "]}"},
    {"{\"Unknown\":{\"\":1", ",\"\":1", "}}"},
    {"{\"Unknown\":{}", ",\"\":1", "}"},
    {"{\"Unknown\":{}", ",\"%06d\":1", "}"},
    {"{\"Texts\":[\"a\"", ",\"\"", "]}"},
    {"{\"Texts\":[1", ",1", "]}"},
    {"{\"Points\":[{}", ",{}", "]}"},
    {"{\"PointMap\":{\"a\":{}", ",\"%08d\":{}", "}}"},
    {"{\"Plain\":1", ",\"Plain\":1", "}"},
    {"{\"Item\":{\"a\":{\"L\":[{\"N\":\"1\"}", ",{\"N\":\"1\"}", "]}}}"},
    {"{\"Item\":{\"a\":{\"NULL\":true}", ",\"%08d\":{\"NULL\":true}", "}}"},
    {"{\"Item\":{\"a\":{\"NS\":[\"0\"", ",\"1%06d\"", "]}}}"},
    {"{\"Item\":{\"a\":{\"S\":\"", "\\u0001", "\"}}}"},
    {"{\"Item\":{\"a\":{\"M\":{\"b\":{\"L\":[", "[[[[[[[[[[[[]]]]]]]]]]]],", "1]}}}}}"},
};

static struct span large_body(int row)
{
    struct buf body = buf_in(arena);
    const char *digits = strstr(large[row].part, "%0");
    size_t before = digits ? (size_t)(digits - large[row].part) : 0;

    buf_add_text(&body, large[row].head);
    for (int i = 0; body.len < (size_t)1 << 20; i++) {
        if (!digits) {
            buf_add_text(&body, large[row].part);
            continue;
        }
        buf_add(&body, large[row].part, before);
        buf_printf(&body, "%0*d", digits[2] - '0', i);
        buf_add_text(&body, digits + 4);
    }
    buf_add_text(&body, large[row].tail);
    return buf_span(&body);
}

START_TEST(reading_takes_five_times_the_text_at_most)
{
    struct span text = large_body(_i);
    const struct arena_budget budget = {5 * text.len, 100 * (int64_t)text.len};
    const wire_node *body, *item;
    struct arena *a = arena_new();
    struct item it;
    jmp_buf landing;

    if (setjmp(landing))
        ck_abort_msg("%.60s: takes more", text.at);
    arena_limit(a, &budget, &landing);
    ck_assert_ptr_null(wire_parse(a, text, &body));
    wire_forget_unknown(body, members);
    if (!wire_check_types(a, members, body) && !wire_check_members(a, members, body) &&
        (item = wire_get(body, "Item")))
        ck_assert_ptr_null(wire_read_item(a, item, WIRE_LAYER_CURRENT, &it));
    arena_free(a);
}
END_TEST

/* {"Name":"a", "Item":{"v": … in `depth` lists}} */
static const wire_node *deep_request(size_t depth)
{
    struct buf body = buf_in(arena);

    buf_add_text(&body, "{\"Name\":\"a\",\"Color\":\"BLUE\",\"Item\":{\"v\":");
    for (size_t i = 0; i < depth; i++)
        buf_add_text(&body, "{\"L\":[");
    buf_add_text(&body, "{\"S\":\"x\"}");
    for (size_t i = 0; i < depth; i++)
        buf_add_text(&body, "]}");
    buf_add_text(&body, "}}");
    return parse(buf_text(&body));
}

START_TEST(falls_back_to_the_classic_form_when_values_are_very_deep)
{
    const wire_node *deep = deep_request(63), *less = deep_request(62);

    ck_assert(wire_is_classic(members, deep));
    ck_assert_span_eq(wire_check_members(arena, members, deep)->message,
                      "2 validation errors detected: Value 'a' at 'name'" FAILED AT_LEAST
                      "2; Value 'BLUE' at 'color'" FAILED SET "[RED, GREEN]");
    ck_assert(!wire_is_classic(members, less));
    ck_assert_span_eq(wire_check_members(arena, members, less)->message, ONE
                      "Value at 'Name' failed to satisfy constraint: Member must " AT_LEAST "2");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, checks_constraints, 0, COUNT(requests));
    tcase_add_loop_test(tc, requires_a_member_or_what_takes_its_place, 0,
                        COUNT(alternative_requests));
    tcase_add_loop_test(tc, checks_json_types, 0, COUNT(mismatches));
    tcase_add_loop_test(tc, reading_takes_five_times_the_text_at_most, 0, COUNT(large));
    tcase_add_loop_test(tc, echoes_are_cut, 0, COUNT(echoes));
    tcase_add_test(tc, lists_ten_errors_at_most);
    tcase_add_test(tc, falls_back_to_the_classic_form_when_values_are_very_deep);
}

UNIT_TESTS(wire_shape, add_tests)
