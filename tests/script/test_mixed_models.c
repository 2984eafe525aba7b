/* Samples two models with discrete and real parameters, written in Lua, by
 * cycles of kernels. Their exact answers are sums over the discrete parameters,
 * with the real ones integrated in closed form. */
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"
#include "kernel/composed.h"
#include "script/bind/lua_target.h"
#include "script/script.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 32, WARM = 300, MEMBERS = 3, MOST = 24, CYCLES = 4 };

/* Steps per chain of the cycles without and with a sum. */
static const size_t steps[] = {15000, 3000};

static const char change_point[] =
    "local cs = require 'chainscope'\n"
    "local M, lpdf = cs.math, cs.lpdf\n"
    "local y = { 5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2 }\n"
    "return cs.target {\n"
    "  params = { { k = cs.integer(1, 19) }, { rate = cs.positive(2) } },\n"
    "  log_density = function(p)\n"
    "    local u = lpdf.gamma(p.rate, 2, 1)\n"
    "    for i = 1, #y do\n"
    "      u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)])\n"
    "    end\n"
    "    return u\n"
    "  end,\n"
    "}\n";

static const char mixture[] =
    "local cs = require 'chainscope'\n"
    "local M, lpdf = cs.math, cs.lpdf\n"
    "local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }\n"
    "return cs.target {\n"
    "  params = { { mu = cs.real(2) }, { z = cs.label(2, #y) } },\n"
    "  log_density = function(p)\n"
    "    return lpdf.categorical(p.z, { 0.35, 0.65 }) +\n"
    "      lpdf.normal(p.mu, { -1, 1.5 }, 1.5) +\n"
    "      lpdf.normal(y, M.gather(p.mu, p.z), 1)\n"
    "  end,\n"
    "}\n";

/* ---- quantities ---------------------------------------------------------- */

typedef enum moment { FIRST, SECOND, IS, EXP, EXP_SECOND, SAME, TWOS } moment;

/* The mean of a function of the state, given directly or as a mean and a
 * standard deviation. */
typedef struct quantity {
    moment moment;
    size_t i;
    double value; /* IS: the value */
    double exact;
} quantity;

#define SECOND_OF(mean, sd) ((mean) * (mean) + (sd) * (sd))

static const quantity of_change_point[] = {
    {FIRST, 0, 0, 9.9041337},
    {SECOND, 0, 0, SECOND_OF(9.9041337, 1.2831457)},
    {IS, 0, 7, 0.0285319},
    {IS, 0, 9, 0.2937476},
    {IS, 0, 10, 0.4738633},
    {IS, 0, 11, 0.0927405},
    {IS, 0, 12, 0.0628354},
    {EXP, 1, 0, 4.2414490},
    {EXP_SECOND, 1, 0, SECOND_OF(4.2414490, 0.6626469)},
    {EXP, 2, 0, 1.4307385},
    {EXP_SECOND, 2, 0, SECOND_OF(1.4307385, 0.3825636)}};

static const quantity of_mixture[] = {
    {FIRST, 0, 0, -0.9891141},
    {SECOND, 0, 0, SECOND_OF(-0.9891141, 0.9007355)},
    {FIRST, 1, 0, 1.4821843},
    {SECOND, 1, 0, SECOND_OF(1.4821843, 0.7001245)},
    {IS, 2, 2, 0.0690100},
    {IS, 3, 2, 0.1059511},
    {IS, 4, 2, 0.3941836},
    {IS, 5, 2, 0.6184831},
    {IS, 6, 2, 0.8474046},
    {IS, 7, 2, 0.9314172},
    {IS, 8, 2, 0.9422904},
    {IS, 9, 2, 0.9459928},
    {SAME, 0, 0, 0.0227538},
    {TWOS, 0, 1, 4.8547327},
    {TWOS, 0, 2, SECOND_OF(4.8547327, 1.0007916)}};

static double value_of(const quantity *q, const double *x, size_t lanes)
{
    double v = x[q->i * lanes], twos = 0;
    switch (q->moment) {
    case FIRST:
        return v;
    case SECOND:
        return v * v;
    case IS:
        return v == q->value;
    case EXP:
        return exp(v);
    case EXP_SECOND:
        return exp(2 * v);
    case SAME:
        return x[2 * lanes] == x[9 * lanes];
    case TWOS:
        for (size_t i = 2; i < 10; i++)
            twos += x[i * lanes] == 2;
        return pow(twos, q->value);
    }
    return NAN;
}

/* ---- cycles -------------------------------------------------------------- */

typedef struct member {
    const char *on, *kernel, *param;
    double value;
    uint64_t times;
    const char *sums; /* parameter that it sums out; NULL: none */
} member;

/* The last two cycles sum out the discrete parameter; the last one also moves
 * both parameters in other ways. */
static const member change_points[CYCLES][MEMBERS] = {
    {{"rate", "hmc", "step", 0.25, 1, NULL}, {"k", "gibbs", NULL, 0, 1, NULL}},
    {{"k", "random_walk", "radius", 3, 2, NULL},
     {"rate", "mala", "step", 0.35, 2, NULL}},
    {{"rate", "hmc", "step", 0.25, 1, "k"}},
    {{"rate", "random_walk", "step", 0.3, 2, "k"},
     {"rate", "mala", "step", 0.35, 1, NULL},
     {"k", "gibbs", NULL, 0, 1, NULL}}};

