#include "unit_store.h"

#include "support/store_at_once.h"

#include "store/space_copy.h"
#include "support/store_check.h"

#include <stdlib.h>

#define MANY 1200 /* entries: several slices */

static uint32_t from, to;

static const char *name_of(int i)
{
    return arena_printf(arena, "%04d", i);
}

/* A space with an entry for every even number. */
static void fill(void)
{
    begin();
    from = new_space();
    for (int i = 0; i < MANY; i += 2)
        put(from, name_of(i), name_of(i));
    end(true);
}

static void begin_copy(void)
{
    begin();
    ok(space_copy_begin(unit, from, &to));
    end(true);
}

static void is_sound(void)
{
    const char *problem = store_check(store, arena);

    ck_assert_msg(!problem, "%s", problem);
}

static bool step(void)
{
    bool more;

    begin();
    ok(space_copy_step(unit, to, &more));
    end(true);
    return more;
}

static void change(int i, int round)
{
    struct store_row row = get(from, name_of(i));

    if (!row.found)
        ok(unit_put(unit, &row, 3, SPAN_LIT("new")));
    else if (round % 3 == 0)
        ok(unit_delete(unit, &row));
    else
        ok(unit_put(unit, &row, 7, SPAN_LIT("changed")));
}

/* Changes entries all over the space, some of them several times, some in a unit that is undone. */
static void change_many(int round)
{
    for (int keep = 0; keep < 2; keep++) {
        begin();
        for (int i = round; i < MANY; i += 7)
            change(i, round + i);
        for (int i = round; i < MANY; i += 35)
            change(i, round + i + 1);
        end(keep);
    }
}

START_TEST(a_copy_is_of_its_beginning_whatever_changes_on_the_way)
{
    const char *before;
    bool more = true;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    change_many(0);
    for (int round = 1; more; round++) {
        more = step();
        change_many(round);
        if (round % 2)
            ok(store_flush(store, arena));
    }
    ck_assert_str_ne(range_text(from, "", "~", false, false), before);
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    has_stats(to, MANY / 2, 4 * MANY / 2);
    begin();
    ok(unit_drop_space(unit, from));
    end(true);
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(copies_of_several_moments)
{
    const char *before, *between;
    uint32_t first;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    first = to;
    step();
    change_many(3);
    between = range_text(from, "", "~", false, false);
    begin_copy();
    ck_assert_uint_eq(space_copy_next(store, 0), _i == IN_FILE ? first : 0);
    ck_assert_uint_eq(space_copy_next(store, first), _i == IN_FILE ? to : 0);
    change_many(5);
    while (step())
        change_many(1);
    ck_assert(!space_copy_fills(store, to));
    ck_assert_str_eq(range_text(to, "", "~", false, false), between);
    to = first;
    ck_assert_int_eq(space_copy_fills(store, to), _i == IN_FILE);
    while (step())
        ;
    ck_assert_str_eq(range_text(first, "", "~", false, false), before);
    ck_assert_uint_eq(space_copy_next(store, 0), 0);
    stop();
}
END_TEST

START_TEST(a_slice_that_was_undone_is_made_again)
{
    const char *before;
    bool more;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    begin();
    ok(space_copy_step(unit, to, &more));
    end(false);
    change_many(2);
    while (step()) {
        begin();
        ok(space_copy_step(unit, to, &more));
        end(false);
        if (!more)
            ck_assert(space_copy_fills(store, to));
    }
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(a_copy_whose_beginning_was_undone_never_was)
{
    start(_i);
    fill();
    begin();
    ok(space_copy_begin(unit, from, &to));
    ck_assert_int_eq(space_copy_fills(store, to), _i == IN_FILE);
    end(false);
    ck_assert(!space_copy_fills(store, to));
    change_many(1);
    has_stats(to, 0, 0);
    stop();
}
END_TEST

/* All of it at once, or what a stream loses. */
START_TEST(what_goes_while_it_is_copied_is_in_the_copy)
{
    const char *before;

    start(_i % (int)MODES);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    begin();
    if (_i < (int)MODES)
        ok(unit_drop_space(unit, from));
    else
        ok(unit_delete_range(unit, key_at(from, ""), key_at(from, "~")));
    end(true);
    reap();
    while (step())
        reap();
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    ck_assert_str_eq(range_text(from, "", "~", false, false), "");
    stop();
}
END_TEST

/* Bodies that a copy shares go in slices, as others do. */
START_TEST(a_space_that_shares_bodies_goes_in_slices)
{
    bool more = true;
    int slices = 0;

    start(IN_FILE);
    begin();
    from = new_space();
    for (int i = 0; i < 4 * MANY; i++)
        put(from, arena_printf(arena, "%05d", i), "body");
    end(true);
    begin_copy();
    while (step())
        continue;
    begin();
    ok(unit_drop_space(unit, from));
    end(true);
    for (; more; slices++) {
        begin();
        ok(unit_reap(unit, &more));
        end(true);
    }
    ck_assert_int_gt(slices, 3);
    is_sound();
    stop();
}
END_TEST

START_TEST(whoever_gives_up_the_new_space_ends_the_copy)
{
    start(_i);
    fill();
    begin_copy();
    step();
    begin();
    ok(unit_drop_space(unit, to));
    end(true);
    ck_assert(!space_copy_fills(store, to));
    change_many(1);
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), "");
    stop();
}
END_TEST

