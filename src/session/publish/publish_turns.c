/* Publishes the turns of the members of a cycle or a mixture in the next step of
 * the selected chain, and the conditional distribution of the selected
 * coordinate. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/preview/conditional.h"
#include "run/preview/step_preview.h"
#include "run/views/view.h"
#include "session/client/preview_rows.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"
#include "target/parameters.h"

#include <string.h>

enum { WIDE = 4096, NAMES = 256 };

void cs_session_put_shown(const cs_target *t, cs_flat *f)
{
    size_t all = cs_target_shown(t), n = all < NAMES ? all : NAMES;
    if (!t->named)
        return;
    cs_row_shown *to = CS_FLAT_ROWS(f, cs_row_shown, n, CS_KEY_SHOWN);
    for (size_t i = 0, first = 0; to && i < n; i++) {
        size_t d = cs_target_shown_coordinate(t, i), dim = t->space.dim;
        to[i] = (cs_row_shown){.kind = CS_CONTINUOUS,
                               .coordinate = -1,
                               .first = (double)i,
                               .n = 1};
        if (d >= dim)
            continue;
        const cs_part space = cs_space_part(&t->space, d);
        const cs_part *p = cs_target_parameter(t, d);
        first = d == p->first ? i : first;
        to[i] = (cs_row_shown){.kind = space.kind,
                               .low = space.low,
                               .values = space.values,
                               .coordinate = (double)d,
                               .first = (double)first,
                               .n = (double)p->dim};
    }
}

/* Publishes the states x[n][dim] as they are displayed. */
static void put_states(const cs_target *t, const char *key, const double *x,
                       size_t n, cs_flat *f)
{
    size_t shown = cs_target_shown(t), dim = t->space.dim;
    double *to = cs_flat_array(f, n, shown, "look/turns/%s", key);
    for (size_t i = 0; to && i < n; i++)
        cs_target_show(t, x + i * dim, to + i * shown);
}

/* Returns true if a conditional distribution takes little time: less in slow
 * motion, whose snapshots follow each other. */
static bool is_cheap(const cs_session *s, const cs_target *t)
{
    static const double evaluations = 400, paused = 0.2, slow = 0.02;
    const cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    double made = cs_work_evaluations(&arm.work, t);
    return made > 0 &&
           evaluations * arm.seconds < made * (s->move.running ? slow : paused);
}

static void put_conditional(const cs_session *s, const cs_target *t,
                            const cs_turns *turns, cs_flat *f)
{
    cs_conditional c;
    if (turns->drawn == 0 || !is_cheap(s, t) ||
        !cs_conditional_find(t, turns->at, turns->coordinate, turns->from,
                             turns->to, &c))
        return;
    cs_row_conditional *at =
        CS_FLAT_ROWS(f, cs_row_conditional, 1, CS_KEY_CONDITIONAL);
    double *value = cs_flat_array(f, 1, c.n, "look/conditional/value");
    double *density = cs_flat_array(f, 1, c.n, "look/conditional/density");
    if (!at || !value || !density)
        return;
    *at = (cs_row_conditional){.discrete = c.discrete,
                               .quantity = (double)s->look.coordinate,
                               .from = c.from,
                               .to = c.to};
    memcpy(value, c.value, c.n * sizeof *value);
    memcpy(density, c.density, c.n * sizeof *density);
}

static void put_turns(const cs_session *s, const cs_target *t,
                      const cs_turns *turns, cs_flat *f)
{
    size_t n = turns->n < turns->capacity ? turns->n : turns->capacity;
    cs_turn_note *to = CS_FLAT_ROWS(f, cs_turn_note, n, CS_KEY_TURNS);
    if (!to)
        return;
    memcpy(to, turns->note, n * sizeof *to);
    put_states(t, "before", turns->before, n, f);
    put_states(t, "after", turns->after, n, f);
    put_states(t, "proposal", turns->proposal, n, f);
    cs_flat_number(f, (double)turns->n, "look/turns/of");
    if (s->move.slow_until)
        cs_flat_number(f, (double)s->move.turn, "look/turns/made");
}

void cs_session_put_turns(cs_session *s, cs_flat *f)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    cs_turns turns;
    if ((s->move.running && !s->move.slow_until) || cs_run_finished(r) ||
        t->space.dim > WIDE || cs_target_shown(t) > WIDE ||
        !cs_session_is_quick(s) ||
        !(cs_session_wants(s, "turns", "state") ||
          cs_session_wants(s, "turns", "proposal")) ||
        cs_run_chain(r, s->look.arm, s->look.chain).failed)
        return;
    size_t shown = cs_target_shown(t), chosen = s->look.coordinate;
    size_t coordinate =
        chosen < shown ? cs_target_shown_coordinate(t, chosen) : t->space.dim;
    if (!cs_run_turns(r, s->look.arm, s->look.chain, coordinate, &turns))
        return;
    put_turns(s, t, &turns, f);
    put_conditional(s, t, &turns, f);
    cs_turns_end(&turns);
}
