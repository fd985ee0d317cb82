#include "expr/expr_apply.h"

#include "expr/expr_ast.h"
#include "expr/expr_project.h"
#include "model/limits.h"

#include <stdlib.h>

/* Applying takes three steps. Every clause is evaluated on the old item: whether there is a place
 * for its target, and its new value. Then the worst error of all clauses is returned; without
 * errors, the changes are made on a copy. */

/* What can go wrong with a value, in ascending order of severity. */
enum outcome { FINE, MISSING, WRONG_TYPE, OUT_OF_RANGE };

enum target_place { PLACE_FINE, PLACE_NO_PARENT, PLACE_WRONG_CONTAINER };

/* What is wrong with a value, for those who explain it: the path that it has. */
struct apply_fault {
    enum outcome outcome;
    struct path path;
    struct span text; /* as written */
    int wanted, found;
};

struct apply_change {
    const struct path *target;
    enum target_place place;
    enum outcome outcome;
    enum { KEEP, PUT, TAKE } what;
    struct attr value; /* PUT */
};

struct apply_run {
    struct arena *arena;
    const struct item *old;
    const char *clash;
    const struct error *range; /* the first number that is out of range */
    size_t put;                /* bytes that the clauses so far have added to the item */
    struct apply_fault fault;  /* of the clause that is worked out */
};

#define LIST_SIZE 3 /* bytes of a list besides its elements */

/* A value that marks removed elements until their container is packed. */
#define TAKEN ATTR_TYPE_COUNT

static const struct error *update_fault(struct apply_run *r, const char *message,
                                        const struct apply_fault *fault, struct error_why why)
{
    struct buf path = buf_in(r->arena);

    path_add(&path, &fault->path);
    why.place = fault->text;
    why.operand = buf_span(&path);
    why.wanted = fault->wanted;
    why.found = fault->found;
    return error_bare(r->arena, error_caused(r->arena, ERROR_VALIDATION, why, "%s", message));
}

/* The worst fault of a clause counts. */
static enum outcome note_fault(struct apply_run *r, struct apply_fault fault)
{
    if (r->fault.outcome < fault.outcome)
        r->fault = fault;
    return fault.outcome;
}

/* --- evaluating values ---------------------------------------------------------------------- */

static enum outcome add_numbers(struct apply_run *r, bool minus, const struct attr *a,
                                const struct attr *b, struct attr *out)
{
    struct num left = num_of(a->bytes), right = num_of(b->bytes), sum;
    struct buf text = buf_in(r->arena);
    enum num_status status;

    status = minus ? num_subtract(&left, &right, &sum) : num_add(&left, &right, &sum);
    if (status != NUM_OK) {
        if (!r->range)
            r->range = error_because(
                r->arena,
                error_bare(r->arena, error_of(r->arena, ERROR_VALIDATION,
                                              num_message(r->arena, status, SPAN_LIT(""), false))),
                ERROR_WHY(CAUSE_NUMBER_SUM));
        return OUT_OF_RANGE;
    }
    num_format(&text, &sum);
    *out = (struct attr){.type = ATTR_N, .bytes = buf_span(&text)};
    return FINE;
}

/* A list that does not fit into an item is not built: only its size is set, and because of its size
 * the item is refused. */
static enum outcome append_lists(struct apply_run *r, const struct attr *a, const struct attr *b,
                                 struct attr *out)
{
    size_t size = attr_size(a) + attr_size(b) - LIST_SIZE;
    struct attr_list list = {.len = a->list.len + b->list.len};

    *out = (struct attr){.type = ATTR_L, .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX};
    if (r->put + size > LIMIT_ITEM_BYTES)
        return FINE;
    list.at = arena_array(r->arena, list.len, sizeof *list.at);
    if (a->list.len)
        memcpy(list.at, a->list.at, a->list.len * sizeof *list.at);
    if (b->list.len)
        memcpy(list.at + a->list.len, b->list.at, b->list.len * sizeof *list.at);
    out->list = list;
    return FINE;
}

/* Members of a, in order; with `both` also those that only b has, otherwise without those of b.
 * Both are sorted. */
