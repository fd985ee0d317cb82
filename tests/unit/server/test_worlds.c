#include "unit.h"

#include "base/file.h"
#include "support/offline_server.h"
#include "support/worlds_at_once.h"
#include "worlds/worlds_core.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define MANY 200

static struct clock *now;
static struct worlds *worlds;

static void open_worlds(void)
{
    worlds = offline_worlds_new(arena, &(struct offline_options){.seed = 1}, &now);
}

static struct world *use(const char *name)
{
    const struct problem *p;
    struct world *w;

    p = worlds_at_once_use(arena, worlds, span_of(name), &w);
    ck_assert_msg(!p, "%s", p ? p->text : "");
    return w;
}

static void settle(void)
{
    while (worlds_idle(worlds))
        continue;
    worlds_flush(worlds);
}

/* --- the order -------------------------------------------------------------------------------- */

static void check_order(const struct world_order *o, const int64_t *due, size_t count)
{
    const struct world *first = world_order_first(o);
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < count; i++)
        if (due[i] < least)
            least = due[i];
    if (least == INT64_MAX)
        ck_assert_ptr_null(first);
    else
        ck_assert_int_eq(first->place.due_ms, least);
}

START_TEST(the_first_that_is_due_is_known_whatever_changes)
{
    static struct world many[MANY];
    struct world_order order = {.count = 0};
    int64_t due[MANY];

    for (size_t i = 0; i < MANY; i++)
        due[i] = INT64_MAX;
    for (size_t n = 0; n < 20000; n++) {
        size_t i = unit_random(MANY);

        due[i] = unit_random(3) ? (int64_t)unit_random(1000) : INT64_MAX;
        world_order_set(&order, &many[i], due[i]);
        check_order(&order, due, MANY);
    }
    for (size_t i = 0; i < MANY; i++) {
        world_order_set(&order, &many[i], due[i] = INT64_MAX);
        check_order(&order, due, MANY);
    }
    world_order_free(&order);
}
END_TEST

/* --- worlds ----------------------------------------------------------------------------------- */

START_TEST(worlds_are_in_the_order_of_their_names)
{
    static const char *const names[] = {"m", "a", "z", "default0", "c", "b"};
    struct span before = {"", 0};

    open_worlds();
    for (size_t i = 0; i < COUNT(names); i++)
        use(names[i]);
    ck_assert_uint_eq(worlds_count(worlds), COUNT(names) + 1);
    for (size_t i = 0; i < worlds_count(worlds); i++) {
        struct span name = world_name(worlds_at(worlds, i));

        ck_assert_int_lt(span_compare(before, name), 0);
        ck_assert_ptr_eq(worlds_find(worlds, name), worlds_at(worlds, i));
        before = name;
    }
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("d")));
    worlds_free(worlds);
}
END_TEST

START_TEST(idle_worlds_ask_for_nothing)
{
    open_worlds();
    for (int i = 0; i < 20; i++)
        use(arena_printf(arena, "w%d", i));
    ck_assert_int_eq(worlds_rest_ms(worlds), 0);
    settle();
    ck_assert_int_eq(worlds_rest_ms(worlds), WORLD_RESTS);
    worlds_free(worlds);
}
END_TEST

/* The work that is due before the clock is frozen is done. */
START_TEST(a_world_whose_clock_is_frozen_does_what_is_due)
{
    struct world *w;

    open_worlds();
    w = use("a");
    clock_set_rate(world_clock(w), 0);
    ck_assert_int_eq(world_rest_ms(w), 0);
    settle();
    ck_assert_int_eq(world_rest_ms(w), WORLD_RESTS);
    worlds_free(worlds);
}
END_TEST

START_TEST(a_world_in_which_somebody_is_at_work_stays)
{
    struct world *w;

    open_worlds();
    w = use("a");
    world_hold(w);
    ck_assert_int_eq(worlds_drop(arena, worlds, world_name(w))->kind, PROBLEM_CONFLICT);
    ck_assert_int_eq(worlds_at_once_reset(arena, worlds, w)->kind, PROBLEM_CONFLICT);
    world_release(w);
    ck_assert_ptr_null(worlds_at_once_reset(arena, worlds, w));
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(w)));
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("a")));
    worlds_free(worlds);
}
END_TEST

