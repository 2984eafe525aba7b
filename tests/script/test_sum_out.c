/* Tests densities from which discrete coordinates are summed out: the sum equals
 * the sum over all states, its gradient the slope of that, and draws of the
 * coordinates follow their distribution given the others, with log p of the
 * whole. The models have labels, a change point in counts with zeros, values
 * that are possible for some points only, and coordinates that are kept. */
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"
#include "kernel/composed.h"
#include "rng/stream.h"
#include "script/bind/lua_target.h"
#include "script/script.h"
#include "tape/sites/sum_out.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

enum { DIM = 16, POINTS = 20, STATES = 1024, DRAWS = 20000 };

#define MODEL(params_, body_)                                                  \
    "local cs = require 'chainscope'\n"                                        \
    "local M, lpdf = cs.math, cs.lpdf\n"                                       \
    "return cs.target { params = { " params_ " },\n"                           \
    "  log_density = function(p)\n" body_ "  end }\n"

/* A model, and the coordinates that are summed out: first .. first + n - 1. */
typedef struct model {
    const char *name, *code;
    uint32_t first, n;
} model;

static const model models[] = {
    {"labels",
     MODEL("{ mu = cs.real(2) }, { w = cs.simplex(2) }, { z = cs.label(2, 5) }",
           "local y = { -2.1, -1.4, 0.3, 1.7, 3.0 }\n"
           "return lpdf.categorical(p.z, p.w) + lpdf.normal(p.mu, 0, 1.5) +\n"
           "  lpdf.normal(y, M.gather(p.mu, p.z), 1)\n"),
     3, 5},
    {"change point",
     MODEL("{ rate = cs.positive(2) }, { k = cs.integer(1, 6) }",
           "local y, u = { 5, 3, 0, 0, 1, 2, 0 }, lpdf.gamma(p.rate, 2, 1)\n"
           "for i = 1, #y do\n"
           "  u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)])\n"
           "end\n"
           "return u - 0.3 * p.k\n"),
     2, 1},
    {"change point as a vector",
     MODEL("{ rate = cs.positive(2) }, { k = cs.integer(1, 6) }",
           "local y, i = { 5, 3, 0, 0, 1, 2, 0 }, { 1, 2, 3, 4, 5, 6, 7 }\n"
           "return lpdf.gamma(p.rate, 2, 1) +\n"
           "  lpdf.poisson(y, M.gather(p.rate, 1 + M.gt(i, p.k)))\n"),
     2, 1},
    {"rates that may be negative",
     MODEL("{ rate = cs.real(2) }, { k = cs.integer(0, 5) }",
           "local y, u = { 5, 3, 1, 2, 1 }, lpdf.normal(p.rate, 1, 1)\n"
           "for i = 1, #y do\n"
           "  u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)])\n"
           "end\n"
           "return u\n"),
     2, 1},
    {"logs of numbers that may be 0",
     MODEL("{ rate = cs.real(2) }, { k = cs.integer(0, 5) }",
           "local y, u = { 5, 3, 1, 2, 1 }, lpdf.normal(p.rate, 1, 1)\n"
           "for i = 1, #y do\n"
           "  u = u + y[i] * M.log(M.max(p.rate[1 + M.gt(i, p.k)], 0))\n"
           "end\n"
           "return u\n"),
     2, 1},
    {"a condition on real coordinates",
     MODEL("{ mu = cs.real(2) }, { z = cs.label(2, 3) }",
           "local y = { -0.5, 0.3, 0.6 }\n"
           "return M.where(M.lt(0, p.mu[1]), lpdf.normal(y,\n"
           "  M.gather(p.mu, p.z), 1) - p.mu[1], -math.huge) - p.mu[2] ^ 2\n"),
     2, 3},
    {"possible values",
     MODEL("{ edge = cs.real(2) }, { z = cs.label(2, 3) }",
           "local y = { -0.5, 0.3, 0.6 }\n"
           "return lpdf.normal(p.edge, { 1, 2 }, 1) +\n"
           "  M.sum(M.where(M.lt(y, M.gather(p.edge, p.z)),\n"
           "    -M.gather(p.edge, p.z), -math.huge))\n"),
     2, 3},
    {"coordinates that are kept",
     MODEL("{ psi = cs.interval(0, 1) }, { b = cs.bit(2) }, { z = cs.bit(4) }",
           "return lpdf.bernoulli(p.z, p.psi) + M.sum(p.b) * p.psi -\n"
           "  p.b[1] * p.z[2] + M.sum(p.z * M.log(1 - p.psi)) - p.b[2] / 2\n"),
     3, 4},
};

