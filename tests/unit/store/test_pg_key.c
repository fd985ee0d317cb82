/* Places of entries in PostgreSQL: in the order of the entry keys, and never too long for its
 * index. */
#include "unit.h"

#include "model/key.h"
#include "store/pg/pg_key.h"

#define SPACE      17
#define MOST_BYTES 2500 /* an index row of PostgreSQL has at most 2704 */
#define KEYS       300
#define MOST_PARTS 4
#define MOST_HASH  2048
#define MOST_RANGE 1024

static struct attr random_value(size_t most)
{
    static const char bytes[] = "\0\0\xff\1az";
    size_t len = unit_random(3) ? unit_random((unsigned)most) + 1 : most;
    char *at = arena_alloc(arena, len);

    for (size_t i = 0; i < len; i++)
        at[i] = bytes[unit_random(sizeof bytes - 1)];
    return (struct attr){.type = ATTR_B, .bytes = {at, len}};
}

/* A partition of some attributes, which together have at most MOST_HASH bytes. */
static struct span random_partition(unsigned parts)
{
    struct attr values[MOST_PARTS];
    const struct attr *at[MOST_PARTS];
    struct buf key = buf_in(arena);

    for (unsigned i = 0; i < parts; i++) {
        values[i] = random_value(MOST_HASH / parts);
        at[i] = &values[i];
    }
    key_of_partition(&key, SPACE, at, parts);
    return buf_span(&key);
}

static struct span add_sort(struct span partition, unsigned parts, bool with_primary)
{
    struct buf key = buf_in(arena);
    struct attr value;

    buf_add_span(&key, partition);
    for (unsigned i = 0; i < parts; i++) {
        value = random_value(MOST_RANGE / parts);
        key_add_part(&key, &value);
    }
    value = random_value(MOST_HASH);
    if (with_primary)
        key_add_part(&key, &value);
    return buf_span(&key);
}

static int compare(unsigned parts, struct span a, struct span b)
{
    struct pg_place one = pg_key_place(arena, parts, a), other = pg_key_place(arena, parts, b);

    ck_assert_uint_le(one.key.len, MOST_BYTES);
    return pg_key_compare(&one, &other);
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

/* Keys of a partition have the order of their sort keys, however long the partition is; the whole
 * of it is between its bounds, and each key comes before the bound behind it. */
static void check_partition(unsigned parts)
{
    struct span partition = random_partition(parts), other = random_partition(parts);
    struct buf end = buf_in(arena), behind;
    struct span before = {NULL, 0};

    buf_add_span(&end, partition);
    ck_assert(key_next(&end));
    for (int i = 0; i < KEYS / 10; i++) {
        struct span key = add_sort(partition, unit_random(2) + 1, i % 2);

        ck_assert_int_lt(compare(parts, partition, key), 0);
        ck_assert_int_lt(compare(parts, key, buf_span(&end)), 0);
        behind = buf_in(arena);
        buf_add_span(&behind, key);
        buf_add_char(&behind, '\0');
        ck_assert_int_lt(compare(parts, key, buf_span(&behind)), 0);
        ck_assert_int_eq(compare(parts, key, key), 0);
        ck_assert_int_ne(compare(parts, key, add_sort(other, 1, true)), 0);
        if (before.len)
            ck_assert_int_eq(sign(compare(parts, before, key)), sign(span_compare(before, key)));
        if (before.len && span_compare(before, key) < 0) {
            behind.len = 0;
            buf_add_span(&behind, before);
            buf_add_char(&behind, '\0');
            ck_assert_int_le(compare(parts, buf_span(&behind), key), 0);
        }
        before = key;
    }
}

START_TEST(order_in_a_partition)
{
    for (int i = 0; i < KEYS; i++)
        check_partition((unsigned)i % MOST_PARTS + 1);
}
END_TEST

/* A place that was not shortened gives its key back; one that was has it beside it. */
START_TEST(whole_keys)
{
    for (int i = 0; i < KEYS; i++) {
        struct span key = add_sort(random_partition(1), 1, i % 2);
        struct pg_place p = pg_key_place(arena, 1, key);
        struct buf whole = buf_in(arena);

        pg_key_add_whole(&whole, &p);
        ck_assert_int_eq(!p.is_short, span_equal(buf_span(&whole), key));
        ck_assert(span_equal(p.whole, key));
    }
}
END_TEST

/* Spaces, and the hashes where segments begin. */
START_TEST(bounds)
{
    struct span key = add_sort(random_partition(1), 1, false);
    struct buf low = buf_in(arena), high = buf_in(arena);

    key_of_space(&low, SPACE);
    key_of_space(&high, SPACE + 1);
    ck_assert_int_lt(compare(1, buf_span(&low), key), 0);
    ck_assert_int_lt(compare(1, key, buf_span(&high)), 0);
    for (uint32_t i = 0; i < 100; i++) {
        low.len = high.len = 0;
        key_of_segment(&low, SPACE, i, 100);
        key_of_segment(&high, SPACE, i + 1, 100);
        ck_assert_int_lt(compare(1, buf_span(&low), buf_span(&high)), 0);
        ck_assert_int_eq(sign(compare(1, buf_span(&low), key)),
                         sign(span_compare(buf_span(&low), key)));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, order_in_a_partition);
    tcase_add_test(tc, whole_keys);
    tcase_add_test(tc, bounds);
}

UNIT_TESTS(pg_key, add_tests)