START_TEST(a_copy_goes_on_after_a_restart)
{
    const char *before;

    start(IN_FILE);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    for (int round = 0; space_copy_fills(store, to); round++) {
        reopen();
        change_many(round);
        step();
        change_many(round + 1);
    }
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(a_copy_of_the_store_goes_on_by_itself)
{
    struct store_options options = {.path = NULL};
    const char *before, *problem;
    struct store *first;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    first = store;
    store = store_at_once_copy(arena, first, &options, &problem);
    ck_assert_ptr_nonnull(store);
    change_many(1);
    while (step())
        ;
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    store_free(store);
    store = first;
    ck_assert_int_eq(space_copy_fills(store, to), _i == IN_FILE);
    change_many(2);
    while (step())
        ;
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

/* A snapshot of a file in memory has the copy as it was; a store of the other engine that is made
 * of the snapshot has the whole copy. */
START_TEST(a_copy_is_completed_in_another_engine)
{
    struct store_options options = {.path = NULL};
    struct store *file, *pages;
    const char *before, *problem;

    start(IN_FILE);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    change_many(1);
    file = store;
    pages = store_at_once_copy(arena, file, &options, &problem);
    ck_assert_ptr_nonnull(pages);
    ck_assert(space_copy_fills(pages, to));
    store = store_at_once_copy(arena, pages, &options, &problem);
    ck_assert_ptr_nonnull(store);
    ck_assert(!space_copy_fills(store, to));
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    is_sound();
    store_free(pages);
    store_free(file);
    stop();
}
END_TEST

/* --- who owns a body -------------------------------------------------------------------------- */

static void copy_all(void)
{
    begin_copy();
    while (step())
        ;
}

static void drop(uint32_t space)
{
    begin();
    ok(unit_drop_space(unit, space));
    end(true);
}

static void change_some(int count)
{
    begin();
    for (int i = 0; i < 2 * count; i += 2) {
        struct store_row row = get(from, name_of(i));

        ok(unit_put(unit, &row, 7, SPAN_LIT("changed")));
    }
    end(true);
    is_sound();
}

START_TEST(a_copy_takes_bodies_for_what_changes_afterwards)
{
    const int items = MANY / 2, changed = 7;

    start(IN_FILE);
    fill();
    copy_all();
    copy_all();
    ck_assert_int_eq(database_count("SELECT count(*) FROM item"), items);
    change_some(changed);
    ck_assert_int_eq(database_count("SELECT count(*) FROM item"), items + changed);
    change_some(changed); /* which are nobody else's by now */
    ck_assert_int_eq(database_count("SELECT count(*) FROM item"), items + changed);
    begin();
    put(from, name_of(MANY), "new");
    end(true);
    ck_assert_int_eq(database_count("SELECT count(*) FROM item"), items + changed + 1);
    is_sound();
    stop();
}
END_TEST

START_TEST(what_nobody_owns_any_more_goes)
{
    uint32_t first;

    start(_i % (int)MODES);
    fill();
    copy_all();
    first = to;
    copy_all();
    change_many(0);
    drop(_i < (int)MODES ? from : first);
    is_sound();
    reap();
    is_sound();
    drop(to);
    reap();
    is_sound();
    drop(_i < (int)MODES ? first : from);
    reap();
    is_sound();
    if (_i % (int)MODES == IN_FILE) {
        ck_assert_int_eq(database_count("SELECT count(*) FROM item"), 0);
        ck_assert_int_eq(database_count("SELECT count(*) FROM shared"), 0);
        ck_assert_int_eq(database_count("SELECT count(*) FROM sharing"), 0);
    }
    stop();
}
END_TEST

/* An empty space whose bodies a copy still has is given up, and made use of before. */
START_TEST(an_empty_space_leaves_the_bodies_to_its_copy)
{
    const char *before;

    start(IN_FILE);
    fill();
    before = range_text(from, "", "~", false, false);
    copy_all();
    begin();
    ok(unit_delete_range(unit, key_at(from, ""), key_at(from, "~")));
    end(true);
    reopen();
    is_sound();
    begin();
    put(from, "x", "new");
    end(true);
    reopen();
    if (_i)
        drop(from);
    reap();
    is_sound();
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

/* --- by chance -------------------------------------------------------------------------------- */

#define SPACES 6
#define KEYS   700 /* entries: two slices */

/* What each space should have: the number that was put last, 0 where there is no entry; of a copy
 * that is being made, what it will have. */
static struct {
    uint32_t space; /* 0: none */
    int values[KEYS];
} model[SPACES], kept[SPACES];

static unsigned chance(unsigned n)
{
    static unsigned state = 1;

    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

static void change_by_chance(size_t at)
{
    int i = (int)chance(KEYS), value = 1 + (int)chance(99);
    struct store_row row = get(model[at].space, name_of(i));
    const char *body = arena_printf(arena, "%d", value);

    if (row.found && chance(3) == 0) {
        ok(unit_delete(unit, &row));
        value = 0;
    } else {
        ok(unit_put(unit, &row, strlen(body), span_of(body)));
    }
    model[at].values[i] = value;
}

/* In place of what was there: an empty space, or a copy. Only what is whole is copied. */
static void replace_by_chance(size_t at)
{
    size_t source = chance(SPACES);

    if (model[at].space)
        ok(unit_drop_space(unit, model[at].space));
    memset(&model[at], 0, sizeof model[at]);
    if (!model[source].space || space_copy_fills(store, model[source].space)) {
        model[at].space = new_space();
        return;
    }
    model[at] = model[source];
    ok(space_copy_begin(unit, model[source].space, &model[at].space));
}

static void step_by_chance(void)
{
    uint32_t next = space_copy_next(store, 0);
    bool more;

    if (next && chance(4) == 0)
        ok(space_copy_step(unit, next, &more));
}

static void work_by_chance(void)
{
    begin();
    memcpy(kept, model, sizeof kept);
    if (chance(12) == 0)
        replace_by_chance(chance(SPACES));
    for (unsigned count = chance(60); count; count--) {
        size_t at = chance(SPACES);

        if (model[at].space && !space_copy_fills(store, model[at].space))
            change_by_chance(at);
    }
    step_by_chance();
    if (chance(5)) {
        end(true);
    } else {
        end(false);
        memcpy(model, kept, sizeof model);
    }
}

static void has_what_the_model_has(void)
{
    for (size_t at = 0; at < SPACES; at++) {
        struct buf wanted = buf_in(arena);

        if (!model[at].space || space_copy_fills(store, model[at].space))
            continue;
        for (int i = 0; i < KEYS; i++)
            if (model[at].values[i])
                buf_printf(&wanted, "%s%s=%d", wanted.len ? " " : "", name_of(i),
                           model[at].values[i]);
        ck_assert_str_eq(range_text(model[at].space, "", "~", false, false),
                         arena_text(arena, buf_span(&wanted)));
    }
    is_sound();
}

START_TEST(copies_of_copies_equal_a_model)
{
    memset(model, 0, sizeof model);
    start(_i);
    for (int round = 0; round < 600; round++) {
        work_by_chance();
        if (round % 20 == 0)
            has_what_the_model_has();
        if (_i == IN_FILE && chance(30) == 0)
            reopen();
        if (chance(10) == 0)
            reap();
    }
    for (size_t at = 0; at < SPACES; at++)
        if (model[at].space)
            drop(model[at].space);
    reap();
    is_sound();
    if (_i == IN_FILE) {
        ck_assert_int_eq(database_count("SELECT count(*) FROM item"), 0);
        ck_assert_int_eq(database_count("SELECT count(*) FROM sharing"), 0);
    }
    stop();
}
END_TEST

static void copy_and_drop(int i)
{
    (void)i;
    begin_copy();
    while (step())
        continue;
    begin();
    ok(unit_drop_space(unit, to));
    end(true);
    reap();
    ok(store_flush(store, arena));
}

START_TEST(copies_that_ended_take_no_memory)
{
    start(_i);
    begin();
    from = new_space();
    put(from, "a", "1");
    end(true);
    takes_no_memory(copy_and_drop, 1000);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_copy_is_of_its_beginning_whatever_changes_on_the_way, 0, MODES);
    tcase_add_loop_test(tc, copies_of_several_moments, 0, MODES);
    tcase_add_loop_test(tc, a_slice_that_was_undone_is_made_again, 0, MODES);
    tcase_add_loop_test(tc, a_copy_whose_beginning_was_undone_never_was, 0, MODES);
    tcase_add_loop_test(tc, what_goes_while_it_is_copied_is_in_the_copy, 0, 2 * MODES);
    tcase_add_test(tc, a_space_that_shares_bodies_goes_in_slices);
    tcase_add_loop_test(tc, whoever_gives_up_the_new_space_ends_the_copy, 0, MODES);
    tcase_add_test(tc, a_copy_goes_on_after_a_restart);
    tcase_add_loop_test(tc, a_copy_of_the_store_goes_on_by_itself, 0, MODES);
    tcase_add_test(tc, a_copy_is_completed_in_another_engine);
    tcase_add_test(tc, a_copy_takes_bodies_for_what_changes_afterwards);
    tcase_add_loop_test(tc, what_nobody_owns_any_more_goes, 0, 2 * MODES);
    tcase_add_loop_test(tc, an_empty_space_leaves_the_bodies_to_its_copy, 0, 2);
    tcase_add_loop_test(tc, copies_that_ended_take_no_memory, 0, MODES);
    tcase_add_loop_test(tc, copies_of_copies_equal_a_model, 0, MODES);
}

UNIT_TESTS(space_copy, add_tests)