static void merge_sets(struct apply_run *r, const struct attr *a, const struct attr *b, bool both,
                       struct attr *out)
{
    struct attr_list one = a->list, two = b->list, merged = {.len = 0};
    size_t i = 0, j = 0;

    merged.at = arena_array(r->arena, one.len + two.len, sizeof *merged.at);
    arena_charge(r->arena, one.len + two.len);
    while (i < one.len || (both && j < two.len)) {
        int order = i == one.len ? 1 : j == two.len ? -1 : attr_compare(&one.at[i], &two.at[j]);

        if (order < 0 || (order == 0 && both))
            merged.at[merged.len++] = one.at[i];
        else if (order > 0 && both)
            merged.at[merged.len++] = two.at[j];
        i += order <= 0;
        j += order >= 0;
    }
    *out = (struct attr){.type = a->type, .list = merged};
}

static enum outcome evaluate_operand(struct apply_run *r, const struct node *n, struct attr *out);

static enum outcome wrong_type(struct apply_run *r, const struct node *n, enum attr_type wanted,
                               enum attr_type found)
{
    struct apply_fault fault = {WRONG_TYPE, .text = n->text, .wanted = wanted, .found = found};

    if (n->kind == NODE_PATH)
        fault.path = n->path;
    return note_fault(r, fault);
}

/* Evaluates both operands, which must have that type. */
static enum outcome evaluate_both(struct apply_run *r, const struct node *n, enum attr_type type,
                                  struct attr *a, struct attr *b)
{
    enum outcome left = evaluate_operand(r, n->operands.at[0], a);
    enum outcome right = evaluate_operand(r, n->operands.at[1], b);

    if (left == MISSING || right == MISSING)
        r->fault.wanted = type;
    if (left == FINE && a->type != type)
        left = wrong_type(r, n->operands.at[0], type, a->type);
    if (right == FINE && b->type != type)
        right = wrong_type(r, n->operands.at[1], type, b->type);
    return left > right ? left : right;
}

/* Shares the value's contents. The value is measured first, so that each copy knows its size. */
static enum outcome take_value(const struct attr *value, struct attr *out)
{
    (void)attr_size(value);
    *out = *value;
    return FINE;
}

static enum outcome evaluate_operand(struct apply_run *r, const struct node *n, struct attr *out)
{
    const enum outcome before = r->fault.outcome;
    const struct attr *found;
    struct attr a = {0}, b = {0};
    enum outcome outcome;

    switch (n->kind) {
    case NODE_VALUE:
        return take_value(n->value, out);
    case NODE_PATH:
        found = path_find(r->old, &n->path);
        if (found)
            return take_value(found, out);
        return note_fault(r, (struct apply_fault){MISSING, n->path, n->text, -1, -1});
    case NODE_IF_NOT_EXISTS:
        outcome = evaluate_operand(r, n->operands.at[0], out);
        r->fault.outcome = before; /* a path that is missing is no fault here */
        return outcome == FINE ? FINE : evaluate_operand(r, n->operands.at[1], out);
    case NODE_LIST_APPEND:
        outcome = evaluate_both(r, n, ATTR_L, &a, &b);
        return outcome == FINE ? append_lists(r, &a, &b, out) : outcome;
    default:
        outcome = evaluate_both(r, n, ATTR_N, &a, &b);
        return outcome == FINE ? add_numbers(r, n->kind == NODE_MINUS, &a, &b, out) : outcome;
    }
}

static enum outcome add_values(struct apply_run *r, const struct attr *old,
                               const struct attr *value, struct attr *out)
{
    if (!old) {
        *out = *value;
        return FINE;
    }
    if (old->type != value->type)
        return WRONG_TYPE;
    if (value->type == ATTR_N)
        return add_numbers(r, false, old, value, out);
    if (value->type == ATTR_L)
        return append_lists(r, old, value, out);
    if (!attr_is_set(value->type))
        return WRONG_TYPE;
    merge_sets(r, old, value, true, out);
    return FINE;
}

