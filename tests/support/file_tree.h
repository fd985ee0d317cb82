/* file_tree.h: a folder with all that is in it. */
#pragma once

#include <stdbool.h>

/* False when something stays. Symbolic links go, and what they lead to stays. */
bool file_tree_remove(const char *path);
