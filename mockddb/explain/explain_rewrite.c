#include "explain/explain_rewrite.h"

#include "explain/explain_expression.h"
#include "explain/explain_tokens.h"
#include "explain/explain_trial.h"
#include "expr/expr_reserved.h"

/* ExpressionAttributeNames with one name for another, and one more under #n if `more`; at NULL:
 * there is nothing to change. */
static struct span names_with(struct inquiry *q, struct span from, struct span to, bool more)
{
    const wire_node *names = wire_get(q->call.body, EXPLAIN_NAMES);
    struct buf out = buf_in(q->arena);
    bool changed = more;

    for (const wire_node *n = wire_first(names); n; n = wire_next(n)) {
        bool is_it = span_equal(wire_text(n), from);

        changed = changed || is_it;
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_json_string(&out, wire_name(n));
        buf_add_char(&out, ':');
        buf_add_json_string(&out, is_it ? to : wire_text(n));
    }
    if (more) {
        buf_add_text(&out, out.len ? ",\"#n\":" : "{\"#n\":");
        buf_add_json_string(&out, to);
    }
    buf_add_char(&out, '}');
    return changed ? buf_span(&out) : (struct span){NULL, 0};
}

void explain_rewrite_name(struct inquiry *q, const char *parameter, struct span from,
                          struct span to)
{
    struct span text = wire_text(wire_get(q->call.body, parameter)), names;
    bool is_path = span_has(to, '.'), reserved = !is_path && expr_is_reserved(to);
    struct buf out = buf_in(q->arena);
    const char *done = text.at;

    for (struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text); t->kind != TOKEN_END; t++) {
        if (t->kind != TOKEN_IDENTIFIER || !span_equal(t->text, from))
            continue;
        buf_add(&out, done, (size_t)(t->text.at - done));
        buf_add_span(&out, reserved ? SPAN_LIT("#n") : to);
        done = span_end(t->text);
    }
    if (!text.len || (is_path && done == text.at))
        return;
    names = names_with(q, from, to, reserved && done != text.at);
    buf_add(&out, done, (size_t)(span_end(text) - done));
    if (names.at)
        explain_trial_propose_with(q, TRIAL_TEXT(parameter, buf_span(&out)),
                                   TRIAL_JSON(EXPLAIN_NAMES, names));
    else
        explain_trial_propose_text(q, parameter, buf_span(&out));
}
