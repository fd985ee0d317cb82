#include "store/memory/tree.h"

#include <assert.h>
#include <stdlib.h>

#include "base/process.h"

#define FANOUT 32 /* children of a node, entries of a leaf */
#define FEW    8  /* a node with fewer is merged with its neighbour if … */
#define MERGED 24 /* … they have at most this many together */

/* A key that separates two children: not above the keys of the right one. */
struct bound {
    uint32_t refs, len;
    char bytes[];
};

/* Keys are compared by their `heads` first: the eight bytes behind those that all of them share. */
struct tree_node {
    uint32_t refs;
    uint16_t count;
    uint16_t height; /* 0: a leaf */
    uint32_t shared; /* leading bytes that all keys of the node have in common, or fewer */
    uint64_t heads[FANOUT];
    union {
        struct tree_entry *entries[FANOUT];
        struct tree_node *children[FANOUT];
    };
    struct bound *bounds[]; /* FANOUT of them, unless it is a leaf; the first one is NULL */
};

/* Memory for one change, where the system has none: a path of clones and of split nodes, and the
 * bound of the new leaf. */
#define SPARE_NODES   ((size_t)2 * TREE_HEIGHT)
#define LONGEST_BOUND ((size_t)16 * 1024) /* longer than any key */
#define BOUNDS_SIZE   (FANOUT * sizeof(struct bound *))

struct tree_pool {
    struct tree_node *unused; /* given up; linked by their first heads */
    struct tree_node *spare_nodes[SPARE_NODES];
    size_t spare_count;
    struct bound *spare_bound;
};

static struct tree_pool own_pool; /* of a process that has one thread with trees */
static _Thread_local struct tree_pool *thread_pool;

static struct tree_pool *pool(void)
{
    return thread_pool ? thread_pool : &own_pool;
}

struct tree_pool *tree_pool_new(void)
{
    return process_zeroed(sizeof(struct tree_pool));
}

struct tree_pool *tree_pool_use(struct tree_pool *p)
{
    struct tree_pool *before = thread_pool;

    thread_pool = p;
    return before;
}

void tree_pool_free(struct tree_pool *p)
{
    struct tree_pool *used = tree_pool_use(p);

    if (p) {
        while (tree_free(SIZE_MAX))
            continue;
        while (p->spare_count)
            free(p->spare_nodes[--p->spare_count]);
        free(p->spare_bound);
        free(p);
    }
    (void)tree_pool_use(used == p ? NULL : used);
}

bool tree_prepare(void)
{
    struct tree_pool *p = pool();

    while (p->spare_count < SPARE_NODES) {
        if (!(p->spare_nodes[p->spare_count] = malloc(sizeof(struct tree_node) + BOUNDS_SIZE)))
            return false;
        p->spare_count++;
    }
    return p->spare_bound || (p->spare_bound = malloc(LONGEST_BOUND));
}

/* --- entries ---------------------------------------------------------------------------------- */

static struct tree_entry *new_entry(struct span key, size_t size, size_t body_len)
{
    struct tree_entry *e = malloc(sizeof *e + key.len + body_len);

    if (!e)
        return NULL;
    *e = (struct tree_entry){.refs = 1,
                             .key_len = (uint32_t)key.len,
                             .body_len = (uint32_t)body_len,
                             .size = (uint32_t)size};
    memcpy(e->bytes, key.at, key.len);
    return e;
}

struct tree_entry *tree_entry_new(struct span key, size_t size, struct span body)
{
    struct tree_entry *e = new_entry(key, size, body.len);

    if (e && body.len)
        memcpy(e->bytes + key.len, body.at, body.len);
    return e;
}

struct tree_entry *tree_entry_link(struct span key, size_t size, struct tree_entry *owner)
{
    struct tree_entry *e = new_entry(key, size, 0);

    if (e)
        e->owner = tree_entry_share(owner);
    return e;
}

struct tree_entry *tree_entry_share(struct tree_entry *e)
{
    e->refs++;
    return e;
}

