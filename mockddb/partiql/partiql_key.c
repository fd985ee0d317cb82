#include "partiql/partiql_key.h"

#include "expr/expr_ast.h"

#define MAX_RANGES 256 /* more places are not distinguished */

/* --- comparisons with values ---------------------------------------------------------------- */

static bool is_attribute(const struct node *n, struct span name)
{
    return name.at && n->kind == NODE_PATH && n->path.len == 1 &&
           span_equal(n->path.at[0].name, name);
}

/* Whether the node compares the attribute with a value, on either side; sets the operator and the
 * value. */
static bool compares_attribute(const struct node *n, struct span name, enum expr_op *op,
                               const struct attr **value)
{
    const struct node *left, *right;

    if (n->kind < NODE_EQ || n->kind > NODE_GE)
        return false;
    left = n->operands.at[0];
    right = n->operands.at[1];
    *op = expr_rule(n->kind)->op;
    if (is_attribute(right, name)) {
        const struct node *swap = left;

        left = right;
        right = swap;
        *op = expr_rule(n->kind)->flipped;
    }
    if (!is_attribute(left, name) || right->kind != NODE_VALUE)
        return false;
    *value = right->value;
    return true;
}

/* --- key ranges ----------------------------------------------------------------------------- */

/* The constraints of one branch of a condition. */
struct branch {
    const struct attr *hash; /* NULL: the partition is not constrained */
    bool has_sort;
    struct expr_key_clause sort;
    bool loose;
    bool beside; /* another attribute is compared with = or <> */
};

struct branches {
    struct branch *at;
    size_t len;
};

struct key_search {
    struct arena *arena;
    struct span hash, range;
};

static struct branches find_branches(const struct key_search *s, const struct node *n);

static struct branches one_branch(const struct key_search *s, struct branch branch)
{
    struct branches one = {arena_alloc(s->arena, sizeof branch), 1};

    one.at[0] = branch;
    return one;
}

static struct branch sort_branch(const struct key_search *s, enum expr_op op,
                                 const struct attr *low, const struct attr *high)
{
    return (struct branch){.has_sort = true, .sort = {s->range, op, *low, high ? *high : *low}};
}

/* Whether the node compares an attribute other than the partition key with a value, by = or <>. */
static bool is_equality_beside(const struct key_search *s, const struct node *n)
{
    struct node *const *operand = n->operands.at;
    bool swapped;

    if (n->kind != NODE_EQ && n->kind != NODE_NE)
        return false;
    swapped = operand[0]->kind == NODE_VALUE;
    return operand[swapped]->kind == NODE_PATH && operand[!swapped]->kind == NODE_VALUE &&
           !is_attribute(operand[swapped], s->hash);
}

static struct branches comparison_branches(const struct key_search *s, const struct node *n)
{
    const struct attr *value;
    enum expr_op op;

    if (compares_attribute(n, s->hash, &op, &value) && op == EXPR_EQ)
        return one_branch(s, (struct branch){.hash = value});
    if (!compares_attribute(n, s->range, &op, &value)) {
        bool beside = is_equality_beside(s, n);

        return one_branch(
            s, (struct branch){.beside = beside, .loose = n->kind == NODE_NE && !beside});
    }
    if (op == EXPR_NE)
        return one_branch(s, (struct branch){.loose = true});
    return one_branch(s, sort_branch(s, op, value, NULL));
}

/* BETWEEN and begins_with on the sort key. */
static struct branches sort_condition(const struct key_search *s, const struct node *n)
{
    struct node *const *operand = n->operands.at;

    if (!is_attribute(operand[0], s->range))
        return one_branch(s, (struct branch){.hash = NULL});
    for (size_t i = 1; i < n->operands.len; i++)
        if (operand[i]->kind != NODE_VALUE)
            return one_branch(s, (struct branch){.hash = NULL});
    if (n->kind == NODE_BETWEEN)
        return one_branch(s, sort_branch(s, EXPR_BETWEEN, operand[1]->value, operand[2]->value));
    return one_branch(s, sort_branch(s, EXPR_BEGINS_WITH, operand[1]->value, NULL));
}

