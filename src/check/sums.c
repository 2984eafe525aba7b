/* Checks that the density of a kernel's proposals is a density: from every
 * state it sums to one number over the proposals (in one real dimension, it
 * integrates to it), and the proposals follow it. The number is 1, or another
 * constant if log_q leaves a constant out; a constant cancels in the ratio, and a
 * sum that depends on the state does not.
 *
 * In a discrete space the sum is over the proposals that were seen. If n
 * proposals were drawn and f of them are states that were drawn once, the others
 * have a probability of about f / n (Good, The population frequencies of species
 * and the estimation of population parameters, 1953); `missing` is a bound. On
 * the real line, the integral is the midpoint rule after the substitution
 * y = c + s tan(pi (u - 1/2)), between the smallest and the largest proposal. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "stat/distance.h"
#include "stat/moments.h"

#include <math.h>
#include <string.h>

/* PLACES: largest number of states from which proposals are drawn on the real
 * line. DISTINCT: largest number of distinct proposals from one state. LEAST:
 * smallest number of proposals from a state. FEW: smallest expected count of a
 * cell. BEYOND / n: bound on the probability beyond all of n proposals; it fails
 * about once in a million. */
enum { LANES = CS_CHECK_LANES, PLACES = 8, DISTINCT = 1024, GRID = 4096 };
enum { LEAST = 128, FEW = 10, BEYOND = 28 };

/* Error that is tolerated in an integral by the midpoint rule. */
static const double rough = 2e-3, pi = 3.14159265358979323846;
/* If sums differ and the p-value is smaller, the proposals do not seem to follow
 * log_q. */
static const double doubt = 0.02;

typedef struct sums {
    cs_target *t;
    cs_block *b, *f;     /* b proposes; f evaluates log_q */
    bool line;           /* true: the space is the real line */
    const double *place; /* [n][dim] states [borrowed or own: memory] */
    size_t n;
    double *y;              /* [DISTINCT + 1][dim] distinct proposals, or
                                [capacity] proposals on the line [own] */
    size_t capacity, seen;  /* seen: number of distinct proposals */
    double *count;          /* [DISTINCT + 1] */
    double *mass;           /* [DISTINCT + 1] or [GRID]: exp(log_q) */
    double *from, *to;      /* [dim][lanes] arguments of log_q, aligned */
    double *memory;         /* memory of from, to, mass, count and listed
                              states [own] */
    double drawn;           /* proposals from the present state */
    size_t twice;           /* equal proposals on the line */
    bool failed, many;      /* log_q failed; too many distinct proposals */
    double lowest, highest; /* smallest and largest log_q */
    double low, high;       /* bounds on the sum that all states have */
    double least, most;     /* smallest and largest sum over seen proposals */
    double missing;         /* largest bound on the probability of proposals
                                that were not seen */
    double p, far;          /* smallest p-value, and its distance */
} sums;

/* ---- states and blocks --------------------------------------------------- */

/* Chooses the states: all possible ones if there are few, or those of the
 * chains. */
static void choose_states(sums *s, const cs_check *c, double *listed)
{
    s->place = c->place;
    s->n = c->places;
    if (s->line && s->n > PLACES)
        s->n = PLACES;
    if (!cs_check_is_small(c))
        return;
    s->place = listed;
    s->n = 0;
    for (size_t k = 0; k < c->states->n; k++)
        if (c->states->p[k] > 0)
            cs_space_state(&s->t->space, k, listed + s->n++ * s->t->space.dim);
}

static bool open_sums(sums *s, const cs_check *c, cs_target *t,
                      const cs_arm_view *arm, uint64_t seed)
{
    size_t dim = t->space.dim, cells = GRID + DISTINCT + 1;
    *s = (sums){.t = t,
                .line = cs_space_is_real(&t->space),
                .lowest = HUGE_VAL,
                .highest = -HUGE_VAL};
    s->b = cs_check_block(t, arm, seed, c->place, c->places);
    s->f = cs_check_block(t, arm, seed, c->place, c->places);
    s->memory = cs_alloc(cells + DISTINCT + 1 + 64 * dim + 2 * LANES * dim,
                         sizeof *s->memory);
    if (!s->b || !s->f || !s->memory)
        return false;
    s->from = s->memory;
    s->to = s->from + LANES * dim;
    s->mass = s->to + LANES * dim;
    s->count = s->mass + cells;
    choose_states(s, c, s->count + DISTINCT + 1);
    return true;
}

static void close_sums(sums *s)
{
    cs_block_destroy(s->b);
    cs_block_destroy(s->f);
    CS_FREE_ALL(s->y, s->memory);
}

/* ---- proposals ----------------------------------------------------------- */

