#define _GNU_SOURCE /* MAP_NORESERVE */
#include "store/store_rebuild.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/platform.h"
#include "model/table_space.h"
#include "store/sqlite/sql_store.h"

/* The relations between rows that a store relies on, and where each is checked:
 *
 *   columns      have the type and the bounds that this program writes            is_*, each row
 *   rows         are in key order, each key once                                   each row
 *   all bytes    of keys and bodies are no more than the file's                    take_bytes
 *   catalog      a row's name is the id of the table that it describes             take_table
 *   entry.id     an entry of an index or a time to live refers to a body           take_link
 *   item.id      each body is owned once, and `shared.others` times more           sum
 *   sharing      a space that owns a shared body, or one with an id of another space,
 *                says so; so does the space whose id it is, unless that is gone    take_owner,
 *                                                                                  check_homes
 *   sharing      no index and no times to live share bodies                        take_sharing
 *   doomed       no table's space is given up, nor one that belongs to no table    take_doomed
 *   ids          do not reach the end of their space's range                       is_id
 *   space        entries and bytes are derived from the entries                    count_entry
 *   next_space   is derived: after all spaces in rows                              note_space
 *   copies       their spaces share bodies as far as the copy has got; its position is
 *                in its source                                                     check_copies
 *
 * worlds/snapshot_check checks the content of the rows of tables, streams, logs, backups and
 * tasks. */

#define SLICE_ROWS  100
#define SLICE_BYTES ((size_t)128 * 1024)

/* We write no longer row: a body comes from a request of at most 16 MB. */
#define LONGEST_ROW ((size_t)32 * 1024 * 1024)
#define LONGEST_KEY ((size_t)128 * 1024)

/* A space needs memory besides the pages; in a file of ours it has more bytes than this. */
#define SPACES_ALWAYS     1000
#define BYTES_OF_SPACE    128
#define ROOM_FOR_UPGRADES ((size_t)4 * 1024 * 1024)

/* What was read of the file is not kept mapped: it would count as much again as the new store. */
#define MAPPED_BYTES ((size_t)4 * 1024 * 1024)
#define WRITTEN_LEN  ((size_t)64 * 1024) /* at its beginning, where opening it writes */

/* A space in the catalog. */
struct owned {
    uint32_t number;
    bool links; /* its entries refer to bodies of another space */
};

struct store_rebuild {
    struct arena *arena;
    char *pages; /* a private mapping */
    size_t len, mapped;
    bool unwritten;     /* opening it wrote into the first page alone */
    size_t unmapped_at; /* what `bytes` was when pages were given back last */
    struct store *from, *to;
    size_t phase;
    bool begun;          /* the phase is reading rows */
    bool shared_more;    /* rows of `shared`, read along with the bodies: */
    int64_t shared_id;   /* the next one */
    int64_t others;      /* … and its value */
    struct owned *owned; /* by number */
    size_t owned_count, owned_room;
    struct spaces doomed,
        homes; /* used as sets; homes: spaces of bodies that others own, without `sharing` */
    uint32_t next_space;
    struct siphash_key hash;
    uint64_t sum; /* over ids: bodies, less their owners */
    size_t bytes; /* of keys and bodies so far */
    int64_t last_id;
    char *last_key;
    size_t last_key_len;
    uint32_t number; /* the space of the last entry … */
    struct space *space;
    bool links, skipped; /* … and its kind */
};

static const char *damaged(void)
{
    return "this snapshot is damaged";
}

/* --- columns ---------------------------------------------------------------------------------- */

static bool is_number(sqlite3_stmt *row, int column, int64_t least, int64_t most, int64_t *out)
{
    *out = sqlite3_column_int64(row, column);
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && *out >= least && *out <= most;
}

static bool is_bytes(sqlite3_stmt *row, int column, struct span *out)
{
    if (sqlite3_column_type(row, column) != SQLITE_BLOB)
        return false;
    *out = sql_column_span(row, column);
    return out->len == 0 || out->at;
}

static bool is_space(sqlite3_stmt *row, int column, uint32_t *out)
{
    int64_t number;

    if (!is_number(row, column, 1, STORE_LAST_SPACE, &number))
        return false;
    *out = (uint32_t)number;
    return true;
}

