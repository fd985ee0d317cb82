/* statement_write.h: INSERT, UPDATE and DELETE, alone or in a batch.
 *
 * Source: docs/behaviour/partiql.md, "Writes". */
#ifndef OPS_STATEMENT_WRITE_H
#define OPS_STATEMENT_WRITE_H

#include "ops/capacity.h"
#include "ops/statement/statement.h"

/* What RETURNING shows: an item, or nothing at all (len 0). */
struct statement_shown {
    struct span body; /* as it is stored; or at NULL and … */
    struct item part; /* … the parts that the statement touched */
};

/* Carries out an INSERT, UPDATE or DELETE whose key was found. `used` gets the units, also where
 * the condition fails. */
MUST_CHECK const struct error *statement_write(struct call *c, struct statement *s,
                                               struct statement_shown *shown,
                                               struct capacity *used);

bool statement_write_shows(const struct statement_shown *shown);
void statement_write_put_shown(struct call *c, const struct statement_shown *shown);

#endif