/* Adds a proposal to the list of distinct ones. */
static void note(sums *s, const double *y)
{
    size_t dim = s->t->space.dim, k = 0;
    while (k < s->seen && memcmp(s->y + k * dim, y, dim * sizeof *y) != 0)
        k++;
    s->many |= k == DISTINCT;
    if (k == DISTINCT)
        return;
    if (k == s->seen) {
        memcpy(s->y + k * dim, y, dim * sizeof *y);
        s->count[s->seen++] = 0;
    }
    s->count[k]++;
}

/* Draws about n proposals from the state x. Returns false if memory is
 * exhausted or no proposal was made. */
static bool propose(sums *s, const cs_arm_view *arm, uint64_t seed,
                    const double *x, size_t n)
{
    size_t dim = s->t->space.dim;
    double *one = s->from;
    s->seen = 0;
    s->drawn = 0;
    for (uint64_t k = 0; k * LANES < n && !s->many; k++) {
        if (!cs_check_repeat(s->b, seed + k, x, 1))
            return false;
        cs_check_steps(s->b, arm, 1, 1); /* with the values of one step */
        if (!s->b->move.info.proposal)
            return false;
        for (size_t l = 0; l < LANES; l++) {
            for (size_t i = 0; i < dim; i++)
                one[i] = s->b->move.info.proposal[i * s->b->lanes + l];
            if (s->b->failed[l] != 0)
                continue;
            if (s->line)
                s->y[(size_t)s->drawn] = *one;
            else
                note(s, one);
            s->drawn++;
        }
    }
    return s->drawn > 0;
}

/* Computes mass[n] = exp(log_q) of the proposals y[n][dim] from x. */
static void weigh(sums *s, const double *x, const double *y, size_t n)
{
    size_t dim = s->t->space.dim, lanes = s->f->lanes;
    _Alignas(CS_ALIGN) double out[LANES];
    memcpy(s->f->param, s->b->param,
           s->b->kernel->type->n_params * lanes * sizeof *s->f->param);
    for (size_t i = 0; i < dim * lanes; i++)
        s->from[i] = x[i / lanes];
    for (size_t k = 0; k < n; k += LANES) {
        size_t some = n - k < LANES ? n - k : LANES;
        for (size_t i = 0; i < dim * lanes; i++) {
            size_t l = i % lanes < some ? i % lanes : 0;
            s->to[i] = y[(k + l) * dim + i / lanes];
        }
        s->f->kernel->type->log_q(&s->f->move, s->from, s->to, out);
        for (size_t l = 0; l < some; l++) {
            s->failed |= isnan(out[l]) || out[l] == HUGE_VAL;
            s->lowest = fmin(s->lowest, out[l]);
            s->highest = fmax(s->highest, out[l]);
            s->mass[k + l] = exp(out[l]);
        }
    }
}

/* ---- sums ---------------------------------------------------------------- */

/* Adds the sum over the proposals of one state, which miss a probability of at
 * most `missing`. */
static void note_sum(sums *s, double sum, double missing)
{
    s->least = fmin(s->least, sum);
    s->most = fmax(s->most, sum);
    s->low = fmax(s->low, sum);
    s->high = fmin(s->high, sum / fmax(1e-12, 1 - missing));
    s->missing = fmax(s->missing, missing);
}

static void note_p(sums *s, double p, double far)
{
    if (p < s->p) {
        s->p = p;
        s->far = far;
    }
}

/* Returns the sum that all states seem to have. */
static double constant(const sums *s)
{
    return s->low <= 1 + rough && s->high >= 1 - rough ? 1 : s->low;
}

static double sum_of(const double *mass, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += mass[k];
    return sum;
}

/* Returns a bound on the probability of the proposals that were not seen. It
 * fails about once in a million. */
static double bound_missing(const sums *s)
{
    double once = 0;
    for (size_t k = 0; k < s->seen; k++)
        once += s->count[k] == 1;
    return fmin(1, (once + 14 + 6 * sqrt(once + 14)) / s->drawn);
}

/* Divides the masses by `all`, and merges the proposals that are expected less
 * than FEW times, and those that were not seen, in the last cell. Its mass is
 * known only if that of all proposals is known. Returns the number of cells. */
static size_t merge_rare(sums *s, double all)
{
    double left = 1, rare = 0;
    size_t n = 0;
    for (size_t k = 0; k < s->seen; k++) {
        double mass = s->mass[k] / all;
        if (mass * s->drawn < FEW) {
            rare += s->count[k];
            continue;
        }
        left -= mass;
        s->mass[n] = mass;
        s->count[n++] = s->count[k];
    }
    s->mass[n] = fmax(0, left);
    s->count[n++] = rare;
    return n;
}

