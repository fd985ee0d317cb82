#include "admin/key_walk.h"

#include "model/key.h"

void key_walk_begin(struct key_walk *w, struct arena *a, struct store *s, const struct table *t,
                    const struct index *ix)
{
    *w = (struct key_walk){
        .store = s,
        .id = schema_id(a, arena_span(a, t->region), arena_span(a, t->name)),
        .index_name = ix ? arena_span(a, ix->name) : (struct span){"", 0},
        .space = ix ? ix->space : t->space,
        .table = t,
        .index = ix,
        .place = buf_in(a),
    };
    key_of_space(&w->place, w->space);
}

bool key_walk_resume(struct key_walk *w)
{
    w->table = store_table(w->store, w->id);
    w->index = w->table && w->index_name.len ? schema_find_index(w->table, w->index_name) : NULL;
    return w->table && (w->index_name.len ? w->index && w->index->space == w->space
                                          : w->table->space == w->space);
}

void key_walk_go_to(struct key_walk *w, struct span key)
{
    w->place.len = 0;
    buf_add_span(&w->place, key);
}

void key_walk_pass(struct key_walk *w, struct span key)
{
    key_walk_go_to(w, key);
    buf_add_char(&w->place, 0);
}
