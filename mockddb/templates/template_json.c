#include "templates/template_json.h"

#include "base/one_more.h"
#include "model/limits.h"
#include "wire/json.h"

struct json_reading {
    struct arena *arena;
    struct span text;
    size_t *lines; /* where each line begins, in order */
    size_t line_count, nodes;
};

static void find_lines(struct json_reading *r)
{
    const char *at = r->text.at, *end = span_end(r->text), *feed;

    do {
        r->lines = one_more(r->arena, r->lines, r->line_count, sizeof *r->lines);
        r->lines[r->line_count++] = (size_t)(at - r->text.at);
        feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    } while (feed);
}

/* The place of a byte of the text. */
static struct text_place find_place(const struct json_reading *r, const char *byte)
{
    const size_t at = (size_t)(byte - r->text.at);
    size_t low = 0, high = r->line_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (r->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return (struct text_place){low + 1, at - r->lines[low] + 1};
}

static bool is_in_text(const struct json_reading *r, struct span part)
{
    return part.at >= r->text.at && part.at < span_end(r->text);
}

static const struct problem *make_node(struct json_reading *r, const wire_node *from, size_t depth,
                                       struct template_node *n);

/* The wire tree has each name once, so repetitions are asked for before. */
static const struct problem *check_names(struct json_reading *r, const wire_node *from,
                                         const struct template_node *n)
{
    const struct span twice = wire_repeated(from);
    struct template_member at = {.place = n->place};

    if (!twice.at)
        return NULL;
    if (is_in_text(r, twice))
        at.place = find_place(r, twice.at - 1);
    return template_node_misnamed(r->arena, &at, "%.*s is given twice", SPAN_ARG(twice));
}

static const struct problem *make_members(struct json_reading *r, const wire_node *from,
                                          size_t depth, struct template_node *n)
{
    const struct problem *p = n->kind == TEMPLATE_MAP ? check_names(r, from, n) : NULL;
    const size_t count = wire_count(from);
    struct template_node *values;
    size_t i = 0;

    if (p || !count)
        return p;
    if ((r->nodes += count) > LIMIT_TEMPLATE_NODES)
        return template_node_problem(r->arena, n, "more than %d values", LIMIT_TEMPLATE_NODES);
    if (depth == LIMIT_TEMPLATE_DEPTH)
        return template_node_problem(r->arena, n, "more than %d levels of brackets",
                                     LIMIT_TEMPLATE_DEPTH);
    n->members = arena_array(r->arena, count, sizeof *n->members);
    values = arena_array(r->arena, count, sizeof *values);
    n->count = count;
    for (const wire_node *m = wire_first(from); m && !p; m = wire_next(m), i++) {
        struct template_member *to = &n->members[i];

        p = make_node(r, m, depth + 1, &values[i]);
        *to = (struct template_member){{"", 0}, values[i].place, &values[i]};
        if (n->kind == TEMPLATE_LIST)
            continue;
        to->name = wire_name(m);
        if (is_in_text(r, to->name))
            to->place = find_place(r, to->name.at - 1);
    }
    return p;
}

static const struct problem *make_node(struct json_reading *r, const wire_node *from, size_t depth,
                                       struct template_node *n)
{
    n->place = find_place(r, wire_raw(from).at);
    switch (json_kind(from)) {
    case JSON_NULL:
        n->kind = TEMPLATE_NULL;
        return NULL;
    case JSON_STRING:
        n->quoted = true;
        n->kind = TEMPLATE_SCALAR;
        n->text = wire_text(from);
        return NULL;
    case JSON_BOOL:
    case JSON_NUMBER:
        n->kind = TEMPLATE_SCALAR;
        n->text = wire_raw(from);
        return NULL;
    case JSON_ARRAY:
        n->kind = TEMPLATE_LIST;
        break;
    case JSON_OBJECT:
        n->kind = TEMPLATE_MAP;
        break;
    }
    return make_members(r, from, depth, n);
}

const struct problem *template_json_read(struct arena *a, struct span text,
                                         const struct template_node **out)
{
    struct json_reading r = {.arena = a, .text = text};
    struct template_node *root = template_node_new(a, TEMPLATE_MAP, NULL);
    const wire_node *tree;

    find_lines(&r);
    *out = root;
    if (wire_parse(a, text, &tree)) {
        const char *at = wire_error_at(a, text);

        root->place = wire_error_place(a, text);
        return template_node_problem(
            a, root, "this is not JSON%s",
            at && at < span_end(text) && (*at == '[' || *at == '{') ? ", or nested too deep" : "");
    }
    return make_node(&r, tree, 0, root);
}
