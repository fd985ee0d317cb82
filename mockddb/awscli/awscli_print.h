/* awscli_print.h: answers as the CLI prints them. */
#pragma once

#include "awscli/awscli_pages.h"

/* Appends the text for standard output. Returns NULL, or why --query does not fit
 * the answer, or one of its pages; the pages before it are appended. */
MUST_CHECK const char *awscli_print(struct buf *out, const struct awscli_command *command,
                                    const struct awscli_pages *pages);

/* "An error occurred (ValidationException) when calling the Query operation: …" */
const char *awscli_print_error(struct arena *a, const struct op *op, struct span type,
                               struct span message);
