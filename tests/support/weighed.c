#include "support/weighed.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/reports.h"

#include "base/memory.h"
#include "kernel/accept.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* ---- the kernel ---------------------------------------------------------- */

static size_t no_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static size_t some_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2;
}

static void no_init(cs_move *m)
{
    (void)m;
}

/* Returns a multiple of 2^-16, so that a constant can be added exactly. */
static double log_weight_of(const series *k, uint64_t chain, double step,
                            double u)
{
    const double unit = 0x1p-16;
    double lw = 0;
    pattern p = k->pattern == OF_EACH ? (pattern)(chain % OF_EACH) : k->pattern;
    if (p == RANDOM_1 || p == RANDOM_100 || p == RANDOM_1E6)
        lw = (p == RANDOM_1 ? 1 : p == RANDOM_100 ? 100 : 1e6) * (2 * u - 1);
    if (p == RISING || p == FALLING)
        lw = (p == RISING ? 0.5 : -0.5) * step + u;
    if (p == PLUNGING)
        lw = step > 1 ? u : 1e5;
    if (p == STEEP)
        lw = 1e6 * (step / MOST_STEPS);
    return floor(lw / unit) * unit + (chain == 2 ? k->constant : 0);
}

/* Draws new states. One state in five is not a draw, unless all weights are
 * equal. */
static void step(cs_move *m)
{
    const series *k = m->self;
    size_t n = m->lanes, dim = m->dim;
    double u[MOST_DIM], x[MOST_DIM];
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, dim + 2, m->scratch);
    for (size_t l = 0; l < n; l++) {
        for (size_t d = 0; d < dim; d++)
            u[d] = m->scratch[d * n + l];
        cs_target_start(m->eval->target, u, x);
        for (size_t d = 0; d < dim; d++)
            m->x[d * n + l] = x[d];
        m->info.moved[l] = true;
    }
    cs_finish_moved(m);
    for (size_t l = 0; k->weighs && l < n; l++) {
        bool out = k->pattern != ALIKE && m->scratch[(dim + 1) * n + l] < 0.2;
        m->info.log_weight[l] =
            out ? -HUGE_VAL
                : log_weight_of(k, m->streams.chain[l], (double)m->streams.step,
                                m->scratch[dim * n + l]);
    }
}

/* ---- a probe that records the draws -------------------------------------- */

/* Number of doubles in a draw that precede its coordinates. */
enum { BEFORE_X = offsetof(draw, x) / sizeof(double) };

static size_t recorded; /* number of steps for which memory is reserved */

static size_t words_of_draw(const cs_target *t)
{
    return BEFORE_X + t->space.dim;
}

static cs_status records_create(cs_probe *p, cs_target *t, cs_error *err)
{
    (void)err;
    p->words = recorded * words_of_draw(t);
    return CS_OK;
}

static void records_observe(const cs_probe *p, const cs_step_view *s,
                            double *memory)
{
    size_t n = s->lanes;
    double *row = memory + (s->step - 1) * words_of_draw(p->target) * n;
    for (size_t l = 0; l < s->live; l++, row++) {
        row[0] = !s->left_out[l];
        row[n] = s->log_weight ? s->log_weight[l] : 0;
        row[2 * n] = s->logp[l];
        row[3 * n] = s->shown[l];
        for (size_t d = 0; d < s->dim; d++)
            row[(BEFORE_X + d) * n] = s->x[d * n + l];
    }
}

draw drawn[CHAINS][MOST_STEPS];

static void records_report(const cs_probe *p, const cs_lane_memory *chain,
                           size_t n, const char *prefix, cs_flat *out)
{
    (void)prefix, (void)out;
    size_t words = words_of_draw(p->target);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < recorded; i++)
            for (size_t w = 0; w < words; w++)
                (&drawn[c][i].there)[w] =
                    chain[c].word[(i * words + w) * chain[c].stride];
}

static const cs_probe_type records = {.name = "records",
                                      .create = records_create,
                                      .observe = records_observe,
                                      .report = records_report};

