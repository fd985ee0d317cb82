#include "partiql/partiql_value.h"

#include "base/ascii.h"
#include "model/attr_set.h"
#include "model/limits.h"
#include "partiql/partiql_parser.h"

/* The position of a value in its literal. */
struct value_place {
    const struct value_place
        *above;       /* NULL: this is the root, the value of an attribute or operand */
    struct span name; /* at NULL: an element of a list or bag … */
    size_t index;     /* … and its index */
    size_t depth;     /* lists and structs around it, for the limit */
};

static const struct value_place root = {.above = NULL};

static void add_place(struct buf *message, const struct value_place *place)
{
    if (!place->above) {
        buf_add_text(message, "root");
        return;
    }
    add_place(message, place->above);
    if (place->name.at) {
        buf_add_char(message, '.');
        buf_add_span(message, place->name);
    } else {
        buf_printf(message, "[%zu]", place->index);
    }
}

/* " at 1:24:7" */
static void add_position(struct buf *message, const struct partiql_token *token)
{
    buf_printf(message, " at %u:%u:%u", token->line, token->column, token->length);
}

const struct error *partiql_fault_at(const struct partiql_values *v, const char *text,
                                     const struct partiql_token *token)
{
    struct buf message = buf_in(v->arena);

    buf_add_text(&message, text);
    add_position(&message, token);
    return error_written(&message, ERROR_WHY(CAUSE_STATEMENT, .place = token->text));
}

const struct error *partiql_empty_name(const struct partiql_values *v)
{
    return error_caused(v->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_EMPTY_NAME, .operand = SPAN_LIT("the statement")),
                        "Path component cannot be an empty string");
}

static struct span lower_case(struct arena *a, struct span text)
{
    char *lower = arena_text(a, text);

    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(lower[i]);
    return (struct span){lower, text.len};
}

struct span partiql_node_name(struct arena *a, const struct partiql_node *n)
{
    switch (n->kind) {
    case PQ_NODE_PATH:
        return n->count == 1 ? SPAN_LIT("VariableReference") : SPAN_LIT("Path");
    case PQ_NODE_LITERAL:
        return n->token->kind == PQ_MISSING ? SPAN_LIT("LiteralMissing") : SPAN_LIT("Literal");
    case PQ_NODE_PARAMETER:
        return SPAN_LIT("Parameter");
    case PQ_NODE_LIST:
    case PQ_NODE_BAG:
        return SPAN_LIT("Seq");
    case PQ_NODE_STRUCT:
        return SPAN_LIT("Struct");
    case PQ_NODE_SELECT:
        return SPAN_LIT("Select");
    default: /* functions and operators */
        return lower_case(a, n->token->word);
    }
}

static const struct error *no_value_at(const struct partiql_values *v, const struct partiql_node *n,
                                       const struct value_place *place)
{
    enum error_cause cause = CAUSE_STATEMENT_VALUE;
    struct buf message = buf_in(v->arena);

    buf_add_text(&message, "Unsupported data type: ");
    buf_add_span(&message, partiql_node_name(v->arena, n));
    buf_add_text(&message, " under key ");
    add_place(&message, place);
    add_position(&message, n->token);
    if (n->kind == PQ_NODE_PARAMETER)
        cause = CAUSE_STATEMENT_PART;
    else if (n->kind == PQ_NODE_PATH && n->count == 1)
        cause = CAUSE_STATEMENT_NAME;
    return error_written(&message, ERROR_WHY(cause, .place = n->token->text));
}

const struct error *partiql_no_value(const struct partiql_values *v, const struct partiql_node *n)
{
    return no_value_at(v, n, &root);
}

const struct error *partiql_unknown_function(const struct partiql_values *v,
                                             const struct partiql_node *call)
{
    struct buf message = buf_in(v->arena);

    buf_add_text(&message, "Unrecognized function: ");
    buf_add_span(&message, partiql_node_name(v->arena, call));
    add_position(&message, call->token);
    return error_written(&message, ERROR_WHY(CAUSE_STATEMENT_FUNCTION, .place = call->token->text));
}

const struct error *partiql_no_type(const struct partiql_values *v, const struct partiql_node *n)
{
    return error_caused(v->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_STATEMENT_TYPE, .place = n->type->text),
                        "Unsupported operation: IsType");
}

