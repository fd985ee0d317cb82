/* dashed.h: turns camel-case names into the form used on command lines. */
#pragma once

#include "base/buf.h"

/* Appends GetItem as get-item, SSESpecification as sse-specification. */
void dashed_add(struct buf *out, struct span name);