static bool occurs_before(const struct node *in, size_t at)
{
    for (size_t i = 1; i < at; i++)
        if (attr_equal(in->operands.at[i]->value, in->operands.at[at]->value))
            return true;
    return false;
}

/* One branch for each distinct value. */
static struct branches branches_among(const struct key_search *s, const struct node *n)
{
    bool hash = is_attribute(n->operands.at[0], s->hash);
    struct branches out = {arena_array(s->arena, n->operands.len, sizeof *out.at), 0};

    if (!hash && !is_attribute(n->operands.at[0], s->range))
        return one_branch(s, (struct branch){.hash = NULL});
    for (size_t i = 1; i < n->operands.len; i++)
        if (n->operands.at[i]->kind != NODE_VALUE)
            return one_branch(s, (struct branch){.hash = NULL});
    for (size_t i = 1; i < n->operands.len; i++) {
        const struct attr *value = n->operands.at[i]->value;

        struct branch branch = {.hash = value};

        if (!hash)
            branch = sort_branch(s, EXPR_EQ, value, NULL);
        if (!occurs_before(n, i))
            out.at[out.len++] = branch;
    }
    return out;
}

/* The conjunction of two branches. */
static struct branch both_branches(const struct branch *a, const struct branch *b)
{
    struct branch out = *a;

    out.loose = a->loose || b->loose;
    out.beside = a->beside || b->beside;
    if (!out.hash)
        out.hash = b->hash;
    if (!out.has_sort && b->has_sort) {
        out.has_sort = true;
        out.sort = b->sort;
    }
    return out;
}

static struct branches branch_product(const struct key_search *s, const struct branches *a,
                                      const struct branches *b)
{
    struct branches out = {arena_array(s->arena, a->len * b->len, sizeof *out.at), 0};

    for (size_t i = 0; i < a->len; i++)
        for (size_t k = 0; k < b->len; k++) {
            struct branch branch = both_branches(&a->at[i], &b->at[k]);

            /* Of two conditions on the sort key the first is kept, once for each operand of OR. */
            if (a->at[i].has_sort && b->at[k].has_sort && b->len > 1)
                branch.loose = true;
            out.at[out.len++] = branch;
        }
    return out;
}

static bool all_have_hash(const struct branches *b)
{
    for (size_t i = 0; i < b->len; i++)
        if (!b->at[i].hash)
            return false;
    return b->len > 0;
}

/* If there are too many branches, conditions on the sort key are dropped, not partitions. */
static struct branches all_of(const struct key_search *s, const struct node *n)
{
    struct branches *each = arena_array(s->arena, n->operands.len, sizeof *each);
    struct branches out = one_branch(s, (struct branch){.hash = NULL});

    for (size_t i = 0; i < n->operands.len; i++)
        each[i] = find_branches(s, n->operands.at[i]);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n->operands.len; i++)
            if (all_have_hash(&each[i]) == (pass == 0) && out.len * each[i].len <= MAX_RANGES)
                out = branch_product(s, &out, &each[i]);
    return out;
}

/* Whether a branch constrains no partition; *loose becomes true if any branch is loose. */
static bool is_anywhere(const struct branches *b, bool *loose)
{
    bool anywhere = false;

    for (size_t i = 0; i < b->len; i++) {
        anywhere = anywhere || (!b->at[i].hash && !b->at[i].has_sort);
        *loose = *loose || b->at[i].loose;
    }
    return anywhere;
}

/* If one operand does not constrain the key, neither does the OR. */
static struct branches any_of(const struct key_search *s, const struct node *n)
{
    struct buf out = buf_in(s->arena);
    bool anywhere = false, loose = false;

    for (size_t i = 0; i < n->operands.len; i++) {
        struct branches each = find_branches(s, n->operands.at[i]);

        buf_add(&out, each.at, each.len * sizeof *each.at);
        if (is_anywhere(&each, &loose))
            anywhere = true;
        if (out.len > MAX_RANGES * sizeof(struct branch))
            return one_branch(s, (struct branch){.hash = NULL});
    }
    if (anywhere)
        return one_branch(s, (struct branch){.loose = loose});
    return (struct branches){(struct branch *)(void *)out.at, out.len / sizeof(struct branch)};
}

