/* spaces.h: how many entries each space holds, how large they are, and the next body's id.
 *
 * Three generations of figures, because units and flushes can be undone: as of now, as of the
 * last kept unit, as of the last flush. */
#ifndef STORE_SPACES_H
#define STORE_SPACES_H

#include "store/store.h"

struct space {
    uint32_t number;
    bool dropped;         /* is forgotten once that is lasting; nothing changes it after that */
    int64_t next_id;      /* of a body; 0: ask the database */
    int64_t shared_below; /* bodies with an id below this may have other owners; it only grows */
    struct space_stats now, kept, flushed;
    bool in_unit, in_group;  /* changed since the last unit, since the last flush */
    struct space *unit_next; /* lists of those */
    struct space *group_next;
};

struct spaces {
    struct space **at; /* by number */
    size_t count, capacity;
    struct space *unit, *group;
};

void spaces_free(struct spaces *all);

/* The space, or NULL where nothing is known of it (it has no entries). */
struct space *spaces_find(const struct spaces *all, uint32_t number);

/* The space; made when there is none. Where there is no memory for that, what is done in `a` ends
 * (arena_out_of_memory); NULL: the process. */
struct space *spaces_get(struct arena *a, struct spaces *all, uint32_t number);

/* Adds to its figures. */
void spaces_change(struct spaces *all, struct space *space, struct space_stats by);

/* It counts nothing from here on, and is forgotten once that is lasting. */
void spaces_drop(struct spaces *all, struct space *space);

/* The unit at hand is kept (and waits for spaces_flushed), or undone. */
void spaces_keep_unit(struct spaces *all);
void spaces_undo_unit(struct spaces *all);

/* All that was kept is lasting, or undone; no unit is open. */
void spaces_flushed(struct spaces *all);
void spaces_undo_group(struct spaces *all);

#endif