/* --- scalars -------------------------------------------------------------------------------- */

/* "TEXT under root.a" */
static const struct error *fault_under(const struct partiql_values *v, struct span text,
                                       const struct value_place *place, struct error_why why)
{
    struct buf message = buf_in(v->arena);

    buf_add_span(&message, text);
    buf_add_text(&message, " under ");
    add_place(&message, place);
    return error_written(&message, why);
}

static const struct error *read_number(const struct partiql_values *v, const struct partiql_node *n,
                                       const struct value_place *place, struct attr *out)
{
    struct buf text = buf_in(v->arena), canonical = buf_in(v->arena);
    enum num_status status;
    struct num number;

    buf_add_text(&text, n->negated ? "-" : "");
    buf_add_span(&text, n->token->text);
    status = num_parse(buf_span(&text), false, &number);
    if (status != NUM_OK)
        return fault_under(v, num_message(v->arena, status, buf_span(&text), false), place,
                           num_why(status, buf_span(&text)));
    num_format(&canonical, &number);
    *out = (struct attr){.type = ATTR_N, .bytes = buf_span(&canonical)};
    return NULL;
}

static const struct error *read_literal(const struct partiql_values *v,
                                        const struct partiql_node *n,
                                        const struct value_place *place, struct attr *out)
{
    switch (n->token->kind) {
    case PQ_STRING:
        *out = (struct attr){.type = ATTR_S, .bytes = n->token->word};
        return NULL;
    case PQ_NUMBER:
        return read_number(v, n, place, out);
    case PQ_TRUE:
    case PQ_FALSE:
        *out = (struct attr){.type = ATTR_BOOL, .boolean = n->token->kind == PQ_TRUE};
        return NULL;
    case PQ_NULL:
        *out = (struct attr){.type = ATTR_NULL, .boolean = true};
        return NULL;
    default:
        return no_value_at(v, n, place);
    }
}

/* --- bags ----------------------------------------------------------------------------------- */

static const struct error *unfit_member(const struct partiql_values *v)
{
    return error_caused(v->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_BAG),
                        "Unsupported data type in Bag. DynamoDB only "
                        "supports either numbers or strings in bags");
}

static const struct error *read_member(const struct partiql_values *v, const struct partiql_node *n,
                                       const struct value_place *place, struct attr *out)
{
    if (n->kind == PQ_NODE_PARAMETER)
        return no_value_at(v, n, place);
    if (n->kind == PQ_NODE_LITERAL && (n->token->kind == PQ_STRING || n->token->kind == PQ_NUMBER))
        return read_literal(v, n, place, out);
    return unfit_member(v);
}

/* Reports the members as they were written; for numbers also their position. */
static const struct error *repeated_member(const struct partiql_values *v,
                                           const struct partiql_node *n, enum attr_type type,
                                           const struct value_place *place)
{
    struct buf message = buf_in(v->arena);

    buf_add_text(&message, "One or more parameter values were invalid: Input collection [");
    for (size_t i = 0; i < n->count; i++) {
        const struct partiql_node *member = n->child[i];

        buf_add_text(&message, i ? ", " : "");
        buf_add_text(&message, member->negated ? "-" : "");
        buf_add_span(&message, member->token->word);
    }
    buf_add_text(&message,
                 type == ATTR_NS ? "] contains duplicates! under " : "] contains duplicates.");
    if (type == ATTR_NS)
        add_place(&message, place);
    return error_written(&message, ERROR_WHY(CAUSE_STATEMENT_TWICE));
}

static const struct error *read_bag(const struct partiql_values *v, const struct partiql_node *n,
                                    const struct value_place *place, struct attr *out)
{
    struct attr_list list = {.at = arena_array(v->arena, n->count, sizeof *list.at)};
    const struct error *e;

    if (!n->count)
        return error_caused(v->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_EMPTY_SET, .beside = SPAN_LIT("<<>>")),
                            "Empty bags are not supported");
    for (; list.len < n->count; list.len++) {
        struct value_place member = {.above = place, .index = list.len};

        if ((e = read_member(v, n->child[list.len], &member, &list.at[list.len])))
            return e;
        if (list.at[list.len].type != list.at[0].type)
            return unfit_member(v);
    }
    *out = (struct attr){.type = list.at[0].type == ATTR_S ? ATTR_SS : ATTR_NS, .list = list};
    return attr_set_normalize(v->arena, out) ? NULL : repeated_member(v, n, out->type, place);
}

