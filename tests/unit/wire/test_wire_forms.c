/* Bodies of the protocols besides JSON: CBOR, forms and XML, from and to JSON. */
#include "unit.h"

#include "base/ascii.h"
#include "wire/wire_cbor.h"
#include "wire/wire_query.h"

/* --- CBOR → JSON (the examples of RFC 8949, appendix A, and what is none) --------------------- */

static const struct {
    const char *cbor, *json; /* in hexadecimal digits; NULL: refused */
} items[] = {
    {"00", "0"},
    {"1903e8", "1000"},
    {"1b000000e8d4a51000", "1000000000000"},
    {"20", "-1"},
    {"3903e7", "-1000"},
    {"f93c00", "1"},
    {"f93e00", "1.5"},
    {"f97bff", "65504"},
    {"f90001", "5.9604644775390625e-08"},
    {"f9c400", "-4"},
    {"fa47c35000", "100000"},
    {"fb3ff199999999999a", "1.1000000000000001"},
    {"f97c00", NULL}, /* infinity */
    {"f97e00", NULL}, /* not a number */
    {"f4", "false"},
    {"f5", "true"},
    {"f6", "null"},
    {"f7", "null"},
    {"f0", NULL}, /* a simple value of nobody's */
    {"c11a514b67b0", "1363896240"},
    {"c1fb41d452d9ec200000", "1363896240.5"},
    {"4401020304", "\"AQIDBA==\""},
    {"6449455446", "\"IETF\""},
    {"62225c", "\"\\\"\\\\\""},
    {"7f657374726561646d696e67ff", "\"streaming\""},
    {"7f4161ff", NULL}, /* a piece of another kind */
    {"80", "[]"},
    {"83010203", "[1,2,3]"},
    {"9f0102ff", "[1,2]"},
    {"a0", "{}"},
    {"a26161016162820203", "{\"a\":1,\"b\":[2,3]}"},
    {"bf6346756ef563416d7421ff", "{\"Fun\":true,\"Amt\":-2}"},
    {"a10102", NULL}, /* a name that is no text */
    {"", NULL},
    {"18", NULL},
    {"8301", NULL},
    {"0000", NULL},
    {"6461", NULL},
    {"1c", NULL},
    {"1f", NULL},
    {"ff", NULL},
    {"9f01", NULL},
    {"5bffffffffffffffff00", NULL},
    {"8181818181818181818181818181818181818181818181818181818181818181818181818101", NULL},
};

static struct span bytes_of(const char *hex)
{
    struct buf out = buf_in(arena);

    for (; *hex; hex += 2) {
        int high = ascii_hex(hex[0]), low = ascii_hex(hex[1]);

        ck_assert(high >= 0 && low >= 0);
        buf_add_char(&out, (char)(high * 16 + low));
    }
    return buf_span(&out);
}

START_TEST(cbor_is_read_as_json)
{
    struct span json;
    bool good = wire_cbor_read(arena, bytes_of(items[_i].cbor), &json);

    ck_assert_msg(good == (items[_i].json != NULL), "%s", items[_i].cbor);
    if (good)
        ck_assert_str_eq(arena_text(arena, json), items[_i].json);
}
END_TEST

/* --- shapes ----------------------------------------------------------------------------------- */

static const struct wire_shape integer = {.type = WIRE_INTEGER}, real = {.type = WIRE_DOUBLE},
                               moment = {.type = WIRE_TIMESTAMP};
static const struct wire_member point_members[] = {
    {"At", &moment, 0}, {"Sum", &real, 0}, {NULL, NULL, 0}};
static const struct wire_shape point = {.type = WIRE_STRUCT, .members = point_members};
static const struct wire_shape points = {.type = WIRE_LIST, .element = &point};
static const struct wire_shape texts = {.type = WIRE_LIST, .element = &wire_string};
static const struct wire_member members[] = {{"Name", &wire_string, 0},
                                             {"Count", &integer, 0},
                                             {"On", &wire_boolean, 0},
                                             {"Points", &points, 0},
                                             {"Texts", &texts, 0},
                                             {"One", &point, 0},
                                             {NULL, NULL, 0}};

static const wire_node *parsed(const char *json)
{
    const wire_node *body;

    ck_assert_ptr_null(wire_parse(arena, span_of(json), &body));
    return body;
}

/* Few bytes for each part of the JSON, or many of it for each byte. */
static const struct bomb {
    const char *head;
    char byte;
    size_t count;
    bool taken;
} bombs[] = {
    {"9f", 0, 262142, true},  /* a list of zeros */
    {"9f", 0, 262145, false}, /* of too many */
    {"9f", (char)0x60, 300000, false} /* of empty strings */,
    {"7f", (char)0x60, 300000, false} /* a string of empty pieces */,
    {"5a00100000", 1, 1 << 20, true}, /* a binary of 1 MB */
    {"7a00100001", 1, (1 << 20) + 1, false},
};

START_TEST(cbor_has_its_limits)
{
    const struct bomb *b = &bombs[_i];
    struct buf text = buf_in(arena);
    struct span json;

    buf_add_span(&text, bytes_of(b->head));
    memset(buf_reserve(&text, b->count + 1), b->byte, b->count);
    text.len += b->count;
    if (*b->head != '5' && b->head[1] == 'f')
        buf_add_char(&text, (char)0xff);
    ck_assert(wire_cbor_read(arena, buf_span(&text), &json) == b->taken);
}
END_TEST

/* --- JSON → CBOR ------------------------------------------------------------------------------ */

