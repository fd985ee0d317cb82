#include "unit.h"

#include "stream_lambda/lambda_filter.h"
#include "wire/json.h"

static struct lambda_filter filter_of(const char *pattern)
{
    struct lambda_filter f = {NULL};
    const char *problem = lambda_filter_read(arena, span_of(pattern), &f);

    ck_assert_msg(!problem, "%s: %s", pattern, problem);
    return f;
}

static const wire_node *record_of(const char *text)
{
    const wire_node *tree = NULL;

    ck_assert_msg(json_parse(arena, span_of(text), &tree), "not JSON: %s", text);
    return tree;
}

#define ORDER                                                                               \
    "{\"eventName\":\"INSERT\",\"dynamodb\":{\"Keys\":{\"id\":{\"S\":\"o#1\"}},"            \
    "\"NewImage\":{\"id\":{\"S\":\"o#1\"},\"kind\":{\"S\":\"order\"},\"n\":{\"N\":\"5\"},"  \
    "\"paid\":{\"BOOL\":true},\"gone\":{\"NULL\":true},\"tags\":{\"SS\":[\"a\",\"bc\"]},"   \
    "\"lines\":{\"L\":[{\"S\":\"x\"},{\"M\":{\"q\":{\"S\":\"y\"}}}]},\"no\":{\"S\":\"\"}}," \
    "\"SizeBytes\":26,\"SequenceNumber\":\"111\"},\"nothing\":null}"
#define IMAGE(inner) "{\"dynamodb\":{\"NewImage\":{" inner "}}}"

static const struct {
    const char *pattern;
    bool matches;
} patterns[] = {
    {"{}", true},
    /* values */
    {"{\"eventName\":[\"INSERT\"]}", true},
    {"{\"eventName\":[\"MODIFY\"]}", false},
    {"{\"eventName\":[\"MODIFY\",\"INSERT\"]}", true},
    {"{\"eventname\":[\"INSERT\"]}", false},
    {"{\"eventName\":[\"INSERT\"],\"dynamodb\":{\"NewImage\":{\"kind\":{\"S\":[\"order\"]}}}}",
     true},
    {"{\"eventName\":[\"MODIFY\"],\"dynamodb\":{\"NewImage\":{\"kind\":{\"S\":[\"order\"]}}}}",
     false},
    {"{\"eventName\":[\"INSERT\"],\"dynamodb\":{\"NewImage\":{\"kind\":{\"S\":[\"user\"]}}}}",
     false},
    {IMAGE("\"kind\":[\"order\"]"), false},
    {IMAGE("\"paid\":{\"BOOL\":[true]}"), true},
    {IMAGE("\"paid\":{\"BOOL\":[false]}"), false},
    {IMAGE("\"no\":{\"S\":[\"\"]}"), true},
    {IMAGE("\"n\":{\"N\":[\"5\"]}"), true},
    {IMAGE("\"n\":{\"N\":[5]}"), false},
    {"{\"dynamodb\":{\"SizeBytes\":[26]}}", true},
    {"{\"dynamodb\":{\"SizeBytes\":[26.0]}}", true},
    {"{\"nothing\":[null]}", true},
    {"{\"absent\":[null]}", false},
    /* lists in the record: one element has to match */
    {IMAGE("\"tags\":{\"SS\":[\"bc\"]}"), true},
    {IMAGE("\"tags\":{\"SS\":[\"c\"]}"), false},
    {IMAGE("\"lines\":{\"L\":{\"S\":[\"x\"]}}"), true},
    {IMAGE("\"lines\":{\"L\":{\"M\":{\"q\":{\"S\":[\"y\"]}}}}"), true},
    {IMAGE("\"lines\":{\"L\":{\"M\":{\"q\":{\"S\":[\"z\"]}}}}"), false},
    /* prefix, suffix, equals-ignore-case */
    {IMAGE("\"id\":{\"S\":[{\"prefix\":\"o#\"}]}"), true},
    {IMAGE("\"id\":{\"S\":[{\"prefix\":\"\"}]}"), true},
    {IMAGE("\"id\":{\"S\":[{\"prefix\":\"o#1 \"}]}"), false},
    {IMAGE("\"id\":{\"S\":[{\"suffix\":\"#1\"}]}"), true},
    {IMAGE("\"id\":{\"S\":[{\"suffix\":\"#2\"}]}"), false},
    {IMAGE("\"id\":{\"S\":[{\"suffix\":\"xo#1\"}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"equals-ignore-case\":\"ORDER\"}]}"), true},
    {IMAGE("\"kind\":{\"S\":[{\"equals-ignore-case\":\"ORDERS\"}]}"), false},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"prefix\":\"2\"}]}}", false},
    {IMAGE("\"absent\":{\"S\":[{\"prefix\":\"\"}]}"), false},
    /* anything-but */
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":\"user\"}]}"), true},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":\"order\"}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":[\"user\",\"order\"]}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":[\"user\",1]}]}"), true},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":{\"prefix\":\"or\"}}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":{\"prefix\":[\"us\",\"xx\"]}}]}"), true},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":{\"suffix\":[\"us\",\"er\"]}}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"anything-but\":{\"equals-ignore-case\":\"Order\"}}]}"), false},
    {IMAGE("\"absent\":{\"S\":[{\"anything-but\":\"user\"}]}"), false},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"anything-but\":26}]}}", false},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"anything-but\":[25,27]}]}}", true},
    /* numeric: of JSON numbers, which attribute values of type N are not */
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\"=\",26]}]}}", true},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\"<\",26]}]}}", false},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\"<=\",26]}]}}", true},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\">\",25.5]}]}}", true},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\">=\",0,\"<\",26]}]}}", false},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\">=\",0,\"<\",27]}]}}", true},
    {IMAGE("\"n\":{\"N\":[{\"numeric\":[\"=\",5]}]}"), false},
    /* exists looks at leaves */
    {"{\"eventName\":[{\"exists\":true}]}", true},
    {"{\"eventName\":[{\"exists\":false}]}", false},
    {"{\"nothing\":[{\"exists\":true}]}", true},
    {IMAGE("\"absent\":{\"S\":[{\"exists\":false}]}"), true},
    {IMAGE("\"absent\":{\"S\":[{\"exists\":true}]}"), false},
    {IMAGE("\"kind\":{\"S\":[{\"exists\":true}]}"), true},
    {IMAGE("\"kind\":[{\"exists\":true}]"), false},
    {IMAGE("\"kind\":[{\"exists\":false}]"), true},
    {"{\"dynamodb\":{\"OldImage\":{\"a\":{\"S\":[{\"exists\":false}]}}}}", true},
    {"{\"eventName\":[\"MODIFY\",{\"exists\":true}]}", true},
    /* $or */
    {"{\"$or\":[{\"eventName\":[\"MODIFY\"]},{\"dynamodb\":{\"SizeBytes\":[26]}}]}", true},
    {"{\"$or\":[{\"eventName\":[\"MODIFY\"]},{\"dynamodb\":{\"SizeBytes\":[27]}}]}", false},
    {"{\"eventName\":[\"MODIFY\"],\"$or\":[{},{\"dynamodb\":{\"SizeBytes\":[26]}}]}", false},
    {"{\"dynamodb\":{\"$or\":[{\"SizeBytes\":[1]},{\"Keys\":{\"id\":{\"S\":[\"o#1\"]}}}]}}", true},
};