static void delete_members(struct apply_run *r, const struct attr *old, const struct attr *value,
                           struct apply_change *c)
{
    if (!old)
        return;
    if (old->type != value->type || !attr_is_set(value->type)) {
        c->outcome = WRONG_TYPE;
        return;
    }
    merge_sets(r, old, value, false, &c->value);
    c->what = c->value.list.len ? PUT : TAKE;
}

/* Whether the target's parent exists and can hold the path's last element. */
static enum target_place find_place(const struct item *old, const struct path *target)
{
    for (size_t i = 1; i < target->len; i++) {
        struct path parent = {target->at, i};
        const struct attr *container = path_find(old, &parent);
        enum attr_type needed = target->at[i].is_index ? ATTR_L : ATTR_M;

        if (!container)
            return PLACE_NO_PARENT;
        if (container->type != needed)
            return PLACE_WRONG_CONTAINER;
    }
    return PLACE_FINE;
}

static struct apply_change change_of_clause(struct apply_run *r, const struct clause *clause)
{
    struct apply_change c = {.target = &clause->target,
                             .place = find_place(r->old, &clause->target)};
    const struct attr *old = path_find(r->old, &clause->target);

    r->fault.outcome = FINE;
    switch (clause->action) {
    case EXPR_SET:
        c.what = PUT;
        c.outcome = evaluate_operand(r, clause->operand, &c.value);
        break;
    case EXPR_ADD:
        c.what = PUT;
        c.outcome = add_values(r, old, clause->operand->value, &c.value);
        break;
    case EXPR_DELETE:
        delete_members(r, old, clause->operand->value, &c);
        break;
    case EXPR_REMOVE:
        c.what = old ? TAKE : KEEP;
        break;
    }
    if (c.what == PUT && c.outcome == FINE)
        r->put += attr_size(&c.value);
    if (c.outcome == WRONG_TYPE && clause->action != EXPR_SET)
        r->fault = (struct apply_fault){WRONG_TYPE, clause->target, clause->text,
                                        clause->operand->value->type, old->type};
    return c;
}

/* --- errors ---------------------------------------------------------------------------------- */

static const char invalid_path[] =
    "The document path provided in the update expression is invalid for update";
static const char missing_attribute[] =
    "The provided expression refers to an attribute that does not exist in the item";

/* --- changing the copy --------------------------------------------------------------------- */

static struct attr *step_into(struct attr *at, const struct path_step *step)
{
    if (!step->is_index)
        return at->type == ATTR_M ? item_slot(&at->map, step->name) : NULL;
    return at->type == ATTR_L && step->index < at->list.len ? &at->list.at[step->index] : NULL;
}

/* The copy's value after `steps` steps of the path, or NULL; with 0 steps the item itself, treated
 * as a map. */
static struct attr *descend_path(struct attr *root, const struct path *path, size_t steps)
{
    struct attr *at = root;

    for (size_t i = 0; i < steps; i++)
        if (!(at = step_into(at, &path->at[i])))
            return NULL;
    return at;
}

/* A copy of the item in which every attribute that changes below its top level is a deep copy. */
static struct attr copy_for(struct apply_run *r, const struct apply_change *changes, size_t len)
{
    struct attr root = {.type = ATTR_M, .map = *r->old};
    bool *own = arena_array(r->arena, r->old->len, sizeof *own);

    root.map.at = arena_array(r->arena, r->old->len, sizeof *root.map.at);
    if (r->old->len)
        memcpy(root.map.at, r->old->at, r->old->len * sizeof *root.map.at);
    for (size_t i = 0; i < len; i++) {
        struct attr *head;
        size_t field;

        if (changes[i].what == KEEP || changes[i].target->len == 1)
            continue;
        head = descend_path(&root, changes[i].target, 1);
        field = (size_t)((char *)head - (char *)root.map.at) / sizeof *root.map.at;
        if (!own[field])
            *head = attr_copy(r->arena, head);
        own[field] = true;
    }
    return root;
}

