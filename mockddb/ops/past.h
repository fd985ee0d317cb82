/* past.h: the state before a world's newest changes, for injected stale reads.
 *
 * It has notes of items' old values and of times when index entries were written, at most
 * LIMIT_PAST_NOTES of each; the oldest are dropped first. Calls have it (call.past) only if it is
 * needed. If a unit of work is undone, op_unit removes its notes. */
#pragma once

#include "store/unit.h"

struct past;

struct past *past_new(void);
void past_free(struct past *p);  /* p may be NULL, here and in past_clear, past_mark, past_undo */
void past_clear(struct past *p); /* the store's contents were replaced */

/* Notes a change of an item; `before` is its old row, found or not. */
void past_note_item(struct past *p, const struct store_row *before, int64_t now_ms);
/* Notes that an index entry is written at the key. */
void past_note_entry(struct past *p, struct span key, int64_t now_ms);

/* A position in the notes; past_undo removes all later notes. */
struct past_mark {
    uint64_t images, entries;
};
struct past_mark past_mark(const struct past *p);
void past_undo(struct past *p, struct past_mark mark);

/* Finds the row at a moment, or before its newest change (PAST_PREVIOUS). False if the row has not
 * changed since, or the notes do not go back so far. The body is valid until the next note. */
#define PAST_PREVIOUS INT64_MAX
bool past_image(const struct past *p, struct span key, int64_t moment_ms, struct store_row *out);

/* Whether the index entry was written after the moment. */
bool past_is_younger(const struct past *p, struct span key, int64_t moment_ms);
