/* Checks that the draws of a target's sampler follow its density. The constant
 * of the density is unknown, and the draws may be wrong anywhere, so they make
 * steps of a Metropolis chain that keeps the density (Metropolis et al.,
 * Equation of state calculations by fast computing machines, 1953). If the draws
 * are right, the means of functions do not change (check/shift.h).
 *
 * A step of the draw x proposes x + s (x' - x''), for two other draws x' and x''
 * and a random sign s, which crosses from mode to mode (ter Braak, A Markov
 * chain Monte Carlo version of the genetic algorithm Differential Evolution,
 * 2006), or the same for two states around the run's chains; or x + z with a
 * Gaussian z of a random scale; or, in a coordinate of whole numbers, any value.
 * Given x' and x'', these proposals are symmetric, and x is independent of them.
 * Chains of one batch share their draws; their sum is one observation.
 *
 * If all states are enumerated, the counts of the draws are compared with the
 * probabilities. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/shift.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 8 };

/* A batch of draws and its chains. */
typedef struct trial {
    cs_origin o;
    const cs_check *c;
    size_t likely[LANES], n_likely; /* places with a large density */
    cs_shift shift;
    double *x, *y, *to;           /* [LANES][dim] draws, chains, proposals
                                     [own: x] */
    double *by;                   /* [dim] difference of two draws */
    double logp[LANES], v[LANES]; /* log p of x and of y */
    double *count;                /* [states] counts of the draws, or NULL
                                     [own] */
    size_t n, outside;            /* draws of this round; draws with log p
                                     = -inf */
    bool failed;                  /* the sampler failed */
    cs_distance worst;
} trial;

static bool open_trial(trial *k, const cs_check *c, cs_target *t, uint64_t seed)
{
    size_t dim = t->space.dim;
    *k = (trial){.c = c, .worst.what = ""};
    cs_origin_sample(&k->o, t, seed + 59);
    k->x = cs_alloc((3 * LANES + 1) * dim, sizeof *k->x);
    k->y = k->x ? k->x + LANES * dim : NULL;
    k->to = k->x ? k->y + LANES * dim : NULL;
    k->by = k->x ? k->to + LANES * dim : NULL;
    if (c->states)
        k->count = cs_alloc(c->states->n, sizeof *k->count);
    return k->x && (k->count || !c->states);
}

/* Lists the places whose log p is at most 10 below the largest: their
 * differences lead from mode to mode. */
static void find_likely(trial *k)
{
    double logp[LANES], most = -HUGE_VAL;
    cs_enumeration_log_densities(k->o.t, k->c->place, k->c->places, logp);
    for (size_t i = 0; i < k->c->places; i++)
        most = fmax(most, logp[i]);
    for (size_t i = 0; i < k->c->places; i++)
        if (logp[i] >= most - 10)
            k->likely[k->n_likely++] = i;
}

/* Draws a batch. Returns false if the sampler failed. */
static bool draw_batch(trial *k)
{
    size_t dim = k->o.t->space.dim;
    double weight;
    for (size_t l = 0; l < LANES; l++) {
        k->failed |=
            !cs_origin_draw(&k->o, k->x + l * dim, &k->logp[l], &weight);
        if (k->failed)
            return false;
        k->outside += k->logp[l] > -HUGE_VAL ? 0 : 1;
    }
    k->n += LANES;
    return true;
}

/* ---- chains -------------------------------------------------------------- */

static double normal(trial *k)
{
    return gsl_cdf_ugaussian_Pinv(cs_check_uniform(&k->o.rng));
}

/* Sets y to a proposal from x. */
static void propose(trial *k, const double *x, double sign, double *y)
{
    const cs_space *space = &k->o.t->space;
    bool jumps = cs_check_uniform(&k->o.rng) < 0.5;
    double scale = pow(10, -3 * cs_check_uniform(&k->o.rng));
    size_t site = (size_t)(cs_check_uniform(&k->o.rng) * (double)space->dim);
    for (size_t i = 0; i < space->dim; i++) {
        double width = i < k->shift.coordinates ? k->shift.scale[i] : 1;
        y[i] = x[i];
        if (cs_space_is_whole(space, i)) {
            cs_part part = cs_space_part(space, i);
            double u = cs_check_uniform(&k->o.rng);
            if (i == site)
                y[i] = part.low + floor(u * part.values);
        } else if (jumps) {
            y[i] += sign * k->by[i];
        } else {
            y[i] += scale * 2 * (width > 0 ? width : 1) * normal(k);
        }
    }
}

static const double *likely_place(trial *k)
{
    double u = cs_check_uniform(&k->o.rng);
    size_t at = k->likely[(size_t)(u * (double)k->n_likely)];
    return k->c->place + at * k->o.t->space.dim;
}

/* Sets k->by to the difference of two draws of the batch that are `a` and a + 1
 * lanes away from lane l, or of two likely places. */
static void find_difference(trial *k, size_t l, size_t a)
{
    size_t dim = k->o.t->space.dim;
    const double *one = k->x + (l + a) % LANES * dim;
    const double *other = k->x + (l + a + 1) % LANES * dim;
    if (cs_check_uniform(&k->o.rng) < 0.5) {
        one = likely_place(k);
        other = likely_place(k);
    }
    for (size_t i = 0; i < dim; i++)
        k->by[i] = one[i] - other[i];
}

