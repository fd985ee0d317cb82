#include "templates/template_yaml.h"

#include "base/cut.h"
#include "base/one_more.h"
#include "model/limits.h"

#include <yaml.h>

struct yaml_anchor {
    struct span name;
    const struct template_node *node;
    size_t nodes, levels; /* in it, with those of its aliases */
};

struct yaml_reading {
    struct arena *arena;
    struct span text;
    yaml_parser_t parser;
    struct yaml_anchor *anchors;
    size_t anchor_count;
    /* So far. An alias counts as a copy of its anchor: a walk over the tree meets it as one. */
    size_t nodes, deepest;
};

/* --- faults ----------------------------------------------------------------------------------- */

/* The parser counts lines and columns from 0. */
static struct text_place place_of(yaml_mark_t mark)
{
    return (struct text_place){mark.line + 1, mark.column + 1};
}

/* The text's line, counted from 0. */
static struct span line_at(struct span text, size_t line)
{
    while (line-- && span_has(text, '\n'))
        (void)cut_part(&text, '\n');
    return cut_part(&text, '\n');
}

static bool is_indented_by_tab(struct span line)
{
    size_t i = 0;

    while (i < line.len && line.at[i] == ' ')
        i++;
    return i < line.len && line.at[i] == '\t';
}

static const struct problem *parser_problem(struct yaml_reading *r)
{
    const yaml_parser_t *parser = &r->parser;
    struct template_node at = {.place = place_of(parser->problem_mark)};
    const char *problem = parser->problem ? parser->problem : "this is not YAML";

    if (parser->error == YAML_READER_ERROR) { /* these have an offset instead of a mark */
        at.place = text_place_of(r->text, r->text.at + (parser->problem_offset < r->text.len
                                                            ? parser->problem_offset
                                                            : r->text.len));
    } else if (is_indented_by_tab(line_at(r->text, parser->problem_mark.line))) {
        problem = "this line is indented by a tab: YAML allows only spaces";
    }
    return template_node_problem(r->arena, &at, "%s", problem);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static const struct problem *next_event(struct yaml_reading *r, yaml_event_t *event)
{
    return yaml_parser_parse(&r->parser, event) ? NULL : parser_problem(r);
}

static struct span scalar_span(struct yaml_reading *r, const yaml_char_t *at, size_t len)
{
    return arena_span(r->arena, (struct span){(const char *)at, len});
}

static bool is_null_word(struct span text)
{
    return !text.len || span_is(text, "~") || span_is(text, "null") || span_is(text, "Null") ||
           span_is(text, "NULL");
}

static void read_scalar(struct yaml_reading *r, const yaml_event_t *event, struct template_node *n)
{
    n->text = scalar_span(r, event->data.scalar.value, event->data.scalar.length);
    n->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    n->kind = !n->quoted && is_null_word(n->text) ? TEMPLATE_NULL : TEMPLATE_SCALAR;
}

/* {"Fn::Sub": node} for !Sub; tags of YAML itself, such as !!str, change nothing but !!str. */
static const struct problem *apply_tag(struct yaml_reading *r, const yaml_char_t *tag,
                                       struct template_node *n, const struct template_node **out)
{
    static const struct span own = SPAN_LIT_INIT("tag:yaml.org,2002:");
    const struct span name = span_of((const char *)tag);
    struct template_node *function;
    bool is_long;

    *out = n;
    if (span_is(name, "tag:yaml.org,2002:str") && n->kind <= TEMPLATE_SCALAR) {
        n->kind = TEMPLATE_SCALAR;
        n->quoted = true;
    }
    if (span_is(name, "!") || span_starts_with(name, own))
        return NULL;
    if (name.at[0] != '!')
        return template_node_problem(r->arena, n, "the tag %s is not known", name.at);
    is_long = !span_is(name, "!Ref") && !span_is(name, "!Condition");
    function = template_node_new(r->arena, TEMPLATE_MAP, n);
    template_node_add(r->arena, function,
                      arena_printf(r->arena, "%s%s", is_long ? "Fn::" : "", name.at + 1), n);
    *out = function;
    return NULL;
}

/* Counts nodes, the deepest of which is at this depth. */
static const struct problem *count_nodes(struct yaml_reading *r, size_t count, size_t depth,
                                         const struct template_node *at)
{
    r->nodes += count;
    if (r->nodes > LIMIT_TEMPLATE_NODES)
        return template_node_problem(r->arena, at, "more than %d values", LIMIT_TEMPLATE_NODES);
    if (depth > LIMIT_TEMPLATE_DEPTH)
        return template_node_problem(r->arena, at, "more than %d levels", LIMIT_TEMPLATE_DEPTH);
    if (depth > r->deepest)
        r->deepest = depth;
    return NULL;
}

static const struct problem *find_alias(struct yaml_reading *r, const yaml_event_t *event,
                                        size_t depth, const struct template_node *at,
                                        const struct template_node **out)
{
    const struct span name = span_of((const char *)event->data.alias.anchor);

    for (size_t i = r->anchor_count; i-- > 0;)
        if (span_equal(r->anchors[i].name, name)) {
            *out = r->anchors[i].node;
            return count_nodes(r, r->anchors[i].nodes, depth + r->anchors[i].levels, at);
        }
    return template_node_problem(r->arena, at, "*%s: there is no such anchor before this alias",
                                 name.at);
}

/* A node is an anchor once it is complete, so that none can contain itself. */
static const struct problem *keep_anchor(struct yaml_reading *r, const struct yaml_anchor *anchor)
{
    if (r->anchor_count == LIMIT_TEMPLATE_ANCHORS)
        return template_node_problem(r->arena, anchor->node, "more than %d anchors",
                                     LIMIT_TEMPLATE_ANCHORS);
    r->anchors = one_more(r->arena, r->anchors, r->anchor_count, sizeof *r->anchors);
    r->anchors[r->anchor_count++] = *anchor;
    return NULL;
}

static const struct problem *read_node(struct yaml_reading *r, const yaml_event_t *event,
                                       size_t depth, const struct template_node **out);

static const struct problem *read_name(struct yaml_reading *r, const yaml_event_t *event,
                                       struct template_member *m)
{
    const struct template_node at = {.place = place_of(event->start_mark)};

    if (event->type != YAML_SCALAR_EVENT)
        return template_node_problem(r->arena, &at, "a name is expected here");
    m->place = at.place;
    m->name = scalar_span(r, event->data.scalar.value, event->data.scalar.length);
    if (span_is(m->name, "<<") && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        return template_node_problem(r->arena, &at,
                                     "merges (<<) are not read, as CloudFormation does not");
    return NULL;
}

/* Reads up to the end of the map or list. */
static const struct problem *read_members(struct yaml_reading *r, size_t depth,
                                          struct template_node *n)
{
    const yaml_event_type_t end = n->kind == TEMPLATE_MAP ? YAML_MAPPING_END_EVENT
                                                          : YAML_SEQUENCE_END_EVENT;
    const struct problem *p = NULL;
    bool ended = false;

    while (!p && !ended) {
        struct template_member m = {.name = {"", 0}};
        yaml_event_t event;

        if ((p = next_event(r, &event)))
            return p;
        ended = event.type == end;
        if (!ended && n->kind == TEMPLATE_MAP) {
            p = read_name(r, &event, &m);
            yaml_event_delete(&event);
            if (p || (p = next_event(r, &event)))
                return p;
        }
        if (!ended && !(p = read_node(r, &event, depth + 1, &m.value))) {
            n->members = one_more(r->arena, n->members, n->count, sizeof *n->members);
            n->members[n->count++] = m;
        }
        yaml_event_delete(&event);
    }
    return p || n->kind != TEMPLATE_MAP ? p : template_node_check_names(r->arena, n);
}

static const struct problem *read_node(struct yaml_reading *r, const yaml_event_t *event,
                                       size_t depth, const struct template_node **out)
{
    const struct template_node place = {.place = place_of(event->start_mark)};
    struct template_node *n = template_node_new(r->arena, TEMPLATE_SCALAR, &place);
    const yaml_char_t *tag = NULL, *anchor = NULL;
    struct span name;
    const size_t before = r->nodes, outside = r->deepest;
    const struct problem *p;

    if (event->type == YAML_ALIAS_EVENT)
        return find_alias(r, event, depth, n, out);
    r->deepest = depth;
    if ((p = count_nodes(r, 1, depth, n)))
        return p;
    if (event->type == YAML_SCALAR_EVENT) {
        tag = event->data.scalar.tag;
        anchor = event->data.scalar.anchor;
        read_scalar(r, event, n);
    } else { /* the parser gives nothing else here */
        const bool is_map = event->type == YAML_MAPPING_START_EVENT;

        n->kind = is_map ? TEMPLATE_MAP : TEMPLATE_LIST;
        tag = is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
        anchor = is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
        p = read_members(r, depth, n);
    }
    *out = n;
    name = arena_span(r->arena, span_of(anchor ? (const char *)anchor : ""));
    if (p || (tag && (p = apply_tag(r, tag, n, out))))
        return p;
    if (name.len)
        p = keep_anchor(r,
                        &(struct yaml_anchor){name, *out, r->nodes - before, r->deepest - depth});
    if (r->deepest < outside)
        r->deepest = outside;
    return p;
}

/* --- documents -------------------------------------------------------------------------------- */

static const struct problem *read_documents(struct yaml_reading *r,
                                            const struct template_node **out)
{
    const struct problem *p = NULL;
    bool ended = false;

    while (!p && !ended) {
        yaml_event_t event;
        struct template_node at;

        if ((p = next_event(r, &event)))
            return p;
        at = (struct template_node){.place = place_of(event.start_mark)};
        ended = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && *out)
            p = template_node_problem(r->arena, &at, "a second document begins here");
        else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                 event.type != YAML_DOCUMENT_END_EVENT && !ended)
            p = read_node(r, &event, 0, out);
        yaml_event_delete(&event);
    }
    if (!p && (!*out || (*out)->kind != TEMPLATE_MAP))
        p = template_node_problem(r->arena,
                                  *out ? *out : &(const struct template_node){.place = {1, 1}},
                                  "a template is an object");
    return p;
}

const struct problem *template_yaml_read(struct arena *a, struct span text,
                                         const struct template_node **out)
{
    struct yaml_reading r = {.arena = a, .text = text};
    const struct problem *p;

    *out = NULL;
    if (!yaml_parser_initialize(&r.parser))
        process_out_of_memory();
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.at, text.len);
    p = read_documents(&r, out);
    yaml_parser_delete(&r.parser);
    return p;
}
