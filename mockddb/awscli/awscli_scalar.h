/* awscli_scalar.h: single values, and the order of members, in the CLI's --output text and table.
 */
#pragma once

#include "wire/json.h"

/* Appends a string, number, boolean or null as Python prints it. */
void awscli_scalar_add(struct buf *out, const wire_node *node);

/* Whether it is neither a list nor an object. */
bool awscli_scalar_is(const wire_node *node);

/* Names of members, sorted by bytes. */
struct awscli_names {
    struct span *at;
    size_t len;
};

/* Adds a name unless it is there. */
void awscli_scalar_add_name(struct arena *a, struct awscli_names *names, struct span name);
