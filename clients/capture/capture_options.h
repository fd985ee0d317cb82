/* capture_options.h: the command line of ddb-capture. */
#ifndef CAPTURE_CAPTURE_OPTIONS_H
#define CAPTURE_CAPTURE_OPTIONS_H

#include "client/client_aws.h"
#include "masking/mask_rules.h"

enum capture_what {
    CAPTURE_SCHEMA, /* nothing but the table's form */
    CAPTURE_KEYS,
    CAPTURE_PAGES, /* of a Query */
    CAPTURE_WHOLE,
};

/* A thing to read. */
struct capture_job {
    enum capture_what what;
    struct span table;      /* without prefix */
    const wire_node **keys; /* of CAPTURE_KEYS */
    size_t key_count;
    const wire_node *query; /* of CAPTURE_PAGES: its input, the table's name without prefix */
};

struct capture_options {
    struct client_aws_options aws;
    const char *prefix;
    const char *folder;
    const char *rules_path;
    struct mask_rules *rules; /* NULL: values stay as they are */
    double rate;
    bool estimate; /* says what it would cost, and ends */
    struct capture_job *jobs;
    size_t job_count;
    struct span *sure; /* tables that are named a second time */
    size_t sure_count;
    struct span plan; /* a text that is the same for the same things to read */
};

/* Reads the words; *answer is set to a text that is all there is to say. Returns NULL, or what is
 * wrong. */
MUST_CHECK const char *capture_options_read(struct arena *a, int argc, char **argv,
                                            struct capture_options *out, const char **answer);

#endif
