#include "support/snapshot_whole.h"

#include "worlds/snapshot_file.h"
#include "worlds/snapshot_load.h"

const char *snapshot_whole_write(struct arena *a, const char *path, struct span name,
                                 const struct world_state *state, int64_t taken_ms)
{
    struct snapshot_writing *w = snapshot_file_new(path, name, state, taken_ms);
    const char *problem;

    while (!snapshot_file_step(w))
        continue;
    if (!(problem = snapshot_file_place(a, w))) {
        while (!snapshot_file_step(w))
            continue;
        if (snapshot_file_problem(w))
            problem = arena_text(a, span_of(snapshot_file_problem(w)));
    }
    snapshot_file_free(w);
    return problem;
}

const char *snapshot_whole_load(struct arena *a, const char *path, struct snapshot *out)
{
    struct snapshot_load *l = snapshot_load_begin(path);
    const char *problem;

    while (!snapshot_load_step(l))
        continue;
    problem = snapshot_load_take(l, a, out);
    snapshot_load_free(l);
    return problem;
}