static struct branches find_branches(const struct key_search *s, const struct node *n)
{
    switch (n->kind) {
    case NODE_AND:
        return all_of(s, n);
    case NODE_OR:
        return any_of(s, n);
    case NODE_NOT:
        return one_branch(s, (struct branch){.loose = true});
    case NODE_BETWEEN:
    case NODE_BEGINS_WITH:
        return sort_condition(s, n);
    case NODE_IN:
        return branches_among(s, n);
    default:
        return comparison_branches(s, n);
    }
}

struct partiql_ranges partiql_find_ranges(struct arena *a, const struct expr_cond *where,
                                          struct span hash, struct span range)
{
    struct key_search s = {a, hash, range};
    struct partiql_ranges out = {NULL, 0};
    struct branches branches;

    if (!where)
        return out;
    branches = find_branches(&s, where->root);
    if (!all_have_hash(&branches))
        return out;
    out.at = arena_array(a, branches.len, sizeof *out.at);
    for (; out.len < branches.len; out.len++) {
        const struct branch *branch = &branches.at[out.len];
        struct partiql_range *to = &out.at[out.len];

        to->loose = branch->loose;
        to->beside = branch->beside;
        to->key.at = arena_array(a, 2, sizeof *to->key.at);
        to->key.at[to->key.len++] = (struct expr_key_clause){hash, EXPR_EQ, *branch->hash,
                                                             *branch->hash};
        if (branch->has_sort)
            to->key.at[to->key.len++] = branch->sort;
    }
    return out;
}

/* --- the key of one item -------------------------------------------------------------------- */

struct conjuncts {
    struct node **at;
    size_t len;
};

/* Removes the first equality of the attribute from the conjuncts. */
static bool take_equality(struct conjuncts *c, struct span name, const struct attr **value)
{
    enum expr_op op;

    for (size_t i = 0; i < c->len; i++) {
        if (!compares_attribute(c->at[i], name, &op, value) || op != EXPR_EQ)
            continue;
        c->len--;
        memmove(&c->at[i], &c->at[i + 1], (c->len - i) * sizeof(struct node *));
        return true;
    }
    return false;
}

bool partiql_take_key(struct arena *a, const struct expr_cond *where, const struct span *names,
                      size_t count, struct item *key, struct expr_cond **rest)
{
    struct buf list = buf_in(a);
    struct item found = {.at = arena_array(a, count, sizeof *found.at)};
    struct conjuncts conjuncts;
    struct expr_cond *cond = NULL;

    if (!where)
        return false;
    expr_node_joined(where->root, NODE_AND, &list);
    conjuncts = (struct conjuncts){(struct node **)(void *)list.at,
                                   list.len / sizeof(struct node *)};
    for (; found.len < count; found.len++) {
        const struct attr *value;

        if (!take_equality(&conjuncts, names[found.len], &value))
            return false;
        found.at[found.len] = (struct field){names[found.len], *value};
    }
    if (conjuncts.len)
        cond = expr_cond_of(a, expr_node(a, NODE_AND, conjuncts.at, conjuncts.len));
    *key = found;
    *rest = cond;
    return true;
}

static void add_required(const struct node *n, struct buf *paths)
{
    if (n->kind == NODE_OR)
        return;
    if (n->kind == NODE_AND || n->kind == NODE_NOT) {
        for (size_t i = 0; i < n->operands.len; i++)
            add_required(n->operands.at[i], paths);
    } else {
        expr_node_paths(n, paths);
    }
}

void partiql_required_names(struct arena *a, const struct expr_cond *where, struct span **names,
                            size_t *count)
{
    struct buf paths = buf_in(a);

    if (where)
        add_required(where->root, &paths);
    expr_path_names(a, (const struct path *const *)(const void *)paths.at,
                    paths.len / sizeof(const struct path *), names, count);
}
