/* file_sync.h: a file or folder is brought to the disk while the process continues its work. */
#ifndef BASE_FILE_SYNC_H
#define BASE_FILE_SYNC_H

#include <stdbool.h>

struct file_sync;

/* Asks the system for it. The descriptor must stay open until file_sync_end. */
struct file_sync *file_sync_begin(int fd);

/* Whether the disk has it, or that failed. */
bool file_sync_is_over(const struct file_sync *s);

/* Waits until it is over and frees it; false, with errno set, when the disk does not have it. s may
 * be NULL, which is a success. */
bool file_sync_end(struct file_sync *s);

#endif
