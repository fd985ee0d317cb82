#include "support/fault_vfs.h"

#include <sqlite3.h>
#include <stdlib.h>

static struct fault armed; /* calls 0: none */
static unsigned left;      /* calls until the fault, itself included */
static unsigned failed;
static unsigned syncs;

static sqlite3_vfs *system_vfs;

struct file {
    sqlite3_file base;
    sqlite3_file *real; /* right behind it */
};

static bool fails(enum fault_call call)
{
    if (!(armed.calls & call))
        return false;
    if (left > 1) {
        left--;
        return false;
    }
    if (!armed.lasting && failed)
        return false;
    failed++;
    return true;
}

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((struct file *)f)->real;
}

/* --- files ------------------------------------------------------------------------------------ */

static int file_close(sqlite3_file *f)
{
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int file_read(sqlite3_file *f, void *to, int len, sqlite3_int64 offset)
{
    return fails(FAULT_READ) ? armed.result
                             : real_of(f)->pMethods->xRead(real_of(f), to, len, offset);
}

static int file_write(sqlite3_file *f, const void *from, int len, sqlite3_int64 offset)
{
    bool broken = fails(FAULT_WRITE);
    int result = real_of(f)->pMethods->xWrite(real_of(f), from, broken ? len / 2 : len, offset);

    return broken ? armed.result : result;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    return fails(FAULT_TRUNCATE) ? armed.result : real_of(f)->pMethods->xTruncate(real_of(f), size);
}

static int file_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    syncs++;
    return fails(FAULT_SYNC) ? armed.result : SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return fails(FAULT_READ) ? armed.result : real_of(f)->pMethods->xFileSize(real_of(f), size);
}

static int file_lock(sqlite3_file *f, int level)
{
    return fails(FAULT_LOCK) ? armed.result : real_of(f)->pMethods->xLock(real_of(f), level);
}

static int file_unlock(sqlite3_file *f, int level)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int file_is_reserved(sqlite3_file *f, int *reserved)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), reserved);
}

static int file_control(sqlite3_file *f, int what, void *value)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), what, value);
}

static int file_sector_size(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int file_traits(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

/* Without shared memory: the store has its files for itself. */
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_traits,
};

/* --- the VFS ---------------------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags,
                    int *flags_out)
{
    struct file *file = (struct file *)f;
    int result;

    (void)vfs;
    file->base.pMethods = NULL;
    if (fails(FAULT_OPEN))
        return armed.result;
    file->real = (sqlite3_file *)(file + 1);
    result = system_vfs->xOpen(system_vfs, name, file->real, flags, flags_out);
    if (file->real->pMethods)
        file->base.pMethods = &methods;
    return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    return fails(FAULT_DELETE) ? armed.result : system_vfs->xDelete(system_vfs, name, sync);
}

void fault_install(void)
{
    static sqlite3_vfs vfs;

    if (system_vfs)
        return;
    system_vfs = sqlite3_vfs_find(NULL);
    vfs = *system_vfs; /* all else is the system's */
    vfs.zName = "fault";
    vfs.szOsFile += (int)sizeof(struct file);
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK)
        abort();
}

void fault_arm(const struct fault *fault, unsigned nth)
{
    armed = *fault;
    left = nth;
    failed = 0;
}

unsigned fault_lift(void)
{
    armed.calls = 0;
    return failed;
}

unsigned fault_syncs(void)
{
    return syncs;
}
