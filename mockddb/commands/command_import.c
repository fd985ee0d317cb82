/* import: items and tables from files of many forms into a server, or into a file of tables. */
#include "base/file.h"
#include "commands/command.h"
#include "commands/endpoint_options.h"
#include "moving/moving_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TOLD 20 /* refusals that are told one by one */

struct import_options {
    struct endpoint_options at;
    const char *db, *table, *prefix, *key, *rules, *errors;
    const char **only;
    size_t only_count;
    struct moving_rename *renames;
    size_t rename_count;
    struct transfer_column *types;
    size_t type_count;
    bool create, yes;
    char *const *words;
};

/* --- options ---------------------------------------------------------------------------------- */

static const char *take_only(const struct option_value *v)
{
    struct import_options *o = v->into;

    option_add_text(v, &o->only, &o->only_count);
    return *v->text ? NULL : "is empty";
}

static const char *take_rename(const struct option_value *v)
{
    struct import_options *o = v->into;
    const char *equals = strchr(v->text, '=');
    size_t size = o->rename_count * sizeof *o->renames;

    if (!equals || equals == v->text || !equals[1])
        return "is not OLD=NEW";
    o->renames = arena_grow(v->arena, o->renames, size, size + sizeof *o->renames);
    o->renames[o->rename_count++] = (struct moving_rename){{v->text, (size_t)(equals - v->text)},
                                                           span_of(equals + 1)};
    return NULL;
}

/* name=TYPE,name=TYPE */
static const char *take_types(const struct option_value *v)
{
    struct import_options *o = v->into;
    const char *at = v->text;

    for (;;) {
        size_t len = strcspn(at, ","), size = o->type_count * sizeof *o->types;
        const char *equals = memchr(at, '=', len);
        enum attr_type type;

        if (!equals || equals == at ||
            !attr_type_of_code((struct span){equals + 1, len - (size_t)(equals + 1 - at)}, &type))
            return "is not COLUMN=TYPE,… with types such as S, N, B, BOOL, SS, L or M";
        o->types = arena_grow(v->arena, o->types, size, size + sizeof *o->types);
        o->types[o->type_count++] = (struct transfer_column){{at, (size_t)(equals - at)}, type};
        if (!at[len])
            return NULL;
        at += len + 1;
    }
}

#define AT(member) offsetof(struct import_options, member)

static const struct option rows[] = {
    {"--db", "FILE", option_text, AT(db), "ask no server, but this file of tables"},
    {"--table", "NAME", option_text, AT(table), "all items are of this table"},
    {"--create", NULL, option_flag, AT(create), "make tables that no schema describes, by --key"},
    {"--key", "K", option_text, AT(key), "their key: pk:S or pk:S,sk:N"},
    {"--only", "TABLE", take_only, 0, "nothing but this table; may be repeated"},
    {"--map", "OLD=NEW", take_rename, 0, "table OLD is called NEW; may be repeated"},
    {"--table-prefix", "P", option_text, AT(prefix), "goes in front of table names"},
    {"--types", "T", take_types, 0, "types of CSV's columns: id=S,age=N"},
    {"--mask", "RULES", option_text, AT(rules), "a file of rules for values (docs/capture.md)"},
    {"--errors", "FILE", option_text, AT(errors), "records that were refused go there"},
    {"--yes", NULL, option_flag, AT(yes), "write to a server elsewhere without asking"},
    {NULL, NULL, NULL, 0, NULL},
};

static const struct option_group options[] = {
    {"With import", endpoint_options_rows, 0},
    {NULL, rows, 0},
    {NULL, NULL, 0},
};

static const struct import_options defaults = {.at.endpoint = ENDPOINT_DEFAULT, .prefix = ""};

static const char *check(struct arena *a, void *given)
{
    const struct import_options *o = given;

    (void)a;
    if (o->create != (o->key != NULL))
        return o->create ? "--create needs --key, such as --key pk:S" : "--key needs --create";
    return NULL;
}

/* --- what is told ----------------------------------------------------------------------------- */

struct told {
    struct moving_report report; /* first */
    FILE *errors;                /* NULL: records are not kept */
};

static void tell(struct moving_report *r, const struct moving_refusal *refusal)
{
    struct told *told = (struct told *)r;

    if (r->refused <= TOLD) {
        (void)fprintf(stderr, "%s:%zu:", refusal->file, refusal->line);
        if (refusal->column)
            (void)fprintf(stderr, "%zu:", refusal->column);
        (void)fprintf(stderr, " %.*s\n", SPAN_ARG(refusal->message));
    } else if (r->refused == TOLD + 1) {
        (void)fprintf(stderr, "… and so on\n");
    }
    if (!told->errors || !refusal->text.len)
        return;
    (void)fwrite(refusal->text.at, 1, refusal->text.len, told->errors);
    if (refusal->text.at[refusal->text.len - 1] != '\n')
        (void)fputc('\n', told->errors);
}

