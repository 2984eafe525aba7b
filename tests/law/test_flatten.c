/* Tests the matrix and the draws of samc, wang_landau and multicanonical with
 * frozen weights, and their learning, against formulas and enumeration. */
#include "base/memory.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, BINS = 4, MOST = 32 };
enum { ENERGY, SHOWN, SUM };

/* Parameters of the wrapper (`outer`) and of the kernel inside it (`inner`). */
typedef struct flatten {
    const char *outer, *inner;
    double value[5]; /* values for the inner kernel */
    int of, shown;
    double first, width; /* if width is 0, bins start at 2.3 and are 0.4 wide */
    double power;
    bool uniform, window;
    const double *weight, *share; /* [BINS] or NULL */
    const char *more[2];          /* names of further parameters */
    double is[2];
} flatten;

static const double weights[BINS] = {0.2, 0.9, -0.5, 0.6};

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_value list(const char *name, const double *of)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = of,
                      .rows = BINS,
                      .cols = 1};
}

static double width_of(const flatten *f)
{
    return f->width > 0 ? f->width : 0.4;
}

static double first_of(const flatten *f)
{
    return f->width > 0 ? f->first : 2.3;
}

/* Creates the kernel with these parameters. [own: cs_kernel_release] */
static setting setting_of(const flatten *f)
{
    setting s = {.formula = f->outer};
    cs_kernel inner = kernel_of(f->inner);
    cs_value given[16] = {number("of", f->of),
                          number("shown", f->shown ? f->shown : 1),
                          number("first", first_of(f)),
                          number("width", width_of(f)),
                          number("bins", BINS),
                          number("measure", f->uniform),
                          number("power", f->power),
                          {.name = "window",
                           .kind = CS_PARAM_BOOL,
                           .given = 1,
                           .number = f->window}};
    size_t n = 8;
    cs_error err;
    for (int i = 0; i < 2 && f->more[i]; i++)
        given[n++] = number(f->more[i], f->is[i]);
    if (f->weight)
        given[n++] = list("log_weights", f->weight);
    if (f->share)
        given[n++] = list("shares", f->share);
    memcpy(inner.values, f->value, inner.type->n_params * sizeof(double));
    if (cs_kernel_wrap(&s.kernel, cs_kernel_find(f->outer), given, n, &inner,
                       &err))
        fail_msg("%s", err.what);
    return s;
}

static size_t bin_of(const flatten *f, const double *x, size_t dim, double logp)
{
    double v = f->of == ENERGY ? -logp : 0;
    for (size_t i = 0; f->of == SUM && i < dim; i++)
        v += x[i];
    if (f->of == SHOWN)
        v = x[f->shown - 1];
    size_t bin = 0;
    while (bin + 1 < BINS && v > first_of(f) + (double)bin * width_of(f))
        bin++;
    return bin;
}

static size_t bin_at(const flatten *f, const points *p, size_t s)
{
    return bin_of(f, p->x + s * p->dim, p->dim, p->logp[s]);
}

/* ---- matrices ------------------------------------------------------------ */

/* Returns the points with p raised to a power. */
static points at_power(const cs_target_type *type, double power)
{
    points p = points_create(type);
    double total = 0;
    for (size_t s = 0; s < p.n; s++) {
        p.logp[s] *= power;
        for (size_t i = 0; i < p.dim; i++)
            p.g[s * p.dim + i] *= power;
        total += p.pi[s] = exp(p.logp[s]);
    }
    for (size_t s = 0; s < p.n; s++)
        p.pi[s] /= total;
    return p;
}

/* Computes the matrix P[n][n] by the formula, and its stationary law. */
static void know(const flatten *f, const cs_target_type *type, const double *w,
                 double *P, double *law)
{
    points p = points_create(type), q = at_power(type, f->power);
    double S[MOST * MOST], total = 0, c = f->uniform ? 0 : 1;
    assert_true(p.n <= MOST);
    assert_true(matrix_of(f->inner, &q, f->value, 0, S));
    for (size_t a = 0; a < p.n; a++) {
        size_t from = bin_at(f, &p, a);
        double left = 1;
        total += law[a] = exp(c * p.logp[a] - w[from]);
        for (size_t b = 0; b < p.n; b++) {
            double change = p.logp[b] - p.logp[a];
            double r = (c - f->power) * change + w[from] - w[bin_at(f, &p, b)];
            P[a * p.n + b] = a == b ? 0 : S[a * p.n + b] * fmin(1, exp(r));
            left -= P[a * p.n + b];
        }
        P[a * p.n + a] = fmax(left, 0);
    }
    for (size_t a = 0; a < p.n; a++)
        law[a] /= total;
    points_destroy(&p);
    points_destroy(&q);
}

