#include "commands/copying.h"

#include "base/interrupt.h"
#include "base/terminal.h"
#include "commands/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- options ---------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct copying_options, member)

const struct option copying_rows[] = {
    {"--endpoint", "URL", client_options_url, AT(at.endpoint), ENDPOINT_HELP, NULL},
    {"--world", "NAME", endpoint_take_world, AT(at.world), "the server's world", NULL},
    {"--region", "R", option_text, AT(at.region), "sign requests for this region", NULL},
    {"--profile", "NAME", option_text, AT(at.profile), "sign requests with this profile's keys",
     NULL},
    {"--db", "FILE", option_text, AT(db), "the file of tables", NULL},
    {"--table", "NAME", option_list, AT(what.how.only), "this table; may be repeated; else all",
     NULL},
    {"--table-prefix", "P", option_text, AT(what.how.prefix),
     "put P in front of the names of written tables", NULL},
    {"--rate", "N", option_decimal, AT(what.rate), "at most N items a second",
     OPTION_RANGE(1e-9, 1e9, "a number of items a second")},
    {"--no-compare", NULL, option_flag, AT(no_compare),
     "do not read items back to compare them with what was sent", NULL},
    {"--yes", NULL, option_flag, AT(what.yes), "write to a server elsewhere without asking", NULL},
    {.name = NULL},
};

const struct copying_options copying_defaults = {.what.how.prefix = ""};

/* --- copying ---------------------------------------------------------------------------------- */

const char *copying_tables(struct arena *a, const struct copying_options *o, struct client *from,
                           struct moving_names *out)
{
    struct moving_scan scan;
    const char *problem = NULL;

    *out = (struct moving_names){.count = 0};
    if (!o->what.how.only.count)
        return moving_scan_tables(a, from, out);
    for (size_t i = 0; i < o->what.how.only.count && !problem; i++) {
        problem = moving_scan_begin(a, from, span_of(o->what.how.only.at[i]), &scan);
        moving_names_add(a, out, span_of(o->what.how.only.at[i]));
    }
    return problem;
}

static void report_refusal(struct moving_report *r, const struct moving_refusal *refusal)
{
    (void)r;
    terminal_say("%s: item %zu: %.*s\n", refusal->file, refusal->line, SPAN_ARG(refusal->message));
}

void copying_say_lacks(struct span table, struct span lacks)
{
    if (lacks.len)
        terminal_say("of %.*s these are not copied: %.*s\n", SPAN_ARG(table), SPAN_ARG(lacks));
}

/* Reports the settings that copies lack, for all tables, including tables that an earlier run
 * copied. */
static const char *say_all_lacks(struct arena *a, struct client *from,
                                 const struct moving_names *tables)
{
    const char *problem = NULL;

    for (size_t i = 0; i < tables->count && !problem; i++) {
        struct moving_scan scan;

        if ((problem = moving_scan_begin(a, from, tables->at[i], &scan)) ||
            (problem = moving_scan_schema(a, &scan)))
            break;
        copying_say_lacks(tables->at[i], scan.lacks);
    }
    return problem;
}

static void print_finished(const struct moving_copy *c, struct span table)
{
    struct arena *a = arena_new();

    if (c->report->compared)
        importing_print_equal(a, arena_text(a, table), &c->compared);
    arena_free(a);
}

int copying_run(struct arena *a, const struct copying_options *o, struct client *from,
                struct client *to, const struct moving_names *tables, const char *verb)
{
    struct client_pace pace = {.rate = o->what.rate};
    struct moving_report report = {.tell = report_refusal};
    struct clock *clock = clock_new_system();
    struct moving_copy copy = {.from = from,
                               .to = to,
                               .tables = tables,
                               .prefix = o->what.how.prefix,
                               .pages.state = arena_printf(a, "%s.%s.json", o->db, verb),
                               .pace = &pace,
                               .report = &report,
                               .finished = print_finished};
    const char *problem;

    report.compared = o->no_compare ? NULL : &copy.compared;
    interrupt_watch();
    copy.pages.progress = progress_new(a, clock, isatty(STDERR_FILENO) ? stderr : NULL);
    problem = moving_copy_run(a, &copy);
    if (!problem)
        problem = say_all_lacks(a, from, tables);
    clock_free(clock);
    if (copy.before_unknown)
        terminal_print("%" PRIu64 " items into %s, and more that an older version had copied and "
                       "did not count",
                       report.items, to->name);
    else
        terminal_print("%" PRIu64 " items of %zu table%s into %s", copy.before + report.items,
                       tables->count, tables->count == 1 ? "" : "s", to->name);
    if (copy.before)
        terminal_print(", %" PRIu64 " of them earlier", copy.before);
    terminal_print("\n");
    importing_say_expired(a, &report, to);
    if (problem && interrupt_signal())
        return command_interrupted("these items are there; the same command resumes with the rest");
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    return report.refused ? EXIT_FAILURE : EXIT_SUCCESS;
}
