#include "base/utf8.h"
#include "model/limits.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

#define MAX_LISTED  10
#define ENVELOPE    "1 validation error detected: "
#define ENUM_SET    "Member must satisfy enum value set: "
#define PATTERN     "Member must satisfy regular expression pattern: "
#define DEEP_HEIGHT 128 /* JSON levels of a request with a value in 62 lists and maps */

/* One step of the path from the body to a value. */
struct member_step {
    const struct member_step *up;
    const char *member; /* of a structure; or NULL: */
    struct span key;    /* of a map; or {NULL, 0}: */
    size_t index;       /* of a list, from 1 */
};

/* The errors found so far. */
struct findings {
    struct arena *arena;
    const struct wire_member *members; /* of the whole request */
    const wire_node *body;
    unsigned count;
    struct buf text;           /* the entries, joined */
    const struct error *alone; /* an error that is reported instead of all entries */
    struct error_why why;      /* of the first one */
};

/* The value that is being checked. */
struct subject {
    const struct wire_shape *shape;
    unsigned flags;
    const wire_node *node; /* NULL: absent */
    const struct member_step *step;
};

static void check_value(struct findings *f, const struct subject *s);

/* --- entries --------------------------------------------------------------------------------- */

bool wire_is_classic(const struct wire_member *members, const wire_node *body)
{
    for (const struct wire_member *m = members; m->name; m++) {
        if ((m->flags & WIRE_CLASSIC_WITHOUT) && !wire_get(body, m->name))
            return true;
        if ((m->flags & WIRE_CLASSIC_DEEP) && body->source->height > DEEP_HEIGHT)
            return true;
    }
    return false;
}

/* Whether the member's quirk applies in this request. */
static bool has_quirk(const struct findings *f, const struct subject *s, unsigned flag)
{
    return (s->flags & flag) && !wire_is_classic(f->members, f->body);
}

static void print_path(struct buf *out, const struct member_step *step, bool as_sent)
{
    if (step->up) {
        print_path(out, step->up, as_sent);
        buf_add_char(out, '.');
    }
    if (!step->member && !step->key.at) {
        buf_printf(out, "%zu.member", step->index);
    } else if (!step->member) {
        buf_add_span(out, utf8_cut(step->key, LIMIT_ARN));
        buf_add_text(out, ".member");
    } else if (as_sent) {
        buf_add_text(out, step->member);
    } else {
        wire_print_name(out, step->member);
    }
}

static void report_alone(struct findings *f, struct buf *text)
{
    f->alone = error_of(f->arena, ERROR_VALIDATION, buf_span(text));
}

static void begin_entry(struct findings *f)
{
    if (f->count++)
        buf_add_text(&f->text, "; ");
}

/* Writes "Value 'v' at 'path' failed to satisfy constraint: " and the constraint. */
static void add_classic(struct findings *f, const struct subject *s, const char *constraint)
{
    if (f->count >= MAX_LISTED)
        return;
    begin_entry(f);
    buf_add_text(&f->text, "Value ");
    if (s->node) {
        buf_add_char(&f->text, '\'');
        wire_print(&f->text, s->shape, s->node);
        buf_add_char(&f->text, '\'');
    } else {
        buf_add_text(&f->text, "null");
    }
    buf_add_text(&f->text, " at '");
    print_path(&f->text, s->step, false);
    buf_add_text(&f->text, "' failed to satisfy constraint: ");
    buf_add_text(&f->text, constraint);
}

static bool has_pattern(const struct wire_shape *shape)
{
    return shape->is_name || shape->pattern;
}

static const char *pattern_of(const struct wire_shape *shape)
{
    return shape->is_name ? names_pattern : shape->pattern;
}

/* --- causes ---------------------------------------------------------------------------------- */

/* The name that the value has in its structure, or in the one around it. */
static struct span member_name(const struct member_step *step)
{
    while (!step->member && !step->key.at && step->up)
        step = step->up;
    return step->member ? span_of(step->member) : step->key;
}

/* The first finding is the error's cause. */
static void note_cause(struct findings *f, struct error_why why)
{
    if (!f->count)
        f->why = why;
}

static bool is_within(const struct wire_shape *shape, int64_t value)
{
    return !(shape->has_min && value < shape->min) && !(shape->has_max && value > shape->max);
}

/* The cause where a value, or the key of a map, is not within its bounds, or else breaks its
 * pattern.
 */
