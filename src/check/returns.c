/* Tests the deterministic map of a kernel, such as the leapfrogs of Hybrid
 * Monte Carlo. With (y, w) = map(x, v), the accept step is right only if the
 * map, run again from (y, -w), ends at (x, -v), and if the map preserves
 * volumes, so that |det J| = 1 for its Jacobian matrix J (Neal, "MCMC using
 * Hamiltonian dynamics", 2011, section 3.1). Both properties are tested at
 * states of the kernel's own chains, with variables v that the kernel draws; no
 * random test is needed.
 *
 * A map may also reverse the sign itself: run again from (y, w), it then ends at
 * (x, v). Either way of returning is right, if all states return in that way.
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

/* The second runs of the map from one of its two possible starts. */
typedef struct way {
    bool flips; /* the sign of w is reversed before the second run */
    size_t returned, missed;
    double miss, from; /* the largest miss, and where that coordinate was */
    size_t missed_at;  /* index of this coordinate in (x, v) */
} way;

typedef struct trial {
    cs_target *t;
    const cs_map_type *map;
    cs_block *b;
    size_t dim, n, all; /* lengths of x and v, and of both together */
    /* [all] (x, v); its map; the start of the second run; the return */
    double *z, *end, *to, *back;
    double *jacobian; /* [VOLUME_DIM^2] */
    way way[2];       /* with the opposite sign, and with the same */
    size_t failed;    /* states where the map failed */
    size_t volumes;   /* states where the volume was tested */
    double tolerance; /* largest tolerance of a return */
    double volume;    /* log |det J| farthest from 0 */
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
    *k = (trial){.t = t,
                 .map = arm->kernel->type->map,
                 .dim = dim,
                 .way = {{.flips = true}, {.flips = false}}};
    k->b = cs_check_block(t, arm, seed, c->place, c->places);
    k->z = cs_alloc(4 * (dim + NUMBERS), sizeof *k->z);
    k->jacobian = cs_alloc(VOLUME_DIM * VOLUME_DIM, sizeof *k->jacobian);
    if (!k->b || !k->z || !k->jacobian)
        return false;
    k->end = k->z + dim + NUMBERS;
    k->to = k->end + dim + NUMBERS;
    k->back = k->to + dim + NUMBERS;
    return true;
}

static bool apply(trial *k, size_t l, const double *z, double *to)
{
    return k->map->apply(&k->b->move, l, z, k->n, to);
}

static void flip(const trial *k, const way *w, double *z)
{
    for (size_t i = k->dim; w->flips && i < k->all; i++)
        z[i] = -z[i];
}

/* ---- the return ---------------------------------------------------------- */

static double size_of(const trial *k)
{
    double size = 1;
    for (size_t i = 0; i < k->all; i++)
        size = fmax(size, fmax(fabs(k->z[i]), fabs(k->end[i])));
    return size;
}

/* Returns the factor by which the second run spreads its start and a neighbour
 * of it; HUGE_VAL if the map fails there. Overwrites `to` and `back`. */
static double spread_of(trial *k, const way *w, size_t l)
{
    double moved[VOLUME_DIM], far = 0;
    size_t n = k->all < VOLUME_DIM ? k->all : VOLUME_DIM;
    double by = 1e-7 * size_of(k);
    memcpy(moved, k->back, n * sizeof *moved);
    for (size_t i = 0; i < k->all; i++)
        k->to[i] += i % 3 ? by : -by;
    if (!apply(k, l, k->to, k->back))
        return HUGE_VAL;
    flip(k, w, k->back);
    for (size_t i = 0; i < n; i++)
        far = fmax(far, fabs(k->back[i] - moved[i]));
    return far / by;
}

/* Records that coordinate i ended `far` from its start. */
static void note_miss(const trial *k, way *w, size_t i, double far)
{
    w->missed++;
    if (far <= w->miss)
        return;
    w->miss = far;
    w->from = k->z[i];
    w->missed_at = i;
}