/* The first half of each range is enough for all ids, and the last one is never reached. */
static bool is_id(int64_t id)
{
    int64_t space = id >> STORE_ID_BITS;

    return space >= 1 && space <= STORE_LAST_SPACE &&
           (id & ((INT64_C(1) << STORE_ID_BITS) - 1)) < INT64_C(1) << (STORE_ID_BITS - 1);
}

static bool take_bytes(struct store_rebuild *r, size_t len)
{
    r->bytes += len;
    return r->bytes <= r->len;
}

/* --- spaces ----------------------------------------------------------------------------------- */

static void note_space(struct store_rebuild *r, uint32_t number)
{
    if (r->next_space <= number)
        r->next_space = number + 1;
}

/* Returns the space in a set; NULL if the file names more spaces than it has room for. */
static struct space *add_space(struct store_rebuild *r, struct spaces *set, uint32_t number)
{
    size_t count = r->to->spaces.count + r->doomed.count + r->homes.count;

    note_space(r, number);
    if (count >= SPACES_ALWAYS + r->len / BYTES_OF_SPACE)
        return NULL;
    return spaces_get(NULL, set, number);
}

static bool shares(const struct store_rebuild *r, uint32_t number)
{
    return store_is_sharing(r->to, number);
}

static int by_number(const void *left, const void *right)
{
    const struct owned *a = left, *b = right;

    return a->number < b->number ? -1 : a->number > b->number;
}

/* The catalog's entry for the space, or NULL. */
static const struct owned *find_owned(const struct store_rebuild *r, uint32_t number)
{
    const struct owned wanted = {.number = number};

    return r->owned_count ? bsearch(&wanted, r->owned, r->owned_count, sizeof wanted, by_number)
                          : NULL;
}

static bool follows(struct store_rebuild *r, struct span key)
{
    if (span_compare(key, (struct span){r->last_key, r->last_key_len}) <= 0)
        return false;
    memcpy(r->last_key, key.at, key.len);
    r->last_key_len = key.len;
    return true;
}

/* --- small tables ----------------------------------------------------------------------------- */

static bool insert_pair(struct store_rebuild *r, enum sql which, int64_t one, int64_t two)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(r->to), which);

    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, one);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, two);
    return sql_finish(statement) == SQLITE_OK;
}

static bool know_spaces(struct store_rebuild *r, struct arena *a, const struct table *t)
{
    size_t count;
    const struct table_space *spaces = table_space_list(a, t, &count);

    for (size_t n = 0; n < count; n++) {
        if (spaces[n].number < KEY_FIRST_SPACE || spaces[n].number > STORE_LAST_SPACE)
            return false;
        note_space(r, spaces[n].number);
        if (r->owned_count == r->owned_room) {
            r->owned_room = r->owned_room ? 2 * r->owned_room : 64;
            r->owned = process_realloc(r->owned, r->owned_room * sizeof *r->owned);
        }
        r->owned[r->owned_count++] = (struct owned){spaces[n].number, spaces[n].links};
    }
    return true;
}

/* The table is not kept: a file may have many of them, and a snapshot needs none. */
static bool take_table(struct store_rebuild *r, sqlite3_stmt *row)
{
    sqlite3_stmt *put = sql_statement(sql_store_db(r->to), SQL_TABLE_PUT);
    struct span name, body;
    struct table *t;
    bool sound;

    if (!put || !is_bytes(row, 0, &name) || !is_bytes(row, 1, &body) || name.len > LONGEST_KEY ||
        !follows(r, name) || !take_bytes(r, name.len + body.len) ||
        !(t = schema_decode(NULL, body)))
        return false;
    sound = span_equal(name, schema_id(t->arena, t->region, t->name)) &&
            know_spaces(r, t->arena, t);
    schema_free(t);
    if (!sound)
        return false;
    r->to->unread++;
    sql_bind_span(put, 1, name);
    sql_bind_span(put, 2, body);
    return sql_finish(put) == SQLITE_OK;
}

static bool end_tables(struct store_rebuild *r)
{
    r->last_key_len = 0;
    if (r->owned_count)
        qsort(r->owned, r->owned_count, sizeof *r->owned, by_number);
    return true;
}

