#include "capture/capture_consent.h"

#include "base/terminal.h"

#include <stdio.h>
#include <unistd.h>

#define PRICE 0.125 /* USD for a million read units on demand, us-east-1, November 2024 */

void capture_consent_estimate(struct buf *out, const struct capture_options *o,
                              const struct capture_tables *tables)
{
    for (size_t i = 0; i < o->job_count; i++) {
        const struct capture_table *t = capture_run_table(tables, o->jobs[i].table);
        double units = capture_table_units(t);

        if (o->jobs[i].what == CAPTURE_WHOLE)
            buf_printf(out,
                       "%.*s: %.0f items, %.1f MB as counted last: about %.15g read units, %.0f s "
                       "at %.15g a second, %.4f USD on demand\n",
                       SPAN_ARG(t->name), (double)t->scan.items, (double)t->scan.bytes / 1e6, units,
                       units / o->rate, o->rate, units * PRICE / 1e6);
    }
}

/* Reads a line from the terminal. */
static struct span answer_of(char *line, size_t size)
{
    size_t len;

    (void)fflush(stderr);
    if (!fgets(line, (int)size, stdin))
        return (struct span){"", 0};
    len = strcspn(line, "\n");
    return (struct span){line, len};
}

static bool asks_twice(struct span table)
{
    char line[512];

    terminal_say("Read all of %.*s? [y/N] ", SPAN_ARG(table));
    if (!span_is(answer_of(line, sizeof line), "y"))
        return false;
    terminal_say("Type the table's name to continue: ");
    return span_equal(answer_of(line, sizeof line), table);
}

static bool is_sure(const struct capture_options *o, struct span table)
{
    for (size_t i = 0; i < o->sure.count; i++)
        if (span_is(table, o->sure.at[i]))
            return true;
    return false;
}

const char *capture_consent_ask(struct arena *a, const struct capture_options *o)
{
    for (size_t i = 0; i < o->job_count; i++) {
        struct span table = o->jobs[i].table;

        if (o->jobs[i].what != CAPTURE_WHOLE || is_sure(o, table))
            continue;
        if (!isatty(STDIN_FILENO))
            return arena_printf(a, "there is no terminal to ask on: --sure %.*s confirms --all",
                                SPAN_ARG(table));
        if (!asks_twice(table))
            return "nothing was read";
    }
    return NULL;
}
