/* disturbance.h: how a call is to go otherwise than it would.
 *
 * A fault point says so before the operation runs (dispatch/fault_point.h). Operations look at what
 * concerns them; what concerns the reply's way is for the front end. Zero is as usual. */
#ifndef OPS_DISTURBANCE_H
#define OPS_DISTURBANCE_H

#include "base/span.h"

struct disturbance {
    /* For operations. */
    int64_t page_limit; /* Query and Scan look at no more items than this */
    size_t unprocessed; /* so many keys or writes of a batch are left for the next request … */
    bool unprocessed_first; /* … from its beginning on, not from its end */
    bool stale;             /* eventually consistent reads of items show them as they were … */
    int64_t stale_ms;       /* … so long ago; 0: before their newest change */
    int64_t index_lag_ms;   /* entries of global indexes are not there before they are so old, */
    int64_t stream_late_ms; /* nor records of streams */
    bool stream_twice;      /* a page of records comes once more */

    /* For the reply. */
    int64_t delay_ms;     /* it leaves so much later */
    bool dropped;         /* the connection ends without it */
    bool cut;             /* the connection ends after … */
    size_t cut_bytes;     /* … so many bytes of its body */
    bool wrong_crc;       /* x-amz-crc32 is not its checksum */
    int64_t date_skew_ms; /* added to the Date header */

    /* For those who report. */
    uint64_t rule; /* the first rule that had a part in it */
};

#endif
