/* pattern_file.h: reads and checks a file of access patterns. Format: docs/patterns.md. */
#pragma once

#include "base/problem.h"
#include "ops/op.h"

struct pattern_step {
    const char *name;  /* as given, or step1, step2, … */
    const char *title; /* may be NULL, as may all pointers below except op and request */
    const struct op *op;
    const wire_node *request;
    const wire_node *expect;
    const wire_node *cost;
    const char *pick; /* the attribute by which an item is picked */
    bool pick_highest;
    bool all_pages;
    size_t max_items;      /* 0: no limit */
    const wire_node *node; /* the step's object in the file; never NULL */
};

struct pattern {
    const char *name;
    const char *question;
    const char *section;    /* may be NULL */
    const wire_node *notes; /* array of strings, may be NULL */
    struct pattern_step *steps;
    size_t step_count;
};

struct pattern_section {
    const char *name;
    const char *title;
    const char *about;        /* may be NULL, as may all below */
    const char *table;        /* without prefix */
    const wire_node *keys;    /* array of {key, format, notes} */
    const wire_node *indexes; /* index name → its purpose */
    const wire_node *notes;   /* array of strings */
};

struct pattern_file {
    const char *path;
    struct span text;
    const char *title;
    const char *about;       /* may be NULL */
    const wire_node *cli;    /* array of strings, may be NULL */
    const wire_node *values; /* name → string, may be NULL */
    struct pattern_section *sections;
    size_t section_count;
    struct pattern *patterns;
    size_t pattern_count;
};

/* Reads the file, "-" for standard input. Everything lives in the arena. */
MUST_CHECK const struct problem *pattern_file_read(struct arena *a, const char *path,
                                                   struct pattern_file *out);

/* Like pattern_file_read, for text in memory; `path` is for messages. */
MUST_CHECK const struct problem *pattern_file_parse(struct arena *a, const char *path,
                                                    struct span text, struct pattern_file *out);
