/* explain_report.h: what an inquiry found, as JSON and as lines for people. */
#pragma once

#include "explain/explain.h"
#include "explain/inquiry.h"

/* Both in the arena `a`; the reply is the call's. */
void explain_report(struct inquiry *q, struct arena *a, const struct reply *reply,
                    struct explanation *out);
