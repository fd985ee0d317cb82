#include "commands/help.h"

#include "base/ascii.h"

#define WIDTH 78 /* width of a list of names */

/* Example lines, by subject or command; a test parses each of them. */
static const struct {
    const char *word, *line;
} examples[] = {
    {"", "mockddb --fixtures ecommerce --table-prefix prod-"},
    {"", "mockddb --db shop.db"},
    {"", "mockddb run --fail-on no=Scan -- pytest"},
    {"", "mockddb try \"SELECT * FROM Orders\""},
    {"doors", "mockddb --port 0"},
    {"doors", "mockddb --host 0.0.0.0 --allow-host db.example"},
    {"doors", "mockddb --cors https://app.example:3000"},
    {"doors", "mockddb --tls-cert cert.pem --tls-key key.pem"},
    {"files", "mockddb --db shop.db --sync full"},
    {"files", "mockddb --data-dir data"},
    {"data", "mockddb --fixtures ecommerce --table-prefix prod-"},
    {"data", "mockddb --fixtures my-tables --patterns patterns.json"},
    {"service", "mockddb --regions by-request --replica-lag-ms 2000"},
    {"service", "mockddb --transition-ms 2000 --kinesis-out records"},
    {"faults", "mockddb --faults rules.json"},
    {"faults", "mockddb --throttle provisioned,Orders --throttle-burst empty"},
    {"worlds", "mockddb --port 0 --worlds by-access-key"},
    {"worlds", "mockddb --clock 2026-01-01T00:00:00Z,frozen"},
    {"journal", "mockddb --mask email --fail-on no=Scan,max_read_units=20"},
    {"local", "mockddb -sharedDb -inMemory -port 8001"},
    {"serve", "mockddb serve --port 0 --fixtures ecommerce"},
    {"run", "mockddb run --fixtures ecommerce -- pytest -n 8"},
    {"try", "mockddb try 'aws dynamodb scan --table-name Orders --max-items 2'"},
    {"ctl", "mockddb ctl clock advance=36h"},
    {"ctl", "mockddb ctl --world w1 reset"},
    {"check", "mockddb check --table Orders"},
    {"import", "mockddb import orders.jsonl --table Orders --db shop.db"},
    {"export", "mockddb export --db shop.db --table Orders orders.jsonl"},
    {"push", "mockddb push --db shop.db --table Orders"},
    {"pull", "mockddb pull --endpoint http://127.0.0.1:8001 --db shop.db"},
    {"healthcheck", "mockddb healthcheck --wait 10"},
};

static void add_examples(struct buf *out, const char *word)
{
    const char *heading = "\nExamples:\n";

    for (size_t i = 0; i < COUNT(examples); i++) {
        if (strcmp(examples[i].word, word) != 0)
            continue;
        buf_printf(out, "%s  %s\n", heading, examples[i].line);
        heading = "";
    }
}

/* "Doors: who gets in" has the subject "doors". */
static const char *subject_of(struct arena *a, const struct option_group *group)
{
    char *name = arena_text(a, (struct span){group->title, strcspn(group->title, ":")});

    for (char *c = name; *c; c++)
        *c = ascii_lower(*c);
    return name;
}

static const char *name_and_words(struct arena *a, const struct command *c)
{
    return c->words ? arena_printf(a, "%s %s", c->name, c->words) : c->name;
}

static void add_names(struct buf *out, const struct option *rows)
{
    size_t wide = WIDTH;

    for (; rows->name; rows++) {
        const char *name = rows->value ? arena_printf(out->arena, "%s %s", rows->name, rows->value)
                                       : rows->name;

        if (!rows->help)
            continue;
        if (wide + strlen(name) + 3 > WIDTH) {
            buf_add_text(out, wide == WIDTH ? "     " : "\n     ");
            wide = 5;
        }
        buf_printf(out, " %s%s", name, rows[1].name && rows[1].help ? "," : "");
        wide += strlen(name) + 2;
    }
    buf_add_text(out, "\n");
}

const char *help_of_program(struct arena *a, const struct help *h)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "usage: mockddb [command] [options]\n\nCommands:\n");
    for (size_t i = 0; i < h->count; i++)
        option_help_row(&out, name_and_words(a, h->commands[i]), h->commands[i]->summary);
    buf_add_text(&out, "\nOptions of serve and run, by subject:\n");
    for (const struct option_group *group = h->commands[0]->options; group->rows; group++) {
        buf_printf(&out, "  %s%s\n", subject_of(a, group), strchr(group->title, ':'));
        add_names(&out, group->rows);
    }
    option_help(&out, h->common);
    add_examples(&out, "");
    buf_add_text(&out,
                 "\nmockddb help SUBJECT explains its options, mockddb help COMMAND a command,\n"
                 "mockddb help all everything.\n");
    return buf_text(&out);
}

const char *help_of_command(struct arena *a, const struct help *h, const struct command *command)
{
    struct buf out = buf_in(a);

    command_line_help(&out, "mockddb ", command);
    option_help(&out, h->common);
    add_examples(&out, command->name);
    return buf_text(&out);
}

static const char *help_of_subject(struct arena *a, const struct option_group *group)
{
    const struct option_group alone[] = {*group, {NULL, NULL, 0}};
    struct buf out = buf_in(a);

    buf_add_text(&out, "usage: mockddb [serve|run] [options]\n");
    option_help(&out, alone);
    add_examples(&out, subject_of(a, group));
    return buf_text(&out);
}

/* Commands with the same options list them once. */
static bool is_first_with(const struct help *h, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (h->commands[i]->options == h->commands[at]->options)
            return false;
    return true;
}

static const char *help_of_all(struct arena *a, const struct help *h)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, help_of_program(a, h));
    for (size_t i = 0; i < h->count; i++)
        if (is_first_with(h, i))
            option_help(&out, h->commands[i]->options);
    return buf_text(&out);
}

const char *help_about(struct arena *a, const struct help *h, const char *word)
{
    if (strcmp(word, "all") == 0)
        return help_of_all(a, h);
    for (const struct option_group *group = h->commands[0]->options; group->rows; group++)
        if (strcmp(word, subject_of(a, group)) == 0)
            return help_of_subject(a, group);
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(word, h->commands[i]->name) == 0)
            return help_of_command(a, h, h->commands[i]);
    return NULL;
}
