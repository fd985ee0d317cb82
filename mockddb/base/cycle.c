#include "base/cycle.h"

#include "base/siphash.h"

bool cycle_closes(struct cycle *c, struct span member)
{
    uint64_t hash = siphash(siphash_own_key(), member);

    if (c->limit && hash == c->kept)
        return true;
    if (c->since++ == c->limit) {
        c->kept = hash;
        c->since = 0;
        c->limit = c->limit ? c->limit * 2 : 1;
    }
    return false;
}
