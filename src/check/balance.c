/* Whether steps of a kernel are reversible, where nobody can draw from the
 * target.
 *
 * If P is reversible for pi, then for any distribution q the step "y from P(x, .),
 * taken with probability min(1, pi(x) q(y) / (q(x) pi(y))), else x" is
 * reversible for q (Liu, Monte Carlo Strategies in Scientific Computing, 2001,
 * section 9.4.3: surrogate transitions). So x is drawn from a q that can be
 * drawn from, and of the steps taken as many must go up as down in whatever is
 * looked at: which is an exact test by signs, of independent steps, and sound
 * for every q. How strong it is depends on q; it is laid where chains of the
 * kernel go: a Gaussian around one of them, or independent sites, both
 * without what is impossible. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "stat/cholesky.h"
#include "target/enumeration.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    PILOT = 1000,    /* steps */
    CORRELATED = 64, /* coordinates at most */
    MASSES = 1 << 20,
    TRIAL = 1024,
    LEAST = 400, /* steps taken */
    LOOKED = 8,  /* coordinates */
    ROWS = 2 + LOOKED
};

/* ---- a distribution that can be drawn from ------------------------------- */

typedef struct cloud {
    cs_target *t;
    size_t dim, values;
    double scale;              /* of real z */
    bool full;                 /* factor is [dim][dim], lower; else [dim] */
    double *mean, *factor, *z; /* real: [LANES][dim], the first is q's */
    double *mass;              /* discrete: [dim][values] */
    double *memory;            /* [own] all of these */
    size_t words;
    cs_check_rng rng;
} cloud;

static bool open_cloud(cloud *q, cs_target *t, uint64_t seed)
{
    size_t dim = t->space.dim, values = (size_t)t->space.values;
    *q = (cloud){.t = t,
                 .dim = dim,
                 .values = values,
                 .scale = 1,
                 .rng = {.key = seed + 29}};
    q->full = values == 0 && dim <= CORRELATED;
    q->words = values ? dim * values : dim * (LANES + 1 + (q->full ? dim : 1));
    q->memory = cs_alloc(q->words, sizeof *q->memory);
    if (!q->memory)
        return false;
    q->mass = q->z = q->memory;
    if (!values) {
        q->mean = q->z + dim;
        q->factor = q->mean + dim * LANES;
    }
    return true;
}

/* Sums over the pilot: deviations of each lane from its own mean of n. */
static void add_deviation(cloud *q, const cs_block *b, size_t lane, double n)
{
    double *mean = q->mean + lane * q->dim;
    for (size_t i = 0; i < q->dim; i++) {
        q->z[i] = b->move.x[i * b->lanes + lane] - mean[i];
        mean[i] += q->z[i] / n;
    }
    for (size_t i = 0; i < q->dim; i++) {
        double part = (1 - 1 / n) * q->z[i];
        if (!q->full)
            q->factor[i] += part * q->z[i];
        for (size_t j = 0; q->full && j <= i; j++)
            q->factor[i * q->dim + j] += part * q->z[j];
    }
}

static void add_values(cloud *q, const cs_block *b, size_t lane)
{
    for (size_t i = 0; i < q->dim; i++) {
        double v = b->move.x[i * b->lanes + lane] - q->t->space.low;
        q->mass[i * q->values + (size_t)v]++;
    }
}

/* The sums of n states of each lane become a distribution. */
static void shape(cloud *q, double n)
{
    size_t entries = q->dim * (q->full ? q->dim : 1);
    if (q->values) {
        for (size_t i = 0; i < q->dim * q->values; i++)
            q->mass[i] = (q->mass[i] + 1) / (n * LANES + (double)q->values);
        return;
    }
    for (size_t i = 0; i < entries; i++)
        q->factor[i] /= n * LANES;
    for (size_t i = 0; i < q->dim; i++) { /* of chains that stood still */
        double least = 1e-6 * (1 + fabs(q->mean[i]));
        double *aux = &q->factor[q->full ? i * q->dim + i : i];
        *aux = *aux * (1 + 1e-10) + least * least;
    }
    if (q->full)
        cs_cholesky(q->factor, q->dim);
    for (size_t i = 0; !q->full && i < q->dim; i++)
        q->factor[i] = sqrt(q->factor[i]);
}

/* Where chains of the kernel go; what they did first is forgotten. */
static bool lay(cloud *q, cs_check *c, const cs_arm_view *arm, uint64_t seed)
{
    cs_block *b = cs_check_block(q->t, arm, seed, c->place, c->places);
    double end = cs_clock() + 0.3 * c->seconds, n = 0;
    for (uint64_t k = 1; b && k <= PILOT && cs_clock() < end; k++) {
        cs_check_steps(b, arm, k, 1);
        if ((k & (k - 1)) == 0) {
            memset(q->memory, 0, q->words * sizeof *q->memory);
            n = 0;
        }
        n++;
        for (size_t l = 0; l < LANES; l++)
            if (q->values)
                add_values(q, b, l);
            else
                add_deviation(q, b, l, n);
    }
    if (b)
        shape(q, n);
    cs_block_destroy(b);
    return b != NULL;
}

