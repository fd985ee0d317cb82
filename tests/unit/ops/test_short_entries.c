/* Entries that are shorter than they are written: only a file that somebody else wrote has them,
 * and nothing behind them is read. */
#include "ops/backup/backup.h"
#include "ops/backup/recovery_log.h"
#include "ops/stream/stream.h"
#include "unit.h"

#include <stdlib.h>

#define LONGEST ((size_t)24)

/* Memory of just that length, so that what lies behind it is nobody's. */
static struct span alone(size_t len)
{
    char *bytes = malloc(len ? len : 1);

    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'x', len);
    return (struct span){bytes, len};
}

static void let_go(struct span s)
{
    free((char *)(uintptr_t)s.at);
}

START_TEST(an_entry_may_end_anywhere)
{
    for (size_t key = 0; key <= LONGEST; key++)
        for (size_t body = 0; body <= LONGEST; body++) {
            struct store_row row = {.found = true, .key = alone(key), .body = alone(body)};

            ck_assert_uint_le(backup_row_table(&row).len, key);
            ck_assert_int_ge(backup_row_time(&row), 0);
            ck_assert_uint_le(recovery_log_read(&row).item_key.len, key);
            ck_assert_int_ge(recovery_log_read(&row).ms, 0);
            ck_assert_uint_gt(stream_read_record(&row).json.len, 0);
            ck_assert_int_ge(stream_read_record(&row).created_ms, 0);
            let_go(row.key);
            let_go(row.body);
        }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_entry_may_end_anywhere);
}

UNIT_TESTS(short_entries, add_tests)
