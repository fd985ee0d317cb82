#include "expr/expr_bind.h"

#include "expr/expr_fault.h"
#include "expr/expr_types.h"
#include "model/limits.h"

#include <stdlib.h>

/* Maps with up to this many entries are searched linearly. */
#define FEW 16

struct binder expr_binder(struct arena *a, const char *parameter, struct expr_vars *vars)
{
    return (struct binder){.arena = a, .parameter = parameter, .vars = vars};
}

/* --- looking placeholders up --------------------------------------------------------------- */

static int order_spans(const void *a, const void *b)
{
    const struct span *const *one = a, *const *two = b;

    return span_compare(**one, **two);
}

static struct span **sorted_keys(struct arena *a, char *entries, size_t count, size_t size)
{
    struct span **keys = arena_array(a, count, sizeof(struct span *));

    for (size_t i = 0; i < count; i++)
        keys[i] = (struct span *)(void *)(entries + i * size);
    qsort(keys, count, sizeof(struct span *), order_spans);
    return keys;
}

/* The entry with that key among `count` entries of `size` bytes, or NULL. An entry begins with its
 * key, so one search serves both maps. */
static void *find_entry(struct arena *a, struct span ***sorted, void *entries, size_t count,
                        size_t size, struct span key)
{
    struct span *wanted = &key, **found;

    if (count <= FEW) {
        for (size_t i = 0; i < count; i++) {
            void *entry = (char *)entries + i * size;

            if (span_equal(*(struct span *)entry, key))
                return entry;
        }
        return NULL;
    }
    if (!*sorted)
        *sorted = sorted_keys(a, entries, count, size);
    found = bsearch(&wanted, *sorted, count, sizeof(struct span *), order_spans);
    return found ? *found : NULL;
}

static struct expr_name *find_name(struct binder *b, struct span key)
{
    struct expr_vars *v = b->vars;

    return find_entry(b->arena, &b->names, v->names, v->name_count, sizeof *v->names, key);
}

static struct expr_value *find_value(struct binder *b, struct span key)
{
    struct expr_vars *v = b->vars;

    return find_entry(b->arena, &b->values, v->values, v->value_count, sizeof *v->values, key);
}

/* --- binding ------------------------------------------------------------------------------- */

static const struct error *resolve_path(struct binder *b, struct path *path)
{
    for (size_t i = 0; i < path->len; i++) {
        struct path_step *step = &path->at[i];
        struct expr_name *entry;

        if (step->is_index || step->name.at[0] != '#')
            continue;
        if (!(entry = find_name(b, step->name)))
            return expr_fault(b->arena, b->parameter,
                              ERROR_WHY(CAUSE_UNDEFINED, .place = step->name),
                              "An expression attribute name used in the document "
                              "path is not defined; attribute name: %.*s",
                              SPAN_ARG(step->name));
        entry->used = true;
        step->name = entry->name;
    }
    return NULL;
}

static const struct error *check_length(const struct binder *b, const struct path *path)
{
    if (path->len <= LIMIT_PATH)
        return NULL;
    return expr_fault(
        b->arena, b->parameter,
        ERROR_WHY(CAUSE_MEMBER_HIGH, .operand = SPAN_LIT("the number of a path's parts"),
                  .place = span_of(arena_printf(b->arena, "%zu", path->len)),
                  .beside = span_of(arena_printf(b->arena, "%d", LIMIT_PATH))),
        "The document path has too many nesting levels; nesting levels: %zu", path->len);
}

static const struct error *fill_value(struct binder *b, struct node *n)
{
    struct expr_value *entry = find_value(b, n->text);

    if (!entry)
        return expr_fault(b->arena, b->parameter, ERROR_WHY(CAUSE_UNDEFINED, .place = n->text),
                          "An expression attribute value used in expression is not "
                          "defined; attribute value: %.*s",
                          SPAN_ARG(n->text));
    entry->used = true;
    n->value = &entry->value;
    return NULL;
}

