/* "skew": the service's clock is this far ahead of the caller's ("-20m": behind it), so the
 * request's signature has another time: the error and the Date header are the service's. */
#include "base/date.h"
#include "base/duration.h"
#include "faults/fault_kind.h"

#define WINDOW_MS ((int64_t)15 * 60 * 1000) /* for which a signature is valid */

static const void *read_skew(struct fault_reading *r, const wire_node *rule)
{
    int64_t *ms = arena_alloc(r->arena, sizeof *ms);

    if (!duration_read(wire_text(wire_get(rule, "skew")), ms) ||
        (*ms >= -WINDOW_MS && *ms <= WINDOW_MS)) {
        fault_kind_refuse(r, "skew",
                          "must be a duration of more than 15 minutes: \"20m\", \"-1h\"");
        return NULL;
    }
    return ms;
}

/* The error outside of the service's window, with the bound and its calculation. */
static const struct error *out_of_time(struct arena *a, int64_t signed_ms, int64_t skew_ms)
{
    bool expired = skew_ms > 0;
    int64_t now_ms = signed_ms + skew_ms;

    return error_new(a, ERROR_INVALID_SIGNATURE, "Signature %s: %s is %s than %s (%s %c 15 min.)",
                     expired ? "expired" : "not yet current", date_basic(a, signed_ms),
                     expired ? "now earlier" : "still later",
                     date_basic(a, expired ? now_ms - WINDOW_MS : now_ms + WINDOW_MS),
                     date_basic(a, now_ms), expired ? '-' : '+');
}

static void apply_skew(const void *state, struct fault_hit *hit)
{
    const int64_t *ms = state;

    hit->disturbance->date_skew_ms = *ms;
    hit->error = out_of_time(hit->call->arena, clock_now_ms(hit->call->clock), *ms);
}

const struct fault_kind fault_skew = {.member = "skew", .read = read_skew, .apply = apply_skew};
