#define _XOPEN_SOURCE 700 /* nftw */
#include "support/file_tree.h"

#include <ftw.h>
#include <stdio.h>

#define OPEN_AT_ONCE 16 /* folders, one for each step down */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

bool file_tree_remove(const char *path)
{
    return nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS) == 0;
}
