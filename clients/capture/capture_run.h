/* capture_run.h: reads what was chosen, page by page, and writes it. */
#ifndef CAPTURE_CAPTURE_RUN_H
#define CAPTURE_CAPTURE_RUN_H

#include "capture/capture_options.h"
#include "capture/capture_table.h"

/* Tables of all jobs, each once. */
struct capture_tables {
    struct capture_table *at;
    size_t len;
};

/* The one of that name, which has to be among them. */
const struct capture_table *capture_run_table(const struct capture_tables *tables,
                                              struct span name);

/* Asks for all tables of the jobs. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_run_tables(struct capture_caller *c, struct arena *a,
                                          const struct capture_options *o,
                                          struct capture_tables *out);

/* Returns NULL when all is there, else why it is not. */
MUST_CHECK const char *capture_run(struct capture_caller *c, struct arena *a,
                                   const struct capture_options *o,
                                   const struct capture_tables *tables);

#endif
