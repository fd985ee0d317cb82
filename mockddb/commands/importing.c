#include "commands/importing.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/write_consent.h"
#include "moving/moving_output.h"
#include "worlds/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REPORTED 20 /* refusals that are printed one by one */

/* --- the report ------------------------------------------------------------------------------- */

struct outcome {
    struct moving_report report; /* first */
    struct moving_digest compared;
    FILE *errors;     /* NULL: refused records are not kept */
    struct span head; /* head written last to `errors` */
};

static void keep_line(FILE *file, struct span text)
{
    (void)fwrite(text.at, 1, text.len, file);
    if (text.at[text.len - 1] != '\n')
        (void)fputc('\n', file);
}

static bool is_line(struct span text, struct span line)
{
    while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r'))
        text.len--;
    return span_equal(text, line);
}

static void report_refusal(struct moving_report *r, const struct moving_refusal *refusal)
{
    struct outcome *outcome = (struct outcome *)r;

    if (r->refused <= REPORTED) {
        terminal_say("%s:%zu:", refusal->file, refusal->line);
        if (refusal->column)
            terminal_say("%zu:", refusal->column);
        terminal_say(" %.*s\n", SPAN_ARG(refusal->message));
    } else if (r->refused == REPORTED + 1) {
        terminal_say("… and so on\n");
    }
    if (outcome->errors && refusal->text.len) {
        struct span head = outcome->report.head;

        /* Writes the record so that the file of errors can be imported. The head itself may be the
         * refused line. */
        if (head.len && !span_equal(head, outcome->head) && !is_line(refusal->text, head))
            keep_line(outcome->errors, head);
        outcome->head = head;
        keep_line(outcome->errors, refusal->text);
    }
}

static void print_note(struct moving_report *r, const char *text)
{
    (void)r;
    terminal_say("%s\n", text);
}

static void report_end(const struct outcome *outcome, const struct client *client, size_t made,
                       int64_t us)
{
    double seconds = us > 0 ? (double)us / 1e6 : 1e-6;

    terminal_print("%" PRIu64 " items into %s in %.1f s (%.0f a second)", outcome->report.items,
                   client->name, seconds,
                   (double)(outcome->report.items + outcome->report.deleted) / seconds);
    if (outcome->report.deleted)
        terminal_print(", %" PRIu64 " deleted", outcome->report.deleted);
    if (made)
        terminal_print(", %zu table%s made", made, made == 1 ? "" : "s");
    if (outcome->report.refused)
        terminal_print(", %" PRIu64 " refused", outcome->report.refused);
    terminal_print("\n");
}

void importing_print_equal(struct arena *a, const char *name, const struct moving_digest *compared)
{
    terminal_print("%s: %" PRIu64 " items read back and equal, digest %s\n", name, compared->items,
                   moving_digest_text(a, compared));
}

/* Suggests a time one second before the first item expires. */
void importing_say_expired(struct arena *a, const struct moving_report *report,
                           const struct client *to)
{
    const char *moment;

    if (!report->expired)
        return;
    moment = clock_iso_time(a, report->first_due_ms - 1000);
    terminal_say("%" PRIu64 " of them have expired already, and are deleted in a while",
                 report->expired);
    if (to->is_here)
        terminal_say(
            ". Two ways to keep them: a server with --ttl-sweep-ms 0, or one whose clock shows "
            "an earlier time (mockddb ctl clock freeze=%.19sZ), and the same command again",
            moment);
    terminal_say("\n");
}

/* --- running ---------------------------------------------------------------------------------- */

/* The file of errors is emptied first, so it must not be a file that is read. */
static const char *check_errors(struct arena *a, const struct importing_options *o,
                                const struct client *client, const struct moving_files *files)
{
    bool hits = moving_output_hits(o->errors, o->rules) ||
                moving_output_hits(o->errors, client->name);

    for (size_t i = 0; i < files->count && !hits; i++)
        hits = moving_output_hits(o->errors, files->at[i].path);
    return hits ? arena_printf(a, "--errors %s: that file is used, and would be overwritten",
                               o->errors)
                : NULL;
}

static const char *import_files(struct arena *a, const struct importing_options *o,
                                struct client *client, struct clock *clock, struct outcome *outcome,
                                size_t *made)
{
    struct client_pace pace = {.rate = o->rate};
    struct moving_import_options how = o->how;
    const struct template_options templates = {o->params,
                                               span_of(o->region ? o->region : WORLD_REGION),
                                               span_of(client->is_here ? WORLD_ACCOUNT : "")};
    struct moving_tables *tables = moving_tables_new(a, client);
    struct moving_files files = {NULL, 0};
    struct moving_import *i;
    const char *problem, *unmet;

    for (char *const *word = o->words; *word; word++)
        if ((problem = moving_files_find(a, *word, &files)))
            return problem;
    if ((o->rules && (problem = problem_text(a, mask_rules_read(a, o->rules, &how.rules)))) ||
        (o->key && (problem = moving_tables_set_key(tables, o->key))) ||
        (problem = check_errors(a, o, client, &files)))
        return problem;
    if (o->errors && !(outcome->errors = fopen(o->errors, "we")))
        return file_error(a, o->errors);
    outcome->report.keeps_text = outcome->errors != NULL;
    outcome->report.compared = o->compares ? &outcome->compared : NULL;
    how.templates = &templates;
    how.pace = &pace;
    i = moving_import_new(a, client, tables, &outcome->report, &how);
    problem = moving_files_import(a, &files, i, &outcome->report,
                                  progress_new(a, clock, isatty(STDERR_FILENO) ? stderr : NULL));
    if (!problem)
        problem = moving_import_unmet(i);
    if (!problem)
        problem = template_params_unused(a, &o->params);
    if (!problem && how.rules && (unmet = mask_rules_unmet(a, how.rules)))
        terminal_say("%s\n", unmet);
    *made = moving_tables_made(tables);
    moving_import_free(i);
    return problem;
}

static const char *close_errors(struct arena *a, FILE *file, const char *path)
{
    bool broken = file && ferror(file);

    if (file && fclose(file))
        return file_error(a, path);
    return broken ? arena_printf(a, "%s could not be written completely", path) : NULL;
}

int importing_run(struct arena *a, const struct importing_options *o, struct client *client)
{
    struct outcome outcome = {.report = {.tell = report_refusal, .note = print_note}};
    struct clock *clock;
    const char *problem, *unwritten;
    size_t made = 0;
    int64_t begin_us;

    if ((problem = write_consent_ask(a, client->name, client->is_here, o->yes)))
        return command_fail(problem, EXIT_FAILURE);
    interrupt_watch();
    clock = clock_new_system();
    begin_us = clock_ticks_us(clock);
    problem = import_files(a, o, client, clock, &outcome, &made);
    report_end(&outcome, client, made, clock_ticks_us(clock) - begin_us);
    clock_free(clock);
    if (outcome.report.compared)
        importing_print_equal(a, client->name, &outcome.compared);
    importing_say_expired(a, &outcome.report, client);
    unwritten = close_errors(a, outcome.errors, o->errors);
    if (problem && interrupt_signal())
        return command_interrupted("these items are there; the same command writes them once more, "
                                   "and the rest");
    if (problem || (problem = unwritten))
        return command_fail(problem, EXIT_FAILURE);
    return outcome.report.refused ? EXIT_FAILURE : EXIT_SUCCESS;
}
