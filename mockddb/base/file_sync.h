/* file_sync.h: syncs a file or folder to disk while the process continues its work. */
#pragma once

#include <stdbool.h>

struct file_sync;

/* Starts the sync. The descriptor must stay open until file_sync_end. */
struct file_sync *file_sync_begin(int fd);

/* Whether the sync has succeeded or failed. */
bool file_sync_is_over(const struct file_sync *s);

/* Waits for the sync to finish and frees it; false, with errno set, if it failed. s may be NULL,
 * which is a success. */
bool file_sync_end(struct file_sync *s);

/* A descriptor that becomes readable when any sync of the process is over, so that an event loop
 * can wait for it; -1, with errno set, on failure. file_sync_heard makes it unreadable again. */
int file_sync_bell(void);
void file_sync_heard(void);