static double kept_error(const double *P, const double *law, size_t n)
{
    double worst = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            worst = fmax(worst,
                         fabs(law[a] * P[a * n + b] - law[b] * P[b * n + a]));
    return worst;
}

/* Returns true if the weight of lane l's draw is the weight of its state. */
static bool weighs(const flatten *f, const cs_block *b, const double *w,
                   const double *x, size_t l)
{
    double logp = b->move.info.logp[l];
    double want = w[bin_of(f, x, b->move.dim, logp)] + (f->uniform ? logp : 0);
    return fabs(b->move.info.log_weight[l] - want) < 1e-9;
}

/* Compares P with the frequencies of weighted steps between states. */
static bool steps_as(const flatten *f, const setting *s,
                     const cs_target_type *type, const double *w)
{
    enum { STEPS = 4000 };
    static double count[MOST][MOST], P[MOST * MOST], law[MOST], x[4];
    size_t from[LANES];
    bool good = true;
    points p = points_create(type);
    memset(count, 0, sizeof count);
    know(f, type, w, P, law);
    cs_block *b = open_block(s, p.target, 5, LANES, p.x);
    for (size_t l = 0; l < LANES; l++)
        from[l] = 0;
    for (size_t k = 0; k < STEPS; k++) {
        one_step(s, b);
        for (size_t l = 0; l < LANES; l++) {
            cs_block_state(b, l, x);
            size_t to = cs_space_index(&p.target->space, x, 1);
            count[from[l]][to]++;
            from[l] = to;
            good &= weighs(f, b, w, x, l);
        }
    }
    for (size_t a = 0; a < p.n; a++)
        good &= cs_check_cells_p(count[a], P + a * p.n, p.n) > 1e-6 / MOST;
    cs_block_destroy(b);
    points_destroy(&p);
    return good;
}

#define FROZEN(...)                                                            \
    {                                                                          \
        .outer = "multicanonical", .weight = weights, __VA_ARGS__              \
    }

static const struct {
    flatten f;
    const cs_target_type *target;
} frozen[] = {
    {FROZEN(.inner = "random_walk", .value = {1, 1, 1}), &small_masses},
    {FROZEN(.inner = "random_walk", .value = {1, 1, 1}, .uniform = true),
     &small_masses},
    {FROZEN(.inner = "random_walk", .value = {1, 1, 2}, .power = 0.5),
     &small_masses},
    {FROZEN(.inner = "gibbs", .value = {0, 1}), &small_masses},
    {FROZEN(.inner = "gibbs", .value = {0, 2}, .power = 1), &small_masses},
    {FROZEN(.inner = "gibbs", .value = {0, 1}, .uniform = true, .power = 0.6),
     &small_sites},
    {FROZEN(.inner = "dmala", .value = {1, 0.5}, .power = 0.4), &small_masses},
    {FROZEN(.inner = "dmala", .value = {1, 0.5}, .of = SUM, .first = 1,
            .width = 1),
     &small_sites},
    {FROZEN(.inner = "random_walk", .value = {1, 2, 1}, .of = SHOWN, .shown = 2,
            .first = 3, .width = 1),
     &small_lattice},
};
enum { FREEZES = sizeof frozen / sizeof *frozen };

static void pi_over_theta_is_kept(void **state)
{
    static double P[MOST * MOST], law[MOST];
    (void)state;
    for (size_t i = 0; i < FREEZES; i++) {
        points p = points_create(frozen[i].target);
        know(&frozen[i].f, frozen[i].target, weights, P, law);
        assert_true(row_error(P, p.n) < 1e-12);
        assert_true(kept_error(P, law, p.n) < 1e-13);
        law[0] *= 1.001;
        assert_true(kept_error(P, law, p.n) > 1e-7);
        points_destroy(&p);
    }
}