START_TEST(a_dropped_world_answers_until_the_turn_is_over)
{
    struct world *w;

    open_worlds();
    w = use("a");
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(w)));
    ck_assert_ptr_ne(use("a"), w);
    worlds_flush(worlds);
    ck_assert(!world_lost(w));
    worlds_flush(worlds);
    worlds_free(worlds);
}
END_TEST

START_TEST(names_are_plain)
{
    static const struct {
        const char *name;
        bool good;
    } rows[] = {
        {"a", true},
        {"A.b-c_9", true},
        {"", false},
        {".a", false},
        {"a/b", false},
        {"a b", false},
        {"\303\244", false},
        {"..", false},
        {"0123456789012345678901234567890123456789012345678901234567890123", true},
        {"01234567890123456789012345678901234567890123456789012345678901234", false},
    };

    ck_assert(world_is_name(span_of(rows[_i].name)) == rows[_i].good);
}
END_TEST

/* --- copies in slices ------------------------------------------------------------------------- */

#define LARGE_ITEMS 60 /* of 100 KB, so that a copy takes several slices */
#define FEW_SLICES  4

static int send(const struct world *w, const char *operation, const char *body)
{
    struct request request = {
        .target = span_of(arena_printf(arena, "DynamoDB_20120810.%s", operation)),
        .body = span_of(body)};
    struct reply reply;

    dispatch(world_dispatcher(w), &request, &reply);
    return reply.status;
}

static void put_large(const struct world *w, int from, int to)
{
    for (int i = from; i < to; i++)
        ck_assert_int_eq(
            send(w, "PutItem",
                 arena_printf(arena,
                              "{\"TableName\":\"Large\",\"Item\":{\"pk\":{\"S\":\"%d\"},"
                              "\"v\":{\"S\":\"%0100000d\"}}}",
                              i, i)),
            200);
}

/* The first world has a table with large items. */
static struct world *open_large(void)
{
    struct world *first;

    open_worlds();
    first = worlds_first(worlds);
    ck_assert_int_eq(send(first, "CreateTable", offline_server_table_of(arena, "Large", "")), 200);
    put_large(first, 0, LARGE_ITEMS);
    return first;
}

static int64_t items(const struct world *w)
{
    const struct table *t = store_table(world_store(w), SPAN_LIT("Large"));

    return t ? store_stats(world_store(w), t->space).entries : -1;
}

static void is_fine(const struct problem *p)
{
    ck_assert_msg(!p, "%s", p ? p->text : "");
}

static void is_fault(const struct problem *p, enum problem_kind kind)
{
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(p->kind, kind);
}

/* To its end; other worlds are served between its slices. */
static void run_in_slices(struct worlds_copy *copy)
{
    struct world *other = use("other");
    int slices = 0;

    while (!worlds_copy_step(copy)) {
        slices++;
        ck_assert_int_eq(send(other, "ListTables", "{}"), 200);
        worlds_flush(worlds);
    }
    ck_assert_int_ge(slices, FEW_SLICES);
    is_fine(worlds_copy_problem(copy));
}

START_TEST(others_are_served_while_a_world_is_copied)
{
    struct world *first = open_large();
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    ck_assert(world_is_copied(first));
    run_in_slices(copy);
    worlds_copy_free(copy);
    ck_assert(!world_is_copied(first));
    put_large(first, LARGE_ITEMS, LARGE_ITEMS + 1);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    run_in_slices(copy);
    ck_assert_str_eq(worlds_copy_snapshot(copy)->name, "s");
    worlds_copy_free(copy);
    ck_assert_int_eq(items(first), LARGE_ITEMS);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &copy));
    run_in_slices(copy);
    ck_assert_int_eq(items(worlds_copy_world(copy)), LARGE_ITEMS);
    worlds_copy_free(copy);
    worlds_free(worlds);
}
END_TEST

START_TEST(a_copy_that_is_given_up_leaves_all_as_it_was)
{
    struct world *first = open_large(), *made = NULL;
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_snapshots(first)->count, 0);
    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    run_in_slices(copy);
    worlds_copy_free(copy);
    put_large(first, LARGE_ITEMS, LARGE_ITEMS + 1);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    ck_assert_int_eq(items(first), LARGE_ITEMS + 1);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("fork"), &made), PROBLEM_MISSING);
    is_fine(worlds_at_once_make(arena, worlds, SPAN_LIT("fork"), NULL, &made));
    ck_assert_int_eq(items(made), -1);
    worlds_free(worlds);
}
END_TEST

