/* explain.h: what a call did and why: for people who rehearse a query.
 *
 * Explanations come from the request and from what is stored, never from the words of the
 * service's message. What they propose was tried before, on the same data. docs/explain.md. */
#pragma once

#include "catalogue/catalogue.h"
#include "dispatch/dispatch.h"

struct explain_summary;
struct explain_past;

/* What an explanation may use besides the request and the stored data. */
struct explain_context {
    const struct catalogue *catalogue; /* NULL: no patterns are known */
    struct explain_summary *summary;   /* counts the request; NULL: it is not counted */
    const struct explain_past *past;   /* inquiry.h; NULL: nothing is known of earlier requests */
    double calls_a_day;                /* of the request; 0: not known */
};

struct explanation {
    struct span json; /* {"reason": …, "hints": […], "facts": {…}, "text": …} */
    struct span text; /* lines for people, the reason first */
};

/* Runs a request as dispatch() does, and explains it in the arena. Out NULL: the explanation is for
 * the summary only, and is left out if the summary does not need it. Nothing is explained of a
 * request of which one slice was done (reply.unfinished). */
void explain_dispatch(struct dispatcher *d, const struct explain_context *context, struct arena *a,
                      const struct request *request, struct reply *reply, struct explanation *out);