static void frozen_they_step_as_the_formula(void **state)
{
    (void)state;
    for (size_t i = 0; i < FREEZES; i++) {
        setting s = setting_of(&frozen[i].f);
        if (!steps_as(&frozen[i].f, &s, frozen[i].target, weights))
            fail_msg("multicanonical(%s), number %zu", frozen[i].f.inner, i);
        cs_kernel_release(&s.kernel);
    }
}

/* ---- learning, computed here again --------------------------------------- */

/* The values that one chain has learned. */
typedef struct learned {
    double theta[BINS], visits[BINS], recent[BINS], f, k;
    bool falling;
} learned;

static size_t seen_of(const learned *a)
{
    size_t n = 0;
    for (int i = 0; i < BINS; i++)
        n += a->visits[i] > 0;
    return n;
}

static void visit_samc(const flatten *f, learned *a, size_t at)
{
    double gain =
        f->is[0] * (f->is[1] > 0 ? f->is[1] / fmax(f->is[1], a->k) : 1);
    a->theta[at] += gain;
    for (int i = 0; i < BINS; i++)
        a->theta[i] -= gain * (f->share ? f->share[i] : 0);
}

/* Returns true if every visited bin has at least `share` of the mean count. */
static bool is_full(const learned *a, double share)
{
    double least = HUGE_VAL, sum = 0;
    for (int i = 0; i < BINS; i++) {
        sum += a->recent[i];
        if (a->visits[i] > 0)
            least = fmin(least, a->recent[i]);
    }
    return share > 0 ? least >= share * sum / (double)seen_of(a) : least > 0;
}

/* Learns by the rule of wang_landau: is[0] is `rule`, and is[1] is `every`. The
 * flatness is 0.8 and the smallest increment is 1e-8. */
static void visit_wang_landau(const flatten *f, learned *a, size_t at)
{
    double fall = (double)seen_of(a) / a->k, least = HUGE_VAL;
    bool flat = f->is[0] != 0;
    for (int i = 0; i < BINS; i++)
        if ((size_t)i != at && a->visits[i] > 0)
            least = fmin(least, a->theta[i]);
    if (a->visits[at] == 1 && least < HUGE_VAL)
        a->theta[at] = least;
    if (a->visits[at] == 1 && !flat) {
        memset(a->recent, 0, sizeof a->recent);
        a->recent[at] = 1;
    }
    if (a->falling) {
        a->f = fall;
    } else if (fmod(a->k, f->is[1]) == 0 && is_full(a, flat ? 0.8 : 0)) {
        memset(a->recent, 0, sizeof a->recent);
        a->f /= 2;
        a->falling = !flat && a->f <= fall;
        a->f = a->falling ? fall : a->f;
    }
    if (a->f < 1e-8)
        a->f = 0;
    a->theta[at] += a->f;
}

/* Learns by the rule of multicanonical: is[0] is `learn`, is[1] is `every`. */
static void visit_multicanonical(const flatten *f, learned *a, size_t at)
{
    (void)at;
    if (a->k > f->is[0] || (fmod(a->k, f->is[1]) != 0 && a->k != f->is[0]))
        return;
    for (int i = 0; i < BINS; i++) {
        a->theta[i] += a->recent[i] > 0 ? log(a->recent[i]) : 0;
        a->recent[i] = 0;
    }
}

typedef void teach(const flatten *f, learned *a, size_t at);

static const struct {
    flatten f;
    teach *visit;
} learners[] = {
    {{.outer = "samc",
      .inner = "random_walk",
      .value = {1, 1, 1},
      .more = {"gain", "t0"},
      .is = {0.8, 20}},
     visit_samc},
    {{.outer = "samc",
      .inner = "gibbs",
      .value = {0, 1},
      .of = SUM,
      .first = 1,
      .width = 1,
      .weight = weights,
      .share = (const double[]){0.1, 0.2, 0.3, 0.4},
      .uniform = true,
      .more = {"gain", "t0"},
      .is = {0.3, 0}},
     visit_samc},
    {{.outer = "wang_landau",
      .inner = "random_walk",
      .value = {1, 1, 1},
      .more = {"rule", "every"},
      .is = {0, 7}},
     visit_wang_landau},
    {{.outer = "wang_landau", /* bin 1 contains no state */
      .inner = "dmala",
      .value = {1, 0.5},
      .of = SUM,
      .first = -1,
      .width = 1,
      .power = 0.5,
      .more = {"rule", "every"},
      .is = {1, 50}},
     visit_wang_landau},
    {{.outer = "multicanonical",
      .inner = "gibbs",
      .value = {0, 1},
      .more = {"learn", "every"},
      .is = {500, 60}},
     visit_multicanonical},
};
enum { LEARNERS = sizeof learners / sizeof *learners };

