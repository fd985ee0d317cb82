#include "templates/template_functions.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "model/limits.h"

/* --- arguments -------------------------------------------------------------------------------- */

/* A list of `least` to `most` elements. */
static const struct problem *take_list(struct template_scope *s, const struct template_node *n,
                                       size_t least, size_t most, const char *function)
{
    if (n->kind == TEMPLATE_LIST && n->count >= least && n->count <= most)
        return NULL;
    return template_node_problem(s->arena, n, "%s takes a list of %zu value%s", function, least,
                                 least == 1     ? ""
                                 : least < most ? "s or more"
                                                : "s");
}

static const struct problem *made_text(struct template_scope *s, const struct template_node *at,
                                       struct span text, const struct template_node **out)
{
    s->made += text.len;
    if (s->made > LIMIT_TEMPLATE_MADE)
        return template_node_problem(s->arena, at, "functions make more than %d MB of text",
                                     (int)(LIMIT_TEMPLATE_MADE / LIMIT_MB));
    *out = template_node_new_text(s->arena, text, at);
    return NULL;
}

/* The elements of a list that functions made, without those that are AWS::NoValue. */
static const struct problem *evaluate_list(struct template_scope *s, const struct template_node *n,
                                           const struct template_node **out)
{
    const struct template_node *list, *element;
    struct template_node *copy;
    const struct problem *p = template_value(s, n, &list);

    if (p)
        return p;
    if (!list || list->kind != TEMPLATE_LIST)
        return template_node_problem(s->arena, n, "a list is expected here");
    copy = template_node_new(s->arena, TEMPLATE_LIST, list);
    for (size_t i = 0; i < list->count && !p; i++)
        if (!(p = template_value(s, list->members[i].value, &element)))
            template_node_add(s->arena, copy, NULL, element);
    *out = copy;
    return p;
}

/* --- references ------------------------------------------------------------------------------- */

static const struct problem *split_text(struct template_scope *s, const struct template_node *at,
                                        struct span text, struct span delimiter, bool trims,
                                        const struct template_node **out)
{
    struct template_node *list = template_node_new(s->arena, TEMPLATE_LIST, at);

    for (bool more = true; more;) {
        size_t len = 0;
        struct span part;
        const struct template_node *element = NULL;
        const struct problem *p;

        while (len < text.len && !span_starts_with(span_from(text, len), delimiter))
            len++;
        part = (struct span){text.at, len};
        more = len < text.len;
        text = more ? span_from(text, len + delimiter.len) : (struct span){"", 0};
        while (trims && part.len && ascii_is_blank(part.at[0]))
            part = span_from(part, 1);
        while (trims && part.len && ascii_is_blank(part.at[part.len - 1]))
            part.len--;
        if ((p = made_text(s, at, part, &element)))
            return p;
        template_node_add(s->arena, list, NULL, element);
    }
    *out = list;
    return NULL;
}

/* The value of --param, or NULL. */
static const struct option_pair *find_param(const struct template_scope *s, struct span name)
{
    const struct option_pairs *params = &s->options->params;

    for (size_t i = params->count; i-- > 0;)
        if (span_equal(params->at[i].name, name))
            return &params->at[i];
    return NULL;
}

static const struct problem *check_allowed(struct template_scope *s,
                                           const struct template_node *parameter, struct span name,
                                           struct span value, const struct template_node *at)
{
    const struct template_node *allowed = template_node_get(parameter, "AllowedValues");

    if (!allowed || allowed->kind != TEMPLATE_LIST)
        return NULL;
    for (size_t i = 0; i < allowed->count; i++)
        if (span_equal(template_node_text(allowed->members[i].value), value))
            return NULL;
    return template_node_problem(s->arena, at, "%.*s is not one of the AllowedValues of %.*s",
                                 SPAN_ARG(value), SPAN_ARG(name));
}

