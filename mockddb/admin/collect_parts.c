#include "admin/collect_parts.h"

#include "base/hash.h"

#include <stdlib.h>

#define CHAINS 1024 /* a power of two */

struct collect_parts {
    struct arena *arena;
    struct collect_part *chains[CHAINS];
    size_t count;
    struct collect_part others; /* without a text */
};

struct collect_parts *collect_parts_new(struct arena *a)
{
    struct collect_parts *p = arena_alloc(a, sizeof *p);

    p->arena = a;
    return p;
}

struct collect_part *collect_parts_find(struct collect_parts *p, struct span text)
{
    struct collect_part **chain = &p->chains[hash_bytes(text) & (CHAINS - 1)], *x = *chain;

    while (x && !span_equal(x->text, text))
        x = x->next;
    if (x)
        return x;
    if (p->count == COLLECT_PARTS)
        return &p->others;
    x = arena_alloc(p->arena, sizeof *x);
    *x = (struct collect_part){.next = *chain, .text = arena_span(p->arena, text)};
    *chain = x;
    p->count++;
    return x;
}

static int by_text(const void *one, const void *two)
{
    const struct collect_part *a = *(struct collect_part *const *)one;
    const struct collect_part *b = *(struct collect_part *const *)two;

    return span_compare(a->text, b->text);
}

static int by_items_down(const void *one, const void *two)
{
    const struct collect_part *a = *(struct collect_part *const *)one;
    const struct collect_part *b = *(struct collect_part *const *)two;
    int order = (a->items < b->items) - (a->items > b->items);

    return order ? order : by_text(one, two);
}

static void put_counts(struct wire_writer *w, const struct collect_part *x)
{
    wire_put_member_integer(w, "keys", (int64_t)x->keys);
    wire_put_member_integer(w, "whole", (int64_t)x->whole);
    wire_put_member_integer(w, "items", (int64_t)x->items);
    wire_put_member_integer(w, "bytes", (int64_t)x->bytes);
    wire_put_member_bool(w, "cut", x->cut);
}

void collect_parts_show(struct collect_parts *p, bool by_items, size_t limit, struct wire_writer *w)
{
    struct collect_part **all = arena_array(p->arena, p->count + 1, sizeof(struct collect_part *));
    struct collect_part others = p->others;
    size_t count = 0;

    for (size_t i = 0; i < CHAINS; i++)
        for (struct collect_part *x = p->chains[i]; x; x = x->next)
            all[count++] = x;
    qsort(all, count, sizeof *all, by_items ? by_items_down : by_text);
    wire_open_member(w, "parts", '[');
    for (size_t i = 0; i < count && i < limit; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "part", all[i]->text);
        put_counts(w, all[i]);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    for (size_t i = limit; i < count; i++) {
        others.keys += all[i]->keys;
        others.whole += all[i]->whole;
        others.items += all[i]->items;
        others.bytes += all[i]->bytes;
        others.cut |= all[i]->cut;
    }
    wire_open_member(w, "other_parts", '{');
    put_counts(w, &others);
    wire_close(w, '}');
}