void tree_entry_release(struct tree_entry *e)
{
    while (e && !--e->refs) {
        struct tree_entry *owner = e->owner;

        free(e);
        e = owner;
    }
}

/* --- bounds ----------------------------------------------------------------------------------- */

static size_t shared_length(struct span a, struct span b)
{
    size_t len = 0, most = a.len < b.len ? a.len : b.len;

    while (len < most && a.at[len] == b.at[len])
        len++;
    return len;
}

/* The shortest text above the left key and not above the right one. */
static struct bound *new_bound(struct span left, struct span right)
{
    size_t len = shared_length(left, right) + 1;
    struct bound *b = malloc(sizeof *b + len);

    if (!b && sizeof *b + len <= LONGEST_BOUND) {
        b = pool()->spare_bound;
        pool()->spare_bound = NULL;
    }
    b = process_have(b);
    *b = (struct bound){.refs = 1, .len = (uint32_t)len};
    memcpy(b->bytes, right.at, len);
    return b;
}

static void release_bound(struct bound *b)
{
    if (b && !--b->refs)
        free(b);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct tree_node *new_node(int height)
{
    struct tree_node *n = malloc(sizeof *n + (height ? BOUNDS_SIZE : 0));

    if (!n && pool()->spare_count)
        n = pool()->spare_nodes[--pool()->spare_count];
    n = process_have(n);
    n->refs = 1;
    n->count = 0;
    n->height = (uint16_t)height;
    n->shared = 0;
    return n;
}

/* The key at a position; of a node that is no leaf, positions begin with 1. */
static struct span key_at(const struct tree_node *n, size_t i)
{
    return n->height ? (struct span){n->bounds[i]->bytes, n->bounds[i]->len}
                     : tree_entry_key(n->entries[i]);
}

static size_t first_key(const struct tree_node *n)
{
    return n->height ? 1 : 0;
}

static uint64_t head_of(struct span key, size_t shared)
{
    uint64_t head = 0;
    size_t len = key.len > shared ? key.len - shared : 0;

    if (len >= 8) {
        memcpy(&head, key.at + shared, 8);
        return __builtin_bswap64(head);
    }
    for (size_t i = 0; i < len; i++)
        head |= (uint64_t)(unsigned char)key.at[shared + i] << (56 - 8 * i);
    return head;
}

/* Finds out what all keys share. */
static void set_heads(struct tree_node *n)
{
    size_t first = first_key(n);

    n->shared = 0;
    if (n->count > first + 1)
        n->shared = (uint32_t)shared_length(key_at(n, first), key_at(n, n->count - 1u));
    for (size_t i = first; i < n->count; i++)
        n->heads[i] = head_of(key_at(n, i), n->shared);
}

/* After a key came to a position: at the ends it may share less with the others. */
static void set_head(struct tree_node *n, size_t at)
{
    size_t first = first_key(n);
    struct span key = key_at(n, at);

    if ((at == first || at + 1 == n->count) && n->count > first + 1) {
        struct span other = key_at(n, at == first ? n->count - 1u : first);

        if (shared_length(key, other) < n->shared) {
            set_heads(n);
            return;
        }
    } else if (n->count == first + 1) {
        n->shared = 0;
    }
    n->heads[at] = head_of(key, n->shared);
}

/* The position of the first key that is not before this one (with `after`: that is behind it). */
static size_t find_position(const struct tree_node *n, struct span key, bool after)
{
    size_t low = first_key(n), high = n->count;
    uint64_t head;

    if (low >= high)
        return low;
    if (n->shared) {
        struct span known = key_at(n, low);
        size_t len = key.len < n->shared ? key.len : n->shared;
        int order = memcmp(key.at, known.at, len);

        if (order || len < n->shared)
            return order > 0 ? high : low;
    }
    head = head_of(key, n->shared);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = n->heads[middle] < head ? -1 : n->heads[middle] > head;

        if (!order)
            order = span_compare(key_at(n, middle), key);
        if (order < 0 || (after && !order))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of a node that is no leaf: the child that may have the key. */
static size_t find_child(const struct tree_node *n, struct span key)
{
    return find_position(n, key, true) - 1;
}

static void copy_slots(struct tree_node *to, size_t at, const struct tree_node *from, size_t first,
                       size_t count)
{
    memcpy(to->entries + at, from->entries + first, count * sizeof(struct tree_entry *));
    if (to->height)
        memcpy(to->bounds + at, from->bounds + first, count * sizeof(struct bound *));
}

/* Opens or closes a gap of one at a position. */
static void move_slots(struct tree_node *n, size_t to, size_t from)
{
    size_t count = n->count - from;

    memmove(n->heads + to, n->heads + from, count * sizeof *n->heads);
    memmove(n->entries + to, n->entries + from, count * sizeof(struct tree_entry *));
    if (n->height)
        memmove(n->bounds + to, n->bounds + from, count * sizeof(struct bound *));
}

/* Makes the node the tree's own before it is changed. */
static struct tree_node *own_node(struct tree_node **at)
{
    struct tree_node *shared = *at, *n;

    if (shared->refs == 1)
        return shared;
    n = new_node(shared->height);
    n->count = shared->count;
    n->shared = shared->shared;
    memcpy(n->heads, shared->heads, n->count * sizeof *n->heads);
    copy_slots(n, 0, shared, 0, n->count);
    for (size_t i = 0; i < n->count; i++) {
        if (!n->height) {
            n->entries[i]->refs++;
            continue;
        }
        n->children[i]->refs++;
        if (i)
            n->bounds[i]->refs++;
    }
    shared->refs--;
    *at = n;
    return n;
}

/* --- looking ---------------------------------------------------------------------------------- */

struct tree_entry *tree_find(const struct tree *t, struct span key)
{
    const struct tree_node *n = t->root;
    size_t at;

    if (!n)
        return NULL;
    while (n->height)
        n = n->children[find_child(n, key)];
    at = find_position(n, key, false);
    return at < n->count && span_equal(tree_entry_key(n->entries[at]), key) ? n->entries[at] : NULL;
}

/* --- putting ---------------------------------------------------------------------------------- */

/* A node that was split: the right part. */
struct split {
    struct tree_node *right; /* NULL: it was not split */
    struct bound *bound;
};

/* Moves slots from `first` on into a new node. With keys in ascending order, nodes stay full. */
static struct split split_node(struct tree_node *n, size_t position)
{
    size_t first = position == n->count ? n->count - 1u : n->count / 2;
    struct split s = {.right = new_node(n->height)};

    s.right->count = (uint16_t)(n->count - first);
    copy_slots(s.right, 0, n, first, s.right->count);
    n->count = (uint16_t)first;
    if (n->height) {
        s.bound = s.right->bounds[0];
        s.right->bounds[0] = NULL;
    } else {
        s.bound = new_bound(key_at(n, first - 1), key_at(s.right, 0));
    }
    set_heads(n);
    set_heads(s.right);
    return s;
}

static void insert_slot(struct tree_node *n, size_t at, void *slot, struct bound *bound)
{
    move_slots(n, at + 1, at);
    n->count++;
    if (n->height) {
        n->children[at] = slot;
        n->bounds[at] = bound;
    } else {
        n->entries[at] = slot;
    }
    set_head(n, at);
}

/* Puts a slot into the node, which is split before if it is full. */
static struct split add_slot(struct tree_node *n, size_t at, void *slot, struct bound *bound)
{
    struct split s = {.right = NULL};

    if (n->count == FANOUT) {
        const struct span key = bound ? (struct span){bound->bytes, bound->len}
                                      : tree_entry_key(slot);

        s = split_node(n, at);
        /* A slot between the two belongs to the right one, whose keys begin at the bound, only if
         * its key is not below the bound. */
        if (at > n->count ||
            (at == n->count &&
             span_compare(key, (struct span){s.bound->bytes, s.bound->len}) >= 0)) {
            at -= n->count;
            n = s.right;
        }
    }
    insert_slot(n, at, slot, bound);
    return s;
}

static struct split put_below(struct tree_node **at, struct tree_entry *e, struct tree_entry **old)
{
    struct tree_node *n = own_node(at);
    struct span key = tree_entry_key(e);
    size_t i;

    if (n->height) {
        struct split s;

        i = find_child(n, key);
        s = put_below(&n->children[i], e, old);
        return s.right ? add_slot(n, i + 1, s.right, s.bound) : s;
    }
    i = find_position(n, key, false);
    if (i == n->count || !span_equal(tree_entry_key(n->entries[i]), key))
        return add_slot(n, i, e, NULL);
    *old = n->entries[i];
    n->entries[i] = e;
    return (struct split){.right = NULL};
}

struct tree_entry *tree_put(struct tree *t, struct tree_entry *e)
{
    struct tree_entry *old = NULL;
    struct tree_node *root;
    struct split s;

    if (!t->root)
        t->root = new_node(0);
    s = put_below(&t->root, e, &old);
    if (!s.right)
        return old;
    root = new_node(t->root->height + 1);
    root->children[0] = t->root;
    root->bounds[0] = NULL;
    root->count = 1;
    insert_slot(root, 1, s.right, s.bound);
    t->root = root;
    return old;
}

/* --- removing --------------------------------------------------------------------------------- */

static void remove_slot(struct tree_node *n, size_t at)
{
    move_slots(n, at, at + 1);
    n->count--;
    if (n->height && !at && n->count) { /* the first child has no bound */
        release_bound(n->bounds[0]);
        n->bounds[0] = NULL;
    }
}

/* Appends the child behind this one to it, if both have few slots. */
static void merge_children(struct tree_node *n, size_t at)
{
    struct tree_node *left, *right;

    if (at + 1 >= n->count || n->children[at]->count + n->children[at + 1]->count > MERGED)
        return;
    left = own_node(&n->children[at]);
    right = own_node(&n->children[at + 1]);
    if (left->height)
        right->bounds[0] = n->bounds[at + 1];
    else
        release_bound(n->bounds[at + 1]);
    copy_slots(left, left->count, right, 0, right->count);
    left->count = (uint16_t)(left->count + right->count);
    free(right);
    n->bounds[at + 1] = NULL;
    move_slots(n, at + 1, at + 2);
    n->count--;
    set_heads(left);
}

static struct tree_entry *remove_below(struct tree_node **from, struct span key)
{
    struct tree_node *n = own_node(from), *child;
    struct tree_entry *old;
    size_t at;

    if (!n->height) {
        at = find_position(n, key, false);
        old = n->entries[at];
        remove_slot(n, at);
        return old;
    }
    at = find_child(n, key);
    old = remove_below(&n->children[at], key);
    child = n->children[at];
    if (!child->count) {
        free(child);
        if (at)
            release_bound(n->bounds[at]);
        remove_slot(n, at);
    } else if (child->count < FEW) {
        merge_children(n, at);
        if (at)
            merge_children(n, at - 1);
    }
    return old;
}

struct tree_entry *tree_remove(struct tree *t, struct span key)
{
    struct tree_entry *old;

    if (!tree_find(t, key))
        return NULL;
    old = remove_below(&t->root, key);
    while (t->root->height && t->root->count == 1) {
        struct tree_node *root = t->root;

        t->root = root->children[0];
        free(root);
    }
    if (!t->root->count) {
        free(t->root);
        t->root = NULL;
    }
    return old;
}

/* --- whole trees ------------------------------------------------------------------------------ */

struct tree tree_share(const struct tree *t)
{
    if (t->root)
        t->root->refs++;
    return *t;
}

/* A node without references waits for tree_free; its first head links it. */
static void give_up_node(struct tree_node *n)
{
    struct tree_pool *p;

    if (--n->refs)
        return;
    p = pool();
    n->heads[0] = (uint64_t)(uintptr_t)p->unused;
    p->unused = n;
}

void tree_release(struct tree *t)
{
    if (t->root)
        give_up_node(t->root);
    t->root = NULL;
}

bool tree_free(size_t nodes)
{
    struct tree_pool *p = pool();

    for (; p->unused && nodes; nodes--) {
        struct tree_node *n = p->unused;

        p->unused = (struct tree_node *)(uintptr_t)n->heads[0];
        for (size_t i = 0; i < n->count; i++) {
            if (!n->height) {
                tree_entry_release(n->entries[i]);
                continue;
            }
            if (i)
                release_bound(n->bounds[i]);
            give_up_node(n->children[i]);
        }
        free(n);
    }
    return p->unused != NULL;
}

/* --- in order --------------------------------------------------------------------------------- */

static struct tree_entry *entry_at(const struct tree_place *p)
{
    return p->nodes[p->depth - 1]->entries[p->at[p->depth - 1]];
}

/* Goes down from the last node of the place, always to the first or the last child. */
static struct tree_entry *descend(struct tree_place *p, bool to_last)
{
    for (;;) {
        const struct tree_node *n = p->nodes[p->depth - 1];

        if (!n->height)
            return entry_at(p);
        n = n->children[p->at[p->depth - 1]];
        p->nodes[p->depth] = n;
        p->at[p->depth++] = to_last ? (uint16_t)(n->count - 1u) : 0;
    }
}

struct tree_entry *tree_step(struct tree_place *p, bool backwards)
{
    while (p->depth) {
        uint16_t *at = &p->at[p->depth - 1];

        if (backwards ? *at > 0 : *at + 1 < p->nodes[p->depth - 1]->count) {
            *at = (uint16_t)(backwards ? *at - 1 : *at + 1);
            return descend(p, backwards);
        }
        p->depth--;
    }
    return NULL;
}

struct tree_entry *tree_seek(const struct tree *t, struct span key, bool backwards,
                             struct tree_place *p)
{
    const struct tree_node *n = t->root;
    size_t at;

    p->depth = 0;
    if (!n)
        return NULL;
    for (;; n = n->children[at]) {
        assert(p->depth < TREE_HEIGHT);
        at = n->height ? find_child(n, key) : find_position(n, key, false);
        p->nodes[p->depth] = n;
        p->at[p->depth++] = (uint16_t)at;
        if (!n->height)
            break;
    }
    if (!backwards && at < n->count)
        return n->entries[at];
    if (!backwards) /* behind the last of this leaf */
        p->at[p->depth - 1] = (uint16_t)(n->count - 1u);
    return tree_step(p, backwards);
}

struct tree_entry *tree_last(const struct tree *t, struct tree_place *p)
{
    p->depth = 0;
    if (!t->root)
        return NULL;
    p->nodes[0] = t->root;
    p->at[0] = (uint16_t)(t->root->count - 1u);
    p->depth = 1;
    return descend(p, true);
}

/* --- for tests -------------------------------------------------------------------------------- */

static bool check_node(const struct tree_node *n, struct span low, struct span high, bool is_root,
                       size_t *entries)
{
    size_t first = first_key(n);

    if (!n->refs || n->count > FANOUT || (!is_root && !n->count) || (n->height && n->bounds[0]))
        return false;
    for (size_t i = first; i < n->count; i++) {
        struct span key = key_at(n, i);

        if ((low.at && span_compare(key, low) < 0) || (high.at && span_compare(key, high) >= 0) ||
            (i > first && span_compare(key_at(n, i - 1), key) >= 0) ||
            n->heads[i] != head_of(key, n->shared) ||
            shared_length(key, key_at(n, first)) < n->shared)
            return false;
    }
    if (!n->height) {
        *entries += n->count;
        return true;
    }
    for (size_t i = 0; i < n->count; i++)
        if (n->children[i]->height + 1 != n->height ||
            !check_node(n->children[i], i ? key_at(n, i) : low,
                        i + 1 < n->count ? key_at(n, i + 1) : high, false, entries))
            return false;
    return true;
}

bool tree_check(const struct tree *t, size_t *entries)
{
    *entries = 0;
    return !t->root ||
           check_node(t->root, (struct span){NULL, 0}, (struct span){NULL, 0}, true, entries);
}
