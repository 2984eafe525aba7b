/* elliptical_slice: slice sampling along an ellipse through the state and a
 * draw from a Gaussian.
 *
 *   nu    ~ N(m, S),  S = diag(sd^2)
 *   level = log L(x) + log u,  u ~ U(0, 1),  log L = log p - log N(.; m, S)
 *   y(t)  = m + (x - m) cos t + (nu - m) sin t
 *   t     uniform on the circle; while log L(y(t)) < level: the bracket (first
 *         the circle cut at t) shrinks to t on its side of 0, and t is drawn
 *         uniformly on it again
 *
 * Murray, Adams and MacKay, "Elliptical slice sampling" (2010), figure 2. In
 * that paper N is the prior and L the likelihood. Here N may be any Gaussian,
 * as in Nishihara, Murray and Adams, "Parallel MCMC with generalized elliptical
 * slice sampling" (2014), section 2.1: the complete log p is evaluated and log
 * N subtracted, so the target is left invariant for any N; the better N fits,
 * the longer the steps. A prior of independent normals is recovered from the
 * target's prior, whose gradient is then linear: the gradient is evaluated at
 * two points, and at two more points to check linearity. Correlated Gaussians
 * are not implemented.
 *
 * Angles are in turns, and y(t) = x + (nu - m) sin t - 2 sin(t/2)^2 (x - m), so
 * y(t) becomes exactly x as t becomes 0. */
#include "base/memory.h"
#include "kernel/lists.h"
#include "kernels/real/slice.h"

enum { MEAN, SD, PRIOR, COORDINATES, NUMBERS };
enum { MEANS, SDS, LISTS };
enum { OF_TARGET, GIVEN };
enum { POINTS = 4, LANES = CS_PAD };
enum { MOST = 4096 }; /* maximum length of a list */

/* Returns the memory size in doubles per lane, for the mean and the standard
 * deviation of N. */
static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return 2 * t->space.dim;
}

/* Returns the scratch size in doubles per lane. The rows that belong to the
 * kernel itself hold nu - m. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_slice_words(t->space.dim, 1, t->space.dim);
}

/* ---- Gaussian ------------------------------------------------------------ */

/* Returns coordinate d of the point k at which the prior is evaluated. All
 * coordinates of point 0 are 0, all coordinates of point 1 are 1, and the other
 * points are arbitrary. */
static double point_at(size_t k, size_t d)
{
    double i = (double)d + 1;
    const double at[POINTS] = {0, 1, 0.3 + 0.7 * sin(i), -2 * cos(1.7 * i)};
    return at[k];
}

static bool is_linear(double slope, double at_0, const double *g, size_t d)
{
    bool good = slope > 0 && isfinite(slope) && isfinite(at_0);
    for (size_t k = 2; k < POINTS; k++) {
        double x = point_at(k, d), want = at_0 - slope * x;
        good &= fabs(g[k] - want) <= 1e-9 * (fabs(at_0) + slope * fabs(x));
    }
    return good;
}

/* Returns whether the target has a prior with a gradient. */
static bool has_prior(const cs_target *t)
{
    return t->type->prior && t->n_rows && !t->type->factor.log_factor;
}

/* Finds mean[d * stride] and sd[d * stride] of the target's prior, with
 * x[2][dim][lanes] and logp[lanes] as scratch. Returns false if the prior is
 * not a product of normals. */
static bool find_prior(cs_eval *e, double *x, double *logp, double *mean,
                       double *sd, size_t stride)
{
    size_t n = e->lanes, dim = e->target->space.dim;
    double *g = x + dim * n;
    bool good = true;
    cs_eval all = *e; /* evaluates unused lanes too */
    all.failed = NULL;
    all.live = n;
    if (!has_prior(e->target))
        return false;
    for (size_t at = 0; at < dim * n; at++)
        x[at] = point_at(at % n % POINTS, at / n);
    cs_eval_prior(&all, x, logp, g);
    for (size_t d = 0; good && d < dim; d++) {
        double slope = g[d * n] - g[d * n + 1];
        good = is_linear(slope, g[d * n], g + d * n, d);
        mean[d * stride] = g[d * n] / slope;
        sd[d * stride] = 1 / sqrt(slope);
    }
    return good;
}

/* Returns entry d of a list of n numbers. If the list has one number, this
 * number applies to every coordinate. If the list is empty, returns
 * `without`. */