typedef struct opened {
    cs_script *script;
    cs_target *t;
    cs_sum_out *s;
    const model *m;
} opened;

static opened open_model(const model *m)
{
    const cs_script_limits limits = {.memory = (size_t)64 << 20, .trust = true};
    opened o = {.m = m};
    uint32_t site[DIM];
    cs_error err;
    assert_int_equal(cs_script_open(&o.script, &limits, &err), CS_OK);
    lua_State *L = cs_script_lua(o.script);
    if (cs_script_load_text(o.script, m->code, "@model.lua", &err) ||
        cs_script_call(o.script, 0, 1, 0, &err))
        fail_msg("%s: %s", m->name, err.what);
    o.t = cs_script_to_target(L, -1);
    for (uint32_t i = 0; i < m->n; i++)
        site[i] = m->first + i;
    if (cs_sum_out_create(o.t, site, m->n, &o.s, &err))
        fail_msg("%s: %s", m->name, err.what);
    return o;
}

static void close_model(opened *o)
{
    cs_sum_out_destroy(o->s);
    cs_script_destroy(o->script);
}

/* Sets the real coordinates of x to numbers that depend on `point`, and the
 * others to their lowest value, but those that are kept to any. */
static void place(const opened *o, size_t point, double *x)
{
    for (size_t i = 0; i < o->t->space.dim; i++) {
        cs_part p = cs_space_part(&o->t->space, i);
        x[i] = p.kind == CS_CONTINUOUS
                   ? 0.5 + 1.3 * sin(1 + 7 * (double)point + 3 * (double)i)
                   : p.low + (double)((point >> i) & 1);
    }
    for (size_t i = 0; i < o->m->n; i++)
        x[o->m->first + i] = o->s->part.low;
}

/* Enumerates the states of the sites: writes logp[] of the whole, and x of each.
 * Returns their number. */
static size_t enumerate(const opened *o, const double *at, double *x,
                        double *logp)
{
    size_t dim = o->t->space.dim, n = 1;
    for (size_t i = 0; i < o->m->n; i++)
        n *= (size_t)o->s->part.values;
    assert_true(n <= STATES);
    for (size_t k = 0, left; k < n; k++) {
        memcpy(x + k * dim, at, dim * sizeof *x);
        left = k;
        for (size_t i = 0; i < o->m->n; i++) {
            x[k * dim + o->m->first + i] +=
                (double)(left % (size_t)o->s->part.values);
            left /= (size_t)o->s->part.values;
        }
    }
    assert_true(cs_enumeration_evaluate(o->t, x, n, logp));
    return n;
}

static double log_sum(const double *logp, size_t n)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, logp[k]);
    for (size_t k = 0; k < n; k++)
        sum += most > -HUGE_VAL ? exp(logp[k] - most) : 0;
    return most > -HUGE_VAL ? most + log(sum) : most;
}

static void sums_are_those_over_all_states(void **state)
{
    (void)state;
    static double x[STATES * DIM], logp[STATES];
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        opened o = open_model(&models[m]);
        double at[DIM], sum, finite = 0;
        for (size_t point = 0; point < POINTS; point++) {
            place(&o, point, at);
            double exact = log_sum(logp, enumerate(&o, at, x, logp));
            for (size_t i = 0; i < o.m->n; i++) /* sites are ignored */
                at[o.m->first + i] += (double)(point % 2);
            assert_true(cs_enumeration_evaluate(o.s->target, at, 1, &sum));
            finite += exact > -HUGE_VAL;
            if (!(exact == sum) &&
                !(fabs(exact - sum) < 1e-11 * (1 + fabs(sum))))
                fail_msg("%s: %.17g, not %.17g", o.m->name, sum, exact);
        }
        assert_true(finite >= POINTS / 4.0);
        close_model(&o);
    }
}

