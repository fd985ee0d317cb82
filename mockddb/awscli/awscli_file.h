/* awscli_file.h: files that values name: file://key.json, fileb://picture. */
#ifndef AWSCLI_AWSCLI_FILE_H
#define AWSCLI_AWSCLI_FILE_H

#include "base/arena.h"

#define AWSCLI_FILE_NO_BYTES \
    "fileb:// is for binary values (B, BS) in shorthand syntax: write file://"

/* Whether files may be read: who types a command may read files where it is typed, not where the
 * server is that reads the command. */
enum awscli_files { AWSCLI_NO_FILES, AWSCLI_FILES };

/* The value, or the contents of the file that it names; those of fileb:// as base64, and *bytes
 * set. Returns NULL, or what is wrong, in the CLI's words. */
MUST_CHECK const char *awscli_file_load(struct arena *a, enum awscli_files files, const char *value,
                                        const char **out, bool *bytes);

#endif
