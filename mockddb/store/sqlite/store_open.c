#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/platform.h"
#include "store/sqlite/sql_store.h"

/* The bytes that SQLite locks in a file: https://www.sqlite.org/src/doc/trunk/src/os.h */
#define SQLITE_SHARED_FIRST 0x40000002
#define SQLITE_SHARED_SIZE  510

/* The functions below return a sentence, or NULL for success. */
struct opening {
    struct store *store;
    struct arena *arena;
    const char *path; /* NULL: in memory */
    const char *name; /* in messages */
};

static struct opening opening(struct arena *a, struct store *s, const struct store_options *options)
{
    return (struct opening){s, a, options->path, store_name(options)};
}

/* Why the file, or its folder, which needs room for the log, cannot be written; or 0. */
static int why_not_writable(const struct opening *o)
{
    const char *slash = o->path ? strrchr(o->path, '/') : NULL, *parent = ".";

    if (!o->path)
        return 0;
    if (slash)
        parent = arena_printf(o->arena, "%.*s/", (int)(slash - o->path), o->path);
    if (access(o->path, W_OK) && errno != ENOENT)
        return errno;
    return access(parent, F_OK) == 0 && access(parent, W_OK) != 0 ? errno : 0;
}

/* Whether the failure has a reason other than that the file cannot be read. */
static bool is_readable(const struct opening *o)
{
    int failure = sqlite3_extended_errcode(sql_store_db(o->store)->handle);

    return failure != SQLITE_IOERR_READ && failure != SQLITE_IOERR_CORRUPTFS &&
           (access(o->path, R_OK) == 0 || errno == ENOENT);
}

static const char *not_writable(const struct opening *o)
{
    int cause = why_not_writable(o);

    return cause ? arena_printf(o->arena, "%s cannot be written: %s", o->name, strerror(cause))
                 : arena_printf(o->arena, "%s cannot be written", o->name);
}

/* Explains SQLite's error to the user who started the server. */
static const char *explain_failure(const struct opening *o)
{
    sqlite3 *handle = sql_store_db(o->store)->handle;
    int cause = sqlite3_system_errno(handle);

    switch (sqlite3_errcode(handle) & 0xff) {
    case SQLITE_NOMEM:
        process_out_of_memory();
    case SQLITE_NOTADB:
        return arena_printf(o->arena, "%s is not a mockddb file", o->name);
    case SQLITE_CORRUPT:
        return arena_printf(o->arena, "%s is damaged", o->name);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return arena_printf(o->arena, "%s is in use by another process or handle", o->name);
    case SQLITE_READONLY:
        return not_writable(o);
    default:
        if (why_not_writable(o) && is_readable(o))
            return not_writable(o);
        return arena_printf(o->arena, "%s cannot be opened: %s", o->name,
                            cause ? strerror(cause) : sqlite3_errmsg(handle));
    }
}

static const char *setup(const struct opening *o, enum sql_setup text)
{
    return sql_setup(sql_store_db(o->store), text) == SQLITE_OK ? NULL : explain_failure(o);
}

static const char *run_sql(const struct opening *o, enum sql which)
{
    return sql_run(sql_store_db(o->store), which) == SQLITE_OK ? NULL : explain_failure(o);
}

/* Passes each row of a statement to `take`, until the last row or an error. */
static const char *each_row(const struct opening *o, enum sql which,
                            bool (*take)(struct store *s, sqlite3_stmt *row))
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(o->store), which);
    bool sound = true;

    if (!statement)
        return explain_failure(o);
    while (sound && sqlite3_step(statement) == SQLITE_ROW)
        sound = take(o->store, statement);
    if (sqlite3_reset(statement) != SQLITE_OK)
        return explain_failure(o);
    return sound ? NULL : arena_printf(o->arena, "%s is damaged", o->name);
}

static bool take_table(struct store *s, sqlite3_stmt *row)
{
    struct table *t = schema_decode(NULL, sql_column_span(row, 0));

    if (t) {
        catalog_put(NULL, &s->catalog, t, s->catalog.version + 1);
        catalog_keep(&s->catalog);
    }
    return t != NULL;
}

