/* explain.h: what a call did and why: for people who rehearse a query.
 *
 * Explanations come from the request and from what is stored, never from the words of the
 * service's message. What they propose was tried before, on the same data. docs/explain.md. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "catalogue/catalogue.h"
#include "dispatch/dispatch.h"

struct explain_summary;

struct explanation {
    struct span json; /* {"reason": …, "hints": […], "facts": {…}, "text": …} */
    struct span text; /* lines for people, the reason first */
};

/* Runs a request as dispatch() does, and explains it in the arena. Catalogue NULL: no patterns are
 * known. Summary (explain_summary.h) NULL: the request is not counted. Out NULL: the explanation is
 * for the summary only, so it is left out if the summary needs none. Nothing is explained of a
 * request of which one slice was done (reply.unfinished). */
void explain_dispatch(struct dispatcher *d, const struct catalogue *catalogue, struct arena *a,
                      const struct request *request, struct explain_summary *summary,
                      struct reply *reply, struct explanation *out);

#endif
