/* awscli_command.h: reads commands of the AWS CLI, version 2, as requests.
 *
 * Commands and options follow from the operations and their members. Messages and exit statuses of
 * refused commands are the CLI's, except for features that need a real account or a terminal: these
 * are refused by name (docs/commands.md). */
#pragma once

#include "awscli/awscli_file.h"
#include "base/problem.h"
#include "jmespath/jmespath.h"
#include "ops/op.h"

/* Exit statuses of the CLI. */
enum awscli_status {
    AWSCLI_MISUSE = 252,  /* the command was not understood: PROBLEM_INVALID */
    AWSCLI_REFUSED = 254, /* the service answered with an error */
    AWSCLI_FAILED = 255,  /* anything else */
};

enum awscli_output { AWSCLI_JSON, AWSCLI_TEXT, AWSCLI_TABLE, AWSCLI_YAML };

enum awscli_wait { AWSCLI_NO_WAIT, AWSCLI_TABLE_EXISTS, AWSCLI_TABLE_NOT_EXISTS };

struct awscli_command {
    const struct op *op;
    const char *name;    /* "get-item" */
    struct span request; /* JSON; for the first page if there are several */
    enum awscli_output output;
    enum awscli_wait wait; /* repeat the request until this holds, and print nothing */

    bool all_pages;     /* request all pages */
    bool has_max_items; /* print at most max_items items */
    int64_t max_items;
    bool has_page_size;
    int64_t page_size;
    const char *starting_token;   /* may be NULL */
    const char *endpoint_url;     /* may be NULL */
    const struct jmespath *query; /* --query: printed is its result; may be NULL */
};

/* Reads the words of a command, "aws" first, up to a NULL. Returns NULL on success. */
MUST_CHECK const struct problem *awscli_command_read(struct arena *a, char *const *words,
                                                     enum awscli_files files,
                                                     struct awscli_command *out);
