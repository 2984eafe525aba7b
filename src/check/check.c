#include "base/clock.h"
#include "base/memory.h"
#include "check/origin.h"
#include "run/arms/arms.h"
#include "target/enumeration.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES };

void cs_check_hold(cs_check *c, const char *arm, const char *law,
                   cs_detects seen, const char *format, ...)
{
    assert(c->say && law && format && seen.power >= 0);
    cs_finding f = {.arm = arm, .law = law, .verdict = CS_HOLDS, .seen = seen};
    char power[32] = "";
    va_list args;
    assert(seen.unit);
    va_start(args, format);
    size_t n = (size_t)vsnprintf(f.text, sizeof f.text, format, args);
    va_end(args);
    n = n < sizeof f.text ? n : sizeof f.text - 1;
    if (seen.power < 1)
        snprintf(power, sizeof power, " (power %.3g %%)", 100 * seen.power);
    if (seen.error > 0)
        snprintf(f.text + n, sizeof f.text - n,
                 "; an error of %.2g %s would have been detected%s", seen.error,
                 seen.unit, power);
    else
        snprintf(f.text + n, sizeof f.text - n,
                 "; any error %s would have been detected%s", seen.unit, power);
    c->say(c->to, &f);
}

void cs_check_say(cs_check *c, const char *arm, const char *law,
                  cs_verdict verdict, const char *format, ...)
{
    assert(c->say && law && format);
    assert(verdict != CS_HOLDS);
    cs_finding f = {.arm = arm, .law = law, .verdict = verdict};
    va_list args;
    va_start(args, format);
    vsnprintf(f.text, sizeof f.text, format, args);
    va_end(args);
    c->broken += verdict == CS_BROKEN;
    c->say(c->to, &f);
}

double cs_check_uniform(cs_check_rng *d)
{
    uint64_t out[2], at[2] = {++d->drawn, 1}, key[2] = {d->key, 5};
    cs_threefry2x64(13, at, key, out);
    return ((double)(out[0] >> 11) + 0.5) * 0x1p-53;
}

/* ---- rounds of a test ---------------------------------------------------- */

enum { LOOKS = 3, DRAWS = 20000, A_SECOND = 4000, MOST_DRAWS = 1 << 18 };

/* A p-value above `doubt` is not doubtful. A p-value below `sure` is hardly due
 * to chance. If a test is still doubtful in its last round, the law is refuted
 * by a p-value below `decides`. */
static const double doubt = 0.02, sure = 1e-6, decides = 1e-3;

/* Returns true if another round could still change the result. */
static bool is_open(const cs_check *c, cs_looks *l)
{
    l->doubtful = l->p < doubt ? l->doubtful + 1 : 0;
    if (l->doubtful)
        return l->doubtful < LOOKS && !(l->doubtful > 1 && l->p < sure);
    return !c->draws && l->error > (c->aim > 0 ? c->aim : CS_CHECK_AIM) &&
           l->draws < MOST_DRAWS;
}

/* The first round ("look") takes at most a quarter of the time. Time then
 * remains for a round with up to four times the draws, or for a confirmation
 * with an equal number of draws. A doubtful result near the end of the time
 * starts the time again, once: a shorter round could not confirm it, and its
 * larger p-value would be taken for agreement. */
bool cs_check_look(const cs_check *c, cs_looks *l)
{
    assert(c->seconds > 0 || c->draws);
    double now = cs_clock_work(), share = l->look ? 0.8 : 0.25;
    double draws = c->draws     ? (double)c->draws
                   : c->aim > 0 ? DRAWS / 4
                                : fmax(DRAWS, A_SECOND * c->seconds);
    if (!l->look && l->begin == 0)
        l->begin = now;
    double left = l->begin + c->seconds - now;
    if (l->look && !is_open(c, l))
        return false;
    if (l->doubtful && !l->extended && c->seconds > 0 &&
        left < 0.5 * c->seconds) {
        l->extended = true;
        l->begin = now;
        left = c->seconds;
    }
    l->late = left < 0.1 * c->seconds;
    if (l->late)
        return false;
    if (l->look)
        draws = (double)l->draws * (l->p < sure ? 1 : 4);
    l->until = now + share * left;
    l->look++;
    l->draws = (size_t)fmin(draws, MOST_DRAWS);
    l->p = 1;
    return true;
}

bool cs_check_refutes(const cs_looks *l)
{
    bool confirmed = l->doubtful > 1 || (l->doubtful == 1 && l->late);
    return confirmed && l->p < (l->doubtful == LOOKS ? decides : sure);
}

bool cs_check_is_in_doubt(const cs_looks *l)
{
    return l->late && l->p < decides && !cs_check_refutes(l);
}