START_TEST(what_a_copy_needs_waits_for_its_end)
{
    struct world *first = open_large(), *source, *w;
    struct worlds_copy *copy, *second;
    uint64_t ended;

    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("source"), first, NULL, &copy));
    run_in_slices(copy);
    source = worlds_copy_world(copy);
    worlds_copy_free(copy);
    ended = worlds_copies_ended(worlds);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), source, NULL, &copy));
    ck_assert_int_eq(world_rest_ms(source), WORLD_RESTS);
    is_fault(worlds_drop(arena, worlds, world_name(source)), PROBLEM_WAITS);
    is_fault(worlds_begin_snapshot(arena, worlds, source, SPAN_LIT("s"), &second), PROBLEM_WAITS);
    is_fault(worlds_begin_reset(arena, worlds, source, &second), PROBLEM_WAITS);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("fork"), &w), PROBLEM_WAITS);
    is_fault(worlds_use(arena, worlds, SPAN_LIT("fork"), &w), PROBLEM_WAITS);
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), NULL, NULL, &second),
             PROBLEM_WAITS);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("two"), source, NULL, &second));
    run_in_slices(second);
    worlds_copy_free(second);
    is_fault(worlds_drop(arena, worlds, world_name(source)), PROBLEM_WAITS);
    run_in_slices(copy);
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_copies_ended(worlds), ended + 2);
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(source)));
    ck_assert_int_eq(items(use("fork")), LARGE_ITEMS);
    ck_assert_int_eq(items(use("two")), LARGE_ITEMS);
    worlds_free(worlds);
}
END_TEST

/* In files: whoever has a store open that another takes the place of would remove that one's log.
 */
START_TEST(a_world_that_is_replaced_is_not_forked_meanwhile)
{
    struct world *first = open_large();
    struct worlds_copy *copy, *fork;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    run_in_slices(copy);
    worlds_copy_free(copy);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork), PROBLEM_WAITS);
    run_in_slices(copy);
    worlds_copy_free(copy);
    is_fine(worlds_begin_reset(arena, worlds, first, &copy));
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork), PROBLEM_WAITS);
    worlds_copy_free(copy);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork));
    worlds_copy_free(fork);
    worlds_free(worlds);
}
END_TEST

/* The request that began it may be gone: nobody takes the fault then. */
START_TEST(a_world_whose_making_failed_can_be_made)
{
    char folder[UNIT_FOLDER_SIZE];
    struct worlds_options options = {.first.settings = {.region = SPAN_LIT_INIT(WORLD_REGION),
                                                        .account = SPAN_LIT_INIT(WORLD_ACCOUNT)}};
    struct worlds_copy *copy;
    struct world *w;

    unit_make_folder(folder);
    options.folder = folder;
    is_fine(worlds_new(arena, &options, &worlds));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, NULL, &copy));
    copy->is_disowned = true;
    ck_assert_int_eq(unlink(arena_printf(arena, "%s/world.w.db.new", folder)), 0);
    while (!copy->is_over)
        worlds_copies_idle(worlds);
    is_fault(worlds_copy_problem(copy), PROBLEM_FAILED);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_MISSING);
    is_fine(worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w));
    is_fine(worlds_drop(arena, worlds, world_name(w)));
    worlds_free(worlds);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* A world that is there counts once, also while its making is not over. */
START_TEST(a_new_world_takes_one_place)
{
    struct worlds_options options = {.max_count = 3,
                                     .max_memory = SIZE_MAX,
                                     .first.settings = {.region = SPAN_LIT_INIT(WORLD_REGION),
                                                        .account = SPAN_LIT_INIT(WORLD_ACCOUNT)}};
    const struct problem *p;
    struct worlds_copy *one, *two, *three;

    is_fine(worlds_new(arena, &options, &worlds));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("one"), NULL, NULL, &one));
    is_fine(worlds_at_once_run(one));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("two"), NULL, NULL, &two));
    p = worlds_begin_make(arena, worlds, SPAN_LIT("three"), NULL, NULL, &three);
    is_fault(p, PROBLEM_LIMIT);
    ck_assert_str_eq(p->text, "the limit of 3 worlds is reached: drop some");
    worlds_copy_free(two);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("three"), NULL, NULL, &three));
    is_fine(worlds_at_once_run(three));
    worlds_copy_free(one);
    worlds_copy_free(three);
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("two"), NULL, NULL, &two), PROBLEM_LIMIT);
    worlds_free(worlds);
}
END_TEST

