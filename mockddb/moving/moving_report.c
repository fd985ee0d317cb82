#include "moving/moving_report.h"

void moving_report_refuse(struct moving_report *r, const struct moving_refusal *refusal)
{
    r->refused++;
    if (r->tell)
        r->tell(r, refusal);
}
