/* journal_mask.h: prints values and expressions of requests as a journal shows them: with
 * placeholders resolved, and without masked attributes. */
#pragma once

#include "journal/journal.h"

#define JOURNAL_MASKED "***"

bool journal_mask_has(const struct journal_options *o, struct span name);

/* Whether a masked name occurs anywhere in a request: in a name or a text, however it is
 * escaped. */
bool journal_mask_meets(const struct journal_options *o, const wire_node *request);

/* Writes an attribute map, or a value inside one. */
void journal_mask_put(struct wire_writer *w, const struct journal_options *o,
                      const wire_node *node);

/* An expression of `entry`, with names and values in the places of its placeholders: `id = "a" AND
 * n > 1`. An expression that mentions a masked attribute is shown without values. */
struct span journal_mask_expression(struct arena *a, const struct journal_options *o,
                                    const wire_node *entry, struct span text);

/* A PartiQL statement, with its parameters in the places of its question marks. A statement that
 * mentions a masked attribute is not shown. */
struct span journal_mask_statement(struct arena *a, const struct journal_options *o,
                                   const wire_node *entry, struct span text);
