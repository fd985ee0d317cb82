/* past.h: what there was before the newest changes of a world, for reads that are to be behind.
 *
 * Kept are images of items and the moments at which index entries came, LIMIT_PAST_NOTES of each;
 * the most ancient go first. A call has one (call.past) only where somebody wants to look back.
 * Units of work may be undone: op_unit takes back what was noted in them. */
#ifndef OPS_PAST_H
#define OPS_PAST_H

#include "store/unit.h"

struct past;

struct past *past_new(void);
void past_free(struct past *p);  /* p may be NULL, here and in past_clear, past_mark, past_undo */
void past_clear(struct past *p); /* where a store is another from here on */

/* An item is about to be changed: `before` is what there is, or a key where nothing is. */
void past_note_item(struct past *p, const struct store_row *before, int64_t now_ms);
/* An index entry comes to this key. */
void past_note_entry(struct past *p, struct span key, int64_t now_ms);

/* So far; and taking back what was noted since then. */
struct past_mark {
    uint64_t images, entries;
};
struct past_mark past_mark(const struct past *p);
void past_undo(struct past *p, struct past_mark mark);

/* What there was at the moment; or, PAST_PREVIOUS, before the newest change. False where nothing
 * was changed since, or it is not known any more. The row borrows its body until the next note. */
#define PAST_PREVIOUS INT64_MAX
bool past_image(const struct past *p, struct span key, int64_t moment_ms, struct store_row *out);

/* Whether the index entry came after the moment. */
bool past_is_younger(const struct past *p, struct span key, int64_t moment_ms);

#endif
