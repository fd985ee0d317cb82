#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/process.h"
#include "store/sqlite/sql_room.h"
#include "store/store.h"

/* SQLite's header: https://www.sqlite.org/fileformat2.html */
#define MARK           "SQLite format 3"
#define PAGE_AT        16
#define FORMATS_AT     18
#define APPLICATION_AT 68
#define HEADER_BYTES   100

/* "shared-local-instance.db" with -sharedDb, else KEY_REGION.db, with a key of letters and digits:
 * "DynamoDB local usage notes" in the developer guide. */
static bool is_name_of_local(const char *name)
{
    static const char ending[] = ".db";
    const char *region = strchr(name, '_');
    size_t key = 0, len = strlen(name);

    if (strcmp(name, "shared-local-instance.db") == 0)
        return true;
    while (ascii_is_letter(name[key]) || ascii_is_digit(name[key]))
        key++;
    return key && region == name + key && strchr(region, '-') && len > sizeof ending &&
           strcmp(name + len - (sizeof ending - 1), ending) == 0;
}

/* A file of ours that was not closed: its application id may still be in the log. SQLite uses this
 * page size for other files only on request. */
static bool may_be_ours(const char *header)
{
    static const char page[] = {SQL_PAGE_BYTES >> 8, SQL_PAGE_BYTES & 0xff}, with_log[] = {2, 2};

    return memcmp(header + PAGE_AT, page, sizeof page) == 0 &&
           memcmp(header + FORMATS_AT, with_log, sizeof with_log) == 0;
}

/* Reads the beginning of a file as SQLite reads it: descriptors of our own, when they are closed,
 * would release the locks that this process has on the file, where another store has it open. */
static bool read_header(const char *path, char *header)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    size_t len = strlen(path);
    char *name = process_zeroed((size_t)vfs->mxPathname +
                                2); /* the name of a database ends with two NUL */
    sqlite3_file *file = process_zeroed((size_t)vfs->szOsFile);
    bool whole = len <= (size_t)vfs->mxPathname;

    if (whole)
        memcpy(name, path, len);
    whole = whole &&
            vfs->xOpen(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL) ==
                SQLITE_OK &&
            file->pMethods->xRead(file, header, HEADER_BYTES, 0) == SQLITE_OK;
    if (file->pMethods)
        file->pMethods->xClose(file);
    free(file);
    free(name);
    return whole;
}

/* Reads no more than the header, because SQLite would write to a file that was not closed properly.
 */
bool store_is_of_local(const char *path)
{
    static const char nothing[4];
    const char *slash = strrchr(path, '/');
    char header[HEADER_BYTES];

    return is_name_of_local(slash ? slash + 1 : path) && read_header(path, header) &&
           memcmp(header, MARK, sizeof MARK) == 0 &&
           memcmp(header + APPLICATION_AT, nothing, sizeof nothing) == 0 && !may_be_ours(header);
}