/* Computes log p and the gradient of the sum at one state. */
static double gradient_at(const opened *o, const double *at, double *g)
{
    const cs_target *t = o->s->target;
    size_t dim = t->space.dim, words = cs_eval_scratch_words(t);
    double *scratch = cs_alloc(words * CS_PAD, sizeof *scratch);
    double *x = cs_alloc(2 * dim * CS_PAD + CS_PAD, sizeof *x);
    double *slope = x + dim * CS_PAD, *logp = slope + dim * CS_PAD;
    cs_eval e;
    for (size_t i = 0; i < dim * CS_PAD; i++)
        x[i] = at[i / CS_PAD];
    cs_eval_open(&e, t, CS_PAD, 1, NULL, scratch);
    cs_eval_gradient(&e, CS_NOW, x, logp, slope);
    for (size_t i = 0; i < dim; i++)
        g[i] = slope[i * CS_PAD];
    double value = logp[0];
    CS_FREE_ALL(scratch, x);
    return value;
}

static void gradients_are_slopes_of_sums(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        opened o = open_model(&models[m]);
        double at[DIM], g[DIM], other[DIM], sides[2];
        for (size_t point = 0; point < POINTS; point++) {
            place(&o, point, at);
            double logp = gradient_at(&o, at, g);
            for (size_t i = 0; i < o.t->space.dim; i++) {
                double was = at[i];
                if (cs_space_part(&o.t->space, i).kind != CS_CONTINUOUS ||
                    logp == -HUGE_VAL)
                    continue;
                at[i] = was + h;
                sides[1] = gradient_at(&o, at, other);
                at[i] = was - h;
                sides[0] = gradient_at(&o, at, other);
                at[i] = was;
                double slope = (sides[1] - sides[0]) / (2 * h);
                if (!(fabs(slope - g[i]) < 1e-6 * (1 + fabs(slope))))
                    fail_msg("%s: slope %g, not %g", o.m->name, g[i], slope);
            }
        }
        close_model(&o);
    }
}

/* Draws the sites of `live` chains at the same point. Compares log p with that
 * of the drawn states, and adds the states to count[]. */
static void draw_some(const opened *o, const double *at, size_t live,
                      uint64_t step, double *count)
{
    enum { LANES = 32 };
    static double x[DIM * LANES], logp[LANES];
    bool failed[LANES] = {false}, moved[LANES] = {false};
    size_t dim = o->t->space.dim, lanes = cs_pad_lanes(live);
    uint64_t chain[LANES];
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams streams = cs_streams_of(3, step, chain, lanes, live);
    double *scratch = cs_alloc(cs_sum_out_scratch(o->s) * lanes, sizeof *x);
    for (size_t i = 0; i < dim * lanes; i++)
        x[i] = at[i / lanes];
    failed[0] = live > 1; /* this chain must not change */
    cs_sum_out_draw(o->s, &(cs_sum_draw){.streams = &streams,
                                         .lanes = lanes,
                                         .live = live,
                                         .x = x,
                                         .logp = logp,
                                         .failed = failed,
                                         .moved = moved,
                                         .scratch = scratch});
    for (size_t l = 0; l < live; l++) {
        double own[DIM], whole;
        size_t index = 0;
        for (size_t i = 0; i < dim; i++)
            own[i] = x[i * lanes + l];
        for (size_t i = o->m->n; i-- > 0;)
            index = index * (size_t)o->s->part.values +
                    (size_t)(own[o->m->first + i] - o->s->part.low);
        assert_int_equal(moved[l], index != 0);
        assert_true(!failed[l] || index == 0);
        if (failed[l])
            continue;
        count[index]++;
        assert_true(cs_enumeration_evaluate(o->t, own, 1, &whole));
        assert_true(fabs(whole - logp[l]) < 1e-11 * (1 + fabs(whole)));
    }
    cs_free(scratch);
}

