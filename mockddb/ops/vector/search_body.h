/* search_body.h: the types of SearchVectors' members, in the words of the service's newer reader.
 *
 * It reads members in the order in which they come and stops at the first that does not fit, with
 * its place in the text; in the end it looks for those that are missing. What is within a member is
 * for the checks of all operations, in between. Source: docs/behaviour/vectors.md, "Requests". */
#ifndef OPS_SEARCH_BODY_H
#define OPS_SEARCH_BODY_H

#include "ops/op.h"

MUST_CHECK const struct error *search_body_check_types(struct call *c);
MUST_CHECK const struct error *search_body_check_missing(struct call *c);

#endif