static void note_unfit(struct findings *f, const struct wire_shape *shape, struct span name,
                       int64_t size, struct span place)
{
    enum error_cause first = shape->type == WIRE_STRING ? CAUSE_MEMBER_SHORT
                             : shape->type == WIRE_LIST || shape->type == WIRE_MAP
                                 ? CAUSE_MEMBER_FEW
                                 : CAUSE_MEMBER_LOW;
    struct error_why why = {.operand = name, .place = place, .count = (size_t)size};
    bool below = shape->has_min && size < shape->min;

    if (is_within(shape, size)) {
        why.cause = shape->is_name ? CAUSE_MEMBER_NAME : CAUSE_MEMBER_FORM;
        why.beside = span_of(pattern_of(shape));
    } else {
        why.cause = below ? first : (enum error_cause)(first + 1);
        why.beside = span_of(
            arena_printf(f->arena, "%lld", (long long)(below ? shape->min : shape->max)));
    }
    note_cause(f, why);
}

/* What the bounds of a shape are about. */
static int64_t size_of(const struct wire_shape *shape, const wire_node *node)
{
    if (shape->type == WIRE_STRING)
        return (int64_t)utf8_utf16_length(wire_text(node));
    if (shape->type == WIRE_LIST || shape->type == WIRE_MAP)
        return (int64_t)wire_count(node);
    return wire_integer(node, 0);
}

/* --- bounds ---------------------------------------------------------------------------------- */

static void report_bound(struct findings *f, const struct subject *s, const char *measure,
                         bool below)
{
    const char *constraint = arena_printf(f->arena, "Member must have %s %s than or equal to %lld",
                                          measure, below ? "greater" : "less",
                                          (long long)(below ? s->shape->min : s->shape->max));
    struct buf text = buf_in(f->arena);

    note_unfit(f, s->shape, member_name(s->step), size_of(s->shape, s->node), wire_raw(s->node));
    if (!has_quirk(f, s, WIRE_NEW_LENGTH) || (s->shape->type == WIRE_STRING && !below)) {
        add_classic(f, s, constraint);
        return;
    }
    buf_add_text(&text, ENVELOPE "Value at '");
    print_path(&text, s->step, true);
    buf_add_text(&text, "' failed to satisfy constraint: ");
    buf_add_text(&text, constraint);
    report_alone(f, &text);
}

static void check_bounds(struct findings *f, const struct subject *s, int64_t value,
                         const char *measure)
{
    if (!is_within(s->shape, value))
        report_bound(f, s, measure, s->shape->has_min && value < s->shape->min);
}

/* --- strings --------------------------------------------------------------------------------- */

static bool is_listed(struct span word, const char *const *words)
{
    return names_find(words, word, -1) >= 0;
}

/* A set as messages print it: [A, B]. */
static const char *enum_set(struct arena *a, const char *const *words)
{
    struct buf text = buf_in(a);

    buf_add_text(&text, ENUM_SET "[");
    for (size_t i = 0; words[i]; i++) {
        buf_add_text(&text, i ? ", " : "");
        buf_add_text(&text, words[i]);
    }
    buf_add_char(&text, ']');
    return buf_text(&text);
}

/* Whether the maps that the operator joins are long enough for the operator to be checked. */
static bool is_counted(const struct findings *f, const struct wire_shape *shape)
{
    if (!shape->counted)
        return true;
    for (const char *const *name = shape->counted; *name; name++)
        if (wire_count(wire_get(f->body, *name)) >= 2)
            return true;
    return false;
}

static void report_enum(struct findings *f, const struct subject *s)
{
    struct span set = span_of(enum_set(f->arena, s->shape->values));
    struct buf text = buf_in(f->arena);

    set.len--; /* without its brackets */
    note_cause(f, ERROR_WHY(CAUSE_MEMBER_WORD, .operand = member_name(s->step),
                            .place = wire_raw(s->node),
                            .beside = span_from(set, strlen(ENUM_SET "["))));

    if (!has_quirk(f, s, WIRE_NEW_ENUM)) {
        add_classic(f, s, enum_set(f->arena, s->shape->values));
        return;
    }
    if (!is_counted(f, s->shape))
        return;
    buf_printf(&text, "%sFailed to satisfy constraint: %s",
               (s->flags & WIRE_ALONE) && !(s->flags & WIRE_BARE) ? ENVELOPE : "",
               enum_set(f->arena, s->shape->new_values ? s->shape->new_values : s->shape->values));
    if (s->flags & WIRE_ALONE) {
        report_alone(f, &text);
    } else if (f->count < MAX_LISTED) {
        begin_entry(f);
        buf_add_span(&f->text, buf_span(&text));
    }
}

