#include "base/manual.h"

#include "base/ascii.h"
#include "base/utf8.h"

bool manual_lists_options(const struct command *const *commands, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (commands[i]->options == commands[at]->options)
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

/* Adds the lines of a text as they are. */
static void add_lines(struct buf *out, const char *text)
{
    buf_add_text(out, ".nf\n");
    while (*text) {
        struct span line = {text, strcspn(text, "\n")};

        add_plain(out, arena_text(out->arena, line));
        buf_add_text(out, "\n");
        text += line.len + (text[line.len] != '\0');
    }
    buf_add_text(out, ".fi\n");
}

/* The first sentence of a summary, as the title of a page. */
static const char *title_of(struct arena *a, const char *summary)
{
    char *title = arena_text(a, (struct span){summary, strcspn(summary, ".:")});

    *title = ascii_lower(*title);
    for (char *c = title; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return title;
}

static void add_commands(struct buf *out, const struct manual *m)
{
    if (!m->commands[1])
        return;
    buf_add_text(out, ".SH COMMANDS\n");
    for (size_t i = 0; m->commands[i]; i++)
        add_entry(out, m->commands[i]->name, m->commands[i]->words, m->commands[i]->summary);
}

static void add_texts(struct buf *out, const char *title, const struct manual_text *rows)
{
    buf_printf(out, ".SH %s\n", title);
    for (; rows->word; rows++)
        add_entry(out, rows->word, NULL, rows->text);
}

void manual_page(struct buf *out, const struct manual *m)
{
    const char *words = m->commands[1] ? "[command]" : m->commands[0]->words;

    buf_add_text(out, ".TH ");
    for (const char *c = m->program; *c; c++)
        buf_add_char(out, ascii_upper(*c));
    buf_printf(out, " 1 \"\" \"%s %s\" \"User Commands\"\n.SH NAME\n", m->program, m->version);
    add_plain(out, m->program);
    buf_add_text(out, " \\- ");
    add_plain(out, title_of(out->arena, m->summary));
    buf_printf(out, "\n.SH SYNOPSIS\n.B %s\n\\fI", m->program);
    add_plain(out, words ? arena_printf(out->arena, "%s [options]", words) : "[options]");
    buf_add_text(out, "\\fR\n");
    if (strchr(m->summary, '\n')) {
        buf_add_text(out, ".SH DESCRIPTION\n");
        add_lines(out, m->summary);
    }
    add_commands(out, m);
    buf_add_text(out, ".SH OPTIONS\n");
    for (size_t i = 0; m->commands[i]; i++)
        if (manual_lists_options(m->commands, i))
            add_groups(out, m->commands[i]->options);
    add_groups(out, m->common);
    for (size_t i = 0; m->commands[i]; i++)
        add_verbs(out, m->commands[i]);
    if (m->statuses)
        add_texts(out, "EXIT STATUS", m->statuses);
    if (!m->examples)
        return;
    buf_add_text(out, ".SH EXAMPLES\n");
    for (const struct manual_text *e = m->examples; e->word; e++)
        add_lines(out, e->text);
}