static bool take_space(struct store *s, sqlite3_stmt *row)
{
    int64_t number = sqlite3_column_int64(row, 0);
    struct space *space;

    if (number < 1 || number > STORE_LAST_SPACE)
        return false;
    if (!sqlite3_column_int64(row, 1)) /* an unknown space */
        return true;
    space = spaces_get(NULL, &s->spaces, (uint32_t)number);
    space->now.entries = sqlite3_column_int64(row, 1);
    space->now.bytes = sqlite3_column_int64(row, 2);
    space->now.spared = sqlite3_column_int64(row, 3);
    space->kept = space->flushed = space->now;
    return true;
}

static bool take_sharing(struct store *s, sqlite3_stmt *row)
{
    int64_t number = sqlite3_column_int64(row, 0), below = sqlite3_column_int64(row, 1);

    if (number < 1 || number > STORE_LAST_SPACE || below < 1 ||
        below > store_first_id((uint32_t)number + 1))
        return false;
    spaces_get(NULL, &s->spaces, (uint32_t)number)->shared_below = below;
    return true;
}

static bool take_meta(struct store *s, sqlite3_stmt *row)
{
    struct span name = sql_column_span(row, 0);
    int64_t value = sqlite3_column_int64(row, 1);

    if (span_is(name, STORE_META_NUMBER)) {
        s->number = sql_store_of(s)->number_reserved = (uint64_t)value;
        return value >= 0 && value <= INT64_MAX / 2;
    }
    if (value < 1 || value > (int64_t)STORE_LAST_SPACE + 1)
        return false;
    s->next_space = (uint32_t)value;
    return true;
}

/* Loads copies in progress and their new spaces. */
static const char *load_copies(const struct opening *o)
{
    const char *problem = each_row(o, SQL_SHARING_ALL, take_sharing);

    if (problem)
        return problem;
    return store_load_copies(o->store, o->arena) ? explain_failure(o) : NULL;
}

static const char *load_store(const struct opening *o)
{
    const char *problem;

    if ((problem = each_row(o, SQL_TABLE_ALL, take_table)) ||
        (problem = each_row(o, SQL_SPACE_ALL, take_space)) ||
        (problem = each_row(o, SQL_META_ALL, take_meta)))
        return problem;
    return load_copies(o);
}

const struct error *store_read_tables(struct store *s, struct arena *a)
{
    const struct opening o = {.store = s, .arena = a, .name = "this snapshot"};

    s->unread = 0;
    if (each_row(&o, SQL_TABLE_ALL, take_table))
        return store_failed(s, a, "cannot read the descriptions of tables");
    return NULL;
}

/* What a store in memory keeps only outside its pages. */
static const char *copy_figures(const struct opening *o, const struct store *from)
{
    struct store *s = o->store;
    struct unit *u;

    s->unread = from->unread;
    if (unit_begin(s, o->arena, UNIT_WRITES, &u))
        return explain_failure(o);
    for (size_t i = 0; i < from->catalog.count; i++)
        catalog_put(NULL, &s->catalog, schema_copy(NULL, from->catalog.tables[i]),
                    s->catalog.version + 1);
    for (size_t i = 0; i < from->spaces.count; i++) {
        const struct space *space = from->spaces.at[i];

        spaces_change(&s->spaces, spaces_get(NULL, &s->spaces, space->number), space->now);
    }
    s->next_space = from->next_space;
    s->number = from->number;
    s->may_have_doomed = from->may_have_doomed;
    return unit_keep(u) || store_flush(s, o->arena) ? explain_failure(o) : load_copies(o);
}

/* --- what a file says of itself --------------------------------------------------------------- */

struct header {
    int64_t application_id, format;
    size_t tables;
    bool known_tables;
};

static const char *read_header(const struct opening *o, struct header *h)
{
    struct sql_db *db = sql_store_db(o->store);
    sqlite3_stmt *statement = sql_statement(db, SQL_HEADER);

    if (!statement || sqlite3_step(statement) != SQLITE_ROW) {
        const char *problem = explain_failure(o);

        sqlite3_reset(statement);
        return problem;
    }
    h->application_id = sqlite3_column_int64(statement, 0);
    h->format = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);
    return sql_check_tables(db, &h->tables, &h->known_tables) == SQLITE_OK ? NULL
                                                                           : explain_failure(o);
}

/* A file without tables is new: it is empty, or its creator was killed early. */
static bool is_new(const struct header *h)
{
    return h->application_id == 0 && h->tables == 0;
}

