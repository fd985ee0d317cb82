#include "moving/moving_digest.h"

#include "base/digest.h"
#include "model/item_codec.h"
#include "wire/wire_attr.h"

#include <inttypes.h>
#include <stdlib.h>

static int compare_names(const void *a, const void *b)
{
    return span_compare(((const struct field *)a)->name, ((const struct field *)b)->name);
}

static void sort_fields(struct item *it);

static void sort_value(struct attr *value)
{
    if (value->type == ATTR_M)
        sort_fields(&value->map);
    for (size_t i = 0; value->type == ATTR_L && i < value->list.len; i++)
        sort_value(&value->list.at[i]);
}

/* The item was read from JSON, so its values are nested in a limited depth. */
static void sort_fields(struct item *it)
{
    it->order = NULL;
    if (it->len)
        qsort(it->at, it->len, sizeof *it->at, compare_names);
    for (size_t i = 0; i < it->len; i++)
        sort_value(&it->at[i].value);
}

bool moving_digest_of(struct arena *scratch, const wire_node *item, struct moving_digest *out)
{
    unsigned char hash[SHA256_LEN];
    struct buf text = buf_in(scratch);
    struct item it;

    if (wire_read_item(scratch, item, WIRE_LAYER_CURRENT, &it))
        return false;
    sort_fields(&it);
    item_encode(&text, &it);
    digest_sha256(buf_span(&text), hash);
    *out = (struct moving_digest){.items = 1};
    for (size_t i = 0; i < COUNT(out->words); i++)
        for (size_t k = 0; k < sizeof out->words[i]; k++)
            out->words[i] = out->words[i] << 8 | hash[i * sizeof out->words[i] + k];
    return true;
}

void moving_digest_add(struct moving_digest *sum, const struct moving_digest *other)
{
    sum->items += other->items;
    for (size_t i = 0; i < COUNT(sum->words); i++)
        sum->words[i] += other->words[i];
}

bool moving_digest_equal(const struct moving_digest *a, const struct moving_digest *b)
{
    return a->items == b->items && a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

const char *moving_digest_text(struct arena *a, const struct moving_digest *d)
{
    return arena_printf(a, "%016" PRIx64 "%016" PRIx64, d->words[0], d->words[1]);
}

void moving_digest_read(struct span text, struct moving_digest *out)
{
    char digits[17] = {0};

    for (size_t i = 0; i < COUNT(out->words); i++) {
        out->words[i] = 0;
        if (text.len == 32) {
            memcpy(digits, text.at + 16 * i, 16);
            out->words[i] = strtoull(digits, NULL, 16);
        }
    }
}
