/* awscli_pages.h: the pages that a command asks for, and what the CLI makes of them. */
#ifndef AWSCLI_AWSCLI_PAGES_H
#define AWSCLI_AWSCLI_PAGES_H

#include "awscli/awscli_command.h"

struct awscli_pages;

/* NULL, and *refusal set, where the starting token is none. */
struct awscli_pages *awscli_pages_new(struct arena *a, const struct awscli_command *command,
                                      const struct awscli_refusal **refusal);

/* The request to send next. */
struct span awscli_pages_request(const struct awscli_pages *p);

/* Takes its answer, which must live as long as the pages; true: there is another page to ask for.
 */
bool awscli_pages_take(struct awscli_pages *p, const wire_node *answer);

/* Items that came and are not shown, because of --max-items. */
int64_t awscli_pages_hidden(const struct awscli_pages *p);

/* What is to be printed, as JSON: everything put together. */
struct span awscli_pages_whole(const struct awscli_pages *p);

/* The same in parts, as --output text prints it: one page each, and the token, if there is one, as
 * a last one. */
size_t awscli_pages_parts(const struct awscli_pages *p);
struct span awscli_pages_part(const struct awscli_pages *p, size_t i);

#endif
