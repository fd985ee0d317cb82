#include "explain/explain_cause.h"

#include "base/cut.h"
#include "base/fold.h"
#include "base/utf8.h"
#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "expr/expr_ast.h"
#include "expr/expr_reserved.h"
#include "wire/wire_print.h"

static const struct parameter {
    const char *name;
    enum expr_grammar grammar;
} parameters[] = {
    {"KeyConditionExpression", GRAMMAR_CONDITION}, {"FilterExpression", GRAMMAR_CONDITION},
    {"ConditionExpression", GRAMMAR_CONDITION},    {"ProjectionExpression", GRAMMAR_PROJECTION},
    {"UpdateExpression", GRAMMAR_UPDATE},          {"SearchConditionExpression", GRAMMAR_CONDITION},
};

static struct span text_of(const struct inquiry *q, const struct parameter *p)
{
    return wire_text(wire_get(q->entry, p->name));
}

/* --- showing and proposing -------------------------------------------------------------------- */

void explain_expression_mark(struct inquiry *q, const char *parameter, struct span text,
                             struct span place)
{
    size_t from = strlen(parameter) + 2 +
                  utf8_letters((struct span){text.at, (size_t)(place.at - text.at)});
    char *line = arena_text(q->arena, text);
    struct span shown = {line, text.len};

    for (size_t i = 0; i < text.len; i++) /* marks are below their letters only in one line */
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    say_line(q, "%: %", parameter, shown);
    say_marks(q, from, place.len ? utf8_letters(place) : 1);
}

void explain_expression_mark_refusal(struct inquiry *q, const struct refusal *r)
{
    if (r->parameter)
        explain_expression_mark(q, r->parameter, r->text, r->place);
}

void explain_expression_mark_name(struct inquiry *q, const struct refusal *r)
{
    struct span text = wire_text(wire_get(q->entry, "UpdateExpression"));
    struct token *t = explain_tokens(q, GRAMMAR_UPDATE, text);

    while (t->kind != TOKEN_END && !explain_tokens_name(q, t, r->why->operand))
        t++;
    if (t->kind != TOKEN_END)
        explain_expression_mark(q, "UpdateExpression", text, t->text);
}

struct refusal explain_expression_refusal(struct inquiry *q, const struct error_why *why)
{
    uintptr_t at = (uintptr_t)why->place.at;

    for (size_t i = 0; at && i < COUNT(parameters); i++) {
        struct span text = text_of(q, &parameters[i]);
        uintptr_t from = (uintptr_t)text.at;

        if (text.at && at >= from && at + why->place.len <= from + text.len)
            return (struct refusal){why, why->place, parameters[i].name, parameters[i].grammar,
                                    text};
    }
    return (struct refusal){.why = why};
}

void explain_expression_mend(struct inquiry *q, const struct refusal *r, struct span part,
                             struct span to)
{
    if (r->parameter)
        explain_trial_propose_text(q, r->parameter, explain_trial_with_part(q, r->text, part, to));
}

/* --- maps of placeholders --------------------------------------------------------------------- */

struct span explain_expression_map(struct inquiry *q, const char *map, struct span from,
                                   struct span to, struct span more)
{
    struct buf out = buf_in(q->arena);

    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n)) {
        bool is_it = from.at && span_equal(wire_name(n), from);

        if (is_it && !to.at)
            continue;
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_json_string(&out, is_it ? to : wire_name(n));
        buf_add_char(&out, ':');
        wire_print_json(&out, n);
    }
    if (more.len)
        say_add(&out, "%%", out.len ? ',' : '{', more);
    buf_add_text(&out, out.len ? "}" : "");
    return buf_span(&out);
}

static void propose_map(struct inquiry *q, const char *map, struct span from, struct span to)
{
    explain_trial_propose_with(
        q, TRIAL_JSON(map, explain_expression_map(q, map, from, to, SPAN_LIT(""))));
}

/* Proposes the request without the member that is beside. */
void explain_expression_left_out(struct inquiry *q, const struct refusal *r)
{
    if (q->call.op->form == OP_NO_ITEMS && wire_count(q->call.body) <= 2)
        return; /* a change of a table without any change */
    q->next_is_sure = true;
    explain_trial_propose_with(q, TRIAL_WITHOUT(arena_text(q->arena, r->why->beside)));
}

