/* Backups and restores of a table that is changed all the time: whatever comes between their
 * slices, restarts and the end of the table among it, each new table is what the old one was at its
 * moment.
 */
#include "model/key.h"
#include "model/limits.h"
#include "store/cursor.h"
#include "store/space_copy.h"
#include "support/offline_server.h"
#include "support/store_check.h"
#include "unit.h"

#include <unistd.h>

#define KEYS     900 /* several slices of everything */
#define ROUNDS   40
#define CHANGES  60 /* of a round */
#define ROUND_MS (20 * LIMIT_SECOND_MS)

/* How a trial goes: in memory, or in a file that is opened again and again; and whether the table
 * is deleted while it is being copied. */
enum { RESTARTS = 1, DELETES = 2, TRIALS = 4 };

static struct offline_server server;
static char folder[UNIT_FOLDER_SIZE];
static const char *path;

static void open_at(int64_t now_ms)
{
    offline_server_open(&server, arena,
                        &(struct offline_options){.now_ms = now_ms, .seed = 1, .store.path = path});
}

static const char *send(const char *operation, const char *body)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == 200, "%s %s: %.*s", operation, body, SPAN_ARG(answer));
    return arena_text(arena, answer);
}

static void create_items(void)
{
    send("CreateTable",
         "{\"TableName\":\"Items\",\"BillingMode\":\"PAY_PER_REQUEST\",\"KeySchema\":["
         "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],\"AttributeDefinitions\":["
         "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},{\"AttributeName\":\"a\","
         "\"AttributeType\":\"S\"}],\"GlobalSecondaryIndexes\":[{\"IndexName\":\"gsi\","
         "\"KeySchema\":[{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"}],"
         "\"Projection\":{\"ProjectionType\":\"ALL\"}}]}");
    send("UpdateContinuousBackups", "{\"TableName\":\"Items\",\"PointInTimeRecoverySpecification\":"
                                    "{\"PointInTimeRecoveryEnabled\":true}}");
}

static void start(int trial)
{
    unit_make_folder(folder);
    path = trial & RESTARTS ? arena_printf(arena, "%s/data.db", folder) : NULL;
    open_at(OFFLINE_NOW_MS);
    create_items();
}

static void stop(void)
{
    static const char *const endings[] = {"", "-wal", "-shm"};

    offline_server_close(&server);
    for (size_t i = 0; path && i < COUNT(endings); i++)
        unlink(arena_printf(arena, "%s%s", path, endings[i]));
    rmdir(folder);
}

static void flush(void)
{
    ck_assert(dispatch_flush(server.dispatcher));
}

/* Some of the work between requests; all of it with -1. */
static void rest(int steps)
{
    while (steps-- && dispatch_idle(server.dispatcher))
        ;
    flush();
}

static void restart(void)
{
    int64_t now_ms = clock_now_ms(server.clock);

    if (!path) {
        offline_server_restart(&server);
        return;
    }
    offline_server_close(&server);
    open_at(now_ms);
}

/* --- changes ---------------------------------------------------------------------------------- */

static void change(void)
{
    unsigned key = unit_random(KEYS), kind = unit_random(10);

    if (kind < 2) {
        send("DeleteItem",
             arena_printf(arena, "{\"TableName\":\"Items\",\"Key\":{\"pk\":{\"S\":\"%u\"}}}", key));
        return;
    }
    send("PutItem", arena_printf(arena,
                                 "{\"TableName\":\"Items\",\"Item\":{\"pk\":{\"S\":\"%u\"},%s"
                                 "\"x\":{\"S\":\"%.*s%u\"}}}",
                                 key, kind % 2 ? "\"a\":{\"S\":\"v\"}," : "", (int)kind,
                                 "xxxxxxxxxxx", unit_random(3)));
}

static void change_many(int count)
{
    while (count--)
        change();
}

/* --- what is in a table ----------------------------------------------------------------------- */

