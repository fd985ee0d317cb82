/* awscli_file.h: reads files that are named in values: file://key.json, fileb://picture. */
#pragma once

#include "base/arena.h"

#define AWSCLI_FILE_NO_BYTES \
    "fileb:// is for binary values (B, BS) in shorthand syntax: write file://"

/* Whether files may be read: allowed where the user types the command, but not on a server that
 * reads the command for the user. */
enum awscli_files { AWSCLI_NO_FILES, AWSCLI_FILES };

/* The value, or the contents of the file that it names; for fileb:// as base64, with *bytes set.
 * Returns NULL, or the CLI's error. */
MUST_CHECK const char *awscli_file_load(struct arena *a, enum awscli_files files, const char *value,
                                        const char **out, bool *bytes);