/* Orders by container, then by index, then as written. */
static int order_additions(const void *a, const void *b)
{
    const struct apply_change *one = *(const struct apply_change *const *)a;
    const struct apply_change *two = *(const struct apply_change *const *)b;
    size_t shared = one->target->len < two->target->len ? one->target->len : two->target->len;

    if (one->target->len != two->target->len)
        return one->target->len < two->target->len ? -1 : 1;
    for (size_t i = 0; i < shared; i++) {
        const struct path_step *left = &one->target->at[i], *right = &two->target->at[i];
        int order;

        if (left->is_index && right->is_index && left->index != right->index)
            return left->index < right->index ? -1 : 1;
        if (left->is_index || right->is_index || i + 1 == shared)
            continue;
        if ((order = span_compare(left->name, right->name)))
            return order;
    }
    return one < two ? -1 : one > two;
}

static bool same_parent(const struct path *a, const struct path *b)
{
    struct path one = {a->at, a->len - 1}, two = {b->at, b->len - 1};

    return path_equal(&one, &two);
}

/* Makes all additions to one container: fields of a map, or elements at the end of a list. */
static void add_to_parent(struct apply_run *r, struct attr *parent,
                          const struct apply_change *const *additions, size_t count)
{
    if (parent->type == ATTR_L) {
        struct attr_list *list = &parent->list;
        struct attr *at = arena_array(r->arena, list->len + count, sizeof *at);

        if (list->len)
            memcpy(at, list->at, list->len * sizeof *at);
        for (size_t i = 0; i < count; i++)
            at[list->len + i] = additions[i]->value;
        list->at = at;
        list->len += count;
    } else {
        struct item *map = &parent->map;
        struct field *at = arena_array(r->arena, map->len + count, sizeof *at);

        if (map->len)
            memcpy(at, map->at, map->len * sizeof *at);
        for (size_t i = 0; i < count; i++) {
            const struct path *target = additions[i]->target;

            at[map->len + i].name = target->at[target->len - 1].name;
            at[map->len + i].value = additions[i]->value;
        }
        map->at = at;
        map->len += count;
        item_make_findable(r->arena, map);
    }
}

/* Replaces existing values, then adds new ones. Positions in the old lists do not change. */
static void put_values(struct apply_run *r, struct attr *root, const struct apply_change *changes,
                       size_t len)
{
    const struct apply_change **additions = arena_array(r->arena, len,
                                                        sizeof(const struct apply_change *));
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        struct attr *slot;

        if (changes[i].what != PUT)
            continue;
        if ((slot = descend_path(root, changes[i].target, changes[i].target->len)))
            *slot = changes[i].value;
        else
            additions[count++] = &changes[i];
    }
    qsort(additions, count, sizeof(const struct apply_change *), order_additions);
    for (size_t first = 0, next; first < count; first = next) {
        const struct path *target = additions[first]->target;
        struct attr *parent = descend_path(root, target, target->len - 1);

        next = first + 1;
        while (next < count && same_parent(target, additions[next]->target))
            next++;
        if (parent)
            add_to_parent(r, parent, &additions[first], next - first);
    }
}

/* Closes the gaps in a container. */
static void pack_container(struct apply_run *r, struct attr *container)
{
    size_t kept = 0;

    if (container->type == ATTR_L) {
        struct attr_list *list = &container->list;

        for (size_t i = 0; i < list->len; i++)
            if (list->at[i].type != TAKEN)
                list->at[kept++] = list->at[i];
        list->len = kept;
    } else {
        struct item *map = &container->map;

        for (size_t i = 0; i < map->len; i++)
            if (map->at[i].value.type != TAKEN)
                map->at[kept++] = map->at[i];
        map->len = kept;
        item_make_findable(r->arena, map);
    }
}

struct gap {
    size_t depth; /* of the container */
    struct attr *container;
};

/* Additions to one container are neighbours. */
static int deepest_first(const void *a, const void *b)
{
    const struct gap *one = a, *two = b;

    if (one->depth != two->depth)
        return one->depth < two->depth ? 1 : -1;
    return (one->container > two->container) - (one->container < two->container);
}

/* Marks all removed elements first and packs afterwards: all indexes refer to the old lists, and
 * packing a container moves its elements. */
