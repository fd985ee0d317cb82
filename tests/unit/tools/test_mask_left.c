/* Where texts that rules replaced are still written. */
#include "masking/mask_rules.h"
#include "unit.h"

#define RULES                                                                                      \
    "{\"salt\":\"s\",\"rules\":[{\"attribute\":\"email\",\"do\":\"replace\"},"                     \
    "{\"attribute\":\"token\",\"do\":\"drop\"},{\"attribute\":\"code\",\"do\":\"hash\"},"          \
    "{\"attribute\":\"pk\",\"part\":2,\"do\":\"hash\"},{\"attribute\":\"twice\",\"do\":\"hash\"}," \
    "{\"attribute\":\"twice\",\"do\":\"hash\"},{\"attribute\":\"once\",\"do\":\"hash\"}]}"
#define NOTHING NULL
#define STILL   "texts that were replaced are still in "
#define BOB     "\"email\":{\"S\":\"bob@shop.example\"}"

/* Masks the items, then looks at what came of them. */
static const char *left_of(const char *first, const char *second)
{
    struct mask_left *left = mask_left_new(arena);
    const char *texts[] = {first, second};
    struct item masked[2];
    struct mask_rules *rules;

    ck_assert_ptr_null(mask_rules_parse(arena, "f", SPAN_LIT(RULES), &rules));
    mask_rules_remember(rules, left);
    for (size_t i = 0; i < 2; i++) {
        struct item it = item_decode(arena, span_of(texts[i]));

        masked[i] = mask_rules_apply(rules, arena, SPAN_LIT("T"), &it);
    }
    for (size_t i = 0; i < 2; i++)
        mask_left_look(left, arena, SPAN_LIT("T"), &masked[i]);
    return mask_left_say(left, arena);
}

static const struct {
    const char *first, *second, *said;
} rows[] = {
    {"{" BOB "}", "{" BOB ",\"note\":{\"S\":\"none\"}}", NOTHING},
    {"{\"note\":{\"S\":\"call bob@shop.example\"}}", "{" BOB "}", STILL "note of T (1 item)"},
    {"{" BOB "}", "{\"note\":{\"S\":\"BOB@Shop.Example!\"}}", STILL "note of T (1 item)"},
    {"{" BOB "}", "{\"note\":{\"S\":\"xbob@shop.examplex\"}}", STILL "note of T (1 item)"},
    {"{" BOB "}", "{\"note\":{\"S\":\"bob@shop.exampl\"}}", NOTHING},
    {"{\"a\":{\"S\":\"bob@shop.example\"},\"b\":{\"S\":\"bob@shop.example\"}," BOB "}",
     "{\"a\":{\"S\":\"bob@shop.example\"}}", STILL "a of T (2 items), b of T (1 item)"},
    {"{" BOB "}", "{\"a\":{\"M\":{\"b\":{\"L\":[{\"S\":\"x\"},{\"SS\":[\"bob@shop.example\"]}]}}}}",
     STILL "a.b of T (1 item)"},
    {"{" BOB "}", "{\"a\":{\"M\":{\"bob@shop.example\":{\"N\":\"1\"}}}}", STILL "a of T (1 item)"},
    {"{" BOB "}", "{\"bob@shop.example\":{\"N\":\"1\"}}",
     STILL "the names of attributes of T (1 item)"},
    {"{\"code\":{\"S\":\"access_token\"}}", "{\"access_token\":{\"N\":\"1\"}}", NOTHING},
    {"{\"token\":{\"S\":\"abcdef0123456789\"}}", "{\"log\":{\"S\":\"key=abcdef0123456789;\"}}",
     STILL "log of T (1 item)"},
    {"{\"token\":{\"S\":\"abcdef0123456789\"}}",
     "{\"log\":{\"B\":\"a2V5PWFiY2RlZjAxMjM0NTY3ODk=\"}}", STILL "log of T (1 item)"},
    {"{\"pk\":{\"S\":\"SHOP#cool-store\"}}", "{\"name\":{\"S\":\"cool-store\"}}",
     STILL "name of T (1 item)"},
    {"{\"pk\":{\"S\":\"SHOP#cool-store\"}}", "{\"kind\":{\"S\":\"SHOP\"}}", NOTHING},
    {"{\"code\":{\"S\":\"anna\"}}", "{\"a\":{\"S\":\"annabel\"},\"b\":{\"S\":\"hosanna\"}}",
     NOTHING},
    {"{\"code\":{\"S\":\"anna\"}}", "{\"a\":{\"S\":\"Anna, Bel\"}}", STILL "a of T (1 item)"},
    {"{\"code\":{\"S\":\"abc\"}}", "{\"a\":{\"S\":\"abc\"}}", NOTHING},
    {"{\"code\":{\"N\":\"4915112345678\"}}", "{\"a\":{\"N\":\"4915112345678\"}}",
     STILL "a of T (1 item)"},
    {"{\"code\":{\"N\":\"4915112345678\"}}", "{\"a\":{\"S\":\"tel:4915112345678\"}}",
     STILL "a of T (1 item)"},
    {"{\"code\":{\"N\":\"4915112345678\"}}", "{\"a\":{\"N\":\"14915112345678\"}}", NOTHING},
    {"{\"code\":{\"SS\":[\"first one\",\"second one\"]}}", "{\"a\":{\"S\":\"the second one\"}}",
     STILL "a of T (1 item)"},
    {"{\"code\":{\"M\":{\"x\":{\"S\":\"inner text\"}}}}", "{\"a\":{\"S\":\"inner text\"}}",
     STILL "a of T (1 item)"},
    /* the hash of a text is no text that was replaced, though a second rule replaces it */
    {"{\"twice\":{\"S\":\"bob@shop.example\"}}", "{\"once\":{\"S\":\"bob@shop.example\"}}",
     NOTHING},
};

