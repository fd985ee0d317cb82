/* Members of sets are put in the order of attr_compare, whatever they have in common and however
 * they came, and are found. */
#include "model/attr_set.h"
#include "unit.h"

#include <stdlib.h>

#define MANY 3000

static unsigned state;

static unsigned any_below(unsigned range)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % range;
}

/* --- what sets are made of -------------------------------------------------------------------- */

static struct attr text_of(size_t len, char letter)
{
    char *bytes = arena_alloc_raw(arena, len + 1);

    memset(bytes, letter, len);
    return (struct attr){.type = ATTR_S, .bytes = {bytes, len}};
}

static struct attr short_text(int i)
{
    char *bytes = arena_alloc_raw(arena, 4);
    size_t len = any_below(5);

    (void)i;
    for (size_t k = 0; k < len; k++)
        bytes[k] = (char)any_below(4); /* NUL is one of them */
    return (struct attr){.type = ATTR_S, .bytes = {bytes, len}};
}

static struct attr bytes(int i)
{
    struct attr value = short_text(i);

    value.type = ATTR_B;
    for (size_t k = 0; k < value.bytes.len; k++)
        ((char *)(uintptr_t)value.bytes.at)[k] = (char)any_below(256);
    return value;
}

static struct attr number(int i)
{
    struct buf text = buf_in(arena), canonical = buf_in(arena);
    struct num n;

    (void)i;
    buf_printf(&text, "%s%u.%ue%d", any_below(2) ? "-" : "", any_below(30), any_below(300),
               (int)any_below(9) - 4);
    ck_assert_int_eq(num_parse(buf_span(&text), false, &n), NUM_OK);
    num_format(&canonical, &n);
    return (struct attr){.type = ATTR_N, .bytes = buf_span(&canonical)};
}

/* Each is the beginning of all longer ones. */
static struct attr growing(int i)
{
    return text_of((size_t)(i * 7919 % MANY), 'a');
}

/* Alike but for their ends. */
static struct attr late(int i)
{
    struct attr value = text_of(200, 'a');

    ((char *)(uintptr_t)value.bytes.at)[199 - i % 7] = (char)('a' + any_below(20));
    return value;
}

static struct attr same(int i)
{
    (void)i;
    return text_of(5, 'a');
}

typedef struct attr maker(int i);

static maker *const makers[] = {short_text, bytes, number, growing, late, same};

static struct attr set_of(maker *make, size_t len, unsigned seed)
{
    static const enum attr_type types[] = {
        [ATTR_S] = ATTR_SS, [ATTR_N] = ATTR_NS, [ATTR_B] = ATTR_BS};
    struct attr set = {.type = ATTR_SS,
                       .list = {arena_array(arena, MANY, sizeof *set.list.at), len}};

    state = seed;
    for (size_t i = 0; i < len; i++)
        set.list.at[i] = make((int)i);
    if (len)
        set.type = types[set.list.at[0].type];
    return set;
}

/* --- sets ------------------------------------------------------------------------------------- */

static const struct {
    const char *sent, *kept;
    bool distinct;
} sets[] = {
    {"{\"SS\":[\"b\",\"a\",\"Z\",\"\"]}", "{\"SS\":[\"\",\"Z\",\"a\",\"b\"]}", true},
    {"{\"SS\":[\"a\"]}", "{\"SS\":[\"a\"]}", true},
    {"{\"SS\":[\"b\",\"a\",\"b\"]}", "{\"SS\":[\"a\",\"b\",\"b\"]}", false},
    {"{\"SS\":[\"a\",\"a\"]}", "{\"SS\":[\"a\",\"a\"]}", false},
    {"{\"SS\":[\"\",\"\"]}", "{\"SS\":[\"\",\"\"]}", false},
    {"{\"NS\":[\"10\",\"9\",\"-1\",\"0.5\"]}", "{\"NS\":[\"-1\",\"0.5\",\"9\",\"10\"]}", true},
    {"{\"NS\":[\"2\",\"1\",\"2\"]}", "{\"NS\":[\"1\",\"2\",\"2\"]}", false},
    {"{\"BS\":[\"/w==\",\"AA==\"]}", "{\"BS\":[\"AA==\",\"/w==\"]}", true},
    {"{\"BS\":[\"/w==\",\"AA==\",\"AA==\"]}", "{\"BS\":[\"AA==\",\"AA==\",\"/w==\"]}", false},
};

