/* ctl_verbs.h: the words of ctl: what is sent for them. */
#ifndef COMMANDS_CTL_VERBS_H
#define COMMANDS_CTL_VERBS_H

#include "base/buf.h"

/* A request to the verbs under /_mockddb/. */
struct ctl_request {
    const char *method;
    const char *path;  /* from its slash on */
    const char *query; /* encoded; "" for none */
    struct span body;
    bool only_asks; /* changes nothing */
    bool follows;   /* the answer is printed as it comes: it may be long, or have no end */
};

/* Reads words, up to a NULL. Returns NULL, or what is wrong with them. */
MUST_CHECK const char *ctl_verbs_read(struct arena *a, char *const *words, struct ctl_request *out);

/* A line for each verb. */
void ctl_verbs_help(struct buf *out);

#endif
