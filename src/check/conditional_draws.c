/* Tests members whose conditional distribution a script gives. The coordinates
 * that the member does not move are held fixed at several states. Let F be the
 * distribution function of one coordinate of the draw given all others, which
 * follows from the log density along that coordinate. If the draws follow the
 * target, F of each draw is uniform on (0, 1) (Rosenblatt, Remarks on a
 * multivariate transformation, 1952); for a coordinate of whole numbers, with a
 * uniform number between F below the value and F at the value. A
 * Kolmogorov-Smirnov test compares these numbers with the uniform distribution,
 * for each coordinate, or for classes of coordinates if there are many. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "kernel/composed.h"
#include "stat/distance.h"
#include "stat/moments.h"
#include "target/density_line.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, CLASSES = 16, LEAST_DRAWS = 200 };

/* One member under test. */
typedef struct trial {
    cs_target *t;
    const cs_arm_view *arm;
    const cs_member *member;
    cs_block *block;
    cs_density_line
        *line; /* [LANES]; if the member has one coordinate, per lane */
    double *x; /* [dim] a state */
    double *u; /* [classes][capacity] F of the draws */
    size_t n[CLASSES], classes, capacity;
    bool known[LANES]; /* the line of this lane is known */
    size_t failed, unknown, drawn;
    cs_check_rng rng;
    uint64_t step;
} trial;

static bool is_conditional(const cs_member *q)
{
    return !q->kernel.type->composes &&
           q->kernel.type->flags & CS_KERNEL_CONDITIONAL;
}

static void close_trial(trial *k)
{
    cs_block_destroy(k->block);
    for (size_t l = 0; k->line && l < LANES; l++)
        cs_density_line_free(&k->line[l]);
    CS_FREE_ALL(k->line, k->x, k->u);
}

static bool open_trial(trial *k, const cs_check *c, cs_target *t,
                       const cs_arm_view *arm, const cs_member *member,
                       uint64_t seed)
{
    size_t n = member->n;
    *k = (trial){.t = t,
                 .arm = arm,
                 .member = member,
                 .classes = n < CLASSES ? n : CLASSES,
                 .rng.key = seed};
    k->block = cs_check_block(t, arm, seed, c->place, c->places);
    k->line = cs_alloc(LANES, sizeof *k->line);
    k->x = cs_alloc(t->space.dim, sizeof *k->x);
    return k->block && k->line && k->x;
}

/* ---- draws --------------------------------------------------------------- */

/* Returns F of the draw of lane l along coordinate i of the whole; NAN if it is
 * not known. */
static double place_of(trial *k, size_t l, size_t i)
{
    cs_density_line *line = &k->line[k->member->n == 1 ? l : 0];
    bool once = k->member->n == 1;
    cs_block_state(k->block, l, k->x);
    if (!once || !k->known[l])
        k->known[l] = cs_density_line_find(line, k->t, k->x, i);
    return k->known[l]
               ? cs_density_line_below(line, k->x[i], cs_check_uniform(&k->rng))
               : (double)NAN;
}

/* Draws once in each lane, and stores F of one coordinate of each. */
static void draw(trial *k)
{
    cs_block *b = k->block;
    b->move.streams.step = ++k->step;
    cs_composed_turn(&b->move, k->member);
    for (size_t l = 0; l < LANES; l++) {
        size_t at = (k->step + l) % k->member->n, of = at % k->classes;
        if (b->move.failed[l])
            k->failed++;
        if (b->move.failed[l] || k->n[of] == k->capacity)
            continue;
        double u = place_of(k, l, k->member->coordinate[at]);
        k->drawn++;
        if (isnan(u))
            k->unknown++;
        else
            k->u[of * k->capacity + k->n[of]++] = u;
    }
}

/* ---- the test ------------------------------------------------------------ */

/* The class of coordinates that differs most from the uniform distribution. */
typedef struct worst {
    double p, far;
    double mean, sd; /* those of the normal quantiles of F */
    size_t of;
} worst;

/* Returns the distance of sorted numbers from the uniform distribution. */
static double distance_of(const double *u, size_t n)
{
    double far = 0;
    for (size_t i = 0; i < n; i++) {
        far = fmax(far, (double)(i + 1) / (double)n - u[i]);
        far = fmax(far, u[i] - (double)i / (double)n);
    }
    return far;
}

static void spread_of(const double *u, size_t n, worst *to)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double z = gsl_cdf_ugaussian_Pinv(fmin(fmax(u[i], 1e-9), 1 - 1e-9));
        sum += z;
        squares += z * z;
    }
    to->mean = sum / (double)n;
    to->sd = sqrt(fmax(0, squares / (double)n - to->mean * to->mean));
}

static worst compare(trial *k)
{
    worst most = {.p = 1};
    for (size_t i = 0; i < k->classes; i++) {
        double *u = k->u + i * k->capacity;
        if (!k->n[i])
            continue;
        cs_sort(u, k->n[i]);
        double far = distance_of(u, k->n[i]);
        double p = cs_ks_p(far, (double)k->n[i]) * (double)k->classes;
        if (p >= most.p)
            continue;
        most = (worst){.p = p, .far = far, .of = i};
        spread_of(u, k->n[i], &most);
    }
    return most;
}

static bool is_real(const trial *k)
{
    return cs_space_is_real(&k->member->target->space);
}

