/* A run whose draws are chosen by the test: the kernel copies the numbers of a
 * series into the chains. */
#pragma once

#include "support/support.h"

#include "base/memory.h"
#include "run/run.h"
#include "run/views/reports.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 4, ROOM = 1 << 20 };

typedef double (*series)(uint64_t step, uint64_t chain, size_t d);
static series fed;         /* the series of the next run */
static series fed_accepts; /* above 0: the step is accepted; NULL: always */

/* Returns a uniform number by splitmix64, independent of src. */
static inline double uniform(uint64_t step, uint64_t chain, size_t d,
                             uint64_t k)
{
    uint64_t z = ((step * 61 + chain) * 1009 + d) * 2 + k;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(uint64_t step, uint64_t chain, size_t d)
{
    return sqrt(-2 * log(uniform(step, chain, d, 0))) *
           cos(6.283185307179586 * uniform(step, chain, d, 1));
}

static inline void feed(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        uint64_t chain = m->streams.chain[l < m->live ? l : 0];
        for (size_t d = 0; d < m->dim; d++)
            m->x[d * m->lanes + l] = fed(m->streams.step, chain, d);
        m->info.logp[l] = fed(m->streams.step, chain, m->dim);
        m->info.accepted[l] = m->info.moved[l] =
            !fed_accepts || fed_accepts(m->streams.step, chain, 0) > 0;
    }
}

typedef struct said {
    cs_run *run;
    cs_target *target;
    cs_kernel_type type;
    cs_flat f;
} said;

/* Opens a run with the probes in a list separated by blanks. */
static inline void open_fed_with(said *s, series what, size_t dim,
                                 size_t chains, const char *probes)
{
    enum { PROBES = 8 };
    cs_probe_spec probe[PROBES] = {{0}};
    char name[64];
    size_t n = 0;
    for (int used = 0; n < PROBES && sscanf(probes, "%63s%n", name, &used) == 1;
         probes += used)
        probe[n++].type = cs_probe_find(name);
    const cs_value given = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = (double)dim};
    cs_arm_spec arm = {.name = "a"};
    memset(s, 0, sizeof *s);
    fed = what;
    s->type = *cs_kernel_find("random_walk");
    assert_int_equal(cs_kernel_init(&arm.kernel, &s->type, NULL, 0, NULL),
                     CS_OK);
    s->type.step = feed;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &given, 1,
                                      &s->target, NULL),
                     CS_OK);
    const cs_run_spec spec = {.target = s->target,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = chains,
                              .probes = probe,
                              .n_probes = n,
                              .workers = 1};
    assert_int_equal(cs_run_create(&s->run, &spec, NULL), CS_OK);
    void *scratch = cs_alloc(1, ROOM);
    assert_non_null(scratch);
    cs_flat_begin(&s->f, scratch, ROOM);
}

static inline void open_fed(said *s, series what, size_t dim, size_t chains)
{
    open_fed_with(s, what, dim, chains, "diagnostics");
}

static inline void move(said *s, uint64_t steps)
{
    assert_int_equal(cs_run_advance(s->run, steps, NULL, NULL), CS_OK);
}

static inline void close_fed(said *s)
{
    cs_run_destroy(s->run);
    cs_target_release(s->target);
    cs_free(s->f.base);
}

/* Writes the reports on these quantities and the other reports of the run to
 * s->f, whose contents are replaced. With `exact`, exact answers are computed
 * first. */
static inline void fed_report_of(said *s, const char *words, bool exact)
{
    cs_copy copy = {.run = NULL};
    size_t past = 0;
    while (cs_run_probe(s->run, past))
        past++;
    cs_run_want(s->run, words);
    if (exact)
        cs_run_settle(s->run, 100);
    assert_int_equal(cs_copy_take(&copy, s->run, 0, past, NULL), CS_OK);
    cs_flat_begin(&s->f, s->f.base, ROOM);
    cs_copy_report(&copy, &s->f);
    assert_false(s->f.full);
    cs_copy_fini(&copy);
}

static inline void fed_report(said *s, const char *words)
{
    fed_report_of(s, words, true);
}

static inline cs_flat_entry entry(const said *s, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(s->f.base, s->f.used, &e, "%s", key))
        fail_msg("no %s", key);
    return e;
}

static inline double number(const said *s, const char *key)
{
    return entry(s, key).data[0];
}