/* A set from text, in whatever order. */
static struct attr as_sent(const char *text)
{
    return item_decode(arena, span_of(arena_printf(arena, "{\"v\":%s}", text))).at[0].value;
}

START_TEST(sorts_sets_and_finds_duplicates)
{
    struct attr set = as_sent(sets[_i].sent), kept = as_sent(sets[_i].kept);

    ck_assert(attr_set_normalize(arena, &set) == sets[_i].distinct);
    ck_assert(attr_equal(&set, &kept));
    ck_assert(attr_set_normalize(arena, &set) == sets[_i].distinct);
}
END_TEST

static const struct {
    const char *set, *element;
    bool contained;
} members[] = {
    {"{\"SS\":[\"a\",\"b\",\"c\"]}", "{\"S\":\"a\"}", true},
    {"{\"SS\":[\"a\",\"b\",\"c\"]}", "{\"S\":\"c\"}", true},
    {"{\"SS\":[\"a\",\"b\",\"c\"]}", "{\"S\":\"bb\"}", false},
    {"{\"SS\":[\"1\"]}", "{\"N\":\"1\"}", false},
    {"{\"SS\":[\"a\"]}", "{\"SS\":[\"a\"]}", false},
    {"{\"NS\":[\"-1\",\"9\",\"10\"]}", "{\"N\":\"9\"}", true},
    {"{\"NS\":[\"-1\",\"9\",\"10\"]}", "{\"N\":\"1\"}", false},
    {"{\"BS\":[\"\",\"/w==\"]}", "{\"B\":\"/w==\"}", true},
    {"{\"BS\":[\"\",\"/w==\"]}", "{\"S\":\"\"}", false},
    {"{\"SS\":[]}", "{\"S\":\"a\"}", false},
};

START_TEST(looks_members_up)
{
    struct attr set = unit_attr(members[_i].set), element = unit_attr(members[_i].element);

    ck_assert(attr_set_contains(&set, &element) == members[_i].contained);
}
END_TEST

/* --- order ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    return attr_compare(a, b);
}

START_TEST(members_come_in_order)
{
    static const size_t lengths[] = {0, 1, 2, 24, 25, 100, MANY};

    for (size_t k = 0; k < COUNT(lengths); k++) {
        struct attr set = set_of(makers[_i], lengths[k], (unsigned)k);
        struct attr *expected = arena_array(arena, MANY, sizeof *expected);

        for (size_t i = 0; i < set.list.len; i++)
            expected[i] = set.list.at[i];
        if (set.list.len)
            qsort(expected, set.list.len, sizeof *expected, by_value);
        (void)attr_set_normalize(arena, &set);
        for (size_t i = 0; i < set.list.len; i++) {
            ck_assert(attr_equal(&set.list.at[i], &expected[i]));
            ck_assert_uint_eq(set.list.at[i].size, 0);
        }
    }
}
END_TEST

/* --- what it costs ---------------------------------------------------------------------------- */

START_TEST(work_is_charged)
{
    struct attr set = set_of(growing, MANY, 0);
    const struct arena_budget budget = {.bytes = SIZE_MAX, .steps = MANY};
    struct arena *payer = arena_new();
    volatile bool landed = false;
    jmp_buf landing;

    if (setjmp(landing)) {
        landed = true;
    } else {
        arena_limit(payer, &budget, &landing);
        (void)attr_set_normalize(payer, &set);
    }
    ck_assert(landed);
    arena_free(payer);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, sorts_sets_and_finds_duplicates, 0, COUNT(sets));
    tcase_add_loop_test(tc, looks_members_up, 0, COUNT(members));
    tcase_add_loop_test(tc, members_come_in_order, 0, COUNT(makers));
    tcase_add_test(tc, work_is_charged);
}

UNIT_TESTS(attr_set, add_tests)
