#include "patterns/pattern_resolve.h"

#include "wire/json.h"

/* How references are written: as values, as placeholders, or unchanged. */
enum form { SENT, SHOWN, FORM };

/* One pass over the tree that writes it with references resolved. */
struct pass {
    struct arena *arena;
    const struct pattern_resolve_context *context;
    struct buf *out;
    enum form as;
    const char *error;
};

static void write_node(struct pass *p, const wire_node *node);

const struct pattern_names *pattern_resolve_names(struct arena *a, const struct option_pair *values,
                                                  size_t count)
{
    struct pattern_names *names = pattern_names_new(a, count);

    for (size_t i = 0; i < count; i++)
        (void)pattern_names_add(names, values[i].name, i);
    return names;
}

/* The value whose name is in braces at the beginning of the text, or NULL. */
static const struct option_pair *value_at(const struct pass *p, struct span text)
{
    size_t len = 1, number;

    while (len < text.len && text.at[len] != '{' && text.at[len] != '}')
        len++;
    if (len == text.len || text.at[len] != '}' ||
        !pattern_names_find(p->context->names, (struct span){text.at + 1, len - 1}, &number))
        return NULL;
    return &p->context->values[number];
}

/* The text with each {name} replaced; braces around other text stay. */
static struct span filled_text(struct pass *p, struct span text)
{
    const char *brace = span_find(text, '{');
    struct buf out = buf_in(p->arena);

    if (!brace)
        return text;
    for (; brace; brace = span_find(text, '{')) {
        size_t before = (size_t)(brace - text.at);
        const struct option_pair *value = value_at(p, span_from(text, before));

        buf_add_span(&out, (struct span){text.at, value ? before : before + 1});
        if (value)
            buf_add_span(&out, value->value);
        text = span_from(text, before + (value ? value->name.len + 2 : 1));
    }
    buf_add_span(&out, text);
    return buf_span(&out);
}

static struct span prefixed_table(struct pass *p, struct span table)
{
    struct buf out = buf_in(p->arena);

    buf_add_span(&out, filled_text(p, SPAN_LIT("{prefix}")));
    buf_add_span(&out, filled_text(p, table));
    return buf_span(&out);
}

/* "<sk of lookup>", unless the reference says how it is shown. */
static struct span placeholder_of(struct pass *p, const wire_node *reference)
{
    const wire_node *shown_as = wire_get(reference, "shown_as");
    struct span at = wire_text(wire_get(reference, "at"));
    struct span step = wire_text(wire_get(reference, "$from"));
    size_t start = at.len;

    if (shown_as)
        return wire_text(shown_as);
    while (start && at.at[start - 1] != '/')
        start--;
    return span_of(
        arena_printf(p->arena, "<%.*s of %.*s>", SPAN_ARG(span_from(at, start)), SPAN_ARG(step)));
}

/* A value keeps its type and has the placeholder in place of its text. */
static void write_placeholder(struct pass *p, const wire_node *value, struct span placeholder)
{
    const wire_node *member = json_kind(value) == JSON_OBJECT ? wire_first(value) : NULL;

    if (member && !wire_next(member) && json_kind(member) == JSON_STRING) {
        buf_add_char(p->out, '{');
        buf_add_json_string(p->out, wire_name(member));
        buf_add_text(p->out, ": ");
        buf_add_json_string(p->out, placeholder);
        buf_add_char(p->out, '}');
        return;
    }
    buf_add_json_string(p->out, placeholder);
}

static void write_reference(struct pass *p, const wire_node *reference)
{
    struct span step = wire_text(wire_get(reference, "$from"));
    struct span at = filled_text(p, wire_text(wire_get(reference, "at")));
    const struct pattern_result *earlier = p->context->earlier;
    size_t number;
    const wire_node *answer = pattern_names_find(earlier->names, step, &number)
                                  ? earlier->steps[number].answer
                                  : NULL;
    const wire_node *value = answer ? json_at(answer, at) : NULL;

    if (!value) {
        p->error = answer ? arena_printf(p->arena, "the answer of step %.*s has nothing at %.*s",
                                         SPAN_ARG(step), SPAN_ARG(at))
                          : arena_printf(p->arena, "there is no earlier step %.*s", SPAN_ARG(step));
        buf_add_text(p->out, "null");
        return;
    }
    if (p->as == SHOWN)
        write_placeholder(p, value, placeholder_of(p, reference));
    else
        json_write(p->out, value);
}

static void write_members(struct pass *p, const wire_node *object, bool keys_are_tables)
{
    buf_add_char(p->out, '{');
    for (const wire_node *member = wire_first(object); member; member = wire_next(member)) {
        struct span name = wire_name(member);

        buf_add_json_string(p->out, keys_are_tables ? prefixed_table(p, name) : name);
        buf_add_text(p->out, ": ");
        if (span_is(name, "TableName") && json_kind(member) == JSON_STRING)
            buf_add_json_string(p->out, prefixed_table(p, wire_text(member)));
        else if (span_is(name, "RequestItems") && json_kind(member) == JSON_OBJECT)
            write_members(p, member, true);
        else
            write_node(p, member);
        if (wire_next(member))
            buf_add_text(p->out, ", ");
    }
    buf_add_char(p->out, '}');
}

static void write_node(struct pass *p, const wire_node *node)
{
    if (p->as != FORM && json_kind(node) == JSON_OBJECT && wire_get(node, "$from") != NULL) {
        write_reference(p, node);
        return;
    }
    switch (json_kind(node)) {
    case JSON_OBJECT:
        write_members(p, node, false);
        break;
    case JSON_ARRAY:
        buf_add_char(p->out, '[');
        for (const wire_node *element = wire_first(node); element; element = wire_next(element)) {
            write_node(p, element);
            if (wire_next(element))
                buf_add_text(p->out, ", ");
        }
        buf_add_char(p->out, ']');
        break;
    case JSON_STRING:
        buf_add_json_string(p->out, filled_text(p, wire_text(node)));
        break;
    default:
        json_write_scalar(p->out, node);
        break;
    }
}

static const char *run_pass(struct arena *a, const struct pattern_resolve_context *context,
                            const wire_node *node, enum form as, const wire_node **out)
{
    struct buf text = buf_in(a);
    struct pass p = {.arena = a, .context = context, .out = &text, .as = as};

    write_node(&p, node);
    if (!p.error && wire_parse(a, buf_span(&text), out))
        return "a value is not valid UTF-8";
    return p.error;
}

const char *pattern_resolve(struct arena *a, const struct pattern_resolve_context *context,
                            const wire_node *node, struct pattern_resolved *out)
{
    const char *error = run_pass(a, context, node, SENT, &out->sent);

    return error ? error : run_pass(a, context, node, SHOWN, &out->shown);
}

const char *pattern_resolve_form(struct arena *a, const struct pattern_resolve_context *context,
                                 const wire_node *node, const wire_node **out)
{
    return run_pass(a, context, node, FORM, out);
}