static double entry(const double *list, size_t n, size_t d, double without)
{
    return n ? list[n > 1 ? d : 0] : without;
}

static void init(cs_move *m)
{
    size_t n = m->lanes, n_means, n_sds;
    double *mean = m->memory, *sd = mean + m->dim * n;
    const double *means = cs_move_list(m, MEANS, &n_means);
    const double *sds = cs_move_list(m, SDS, &n_sds);
    bool own = cs_move_param(m, PRIOR)[0] == OF_TARGET;
    bool found = own && find_prior(m->eval, m->scratch,
                                   m->scratch + 2 * m->dim * n, mean, sd, n);
    for (size_t d = 0; d < m->dim; d++)
        for (size_t l = 0; l < n; l++) {
            size_t at = d * n + l;
            mean[at] =
                found ? mean[d * n]
                      : entry(means, n_means, d, cs_move_param(m, MEAN)[l]);
            sd[at] = found ? sd[d * n]
                           : entry(sds, n_sds, d, cs_move_param(m, SD)[l]);
        }
}

/* ---- ellipse ------------------------------------------------------------- */

/* Computes y and log N(y) - log N(x) for the eight lanes from l on. */
static void lay_lanes(cs_slice *s, size_t l)
{
    const cs_move *m = s->m;
    const double *mean = m->memory, *sd = mean + m->dim * m->lanes;
    cs_vd sine, cosine, sum = cs_vset(0);
    cs_vi differ = {0};
    cs_vsincos2pi_near(0.5 * cs_load(s->at + l), &sine, &cosine);
    cs_vd along = 2.0 * sine * cosine, back = 2.0 * sine * sine;
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(m->x + at), middle = cs_load(mean + at);
        cs_vd y = x + (along * cs_load(s->own + at) - back * (x - middle));
        cs_vd unit = 1.0 / cs_load(sd + at);
        sum += (y - x) * unit * (((x - middle) + (y - middle)) * unit);
        differ |= (cs_vi)x ^ (cs_vi)y;
        cs_store(s->y + at, y);
    }
    cs_store(s->base + l, -0.5 * sum);
    cs_store_bool(s->still + l, differ == 0);
}

static void lay(cs_slice *s)
{
    for (size_t l = 0; l < s->m->lanes; l += CS_VECTOR)
        lay_lanes(s, l);
}

static void bracket(cs_slice *s, size_t l)
{
    double turn = s->place[l];
    s->at[l] = s->high[l] = turn;
    s->low[l] = turn - 1;
    s->left[l] = s->right[l] = 0;
    s->phase[l] = CS_SLICE_SHRINK;
}

static void step(cs_move *m)
{
    static const cs_slice_curve ellipse = {lay, bracket, cs_slice_keep_all};
    const double *sd = m->memory + m->dim * m->lanes;
    cs_slice s;
    cs_slice_open(&s, m, &ellipse, 1);
    cs_fill_normal(&m->streams, CS_FOR_SITE, m->dim, s.own);
    for (size_t at = 0; at < m->dim * m->lanes; at += CS_VECTOR)
        cs_store(s.own + at, cs_load(sd + at) * cs_load(s.own + at));
    cs_slice_step(&s);
}

/* ---- parameters ---------------------------------------------------------- */

/* Returns the length of a list; 0 if it is not given or has one number for all
 * coordinates. */
static double length_of(const cs_value *v)
{
    return v->given && v->rows > 1 ? (double)v->rows : 0;
}

static cs_status check_lists(const cs_value *means, const cs_value *sds,
                             cs_error *err)
{
    cs_status s = cs_list_positive(sds, err);
    if (s)
        return s;
    if (!length_of(means) || !length_of(sds) || means->rows == sds->rows)
        return CS_OK;
    cs_fail(err, CS_RANGE, "`means` has %zu numbers, but `sds` has %zu",
            means->rows, sds->rows);
    cs_hint(err, "give one number per coordinate in both lists");
    return CS_RANGE;
}

/* Resolves the Gaussian N. An N that the user gives replaces the target's
 * prior, unless the user also gave `prior`. */
static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    const cs_value *means = &given[NUMBERS + MEANS],
                   *sds = &given[NUMBERS + SDS];
    bool lists = means->given || sds->given;
    cs_status s = check_lists(means, sds, err);
    if (!s && lists)
        s = cs_list_follows(&given[COORDINATES], sds->given ? "sds" : "means",
                            fmax(length_of(means), length_of(sds)),
                            &values[COORDINATES], err);
    if (!s && !given[PRIOR].given && (given[MEAN].given || given[SD].given))
        values[PRIOR] = GIVEN;
    if (!s && lists)
        s = cs_list_follows(&given[PRIOR], "means or sds", GIVEN,
                            &values[PRIOR], err);
    return s;
}