static bool take_sharing(struct store_rebuild *r, sqlite3_stmt *row)
{
    const struct owned *owned;
    struct space *space;
    uint32_t number;
    int64_t below;

    if (!is_space(row, 0, &number) || !is_number(row, 1, 1, INT64_MAX, &below) || !is_id(below) ||
        below >= store_first_id(number + 1) || ((owned = find_owned(r, number)) && owned->links) ||
        !(space = add_space(r, &r->to->spaces, number)))
        return false;
    note_space(r, (uint32_t)(below >> STORE_ID_BITS));
    space->shared_below = below;
    return insert_pair(r, SQL_SHARING_PUT, number, below);
}

/* Of given-up spaces that share nothing, neither entries nor bodies are taken. */
static bool take_doomed(struct store_rebuild *r, sqlite3_stmt *row)
{
    uint32_t number;

    if (!is_space(row, 0, &number) || number < KEY_FIRST_SPACE || find_owned(r, number) ||
        !add_space(r, &r->doomed, number))
        return false;
    return insert_pair(r, SQL_DOOMED_PUT, number, 0);
}

static bool take_meta(struct store_rebuild *r, sqlite3_stmt *row)
{
    struct span name = sql_column_span(row, 0);
    int64_t value;

    if (sqlite3_column_type(row, 0) != SQLITE_TEXT)
        return false;
    if (span_is(name, STORE_META_NUMBER)) {
        if (!is_number(row, 1, 0, INT64_MAX / 2, &value))
            return false;
        r->to->number = (uint64_t)value;
        return true;
    }
    if (!span_is(name, STORE_META_SPACE) ||
        !is_number(row, 1, 1, (int64_t)STORE_LAST_SPACE + 1, &value))
        return false;
    note_space(r, (uint32_t)value - 1);
    return true;
}

/* Counts are derived by now; rows of deleted spaces may remain. */
static bool take_space(struct store_rebuild *r, sqlite3_stmt *row)
{
    const int64_t most = 0xfffffffffffff;
    int64_t entries, bytes, spared;
    struct space *space;
    uint32_t number;

    if (!is_space(row, 0, &number) || !is_number(row, 1, 0, most, &entries) ||
        !is_number(row, 2, 0, most, &bytes) || !is_number(row, 3, -most, most, &spared))
        return false;
    space = spaces_find(&r->to->spaces, number);
    if (space && space->now.entries)
        space->now.spared = spared;
    note_space(r, number);
    return true;
}

/* --- bodies ----------------------------------------------------------------------------------- */

static uint64_t hash_id(const struct store_rebuild *r, int64_t id)
{
    return siphash(&r->hash, (struct span){(const char *)&id, sizeof id});
}

/* Reads the next row of `shared`. */
static bool next_shared(struct store_rebuild *r)
{
    sqlite3_stmt *row = sql_statement(sql_store_db(r->from), SQL_SHARED_ALL);
    int64_t before = r->shared_id;
    int result = row ? sqlite3_step(row) : SQLITE_ERROR;

    r->shared_more = result == SQLITE_ROW;
    if (r->shared_more)
        return is_number(row, 0, before + 1, INT64_MAX, &r->shared_id) &&
               is_number(row, 1, 1, INT32_MAX, &r->others);
    return result == SQLITE_DONE && sqlite3_reset(row) == SQLITE_OK;
}

/* The space in the id of a body that has further, or only, other owners. */
static bool take_home(struct store_rebuild *r, int64_t id)
{
    uint32_t home = (uint32_t)(id >> STORE_ID_BITS);
    const struct space *space = spaces_find(&r->to->spaces, home);

    if (space && space->shared_below)
        return id < space->shared_below;
    return add_space(r, &r->homes, home) != NULL;
}

/* Pages that were read come from the file again where they are needed again. */
static void give_back_pages(struct store_rebuild *r)
{
    if (!r->unwritten || r->bytes - r->unmapped_at < MAPPED_BYTES)
        return;
    platform_forget_pages(r->pages + WRITTEN_LEN, r->len - WRITTEN_LEN);
    r->unmapped_at = r->bytes;
}