/* In a file a new world is there before the disk has it. */
START_TEST(a_new_world_stays_until_its_making_is_over)
{
    char folder[UNIT_FOLDER_SIZE];
    struct worlds_options options = {.first.settings = {.region = SPAN_LIT_INIT(WORLD_REGION),
                                                        .account = SPAN_LIT_INIT(WORLD_ACCOUNT)}};
    struct worlds_copy *copy;
    struct world *w;

    unit_make_folder(folder);
    options.folder = folder;
    options.first.store.sync = STORE_SYNC_NORMAL;
    is_fine(worlds_new(arena, &options, &worlds));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, NULL, &copy));
    while (!worlds_find(worlds, SPAN_LIT("w")))
        (void)worlds_copy_step(copy);
    w = worlds_find(worlds, SPAN_LIT("w"));
    if (!copy->is_over)
        is_fault(worlds_drop(arena, worlds, world_name(w)), PROBLEM_WAITS);
    is_fine(worlds_at_once_run(copy));
    ck_assert_ptr_eq(worlds_copy_world(copy), w);
    worlds_copy_free(copy);
    is_fine(worlds_drop(arena, worlds, world_name(w)));
    worlds_free(worlds);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* --- files in slices -------------------------------------------------------------------------- */

static char folder[UNIT_FOLDER_SIZE];

static void open_folder(void)
{
    struct worlds_options options = {.folder = folder,
                                     .first.settings = {.region = SPAN_LIT_INIT(WORLD_REGION),
                                                        .account = SPAN_LIT_INIT(WORLD_ACCOUNT)}};

    is_fine(worlds_new(arena, &options, &worlds));
}

static size_t count_files(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t count = 0;

    while ((entry = readdir(dir)))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while ((entry = readdir(dir)))
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* A world with large items, its snapshot s, and the path of that snapshot's file. */
static struct world *make_large(const char *name, const char **path)
{
    struct world *w = use(name);
    struct worlds_copy *copy;

    ck_assert_int_eq(send(w, "CreateTable", offline_server_table_of(arena, "Large", "")), 200);
    put_large(w, 0, LARGE_ITEMS);
    worlds_flush(worlds);
    is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    *path = arena_printf(arena, "%s/snapshot.%s.s.mockddb", folder, name);
    return w;
}

/* Nobody else flushes what a world did between requests. */
START_TEST(work_between_requests_is_flushed)
{
    const char *path;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    w = make_large("w", &path);
    ck_assert_int_eq(send(use("w"), "DeleteTable", "{\"TableName\":\"Large\"}"), 200);
    worlds_flush(worlds);
    ck_assert(store_has_doomed(world_store(w)) && !store_needs_flush(world_store(w)));
    settle();
    ck_assert(!store_has_doomed(world_store(w)) && !store_needs_flush(world_store(w)));
    worlds_free(worlds);
    remove_folder();
}
END_TEST

static int64_t items_of(const struct world *w, const char *snapshot)
{
    const struct snapshot *s;
    const struct table *t;

    is_fine(worlds_find_snapshot(arena, w, span_of(snapshot), &s));
    t = store_table(s->state.store, SPAN_LIT("Large"));
    return t ? store_stats(s->state.store, t->space).entries : -1;
}

static void write_file(const char *path, struct span text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    ck_assert(file_write(fd, text));
    close(fd);
}

static void copy_file(const char *from, const char *to)
{
    struct span text;

    ck_assert(file_read(arena, from, &text));
    write_file(to, text);
}

START_TEST(a_file_becomes_a_snapshot_in_slices)
{
    const char *path, *file;
    struct worlds_copy *copy, *other;
    size_t files;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    w = make_large("w", &path);
    file = arena_printf(arena, "%s/file", folder);
    copy_file(path, file);
    put_large(w, LARGE_ITEMS, LARGE_ITEMS + 1);
    worlds_flush(worlds);
    is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("t"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    files = count_files();

    /* given up at any slice: the old one stays, or at last the new one is kept; no other file */
    for (int slices = 1; slices < 1000; slices = 2 * slices + 1) {
        bool done = false;
        int64_t kept;

        is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("t"), file, &copy));
        for (int i = 0; i < slices && !done; i++)
            done = worlds_copy_step(copy);
        worlds_copy_free(copy);
        if (done)
            break;
        ck_assert(!world_is_copied(w));
        kept = items_of(w, "t");
        ck_assert(kept == LARGE_ITEMS + 1 || (kept == LARGE_ITEMS && slices > 1));
        ck_assert_uint_eq(count_files(), files);
        is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("t"), &copy));
        is_fine(worlds_at_once_run(copy));
        worlds_copy_free(copy);
    }

    is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("u"), file, &copy));
    is_fault(worlds_drop(arena, worlds, world_name(w)), PROBLEM_CONFLICT);
    ck_assert(!world_is_copied(w)); /* it is served while the file is read, … */
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), w, NULL, &other));
    ck_assert(worlds_copy_waits(copy)); /* … and another copy of it ends first */
    ck_assert(!worlds_copy_step(copy));
    is_fine(worlds_at_once_run(other));
    worlds_copy_free(other);
    run_in_slices(copy);
    ck_assert_str_eq(worlds_copy_snapshot(copy)->name, "u");
    worlds_copy_free(copy);
    ck_assert_int_eq(items_of(w, "u"), LARGE_ITEMS);
    ck_assert_int_eq(items(w), LARGE_ITEMS + 1);
    is_fine(worlds_drop(arena, worlds, world_name(w)));

    ck_assert_int_eq(truncate(file, 1000), 0);
    w = use("other");
    is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("v"), file, &copy));
    is_fault(worlds_at_once_run(copy), PROBLEM_INVALID);
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_snapshots(w)->count, 0);
    worlds_free(worlds);
    remove_folder();
}
END_TEST

