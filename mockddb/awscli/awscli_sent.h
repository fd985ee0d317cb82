/* awscli_sent.h: writes requests as the CLI sends them. */
#ifndef AWSCLI_AWSCLI_SENT_H
#define AWSCLI_AWSCLI_SENT_H

#include "base/buf.h"
#include "ops/op.h"

/* Appends the request, which awscli_check has accepted, with its timestamps as whole seconds since
 * 1970, in whatever form they were given. */
void awscli_sent_add(struct buf *out, const struct op *op, const wire_node *request);

#endif
