/* mimalloc.c: mimalloc, with a function that it does not have. */
#include "static.c"

/* Returns to the system what is free. mi_collect leaves the free parts of segments that are in use:
 * they go back after a while, with the next blocks that are freed there. */
void mi_return_all(void)
{
    mi_segments_tld_t *tld = &mi_get_default_heap()->tld->segments;

    mi_collect(true);
    for (size_t bin = 0; bin <= MI_SEGMENT_BIN_MAX; bin++) {
        for (const mi_slice_t *span = tld->spans[bin].first; span; span = span->next)
            mi_segment_delayed_decommit(_mi_ptr_segment(span), true, tld->stats);
    }
}
