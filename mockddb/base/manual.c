#include "base/manual.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* Commands with the same options list them once: false for the second one. */
static bool lists_options(const struct manual *m, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (m->commands[i]->options == m->commands[at]->options)
            return false;
    return true;
}

/* --- the page --------------------------------------------------------------------------------- */

/* Adds text in which nothing is a request or an escape of the formatter, and a dash stays one. */
static void add_plain(struct buf *out, const char *text)
{
    struct span rest = span_of(text);
    size_t len;

    if (*text == '.' || *text == '\'')
        buf_add_text(out, "\\&");
    for (; rest.len; rest = span_from(rest, len)) {
        uint32_t letter = utf8_letter(rest, &len);

        if (letter == '\\')
            buf_add_text(out, "\\e");
        else if (letter == '-' || letter == '\'')
            buf_add_text(out, letter == '-' ? "\\-" : "\\(aq");
        else if (letter == '"')
            buf_add_text(out, "\\(dq");
        else if (len > 1)
            buf_printf(out, "\\[u%04X]", (unsigned)letter);
        else
            buf_add_char(out, (char)letter);
    }
}

/* Adds a paragraph: the name in bold, the value in italics, and below them what they do. */
static void add_entry(struct buf *out, const char *name, const char *value, const char *help)
{
    buf_add_text(out, ".TP\n\\fB");
    add_plain(out, name);
    buf_add_text(out, "\\fR");
    if (value) {
        buf_add_text(out, " \\fI");
        add_plain(out, value);
        buf_add_text(out, "\\fR");
    }
    buf_add_text(out, "\n");
    add_plain(out, help);
    buf_add_text(out, "\n");
}

static void add_groups(struct buf *out, const struct option_group *groups)
{
    for (; groups->rows; groups++) {
        if (groups->title) {
            buf_add_text(out, ".SS ");
            add_plain(out, groups->title);
            buf_add_text(out, "\n");
        }
        for (const struct option *o = groups->rows; o->name; o++)
            if (o->help)
                add_entry(out, o->name, o->value, o->help);
    }
}

static void add_verbs(struct buf *out, const struct command *command)
{
    const char *verb, *help;

    if (!command->verb)
        return;
    buf_printf(out, ".SH VERBS OF %s\n", command->name);
    for (size_t i = 0; (verb = command->verb(out->arena, i, &help)); i++)
        add_entry(out, verb, NULL, help);
}

static void add_texts(struct buf *out, const char *title, const struct manual_text *rows)
{
    buf_printf(out, ".SH %s\n", title);
    for (; rows->word; rows++)
        add_entry(out, rows->word, NULL, rows->text);
}

void manual_page(struct buf *out, const struct manual *m)
{
    buf_add_text(out, ".TH ");
    for (const char *c = m->program; *c; c++)
        buf_add_char(out, ascii_upper(*c));
    buf_printf(out, " 1 \"\" \"%s %s\" \"User Commands\"\n.SH NAME\n%s \\- ", m->program,
               m->version, m->program);
    add_plain(out, m->summary);
    buf_printf(out, "\n.SH SYNOPSIS\n.B %s\n[\\fIcommand\\fR] [\\fIoptions\\fR]\n.SH COMMANDS\n",
               m->program);
    for (size_t i = 0; m->commands[i]; i++)
        add_entry(out, m->commands[i]->name, m->commands[i]->words, m->commands[i]->summary);
    buf_add_text(out, ".SH OPTIONS\n");
    for (size_t i = 0; m->commands[i]; i++)
        if (lists_options(m, i))
            add_groups(out, m->commands[i]->options);
    add_groups(out, m->common);
    for (size_t i = 0; m->commands[i]; i++)
        add_verbs(out, m->commands[i]);
    add_texts(out, "EXIT STATUS", m->statuses);
    buf_add_text(out, ".SH EXAMPLES\n");
    for (const struct manual_text *e = m->examples; e->word; e++) {
        buf_add_text(out, e == m->examples ? ".nf\n" : "");
        add_plain(out, e->text);
        buf_add_text(out, "\n");
    }
    buf_add_text(out, ".fi\n");
}
