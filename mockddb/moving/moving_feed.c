#include "moving/moving_feed.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void moving_feed_begin(struct moving_feed *f)
{
    moving_import_begin(f->import, f->file, f->table);
    f->start = lseek(f->fd, 0, SEEK_CUR);
    f->room = process_malloc(f->part);
}

static const char *rewind_file(struct moving_feed *f)
{
    f->read = false;
    f->bytes = 0;
    if (f->copy && fflush(f->copy) == 0) {
        f->fd = fileno(f->copy);
        f->start = 0;
    }
    return f->start >= 0 && lseek(f->fd, f->start, SEEK_SET) == f->start
               ? NULL
               : file_error(f->arena, f->file);
}

const char *moving_feed_step(struct moving_feed *f)
{
    const char *problem;
    bool more, again;

    if (f->more)
        return moving_import_feed(f->import, &f->left, f->piece, &f->more);
    if (!f->read) {
        ssize_t len = read(f->fd, f->room, f->part);

        if (len < 0)
            return errno == EINTR ? NULL : file_error(f->arena, f->file);
        f->read = len == 0;
        f->more = len > 0;
        f->left = (struct span){f->room, (size_t)len};
        f->bytes += f->left.len;
        if (f->start >= 0 || !f->more || !moving_import_may_ask_again(f->import))
            return NULL;
        if (!f->copy) /* of input that may have to be read again */
            f->copy = tmpfile();
        return f->copy && fwrite(f->left.at, 1, f->left.len, f->copy) == f->left.len
                   ? NULL
                   : file_error(f->arena, "a temporary file");
    }
    problem = moving_import_end(f->import, &more, &again);
    f->done = !problem && !more && !again;
    return again ? rewind_file(f) : problem;
}

const char *moving_feed_end(struct moving_feed *f)
{
    if (f->copy)
        (void)fclose(f->copy);
    free(f->room);
    f->copy = NULL;
    f->room = NULL;
    return moving_import_stop(f->import);
}
