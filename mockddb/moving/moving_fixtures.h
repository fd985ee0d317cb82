/* moving_fixtures.h: loads fixtures (docs/fixtures.md): an import of their folders, or of a file
 * that describes tables. */
#pragma once

#include "base/option.h"
#include "base/progress.h"
#include "dispatch/dispatch.h"
#include "moving/moving_report.h"
#include "templates/template_value.h"

struct moving_fixtures {
    struct option_texts names; /* or paths */
    const char *table_prefix;
    struct option_pairs params; /* of templates */
    struct progress *progress;  /* may be NULL */
    /* Reports what templates left out; may be NULL. */
    void (*note)(struct moving_report *r, const char *text);
};

/* Loads fixtures, each from the folder of that path, or of that name in one of the usual places, or
 * from the file of that path, by requests with the dispatcher's `settings`, except that tables are
 * active at once and that writes are never denied. Existing tables are left alone, with their
 * items; two fixtures with the same table are an error. Returns NULL, or one line in the arena that
 * says what is wrong; then no table is left that was created. */
const char *moving_fixtures_load(struct arena *a, struct dispatcher *dispatcher,
                                 const struct settings *settings,
                                 const struct moving_fixtures *fixtures);
