/* capture_run.h: reads the chosen tables and items page by page, and writes them. */
#pragma once

#include "capture/capture_options.h"
#include "moving/moving_scan.h"

struct capture_table {
    struct span name; /* without the prefix */
    struct moving_scan scan;
    struct span schema; /* contents of tables/NAME.json */
    struct span lacks;  /* settings that the schema lacks */
};

/* The tables of all jobs, without repeats. */
struct capture_tables {
    struct capture_table *at;
    size_t len;
};

/* Returns the table with this name; it must be in the list. */
const struct capture_table *capture_run_table(const struct capture_tables *tables,
                                              struct span name);

/* Describes all tables of the jobs. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_run_tables(struct client *client, struct arena *a,
                                          const struct capture_options *o,
                                          struct capture_tables *out);

/* Runs the jobs at the pace of read units. Returns NULL if everything was written, else the
 * error. */
MUST_CHECK const char *capture_run(struct client_pace *pace, struct arena *a,
                                   const struct capture_options *o,
                                   const struct capture_tables *tables);
