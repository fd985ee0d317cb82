/* folder.h: files below one folder, and none outside of it.
 *
 * A path is names with a / between them, from the folder down. A name that is empty, "." or ".." is
 * refused, and no symbolic link is followed, wherever it leads: whoever names a path reaches
 * nothing but what lies in the folder. Functions that can fail set errno. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/arena.h"

struct folder;

/* The folder at a path, which is there. */
struct folder *folder_open(const char *path);
void folder_free(struct folder *f); /* f may be NULL */

/* Whether a path may be asked for at all. */
bool folder_allows(struct span path);

/* Whether there is a folder of that path. */
bool folder_has(const struct folder *f, struct span path);

/* A descriptor for reading an ordinary file, or -1. */
int folder_read(const struct folder *f, struct span path);

/* A descriptor for writing a file, with what it has, which is made where there is none, as are the
 * folders on its way; or -1. */
int folder_write(const struct folder *f, struct span path);

/* Gives a file another name, in place of one that has it; the folders on its way are made. Whoever
 * looks sees the one or the other, whole. */
bool folder_rename(const struct folder *f, struct span from, struct span to);

bool folder_remove(const struct folder *f, struct span path);

/* Writes a file that is there as a whole or not at all; `aside` is where it is while it is
 * written. */
bool folder_put(const struct folder *f, struct span path, struct span aside, struct span bytes);

/* --- going through files ---------------------------------------------------------------------- */

/* All ordinary files below the folder whose paths begin with a text, in no order; those in more
 * than 64 folders inside each other are not found. */
struct folder_walk;

/* `under` is the folder in which the paths begin (it may be missing: then there are none), `prefix`
 * what they begin with; both are copied. */
struct folder_walk *folder_walk_new(const struct folder *f, struct span under, struct span prefix);
void folder_walk_free(struct folder_walk *w); /* w may be NULL */

struct folder_found {
    struct span path; /* from `under` on; valid until the next call */
    uint64_t size;    /* bytes */
};

/* The next of them, or a look at something that is none of them (`fits` false): what one call does
 * is little. False at the end. */
bool folder_walk_next(struct folder_walk *w, struct folder_found *out, bool *fits);

#endif
