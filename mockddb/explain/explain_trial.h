/* explain_trial.h: mended requests: made, tried on the same data, and written as a command.
 *
 * A dispatcher of the inquiry's own tries them, without observers, faults and throttle. What they
 * write is undone with their unit, and the store's numbers are given back: nothing of a trial is
 * left. Operations on tables are not tried. */
#pragma once

#include "explain/inquiry.h"

/* The request with other values for those that equal `from`, at any place of the entry that is
 * looked at; earlier ones first. */
struct span explain_trial_with_values(struct inquiry *q, const struct attr *from,
                                      const struct attr *to, size_t count);

/* The request with other members of the entry. */
struct trial_member {
    const char *name;
    struct span text; /* its new value as a string; at NULL: it is not a string … */
    struct span json; /* … but this, or left out if empty */
};
#define TRIAL_TEXT(member, value) ((struct trial_member){.name = (member), .text = (value)})
#define TRIAL_JSON(member, value) ((struct trial_member){.name = (member), .json = (value)})
#define TRIAL_WITHOUT(member)     ((struct trial_member){.name = (member)})
/* `of` is the entry, or NULL for a request of these members alone. */
struct span explain_trial_with_members(struct inquiry *q, const wire_node *of,
                                       const struct trial_member *members, size_t count);
#define explain_trial_with(q, of, ...)                                          \
    explain_trial_with_members((q), (of), (struct trial_member[]){__VA_ARGS__}, \
                               COUNT(((struct trial_member[]){__VA_ARGS__})))

/* `text` with `to` for its `part`. */
struct span explain_trial_with_part(struct inquiry *q, struct span text, struct span part,
                                    struct span to);

/* JSON texts. */
struct span explain_trial_json_text(struct inquiry *q, struct span text);
struct span explain_trial_json_item(struct inquiry *q, const struct item *it);

/* Gives the next request of the inquiry's trials what time is left. */
void explain_trial_bound(struct inquiry *q);

/* Whether a read ended before its page was full, since it had no time left: its figures are not
 * those of the request. */
bool explain_trial_was_cut(struct inquiry *q, const struct call_record *record);

/* A request of the inquiry's trials. */
struct request explain_trial_request(struct inquiry *q, const char *operation, struct span body);

/* Runs the request. False, and *out left alone, where it fails, or reads and gives nothing. */
bool explain_trial_propose(struct inquiry *q, const char *operation, struct span body,
                           struct proposal *out);

/* The request itself with other members, or with a value for each one that equals `from`:
 * it becomes the inquiry's proposal if it gives something. */
void explain_trial_propose_members(struct inquiry *q, const struct trial_member *members,
                                   size_t count);
#define explain_trial_propose_with(q, ...)                                   \
    explain_trial_propose_members((q), (struct trial_member[]){__VA_ARGS__}, \
                                  COUNT(((struct trial_member[]){__VA_ARGS__})))
void explain_trial_propose_text(struct inquiry *q, const char *member, struct span text);
void explain_trial_propose_values(struct inquiry *q, const struct attr *from, const struct attr *to,
                                  size_t count);
void explain_trial_propose_value(struct inquiry *q, const struct attr *from, const struct attr *to);

/* --- in other words --- */

/* JSON: a Query of a table or index with these conditions in its key condition and in its filter.
 * Paths shown are whole attributes. With `instead`, the other members of the entry stay, without
 * those that these ones take the place of. */
struct span explain_draft_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                const struct expr_key *key, const struct expr_key *filter,
                                const struct expr_projection *shown, bool instead);

/* Proposes a Query of these conditions alone. */
void explain_draft_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                 const struct expr_key *key);

/* Proposes the request with one attribute's name for another, which may be a path: where it is
 * written, or what its placeholder means. */
void explain_draft_rename(struct inquiry *q, const char *parameter, struct span from,
                          struct span to);