enum pass { PASS_NAMES, PASS_VALUES, PASS_LENGTHS };

static const struct error *walk_tree(struct binder *b, struct node *n, enum pass pass)
{
    const struct error *e;

    if (n->kind == NODE_PATH) {
        if (pass == PASS_NAMES)
            return resolve_path(b, &n->path);
        return pass == PASS_LENGTHS ? check_length(b, &n->path) : NULL;
    }
    if (n->kind == NODE_VALUE)
        return pass == PASS_VALUES ? fill_value(b, n) : NULL;
    for (size_t i = 0; i < n->operands.len; i++)
        if ((e = walk_tree(b, n->operands.at[i], pass)))
            return e;
    return NULL;
}

const struct error *expr_bind_path(struct binder *b, struct path *path)
{
    const struct error *e = resolve_path(b, path);

    return e ? e : check_length(b, path);
}

const struct error *expr_bind_operand(struct binder *b, struct node *n)
{
    const struct error *e;

    if ((e = walk_tree(b, n, PASS_NAMES)) || (e = walk_tree(b, n, PASS_VALUES)))
        return e;
    return walk_tree(b, n, PASS_LENGTHS);
}

const struct error *expr_bind_condition(struct binder *b, struct node *n)
{
    const struct error *e;

    if (n->kind != NODE_AND && n->kind != NODE_OR && n->kind != NODE_NOT) {
        if ((e = expr_bind_operand(b, n)))
            return e;
        if (n->kind == NODE_IN)
            expr_order_values(b->arena, n);
        return expr_check_types(b->arena, b->parameter, n);
    }
    for (size_t i = 0; i < n->operands.len; i++)
        if ((e = expr_bind_condition(b, n->operands.at[i])))
            return e;
    return NULL;
}

/* --- clashing paths ------------------------------------------------------------------------ */

static int by_path(const void *a, const void *b)
{
    return path_compare(*(const struct path *const *)a, *(const struct path *const *)b);
}

/* In sorted order, paths that clash are neighbours. */
static bool any_clash(struct arena *a, const struct path *const *paths, size_t count)
{
    const struct path **sorted = arena_array(a, count, sizeof(const struct path *));
    bool found = false;

    for (size_t i = 0; i < count; i++)
        sorted[i] = paths[i];
    qsort(sorted, count, sizeof(const struct path *), by_path);
    for (size_t i = 1; !found && i < count; i++)
        found = path_clash(sorted[i - 1], sorted[i]) != PATH_APART;
    return found;
}

const struct error *expr_check_clashes(struct arena *a, const char *parameter,
                                       const struct path *const *paths, size_t count)
{
    if (count > FEW && !any_clash(a, paths, count))
        return NULL;
    for (size_t later = 1; later < count; later++) {
        for (size_t earlier = 0; earlier < later; earlier++) {
            enum path_clash kind = path_clash(paths[earlier], paths[later]);

            if (kind != PATH_APART) {
                struct buf message = expr_fault_begin(a, parameter), one = buf_in(a),
                           two = buf_in(a);

                buf_add_text(&message, kind == PATH_OVERLAP ? "Two document paths overlap"
                                                            : "Two document paths conflict");
                buf_add_text(
                    &message,
                    " with each other; must remove or rewrite one of these paths; path one: ");
                path_print(&message, paths[earlier]);
                buf_add_text(&message, ", path two: ");
                path_print(&message, paths[later]);
                path_add(&one, paths[earlier]);
                path_add(&two, paths[later]);
                return error_written(
                    &message, ERROR_WHY(path_equal(paths[earlier], paths[later]) ? CAUSE_NAMED_TWICE
                                                                                 : CAUSE_OVERLAP,
                                        .operand = buf_span(&one), .beside = buf_span(&two)));
            }
        }
    }
    return NULL;
}
