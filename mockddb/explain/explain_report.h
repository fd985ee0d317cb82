/* explain_report.h: what an inquiry found, as JSON and as lines for people. */
#ifndef EXPLAIN_EXPLAIN_REPORT_H
#define EXPLAIN_EXPLAIN_REPORT_H

#include "explain/explain.h"
#include "explain/inquiry.h"

/* Both in the arena `a`; the reply is the call's. */
void explain_report(struct inquiry *q, struct arena *a, const struct reply *reply,
                    struct explanation *out);

#endif
