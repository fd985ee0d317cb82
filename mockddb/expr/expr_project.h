/* expr_project.h: ProjectionExpression, and other lists of paths to pick from items. */
#pragma once

#include "expr/expr_vars.h"
#include "model/path.h"

/* The paths merged into one tree, so that an item is walked once. */
struct expr_pick;

struct expr_projection {
    struct path *paths; /* in written order */
    size_t len;
    const struct expr_pick *pick; /* made by the functions below; NULL: made at each use */
};

MUST_CHECK const struct error *expr_read_projection(struct arena *a, struct span text,
                                                    struct expr_vars *vars,
                                                    struct expr_projection *out);

/* A projection of other paths (AttributesToGet, PartiQL). If one path begins with another, the
 * shorter one decides. The paths are borrowed. */
struct expr_projection expr_projection_of(struct arena *a, struct path *paths, size_t len);

/* The chosen parts of the item, in the arena: maps are rebuilt along the paths, lists hold the
 * chosen elements in ascending order without gaps, missing parts are left out. The values are
 * shared with the item. it may be NULL (no item). */
struct item expr_project(struct arena *a, const struct expr_projection *p, const struct item *it);
