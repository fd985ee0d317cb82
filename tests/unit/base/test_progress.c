#include "base/progress.h"
#include "base/utf8.h"
#include "unit.h"

#include <pty.h>
#include <unistd.h>

static char *text;
static size_t len;
static FILE *terminal;
static struct clock *server_clock;

static void open_terminal(void)
{
    terminal = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(terminal);
    server_clock = clock_new_fixed(0, 1);
}

static void close_terminal(void)
{
    (void)fclose(terminal);
    free(text);
    clock_free(server_clock);
}

static const char *shown(void)
{
    (void)fflush(terminal);
    return text;
}

/* A hundred steps, this long each. */
static void work(struct progress *p, int64_t step_ms)
{
    progress_part(p, SPAN_LIT("Orders"), 100);
    for (size_t done = 1; done <= 100; done++) {
        clock_advance(server_clock, step_ms);
        progress_at(p, done);
    }
}

START_TEST(shows_nothing_of_short_work)
{
    struct progress *p = progress_new(arena, server_clock, terminal);

    work(p, 9);
    progress_end(p);
    ck_assert_str_eq(shown(), "");
}
END_TEST

START_TEST(shows_items_their_rate_and_what_remains)
{
    struct progress *p = progress_new(arena, server_clock, terminal);

    progress_part(p, SPAN_LIT("Orders"), 8000000);
    clock_advance(server_clock, 2000);
    progress_items(p, 2000000, 5000);
    ck_assert_ptr_nonnull(strstr(shown(), "25 %  2.0 MB  5000 items  2500/s  6 s left"));
    clock_advance(server_clock, 2000);
    progress_items(p, 8000000, 20000);
    ck_assert_ptr_nonnull(strstr(shown(), "100 %  8.0 MB  20000 items  5000/s"));
    progress_items(NULL, 1, 1);
}
END_TEST

START_TEST(shows_a_bar_after_a_second_and_takes_it_away)
{
    struct progress *p = progress_new(arena, server_clock, terminal);
    const char *end;

    work(p, 20);
    ck_assert_ptr_eq(shown(), strstr(shown(), "\r\033[KOrders [###############"
                                              "...............] 50 %\r"));
    end = strstr(shown(), "100 %");
    ck_assert(end && !end[5]);
    progress_end(p);
    ck_assert_str_eq(shown() + (end - text), "100 %\r\033[K");
}
END_TEST

START_TEST(shows_it_ten_times_a_second)
{
    struct progress *p = progress_new(arena, server_clock, terminal);
    int times = 0;

    work(p, 20);
    for (const char *at = shown(); (at = strchr(at, '\r')); at++)
        times++;
    ck_assert_int_eq(times, 11); /* from the first second to the end of the second one */
}
END_TEST

static const struct {
    const char *name, *line;
    unsigned short columns;
} lines[] = {
    {"Orders", "Orders [##########....................] 33 %  1.0 MB  5 items  2/s  4 s left", 120},
    {"Orders", "Orders [########.................] 33 %  1.0 MB  5 items  2/s  4 s left", 72},
    {"orders-of-all-the-years.jsonl.gz",
     "orders-of-all-t…years.jsonl.gz [#....] 33 %  1.0 MB  5 items  2/s  4 s left", 76},
    {"数据数据数据数据数据数据数据.json",
     "数据数据数据…据数据.json [#....] 33 %  1.0 MB  5 items  2/s  4 s left", 72},
    {"orders-of-all-the-years.jsonl.gz", "orde…l.gz 33 %  1.0 MB  5 items", 32},
    {"orders-of-all-the-years.jsonl.gz", "o…z 33 %", 9},
    {"orders-of-all-the-years.jsonl.gz", " 33 %", 4},
};

START_TEST(fits_the_width_of_the_terminal)
{
    const struct winsize size = {.ws_row = 24, .ws_col = lines[_i].columns};
    char seen[512] = "";
    int ours, theirs;
    struct progress *p;
    FILE *screen;
    ssize_t got;

    ck_assert_int_eq(openpty(&ours, &theirs, NULL, NULL, &size), 0);
    ck_assert_ptr_nonnull(screen = fdopen(theirs, "w"));
    p = progress_new(arena, server_clock, screen);
    progress_part(p, span_of(lines[_i].name), 3000000);
    clock_advance(server_clock, 2000);
    progress_items(p, 1000000, 5);
    got = read(ours, seen, sizeof seen - 1);
    (void)fclose(screen);
    (void)close(ours);
    ck_assert_int_gt(got, 4);
    ck_assert_str_eq(seen, arena_printf(arena, "\r\033[K%s", lines[_i].line));
    ck_assert_uint_lt(utf8_columns(span_of(lines[_i].line)), lines[_i].columns + 2U);
}
END_TEST

START_TEST(does_without_a_terminal)
{
    struct progress *p = progress_new(arena, server_clock, NULL);

    work(p, 100);
    progress_end(p);
    work(NULL, 100);
    progress_end(NULL);
    ck_assert_str_eq(shown(), "");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_terminal, close_terminal);
    tcase_add_test(tc, shows_nothing_of_short_work);
    tcase_add_test(tc, shows_a_bar_after_a_second_and_takes_it_away);
    tcase_add_test(tc, shows_items_their_rate_and_what_remains);
    tcase_add_test(tc, shows_it_ten_times_a_second);
    tcase_add_loop_test(tc, fits_the_width_of_the_terminal, 0, COUNT(lines));
    tcase_add_test(tc, does_without_a_terminal);
}

UNIT_TESTS(progress, add_tests)
