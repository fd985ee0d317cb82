/* platform.h: what each operating system does in its own way. platform_NAME.c is compiled on the
 * system of that name; no other source asks which system it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

/* Writes the path of the running program, NUL-terminated; false if it is not known or longer. */
bool platform_program(char *path, size_t size);

/* Fills len bytes (at most 256) from the system's source of randomness; false if that fails. */
bool platform_random(void *bytes, size_t len);

/* --- memory ----------------------------------------------------------------------------------- */

/* Reserves addresses, whose memory is taken as it is used; NULL if the system refuses. */
void *platform_reserve(size_t size);

/* Asks for huge pages. */
void platform_want_huge_pages(void *at, size_t size);

/* Returns whole pages of anonymous memory to the system. Their content is lost. */
void platform_return_pages(void *at, size_t size);

/* Forgets unchanged pages of a privately mapped file: they are read again when they are used. */
void platform_forget_pages(void *at, size_t size);

/* The number of bytes that can be used in a block of malloc's. */
size_t platform_block_size(void *block);

/* Settings of malloc; those that it does not have are NULL. */
extern const struct platform_heap {
    void (*start)(void);       /* to take memory in large pieces */
    void (*keep)(size_t kept); /* how much free memory to keep at the end of its memory */
    const char *(*end)(void);  /* the end of its memory; NULL: it is not contiguous, … */
    void (*trim)(void);        /* … and this returns to the system all that is free */
} platform_heap;

/* --- files ------------------------------------------------------------------------------------ */

/* When a file was changed last. */
struct timespec platform_changed(const struct stat *file);

/* Writes a file or folder to the disk; false, with errno set, on failure. */
bool platform_sync(int fd);

/* Locks bytes of a file until the descriptor is closed: they cannot be locked for writing
 * meanwhile. Other descriptors of the process do not release the lock when they are closed. False,
 * with errno set, if the bytes are locked for writing. */
bool platform_lock_for_reading(int fd, int64_t from, int64_t bytes);

/* Asks the system to begin to write a file's changed pages. */
void platform_begin_writing(int fd);

/* Gets blocks for a file behind its end, which stays where it is; false, with errno set, if there
 * is no space or the file system cannot do this. */
bool platform_get_blocks(int fd, int64_t from, int64_t bytes);
