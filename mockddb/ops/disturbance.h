/* disturbance.h: injected changes to a call's behaviour.
 *
 * A fault point sets them before the operation runs (dispatch/fault_point.h). Some are for
 * operations, others for the front end that sends the reply. All zero: no change. */
#pragma once

#include "base/span.h"

struct disturbance {
    uint64_t rule; /* the first rule that applied, for reports */

    /* For operations. */
    int64_t page_limit;        /* the most items that Query and Scan evaluate; 0: no limit */
    uint64_t unprocessed;      /* number of keys or writes of a batch to leave unprocessed */
    int64_t unprocessed_first; /* not 0: leave the first ones, not the last ones */
    bool stale;                /* eventually consistent reads return old items */
    int64_t stale_ms;          /* age of these items; 0: before their newest change */
    int64_t index_lag_ms;      /* younger entries of global indexes are hidden */
    int64_t stream_late_ms;    /* younger stream records are hidden */
    bool stream_twice;         /* a page of records is repeated */

    /* For the reply. */
    int64_t delay_ms;      /* delay before it is sent */
    int64_t jitter_ms;     /* of which the rule adds a random part to the delay */
    bool dropped;          /* the connection is closed without a reply … */
    int64_t dropped_after; /* … and, if this is not 0, the operation runs before that */
    bool cut;              /* the connection is closed after cut_bytes */
    uint64_t cut_bytes;    /* of the body */
    bool wrong_crc;        /* x-amz-crc32 is wrong */
    int64_t date_skew_ms;  /* added to the Date header */
};
