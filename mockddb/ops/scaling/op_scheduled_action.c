#include "base/ascii.h"
#include "base/date.h"
#include "ops/scaling/scaling.h"

static bool is_control(const char *c)
{
    return (unsigned char)*c < ' ' || *c == 0x7f ||
           ((unsigned char)c[0] == 0xc2 && (unsigned char)c[1] >= 0x80 &&
            (unsigned char)c[1] < 0xa0);
}

/* Whether a name has no blank at either end, no control characters and none of ":/|". */
static bool is_name(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_control(text.at + i) || span_has(SPAN_LIT(":/|"), text.at[i]))
            return false;
    return text.len && text.at[0] != ' ' && text.at[text.len - 1] != ' ';
}

static const struct wire_shape action_name = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_POLICY_NAME),
    .pattern = "(?!((^[ ]+.*)|(.*([\\u0000-\\u001f]|[\\u007f-\\u009f]|[:/|])+.*)|(.*[ ]+$))).+",
    .keeps = is_name};

static const struct wire_shape capacities = WIRE_STRUCT_OF("ScalableTargetAction",
                                                           {"MinCapacity", &wire_any_integer, 0},
                                                           {"MaxCapacity", &wire_any_integer, 0});

/* --- schedules -------------------------------------------------------------------------------- */

#define CRON_FIELDS 6

/* Cuts the next word off a text; empty after the last word. */
static struct span cut_word(struct span *text)
{
    struct span word;

    while (text->len && text->at[0] == ' ')
        *text = span_from(*text, 1);
    word = (struct span){text->at, 0};
    while (word.len < text->len && text->at[word.len] != ' ')
        word.len++;
    *text = span_from(*text, word.len);
    return word;
}

/* The inner text of at(2030-01-01T00:00:00). */
static bool is_at(struct span text)
{
    char moment_text[] = "0000-00-00T00:00:00Z";
    int64_t ms;

    if (text.len != sizeof moment_text - 2)
        return false;
    memcpy(moment_text, text.at, text.len);
    return date_read_extended(span_of(moment_text), &ms);
}

/* The inner text of rate(5 minutes). */
static bool is_rate(struct span text)
{
    static const char *const units[] = {"minute", "minutes", "hour", "hours", "day", "days", NULL};
    struct span value = cut_word(&text), unit = cut_word(&text);
    bool positive = false;

    for (size_t i = 0; i < value.len; i++) {
        if (!ascii_is_digit(value.at[i]))
            return false;
        positive = positive || value.at[i] != '0';
    }
    return positive && names_find(units, unit, -1) >= 0 && !text.len;
}

/* The inner text of cron(0 8 ? * MON-FRI *). */
static bool is_cron(struct span text)
{
    size_t count = 0;

    for (struct span field = cut_word(&text); field.len; field = cut_word(&text), count++)
        for (size_t i = 0; i < field.len; i++)
            if (!ascii_is_letter(field.at[i]) && !ascii_is_digit(field.at[i]) &&
                !span_has(SPAN_LIT("*?,-/#"), field.at[i]))
                return false;
    return count == CRON_FIELDS;
}

static const struct {
    const char *begins;
    bool (*is)(struct span inner);
} schedules[] = {{"at(", is_at}, {"rate(", is_rate}, {"cron(", is_cron}};

static const struct error *check_schedule(struct call *c)
{
    const wire_node *given = wire_get(c->body, "Schedule");
    struct span text = wire_text(given);

    for (size_t i = 0; i < COUNT(schedules) && given; i++) {
        struct span begins = span_of(schedules[i].begins);

        if (span_starts_with(text, begins) && text.at[text.len - 1] == ')' &&
            schedules[i].is((struct span){text.at + begins.len, text.len - begins.len - 1}))
            return NULL;
    }
    return error_because(
        c->arena,
        given ? error_validation(c->arena, "Invalid schedule expression: %.*s", SPAN_ARG(text))
              : NULL,
        ERROR_WHY(CAUSE_SCHEDULE, .place = text));
}

/* --- the action ------------------------------------------------------------------------------- */

/* Returns the member of the request, or else the stored one. */
static const wire_node *member_of(const struct call *c, const wire_node *before, const char *name)
{
    const wire_node *given = wire_get(c->body, name);

    return given ? given : wire_get(before, name);
}

