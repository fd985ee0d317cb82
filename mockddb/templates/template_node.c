#include "templates/template_node.h"

#include "base/one_more.h"

#include <stdlib.h>

const struct template_member *template_node_member(const struct template_node *map,
                                                   struct span name)
{
    if (!map || map->kind != TEMPLATE_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (span_equal(map->members[i].name, name))
            return &map->members[i];
    return NULL;
}

const struct template_node *template_node_get(const struct template_node *map, const char *name)
{
    const struct template_member *m = template_node_member(map, span_of(name));

    return m ? m->value : NULL;
}

struct span template_node_text(const struct template_node *n)
{
    return n && n->kind == TEMPLATE_SCALAR ? n->text : (struct span){NULL, 0};
}

const char *template_node_kind(const struct template_node *n)
{
    static const char *const kinds[] = {[TEMPLATE_NULL] = "null",
                                        [TEMPLATE_SCALAR] = "a string or number",
                                        [TEMPLATE_LIST] = "a list",
                                        [TEMPLATE_MAP] = "an object",
                                        [TEMPLATE_UNKNOWN] = "a value that is not known yet"};

    return kinds[n->kind];
}

struct template_node *template_node_new(struct arena *a, enum template_kind kind,
                                        const struct template_node *at)
{
    struct template_node *n = arena_alloc(a, sizeof *n);

    n->kind = kind;
    n->place = at ? at->place : (struct text_place){0};
    return n;
}

struct template_node *template_node_new_text(struct arena *a, struct span text,
                                             const struct template_node *at)
{
    struct template_node *n = template_node_new(a, TEMPLATE_SCALAR, at);

    n->text = text;
    return n;
}

void template_node_add(struct arena *a, struct template_node *to, const char *name,
                       const struct template_node *value)
{
    if (!value)
        return;
    to->members = one_more(a, to->members, to->count, sizeof *to->members);
    to->members[to->count++] = (struct template_member){
        .name = name ? span_of(name) : (struct span){"", 0},
        .place = value->place,
        .value = value,
    };
}

/* By name, and then by place. */
static int compare_members(const void *a, const void *b)
{
    const struct template_member *x = *(const struct template_member *const *)a;
    const struct template_member *y = *(const struct template_member *const *)b;
    int order = span_compare(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

const struct problem *template_node_check_names(struct arena *a, const struct template_node *map)
{
    const struct template_member **sorted, *twice = NULL;

    if (map->count < 2)
        return NULL;
    sorted = arena_array(a, map->count, sizeof *sorted);
    for (size_t i = 0; i < map->count; i++)
        sorted[i] = &map->members[i];
    qsort(sorted, map->count, sizeof *sorted, compare_members);
    for (size_t i = 1; i < map->count; i++)
        if (span_equal(sorted[i - 1]->name, sorted[i]->name) && (!twice || sorted[i] < twice))
            twice = sorted[i];
    return twice ? template_node_misnamed(a, twice, "%.*s is given twice", SPAN_ARG(twice->name))
                 : NULL;
}

static const struct problem *place_problem(struct arena *a, enum problem_kind kind,
                                           struct text_place place, const char *text)
{
    struct problem *p = arena_alloc(a, sizeof *p);

    *p = (struct problem){.kind = kind, .text = text, .place = place};
    return p;
}

#define TEXT_OF(text)                         \
    do {                                      \
        va_list args;                         \
        va_start(args, fmt);                  \
        (text) = arena_vprintf(a, fmt, args); \
        va_end(args);                         \
    } while (0)

const struct problem *template_node_problem(struct arena *a, const struct template_node *at,
                                            const char *fmt, ...)
{
    const char *text;

    TEXT_OF(text);
    return place_problem(a, PROBLEM_INVALID, at->place, text);
}

const struct problem *template_node_unknown(struct arena *a, const struct template_node *at,
                                            const char *fmt, ...)
{
    const char *text;

    TEXT_OF(text);
    return place_problem(a, PROBLEM_MISSING, at->place, text);
}

const struct problem *template_node_misnamed(struct arena *a, const struct template_member *at,
                                             const char *fmt, ...)
{
    const char *text;

    TEXT_OF(text);
    return place_problem(a, PROBLEM_INVALID, at->place, text);
}
