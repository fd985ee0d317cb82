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

/* A descriptor that can be read once any sync of the process is over, so that an event loop sleeps
 * until then; -1, with errno set: the system has none. file_sync_heard: it cannot be read any more.
 */
int file_sync_bell(void);
void file_sync_heard(void);

#endif
