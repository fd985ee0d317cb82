/* capture_options.h: the command line of ddb-capture. */
#ifndef CAPTURE_CAPTURE_OPTIONS_H
#define CAPTURE_CAPTURE_OPTIONS_H

#include "client/client_aws.h"
#include "masking/mask_rules.h"

enum capture_what {
    CAPTURE_SCHEMA, /* only the table's schema */
    CAPTURE_KEYS,
    CAPTURE_PAGES, /* all pages of a Query */
    CAPTURE_WHOLE,
};

/* A thing to read. */
struct capture_job {
    enum capture_what what;
    struct span table;      /* without the prefix */
    const wire_node **keys; /* for CAPTURE_KEYS */
    size_t key_count;
    const wire_node
        *query; /* for CAPTURE_PAGES: its input, with the table's name without the prefix */
};

struct capture_options {
    struct client_aws_options aws;
    const char *prefix;
    const char *folder;
    const char *rules_path;
    struct mask_rules *rules; /* NULL: values are not changed */
    double rate;
    bool estimate; /* print the cost, and end */
    struct capture_job *jobs;
    size_t job_count;
    struct span *sure; /* tables confirmed by --sure */
    size_t sure_count;
    struct span plan; /* equal for runs that read the same things */
};

/* Parses the words. For --help and the like, *answer is the text to print. Returns NULL, or what is
 * wrong. */
MUST_CHECK const char *capture_options_read(struct arena *a, int argc, char **argv,
                                            struct capture_options *out, const char **answer);

#endif