static void draw_real(cloud *q, double *x)
{
    for (size_t i = 0; i < q->dim; i++)
        q->z[i] = q->scale * gsl_cdf_ugaussian_Pinv(cs_check_uniform(&q->rng));
    for (size_t i = 0; i < q->dim; i++) {
        const double *row = q->factor + (q->full ? i * q->dim : i);
        x[i] = q->mean[i] + row[q->full ? i : 0] * q->z[i];
        for (size_t j = 0; q->full && j < i; j++)
            x[i] += row[j] * q->z[j];
    }
}

static void draw_discrete(cloud *q, double *x)
{
    for (size_t i = 0; i < q->dim; i++) {
        double uniform = cs_check_uniform(&q->rng);
        size_t v = 0;
        while (v + 1 < q->values && (uniform -= q->mass[i * q->values + v]) > 0)
            v++;
        x[i] = q->t->space.low + (double)v;
    }
}

/* x = a draw, its log p; false: none that is possible was found. */
static bool draw_place(cloud *q, double *x, double *logp)
{
    for (int try = 0; try < 1000; try++) {
        if (q->values)
            draw_discrete(q, x);
        else
            draw_real(q, x);
        if (cs_enumeration_evaluate(q->t, x, 1, logp) && *logp > -HUGE_VAL)
            return true;
    }
    return false;
}

/* A place for each lane. All densities are asked for at once: one after the other only
 * where some of the places are impossible, which takes the same numbers. */
static bool draw_places(cloud *q, double *x, double *logp)
{
    const cs_check_rng rng = q->rng;
    bool possible = true;
    for (size_t l = 0; l < LANES; l++)
        if (q->values)
            draw_discrete(q, x + l * q->dim);
        else
            draw_real(q, x + l * q->dim);
    cs_check_log_densities(q->t, x, LANES, logp);
    for (size_t l = 0; l < LANES; l++)
        possible = possible && logp[l] > -HUGE_VAL;
    if (possible)
        return true;
    q->rng = rng;
    possible = true;
    for (size_t l = 0; l < LANES && possible; l++)
        possible = draw_place(q, x + l * q->dim, &logp[l]);
    return possible;
}

/* log q up to a constant. */
static double log_mass(cloud *q, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < q->dim; i++) {
        if (q->values) {
            size_t v = (size_t)(x[i] - q->t->space.low);
            sum += log(q->mass[i * q->values + v]);
            continue;
        }
        const double *row = q->factor + (q->full ? i * q->dim : i);
        double off = x[i] - q->mean[i];
        for (size_t j = 0; q->full && j < i; j++)
            off -= row[j] * q->z[j];
        q->z[i] = off / row[q->full ? i : 0];
        sum -= 0.5 * q->z[i] * q->z[i] / (q->scale * q->scale);
    }
    return sum;
}

/* ---- steps --------------------------------------------------------------- */

typedef struct count {
    size_t tried, taken, outside, failed, rows;
    size_t up[ROWS], down[ROWS]; /* log p, log q, some coordinates */
} count;

/* A step from x to y, with log p at both. */
static void count_step(cloud *q, count *n, const double *x, double logp,
                       const double *y, double v)
{
    double from = log_mass(q, x), to = log_mass(q, y);
    double w = (logp + to) - (v + from);
    if (!memcmp(x, y, q->dim * sizeof *x) ||
        !(log(cs_check_uniform(&q->rng)) < w))
        return;
    n->taken++;
    for (size_t r = 0; r < n->rows; r++) {
        double d = r == 0 ? v - logp : r == 1 ? to - from : y[r - 2] - x[r - 2];
        n->up[r] += d > 0;
        n->down[r] += d < 0;
    }
}

/* Where the lanes have gone from x[LANES][dim]; y [LANES][dim] is written to. */
static void count_steps(cloud *q, count *n, const cs_block *b, const double *x,
                        const double *logp, double *y)
{
    double v[LANES];
    size_t lane[LANES], inside = 0;
    for (size_t l = 0; l < LANES; l++) {
        double *to = y + inside * q->dim;
        n->tried++;
        cs_block_state(b, l, to);
        if (b->failed[l] != 0)
            n->failed++;
        else if (!cs_space_contains(&q->t->space, to, 1))
            n->outside++;
        else
            lane[inside++] = l;
    }
    cs_check_log_densities(q->t, y, inside, v);
    for (size_t k = 0; k < inside; k++) {
        size_t l = lane[k];
        if (!(v[k] > -HUGE_VAL))
            n->outside++;
        else
            count_step(q, n, x + l * q->dim, logp[l], y + k * q->dim, v[k]);
    }
}