/* Whether the length, in UTF-16 units, is within its bounds. */
static bool has_length(const struct wire_shape *shape, struct span text)
{
    /* There are never more units than bytes, and at least one unit if there are bytes. */
    if ((!shape->has_min || (shape->min <= 1 && text.len >= (size_t)shape->min)) &&
        (!shape->has_max || text.len <= (size_t)shape->max))
        return true;
    return is_within(shape, (int64_t)utf8_utf16_length(text));
}

static bool keeps_pattern(const struct wire_shape *shape, struct span text)
{
    return shape->is_name ? names_match_pattern(text) : !shape->pattern || shape->keeps(text);
}

/* Whether a string satisfies the constraints of its shape. */
static bool fits_string(const struct wire_shape *shape, struct span text)
{
    if (shape->arn_allowed && span_starts_with(text, SPAN_LIT("arn:")) && text.len <= LIMIT_ARN)
        return true;
    return !(shape->values && !is_listed(text, shape->values)) && keeps_pattern(shape, text) &&
           has_length(shape, text);
}

static void check_string(struct findings *f, const struct subject *s)
{
    const struct wire_shape *shape = s->shape;
    struct span text = wire_text(s->node);

    if (fits_string(shape, text))
        return;
    if (shape->values && !is_listed(text, shape->values))
        report_enum(f, s);
    if (shape->length_first)
        check_bounds(f, s, (int64_t)utf8_utf16_length(text), "length");
    /* An empty string breaks the pattern if names have at least three characters; if one is enough,
     * it is only too short. */
    if ((!shape->is_name || text.len || shape->min > 1) && !keeps_pattern(shape, text)) {
        note_unfit(f, shape, member_name(s->step), size_of(shape, s->node), wire_raw(s->node));
        add_classic(f, s, arena_printf(f->arena, PATTERN "%s", pattern_of(shape)));
    }
    if (!shape->length_first)
        check_bounds(f, s, (int64_t)utf8_utf16_length(text), "length");
}

/* --- collections ----------------------------------------------------------------------------- */

/* The constraints of keys or elements as they are reported at their collection: [A, B]. */
static const char *listed_constraints(struct arena *a, const struct wire_shape *shape)
{
    bool is_number = shape->type == WIRE_INTEGER || shape->type == WIRE_LONG;
    const char *measure = is_number ? "value" : "length";
    struct buf text = buf_in(a);

    if (shape->values)
        buf_printf(&text, "[%s", enum_set(a, shape->values));
    if (shape->has_max)
        buf_printf(&text, "%sMember must have %s less than or equal to %lld", text.len ? ", " : "[",
                   measure, (long long)shape->max);
    if (shape->has_min || (shape->has_max && !is_number))
        buf_printf(&text, "%sMember must have %s greater than or equal to %lld",
                   text.len ? ", " : "[", measure, (long long)shape->min);
    if (has_pattern(shape))
        buf_printf(&text, "%s" PATTERN "%s", text.len ? ", " : "[", pattern_of(shape));
    buf_add_char(&text, ']');
    return buf_text(&text);
}

static void check_map_keys(struct findings *f, const struct subject *s)
{
    const struct wire_shape *key = s->shape->key;

    for (const wire_node *child = wire_first(s->node); child; child = wire_next(child)) {
        if (fits_string(key, wire_name(child)))
            continue;
        note_unfit(
            f, key,
            span_of(arena_printf(f->arena, "a name in %.*s", SPAN_ARG(member_name(s->step)))),
            (int64_t)utf8_utf16_length(wire_name(child)), wire_name(child));
        add_classic(f, s,
                    arena_printf(f->arena, "Map keys must satisfy constraint: %s",
                                 listed_constraints(f->arena, key)));
        return;
    }
}

/* Whether the elements' own constraints are reported at their collection. */
static bool is_told_here(const struct wire_shape *collection)
{
    return collection->map_values_named || collection->element->type < WIRE_LIST;
}

