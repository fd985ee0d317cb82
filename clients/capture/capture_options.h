/* capture_options.h: the command line of ddb-capture. */
#pragma once

#include "client/client_options.h"
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
        *query;       /* for CAPTURE_PAGES: its input, with the table's name without the prefix */
    size_t form;      /* the option that was given … */
    const char *text; /* … and its value; read by capture_options_check */
};

struct capture_options {
    struct client_aws_options at;
    const char *prefix;
    const char *folder;
    const char *rules_path;
    struct mask_rules *rules; /* NULL: values are not changed */
    double rate;
    bool estimate; /* print the cost, and end */
    struct capture_job *jobs;
    size_t job_count;
    struct option_texts sure; /* tables confirmed by --sure */
    struct span plan;         /* equal for runs that read the same things */
};

extern const struct option_group capture_options_groups[];
extern const struct capture_options capture_options_default;

/* Reads the jobs and the rules, and chooses the endpoint. Returns NULL, or what is wrong. */
const char *capture_options_check(struct arena *a, void *options);
