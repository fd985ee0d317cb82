/* ctl_verbs.h: turns the words of ctl into requests. */
#pragma once

#include "base/buf.h"

/* A request to the verbs under /_mockddb/. */
struct ctl_request {
    const char *method;
    const char *path;  /* begins with a slash */
    const char *query; /* encoded; "" for none */
    struct span body;
    bool only_asks; /* does not change anything */
    bool follows;   /* print the answer as it arrives: it may be long, or have no end */
};

/* Parses words, up to a NULL. Returns NULL, or what is wrong with them. */
MUST_CHECK const char *ctl_verbs_read(struct arena *a, char *const *words, struct ctl_request *out);

/* The list of verbs, row by row (command_line.h). */
const char *ctl_verbs_row(struct arena *a, size_t at, const char **help);
