/* Readers of members that several kinds have. */
#include "base/duration.h"
#include "faults/fault_kind.h"
#include "wire/wire_node.h"

#define MAX_DELAY_MS ((int64_t)3600 * 1000)

bool fault_kind_refuse(struct fault_reading *r, const char *member, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    r->problem = problem_invalid(r->arena, "%s.%s %s", r->where, member,
                                 arena_vprintf(r->arena, fmt, args));
    va_end(args);
    return false;
}

int64_t fault_kind_whole(const wire_node *node, int64_t otherwise)
{
    return wire_is_number(node) && wire_is_whole(node->at) ? wire_integer(node, otherwise)
                                                           : otherwise;
}

bool fault_read_count(struct fault_reading *r, const wire_node *rule, const char *member,
                      int64_t low, int64_t high, int64_t *out)
{
    const wire_node *node = wire_get(rule, member);
    int64_t number;

    if (!node)
        return true;
    number = fault_kind_whole(node, low - 1);
    if (number < low || number > high)
        return fault_kind_refuse(r, member, "must be a whole number from %lld to %lld",
                                 (long long)low, (long long)high);
    *out = number;
    return true;
}

/* "250ms", or a number of milliseconds, up to an hour. */
static bool read_delay(struct fault_reading *r, const wire_node *node, const char *member,
                       int64_t *ms)
{
    int64_t delay = -1;

    if (!duration_read(wire_text(node), &delay))
        delay = fault_kind_whole(node, -1);
    if (delay < 0 || delay > MAX_DELAY_MS)
        return fault_kind_refuse(
            r, member,
            "must be a duration up to an hour: \"250ms\", \"2s\", or a number of milliseconds");
    *ms = delay;
    return true;
}

static bool read_word(struct fault_reading *r, const wire_node *node, const struct fault_value *v,
                      int64_t *out)
{
    struct buf list = buf_in(r->arena);

    for (int i = 0; v->words[i]; i++) {
        if (span_is(wire_text(node), v->words[i])) {
            *out = i;
            return true;
        }
        buf_printf(&list, "%s%s", i ? ", " : "", v->words[i]);
    }
    return fault_kind_refuse(r, v->member, "must be one of %s", buf_text(&list));
}

bool fault_kind_read_value(struct fault_reading *r, const wire_node *rule,
                           const struct fault_value *v, int64_t *out)
{
    const wire_node *node = wire_get(rule, v->member);

    if (!node)
        return true;
    switch (v->form) {
    case FAULT_COUNT:
        return fault_read_count(r, rule, v->member, v->low, v->high, out);
    case FAULT_WORD:
        return read_word(r, node, v, out);
    case FAULT_DELAY:
        return read_delay(r, node, v->member, out);
    case FAULT_TRUE:
    case FAULT_TRUE_OR_DELAY:
        break;
    }
    if (wire_is_boolean(node) && wire_bool(node, false))
        return true;
    return v->form == FAULT_TRUE ? fault_kind_refuse(r, v->member, "takes true")
                                 : read_delay(r, node, v->member, out);
}