/* Computes theta[BINS], log theta of lane l minus its first entry. */
static void theta_of(const cs_block *b, size_t l, double *theta)
{
    const double *row = b->move.memory +
                        cs_kernel_aux_first(b->kernel, b->target) * b->lanes +
                        l;
    for (size_t i = 0; i < BINS; i++)
        theta[i] = row[i * b->lanes] - row[0];
}

/* Returns true if all steps, accepted or rejected, change theta by the
 * formula. */
static bool learns_as(const flatten *f, teach *visit, const setting *s)
{
    enum { STEPS = 3000 };
    static learned a[LANES];
    double x[4], theta[BINS];
    size_t refused = 0, taken = 0;
    bool good = true;
    points p = points_create(&small_masses);
    cs_block *b = open_block(s, p.target, 6, LANES, p.x);
    memset(a, 0, sizeof a);
    for (size_t l = 0; l < LANES; l++) {
        a[l].f = 1;
        if (f->weight)
            memcpy(a[l].theta, f->weight, sizeof a[l].theta);
    }
    for (size_t k = 1; k <= STEPS && good; k++) {
        one_step(s, b);
        for (size_t l = 0; l < LANES; l++) {
            cs_block_state(b, l, x);
            size_t at = bin_of(f, x, p.dim, b->move.info.logp[l]);
            a[l].k = (double)k;
            a[l].visits[at]++;
            a[l].recent[at]++;
            visit(f, &a[l], at);
            theta_of(b, l, theta);
            for (size_t i = 0; i < BINS; i++)
                good &= fabs(theta[i] - a[l].theta[i] + a[l].theta[0]) < 1e-8;
            good &= b->move.info.stat[l] == (double)at + 1;
            refused += !b->move.info.accepted[l];
            taken += b->move.info.accepted[l];
        }
    }
    cs_block_destroy(b);
    points_destroy(&p);
    return good && refused > 0 && taken > 0;
}

static void each_visit_teaches_what_the_formula_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEARNERS; i++) {
        setting s = setting_of(&learners[i].f);
        if (!learns_as(&learners[i].f, learners[i].visit, &s))
            fail_msg("%s(%s), number %zu", learners[i].f.outer,
                     learners[i].f.inner, i);
        cs_kernel_release(&s.kernel);
    }
}

/* ---- long-run learning --------------------------------------------------- */

static cs_run *open_run(const setting *s, cs_target *t, size_t chains)
{
    cs_arm_spec arm = {.name = "a", .kernel = s->kernel};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = chains,
                        .seed = 9,
                        .workers = 2};
    cs_run *r;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

/* Copies the n numbers that the kernel reports under `key`. */
static void report_of(cs_run *r, const char *key, double *out, size_t n)
{
    static double memory[1 << 15];
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
    assert_true(cs_flat_find(f.base, f.used, &e, "%s", key));
    assert_true(e.rows * e.cols == n);
    memcpy(out, e.data, n * sizeof *out);
}

/* Computes the log mass, or the log number of states, of each bin. */
static void masses_of(const flatten *f, double *log_mass)
{
    points p = points_create(&small_masses);
    memset(log_mass, 0, BINS * sizeof *log_mass);
    for (size_t s = 0; s < p.n; s++)
        log_mass[bin_at(f, &p, s)] += f->uniform ? 1 : p.pi[s];
    for (size_t i = 0; i < BINS; i++)
        log_mass[i] = log(log_mass[i]);
    points_destroy(&p);
}

#define LONG(outer_, inner_, ...)                                              \
    {                                                                          \
        .outer = outer_, .inner = inner_, __VA_ARGS__                          \
    }
#define WALK .value = {1, 1, 1}

