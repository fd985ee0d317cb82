#include "awscli/awscli_print.h"

#include "awscli/awscli_scalar.h"
#include "awscli/awscli_table.h"
#include "awscli/awscli_yaml.h"
#include "base/ascii.h"

#define INDENT 4

/* --- json ------------------------------------------------------------------------------------- */

static void add_json(struct buf *out, const wire_node *node, int depth)
{
    bool object = json_kind(node) == JSON_OBJECT;

    if (awscli_scalar_is(node) || !wire_count(node)) {
        json_write(out, node);
        return;
    }
    buf_add_char(out, object ? '{' : '[');
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        buf_printf(out, "%s\n%*s", n == wire_first(node) ? "" : ",", (depth + 1) * INDENT, "");
        if (object) {
            buf_add_json_string(out, wire_name(n));
            buf_add_text(out, ": ");
        }
        add_json(out, n, depth + 1);
    }
    buf_printf(out, "\n%*s%c", depth * INDENT, "", object ? '}' : ']');
}

/* --- text ------------------------------------------------------------------------------------- */

/* Adds the names of the object's members: those with scalars, or the others. */
static void add_keys(struct arena *a, struct awscli_names *keys, const wire_node *object,
                     bool scalars)
{
    for (const wire_node *n = wire_first(object); n; n = wire_next(n))
        if (awscli_scalar_is(n) == scalars)
            awscli_scalar_add_name(a, keys, wire_name(n));
}

static void add_upper(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, ascii_upper(text.at[i]));
}

static void add_text(struct buf *out, const wire_node *node, struct span name,
                     const struct awscli_names *columns);

/* A line of the scalars, then the other members. `columns` NULL: the object's own. */
static void add_text_object(struct buf *out, const wire_node *object, struct span name,
                            const struct awscli_names *columns)
{
    struct awscli_names own = {NULL, 0}, others = {NULL, 0};

    if (!columns)
        add_keys(out->arena, &own, object, true);
    columns = columns ? columns : &own;
    add_upper(out, columns->len ? name : (struct span){"", 0});
    for (size_t i = 0; i < columns->len; i++) {
        const wire_node *value = json_member(object, columns->at[i]);

        buf_add_text(out, i || name.len ? "\t" : "");
        if (value)
            awscli_scalar_add(out, value);
    }
    buf_add_text(out, columns->len ? "\n" : "");
    for (const wire_node *n = wire_first(object); n; n = wire_next(n))
        if (!span_is_among(wire_name(n), columns->at, columns->len))
            awscli_scalar_add_name(out->arena, &others, wire_name(n));
    for (size_t i = 0; i < others.len; i++)
        add_text(out, json_member(object, others.at[i]), others.at[i], NULL);
}

static void add_text_scalars(struct buf *out, const wire_node *list, struct span name)
{
    bool first = true;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if (!awscli_scalar_is(n))
            continue;
        add_upper(out, name);
        buf_add_text(out, name.len || !first ? "\t" : "");
        awscli_scalar_add(out, n);
        buf_add_text(out, name.len ? "\n" : "");
        first = false;
    }
    buf_add_text(out, name.len || first ? "" : "\n");
}

static void add_text_list(struct buf *out, const wire_node *list, struct span name)
{
    struct awscli_names columns = {NULL, 0};
    bool objects = false;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        objects = objects || json_kind(n) == JSON_OBJECT;
    for (const wire_node *n = wire_first(list); n && objects; n = wire_next(n))
        add_keys(out->arena, &columns, n, true);
    if (!objects)
        add_text_scalars(out, list, name);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if (objects || !awscli_scalar_is(n))
            add_text(out, n, name, objects ? &columns : NULL);
}

/* `name` empty: the top level. */
static void add_text(struct buf *out, const wire_node *node, struct span name,
                     const struct awscli_names *columns)
{
    if (json_kind(node) == JSON_OBJECT) {
        add_text_object(out, node, name, columns);
    } else if (json_kind(node) == JSON_ARRAY) {
        add_text_list(out, node, name);
    } else {
        awscli_scalar_add(out, node);
        buf_add_char(out, '\n');
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Parses an answer, or a page of it; with --query the result of that for it. */
static const char *read_answer(struct arena *a, const struct awscli_command *command,
                               struct span json, const wire_node **out)
{
    struct buf result = buf_in(a);
    const char *problem = NULL;

    *out = NULL;
    if (!json_parse(a, json, out))
        return "the answer is not JSON";
    if (command->query && !(problem = jmespath_search(&result, command->query, *out)) &&
        !json_parse(a, buf_span(&result), out))
        return "the result of --query is nested too deeply";
    return problem;
}

const char *awscli_print(struct buf *out, const struct awscli_command *command,
                         const struct awscli_pages *pages)
{
    const wire_node *node;
    const char *problem;

    for (size_t i = 0; command->output == AWSCLI_TEXT && i < awscli_pages_parts(pages); i++) {
        if ((problem = read_answer(out->arena, command, awscli_pages_part(pages, i), &node)))
            return problem;
        add_text(out, node, (struct span){"", 0}, NULL);
    }
    if (command->output == AWSCLI_TEXT)
        return NULL;
    if ((problem = read_answer(out->arena, command, awscli_pages_whole(pages), &node)))
        return problem;
    if (json_kind(node) == JSON_OBJECT && !wire_count(node))
        return NULL; /* an answer without members prints nothing */
    if (command->output == AWSCLI_TABLE) {
        awscli_table_add(out, command->op->name, node);
    } else if (command->output == AWSCLI_YAML) {
        awscli_yaml_add(out, node);
    } else {
        add_json(out, node, 0);
        buf_add_char(out, '\n');
    }
    return NULL;
}

const char *awscli_print_error(struct arena *a, const struct op *op, struct span type,
                               struct span message)
{
    return arena_printf(a, "An error occurred (%.*s) when calling the %s operation: %.*s",
                        SPAN_ARG(type), op->name, SPAN_ARG(message));
}