static void draws_follow_the_sites_given_the_others(void **state)
{
    (void)state;
    static double x[STATES * DIM], logp[STATES], count[STATES];
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        opened o = open_model(&models[m]);
        double at[DIM], drawn = 0, all = -HUGE_VAL;
        size_t n = 0;
        for (size_t point = 3; point < POINTS && all == -HUGE_VAL; point++) {
            place(&o, point, at);
            n = enumerate(&o, at, x, logp);
            all = log_sum(logp, n);
        }
        assert_true(all > -HUGE_VAL);
        memset(count, 0, sizeof count);
        for (uint64_t step = 1; step <= DRAWS / 31; step++)
            draw_some(&o, at, step % 20 ? 32 : 1, step, count);
        for (size_t k = 0; k < n; k++)
            drawn += count[k];
        for (size_t k = 0; k < n; k++) {
            double p = exp(logp[k] - all), error = sqrt(p * (1 - p) / drawn);
            assert_true(fabs(count[k] / drawn - p) < 4.5 * error + 1e-12);
        }
        close_model(&o);
    }
}

/* Models whose sites cannot be drawn at the point mu = (2, -3), and the fault. */
static const struct {
    model m;
    cs_sum_fault fault;
} faults[] = {
    {{"NaN at one value of the second site",
      MODEL("{ mu = cs.real(2) }, { z = cs.label(2, 3) }",
            "return M.sum(M.log({ 5, 1, 5 } + M.gather(p.mu, p.z)))\n"),
      2, 3},
     {3, 2}},
    {{"NaN at one value of a single site",
      MODEL("{ mu = cs.real(2) }, { z = cs.label(2, 1) }",
            "return M.log(1 + M.gather(p.mu, p.z)[1])\n"),
      2, 1},
     {2, 2}},
    {{"NaN at all values of the third site",
      MODEL("{ mu = cs.real(2) }, { z = cs.bit(3) }",
            "return M.sum(p.z * M.log({ 3, 2, p.mu[2] }))\n"),
      2, 3},
     {4, 0}},
};

/* If a site has no probabilities, all sites keep their values, log p is that of
 * the state, and the fault names the site and the value. */
static void check_fault(const opened *o, const cs_sum_fault *want, size_t live)
{
    enum { LANES = 32 };
    static double x[DIM * LANES], was[DIM * LANES], logp[LANES];
    bool failed[LANES] = {false}, moved[LANES] = {false};
    size_t dim = o->t->space.dim, lanes = cs_pad_lanes(live);
    uint64_t chain[LANES] = {0};
    double at[DIM] = {2, -3}, whole;
    for (size_t i = 2; i < dim; i++)
        at[i] = o->s->part.low;
    for (size_t i = 0; i < dim * lanes; i++)
        was[i] = x[i] = at[i / lanes];
    cs_streams streams = cs_streams_of(3, 1, chain, lanes, live);
    double *scratch = cs_alloc(cs_sum_out_scratch(o->s) * lanes, sizeof *x);
    const cs_sum_draw d = {&streams, lanes,  live,  x,
                           logp,     failed, moved, scratch};
    cs_sum_out_draw(o->s, &d);
    bool known = cs_enumeration_evaluate(o->t, at, 1, &whole); /* not NaN */
    assert_memory_equal(x, was, dim * lanes * sizeof *x);
    for (size_t l = 0; l < live; l++) {
        cs_sum_fault f = cs_sum_out_fault(o->s, &d, l);
        if (!failed[l] || moved[l])
            fail_msg("%s: drawn", o->m->name);
        assert_true(known ? fabs(logp[l] - whole) < 1e-12 : isnan(logp[l]));
        assert_int_equal(f.site, want->site);
        assert_true(f.value == want->value);
    }
    cs_free(scratch);
}

static void sites_without_probabilities_keep_their_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        opened o = open_model(&faults[i].m);
        check_fault(&o, &faults[i].fault, 1);
        check_fault(&o, &faults[i].fault, 19);
        close_model(&o);
    }
}

/* Creates a cycle of random walks of mu: the first or the second sums out z. */
static cs_kernel open_walks(cs_target *t, bool first)
{
    static const char *const mu = "mu", *const z = "z", *const w = "w";
    const cs_member_spec sums = {.on = &z, .n_on = 1};
    const cs_kernel_type *type = cs_kernel_find("random_walk");
    const cs_value step = {.name = "step", .number = 0.4};
    cs_kernel walk, k;
    cs_error err;
    assert_int_equal(cs_kernel_init(&walk, type, &step, 1, &err), CS_OK);
    cs_member_spec spec[] = {
        {.name = "a", .kernel = &walk, .on = &mu, .n_on = 1, .times = 1},
        {.name = "b", .kernel = &walk, .on = &mu, .n_on = 1, .times = 1},
        {.name = "w", .kernel = &walk, .on = &w, .n_on = 1, .times = 1}};
    spec[first ? 0 : 1].sums = &sums;
    spec[2].sums = &sums;
    if (cs_kernel_cycle(&k, t, spec, 3, &err))
        fail_msg("%s", err.what);
    return k;
}