START_TEST(names_where_a_replaced_text_is_left)
{
    ck_assert_pstr_eq(left_of(rows[_i].first, rows[_i].second), rows[_i].said);
}
END_TEST

/* Many texts of many lengths with one beginning: each is found, and those that differ are not. */
START_TEST(finds_each_of_many_texts)
{
    struct mask_left *left = mask_left_new(arena);
    struct attr value = {.type = ATTR_S};
    struct field field = {SPAN_LIT("a"), {.type = ATTR_S}};
    const struct item it = {&field, 1, NULL};
    size_t found = 0;

    for (int i = 0; i < 3000; i++) {
        value.bytes = span_of(
            arena_printf(arena, "https://shop.example/%0*d/x", i % 90 + 1, i)); /* of 90 lengths */
        mask_left_remember(left, &value);
    }
    for (int i = 0; i < 3000; i++) {
        field.value.bytes = span_of(arena_printf(arena, "see https://shop.example/%0*d/%c!",
                                                 i % 90 + 1, i, i % 2 ? 'x' : 'y'));
        field.name = span_of(arena_printf(arena, "%s%d", i % 2 ? "has" : "not", i % 10));
        mask_left_look(left, arena, SPAN_LIT("T"), &it);
    }
    for (const char *at = mask_left_say(left, arena); (at = strstr(at, "(300 items)")); at++)
        found++;
    ck_assert_uint_eq(found, 5);
    ck_assert_pstr_eq(strstr(mask_left_say(left, arena), "not"), NULL);
}
END_TEST

/* Only the beginning of a very long text is remembered. */
START_TEST(finds_the_start_of_a_long_text)
{
    struct mask_left *left = mask_left_new(arena);
    char *text = arena_alloc(arena, 5001);
    struct field field = {SPAN_LIT("a"), {.type = ATTR_S}};
    const struct item it = {&field, 1, NULL};

    for (int i = 0; i < 5000; i++)
        text[i] = (char)('a' + i * i % 23);
    field.value.bytes = (struct span){text, 5000};
    mask_left_remember(left, &field.value);
    field.value.bytes.len = 1000;
    mask_left_look(left, arena, SPAN_LIT("T"), &it);
    ck_assert_pstr_eq(mask_left_say(left, arena), NULL);
    field.value.bytes.len = 1024;
    mask_left_look(left, arena, SPAN_LIT("T"), &it);
    ck_assert_pstr_ne(mask_left_say(left, arena), NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, names_where_a_replaced_text_is_left, 0, COUNT(rows));
    tcase_add_test(tc, finds_each_of_many_texts);
    tcase_add_test(tc, finds_the_start_of_a_long_text);
}

UNIT_TESTS(mask_left, add_tests)
