#include "unit.h"

#include "jmespath/jmespath.h"

static const wire_node *json_of(const char *text)
{
    char *json = arena_text(arena, span_of(text));
    const wire_node *node = NULL;

    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    ck_assert_msg(json_parse(arena, span_of(json), &node), "not JSON: %s", json);
    return node;
}

#define ITEMS "{'Items':[{'pk':{'S':'a'},'n':{'N':'1'}},{'pk':{'S':'b'}}],'Count':2,'Last':null}"
#define LISTS "{'n':[3,1,2.5],'s':['b','é','a'],'m':[[1,[2]],3],'e':[],'o':{'b':1,'a':[2]}}"

/* An expression, a value with ' for ", and the result or the problem. */
static const struct {
    const char *expression, *value, *result;
} rows[] = {
    /* places */
    {"Count", ITEMS, "2"},
    {"Last", ITEMS, "null"},
    {"Items[0].pk.S", ITEMS, "\"a\""},
    {"Items[-1].pk", ITEMS, "{\"S\":\"b\"}"},
    {"Items[2]", ITEMS, "null"},
    {"\"Items\"[0].\"pk\".\"\\u0053\"", ITEMS, "\"a\""},
    {"Count.S[0]", ITEMS, "null"},
    {"@.Count", ITEMS, "2"},
    /* projections: null is left out of them */
    {"Items[*].n.N", ITEMS, "[\"1\"]"},
    {"Items[].pk.S", ITEMS, "[\"a\",\"b\"]"},
    {"Items[0].*.S", ITEMS, "[\"a\"]"},
    {"o.*", LISTS, "[1,[2]]"},
    {"o.*[0]", LISTS, "[2]"},
    {"m[]", LISTS, "[1,[2],3]"},
    {"m[][]", LISTS, "[1,2,3]"},
    {"Count[*]", ITEMS, "null"},
    {"Items[*].pk | [0]", ITEMS, "{\"S\":\"a\"}"},
    {"Items[*].[pk.S, n.N]", ITEMS, "[[\"a\",\"1\"],[\"b\",null]]"},
    {"Items[*].{key: pk.S, \"a b\": n}", ITEMS,
     "[{\"key\":\"a\",\"a b\":{\"N\":\"1\"}},{\"key\":\"b\",\"a b\":null}]"},
    {"Last.[a]", ITEMS, "null"},
    /* slices */
    {"n[:2]", LISTS, "[3,1]"},
    {"n[1:]", LISTS, "[1,2.5]"},
    {"n[::-1]", LISTS, "[2.5,1,3]"},
    {"n[-2:-1]", LISTS, "[1]"},
    {"n[5:0:-2]", LISTS, "[2.5]"},
    {"n[::9223372036854775807]", LISTS, "[3]"},
    {"n[::-9223372036854775807]", LISTS, "[2.5]"},
    {"m[0][0:1].x", LISTS, "null"}, /* no projection behind an index */
    {"n[::0]", LISTS, "!slice step cannot be zero"},
    /* filters and comparisons */
    {"Items[?pk.S == 'b'].pk.S", ITEMS, "[\"b\"]"},
    {"Items[?pk.S == `b`].pk.S", ITEMS, "[\"b\"]"},
    {"Items[?pk.S == `\"b\"`].pk.S", ITEMS, "[\"b\"]"},
    {"Items[?n].pk.S", ITEMS, "[\"a\"]"},
    {"Items[?!n].pk.S", ITEMS, "[\"b\"]"},
    {"n[?@ > `1`]", LISTS, "[3,2.5]"},
    {"n[?@ >= `1` && @ < `3`]", LISTS, "[1,2.5]"},
    {"s[?@ <= 'b']", LISTS, "[\"b\",\"a\"]"},
    {"n[0] == `3.0`", LISTS, "true"},
    {"n[0] < 'a'", LISTS, "null"},
    {"o == `{\"a\":[2],\"b\":1}`", LISTS, "true"},
    {"o == `{\"a\":[2],\"c\":1}`", LISTS, "false"},
    {"`{\"a\":null}` == `{\"b\":null}`", LISTS, "false"},
    {"e || Count || 'x'", LISTS, "\"x\""},
    {"e && x", LISTS, "[]"},
    {"`0` && 'x'", LISTS, "\"x\""},
    {"'it\\'s'", LISTS, "\"it's\""},
    {"`[1,{\"a\":\"\\`\"}]`", LISTS, "[1,{\"a\":\"`\"}]"},
    {"`12345678901234567890.10`", LISTS, "12345678901234567890.10"},
    /* functions */
    {"abs(`-2`)", LISTS, "2"},
    {"[avg(n), avg(e), sum(n), sum(e)]", LISTS, "[2.1666666666666665,null,6.5,0]"},
    {"avg(`[1,3]`)", LISTS, "2.0"},
    {"[ceil(`1.1`), floor(`-1.1`)]", LISTS, "[2,-2]"},
    {"[contains(s, 'a'), contains('abc', 'bc'), contains('abc', `1`)]", LISTS, "[true,true,false]"},
    {"[starts_with('abc', 'ab'), ends_with('abc', 'bc'), ends_with('c', 'bc')]", LISTS,
     "[true,true,false]"},
    {"join(', ', s)", LISTS, "\"b, é, a\""},
    {"[keys(o), values(o)]", LISTS, "[[\"b\",\"a\"],[1,[2]]]"},
    {"[length(s), length('é'), length(o)]", LISTS, "[3,1,2]"},
    {"map(&x, `[{\"x\":1},{}]`)", LISTS, "[1,null]"},
    {"[max(n), min(s), max(e)]", LISTS, "[3,\"a\",null]"},
    {"max_by(Items, &pk.S).pk.S", ITEMS, "\"b\""},
    {"sort_by(Items, &to_number(pk.S || `0`))", ITEMS,
     "!In function sort_by(), invalid type for value: None, expected one of: ['number', "
     "'string'], received: \"null\""},
    {"merge(o, `{\"a\":1,\"z\":2}`)", LISTS, "{\"b\":1,\"a\":1,\"z\":2}"},
    {"not_null(x, y, 'z')", LISTS, "\"z\""},
    {"[reverse(n), reverse('aé')]", LISTS, "[[2.5,1,3],\"éa\"]"},
    {"[sort(n), sort(s)]", LISTS, "[[1,2.5,3],[\"a\",\"b\",\"é\"]]"},
    {"[to_array('a'), to_array(e)]", LISTS, "[[\"a\"],[]]"},
    {"[to_number('12'), to_number('1.50'), to_number('x'), to_number('0x1')]", LISTS,
     "[12,1.5,null,null]"},
    {"[to_string(o), to_string('a'), to_string(`[\"é😀\"]`)]", LISTS,
     "[\"{\\\"b\\\":1,\\\"a\\\":[2]}\",\"a\",\"[\\\"\\\\u00e9\\\\ud83d\\\\ude00\\\"]\"]"},
    {"[type(n), type(x), type(o), type(`true`)]", LISTS,
     "[\"array\",\"null\",\"object\",\"boolean\"]"},
    {"length(x)", LISTS,
     "!In function length(), invalid type for value: None, expected one of: ['string', 'array', "
     "'object'], received: \"null\""},
    {"sum(m)", LISTS,
     "!In function sum(), invalid type for value: [1, [2]], expected one of: ['array-number'], "
     "received: \"list\""},
    {"sort(`[1,\"a\"]`)", LISTS,
     "!In function sort(), invalid type for value: a, expected one of: ['array-string', "
     "'array-number'], received: \"str\""},
    /* functions that are wrong wherever they are */
    {"x && nofn(a)", LISTS, "!Unknown function: nofn()"},
    {"length(a, b)", LISTS, "!Expected 1 argument for function length(), received 2"},
    {"merge()", LISTS, "!Expected at least 1 argument for function merge(), received 0"},
    {"join('a')", LISTS, "!Expected 2 arguments for function join(), received 1"},
    /* the form */
    {"", LISTS, "!Invalid JMESPath expression: cannot be empty."},
    {"a.", LISTS, "!Invalid jmespath expression: Incomplete expression:\n\"a.\"\n   ^"},
    {"a[", LISTS, "!Invalid jmespath expression: Incomplete expression:\n\"a[\"\n   ^"},
    {"a]", LISTS,
     "!Unexpected token: ]: Parse error at column 1, token \"]\" (RBRACKET), for "
     "expression:\n\"a]\"\n  ^"},
    {"a[0}", LISTS,
     "!Expecting: rbracket, got: rbrace: Parse error at column 3, token \"}\" (RBRACE), for "
     "expression:\n\"a[0}\"\n    ^"},
    {"a[?b=1]", LISTS, "!Bad jmespath expression: Unknown token '=':\na[?b=1]\n    ^"},
    {"'a", LISTS, "!Bad jmespath expression: Unclosed ' delimiter:\n'a\n^"},
    {"a # b", LISTS, "!Bad jmespath expression: Unknown token #:\na # b\n  ^"},
    {"\"a\"(b)", LISTS,
     "!Quoted identifier not allowed for function names.: Parse error at column 0, token \"a\" "
     "(QUOTED_IDENTIFIER), for expression:\n\"\"a\"(b)\"\n ^"},
};