/* Returns the error that the draws of each class would have detected: an error
 * of a probability or, for real coordinates, a shift of the mean in standard
 * deviations, which changes the distribution function by 1 / sqrt(2 pi) of it. */
static double error_of(const trial *k)
{
    size_t least = k->capacity;
    for (size_t i = 0; i < k->classes; i++)
        least = k->n[i] < least ? k->n[i] : least;
    double far =
        0.5 * cs_check_sds((double)k->classes) / sqrt(fmax(1, (double)least));
    return fmin(1, is_real(k) ? 2.5 * far : far);
}

/* Makes one round. Returns false if memory is exhausted. */
static bool look(trial *k, cs_looks *looks, worst *most)
{
    k->capacity = looks->draws / k->classes + 1;
    cs_free(k->u);
    k->u = cs_alloc(k->classes * k->capacity, sizeof *k->u);
    memset(k->n, 0, sizeof k->n);
    k->drawn = 0;
    while (k->u && !k->failed && k->drawn < looks->draws &&
           cs_clock_work() < looks->until)
        draw(k);
    if (!k->u)
        return false;
    *most = compare(k);
    looks->p = most->p;
    looks->error = error_of(k);
    looks->all += k->drawn;
    return true;
}

/* ---- findings ------------------------------------------------------------ */

static void say_broken(cs_check *c, const trial *k, const worst *most,
                       size_t all)
{
    char name[64];
    cs_target_name_coordinate(k->member->target, most->of, name, sizeof name);
    if (is_real(k))
        cs_check_say(
            c, k->arm->name, "conditional", CS_BROKEN,
            "the draws of %s by the member %s do not follow the "
            "density given the rest (%zu draws: mean off by %+.2g sd, sd "
            "%.2f of the right one, Kolmogorov-Smirnov distance %.2g, "
            "p = %.1e)",
            name, k->member->name, all, most->mean, most->sd, most->far,
            most->p);
    else
        cs_check_say(
            c, k->arm->name, "conditional", CS_BROKEN,
            "the draws of %s by the member %s do not follow the "
            "density given the rest (%zu draws: distance %.2g, p = %.1e)",
            name, k->member->name, all, most->far, most->p);
}

static void judge(cs_check *c, const trial *k, const cs_looks *looks,
                  const worst *most)
{
    const char *member = k->member->name;
    const cs_detects seen = {looks->error,
                             is_real(k) ? "sds in the mean of a coordinate"
                                        : "in the probability of a value",
                             CS_CHECK_POWER};
    if (k->failed) {
        cs_check_say(c, k->arm->name, "conditional", CS_BROKEN,
                     "the member %s: the function draw failed, or returned a "
                     "value whose log p is not finite",
                     member);
    } else if (cs_check_refutes(looks))
        say_broken(c, k, most, looks->all);
    else if (looks->all < LEAST_DRAWS || 2 * k->unknown > looks->all)
        cs_check_say(c, k->arm->name, "conditional", CS_UNTRIED,
                     "the member %s: the density given the rest was found for "
                     "%zu draws only: increase --seconds",
                     member, looks->all - k->unknown);
    else if (cs_check_is_in_doubt(looks))
        cs_check_say(c, k->arm->name, "conditional", CS_UNTRIED,
                     "the member %s: undecided (p = %.1e) when time ran out: "
                     "increase --seconds",
                     member, looks->p);
    else
        cs_check_hold(c, k->arm->name, "conditional", seen,
                      "%zu draws of the member %s follow the density given "
                      "the rest (p = %.2g)",
                      looks->all, member, looks->p);
}

static bool test_member(cs_check *c, cs_target *t, const cs_arm_view *arm,
                        const cs_member *member, uint64_t seed)
{
    trial k;
    worst most = {.p = 1};
    cs_looks looks = {.error = HUGE_VAL, .begin = cs_clock_work()};
    bool good = open_trial(&k, c, t, arm, member, seed);
    while (good && !k.failed && cs_check_look(c, &looks))
        good = look(&k, &looks, &most);
    if (good)
        judge(c, &k, &looks, &most);
    close_trial(&k);
    return good;
}

static size_t count_members(const cs_kernel *kernel)
{
    const cs_composed *of = cs_composed_of(kernel);
    size_t n = 0;
    for (size_t i = 0; of && i < of->n; i++)
        n += is_conditional(&of->member[i]) +
             count_members(&of->member[i].kernel);
    return n;
}

/* Tests the members of a kernel, and those of its members. */
static bool test_members(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         const cs_kernel *kernel, uint64_t seed)
{
    const cs_composed *of = cs_composed_of(kernel);
    bool good = true;
    for (size_t i = 0; of && good && i < of->n; i++) {
        const cs_member *q = &of->member[i];
        good = is_conditional(q) ? test_member(c, t, arm, q, seed + i)
                                 : test_members(c, t, arm, &q->kernel, seed);
    }
    return good;
}

cs_status cs_check_conditional(cs_check *c, cs_target *t,
                               const cs_arm_view *arm, uint64_t seed,
                               cs_error *err)
{
    double seconds = c->seconds;
    c->seconds /= (double)count_members(arm->kernel); /* the limit of the law */
    bool good = test_members(c, t, arm, arm->kernel, seed);
    c->seconds = seconds;
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY,
                          "out of memory for the law 'conditional'");
}