/* Makes one step of each chain. */
static void step(trial *k)
{
    size_t dim = k->o.t->space.dim;
    double v[LANES];
    size_t a = 1 + (size_t)(cs_check_uniform(&k->o.rng) * (LANES - 2));
    for (size_t l = 0; l < LANES; l++) {
        double sign = cs_check_uniform(&k->o.rng) < 0.5 ? -1 : 1;
        find_difference(k, l, a);
        propose(k, k->y + l * dim, sign, k->to + l * dim);
    }
    cs_enumeration_log_densities(k->o.t, k->to, LANES, v);
    for (size_t l = 0; l < LANES; l++)
        if (log(cs_check_uniform(&k->o.rng)) < v[l] - k->v[l]) {
            memcpy(k->y + l * dim, k->to + l * dim, dim * sizeof *k->y);
            k->v[l] = v[l];
        }
}

static void run_chains(trial *k)
{
    size_t dim = k->o.t->space.dim;
    memcpy(k->y, k->x, LANES * dim * sizeof *k->y);
    memcpy(k->v, k->logp, sizeof k->v);
    for (int i = 0; i < STEPS; i++)
        step(k);
    for (size_t l = 0; l < LANES; l++)
        cs_shift_note(&k->shift, k->x + l * dim, k->logp[l], k->y + l * dim,
                      k->v[l], 1);
    cs_shift_end_group(&k->shift);
}

/* ---- the law ------------------------------------------------------------- */

/* Makes one round. */
static void look(trial *k, cs_looks *looks)
{
    const cs_space *space = &k->o.t->space;
    k->n = 0;
    cs_shift_clear(&k->shift);
    if (k->count)
        memset(k->count, 0, k->c->states->n * sizeof *k->count);
    while (k->n < looks->draws && cs_clock_work() < looks->until &&
           draw_batch(k) && !k->outside) {
        for (size_t l = 0; k->count && l < LANES; l++)
            k->count[cs_space_index(space, k->x + l * space->dim, 1)]++;
        if (!k->count)
            run_chains(k);
    }
    looks->all += k->n;
    if (k->failed || k->outside || !k->n)
        return;
    looks->p = k->count ? cs_check_counts_p(k->o.t, k->c->states, k->count,
                                            k->n, &k->worst)
                        : cs_shift_p(&k->shift, &k->worst);
    double error = k->count ? 0.5 * cs_check_sds(1) / sqrt((double)k->n)
                            : cs_shift_error(&k->shift);
    looks->error = fmin(looks->error, error);
}

static void say_holds(cs_check *c, const trial *k, const cs_looks *looks)
{
    const cs_detects seen = {looks->error,
                             k->count ? "in the probability of a state"
                                      : "sds in the mean or the sd of a "
                                        "coordinate",
                             CS_CHECK_POWER};
    if (!c->law || strcmp(c->law, "sample") == 0)
        cs_check_hold(c, NULL, "sample", seen,
                      "%zu draws of the function sample follow the density "
                      "(p = %.2g)",
                      looks->all, looks->p);
}

/* Returns true if a real coordinate is the same in all draws. */
static bool is_constant(const trial *k)
{
    for (size_t i = 0; i < k->shift.coordinates; i++)
        if (!cs_space_is_whole(&k->o.t->space, i) && k->shift.scale[i] == 0)
            return true;
    return false;
}

static void judge(cs_check *c, const trial *k, const cs_looks *looks)
{
    c->samples = CS_SAMPLES_BROKEN;
    if (k->failed)
        cs_check_say(c, NULL, "sample", CS_BROKEN,
                     "the function sample failed, or returned no state");
    else if (is_constant(k))
        cs_check_say(c, NULL, "sample", CS_BROKEN,
                     "a coordinate is the same in all draws of the function "
                     "sample");
    else if (k->outside)
        cs_check_say(c, NULL, "sample", CS_BROKEN,
                     "log p is -inf at %zu of %zu draws of the function sample",
                     k->outside, looks->all);
    else if (cs_check_refutes(looks))
        cs_check_say(c, NULL, "sample", CS_BROKEN,
                     "the draws of the function sample do not follow the "
                     "density: %s %.3g, p = %.1e; laws of arms do not use them",
                     k->worst.what, k->worst.far, looks->p);
    else if (cs_check_is_in_doubt(looks) || !(looks->error <= CS_CHECK_BLIND))
        cs_check_say(c, NULL, "sample", CS_UNTRIED,
                     "undecided after %zu draws (p = %.1e), so that laws of "
                     "arms do not use them: increase --seconds",
                     looks->all, looks->p);
    else {
        c->samples = CS_SAMPLES_HOLD;
        say_holds(c, k, looks);
    }
}

cs_status cs_check_sample(cs_check *c, cs_target *t, const cs_arm_view *arm,
                          uint64_t seed, cs_error *err)
{
    (void)arm;
    trial k;
    cs_looks looks = {.error = HUGE_VAL, .begin = cs_clock_work()};
    bool good = open_trial(&k, c, t, seed);
    if (good)
        find_likely(&k);
    good = good &&
           cs_shift_open(&k.shift, &k.o, true, looks.begin + 0.2 * c->seconds);
    while (good && !k.failed && !k.outside && !isnan(looks.p) &&
           cs_check_look(c, &looks))
        look(&k, &looks);
    good = good && !isnan(looks.p);
    if (good)
        judge(c, &k, &looks);
    CS_FREE_ALL(k.x, k.count);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'sample'");
}
