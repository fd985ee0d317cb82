/* awscli_command.h: commands of the AWS CLI, version 2, as requests.
 *
 * Which commands and options there are follows from the operations and their members. Texts and
 * statuses of what is refused are the CLI's, except for what only a real account or a terminal
 * gives a sense: that is refused by name (docs/commands.md). */
#ifndef AWSCLI_AWSCLI_COMMAND_H
#define AWSCLI_AWSCLI_COMMAND_H

#include "awscli/awscli_file.h"
#include "awscli/awscli_refusal.h"
#include "ops/op.h"

enum awscli_output { AWSCLI_JSON, AWSCLI_TEXT, AWSCLI_TABLE };

enum awscli_wait { AWSCLI_NO_WAIT, AWSCLI_TABLE_EXISTS, AWSCLI_TABLE_NOT_EXISTS };

struct awscli_command {
    const struct op *op;
    const char *name;    /* "get-item" */
    struct span request; /* JSON; of the first page, where there are several */
    enum awscli_output output;
    enum awscli_wait wait; /* ask again until it is so, and print nothing */

    bool all_pages;     /* ask for one page after the other */
    bool has_max_items; /* print so many at most */
    int64_t max_items;
    bool has_page_size;
    int64_t page_size;
    const char *starting_token; /* may be NULL */
    const char *endpoint_url;   /* may be NULL */
    bool has_query;             /* --query, which does nothing here */
};

/* Reads the words of a command, "aws" first, up to a NULL. NULL on success. */
MUST_CHECK const struct awscli_refusal *awscli_command_read(struct arena *a, char *const *words,
                                                            enum awscli_files files,
                                                            struct awscli_command *out);

#endif
