#include "moving/moving_text.h"

#include "base/ascii.h"
#include "moving/moving_changes.h"
#include "ops/transfer/transfer_look.h"
#include "templates/template.h"

/* --- JSON ------------------------------------------------------------------------------------- */

/* Members that identify templates, each a bit of looking.seen. */
enum { SEEN_VERSION = 1, SEEN_VALUES = 2, SEEN_STATE = 4, SEEN_RESOURCES = 8, SEEN_OTHERS = 16 };

static const struct {
    const char *name;
    char with;
    unsigned seen;
} template_members[] = {
    {"AWSTemplateFormatVersion", '"', SEEN_RESOURCES}, /* CloudFormation */
    {"Conditions", '{', 0},
    {"Description", '"', 0},
    {"Globals", '{', 0},
    {"Hooks", '{', 0},
    {"Mappings", '{', 0},
    {"Metadata", '{', 0},
    {"Outputs", '{', 0},
    {"Parameters", '{', 0},
    {"Resources", '{', 0},
    {"Rules", '{', 0},
    {"Transform", '"', 0},
    {"Transform", '[', 0},
    {"format_version", '"', SEEN_VERSION}, /* Terraform */
    {"terraform_version", '"', SEEN_VERSION},
    {"lineage", '"', SEEN_VALUES},
    {"planned_values", '{', SEEN_VALUES},
    {"values", '{', SEEN_VALUES},
    {"mockddb_lock", '1', SEEN_STATE},
    {"deployment", '{', 0}, /* Pulumi, SST */
    {"checkpoint", '{', 0},
    {"latest", '{', 0},
};

/* What the first object's members show. */
struct looking {
    bool key_schema, model, manifest, answer; /* names that identify formats */
    bool metadata, keys;                      /* for incremental exports */
    bool inside_table;                        /* in {"Table": …} */
    bool inside_resources, inside_state;      /* of templates */
    unsigned seen;                            /* SEEN_… */
    bool has_item;                            /* {"Item": {…}, …} */
    size_t members, untyped;                  /* untyped: values that DynamoDB does not write */
    size_t typed, nested;                     /* at depth 2: values with a type, and without */
};

static bool begins(const struct transfer_look_member *m, const char *name, char with)
{
    return span_is(m->name, name) && m->value.at[0] == with;
}

static bool is_template(const struct looking *l)
{
    return (l->seen & (SEEN_RESOURCES | SEEN_STATE)) ||
           ((l->seen & SEEN_VALUES) && (l->seen & SEEN_VERSION));
}

static void see_member(struct looking *l, const struct transfer_look_member *m)
{
    size_t i = 0;

    l->members++;
    l->inside_table = begins(m, "Table", '{') || begins(m, "TableDescription", '{');
    l->key_schema |= begins(m, "KeySchema", '[');
    l->model |= begins(m, "DataModel", '[');
    l->manifest |= begins(m, "manifestFilesS3Key", '"') || begins(m, "dataFileS3Key", '"');
    l->answer |= begins(m, "Items", '[');
    l->keys |= begins(m, "Keys", '{');
    l->metadata |= begins(m, "Metadata", '{');
    l->untyped += m->value.at[0] != '{';
    l->has_item |= begins(m, "Item", '{');
    while (i < COUNT(template_members) &&
           !begins(m, template_members[i].name, template_members[i].with))
        i++;
    l->seen |= i < COUNT(template_members) ? template_members[i].seen : SEEN_OTHERS;
    if (span_is(m->name, "format") && span_starts_with(m->value, SPAN_LIT("\"onetable:")))
        l->seen |= SEEN_STATE;
    l->inside_resources = begins(m, "Resources", '{');
    l->inside_state = begins(m, "deployment", '{') || begins(m, "checkpoint", '{') ||
                      begins(m, "latest", '{');
}