static void remembered_sums_are_those_of_the_state(void **state)
{
    (void)state;
    enum { CHAINS = 8, STEPS = 50 };
    for (size_t way = 0; way < 2; way++) {
        opened o = open_model(&models[0]);
        cs_kernel k = open_walks(o.t, way == 0);
        const cs_composed *c = cs_composed_of(&k);
        double x[DIM], sum;
        const double *start[CHAINS];
        cs_block *b;
        place(&o, 3, x);
        for (size_t l = 0; l < CHAINS; l++)
            start[l] = x;
        assert_int_equal(
            cs_block_create(&b, o.t, &k, 1, 0, CHAINS, NULL, 0, NULL), CS_OK);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        assert_int_equal(cs_member_sum(c, 2), cs_member_sum(c, way));
        for (size_t s = 0; s < STEPS; s++) {
            for (size_t l = 0; l < CHAINS; l++) {
                cs_block_state(b, l, x);
                assert_true(cs_enumeration_evaluate(o.t, x, 1, &sum));
                assert_true(fabs(b->move.info.logp[l] - sum) < 1e-9);
            }
            cs_block_run(b, NULL, 1, NULL);
            for (size_t l = 0; l < CHAINS; l++) {
                double known =
                    b->move.memory[cs_member_sum(c, 2) * b->lanes + l];
                cs_block_state(b, l, x);
                assert_true(cs_enumeration_evaluate(o.s->target, x, 1, &sum));
                assert_true(fabs(known - sum) < 1e-11 * (1 + fabs(sum)));
            }
        }
        cs_block_destroy(b);
        cs_kernel_release(&k);
        close_model(&o);
    }
}

static void sites_that_depend_on_each_other_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *code, *what;
        uint32_t first, n;
    } rows[] = {
        {MODEL("{ mu = cs.real() }, { b = cs.bit(3) }",
               "return p.mu * p.b[1] * p.b[3] - p.mu ^ 2\n"),
         "b.1 and b.3 cannot be summed out", 1, 3},
        {MODEL("{ mu = cs.real() }, { b = cs.bit() }, { k = cs.integer(1, 3) }",
               "return p.mu * p.b - p.mu ^ 2 - p.k\n"),
         "must have the same values", 1, 2},
        {MODEL("{ mu = cs.real(2) }, { b = cs.bit() }",
               "return M.sum(p.mu) * p.b - M.sum(p.mu ^ 2)\n"),
         "only discrete coordinates", 0, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cs_script_limits limits = {.memory = (size_t)64 << 20,
                                         .trust = true};
        uint32_t site[DIM];
        cs_script *s;
        cs_sum_out *out;
        cs_error err;
        assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
        assert_int_equal(
            cs_script_load_text(s, rows[i].code, "@model.lua", &err), CS_OK);
        assert_int_equal(cs_script_call(s, 0, 1, 0, &err), CS_OK);
        for (uint32_t k = 0; k < rows[i].n; k++)
            site[k] = rows[i].first + k;
        assert_int_equal(
            cs_sum_out_create(cs_script_to_target(cs_script_lua(s), -1), site,
                              rows[i].n, &out, &err),
            CS_UNSUPPORTED);
        assert_null(out);
        assert_non_null(strstr(err.what, rows[i].what));
        cs_script_destroy(s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums_are_those_over_all_states),
    cmocka_unit_test(gradients_are_slopes_of_sums),
    cmocka_unit_test(draws_follow_the_sites_given_the_others),
    cmocka_unit_test(sites_without_probabilities_keep_their_values),
    cmocka_unit_test(remembered_sums_are_those_of_the_state),
    cmocka_unit_test(sites_that_depend_on_each_other_are_refused),
};
TESTS(test_sum_out)
