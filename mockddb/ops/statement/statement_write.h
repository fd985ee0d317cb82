/* statement_write.h: INSERT, UPDATE and DELETE, alone or in a batch.
 *
 * Source: docs/behaviour/partiql.md, "Writes". */
#pragma once

#include "ops/statement/statement.h"

/* The result of RETURNING: a stored item, parts of an item, or nothing (both empty). */
struct statement_shown {
    struct span body; /* in stored form; .at NULL: see part */
    struct item part; /* the parts that the statement changed */
};

/* Does an INSERT, UPDATE or DELETE with its key. Charges `used`, also if the condition fails. */
MUST_CHECK const struct error *statement_write(struct call *c, struct statement *s,
                                               struct statement_shown *shown,
                                               struct capacity *used);

bool statement_write_shows(const struct statement_shown *shown);
void statement_write_put_shown(struct call *c, const struct statement_shown *shown);
