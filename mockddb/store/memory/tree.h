/* tree.h: an ordered map from byte keys to entries, whose copies share what has not changed.
 *
 * A tree is a B+ tree; its nodes and entries are counted references. A copy is one more reference
 * to the root, so it costs the same for ten entries and for ten million. A change clones the nodes
 * on its way that another tree refers to, and changes the others in place. Entries never change: a
 * change of one is another entry at its key. Trees with common nodes are used by one thread at a
 * time, with the same pool. */
#pragma once

#include "base/span.h"

/* What trees share: nodes that were given up, and memory for a change where the system has none. */
struct tree_pool;
struct tree_pool *tree_pool_new(void);
void tree_pool_free(struct tree_pool *p); /* with what was given up; p may be NULL */

/* The functions below use this pool when this thread calls them; NULL, as at first: the process's.
 * Returns the pool before. */
struct tree_pool *tree_pool_use(struct tree_pool *p);

/* An entry; `owner` is another entry, whose body it refers to, or NULL if the body is its own. */
struct tree_entry {
    uint32_t refs;
    uint32_t key_len, body_len, size;
    struct tree_entry *owner;
    char bytes[]; /* the key, then its own body */
};

struct tree_node;

struct tree {
    struct tree_node *root; /* NULL: empty */
};

/* Makes an entry with one reference, the caller's; NULL: the system has no memory. */
struct tree_entry *tree_entry_new(struct span key, size_t size, struct span body);
/* The same for an entry that refers to the owner's body, which gets a reference. */
struct tree_entry *tree_entry_link(struct span key, size_t size, struct tree_entry *owner);
/* Adds or removes a reference; e may be NULL for the latter. */
struct tree_entry *tree_entry_share(struct tree_entry *e);
void tree_entry_release(struct tree_entry *e);

static inline struct span tree_entry_key(const struct tree_entry *e)
{
    return (struct span){e->bytes, e->key_len};
}

static inline struct span tree_entry_body(const struct tree_entry *e)
{
    const struct tree_entry *from = e->owner ? e->owner : e;

    return (struct span){from->bytes + from->key_len, from->body_len};
}

/* The entry at the key, or NULL; borrowed until the tree changes. */
struct tree_entry *tree_find(const struct tree *t, struct span key);

/* Makes sure that the next put or removal finds the memory that it needs; false: the system has
 * none. Without this they end the process then. */
bool tree_prepare(void);

/* Puts an entry, whose reference goes to the tree. Returns the one that was at its key, with the
 * tree's reference, or NULL. */
struct tree_entry *tree_put(struct tree *t, struct tree_entry *e);

/* Takes the entry at the key out of the tree. Returns it, with the tree's reference, or NULL. */
struct tree_entry *tree_remove(struct tree *t, struct span key);

/* Returns a copy. */
struct tree tree_share(const struct tree *t);

/* Gives the tree up, which is empty afterwards. What only it had is freed by tree_free. */
void tree_release(struct tree *t);

/* Frees at most `nodes` nodes of what was given up, with their entries; returns false if nothing is
 * left. */
bool tree_free(size_t nodes);

/* --- in order --------------------------------------------------------------------------------- */

#define TREE_HEIGHT 16 /* at least 8 children a node: more levels than memory has room for */

/* A position in a tree, until the tree changes. */
struct tree_place {
    const struct tree_node *nodes[TREE_HEIGHT]; /* from the root, */
    uint16_t at[TREE_HEIGHT];                   /* and which child or entry of each */
    int depth;                                  /* of them; 0: before the first, behind the last */
};

/* The first entry that is not before the key, or the last one before it; or NULL. */
struct tree_entry *tree_seek(const struct tree *t, struct span key, bool backwards,
                             struct tree_place *place);
/* The last entry, or NULL. */
struct tree_entry *tree_last(const struct tree *t, struct tree_place *place);
/* The next entry in that direction, or NULL. */
struct tree_entry *tree_step(struct tree_place *place, bool backwards);

/* --- for tests -------------------------------------------------------------------------------- */

/* Whether all that must hold of the nodes holds; counts the entries. */
bool tree_check(const struct tree *t, size_t *entries);