static sqlite3_blob *open_body(struct sql_db *db, int64_t id, int writes)
{
    sqlite3_blob *blob = NULL;

    if (sqlite3_blob_open(db->handle, "main", "item", "body", id, writes, &blob) == SQLITE_OK)
        return blob;
    (void)sqlite3_blob_close(blob);
    return NULL;
}

/* Copies a long body in parts: SQLite would need it three times at once. */
static bool copy_long_body(struct store_rebuild *r, sqlite3_stmt *put, int64_t id, int len)
{
    sqlite3_blob *from, *to = NULL;
    char part[16 * 1024];
    bool copied;

    if ((size_t)len > r->len - r->bytes)
        return false;
    sqlite3_bind_int64(put, 1, id);
    sqlite3_bind_zeroblob(put, 2, len);
    if (sql_finish(put) != SQLITE_OK)
        return false;
    from = open_body(sql_store_db(r->from), id, 0);
    copied = from && sqlite3_blob_bytes(from) == len &&
             (to = open_body(sql_store_db(r->to), id, 1));
    for (int at = 0, next; copied && at < len; at = next) {
        next = len - at < (int)sizeof part ? len : at + (int)sizeof part;
        copied = take_bytes(r, (size_t)(next - at)) &&
                 sqlite3_blob_read(from, part, next - at, at) == SQLITE_OK &&
                 sqlite3_blob_write(to, part, next - at, at) == SQLITE_OK;
        give_back_pages(r);
    }
    (void)sqlite3_blob_close(from);
    return sqlite3_blob_close(to) == SQLITE_OK && copied;
}

/* The body of a long row is NULL here. */
static bool take_item(struct store_rebuild *r, sqlite3_stmt *row)
{
    sqlite3_stmt *put = sql_statement(sql_store_db(r->to), SQL_ITEM_INSERT);
    bool is_long = sqlite3_column_type(row, 1) == SQLITE_NULL;
    struct span body = {NULL, 0};
    int64_t id, len;

    if (!put || !is_number(row, 0, r->last_id + 1, INT64_MAX, &id) || !is_id(id) ||
        (!is_long && !is_bytes(row, 1, &body)) || !is_number(row, 2, 0, LONGEST_ROW, &len) ||
        !take_bytes(r, body.len) || (!r->last_id && !next_shared(r)) ||
        (r->shared_more && r->shared_id < id))
        return false;
    r->last_id = id;
    note_space(r, (uint32_t)(id >> STORE_ID_BITS));
    if (spaces_find(&r->doomed, (uint32_t)(id >> STORE_ID_BITS)) &&
        !shares(r, (uint32_t)(id >> STORE_ID_BITS)))
        return true;
    r->sum += hash_id(r, id);
    if (r->shared_more && r->shared_id == id) {
        r->sum += (uint64_t)r->others * hash_id(r, id);
        if (!take_home(r, id) || !insert_pair(r, SQL_SHARED_PUT, id, r->others) || !next_shared(r))
            return false;
    }
    if (is_long)
        return copy_long_body(r, put, id, (int)len);
    sqlite3_bind_int64(put, 1, id);
    sql_bind_span(put, 2, body);
    return sql_finish(put) == SQLITE_OK;
}

/* Every row of `shared` must have a body. */
static bool end_items(struct store_rebuild *r)
{
    return (r->last_id || next_shared(r)) && !r->shared_more;
}

/* --- entries ---------------------------------------------------------------------------------- */

static bool begin_space(struct store_rebuild *r, uint32_t number)
{
    const struct owned *owned = find_owned(r, number);
    bool doomed = spaces_find(&r->doomed, number) != NULL;

    if (number < 1 || number > STORE_LAST_SPACE)
        return false;
    r->number = number;
    r->links = owned && owned->links;
    r->skipped = doomed && !shares(r, number);
    r->space = NULL; /* given-up spaces are not counted */
    return doomed || (r->space = add_space(r, &r->to->spaces, number));
}

/* An entry of an index, or of a time to live. */
static bool take_link(struct store_rebuild *r, int64_t id)
{
    sqlite3_stmt *find = sql_statement(sql_store_db(r->to), SQL_ITEM_EXISTS);
    bool found;

    if (!find)
        return false;
    sqlite3_bind_int64(find, 1, id);
    found = sqlite3_step(find) == SQLITE_ROW;
    sqlite3_reset(find);
    return found;
}

