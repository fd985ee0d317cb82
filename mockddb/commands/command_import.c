/* import: items and tables from files of many formats into a server, or into a file of tables. */
#include "commands/command.h"
#include "commands/endpoint_options.h"
#include "commands/importing.h"
#include "moving/moving_db.h"
#include "moving/moving_types.h"

#include <stdlib.h>

struct import_options {
    struct client_aws_options at;
    const char *db;
    bool create, asks_server;
    struct importing_options what;
};

/* --- options ---------------------------------------------------------------------------------- */

static const char *take_types(const struct option_value *v)
{
    struct import_options *o = v->into;

    return moving_types_read(v->arena, v->text, &o->what.how.types, &o->what.how.type_count);
}

#define AT(member) offsetof(struct import_options, member)

static const struct option rows[] = {
    {"--db", "FILE", option_text, AT(db), "write to this file of tables, not to a server", NULL},
    {"--table", "NAME", option_text, AT(what.how.table), "all items are of this table", NULL},
    {"--create", NULL, option_flag, AT(create), "make tables that no schema describes, by --key",
     NULL},
    {"--key", "K", option_text, AT(what.key), "their key: pk:S or pk:S,sk:N", NULL},
    {"--only", "TABLE", option_list, AT(what.how.only), "only this table; may be repeated", NULL},
    {"--map", "OLD=NEW", option_pair, AT(what.how.renames),
     "rename table OLD to NEW; may be repeated", OPTION_FILLED},
    {"--table-prefix", "P", option_text, AT(what.how.prefix), "put P in front of table names",
     NULL},
    {"--param", "NAME=VALUE", option_pair, AT(what.params), TEMPLATE_PARAMS_HELP, NULL},
    {"--types", "T", take_types, 0,
     "types of CSV's columns, and of attributes of plain JSON: id=S,age=N", NULL},
    {"--mask", "RULES", option_text, AT(what.rules), "a file of rules for values (docs/capture.md)",
     NULL},
    {"--errors", "FILE", option_text, AT(what.errors), "records that were refused go there", NULL},
    {"--compare", NULL, option_flag, AT(what.compares),
     "read the items back, and compare them with what was sent", NULL},
    {"--yes", NULL, option_flag, AT(what.yes), "write to a server elsewhere without asking", NULL},
    {.name = NULL},
};

static const struct option_group options[] = {
    {"With import", endpoint_options_rows, AT(asks_server)},
    {NULL, rows, 0},
    {NULL, NULL, 0},
};

static const struct import_options defaults = {.what.how.prefix = ""};

static const char *check_options(struct arena *a, void *given)
{
    const struct import_options *o = given;

    (void)a;
    if (o->db && o->asks_server)
        return ENDPOINT_OR_DB;
    if (o->create != (o->what.key != NULL))
        return o->create ? "--create needs --key, such as --key pk:S" : "--key needs --create";
    if (o->what.how.table && (o->what.how.only.count || o->what.how.renames.count))
        return "with --table all items are of that table: --only and --map have nothing to choose";
    return NULL;
}

static int run_import(struct arena *a, const void *given)
{
    const struct import_options *o = given;
    struct importing_options what = o->what;
    struct client *to;
    const char *problem;
    int status;

    if (!o->what.words || !*o->what.words)
        return command_fail("there is no file to import; - is standard input", EXIT_USAGE);
    problem = o->db ? moving_db_open(a, o->db, false, &to)
                    : endpoint_options_open(a, &o->at, true, &to);
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    what.region = o->at.region;
    status = importing_run(a, &what, to);
    client_free(to);
    return status;
}

const struct command command_import = {
    .name = "import",
    .summary = "items and tables from files into a server, or into a file of tables",
    .words = "PATH …",
    .words_at = AT(what.words),
    .words_are_its = true,
    .options = options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = run_import,
};
