#include "cli/catalogue/catalogue.h"

#include "cli/catalogue/scenarios.h"
#include "figure/figure.h"
#include "kernel/members.h"
#include "kernels/auxiliary/scheme.h"
#include "learn/optimiser.h"
#include "probe/probe.h"
#include "schedule/schedule.h"
#include "target/target.h"
#include "tune/tuner.h"

#include <stdio.h>
#include <string.h>

static void add(char *notes, size_t size, const char *text)
{
    size_t at = strlen(notes);
    snprintf(notes + at, size - at, "%s%s", at ? ", " : "", text);
}

static void kernel_notes(const cs_kernel_type *k, char *notes, size_t size)
{
    static const cs_space_kind kinds[] = {CS_BINARY, CS_CATEGORICAL, CS_ORDINAL,
                                          CS_CONTINUOUS};
    for (size_t i = 0; i < 4; i++)
        if (k->spaces & kinds[i])
            add(notes, size, cs_space_name(kinds[i]));
    if (k->wraps) {
        add(notes, size, "wraps another kernel: kernel = ...");
        return;
    }
    add(notes, size, k->flags & CS_KERNEL_EXACT ? "exact" : "biased");
    if (k->flags & CS_KERNEL_REVERSIBLE)
        add(notes, size, "reversible");
    if (k->flags & CS_KERNEL_GRADIENT)
        add(notes, size, "needs a gradient");
    if (!(k->flags & CS_KERNEL_ACCEPTS))
        add(notes, size, "runs unadjusted");
    if (k->logp)
        add(notes, size, "log p may be an estimate");
}

static bool kernel(size_t i, cs_entry *e)
{
    const cs_kernel_type *k;
    for (size_t j = 0; (k = cs_kernel_at(j)); j++)
        if (!(k->flags & CS_KERNEL_HIDDEN) && i-- == 0) {
            *e = (cs_entry){k->name, k->title,  k->ref,
                            k->help, k->params, k->n_params + k->n_lists,
                            "",      NULL,      NULL,
                            NULL,    NULL};
            e->scheme = cs_scheme_of(k->name);
            e->no_member = cs_kernel_no_member(k);
            e->member = e->no_member ? "-" : "member";
            kernel_notes(k, e->notes, sizeof e->notes);
            return true;
        }
    return false;
}

static bool target(size_t i, cs_entry *e)
{
    const cs_target_type *t;
    for (size_t j = 0; (t = cs_target_at(j)); j++)
        if (!(t->flags & CS_TARGET_HIDDEN) && i-- == 0) {
            *e = (cs_entry){t->name,   t->title,    t->ref, t->help,
                            t->params, t->n_params, "",     NULL,
                            NULL,      NULL,        NULL};
            if (t->gradient)
                add(e->notes, sizeof e->notes, "gradient");
            if (t->force)
                add(e->notes, sizeof e->notes, "gradient in single precision");
            if (t->sites.site)
                add(e->notes, sizeof e->notes, "site differences");
            if (t->exact.draw)
                add(e->notes, sizeof e->notes, "exact draws");
            if (t->model)
                add(e->notes, sizeof e->notes, "can be trained on data");
            return true;
        }
    return false;
}

static bool schedule(size_t i, cs_entry *e)
{
    const cs_schedule_type *s;
    for (size_t j = 0; (s = cs_schedule_at(j)); j++)
        if (!(s->flags & CS_SCHEDULE_HIDDEN) && i-- == 0) {
            *e = (cs_entry){s->name,   s->title,    s->ref, s->help,
                            s->params, s->n_params, "",     NULL,
                            NULL,      NULL,        NULL};
            if (s->period)
                add(e->notes, sizeof e->notes, "periodic");
            return true;
        }
    return false;
}

static bool tuner(size_t i, cs_entry *e)
{
    const cs_tuner_type *t = cs_tuner_at(i);
    if (!t)
        return false;
    *e = (cs_entry){t->name, t->title, t->ref, t->help, t->params, t->n_params,
                    "",      NULL,     NULL,   NULL,    NULL};
    for (size_t k = 0; t->driven && t->driven[k]; k++) {
        char note[64];
        snprintf(note, sizeof note, "drives %s", t->driven[k]);
        add(e->notes, sizeof e->notes, note);
    }
    return true;
}

static bool optimiser(size_t i, cs_entry *e)
{
    const cs_optimiser_type *o = cs_optimiser_at(i);
    if (!o)
        return false;
    *e = (cs_entry){o->name, o->title, o->ref, o->help, o->params, o->n_params,
                    "",      NULL,     NULL,   NULL,    NULL};
    return true;
}

static bool probe(size_t i, cs_entry *e)
{
    const cs_probe_type *p = cs_probe_at(i);
    if (!p)
        return false;
    *e = (cs_entry){p->name, p->title, "",   p->help, p->params, p->n_params,
                    "",      NULL,     NULL, NULL,    NULL};
    add(e->notes, sizeof e->notes, "every = N: uses every N-th step");
    if (p->logp)
        add(e->notes, sizeof e->notes, "true_logp = true: uses log p itself");
    return true;
}

/* Returns number i of the figure types that scripts may request, or NULL past
 * the last. Figures of a comparison at equal work are not included, since only
 * the panel `race` uses them. */
static const cs_figure_type *public_figure(size_t i)
{
    const cs_figure_type *t;
    for (size_t k = 0; (t = cs_figure_at(k)); k++)
        if (t->of != CS_OF_WORK && i-- == 0)
            return t;
    return NULL;
}

static bool figure(size_t i, cs_entry *e)
{
    static const char *const merits[] = {
        [CS_MERIT_MORE] = "more is better", [CS_MERIT_LESS] = "less is better"};
    const cs_figure_type *t = public_figure(i);
    if (!t)
        return false;
    *e = (cs_entry){t->name, t->title, "",   t->help, NULL, 0,
                    "",      NULL,     NULL, NULL,    NULL};
    if (t->merit != CS_MERIT_NONE)
        add(e->notes, sizeof e->notes, merits[t->merit]);
    if (t->flags & CS_FIGURE_TOTAL)
        add(e->notes, sizeof e->notes, "grows with the work");
    if (t->of != CS_OF_NOTHING) {
        char note[32];
        snprintf(note, sizeof note, "of = a %s", cs_figure_kind_name(t->of));
        add(e->notes, sizeof e->notes, note);
    }
    return true;
}

static const cs_catalogue table[] = {
    {"kernels", "kernel", NULL, kernel},
    {"targets", "target", NULL, target},
    {"schedules", "schedule", NULL, schedule},
    {"tuners", "tuner", NULL, tuner},
    {"optimisers", "optimiser", NULL, optimiser},
    {"probes", "probe", NULL, probe},
    {"figures", "figure", NULL, figure},
    {"scenarios", "scenario", cs_scenarios_list, cs_scenario_entry},
    {"papers", "paper", cs_scenarios_list, cs_paper_entry}};

const cs_catalogue *cs_catalogue_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

cs_status cs_catalogues_read(const char *name, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < sizeof table / sizeof *table && !status; i++)
        if (table[i].read && (!name || strcmp(name, table[i].name) == 0))
            status = table[i].read(err);
    return status;
}