/* --- lists and structs ---------------------------------------------------------------------- */

static const struct error *read_value(const struct partiql_values *v, const struct partiql_node *n,
                                      const struct value_place *place, struct attr *out);

static const struct error *read_list(const struct partiql_values *v, const struct partiql_node *n,
                                     const struct value_place *place, struct attr_list *out)
{
    struct attr_list list = {.at = arena_array(v->arena, n->count, sizeof *list.at)};
    const struct error *e;

    for (; list.len < n->count; list.len++) {
        struct value_place element = {.above = place, .index = list.len, .depth = place->depth + 1};

        if ((e = read_value(v, n->child[list.len], &element, &list.at[list.len])))
            return e;
    }
    *out = list;
    return NULL;
}

/* Only an item's own fields may be parameters; each of their values is a root. */
static const struct error *read_field(const struct partiql_values *v, const struct partiql_node *n,
                                      const struct value_place *place, struct span name,
                                      struct attr *out)
{
    struct value_place field = {.above = place, .name = name};

    if (!place)
        return partiql_read_value(v, n, out);
    field.depth = place->depth + 1;
    return read_value(v, n, &field, out);
}

/* Reads the fields of a struct, or of an item (place NULL). The last of repeated names counts. */
static const struct error *read_fields(const struct partiql_values *v, const struct partiql_node *n,
                                       const struct value_place *place, struct item *out)
{
    struct item fields = {.at = arena_array(v->arena, n->count / 2, sizeof *fields.at)};
    const struct error *e;

    for (size_t i = 0; i < n->count; i += 2) {
        const struct partiql_node *key = n->child[i];
        struct span name = key->token->word;
        struct attr value, *earlier;

        if (key->kind != PQ_NODE_LITERAL || key->token->kind != PQ_STRING)
            return error_because(v->arena, no_value_at(v, key, place ? place : &root),
                                 ERROR_WHY(CAUSE_STATEMENT_FIELD, .operand = key->token->word));
        if (!name.len)
            return error_caused(v->arena, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_EMPTY_NAME, .operand = SPAN_LIT("an attribute")),
                                "Empty attribute name");
        if ((e = read_field(v, n->child[i + 1], place, name, &value)))
            return e;
        if ((earlier = item_slot(&fields, name)))
            *earlier = value;
        else
            fields.at[fields.len++] = (struct field){name, value};
    }
    *out = fields;
    return NULL;
}

static const struct error *read_value(const struct partiql_values *v, const struct partiql_node *n,
                                      const struct value_place *place, struct attr *out)
{
    bool nests = n->kind == PQ_NODE_LIST || n->kind == PQ_NODE_STRUCT;

    if (nests && place->depth >= LIMIT_NESTING)
        return fault_under(v, SPAN_LIT("Nesting Levels have exceeded supported limits"), place,
                           ERROR_WHY(CAUSE_NESTED));
    switch (n->kind) {
    case PQ_NODE_LITERAL:
        return read_literal(v, n, place, out);
    case PQ_NODE_BAG:
        return read_bag(v, n, place, out);
    case PQ_NODE_LIST:
        *out = (struct attr){.type = ATTR_L};
        return read_list(v, n, place, &out->list);
    case PQ_NODE_STRUCT:
        *out = (struct attr){.type = ATTR_M};
        return read_fields(v, n, place, &out->map);
    default:
        return no_value_at(v, n, place);
    }
}

const struct error *partiql_read_value(const struct partiql_values *v, const struct partiql_node *n,
                                       struct attr *out)
{
    if (n->kind != PQ_NODE_PARAMETER)
        return read_value(v, n, &root, out);
    *out = v->parameters[n->parameter];
    return NULL;
}

const struct error *partiql_read_item(const struct partiql_values *v, const struct partiql_node *n,
                                      struct item *out)
{
    return n->kind == PQ_NODE_STRUCT ? read_fields(v, n, NULL, out) : no_value_at(v, n, &root);
}