static void learned_weights_meet_enumerated_masses(void **state)
{
    static const double share[BINS] = {0.4, 0.3, 0.2, 0.1};
    const flatten list[] = {
        LONG("samc", "random_walk", WALK, .more = {"gain", "t0"},
             .is = {1, 100}),
        LONG("samc", "random_walk", WALK, .uniform = true, .share = share),
        LONG("wang_landau", "random_walk", WALK),
        LONG("wang_landau", "random_walk", WALK, .uniform = true),
        LONG("wang_landau", "gibbs", .value = {0, 1}, .power = 0.5)};
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        double got[BINS], want[BINS], visits[BINS], low[BINS], sum = 0;
        const flatten *f = &list[k];
        setting s = setting_of(f);
        points p = points_create(&small_masses);
        cs_run *r = open_run(&s, p.target, LANES);
        assert_int_equal(cs_run_advance(r, 200000, NULL, NULL), CS_OK);
        masses_of(f, want);
        report_of(r, f->uniform ? "log_density" : "log_mass", got, BINS);
        report_of(r, "bin_visits", visits, BINS);
        report_of(r, "bin_low", low, BINS);
        for (size_t i = 0; i < BINS; i++) {
            assert_near(got[i], want[i], 0, 0.04);
            assert_near(visits[i], f->share ? share[i] : 0.25, 0, 0.02);
            assert_near(low[i], 2.3 + 0.4 * ((double)i - 1), 0, 1e-12);
            sum += exp(got[i]);
        }
        assert_near(sum, f->uniform ? 16 : 1, 0.01, 0);
        cs_run_destroy(r);
        points_destroy(&p);
        cs_kernel_release(&s.kernel);
    }
}

/* Returns true if a log theta(i) that the chains share grows by the gain times
 * the share of chains in bin i. */
static bool chains_share(double every, bool honestly)
{
    enum { CHAINS = 40, STEPS = 60 };
    const flatten f = LONG("samc", "random_walk", WALK, .more = {"t0", "share"},
                           .is = {10, every});
    double want[BINS] = {0};
    bool good = true;
    setting s = setting_of(&f);
    points p = points_create(&small_masses);
    cs_kernel_type type = *s.kernel.type;
    if (!honestly)
        type.exchange = NULL;
    s.kernel.type = &type;
    cs_run *r = open_run(&s, p.target, CHAINS);
    for (int k = 1; k <= STEPS; k++) {
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        for (size_t c = 0; c < CHAINS; c++) {
            cs_chain_view v = cs_run_chain(r, 0, c);
            size_t at = bin_of(&f, v.x, p.dim, v.last.logp);
            want[at] += 10 / fmax(10, k) / CHAINS;
        }
        for (size_t c = 0; c < CHAINS && fmod(k, every) == 0; c++) {
            cs_chain_view v = cs_run_chain(r, 0, c);
            for (size_t i = 1; i < BINS; i++)
                good &= fabs(v.aux[i * v.aux_stride] - v.aux[0] - want[i] +
                             want[0]) < 1e-9;
        }
    }
    cs_run_destroy(r);
    points_destroy(&p);
    cs_kernel_release(&s.kernel);
    return good;
}

static void chains_that_meet_learn_together(void **state)
{
    (void)state;
    assert_true(chains_share(1, true));
    assert_true(chains_share(6, true));
    assert_false(chains_share(1, false));
}

/* Returns the RMS error, over bins and chains, of log theta after `steps`. */
static double error_after(cs_run *r, const flatten *f, uint64_t steps)
{
    double want[BINS], theta[BINS], square = 0;
    assert_int_equal(cs_run_advance(r, steps, NULL, NULL), CS_OK);
    masses_of(f, want);
    for (size_t c = 0; c < LANES; c++) {
        cs_chain_view v = cs_run_chain(r, 0, c);
        double mean = 0;
        for (size_t i = 0; i < BINS; i++) {
            theta[i] = v.aux[i * v.aux_stride] - want[i];
            mean += theta[i] / BINS;
        }
        for (size_t i = 0; i < BINS; i++)
            square += (theta[i] - mean) * (theta[i] - mean);
    }
    return sqrt(square / (BINS * LANES));
}

