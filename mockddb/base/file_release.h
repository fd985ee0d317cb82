/* file_release.h: files lose their last name without anybody's waiting for it.
 *
 * To free the blocks of 200 MB takes the system tenths of a second. Here that is done in a thread:
 * a descriptor that is still open keeps the blocks until it is closed there. */
#ifndef BASE_FILE_RELEASE_H
#define BASE_FILE_RELEASE_H

/* Like unlink. This process has no lock on the file. */
int file_release_unlink(const char *path);

/* Like rename. This process has no lock on the file that is at `to`, if there is one. */
int file_release_rename(const char *from, const char *to);

#endif