static const char *check_header(const struct opening *o, const struct header *h)
{
    if (is_new(h))
        return NULL;
    if (h->application_id != SQL_APPLICATION_ID)
        return arena_printf(o->arena, "%s is not a mockddb file", o->name);
    if (h->format > SQL_FORMAT)
        return arena_printf(o->arena,
                            "%s was written by a newer mockddb (its format is %lld, this one "
                            "knows %d)",
                            o->name, (long long)h->format, SQL_FORMAT);
    if (h->format < 1 || (h->format == SQL_FORMAT && !h->known_tables))
        return arena_printf(o->arena, "%s is damaged", o->name);
    return NULL;
}

static const char *upgrade(const struct opening *o, int64_t format)
{
    struct sql_db *db = sql_store_db(o->store);
    size_t count;
    bool same;

    if (format == SQL_FORMAT)
        return NULL;
    if (sql_upgrade(db, format) != SQLITE_OK || sql_check_tables(db, &count, &same) != SQLITE_OK)
        return explain_failure(o);
    return same ? NULL : arena_printf(o->arena, "%s is damaged", o->name);
}

/* Creates or upgrades the tables in one transaction; a transaction also proves that the file can be
 * written. */
static const char *write_first(const struct opening *o, const struct header *h)
{
    const char *problem = run_sql(o, SQL_BEGIN);

    if (!problem)
        problem = is_new(h) ? setup(o, SQL_SETUP_TABLES) : upgrade(o, h->format);
    return problem ? problem : run_sql(o, SQL_COMMIT);
}

const char *store_open_pages(struct store *s, struct arena *a)
{
    const struct opening o = {.store = s, .arena = a, .name = "this snapshot"};
    struct header h = {0};
    const char *problem;

    if ((problem = setup(&o, SQL_SETUP_PAGES)) || (problem = read_header(&o, &h)) ||
        (problem = check_header(&o, &h)))
        return problem;
    return is_new(&h) ? "this snapshot is not a mockddb file" : write_first(&o, &h);
}

/* Deletes given-up spaces first, so that they leave no gaps either. */
static const char *compact_file(const struct opening *o)
{
    struct store *s = o->store;
    bool more = store_has_doomed(s);

    while (more) {
        struct unit *u;

        if (unit_begin(s, o->arena, UNIT_WRITES, &u) || unit_reap(u, &more) || unit_keep(u) ||
            store_flush(s, o->arena))
            return explain_failure(o);
    }
    return setup(o, SQL_SETUP_COMPACT);
}

static const char *open_file(const struct opening *o, const struct store_options *options)
{
    struct header h = {0};
    const char *problem;

    if ((problem = setup(o, SQL_SETUP_FILE)) || (problem = read_header(o, &h)) ||
        (problem = check_header(o, &h)))
        return problem;
    if (sqlite3_db_readonly(sql_store_db(o->store)->handle, "main"))
        return not_writable(o);
    if ((problem = setup(o, SQL_SETUP_WAL)) ||
        (problem = setup(o, SQL_SETUP_SYNC_OFF + options->sync)))
        return problem;
    sql_log_watch(&sql_store_db(o->store)->log, sql_store_db(o->store)->handle,
                  options->sync == STORE_SYNC_NORMAL, &sql_store_db(o->store)->room);
    if ((problem = write_first(o, &h)) || (problem = load_store(o)))
        return problem;
    o->store->may_have_doomed = true;
    return options->compact ? compact_file(o) : NULL;
}

