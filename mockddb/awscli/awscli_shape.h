/* awscli_shape.h: the shapes of requests as the CLI sees them: an attribute value is a
 * structure. */
#pragma once

#include "ops/op.h"

/* The members of a structure or attribute value; NULL for other shapes. */
const struct wire_member *awscli_shape_members(const struct wire_shape *shape);

/* The member of that name, or NULL. */
const struct wire_member *awscli_shape_member(const struct wire_member *members, struct span name);

/* Whether the CLI requires a member of the operation's request, or of a structure in it (`op`
 * NULL). */
bool awscli_shape_requires(const struct op *op, const struct wire_member *member);

/* Whether a value may be written in shorthand: structures, maps, and lists of them. */
bool awscli_shape_is_complex(const struct wire_shape *shape);