static void take_values(struct apply_run *r, struct attr *root, const struct apply_change *changes,
                        size_t len)
{
    struct gap *gaps = arena_array(r->arena, len, sizeof *gaps);
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        const struct path *target = changes[i].target;
        struct attr *taken;

        if (changes[i].what != TAKE || !(taken = descend_path(root, target, target->len)))
            continue;
        taken->type = TAKEN;
        gaps[count].depth = target->len - 1;
        gaps[count++].container = descend_path(root, target, target->len - 1);
    }
    qsort(gaps, count, sizeof *gaps, deepest_first);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || gaps[i].container != gaps[i - 1].container)
            pack_container(r, gaps[i].container);
}

/* The parent of the clause's target is missing, or cannot hold it. */
static const struct error *no_place(struct apply_run *r, const struct clause *clause)
{
    struct apply_fault fault = {.path = {clause->target.at, 1}, .text = clause->text};
    struct buf whole = buf_in(r->arena);
    const struct attr *container;

    for (; fault.path.len < clause->target.len; fault.path.len++) {
        fault.wanted = clause->target.at[fault.path.len].is_index ? ATTR_L : ATTR_M;
        container = path_find(r->old, &fault.path);
        fault.found = container ? (int)container->type : -1;
        if (fault.found != fault.wanted)
            break;
    }
    path_add(&whole, &clause->target);
    return update_fault(r, invalid_path, &fault,
                        ERROR_WHY(CAUSE_ITEM_PARENT, .beside = buf_span(&whole)));
}

/* The fault of a clause, which is worked out once more. */
static const struct apply_fault *fault_of(struct apply_run *r, const struct clause *clause)
{
    (void)change_of_clause(r, clause);
    return &r->fault;
}

static const struct error *wrong_value(struct apply_run *r, const struct clause *clause)
{
    const struct apply_fault *fault = fault_of(r, clause);
    const enum error_cause causes[] = {[EXPR_SET] = fault->wanted == ATTR_N ? CAUSE_ITEM_SUM
                                                                            : CAUSE_ITEM_LIST,
                                       [EXPR_ADD] = CAUSE_ITEM_ADDED,
                                       [EXPR_DELETE] = CAUSE_ITEM_DELETED};

    return update_fault(r, r->clash, fault,
                        ERROR_WHY(causes[clause->action], .beside = clause->operand->text));
}

const struct error *expr_apply(struct arena *a, const struct expr_update *u, const struct item *old,
                               struct item *out)
{
    struct apply_run r = {.arena = a, .old = old, .clash = u->clash};
    struct apply_change *changes = arena_array(a, u->len, sizeof *changes);
    struct attr root;

    for (size_t i = 0; i < u->len; i++)
        changes[i] = change_of_clause(&r, &u->at[i]);
    /* The service looks for wrong containers first, then for wrong types, then for missing values
     * in the clauses from last to first, and does arithmetic at the end. */
    for (size_t i = 0; i < u->len; i++)
        if (changes[i].place == PLACE_WRONG_CONTAINER)
            return no_place(&r, &u->at[i]);
    for (size_t i = 0; i < u->len; i++)
        if (changes[i].outcome == WRONG_TYPE)
            return wrong_value(&r, &u->at[i]);
    for (size_t i = u->len; i-- > 0;) {
        if (changes[i].place == PLACE_NO_PARENT)
            return no_place(&r, &u->at[i]);
        if (changes[i].outcome == MISSING)
            return update_fault(&r, missing_attribute, fault_of(&r, &u->at[i]),
                                ERROR_WHY(CAUSE_ITEM_LACKS));
    }
    if (r.range)
        return r.range;
    root = copy_for(&r, changes, u->len);
    put_values(&r, &root, changes, u->len);
    take_values(&r, &root, changes, u->len);
    *out = root.map;
    return NULL;
}

struct item expr_updated_part(struct arena *a, const struct expr_update *u, const struct item *it)
{
    struct path *targets = arena_array(a, u->len, sizeof *targets);
    struct expr_projection projection;

    for (size_t i = 0; i < u->len; i++)
        targets[i] = u->at[i].target;
    projection = expr_projection_of(a, targets, u->len);
    return expr_project(a, &projection, it);
}