/* Compares the proposals from x, in a discrete space. */
static void compare_states(sums *s, const double *x)
{
    weigh(s, x, s->y, s->seen);
    double sum = sum_of(s->mass, s->seen);
    note_sum(s, sum, bound_missing(s));
    bool known = constant(s) == 1 && sum <= 1;
    size_t cells = merge_rare(s, known ? 1 : sum) - (known ? 0 : 1);
    double left = sum_of(s->mass, cells);
    for (size_t k = 0; !known && k < cells; k++)
        s->mass[k] /= left;
    if (cells < 2)
        return;
    note_p(s, cs_check_cells_p(s->count, s->mass, cells),
           cs_total_variation(s->count, s->mass, cells));
}

/* Computes the masses of the cells of the grid around c. Points beyond all
 * proposals have the mass 0, because log_q need not be defined there. */
static void weigh_grid(sums *s, const double *x, double c, double width)
{
    size_t n = (size_t)s->drawn;
    double grid[GRID], low = s->y[0], high = s->y[n - 1];
    weigh(s, x, s->y, n < LANES ? n : LANES);
    bool failed = s->failed;
    for (size_t k = 0; k < GRID; k++) {
        grid[k] = c + width * tan(pi * (((double)k + 0.5) / GRID - 0.5));
        grid[k] = fmin(fmax(grid[k], low), high);
    }
    weigh(s, x, grid, GRID);
    s->failed = failed;
    for (size_t k = 0; k < GRID; k++) {
        double off = (grid[k] - c) / width;
        bool inside = grid[k] > low && grid[k] < high && !isnan(s->mass[k]);
        s->mass[k] *= width * pi * (1 + off * off) / GRID;
        s->mass[k] = inside ? s->mass[k] : 0;
    }
}

/* Returns the largest distance of the distribution functions of the proposals
 * and of the grid around c. */
static double distance(const sums *s, double sum, double c, double width)
{
    size_t n = (size_t)s->drawn;
    double below = 0, far = 0;
    for (size_t k = 0, i = 0; i < n; i++) {
        double u = GRID * (0.5 + atan((s->y[i] - c) / width) / pi);
        for (; k < GRID && (double)k + 1 <= u; k++)
            below += s->mass[k];
        double part = k < GRID ? s->mass[k] * (u - (double)k) : 0;
        double at = (below + part) / sum;
        far = fmax(far, fabs(at - ((double)i + 0.5) / (double)n));
    }
    return far;
}

/* Compares the proposals from x, on the real line. */
static void compare_line(sums *s, const double *x)
{
    size_t n = (size_t)s->drawn;
    cs_sort(s->y, n);
    for (size_t k = 1; k < n; k++)
        s->twice += s->y[k] == s->y[k - 1];
    double c = s->y[n / 2], width = s->y[n - 1 - n / 4] - s->y[n / 4];
    if (!(width > 0))
        return;
    weigh_grid(s, x, c, width);
    double sum = sum_of(s->mass, GRID), beyond = rough + BEYOND / s->drawn;
    note_sum(s, sum, beyond);
    double far = distance(s, sum, c, width);
    note_p(s, cs_ks_p(fmax(0, far - beyond), s->drawn), far);
}

/* ---- the law ------------------------------------------------------------- */

/* Returns true if all sums overflow, or are so small that their ratios are
 * inaccurate. (There are sums unless more than half of the proposals are
 * equal, which has_atoms reports.) */
static bool are_out_of_range(const sums *s)
{
    return s->least == HUGE_VAL || s->most < 1e-290;
}

static bool are_different(const sums *s)
{
    return s->low > s->high * (1 + rough);
}

/* Returns true if proposals on the line are often equal. Normal numbers in single
 * precision are equal by chance, once in some thousand draws. */
static bool has_atoms(const sums *s, const cs_looks *looks)
{
    return 100 * s->twice > looks->all;
}

/* Makes one round: the same number of proposals from each state. Returns false
 * if memory is exhausted or the kernel made no proposal. */
static bool look(sums *s, const cs_arm_view *arm, uint64_t seed,
                 cs_looks *looks)
{
    size_t dim = s->t->space.dim, each = looks->draws / s->n + LEAST;
    s->capacity = s->line ? each + LANES : (DISTINCT + 1) * dim;
    cs_free(s->y);
    s->y = cs_alloc(s->capacity, sizeof *s->y);
    s->p = 1;
    s->low = s->missing = s->most = 0;
    s->least = s->high = HUGE_VAL;
    for (size_t k = 0; s->y && k < s->n && !s->many && !s->failed; k++) {
        const double *x = s->place + k * dim;
        if (k && cs_clock_work() > looks->until)
            break;
        if (!propose(s, arm, seed + 1000003 * looks->look + 4099 * k, x, each))
            return false;
        if (s->line)
            compare_line(s, x);
        else if (!s->many)
            compare_states(s, x);
        looks->all += (size_t)s->drawn;
    }
    looks->p = fmin(1, s->p * (double)s->n);
    double noise = cs_check_sds(1) * 0.5 / sqrt((double)each);
    double error = s->missing + (s->line ? noise : 0);
    looks->error = fmin(looks->error, error);
    return s->y != NULL;
}

