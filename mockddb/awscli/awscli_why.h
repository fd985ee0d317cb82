/* awscli_why.h: what a shell or a person did to a command line that is refused, in one line. */
#ifndef AWSCLI_AWSCLI_WHY_H
#define AWSCLI_AWSCLI_WHY_H

#include "base/arena.h"
#include "ops/op.h"

/* `words` from "aws" on, up to a NULL; `op` NULL: it was not found. NULL where nothing is known. */
const char *awscli_why(struct arena *a, char *const *words, const struct op *op);

/* The same for a starting token that is none; it may be NULL. */
const char *awscli_why_of_token(const char *token);

/* The same for a text that is no command: a request's JSON, or the code of a program. */
const char *awscli_why_no_command(const char *text);

#endif