static const struct problem *read_parameter(struct template_scope *s, struct span name,
                                            const struct template_node *parameter,
                                            const struct template_node *at,
                                            const struct template_node **out)
{
    const struct option_pair *given = find_param(s, name);
    const struct template_node *otherwise = template_node_get(parameter, "Default");
    const struct span type = template_node_text(template_node_get(parameter, "Type"));
    const struct problem *p;
    struct span value;

    if (!given && span_starts_with(type, SPAN_LIT("AWS::SSM::")))
        return template_node_unknown(s->arena, at,
                                     "parameter %.*s is read from SSM: give --param %.*s=VALUE",
                                     SPAN_ARG(name), SPAN_ARG(name));
    if (!given && (!otherwise || otherwise->kind != TEMPLATE_SCALAR))
        return template_node_unknown(s->arena, at,
                                     "parameter %.*s has no default: give --param %.*s=VALUE",
                                     SPAN_ARG(name), SPAN_ARG(name));
    value = given ? given->value : otherwise->text;
    if ((p = check_allowed(s, parameter, name, value, given ? at : otherwise)))
        return p;
    if (span_is(type, "CommaDelimitedList") || span_starts_with(type, SPAN_LIT("List<")))
        return split_text(s, at, value, SPAN_LIT(","), true, out);
    return made_text(s, at, value, out);
}

static const struct problem *read_pseudo(struct template_scope *s, struct span name,
                                         const struct template_node *at,
                                         const struct template_node **out)
{
    const struct {
        const char *name;
        struct span value;
    } known[] = {
        {"AWS::Region", s->options->region},
        {"AWS::AccountId", s->options->account},
        {"AWS::Partition", SPAN_LIT("aws")},
        {"AWS::URLSuffix", SPAN_LIT("amazonaws.com")},
    };
    const struct option_pair *given = find_param(s, name);

    if (given)
        return made_text(s, at, given->value, out);
    *out = NULL;
    if (span_is(name, "AWS::NoValue"))
        return NULL;
    for (size_t i = 0; i < COUNT(known); i++)
        if (span_is(name, known[i].name) && known[i].value.len)
            return made_text(s, at, known[i].value, out);
    return template_node_unknown(s->arena, at, "%.*s is not known here: give --param %.*s=VALUE",
                                 SPAN_ARG(name), SPAN_ARG(name));
}

static const struct problem *unknown_resource(struct template_scope *s, struct span name,
                                              const char *attribute,
                                              const struct template_node *resource,
                                              const struct template_node *at)
{
    return template_node_unknown(s->arena, at, "%.*s%s of %.*s is known only after a deployment",
                                 SPAN_ARG(name), attribute,
                                 SPAN_ARG(template_node_text(template_node_get(resource, "Type"))));
}

static const struct problem *read_reference(struct template_scope *s, struct span name,
                                            const struct template_node *at,
                                            const struct template_node **out)
{
    const struct template_node *found = template_value_in(s, "Parameters", name);
    const struct problem *p;
    struct span table;
    bool is_table;

    if (found)
        return read_parameter(s, name, found, at, out);
    if (span_starts_with(name, SPAN_LIT("AWS::")))
        return read_pseudo(s, name, at, out);
    if (!(found = template_value_in(s, "Resources", name)))
        return template_node_problem(s->arena, at, "there is no parameter or resource %.*s",
                                     SPAN_ARG(name));
    if ((p = s->name_table(s, name, &is_table, &table)))
        return p;
    return is_table ? made_text(s, at, table, out) : unknown_resource(s, name, "", found, at);
}

static const struct problem *call_ref(struct template_scope *s, const struct template_node *n,
                                      const struct template_node **out)
{
    if (n->kind != TEMPLATE_SCALAR)
        return template_node_problem(s->arena, n, "Ref takes a name");
    return read_reference(s, n->text, n, out);
}

/* The ARN of a table, and of a stream of Kinesis that has a name or gets its logical id. */
static const struct problem *read_attribute(struct template_scope *s, struct span resource,
                                            struct span attribute, const struct template_node *at,
                                            const struct template_node **out)
{
    const struct template_node *found = template_value_in(s, "Resources", resource), *name;
    struct span text = resource;
    const struct problem *p;
    bool is_table;

    if (!found)
        return template_node_problem(s->arena, at, "there is no resource %.*s", SPAN_ARG(resource));
    if (span_is(attribute, "Arn")) {
        if ((p = s->name_table(s, resource, &is_table, &text)))
            return p;
        if (is_table)
            return template_value_arn(s, at, "dynamodb", "table", text, out);
        if (span_is(template_node_text(template_node_get(found, "Type")), "AWS::Kinesis::Stream")) {
            name = template_node_get(template_node_get(found, "Properties"), "Name");
            if (name && (p = template_value_text(s, name, &text)))
                return p;
            return template_value_arn(s, at, "kinesis", "stream", name ? text : resource, out);
        }
    }
    return unknown_resource(s, resource, arena_printf(s->arena, ".%.*s", SPAN_ARG(attribute)),
                            found, at);
}

