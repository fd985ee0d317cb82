#include "store/convert.h"

#include <stdlib.h>

#include "base/process.h"
#include "model/table_space.h"
#include "store/cursor.h"
#include "store/space_copy.h"
#include "store/store_core.h"

#define SLICE_ENTRIES 200
#define SLICE_TABLES  20

/* The copy's row for a row of the source: by their handles. */
struct owner {
    int64_t from, to;
};

enum stage { TABLES, OWNERS, COPIES, LINKS, FIGURES, DONE };

struct convert {
    struct store *from, *to;
    enum stage stage;
    struct arena *arena; /* ids of tables */
    struct span table;   /* the id of the last one */
    size_t space;        /* index of the space that is copied, in the source's list */
    struct buf position; /* its last key; empty: none */
    uint32_t copy;       /* the copy in progress that is completed */
    uint32_t *links;     /* spaces whose entries refer to other bodies, in order */
    size_t link_count, link_room;
    struct owner *owners; /* by hash of `from`, which is not 0 */
    size_t owner_count, owner_room;
};

struct convert *convert_new(struct store *from, struct store *to)
{
    struct convert *c = process_zeroed(sizeof *c);

    c->from = from;
    c->to = to;
    c->arena = arena_new();
    c->position = buf_in(c->arena);
    c->table = (struct span){"", 0};
    return c;
}

void convert_free(struct convert *c)
{
    if (!c)
        return;
    arena_free(c->arena);
    free(c->links);
    free(c->owners);
    free(c);
}

/* --- owners of bodies ------------------------------------------------------------------------- */

