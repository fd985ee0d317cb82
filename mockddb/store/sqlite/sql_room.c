#include "store/sqlite/sql_room.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file_release.h"
#include "base/platform.h"

#define CHUNK_BYTES                                                               \
    ((int64_t)1 << 20) /* allocated at once, so that few commits have to allocate \
                        */

void sql_room_open(struct sql_room *r, const char *path)
{
    if (r->is_open)
        return;
    r->file = open(path, O_RDWR | O_CLOEXEC);
    r->is_open = r->file >= 0;
    sql_room_cut(r);
}

void sql_room_close(struct sql_room *r)
{
    if (r->is_open)
        file_release_close(r->file); /* SQLite may have unlinked a log of up to 128 MB */
    r->is_open = false;
}

void sql_room_cut(struct sql_room *r)
{
    struct stat status;

    r->bytes = r->is_open && fstat(r->file, &status) == 0 ? status.st_size : 0;
}

static bool get_blocks(struct sql_room *r, int64_t bytes)
{
    if (!platform_get_blocks(r->file, r->bytes, bytes - r->bytes))
        return false;
    r->bytes = bytes;
    return true;
}

bool sql_room_reach(struct sql_room *r, int64_t bytes)
{
    if (bytes <= r->bytes || r->unknown || !r->is_open)
        return true;
    if (get_blocks(r, bytes + CHUNK_BYTES) || get_blocks(r, bytes))
        return true;
    r->unknown = errno != ENOSPC && errno != EDQUOT && errno != EFBIG;
    return r->unknown;
}