static const struct problem *read_dotted(struct template_scope *s, struct span text,
                                         const struct template_node *at,
                                         const struct template_node **out)
{
    const char *dot = span_find(text, '.');

    if (!dot)
        return template_node_problem(s->arena, at, "Fn::GetAtt takes RESOURCE.ATTRIBUTE");
    return read_attribute(s, (struct span){text.at, (size_t)(dot - text.at)},
                          span_from(text, (size_t)(dot + 1 - text.at)), at, out);
}

static const struct problem *call_get_att(struct template_scope *s, const struct template_node *n,
                                          const struct template_node **out)
{
    const struct problem *p;
    struct span resource, attribute;

    if (n->kind == TEMPLATE_SCALAR)
        return read_dotted(s, n->text, n, out);
    if ((p = take_list(s, n, 2, 2, "Fn::GetAtt")) ||
        (p = template_value_text(s, n->members[0].value, &resource)) ||
        (p = template_value_text(s, n->members[1].value, &attribute)))
        return p;
    return read_attribute(s, resource, attribute, n, out);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* ${Name}, ${Resource.Attribute} or a name of the function's own map. */
static const struct problem *substitute(struct template_scope *s, struct span name,
                                        const struct template_node *own,
                                        const struct template_node *at, struct span *out)
{
    const struct template_member *m = template_node_member(own, name);
    const struct template_node *value = NULL;
    const struct problem *p;

    if (m)
        return template_value_text(s, m->value, out);
    p = span_has(name, '.') ? read_dotted(s, name, at, &value)
                            : read_reference(s, name, at, &value);
    if (p)
        return p;
    if (!value || value->kind != TEMPLATE_SCALAR)
        return template_node_problem(s->arena, at, "${%.*s} is not a string", SPAN_ARG(name));
    *out = value->text;
    return NULL;
}

static const struct problem *fill_in(struct template_scope *s, const struct template_node *text,
                                     const struct template_node *own,
                                     const struct template_node **out)
{
    struct buf filled = buf_in(s->arena);
    struct span left = text->text;
    const char *dollar;

    while ((dollar = span_find(left, '$'))) {
        const size_t before = (size_t)(dollar - left.at);
        const struct span behind = span_from(left, before + 1);
        const char *end = behind.len && behind.at[0] == '{' ? span_find(behind, '}') : NULL;
        struct span name, value;
        const struct problem *p;

        buf_add(&filled, left.at, before);
        if (!end) {
            buf_add_char(&filled, '$');
            left = behind;
            continue;
        }
        name = (struct span){behind.at + 1, (size_t)(end - behind.at) - 1};
        left = span_from(behind, (size_t)(end + 1 - behind.at));
        if (name.len && name.at[0] == '!') { /* ${!Literal} is ${Literal} */
            buf_printf(&filled, "${%.*s}", SPAN_ARG(span_from(name, 1)));
            continue;
        }
        if ((p = substitute(s, name, own, text, &value)))
            return p;
        buf_add_span(&filled, value);
        if (filled.len > LIMIT_TEMPLATE_MADE)
            break;
    }
    buf_add_span(&filled, left);
    return made_text(s, text, buf_span(&filled), out);
}

static const struct problem *call_sub(struct template_scope *s, const struct template_node *n,
                                      const struct template_node **out)
{
    const struct template_node *text = n, *own = NULL;
    const struct problem *p;

    if (n->kind == TEMPLATE_LIST) {
        if ((p = take_list(s, n, 2, 2, "Fn::Sub")))
            return p;
        text = n->members[0].value;
        own = n->members[1].value;
    }
    if (text->kind != TEMPLATE_SCALAR || (own && own->kind != TEMPLATE_MAP))
        return template_node_problem(s->arena, n, "Fn::Sub takes a string, and an object of names");
    return fill_in(s, text, own, out);
}

static const struct problem *call_join(struct template_scope *s, const struct template_node *n,
                                       const struct template_node **out)
{
    struct buf joined = buf_in(s->arena);
    const struct template_node *list;
    const struct problem *p;
    struct span delimiter, text;

    if ((p = take_list(s, n, 2, 2, "Fn::Join")) ||
        (p = template_value_text(s, n->members[0].value, &delimiter)) ||
        (p = evaluate_list(s, n->members[1].value, &list)))
        return p;
    for (size_t i = 0; i < list->count && joined.len <= LIMIT_TEMPLATE_MADE; i++) {
        if ((p = template_value_text(s, list->members[i].value, &text)))
            return p;
        buf_add_span(&joined, i ? delimiter : (struct span){"", 0});
        buf_add_span(&joined, text);
    }
    return made_text(s, n, joined.len ? buf_span(&joined) : (struct span){"", 0}, out);
}

static const struct problem *call_split(struct template_scope *s, const struct template_node *n,
                                        const struct template_node **out)
{
    struct span delimiter, text;
    const struct problem *p;

    if ((p = take_list(s, n, 2, 2, "Fn::Split")) ||
        (p = template_value_text(s, n->members[0].value, &delimiter)) ||
        (p = template_value_text(s, n->members[1].value, &text)))
        return p;
    if (!delimiter.len)
        return template_node_problem(s->arena, n, "Fn::Split takes a delimiter");
    return split_text(s, n, text, delimiter, false, out);
}

static const struct problem *call_select(struct template_scope *s, const struct template_node *n,
                                         const struct template_node **out)
{
    const struct template_node *list;
    const struct problem *p;
    struct span text;
    size_t index = 0;

    if ((p = take_list(s, n, 2, 2, "Fn::Select")) ||
        (p = template_value_text(s, n->members[0].value, &text)) ||
        (p = evaluate_list(s, n->members[1].value, &list)))
        return p;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.at[i]) || i == 6)
            return template_node_problem(s->arena, n, "Fn::Select: %.*s is not an index",
                                         SPAN_ARG(text));
        index = index * 10 + (size_t)(text.at[i] - '0');
    }
    if (!text.len || index >= list->count)
        return template_node_problem(s->arena, n,
                                     "Fn::Select: %.*s is not an index of a list of %zu",
                                     SPAN_ARG(text), list->count);
    *out = list->members[index].value;
    return NULL;
}