/* Does the slices of the copies that no request waits for; other worlds are served meanwhile. */
static int open_in_slices(const char *name, struct world **out)
{
    struct world *other = use("other");
    const struct problem *p;
    int slices = 0;

    while ((p = worlds_seek(arena, worlds, span_of(name), out))) {
        is_fault(p, PROBLEM_WAITS);
        slices++;
        worlds_copies_idle(worlds);
        ck_assert_int_eq(send(other, "ListTables", "{}"), 200);
        worlds_flush(worlds);
    }
    return slices;
}

START_TEST(a_closed_world_is_opened_in_slices)
{
    const char *path, *second, *third;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    (void)make_large("w", &path);
    worlds_free(worlds);
    second = arena_printf(arena, "%s/snapshot.w.t.mockddb", folder);
    third = arena_printf(arena, "%s/snapshot.w.u.mockddb", folder);
    copy_file(path, second);
    copy_file(path, third);
    ck_assert_int_eq(truncate(second, 1000), 0);

    open_folder();
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_use(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w), PROBLEM_WAITS);
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("w"))); /* with all its snapshots or not yet */
    worlds_free(worlds);

    open_folder();
    ck_assert_int_ge(open_in_slices("w", &w), FEW_SLICES);
    ck_assert_int_eq(items(w), LARGE_ITEMS);
    ck_assert_uint_eq(worlds_snapshots(w)->count, 2);
    ck_assert_int_eq(items_of(w, "s"), LARGE_ITEMS);
    ck_assert_int_eq(items_of(w, "u"), LARGE_ITEMS);
    ck_assert_int_eq(access(second, F_OK), 0); /* one that cannot be read stays in its file */
    worlds_free(worlds);
    remove_folder();
}
END_TEST

/* Its snapshots would be loaded first; what a crash left beside its file must not come back. */
START_TEST(a_closed_world_is_dropped_without_being_opened)
{
    const char *path, *file;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    (void)make_large("w", &path);
    worlds_free(worlds);
    file = arena_printf(arena, "%s/world.w.db", folder);
    copy_file(file, arena_printf(arena, "%s.next", file));

    open_folder();
    is_fine(worlds_drop(arena, worlds, SPAN_LIT("w")));
    ck_assert_uint_eq(count_files(), 0);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("w")), PROBLEM_MISSING);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("../w")), PROBLEM_INVALID);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_MISSING);
    ck_assert_int_eq(items(use("w")), -1);
    worlds_free(worlds);
    remove_folder();
}
END_TEST