/* The result, or "!" and the problem. */
static const char *searched(const char *expression, const wire_node *value)
{
    const char *problem, *function = NULL;
    const struct jmespath *parsed;
    struct buf out = buf_in(arena);

    problem = jmespath_parse(arena, span_of(expression), &parsed, &function);
    if (!problem && !(problem = function))
        problem = jmespath_search(&out, parsed, value);
    return problem ? arena_printf(arena, "!%s", problem) : buf_text(&out);
}

START_TEST(expressions_have_the_librarys_results)
{
    ck_assert_str_eq(searched(rows[_i].expression, json_of(rows[_i].value)), rows[_i].result);
}
END_TEST

START_TEST(what_is_nested_too_deeply_is_refused)
{
    static const char *const opens[] = {"[", "(", "!", "a.b[?", "{a:", "length("};

    for (size_t i = 0; i < COUNT(opens); i++) {
        struct buf text = buf_in(arena);

        for (int k = 0; k < 100000; k++)
            buf_add_text(&text, opens[i]);
        buf_add_char(&text, 'a');
        ck_assert_str_eq(searched(buf_text(&text), json_of(LISTS)),
                         "!the expression is nested too deeply");
    }
}
END_TEST

START_TEST(a_result_that_doubles_again_and_again_is_refused)
{
    struct buf text = buf_in(arena);

    buf_add_text(&text, "[@, @]");
    for (int i = 0; i < 60; i++)
        buf_add_text(&text, " | [@, @][]");
    ck_assert_str_eq(searched(buf_text(&text), json_of(LISTS)),
                     "!the result of --query is too large");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, expressions_have_the_librarys_results, 0, COUNT(rows));
    tcase_add_test(tc, what_is_nested_too_deeply_is_refused);
    tcase_add_test(tc, a_result_that_doubles_again_and_again_is_refused);
}

UNIT_TESTS(jmespath, add_tests)