START_TEST(matches_as_the_mapping_does)
{
    struct lambda_filter f = filter_of(patterns[_i].pattern);

    ck_assert_msg(lambda_filter_any_matches(&f, 1, record_of(ORDER)) == patterns[_i].matches, "%s",
                  patterns[_i].pattern);
}
END_TEST

START_TEST(one_of_several_has_to_match)
{
    struct lambda_filter filters[] = {filter_of("{\"eventName\":[\"REMOVE\"]}"),
                                      filter_of("{\"eventName\":[\"INSERT\"]}")};

    ck_assert(lambda_filter_any_matches(filters, 2, record_of(ORDER)));
    ck_assert(!lambda_filter_any_matches(filters, 1, record_of(ORDER)));
    ck_assert(lambda_filter_any_matches(filters, 0, record_of(ORDER)));
}
END_TEST

static const struct {
    const char *pattern, *problem;
} faults[] = {
    {"{", "it is not JSON"},
    {"[]", "an array where a list of values or an object belongs"},
    {"{\"a\":\"b\"}", "a string where a list of values or an object belongs"},
    {"{\"a\":{\"b\":null}}", "null where a list of values or an object belongs"},
    {"{\"a\":[]}", "an empty list matches nothing"},
    {"{\"a\":[1],\"a\":[2]}", "\"a\" is given twice"},
    {"{\"a\":{\"b\":[1],\"b\":[2]}}", "\"b\" is given twice"},
    {"{\"a\":[[1]]}", "a list in a list"},
    {"{\"a\":[{}]}", "an operator is an object with one member, such as {\"prefix\": \"a\"}"},
    {"{\"a\":[{\"prefix\":\"a\",\"suffix\":\"b\"}]}",
     "an operator is an object with one member, such as {\"prefix\": \"a\"}"},
    {"{\"a\":[{\"prefx\":\"a\"}]}", "there is no operator \"prefx\""},
    {"{\"a\":[{\"prefix\":1}]}", "\"prefix\" takes a string"},
    {"{\"a\":[{\"suffix\":[\"a\"]}]}", "\"suffix\" takes a string"},
    {"{\"a\":[{\"exists\":\"yes\"}]}", "\"exists\" takes true or false"},
    {"{\"a\":[{\"numeric\":[]}]}",
     "\"numeric\" takes one or two comparisons, such as [\">\", 0, \"<=\", 5]"},
    {"{\"a\":[{\"numeric\":[\"<\",\"5\"]}]}",
     "\"numeric\" takes one or two comparisons, such as [\">\", 0, \"<=\", 5]"},
    {"{\"a\":[{\"numeric\":[\"<\",5,\">\"]}]}",
     "\"numeric\" takes one or two comparisons, such as [\">\", 0, \"<=\", 5]"},
    {"{\"a\":[{\"numeric\":[\"!\",5]}]}",
     "\"numeric\" takes one or two comparisons, such as [\">\", 0, \"<=\", 5]"},
    {"{\"a\":[{\"anything-but\":[]}]}",
     "\"anything-but\" takes strings and numbers, or an object with \"prefix\", \"suffix\" or "
     "\"equals-ignore-case\""},
    {"{\"a\":[{\"anything-but\":{\"numeric\":[\"<\",5]}}]}",
     "\"anything-but\" takes strings and numbers, or an object with \"prefix\", \"suffix\" or "
     "\"equals-ignore-case\""},
    {"{\"$or\":[{}]}", "\"$or\" takes a list of two or more patterns"},
    {"{\"$or\":[{},1]}", "a number where a list of values or an object belongs"},
};

