#include "moving/moving_changes.h"

#include "ops/transfer/ion_text.h"
#include "ops/transfer/transfer_frame.h"
#include "wire/wire_node.h"

/* A member beside "Item": the record is the key of a deleted item. */
#define GONE "Gone"

bool moving_changes_is_gone(const struct transfer_record *record)
{
    return wire_get(record->object, GONE) != NULL;
}

bool moving_changes_are_in(struct span ion)
{
    static const char *const names[] = {"Record", "Metadata", "Keys", "OldImage", "NewImage"};
    const char *brace = span_find(ion, '{');
    struct span text = brace ? span_from(ion, (size_t)(brace + 1 - ion.at)) : (struct span){"", 0};

    while (text.len && span_has(SPAN_LIT(" \t\r\n'\""), text.at[0]))
        text = span_from(text, 1);
    for (size_t i = 0; i < COUNT(names); i++)
        if (span_starts_with(text, span_of(names[i])))
            return true;
    return false;
}

/* --- records ---------------------------------------------------------------------------------- */

static bool set_problem(struct transfer_problem *problem, const char *text)
{
    *problem = (struct transfer_problem){.text = text, .of_item = true};
    return false;
}

/* Adds the attributes that the other item does not have. */
static void put_attributes(struct buf *out, const wire_node *item, const wire_node *other)
{
    for (const wire_node *n = wire_first(item); n; n = wire_next(n)) {
        if (wire_get_span(other, wire_name(n)))
            continue;
        if (out->at[out->len - 1] != '{')
            buf_add_char(out, ',');
        buf_add_json_string(out, wire_name(n));
        buf_add_char(out, ':');
        buf_add_span(out, wire_raw(n));
    }
}

static bool put_change(struct buf *json, const wire_node *keys, const wire_node *image,
                       struct transfer_problem *problem)
{
    if (!keys || !wire_is_object(keys))
        return set_problem(problem, "a change has the key of its item, in Keys");
    if (image && !wire_is_object(image))
        return set_problem(problem, "NewImage is not an item");
    buf_add_text(json, "{\"Item\":{");
    put_attributes(json, keys, image);
    put_attributes(json, image, NULL);
    buf_add_text(json, image ? "}}" : "},\"" GONE "\":true}");
    return true;
}

static bool parse_change(struct arena *a, const struct transfer_options *options, struct span text,
                         const wire_node **out)
{
    static const struct siphash_key none = {{0, 0}};

    return !wire_parse_keyed(a, text, options->key ? options->key : &none, out);
}

static bool read_json(struct arena *a, const struct transfer_options *options, struct span record,
                      struct buf *json, struct transfer_problem *problem)
{
    const wire_node *change;

    if (!parse_change(a, options, record, &change)) {
        *problem = (struct transfer_problem){
            .text = "this is no JSON in UTF-8", .at = wire_error_at(a, record), .of_item = false};
        return false;
    }
    return put_change(json, wire_get(change, "Keys"), wire_get(change, "NewImage"), problem);
}

/* Returns the value of a struct's member, or NULL; `of` itself if it is not a struct. */
static const wire_node *member(const wire_node *of, const char *name)
{
    const wire_node *value = wire_get(of, name), *members = wire_get(value, "M");

    return members ? members : value;
}

static bool read_ion(struct arena *a, const struct transfer_options *options, struct span record,
                     struct buf *json, struct transfer_problem *problem)
{
    struct buf typed = buf_in(a);
    const wire_node *change, *inside;

    if (!ion_text_read_struct(a, record, &typed, problem))
        return false;
    if (!parse_change(a, options, buf_span(&typed), &change))
        return set_problem(problem, "this is not Ion in UTF-8");
    inside = member(change, "Record");
    if (!inside)
        inside = change;
    return put_change(json, member(inside, "Keys"), member(inside, "NewImage"), problem);
}

/* --- the formats ------------------------------------------------------------------------------ */

const struct transfer_format moving_changes_json = {
    .name = "changes",
    .ending = ".json",
    .frame = transfer_frame_json,
    .wrong_at = wire_error_at,
    .read = read_json,
};

const struct transfer_format moving_changes_ion = {
    .name = "changes in Ion", .ending = ".ion", .frame = ion_text_frame, .read = read_ion};