static cs_run *open_run(cs_target *t, const cs_probe_type *probe, series *k,
                        size_t lanes, size_t steps)
{
    static const cs_kernel_type base = {.name = "weighing",
                                        .spaces = CS_DISCRETE | CS_CONTINUOUS,
                                        .memory_words = no_words,
                                        .scratch_words = some_words,
                                        .init = no_init,
                                        .step = step};
    static cs_kernel_type type[2];
    type[k->weighs] = base;
    type[k->weighs].flags = k->weighs ? CS_KERNEL_WEIGHS : 0;
    cs_arm_spec arm = {.name = "a",
                       .kernel = {.type = &type[k->weighs], .self = k}};
    uint64_t every = k->every ? k->every : 1;
    cs_probe_spec spec[] = {{.type = &records, .every = every},
                            {.type = probe, .every = every}};
    /* The plane is made so small that some draws are outside. */
    if (strcmp(probe->name, "plane") == 0) {
        spec[1].given[0] = (cs_value){
            .name = "left", .kind = CS_PARAM_REAL, .given = 1, .number = -1};
        spec[1].given[1] = (cs_value){
            .name = "right", .kind = CS_PARAM_REAL, .given = 1, .number = 1};
        spec[1].n_given = 2;
    }
    cs_run_spec run = {.target = t,
                       .arms = &arm,
                       .n_arms = 1,
                       .chains = CHAINS,
                       .seed = 3,
                       .probes = k->unrecorded ? spec + 1 : spec,
                       .n_probes = k->unrecorded ? 1 : 2,
                       .workers = 1,
                       .block_lanes = lanes,
                       .keep = 8,
                       .rewind_bytes = 1};
    cs_run *r = NULL;
    assert_true(steps <= MOST_STEPS && t->space.dim <= MOST_DIM);
    recorded = steps;
    assert_int_equal(cs_run_create(&r, &run, NULL), CS_OK);
    run_steps(r, k->changes ? steps / 2 : steps);
    cs_kernel other = kernel_of("random_walk");
    if (k->changes) {
        assert_int_equal(cs_run_set_kernel(r, 0, &other, NULL, NULL), CS_OK);
        run_steps(r, steps - steps / 2);
    }
    return r;
}

void make_report(report *to, cs_target *t, const cs_probe_type *probe, series k,
                 size_t lanes, size_t steps)
{
    cs_flat f;
    cs_run *r = open_run(t, probe, &k, lanes, steps);
    cs_flat_begin(&f, to->bytes, sizeof to->bytes);
    cs_run_report(r, &f);
    assert_false(f.full);
    to->used = f.used;
    snprintf(to->probe, sizeof to->probe, "%s", probe->name);
    cs_run_destroy(r);
}

bool same_bytes(const report *a, const report *b)
{
    return a->used == b->used && memcmp(a->bytes, b->bytes, a->used) == 0;
}

cs_flat_entry find(const report *r, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(r->bytes, r->used, &e, "arm/0/%s/%s", r->probe, key))
        return (cs_flat_entry){.data = NULL};
    return e;
}

double number(const report *r, const char *key, size_t i)
{
    cs_flat_entry e = find(r, key);
    if (!e.data || i >= e.rows * e.cols)
        fail_msg("%s/%s[%zu] is missing", r->probe, key, i);
    return e.data[i];
}

/* ---- weights ------------------------------------------------------------- */

static double lw_of(size_t c, size_t i)
{
    return drawn[c][i].there > 0 ? drawn[c][i].lw : -HUGE_VAL;
}

const weights *weigh_draws(size_t steps)
{
    static weights w;
    double squares = 0;
    memset(&w, 0, sizeof w);
    w.steps = steps;
    for (size_t c = 0; c < CHAINS; c++) {
        double most = -HUGE_VAL;
        long double sum = 0;
        for (size_t i = 0; i < steps; i++) {
            most = fmax(most, lw_of(c, i));
            w.n[c] += drawn[c][i].there;
        }
        for (size_t i = 0; i < steps; i++)
            sum += expl((long double)lw_of(c, i) - most);
        for (size_t i = 0; i < steps; i++)
            w.weight[c][i] = (double)(w.n[c] * expl(lw_of(c, i) - most) / sum);
        w.all += w.n[c];
    }
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < steps; i++)
            squares += w.weight[c][i] * w.weight[c][i];
    w.size = w.all * w.all / squares;
    return &w;
}
