/* Tests the deterministic map of a kernel, such as the leapfrogs of Hybrid
 * Monte Carlo. With (y, w) = map(x, v), the accept step is right only if the
 * map, run again from (y, -w), ends at (x, -v), and if the map preserves
 * volumes, so that |det J| = 1 for its Jacobian matrix J (Neal, "MCMC using
 * Hamiltonian dynamics", 2011, section 3.1). Both properties are tested at
 * states of the kernel's own chains, with variables v that the kernel draws; no
 * random test is needed.
 *
 * The return is compared up to rounding, times the factor by which the map
 * spreads neighbouring states; states where this factor is large are left out.
 * J is computed by central differences with two widths h and 2 h, whose
 * difference estimates the error of log |det J|; if it is large, for example at
 * a kink, the state is left out. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    ROUNDS = 16,
    NUMBERS = 256,  /* maximum length of v */
    VOLUME_DIM = 64 /* maximum dim + n for which J is computed */
};

/* Relative rounding error of a map, with room for some thousand operations; the
 * largest factor of spreading that is tested; the width of a difference; the
 * largest error of log |det J| at a state that is tested; and the smallest
 * |log |det J|| that breaks the law. */
static const double rounding = 1e-9, most_spread = 1e4, width = 1e-4,
                    most_off = 1e-5, volume_error = 1e-4;

typedef struct trial {
    cs_target *t;
    const cs_map_type *map;
    cs_block *b;
    size_t dim, n, all;    /* lengths of x and v, and of both together */
    double *z, *to, *back; /* [all] (x, v), its map, and the return */
    double *jacobian;      /* [2][VOLUME_DIM^2] for the widths h and 2 h */
    size_t failed,
        spread; /* states where the map failed, or spreads too much */
    size_t returned, missed, volumes, kinks;
    double tolerance;  /* largest tolerance of a return */
    double miss, from; /* the largest miss, and where that coordinate was */
    size_t missed_at;  /* index of this coordinate in (x, v) */
    double volume;     /* log |det J| farthest from 0 */
} trial;

static void close_trial(trial *k)
{
    cs_block_destroy(k->b);
    CS_FREE_ALL(k->z, k->jacobian);
}

static bool open_trial(trial *k, const cs_check *c, cs_target *t,
                       const cs_arm_view *arm, uint64_t seed)
{
    size_t dim = t->space.dim;
    *k = (trial){.t = t, .map = arm->kernel->type->map, .dim = dim};
    k->b = cs_check_block(t, arm, seed, c->place, c->places);
    k->z = cs_alloc(3 * (dim + NUMBERS), sizeof *k->z);
    k->jacobian = cs_alloc(2 * VOLUME_DIM * VOLUME_DIM, sizeof *k->jacobian);
    k->to = k->z ? k->z + dim + NUMBERS : NULL;
    k->back = k->z ? k->to + dim + NUMBERS : NULL;
    return k->b && k->z && k->jacobian;
}

static bool apply(trial *k, size_t l, const double *z, double *to)
{
    return k->map->apply(&k->b->move, l, z, k->n, to);
}

static void flip(const trial *k, double *z)
{
    for (size_t i = k->dim; i < k->all; i++)
        z[i] = -z[i];
}

/* ---- the return ---------------------------------------------------------- */

static double size_of(const trial *k)
{
    double size = 1;
    for (size_t i = 0; i < k->all; i++)
        size = fmax(size, fmax(fabs(k->z[i]), fabs(k->to[i])));
    return size;
}

/* Returns the factor by which the map spreads the state `to` and a neighbour
 * of it; HUGE_VAL if the map fails there. Overwrites `to` and `back`. */
static double spread_of(trial *k, size_t l)
{
    double moved[VOLUME_DIM], far = 0;
    size_t n = k->all < VOLUME_DIM ? k->all : VOLUME_DIM;
    double by = 1e-7 * size_of(k);
    memcpy(moved, k->back, n * sizeof *moved);
    for (size_t i = 0; i < k->all; i++)
        k->to[i] += i % 3 ? by : -by;
    if (!apply(k, l, k->to, k->back))
        return HUGE_VAL;
    flip(k, k->back);
    for (size_t i = 0; i < n; i++)
        far = fmax(far, fabs(k->back[i] - moved[i]));
    return far / by;
}

static void note_return(trial *k, size_t l)
{
    double far = 0, from = 0, size = size_of(k);
    size_t at = 0;
    for (size_t i = 0; i < k->all; i++) {
        double off = fabs(k->back[i] - k->z[i]);
        if (off > far || isnan(off)) {
            far = isnan(off) ? HUGE_VAL : off;
            at = i;
            from = k->z[i];
        }
    }
    double spread = spread_of(k, l);
    double tolerance = rounding * size * fmax(1, spread);
    if (!(spread <= most_spread)) {
        k->spread++;
        return;
    }
    k->tolerance = fmax(k->tolerance, tolerance);
    k->returned += far <= tolerance;
    k->missed += far > tolerance;
    if (far <= tolerance || far <= k->miss)
        return;
    k->miss = far;
    k->from = from;
    k->missed_at = at;
}

