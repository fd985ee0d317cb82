/* journal_mask.h: values and expressions of requests as a journal shows them: placeholders
 * resolved, and nothing of attributes that are masked. */
#ifndef JOURNAL_JOURNAL_MASK_H
#define JOURNAL_JOURNAL_MASK_H

#include "journal/journal.h"

#define JOURNAL_MASKED "***"

bool journal_mask_has(const struct journal_options *o, struct span name);

/* Whether a masked name stands anywhere in a request: in a name or a text, however it is escaped.
 */
bool journal_mask_meets(const struct journal_options *o, const wire_node *request);

/* An attribute map, or what is in one. */
void journal_mask_put(struct wire_writer *w, const struct journal_options *o,
                      const wire_node *node);

/* An expression of `entry`, with the names and values of its placeholders in their places:
 * `id = "a" AND n > 1`. One that mentions a masked attribute has no values. */
struct span journal_mask_expression(struct arena *a, const struct journal_options *o,
                                    const wire_node *entry, struct span text);

/* A PartiQL statement, with its parameters in the places of its question marks. One that mentions
 * a masked attribute is not shown. */
struct span journal_mask_statement(struct arena *a, const struct journal_options *o,
                                   const wire_node *entry, struct span text);

#endif
