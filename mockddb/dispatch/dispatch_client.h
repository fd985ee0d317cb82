/* dispatch_client.h: a client whose requests go to a dispatcher in this process. */
#pragma once

#include "client/client.h"
#include "dispatch/dispatch.h"

struct dispatch_client_options {
    const char *name; /* in messages */
    /* If given, requests have these settings, except that tables are ACTIVE at once and that writes
     * are never denied. */
    const struct settings *settings;
    bool aside;      /* requests are neither observed nor disturbed */
    bool is_unsaved; /* client_flush does nothing: all is saved with the dispatcher's next flush */
    /* Answers client_ask; must be given if that is used. */
    void (*ask)(void *context, struct arena *a, const char *verb, struct span body,
                struct client_verb_answer *out);
    void (*close)(void *context); /* called by client_free; may be NULL */
    void *context;
};

/* The client lives in the arena; the dispatcher is borrowed. */
struct client *dispatch_client_new(struct arena *a, struct dispatcher *d,
                                   const struct dispatch_client_options *options);
