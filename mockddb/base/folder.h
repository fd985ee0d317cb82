/* folder.h: access to the files below one folder, and to none outside of it.
 *
 * A path is names with a / between them, relative to the folder. A name that is empty, "." or ".."
 * is refused, and no symbolic link is followed, wherever it leads: no path reaches anything outside
 * the folder. Functions that fail set errno. */
#pragma once

#include "base/arena.h"

struct folder;

/* Opens the folder at a path, which must exist. */
struct folder *folder_open(const char *path);
void folder_free(struct folder *f); /* f may be NULL */

/* Whether the path is allowed at all. */
bool folder_allows(struct span path);

/* Whether there is a folder at that path. */
bool folder_has(const struct folder *f, struct span path);

/* A descriptor for reading an ordinary file, or -1. */
int folder_read(const struct folder *f, struct span path);

/* Opens a file for writing without truncating it; creates it and the folders of its path if
 * missing. Returns a descriptor, or -1. */
int folder_write(const struct folder *f, struct span path);

/* Renames a file, replacing any file that has the new name; missing folders of the new path are
 * made. Readers see either the old file or the new one, whole. */
bool folder_rename(const struct folder *f, struct span from, struct span to);

bool folder_remove(const struct folder *f, struct span path);

/* Writes a file so that it exists as a whole or not at all; it is first written at the path
 * `aside`. */
bool folder_put(const struct folder *f, struct span path, struct span aside, struct span bytes);

/* --- walking through files ------------------------------------------------------------------ */

/* All ordinary files below the folder whose paths begin with a prefix, in no order. Files nested in
 * more than 64 folders are not found. */
struct folder_walk;

/* `under` is the folder at which the paths begin (if it is missing, no files are found), `prefix`
 * what they begin with; both are copied. */
struct folder_walk *folder_walk_new(const struct folder *f, struct span under, struct span prefix);
void folder_walk_free(struct folder_walk *w); /* w may be NULL */

struct folder_found {
    struct span path; /* relative to `under`; valid until the next call */
    uint64_t size;    /* bytes */
};

/* Examines one directory entry. `fits` is false if it is not a file of the walk: each call does
 * little work. Returns false at the end. */
bool folder_walk_next(struct folder_walk *w, struct folder_found *out, bool *fits);