/* Keeps other processes from writing the file, as long as the store is open. */
static const char *lock_for_reading(const struct opening *o)
{
    int file = open(o->path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return arena_printf(o->arena, "%s cannot be opened: %s", o->name, strerror(errno));
    sql_store_of(o->store)->reading_lock = file;
    if (platform_lock_for_reading(file, SQLITE_SHARED_FIRST, SQLITE_SHARED_SIZE))
        return NULL;
    return arena_printf(o->arena, "%s is in use by another process or handle", o->name);
}

static const char *open_for_reading(const struct opening *o, bool compact)
{
    struct sql_db *db = sql_store_db(o->store);
    struct header h = {0};
    const char *problem;

    if ((problem = lock_for_reading(o)))
        return problem;
    if (sql_open_for_reading(db, o->arena, o->path) != SQLITE_OK)
        return explain_failure(o);
    if ((problem = setup(o, SQL_SETUP_FILE)) || (problem = read_header(o, &h)) ||
        (problem = check_header(o, &h)))
        return problem;
    if (is_new(&h) || compact)
        return not_writable(o);
    if (h.format < SQL_FORMAT)
        return arena_printf(o->arena,
                            "%s was written by an older mockddb, and cannot be written; open it "
                            "once where it can be",
                            o->name);
    return load_store(o);
}

static const char *open_memory(const struct opening *o)
{
    const struct header fresh = {0};
    const char *problem = setup(o, SQL_SETUP_MEMORY);

    return problem ? problem : write_first(o, &fresh);
}

const char *store_name(const struct store_options *options)
{
    if (options->name)
        return options->name;
    return options->path ? options->path : "the database in memory";
}

void store_start(void)
{
    sql_start();
}

struct store *store_new(void)
{
    struct sql_store *s = process_zeroed(sizeof *s);

    s->store.engine = &store_sqlite;
    s->store.next_space = KEY_FIRST_SPACE;
    s->reading_lock = -1;
    return &s->store;
}

/* Returns NULL and sets *problem if `prepare` fails. */
static struct store *open_store(struct arena *a, const struct store_options *options,
                                const char *(*prepare)(const struct opening *o,
                                                       const struct store_options *options),
                                const char **problem)
{
    const char *path = options->path;
    struct store *s = store_new();
    struct opening o = opening(a, s, options);

    s->in_file = path != NULL;
    if (path && store_is_of_local(path))
        *problem = arena_printf(a, "%s cannot be opened: " STORE_OF_LOCAL, o.name);
    else if (path && options->read_only && access(path, F_OK) == 0 && why_not_writable(&o))
        *problem = open_for_reading(&o, options->compact);
    else if (sql_open(sql_store_db(s),
                      path ? (path[0] == '/' ? path : arena_printf(a, "./%s", path)) : NULL) !=
             SQLITE_OK)
        *problem = explain_failure(&o);
    else
        *problem = prepare(&o, options);
    if (!*problem)
        return s;
    store_free(s);
    return NULL;
}

static const char *open_whole(const struct opening *o, const struct store_options *options)
{
    return options->path ? open_file(o, options) : open_memory(o);
}

struct store *store_sql_open(struct arena *a, const struct store_options *options,
                             const char **problem)
{
    struct store_options next = *options;

    if (!options->path || !(*problem = store_finish_placing(a, options)))
        return open_store(a, options, open_whole, problem);
    if (!options->read_only)
        return NULL;
    next.path = store_next_path(a, options->path); /* the complete file that did not get the name */
    next.name = store_name(options);
    return open_store(a, &next, open_whole, problem);
}

/* --- a copy of another store ------------------------------------------------------------------ */

static const char *open_blank(const struct opening *o, const struct store_options *options)
{
    const char *problem;

    if (!options->path)
        return setup(o, SQL_SETUP_MEMORY);
    problem = setup(o, SQL_SETUP_FILE);
    return problem ? problem : setup(o, SQL_SETUP_COPY);
}

struct store *store_open_blank(struct arena *a, const struct store_options *options,
                               const char **problem)
{
    return open_store(a, options, open_blank, problem);
}

static const char *open_empty(const struct opening *o, const struct store_options *options)
{
    const struct header fresh = {0};
    const char *problem = open_blank(o, options);

    return problem ? problem : write_first(o, &fresh);
}

struct store *store_open_empty(struct arena *a, const struct store_options *options,
                               const char **problem)
{
    return open_store(a, options, open_empty, problem);
}

const char *store_end_rows(struct arena *a, struct store *s, const struct store_options *options)
{
    const struct opening o = opening(a, s, options);

    return store_flush(s, a) ? explain_failure(&o) : setup(&o, SQL_SETUP_WAL);
}

const char *store_take_figures(struct arena *a, struct store *s, const struct store *from,
                               const struct store_options *options)
{
    const struct opening o = opening(a, s, options);
    const char *problem = options->path ? setup(&o, SQL_SETUP_WAL) : NULL;

    return problem ? problem : copy_figures(&o, from);
}

const char *store_explain(struct arena *a, struct store *s, const struct store_options *options)
{
    const struct opening o = opening(a, s, options);

    return explain_failure(&o);
}
