#include "worlds/world_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cut.h"
#include "base/one_more.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyz0123456789-"

/* Keeps small letters, digits and -; other bytes become _ and two hexadecimal digits. */
static void encode(struct buf *out, struct span name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.at[i];

        if (memchr(PLAIN, c, sizeof PLAIN - 1))
            buf_add_char(out, (char)c);
        else
            buf_printf(out, "_%02x", c);
    }
}

/* Returns false if the text is not an encoded name. */
static bool decode(struct arena *a, struct span text, struct span *out)
{
    struct buf name = buf_in(a), again = buf_in(a);

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '_') {
            int high = i + 2 < text.len ? ascii_hex(text.at[i + 1]) : -1;
            int low = i + 2 < text.len ? ascii_hex(text.at[i + 2]) : -1;

            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        buf_add_char(&name, c);
    }
    *out = buf_span(&name);
    encode(&again, *out);
    return out->len && span_equal(buf_span(&again), text);
}

static const char *in_folder(struct arena *a, const char *folder, const struct buf *name)
{
    return arena_printf(a, "%s/%.*s", folder, SPAN_ARG(buf_span(name)));
}

const char *world_files_world(struct arena *a, const char *folder, struct span world)
{
    struct buf name = buf_in(a);

    buf_add_text(&name, "world.");
    encode(&name, world);
    buf_add_text(&name, ".db");
    return in_folder(a, folder, &name);
}

static struct span snapshot_prefix(struct arena *a, struct span world)
{
    struct buf name = buf_in(a);

    buf_add_text(&name, "snapshot.");
    encode(&name, world);
    buf_add_char(&name, '.');
    return buf_span(&name);
}

const char *world_files_snapshot(struct arena *a, const char *folder, struct span world,
                                 struct span snapshot)
{
    struct buf name = buf_in(a);

    buf_add_span(&name, snapshot_prefix(a, world));
    encode(&name, snapshot);
    buf_add_text(&name, ".mockddb");
    return in_folder(a, folder, &name);
}

/* Finds the part of a file's name between prefix and ending; false if it lacks one of them, or the
 * part is empty. */
static bool is_between(struct span text, struct span prefix, const char *ending, struct span *out)
{
    if (!span_starts_with(text, prefix))
        return false;
    *out = span_from(text, prefix.len);
    return cut_ending(out, ending);
}

/* Lists the names between `prefix` and `ending`. */
static void list_names(struct arena *a, const char *folder, struct span prefix, const char *ending,
                       struct world_files_list *out)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    *out = (struct world_files_list){.count = 0};
    while (dir && (entry = readdir(dir))) {
        struct span text, name;

        if (!is_between(span_of(entry->d_name), prefix, ending, &text) || !decode(a, text, &name))
            continue;
        out->names = one_more(a, out->names, out->count, sizeof *out->names);
        out->names[out->count++] = name;
    }
    if (dir)
        (void)closedir(dir);
}

void world_files_worlds(struct arena *a, const char *folder, struct world_files_list *out)
{
    list_names(a, folder, SPAN_LIT("world."), ".db", out);
}

void world_files_snapshots(struct arena *a, const char *folder, struct span world,
                           struct world_files_list *out)
{
    list_names(a, folder, snapshot_prefix(a, world), ".mockddb", out);
}

/* Whether it is the name of a request's file: mkostemps inserts letters and digits. */
static bool is_temporary(struct span text)
{
    struct span random;

    return is_between(text, SPAN_LIT("temporary."), WORLD_FILES_ENDING, &random) &&
           text.len == strlen(WORLD_FILES_TEMPORARY) &&
           span_is_all(random, ascii_is_letter_or_digit);
}

/* Whether it is a world's copy, a snapshot's file or its initial copy, a request's file, or
 * SQLite's file for one of these. A file that ends in .next is complete; it is renamed when the
 * world is opened. */
static bool is_unfinished(struct arena *a, struct span text)
{
    struct span both, name;

    (void)(cut_ending(&text, "-wal") || cut_ending(&text, "-shm") || cut_ending(&text, "-journal"));
    if (is_between(text, SPAN_LIT("world."), ".db.new", &name))
        return decode(a, name, &name);
    if (is_temporary(text))
        return true;
    if (!cut_ending(&text, ".part.new") && !cut_ending(&text, ".part"))
        return false;
    if (is_temporary(text))
        return true;
    if (!is_between(text, SPAN_LIT("snapshot."), ".mockddb", &both))
        return false;
    return decode(a, cut_part(&both, '.'), &name) && decode(a, both, &name);
}

void world_files_remove_unfinished(struct arena *a, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (is_unfinished(a, span_of(entry->d_name)))
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        (void)closedir(dir);
}
