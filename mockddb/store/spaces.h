/* spaces.h: the number and size of the entries in each space, and the next body's id.
 *
 * There are three generations of counts, because units and flushes can be undone: now, after the
 * last kept unit, after the last flush. */
#pragma once

#include "store/store.h"

struct space {
    uint32_t number;
    bool dropped;         /* removed from the list once that is durable; does not change any more */
    int64_t next_id;      /* for a body; 0: ask the database */
    int64_t shared_below; /* bodies with an id below this may have other owners; never decreases */
    struct space_stats now, kept, flushed;
    bool in_unit, in_group;  /* changed since the last unit, since the last flush */
    struct space *unit_next; /* lists of the changed spaces */
    struct space *group_next;
};

struct spaces {
    struct space **at; /* by number */
    size_t count, capacity;
    struct space *unit, *group;
};

void spaces_free(struct spaces *all);

/* Returns the space, or NULL for an unknown space, which has no entries. */
struct space *spaces_find(const struct spaces *all, uint32_t number);

/* Returns the space; adds an unknown one. If memory is out, the work in `a` ends
 * (arena_out_of_memory); NULL: the process. */
struct space *spaces_get(struct arena *a, struct spaces *all, uint32_t number);

/* Adds to its counts. */
void spaces_change(struct spaces *all, struct space *space, struct space_stats by);

/* Sets its counts to zero; the space is removed from the list once that is durable. */
void spaces_drop(struct spaces *all, struct space *space);

/* The current unit is kept (until spaces_flushed), or undone. */
void spaces_keep_unit(struct spaces *all);
void spaces_undo_unit(struct spaces *all);

/* Everything kept is durable, or undone; no unit is open. */
void spaces_flushed(struct spaces *all);
void spaces_undo_group(struct spaces *all);