/* Runs the map again from the end of its first run. */
static void run_again(trial *k, way *w, size_t l)
{
    size_t at = 0;
    memcpy(k->to, k->end, k->all * sizeof *k->to);
    flip(k, w, k->to);
    if (!apply(k, l, k->to, k->back)) {
        note_miss(k, w, 0, HUGE_VAL);
        return;
    }
    flip(k, w, k->back);
    for (size_t i = 0; i < k->all; i++)
        if (fabs(k->back[i] - k->z[i]) > fabs(k->back[at] - k->z[at]))
            at = i;
    double far = fabs(k->back[at] - k->z[at]), spread = spread_of(k, w, l);
    double tolerance = rounding * size_of(k) * fmax(1, spread);
    if (!(spread <= most_spread))
        return;
    k->tolerance = fmax(k->tolerance, tolerance);
    if (far > tolerance)
        note_miss(k, w, at, far);
    else
        w->returned++;
}

/* Runs the map of one lane, and again in both ways. Returns false if the map
 * failed. */
static bool test_return(trial *k, size_t l, uint64_t round)
{
    k->b->move.streams.step = (uint64_t)1 << 32 | round;
    cs_block_state(k->b, l, k->z);
    k->n = k->map->draw(&k->b->move, l, k->z + k->dim, NUMBERS);
    k->all = k->dim + k->n;
    if (!k->n || !apply(k, l, k->z, k->end)) {
        k->failed++;
        return false;
    }
    run_again(k, &k->way[0], l);
    run_again(k, &k->way[1], l);
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
    if (!(fabs(volume - wide) <= most_off))
        return;
    k->volumes++;
    if (fabs(volume) > fabs(k->volume))
        k->volume = volume;
}

/* ---- findings ------------------------------------------------------------ */

/* Returns the runs with fewer misses. */
static const way *way_of(const trial *k)
{
    return &k->way[k->way[1].missed < k->way[0].missed];
}

static const char *sign_of(const way *w)
{
    return w->flips ? "with the opposite sign of its second value"
                    : "from its end";
}

static void say_missed(cs_check *c, const trial *k, const cs_arm_view *arm)
{
    const way *w = way_of(k);
    char name[64];
    if (w->missed_at < k->dim)
        cs_target_name_coordinate(k->t, w->missed_at, name, sizeof name);
    else
        snprintf(name, sizeof name, "number %zu of omega1",
                 w->missed_at - k->dim + 1);
    cs_check_say(c, arm->name, "returns", CS_BROKEN,
                 "%zu of %zu runs of the map do not return: the map, run again "
                 "%s, ends elsewhere (%s: %.3g away from %.4g)",
                 w->missed, w->missed + w->returned, sign_of(w), name, w->miss,
                 w->from);
}

static void say_holds(cs_check *c, const trial *k, const cs_arm_view *arm)
{
    const way *w = way_of(k);
    if (k->volumes)
        cs_check_hold(c, arm->name, "returns",
                      (cs_detects){fmax(k->tolerance, volume_error),
                                   "in a return or in log |det J|", 1},
                      "%zu runs of the map return, run again %s, and it "
                      "preserves volumes at %zu states",
                      w->returned, sign_of(w), k->volumes);
    else
        cs_check_hold(c, arm->name, "returns",
                      (cs_detects){k->tolerance, "in a return", 1},
                      "%zu runs of the map return, run again %s; volumes were "
                      "not tested",
                      w->returned, sign_of(w));
}

static void judge(cs_check *c, const trial *k, const cs_arm_view *arm)
{
    const way *w = way_of(k);
    if (w->missed)
        say_missed(c, k, arm);
    else if (fabs(k->volume) > volume_error)
        cs_check_say(c, arm->name, "returns", CS_BROKEN,
                     "the map returns, but does not preserve volumes: log |det "
                     "J| of its Jacobian matrix is %+.3g at a state, and 0 is "
                     "right",
                     k->volume);
    else if (!w->returned && k->failed)
        cs_check_say(c, arm->name, "returns", CS_BROKEN,
                     "omega1 or map failed at each of %zu states", k->failed);
    else if (!w->returned)
        cs_check_say(c, arm->name, "returns", CS_UNTRIED,
                     "the map spreads neighbouring states too much: choose "
                     "smaller steps");
    else
        say_holds(c, k, arm);
}

cs_status cs_check_returns(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    trial k;
    double end = cs_clock_work() + 0.5 * c->seconds;
    bool good = open_trial(&k, c, t, arm, seed);
    for (uint64_t round = 0; good && round < ROUNDS; round++) {
        if (round > 0 && cs_clock_work() > end)
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