static const member mixtures[CYCLES][MEMBERS] = {
    {{"mu", "hmc", "step", 0.5, 1, NULL}, {"z", "gibbs", NULL, 0, 8, NULL}},
    {{"z", "locally_balanced", NULL, 0, 8, NULL},
     {"mu", "random_walk", "step", 0.8, 2, NULL}},
    {{"mu", "random_walk", "step", 1.6, 8, "z"}},
    {{"mu", "random_walk", "step", 1.6, 8, "z"},
     {"z", "locally_balanced", NULL, 0, 2, NULL},
     {"mu", "hmc", "step", 0.5, 1, "z"}}};

static cs_target *load(cs_script *s, const char *code)
{
    cs_error err;
    lua_State *L = cs_script_lua(s);
    if (cs_script_load_text(s, code, "@model.lua", &err) ||
        cs_script_call(s, 0, 1, 0, &err))
        fail_msg("%s", err.what);
    cs_target *t = cs_script_to_target(L, -1);
    assert_non_null(t);
    return t;
}

static void open_cycle(cs_target *t, const member *m, cs_kernel *k)
{
    static const char *const names[MEMBERS] = {"first", "second", "third"};
    cs_kernel kernel[MEMBERS];
    cs_member_spec spec[MEMBERS], sums[MEMBERS];
    cs_error err;
    size_t n = 0;
    for (; n < MEMBERS && m[n].on; n++) {
        const cs_value v = {.name = m[n].param, .number = m[n].value};
        const cs_kernel_type *type = cs_kernel_find(m[n].kernel);
        assert_non_null(type);
        if (cs_kernel_init(&kernel[n], type, m[n].param ? &v : NULL,
                           m[n].param != NULL, &err))
            fail_msg("%s", err.what);
        sums[n] = (cs_member_spec){.on = &m[n].sums, .n_on = 1};
        spec[n] = (cs_member_spec){.name = names[n],
                                   .sums = m[n].sums ? &sums[n] : NULL,
                                   .kernel = &kernel[n],
                                   .on = &m[n].on,
                                   .n_on = 1,
                                   .times = m[n].times};
    }
    if (cs_kernel_cycle(k, t, spec, n, &err))
        fail_msg("%s", err.what);
}

/* Starts at the middle of the real numbers, and at different discrete values. */
static void find_start(const cs_target *t, size_t chain, double *x)
{
    for (size_t i = 0; i < t->space.dim; i++) {
        cs_part p = cs_space_part(&t->space, i);
        x[i] = p.kind == CS_CONTINUOUS
                   ? (double)i
                   : p.low + (double)((chain * 5 + i) % (size_t)p.values);
    }
}

/* Compares means over all draws with the exact answers; their errors come from
 * the differences between chains. */
static void compare(cs_target *t, const member *m, size_t count,
                    const quantity *q, size_t n)
{
    cs_kernel k;
    cs_block *b;
    double x[CHAINS][16], mean[MOST][CHAINS] = {{0}};
    const double *start[CHAINS];
    open_cycle(t, m, &k);
    assert_true(t->space.dim <= 16 && n <= MOST);
    for (size_t l = 0; l < CHAINS; l++) {
        find_start(t, l, x[l]);
        start[l] = x[l];
    }
    assert_int_equal(cs_kernel_fits(&k, t, NULL), CS_OK);
    assert_int_equal(cs_block_create(&b, t, &k, 1, 0, CHAINS, NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    cs_block_run(b, NULL, WARM, NULL);
    for (size_t s = 0; s < count; s++) {
        cs_block_run(b, NULL, 1, NULL);
        for (size_t i = 0; i < n; i++)
            for (size_t l = 0; l < CHAINS; l++)
                mean[i][l] +=
                    value_of(&q[i], b->move.x + l, b->lanes) / (double)count;
    }
    for (size_t i = 0; i < n; i++) {
        double all = 0, squares = 0;
        for (size_t l = 0; l < CHAINS; l++)
            all += mean[i][l] / CHAINS;
        for (size_t l = 0; l < CHAINS; l++)
            squares += (mean[i][l] - all) * (mean[i][l] - all);
        double error = sqrt(squares / (CHAINS * (CHAINS - 1.0)));
        print_message("%2zu: %.5f, exact %.5f, error %.5f, %.1f errors\n", i,
                      all, q[i].exact, error, (all - q[i].exact) / error);
        assert_true(error < 0.02 * (0.3 + fabs(q[i].exact)));
        assert_true(fabs(all - q[i].exact) < 3 * error);
    }
    cs_block_destroy(b);
    cs_kernel_release(&k);
}

static void sample(const char *code, const member cycle[CYCLES][MEMBERS],
                   const quantity *q, size_t n)
{
    const cs_script_limits limits = {.memory = (size_t)64 << 20, .trust = true};
    cs_script *s;
    cs_error err;
    assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
    cs_target *t = load(s, code);
    for (size_t i = 0; i < CYCLES; i++)
        compare(t, cycle[i], steps[i / 2], q, n);
    cs_script_destroy(s);
}

static void change_points_have_their_exact_answers(void **state)
{
    (void)state;
    sample(change_point, change_points, of_change_point,
           sizeof of_change_point / sizeof *of_change_point);
}

static void mixtures_have_their_exact_answers(void **state)
{
    (void)state;
    sample(mixture, mixtures, of_mixture,
           sizeof of_mixture / sizeof *of_mixture);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(change_points_have_their_exact_answers),
    cmocka_unit_test(mixtures_have_their_exact_answers),
};
TESTS(test_mixed_models)
