#include "run/summary/find_evidence.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/points.h"
#include "run/draws/recorded.h"
#include "run/views/report_view.h"
#include "run/views/view.h"
#include "stat/worst.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits. A search needs about 40 evaluations per coordinate, which take
 * seconds for targets with many rows of data. */
enum { STATES = 8, MOST_DIM = 64, MOST_HESSIAN = 12, MOST_ROWS = 10000 };

/* States of an arm's chains, and their distances from each other. */
typedef struct search {
    const cs_target *target;
    cs_points ask;
    double *x;       /* [n][dim] states [own] */
    double *spread;  /* [dim] largest distance between two states [own] */
    double *scratch; /* [4][dim] scratch [own] */
    double logp[STATES];
    size_t n, dim, best; /* best: index of the state with the largest log p */
    cs_evidence *found;
} search;

static void name_it(const cs_target *t, size_t k, char *name)
{
    if (!t->outputs.n || cs_target_shown(t) == t->space.dim)
        cs_target_coordinate(t, k, name, CS_EVIDENCE_NAME);
    else
        snprintf(name, CS_EVIDENCE_NAME, "unconstrained x.%zu", k + 1);
}

static cs_evidence_at found_at(const search *s, size_t k, double value)
{
    cs_evidence_at at = {.found = true, .value = value};
    name_it(s->target, k, at.name);
    return at;
}

/* ---- states -------------------------------------------------------------- */

static void take_states(search *s, cs_run *run, size_t arm)
{
    const cs_arm_view v = cs_run_arm(run, arm);
    for (size_t c = 0; c < v.chains && s->n < STATES; c += v.group) {
        cs_chain_view chain = cs_run_chain(run, arm, c);
        if (!chain.failed)
            memcpy(s->x + s->n++ * s->dim, chain.x, s->dim * sizeof *s->x);
    }
    for (size_t k = 0; k < s->dim; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < s->n; i++) {
            low = fmin(low, s->x[i * s->dim + k]);
            high = fmax(high, s->x[i * s->dim + k]);
        }
        s->spread[k] = high > low ? high - low : fmax(1, fabs(high));
    }
}

static bool begin(search *s, cs_run *run, size_t arm, cs_evidence *found)
{
    *s = (search){.target = cs_run_arm_target(run, arm), .found = found};
    if (!s->target)
        s->target = cs_run_target(run);
    s->dim = s->target->space.dim;
    s->x = cs_alloc(STATES * s->dim, sizeof *s->x);
    s->spread = cs_alloc(s->dim, sizeof *s->spread);
    s->scratch = cs_alloc(4 * s->dim, sizeof *s->scratch);
    if (!cs_points_begin(&s->ask, s->target) || !s->x || !s->spread ||
        !s->scratch)
        return false;
    take_states(s, run, arm);
    return s->n > 0;
}

static void end(search *s)
{
    cs_points_end(&s->ask);
    CS_FREE_ALL(s->x, s->spread, s->scratch);
}

/* ---- causes -------------------------------------------------------------- */

/* Finds a state with a coordinate beyond 1e50, where sums of squares begin to
 * overflow. */
static void find_far(search *s)
{
    const double most = 1e50;
    for (size_t i = 0; i < s->n * s->dim && !s->found->far.found; i++)
        if (!(fabs(s->x[i]) < most))
            s->found->far = found_at(s, i % s->dim, s->x[i]);
}

static void find_random(search *s)
{
    double first = cs_points_logp(&s->ask, s->x);
    double second = cs_points_logp(&s->ask, s->x);
    s->found->random = cs_evidence_differs(first, second);
    s->found->first = first;
    s->found->second = second;
}

/* Returns the central difference of log p at x along coordinate k, with spacing
 * h. */
static double difference(const search *s, const double *x, size_t k, double h)
{
    double *point = s->scratch, logp[2];
    for (size_t i = 0; i < 2; i++) {
        memcpy(point + i * s->dim, x, s->dim * sizeof *x);
        point[i * s->dim + k] += i ? -h : h;
    }
    cs_points_ask(&s->ask, point, 2, logp, NULL);
    return (logp[0] - logp[1]) / (2 * h);
}

/* Compares the gradient at x with finite differences of log p. Uses a finite
 * difference only if it has the same value for two spacings. */
