/* fault_vfs.h: files whose calls fail when a test says so.
 *
 * The system's files with a layer over them that counts SQLite's calls. Once armed, the n-th call
 * of the kinds that are asked for fails, alone or with all after it. Half of what a write that
 * fails was to bring arrives. Nothing is waited for at a sync: nobody cuts the power. */
#pragma once

#include <stdbool.h>

enum fault_call {
    FAULT_OPEN = 1,
    FAULT_READ = 2,
    FAULT_WRITE = 4,
    FAULT_SYNC = 8,
    FAULT_TRUNCATE = 16,
    FAULT_LOCK = 32,
    FAULT_DELETE = 64
};

struct fault {
    unsigned calls; /* enum fault_call, added up */
    int result;     /* what SQLite gets */
    bool lasting;   /* until it is lifted, as when the disk is full */
};

/* Comes between SQLite and every file opened from here on. A store must have been opened before,
 * so that the library is set up. */
void fault_install(void);

/* The n-th call from here on fails, counted from 1. */
void fault_arm(const struct fault *fault, unsigned nth);

/* No more faults; how many calls failed. */
unsigned fault_lift(void);

/* How often SQLite has synced a file since fault_install. */
unsigned fault_syncs(void);