/* An entry that owns a body. */
static bool take_owner(struct store_rebuild *r, int64_t id)
{
    const struct space *space = spaces_find(&r->to->spaces, r->number);

    r->sum -= hash_id(r, id);
    if ((uint32_t)(id >> STORE_ID_BITS) == r->number)
        return true;
    return space && id < space->shared_below && take_home(r, id);
}

static bool take_entry(struct store_rebuild *r, sqlite3_stmt *row)
{
    sqlite3_stmt *put = sql_statement(sql_store_db(r->to), SQL_ENTRY_INSERT);
    int64_t id, size;
    struct span key;

    if (!put || !is_bytes(row, 0, &key) || key.len < KEY_SPACE_LEN || key.len > LONGEST_KEY ||
        !is_number(row, 1, 1, INT64_MAX, &id) || !is_number(row, 2, 0, UINT32_MAX, &size) ||
        !is_id(id) || !follows(r, key) || !take_bytes(r, key.len))
        return false;
    if (store_space_of(key) != r->number && !begin_space(r, store_space_of(key)))
        return false;
    if (r->skipped)
        return true;
    if (r->links ? !take_link(r, id) : !take_owner(r, id))
        return false;
    if (r->space) {
        r->space->now.entries++;
        r->space->now.bytes += size;
    }
    sql_bind_span(put, 1, key);
    sqlite3_bind_int64(put, 2, id);
    sqlite3_bind_int64(put, 3, size);
    return sql_finish(put) == SQLITE_OK;
}

/* A space whose bodies others own, without a row of `sharing`, must be gone: otherwise dropping it
 * would delete those bodies. */
static bool check_homes(const struct store_rebuild *r)
{
    for (size_t i = 0; i < r->homes.count; i++) {
        uint32_t number = r->homes.at[i]->number;

        if (find_owned(r, number) || store_stats(r->to, number).entries)
            return false;
    }
    return true;
}