static cs_status refuse(const cs_target *t, cs_error *err)
{
    if (has_prior(t))
        cs_fail(err, CS_UNSUPPORTED,
                "elliptical_slice: the prior of target %s is not a product of "
                "independent normals",
                t->name);
    else
        cs_fail(err, CS_UNSUPPORTED, "elliptical_slice: target %s has no prior",
                t->name);
    cs_hint(err, "give a Gaussian near the target: sd = 1, or means = { ... } "
                 "and sds = { ... }");
    return CS_UNSUPPORTED;
}

/* Checks that the prior of a target can be recovered. This function is never
 * called during steps. */
static cs_status check_prior(const cs_target *t, cs_error *err)
{
    size_t dim = t->space.dim, words = cs_eval_scratch_words(t);
    size_t cache = cs_eval_cache_words(t);
    size_t n = (2 * dim + 1 + cache + words) * LANES + 2 * dim;
    double *x = cs_alloc(n, sizeof *x);
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for the prior");
    double *logp = x + 2 * dim * LANES, *at = logp + LANES;
    double *mean = at + (cache + words) * LANES;
    cs_eval e;
    cs_eval_open(&e, t, LANES, LANES, at, at + cache * LANES);
    bool found = find_prior(&e, x, logp, mean, mean + dim, 1);
    cs_free(x);
    return found ? CS_OK : refuse(t, err);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    cs_status s = cs_list_fits("elliptical_slice", t, values[COORDINATES], err);
    if (s)
        return s;
    if (values[PRIOR] == GIVEN)
        return CS_OK;
    return has_prior(t) ? check_prior(t, err) : refuse(t, err);
}

static const char *const priors[] = {"target", "given", NULL};

#define PAPER "Murray, Adams and MacKay 2010, section 2"

#define LIST(name_, help_)                                                     \
    {                                                                          \
        .name = name_, .kind = CS_PARAM_ARRAY, .flags = CS_PARAM_FIXED,        \
        .max = MOST, .help = help_, .ref = PAPER,                              \
    }

static const cs_param rows[] = {
    [MEAN] = {.name = "mean",
              .flags = CS_PARAM_FIXED,
              .min = -1e100,
              .max = 1e100,
              .help = "mean of the Gaussian, the same for all coordinates",
              .ref = PAPER},
    [SD] =
        {.name = "sd",
         .flags = CS_PARAM_LOG | CS_PARAM_FIXED,
         CS_PARAM_RANGE(1e-100, 1e100, 1),
         .help =
             "standard deviation of the Gaussian, the same for all coordinates",
         .ref = PAPER},
    [PRIOR] = {.name = "prior",
               .kind = CS_PARAM_CHOICE,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               .max = 1,
               .choices = priors,
               .help = "the Gaussian that is used. target: the target's prior, "
                       "which is detected automatically; given: the Gaussian "
                       "described by the other parameters",
               .ref = PAPER},
    [COORDINATES] =
        {.name = "coordinates",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
         .max = MOST,
         .help = "number of entries of the given lists; 0: no list is given"},
    [NUMBERS + MEANS] =
        LIST("means", "means of the Gaussian, one per coordinate"),
    [NUMBERS + SDS] =
        LIST("sds", "standard deviations of the Gaussian, one per coordinate"),
};

const cs_kernel_type CS_VARIANT(cs_kernel_elliptical_slice) = {
    .name = "elliptical_slice",
    .title = "Elliptical slice sampling",
    .ref = "Murray, Adams and MacKay, Elliptical slice sampling, 2010; "
           "Nishihara, Murray and Adams, Parallel MCMC with generalized "
           "elliptical slice sampling, 2014",
    .help = "Draws from a Gaussian with independent coordinates (the target's "
            "prior or a given one), and redraws the state on the ellipse "
            "through the current state and this draw. No step is rejected, and "
            "no parameter needs tuning. The kernel is exact for any Gaussian, "
            "and most efficient where the data carry little information.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE,
    .params = rows,
    .n_params = NUMBERS,
    .n_lists = LISTS,
    .arrange = arrange,
    .stats = cs_slice_stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
};