/* Returns the slope of log error against log steps, from 3000 to 300 000. */
static double slope_of(double rule)
{
    const flatten f = LONG("wang_landau", "random_walk", WALK,
                           .more = {"rule", "every"}, .is = {rule, 200});
    setting s = setting_of(&f);
    points p = points_create(&small_masses);
    cs_run *r = open_run(&s, p.target, LANES);
    double early = error_after(r, &f, 3000);
    double late = error_after(r, &f, 297000);
    cs_run_destroy(r);
    points_destroy(&p);
    cs_kernel_release(&s.kernel);
    print_message("rule %s: error %.4f, later %.4f\n",
                  rule != 0 ? "flat" : "1/t", early, late);
    return log(late / early) / log(100);
}

static void the_error_falls_by_the_rule_and_else_stays(void **state)
{
    (void)state;
    assert_near(slope_of(0), -0.5, 0, 0.08);
    assert_true(slope_of(1) > -0.1);
}

/* ---- windows, rejections ------------------------------------------------- */

/* Chains enter the window and stay. The reference is the target restricted to
 * the window. */
static void a_window_is_not_left(void **state)
{
    const flatten f = {.outer = "wang_landau",
                       .inner = "random_walk",
                       .value = {1, 1, 1},
                       .of = SUM,
                       .first = 1.6,
                       .width = 0.5,
                       .window = true,
                       .uniform = true};
    double x[4], got[BINS];
    (void)state;
    setting s = setting_of(&f);
    points p = points_create(&small_masses);
    cs_block *b = open_block(&s, p.target, 6, LANES, p.x); /* x = 0 0 0 0 */
    for (size_t k = 0; k < 300; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            cs_block_state(b, l, x);
            double sum = x[0] + x[1] + x[2] + x[3];
            bool inside = sum == 2 || sum == 3;
            assert_true(k < 100 || inside);
            assert_true(inside == isfinite(b->move.info.log_weight[l]));
        }
    }
    cs_block_destroy(b);
    cs_run *r = open_run(&s, p.target, LANES);
    assert_int_equal(cs_run_advance(r, 30000, NULL, NULL), CS_OK);
    report_of(r, "log_density", got, BINS); /* the first bin is 1.1 to 1.6 */
    assert_true(isnan(got[0]) && isnan(got[2]));
    assert_near(got[1] - got[3], log(6.0 / 4), 0, 0.02);
    cs_run_destroy(r);
    points_destroy(&p);
    cs_kernel_release(&s.kernel);
}

static void what_cannot_be_is_refused_in_words(void **state)
{
    static const double scan[2] = {1, 1};
    const struct {
        const char *inner;
        cs_value given;
        const char *says;
    } list_[] = {
        {"dula", number("power", 0), "samc cannot wrap dula, which is not"},
        {"nuts", number("power", 0), "samc cannot wrap nuts: its steps"},
        {"random_walk", list("log_weights", weights), "has 4 numbers"},
        {"random_walk", list("shares", weights), "has 4 numbers"},
        {"csgld", number("power", 0), "samc cannot wrap csgld"}};
    cs_error err;
    cs_kernel k;
    (void)state;
    for (size_t i = 0; i < sizeof list_ / sizeof *list_; i++) {
        cs_kernel inner = kernel_of(list_[i].inner);
        const cs_value given[] = {list_[i].given, number("bins", 5)};
        assert_true(cs_kernel_wrap(&k, cs_kernel_find("samc"), given, 2, &inner,
                                   &err) != CS_OK);
        if (!strstr(err.what, list_[i].says) || !err.hint[0])
            fail_msg("%s (%s)", err.what, err.hint);
    }
    const cs_value bins[] = {list("shares", weights), number("bins", BINS)};
    cs_kernel inner = kernel_of("gibbs");
    assert_true(cs_kernel_wrap(&k, cs_kernel_find("samc"), bins, 2, &inner,
                               &err) != CS_OK);
    assert_non_null(strstr(err.what, "samc: an entry of `shares` is -0.5"));
    points p = points_create(&small_masses);
    memcpy(inner.values, scan, sizeof scan);
    const cs_value shown[] = {number("of", SHOWN), number("shown", 5)};
    assert_int_equal(
        cs_kernel_wrap(&k, cs_kernel_find("samc"), NULL, 0, &inner, &err), 0);
    assert_true(cs_kernel_fits(&k, p.target, &err) != CS_OK);
    assert_non_null(strstr(err.what, "gibbs is not reversible with these"));
    cs_kernel_release(&k);
    inner = kernel_of("gibbs");
    assert_int_equal(
        cs_kernel_wrap(&k, cs_kernel_find("samc"), shown, 2, &inner, &err), 0);
    assert_true(cs_kernel_fits(&k, p.target, &err) != CS_OK);
    assert_non_null(strstr(err.what, "records 4 numbers per draw"));
    cs_kernel_release(&k);
    points_destroy(&p);
}