static bool end_entries(struct store_rebuild *r)
{
    return r->sum == 0 && check_homes(r);
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool check_copies(struct store_rebuild *r)
{
    const struct store *s = r->to;
    int64_t count = 0;

    for (uint32_t to = 0; (to = space_copy_next(s, to)); count++) {
        const struct space *source, *copy;
        struct space_copy_state c;

        if (!space_copy_find(s, to, &c) || c.from < KEY_FIRST_SPACE || c.from > STORE_LAST_SPACE ||
            to <= c.from || to > STORE_LAST_SPACE ||
            (c.position.len && c.position.len < KEY_SPACE_LEN) ||
            (c.position.len && store_space_of(c.position) != c.from))
            return false;
        source = spaces_find(&s->spaces, c.from);
        copy = spaces_find(&s->spaces, to);
        if (!source || !copy || source->shared_below < c.end_id || copy->shared_below < c.end_id ||
            spaces_find(&r->doomed, to))
            return false;
    }
    return count == store_stats(s, KEY_SPACE_COPIES).entries;
}

static bool finish_rows(struct store_rebuild *r)
{
    struct store *s = r->to;

    for (size_t i = 0; i < s->spaces.count; i++)
        s->spaces.at[i]->kept = s->spaces.at[i]->flushed = s->spaces.at[i]->now;
    if (r->next_space > STORE_LAST_SPACE + 1)
        return false;
    s->next_space = r->next_space;
    s->may_have_doomed = true;
    return store_save_meta(s, STORE_META_SPACE, s->next_space) == SQLITE_OK &&
           store_save_meta(s, STORE_META_NUMBER, (int64_t)s->number) == SQLITE_OK &&
           sql_run(sql_store_db(s), SQL_COMMIT) == SQLITE_OK && !store_load_copies(s, r->arena) &&
           check_copies(r);
}

/* --- slices ----------------------------------------------------------------------------------- */

/* In order: each phase may look up rows of earlier ones. */
static const struct {
    enum sql rows;
    bool (*take)(struct store_rebuild *r, sqlite3_stmt *row);
    bool (*end)(struct store_rebuild *r); /* may be NULL */
} phases[] = {
    {SQL_CATALOG_ALL, take_table, end_tables}, {SQL_SHARING_ALL, take_sharing, NULL},
    {SQL_DOOMED_ALL, take_doomed, NULL},       {SQL_META_ALL, take_meta, NULL},
    {SQL_ITEM_ALL, take_item, end_items},      {SQL_ENTRY_ALL, take_entry, end_entries},
    {SQL_SPACE_ALL, take_space, finish_rows},
};

const char *store_rebuild_step(struct store_rebuild *r, bool *more)
{
    sqlite3_stmt *row = sql_statement(sql_store_db(r->from), phases[r->phase].rows);
    size_t end = r->bytes + SLICE_BYTES;
    int result = SQLITE_ROW;

    *more = true;
    for (int i = 0; row && i < SLICE_ROWS && r->bytes < end; i++) {
        if ((result = sqlite3_step(row)) != SQLITE_ROW)
            break;
        if (!phases[r->phase].take(r, row))
            return damaged();
    }
    give_back_pages(r);
    if (row && result == SQLITE_ROW)
        return NULL;
    if (!row || result != SQLITE_DONE || sqlite3_reset(row) != SQLITE_OK)
        return damaged();
    if (phases[r->phase].end && !phases[r->phase].end(r))
        return damaged();
    *more = ++r->phase < COUNT(phases);
    return NULL;
}

struct store *store_rebuild_take(struct store_rebuild *r)
{
    struct store *s = r->to;

    r->to = NULL;
    return s;
}

/* --- beginning and ending --------------------------------------------------------------------- */

/* Maps the file's bytes privately, with room for the pages that an older format lacks. */
static bool map_pages(struct store_rebuild *r, int fd)
{
    r->mapped = r->len + ROOM_FOR_UPGRADES;
    r->pages = platform_reserve(r->mapped);
    return r->pages && mmap(r->pages, r->len, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, 0) != MAP_FAILED;
}

/* Two bytes of SQLite's header say whether the file has a write-ahead log, which bytes in memory
 * cannot have. */
#define FORMATS_AT 18
#define VERSION_AT 60 /* the store's format */
#define LEAST_LEN  512

static const char *open_source(struct store_rebuild *r, int fd)
{
    struct sql_db *db = sql_store_db(r->from);

    if (r->len < LEAST_LEN)
        return damaged();
    if (!map_pages(r, fd))
        return "there is no room for the file";
    r->pages[FORMATS_AT] = r->pages[FORMATS_AT + 1] = 1;
    r->unwritten = r->len > WRITTEN_LEN &&
                   span_big_endian((struct span){r->pages + VERSION_AT, 4}) == SQL_FORMAT;
    if (sql_open(db, NULL) != SQLITE_OK ||
        sql_take_pages(db, r->pages, r->len, r->mapped) != SQLITE_OK)
        return damaged();
    sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH,
                  (int)(r->len < LONGEST_ROW ? r->len : LONGEST_ROW));
    return store_open_pages(r->from, r->arena);
}

struct store_rebuild *store_rebuild_begin(struct arena *a, int fd, size_t len, const char **problem)
{
    struct store_rebuild *r = process_zeroed(sizeof *r);

    *r = (struct store_rebuild){.arena = a,
                                .len = len,
                                .from = store_new(),
                                .next_space = KEY_FIRST_SPACE,
                                .hash = siphash_random_key(),
                                .last_key = process_malloc(LONGEST_KEY)};
    if (!(*problem = open_source(r, fd)) &&
        (r->to = store_sql_open(a, &(struct store_options){.path = NULL}, problem)) &&
        sql_run(sql_store_db(r->to), SQL_BEGIN) != SQLITE_OK)
        *problem = damaged();
    return r;
}

void store_rebuild_free(struct store_rebuild *r)
{
    if (!r)
        return;
    store_free(r->to);
    store_free(r->from);
    if (r->pages)
        (void)munmap(r->pages, r->mapped);
    spaces_free(&r->doomed);
    spaces_free(&r->homes);
    free(r->last_key);
    free(r->owned);
    free(r);
}
