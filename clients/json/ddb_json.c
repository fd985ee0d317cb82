/* ddb-json: reads DynamoDB JSON on standard input, and writes plain JSON objects, one a line. */
#include "base/terminal.h"
#include "common/program.h"
#include "wire/json.h"
#include "json/json_plain.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Finds the end of each JSON document, a byte at a time. */
struct splitter {
    size_t depth;
    bool begun, in_text, escaped;
};

/* Whether the document is complete with this byte. */
static bool ends_with(struct splitter *s, char c)
{
    if (s->in_text) {
        s->in_text = s->escaped || c != '"';
        s->escaped = !s->escaped && c == '\\';
        return false;
    }
    if (isspace((unsigned char)c))
        return s->begun && s->depth == 0; /* a bare word such as null */
    s->begun = true;
    s->in_text = c == '"';
    if (c == '{' || c == '[')
        s->depth++;
    else if ((c == '}' || c == ']') && s->depth)
        return --s->depth == 0;
    return false;
}

struct input {
    const char *name;
    size_t line; /* of the byte read last */
    size_t begun_on;
    struct splitter splitter;
    struct arena *arena; /* of one document */
    struct buf document;
};

static bool complain(const struct input *in, const char *what, size_t line)
{
    terminal_say("ddb-json: %s:%zu: %s\n", in->name, line, what);
    return false;
}

static bool convert(struct input *in)
{
    struct buf out = buf_in(in->arena);
    struct span text = buf_span(&in->document);
    const wire_node *tree;
    bool ok = true;

    if (!json_parse(in->arena, text, &tree))
        ok = complain(in, "not JSON", in->begun_on + wire_error_place(in->arena, text).line - 1);
    else if (!json_plain_document(in->arena, &out, tree))
        ok = complain(in, "neither items nor an answer with items", in->begun_on);
    if (out.len)
        ok = terminal_write(stdout, buf_span(&out)) && ok;
    arena_reset(in->arena);
    in->document = buf_in(in->arena);
    in->splitter = (struct splitter){0};
    return ok;
}

/* Converts one document after the other; stops at the first that is not valid. */
static bool convert_file(FILE *file, const char *name)
{
    struct input in = {.name = name, .line = 1, .arena = arena_new()};
    bool ok = true;
    int c;

    in.document = buf_in(in.arena);
    while (ok && (c = getc(file)) != EOF) {
        bool first = !in.splitter.begun, ended = ends_with(&in.splitter, (char)c);

        if (first && in.splitter.begun)
            in.begun_on = in.line;
        if (in.splitter.begun)
            buf_add_char(&in.document, (char)c);
        in.line += c == '\n';
        if (ended)
            ok = convert(&in);
    }
    if (ok && ferror(file))
        ok = complain(&in, strerror(errno), in.line);
    else if (ok && in.splitter.begun)
        ok = convert(&in);
    arena_free(in.arena);
    return ok;
}

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool ok;

    if (!file) {
        terminal_say("ddb-json: %s: %s\n", path, strerror(errno));
        return false;
    }
    ok = convert_file(file, path);
    (void)fclose(file);
    return ok;
}

struct json_options {
    char *const *paths;
};

static int run_json(struct arena *a, const void *given)
{
    static char dash[] = "-";
    char *const standard_input[] = {dash, NULL};
    const struct json_options *o = given;
    bool ok = true;

    (void)a;
    for (char *const *path = o->paths ? o->paths : standard_input; *path && ok; path++)
        ok = strcmp(*path, "-") == 0 ? convert_file(stdin, "standard input") : run_file(*path);
    if (fflush(stdout) || ferror(stdout)) {
        terminal_say("ddb-json: the output could not be written\n");
        return EXIT_FAILURE;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct option_group options[] = {{NULL, NULL, 0}};
static const struct json_options defaults = {NULL};

const struct command program_json = {
    .name = "ddb-json",
    .summary = "Turns DynamoDB JSON into plain JSON, one item a line, numbers digit for digit:\n"
               "  aws dynamodb query … --output json | ddb-json\n"
               "\n"
               "Reads answers of query, scan, get-item, batch-get-item and others, single items,\n"
               "arrays of items, and lines of items (with or without {\"Item\": …} around each).\n",
    .words = "[FILE…]",
    .words_at = offsetof(struct json_options, paths),
    .words_are_its = true,
    .options = options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run_json,
};
