/* Passes steps of chains to a probe. The test defines the steps. */
#pragma once

#include "base/memory.h"
#include "probe/probe.h"
#include "support/support.h"

#include <string.h>

enum {
    WATCH_CHAINS = 4,
    WATCH_LANES = 8,
    WATCH_DIM = 160,
    WATCH_ROOM = 1 << 18
};

typedef struct watch {
    cs_target *target;
    cs_probe probe;
    double *memory;
    _Alignas(CS_ALIGN) double x[WATCH_DIM * WATCH_LANES];
    _Alignas(CS_ALIGN) double logp[WATCH_LANES];
    double log_ratio[WATCH_LANES];
    const double *aux; /* [own_rows][WATCH_LANES] set by the test, or NULL */
    size_t aux_rows;
    const double *energy;       /* [WATCH_LANES] set by the test, or NULL */
    const double *proposal;     /* [dim][WATCH_LANES] set by the test */
    bool left_out[WATCH_LANES]; /* true for lanes that the test excludes; lanes
                                 * of failed chains are always excluded */
    bool no_logp;               /* log p is unknown */
    bool failed[WATCH_LANES], accepted[WATCH_LANES], moved[WATCH_LANES];
    uint64_t step;
    cs_flat out;
} watch;

static inline cs_status watch_open_asking(watch *w, const char *probe,
                                          const cs_value *asked, size_t n_asked,
                                          const char *target,
                                          const cs_value *values,
                                          size_t n_values)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(cs_target_create(cs_target_find(target), values, n_values,
                                      &w->target, NULL),
                     CS_OK);
    assert_true(w->target->space.dim <= WATCH_DIM);
    cs_status s = cs_probe_init(&w->probe, cs_probe_find(probe), asked, n_asked,
                                w->target, NULL);
    if (s != CS_OK)
        return s;
    cs_probe_settle(&w->probe);
    w->memory = cs_alloc(w->probe.words * WATCH_LANES, sizeof(double));
    void *scratch = cs_alloc(1, WATCH_ROOM);
    assert_true(w->memory && scratch);
    cs_flat_begin(&w->out, scratch, WATCH_ROOM);
    if (w->probe.type->init)
        w->probe.type->init(&w->probe, w->memory, WATCH_LANES);
    return CS_OK;
}

static inline cs_status watch_open(watch *w, const char *probe,
                                   const char *target, const cs_value *values,
                                   size_t n_values)
{
    return watch_open_asking(w, probe, NULL, 0, target, values, n_values);
}

static inline void watch_close(watch *w)
{
    cs_free(w->memory);
    cs_free(w->out.base);
    cs_probe_fini(&w->probe);
    cs_target_release(w->target);
}

/* Passes one step to the probe: the states x[chains][dim] and their log p
 * (NULL: minus the first coordinate). The test sets `accepted` and `moved`. */
static inline void watch_step(watch *w, const double *x, const double *logp)
{
    size_t dim = w->target->space.dim;
    bool left_out[WATCH_LANES];
    cs_info info = {.logp = w->logp,
                    .proposal = w->proposal,
                    .log_ratio = w->log_ratio,
                    .accepted = w->accepted,
                    .moved = w->moved};
    cs_step_view s = {.x = w->x,
                      .shown = w->x,
                      .aux = w->aux,
                      .aux_rows = w->aux_rows,
                      .energy = w->energy,
                      .info = &info,
                      .logp = w->no_logp ? NULL : w->logp,
                      .failed = w->failed,
                      .left_out = left_out,
                      .whole = true,
                      .dim = dim,
                      .lanes = WATCH_LANES,
                      .live = WATCH_CHAINS,
                      .step = ++w->step};
    for (size_t l = 0; l < WATCH_LANES; l++) {
        size_t c = l < WATCH_CHAINS ? l : WATCH_CHAINS - 1;
        for (size_t d = 0; d < dim; d++)
            w->x[d * WATCH_LANES + l] = x[c * dim + d];
        w->logp[l] = logp ? logp[c] : -x[c * dim];
        w->failed[l] = w->failed[c];
        left_out[l] = w->failed[c] || w->left_out[c];
        s.whole &= !left_out[l];
        w->accepted[l] = w->accepted[c];
        w->moved[l] = w->moved[c];
    }
    w->probe.type->observe(&w->probe, &s, w->memory);
}

static inline void watch_report(watch *w)
{
    cs_lane_memory chain[WATCH_CHAINS];
    for (size_t c = 0; c < WATCH_CHAINS; c++)
        chain[c] = (cs_lane_memory){w->memory + c, WATCH_LANES, w->failed[c]};
    cs_flat_begin(&w->out, w->out.base, WATCH_ROOM);
    w->probe.type->report(&w->probe, chain, WATCH_CHAINS, "", &w->out);
    assert_false(w->out.full);
}

/* Returns the entry of the last report under `key`. If the entry is missing,
 * its data are NULL. */
static inline cs_flat_entry watch_find(watch *w, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(w->out.base, w->out.used, &e, "%s", key))
        return (cs_flat_entry){.data = NULL};
    return e;
}

/* Returns a uniform number by Marsaglia's xorshift64. This function does not
 * use the generators in src. */
static inline double watch_uniform(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return ((double)(s >> 11) + 0.5) * 0x1p-53;
}

/* Returns a sum of twelve uniforms minus 6: mean 0, variance 1, within +-6. */
static inline double watch_normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += watch_uniform();
    return sum;
}

/* Returns number k of the entry reported under `key`. */
static inline double entry(watch *w, const char *key, size_t k)
{
    cs_flat_entry e = watch_find(w, key);
    if (!e.data || k >= e.rows * e.cols)
        fail_msg("%s[%zu] is missing", key, k);
    return e.data[k];
}