static struct owner *find_owner(struct convert *c, int64_t from)
{
    size_t at = (size_t)((uint64_t)from * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (c->owner_room - 1);

    while (c->owners[at].from && c->owners[at].from != from)
        at = (at + 1) & (c->owner_room - 1);
    return &c->owners[at];
}

static void make_room(struct convert *c)
{
    struct owner *before = c->owners;
    size_t room = c->owner_room;

    if (2 * (c->owner_count + 1) <= room)
        return;
    c->owner_room = room ? 2 * room : 1024;
    c->owners = process_zeroed(c->owner_room * sizeof *c->owners);
    for (size_t i = 0; i < room; i++)
        if (before[i].from)
            *find_owner(c, before[i].from) = before[i];
    free(before);
}

/* --- spaces ----------------------------------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static bool is_link(const struct convert *c, uint32_t space)
{
    return c->link_count && bsearch(&space, c->links, c->link_count, sizeof *c->links, by_number);
}

static void note_links(struct convert *c, const struct table *t)
{
    size_t count;
    const struct table_space *spaces = table_space_list(c->arena, t, &count);

    for (size_t i = 0; i < count; i++) {
        if (!spaces[i].links)
            continue;
        c->links = process_one_more(c->links, c->link_count, &c->link_room, sizeof *c->links);
        c->links[c->link_count++] = spaces[i].number;
    }
}

/* --- slices ----------------------------------------------------------------------------------- */

static const struct error *copy_tables(struct convert *c, struct unit *to, bool *all)
{
    const struct table *t;
    struct table *copy;
    const struct error *e = NULL;

    for (int i = 0; !e && i < SLICE_TABLES; i++) {
        if (!(t = store_table_after(c->from, c->table))) {
            *all = true;
            break;
        }
        c->table = schema_id(c->arena, t->region, t->name);
        note_links(c, t);
        copy = schema_copy(NULL, t);
        copy->version = 0; /* it is new there */
        e = unit_put_table(to, copy);
    }
    if (*all && c->link_count)
        qsort(c->links, c->link_count, sizeof *c->links, by_number);
    return e;
}

/* Copies an entry that owns its body, alone or with others. */
static const struct error *copy_owner(struct convert *c, struct unit *to, struct span key,
                                      const struct store_row *row)
{
    struct store_row copy = {.key = key};
    const struct error *e;
    struct owner *owner;

    make_room(c);
    owner = find_owner(c, row->handle);
    if (owner->from) {
        copy.handle = owner->to;
        copy.size = row->size;
        return c->to->engine->share(to, key, &copy);
    }
    if ((e = unit_put(to, &copy, row->size, row->body)))
        return e;
    *owner = (struct owner){row->handle, copy.handle};
    c->owner_count++;
    return NULL;
}

static const struct error *copy_link(struct convert *c, struct unit *to,
                                     const struct store_row *row)
{
    struct store_row entry = {.key = row->key}, owner = {.found = true};

    if (!c->owner_room)
        return error_internal(to->arena);
    owner.handle = find_owner(c, c->from->engine->owner(row))->to;
    return owner.handle ? unit_link(to, &entry, &owner, row->size) : error_internal(to->arena);
}

/* Copies entries of a space behind the position. */
static const struct error *copy_space(struct convert *c, struct unit *from, struct unit *to,
                                      uint32_t space, bool links, bool *all)
{
    struct store_range range = cursor_range_behind(from->arena, space, buf_span(&c->position));
    const struct error *e = NULL;
    struct cursor *cursor;
    struct store_row row;

    range.keys_only = links;
    cursor = cursor_open(from, range);
    for (int i = 0; !e && i < SLICE_ENTRIES; i++) {
        if ((e = cursor_next(cursor, &row)) || !row.found) {
            *all = !e;
            break;
        }
        c->position.len = 0;
        buf_add_span(&c->position, row.key);
        row.key = arena_span(to->arena, row.key);
        e = links ? copy_link(c, to, &row) : copy_owner(c, to, row.key, &row);
    }
    cursor_close(cursor);
    return e;
}

/* Copies the spaces of the source that own bodies, or those that do not, one slice of one. */
static const struct error *copy_spaces(struct convert *c, struct unit *from, struct unit *to,
                                       bool links, bool *all)
{
    const struct spaces *spaces = &c->from->spaces;
    const struct error *e;
    bool done = false;

    while (c->space < spaces->count &&
           (is_link(c, spaces->at[c->space]->number) != links ||
            spaces->at[c->space]->number == KEY_SPACE_COPIES || !spaces->at[c->space]->now.entries))
        c->space++;
    if (c->space == spaces->count) {
        *all = true;
        c->space = 0;
        return NULL;
    }
    if ((e = copy_space(c, from, to, spaces->at[c->space]->number, links, &done)))
        return e;
    if (done) {
        c->space++;
        c->position.len = 0;
    }
    return NULL;
}

/* Adds the entries that a copy in progress has not copied. */
static const struct error *complete_copies(struct convert *c, struct unit *from, struct unit *to,
                                           bool *all)
{
    struct space_copy_state state;
    const struct error *e = NULL;
    struct store_range range;
    struct cursor *cursor;
    struct store_row row;

    if (!c->copy && !(c->copy = space_copy_next(c->from, 0))) {
        *all = true;
        return NULL;
    }
    if (!space_copy_find(c->from, c->copy, &state))
        return error_internal(to->arena);
    range = cursor_range_behind(from->arena, state.from,
                                c->position.len ? buf_span(&c->position) : state.position);
    cursor = cursor_open(from, range);
    for (int i = 0; !e && i < SLICE_ENTRIES; i++) {
        struct buf key = buf_in(to->arena);

        if ((e = cursor_next(cursor, &row)))
            break;
        if (!row.found) {
            c->position.len = 0;
            *all = !(c->copy = space_copy_next(c->from, c->copy));
            break;
        }
        c->position.len = 0;
        buf_add_span(&c->position, row.key);
        key_of_space(&key, c->copy);
        buf_add_span(&key, span_from(row.key, KEY_SPACE_LEN));
        if (row.handle < state.end_id)
            e = copy_owner(c, to, buf_span(&key), &row);
    }
    cursor_close(cursor);
    return e;
}

/* What spaces count besides their entries, and the numbers to come. */
static const struct error *copy_figures(struct convert *c, struct unit *to)
{
    const struct spaces *spaces = &c->from->spaces;
    const struct error *e;

    for (size_t i = 0; i < spaces->count; i++)
        unit_spare(to, spaces->at[i]->number, spaces->at[i]->now.spared);
    c->to->number = c->from->number;
    c->to->next_space = c->from->next_space - 1;
    if ((e = c->to->engine->number_space(to, 0)))
        return e;
    c->to->next_space++;
    return NULL;
}

static const struct error *copy_slice(struct convert *c, struct unit *from, struct unit *to)
{
    const struct error *e = NULL;
    bool all = false;

    switch (c->stage) {
    case TABLES:
        e = copy_tables(c, to, &all);
        break;
    case OWNERS:
    case LINKS:
        e = copy_spaces(c, from, to, c->stage == LINKS, &all);
        break;
    case COPIES:
        e = complete_copies(c, from, to, &all);
        break;
    case FIGURES:
        e = copy_figures(c, to);
        all = !e;
        break;
    default:
        break;
    }
    if (all)
        c->stage++;
    return e;
}

const struct error *convert_step(struct convert *c, struct arena *a, bool *more)
{
    struct unit *from, *to;
    const struct error *e = unit_begin(c->from, a, UNIT_READS, &from);

    *more = false;
    if (e)
        return e;
    if (!(e = unit_begin(c->to, a, UNIT_WRITES, &to))) {
        if ((e = copy_slice(c, from, to)))
            unit_undo(to);
        else
            e = unit_keep(to);
    }
    unit_undo(from);
    *more = !e && c->stage != DONE;
    return e;
}
