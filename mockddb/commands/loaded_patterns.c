#include "commands/loaded_patterns.h"

#include "fixtures/fixtures.h"

#include <unistd.h>

const struct problem *loaded_patterns_read(struct arena *a, const struct loaded_patterns_options *o,
                                           struct admin_patterns *out)
{
    struct pattern_file *files = arena_array(a, o->paths.count + o->fixtures.count, sizeof *files);
    struct catalogue *catalogue = NULL;
    const struct problem *p = NULL;
    size_t count = 0;

    for (size_t i = 0; i < o->paths.count && !p; i++)
        p = pattern_file_read(a, o->paths.at[i], &files[count++]);
    for (size_t i = 0; i < o->fixtures.count && !p; i++) {
        const char *folder = fixtures_find(a, o->fixtures.at[i]);
        const char *path = arena_printf(a, "%s/patterns.json", folder ? folder : "");

        if (folder && access(path, F_OK) == 0)
            p = pattern_file_read(a, path, &files[count++]);
    }
    if (!p && count)
        p = problem_of(a, PROBLEM_INVALID,
                       catalogue_new(a, files, count, o->table_prefix, &catalogue));
    *out = (struct admin_patterns){files, count, o->table_prefix, catalogue};
    return p;
}