static const struct error *check_children(const struct partiql_values *v,
                                          const struct partiql_node *n)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < n->count; i++) {
        const struct partiql_node *child = n->child[i];
        bool operands = n->kind == PQ_NODE_IN && child->kind == PQ_NODE_LIST;

        e = operands ? check_children(v, child) : partiql_check_literals(v, child);
    }
    return e;
}

const struct error *partiql_check_literals(const struct partiql_values *v,
                                           const struct partiql_node *n)
{
    struct attr value;

    switch (n->kind) {
    case PQ_NODE_PATH:
    case PQ_NODE_PARAMETER:
    case PQ_NODE_SELECT:
        return NULL;
    case PQ_NODE_LITERAL:
        return n->token->kind == PQ_MISSING ? NULL : read_literal(v, n, &root, &value);
    case PQ_NODE_LIST:
    case PQ_NODE_BAG:
    case PQ_NODE_STRUCT:
        return read_value(v, n, &root, &value);
    default:
        return check_children(v, n);
    }
}

/* --- paths ---------------------------------------------------------------------------------- */

static const struct error *read_index(const struct partiql_values *v,
                                      const struct partiql_step *step, uint32_t *out)
{
    uint64_t index = 0;

    for (size_t i = 0; i < step->token->text.len && index <= INT32_MAX; i++)
        index = index * 10 + (uint64_t)(step->token->text.at[i] - '0');
    if (index > INT32_MAX || (step->negative && index)) {
        struct buf message = buf_in(v->arena);

        buf_printf(&message, "List index is not within the allowable range; index: [%s%.*s]",
                   step->negative ? "-" : "", SPAN_ARG(step->token->text));
        add_position(&message, step->token);
        return error_written(
            &message,
            ERROR_WHY(step->negative ? CAUSE_MEMBER_LOW : CAUSE_MEMBER_HIGH,
                      .operand = SPAN_LIT("the place in a list"),
                      .place = span_of(arena_printf(v->arena, "%s%.*s", step->negative ? "-" : "",
                                                    SPAN_ARG(step->token->text))),
                      .beside = step->negative ? SPAN_LIT("0") : SPAN_LIT("2147483647")));
    }
    *out = (uint32_t)index;
    return NULL;
}

const struct error *partiql_read_path(const struct partiql_values *v, const struct partiql_node *n,
                                      struct path *out)
{
    struct path path = {arena_array(v->arena, n->count, sizeof(struct path_step)), n->count};
    const struct error *e;

    for (size_t i = 0; i < n->count; i++) {
        const struct partiql_step *step = &n->steps[i];
        struct path_step *to = &path.at[i];

        if (step->kind == PQ_STEP_ALL || step->kind == PQ_STEP_OTHER)
            return error_because(v->arena,
                                 partiql_fault_at(v, "Unexpected path component", step->token),
                                 partiql_step_why(n, i));
        to->name = step->token->word;
        to->is_index = step->kind == PQ_STEP_INDEX;
        if (!to->name.len)
            return partiql_empty_name(v);
        if (to->is_index && (e = read_index(v, step, &to->index)))
            return e;
    }
    *out = path;
    return NULL;
}

/* --- operands ------------------------------------------------------------------------------- */

const struct error *partiql_value_node(const struct partiql_values *v, const struct partiql_node *n,
                                       struct node **out)
{
    struct attr *value = arena_alloc(v->arena, sizeof *value);
    const struct error *e = partiql_read_value(v, n, value);

    if (!e)
        *out = expr_node_of_value(v->arena, value);
    return e;
}

const struct error *partiql_path_node(const struct partiql_values *v, const struct partiql_node *n,
                                      struct node **out)
{
    struct path path = {NULL, 0};
    const struct error *e = partiql_read_path(v, n, &path);

    if (!e)
        *out = expr_node_of_path(v->arena, path);
    return e;
}

const struct error *partiql_read_children(const struct partiql_values *v,
                                          const struct partiql_node *n, enum node_kind kind,
                                          const struct error *(*read)(const struct partiql_values *,
                                                                      const struct partiql_node *,
                                                                      struct node **),
                                          struct node **out)
{
    struct node **children = arena_array(v->arena, n->count, sizeof(struct node *));
    const struct error *e;

    for (size_t i = 0; i < n->count; i++)
        if ((e = read(v, n->child[i], &children[i])))
            return e;
    *out = expr_node(v->arena, kind, children, n->count);
    return NULL;
}