/* --- choices ---------------------------------------------------------------------------------- */

static const struct problem *call_find_in_map(struct template_scope *s,
                                              const struct template_node *n,
                                              const struct template_node **out)
{
    const struct template_node *found = template_node_get(s->root, "Mappings"), *otherwise = NULL;
    const struct problem *p = take_list(s, n, 3, 4, "Fn::FindInMap");
    struct buf path = buf_in(s->arena);

    if (p)
        return p;
    if (n->count == 4)
        otherwise = template_node_get(n->members[3].value, "DefaultValue");
    for (size_t i = 0; i < 3 && found; i++) {
        const struct template_member *m;
        struct span name;

        if ((p = template_value_text(s, n->members[i].value, &name)))
            return p;
        buf_printf(&path, "%s%.*s", i ? "." : "", SPAN_ARG(name));
        m = template_node_member(found, name);
        found = m ? m->value : NULL;
    }
    if (!found && !otherwise)
        return template_node_problem(s->arena, n, "Mappings has no %s",
                                     path.len ? buf_text(&path) : "maps");
    return template_value(s, found ? found : otherwise, out);
}

static const struct problem *call_if(struct template_scope *s, const struct template_node *n,
                                     const struct template_node **out)
{
    const struct problem *p = take_list(s, n, 3, 3, "Fn::If");
    bool holds;

    if (p)
        return p;
    if (n->members[0].value->kind != TEMPLATE_SCALAR)
        return template_node_problem(s->arena, n, "Fn::If takes a condition's name");
    if ((p = template_value_condition(s, n->members[0].value->text, n->members[0].value, &holds)))
        return p;
    return template_value(s, n->members[holds ? 1 : 2].value, out);
}

