/* search_body.h: checks the types of SearchVectors' members, with the messages of the service's
 * newer parser.
 *
 * The parser reads members in the order of the request and fails at the first of a wrong type, with
 * its place in the text. At the end it reports missing members. In between, the checks of all
 * operations check the contents of members. Source: docs/behaviour/vectors.md, "Requests". */
#ifndef OPS_SEARCH_BODY_H
#define OPS_SEARCH_BODY_H

#include "ops/op.h"

MUST_CHECK const struct error *search_body_check_types(struct call *c);
MUST_CHECK const struct error *search_body_check_missing(struct call *c);

#endif