/* Its items in the order of their keys, as one text. */
static const char *content(const char *name)
{
    const struct table *t = store_table(server.store, span_of(name));
    struct buf low = buf_in(arena), high = buf_in(arena), out = buf_in(arena);
    struct store_range range = {.backwards = false};
    struct cursor *cursor;
    struct store_row row;
    struct unit *u;

    ck_assert_msg(t != NULL, "no table %s", name);
    key_of_space(&low, t->space);
    key_of_space(&high, t->space + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    ck_assert_ptr_null(unit_begin(server.store, arena, UNIT_READS, &u));
    cursor = cursor_open(u, range);
    while (!cursor_next(cursor, &row) && row.found) {
        buf_add_span(&out, row.body);
        buf_add_char(&out, '\n');
    }
    unit_undo(u);
    return buf_text(&out);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* The table is there, whole, with its index. */
static void is_restored(const char *name, const char *expected)
{
    const struct table *t = store_table(server.store, span_of(name));
    const char *there = content(name);

    ck_assert_msg(t->status == STATUS_ACTIVE, "%s is not ACTIVE", name);
    ck_assert_msg(strcmp(there, expected) == 0, "%s has %d items instead of %d, or others", name,
                  count_of(there, "\n"), count_of(expected, "\n"));
    ck_assert_int_eq(store_stats(server.store, t->space).entries, count_of(expected, "\n"));
    ck_assert_int_eq(store_stats(server.store, t->indexes[0].space).entries,
                     count_of(expected, "\"a\":"));
}

/* --- a trial ---------------------------------------------------------------------------------- */

struct moment {
    int64_t ms;
    const char *content;
    const char *backup; /* ARN of one, or NULL */
    const char *table;  /* restored to it, or NULL */
};

static struct moment moments[ROUNDS];

static const char *value_of(const char *answer, const char *member)
{
    const char *at = strstr(answer, arena_printf(arena, "\"%s\":\"", member));

    ck_assert_ptr_nonnull(at);
    at += strlen(member) + 4;
    return arena_text(arena, (struct span){at, strcspn(at, "\"")});
}

/* A second at which things change at its very beginning, before it and after it. */
static void pass_round(int round)
{
    struct moment *m = &moments[round];

    change_many(CHANGES / 3);
    clock_set(server.clock, OFFLINE_NOW_MS + (round + 1) * ROUND_MS);
    change_many(CHANGES / 3);
    *m = (struct moment){.ms = clock_now_ms(server.clock), .content = content("Items")};
    if (round % 5 == 0)
        m->backup = value_of(send("CreateBackup", arena_printf(arena,
                                                               "{\"TableName\":\"Items\","
                                                               "\"BackupName\":\"round-%d\"}",
                                                               round)),
                             "BackupArn");
    clock_advance(server.clock, 1 + (int64_t)unit_random(900));
    change_many(CHANGES / 3);
}

/* Begins to restore a moment that is long enough ago. */
static void begin_restore(int round)
{
    int latest = round - (int)(LIMIT_RECOVERY_LAG_MS / ROUND_MS);
    struct moment *m = latest > 0 ? &moments[unit_random((unsigned)latest)] : NULL;

    if (!m || m->table)
        return;
    m->table = arena_printf(arena, "At-%lld", (long long)m->ms);
    send("RestoreTableToPointInTime",
         arena_printf(arena,
                      "{\"SourceTableName\":\"Items\",\"TargetTableName\":\"%s\","
                      "\"RestoreDateTime\":%lld}",
                      m->table, (long long)(m->ms / LIMIT_SECOND_MS)));
}

static void check_moments(void)
{
    int restored = 0, backups = 0;

    for (int i = 0; i < ROUNDS; i++) {
        const struct moment *m = &moments[i];

        if (m->table) {
            is_restored(m->table, m->content);
            restored++;
        }
        if (m->backup) {
            const char *name = arena_printf(arena, "From-%d", i);

            send("RestoreTableFromBackup",
                 arena_printf(arena, "{\"TargetTableName\":\"%s\",\"BackupArn\":\"%s\"}", name,
                              m->backup));
            rest(-1);
            is_restored(name, m->content);
            backups++;
        }
    }
    ck_assert_int_ge(restored, 8);
    ck_assert_int_ge(backups, 8);
}

START_TEST(every_table_is_what_the_old_one_was_at_its_moment)
{
    const char *fault;

    start(_i);
    change_many(3 * KEYS);
    for (int round = 0; round < ROUNDS; round++) {
        pass_round(round);
        begin_restore(round);
        rest((int)unit_random(12));
        if (unit_random(3) == 0)
            restart();
    }
    if (_i & DELETES) {
        send("CreateBackup", "{\"TableName\":\"Items\",\"BackupName\":\"last\"}");
        send("DeleteTable", "{\"TableName\":\"Items\"}");
        rest(3);
        restart();
    }
    rest(-1);
    ck_assert_uint_eq(space_copy_next(server.store, 0), 0);
    check_moments();
    rest(-1);
    fault = store_check(server.store, arena);
    ck_assert_msg(!fault, "%s", fault);
    stop();
}
END_TEST

/* Items come first, then the entries of indexes; a table that is ACTIVE has both. */
START_TEST(a_restored_table_is_not_active_before_its_indexes_are_full)
{
    const char *expected, *answer;
    int steps = 0;

    start(0);
    change_many(3 * KEYS);
    expected = content("Items");
    clock_advance(server.clock, LIMIT_RECOVERY_LAG_MS);
    send("RestoreTableToPointInTime", "{\"SourceTableName\":\"Items\",\"TargetTableName\":\"New\","
                                      "\"UseLatestRestorableTime\":true}");
    while (answer = send("DescribeTable", "{\"TableName\":\"New\"}"),
           strstr(answer, "\"TableStatus\":\"CREATING\"")) {
        ck_assert_msg(dispatch_idle(server.dispatcher), "nothing is left to do: %s", answer);
        steps++;
    }
    ck_assert_int_gt(steps, 2);
    is_restored("New", expected);
    stop();
}
END_TEST

/* The log of changes goes with whoever needed it last. */
START_TEST(nothing_is_left_of_a_log_that_nobody_needs)
{
    uint32_t log_space;

    start(0);
    change_many(KEYS);
    log_space = store_table(server.store, SPAN_LIT("Items"))->recovery.space;
    clock_advance(server.clock, LIMIT_RECOVERY_LAG_MS);
    change_many(KEYS);
    send("RestoreTableToPointInTime", "{\"SourceTableName\":\"Items\",\"TargetTableName\":\"New\","
                                      "\"UseLatestRestorableTime\":true}");
    send("UpdateContinuousBackups", "{\"TableName\":\"Items\",\"PointInTimeRecoverySpecification\":"
                                    "{\"PointInTimeRecoveryEnabled\":false}}");
    ck_assert_int_gt(store_stats(server.store, log_space).entries, 0);
    rest(-1);
    ck_assert_int_eq(store_stats(server.store, log_space).entries, 0);
    stop();
}
END_TEST

START_TEST(changes_that_are_older_than_the_period_go)
{
    uint32_t log_space;

    start(0);
    send("UpdateContinuousBackups", "{\"TableName\":\"Items\",\"PointInTimeRecoverySpecification\":"
                                    "{\"PointInTimeRecoveryEnabled\":true,"
                                    "\"RecoveryPeriodInDays\":1}}");
    change_many(KEYS);
    log_space = store_table(server.store, SPAN_LIT("Items"))->recovery.space;
    clock_advance(server.clock, LIMIT_DAY_MS / 2);
    change_many(KEYS / 10);
    rest(-1);
    ck_assert_int_gt(store_stats(server.store, log_space).entries, KEYS / 2);
    clock_advance(server.clock, LIMIT_DAY_MS / 2 + 2 * LIMIT_SECOND_MS);
    rest(-1);
    ck_assert_int_gt(store_stats(server.store, log_space).entries, 0);
    ck_assert_int_le(store_stats(server.store, log_space).entries, KEYS / 10);
    clock_set(server.clock, dispatch_due_ms(server.dispatcher));
    rest(-1);
    ck_assert_int_eq(store_stats(server.store, log_space).entries, 0);
    ck_assert_int_eq(dispatch_due_ms(server.dispatcher), INT64_MAX);
    stop();
}
END_TEST

/* A deleted table leaves a backup of the system, for the days of its log. */
START_TEST(each_backup_of_the_system_goes_in_its_time)
{
    start(0);
    for (int i = 0; i < 2; i++) {
        if (i)
            create_items();
        change_many(10);
        send("DeleteTable", "{\"TableName\":\"Items\"}");
        rest(-1);
        clock_advance(server.clock, LIMIT_DAY_MS);
    }
    for (int left = 2; left; left--) {
        ck_assert_int_eq(store_stats(server.store, KEY_SPACE_BACKUPS).entries, left);
        clock_advance(server.clock, left == 2 ? 33 * LIMIT_DAY_MS : LIMIT_DAY_MS);
        rest(-1);
    }
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_BACKUPS).entries, 0);
    ck_assert(!store_has_doomed(server.store));
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, every_table_is_what_the_old_one_was_at_its_moment, 0, TRIALS);
    tcase_add_test(tc, a_restored_table_is_not_active_before_its_indexes_are_full);
    tcase_add_test(tc, nothing_is_left_of_a_log_that_nobody_needs);
    tcase_add_test(tc, each_backup_of_the_system_goes_in_its_time);
    tcase_add_test(tc, changes_that_are_older_than_the_period_go);
}

UNIT_TESTS(restore, add_tests)