static bool see(void *context, const struct transfer_look_member *m)
{
    struct looking *l = context;
    enum attr_type type;

    if (m->depth == 1) {
        see_member(l, m);
    } else {
        bool is_type = attr_type_of_code(m->name, &type);

        l->key_schema |= l->inside_table && begins(m, "KeySchema", '[');
        l->typed += is_type && (m->value.at[0] != '{' || type == ATTR_M);
        l->nested += !is_type || (m->value.at[0] == '{' && type != ATTR_M);
        /* Members of Resources are objects with names of their own, so not {"M": …}. */
        if (l->inside_resources && !(l->seen & SEEN_OTHERS) && m->value.at[0] == '{' &&
            !attr_type_of_code(m->name, &type))
            l->seen |= SEEN_RESOURCES;
        if (l->inside_state &&
            (begins(m, "resources", '[') || begins(m, "manifest", '{') || begins(m, "latest", '{')))
            l->seen |= SEEN_STATE;
    }
    return !is_template(l) && !l->key_schema && !l->model && !l->manifest && !l->answer &&
           !(l->metadata && l->keys);
}

static struct moving_text items(const struct transfer_format *format)
{
    return (struct moving_text){.kind = MOVING_TEXT_ITEMS, .format = format};
}

static struct moving_text changes(const struct transfer_format *format)
{
    return (struct moving_text){.kind = MOVING_TEXT_ITEMS, .format = format, .changes = true};
}

static struct moving_text know_object(struct span text, bool whole)
{
    struct looking l = {.members = 0};
    size_t len = transfer_look(text, see, &l);

    if (l.model)
        return (struct moving_text){.kind = MOVING_TEXT_MODEL};
    if (l.key_schema)
        return (struct moving_text){.kind = MOVING_TEXT_TABLE};
    if (is_template(&l))
        return (struct moving_text){.kind = MOVING_TEXT_TEMPLATE};
    if (l.metadata && l.keys)
        return changes(&moving_changes_json);
    if (l.manifest)
        return (struct moving_text){.kind = MOVING_TEXT_MANIFEST};
    if (!l.answer && !len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (!l.answer && !(l.has_item && l.nested) && (l.untyped || l.nested || l.typed != l.members))
        return items(&transfer_format_jsonl);
    return items(&transfer_format_printed);
}

/* --- all -------------------------------------------------------------------------------------- */

static struct span skip_blanks(struct span text)
{
    return span_from(text, transfer_look_past_blanks(text, 0));
}

struct moving_text moving_text_know(struct span head, bool whole)
{
    static const struct span ion = SPAN_LIT_INIT("$ion_1_0");
    struct span text = skip_blanks(head);
    bool is_list = text.len && text.at[0] == '[';

    if (is_list)
        text = skip_blanks(span_from(text, 1));
    if (!text.len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (text.len && text.at[0] == '{') {
        const struct span inside = skip_blanks(span_from(text, 1));

        return !is_list && inside.len && inside.at[0] != '"' && template_is_yaml(text)
                   ? (struct moving_text){.kind = MOVING_TEXT_TEMPLATE}
                   : know_object(text, whole);
    }
    if (is_list)
        return items(&transfer_format_printed);
    if (!text.len)
        return (struct moving_text){.kind = MOVING_TEXT_EMPTY};
    if (text.len < ion.len && !whole)
        return (struct moving_text){.kind = MOVING_TEXT_UNSURE};
    if (span_starts_with(text, ion))
        return moving_changes_are_in(text) ? changes(&moving_changes_ion)
                                           : items(&transfer_format_ion);
    if (template_is_yaml(text))
        return (struct moving_text){.kind = MOVING_TEXT_TEMPLATE};
    return items(&transfer_format_csv);
}

bool moving_text_is_binary_ion(struct span head)
{
    return span_starts_with(head, SPAN_LIT("\xE0\x01\x00\xEA"));
}

bool moving_text_is_utf16(struct span head)
{
    return span_starts_with(head, SPAN_LIT("\xFF\xFE")) ||
           span_starts_with(head, SPAN_LIT("\xFE\xFF"));
}

struct span moving_text_head(const struct moving_text *text, struct span head, bool whole,
                             const struct transfer_options *options)
{
    struct transfer_frame frame = {.begin = 0};
    struct span line;

    if (text->format == &transfer_format_ion || text->format == &moving_changes_ion)
        return SPAN_LIT("$ion_1_0");
    if (text->format != &transfer_format_csv ||
        text->format->frame(&frame, options, head, whole) != TRANSFER_FRAME_WHOLE)
        return (struct span){"", 0};
    line = (struct span){head.at + frame.begin, frame.at - frame.begin};
    while (line.len && ascii_is_blank(line.at[line.len - 1]))
        line.len--;
    return line;
}
