#include "unit.h"

#include "client/client.h"
#include "moving/moving_feed.h"

#include <unistd.h>

#define BEFORE 4 /* bytes that a file was read before */

static const struct client_transport transport = {.width = 1};

/* Where an input begins that may have to be read again: not always at the start of a file. */
static int64_t start_of(int fd)
{
    struct client client = {.transport = &transport};
    struct moving_report report = {.items = 0};
    const struct moving_import_options options = {.table = "T01"};
    struct moving_feed feed = {.arena = arena, .file = "in", .fd = fd, .part = 16, .piece = 16};

    feed.import = moving_import_new(arena, &client, NULL, &report, &options);
    moving_feed_begin(&feed);
    ck_assert_ptr_null(moving_feed_end(&feed));
    moving_import_free(feed.import);
    return feed.start;
}

START_TEST(an_input_begins_where_it_is_read)
{
    FILE *file = tmpfile();
    int ends[2];

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(lseek(fileno(file), BEFORE, SEEK_SET), BEFORE);
    ck_assert_int_eq(start_of(fileno(file)), BEFORE);
    fclose(file);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(start_of(ends[0]), -1);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_input_begins_where_it_is_read);
}

UNIT_TESTS(moving_feed, add_tests)