/* Runs the map of one lane, flips v, and runs it again. Returns false if the
 * map failed. */
static bool test_return(trial *k, size_t l, uint64_t round)
{
    k->b->move.streams.step = (uint64_t)1 << 32 | round;
    cs_block_state(k->b, l, k->z);
    k->n = k->map->draw(&k->b->move, l, k->z + k->dim, NUMBERS);
    k->all = k->dim + k->n;
    if (!k->n || !apply(k, l, k->z, k->to)) {
        k->failed++;
        return false;
    }
    flip(k, k->to);
    if (!apply(k, l, k->to, k->back)) {
        k->failed++;
        return false;
    }
    flip(k, k->back);
    note_return(k, l);
    return true;
}

/* ---- the volume ---------------------------------------------------------- */

/* Fills the Jacobian matrix at z by central differences, and returns log |det
 * J|; NAN if the map failed. */
static double log_volume(trial *k, size_t l, double h, double *jacobian)
{
    size_t n = k->all, order[VOLUME_DIM];
    for (size_t i = 0; i < n; i++) {
        double at = k->z[i], by = h * (1 + fabs(at));
        k->z[i] = at + by;
        bool good = apply(k, l, k->z, k->to);
        k->z[i] = at - by;
        good = good && apply(k, l, k->z, k->back);
        k->z[i] = at;
        if (!good)
            return NAN;
        for (size_t j = 0; j < n; j++)
            jacobian[j * n + i] = (k->to[j] - k->back[j]) / (2 * by);
    }
    gsl_matrix_view m = gsl_matrix_view_array(jacobian, n, n);
    gsl_permutation p = {.size = n, .data = order};
    int sign;
    gsl_permutation_init(&p);
    gsl_linalg_LU_decomp(&m.matrix, &p, &sign);
    return gsl_linalg_LU_lndet(&m.matrix);
}

/* Tests the volume at the state of test_return. */
static void test_volume(trial *k, size_t l)
{
    if (k->all > VOLUME_DIM || !cs_space_is_real(&k->t->space))
        return;
    double volume = log_volume(k, l, width, k->jacobian);
    double wide = log_volume(k, l, 2 * width, k->jacobian);
    if (!(fabs(volume - wide) <= most_off)) {
        k->kinks++;
        return;
    }
    k->volumes++;
    if (fabs(volume) > fabs(k->volume))
        k->volume = volume;
}

/* ---- findings ------------------------------------------------------------ */

static void say_missed(cs_check *c, const trial *k, const cs_arm_view *arm)
{
    char name[64];
    if (k->missed_at < k->dim)
        cs_target_name_coordinate(k->t, k->missed_at, name, sizeof name);
    else
        snprintf(name, sizeof name, "number %zu of omega1",
                 k->missed_at - k->dim + 1);
    cs_check_say(c, arm->name, "returns", CS_BROKEN,
                 "%zu of %zu runs of the map do not return: the map, run again "
                 "with the opposite sign of its second value, ends elsewhere "
                 "(%s: %.3g away from %.4g)",
                 k->missed, k->missed + k->returned, name, k->miss, k->from);
}

static void judge(cs_check *c, const trial *k, const cs_arm_view *arm)
{
    const char *law = "returns", *name = arm->name;
    if (k->missed)
        say_missed(c, k, arm);
    else if (fabs(k->volume) > volume_error)
        cs_check_say(c, name, law, CS_BROKEN,
                     "the map returns, but does not preserve volumes: log |det "
                     "J| of its Jacobian matrix is %+.3g at a state, and 0 is "
                     "right",
                     k->volume);
    else if (!k->returned && k->failed)
        cs_check_say(c, name, law, CS_BROKEN,
                     "omega1 or map failed at each of %zu states", k->failed);
    else if (!k->returned)
        cs_check_say(c, name, law, CS_UNTRIED,
                     "the map spreads neighbouring states too much: choose "
                     "smaller steps");
    else if (!k->volumes)
        cs_check_hold(c, name, law,
                      (cs_detects){k->tolerance, "in a return", 1},
                      "%zu runs of the map return with the opposite sign of "
                      "its second value; volumes were not tested",
                      k->returned);
    else
        cs_check_hold(c, name, law,
                      (cs_detects){fmax(k->tolerance, volume_error),
                                   "in a return or in log |det J|", 1},
                      "%zu runs of the map return with the opposite sign of "
                      "its second value, and it preserves volumes at %zu "
                      "states",
                      k->returned, k->volumes);
}

cs_status cs_check_returns(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    trial k;
    double end = cs_clock() + 0.5 * c->seconds;
    bool good = open_trial(&k, c, t, arm, seed);
    for (uint64_t round = 0; good && round < ROUNDS; round++) {
        if (round > 0 && cs_clock() > end)
            break;
        for (size_t l = 0; l < LANES; l++) {
            bool tested = !k.b->failed[l] && test_return(&k, l, round);
            if (tested && l == round)
                test_volume(&k, l);
        }
        cs_check_steps(k.b, arm, round + 1, 1);
    }
    if (good)
        judge(c, &k, arm);
    close_trial(&k);
    return good
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the law 'returns'");
}