/* The first token of all expressions that is this text. */
static bool find_token(struct inquiry *q, struct span word, struct refusal *at)
{
    for (size_t i = 0; i < COUNT(parameters); i++) {
        struct token *t = explain_tokens(q, parameters[i].grammar, text_of(q, &parameters[i]));

        while (t->kind != TOKEN_END && !span_equal(t->text, word))
            t++;
        at->text = text_of(q, &parameters[i]);
        at->parameter = parameters[i].name;
        at->place = t->text;
        if (t->kind != TOKEN_END)
            return true;
    }
    return false;
}

void explain_expression_undefined(struct inquiry *q, const struct refusal *r)
{
    struct span key = r->place;
    struct refusal ignored;
    const char *map;

    if (!r->parameter)
        return;
    map = *key.at == '#' ? EXPLAIN_NAMES : EXPLAIN_VALUES;
    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n)) {
        if (find_token(q, wire_name(n), &ignored))
            continue;
        say_why(q, "% is in % and not in %, which has % for nothing", key, r->parameter, map,
                wire_name(n));
        propose_map(q, map, wire_name(n), key);
        return;
    }
    say_why(q, "% is in % and not in %", key, r->parameter, map);
}

/* A key that no expression uses: taken out, or written without its sign, label = l. */
void explain_expression_unused(struct inquiry *q, const struct refusal *r)
{
    const char *map = arena_text(q->arena, r->why->beside);
    struct span key = r->why->operand;
    struct refusal at = {.why = r->why};

    if (find_token(q, span_from(key, 1), &at)) {
        say_why(q, "% has no % in %: write %, which is in %", at.place, *key.at, at.parameter, key,
                map);
        explain_expression_mark_refusal(q, &at);
        explain_expression_mend(q, &at, at.place, key);
        return;
    }
    say_why(q, "% of % is in no expression: take it out", key, map);
    q->next_is_sure = true;
    propose_map(q, map, key, (struct span){NULL, 0});
}

/* A key of a map that is no placeholder: without its sign, or with other characters. */
void explain_expression_placeholder(struct inquiry *q, const struct refusal *r)
{
    const char *map = arena_text(q->arena, r->why->beside);
    bool is_names = strcmp(map, EXPLAIN_NAMES) == 0;
    struct span key = r->why->operand, marked;

    if (key.len && *key.at == '#' && is_names && span_find(key, '.')) {
        say_why(q, "% is not a placeholder: give each part of the path one, such as #a.#b",
                say_quoted(key));
        return;
    }
    if (key.len && (*key.at == '#' || *key.at == ':')) {
        say_why(q, "% is not a placeholder: % is followed by letters, digits and _",
                say_quoted(key), is_names ? '#' : ':');
        return;
    }
    marked = say_text_span(q, "%%", is_names ? '#' : ':', key);
    say_why(q,
            is_names ? "names begin with #: write \"%\" (values with \":\")"
                     : "values begin with \":\": write \"%\" (names with \"#\")",
            marked);
    propose_map(q, map, key, marked);
}

/* The expression with '#' before each reserved word that names an attribute; adds to the map
 * what that needs. */
static struct span with_placeholders(struct inquiry *q, const struct parameter *p, struct buf *map)
{
    struct span text = text_of(q, p);
    struct buf out = buf_in(q->arena);
    const char *done = text.at;

    for (struct token *t = explain_tokens(q, p->grammar, text); t->kind != TOKEN_END; t++) {
        struct span key = say_text_span(q, "#%", t->text);

        if (t->kind != TOKEN_IDENTIFIER || !expr_is_reserved(t->text) || t[1].kind == TOKEN_OPEN)
            continue;
        buf_add(&out, done, (size_t)(t->text.at - done));
        done = span_end(t->text);
        buf_add_span(&out, key);
        if (!wire_get_span(wire_get(q->entry, EXPLAIN_NAMES), key) &&
            !strstr(buf_text(map), say_text(q, "\"%\"", key)))
            say_add(map, "%\"%\":\"%\"", map->len ? "," : "", key, t->text);
    }
    buf_add(&out, done, (size_t)(span_end(text) - done));
    return buf_span(&out);
}

void explain_expression_reserved_word(struct inquiry *q, const struct refusal *r)
{
    struct trial_member members[COUNT(parameters) + 1];
    struct buf map = buf_in(q->arena);
    size_t count = 0;

    if (!r->parameter)
        return;
    for (size_t i = 0; i < COUNT(parameters); i++)
        if (text_of(q, &parameters[i]).at)
            members[count++] = TRIAL_TEXT(parameters[i].name,
                                          with_placeholders(q, &parameters[i], &map));
    members[count++] = TRIAL_JSON(EXPLAIN_NAMES,
                                  explain_expression_map_with(q, EXPLAIN_NAMES, buf_span(&map)));
    q->next_is_sure = true;
    explain_trial_propose_members(q, members, count);
}

