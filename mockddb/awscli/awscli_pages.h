/* awscli_pages.h: requests the pages of a command and joins them as the CLI does. */
#pragma once

#include "awscli/awscli_command.h"

struct awscli_pages;

/* Fails if the starting token is invalid. */
MUST_CHECK const struct problem *
awscli_pages_new(struct arena *a, const struct awscli_command *command, struct awscli_pages **out);

/* The next request to send. */
struct span awscli_pages_request(const struct awscli_pages *p);

/* Takes the answer, which must live as long as the pages; true: there is another page to
 * request. */
bool awscli_pages_take(struct awscli_pages *p, const wire_node *answer);

/* Items that were received and are not shown, because of --max-items. */
int64_t awscli_pages_hidden_count(const struct awscli_pages *p);

/* The output as JSON, with all pages joined. */
struct span awscli_pages_whole(const struct awscli_pages *p);

/* The output in parts, for --output text: one page each, and the token, if any, as the last
 * part. */
size_t awscli_pages_parts(const struct awscli_pages *p);
struct span awscli_pages_part(const struct awscli_pages *p, size_t i);
