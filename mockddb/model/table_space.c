#include "model/table_space.h"

#define OWN_SPACES 6 /* the most a table has besides those of indexes */

const struct table_space *table_space_list(struct arena *a, const struct table *t, size_t *count)
{
    const struct table_space own[OWN_SPACES] = {
        {t->space, false, NULL, "the items"},
        {t->ttl_space, true, NULL, "the times to live"},
        {t->stream_enabled ? t->stream_space : 0, false, NULL, "the stream"},
        {t->recovery.space, false, NULL, "the log for recovery"},
        {t->global.log_space, false, NULL, "the log for replicas"},
        {t->global.latest_space, false, NULL, "the latest writes for replicas"},
    };
    struct table_space *out = arena_array(a, OWN_SPACES + t->index_count, sizeof *out);

    *count = 0;
    for (size_t i = 0; i < OWN_SPACES; i++)
        if (own[i].number || !i)
            out[(*count)++] = own[i];
    for (size_t i = 0; i < t->index_count; i++)
        out[(*count)++] = (struct table_space){t->indexes[i].space, true, &t->indexes[i], NULL};
    return out;
}