/* At most `pairs` steps in about so many seconds. */
static bool walk(cloud *q, count *n, const cs_arm_view *arm, uint64_t seed,
                 size_t pairs, double seconds)
{
    double *x = cs_alloc(2 * LANES * q->dim, sizeof *x), logp[LANES];
    double end = cs_clock() + seconds;
    cs_block *b = NULL;
    bool good = x != NULL;
    *n = (count){.rows = 2 + (q->dim < LOOKED ? q->dim : LOOKED)};
    for (uint64_t k = 0; good && n->tried < pairs && cs_clock() < end; k++) {
        if (!draw_places(q, x, logp))
            break;
        if (!b)
            good = (b = cs_check_block(q->t, arm, seed, x, LANES)) != NULL;
        else
            good = cs_check_repeat(b, seed + k, x, LANES);
        if (!good)
            break;
        cs_check_steps(b, arm, 1 + k, 1);
        count_steps(q, n, b, x, logp, x + LANES * q->dim);
    }
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* Takes the width of q at which most steps stay. */
static bool widen(cloud *q, cs_check *c, const cs_arm_view *arm, uint64_t seed)
{
    static const double widths[] = {1, 0.5, 0.2, 0.1, 2};
    size_t most = 0, tries = sizeof widths / sizeof *widths;
    double best = 1;
    bool good = true;
    for (size_t k = 0; good && !q->values && k < tries; k++) {
        count n;
        q->scale = widths[k];
        good = walk(q, &n, arm, seed + k, TRIAL, 0.1 * c->seconds);
        if (n.taken > most) {
            most = n.taken;
            best = widths[k];
        }
    }
    q->scale = best;
    return good;
}

/* The smallest p-value of all signs, times how many there are. */
static double signs_p(const count *n)
{
    double least = 1;
    for (size_t r = 0; r < n->rows; r++) {
        size_t up = n->up[r], down = n->down[r];
        unsigned less = (unsigned)(up < down ? up : down);
        least = fmin(least,
                     2 * gsl_cdf_binomial_P(less, 0.5, (unsigned)(up + down)));
    }
    return fmin(1, least * (double)n->rows);
}

static void judge(cs_check *c, const cs_arm_view *arm, const count *n,
                  const cs_looks *looks)
{
    bool promised = arm->kernel->type->flags & CS_KERNEL_REVERSIBLE;
    if (n->failed && !n->outside) /* from places where no chain may come */
        cs_check_say(c, arm->name, "inside", CS_NOTED,
                     "%zu of %zu steps met NaN, far out: a chain would stop",
                     n->failed, n->tried);
    else
        cs_check_inside(c, arm->name, n->outside, 0);
    if (n->tried == 0)
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, and by chance no possible "
                     "state is met");
    else if (n->taken < LEAST)
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, and of %zu steps from "
                     "drawn places %zu stay among these: too few to judge",
                     n->tried, n->taken);
    else if (!cs_check_refutes(looks))
        cs_check_say(c, arm->name, "balance", CS_HOLDS,
                     "%zu steps, weighed by the density, go either way alike "
                     "(p = %.2g)",
                     n->taken, looks->p);
    else if (promised)
        cs_check_say(c, arm->name, "balance", CS_BROKEN,
                     "it is not reversible, as it promises to be: of %zu "
                     "steps, weighed by the density, more go one way than back "
                     "(p = %.1e)",
                     n->taken, looks->p);
    else
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "of %zu steps, weighed by the density, more go one way "
                     "than back (p = %.1e); that is no fault of a kernel that "
                     "keeps the target in another way (sites in order), but "
                     "whether it does cannot be tested here",
                     n->taken, looks->p);
}

/* Why steps cannot be weighed, or NULL. */
static const char *obstacle(const cs_target *t, const cs_arm_view *arm)
{
    if (!cs_kernel_is_exact(arm->kernel, t))
        return "it is biased, as it says";
    if (cs_kernel_aux_rows(arm->kernel, t) || arm->kernel->type->wraps)
        return "it moves more than the state";
    if ((double)t->space.dim * t->space.values > MASSES)
        return "there are too many values";
    return t->truth && t->truth->slow ? "the density takes too long" : NULL;
}

cs_status cs_check_balance(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    const char *why = obstacle(t, arm);
    if (why) {
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, not all states (at most "
                     "%d) can be summed, and %s",
                     CS_CHECK_STATES, why);
        return CS_OK;
    }
    cloud q;
    count n;
    cs_looks looks = {0};
    bool good = open_cloud(&q, t, seed) && lay(&q, c, arm, seed + 3) &&
                widen(&q, c, arm, seed + 5);
    while (good && cs_check_look(c, &looks)) {
        good = walk(&q, &n, arm, seed + 1000003 * looks.look, looks.draws,
                    c->seconds);
        looks.p = signs_p(&n);
    }
    if (good)
        judge(c, arm, &n, &looks);
    cs_free(q.memory);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
}