static void find_slope_at(search *s, const double *x)
{
    double *g = s->scratch + 2 * s->dim, logp;
    cs_points_ask(&s->ask, x, 1, &logp, g);
    for (size_t k = 0; k < s->dim && !s->found->slope.found; k++) {
        double h = 1e-4 * fmax(1, fabs(x[k]));
        double narrow = difference(s, x, k, h / 8);
        if (!cs_evidence_is_wrong_slope(g[k], difference(s, x, k, h), narrow))
            continue;
        s->found->slope = found_at(s, k, g[k]);
        s->found->difference = narrow;
    }
}

/* Checks the gradient at the states of the chains, and at points twice as far
 * from the centre. */
static void find_slope(search *s)
{
    for (size_t i = 0; i < s->n && !s->found->slope.found; i++) {
        const double *x = s->x + i * s->dim;
        const double *other = s->x + (i + 1) % s->n * s->dim;
        double *out = s->scratch + 3 * s->dim;
        find_slope_at(s, x);
        for (size_t d = 0; d < s->dim; d++)
            out[d] = 2 * x[d] - other[d];
        if (!s->found->slope.found)
            find_slope_at(s, out);
    }
}

/* Returns true if log p is -infinity at a distance of one spread from state i
 * along coordinate k. To exclude an overflow, log p just before the edge must
 * be close to log p at the state. */
static bool has_edge(search *s, size_t i, size_t k, double sign)
{
    const double *x = s->x + i * s->dim;
    const double deep = 100;
    double *direction = s->scratch + s->dim, inside = 0, outside = s->spread[k];
    double here = cs_points_logp(&s->ask, x), logp = here;
    memset(direction, 0, s->dim * sizeof *direction);
    direction[k] = sign;
    if (!isfinite(here) || cs_points_along(&s->ask, x, direction, outside,
                                           s->scratch) != -HUGE_VAL)
        return false;
    for (int n = 0; n < 40; n++) {
        double middle = (inside + outside) / 2;
        double at = cs_points_along(&s->ask, x, direction, middle, s->scratch);
        if (at == -HUGE_VAL) {
            outside = middle;
            continue;
        }
        inside = middle;
        logp = at;
    }
    if (!(logp > here - deep))
        return false;
    s->found->edge = found_at(s, k, x[k] + sign * outside);
    return true;
}

static void find_edge(search *s)
{
    enum { MOST = 4 };
    for (size_t i = 0; i < s->n && i < MOST; i++)
        for (size_t k = 0; k < s->dim; k++)
            if (has_edge(s, i, k, 1) || has_edge(s, i, k, -1))
                return;
}

/* ---- lines along which log p does not decrease --------------------------- */

static void find_best(search *s)
{
    cs_points_ask(&s->ask, s->x, s->n, s->logp, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (s->logp[i] > s->logp[s->best] || !isfinite(s->logp[s->best]))
            s->best = i;
}

/* Returns true if log p is flat along a line. This is the case if log p at the
 * best state and at a distance of `times` units from it, on either side, is
 * about the same. */
static bool is_flat(search *s, const double *direction, double unit,
                    double times)
{
    const double *x = s->x + s->best * s->dim;
    double here = s->logp[s->best];
    for (double sign = -1; sign < 2; sign += 2) {
        double there = cs_points_along(&s->ask, x, direction,
                                       sign * times * unit, s->scratch);
        if (cs_evidence_is_flat(here - there, times))
            return true;
    }
    return false;
}

static void find_flat_axis(search *s)
{
    double *direction = s->scratch + s->dim;
    for (size_t k = 0; k < s->dim && !s->found->flat.found; k++) {
        memset(direction, 0, s->dim * sizeof *direction);
        direction[k] = 1;
        if (is_flat(s, direction, s->spread[k], 1e3) &&
            is_flat(s, direction, s->spread[k], 1e6))
            s->found->flat = found_at(s, k, 1e6);
    }
}

/* Returns the second difference of log p in coordinates i and j. */
static double curvature(const search *s, size_t i, size_t j)
{
    const double *x = s->x + s->best * s->dim;
    double a = 1e-3 * fmax(1, s->spread[i]), b = 1e-3 * fmax(1, s->spread[j]);
    double *point = s->scratch, logp[4];
    for (size_t n = 0; n < 4; n++) {
        memcpy(point + n * s->dim, x, s->dim * sizeof *x);
        point[n * s->dim + i] += n & 1 ? -a : a;
        point[n * s->dim + j] += n & 2 ? -b : b;
    }
    cs_points_ask(&s->ask, point, 4, logp, NULL);
    return (logp[0] - logp[1] - logp[2] + logp[3]) / (4 * a * b);
}

/* Finds the direction v in which log p has the smallest curvature. Returns
 * false if this direction is unknown. */
static bool least_curved(const search *s, double *v)
{
    size_t n = s->dim, least = 0;
    gsl_matrix *h = gsl_matrix_alloc(n, n), *vectors = gsl_matrix_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    bool good = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double c = curvature(s, i, j);
            good &= isfinite(c) != 0;
            gsl_matrix_set(h, i, j, good ? c : 0);
        }
    if (good)
        gsl_eigen_symmv(h, values, vectors, work);
    for (size_t i = 0; good && i < n; i++)
        if (fabs(gsl_vector_get(values, i)) <
            fabs(gsl_vector_get(values, least)))
            least = i;
    for (size_t i = 0; good && i < n; i++)
        v[i] = gsl_matrix_get(vectors, i, least);
    gsl_eigen_symmv_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    gsl_matrix_free(h);
    return good;
}