double cs_check_sds(double tests)
{
    assert(tests >= 1);
    return gsl_cdf_ugaussian_Qinv(sure / (2 * tests)) +
           gsl_cdf_ugaussian_Pinv(CS_CHECK_POWER);
}

/* ---- blocks -------------------------------------------------------------- */

void cs_check_reseed(cs_block *b, uint64_t seed)
{
    assert(!b->move.multi_step);
    cs_ahead *ahead = b->move.streams.ahead;
    b->move.streams = cs_streams_of(seed, 0, b->chain, b->lanes, b->live);
    b->move.streams.ahead = ahead;
}

bool cs_check_repeat(cs_block *b, uint64_t seed, const double *x, size_t n)
{
    assert(n >= 1 && x && b->live == LANES);
    const double *start[LANES];
    for (size_t l = 0; l < LANES; l++)
        start[l] = x + l % n * b->move.dim;
    cs_check_reseed(b, seed);
    return cs_block_start(b, start, NULL) == CS_OK;
}

cs_block *cs_check_block(cs_target *t, const cs_arm_view *arm, uint64_t seed,
                         const double *x, size_t n)
{
    assert(arm && arm->kernel && n >= 1 && x);
    const cs_kernel_type *type = arm->kernel->type;
    cs_block *b = NULL;
    if (cs_block_create(&b, t, arm->kernel, seed, 0, LANES, NULL, 0, NULL))
        return NULL;
    cs_block_set_metric(b, arm->metric);
    int adapt = cs_param_find(type->params, type->n_params, "adapt");
    for (size_t l = 0; adapt >= 0 && l < b->lanes; l++)
        b->param[(size_t)adapt * b->lanes + l] = 0; /* switches the kernel's
                                                       adaptation off */
    if (cs_check_repeat(b, seed, x, n))
        return b;
    cs_block_destroy(b);
    return NULL;
}

void cs_check_steps(cs_block *b, const cs_arm_view *arm, uint64_t from,
                    size_t n)
{
    assert(n >= 1 && n <= 64);
    double table[CS_DRIVEN_ROWS * 64];
    cs_driven driven = {.value = table};
    cs_plan_fill(arm->plan, b->kernel, NULL, from, n, &driven);
    b->step = from - 1; /* sets the step number, by which a kernel may
                           select its sites */
    cs_block_run(b, &driven, n, NULL);
}

/* ---- running the laws ---------------------------------------------------- */

static bool has_gradient(const cs_check *c, const cs_target *t,
                         const cs_arm_view *arm)
{
    (void)arm;
    return t->type->gradient &&
           (c->strict || !cs_space_is_countable(&t->space));
}

static bool has_sites(const cs_check *c, const cs_target *t,
                      const cs_arm_view *arm)
{
    (void)c, (void)arm;
    return cs_space_sites(&t->space) > 0;
}

/* Returns true if all factors of the target's density are known. A target that
 * lacks a factor is checked only on its known factors. */
static bool knows_density(const cs_check *c, const cs_target *t,
                          const cs_arm_view *arm)
{
    (void)c, (void)arm;
    return !(t->flags & CS_TARGET_UNNORMALISED);
}

static bool has_sampler(const cs_check *c, const cs_target *t,
                        const cs_arm_view *arm)
{
    return t->sampler.draw && knows_density(c, t, arm);
}

const cs_law cs_target_laws[] = {
    {"density", NULL, knows_density, cs_check_density},
    {"gradient", NULL, has_gradient, cs_check_gradient},
    {"differences", NULL, has_sites, cs_check_differences},
    {"sample", NULL, has_sampler, cs_check_sample},
    {NULL, NULL, NULL, NULL}};

static bool every_kernel(const cs_kernel_type *type)
{
    (void)type;
    return true;
}

bool cs_check_is_joint(const cs_kernel_type *type)
{
    return type->wraps && type->aux && !type->aux->variable->unrecorded;
}

static bool is_exact(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_EXACT && !cs_check_is_joint(type);
}

static bool has_origin(const cs_check *c, const cs_target *t,
                       const cs_arm_view *arm)
{
    (void)arm;
    return cs_origin_exists(c, t);
}

static bool is_exact_on_states(const cs_kernel_type *type)
{
    return is_exact(type) && type->spaces & CS_DISCRETE &&
           !(type->flags & CS_KERNEL_WEIGHS);
}

static bool is_small(const cs_check *c, const cs_target *t,
                     const cs_arm_view *arm)
{
    (void)t;
    return cs_check_is_small(c) && is_exact_on_states(arm->kernel->type);
}

/* Returns true if the kernel is reversible for some parameter values and has no
 * auxiliary variables. (The test cannot weight auxiliary variables.) */
static bool may_be_reversible(const cs_kernel_type *type)
{
    return (type->flags & CS_KERNEL_REVERSIBLE || type->is_reversible) &&
           !type->aux && !type->wraps;
}