/* --- operands --------------------------------------------------------------------------------- */

static const struct operator_rule *rule_of(struct span name)
{
    for (unsigned kind = 0; kind < NODE_KIND_COUNT; kind++)
        if (expr_rule((enum node_kind)kind)->name &&
            span_is(name, expr_rule((enum node_kind)kind)->name))
            return expr_rule((enum node_kind)kind);
    return expr_rule(NODE_UNKNOWN); /* ADD and DELETE of an update, which have no rule */
}

void explain_expression_operand_count(struct inquiry *q, const struct refusal *r)
{
    say_why(q, "% takes %, here it has %", r->why->operand,
            say_count(rule_of(r->why->operand)->operand_count, "operand"), r->why->count);
}

/* "S, N or B" */
static const char *types_words(struct inquiry *q, unsigned types)
{
    struct buf out = buf_in(q->arena);

    for (unsigned type = 0; type <= ATTR_M; type++)
        if (types >> type & 1U)
            say_add(&out, "%%",
                    !out.len             ? ""
                    : types >> type == 1 ? " or "
                                         : ", ",
                    (enum attr_type)type);
    return buf_text(&out);
}

void explain_expression_operand_type(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;
    const struct operator_rule *rule = rule_of(name);
    enum attr_type given = (enum attr_type)r->why->found;
    const char *taken = rule->name ? types_words(q, rule->types)
                                   : "a number or a set, such as {\"SS\": [\"a\"]}";
    struct attr value;

    if (rule->types == 1U << ATTR_L)
        taken = "two lists, such as {\"L\": [{\"S\": …}]}";
    else if (span_is(name, "begins_with") && given == ATTR_N)
        taken = "S or B, a range of numbers is asked by BETWEEN";
    else if (span_is(name, "DELETE"))
        taken = given == ATTR_L ? "a set, REMOVE name[0] takes an element out of a list"
                                : "a set, such as {\"SS\": [\"a\"]}";
    else if (span_is(name, "ADD") && given == ATTR_L)
        taken = "a number or a set, SET name = list_append(name, :v) adds to a list";
    say_why(q, "% is %: % takes %", r->parameter ? r->place : SPAN_LIT("the value"), given, name,
            taken);
    if (rule->types & 1U << ATTR_N && explain_entry_value(q, r->place, &value) &&
        value.type == ATTR_S) /* the number that a text was meant to be */
        explain_trial_propose_value(q, &value,
                                    &(struct attr){.type = ATTR_N, .bytes = value.bytes});
}

/* Proposes BETWEEN with its ends swapped. */
void explain_expression_bound_order(struct inquiry *q, const struct refusal *r)
{
    explain_expression_mend(q, r, r->place,
                            say_text_span(q, "% AND %", r->why->beside, r->why->operand));
}

/* begins_with(:v, name), where the place is the value. */
void explain_expression_swapped(struct inquiry *q, const struct refusal *r)
{
    struct span operand = r->why->operand,
                both = {r->place.at, (size_t)(span_end(operand) - r->place.at)};

    explain_expression_mend(q, r, both, say_text_span(q, "%, %", operand, r->place));
}

/* Other words for types. */
static const struct foreign types[] = {
    {" string str text s ", "S"},
    {" number int integer numeric n ", "N"},
    {" binary b ", "B"},
    {" boolean bool ", "BOOL"},
    {" null ", "NULL"},
    {" list array l ", "L"},
    {" map object m ", "M"},
    {" stringset string_set ss ", "SS"},
    {" numberset number_set ns ", "NS"},
    {" binaryset binary_set bs ", "BS"},
};

void explain_expression_type_name(struct inquiry *q, const struct refusal *r)
{
    struct attr value, mended = {.type = ATTR_S};
    const char *code;

    if (r->parameter && *r->place.at != ':') {
        say_why(
            q,
            "attribute_type takes the type as a value: write :t, and {\":t\": {\"S\": \"%\"}} in "
            "" EXPLAIN_VALUES,
            r->place);
    } else if (!explain_entry_value(q, r->place, &value)) {
        return;
    } else if (value.type == ATTR_S &&
               (code = explain_tokens_instead(q, types, COUNT(types), value.bytes))) {
        say_why(q, "attribute_type takes the short name of a type: \"%\", not %", code, &value);
        mended.bytes = span_of(code);
        explain_trial_propose_value(q, &value, &mended);
    } else {
        say_why(q,
                "% is %: attribute_type takes one of \"S\", \"N\", \"B\", \"SS\", \"NS\", \"BS\", "
                "\"L\", \"M\", \"BOOL\" and \"NULL\"",
                r->place, &value);
    }
}

