/* moving_manifest.h: an export to S3 by its manifests: of which table it is, and which files it
 * has.
 *
 *     01693685827463-2d8752fd/manifest-summary.json, manifest-files.json, data/NAME.json.gz
 *
 * Incremental exports have their files in the folder data beside their own. What is listed has to
 * be there with the contents that it had, and the counts have to agree: half an export is none.
 * Source: developer guide, "DynamoDB table export output format". */
#ifndef MOVING_MOVING_MANIFEST_H
#define MOVING_MOVING_MANIFEST_H

#include "base/arena.h"
#include "base/attributes.h"

#define MOVING_MANIFEST_UNCOUNTED (-1)

struct moving_manifest_file {
    const char *path;
    int64_t items; /* that it has, or MOVING_MANIFEST_UNCOUNTED */
};

struct moving_manifest {
    struct span table; /* empty: the summary is missing, or does not say it */
    struct moving_manifest_file *files;
    size_t count;
    bool incremental; /* its files lie beside its folder */
};

/* Whether a file is called as the manifests are. */
bool moving_manifest_is_one(const char *path);

/* Reads the manifests in a folder. *found is false where there are none. NULL, or what is wrong. */
MUST_CHECK const char *moving_manifest_read(struct arena *a, const char *folder,
                                            struct moving_manifest *out, bool *found);

#endif