/* ---- planted faults ------------------------------------------------------ */

static const cs_kernel_type *honest;

static double *theta_row(cs_move *m)
{
    cs_kernel k = {.type = honest, .self = m->self};
    for (size_t i = 0; i < honest->n_params; i++)
        k.values[i] = m->param[i * m->lanes];
    return m->memory + cs_kernel_aux_first(&k, m->eval->target) * m->lanes;
}

/* Fault: for the second bin, steps use a weight other than the recorded one. */
static void weighs_otherwise(cs_move *m)
{
    double *row = theta_row(m) + m->lanes;
    for (size_t l = 0; l < m->lanes; l++)
        row[l] += 0.3;
    honest->step(m);
    for (size_t l = 0; l < m->lanes; l++) {
        row[l] -= 0.3;
        m->info.log_weight[l] -= m->info.stat[l] == 2 ? 0.3 : 0;
    }
}

/* Fault: the inner kernel's memory is not updated. */
static void keeps_what_it_remembers(cs_move *m)
{
    static double kept[4 * LAW_CHAINS];
    memcpy(kept, m->memory, m->dim * m->lanes * sizeof *kept);
    honest->step(m);
    memcpy(m->memory, kept, m->dim * m->lanes * sizeof *kept);
}

static void forgets_refused_steps(cs_move *m)
{
    static double kept[BINS * LAW_CHAINS];
    double *row = theta_row(m);
    memcpy(kept, row, BINS * m->lanes * sizeof *kept);
    honest->step(m);
    for (size_t at = 0; at < BINS * m->lanes; at++)
        row[at] = m->info.accepted[at % m->lanes] ? row[at] : kept[at];
}

static void counts_all_alike(cs_move *m)
{
    honest->step(m);
    memset(m->info.log_weight, 0, m->lanes * sizeof(double));
}

static bool stationary_by_check(const setting *s)
{
    points p = points_create(&small_masses);
    law_result r = law_check("stationarity", s, &p);
    assert_true(r.tried);

    points_destroy(&p);
    return r.holds;
}

static void faults_are_caught(void **state)
{
    const size_t steered = 6; /* index in `frozen`: dmala, which has memory */
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const flatten *f = &frozen[i * steered].f;
        setting s = setting_of(f);
        honest = s.kernel.type;
        cs_kernel_type type = *honest;
        s.kernel.type = &type;
        assert_true(steps_as(f, &s, &small_masses, weights));
        assert_true(stationary_by_check(&s));
        type.step = i ? keeps_what_it_remembers : weighs_otherwise;
        assert_false(steps_as(f, &s, &small_masses, weights));
        if (i == 0) /* the second fault has too small a bias */
            assert_false(stationary_by_check(&s));
        type.step = counts_all_alike;
        assert_false(stationary_by_check(&s));
        cs_kernel_release(&s.kernel);
    }
    for (size_t i = 0; i < LEARNERS - 1; i++) {
        setting s = setting_of(&learners[i].f);
        honest = s.kernel.type;
        cs_kernel_type type = *honest;
        s.kernel.type = &type;
        type.step = forgets_refused_steps;
        assert_false(learns_as(&learners[i].f, learners[i].visit, &s));
        cs_kernel_release(&s.kernel);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pi_over_theta_is_kept),
    cmocka_unit_test(frozen_they_step_as_the_formula),
    cmocka_unit_test(each_visit_teaches_what_the_formula_says),
    cmocka_unit_test(chains_that_meet_learn_together),
    cmocka_unit_test(learned_weights_meet_enumerated_masses),
    cmocka_unit_test(the_error_falls_by_the_rule_and_else_stays),
    cmocka_unit_test(a_window_is_not_left),
    cmocka_unit_test(what_cannot_be_is_refused_in_words),
    cmocka_unit_test(faults_are_caught),
};
TESTS(test_flatten)