/* --- updates ---------------------------------------------------------------------------------- */

/* "SET … SET …" → "SET …, …" */
void explain_expression_section_twice(struct inquiry *q, const struct refusal *r)
{
    struct span before = fold_trimmed(
        (struct span){r->text.at, (size_t)(r->place.at - r->text.at)});
    struct token *t = explain_tokens(q, GRAMMAR_UPDATE, before);
    enum token_kind last = TOKEN_END;

    for (; t->kind != TOKEN_END; t++)
        last = t->kind >= TOKEN_SET ? t->kind : last;
    /* If no other section is between them. */
    if (r->parameter && last == explain_tokens(q, GRAMMAR_UPDATE, r->place)->kind)
        explain_trial_propose_text(q, "UpdateExpression",
                                   say_text_span(q, "%,%", before, span_behind(r->text, r->place)));
}

/* "plays is not in the item yet"; or the item is not there. */
static const char *not_there(struct inquiry *q, struct span name)
{
    const struct table *t;
    struct item key, it;

    return !explain_entry_key(q, q->entry, &t, &key) || explain_entry_stored(q, t, &key, &it)
               ? say_text(q, "% is not in the item yet", name)
               : say_text(q, "there is no item with %", &key);
}

/* What a name of the path is called in the item that the entry is about, where that differs; NULL.
 */
static const char *near_in_path(struct inquiry *q, struct span path)
{
    const struct table *t;
    const struct attr *value;
    struct item key, it;
    struct span name;

    if (!explain_entry_key(q, q->entry, &t, &key) || !explain_entry_stored(q, t, &key, &it))
        return NULL;
    while (path.len) {
        name = cut_part(&path, '.');
        if (!(value = item_find(&it, name)))
            return explain_entry_near_name(q, &it, name);
        if (value->type != ATTR_M)
            break;
        it = value->map;
    }
    return NULL;
}

/* An operand that the item does not have. */
void explain_expression_lacks(struct inquiry *q, const struct refusal *r)
{
    bool in_list = r->why->wanted == ATTR_L;
    struct span name = r->why->operand;
    const char *value = in_list ? ":empty" : ":zero", *near = near_in_path(q, name);

    if (near) {
        say_why(q, "% is not in the item, it has %", name, near);
    } else if (r->why->wanted < 0) {
        say_why(q, "%: SET copies an attribute that exists", not_there(q, name));
    } else {
        say_why(q, "%: begin with if_not_exists(%, %)", not_there(q, name),
                r->parameter ? r->place : name, value);
        say_line(q, "where % is in " EXPLAIN_VALUES " as %", value,
                 in_list ? "{\"L\": []}" : "{\"N\": \"0\"}");
    }
}

/* A target below the first level, whose parent is not in the item or of another type. */
void explain_expression_parent(struct inquiry *q, const struct refusal *r)
{
    struct span parent = r->why->operand, whole = r->why->beside;
    enum attr_type wanted = (enum attr_type)r->why->wanted;
    bool is_index = wanted == ATTR_L;
    const char *near = near_in_path(q, parent);

    if (r->why->found < 0 && near)
        say_why(q, "% is not in the item, it has %", parent, near);
    else if (r->why->found >= 0)
        say_why(q, "% is % in the item, so % cannot be set: % takes %", parent,
                say_type((enum attr_type)r->why->found), whole, is_index ? "[n]" : "a member",
                say_type(wanted));
    else if (parent.at[parent.len - 1] == ']')
        say_why(q, "%, so % cannot be set: SET % = :new appends an element to the list",
                not_there(q, parent), whole, parent);
    else
        say_why(q, "%, so % cannot be set: first SET % = :new, with {\":new\": {\"%\": %}}",
                not_there(q, parent), whole, parent, wanted, is_index ? "[]" : "{}");
}

/* ADD of a value of another type than the attribute has. */
void explain_expression_added(struct inquiry *q, const struct refusal *r)
{
    enum attr_type found = (enum attr_type)r->why->found, given = (enum attr_type)r->why->wanted;
    struct span name = r->why->operand;
    struct span value = r->why->beside.len ? r->why->beside : SPAN_LIT("the value");

    if (found == ATTR_L)
        say_why(q,
                "% is a list in the item, % is %: SET % = list_append(%, :v) adds to a list, with "
                "{\":v\": {\"L\": [...]}}",
                name, value, given, name, name);
    say_why(q, "% is % in the item, % is %: ADD takes two numbers or two sets", name, found, value,
            given);
}