static void note(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "%s\n", text);
}

static void tell_end(const struct told *told, const struct moving_door *door, size_t made,
                     int64_t us)
{
    double seconds = us > 0 ? (double)us / 1e6 : 1e-6;

    (void)printf("%" PRIu64 " items into %s in %.1f s (%.0f a second)", told->report.items,
                 moving_door_name(door), seconds, (double)told->report.items / seconds);
    if (made)
        (void)printf(", %zu table%s made", made, made == 1 ? "" : "s");
    if (told->report.refused)
        (void)printf(", %" PRIu64 " refused", told->report.refused);
    (void)printf("\n");
}

/* --- consent ---------------------------------------------------------------------------------- */

/* NULL, or why nothing may be written there. */
static const char *ask(struct arena *a, const struct moving_door *door, bool yes)
{
    char line[16];

    if (yes || moving_door_is_here(door))
        return NULL;
    if (!isatty(STDIN_FILENO))
        return arena_printf(a,
                            "%s is not this machine, and nobody can be asked: --yes says that it "
                            "is meant",
                            moving_door_name(door));
    (void)fprintf(stderr, "Write to %s? [y/N] ", moving_door_name(door));
    (void)fflush(stderr);
    if (fgets(line, sizeof line, stdin) && strcmp(line, "y\n") == 0)
        return NULL;
    return "nothing was written";
}

/* --- running ---------------------------------------------------------------------------------- */

static const char *find_all(struct arena *a, char *const *words, struct moving_files *files)
{
    const char *problem = NULL;

    for (; *words && !problem; words++)
        problem = moving_files_find(a, *words, files);
    return problem;
}

static const char *import(struct arena *a, const struct import_options *o, struct moving_door *door,
                          struct told *told, size_t *made)
{
    struct moving_import_options how = {.table = o->table,
                                        .prefix = o->prefix,
                                        .only = o->only,
                                        .only_count = o->only_count,
                                        .renames = o->renames,
                                        .rename_count = o->rename_count,
                                        .types = o->types,
                                        .type_count = o->type_count,
                                        .note = note};
    struct moving_tables *tables = moving_tables_new(a, door);
    struct moving_files files = {NULL, 0};
    struct mask_rules *rules = NULL;
    struct moving_import *i;
    struct clock *clock;
    const char *problem;

    if ((problem = find_all(a, o->words, &files)) ||
        (o->rules && (problem = mask_rules_read(a, o->rules, &rules))) ||
        (o->key && (problem = moving_tables_set_key(tables, o->key))))
        return problem;
    how.rules = rules;
    clock = clock_new_system();
    i = moving_import_new(a, door, tables, &told->report, &how);
    problem = moving_files_import(a, &files, i, &told->report,
                                  progress_new(a, clock, isatty(STDERR_FILENO) ? stderr : NULL));
    *made = moving_tables_made(tables);
    moving_import_free(i);
    clock_free(clock);
    return problem;
}

static const char *open_errors(struct arena *a, const char *path, FILE **out)
{
    *out = path ? fopen(path, "we") : NULL;
    return !path || *out ? NULL : arena_printf(a, "%s: %s", path, strerror(errno));
}

static int run_with(struct arena *a, const struct import_options *o, struct moving_door *door)
{
    struct told told = {.report.tell = tell};
    struct clock *clock;
    const char *problem;
    size_t made = 0;
    int64_t begin_us;

    if ((problem = ask(a, door, o->yes)) || (problem = open_errors(a, o->errors, &told.errors)))
        return command_fail(problem, EXIT_FAILURE);
    clock = clock_new_system();
    begin_us = clock_ticks_us(clock);
    problem = import(a, o, door, &told, &made);
    tell_end(&told, door, made, clock_ticks_us(clock) - begin_us);
    clock_free(clock);
    if (told.errors && fclose(told.errors) && !problem)
        problem = arena_printf(a, "%s: %s", o->errors, strerror(errno));
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    return told.report.refused ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(struct arena *a, const void *given)
{
    const struct import_options *o = given;
    const struct moving_door_options to = {
        .db = o->db, .endpoint = o->at.endpoint, .world = o->at.world};
    struct moving_door *door;
    const char *problem;
    int status;

    if (!o->words || !*o->words)
        return command_fail("there is no file to import; - is standard input", EXIT_USAGE);
    if (!(door = moving_door_open(a, &to, &problem)))
        return command_fail(problem, EXIT_FAILURE);
    status = run_with(a, o, door);
    moving_door_close(door);
    return status;
}

const struct command command_import = {
    .name = "import",
    .summary = "items and tables from files into a server, or into a file of tables",
    .words = "PATH …",
    .words_at = offsetof(struct import_options, words),
    .options = options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check,
    .run = run,
};
