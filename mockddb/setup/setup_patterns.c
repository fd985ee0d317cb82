#include "setup/setup_patterns.h"

#include "fixtures/fixtures.h"

#include <unistd.h>

const struct problem *setup_patterns_read(struct arena *a, const struct option_texts *paths,
                                          const struct moving_fixtures *fixtures,
                                          struct admin_patterns *out)
{
    struct pattern_file *files = arena_array(a, paths->count + fixtures->names.count,
                                             sizeof *files);
    struct catalogue *catalogue = NULL;
    const struct problem *p = NULL;
    size_t count = 0;

    for (size_t i = 0; i < paths->count && !p; i++)
        p = pattern_file_read(a, paths->at[i], &files[count++]);
    for (size_t i = 0; i < fixtures->names.count && !p; i++) {
        const char *folder = fixtures_find(a, fixtures->names.at[i]);
        const char *path = arena_printf(a, "%s/patterns.json", folder ? folder : "");

        if (folder && access(path, F_OK) == 0)
            p = pattern_file_read(a, path, &files[count++]);
    }
    if (!p && count)
        p = problem_of(a, PROBLEM_INVALID,
                       catalogue_new(a, files, count, fixtures->table_prefix, &catalogue));
    *out = (struct admin_patterns){files, count, fixtures->table_prefix, catalogue};
    return p;
}
