/* moving_manifest.h: reads the manifests of an export to S3: its table and its files.
 *
 *     01693685827463-2d8752fd/manifest-summary.json, manifest-files.json, data/NAME.json.gz
 *
 * The files of incremental exports are in the folder data beside the export's folder. Every listed
 * file must exist with its original contents, and the counts must agree: half an export is refused.
 * Source: developer guide, "DynamoDB table export output format". */
#ifndef MOVING_MOVING_MANIFEST_H
#define MOVING_MOVING_MANIFEST_H

#include "base/arena.h"
#include "base/attributes.h"

#define MOVING_MANIFEST_UNCOUNTED (-1)

struct moving_manifest_file {
    const char *path;
    int64_t items; /* number of items, or MOVING_MANIFEST_UNCOUNTED */
};

struct moving_manifest {
    struct span table; /* empty: the summary is missing, or does not name it */
    struct moving_manifest_file *files;
    size_t count;
    bool incremental; /* its files are beside its folder */
};

/* Whether a file has the name of a manifest. */
bool moving_manifest_is_one(const char *path);

/* Reads the manifests in a folder. *found is false without manifests. Returns NULL, or what is
 * wrong. */
MUST_CHECK const char *moving_manifest_read(struct arena *a, const char *folder,
                                            struct moving_manifest *out, bool *found);

#endif