static const struct problem *call_import_value(struct template_scope *s,
                                               const struct template_node *n,
                                               const struct template_node **out)
{
    struct span name = SPAN_LIT("another stack");

    *out = NULL;
    if (n->kind == TEMPLATE_SCALAR)
        name = n->text;
    return template_node_unknown(s->arena, n,
                                 "Fn::ImportValue: the exports of other stacks, such as %.*s, are "
                                 "not known here",
                                 SPAN_ARG(name));
}

/* --- conditions ------------------------------------------------------------------------------- */

static const struct problem *test_equals(struct template_scope *s, const struct template_node *n,
                                         bool *out)
{
    const struct problem *p;
    struct span left, right;

    if ((p = take_list(s, n, 2, 2, "Fn::Equals")) ||
        (p = template_value_text(s, n->members[0].value, &left)) ||
        (p = template_value_text(s, n->members[1].value, &right)))
        return p;
    *out = span_equal(left, right);
    return NULL;
}

static const struct problem *test_any(struct template_scope *s, const struct template_node *n,
                                      bool *out)
{
    template_test *test = n->kind == TEMPLATE_MAP && n->count == 1
                              ? template_functions_test(n->members[0].name)
                              : NULL;
    const struct problem *p;

    if (!test)
        return template_node_problem(s->arena, n, "a condition is expected here");
    if (++s->steps > LIMIT_TEMPLATE_STEPS || s->depth == LIMIT_TEMPLATE_DEPTH)
        return template_node_problem(s->arena, n, "conditions take more than %d steps or %d levels",
                                     LIMIT_TEMPLATE_STEPS, LIMIT_TEMPLATE_DEPTH);
    s->depth++;
    p = test(s, n->members[0].value, out);
    s->depth--;
    return p;
}

/* Evaluates tests until one of them is `ends`. */
static const struct problem *test_until(struct template_scope *s, const struct template_node *n,
                                        bool ends, const char *function, bool *out)
{
    const struct problem *p = take_list(s, n, 2, 10, function);

    *out = !ends;
    for (size_t i = 0; !p && i < n->count && *out != ends; i++)
        p = test_any(s, n->members[i].value, out);
    return p;
}

static const struct problem *test_and(struct template_scope *s, const struct template_node *n,
                                      bool *out)
{
    return test_until(s, n, false, "Fn::And", out);
}

static const struct problem *test_or(struct template_scope *s, const struct template_node *n,
                                     bool *out)
{
    return test_until(s, n, true, "Fn::Or", out);
}

static const struct problem *test_not(struct template_scope *s, const struct template_node *n,
                                      bool *out)
{
    const struct problem *p;

    if ((p = take_list(s, n, 1, 1, "Fn::Not")) || (p = test_any(s, n->members[0].value, out)))
        return p;
    *out = !*out;
    return NULL;
}

static const struct problem *test_condition(struct template_scope *s, const struct template_node *n,
                                            bool *out)
{
    if (n->kind != TEMPLATE_SCALAR)
        return template_node_problem(s->arena, n, "Condition takes a condition's name");
    return template_value_condition(s, n->text, n, out);
}

/* --- the tables ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    template_function *function; /* of values */
    template_test *test;         /* of conditions */
} functions[] = {
    {"Ref", call_ref, NULL},
    {"Fn::Sub", call_sub, NULL},
    {"Fn::GetAtt", call_get_att, NULL},
    {"Fn::Join", call_join, NULL},
    {"Fn::If", call_if, NULL},
    {"Fn::FindInMap", call_find_in_map, NULL},
    {"Fn::Select", call_select, NULL},
    {"Fn::Split", call_split, NULL},
    {"Fn::ImportValue", call_import_value, NULL},
    {"Fn::Equals", NULL, test_equals},
    {"Fn::And", NULL, test_and},
    {"Fn::Or", NULL, test_or},
    {"Fn::Not", NULL, test_not},
    {"Condition", NULL, test_condition},
};

template_function *template_functions_find(struct span name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (span_is(name, functions[i].name))
            return functions[i].function;
    return NULL;
}

template_test *template_functions_test(struct span name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (span_is(name, functions[i].name))
            return functions[i].test;
    return NULL;
}

bool template_functions_is_name(struct span name)
{
    return span_is(name, "Ref") || span_starts_with(name, SPAN_LIT("Fn::"));
}
