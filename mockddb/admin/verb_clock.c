/* GET and POST /_mockddb/clock: reads and sets a world's time. */
#include "admin/admin_show.h"
#include "ops/ttl/ttl_index.h"

#define MAX_RATE 100000

static const struct problem *show_clock(struct admin_call *c)
{
    const struct clock_time time = clock_time_of(world_clock(c->world));

    admin_show_time(c, &time);
    return NULL;
}

/* The same, and by which rules items expire by it. */
static const struct problem *show_rules(struct admin_call *c)
{
    const struct settings *s = world_settings(c->world);

    wire_open_member(&c->out, "expiry", '{');
    wire_put_member_integer(&c->out, "after_ms", ttl_index_lag_ms(s));
    wire_open_member(&c->out, "kept_tables", '[');
    for (size_t i = 0; i < s->kept_table_count; i++)
        wire_put_text(&c->out, s->kept_tables[i]);
    wire_close(&c->out, ']');
    wire_close(&c->out, '}');
    return show_clock(c);
}

/* --- what may be asked ------------------------------------------------------------------------ */

static bool is_true(const wire_node *node)
{
    return wire_bool(node, false);
}

/* {"freeze": true}, or a time at which to stop. */
static const struct problem *freeze(struct admin_call *c)
{
    struct clock *clock = world_clock(c->world);
    const struct problem *p;
    int64_t ms = clock_now_ms(clock);

    if (!is_true(wire_get(c->body, "freeze")) && (p = admin_read_moment(c, "freeze", &ms)))
        return p;
    clock_set_rate(clock, 0);
    clock_set(clock, ms);
    return show_clock(c);
}

/* {"set": moment}: shows that time and continues at the same rate. */
static const struct problem *set(struct admin_call *c)
{
    const struct problem *p;
    int64_t ms;

    if ((p = admin_read_moment(c, "set", &ms)))
        return p;
    clock_set(world_clock(c->world), ms);
    return show_clock(c);
}

/* {"resume": true}: continues from the time that it shows. */
static const struct problem *resume(struct admin_call *c)
{
    if (!is_true(wire_get(c->body, "resume")))
        return problem_invalid(c->arena, "resume takes true");
    clock_set_rate(world_clock(c->world), 1);
    return show_clock(c);
}

/* {"real": true}: shows the system's time again. */
static const struct problem *follow_real(struct admin_call *c)
{
    if (!is_true(wire_get(c->body, "real")))
        return problem_invalid(c->arena, "real takes true");
    clock_follow_system(world_clock(c->world));
    return show_clock(c);
}

/* {"rate": 60}: runs 60 times as fast as real time. */
static const struct problem *change_rate(struct admin_call *c)
{
    double rate = wire_double(wire_get(c->body, "rate"), -1);

    if (!(rate >= 0 && rate <= MAX_RATE))
        return problem_invalid(c->arena, "rate is not a number from 0 to %d", MAX_RATE);
    clock_set_rate(world_clock(c->world), rate);
    return show_clock(c);
}

static bool advance_step(struct admin_work *w)
{
    return world_advance_step(w->world);
}

static const struct problem *advance_answer(struct admin_call *c, struct admin_work *w)
{
    (void)w;
    return show_clock(c);
}

static void advance_end(struct admin_work *w)
{
    world_advance_end(w->world);
}

static const struct admin_job advance_job = {
    .step = advance_step, .answer = advance_answer, .end = advance_end};

/* {"advance": duration}: everything that falls due on the way is done, in order, before the
 * reply. */
static const struct problem *advance(struct admin_call *c)
{
    const struct problem *p;
    int64_t ms;

    if ((p = admin_read_duration(c, "advance", &ms)))
        return p;
    if (ms < 0)
        return problem_invalid(c->arena, "advance goes forwards; set goes anywhere");
    if (ms > CLOCK_LAST_MS - clock_now_ms(world_clock(c->world)))
        return problem_invalid(c->arena, "advance goes up to the end of the year 9999");
    world_advance_begin(c->world, ms);
    admin_begin(c, &advance_job, NULL);
    return NULL;
}

static const struct {
    const char *member;
    const struct problem *(*run)(struct admin_call *c);
} changes[] = {
    {"freeze", freeze}, {"advance", advance},  {"resume", resume},
    {"set", set},       {"rate", change_rate}, {"real", follow_real},
};

static const struct problem *change_clock(struct admin_call *c)
{
    const struct problem *p;

    if ((p = admin_check_clock(c)))
        return p;
    for (size_t i = 0; i < COUNT(changes) && wire_count(c->body) == 1; i++) {
        if (!wire_get(c->body, changes[i].member))
            continue;
        if (!(p = changes[i].run(c)))
            world_clock_moved(c->world);
        return p;
    }
    return problem_invalid(c->arena, "one of freeze, advance, resume, set, rate, real is needed");
}

const struct admin_verb verb_clock[] = {
    {"GET", "clock", 0, NULL, NULL, show_rules},
    {"POST", "clock", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES,
     "freeze advance resume set rate real", NULL, change_clock},
    {0},
};