static void find_flat_line(search *s)
{
    double *v = cs_alloc(s->dim, sizeof *v), unit = 0;
    size_t most = 0;
    if (v && least_curved(s, v)) {
        for (size_t k = 0; k < s->dim; k++) {
            most = fabs(v[k]) > fabs(v[most]) ? k : most;
            unit = fmax(unit, s->spread[k] * fabs(v[k]));
        }
        if (is_flat(s, v, unit, 1e2))
            s->found->flat = found_at(s, most, 1e2);
    }
    cs_free(v);
}

static void find_flat(search *s)
{
    find_best(s);
    if (!isfinite(s->logp[s->best]))
        return;
    find_flat_axis(s);
    if (!s->found->flat.found && s->dim > 1 && s->dim <= MOST_HESSIAN)
        find_flat_line(s);
}

/* ---- search -------------------------------------------------------------- */

/* Returns the scalar with the worst R-hat, or 0 if there are no diagnoses; sets
 * *mean to the mean of this scalar. */
static size_t worst_scalar(cs_run *run, size_t arm, double *mean)
{
    cs_report_view l = cs_report_view_open(run, arm, "diagnostics", NULL);
    cs_flat_entry table;
    bool there = cs_report_view_find(&l, "table", &table);
    const cs_figures *row = there ? CS_ENTRY_ROWS(table, cs_figures) : NULL;
    size_t n = row ? table.rows - 1 : 0, worst = 0;
    if (n)
        worst = 1 + cs_figures_worst(row + 1, n, CS_COLUMN_RHAT, true);
    worst = worst <= n ? worst : 0;
    *mean = worst ? row[worst].mean : (double)NAN;
    cs_report_view_close(&l);
    return worst;
}

/* Returns true if the gradient was written by hand and may be wrong. */
static bool has_slope(const search *s, const cs_warn_facts *f)
{
    return (s->target->flags & CS_TARGET_MAIN_THREAD) &&
           s->target->type->gradient && !s->target->gradient.calls &&
           (f->kernel->type->flags & CS_KERNEL_GRADIENT);
}

static void look(search *s, const cs_warn_facts *f)
{
    const unsigned others = CS_TARGET_MAIN_THREAD | CS_TARGET_OUTSIDE;
    double few = 100 * (double)f->chains / (double)f->group;
    bool bad = f->worst.rhat > CS_RHAT_MOST || !(f->worst.size >= few);
    bool real = cs_space_is_real(&s->target->space);
    if (s->target->flags & others)
        find_random(s);
    if (real)
        find_far(s);
    if (!real || s->dim > MOST_DIM || s->found->far.found || s->found->random ||
        (s->target->flags & CS_TARGET_OUTSIDE))
        return;
    if (has_slope(s, f))
        find_slope(s);
    if (s->target->n_rows > MOST_ROWS)
        return;
    if (bad)
        find_flat(s);
    if (bad || f->counts.divergent > 0)
        find_edge(s);
}

void cs_find_evidence(cs_run *run, size_t arm, cs_warn_facts *f)
{
    search s;
    if (cs_run_is_recorded(run) || f->steps == 0 ||
        cs_target_check_density(cs_run_target(run), NULL) != CS_OK)
        return;
    if (begin(&s, run, arm, &f->evidence))
        look(&s, f);
    end(&s);
    double mean, few = 100 * (double)f->chains / (double)f->group;
    if (f->worst.rhat > CS_RHAT_MOST || f->worst.size < few) {
        size_t worst = worst_scalar(run, arm, &mean);
        if (worst)
            cs_find_returns(run, arm, worst, mean, &f->evidence);
    }
    if (f->counts.deep > 0)
        cs_find_correlation(run, arm, &f->evidence);
}