START_TEST(a_closed_world_that_is_being_opened_is_dropped_afterwards)
{
    const char *path;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    (void)make_large("w", &path);
    worlds_free(worlds);
    open_folder();
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("w")), PROBLEM_WAITS);
    (void)open_in_slices("w", &w);
    is_fine(worlds_drop(arena, worlds, SPAN_LIT("w")));
    worlds_free(worlds);
    remove_folder();
}
END_TEST

/* As a world that is opened does. */
START_TEST(a_new_world_has_the_snapshots_that_are_in_files)
{
    const char *path;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    (void)make_large("w", &path);
    copy_file(path, arena_printf(arena, "%s/snapshot.v.s.mockddb", folder));
    w = use("v");
    ck_assert_int_eq(items(w), -1);
    ck_assert_int_eq(items_of(w, "s"), LARGE_ITEMS);
    worlds_free(worlds);
    remove_folder();
}
END_TEST

/* The fault is for the request that names the world; the next one tries again. */
START_TEST(a_world_that_cannot_be_opened_says_so_each_time)
{
    const char *path, *file;
    struct world *w;

    unit_make_folder(folder);
    open_folder();
    (void)make_large("w", &path);
    worlds_free(worlds);
    file = arena_printf(arena, "%s/world.w.db", folder);
    write_file(file, SPAN_LIT("this is not a file of mockddb"));
    open_folder();
    for (int i = 0; i < 2; i++) {
        const struct problem *p;

        while ((p = worlds_seek(arena, worlds, SPAN_LIT("w"), &w)) && p->kind == PROBLEM_WAITS)
            worlds_copies_idle(worlds);
        is_fault(p, PROBLEM_FAILED);
    }
    worlds_free(worlds);
    remove_folder();
}
END_TEST

START_TEST(a_snapshot_that_is_dropped_is_restored_all_the_same)
{
    struct world *first = open_large(), *w;
    const struct snapshot *s;
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    s = &worlds_snapshots(first)->at[0];
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, &s->state, &copy));
    is_fine(worlds_drop_snapshot(arena, worlds, first, SPAN_LIT("s")));
    run_in_slices(copy);
    worlds_copy_free(copy);
    w = use("w");
    ck_assert_int_eq(items(w), LARGE_ITEMS);
    worlds_free(worlds);
}
END_TEST

START_TEST(worlds_end_with_copies_on_their_way)
{
    struct world *first = open_large();
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), first, NULL, &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_free(worlds);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, others_are_served_while_a_world_is_copied);
    tcase_add_test(tc, a_copy_that_is_given_up_leaves_all_as_it_was);
    tcase_add_test(tc, what_a_copy_needs_waits_for_its_end);
    tcase_add_test(tc, a_world_that_is_replaced_is_not_forked_meanwhile);
    tcase_add_test(tc, a_world_whose_making_failed_can_be_made);
    tcase_add_test(tc, a_new_world_takes_one_place);
    tcase_add_test(tc, a_new_world_stays_until_its_making_is_over);
    tcase_add_test(tc, a_file_becomes_a_snapshot_in_slices);
    tcase_add_test(tc, a_closed_world_is_opened_in_slices);
    tcase_add_test(tc, a_closed_world_is_dropped_without_being_opened);
    tcase_add_test(tc, a_closed_world_that_is_being_opened_is_dropped_afterwards);
    tcase_add_test(tc, a_new_world_has_the_snapshots_that_are_in_files);
    tcase_add_test(tc, a_world_that_cannot_be_opened_says_so_each_time);
    tcase_add_test(tc, a_snapshot_that_is_dropped_is_restored_all_the_same);
    tcase_add_test(tc, worlds_end_with_copies_on_their_way);
    tcase_add_test(tc, the_first_that_is_due_is_known_whatever_changes);
    tcase_add_test(tc, worlds_are_in_the_order_of_their_names);
    tcase_add_test(tc, idle_worlds_ask_for_nothing);
    tcase_add_test(tc, a_world_whose_clock_is_frozen_does_what_is_due);
    tcase_add_test(tc, work_between_requests_is_flushed);
    tcase_add_test(tc, a_world_in_which_somebody_is_at_work_stays);
    tcase_add_test(tc, a_dropped_world_answers_until_the_turn_is_over);
    tcase_add_loop_test(tc, names_are_plain, 0, 10);
}

UNIT_TESTS(worlds, add_tests)
