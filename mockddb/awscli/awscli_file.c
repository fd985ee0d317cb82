#include "awscli/awscli_file.h"

#include <errno.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/file.h"

static const char *path_of(struct arena *a, const char *path)
{
    const char *home = getenv("HOME");

    return path[0] == '~' && path[1] == '/' && home ? arena_printf(a, "%s%s", home, path + 1)
                                                    : path;
}

/* Text as Python reads it: lines end with \n. */
static const char *as_text(struct arena *a, struct span bytes)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < bytes.len; i++) {
        bool pair = bytes.at[i] == '\r' && i + 1 < bytes.len && bytes.at[i + 1] == '\n';

        if (!pair)
            buf_add_char(&out, bytes.at[i] == '\r' ? '\n' : bytes.at[i]);
    }
    return buf_text(&out);
}

const char *awscli_file_load(struct arena *a, enum awscli_files files, const char *value,
                             const char **out, bool *bytes)
{
    struct buf encoded = buf_in(a);
    struct span content;
    const char *path;

    *out = value;
    *bytes = strncmp(value, "fileb://", 8) == 0;
    if (!*bytes && strncmp(value, "file://", 7) != 0)
        return NULL;
    if (files == AWSCLI_NO_FILES)
        return arena_printf(a, "%s: a server reads no files for a command", value);
    path = path_of(a, value + (*bytes ? 8 : 7));
    if (!file_read(a, path, &content))
        return arena_printf(a, "Unable to load paramfile %s: [Errno %d] %s: '%s'", value, errno,
                            strerror(errno), path);
    if (*bytes)
        base64_encode(&encoded, content);
    *out = *bytes ? buf_text(&encoded) : as_text(a, content);
    return NULL;
}