/* Returns the verdict for proposals that do not follow exp(log_q). A factor that
 * is the same in both directions cancels in the ratio, so that a script may leave
 * it out: this is a fault only if the law was named. */
static cs_verdict fault(const cs_check *c, const cs_arm_view *arm)
{
    bool own = arm->kernel->type->flags & CS_KERNEL_HIDDEN;
    return own && !c->law ? CS_NOTED : CS_BROKEN;
}

static void say_different(cs_check *c, const cs_arm_view *arm, const sums *s,
                          double p)
{
    const char *verb = s->line ? "integrates to" : "sums to";
    if (p > doubt)
        cs_check_say(c, arm->name, "sums", fault(c, arm),
                     "exp(log_q) %s %.4g over the proposals from one state and "
                     "to %.4g from another: divide by the sum that belongs to "
                     "the state `from`",
                     verb, s->least, s->most);
    else
        cs_check_say(c, arm->name, "sums", fault(c, arm),
                     "the proposals do not follow exp(log_q), which %s %.4g "
                     "over those from one state and to %.4g from another",
                     verb, s->least, s->most);
}

static void say_holds(cs_check *c, const cs_arm_view *arm, const sums *s,
                      const cs_looks *looks)
{
    const cs_detects seen = {looks->error,
                             s->line ? "in the probability of an interval"
                                     : "in a sum",
                             CS_CHECK_POWER};
    cs_check_hold(c, arm->name, "sums", seen,
                  "exp(log_q) %s %.4g from %zu state%s%s, and %zu proposals "
                  "follow it (p = %.2g)",
                  s->line ? "integrates to" : "sums to", constant(s), s->n,
                  s->n == 1 ? "" : "s",
                  constant(s) == 1 ? "" : " (a constant cancels)", looks->all,
                  looks->p);
}

static void judge(cs_check *c, const cs_arm_view *arm, const sums *s,
                  const cs_looks *looks)
{
    if (s->failed)
        cs_check_say(c, arm->name, "sums",
                     arm->kernel->type->flags & CS_KERNEL_HIDDEN ? CS_BROKEN
                                                                 : CS_UNTRIED,
                     "log_q is NaN or infinite for a proposal%s",
                     arm->kernel->type->flags & CS_KERNEL_HIDDEN
                         ? ""
                         : ": it depends on more than the two states");
    else if (s->many)
        cs_check_say(c, arm->name, "sums", CS_UNTRIED,
                     "more than %d proposals from one state: too many to sum "
                     "over",
                     DISTINCT);
    else if (s->lowest == s->highest && fault(c, arm) == CS_NOTED)
        cs_check_say(c, arm->name, "sums", CS_UNTRIED,
                     "log_q is constant: the proposal is assumed to be "
                     "symmetric");
    else if (has_atoms(s, looks))
        cs_check_say(c, arm->name, "sums", fault(c, arm),
                     "%zu of %zu proposals were drawn twice: a proposal that "
                     "has a probability has no density",
                     s->twice, looks->all);
    else if (are_out_of_range(s))
        cs_check_say(c, arm->name, "sums", CS_UNTRIED,
                     "exp(log_q) is too %s to sum: add a constant to log_q",
                     s->least == HUGE_VAL ? "large" : "small");
    else if (are_different(s))
        say_different(c, arm, s, looks->p);
    else if (cs_check_refutes(looks))
        cs_check_say(c, arm->name, "sums", fault(c, arm),
                     "the proposals do not follow exp(log_q): %s %.3g, "
                     "p = %.1e",
                     s->line ? "largest distance" : "total variation", s->far,
                     looks->p);
    else if (cs_check_is_in_doubt(looks))
        cs_check_say(c, arm->name, "sums", CS_UNTRIED,
                     "undecided (p = %.1e) when time ran out: "
                     "increase --seconds",
                     looks->p);
    else
        say_holds(c, arm, s, looks);
}

cs_status cs_check_sums(cs_check *c, cs_target *t, const cs_arm_view *arm,
                        uint64_t seed, cs_error *err)
{
    sums s;
    cs_looks looks = {.error = HUGE_VAL};
    bool good = open_sums(&s, c, t, arm, seed + 61), proposes = good;
    while (proposes && !s.failed && !s.many && !has_atoms(&s, &looks) &&
           !(looks.look && are_different(&s)) && cs_check_look(c, &looks))
        proposes = look(&s, arm, seed + 61, &looks);
    good = good && (s.y || !looks.look);
    if (good && proposes)
        judge(c, arm, &s, &looks);
    else if (good)
        cs_check_say(c, arm->name, "sums", CS_UNTRIED,
                     "the kernel made no proposal");
    close_sums(&s);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'sums'");
}