static const struct {
    const char *json, *cbor;
} answers[] = {
    {"{}", "bfff"},
    {"{\"Count\":-500,\"On\":true,\"Other\":1}", "bf65436f756e743901f3624f6ef5ff"},
    {"{\"Name\":\"a\",\"Texts\":[]}", "bf644e616d65616165546578747380ff"},
    {"{\"Points\":[{\"At\":60,\"Sum\":1.5}]}",
     "bf66506f696e747381bf624174c1fb404e0000000000006353756dfb3ff8000000000000ffff"},
};

START_TEST(answers_become_cbor)
{
    struct buf out = buf_in(arena);
    struct span wanted = bytes_of(answers[_i].cbor);

    wire_cbor_write(&out, members, parsed(answers[_i].json));
    ck_assert_msg(span_equal(buf_span(&out), wanted), "%s", answers[_i].json);
}
END_TEST

/* --- forms → JSON ----------------------------------------------------------------------------- */

static const struct {
    const char *form, *json;
} forms[] = {
    {"", "{}"},
    {"Action=X&Version=1", "{}"},
    {"Name=a+b%2Fc%zz", "{\"Name\":\"a b/c%zz\"}"},
    {"Name=%22&Count=12&On=true", "{\"Name\":\"\\\"\",\"Count\":12,\"On\":true}"},
    {"Count=1e999&On=1", "{\"Count\":\"1e999\",\"On\":\"1\"}"},
    {"Count=-&Count=2", "{\"Count\":\"-\"}"},
    {"Count=-1.", "{\"Count\":\"-1.\"}"},
    {"Count=01", "{\"Count\":\"01\"}"},
    {"Count=-0.50", "{\"Count\":-0.50}"},
    {"Count=1.2.3", "{\"Count\":\"1.2.3\"}"},
    {"Count=1234567890123456789", "{\"Count\":\"1234567890123456789\"}"},
    {"Texts.member.1=a&Texts.member.2=b&Texts.member.4=d", "{\"Texts\":[\"a\",\"b\"]}"},
    {"One.At=2026-01-01T00%3A00%3A00Z&One.Sum=0.5",
     "{\"One\":{\"At\":1767225600.000,\"Sum\":0.5}}"},
    {"Points.member.1.Sum=1&Points.member.2.At=60", "{\"Points\":[{\"Sum\":1},{\"At\":60}]}"},
    {"Points.member.1=x&One=y&Name.x=z", "{\"Name\":\"\",\"Points\":[\"x\"],\"One\":{}}"},
    {"&&=&Name", "{\"Name\":\"\"}"},
};

START_TEST(forms_become_json)
{
    struct wire_form form;

    ck_assert(wire_query_read(arena, span_of(forms[_i].form), &form));
    ck_assert_str_eq(arena_text(arena, wire_query_json(arena, members, &form)), forms[_i].json);
}
END_TEST

START_TEST(a_form_has_its_limit)
{
    struct buf text = buf_in(arena);
    struct wire_form form;

    for (int i = 0; i < 4097; i++)
        buf_add_text(&text, "a=b&");
    ck_assert(!wire_query_read(arena, buf_span(&text), &form));
    text.len = 0;
    buf_add_text(&text, "a=");
    for (int i = 0; i < 1 << 20; i++)
        buf_add_char(&text, 'b');
    ck_assert(!wire_query_read(arena, buf_span(&text), &form));
}
END_TEST

/* A list of so many elements, each with a member. */
START_TEST(a_form_of_many_fields_is_read)
{
    struct buf text = buf_in(arena);
    struct wire_form form;
    const wire_node *list;

    for (int i = 4096; i > 0; i--)
        buf_printf(&text, "Points.member.%d.Sum=%d&", i, i);
    ck_assert(wire_query_read(arena, buf_span(&text), &form));
    list = wire_get(parsed(arena_text(arena, wire_query_json(arena, members, &form))), "Points");
    ck_assert_uint_eq(wire_count(list), 4096);
    ck_assert_int_eq(wire_integer(wire_get(wire_first(list), "Sum"), 0), 1);
}
END_TEST

/* --- JSON → XML ------------------------------------------------------------------------------- */

START_TEST(answers_become_xml)
{
    struct buf out = buf_in(arena);

    wire_query_xml(
        arena, &out, members,
        parsed("{\"Name\":\"a<b>&\\r\\u0001\",\"Count\":3,\"On\":false,\"Texts\":[\"x\"],"
               "\"Points\":[{\"At\":1767225600,\"Sum\":12.0}],\"Other\":1}"));
    ck_assert_str_eq(buf_text(&out),
                     "<Name>a&lt;b&gt;&amp;&#13;?</Name><Count>3</Count><On>false</On>"
                     "<Points><member><At>2026-01-01T00:00:00Z</At><Sum>12.0</Sum></member>"
                     "</Points><Texts><member>x</member></Texts>");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, cbor_is_read_as_json, 0, COUNT(items));
    tcase_add_loop_test(tc, answers_become_cbor, 0, COUNT(answers));
    tcase_add_loop_test(tc, forms_become_json, 0, COUNT(forms));
    tcase_add_test(tc, a_form_has_its_limit);
    tcase_add_test(tc, a_form_of_many_fields_is_read);
    tcase_add_loop_test(tc, cbor_has_its_limits, 0, COUNT(bombs));
    tcase_add_test(tc, answers_become_xml);
}

UNIT_TESTS(wire_forms, add_tests)
