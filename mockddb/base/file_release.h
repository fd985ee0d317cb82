/* file_release.h: files lose their last name without delaying the process.
 *
 * To free the blocks of 200 MB takes the system tenths of a second. Here that is done in a thread:
 * a descriptor that is still open keeps the blocks until it is closed there. */
#pragma once

/* Like unlink. This process has no lock on the file. If it has a descriptor of the file, that must
 * be closed before, or later by file_release_close: the last one that is closed frees the blocks.
 */
int file_release_unlink(const char *path);

/* Like rename. This process has no lock on the file that is at `to`, if there is one. */
int file_release_rename(const char *from, const char *to);

/* Like close. A file that has a name is closed at once. fd may be -1. */
void file_release_close(int fd);
