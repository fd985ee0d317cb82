#include "ops/follower.h"

extern const struct follower index_entries_follower, ttl_index_follower, recovery_log_follower,
    kinesis_record_follower, replication_follower, stream_follower;

static const struct follower *const followers[] = {
    &index_entries_follower,  &ttl_index_follower,   &recovery_log_follower,
    &kinesis_record_follower, &replication_follower, &stream_follower,
};

bool follower_any(const struct table *t)
{
    for (size_t i = 0; i < COUNT(followers); i++)
        if (followers[i]->concerns(t))
            return true;
    return false;
}

const struct error *follower_run(struct call *c, struct item_write *w)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < COUNT(followers); i++)
        if (followers[i]->concerns(w->table))
            e = followers[i]->follow(c, w);
    return e;
}