START_TEST(says_what_is_wrong_with_a_pattern)
{
    struct lambda_filter f;

    ck_assert_pstr_eq(lambda_filter_read(arena, span_of(faults[_i].pattern), &f),
                      faults[_i].problem);
}
END_TEST

START_TEST(refuses_deep_nesting)
{
    struct buf text = buf_in(arena);
    struct lambda_filter f;

    for (int i = 0; i < 200; i++)
        buf_add_text(&text, "{\"a\":");
    buf_add_text(&text, "[1]");
    for (int i = 0; i < 200; i++)
        buf_add_char(&text, '}');
    ck_assert_pstr_eq(lambda_filter_read(arena, buf_span(&text), &f), "it is nested too deeply");
}
END_TEST

static const struct {
    const char *pattern;
    const char *doubt; /* NULL: there is none */
} doubts[] = {
    {"{}", NULL},
    {"{\"eventName\":[\"INSERT\"]}", NULL},
    {"{\"eventname\":[\"INSERT\"]}", "a record has no eventname"},
    {"{\"eventname\":[{\"exists\":false}]}", NULL},
    {"{\"$or\":[{\"a\":[1]},{\"b\":[1]}]}", NULL},
    {"{\"dynamodb\":{\"newImage\":{\"k\":{\"S\":[\"a\"]}}}}",
     "dynamodb of a record has no newImage"},
    {"{\"dynamodb\":{\"SizeBytes\":[{\"numeric\":[\">\",5]}]}}", NULL},
    {IMAGE("\"kind\":[\"order\"]"),
     "an attribute there has its type: {\"kind\": {\"S\": [\u2026]}}"},
    {IMAGE("\"kind\":{\"S\":[\"order\"]}"), NULL},
    {IMAGE("\"kind\":{\"s\":[\"order\"]}"), "s of kind is not an attribute type such as S"},
    {IMAGE("\"n\":{\"N\":[5]}"),
     "n of a record is text, {\"N\": [\"5\"]}: numbers and numeric do not match it"},
    {IMAGE("\"n\":{\"N\":[{\"numeric\":[\">\",0]}]}"),
     "n of a record is text, {\"N\": [\"5\"]}: numbers and numeric do not match it"},
    {IMAGE("\"n\":{\"N\":[5,\"5\"]}"), NULL},
    {IMAGE("\"m\":{\"M\":{\"x\":{\"S\":[\"a\"]}}}"), NULL},
};

START_TEST(doubts_what_matches_no_record)
{
    struct lambda_filter f = filter_of(doubts[_i].pattern);

    ck_assert_pstr_eq(lambda_filter_doubt(arena, &f), doubts[_i].doubt);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, matches_as_the_mapping_does, 0, COUNT(patterns));
    tcase_add_test(tc, one_of_several_has_to_match);
    tcase_add_loop_test(tc, says_what_is_wrong_with_a_pattern, 0, COUNT(faults));
    tcase_add_test(tc, refuses_deep_nesting);
    tcase_add_loop_test(tc, doubts_what_matches_no_record, 0, COUNT(doubts));
}

UNIT_TESTS(lambda_filter, add_tests)