/* Whether an element satisfies its own constraints, without those of its children. */
static bool element_fits(const struct wire_shape *shape, const wire_node *node)
{
    if (wire_is_null(node))
        return false;
    if (shape->type == WIRE_STRING)
        return fits_string(shape, wire_text(node));
    if (shape->type == WIRE_LIST || shape->type == WIRE_MAP)
        return (!shape->has_min && !shape->has_max) || is_within(shape, (int64_t)wire_count(node));
    return is_within(shape, wire_integer(node, 0));
}

static void check_elements_here(struct findings *f, const struct subject *s)
{
    const struct wire_shape *element = s->shape->element;
    struct wire_walk walk;

    if (!element->has_min && !element->has_max && !has_pattern(element) && !element->values)
        return;
    for (const wire_node *child = wire_walk_first(&walk, s->node); child;
         child = wire_walk_next(&walk, child)) {
        if (element_fits(element, child))
            continue;
        if (!element->values)
            note_unfit(f, element, wire_name(child).len ? wire_name(child) : member_name(s->step),
                       size_of(element, child), wire_raw(child));
        add_classic(f, s,
                    arena_printf(f->arena, "%s must satisfy constraint: %s",
                                 s->shape->type == WIRE_MAP ? "Map value" : "Member",
                                 listed_constraints(f->arena, element)));
        return;
    }
}

/* Checks a value's children; their own constraints too, unless reported at their collection. */
static void check_elements(struct findings *f, const struct subject *s)
{
    const struct wire_shape *element = s->shape->element;
    struct member_step step = {.up = s->step};
    struct wire_walk walk;

    for (const wire_node *child = wire_walk_first(&walk, s->node); child;
         child = wire_walk_next(&walk, child)) {
        struct subject below = {element, 0, wire_is_null(child) ? NULL : child, &step};

        step.index++;
        step.key = wire_name(child);
        if (is_told_here(s->shape) && element->type == WIRE_LIST && below.node)
            check_elements(f, &below);
        else
            check_value(f, &below);
    }
}

static void report_missing(struct findings *f, const struct subject *s)
{
    note_cause(f, ERROR_WHY(CAUSE_MEMBER_MISSING, .operand = member_name(s->step)));
    add_classic(f, s, "Member must not be null");
}

static void check_struct(struct findings *f, const struct wire_member *members,
                         const wire_node *object, const struct member_step *up)
{
    for (const struct wire_member *m = members; m->name && !f->alone; m++) {
        struct member_step step = {.up = up, .member = m->name};
        struct subject s = {m->shape, m->flags, wire_get(object, m->name), &step};

        if ((m->flags & WIRE_UNCHECKED) || ((m->flags & WIRE_LAST) && f->count))
            continue;
        if (s.node)
            check_value(f, &s);
        else if ((m->flags & WIRE_REQUIRED) &&
                 !(m->shape->optional_with && wire_get(f->body, m->shape->optional_with)))
            report_missing(f, &s);
    }
}

static void check_value(struct findings *f, const struct subject *s)
{
    if (!s->node) {
        report_missing(f, s);
        return;
    }
    switch (s->shape->type) {
    case WIRE_STRING:
        check_string(f, s);
        return;
    case WIRE_INTEGER:
    case WIRE_LONG:
        check_bounds(f, s, wire_integer(s->node, 0), "value");
        return;
    case WIRE_LIST:
    case WIRE_MAP:
        if (s->shape->key)
            check_map_keys(f, s);
        if (s->shape->has_min || s->shape->has_max)
            check_bounds(f, s, (int64_t)wire_count(s->node), "length");
        if (is_told_here(s->shape))
            check_elements_here(f, s);
        if (s->shape->element->type >= WIRE_LIST && s->shape->element->type != WIRE_ATTR)
            check_elements(f, s);
        return;
    case WIRE_STRUCT:
        check_struct(f, s->shape->members, s->node, s->step);
        return;
    default:
        return;
    }
}

const struct error *wire_check_members(struct arena *a, const struct wire_member *members,
                                       const wire_node *body)
{
    struct findings f = {.arena = a, .members = members, .body = body, .text = buf_in(a)};
    struct buf text = buf_in(a);

    check_struct(&f, members, body, NULL);
    if (f.alone)
        return error_because(a, f.alone, f.why);
    if (!f.count)
        return NULL;
    buf_printf(&text, "%u validation error%s detected: ", f.count, f.count > 1 ? "s" : "");
    buf_add_span(&text, buf_span(&f.text));
    return error_written(&text, f.why);
}