static bool cannot_draw(const cs_check *c, const cs_target *t,
                        const cs_arm_view *arm)
{
    return !cs_check_can_draw(c, t) && knows_density(c, t, arm);
}

static bool moves_states(const cs_kernel_type *type)
{
    return type->spaces & CS_DISCRETE;
}

static bool has_proposals(const cs_kernel_type *type)
{
    return type->log_q && !type->aux && !type->wraps && !type->composes &&
           !(type->flags & (CS_KERNEL_ESTIMATES | CS_KERNEL_SYMMETRIC));
}

static bool proposes_states(const cs_kernel_type *type)
{
    return has_proposals(type) && type->spaces & CS_DISCRETE;
}

static bool can_sum(const cs_check *c, const cs_target *t,
                    const cs_arm_view *arm)
{
    (void)c;
    bool line = cs_space_is_real(&t->space) && t->space.dim == 1;
    return has_proposals(arm->kernel->type) &&
           (line || cs_space_is_countable(&t->space));
}

const cs_law cs_arm_laws[] = {
    {"again", every_kernel, NULL, cs_check_again},
    {"record", every_kernel, NULL, cs_check_record},
    {"transitions", is_exact_on_states, is_small, cs_check_matrix},
    {"stationarity", is_exact, has_origin, cs_check_stationarity},
    {"balance", may_be_reversible, cannot_draw, cs_check_balance},
    {"reach", moves_states, has_sites, cs_check_reach},
    {"sums", proposes_states, can_sum, cs_check_sums},
    {NULL, NULL, NULL, NULL}};

static bool draws_by_script(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_CONDITIONAL;
}

static bool has_conditional(const cs_check *c, const cs_target *t,
                            const cs_arm_view *arm)
{
    return knows_density(c, t, arm) && draws_by_script(arm->kernel->type);
}

static bool has_map(const cs_kernel_type *type)
{
    return type->map;
}

static bool maps(const cs_check *c, const cs_target *t, const cs_arm_view *arm)
{
    (void)c, (void)t;
    return has_map(arm->kernel->type);
}

const cs_law cs_member_laws[] = {
    {"conditional", draws_by_script, has_conditional, cs_check_conditional},
    {"returns", has_map, maps, cs_check_returns},
    {NULL, NULL, NULL, NULL}};

const cs_law *cs_law_find(const char *name)
{
    assert(name);
    const cs_law *const books[] = {cs_target_laws, cs_arm_laws, cs_member_laws};
    for (size_t k = 0; k < sizeof books / sizeof *books; k++)
        for (const cs_law *law = books[k]; law->name; law++)
            if (strcmp(law->name, name) == 0)
                return law;
    return NULL;
}

/* ---- public functions ---------------------------------------------------- */

static bool is_asked(const char *name, const char *which)
{
    return !which || strcmp(name, which) == 0;
}

static cs_status attempt(cs_check *c, const cs_law *laws, cs_target *t,
                         const cs_arm_view *arm, uint64_t seed, cs_error *err)
{
    cs_status s = CS_OK;
    for (; !s && laws->name; laws++)
        if (is_asked(laws->name, c->law) &&
            (!laws->applies || laws->applies(c, t, arm)))
            s = laws->attempt(c, t, arm, seed, err);
    return s;
}

/* Returns true if some law to be tested starts chains from draws of the
 * target. */
static bool starts_from_draws(const cs_check *c)
{
    return is_asked("stationarity", c->law) || is_asked("balance", c->law);
}

cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err)
{
    assert(run && c->say && !c->place);
    cs_target *t = cs_run_target(run);
    cs_status s = cs_check_find_starts(c, run, err);
    if (!s && !c->places)
        cs_check_say(c, NULL, "density", CS_BROKEN,
                     "-inf or NaN at every state where a chain is or may "
                     "start");
    if (!s && c->places)
        cs_check_list_states(c, t);
    if (!s && c->places && !c->arm)
        s = attempt(c, cs_target_laws, t, NULL, cs_run_seed(run), err);
    if (!s && c->places && starts_from_draws(c) && has_sampler(c, t, NULL) &&
        c->samples == CS_SAMPLES_UNTRIED)
        s = cs_check_sample(c, t, NULL, cs_run_seed(run), err);
    for (size_t k = 0; !s && c->places && k < cs_run_arms(run); k++) {
        cs_arm_view arm = cs_run_arm(run, k);
        if (!is_asked(arm.name, c->arm))
            continue;
        s = attempt(c, cs_member_laws, t, &arm, cs_run_seed(run), err);
        if (!s)
            s = attempt(c, cs_arm_laws, t, &arm, cs_run_seed(run), err);
    }
    cs_enumeration_clear(&c->listed);
    c->states = NULL;
    cs_free(c->place);
    c->place = NULL;
    return s;
}