static const struct error *check_action(struct call *c, const wire_node *before)
{
    const wire_node *action = member_of(c, before, "ScalableTargetAction");
    const wire_node *least = wire_get(action, "MinCapacity"),
                    *most = wire_get(action, "MaxCapacity");
    const wire_node *from = wire_get(c->body, "StartTime"), *until = wire_get(c->body, "EndTime");

    if (!member_of(c, before, "Schedule"))
        return error_validation(c->arena, "Schedule must be specified for a new scheduled action");
    if (!least && !most)
        return error_validation(c->arena, "ScalableTargetAction must have MinCapacity or "
                                          "MaxCapacity");
    if (from && until && wire_time(from, 0) >= wire_time(until, 0))
        return error_validation(c->arena, "StartTime must be before EndTime");
    return scaling_check_capacities(c, least, most);
}

static struct span new_arn(struct call *c, const struct scaling_entry *entry)
{
    return span_of(arena_printf(c->arena,
                                "arn:aws:autoscaling:%.*s:%.*s:scheduledAction:%s:resource/"
                                "dynamodb/%.*s:scheduledActionName/%.*s",
                                SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account),
                                clock_uuid(c->clock, c->arena), SPAN_ARG(entry->target.resource),
                                SPAN_ARG(entry->name)));
}

static void put_time(struct wire_writer *w, const char *name, const wire_node *time)
{
    if (!time)
        return;
    wire_put_member_time(w, name, wire_time(time, 0));
}

/* Makes the new description. Absent times are removed, other absent members keep their values. */
static struct span describe_action(struct call *c, const struct scaling_entry *entry,
                                   const wire_node *before)
{
    const wire_node *timezone = member_of(c, before, "Timezone");
    const wire_node *arn = wire_get(before, "ScheduledActionARN");
    struct buf json = buf_in(c->arena);
    struct wire_writer w = {.out = &json};

    wire_open(&w, '{');
    wire_put_member_text(&w, "ScheduledActionName", entry->name);
    wire_put_member_text(&w, "ScheduledActionARN", arn ? wire_text(arn) : new_arn(c, entry));
    wire_put_member_word(&w, "ServiceNamespace", "dynamodb");
    wire_put_member_text(&w, "Schedule", wire_text(member_of(c, before, "Schedule")));
    if (timezone)
        wire_put_member_text(&w, "Timezone", wire_text(timezone));
    wire_put_member_text(&w, "ResourceId", entry->target.resource);
    wire_put_member_text(&w, "ScalableDimension", entry->target.dimension);
    put_time(&w, "StartTime", wire_get(c->body, "StartTime"));
    put_time(&w, "EndTime", wire_get(c->body, "EndTime"));
    wire_put_member_raw(&w, "ScalableTargetAction",
                        wire_raw(member_of(c, before, "ScalableTargetAction")));
    wire_put_member_time(&w, "CreationTime",
                         wire_time(wire_get(before, "CreationTime"), clock_now_ms(c->clock)));
    wire_close(&w, '}');
    return buf_span(&json);
}

static const struct error *put_scheduled_action(struct call *c)
{
    struct scaling_entry target = {.part = SCALING_TARGETS}, action;
    const wire_node *registered, *before;
    const struct error *e;

    if ((e = scaling_read(c, &target.target)) || (e = check_schedule(c)) ||
        (e = scaling_get(c, &target, &registered)))
        return e;
    if (!registered)
        return scaling_not_found(c, &target.target, "scalable target registered");
    action = (struct scaling_entry){.part = SCALING_ACTIONS,
                                    .target = target.target,
                                    .name = wire_text(wire_get(c->body, "ScheduledActionName"))};
    if ((e = scaling_get(c, &action, &before)) || (e = check_action(c, before)))
        return e;
    return scaling_put(c, &action, describe_action(c, &action, before));
}

const struct op op_put_scheduled_action = {
    .name = "PutScheduledAction",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ScheduledActionName", &action_name, WIRE_REQUIRED},
                            SCALING_TARGET_MEMBERS, {"Schedule", &scaling_id, 0},
                            {"Timezone", &scaling_id, 0}, {"StartTime", &wire_timestamp, 0},
                            {"EndTime", &wire_timestamp, 0},
                            {"ScalableTargetAction", &capacities, 0}),
    .run = put_scheduled_action,
};

const struct op op_delete_scheduled_action = {
    .name = "DeleteScheduledAction",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ScheduledActionName", &scaling_id, WIRE_REQUIRED},
                            SCALING_TARGET_MEMBERS),
    .run = scaling_delete,
};

const struct op op_describe_scheduled_actions = {
    .name = "DescribeScheduledActions",
    .service = OP_SCALING,
    .members = WIRE_MEMBERS({"ScheduledActionNames", &scaling_ids, 0}, SCALING_LIST_MEMBERS),
    .run = scaling_list,
};
