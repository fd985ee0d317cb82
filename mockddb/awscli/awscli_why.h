/* awscli_why.h: explains, in one line, what went wrong when a refused command line was typed. */
#pragma once

#include "ops/op.h"

/* `words` from "aws" on, up to a NULL; `op` NULL: unknown operation. NULL: no explanation. */
const char *awscli_why(struct arena *a, char *const *words, const struct op *op);

/* Like awscli_why, for an invalid starting token. */
const char *awscli_why_of_token(const char *token);

/* Like awscli_why, for a text that is not a command: a request's JSON, or the code of a program. */
const char *awscli_why_no_command(const char *text);
