/* Members of sets are put in the order of attr_compare, whatever they have in common and however
 * they came. */
#include "model/set_order.h"
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

static struct attr (*const makers[])(int i) = {short_text, bytes, number, growing, late, same};

/* --- order ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    return attr_compare(a, b);
}

START_TEST(members_come_in_order)
{
    static const size_t lengths[] = {0, 1, 2, 24, 25, 100, MANY};

    for (size_t k = 0; k < COUNT(lengths); k++) {
        struct attr_list list = {arena_array(arena, MANY, sizeof *list.at), lengths[k]};
        struct attr *expected = arena_array(arena, MANY, sizeof *expected);

        state = (unsigned)k;
        for (size_t i = 0; i < list.len; i++)
            expected[i] = list.at[i] = makers[_i]((int)i);
        if (list.len)
            qsort(expected, list.len, sizeof *expected, by_value);
        set_order(arena, &list);
        for (size_t i = 0; i < list.len; i++) {
            ck_assert(attr_equal(&list.at[i], &expected[i]));
            ck_assert_uint_eq(list.at[i].size, 0);
        }
    }
}
END_TEST

/* --- what it costs ---------------------------------------------------------------------------- */

START_TEST(work_is_charged)
{
    struct attr_list list = {arena_array(arena, MANY, sizeof *list.at), MANY};
    const struct arena_budget budget = {.bytes = SIZE_MAX, .steps = MANY};
    struct arena *payer = arena_new();
    volatile bool landed = false;
    jmp_buf landing;

    for (int i = 0; i < MANY; i++)
        list.at[i] = growing(i);
    if (setjmp(landing)) {
        landed = true;
    } else {
        arena_limit(payer, &budget, &landing);
        set_order(payer, &list);
    }
    ck_assert(landed);
    arena_free(payer);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, members_come_in_order, 0, COUNT(makers));
    tcase_add_test(tc, work_is_charged);
}

int main(void)
{
    return unit_run("set_order", add_tests);
}
